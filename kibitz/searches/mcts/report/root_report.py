"""The root report: the moves of the root with their statistics, and the best line.

The best move is the one with the most visits, among equals the one with the higher value, never the first by number. Moves that are proven to be no better than
another are excluded, and a proven root's best move is one that keeps its value. A line goes on
by the same rule while moves have been visited often enough to mean something.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, EXACT, Candidate
from kibitz.core.protocol.rules import CHANCE, FORBIDDEN
from kibitz.core.records.record import record
from kibitz.searches.mcts.step import backup
from kibitz.searches.mcts.tree import proofs
from kibitz.searches.mcts.tree.layout import NONE, REPEATED, edge, first_edge, node, visits_behind, widest
from kibitz.searches.mcts.tree.memory import Tree

LONGEST_LINE = 40
ENOUGH = 8  # visits of a move that a line may go on with

Row = record(
    move=np.int64,
    visits=np.int64,
    value=np.float64,  # a utility of the player to move, of player 0 where chance is; NaN without visits
    spread=np.float64,
    is_proven=np.bool_,
    is_possible=np.bool_,  # not certainly worse than another move
    length=np.int64,
    line=(np.int64, LONGEST_LINE),
)


# --- kernels ---


def read(t: Any, nodes: Any, edges: Any, rows: Any) -> int:
    """One row for each edge of the root; returns how many."""
    at = t.root
    n = node(nodes, at)
    viewer: int = n.player if n.player >= 0 else 0
    certain = most_certain(nodes, edges, at, viewer)
    for i in range(n.count):
        e = first_edge(at) + i
        x, row = edge(edges, e), rows[i]
        row.move, row.visits = x.move, visits_behind(nodes, x)
        row.value = utility_of(value_behind(nodes, edges, x, viewer)) if row.visits > 0 else np.nan
        row.spread = spread_behind(nodes, x)
        row.is_proven, row.is_possible = False, not is_forbidden(nodes, x)
        if options.SOLVE:
            low, high = proofs.least_behind(nodes, x, viewer), proofs.most_behind(nodes, x, viewer)
            row.is_proven = not low < high
            row.value = proofs.as_utility(low, viewer) if row.is_proven else row.value
            row.is_possible = row.is_possible and is_possible(n, viewer, low, high, certain)
        row.length = follow(nodes, edges, x, row.line, row.is_proven)
    return n.count


def follow(nodes: Any, edges: Any, x: Any, line: Any, is_proven: bool) -> int:
    """Write down the best moves from edge `x` on; how many. Where what they lead to `is_proven`, only moves that are proven to be best."""
    line[0], length = x.move, 1
    while x.child >= 0 and length < line.shape[0]:
        at = x.child
        n = node(nodes, at)
        if n.player < 0 or n.opened == 0:
            break
        x = edge(edges, best_edge(nodes, edges, at))
        if options.SOLVE and is_proven:
            if not proofs.is_known_to(n, n.player):
                break
        elif visits_behind(nodes, x) < ENOUGH and not (options.SOLVE and proofs.is_proven(n)):
            break
        if may_be_forbidden(nodes, x):
            break
        line[length] = x.move
        length += 1
    return length


def best_edge(nodes: Any, edges: Any, at: int) -> int:
    """The move to make at a node: the most visits, then the highest value."""
    n, first = node(nodes, at), first_edge(at)
    certain = most_certain(nodes, edges, at, n.player)
    best, most, highest = first, np.int64(-1), -np.inf
    for e in range(first, first + n.opened):
        x = edge(edges, e)
        visits, value = np.int64(visits_behind(nodes, x)), np.float64(x.value)
        if options.SOLVE:
            low, high = proofs.least_behind(nodes, x, n.player), proofs.most_behind(nodes, x, n.player)
            visits = visits if is_possible(n, n.player, low, high, certain) and not is_forbidden(nodes, x) else np.int64(-1)
        if visits > most or (visits == most and value > highest):
            best, most, highest = e, visits, value
    return best


def most_certain(nodes: Any, edges: Any, at: int, player: int) -> float:
    """What `player`, to move at the node, gets at least, in the player's order."""
    certain = proofs.worst(player)
    if options.SOLVE:
        for e in range(first_edge(at), first_edge(at) + node(nodes, at).opened):
            certain = max(certain, proofs.least_behind(nodes, edge(edges, e), player))
    return certain


def is_possible(n: Any, player: int, low: float, high: float, certain: float) -> bool:
    """May a move with these bounds be the best one?"""
    if n.player < 0:
        return True
    if proofs.is_known_to(n, player):
        return low == certain
    return high > certain or low == certain


def is_forbidden(nodes: Any, x: Any) -> bool:
    """Is the move not allowed, because it would repeat a position? The tree takes it for a loss."""
    return options.FORBIDS and x.child >= 0 and node(nodes, x.child).player == REPEATED


def may_be_forbidden(nodes: Any, x: Any) -> bool:
    """The same, or a leaf, of which nothing of the kind is known."""
    return options.FORBIDS and (x.child < 0 or node(nodes, x.child).player == REPEATED)


def value_behind(nodes: Any, edges: Any, x: Any, owner: int) -> float:
    """The owner's mean reward: not that of the edge, which may be PRUNED and is rounded."""
    if x.child < 0:
        return np.float64(x.value)
    return backup.value_of(nodes, edges, x.child, owner, 1.0 / max(1, node(nodes, x.child).visits))


def spread_behind(nodes: Any, x: Any) -> float:
    """The standard deviation of utilities; a leaf does not keep it."""
    if x.child < 0:
        return 0.0 if x.child == NONE - 1 else np.nan
    n = node(nodes, x.child)
    each = 1.0 / max(1, n.visits)
    return (game.VALUES[1] - game.VALUES[0]) * np.sqrt(max(0.0, np.float64(n.square) - (n.total * each) ** 2))


def utility_of(reward: float) -> float:
    """Means are rounded, and lie between the least and the greatest utility all the same."""
    reward = min(max(reward, 0.0), 1.0)
    return game.VALUES[0] + (game.VALUES[1] - game.VALUES[0]) * reward


# --- shell ---


class Found(NamedTuple):
    """What a tree says."""

    value: float
    bound: str
    line: tuple[Move, ...]
    table: tuple[Candidate, ...]
    values: tuple[float, ...] = ()  # for each player, where one player's value leaves the others' open


class Reader:
    """Reads one tree, as often as wanted while nobody changes it."""

    def __init__(self, position: Position, tree: Tree, options: Mapping[str, Any], workers: Sequence[Any] = ()) -> None:
        self.position, self.tree, self.options, self.workers = position, tree, options, workers
        constants = position.game.constants
        self.low, self.high = constants["VALUES"]
        self.sum = constants["SUM"]
        self.rows = np.zeros(widest(constants), Row)
        self.kernel = position.game.bind(read, options, label="reading")

    @property
    def visits(self) -> int:
        return 0 if self.tree.trunk.root == NONE else int(self.tree.nodes[self.tree.trunk.root].visits)

    @property
    def is_proven(self) -> bool:
        """Is it known what the root is worth to its mover, or to everyone where chance is to move?"""
        if not self.visits or not self.options["SOLVE"]:
            return False
        n = self.tree.nodes[self.tree.trunk.root]
        players = range(self.position.game.players) if n.player == CHANCE else (n.player,)
        return all(low >= high for low, high in (self._bounds(n, p) for p in players))

    def read(self, by_value: bool = False) -> Found:
        """The answer; `by_value` prefers the highest value to the most visits."""
        if not self.visits:
            return Found(self._guess(), ESTIMATE, () if self.position.is_chance else self.position.moves[:1], ())
        rows = self.rows[: self.kernel(*self.tree.arguments, self.rows)]
        everybody = self._everybody(rows)
        n = self.tree.nodes[self.tree.trunk.root]
        if (
            self.position.game.constants["REPETITION"] == FORBIDDEN and n.player != CHANCE
        ):  # the tree takes a move that is not allowed for a loss
            allowed = np.isin(rows["move"], [int(m) for m in self.position.moves])
            rows, everybody = rows[allowed], everybody[allowed]
        if n.player == CHANCE:
            edges = [self.tree.edges[e] for e in self.tree.block_of(self.tree.trunk.root)]
            weights = np.array([x.weight if self.options["WEIGHTS"] else 1.0 for x in edges]) * (rows["visits"] > 0)
            value = float(np.nansum(weights * rows["value"]) / weights.sum())
            values = [float(np.nansum(weights * told) / weights.sum()) for told in everybody.T]
            line: list[int] = []
        else:
            second, third = ("value", "visits") if by_value else ("visits", "value")
            order = np.lexsort((-rows[third], -np.nan_to_num(rows[second], nan=-np.inf), ~rows["is_possible"]))
            rows, everybody = rows[order], everybody[order]
            values = everybody[0].tolist()
            value, line = float(rows[0]["value"]), rows[0]["line"][: rows[0]["length"]].tolist()
            value = value if rows[0]["visits"] > 0 else self._guess()  # only moves that are not allowed were tried
        if self.is_proven:
            value = self._bounds(n, max(0, int(n.player)))[0]
        bound = EXACT if self.is_proven else ESTIMATE
        if values:
            if n.player == CHANCE and bound == EXACT:
                values = self._certain(n)
            values[max(0, int(n.player))] = value
        table = tuple(self._candidate(row, told) for row, told in zip(rows, everybody.tolist(), strict=True))
        return Found(value, bound, self.position.named_line(line), table, tuple(values))

    def _everybody(self, rows: Any) -> Any:
        """What each edge of the root is worth to every player, in as many rows; no columns where one player's value says all.

        The means of this search's simulations; of a move that is proven, what is certain for each player.
        """
        count, root = len(rows), int(self.tree.trunk.root)
        if not self.options["EVERYBODY"]:
            return np.zeros((count, 0))
        tally = np.sum([w.tally[:count] for w in self.workers], axis=0)
        tallied = np.sum([w.tallied[:count] for w in self.workers], axis=0)
        with np.errstate(invalid="ignore"):
            told: Any = self.low + (self.high - self.low) * tally / tallied[:, None]
        for i in np.flatnonzero(rows["is_proven"]):
            told[i] = self._certain(self.tree.nodes[int(self.tree.edges_of(root)["child"][i])])
        told[:, max(0, int(self.tree.nodes[root].player))] = rows["value"]
        return told

    def _certain(self, n: Any) -> list[float]:
        """What is proven for each player; NaN for the others."""
        bounds = [self._bounds(n, p) for p in range(self.position.game.players)]
        return [low if low >= high else math.nan for low, high in bounds]

    def _guess(self) -> float:
        """What the position seems worth before anything is tried."""
        return float(self.position.game.rule("evaluate")(self.position.state, max(0, self.position.player)))

    def _candidate(self, row: Any, values: list[float]) -> Candidate:
        bound = EXACT if row["is_proven"] else ESTIMATE
        line = tuple(row["line"][: row["length"]].tolist())
        return Candidate(self.position, line, int(row["visits"]), float(row["value"]), float(row["spread"]), bound, values=tuple(values))

    def _bounds(self, n: Any, player: int) -> tuple[float, float]:
        """The least and the most that `player` can get under best play, as far as it is proven."""
        if self.options["OPPOSITE"]:
            low, high = float(n.low[0]), float(n.high[0])
            return (low, high) if player == 0 else (self.sum - high, self.sum - low)
        return float(n.low[player]), float(n.high[player])
