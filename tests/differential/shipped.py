"""Small versions of shipped games, and late positions of them, as graphs: explored by their own rules, then held to the same truth as random games."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

import kibitz as kb
from kibitz.core.position.game import Position
from tests.differential import families
from tests.differential.graphs import Edge, Graph, Node

MOST = 250  # positions to explore; fewer where all of it runs interpreted
MOST_INTERPRETED = 60
LONGEST = 400  # plies of a random game


@dataclass(frozen=True)
class Shipped:
    """One shipped game with small parameters."""

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    can_shrink = False

    @cached_property
    def game(self) -> kb.Game:
        return kb.load(self.name, **self.parameters)

    def draw(self, rng: Random, interpreted: bool) -> Graph:
        """A random position from which few others can be reached: as far from the end of a random game as possible."""
        while True:
            found = self._late(rng, interpreted)
            if found is not None and (not self.game.repeats or any(len(n.moves) > 1 for n in found.nodes)):
                return found

    def _late(self, rng: Random, interpreted: bool) -> Graph | None:
        """One of a random game; None where not even the position before its last move is late enough."""
        line = [self.game.start]
        while not line[-1].is_over and len(line) < LONGEST:
            line.append(line[-1]._after(rng.choice(line[-1].numbers)))
        best, most = line[-2], MOST_INTERPRETED if interpreted else MOST
        for back in range(2, min(len(line), rng.choice((4, 8, 12))) + 1):
            if explored(line[-back], most) is None:
                break
            best = line[-back]
        return explored(best, LONGEST * MOST if not self.game.repeats else most)

    def position(self, graph: Graph) -> Position:
        return Position(self.game, bytes.fromhex(graph.state))


def explored(position: Position, most: int) -> Graph | None:
    """All that can come of a position, whatever came before; None if there are more positions than the limit."""
    game, position = position.game, Position(position.game, position.data)
    evaluate, noisy, restless = (game.rule(name) for name in ("evaluate", "noisy", "restless"))
    numbers, waiting, nodes, places = {position.data: 0}, [position], [], dict[int, int]()
    while waiting:
        here = waiting.pop(0)
        s, players, edges = here.state, range(game.players), []
        weights = here._outcomes()[1] if here.is_chance else [1.0] * len(here.numbers)
        for number, weight in zip(here.numbers, weights, strict=True):
            child = Position(game, here._after(number).data)
            if child.data not in numbers:
                numbers[child.data] = len(numbers)
                waiting.append(child)
            edges.append(Edge(number, numbers[child.data], float(weight), (), not here.is_chance and bool(noisy(s, number))))
        if len(numbers) > most:
            return None
        over = here.is_over
        worth = tuple(here.utility(p) for p in players) if over else (0.0,) * game.players
        guess = worth if over else _within_reach(game, s, tuple(float(evaluate(s, p)) for p in players))
        place = places.setdefault(here.situation, len(places)) if game.repeats else len(nodes)
        nodes.append(Node(here.player, tuple(edges), worth, guess, place, not over and not here.is_chance and bool(restless(s))))
    return Graph(tuple(nodes), 0, position.data.hex())


def _within_reach(game: kb.Game, s: Any, guess: tuple[float, ...]) -> tuple[float, ...]:
    """An evaluation, no better than what can still be had: searches that know `best_case` use that."""
    if not game.defines("best_case") or game.players != 2:
        return guess
    (most, others), total = (float(game.rule("best_case")(s, p)) for p in (0, 1)), game.constants["SUM"]
    first = min(max(guess[0], total - others), most)
    return first, total - first


SHIPPED = (
    Shipped("antichess"),
    Shipped("ballard", {"branching": 2, "chances": 3, "levels": "+*-*"}),
    Shipped("breakthrough", {"rows": 4, "columns": 3}),
    Shipped("checkers"),
    Shipped("chinese_checkers", {"players": 3, "size": 1, "limit": 6}),
    Shipped("connect4", {"rows": 3, "columns": 4, "line": 3}),
    Shipped("domineering", {"rows": 3, "columns": 3}),
    Shipped("duel", {"rounds": 2, "sides": 3}),
    Shipped("ewn", {"size": 3}),
    Shipped("hex", {"size": 3}),
    Shipped("kalah", {"holes": 2, "seeds": 2}),
    Shipped("mnk", {"m": 3, "n": 3, "k": 3}),
    Shipped("nim", {"heaps": "1,2,3"}),
    Shipped("othello"),
    Shipped("pig", {"target": 6, "sides": 3, "horizon": 4}),
    Shipped("simulated", {"m_root": 3.0, "m_mean": 3.0, "m_max": 4, "depth": 4}),
    Shipped("tictactoe"),
    Shipped("uniform", {"branching": 3, "depth": 4}),
)
FAMILIES: dict[str, families.Family | Shipped] = {**families.FAMILIES, **{f.name: f for f in SHIPPED}}
