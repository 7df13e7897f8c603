"""Small things that many rooms share: scores of utilities, random choices, identities, NAME=VALUE, sealed files."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import kibitz as kb
from kibitz.core import files
from kibitz.core.position.identity import identity
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol import outcomes
from kibitz.core.protocol.default_text import named_value, named_values
from kibitz.core.records import random


@pytest.mark.parametrize(("values", "won", "drawn", "lost"), [((-1.0, 1.0), 0.1, 0.0, -1.0), ((0.0, 3.0), 1.6, 1.5, 0.0)])
def test_scores_of_utilities(values: tuple[float, float], won: float, drawn: float, lost: float) -> None:
    assert [outcomes.score(u, values) for u in (won, drawn, lost)] == [1.0, 0.5, 0.0]
    assert outcomes.score(np.array([lost, won, drawn]), values).tolist() == [0.0, 1.0, 0.5]


def test_lots_are_the_generators_own() -> None:
    """Moves are drawn as kernels draw them, outcomes by their weights; the same for the same seed and stream, others for others."""
    start, rng = kb.load("tictactoe").start, random.seeded(7, 3)
    with np.errstate(over="ignore"):
        expected = [int(random.below(rng, 9)) for _ in range(20)]
    lots = Lots(7, 3)
    assert [lots.draw_move(start) for _ in range(20)] == expected
    game = kb.load("kalah")
    assert Lots(7, 3).draw_line(game, 6)[0] == Lots(7, 3).draw_line(game, 6)[0]
    assert len({Lots(7, stream).draw_line(game, 6)[0] for stream in range(8)}) > 1


def test_outcomes_come_up_as_often_as_they_weigh() -> None:
    game = kb.load("trees", tree='[{"chance": [1, 3], "moves": [0.5, 0]}]', low=0.0, high=1.0)
    lots = Lots(1, 0)
    position = game.start if game.start.is_chance else game.start.play(game.start.moves[0])
    drawn = Counter(lots.draw_move(position) for _ in range(4000))
    assert drawn[int(position.moves[1])] / 4000 == pytest.approx(0.75, abs=0.03)


def test_lines_of_random_moves_end_where_a_player_moves() -> None:
    game = kb.load("ewn", setup="123456")
    for stream in range(5):
        line, position = Lots(2, stream).draw_line(game, 4)
        assert not position.is_chance or position.is_over
        assert game.start.after_line(list(line)).data == position.data


def test_identity_is_of_rules_parameters_and_settings() -> None:
    games = [kb.load("nim", heaps="1,2"), kb.load("nim", heaps="1,3"), kb.load("kalah")]
    assert len({identity(g, *settings) for g in games for settings in ((), (1,), (1, "a"), ("1",))}) == 12
    assert identity(kb.load("nim", heaps="1,2"), 1) == identity(games[0], 1)


def test_names_and_values() -> None:
    assert named_value(" a = b=c ") == ("a", "b=c")
    assert [named_value(text) for text in ("a", "=b", " =b", "")] == [None] * 4
    assert named_values(["a=1", "b=2", "a=3"], "--param", "a=4") == {"a": "3", "b": "2"}
    with pytest.raises(kb.InputError, match="--param a: write NAME=VALUE, such as --param a=4"):
        named_values(["a"], "--param", "a=4")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")

    def fail() -> None:
        with files.writing(path) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    sealed = files.sealed(b"content")
    assert files.unsealed(sealed) == b"content"
    assert [files.unsealed(broken) for broken in (sealed[:-1], b"", sealed[1:], sealed + b"x")] == [None] * 4
    path.write_bytes(b"\xff")
    for read in (files.read_text, lambda p: files.read_text(p / "below")):
        with pytest.raises(kb.InputError, match="cannot read"):
            read(path)
