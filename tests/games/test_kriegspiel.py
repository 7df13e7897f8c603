"""Kriegspiel: whole random games in step with OpenSpiel's umpire, and what it does not announce in step with python-chess.

The same in both: what may be named, what is legal, the board, whose turn it is, captures but those en passant, the number of pawn tries, who wins.
Other there (OpenSpiel 2.0.2): no check is ever announced, nor a capture en passant; a capture by which a pawn promotes counts as four tries; who is mated or stalemated must first name every
move in vain; fifty moves are fifty of both sides together; and positions may not come up three times. The last two rules are switched off there.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import view
from kibitz.games.chess.attacks import PAWN
from kibitz.games.chess.movement import FIFTY_MOVES, MATE, PLAYING, STALEMATE, targets_of
from kibitz.games.chess.notation import fen, uci

GAME = kb.load("kriegspiel")
FULL = kb.load("kriegspiel", captured="kind", tries="number")


class Umpire:
    """Our rules, one game at a time, on one record."""

    def __init__(self) -> None:
        self.rules = {name: FULL.bind(FULL.functions[name]) for name in ("play", "moves", "percept", "utility")}
        self.s: Any = FULL.start.state
        self.out = np.zeros(FULL.constants["MAX_MOVES"], FULL.constants["MOVE"])

    @property
    def moves(self) -> dict[str, int]:
        return {uci(int(move)): int(move) for move in self.out[: self.rules["moves"](self.s, self.out)]}

    def play(self, move: int) -> list[str]:
        """What is announced."""
        before = self.s.copy()
        self.rules["play"](self.s, move)
        said = [int(self.rules["percept"](before, move, self.s, observer)) for observer in range(2)]
        assert said[0] == said[1]
        return str(FULL.people["announce"](said[0], 0)).split(",") if said[0] else []


def as_openspiel_says(said: list[str], s: Any) -> str:
    """Our announcement in its words, as far as it makes one."""
    if said == ["illegal"]:
        return "Illegal move."
    words = [
        f"{kind.capitalize()} at {square} captured, " for kind, _, square in (w.partition(":") for w in said) if kind in ("pawn", "piece")
    ]
    tries = promoting(s) if any(word.startswith("tries") for word in said) else 0
    counted = f", {tries} pawn {'try' if tries == 1 else 'tries'}" if tries else ""
    return f"{''.join(words)}{'white' if s.turn == 0 else 'black'}'s move{counted}."


def promoting(s: Any) -> int:
    """Captures by pawns, each promotion by itself."""
    mine, n = int(s.sides[s.turn]), 0
    for source in (i for i in range(64) if mine >> i & 1 and s.board[i] == PAWN):
        with np.errstate(over="ignore"):
            legal = int(targets_of(s, source))
        n += sum(4 if target < 8 or target > 55 else 1 for target in range(64) if legal >> target & 1 and target % 8 != source % 8)
    return n


def walk(seed: int) -> Counter[str]:
    """One random game; what was seen in it."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("kriegspiel(threefold_repetition=False,50_move_rule=False)").new_initial_state()
    ours, rng, seen = Umpire(), random.Random(seed), Counter[str]()
    while ours.s.status == PLAYING:
        assert not theirs.is_terminal()
        named = {theirs.action_to_string(theirs.current_player(), action): action for action in theirs.legal_actions()}
        moves = ours.moves
        assert moves.keys() == named.keys()
        chosen = rng.choice(sorted(moves))
        passant = moves[chosen] >> 6 & 63 == ours.s.passant and ours.s.board[moves[chosen] & 63] == PAWN
        said = ours.play(moves[chosen])
        theirs.apply_action(named[chosen])
        assert fen(ours.s) == str(theirs)
        if ours.s.status in (PLAYING, MATE, STALEMATE):
            heard = as_openspiel_says([w for w in said if not (passant and w.startswith("pawn:"))], ours.s)
            assert theirs.observation_string(0).partition("\n")[2] == heard
        seen.update(word.partition(":")[0] if not word.startswith("check") else word for word in said)
        seen["en passant"] += passant and said != ["illegal"]
    if ours.s.status in (MATE, STALEMATE):
        while not theirs.is_terminal():
            theirs.apply_action(theirs.legal_actions()[0])
    if ours.s.status != FIFTY_MOVES:
        assert theirs.is_terminal()
        assert theirs.returns() == [ours.rules["utility"](ours.s, player) / 100 for player in (1, 0)]  # there the first player is black
    return seen


def announced(board: Any) -> set[str]:
    """The ways of check by their definition: squares of each line through the king, counted."""
    chess = pytest.importorskip("chess")
    king, ways = board.king(board.turn), set()
    row, column = king // 8, king % 8
    lengths = {sign: sum(0 <= column + sign * (r - row) < 8 for r in range(8)) for sign in (1, -1)}
    for square in board.checkers():
        up, right = square // 8 - row, square % 8 - column
        if board.piece_type_at(square) == chess.KNIGHT:
            ways.add("check:knight")
        elif up == 0 or right == 0:
            ways.add("check:rank" if up == 0 else "check:file")
        else:
            ways.add("check:long" if lengths[1 if up == right else -1] > lengths[-1 if up == right else 1] else "check:short")
    return ways


def walk_with_chess(seed: int) -> Counter[str]:
    """One random game of mostly legal moves; the checks that were announced, and how it ended."""
    chess = pytest.importorskip("chess")
    ours, board, rng, seen = Umpire(), chess.Board(), random.Random(seed), Counter[str]()
    while ours.s.status == PLAYING:
        legal = {m.uci() for m in board.legal_moves}
        moves = ours.moves
        assert legal <= moves.keys()
        chosen = rng.choice(sorted(moves if rng.random() < 0.2 else legal))
        victims = [square for square in chess.SQUARES if board.color_at(square) == (not board.turn)]
        said = ours.play(moves[chosen])
        assert (said == ["illegal"]) == (chosen not in legal)
        if chosen not in legal:
            assert chosen not in ours.moves
            continue
        board.push_uci(chosen)
        assert fen(ours.s) == board.fen()
        assert {w for w in said if w.startswith("check")} == announced(board)
        taken = [chess.square_name(square) for square in victims if board.color_at(square) != board.turn]
        assert [w[-2:] for w in said if w.startswith(("pawn:", "piece:"))] == taken
        assert ("mate" in said, "stalemate" in said) == (board.is_checkmate(), board.is_stalemate())
        seen.update(w for w in said if w.startswith("check"))
        seen["double"] += sum(w.startswith("check") for w in said) == 2
    seen[str(FULL.people["announce"](int(ours.s.status) << 14, 0))] += 1
    return seen


@pytest.mark.compiled
def test_in_step_with_openspiel() -> None:
    seen = sum((walk(seed) for seed in (0, 16, 18, 24, 30)), Counter[str]())
    assert {"illegal", "piece", "pawn", "tries", "en passant", "mate", "stalemate", "fifty", "material"} <= {
        word for word, n in seen.items() if n
    }


@pytest.mark.long
@pytest.mark.compiled
def test_thousands_of_games_in_step_with_openspiel() -> None:
    seen = sum((walk(seed) for seed in range(3000)), Counter[str]())
    assert min(seen[word] for word in ("illegal", "piece", "pawn", "tries", "en passant", "mate", "stalemate", "fifty", "material")) > 5


@pytest.mark.compiled
def test_checks_in_step_with_chess() -> None:
    seen = sum((walk_with_chess(seed) for seed in (1, 9, 20)), Counter[str]())
    assert {"check:file", "check:rank", "check:long", "check:short", "check:knight", "mate", "stalemate", "fifty"} <= {
        w for w, n in seen.items() if n
    }


@pytest.mark.long
@pytest.mark.compiled
def test_all_checks_in_step_with_chess() -> None:
    seen = sum((walk_with_chess(seed) for seed in range(3000)), Counter[str]())
    ways = ("check:file", "check:rank", "check:long", "check:short", "check:knight", "double", "mate", "stalemate", "fifty", "material")
    assert min(seen[word] for word in ways) > 5, seen


@pytest.mark.parametrize(
    ("board", "move", "said"),
    [
        ("4k3/8/8/8/8/8/4N3/4K1BR w K - 0 1", "h1h8", "check:rank"),
        ("4k3/8/8/8/8/8/4N3/4R1K1 w - - 0 1", "e2c3", "check:file"),
        ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4d6", "check:knight,check:file"),
        ("7k/8/5N2/8/8/2B5/8/6K1 w - - 0 1", "f6g4", "check:long"),
        ("6k1/8/4N3/8/2B5/8/8/6K1 w - - 0 1", "e6f8", "check:long"),
        ("3k4/8/7B/8/8/8/6R1/6K1 w - - 0 1", "h6g5", "check:long"),
        ("4k3/8/8/8/7B/6R1/8/K7 w - - 0 1", "h4d8", ""),
        ("4k3/8/8/8/7B/6r1/8/K7 w - - 0 1", "h4g3", "piece:g3,material"),
        ("1k6/8/P7/8/8/8/8/6K1 w - - 0 1", "a6a7", "check:short"),
        ("7k/5K2/8/8/8/8/8/6R1 w - - 0 1", "g1h1", "check:file,mate"),
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "stalemate"),
        ("k7/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "pawn:d5"),
        ("k7/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5f6", "illegal"),
        ("k7/8/8/3p4/8/8/4P3/4K3 w - - 99 80", "e1d1", "fifty"),
        ("k7/8/8/3p4/5P2/4P3/8/3K4 b - - 0 1", "d5d4", "tries:1"),
    ],
)
def test_announcements(board: str, move: str, said: str) -> None:
    position = FULL.position(board)
    heard = position.play(move).told[0].events[-1].percept
    assert (FULL.people["announce"](heard, 0) if heard else "") == said


def test_what_is_announced_is_chosen() -> None:
    capture, tries = "k7/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "k7/8/8/3p4/5P2/2P1P3/8/3K4 b - - 0 1"
    words = {}
    for captured in ("square", "kind"):
        game = kb.load("kriegspiel", captured=captured)
        words[captured] = game.people["announce"](game.position(capture).play("e5d6").told[0].events[-1].percept, 0)
    assert words == {"square": "capture:d5", "kind": "pawn:d5"}
    for wanted, said in (("no", ""), ("any", "tries"), ("number", "tries:2")):
        game = kb.load("kriegspiel", tries=wanted)
        percept = game.position(tries).play("d5d4").told[1].events[-1].percept
        assert (game.people["announce"](percept, 1) if percept else "") == said


def test_white_thinks_twenty_positions_possible() -> None:
    """After one move of each side, as the lecture says."""
    belief = Belief.of(view(GAME.start.play("e2e4", "e7e5"), 0))
    assert (belief.size, belief.complete) == (20, True)


def test_a_vain_try_costs_nothing_and_informs() -> None:
    """Black's pawn on e5 stops e4e5; after the try only positions are left in which something stands there."""
    position = GAME.start.play("e2e4", "e7e5", "e4e5")
    assert position.player == 0
    assert "e4e5" not in [str(m) for m in position.moves]
    belief = Belief.of(view(position, 0))
    assert belief.size == 1
    assert belief.holds(position)
    assert position.told[1].events[-1].percept == 1  # black hears it, too
    assert len(position.moves) == len(GAME.start.play("e2e4", "e7e5").moves) - 1
    assert len(position.play("d2d4", "a7a6").moves) > 30


def test_vain_tries_of_the_other_side_count_by_their_number() -> None:
    """Which of them were made is nobody's business but the other side's."""
    tried = [GAME.start.play("e2e4", *tries) for tries in (("a7b6", "b7a6"), ("h7g6", "c7b6"))]
    assert tried[0].data != tried[1].data
    for position in tried:
        belief = Belief.of(view(position, 0))
        assert belief.size == 1
        assert belief.holds(position)
    assert Belief.of(view(tried[0].play("e7e5"), 0)).size == 20


def test_positions_and_moves_as_text() -> None:
    position = GAME.start.play("e2e4", "e7e5", "e4e5", "g1f3")
    assert position.show().endswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
    tried = GAME.start.play("f2e3", "a2b3")
    assert tried.show().endswith("w KQkq - 0 1 tried a2b3 f2e3")
    assert GAME.position(tried.show()) == tried
    for text, said in (
        ("8/8/8/8/3k4/8/8/KR6 w - - 0 1 tried a1a3", "no such move can be named"),
        ("8/8/8/8/3k4/8/8/KR6 w - - 0 1 tried a1a2", "that move is legal"),
        ("8/8/8/8/3k4/8/8/KR6 w - - 0", "6 fields"),
    ):
        with pytest.raises(kb.InputError, match=said):
            GAME.position(text)
    for written, meant in (("Nf3", "g1f3"), ("e4", "e2e4"), ("exd3", "e2d3"), ("Nxf3", "g1f3")):
        assert str(GAME.start.move(written)) == meant
    castling = GAME.position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert [str(castling.move(text)) for text in ("O-O", "0-0-0")] == ["e1g1", "e1c1"]
    assert str(GAME.position("7k/P7/8/8/8/8/8/K7 w - - 0 1").move("a8=N")) == "a7a8n"


def test_each_side_sees_its_own_men() -> None:
    position = GAME.start.play("e2e4", "d7d5", "e4d5")
    shown = [GAME.people["show_to"](position.state, side) for side in range(2)]
    assert not set("rnbqkp") & set(shown[0].split("8 ", 1)[1].split("  a b")[0])
    assert "P" not in shown[1].split("  a b")[0]
    drawings = [GAME.people["draw_to"](position.state, side) for side in range(2)]
    assert drawings[0] != drawings[1] != position.draw()
    assert all(drawing.count("<path") <= 16 for drawing in drawings)


def test_without_draws_only_mate_and_stalemate_end_it() -> None:
    endless = kb.load("kriegspiel", draws=False)
    position = endless.position("8/8/8/8/3k4/8/8/K7 w - - 99 80")
    assert not position.is_over
    assert position.show().endswith("w - - 0 1")
    assert position.play("a1a2", "d4d5").show().endswith("8/8/8/3k4/8/8/K7/8 w - - 0 1")
