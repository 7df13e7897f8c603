"""Quiescence is exact to its definition; pruning and extensions are what they say, and never called exact."""

import json
import math
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.core.position.game import Game
from kibitz.searches.method import method
from tests import naive
from tests.searches.driver import INTERPRETED, compile_only, trees

TREES = kb.load("trees")
SMALL = kb.load("breakthrough", rows=5, columns=3)
PRUNING = ("beam=2", "null=2, reductions=1")
OFF = "beam=0, null=0, reductions=0, extend=false, quiescence=0"


def middle_game(game: Game, seed: int, plies: int) -> kb.Position:
    """A position some random moves into the game."""
    chance, position = random.Random(seed), game.start
    for _ in range(plies):
        after = position.play(chance.choice(position.moves))
        if after.is_over:
            break
        position = after
    return position


@cache
def quiescent_values() -> list[tuple[kb.Position, int, float]]:
    """Positions with the value of a depth and three plies of noisy moves, by plain recursion."""
    found = []
    for seed in range(3 if INTERPRETED else 12):
        position, depth = middle_game(SMALL, seed, 4 + seed % 9), 1 + seed % 2
        found.append((position, depth, naive.quiescent(position, depth, 3, position.player)))
    return found


@pytest.mark.parametrize(
    "player",
    compile_only(
        ("negascout(strict=true)",), ("alphabeta(table=0)", "alphabeta(soft=false, form=stack, strict=true)", "negascout(strict=true)")
    ),
)
def test_quiescence_agrees_with_its_definition(player: str) -> None:
    """Captures and threats of Breakthrough."""
    for position, depth, value in quiescent_values():
        assert kb.search(position, player, depth=depth, quiescence=3, distance="off", deepening=False).value == value


@pytest.mark.interpreted
def test_quiescence_looks_further_only_where_it_is_noisy() -> None:
    quiet, noisy = SMALL.start, middle_game(SMALL, 5, 8)
    for position in (quiet, noisy):
        captures = [m for m in position.moves if "x" in str(m)]
        plain = kb.search(position, "alphabeta(depth=1, table=0, distance=off)")
        deeper = kb.search(position, "alphabeta(depth=1, table=0, distance=off, quiescence=8)")
        assert deeper.nodes >= plain.nodes
        assert deeper.nodes > plain.nodes or not captures


@settings(max_examples=10 if INTERPRETED else 300)
@given(tree=trees(), depth=st.integers(1, 6))
def test_with_everything_off_it_is_exact_to_its_depth(tree: Any, depth: int) -> None:
    position = TREES.position(json.dumps(tree))
    found = kb.search(position, f"selective({OFF}, strict=true, deepening=false)", depth=depth)
    assert found.value == naive.minimax_to_depth(position, depth, position.player)


@settings(max_examples=10 if INTERPRETED else 200)
@given(tree=trees(), depth=st.integers(1, 6), lines=st.integers(2, 4))
def test_several_lines_are_the_best_moves(tree: Any, depth: int, lines: int) -> None:
    """And `only` leaves out the others."""
    position = TREES.position(json.dumps(tree))
    worth = {int(m): naive.minimax_to_depth(position.play(int(m)), depth - 1, position.player) for m in position.moves}
    player = f"selective({OFF}, strict=true, deepening=false, depth={depth})"
    found = kb.search(position, player, lines=lines)
    assert [c.value for c in found.table] == sorted(worth.values(), reverse=True)[:lines]
    assert [worth[c.numbers[0]] for c in found.table] == [c.value for c in found.table]
    some = position.moves[: lines - 1]
    assert kb.search(position, player, only=" ".join(map(str, some))).value == max(worth[int(m)] for m in some)


@pytest.mark.skipif(INTERPRETED, reason="a matter of tables, which are the same interpreted")
def test_what_a_player_remembers_saves_work() -> None:
    player, position = kb.player("selective(null=2, reductions=1, depth=5)").remembering(), middle_game(SMALL, 3, 6)
    first = player.search(position)
    assert player.search(position).nodes < first.nodes
    assert kb.player("selective(null=2, reductions=1, depth=5)").search(position).nodes == first.nodes


@pytest.mark.parametrize("option", PRUNING)
def test_pruned_searches_are_never_exact(option: str) -> None:
    """Even of a game searched to its end, even when the value is a win."""
    position = middle_game(SMALL, 3, 12)
    for result in kb.analyse(position, f"selective({option}, nodes={500 if INTERPRETED else 200_000})"):
        assert not result.exact


@settings(max_examples=5 if INTERPRETED else 200)
@given(tree=trees(), beam=st.integers(1, 3))
def test_beam_is_minimax_of_the_first_moves(tree: Any, beam: int) -> None:
    position = TREES.position(json.dumps(tree))
    settings = f"beam={beam}, null=0, reductions=0, table=0, killers=off, history=off, order=false, deepening=false"
    found = kb.search(position, f"selective({settings})", depth=20)
    assert found.value == naive.beam(position, beam, position.player)
    assert not found.exact


@pytest.mark.skipif(INTERPRETED, reason="counts are the same interpreted")
def test_each_way_of_pruning_visits_fewer_nodes() -> None:
    """Over some middle games of Breakthrough, at the same depth."""
    game = kb.load("breakthrough")
    positions = [middle_game(game, seed, 14) for seed in range(8)]
    full = sum(kb.search(p, f"selective({OFF})", depth=6).nodes for p in positions)
    for option in ("beam=4", "null=2", "reductions=3"):
        name = option.partition("=")[0]
        pruned = OFF.replace(f"{name}=0", option)
        assert sum(kb.search(p, f"selective({pruned})", depth=6).nodes for p in positions) < full, option


@pytest.mark.skipif(INTERPRETED, reason="counts are the same interpreted")
def test_extensions_look_deeper() -> None:
    game = kb.load("breakthrough")
    positions = [middle_game(game, seed, 24) for seed in range(8)]
    plain = sum(kb.search(p, f"selective({OFF})", depth=5).nodes for p in positions)
    for option in ("extend=true", "singular=0.1"):
        more = f"selective({OFF.replace('extend=false', 'extend=true')})" if option == "extend=true" else f"selective({OFF}, {option})"
        assert sum(kb.search(p, more, depth=5).nodes for p in positions) > plain, option


def test_options_a_game_has_no_rules_for_are_refused() -> None:
    position = kb.load("tictactoe").start
    with pytest.raises(kb.InputError, match="tictactoe does not say which moves are noisy"):
        kb.search(position, "alphabeta(quiescence=4)")
    with pytest.raises(kb.InputError, match="does not allow a turn to be skipped"):
        kb.search(position, "selective(null=2)")
    with pytest.raises(kb.InputError, match="kibitz tune probcut tictactoe"):
        kb.search(position, "selective(probcut=1.5)")
    with pytest.raises(kb.InputError, match="needs a table"):
        kb.search(position, "selective(singular=0.5, table=0)")


@pytest.mark.interpreted
def test_what_suits_the_game_is_chosen() -> None:
    assert method("selective").settings({})["quiescence"] == -1
    assert kb.search(kb.load("tictactoe").start, "selective", depth=3).move is not None


@settings(max_examples=5 if INTERPRETED else 300)
@given(tree=trees(), depth=st.integers(1, 4))
def test_realization_search_spends_its_budget_on_likely_moves(tree: Any, depth: int) -> None:
    """Without a policy the price of a move is the logarithm of how many there are; forced moves cost nothing."""
    position = TREES.position(json.dumps(tree))
    found = kb.search(position, "realization(likely=4, improve=false, table=0, deepening=false)", depth=depth)
    assert found.value == naive.by_likelihood(position, 100 * depth, 100 / math.log(4.0), position.player)
    assert not found.exact


@pytest.mark.interpreted
def test_realization_search_looks_again_at_what_surprises() -> None:
    """Breakthrough's policy thinks some moves unlikely; those that turn out better cost a second look."""
    positions = [middle_game(SMALL, seed, 5) for seed in range(4)]
    nodes = {}
    for option in ("false", "true"):
        results = [kb.search(p, f"realization(table=0, improve={option})", depth=2) for p in positions]
        assert not any(r.exact for r in results)
        nodes[option] = sum(r.nodes for r in results)
    assert nodes["true"] > nodes["false"]
