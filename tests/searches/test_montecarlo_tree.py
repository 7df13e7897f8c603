"""The tree: same seed same tree, compiled or interpreted; bounded memory; used again in the next search; shared by threads; limits."""

import json
import os
import re
import signal
import threading
from typing import Any

import pytest

import kibitz as kb
from kibitz.cli.main import run as command
from kibitz.searches.mcts.search import Memory
from tests import naive_montecarlo
from tests.searches.driver import INTERPRETED
from tests.searches.test_montecarlo import grown

C4 = kb.load("connect4")
PLAYOUTS = 60 if INTERPRETED else 3000


def content(position: kb.Position, **options: Any) -> bytes:
    tree = grown(position, **options)[1]
    return tree.nodes.memory[: tree.used].tobytes()  # type: ignore[no-any-return]


def test_same_seed_same_tree() -> None:
    one, again, other = (content(C4.start, playouts=PLAYOUTS, seed=seed) for seed in (3, 3, 4))
    assert one == again
    assert one != other


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "parameters", "options"),
    [
        ("tictactoe", {}, {"playouts": 300}),
        ("kalah", {"holes": 3, "seeds": 2}, {"playouts": 20, "playout": "greedy", "cutoff": 6, "widen": 1.5, "rave": 50.0, "reward": "win"}),
        pytest.param("othello", {}, {"playouts": 12, "playout": "policy", "reward": "win"}, marks=pytest.mark.long),
        ("trees", {"tree": '[{"chance": [1, 2, 3], "moves": [6, [0, 9], 2]}, {"chance": [1, 3], "moves": [[1, 8], 4]}]'}, {"playouts": 200, "solve": False}),
        ("trees", {"tree": '[{"chance": [0.5, 2], "moves": [6, [0, 9]]}, {"chance": [1, 3], "moves": [[1, 8], 4]}]'}, {"playouts": 50, "sparse": 1.0}),
    ],
)  # fmt: skip
def test_interpreted_equals_compiled(
    monkeypatch: pytest.MonkeyPatch, name: str, parameters: dict[str, Any], options: dict[str, Any]
) -> None:
    """Byte for byte."""
    position = kb.load(name, **parameters).start
    monkeypatch.setenv("KIBITZ_TARGET", "cpu")
    compiled = content(position, **options)
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    assert content(position, **options) == compiled


# --- memory ---


def test_a_full_tree_stops_growing_and_says_so() -> None:
    memory = 0.002 if INTERPRETED else 0.05
    result, tree = grown(C4.start, playouts=10 * PLAYOUTS, memory=memory, solve=False)
    assert result.playouts == 10 * PLAYOUTS
    assert result.note == f"the tree is full ({memory:g} MB) and grows no more"
    assert tree.used <= memory * 2**20
    assert len(tree.nodes.memory) <= memory * 2**20
    assert sum(c.visits for c in result.table) == 10 * PLAYOUTS
    naive_montecarlo.sound(tree)
    naive_montecarlo.visits_add_up(tree, int(tree.trunk.root))
    assert not grown(C4.start, playouts=10, memory=memory)[0].note


@pytest.mark.parametrize(("memory", "words"), [(0.0001, "must be a number from 0.001"), (0.01, "is too little for one position")])
def test_too_little_memory(memory: float, words: str) -> None:
    game = kb.load("trees", capacity=2000)
    with pytest.raises(kb.InputError, match=words):
        kb.search(game.start, "uct", memory=memory, playouts=10)


@pytest.mark.parametrize("options", [{}, pytest.param({"rave": 100.0}, marks=pytest.mark.interpreted), {"solve": False, "memory": 0.03}])
def test_a_game_with_one_tree(options: dict[str, Any]) -> None:
    """Search, move, reply, search: visits are carried over, garbage is used again, nothing is lost or used twice."""
    playouts = max(100, PLAYOUTS // 10)
    player = kb.player("uct", **{"playouts": playouts, "memory": 0.05, **options}).remembering()
    position, carried = C4.position("4453" if not options else ""), 0
    for _ in range(6):
        result = player.search(position)
        assert result.playouts == playouts or result.exact
        tree = player.memory.tree
        naive_montecarlo.sound(tree)
        assert tree.used <= 0.05 * 2**20
        carried += sum(c.visits for c in result.table) > (result.playouts or 0)
        for _ in range(2):
            if not position.is_over and result.line:
                position = position.play(int(result.line[0]) if position.player == result.position.player else int(position.moves[0]))
        if position.is_over:
            break
    assert carried >= 1


def test_what_is_remembered() -> None:
    memory = Memory()
    first, tree = grown(C4.start, kept=memory, playouts=PLAYOUTS)
    again, same = grown(C4.start, kept=memory, playouts=PLAYOUTS)
    assert same is tree
    assert sum(c.visits for c in again.table) == 2 * PLAYOUTS
    move = first.table[0].move
    visits = next(c.visits for c in again.table if c.move == move)
    later, same = grown(C4.start.play(move), kept=memory, playouts=5)
    assert same is tree
    assert sum(c.visits for c in later.table) == visits - 1 + 5  # it was a leaf once
    naive_montecarlo.sound(tree)
    assert grown(C4.position("1234567"), kept=memory, playouts=5)[1] is not tree  # nowhere near
    assert grown(C4.position("1234567"), kept=memory, playouts=5, solve=False)[0].playouts == 5  # another kind of tree


def test_without_remembering_each_search_is_fresh() -> None:
    player = kb.player("uct", playouts=50)
    assert [sum(c.visits for c in player.search(C4.start).table) for _ in range(2)] == [50, 50]
    assert player == player.remembering()
    assert kb.player("alphabeta").remembering().memory is None


# --- threads ---


@pytest.mark.parametrize("solve", [pytest.param(False, marks=pytest.mark.interpreted), True])
def test_threads_share_a_tree(solve: bool) -> None:
    position = C4.position("4453")
    playouts = PLAYOUTS if INTERPRETED else 20 * PLAYOUTS
    result, tree = grown(position, playouts=playouts, threads=3, solve=solve)
    assert result.playouts == playouts == sum(c.visits for c in result.table)
    naive_montecarlo.sound(tree)
    naive_montecarlo.visits_add_up(tree, int(tree.trunk.root))
    assert result.move in position.moves


def test_threads_with_a_full_tree_and_remembering() -> None:
    player = kb.player("uct", playouts=PLAYOUTS, memory=0.03, threads=2, solve=False).remembering()
    position = C4.start
    for _ in range(3):
        result = player.search(position)
        naive_montecarlo.sound(player.memory.tree)
        position = position.play(int(result.move or 0))


@pytest.mark.compiled
def test_threads_prove_the_truth() -> None:
    result = kb.search(kb.load("tictactoe").start, "uct(threads=2)", playouts=1_000_000)
    assert (result.bound, result.value, result.ended) == ("exact", 0.0, "solved")


# --- limits and answers ---


def test_limits() -> None:
    assert kb.search(C4.start, "uct", playouts=17).playouts == 17
    few = kb.search(C4.start, "uct", nodes=500)
    assert few.ended == "nodes"
    assert 500 <= few.nodes < 500 + C4.constants["MAX_PLIES"] + 2  # a playout is played to its end
    short = kb.search(C4.start, "uct", time=0.3)
    assert short.ended == "time"
    assert 0.3 <= short.seconds < 2.5
    with pytest.raises(kb.InputError, match="uct has no option 'depth'"):
        kb.search(C4.start, "uct", depth=3)
    with pytest.raises(kb.InputError, match="the game is over"):
        kb.search(kb.load("tictactoe").position("1 4 2 5 3"), "uct", playouts=3)


def test_results_come_while_it_works() -> None:
    results = list(kb.analyse(C4.start, "uct", time=0.8))
    assert len(results) >= 2
    assert [r.ended for r in results[:-1]] == [""] * (len(results) - 1)
    assert results[0].playouts < results[-1].playouts  # type: ignore[operator]


def test_ctrl_c_keeps_the_answer() -> None:
    kb.search(C4.start, "uct", playouts=2)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    result = kb.search(C4.start, "uct", time=30)
    assert result.ended == "interrupted"
    assert result.move in C4.start.moves


def test_one_legal_move_and_one_playout() -> None:
    result = kb.search(C4.start, "uct", playouts=1)
    assert result.move in C4.start.moves
    assert [c.visits for c in result.table] == [1, 0, 0, 0, 0, 0, 0]
    assert result.as_dict()["moves"][-1]["value"] is None
    assert json.loads(json.dumps(result.as_dict()))["playouts"] == 1


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(["search", "connect4", "--with", "uct", "--playouts", "50", "--seed", "1", "--threads", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["playouts"] == sum(m["visits"] for m in found["moves"]) == 50
    assert set(found["moves"][0]) == {"move", "visits", "value", "spread", "bound", "line"}
    with pytest.raises(SystemExit):
        command(["search", "connect4", "--with", "montecarlo", "--playouts", "70"])
    printed = capsys.readouterr().out
    assert "70 playouts in" in printed
    assert re.search(r"^\d  about .* for Red \(X\): \d.*\n70 playouts, .* s; as many playouts as asked$", printed, re.MULTILINE)
    with pytest.raises(SystemExit) as refused:
        command(["search", "connect4", "--with", "alphabeta", "--playouts", "70"])
    assert refused.value.code == 2
