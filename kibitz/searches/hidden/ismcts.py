"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012): one tree for all positions of the belief, whose nodes are information sets.

Every simulation draws a position from the belief and goes down the tree of information sets, so that a move is judged by all positions that look alike to whoever makes it: nobody decides by
what he cannot see. For any game of hidden information, with chance and any number of players.

    observers=multiple  a node is what the player to move knows, of his own cards too (MO-ISMCTS; as in OpenSpiel all of it, since the game began)
    observers=single    a node is what the searching player knows, also where others move, who are then taken to know no more than he (SO-ISMCTS); moves that he cannot tell
                        apart lead to one node

    begin=here          positions are drawn from the belief. Others then play against a player whose cards they seem to have guessed: every simulation deals him those that he has
    begin=start         every simulation begins where the game did, so that others see no more than they do; the way to here must be found again and again. For small games

Not exact, and no equilibrium: UCB1 looks for one best move where it may take a mixture; `play=share` draws the move by the visits instead of making the most visited one.
docs/imperfect.md says what can be won from it. Positions are drawn as if all others had moved at random so far. The tree is kept from move to move until its memory is used up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import SampleLost
from kibitz.core.hidden.informed import InformedBelief, first_knowledge, knowledge_of
from kibitz.core.hidden.view import View, state_array
from kibitz.core.position.game import Position
from kibitz.core.position.result import ESTIMATE, Candidate, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random
from kibitz.core.records.hashing import combine
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT, deadline, supervise, why_to_end
from kibitz.searches.hidden import averaging
from kibitz.searches.hidden.averaging import SEED, STATES, find_belief, unfit
from kibitz.searches.hidden.infoset_tree import NONE, Edge, Node, Trunk, simulate, workspace
from kibitz.searches.mcts.leaf.playout import choose_playout
from kibitz.searches.mcts.plan import Rules
from kibitz.searches.mcts.search import PLAYING
from kibitz.searches.method import STOPPING, Method

MULTIPLE, SINGLE = "multiple", "single"
HERE, START = "here", "start"
EDGES_A_NODE = 3  # edges there is room for, on average
MANY = 1 << 40
FIRST, LONGEST = 0.25, 1.0  # seconds between two results

OPTIONS = (
    Parameter("observers", MULTIPLE, None, None, (MULTIPLE, SINGLE), "whose knowledge defines a node: that of the player to move, or always that of the searching player"),
    Parameter("begin", HERE, None, None, (HERE, START), "where simulations begin: in the positions that are possible, or where the game began"),
    Parameter("play", "most", None, None, ("most", "share"), "the move with the most visits, or one drawn in proportion to visits"),
    Parameter("explore", 1.0, 0.0, 1e6, None, "C: larger values explore rarely tried moves more"),
    Parameter("memory", 64.0, 0.001, 1 << 20, None, "megabytes for the tree; when they are used up it stops growing"),
    *(p for p in PLAYING if p.name not in ("seed", "threads")),
    STATES,
    SEED,
)  # fmt: skip


class Tree(NamedTuple):
    """The memory of a tree."""

    trunk: Any
    nodes: Any
    edges: Any
    table: Any

    @classmethod
    def of(cls, megabytes: float) -> Tree:
        """As many nodes as go into so much memory."""
        room = max(8, int(megabytes * 2**20 / (Node.itemsize + EDGES_A_NODE * Edge.itemsize + 12)))
        return cls(
            blank(Trunk),
            np.zeros(room, Node),
            np.zeros(EDGES_A_NODE * room, Edge),
            np.full(1 << (room - 1).bit_length() + 1, NONE, np.int32),
        )

    @property
    def is_full(self) -> bool:
        return bool(self.trunk.nodes == len(self.nodes) or self.trunk.edges == len(self.edges))


@dataclass
class Memory(averaging.Memory):
    """The tree, besides the belief."""

    tree: Tree | None = None
    kind: tuple[Any, ...] = field(default_factory=tuple)
    searches: int = 0  # each has random numbers of its own


class Roots(NamedTuple):
    """Where simulations begin."""

    states: Any
    knowledge: Any  # [position, player]
    heap: Any  # weights, added up


class Search:
    """One search."""

    def __init__(self, known: View, settings: Mapping[str, Any], engine: str, memory: Memory) -> None:
        if not known.is_own_turn:
            raise InputError(f"it is not the turn of {known.game.side(known.observer)}")
        self.known, self.settings, self.engine = known, settings, engine
        self.began = time.perf_counter()
        self.game, self.single = known.game, settings["observers"] == SINGLE
        self.note, self.here = "", Position(self.game, known.origin[0])
        self.roots = self._roots(memory)
        self.tree = self._tree(memory)
        self.w = self._workspace(memory)
        chosen = choose_playout(self.game, {**settings, "threads": 1})
        rules = Rules(**chosen.rules)
        opposite = self.game.players == 2 and self.game.constants["SUM"] is not None
        self.kernel = self.game.bind(
            simulate,
            {"SINGLE": self.single, "OPPOSITE": opposite, "playout": rules.playout, "playout_move": rules.playout_move, "as_reward": rules.as_reward},
            label="ismcts",
        )  # fmt: skip

    # --- running ---

    def results(self) -> Iterator[Result]:
        """A result now and then, and a last one when a limit is met."""
        settings = self.settings
        if self.roots is None or len(self.known.moves) == 1:
            yield self._answer("decided")
            return
        self.kernel.prepare(self.w, *self.tree, *self.roots)
        self.began = time.perf_counter()
        until, look = deadline(settings["time"] or None), FIRST
        self.w.control.limit = settings["nodes"] or NO_LIMIT
        most = settings["playouts"] or MANY
        while True:
            self.w.most_playouts = most
            left = until - time.perf_counter()
            run = supervise(
                self.kernel,
                self.w,
                *self.tree,
                *self.roots,
                control=self.w.control,
                seconds=look if math.isinf(left) else max(0.0, min(look, left)),
            )
            is_spent = bool(settings["nodes"] and self.w.control.nodes >= settings["nodes"])
            ended = why_to_end(run.interrupted, until, playouts=self.w.playouts >= most, nodes=is_spent)
            yield self._answer(ended)
            if ended:
                return
            self.w.control.limit = settings["nodes"] or NO_LIMIT
            look = min(LONGEST, 2 * look)

    def _roots(self, memory: Memory) -> Roots | None:
        """Where simulations begin; None where no position is known that agrees with what was heard."""
        game, players = self.known.game, self.game.players
        first = [int(first_knowledge(p)) for p in range(players)]
        if self.settings["begin"] == START:
            belief, _ = find_belief(self.known, self.settings["states"], self.settings["seed"], memory)
            self.here = belief.position(0) if belief is not None else self.here
            states = state_array(game, self.known.origin)
            return Roots(states, np.array([first] * len(states), np.uint64), np.cumsum(np.full(len(states), 1.0 / len(states))))
        if self.single:
            belief, self.note = find_belief(self.known, self.settings["states"], self.settings["seed"], memory)
            if belief is None:
                return None
            self.note, self.here = averaging.describe_size(belief), belief.position(0)
            known = np.zeros((belief.size, players), np.uint64)
            known[:, self.known.observer] = self.knowledge
            return Roots(belief.states, known, np.cumsum(belief.weights))
        informed = self._informed(memory)
        if informed is None:
            return None
        self.note = (
            f"{informed.size} positions, with what the others know there, {'possible' if informed.complete else 'kept of those possible'}"
        )
        states = informed.states
        self.here = Position(game, states[0].tobytes())
        return Roots(states, np.ascontiguousarray(informed.possible["knowledge"]), np.cumsum(informed.weights))

    def _tree(self, memory: Memory) -> Tree:
        """The one that is kept, unless it is full or of something else."""
        kind = (
            self.game,
            self.known.origin,
            self.settings["memory"],
            self.single and self.known.observer,
            self.settings["begin"],
            self.settings["reward"],
        )
        if memory.tree is None or memory.kind != kind or memory.tree.is_full:
            memory.tree, memory.kind = Tree.of(self.settings["memory"]), kind
        return memory.tree

    def _workspace(self, memory: Memory) -> Any:
        w = blank(workspace(self.game.constants))
        w.observer, w.explore = self.known.observer, self.settings["explore"]
        w.epsilon, w.cutoff = self.settings["epsilon"], self.settings["cutoff"]
        w.rng = random.seeded(self.settings["seed"], len(self.known.events) + (memory.searches << 20))
        memory.searches += 1
        return w

    # --- what it found ---

    @property
    def knowledge(self) -> int:
        """The number of what the player knows."""
        return knowledge_of(self.known.observer, self.known.events)

    def _edges(self) -> dict[int, Any]:
        """Those of the player's information set, by their moves."""
        with np.errstate(over="ignore"):
            key = combine(np.uint64(self.knowledge), np.uint64(self.known.observer))
        slot, mask = int(key) & 0x7FFFFFFFFFFFFFFF & (len(self.tree.table) - 1), len(self.tree.table) - 1
        while (at := int(self.tree.table[slot])) != NONE and self.tree.nodes[at].key != key:
            slot = (slot + 1) & mask
        found: dict[int, Any] = {}
        e = NONE if at == NONE else int(self.tree.nodes[at].first)
        while e != NONE:
            found[int(self.tree.edges[e].move)] = self.tree.edges[e]
            e = int(self.tree.edges[e].following)
        return found

    def _answer(self, ended: str) -> Result:
        edges, moves = self._edges(), self.known.moves
        rows = []
        for i, move in enumerate(moves):
            x: Any = edges.get(int(move))
            visits = int(x.visits) if x is not None else 0
            mean = float(x.total) / visits if visits else math.nan
            spread = math.sqrt(max(0.0, float(x.square) / visits - mean * mean)) if visits else math.nan
            rows.append((visits, mean, spread, i))
        rows.sort(key=lambda row: (-row[0], -row[1] if row[0] else 0.0, row[3]))
        chosen = rows[self._draw([row[0] for row in rows])]
        table = tuple(
            Candidate(self.here, (int(moves[i]),), visits, self._value(mean), spread * self._width, ESTIMATE)
            for visits, mean, spread, i in rows
        )
        move = moves[chosen[3]]
        return Result(
            position=self.here,
            engine=self.engine,
            move=move,
            value=self._value(chosen[1]),
            bound=ESTIMATE,
            line=(move,),
            depth=int(self.w.deepest),
            nodes=int(self.w.control.nodes),
            seconds=time.perf_counter() - self.began,
            ended=ended,
            playouts=int(self.w.playouts),
            table=table if any(row[0] for row in rows) else (),
            note=self.note,
            full=int(self.tree.trunk.nodes) / len(self.tree.nodes),
        )

    def _draw(self, visits: list[int]) -> int:
        """The place of the move to make."""
        rng = random.seeded(self.settings["seed"], len(self.known.events) + (1 << 40))
        with np.errstate(over="ignore"):
            if not any(visits):
                return int(random.below(rng, len(visits)))
            return int(random.by_weight(visits, len(visits), rng)) if self.settings["play"] == "share" else 0

    @property
    def _width(self) -> float:
        low, high = self.game.constants["VALUES"]
        return float(high - low)

    def _value(self, mean: float) -> float:
        """A mean reward as a value of the game; the middle where nothing is known."""
        low = float(self.game.constants["VALUES"][0])
        return low + self._width * (0.5 if math.isnan(mean) else mean)

    def _informed(self, memory: Memory) -> InformedBelief | None:
        """All that is possible and who knows what, from the last move's where that is remembered."""
        settings, known = self.settings, self.known
        kept: InformedBelief | None = memory.others.get("informed")
        for again in range(averaging.AGAIN + 1):
            try:
                if kept is not None and averaging.is_earlier(kept, known):
                    found = kept.following(known.events[len(kept.events) :])
                else:
                    found = InformedBelief.of(known, settings["states"] << (2 * again), settings["seed"] + again)
                memory.others["informed"] = found
                return found
            except SampleLost:
                kept = None
        memory.others.pop("informed", None)
        self.note = f"no position was found that agrees with all that was heard, in a sample of {settings['states'] << (2 * averaging.AGAIN)}: any move"
        return None


def run(known: View, settings: Mapping[str, Any], engine: str, memory: Memory | None = None) -> Iterator[Result]:
    """Results while the tree grows; see the module's docstring."""
    return Search(known, settings, engine, memory or Memory()).results()


ABOUT = "Monte Carlo tree search over information sets (ISMCTS); for games of hidden information"
METHOD = Method("ismcts", ABOUT, OPTIONS, unfit, run, STOPPING, Memory, views=True)
