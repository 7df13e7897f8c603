"""Games that can go in circles: the search does not, and stores nothing that belongs to one path."""

from pathlib import Path

import pytest

import kibitz as kb
from tests import naive
from tests.searches.driver import compile_only, searcher

# Two kings on a ring of squares: step left or right; catch the other to win. Steps can be taken back, so positions come up again.
RING = '''"""Catch the other on a ring."""
import numpy as np
from kibitz import DRAW, LOSS, OVER, record
State = record(places=(np.int8, 2), turn=np.int8, caught=np.int8)
SIZE = 7
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 3, 200, (-1.0, 1.0)
REPETITION, REPETITIONS = DRAW, 2
def start(s):
    s.places[0], s.places[1], s.turn, s.caught = 0, 3, 0, 0
def player(s):
    return OVER if s.caught else s.turn
def moves(s, out):
    out[0], out[1], out[2] = 1, SIZE - 1, 2 + s.turn * 2
    return 3
def play(s, move):
    s.places[s.turn] = (s.places[s.turn] + move) % SIZE
    s.caught = s.places[0] == s.places[1]
    s.turn = 1 - s.turn
def utility(s, player):
    return -1.0 if player == s.turn else 1.0
'''


def ring(folder: Path, *changes: tuple[str, str]) -> kb.Game:
    source = RING
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / "ring.py"
    path.write_text(source)
    return kb.load(str(path))


def test_positions_know_when_they_repeat(tmp_path: Path) -> None:
    game = ring(tmp_path)
    circle = game.start.play(1, 1, 6)
    assert not circle.is_over
    back = circle.play(6)
    assert back == game.start
    assert back.is_repeated
    assert back.is_over
    assert back.utility(0) == 0.0
    loss = ring(tmp_path, ("= DRAW, 2", "= LOSS, 2")).start.play(1, 1, 6, 6)
    assert (loss.utility(0), loss.utility(1)) == (1.0, -1.0)  # the second player went back last
    threefold = ring(tmp_path, ("= DRAW, 2", "= DRAW, 3")).start.play(1, 1, 6, 6)
    assert not threefold.is_over
    assert threefold.play(1, 1, 6, 6).is_over


@pytest.mark.parametrize("rule", ["DRAW, 2", "LOSS, 2", "DRAW, 3"])
@pytest.mark.parametrize("size", compile_only("5", ("5", "7", "8")))
def test_values_of_paths(tmp_path: Path, rule: str, size: str) -> None:
    game = ring(tmp_path, ("= DRAW, 2", f"= {rule}"), ("SIZE = 7", f"SIZE = {size}"), ("0, 3, 0, 0", "0, 2, 0, 0"))
    for position in (game.start, game.start.play(1, 1)):
        for depth in (3, 5):
            wanted = naive.minimax_to_depth(position, depth, position.player)
            for options in ({"table": 0}, {"table": 0, "form": "stack"}):
                assert searcher(position, **options).value(depth) == wanted


def test_a_table_keeps_nothing_that_depends_on_the_path(tmp_path: Path) -> None:
    """Searched again with the table of another path, a position has the value it has without any table."""
    game = ring(tmp_path)
    search = searcher(game.start, table=1, strict=True)
    search.value(7)
    entries = search.arrays.table[search.arrays.table["depth"] > 0]
    assert len(entries) > 0
    fresh = searcher(game.start, table=0)
    assert search.value(7) == fresh.value(7)


PLAIN = "null=0, reductions=0, quiescence=0, extend=false, table=0, killers=off, history=off, order=false, deepening=false, distance=off"


def with_one_circle(position: kb.Position, depth: int, player: int, path: tuple[int, ...]) -> float:
    """Minimax in which a position of the path that comes up again is a draw at once; `path` does not hold the first one."""
    if position.is_over or depth == 0:
        return position.utility(player) if position.is_over else 0.0
    if position.situation in path:
        return 0.0
    after = (*path, position.situation) if path or depth < 6 else path
    values = [with_one_circle(position.play(m), depth - 1, player, after) for m in position.moves]
    return max(values) if position.player == player else min(values)


def test_a_search_that_prunes_goes_in_a_circle_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beam that holds every move changes nothing else."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game = ring(tmp_path, ("= DRAW, 2", "= DRAW, 3"), ("SIZE = 7", "SIZE = 5"), ("0, 3, 0, 0", "0, 2, 0, 0"))
    for position in (game.start, game.start.play(1)):
        found = kb.search(position, f"selective(beam=9, {PLAIN}, depth=6)")
        assert found.value == with_one_circle(position, 6, position.player, ())


def test_forever_is_not_forever(tmp_path: Path) -> None:
    result = kb.search(ring(tmp_path).start, "alphabeta(depth=12)")
    assert result.depth == 12 or result.exact
    with pytest.raises(kb.InputError, match="the form levels forgets the path"):
        kb.search(ring(tmp_path).start, "minimax(form=levels, depth=3)")


def test_bad_declarations(tmp_path: Path) -> None:
    for wrong in ("'twice', 2", "DRAW, 1", "DRAW, 'two'"):
        with pytest.raises(kb.RulesError, match="REPETITION"):
            ring(tmp_path, ("= DRAW, 2", f"= {wrong}"))
