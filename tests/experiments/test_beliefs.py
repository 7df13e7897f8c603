"""Experiments on what is not seen: mates counted against python-chess and against single questions; shots."""

from __future__ import annotations

import itertools

import pytest

from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import puzzled, view
from kibitz.core.position.game import Position
from kibitz.core.position.loading import load
from kibitz.experiments.studies import battleship_shots, kriegspiel_mates
from kibitz.searches.belief.guarantee import guaranteed

chess = pytest.importorskip("chess")


@pytest.mark.compiled
def test_mates_of_a_row_are_counted() -> None:
    """Singles in one move as python-chess finds them; pairs as they are asked for one by one."""
    inputs = {"ending": "KRK", "king": "b3", "row": 6, "squares": 2, "moves": 3}
    found = kriegspiel_mates.run(inputs)
    game = load("kriegspiel", draws=False)
    boards = {place: list(kriegspiel_mates.positions(game, "R", (2, 1), (5, place))) for place in range(8)}
    mates = 0
    for data in itertools.chain(*boards.values()):
        board = chess.Board(Position(game, data).show().splitlines()[-1])
        for move in board.legal_moves:
            board.push(move)
            over = board.is_checkmate()
            board.pop()
            if over:
                mates += 1
                break
    assert (found["weight"], found["sizes"]["1"]["beliefs"]) == (8, sum(len(some) for some in boards.values()))
    assert found["sizes"]["1"]["sure"][0] == mates > 0
    assert found["sizes"]["2"]["beliefs"] == sum(len(some) * (len(some) - 1) // 2 for some in boards.values())
    sure = [0, 0, 0]
    for data in boards[7]:
        for other in boards[7]:
            if data < other:
                possible = [Position(game, data), Position(game, other)]
                answer = guaranteed(Belief.of(view(puzzled(possible[0], 0, possible), 0)), "win", 2)
                if answer.verdict == "proven":
                    sure[answer.moves - 1] += 1
    alone = kriegspiel_mates.run({**inputs, "moves": 2})["sizes"]["2"]["sure"]
    assert alone == found["sizes"]["2"]["sure"][:2]
    assert all(one <= whole for one, whole in zip(sure, alone, strict=False))


def test_the_table_says_how_much_of_the_board_it_is_of() -> None:
    settings = kriegspiel_mates.EXPERIMENT.settings({"endings": "KQK", "squares": "1", "moves": "2"}, "kriegspiel-mates")
    cut = kriegspiel_mates.shards(settings)
    assert len(cut) == 80
    done = [(shard.inputs, {"weight": 8, "sizes": {"1": {"beliefs": 10, "sure": [1, 2]}}}) for shard in cut[:3]]
    summary = kriegspiel_mates.summarise(settings, done)  # type: ignore[arg-type]
    assert summary.rows == [{"ending": "KQK", "squares": 1, "beliefs": 240, "in 1": 24, "in 2": 72, "sure %": 30.0}]
    assert "3 of 80 parts" in summary.notes[0]


def test_fleets_are_written_with_plus() -> None:
    assert battleship_shots.lengths("5+4+3") == [5, 4, 3]
    with pytest.raises(Exception, match=r"fleet=5,4: write how long the ships are with \+ between"):
        battleship_shots.lengths("5,4")
