"""Several threads on one table find what one finds."""

import random
import threading

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.running.control import NO_LIMIT
from kibitz.searches.window import threads
from kibitz.tables.transposition import Entry
from tests.searches.driver import INTERPRETED

DEPTH = 2 if INTERPRETED else 6


@pytest.mark.parametrize("player", [
    "alphabeta(strict=true)", "negascout(strict=true)", pytest.param("mtdf(strict=true)", marks=pytest.mark.interpreted)
])  # fmt: skip
def test_values_are_those_of_one_thread(player: str) -> None:
    game = kb.load("othello")
    for seed in range(2 if INTERPRETED else 6):
        chance, position = random.Random(seed), game.start
        for _ in range(12):
            position = position.play(chance.choice(position.moves))
        alone = kb.search(position, player, depth=DEPTH)
        together = kb.search(position, player, depth=DEPTH, threads=3)
        assert together.value == alone.value
        assert together.depth == alone.depth
        child = position.play(str(together.line[0]))
        assert kb.search(child, player, depth=DEPTH - 1, distance="off").value == -alone.value


def test_a_solved_game_is_solved_by_many() -> None:
    result = kb.search(kb.load("tictactoe").start, "alphabeta(threads=4, depth=9)") if not INTERPRETED else None
    assert result is None or (result.exact and result.value == 0.0)


def test_a_move_that_another_thread_searches_is_tried_later() -> None:
    """The list 0 1 2 3 with 1 and 2 taken: 3 comes first, then they, once each; the first move stays where it is."""
    table = np.zeros(threads.NOTES + 2, Entry)
    key = np.uint64(12345)
    for move in (0, 1, 2):
        threads.begin(table, key, move, 5)

    class Workspace:
        lists = np.arange(8).reshape(2, 4)

    w = Workspace()
    w.lists[1] = [0, 1, 2, 3]
    assert threads.put_off(w, table, key, 1, 0, 4, 4, 5) == 4
    assert threads.put_off(w, table, key, 1, 1, 4, 4, 5) == 2
    assert w.lists[1].tolist() == [0, 3, 1, 2]
    assert threads.put_off(w, table, key, 1, 2, 4, 2, 5) == 2
    threads.end(table, key, 1, 5)
    assert table[threads.place(table, key, 1)].check == 0


def test_the_helpers_end_with_the_search() -> None:
    before = threading.active_count()
    result = kb.search(kb.load("connect4").start, "negascout(threads=4)", nodes=400 if INTERPRETED else 40_000)
    assert result.ended == "nodes"
    assert result.nodes < NO_LIMIT
    assert threading.active_count() == before


def test_threads_need_a_table_to_share() -> None:
    with pytest.raises(kb.InputError, match="threads=2: threads work together through the table"):
        kb.search(kb.load("tictactoe").start, "alphabeta(threads=2, table=0)")
    with pytest.raises(kb.InputError, match="form=recursive searches with one thread"):
        kb.search(kb.load("tictactoe").start, "alphabeta(threads=2, form=recursive)")
