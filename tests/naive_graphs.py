"""The slow obvious truth about a game written out as a graph: plain recursion along the path, in the words of the rules.

It shares no code with the searches, and none with positions: the rule on repetition is written here a second time. `tests/naive.py` has the same recursions over
positions of any game; they are held equal on random graphs.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from kibitz.core.protocol.rules import CHANCE, CYCLE_FREE, DRAW, FORBIDDEN, LOSS, OVER

MOST_STEPS = 30_000
MOST_OUTCOMES = 200

Vector = tuple[float, ...]
Past = tuple[int, ...]


class TooLarge(Exception):
    """The truth would take too long to find."""


@dataclass(frozen=True)
class Standing:
    """Where a game stands: the position, what can be repeated, what was gained, and whether a repetition has just ended it, by whose fault."""

    at: int
    past: Past = ()  # places of earlier positions that may come up again, sorted
    bank: Vector = ()
    repeated: bool = False
    last: int = 0


class Truth:
    """What a game is worth under best play, from any standing of it."""

    def __init__(self, graph: Any, constants: dict[str, Any]) -> None:
        self.nodes = graph.nodes
        self.players, self.sum, self.values = int(constants["PLAYERS"]), constants["SUM"], constants["VALUES"]
        self.repetition, self.times = constants["REPETITION"], int(constants["REPETITIONS"])
        self.opposite = self.players == 1 or (self.players == 2 and self.sum is not None)
        self.grain = float(constants["GRAIN"])
        self.steps = 0
        self.tables: dict[int, float] = {}  # positions in endgame tables, with the first player's value less what is banked
        self.root: Standing | None = None  # where the search begins, which looks nothing up there
        self.known: dict[Any, Any] = {}

    def begin(self, here: Standing) -> None:
        """A search begins here: what is worth so much to a depth is another thing from here on, where there are tables."""
        if self.tables and here != self.root:
            self.known.clear()
        self.root = here

    # --- rules ---

    def first(self) -> Standing:
        return Standing(0, (), (0.0,) * self.players)

    def player(self, here: Standing) -> int:
        return OVER if here.repeated else int(self.nodes[here.at].player)

    def moves(self, here: Standing) -> list[Any]:
        """The edges that may be followed."""
        if self.player(here) == OVER:
            return []
        edges = list(self.nodes[here.at].moves)
        if self.repetition == FORBIDDEN:
            own = self.nodes[here.at].place
            return [e for e in edges if self.nodes[e.to].place not in here.past or self.nodes[e.to].place == own]
        return edges

    def after(self, here: Standing, edge: Any) -> Standing:
        past: Past = ()
        if self.repetition != CYCLE_FREE and not edge.final:
            past = tuple(sorted((*here.past, self.nodes[here.at].place)))
        repeated = self.repetition in (DRAW, LOSS) and past.count(self.nodes[edge.to].place) >= self.times - 1
        bank = tuple(a + b for a, b in zip(here.bank, edge.gain, strict=True)) if edge.gain else here.bank
        return Standing(edge.to, past, bank, repeated, self.player(here) if repeated else 0)

    def follow(self, here: Standing, label: int) -> Standing | None:
        """After the move of this number; None where it is not legal."""
        found = [e for e in self.moves(here) if e.label == label]
        return self.after(here, found[0]) if found else None

    def end(self, here: Standing) -> Vector:
        """What a finished game is worth to each player."""
        if here.repeated:
            low, high = self.values
            if self.repetition == LOSS:
                return tuple(low if p == here.last else high for p in range(self.players))
            return ((self.sum or 0.0) / self.players,) * self.players
        return tuple(a + b for a, b in zip(self.nodes[here.at].worth, here.bank, strict=True))

    def guess(self, here: Standing) -> Vector:
        return tuple(a + b for a, b in zip(self.nodes[here.at].guess, here.bank, strict=True))

    @property
    def guesses_stay_clear(self) -> bool:
        """Are evaluations so far from the best and the worst value that a search which counts the distance to the end leaves them as they are?"""
        room = self.grain / 2
        return all(self.values[0] + room <= g <= self.values[1] - room for n in self.nodes for g in n.guess if n.moves)

    def by_tables(self, here: Standing) -> Vector | None:
        """What endgame tables say that a search may ask at its nodes; None without them."""
        if here.at not in self.tables or here == self.root or self.player(here) == OVER:
            return None
        first = self.tables[here.at] + here.bank[0]
        return (first,) if self.players == 1 else (first, (self.sum or 0.0) - first)

    # --- best play ---

    def value(self, here: Standing) -> Vector:
        """To each player, where at most two play and their interests are opposite; the mean where chance decides."""
        assert self.opposite
        return self._value(here, None, 0)

    def value_to_depth(self, here: Standing, depth: int, spare: int = 0) -> Vector:
        """`value` that asks the evaluation when players have made `depth` moves, or `spare` more of the noisy ones."""
        return self._value(here, depth, spare)

    def _value(self, here: Standing, depth: int | None, spare: int) -> Vector:
        asked = ("value", here, depth, spare)
        if asked not in self.known:
            self.known[asked] = self._found(here, depth, spare)
        return self.known[asked]  # type: ignore[no-any-return]

    def _found(self, here: Standing, depth: int | None, spare: int) -> Vector:
        self._step()
        player = self.player(here)
        if player == OVER:
            return self.end(here)
        if depth is not None and (known := self.by_tables(here)) is not None:
            return known
        if depth == 0 and player != CHANCE:
            return self._quiet(here, spare)
        below = depth if depth is None or player == CHANCE else depth - 1
        edges = self.moves(here)
        values = [self._value(self.after(here, e), below, spare) for e in edges]
        return self._mean(edges, values) if player == CHANCE else max(values, key=lambda v: v[player])

    def _quiet(self, here: Standing, spare: int) -> Vector:
        """What a position at the horizon seems worth when noisy moves are played out."""
        self._step()
        player, node = self.player(here), self.nodes[here.at]
        if player == OVER:
            return self.end(here)
        if (known := self.by_tables(here)) is not None:
            return known
        if player == CHANCE or spare == 0:
            return self.guess(here)
        edges = [e for e in self.moves(here) if node.restless or e.noisy]
        values = [self._quiet(self.after(here, e), spare - 1) for e in edges]
        return max(values if node.restless else [self.guess(here), *values], key=lambda v: v[player])

    def with_limits(self, here: Standing, depth: int, last: int, chances: int, apart: int, path: tuple[bool, ...] = ()) -> Vector:
        """`value_to_depth` in which chance is evaluated, not followed, where a limit bars it: see `naive.expectiminimax_to_depth`."""
        self._step()
        player = self.player(here)
        if player == OVER:
            return self.end(here)
        if (known := self.by_tables(here)) is not None:
            return known
        if player == CHANCE:
            since = path[::-1].index(True) if True in path else None
            if path and (depth < last or (chances and sum(path) >= chances) or (since is not None and since < apart)):
                return self.guess(here)
        elif depth == 0:
            return self.guess(here)
        edges, onward = self.moves(here), (*path, player == CHANCE)
        below = depth if player == CHANCE else depth - 1
        values = [self.with_limits(self.after(here, e), below, last, chances, apart, onward) for e in edges]
        return self._mean(edges, values) if player == CHANCE else max(values, key=lambda v: v[player])

    def distance(self, here: Standing) -> tuple[float, int]:
        """For two players without chance: the value to whoever moves and the plies to the end, wins made quick and losses slow; a draw's plies mean nothing."""
        if ("distance", here) in self.known:
            return self.known["distance", here]  # type: ignore[no-any-return]
        self._step()
        player, middle, found = self.player(here), sum(self.values) / 2, []
        for e in self.moves(here):
            child = self.after(here, e)
            value, plies = self.end(child)[player], 0
            if self.player(child) != OVER:
                value, plies = self.distance(child)
                value = value if self.player(child) == player else self.sum - value
            found.append((value, -plies if value > middle else plies if value < middle else 0, plies + 1))
        value, _, plies = max(found)
        self.known["distance", here] = value, plies
        return value, plies

    # --- many players ---

    def outcomes(self, here: Standing) -> frozenset[Vector]:
        """Every outcome that players who each maximise their own utility may arrive at, however they choose among equals (max^n)."""
        if ("outcomes", here) in self.known:
            return self.known["outcomes", here]  # type: ignore[no-any-return]
        self._step()
        player = self.player(here)
        found: set[Vector] = {self.end(here)} if player == OVER else set()
        if player != OVER:
            edges = self.moves(here)
            below = [self.outcomes(self.after(here, e)) for e in edges]
            size = 1
            for several in below:
                size *= len(several)
            if size > MOST_OUTCOMES:
                raise TooLarge
            for choice in itertools.product(*below):
                if player == CHANCE:
                    found.add(self._mean(edges, list(choice)))
                else:
                    best = max(v[player] for v in choice)
                    found |= {v for v in choice if v[player] == best}
        self.known["outcomes", here] = frozenset(found)
        return frozenset(found)

    # --- inside ---

    def _mean(self, edges: list[Any], values: list[Vector]) -> Vector:
        total = sum(e.weight for e in edges)
        return tuple(sum(e.weight * v[p] for e, v in zip(edges, values, strict=True)) / total for p in range(self.players))

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLarge
