"""Chinese checkers: walked in step with OpenSpiel, goals that are blocked, passes, text, the star itself."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking.conformance import check
from kibitz.core.errors import InputError
from kibitz.core.position.game import from_board
from kibitz.core.position.loading import load
from tests import naive

pytestmark = pytest.mark.once
WAYS, END_OF_HOPS = 6, 726  # how OpenSpiel numbers actions: cell times six and a way, and the end of a chain of hops


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def chains(state: Any, origin: int) -> dict[int, list[int]]:
    """Cells that chains of hops which have begun may end at, each with the actions on the way; OpenSpiel makes a hop at a time, and ends a chain by an action of its own."""
    found: dict[int, list[int]] = {}
    waiting = [(state, [])]
    while waiting:
        here, actions = waiting.pop()
        for action in here.legal_actions():
            if action == END_OF_HOPS:
                continue
            mover, said = here.current_player(), here.action_to_string(action)
            if not actions and (action // WAYS != origin or "=>" not in said):
                continue
            landing = int(said.split("=>")[1])
            after = here.clone()
            after.apply_action(action)
            if landing not in found:
                found[landing] = [*actions, action]
                if not after.is_terminal() and after.current_player() == mover and END_OF_HOPS in after.legal_actions():
                    waiting.append((after, found[landing]))
    return found


def turns(state: Any) -> dict[tuple[int, int], list[int]]:
    """All whole moves of a position of OpenSpiel's: from, to, and the actions that make it."""
    found: dict[tuple[int, int], list[int]] = {}
    for action in state.legal_actions():
        origin, said = action // WAYS, state.action_to_string(action)
        if "->" in said:
            found[origin, int(said.split("->")[1])] = [action]
    for origin in {action // WAYS for action in state.legal_actions() if "=>" in state.action_to_string(action)}:
        for landing, actions in chains(state, origin).items():
            found.setdefault((origin, landing), actions)
    return found


def finish_turn(state: Any, mover: int) -> None:
    if not state.is_terminal() and state.current_player() == mover and END_OF_HOPS in state.legal_actions():
        state.apply_action(END_OF_HOPS)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_in_step_with_openspiel(players: int) -> None:
    """The same moves, boards, ends and utilities with goal=all; there a chain of hops is several moves, here one."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"chinese_checkers(players={players},max_moves=60)")
    game = load("chinese_checkers", players=players, goal="all", limit=60)
    rng = Random(players)
    for _ in range(2):
        state, position = theirs.new_initial_state(), game.start
        while not state.is_terminal():
            assert position.player == state.current_player()
            known = turns(state)
            listed = {(int(move) // 121, int(move) % 121) for move in position.numbers}
            assert listed == set(known)
            board = str(state).splitlines()[:17]
            assert [line.rstrip() for line in position.show().splitlines()[:17]] == board
            origin, target = rng.choice(sorted(known))
            for action in known[origin, target]:
                state.apply_action(action)
            finish_turn(state, position.player)
            position = position.play(origin * 121 + target)
        assert position.is_over
        assert [position.utility(p) for p in range(players)] == state.returns()


def board(marks: dict[str, str], players: int = 2, size: int = 2, after: str = "", **more: Any) -> kb.Position:
    """A board from the cells of each player, by name."""
    game = load("chinese_checkers", players=players, size=size, **more)
    rows = [line.split() for line in game.start.show().splitlines()[:-1]]
    rows = [["."] * len(row) for row in rows]
    for mark, cells in marks.items():
        for cell in cells.split():
            rows["abcdefghijklmnopq".index(cell[0])][int(cell[1:]) - 1] = mark
    return from_board(game, "\n".join(" ".join(row) for row in rows) + f"\n{after or '1 to move'}")


def test_who_wins() -> None:
    """The goal of the first player on the star of size 2 is h1 h2 i1."""
    marks = {"1": "h1 i1 g4", "2": "a1 b1 d4"}
    for goal in ("full", "all"):
        end = board(marks, goal=goal, after="1 to move after 8 turns").play("g4-h2")
        assert end.is_over
        assert [end.utility(p) for p in (0, 1)] == [1.0, -1.0]
        assert end.show().endswith("1 has won after 9 turns")
        assert from_board(end.game, end.show()) == end
    blocked = {"1": "i1 g4 d3", "2": "h1 b1 d4"}  # one of the other's men is left in it
    full, strict = (board(blocked, goal=goal, after="1 to move after 8 turns").play("g4-h2") for goal in ("full", "all"))
    assert full.is_over
    assert full.utility(0) == 1.0
    assert not strict.is_over
    few = {"1": "g4 d3 e1", "2": "h1 i1 d4"}  # full, but not mostly his
    assert not board(few, after="1 to move after 8 turns").play("g4-h2").is_over


def test_the_limit_draws() -> None:
    game = load("chinese_checkers", players=3, size=1, limit=4)
    position = game.start
    while not position.is_over:
        position = position.play(position.moves[0])
    assert position.show().endswith("a draw after 4 turns")
    assert [position.utility(p) for p in range(3)] == [0.0, 0.0, 0.0]


def test_who_cannot_move_passes() -> None:
    stuck = board({"1": "a1 b1 b2", "2": "c3 c4 c5", "3": "d2 d3 d4", "4": "d5 h1 h2"}, players=4)
    assert [str(move) for move in stuck.moves] == ["pass"]
    after = stuck.play("pass")
    assert (after.player, after.show().splitlines()[:-1]) == (1, stuck.show().splitlines()[:-1])
    free = board({"1": "a1 b1 b2", "2": "c3 c4 c5", "3": "d2 d3 d4", "4": "i1 h1 h2"}, players=4)
    assert [str(move) for move in free.moves] == ["b2-d5"]


def test_the_star() -> None:
    for size, cells, men in ((1, 13, 1), (2, 37, 3), (3, 73, 6), (4, 121, 10)):
        game = load("chinese_checkers", size=size, players=6)
        text = "".join(game.start.show().splitlines()[:-1])
        assert sum(text.count(mark) for mark in "123456.") == cells
        assert [text.count(mark) for mark in "123456"] == [men] * 6
    first = [str(move) for move in load("chinese_checkers").start.moves]
    assert len(first) == 14  # as many as in OpenSpiel; ten steps and four hops
    drawn = load("chinese_checkers", players=6).start.draw()
    assert drawn.count("<circle") == 121 + 60
    assert 'data-cell="a1"' in drawn
    ElementTree.fromstring(drawn)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_conformance(players: int) -> None:
    assert not check(load("chinese_checkers", players=players, size=2, limit=40), games=4).failures


def test_what_is_kept_is_what_there_is() -> None:
    """The way to go and the hash, kept move by move, are those of a board that is read."""
    game, rng = load("chinese_checkers", players=4, size=3), Random(1)
    position = game.start
    for _ in range(40):
        position = position.play(rng.choice(position.moves))
        s, fresh = position.state, from_board(game, position.show()).state
        assert (s.far.tolist(), int(s.code)) == (fresh.far.tolist(), int(fresh.code))
        assert sum(game.rule("evaluate")(s, p) for p in range(4)) == pytest.approx(0.0)


def test_solved_on_the_smallest_star() -> None:
    """Three men on thirteen cells: against plain recursion."""
    memo: dict[kb.Position, tuple[float, ...]] = {}
    position = load("chinese_checkers", players=3, size=1, limit=7).start
    each, sure = kb.solve(position), kb.search(position, "paranoid")
    assert each.values == naive.maxn(position, memo)
    assert (sure.value, sure.bound) == (naive.minimax(position, 0), "lower")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2 3", "a board is 37 cells"),
        ("." * 37, "player 1 has 0 men; each has 3"),
        ("111" + "." * 31 + "222 7 to move", "a board is 37 cells"),
        ("111" + "." * 31 + "222\n2 has won after 3 turns", "by the rules it is"),
        ("111" + "." * 31 + "222\n1 to move after 5000 turns", "at most limit=1000"),
    ],
)
def test_wrong_boards(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        from_board(load("chinese_checkers", size=2), text)
    with pytest.raises(InputError, match="2, 3, 4 or 6"):
        load("chinese_checkers", players=5)


def test_playouts_get_somewhere() -> None:
    """They take the one of a few moves that brings a man farthest, so that games end long before the limit."""
    result = kb.search(load("chinese_checkers", players=3, size=2, limit=200).start, "uct(playouts=30)")
    assert result.values == pytest.approx(result.values)
    assert np.isfinite(result.values).all()
