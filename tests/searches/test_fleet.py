"""Thousands of trees at once: each is the tree that a search of its position by itself grows; roots put together; what is refused."""

import math
import re
import time

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import CUDA
from kibitz.core.device import driver
from kibitz.core.device.machine import Host
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.running.control import Stop, heeding
from kibitz.searches.mcts.fleet.many import Many
from kibitz.searches.mcts.fleet.roots import USUAL_CREW, Merged, RootSearch
from kibitz.searches.mcts.fleet.trees import Trees, past_of, prototype, roots_of, tree_bytes

NO_GPU = driver.why_none()
needs_gpu = pytest.mark.skipif(NO_GPU is not None, reason=str(NO_GPU))


def positions_of(name: str, count: int = 6) -> list[Position]:
    """Some, a few moves from the start."""
    lots, found = np.random.default_rng(3), []
    while len(found) < count:
        position = kb.load(name).start
        for _ in range(lots.integers(8)):
            if not position.is_over:
                position = position.play(int(lots.choice(position.numbers)))
        if not position.is_over:
            found.append(position)
    return found


def same_as_alone(many: Many) -> None:
    """Each tree beside that of a search by itself, move by move."""
    for i, result in enumerate(many):
        assert (-1 if result.move is None else int(result.move)) == many.moves[i]
        assert (result.value, result.exact, result.playouts) == (many.values[i], many.exact[i], many.each[i])
        seen = dict(zip(many.numbers[i][: many.counts[i]].tolist(), many.visits[i].tolist(), strict=False))
        assert {c.numbers[0]: c.visits for c in result.table} == seen


CASES = [
    ("tictactoe", "uct(playouts=80)"),
    ("ewn", "uct(playouts=60)"),
    ("connect4", "uct(playouts=40, rule=tuned, expand=2)"),
    ("connect4", "uct(playouts=40, rave=20)"),
    ("checkers", "uct(playouts=12)"),
    ("pig", "uct(playouts=30, solve=false)"),
    ("connect4", "puct(playouts=30)"),
    ("ewn", "esprit(playouts=30)"),
    ("connect4", "montecarlo(playouts=30)"),
]


@pytest.mark.parametrize(("name", "player"), [CASES[1], *(pytest.param(*c, marks=pytest.mark.interpreted) for c in CASES if c != CASES[1])])
def test_each_tree_is_that_of_a_search_by_itself(name: str, player: str) -> None:
    many = kb.search_many(positions_of(name), player, threads=2)
    same_as_alone(many)
    assert many.playouts == many.each.sum()


def test_a_tree_depends_on_its_number_and_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = positions_of("tictactoe")
    found = kb.search_many(positions, "uct(playouts=50, seed=4)", threads=1)
    monkeypatch.setattr("kibitz.searches.mcts.fleet.trees.SLICE", 0.0)  # slices of one playout
    monkeypatch.setattr("kibitz.searches.mcts.fleet.many.fitting", lambda *_: 4)  # two rounds
    again = kb.search_many(positions, "uct(playouts=50, seed=4)", threads=3)
    assert again.trees_at_once == 4
    for name in ("moves", "values", "exact", "numbers", "visits", "counts", "each"):
        assert getattr(found, name).tolist() == getattr(again, name).tolist(), name
    other = kb.search_many(positions, "uct(playouts=50, seed=5)", threads=1)
    assert other.visits.tolist() != found.visits.tolist()


def test_the_first_is_what_a_search_finds() -> None:
    start = kb.load("tictactoe").start
    many, one = kb.search_many([start], "uct(playouts=70)"), kb.search(start, "uct(playouts=70)")
    assert (many[0].move, many[0].value, many[0].table) == (one.move, one.value, one.table)
    assert len(many[:1]) == 1
    with pytest.raises(IndexError, match="there are 1 positions"):
        many[1]


def test_a_tree_with_little_memory() -> None:
    positions = positions_of("tictactoe", 3)
    same_as_alone(kb.search_many(positions, "uct(playouts=60, memory=0.001)"))


@pytest.mark.once
@pytest.mark.parametrize(
    ("player", "words"),
    [
        ("uct(time=1)", "time: many trees are each grown to a number of playouts; give playouts"),
        ("uct(transpositions=true)", "transpositions=true: trees of many share no positions"),
        ("uct(threads=2)", "threads=2: a tree of many has one thread"),
        ("puct(wave=8)", "wave=8: not with trees of many; leave wave out"),
        ("puct(noise=0.25)", "noise=0.25: not with trees of many"),
        ("esprit(choose=r)", "choose=r: not with trees of many"),
        ("alphabeta", "alphabeta does not grow trees that"),
    ],
)
def test_what_does_not_fit_is_refused(player: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        kb.search_many([kb.load("tictactoe").start], player)
    assert "\n" not in str(error.value)


@pytest.mark.once
def test_positions_that_cannot_be_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there are no positions"):
        kb.search_many([])
    with pytest.raises(InputError, match="positions of different games"):
        kb.search_many([kb.load("tictactoe").start, kb.load("nim").start], "uct(playouts=5)")
    over = kb.load("tictactoe").position("1 4 2 5 3")
    with pytest.raises(InputError, match="position 1: the game is over"):
        kb.search_many([kb.load("tictactoe").start, over], "uct(playouts=5)")
    monkeypatch.setattr(Host, "free", lambda _: 1 << 20)
    with pytest.raises(InputError, match=r"one tree of \d+ MB is more than"):
        kb.search_many([kb.load("tictactoe").start], "uct(playouts=20000)")


# --- many trees of one position ---


def merged_slowly(position: Position, player: str, trees: int) -> dict[int, tuple[int, float]]:
    """Visits and mean value of each move, from the trees one by one."""
    sums: dict[int, tuple[int, float]] = {}
    chosen = kb.player(player)
    for number in range(trees):
        search = prototype(position, chosen.method.name, chosen.settings, past_of([position]), number)
        search.prepare()
        search.run_playouts(chosen.settings["playouts"])
        for c in search._answer("").table:
            visits, total = sums.get(c.numbers[0], (0, 0.0))
            sums[c.numbers[0]] = visits + c.visits, total + (c.visits * c.value if c.visits else 0.0)
    return {move: (visits, total / visits if visits else math.nan) for move, (visits, total) in sums.items()}


@pytest.mark.parametrize("name", ["tictactoe", "ewn"])
def test_roots_are_put_together(name: str) -> None:
    position = kb.load(name).start
    found = kb.search(position, "uct(playouts=120, trees=4, solve=false)")
    slow = merged_slowly(position, "uct(playouts=30, solve=false)", 4)
    assert {c.numbers[0]: c.visits for c in found.table} == {move: visits for move, (visits, _) in slow.items()}
    for c in found.table:
        assert c.value == pytest.approx(slow[c.numbers[0]][1], nan_ok=True)
    assert found.playouts == 120
    assert found.note.startswith("4 trees of up to ")
    if not position.is_chance:
        assert found.move is not None
        assert slow[int(found.move)][0] == max(visits for visits, _ in slow.values())


def test_the_same_on_any_number_of_cores() -> None:
    start = kb.load("tictactoe").start
    one, two = (kb.search(start, f"uct(playouts=200, trees=5, threads={n})") for n in (1, 2))
    assert one.table == two.table or [c.as_dict() for c in one.table] == [c.as_dict() for c in two.table]


def test_what_one_tree_has_proven_is_certain() -> None:
    position = kb.load("tictactoe").position("1 4 2 5")  # 3 wins
    found = kb.search(position, "uct(playouts=4000, trees=3)")
    assert (found.value, found.exact, str(found.move), found.ended) == (1.0, True, "3", "solved")


def test_pure_monte_carlo_prefers_values() -> None:
    found = kb.search(kb.load("tictactoe").start, "montecarlo(playouts=400, trees=3)")
    assert found.value == max(c.value for c in found.table)


# --- one tree, many threads ---


@pytest.mark.parametrize(
    ("name", "player"),
    [("ewn", "uct(playouts=100, crew=7)"), pytest.param("tictactoe", "esprit(playouts=31, crew=4)", marks=pytest.mark.interpreted)],
)
def test_a_crew_grows_one_tree(name: str, player: str) -> None:
    """Every playout is counted once, in the one tree that there is."""
    found = kb.search(kb.load(name).start, player)
    wanted = kb.player(player).settings
    assert found.playouts == wanted["playouts"]
    assert wanted["playouts"] - 1 <= sum(c.visits for c in found.table) <= wanted["playouts"]
    assert found.note.endswith(f"on cpu, {wanted['crew']} threads for each")
    assert all(c.value == pytest.approx(0.0, abs=1.0) for c in found.table if c.visits)


def test_a_crew_of_each_of_some_trees() -> None:
    start = kb.load("ewn").start
    found = kb.search(start, "uct(playouts=90, trees=3, crew=2)")
    assert found.playouts == sum(c.visits for c in found.table) == 90


def test_a_crew_proves_what_one_thread_proves() -> None:
    position = kb.load("tictactoe").position("1 4 2 5")  # 3 wins
    found = kb.search(position, "uct(playouts=4000, crew=5)")
    assert (found.value, found.exact, str(found.move), found.ended) == (1.0, True, "3", "solved")


def test_a_crew_fills_its_memory_and_goes_on() -> None:
    found = kb.search(kb.load("connect4").start, "uct(playouts=400, crew=4, memory=0.004, solve=false)")
    assert found.playouts == 400
    assert found.note.endswith(", 1 full")


def test_a_time_limit_and_a_wish_to_stop_are_heeded() -> None:
    start = kb.load("tictactoe").start
    began = time.perf_counter()
    assert kb.search(start, "uct(time=0.2, trees=2, solve=false)").ended == "time"
    stop = Stop()
    stop.ask()
    with heeding(stop):
        assert kb.search(start, "uct(trees=2, solve=false, time=60)").ended == "interrupted"
    assert time.perf_counter() - began < 40.0


@pytest.mark.once
def test_bounds_of_roots_narrow_each_other() -> None:
    """One tree knows that a move wins, another that one loses."""
    search = RootSearch(kb.load("tictactoe").start, "uct", kb.player("uct(playouts=40, trees=2)").settings, "uct")
    for _ in search.results():
        pass
    search = RootSearch(kb.load("tictactoe").start, "uct", kb.player("uct(playouts=40, trees=2)").settings, "uct")
    search.trees.prepare()
    search.trees.plant(roots_of([search.position] * 2, search.past), 0, 0, 20)
    search.trees.grow(20)
    found = search.trees.summaries()
    one, other = (int(np.flatnonzero(found["moves"][tree] == 4)[0]) for tree in (0, 1))
    found["highs"][0][one] = -1.0
    found["lows"][0][int(np.flatnonzero(found["moves"][0] == 8)[0])] = 1.0
    merged = Merged(search.position, found)
    assert merged.is_proven
    assert merged.value() == 1.0
    assert found["highs"][1][other] == 1.0
    assert merged.table()[0].numbers[0] == 8


# --- code for a GPU ---


def kernels_of(name: str, player: str, crew: int = 1) -> list[str]:
    chosen, start = kb.player(player), kb.load(name).start
    search = prototype(start, chosen.method.name, chosen.settings, 128, crew=crew)
    trees = Trees(Host(1), search, 1, tree_bytes(search, 10), crew)
    return [fleet.source(trees.job) for fleet in (trees.plant_, trees.grow_, trees.sum_up_)]


GPU_CASES = [("tictactoe", "uct"), *(pytest.param(n, "uct", marks=pytest.mark.long) for n in kb.shipped() if not kb.load(n).is_hidden)]


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "player"), [*GPU_CASES, pytest.param("simulated", "esprit", marks=pytest.mark.long)])
def test_trees_become_code_for_a_gpu(name: str, player: str) -> None:
    for code in kernels_of(name, player):
        assert ".visible .entry fleet(" in code
        assert ".extern" not in code
        assert "fma.rn" not in code


@pytest.mark.compiled
def test_a_crew_reads_past_the_cache_and_adds_at_once() -> None:
    """What another multiprocessor wrote is read from the memory that they share; else a tree would be read half old, half new."""
    grow = kernels_of("tictactoe", "uct", crew=2)[1]
    assert "atom.add.f64" in grow
    assert "fma.rn" not in grow
    assert "ld.volatile.b64" in grow
    assert not re.search(r"\tld\.(v[24]\.)?b", grow)
    assert not re.search(r"\.sys\b", grow)


@pytest.mark.skipif(NO_GPU is None, reason="there is a GPU here")
def test_without_a_gpu_it_says_so() -> None:
    for call in (
        lambda: kb.search_many([kb.load("tictactoe").start], device=CUDA),
        lambda: kb.search(kb.load("tictactoe").start, "uct(device=cuda)"),
    ):
        with pytest.raises(InputError, match=r"^no GPU here: .*; leave --device cuda out to work on the CPU$"):
            call()


@needs_gpu
@pytest.mark.parametrize(("name", "player"), CASES)
def test_trees_are_the_same_on_a_gpu(name: str, player: str) -> None:
    positions = positions_of(name)
    here, there = (kb.search_many(positions, player, device=device) for device in ("cpu", CUDA))
    for field in ("moves", "values", "exact", "numbers", "visits", "counts", "each", "nodes"):
        assert np.array_equal(getattr(here, field), getattr(there, field)), field


@needs_gpu
@pytest.mark.parametrize("name", ["tictactoe", "ewn", "connect4"])
def test_a_crew_on_a_gpu(name: str) -> None:
    """A thread that finds the root's edges locked, at the very beginning, plays out from the root itself: once each at most."""
    found = kb.search(kb.load(name).start, "uct(device=cuda, playouts=200000, solve=false)")
    assert found.playouts == 200_000
    assert 200_000 - USUAL_CREW <= sum(c.visits for c in found.table) <= 200_000


@needs_gpu
def test_a_gpu_stops_in_time() -> None:
    start, player = kb.load("connect4").start, kb.player("uct(device=cuda, time=1)")
    player.search(start)
    began = time.perf_counter()
    assert player.search(start).ended == "time"
    assert time.perf_counter() - began < 1.05
