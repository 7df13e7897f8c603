"""Can a player force a goal, whichever position of a belief is the true one? The question asked for one own move, two, three, ..., and the strategy where the answer is yes.

Kernels run until their arrays are too short, or a limit is met; then the arrays grow and the kernel goes on with all that it has found out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief
from kibitz.core.position.game import Game
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, deadline, supervise
from kibitz.searches.belief import beliefs, memory, positions, sure
from kibitz.searches.belief.positions import OWN, Memory
from kibitz.searches.belief.seeing import LOST, OPEN, WON
from kibitz.tables.proof import percept_replay
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, WIN
from kibitz.tables.proof.percept_strategy import WAIT, Branch, Node, PerceptStrategy, SureClaim

USUAL_MEMORY = 512.0  # MB
AT_ONCE = 2000  # nodes, or so, without a thread of their own, which takes longer to start
MOST_MOVES = 1000  # of the player's own that are ever asked for

Watch = Callable[[int, int, int], None]  # own moves asked for, nodes, beliefs known


@dataclass(frozen=True)
class Guarantee:
    """The answer. PROVEN: sure within `moves` own moves, and within no fewer. DISPROVEN: not within as many as were asked for. UNKNOWN: not within `moves`, and more was not finished."""

    claim: SureClaim
    verdict: str
    moves: int
    never: bool  # not with any number of moves: the game lasts no longer
    ended: str  # solved, moves, nodes, time, memory or interrupted
    nodes: int
    beliefs: int
    positions: int
    megabytes: float
    seconds: float
    strategy: PerceptStrategy | None = None

    def __str__(self) -> str:
        if self.verdict == PROVEN:
            return self.claim.as_words(self.moves)
        if self.never:
            return self.claim.as_words(self.moves).replace(" can ", " cannot ").partition(" within")[0]
        return self.claim.as_words(self.moves).replace(" can ", " cannot ") if self.moves else "nothing is known yet"

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "game": self.claim.game.label, "player": self.claim.player + 1, "goal": self.claim.goal, "verdict": self.verdict, "moves": self.moves,
            "never": self.never, "ended": self.ended, "nodes": self.nodes, "beliefs": self.beliefs, "positions": self.positions, "seconds": self.seconds,
            **({} if self.strategy is None else {"places": self.strategy.places, "plies": self.strategy.plies, "strategy": len(self.strategy.nodes)}),
        }  # fmt: skip


def prepare(belief: Belief, seeing: bool = True, dominance: bool = True) -> None:
    """Compile all that `asked` needs."""
    seeker = Seeker(belief.game, belief.observer, 0.0, seeing=seeing, dominance=dominance)
    seeker.prepare(seeker.node(belief.states[:1]))
    percept_replay.prepare(belief.game)


class OutOfMemory(Exception):
    """The arrays are as large as they may get."""


class Seeker:
    """Everything that is found out about the beliefs of one player with one goal; asked about one belief after another."""

    def __init__(self, game: Game, player: int, goal: float, megabytes: float = USUAL_MEMORY, seeing: bool = True, dominance: bool = True):
        self.game, self.most = game, megabytes
        self.rooms = dict(memory.FIRST)
        widest = max(game.constants["MAX_MOVES"], game.constants["MAX_OUTCOMES"])
        self.rooms["steps"] = max(self.rooms["steps"], 2 * widest)
        self.m: Memory = memory.allocate(game, self.rooms)
        self.w = blank(record(**sure.fields(game.constants)))
        self.w.observer, self.w.goal, self.w.control.limit = player, goal, NO_LIMIT
        self._put = game.bind(beliefs.put, label="beliefs")
        self._ask = game.bind(sure.is_sure, {"SEEING": seeing, "DOMINANCE": dominance}, label="belief search")
        self._index = game.bind(memory.note, label="beliefs")
        self.interrupted = False

    def prepare(self, node: int) -> None:
        """Compile, so that no clock runs meanwhile."""
        self._ask.prepare(self.w, self.m, node, 1)

    def node(self, states: Any) -> int:
        """The number of the belief of these positions."""
        while True:
            number = int(self._put(self.w, self.m, states))
            if number >= 0:
                return number
            self._grow()

    def ask(
        self, node: int, moves: int, seconds: float | None = None, nodes: int = NO_LIMIT, watch: Callable[[float], None] | None = None
    ) -> int:
        """Is the belief won for certain within this number of own moves? WON, LOST, or OPEN where a limit was met; raises OutOfMemory."""
        until, self.interrupted = deadline(seconds), False
        while True:
            self.w.control.limit = min(nodes, int(self.w.control.nodes) + AT_ONCE)
            answer = int(self._ask(self.w, self.m, node, moves))
            if answer == OPEN and self.w.short == positions.ENOUGH and self.w.control.limit < nodes:
                left, self.w.control.limit = None if seconds is None else max(0.0, until - time.perf_counter()), nodes
                run = supervise(self._ask, self.w, self.m, node, moves, control=self.w.control, seconds=left, watch=watch)
                answer, self.interrupted = int(run.result), run.interrupted
            if answer != OPEN or self.w.short == positions.ENOUGH or self.interrupted:
                return answer
            if math.isfinite(until) and time.perf_counter() >= until:
                return OPEN
            self._grow()

    def _grow(self) -> None:
        """Make room where it was short."""
        rooms = dict(self.rooms)
        rooms[memory.SHORT[int(self.w.short)]] *= memory.GROWTH
        if memory.megabytes(self.game, rooms) > self.most:
            raise OutOfMemory
        self.m, self.rooms = memory.allocate(self.game, rooms, self.m), rooms
        self._index(self.w, self.m)

    @property
    def megabytes(self) -> float:
        return memory.megabytes(self.game, self.rooms)

    # --- strategies ---

    def best(self, node: int) -> int:
        """The move that makes sure of the goal at a belief that is known to be won, where it is the player's turn."""
        entry = self.m.nodes[self.widest(node)]
        return self._move(entry, int(entry["best"]))

    def widest(self, node: int) -> int:
        """The belief, this one or one that holds all of it, whose strategy is followed here."""
        while (whole := int(self.m.nodes[node]["whole_"])) >= 0:
            node = whole
        return node

    def strategy(self, root: int) -> tuple[Any, Any]:
        """Nodes and branches of a strategy for a belief that is known to be won."""
        places, waiting = {self.widest(root): 0}, [self.widest(root)]
        nodes: list[tuple[int, int, int]] = []
        branches: list[tuple[int, int]] = []
        for node in waiting:  # which grows meanwhile
            entry, first = self.m.nodes[node], len(branches)
            for branch in self._followed(entry):
                to = node if branch["stay"] else self.widest(int(branch["to"]))
                if to not in places:
                    places[to] = len(places)
                    waiting.append(to)
                branches.append((int(branch["percept"]), places[to]))
            own = int(entry["who"]) == OWN
            nodes.append((self._move(entry, int(entry["best"])) if own else WAIT, first, len(branches) - first))
        return np.array(nodes, _plain(Node)).astype(Node), np.array(branches, _plain(Branch)).astype(Branch)

    def _followed(self, entry: Any) -> list[Any]:
        """The branches of the best move; where others move, all."""
        first, count = int(entry["branch"]), max(0, int(entry["branches"]))
        listed = [self.m.branches[i] for i in range(first, first + count)]
        return [b for b in listed if int(entry["who"]) != OWN or int(b["move"]) == int(entry["best"])]

    def _move(self, entry: Any, place: int) -> int:
        state = self.m.states[int(self.m.members[int(entry["first"])])].tobytes()
        return int(beliefs.numbers(self.game, state)[place])


def _plain(kind: Any) -> Any:
    """A record's fields without what makes it one of ours: arrays are made of tuples faster."""
    return [(name, kind[name]) for name in kind.names]


def guaranteed(
    belief: Belief, goal: str = WIN, within: int = 0, *, time_limit: float | None = None, nodes: int = 0, megabytes: float = USUAL_MEMORY,
    seeing: bool = True, dominance: bool = True, watch: Watch | None = None,
) -> Guarantee:  # fmt: skip
    """The last of `asked`."""
    *_, last = asked(
        belief, goal, within, time_limit=time_limit, nodes=nodes, megabytes=megabytes, seeing=seeing, dominance=dominance, watch=watch
    )
    return last


def asked(
    belief: Belief, goal: str = WIN, within: int = 0, *, time_limit: float | None = None, nodes: int = 0, megabytes: float = USUAL_MEMORY,
    seeing: bool = True, dominance: bool = True, watch: Watch | None = None,
) -> Iterator[Guarantee]:  # fmt: skip
    """What is known after each number of own moves; the last one is the answer, its strategy checked by the rules."""
    claim, game = SureClaim.of(belief, goal), belief.game
    if not 0 <= within <= MOST_MOVES:
        raise InputError(f"within {within} moves: write a whole number up to {MOST_MOVES}, or 0 for any number")
    if belief.known.is_over:
        raise InputError("the game is over in these positions; there is nothing left to make sure of")
    longest = int(game.constants["MAX_PLIES"])
    most, began = min(within or MOST_MOVES, longest), time.perf_counter()
    seeker = Seeker(game, belief.observer, claim.threshold, megabytes, seeing, dominance)
    shown = 0

    def report(verdict: str, ended: str, strategy: PerceptStrategy | None = None) -> Guarantee:
        w = seeker.w
        return Guarantee(
            claim, verdict, shown, verdict == DISPROVEN and shown >= longest, ended, int(w.control.nodes), int(w.nodes), int(w.positions),
            seeker.megabytes, time.perf_counter() - began, strategy,
        )  # fmt: skip

    try:
        root = seeker.node(belief.states)
        seeker.prepare(root)
        began = time.perf_counter()
        for moves in range(1, most + 1):
            left = None if time_limit is None else time_limit - (time.perf_counter() - began)
            answer = seeker.ask(
                root,
                moves,
                left,
                nodes or NO_LIMIT,
                watch and (lambda _, moves=moves: watch(moves, int(seeker.w.control.nodes), int(seeker.w.nodes))),
            )
            if answer == OPEN:
                ended = "interrupted" if seeker.interrupted else "nodes" if nodes and seeker.w.control.nodes >= nodes else "time"
                yield report(UNKNOWN, ended)
                return
            shown = moves
            if answer == WON:
                strategy = percept_replay.replayed(PerceptStrategy(claim, *seeker.strategy(root), 0, 0, 0))
                yield report(PROVEN, "solved", strategy)
                return
            assert answer == LOST
            ended = "solved" if moves >= longest else "moves" if moves == most else ""
            yield report(DISPROVEN if ended else UNKNOWN, ended)
    except OutOfMemory:
        yield report(UNKNOWN, "memory")
