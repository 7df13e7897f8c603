"""Chance games of all kinds: limits on chance, merged outcomes, rules that break their promises, one player, values that add up to something."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.protocol.rules import CHANCE, DRAW, OVER, UNIFORM, WEIGHTED
from tests import naive
from tests.searches.chances import GENERAL, placed, searcher, trees, worth
from tests.searches.driver import INTERPRETED

EXAMPLES = 10 if INTERPRETED else 100

pytestmark = pytest.mark.long  # many pairs of search and game to compile
TREES = kb.load("trees", tree=GENERAL)
FRACTIONS = st.sampled_from([0.5, 1.0, 3.0])
LIMITS: list[dict[str, int]] = [{"last": 2}, {"chances": 1}, {"apart": 2}, {"last": 1, "chances": 2, "apart": 1}]


def close(value: float) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


# --- limits on chance ---


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@settings(max_examples=EXAMPLES)
@given(tree=trees(FRACTIONS), depth=st.integers(1, 4))
def test_limits_on_chance(limits: dict[str, int], tree: Any, depth: int) -> None:
    position = placed(TREES, tree)
    wanted = naive.expectiminimax_to_depth(position, depth, max(0, position.player), **limits)
    assert searcher(position, "star2", table=0.01, strict=True, **limits).value(depth) == close(wanted)


def test_moves_to_barred_chances_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    gamble = {"chance": [1, 1], "value": 9, "moves": [5, 6]}
    position = placed(TREES, [[[gamble, 1, 2], 4], 0])
    assert searcher(position, "star1", last=2).value(3) == 4  # at the end the gamble looks like 9
    assert searcher(position, "star1", last=2, beyond="skip").value(3) == 2
    only = placed(TREES, [{"value": 3, "moves": [{"value": -7, "moves": [gamble, gamble]}]}])
    assert searcher(only, "star1", last=3, beyond="skip").value(2) == -7  # nothing else to do: the node is evaluated
    at_root = placed(TREES, [gamble, 3])
    assert searcher(at_root, "star1", last=3, beyond="skip").value(1) == 9


@settings(max_examples=EXAMPLES // 4)
@given(tree=trees(FRACTIONS))
def test_moves_to_chance_last(tree: Any) -> None:
    position = placed(TREES, tree)
    found = searcher(position, "star2", table=0.01, chance_last=True).value(32)
    assert found == close(naive.expectiminimax(position, max(0, position.player)))


def test_moves_to_chance_come_after_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    position = placed(TREES, [{"chance": [1, 1], "moves": [[-9, 3], [5, -9]]}, 100])
    plain, last = (searcher(position, "star1", table=0, chance_last=c) for c in (False, True))
    assert plain.value(4) == last.value(4) == 100
    assert int(last.w.control.nodes) < int(plain.w.control.nodes)


# --- merged outcomes, and the table ---


def test_dice_that_come_to_the_same_are_one_search() -> None:
    """With the pieces 1 and 6 left the rolls 2 to 5 are one."""
    game = kb.load("ewn", setup="123456")
    position = game.position("X1 .. .. .. ..\n.. X6 .. .. ..\n.. .. .. .. ..\n.. .. .. O6 ..\n.. .. .. .. O1\nX to roll")
    nodes = {}
    for merge in (False, True):
        search = searcher(position, "star0", table=0, merge=merge)
        value = search.value(1)
        assert value == close(naive.expectiminimax_to_depth(position, 1, 0))
        nodes[merge] = int(search.w.control.nodes)
    each = [searcher(position.play(roll), "star0", table=0, merge=True) for roll in ("1", "2", "6")]
    for search in each:
        search.value(1)
    assert nodes[True] == 1 + sum(int(search.w.control.nodes) for search in each)
    assert nodes[False] == 1 + sum(int(s.w.control.nodes) * times for s, times in zip(each, (1, 4, 1), strict=True))


@pytest.mark.skipif(INTERPRETED, reason="thousands of nodes")
def test_a_revisit_resumes() -> None:
    """What a first search with another window proved of the outcomes need not be proved again."""
    position = kb.load("ewn", size=3, setup="123").start
    fresh, again = (searcher(position, "star2", table=1, strict=True) for _ in range(2))
    value = fresh.value(4)
    again.value(4, (value + 0.01, value + 0.02))
    spent = int(again.w.control.nodes)
    assert again.value(4) == close(value)
    assert int(again.w.control.nodes) - spent < int(fresh.w.control.nodes)
    spent = int(again.w.control.nodes)
    assert again.value(4) == close(value)
    assert int(again.w.control.nodes) - spent == 1


# --- real games ---


@pytest.mark.parametrize(("name", "options"), [("star1", {"table": 0}), ("star2", {"table": 1, "strict": True})])
def test_small_ewn_equals_the_oracle(name: str, options: dict[str, Any]) -> None:
    game = kb.load("ewn", size=3, setup="123")
    for seed in range(2 if INTERPRETED else 8):
        position = game.start
        for step in range(1 + seed):
            if not position.is_over:
                following = position.play(position.moves[(seed * 7 + step) % len(position.moves)])
                position = position if following.is_over else following
        depth = 1 if INTERPRETED else 2
        wanted = naive.expectiminimax_to_depth(position, depth, max(0, position.player))
        assert searcher(position, name, **options).value(depth) == close(wanted)


def test_chance_at_the_root_gives_a_value_and_no_move() -> None:
    position = kb.load("ewn", size=3, setup="123").start
    assert position.is_chance
    result = kb.search(position, "star2(table=1, strict=true)", depth=1)
    assert (result.move, result.line) == (None, ())
    assert result.value == close(naive.expectiminimax_to_depth(position, 1, 0))
    stopped = kb.search(position, "star2(table=1, strict=true)", nodes=1)
    assert (stopped.move, stopped.ended, stopped.depth) == (None, "nodes", 0)


@pytest.mark.parametrize("moves", ["", "roll 3", "roll 6 hold", "roll 5 roll"])
def test_pig_equals_the_oracle(moves: str) -> None:
    """The same player goes on after chance, and a game has no end in sight."""
    position = kb.load("pig", target=12).start.play(*moves.split())
    depth = 2 if INTERPRETED else 3
    wanted = naive.expectiminimax_to_depth(position, depth, max(0, position.player))
    assert searcher(position, "star2", table=1, strict=True).value(depth) == close(wanted)


def test_a_duel_is_solved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody chooses, so no depth is spent; the rules say when nothing can change any more."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    position = kb.load("duel", rounds=2, sides=4).start.play("3")
    for name in ("expectiminimax", "star1", "star2"):
        result = kb.search(position, name, depth=1)
        assert (result.value, result.exact, result.move) == (close(naive.expectiminimax(position)), True, None)


@settings(max_examples=EXAMPLES // 5)
@given(tree=trees(FRACTIONS), low=st.floats(-11, 11), width=st.floats(0.01, 8))
def test_values_that_add_up_to_something(tree: Any, low: float, width: float) -> None:
    """What the players get adds up to 200.2: the second player's value is that less the first one's, and bounds are bounds."""
    position = placed(lopsided_trees(), tree)
    true = 200.2 - worth(tree) if position.player == 1 else worth(tree)
    search = searcher(position, "star2", table=0.01)
    alpha = 200.2 - low - width if position.player == 1 else low
    found = search.value(32, (alpha, alpha + width))
    assert true <= found + 1e-9 if found <= alpha else true >= found - 1e-9 if found >= alpha + width else found == close(true)
    assert search.value(32) == close(true)


@cache
def lopsided_trees() -> kb.Game:
    return kb.load("trees", tree=GENERAL, low=-100.0, high=300.2)


def walk_with_repetition() -> kb.Game:
    """A token on a ring of six squares: a player pushes it one or two squares, then a coin decides whether it slips back one. 5 wins, a repetition draws."""
    State = kb.record(at=np.int8, turn=np.int8, tossing=np.int8)

    def start(s: Any) -> None:
        s.at, s.turn, s.tossing = 0, 0, 0

    def player(s: Any) -> int:
        return OVER if s.at == 5 else CHANCE if s.tossing else s.turn

    def moves(s: Any, out: Any) -> int:
        out[0], out[1] = 1, 2
        return 2

    def outcomes(s: Any, out: Any, weights: Any) -> int:
        out[0], out[1], weights[0], weights[1] = 0, 1, 3.0, 1.0
        return 2

    def play(s: Any, move: int) -> None:
        if s.tossing:
            s.at, s.tossing, s.turn = (s.at - move) % 6, 0, 1 - s.turn
        else:
            s.at, s.tossing = (s.at + move) % 6, 1

    def utility(s: Any, player: int) -> float:
        return 1.0 if player == s.turn else -1.0

    def evaluate(s: Any, player: int) -> float:
        return 0.1 * s.at if player == s.turn else -0.1 * s.at

    constants = {"PLAYERS": 2, "MAX_MOVES": 2, "MAX_OUTCOMES": 2, "MAX_PLIES": 60, "VALUES": (-1.0, 1.0)}
    kinds = {"CHANCE_KIND": WEIGHTED, "REPETITION": DRAW, "REPETITIONS": 2}
    functions = {f.__name__: f for f in (start, player, moves, outcomes, play, utility, evaluate)}
    return kb.Game({"State": State, **constants, **kinds, **functions}, name="walk")


@pytest.mark.parametrize("name", ["expectiminimax", "star1", "star2"])
def test_repetition(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    start = walk_with_repetition().start
    for position in (start, start.play(2, 1), start.play(2)):
        options = {} if name == "expectiminimax" else {"table": 0}
        wanted = naive.expectiminimax_to_depth(position, 4, max(0, position.player))
        assert searcher(position, name, **options).value(4) == close(wanted)


def test_deepening_limits_and_narrow_windows() -> None:
    position = kb.load("ewn", size=3, setup="123").start.play("2")
    engine, deep = "star2(table=1, strict=true)", 2 if INTERPRETED else 4
    results = list(kb.analyse(position, engine, depth=deep))
    assert [r.depth for r in results] == list(range(1, len(results) + 1))
    for result in results:
        alone = searcher(position, "star1", table=0)
        assert result.value == close(alone.value(result.depth))
    narrow = [r.value for r in kb.analyse(position, engine, depth=deep, aspiration=0.02)]
    assert narrow == close([r.value for r in results])
    few = kb.search(position, engine, nodes=60)
    assert few.ended == "nodes"
    assert 60 <= few.nodes <= 64  # a few on the way down
    assert few.move in position.moves


# --- beyond the horizon ---


def first_is_noisy(s: Any, move: int) -> bool:
    return bool(move == 0)


def quiet_worth(tree: Any, turn: int, spare: int) -> float:
    """What a leaf of the search is worth with quiescence: its evaluation, or the first move, if that is better for the mover."""
    if isinstance(tree, int | float):
        return float(tree)
    node = tree if isinstance(tree, dict) else {"moves": tree}
    value, mover = float(node.get("value", 0.0)), node.get("player", turn)
    if spare == 0 or "chance" in node:
        return value
    gained = quiet_worth(node["moves"][0], 1 - mover, spare - 1)
    return min(value, gained) if mover else max(value, gained)


def worth_with_quiescence(tree: Any, depth: int, spare: int, turn: int = 0) -> float:
    if isinstance(tree, int | float):
        return float(tree)
    node = tree if isinstance(tree, dict) else {"moves": tree}
    if "chance" in node:
        values = [worth_with_quiescence(t, depth, spare, turn) for t in node["moves"]]
        return sum(w * v for w, v in zip(node["chance"], values, strict=True)) / sum(node["chance"])
    if depth == 0:
        return quiet_worth(tree, turn, spare)
    mover = node.get("player", turn)
    values = [worth_with_quiescence(t, depth - 1, spare, 1 - mover) for t in node["moves"]]
    return min(values) if mover else max(values)


@settings(max_examples=EXAMPLES)
@given(tree=trees(FRACTIONS), depth=st.integers(1, 3))
def test_quiescence(tree: Any, depth: int) -> None:
    """A chance that a noisy move leads to is evaluated: nobody chooses it."""
    game = noisy_trees()
    position = placed(game, tree)
    true = worth_with_quiescence(tree, depth, 3)
    found = searcher(position, "star2", table=0.01, strict=True, quiescence=3).value(depth)
    assert found == close(-true if position.player == 1 else true)


@cache
def noisy_trees() -> kb.Game:
    return kb.Game({**TREES.namespace, **TREES.people, "noisy": first_is_noisy}, name="trees")


# --- rules that break their promises ---


def game_with(**changed: Any) -> kb.Game:
    """Toss a die twice and add up: a few lines that a test can break."""
    State = kb.record(toss=np.int8, total=np.int8)

    def start(s: Any) -> None:
        s.toss, s.total = 0, 0

    def player(s: Any) -> int:
        return OVER if s.toss == 3 else CHANCE if s.toss == 1 else 0

    def moves(s: Any, out: Any) -> int:
        out[0], out[1] = 0, 1
        return 2

    def outcomes(s: Any, out: Any, weights: Any) -> int:
        for i in range(3):
            out[i], weights[i] = i + 1, 1.0
        return 3

    def play(s: Any, move: int) -> None:
        s.toss += 1
        s.total += move

    def utility(s: Any, player: int) -> float:
        return 1.0 * s.total

    rules = {"PLAYERS": 1, "MAX_MOVES": 2, "MAX_OUTCOMES": 3, "MAX_PLIES": 3, "VALUES": (0.0, 6.0), "SUM": None, "CHANCE_KIND": UNIFORM}
    functions = {f.__name__: f for f in (start, player, moves, outcomes, play, utility)}
    return kb.Game({"State": State, **rules, **functions, **changed}, name="toss")


def weights_of(*given: float) -> Any:
    def outcomes(s: Any, out: Any, weights: Any) -> int:
        for i in range(len(given)):
            out[i], weights[i] = i + 1, given[i]
        return len(given)

    return outcomes


def nothing(s: Any, out: Any, weights: Any) -> int:
    return 0


def test_one_player_against_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    result = kb.search(game_with().start, "star2")
    assert (result.value, result.exact, str(result.move)) == (4.0, True, "1")


@pytest.mark.parametrize("name", ["expectiminimax", "star1", "star2"])
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"VALUES": (0.0, 4.0)}, "a position is worth 5 to player 1, outside VALUES = (0, 4)"),
        ({"outcomes": weights_of(1.0, 0.0)}, "outcomes gave a weight of 0; every weight must be positive"),
        ({"outcomes": weights_of(1.0, -2.0), "CHANCE_KIND": "general"}, "a weight of -2"),
        ({"outcomes": weights_of(1.0, np.nan), "CHANCE_KIND": "weighted"}, "a weight of nan"),
        ({"outcomes": weights_of(np.inf, 1.0), "CHANCE_KIND": "weighted"}, "a weight of inf"),
        ({"outcomes": weights_of(1.0, 2.0)}, "unequal weights, one of 2"),
        ({"outcomes": weights_of(1.0, 2.5), "CHANCE_KIND": "weighted"}, "a weight of 2.5, no whole number"),
        ({"outcomes": weights_of(1.0, 1.0, 1.0, 1.0, 1.0)}, "outcomes gave 5 outcomes; give 1 to MAX_OUTCOMES = 3"),
        ({"outcomes": nothing}, "outcomes gave 0 outcomes"),
    ],
    ids=lambda given: given[:30] if isinstance(given, str) else "",
)
def test_broken_promises(name: str, changed: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    with pytest.raises(kb.RulesError) as caught:
        kb.search(game_with(**changed).start, name)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.compiled
def test_broken_promises_compiled() -> None:
    with pytest.raises(kb.RulesError, match="gave 5 outcomes"):
        kb.search(game_with(outcomes=weights_of(1.0, 1.0, 1.0, 1.0, 1.0)).start, "star2(table=0)")


@pytest.mark.parametrize(
    ("name", "game", "words"),
    [
        ("star2", "connect4", "it has no chance; searches that fit: "),
        ("alphabeta", "ewn", "it has chance; searches that fit: "),
    ],
)
def test_games_of_another_kind(name: str, game: str, words: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        kb.search(kb.load(game).start, name)
    assert words in str(caught.value)
