"""Tables hold what plain iteration over all positions finds: on thousands of small random graphs, with cycles, with chance, with two moves in a row."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.tables.endgame.builders import graph
from kibitz.tables.endgame.builders.building import Builder, build
from kibitz.tables.endgame.builders.graph import Graph
from kibitz.tables.endgame.inspecting import verify
from kibitz.tables.endgame.probing import FINISHED, LEAST_VALUE, NOTHING, Tables, values_of
from tests.tables.endgame import graphs as twins

TARGETS = [pytest.param("python"), pytest.param("cpu", marks=pytest.mark.compiled)]


def tables_of(game: Game, folder: Path, target: str, **settings: int) -> Tables:
    build(game, folder, target=target, jobs=2, **settings)
    return Tables(folder, game, "python")


def all_values(tables: Tables) -> list[float]:
    return [float(v) for name in sorted(tables.files) for v in values_of(tables.files[name])]


@pytest.mark.parametrize(("target", "count"), [("python", 400), pytest.param("cpu", 1000, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("unplays", [False, True])
def test_results_are_those_of_plain_iteration(target: str, count: int, unplays: bool, tmp_path: Path) -> None:
    """With moves listed and turned round, and with predecessors that the game lists; some moves lead to the same position."""
    walks = twins.Graphs(count, seed=1)
    twice = np.arange(walks.size) % 5 == 0
    walks.moves[twice, 1] = walks.moves[twice, 0]
    values = all_values(tables_of(twins.game_of(walks, unplays=unplays), tmp_path, target, memory=0 if unplays else 100))
    expected = twins.results(walks)
    for node, value in enumerate(values):
        if walks.mover[node] == OVER:
            assert value == (FINISHED if node % 2 == 0 else NOTHING)
        else:
            assert value == expected[node], node
    assert {np.sign(v) for v in expected.values()} == {-1, 0, 1}
    assert max(expected.values()) >= 5


def test_sections_give_the_same(tmp_path: Path) -> None:
    """In parts, with lists turned round in a file, and with keys in place of the game's own numbers."""
    walks = twins.Graphs(60, seed=2)
    whole = all_values(tables_of(twins.game_of(walks), tmp_path / "one", "python"))
    parts = tables_of(twins.game_of(walks, sections=4), tmp_path / "four", "python", memory=0)
    assert len(parts.files) == 4
    assert all_values(parts) == whole
    assert all_values(tables_of(twins.game_of(walks, sections=4, unplays=True), tmp_path / "unplayed", "python", memory=0)) == whole
    keyed = twins.game_of(walks, ranked=False)
    known = tables_of(keyed, tmp_path / "keys", "python")
    unplayed = tables_of(twins.game_of(walks, ranked=False, unplays=True), tmp_path / "keys unplayed", "python", memory=0)
    assert all_values(unplayed) == all_values(known)
    assert "moves" not in unplayed.files["all"].header
    reached = 0
    for node in range(walks.size):
        s = keyed.start.state
        s.node = node
        entry = known.look_up(type(keyed.start)(keyed, s.tobytes()))
        if entry is not None:
            assert (entry.distance or 0) * np.sign(entry.value) == whole[node]
            reached += 1
    assert reached == known.numbering.sections[0].size > 1


def test_moves_to_earlier_sections(tmp_path: Path) -> None:
    """A graph cut in two where its moves only lead down; the first part is built because the second one needs it."""
    walks = twins.Graphs(1, seed=5, cycles=False)
    for shift in range(1, 300):
        walks = twins.Graphs(1, seed=shift, cycles=False)
        later = [t for n in range(5, twins.NODES) for t in walks.targets(n)]
        if any(t < 5 and walks.mover[t] != OVER for t in later):
            break
    game = twins.game_of(walks)
    cut = Game({**game.namespace, "SECTIONS": (("low", 0, 5, 1), ("high", 5, twins.NODES, 2))}, "graphs")
    built = build(cut, tmp_path, ["high"], target="python")
    assert [b.section.name for b in built] == ["low", "high"]
    values = all_values(Tables(tmp_path, cut, "python"))
    assert [v for v in values[4:] + values[:4] if v > LEAST_VALUE] == list(twins.results(walks).values())
    again = build(cut, tmp_path, target="python")
    assert not any(b.is_new for b in again)


@pytest.mark.parametrize(("target", "count"), [("python", 100), pytest.param("cpu", 500, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("cycles", [False, True])
def test_equities_lie_within_the_error(target: str, count: int, cycles: bool, tmp_path: Path) -> None:
    walks = twins.Graphs(count, seed=3, chance=True, cycles=cycles)
    if cycles:
        _stop_players_from_going_round(walks)
    tables = tables_of(twins.game_of(walks, chance=True), tmp_path, target)
    (table,) = tables.files.values()
    error, values = float(table.header["error"]), values_of(table)
    expected: dict[int, Any] = twins.equities(walks, 250) if cycles else twins.exact_equities(walks)
    slack = 1e-9 if cycles else 0.0
    assert 0 < error < 1e-11
    for node, value in enumerate(values):
        if walks.mover[node] != OVER:
            assert abs(value - expected[node]) <= error + slack, node
    assert (walks.mover == CHANCE).sum() > 100


def _stop_players_from_going_round(walks: twins.Graphs) -> None:
    """Players move to lower nodes; only chance leads back, and ends the game now and then: so every play ends."""
    for node in range(walks.size):
        if walks.mover[node] in (0, 1):
            first = node // twins.NODES * twins.NODES
            lower = [t for t in walks.targets(node) if t < node] or [first]
            walks.moves[node] = -1
            walks.moves[node, : len(lower)] = lower


def test_play_without_an_end_has_no_value(tmp_path: Path) -> None:
    """Two players who hand the turn to and fro while chance waits to be asked."""
    walks = twins.Graphs(1, seed=1, chance=True)
    walks.mover[:], walks.moves[:] = OVER, -1
    walks.mover[7:9] = 0, 1
    walks.moves[7, 0], walks.moves[8, 0] = 8, 7
    with pytest.raises(ValueError, match="go on for ever"):
        build(twins.game_of(walks, chance=True), tmp_path, target="python")


def test_verify_agrees_and_finds_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walks = twins.Graphs(30, seed=4)
    tables = tables_of(twins.game_of(walks), tmp_path, "python")
    looked_at, faults = verify(tables, "all")
    assert looked_at == (walks.mover != OVER).sum()
    assert not faults
    ordinary = Tables._result

    def one_off(self: Tables, position: object, result: int, *rest: object) -> object:
        return ordinary(self, position, result + 2 if result == 5 else result, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Tables, "_result", one_off)
    assert verify(tables, "all")[1]


# --- going on after a kill ---


@pytest.mark.once
def test_a_build_that_was_killed_ends_with_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at three places, each time as if the process had died there; what was listed is not listed again."""
    monkeypatch.setattr(graph, "MOST_POSITIONS", 16)
    monkeypatch.setattr(graph, "NOTE_EVERY", 3)
    game = twins.game_of(twins.Graphs(80, seed=6))
    (undisturbed,) = build(game, tmp_path / "one", target="python", jobs=2)
    appended: list[int] = []
    ordinary = Graph._append

    class Killed(BaseException):
        pass

    def append(self: Graph, files: object, part: object, count: int, edges: int) -> None:
        if len(appended) in (7, 18, 29):
            appended.append(0)
            for file in files.values():  # type: ignore[attr-defined]
                file.write(b"half of som")
            raise Killed
        ordinary(self, files, part, count, edges)  # type: ignore[arg-type]
        appended.append(count)

    monkeypatch.setattr(Graph, "_append", append)
    for _ in range(3):
        with pytest.raises(Killed):
            build(game, tmp_path / "two", target="python", jobs=2)
        assert not list((tmp_path / "two").glob("*.table"))
    (resumed,) = build(game, tmp_path / "two", target="python", jobs=2)
    assert resumed.path.read_bytes() == undisturbed.path.read_bytes()
    assert sum(appended) < 80 * twins.NODES + 3 * 4 * 16
    assert [p.name for p in (tmp_path / "two").iterdir()] == [resumed.path.name]


def test_work_for_other_rules_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_POSITIONS", 16)
    monkeypatch.setattr(graph, "NOTE_EVERY", 1)
    first, second = (twins.game_of(twins.Graphs(20, seed=s)) for s in (7, 8))

    def interrupt(_: str, what: str, done: int, size: int) -> None:
        if done > size // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(first, tmp_path, target="python", watch=interrupt)
    assert list(tmp_path.glob("*.work"))
    tables = tables_of(second, tmp_path, "python")
    assert [v for v in all_values(tables) if v > LEAST_VALUE] == list(twins.results(twins.Graphs(20, seed=8)).values())


@pytest.mark.parametrize("ranked", [True, False])
def test_a_table_that_will_not_do_is_built_anew(ranked: bool, tmp_path: Path) -> None:
    """One of other rules, or with a changed byte; also where another table is built from it."""
    game, other = (twins.game_of(twins.Graphs(3, seed=s), ranked=ranked) for s in (1, 2))
    (good,) = build(game, tmp_path, target="python")
    content = good.path.read_bytes()
    for bad in (build(other, tmp_path / "other", target="python")[0].path.read_bytes(), content[:-9] + b"?" + content[-8:], content[:70]):
        good.path.write_bytes(bad)
        assert [b.is_new for b in build(game, tmp_path, target="python")] == [True]
        assert good.path.read_bytes() == content
    assert [b.is_new for b in build(game, tmp_path, target="python")] == [False]


# --- what is refused ---


def test_games_without_tables(tmp_path: Path) -> None:
    walks = twins.game_of(twins.Graphs(1, seed=1)).namespace
    for change, words in (
        ({"REPETITION": "loss"}, "depends on the positions before it"),
        ({"SUM": None}, "two players whose utilities add up"),
        ({"GRAIN": 0.5}, "wins, draws and losses only"),
    ):
        with pytest.raises(ValueError, match=words):
            Builder(Game({**walks, **change}, "graphs"), tmp_path)


def test_rules_that_do_not_hang_together(tmp_path: Path) -> None:
    names = twins.game_of(twins.Graphs(3, seed=1)).namespace

    def nowhere(s: object) -> int:
        return -1

    def half(s: object, player: int) -> float:
        return 0.5

    for number, (change, words) in enumerate((({"rank": nowhere}, "has no number"), ({"utility": half}, "neither won, drawn nor lost"))):
        with pytest.raises(ValueError, match=words):
            build(Game({**names, **change}, "graphs"), tmp_path / str(number), target="python")
