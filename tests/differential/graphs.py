"""Games as graphs: a few positions, who moves in each, where the moves lead, what the ends are worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from kibitz.core.protocol.rules import CHANCE, OVER

BIG = 1 << 62


@dataclass(frozen=True)
class Edge:
    """A move, or an outcome of chance."""

    label: int  # the number that the rules give the move
    to: int
    weight: float = 1.0
    gain: tuple[float, ...] = ()  # what it brings each player for good; nothing where the game has no bank
    noisy: bool = False
    final: bool = False  # no earlier position can come back
    promise: int = 0


@dataclass(frozen=True)
class Node:
    """A position, whatever moves led to it."""

    player: int
    moves: tuple[Edge, ...] = ()
    worth: tuple[float, ...] = ()  # of a finished game, to each player, besides what was gained
    guess: tuple[float, ...] = ()  # what an unfinished one seems worth
    place: int = 0  # positions of one place are repetitions of each other
    restless: bool = False
    passes: int = -1  # the position after the turn is skipped; -1: it may not be


@dataclass(frozen=True)
class Graph:
    """A game from position 0 on."""

    nodes: tuple[Node, ...]
    number: int = 0  # tells games apart whose positions are kept in one table
    state: str = ""  # of position 0, in hexadecimal, where the graph was read off a shipped game

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @staticmethod
    def of_dict(found: dict[str, Any]) -> Graph:
        """The reverse."""
        nodes = []
        for n in found["nodes"]:
            moves = tuple(Edge(**{**e, "gain": tuple(e["gain"])}) for e in n["moves"])
            nodes.append(Node(**{**n, "moves": moves, "worth": tuple(n["worth"]), "guess": tuple(n["guess"])}))
        return Graph(tuple(nodes), found["number"], found["state"])


@dataclass(frozen=True)
class Kind:
    """What graphs of a family look like."""

    players: int = 2
    sum: float | None = 0.0
    values: tuple[float, float] = (-9.0, 9.0)
    worths: tuple[float, ...] = tuple(float(v) for v in range(-9, 10))  # for the first player, or for everyone where interests differ
    guesses: tuple[float, ...] = (-6.5, -2.0, -1.0, 0.0, 0.5, 1.0, 3.0)
    guess_known: bool = True  # False: the game does not evaluate
    chance: tuple[float, ...] = ()  # weights of outcomes; none: no chance
    even: bool = False  # all outcomes of a position have one weight
    cyclic: bool = False
    superko: bool = False
    gains: tuple[float, ...] = ()
    first_gains: bool = False  # only moves of the first position gain
    noisy: bool = False  # does the game say which moves are?
    restless: bool = False
    passing: bool = False  # may turns be skipped?
    big: bool = False  # any numbers from 0 for moves
    alternating: float = 0.5  # how often whoever did not move last is to move
    nodes: int = 12
    most_moves: int = 4


def draw(kind: Kind, rng: Random, most: int) -> Graph:
    """A random graph of at most the given number of positions."""
    if kind.superko:
        return _superko(kind, rng)
    most = min(most, kind.nodes)
    size = rng.choice((rng.randint(min(3, most), most), most))
    span = rng.choice((2, 3, 4, size))
    alternating, ends = rng.choice((0.0, kind.alternating, 1.0)), rng.choice((0.0, 0.15, 0.3, 0.45))
    fewest, worths = rng.choice((1, 2)), kind.worths
    if rng.random() < 0.6:  # many ties
        worths = tuple(rng.sample(worths, min(len(worths), rng.randint(2, 3))))
    chancy = rng.choice((0.2, 0.35, 0.5)) if kind.chance else 0.0
    movers, found = [0] * size, []
    movers[0] = rng.randrange(kind.players)
    for i in range(size):
        final = i == size - 1 or (i > 0 and rng.random() < ends) or (i >= size // 2 and rng.random() < 0.4)
        if final:
            movers[i] = OVER
        elif rng.random() < chancy:
            movers[i] = CHANCE
        elif i > 0:
            movers[i] = (max(0, movers[i - 1]) + 1) % kind.players if rng.random() < alternating else rng.randrange(kind.players)
    if kind.cyclic and OVER not in movers:
        movers[-1] = OVER
    for i, mover in enumerate(movers):
        moves: tuple[Edge, ...] = ()
        if mover != OVER:
            many = rng.randint(fewest, kind.most_moves)
            targets = [rng.randrange(size) if kind.cyclic else rng.randint(i + 1, min(size - 1, i + span)) for _ in range(many)]
            moves = tuple(_edge(kind, rng, k, to, mover, i == 0) for k, to in enumerate(targets))
            if kind.even:
                moves = tuple(replace(e, weight=moves[0].weight) for e in moves)
        found.append(Node(mover, moves, _worth(kind, rng, worths), _guess(kind, rng), i, kind.restless and rng.random() < 0.2))
    graph = _relabelled(kind, rng, with_final_moves(Graph(tuple(found), rng.getrandbits(63))))
    return _with_passes(rng, graph) if kind.passing else graph


def _with_passes(rng: Random, graph: Graph) -> Graph:
    """Turns that may be skipped, mostly: to a later position of another player."""
    nodes = []
    for i, n in enumerate(graph.nodes):
        others = [j for j in range(i + 1, len(graph.nodes)) if graph.nodes[j].player not in (n.player, OVER)]
        nodes.append(replace(n, passes=rng.choice(others)) if n.player >= 0 and others and rng.random() < 0.8 else n)
    return replace(graph, nodes=tuple(nodes))


def with_final_moves(graph: Graph) -> Graph:
    """Says of every move whether its position can come back: if not, none before it can."""
    reach = [{e.to for e in n.moves} for n in graph.nodes]
    for _ in graph.nodes:
        for found in reach:
            found |= {further for to in found for further in reach[to]}
    nodes = [
        replace(n, moves=tuple(replace(e, final=i != e.to and i not in reach[e.to]) for e in n.moves)) for i, n in enumerate(graph.nodes)
    ]
    return replace(graph, nodes=tuple(nodes))


def _edge(kind: Kind, rng: Random, label: int, to: int, mover: int, first: bool) -> Edge:
    gain: tuple[float, ...] = ()
    if kind.gains:
        gain = _worth(kind, rng, kind.gains, 0.0) if first or not kind.first_gains else (0.0,) * kind.players
    weight = rng.choice(kind.chance) if mover == CHANCE else 1.0
    return Edge(label, to, weight, gain, kind.noisy and rng.random() < 0.4, False, rng.randint(-3, 3))


def _worth(kind: Kind, rng: Random, pool: tuple[float, ...], total: float | None = None) -> tuple[float, ...]:
    """A utility of each player; they add up to the family's sum, or to `total`."""
    total = kind.sum if total is None else total
    values = [rng.choice(pool) for _ in range(kind.players)]
    if kind.sum is not None and kind.players > 1:
        values[-1] = total - sum(values[:-1])  # type: ignore[operator]
    return tuple(values)


def _guess(kind: Kind, rng: Random) -> tuple[float, ...]:
    if kind.guess_known:
        return _worth(kind, rng, kind.guesses)
    return (0.5 * sum(kind.values),) * kind.players


def _relabelled(kind: Kind, rng: Random, graph: Graph) -> Graph:
    """Moves with numbers from anywhere, where the family wants that."""
    if not kind.big:
        return graph
    nodes = []
    for n in graph.nodes:
        labels: set[int] = set()
        while len(labels) < len(n.moves):
            labels.add(rng.choice((rng.randint(0, 9), rng.randint(0, BIG), (1 << 32) * rng.randint(1, 99))))
        nodes.append(replace(n, moves=tuple(replace(e, label=label) for e, label in zip(n.moves, sorted(labels), strict=True))))
    return replace(graph, nodes=tuple(nodes))


def _superko(kind: Kind, rng: Random) -> Graph:
    """Boards between which players move by turns; a pass changes nothing but the turn, two in a row end the game."""
    boards = rng.randint(2, 4)
    worths, guesses = ([_worth(kind, rng, pool) for _ in range(boards)] for pool in (kind.worths, kind.guesses))

    def place(board: int, player: int, passed: int) -> int:
        return 1 + board + boards * (1 + 2 * passed + player)

    turns = {
        (b, p): [rng.choice([c for c in range(boards) if c != b]) for _ in range(rng.randint(0, 2))] for b in range(boards) for p in (0, 1)
    }
    nodes: dict[int, Node] = {}
    for b in range(boards):
        nodes[1 + b] = Node(OVER, (), worths[b], guesses[b], b)
        for p in (0, 1):
            for passed in (0, 1):
                targets = [place(c, 1 - p, 0) for c in turns[b, p]]
                targets.insert(rng.randint(0, len(targets)), 1 + b if passed else place(b, 1 - p, 1))
                moves = tuple(_edge(kind, rng, k, to, p, False) for k, to in enumerate(targets))
                nodes[place(b, p, passed)] = Node(p, moves, worths[b], guesses[b], b)
    nodes[0] = nodes[place(0, rng.randrange(2), 0)]
    return Graph(tuple(nodes[i] for i in range(len(nodes))), rng.getrandbits(63))
