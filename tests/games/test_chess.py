"""Chess: counts of moves, the ends of games, text, what the searches are told."""

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.records.record import Cells
from kibitz.games.chess import attacks, notation
from kibitz.games.chess.exchange import WORTH, loses, victim_of
from kibitz.games.chess.movement import key_of, targets_of
from kibitz.players import search

GAME = load("chess")
ENDLESS = load("chess", draws=False)  # as published counts have it
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# The positions that programs are usually compared by, and small ones for one rule each; paths of 1, 2, ... moves.
COUNTS = {
    notation.FIRST_POSITION: (20, 400, 8902, 197281, 4865609),
    KIWIPETE: (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1": (24, 496, 9483, 182838),
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1": (15, 66, 1197, 7059, 133987),
}


def mover_of(position: str) -> Position:
    return from_board(GAME, position)


def after(moves: str) -> Position:
    return GAME.start.play_line(moves)


# --- counting ---


@pytest.mark.parametrize("position", COUNTS)
def test_perft(position: str) -> None:
    first = from_board(ENDLESS, position)
    assert tuple(perft(first, depth, target="cpu") for depth in range(1, len(COUNTS[position]) + 1)) == COUNTS[position]


@pytest.mark.long
@pytest.mark.parametrize(("position", "depth", "paths"), [(notation.FIRST_POSITION, 6, 119060324), (KIWIPETE, 5, 193690690)])
def test_deep_perft(position: str, depth: int, paths: int) -> None:
    assert perft(from_board(ENDLESS, position), depth, target="cpu") == paths


@pytest.mark.parametrize("position", [*COUNTS][:4])
def test_perft_interpreted(position: str) -> None:
    assert perft(from_board(ENDLESS, position), 2, target="python") == COUNTS[position][1]


def test_tables_of_attacks_agree_with_walking() -> None:
    """Every line of sight against a walk square by square, on random boards."""
    random = np.random.default_rng(1)
    ways = {"bishop": [(u, r) for u in (-1, 1) for r in (-1, 1)], "rook": [(0, 1), (1, 0), (0, -1), (-1, 0)]}
    with np.errstate(over="ignore"):
        for square in list(range(64)) * 6:
            occupied = int(random.integers(0, 1 << 63, dtype=np.uint64)) & int(random.integers(0, 1 << 63, dtype=np.uint64))
            for piece, rule in (("bishop", attacks.bishop_reach), ("rook", attacks.rook_reach)):
                seen = 0
                for up, right in ways[piece]:
                    row, column = square // 8 + up, square % 8 + right
                    while 0 <= row < 8 and 0 <= column < 8:
                        seen |= 1 << (8 * row + column)
                        if occupied >> (8 * row + column) & 1:
                            break
                        row, column = row + up, column + right
                assert int(rule(square, np.uint64(occupied))) == seen


@pytest.mark.parametrize("position", COUNTS)
def test_both_ways_to_find_moves_agree_and_keys_are_kept(position: str) -> None:
    """Man by man, and all men of a kind at once; the key that moves keep up, and the one computed from nothing."""
    here, choose = from_board(ENDLESS, position), np.random.default_rng(2)
    with np.errstate(over="ignore"):
        for _ in range(12):
            if here.is_over:
                break
            s, listed = here.state, {(int(m) & 63, int(m) >> 6 & 63) for m in here.moves}
            mine = [square for square in range(64) if int(s.sides[s.turn]) >> square & 1]
            assert {(source, target) for source in mine for target in range(64) if int(targets_of(s, source)) >> target & 1} == listed
            assert key_of(s) == s.hash
            here = here.play(int(choose.choice([int(m) for m in here.moves])))


# --- ends of games ---


@pytest.mark.parametrize(
    ("position", "status", "white"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "game over: black mates", -100.0),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "game over: white mates", 100.0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "game over: drawn, stalemate", 0.0),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "game over: drawn, nobody can mate", 0.0),
        ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", "game over: drawn, nobody can mate", 0.0),
        ("8/2b5/4k3/8/8/4KB2/8/8 w - - 0 1", "white to move", None),  # bishops on both colours
        ("8/3b4/4k3/8/8/4KB2/8/8 w - - 0 1", "game over: drawn, nobody can mate", 0.0),
        ("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1", "white to move", None),
        ("8/8/4k3/8/8/4K2R/8/8 w - - 100 90", "game over: drawn, fifty moves without a capture or a pawn's move", 0.0),
        ("8/8/4k3/8/8/4K2R/8/8 w - - 99 90", "white to move", None),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", "game over: white mates", 100.0),  # mate comes first
    ],
)
def test_ends(position: str, status: str, white: float | None) -> None:
    here = mover_of(position)
    assert here.show().splitlines()[-2] == status
    assert here.is_over == (white is not None)
    if white is not None:
        assert (here.utility(0), here.utility(1), here.moves) == (white, -white, ())


def test_the_fiftieth_move_ends_the_game_unless_it_mates() -> None:
    position = mover_of("7k/8/6K1/8/8/8/8/R7 w - - 99 90")
    assert position.play("Ra2").is_over
    assert position.play("Ra2").utility(0) == 0.0
    assert position.play("Ra8").utility(0) == 100.0
    assert not from_board(ENDLESS, "7k/8/6K1/8/8/8/8/R7 w - - 99 90").play("Ra2").is_over


def test_threefold_repetition() -> None:
    twice = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"
    assert not after(twice).is_over
    assert after(twice + " Ng8").is_over
    assert after(twice + " Ng8").utility(0) == 0.0
    assert load("chess", repetitions=2).start.play_line("Nf3 Nf6 Ng1 Ng8").is_over


def test_rights_make_positions_different() -> None:
    """The same men after the king has moved and come back: no repetition of what could still castle."""
    position = after("Nf3 Nf6 e3 e6 Be2 Be7 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1")
    assert not position.play("Rh8").is_over  # the third time with these men, the second without the rights
    assert not position.play_line("Rh8 Rg1").is_over
    assert position.play_line("Rh8 Rg1 Rg8").is_over


def test_the_counter_does_not_spoil_the_key() -> None:
    early, late = (mover_of(f"8/8/4k3/8/8/4K2R/8/8 w - - {counter} 90") for counter in (3, 97))
    assert early.key == late.key != mover_of("8/8/4k3/8/8/4K2R/8/8 w - - 100 90").key


def test_en_passant_counts_only_where_it_is_legal() -> None:
    assert after("e4").show().endswith("b KQkq - 0 1")
    assert after("e4 a6 e5 d5").show().endswith("w KQkq d6 0 3")
    assert "exd6" in map(str, after("e4 a6 e5 d5").moves)
    pinned = mover_of("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1")  # both pawns would leave the row at once
    assert "exd6" not in map(str, pinned.moves)
    assert pinned.show().endswith("w - - 0 1")


# --- text ---


def test_moves_are_read_as_people_and_programs_write_them() -> None:
    written = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O"
    for other in (
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bc6 dc6 0-0",
        "e4e5Nf3Nc6Bb5a6Bxc6dxc6O-O",
    ):
        assert after(other) == after(written)
    promoting = mover_of("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1")
    assert promoting.play("exd8=Q+") == promoting.play("e7d8q") == promoting.play("exd8Q")
    assert promoting.play("e7e8n").show().splitlines()[0] == "8 . . . r N . . k"
    assert mover_of("7k/8/8/8/1p6/2P5/1B6/K7 b - - 0 1").play("bc3") == mover_of("7k/8/8/8/1p6/2P5/1B6/K7 b - - 0 1").play("bxc3")


@pytest.mark.parametrize(
    ("position", "names"),
    [
        ("7k/8/8/8/8/8/8/KR3R2 w - - 0 1", {"Rbd1", "Rfd1"}),
        ("7k/R7/8/8/8/R7/8/5K2 w - - 0 1", {"R7a5", "R3a5"}),
        ("8/7k/8/Q7/8/8/8/Q3Q1K1 w - - 0 1", {"Qa1c3", "Q5c3", "Qec3"}),
        ("4r2k/8/8/8/8/8/4N3/N3K3 w - - 0 1", {"Nc2", "Nb3"}),  # the knight on e2 is pinned
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", {"Qe8+", "Qg7#", "Kf7"}),
    ],
)
def test_names(position: str, names: set[str]) -> None:
    assert names <= {str(m) for m in mover_of(position).moves}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "6 fields, or 4 without the two numbers; there are 0"),
        ("8/8/8/8/8/8/8 w - - 0 1", "8 rows with / between them.*has 7"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "'9' in row 1 is no man"),
        ("8/8/8/8/8/8/8/PP w - - 0 1", "row 1, 'PP', has 2 squares"),
        ("8/8/8/8/8/8/8/ppppppppp w - - 0 1", "row 1, 'ppppppppp', has 9 squares"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has 0 kings"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "black has 2 kings"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "a pawn stands on row 1 or row 8"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "black has 9 pawns"),
        ("k7/8/8/8/8/QQ6/PPPPPPPP/KQQQQQQQ w - - 0 1", "white has 18 men; a side has at most 8 pawns and 16 men"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "the side to move is w or b, not 'x'"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", "white is in check, and it is the other side's turn"),
        ("k7/8/8/8/8/8/8/K7 w KK - 0 1", "castling rights are - or some of KQkq"),
        ("k7/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K needs the king on e1 and a rook on h1"),
        ("k7/8/8/8/8/8/8/K7 w - e9 0 1", "the en passant square is - or a square on row 6, not 'e9'"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn can have just passed e6: it must stand on e5"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "must be a whole number from 0 to 20000, not 'x'"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 -1", "the number of the move must be a whole number from 0"),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


fields = st.sampled_from([notation.FIRST_POSITION, *COUNTS]).map(str.split)
damage = st.lists(st.tuples(st.integers(0, 90), st.sampled_from([*"pnbrqkPNBRQK12345678/ -wbe36\n", "٣", "é", ""])), min_size=1, max_size=4)


def read_or_told(text: str) -> Position | str:
    """The position, or what is wrong with the text."""
    try:
        return from_board(GAME, text)
    except InputError as error:
        return str(error)


@settings(max_examples=300)
@given(fields, damage)
def test_damaged_positions_are_refused_in_one_line_or_sound(words: list[str], changes: list[tuple[int, str]]) -> None:
    text = " ".join(words)
    for place, mark in changes:
        text = text[: place % len(text)] + mark + text[place % len(text) + 1 :] if text else mark
    position = read_or_told(text)
    if isinstance(position, str):
        assert position
        assert "\n" not in position
    else:
        assert from_board(GAME, position.show()) == position
        assert len({move.notation for move in position.moves}) == len(position.moves)


@given(st.text(max_size=80))
def test_any_text_is_no_crash(text: str) -> None:
    with pytest.raises(InputError) as caught:
        GAME.start.play(text)
    assert "\n" not in str(caught.value) or "\n" in text
    with pytest.raises(InputError):
        from_board(GAME, text)


def test_pictures() -> None:
    picture = ElementTree.fromstring(GAME.start.draw())
    assert len(picture.findall("{*}path")) == 32
    assert len({path.get("d") for path in picture.findall("{*}path")}) == 6
    assert {square.get("data-cell") for square in picture.findall("{*}rect")} == {f"{c}{r}" for c in "abcdefgh" for r in range(1, 9)}
    in_check = ElementTree.fromstring(GAME.position("e4 f6 Qh5").picture())
    assert [r.get("data-cell") for r in in_check.findall("{*}rect") if r.get("fill") not in ("#f0d9b5", "#b58863")] == ["e8"]


# --- what searches are told ---


@pytest.mark.parametrize(
    ("position", "move", "bad"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", False),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", True),
        ("7k/8/2p5/3p4/8/8/8/K2R4 w - - 0 1", "Rxd5", True),
        ("7k/8/2p5/3p4/4P3/8/8/K7 w - - 0 1", "exd5", False),
        ("3r3k/8/8/3p4/8/8/3R4/K2R4 w - - 0 1", "Rxd5", False),  # the second rook stands behind the first
        ("3r3k/3r4/8/3p4/8/8/3R4/K2R4 w - - 0 1", "Rxd5", True),
        ("8/8/4k3/3p4/8/8/8/K2R4 w - - 0 1", "Rxd5", True),  # the king may take back
        ("8/8/4k3/3p4/8/8/3R4/K2R4 w - - 0 1", "Rxd5", False),  # here it may not
    ],
)
def test_exchanges(position: str, move: str, bad: bool) -> None:
    here = mover_of(position)
    with np.errstate(over="ignore"):
        assert loses(here.state, int(here.move(move))) == bad
    assert GAME.rule("noisy")(here.state, int(here.move(move))) == (not bad)
    assert (GAME.rule("order")(here.state, int(here.move(move))) < 0) == bad


def exchanged(s: Any, square: int, side: int, on_it: int, occupied: int) -> int:
    """What `side` wins by capturing on a square, which holds a man worth `on_it`, if both take with the least man and stop when they like."""
    around = int(attacks.attackers(s, square, np.uint64(occupied))) & occupied
    mine = sorted((int(WORTH[s.board[q]]), q) for q in range(64) if around >> q & 1 and int(s.sides[side]) >> q & 1)
    if not mine or (mine[0][0] == WORTH[attacks.KING] and around & int(s.sides[1 - side])):
        return 0
    worth, source = mine[0]
    return max(0, on_it - exchanged(s, square, 1 - side, worth, occupied & ~(1 << source)))


def test_exchanges_agree_with_playing_them_out() -> None:
    """Every capture of many positions, against plain recursion."""
    seen, choose = {True: 0, False: 0}, np.random.default_rng(3)
    with np.errstate(over="ignore"):
        for position in (KIWIPETE, *COUNTS) * 2:
            here = from_board(ENDLESS, position)
            for _ in range(14):
                s = here.state
                for move in map(int, here.moves):
                    source, target, victim = move & 63, move >> 6 & 63, victim_of(s, move)
                    if victim != attacks.NOTHING and move < 4096:
                        left = int(s.sides[0] | s.sides[1]) & ~(1 << source)
                        gain = int(WORTH[victim]) - exchanged(s, target, 1 - s.turn, int(WORTH[s.board[source]]), left)
                        assert loses(s, move) == (gain < 0), (here, move)
                        seen[gain < 0] += 1
                if here.is_over:
                    break
                here = here.play(int(choose.choice([int(m) for m in here.moves])))
    assert min(seen.values()) > 50


def test_evaluation_is_the_same_for_both_colours() -> None:
    """A board with its colours exchanged is worth the opposite; features are what the evaluation is made of."""
    evaluate, features = GAME.rule("evaluate"), GAME.rule("features")
    for position in COUNTS:
        placement, side, castling, *_ = position.split()
        exchanged = f"{'/'.join(reversed(placement.swapcase().split('/')))} {'wb'[side == 'w']} {castling.swapcase()} - 0 1"
        here, there = mover_of(position).state, mover_of(exchanged).state
        assert evaluate(here, 0) == pytest.approx(-evaluate(there, 0))
        assert evaluate(here, 1) == -evaluate(here, 0)
        rows = [np.zeros(len(GAME.constants["FEATURES"])).view(Cells) for _ in range(3)]
        features(here, 0, rows[0])
        features(here, 1, rows[1])
        features(there, 1, rows[2])
        assert np.array_equal(rows[0], -rows[1])
        assert np.array_equal(rows[0], rows[2])


def test_features_of_a_position() -> None:
    """Counted by hand."""
    row = np.zeros(len(GAME.constants["FEATURES"])).view(Cells)
    GAME.rule("features")(mover_of("6k1/5ppp/8/1P6/P1P5/P7/8/R1B3K1 w - - 0 1").state, 0, row)
    said = dict(zip(GAME.constants["FEATURES"], row.tolist(), strict=True))
    assert (said["pawns"], said["bishops"], said["rooks"], said["queens"], said["bishop pair"]) == (1, 1, 1, 0, 0)
    assert (said["pawn on a3"], said["pawn on a4"], said["pawn on b4"], said["pawn on a2"], said["pawn on c2"]) == (1, 1, 0, -1, -1)
    assert (said["king on b1"], said["rook on a1"], said["bishop on c1"], said["bishop on c8"]) == (0, 1, 1, 0)
    assert (said["doubled pawns"], said["isolated pawns"], said["kings near passed pawns"], said["pawns' threats"]) == (1, 0, -9, 0)
    assert (said["supported pawns"], said["passed pawns"], said["passed pawns advanced"]) == (1, 0, 17)
    assert (said["king's pawns"], said["turn to move"]) == (-3, 1)
    assert (said["rooks' reach"], said["bishops' reach"]) == (2, 5)
    assert (said["king attacked"], said["king besieged"], said["king in the open"], said["checks"]) == (0, 0, 3, 0)
    GAME.rule("features")(mover_of("6k1/5pp1/7Q/4N3/8/3B4/6P1/R5K1 b - - 0 1").state, 0, row)
    said = dict(zip(GAME.constants["FEATURES"], row.tolist(), strict=True))
    assert said["king attacked"] == 3 * 5  # the queen on g7, h7 and h8, the bishop on h7, the knight on f7
    assert said["king besieged"] == (3 + 1 + 1) ** 2
    assert said["king in the open"] == 2 - 1
    assert said["checks"] == 5  # by the queen on g7, h7 and h8, by the bishop on h7, by the rook on a8


def test_skipping_a_turn() -> None:
    skip = GAME.rule("skip")
    s = after("e4 a6 e5 d5").state
    assert skip(s)
    assert s.turn == 1
    assert s.passant == attacks.NO_SQUARE
    with np.errstate(over="ignore"):
        assert s.hash == key_of(s)
    for refused in ("7k/8/8/8/8/8/P7/K7 w - - 0 1", "k7/8/8/8/8/8/P5R1/K6r w - - 0 1", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"):
        s = mover_of(refused).state
        before = s.tobytes()
        assert not skip(s)
        assert s.tobytes() == before


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("position", "best", "depth"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", 2),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7#", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 6),  # Paul Morphy's problem, mate in two
    ],
)
def test_searches_find_mates(position: str, best: str, depth: int) -> None:
    found = search(mover_of(position), "selective", depth=depth)
    assert str(found.move) == best
    assert found.value == 100.0
