"""The tree of a real search: what the engine visited, as text, as a picture, as data."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, UPPER, Result
from kibitz.core.protocol.rules import CHANCE
from kibitz.pictures import outline, trace_tree
from kibitz.pictures.display import Display
from kibitz.pictures.proof_tree import ProofTree, trace_proof
from kibitz.pictures.simulation_tree import USUAL_PLAYOUTS, MonteCarloTree
from kibitz.pictures.tree_excerpt import DRAWN, LISTED, fold_tree
from kibitz.pictures.tree_svg import draw
from kibitz.pictures.words import Words
from kibitz.players import Player, player
from kibitz.searches import trace
from kibitz.searches.mcts.report.last_simulation import Steps
from kibitz.searches.method import taken_apart
from kibitz.searches.proof import growth

MOST_ROOM = 1_000_000  # visits
BOUNDS = {trace_tree.EXACT: EXACT, trace_tree.AT_LEAST: LOWER, trace_tree.AT_MOST: UPPER}


@dataclass(frozen=True, repr=False)
class SearchTree(Display):
    """What a search visited at the deepest depth it finished. Shows itself in a notebook; prints as text."""

    drawn: ClassVar[int] = DRAWN
    listed: ClassVar[int] = LISTED
    counted: ClassVar[str] = "node"
    result: Result
    recorder: trace.Recorder
    root: trace_tree.Node

    @property
    def position(self) -> Position:
        return self.result.position

    @property
    def headline(self) -> str:
        """Game, player, answer, and how much of the search is in the tree."""
        found = self.recorder
        whose = "values" if self._words.vectors else "value"
        whom = "" if self._words.vectors else " for MAX"
        answer = f"move {self.result.move}, {whose} {self._words.value(self.root)}{whom}" if found.finished else "unfinished"
        return f"{self.position.game.label}: {self.result.engine}: {answer}; depth {self._depth}, {found.nodes} nodes"

    @property
    def _depth(self) -> int:
        """How deep it searched; where every line ended before the horizon, how deep they were."""
        if self.recorder.lost or any(visit.how == trace.EVALUATED for node in self.root.walk() for visit in node.visits):
            return self.recorder.depth
        return min(self.recorder.depth, _height(self.root))

    @property
    def remark(self) -> str:
        """What the tree lacks, and what the search says of itself; empty where it is whole."""
        if not self.recorder.lost:
            return self.result.note
        recorded, deepest = len(self.recorder.events), self.recorder.deepest
        what = f"the first {recorded}" if deepest is None else f"{deepest} {'ply is' if deepest == 1 else 'plies are'} recorded, {recorded}"
        return f"only {what} of {recorded + self.recorder.lost} visits; search less deep, or give more room"

    def _picture(self, size: int) -> str:
        """What is not shown folds into stubs, the best line stays open."""
        return draw(fold_tree(self.root, size), self._words, [self.headline, self.remark])

    def as_dict(self) -> dict[str, Any]:
        """The whole trace, for `--json`: every visit in the order in which it began, windows and values those of MAX, or each mover's own beside everybody's.

        A won or lost value is the game's utility, with the ply at which the game ends as its `distance`; the ends of windows have theirs beside them. `bound` is what the value
        says of the one that a search of this depth has.
        """
        found = self.recorder
        of_node = {visit.number: (node, visit) for node in self.root.walk() for visit in node.visits}
        answer = {
            k: v
            for k, v in self.result.as_dict().items()
            if k in ("game", "position", "engine", "move", "value", "values", "bound", "distance", "line")
        }
        how_much = {"depth": found.depth, "nodes": found.nodes, "finished": found.finished, "lost": found.lost}
        return {**answer, **how_much, "visits": [_describe(*of_node[number], self._words) for number in sorted(of_node)]}

    @property
    def _words(self) -> Words:
        return Words(self.position.game, self.recorder.step, self.recorder.hero, self.recorder.passes, self.recorder.vectors is not None)

    def _lines(self, size: int) -> list[outline.Line]:
        lines = outline.outline(fold_tree(self.root, size, apart=False), self._words)
        said = [[(remark, "bold red")] for remark in (self.remark,) if remark]
        return [[(self.headline, "bold")], *said, *lines, outline.legend(lines, self.recorder.hero)]


def tree(
    position: Position, search: str | Player = "alphabeta", *, room: int = trace.MOST, **options: Any
) -> SearchTree | MonteCarloTree | ProofTree:
    """The tree that a search visits: `tree(p, "negascout(depth=3)")`; of a Monte Carlo search, its tree with the last simulation; of
    `pn` and `pn2`, proof and disproof numbers.

    Of several depths the deepest one finished is kept. Without a limit, the search goes as deep as `room` nodes allow; with one, it may visit more
    nodes than there is room for in the trace, and the tree says so.
    """
    if isinstance(search, str) and (of_proof := proof_search(search)) is not None:
        return trace_proof(position, of_proof[0], {**of_proof[1], **options}, check_room(room))
    chosen = player(search) if isinstance(search, str) else search
    if options:
        chosen = chosen.limited(**options)
    return trace_search(position, chosen, room)


def trace_search(
    position: Position, search: Player, room: int = trace.MOST, watch: Callable[[Result], None] | None = None
) -> SearchTree | MonteCarloTree:
    """`tree`, with a function that sees each result on the way."""
    check_room(room)
    search.check(position.game)
    if search.method.views:
        raise InputError(
            f"{search.method.name} searches beliefs, not a tree of positions; kibitz search {position.game.name} shows what it found"
        )
    if (known := search.from_book(position)) is not None:
        raise InputError(f"{search.name} plays {known.move} from its book and visits nothing; leave the book out to see a tree")
    if any(p.name == "playouts" for p in search.method.limits):
        return _trace_simulations(position, search, room, watch)
    recorder = trace.Recorder(room)
    settings = search.settings
    for result in search.run(position, {"nodes": room}, trace=recorder):
        last = result
        if not len(recorder.events):
            raise InputError(f"{search.method.name} leaves no trace that could be drawn; ask for another search, such as alphabeta")
        if watch is not None:
            watch(result)
    root = trace_tree.build_tree(position, recorder, (settings["sample"], settings["seed"]) if settings.get("sample") else None)
    if recorder.finished:
        trace_tree.mark_line(root, last.line)
    return SearchTree(last, recorder, root)


def proof_search(text: str) -> tuple[str, dict[str, Any]] | None:
    """The name and the options of a proof-number search as it is written, such as `pn(goal=win)`; None where `text` is another search."""
    name, given = taken_apart(text)
    return None if growth.method_of(name) is None else (name, given)


def check_room(room: int) -> int:
    if not 1 <= room <= MOST_ROOM:
        raise InputError(f"room={room}: it must be a number of visits from 1 to {MOST_ROOM}")
    return room


def _trace_simulations(position: Position, search: Player, room: int, watch: Callable[[Result], None] | None) -> MonteCarloTree:
    """`watched` for searches that grow a tree simulation by simulation."""
    steps = Steps(room)
    for result in search.run(position, {"playouts": USUAL_PLAYOUTS}, trace=steps):
        last = result
        if watch is not None:
            watch(result)
    return MonteCarloTree(last, steps)


def _height(root: trace_tree.Node) -> int:
    """Plies of the longest line that was visited."""
    height, level = 0, list(root.children.values())
    while level:
        height, level = height + 1, [child for node in level for child in node.children.values()]
    return height


def _describe(node: trace_tree.Node, visit: trace_tree.Visit, words: Words) -> dict[str, Any]:
    mover = "chance" if node.mover == CHANCE else node.mover if node.mover >= 0 else None
    value, distance = words.split_distance(visit.value)
    window = (visit.low, visit.high) if visit.has_window else None
    running = None if math.isnan(visit.least) else (visit.least, visit.most)
    return {
        "visit": visit.number,
        "parent": visit.parent if visit.parent >= 0 else None,
        "move": node.name or None,
        "player": mover,
        "depth": visit.depth,
        "window": _between(window, words),
        "window_distances": _distances(window, words),
        "value": _finite(value),
        **({"values": list(visit.vector)} if visit.vector and visit.relation == trace_tree.EXACT else {}),
        "distance": distance,
        "bound": None if visit.is_open else ESTIMATE if visit.how == trace.FORETOLD else BOUNDS[visit.relation],
        "ended": trace.ENDINGS[visit.how],
        "nodes": None if visit.nodes == trace.UNCOUNTED else visit.nodes,
        "running": _between(running, words),
        "running_distances": _distances(running, words),
        "best": node.best,
    }


def _between(ends: tuple[float, float] | None, words: Words) -> list[float | None] | None:
    """The ends of a window as the game counts; None for one that is open."""
    return None if ends is None else [_finite(words.split_distance(end)[0]) for end in ends]


def _distances(ends: tuple[float, float] | None, words: Words) -> list[int | None] | None:
    """The plies to the end of the game that the ends of a window carry."""
    return None if ends is None else [words.split_distance(end)[1] for end in ends]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
