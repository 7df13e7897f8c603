"""Playouts by their policies, pure Monte Carlo, RAVE's statistics, and games that go in circles."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import bind
from kibitz.core.protocol.rules import OVER
from kibitz.core.records.record import record
from kibitz.searches.method import method
from kibitz.searches.montecarlo import rave
from kibitz.searches.montecarlo.search import Search
from tests import naive
from tests.searches.driver import INTERPRETED
from tests.searches.test_montecarlo import grown
from tests.searches.test_repetition import ring

pytestmark = pytest.mark.long  # many pairs of search and game to compile


class Switches:
    """Six switches, set one after another; the first player wins if the last five are all on. Everyone is advised to switch on."""

    State = record(made=np.int8, on=np.int8)
    PLAYERS, MAX_MOVES, MAX_PLIES, VALUES, SWITCHES = 2, 2, 6, (-1.0, 1.0), 6

    def start(s):  # type: ignore[no-untyped-def]
        s.made, s.on = 0, 0

    def player(s):  # type: ignore[no-untyped-def]
        return OVER if s.made == SWITCHES else s.made & 1  # type: ignore[name-defined]  # noqa: F821

    def moves(s, out):  # type: ignore[no-untyped-def]
        out[0], out[1] = 0, 1
        return 2

    def play(s, move):  # type: ignore[no-untyped-def]
        s.on += move if s.made > 0 else 0
        s.made += 1

    def utility(s, player):  # type: ignore[no-untyped-def]
        return 1.0 if (s.on == 5) == (player == 0) else -1.0

    def evaluate(s, player):  # type: ignore[no-untyped-def]
        """What the player wants who has just moved."""
        return 0.5 if (s.on == s.made - 1) == (player == (s.made - 1) & 1) else -0.5

    def policy(s, moves, n, out):  # type: ignore[no-untyped-def]  # noqa: ARG002
        out[0], out[1] = 0.0, 1.0

    def playout(s, out, rng):  # type: ignore[no-untyped-def]  # noqa: ARG002
        return 1


GAME = kb.Game(Switches, name="switches")
PLAYOUTS = 64


def test_policies() -> None:
    """Advised playouts always end well for the first player; uniform ones nearly never."""

    def value(**options: Any) -> float:
        return kb.search(GAME.start, "montecarlo", playouts=PLAYOUTS, **options).value

    assert value() == value(playout="game") == value(playout="policy") == 1.0
    assert value(playout="greedy", epsilon=0.0) == -1.0  # whoever moves last sees the end of the game
    assert value(cutoff=1, playout="policy") == pytest.approx(-0.5)  # the second player has moved last, and is content
    assert value(playout="uniform") < -0.5
    assert -1.0 < value(playout="greedy", epsilon=0.7) < 1.0


def test_only_whether_it_is_won() -> None:
    position = kb.load("trees", tree="[[5, 60], [-30, 20]]").start
    result = kb.search(position, "montecarlo(reward=win)", playouts=100)
    assert [c.value for c in result.table if int(c.move) == 0] == [100.0]
    assert abs(next(c.value for c in result.table if int(c.move) == 1)) < 50
    assert kb.search(position, "uct(reward=win)", playouts=1000).value == 5.0  # what is proven are utilities


def test_pure_monte_carlo_tries_moves_in_turn() -> None:
    position = kb.load("tictactoe").start
    result = kb.search(position, "montecarlo", playouts=500 if INTERPRETED else 20_000)
    assert max(c.visits for c in result.table) - min(c.visits for c in result.table) <= 1
    assert result.value == max(c.value for c in result.table)
    assert (result.bound, result.depth) == ("estimate", 1)
    if not INTERPRETED:
        assert str(result.move) == "5"


def test_pure_monte_carlo_expects_mistakes() -> None:
    """The classic trap: a move that is refuted by one reply out of three looks best."""
    position = kb.load("trees", tree="[[100, 100, -100], [10, 10, 10]]").start
    assert int(kb.search(position, "montecarlo", playouts=3000).move or 0) == 0
    assert int(kb.search(position, "uct", playouts=3000).move or 0) == 1


# --- RAVE ---


def test_rave_counts_moves_made_later_by_the_same_player() -> None:
    game = kb.load("trees", tree="[[1, 2], [3, 4], [5, 6]]")
    search = Search(game.start, method("uct").settings({"playouts": 1, "rave": 10.0, "solve": False}), "uct", None)
    for _ in search.results():
        pass
    w, tree = search.workers[0], search.tree
    root = int(tree.trunk.root)
    for e, move in zip(tree.block_of(root), (5, 7, 9), strict=True):
        x = tree.edges[e]
        x.move, x.rave, x.rave_visits = move, 0.0, 0.0
    learn = game.bind(rave.learn, search.options)

    def simulation(moves: list[tuple[int, int]], result: float) -> None:
        for ply, (player, move) in enumerate(moves):
            w.played[ply], w.by[ply] = move, player
        w.moves_made, w.path[0] = len(moves), root
        w.result[0], w.result[1] = result, 1.0 - result
        learn(w, *tree.arguments[1:], 1)

    simulation([(0, 7), (1, 3), (0, 9), (1, 5), (1, 7)], 1.0)
    simulation([(0, 9), (1, 7), (0, 7)], 0.0)
    found = {int(tree.edges[e].move): (tree.edges[e].rave_visits, tree.edges[e].rave) for e in tree.block_of(root)}
    assert found == {5: (0.0, 0.0), 7: (2.0, 0.5), 9: (2.0, 0.5)}


@pytest.mark.parametrize("visits", [1, 10, 333, 5000])
def test_how_much_rave_counts(visits: int) -> None:
    share = bind(rave.share, {}, "share")(1000.0, 1 / math.sqrt(visits))
    assert share == pytest.approx(math.sqrt(1000 / (3 * visits + 1000)))


def test_rave_finds_the_winning_move() -> None:
    position = kb.load("tictactoe").position("1 5 2")  # 3 would win: it must be taken
    playouts = 150 if INTERPRETED else 5000
    result = kb.search(position, "uct(rave=100, solve=false)", playouts=playouts)
    assert str(result.move) == "3"
    assert sum(c.visits for c in result.table) == playouts
    full, _ = grown(kb.load("connect4").start, playouts=playouts, rave=100.0, memory=0.002)
    assert full.note
    assert sum(c.visits for c in full.table) == playouts


# --- circles ---


@pytest.mark.parametrize("rule", ["DRAW, 2", "LOSS, 2"])
def test_repetitions_end_the_game(tmp_path: Path, rule: str) -> None:
    game = ring(tmp_path, ("= DRAW, 2", f"= {rule}"), ("SIZE = 7", "SIZE = 4"), ("0, 3, 0, 0", "0, 2, 0, 0"), ("2 + s.turn * 2", "0"))
    for position in (game.start.play(1), game.start.play(1, 1)):
        result = kb.search(position, "uct", playouts=300 if INTERPRETED else 200_000)
        if not INTERPRETED:
            assert result.exact
        if result.exact:
            assert result.value == naive.minimax(position, position.player)
