"""Claims about games, proven and verified: published results, shortest mates, games that repeat positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.errors import InputError
from kibitz.core.protocol.rules import CYCLE_FREE, DRAW, FORBIDDEN, LOSS, OVER
from kibitz.core.records.record import record
from kibitz.searches.proof import strategy
from kibitz.searches.proof.prove import Proof, prove
from kibitz.tables.proof import replay
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, claimed
from kibitz.tables.proof.file import verify
from tests.differential.cases import on


def verified(position: kb.Position, goal: str, player: int = 0, **settings: Any) -> Proof:
    found = prove(position, goal, player, with_strategy=True, **settings)
    assert found.strategy is not None
    verify(found.strategy)
    return found


# --- published results ---


def test_tic_tac_toe() -> None:
    """The first player cannot be beaten and cannot force a win; the second neither."""
    start = kb.load("mnk").start
    told = [(goal, player, verified(start, goal, player).verdict) for goal in ("win", "not lose") for player in (0, 1)]
    assert told == [("win", 0, DISPROVEN), ("win", 1, DISPROVEN), ("not lose", 0, PROVEN), ("not lose", 1, PROVEN)]


@pytest.mark.once
def test_four_by_three_is_won() -> None:
    with on("python"):
        found = verified(kb.load("mnk", m=4, n=3, k=3).start, "win")
    assert (found.verdict, str(found)) == (PROVEN, "X can force a win")


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "parameters", "moves", "verdict"),
    [
        ("mnk", {"m": 4, "n": 4, "k": 4}, "", DISPROVEN),
        ("domineering", {"rows": 5, "columns": 5}, "", DISPROVEN),
        ("domineering", {"rows": 6, "columns": 6}, "", PROVEN),
        ("hex", {"size": 4}, "", PROVEN),
        ("hex", {"size": 5}, "c3", PROVEN),
        ("breakthrough", {"rows": 5, "columns": 4}, "", DISPROVEN),
    ],
)
def test_published_and_larger(game: str, parameters: dict[str, Any], moves: str, verdict: str) -> None:
    """(4,4,4) is drawn; Domineering 5x5 is the second player's, 6x6 the first's; Hex is the first's; the last one is our own finding."""
    assert verified(kb.load(game, **parameters).position(moves), "win", memory=256).verdict == verdict


@pytest.mark.once
@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 3), (2, 5)])
def test_domineering(size: tuple[int, int]) -> None:
    start = kb.load("domineering", rows=size[0], columns=size[1]).start
    with on("python"):
        assert (verified(start, "win").verdict == PROVEN) == (kb.solve(start).value == 1)


# --- lengths ---


@pytest.mark.once
@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 3),  # Kf7 and Rh1
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 2),  # Kg8 is all there is, and then Ra8
    ],
)  # fmt: skip
def test_mates_have_the_right_length(fen: str, plies: int) -> None:
    with on("python"):
        position = kb.load("chess").position(fen)
        found = verified(position, "win", 0, shortest=True, leaf="moves")
        assert (found.verdict, found.claim.within) == (PROVEN, plies)
        assert found.strategy is not None
        assert found.strategy.longest == plies
        if plies > 1:
            less = verified(position, "win", 0, within=plies - 1)
            assert (less.verdict, str(less)) == (
                DISPROVEN,
                f"{position.game.side(0)} cannot force a win within {plies - 1} {'ply' if plies == 2 else 'plies'}",
            )


@pytest.mark.once
def test_shortest_wins_are_those_of_the_solver() -> None:
    game = kb.load("mnk", m=4, n=3, k=3)
    with on("python"):
        for moves in ("b2 a1 b1", "b2 a1 c1 b1", "a1 b1 b2"):
            position = game.position(moves)
            solved = kb.solve(position)
            found = verified(position, "win", position.player, shortest=True)
            assert (found.verdict == PROVEN) == (solved.value == 1)
            if found.verdict == PROVEN:
                assert found.claim.within == solved.distance


# --- games that come back to a position ---


def start(s):  # type: ignore[no-untyped-def]
    s.at, s.turn = 0, 0


def player(s):  # type: ignore[no-untyped-def]
    return OVER if s.at >= 8 else s.turn


def moves(s, out):  # type: ignore[no-untyped-def]
    n = 0
    for to in range(10):
        if WAYS[s.at, to]:
            out[n] = to
            n += 1
    out[n] = 9 - s.turn  # give up
    return n + 1


def play(s, move):  # type: ignore[no-untyped-def]
    s.at, s.turn = move, 1 - s.turn


def utility(s, player):  # type: ignore[no-untyped-def]
    return 1.0 if (s.at == 8) == (player == 0) else -1.0


# A ring 0-1-2-3-0 of places, to be walked in turns and partly both ways; at 4 the player to move can only give up. Who ends at 8 is the first player's win.
WAYS = np.zeros((10, 10), np.int8)
for _from, _to in ((0, 1), (0, 3), (1, 2), (2, 3), (2, 1), (2, 4), (3, 0), (3, 2), (1, 0)):
    WAYS[_from, _to] = 1


def ring(repetition: str, times: int = 2) -> kb.Game:
    rules = {f.__name__: f for f in (start, player, moves, play, utility)}
    most = 10 if repetition == CYCLE_FREE else 40
    return kb.Game(
        {
            **rules,
            "State": record(at=np.int8, turn=np.int8),
            "PLAYERS": 2,
            "MAX_MOVES": 4,
            "MAX_PLIES": most,
            "VALUES": (-1.0, 1.0),
            "REPETITION": repetition,
            "REPETITIONS": times,
        },
        "ring",
    )


def naive(position: kb.Position, player: int) -> float:
    """With the path, which decides what repetitions are worth."""
    if position.is_over:
        return position.utility(player)
    values = [naive(position.play(int(m)), player) for m in position.moves]
    return max(values) if position.player == player else min(values)


@pytest.mark.once
@pytest.mark.parametrize(("repetition", "times"), [(DRAW, 2), (DRAW, 3), (LOSS, 2), (FORBIDDEN, 2)])
def test_what_is_said_of_games_that_repeat_is_true(repetition: str, times: int) -> None:
    """From every place that the game can be in after two moves, with its history, and from every fifth one after three."""
    game, said = ring(repetition, times), []
    with on("python"):
        layer = [game.start]
        for moves_made in range(4):
            for position in layer[:: 5 if moves_made == 3 else 1]:
                for whose in (0, 1):
                    worth = naive(position, whose)
                    for goal, bound in (("win", 0.5), ("not lose", 0.0)):
                        found = prove(position, goal, whose, nodes=1500)  # what is found at all takes 35
                        said.append(found.verdict)
                        if found.verdict != UNKNOWN:
                            assert (worth >= bound) == (found.verdict == PROVEN), (position, goal, whose)
                            assert found.strategy is not None
                            verify(found.strategy)
            layer = [p.play(int(m)) for p in layer for m in p.moves if not p.play(int(m)).is_over]
    assert PROVEN in said
    assert UNKNOWN in said or repetition != DRAW


# --- what is refused ---


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"goal": "draw"}, "is no goal"),
        ({"player": 2}, "there is no player 3"),
        ({"within": -1}, "whole number"),
        ({"method": "pns"}, "unknown method"),
        ({"leaf": "two"}, "what a leaf may cost"),
        ({"memory": 0.0}, "megabytes"),
    ],
)
def test_questions_that_cannot_be_asked(call: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        prove(kb.load("mnk").start, **call)


def test_games_that_cannot_be_proven() -> None:
    for name in ("pig", "ewn"):
        with pytest.raises(InputError, match="nothing can be proven of"):
            prove(kb.load(name).start)


def test_finished_games_are_settled() -> None:
    over = kb.load("mnk").position("a1 a2 b1 b2 c1")
    for goal, player, verdict in (("win", 0, PROVEN), ("win", 1, DISPROVEN), ("not lose", 1, DISPROVEN)):
        found = prove(over, goal, player, with_strategy=True)
        assert (found.verdict, found.nodes) == (verdict, 0)
        assert found.strategy is not None
        verify(found.strategy)


def test_goals_have_one_spelling() -> None:
    start = kb.load("mnk").start
    assert [claimed(start, g).goal for g in ("Win", "not-lose", ">=1", "value >= -2.50", "value>=1e-3")] == [
        "win", "not lose", "value >= 1", "value >= -2.5", "value >= 0.001",
    ]  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize("within", [13, 17])
def test_a_way_that_comes_back_is_made_straight(within: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mate in two, asked for in many more plies: the way that is found first dawdles and comes back to positions."""
    made, run = [], strategy._Straight.run
    monkeypatch.setattr(strategy._Straight, "run", lambda walk, *limits: made.append(run(walk, *limits)) or made[-1])
    mate = kb.load("chess").position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    with on("python"):
        found = prove(mate, "win", within=within, leaf="moves", memory=1)
        assert (found.verdict, made) == (PROVEN, [replay.FINE])
        assert found.strategy is not None
        assert verify(found.strategy).longest <= within
