"""What was once called exact and was not: each way to a wrong value, line or move has a position here that shows it."""

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.position.result import ESTIMATE, EXACT
from kibitz.players import player
from kibitz.searches import deepening
from kibitz.searches.deterministic import alphabeta
from kibitz.searches.scale import measures_distance
from tests.naive import minimax, minimax_memoised

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small positions, many kinds of search: compiling them would take longer than all of this. The fuzzer runs the same compiled."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def tree(text: str, **parameters: float) -> kb.Position:
    return kb.load("trees", tree=text, **parameters).start


# --- null windows and bounds where SUM is not 0: SUM - (SUM - x) need not be x ---


@pytest.mark.parametrize(
    "engine", ["mtdf", "negascout(table=0)", "selective(reductions=0, quiescence=0, futility=0)", "alphabeta", "scout"]
)
@pytest.mark.parametrize(
    ("text", "low", "high", "truth"),
    [("[[2,0],1]", 0, 4, 1), ("[1,[[2,0],[1,4]]]", 0, 4, 2), ("[[[3,1],4],[2,[0,3]]]", 0, 4, 3), ("[0.3,[0.3,0.0]]", 0, 1, 0.3)],
)
def test_null_windows_where_values_add_up_to_something(engine: str, text: str, low: float, high: float, truth: float) -> None:
    position = tree(text, low=low, high=high)
    assert minimax(position, position.player) == truth
    result = kb.search(position, engine, depth=10)
    assert (result.value, result.bound) == (truth, EXACT)
    assert position.after_line([int(m) for m in result.line]).is_over


def test_a_bound_does_not_pass_for_a_better_move() -> None:
    position = tree("[0.3,[0.3,0.0]]", low=0, high=1)
    for engine in ("alphabeta(table=0)", "alphabeta", "alphabeta(soft=false, aspiration=0.001)", "alphabeta(form=recursive)"):
        result = kb.search(position, engine, depth=5)
        assert (int(result.move or 0), result.value) == (0, 0.3), engine


@pytest.mark.parametrize("width", [0.001, 0.3, 1.0])
def test_failing_hard_in_a_narrow_window(width: float) -> None:
    for text, truth in (("[[2,0],1]", 1.0), ("[1,[[2,0],[1,4]]]", 2.0), ("[[1,3],[4,[2,3]],0]", 3.0)):
        position = tree(text, low=0, high=4)
        assert minimax(position, position.player) == truth
        assert kb.search(position, "alphabeta(soft=false)", aspiration=width, depth=6).value == truth


def test_the_second_player_counts_his_own_points() -> None:
    """At the root, in the trace and in tests of a bound, values are those of the player to move."""
    position = tree("[[2,[1,4]],[3,0]]", low=0, high=4).play(0)
    assert position.player == 1
    result = kb.search(position, "alphabeta", depth=5)
    assert (result.value, result.exact) == (2.0, True)
    search = deepening.Search(position, player("alphabeta", depth=5).settings, "alphabeta", alphabeta.kernel())
    assert search.value(5, (1.0, 3.0)) == 2.0
    assert search.value(5, (2.0, 3.0)) <= 2.0
    assert search.value(5, (1.0, 2.0)) >= 2.0


# --- quiescence gives bounds, not values ---


def test_two_plies_before_the_horizon_quiescence_gives_bounds() -> None:
    """NegaScout searched no move again there, as if leaves had values; with quiescence they have bounds that depend on the window."""
    position, chance = kb.load("breakthrough", rows=5, columns=4).start, np.random.default_rng(5)
    for _ in range(8):
        wanted = kb.search(position, "alphabeta(depth=2, quiescence=4, table=0, deepening=false)").value
        for form in ("negamax", "minimax"):
            assert kb.search(position, f"negascout(depth=2, quiescence=4, table=0, deepening=false, form={form})").value == wanted
        position = position.play(int(chance.choice(position.numbers)))


# --- repetition ---


def test_a_forbidden_repetition_is_the_fault_of_whoever_moved() -> None:
    position = kb.load("go", size=2, komi=0.5).start.play(0, 3, 2, 1)
    for form in ("negamax", "minimax"):
        result = kb.search(position, f"negascout(form={form}, table=0, depth=12)")
        assert result.value == 1.0, form


def test_values_of_other_paths_are_not_called_exact() -> None:
    """With a table, a value may come from a path on which nothing repeated; without one it is this path's, and certain."""
    position = kb.load("go", size=2, komi=0.5).start
    alone = kb.search(position.play(0, 3, 2, 1), "alphabeta(table=0, depth=12)")
    shared = kb.search(position.play(0, 3, 2, 1), "alphabeta(depth=12)")
    assert shared.bound == ESTIMATE or shared.value == alone.value
    assert shared.bound == ESTIMATE


class Ring:
    """A walk around a ring: a step, or back to where it began. Whoever gets to the far end wins; a position that comes up again is a draw."""

    State = kb.record(at=np.int64, turn=np.int64)
    PLAYERS, MAX_MOVES, MAX_PLIES, VALUES, GRAIN, REPETITION = 2, 2, 5000, (-1.0, 1.0), 1.0, "draw"

    def start(s):
        s.at = 0

    def player(s):
        return -1 if s.at >= 4000 else s.turn

    def moves(s, out):
        out[0], out[1] = 1, 0
        return 2

    def play(s, move):
        s.at = s.at + 2 if move == 1 else 0
        s.turn = 0 if move == 0 else 1 - s.turn

    def utility(s, player):
        return 1.0 if player != s.turn else -1.0

    def evaluate(s, player):
        return -0.5 if player == 0 else 0.5


def test_what_came_up_long_ago_still_counts() -> None:
    """700 moves later the first position is not forgotten: to go back there is a draw, and better than what player 1 thinks of the rest."""
    position = kb.Game(Ring).start.play(*([1] * 700))
    assert position.player == 0
    assert position.play(0).is_over
    result = kb.search(position, "minimax(depth=1)")
    assert (int(result.line[0]), result.value) == (0, 0.0)


# --- chance: what a probe met counts where its value is used again ---


def test_a_probe_that_met_the_horizon_makes_nothing_final() -> None:
    board = "4 .. .. X3 ..\n3 .. .. X1 ..\n2 X2 O2 .. ..\n1 .. O3 .. ..\n  a  b  c  d\nX moves 3"
    result = kb.search(kb.load("ewn", size=4).position(board), "star2", depth=40)
    assert (str(result.move), result.value, result.bound) == ("3d3", pytest.approx(-0.482091144642585, abs=1e-12), EXACT)


# --- what is told besides the value ---


@pytest.mark.parametrize(("name", "parameters"), [("nim", {"heaps": "5,6,7"}), ("tictactoe", {})])
def test_a_solved_line_goes_to_the_end(name: str, parameters: dict[str, object]) -> None:
    position = kb.load(name, **parameters).start
    result = kb.solve(position)
    assert result.exact
    assert position.after_line([int(m) for m in result.line]).is_over
    assert result.distance is None or result.distance == len(result.line)


def test_a_kept_table_serves_its_own_kind_of_search() -> None:
    """Another game, or other options, and what the table holds means something else."""
    position = kb.load("nim", heaps="3,4,5").start
    kept = player("selective(reductions=0, quiescence=0, futility=0)", depth=20).remembering()
    assert kept.search(position).distance is not None
    first = kept.memory.made
    kept.search(position.play(int(position.numbers[0])))
    assert kept.memory.made is first
    assert kept.limited(distance="off").search(position).distance is None
    assert kept.memory.made is not first
    with_distance = kept.memory.made
    kept.search(kb.load("nim", heaps="3,4,6").start)
    assert kept.memory.made is not with_distance


def test_a_kept_table_tells_lines_of_best_play() -> None:
    """What the table knows solves later positions at depth 1; their lines still are best play, to the end."""
    position = kb.load("nim", heaps="3,4,5").start
    kept = player("selective(reductions=0, quiescence=0, futility=0)", depth=20).remembering()
    while not position.is_over:
        result = kept.search(position)
        assert result.exact
        assert result.value == minimax_memoised(position, position.player)
        assert position.after_line([int(m) for m in result.line]).is_over
        position = position.play(int(result.line[0]))


def test_points_banked_and_a_distance_do_not_mix() -> None:
    """Keys leave out what is banked; a value with a distance cannot have it added again."""
    game = kb.load("kalah", holes=1, seeds=1)
    assert not measures_distance(game)
    position = game.start
    while not position.is_over:
        result = kb.solve(position)
        assert (result.value, result.exact) == (minimax(position, position.player), True)
        position = position.play(int(result.line[0]))


def test_a_large_sample_heeds_the_time() -> None:
    result = kb.search(kb.load("pig", target=20).start.play("roll"), "star1(sample=1000000, depth=30)", time=0.2)
    assert result.ended == "time"
    assert result.seconds < 5


def test_levels_stop_within_a_level() -> None:
    result = kb.search(kb.load("connect4").start, "minimax(form=levels, depth=7)", nodes=2000)
    assert (result.ended, result.depth) == ("nodes", 3)
    assert result.nodes == 2000


def test_stopped_while_telling_what_may_come_the_depth_before_stands() -> None:
    """Value, move and outlooks are of one depth, wherever the search is stopped."""
    position = kb.load("pig", target=12).start.play("roll")
    position = position if not position.is_chance else position.play(int(position.numbers[-1]))
    for nodes in range(5, 400, 15):
        result = kb.search(position, "star1(risk=hope)", nodes=nodes)
        if result.outlooks:
            assert max(o.mean for o in result.outlooks) == pytest.approx(result.value), nodes
