"""`prove`: is a claim about a position true? With the strategy that shows it, or the refutation of every try.

In games without repetition a settled question stays settled. If positions can repeat, the result may depend on the path
(graph-history interaction), and a table that ignores this proves false claims. There only questions with a limit of plies are asked: "within N
plies", N = 1, 2, 3, ... until the claim is proven. The plies left are part of a position's key, so no line comes back to a key. Then the strategy is
walked through with the game's own rule on repetition, and what that spoils is not called proven. So a claim of a bounded length is answered either way;
an unbounded one is proven, or disproven where no line went on to the end of the plies, or unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.drawing import notebook
from kibitz.core.errors import InputError, nearest
from kibitz.core.position.game import Game, Position
from kibitz.core.position.readable import rough
from kibitz.core.records.hashing import combine
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, supervise
from kibitz.core.running.team import Controls, Team
from kibitz.searches.proof import dfpn, memory, numbers, pn, strategy
from kibitz.searches.proof.saved_proof import SavedProof, Standing
from kibitz.tables.endgame import lookup
from kibitz.tables.proof import leaves
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, WIN, Claim, claimed
from kibitz.tables.proof.file import CHOICE, Strategy, check_text
from kibitz.tables.proof.leaves import Rests, resting_on

LEAVES = ("one", "moves", "game")
USUAL_MEMORY = 64.0  # megabytes
MOST_THREADS = 256
METHODS = ("dfpn", "pn", "pn2")

Watch = Callable[[int, int, int, float], None]  # called with the root's numbers, positions visited and megabytes in use


@dataclass(frozen=True)
class Settings:
    """How a question is searched."""

    method: str = "dfpn"
    memory: float = USUAL_MEMORY  # megabytes for the table or the tree
    leaf: str = "one"  # what an unsettled leaf costs: one, its moves, or what the game says
    order: bool = False  # the game's promising moves first?
    symmetry: bool = False  # one entry for positions that the game says are the same?
    tables: str = ""  # folder of endgame tables, which settle the positions that they hold
    bounds: bool = False  # do the game's own bounds (best_case) settle positions?
    expand: bool = False  # is the strategy to do without both?
    threads: int = 1  # of df-pn; more than one: nodes, and the strategy, differ from run to run
    time: float | None = None
    nodes: int = 0
    resume: str = ""  # a file to keep the table in, and to go on from if it is there
    saving: float = 300.0  # seconds between two savings

    def __post_init__(self) -> None:
        if self.leaf not in LEAVES:
            raise InputError(f"leaf={self.leaf}: {nearest(self.leaf, LEAVES, 'what a leaf may cost')}")
        if not 0.001 <= self.memory <= 1 << 20:
            raise InputError(f"memory={self.memory:g}: write megabytes from 0.001 to {1 << 20}")
        if self.method not in METHODS:
            raise InputError(f"unknown method '{self.method}'; {nearest(self.method, METHODS, 'methods')}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise InputError(f"threads={self.threads}: write a whole number from 1 to {MOST_THREADS}")
        if self.threads > 1 and self.method != "dfpn":
            raise InputError(f"threads={self.threads}: {self.method} searches with one thread; dfpn shares its table among several")
        if self.resume and self.method != "dfpn":
            raise InputError(f"resume={self.resume}: it is the table of dfpn that is kept, and {self.method} has a tree")


@dataclass(frozen=True)
class Proof:
    """The answer to a claim, and what it took."""

    claim: Claim
    verdict: str  # PROVEN, DISPROVEN or UNKNOWN
    proof: int  # the root's numbers at the end
    disproof: int
    nodes: int  # positions visited
    seconds: float
    megabytes: float  # of the memory that is in use
    ended: str  # solved, or what came first: time, nodes, memory, interrupted, repetition, length
    strategy: Strategy | None = None  # where it was asked for, or needed

    def __str__(self) -> str:
        return self.claim.as_words(self.verdict)

    def _repr_html_(self) -> str:
        position, took = self.claim.position, f"{rough(self.nodes)} positions, {self.seconds:.2f} s, {self.megabytes:.1f} MB; {self.ended}"
        return notebook.beside(
            position.draw() or notebook.verbatim(position.show()), notebook.said(str(self), bold=True), notebook.said(took, dim=True)
        )

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        position = self.claim.position
        return {
            "game": position.game.label,
            "position": position.show(),
            "player": self.claim.player + 1,
            "goal": self.claim.goal,
            "within": self.claim.within,
            "verdict": self.verdict,
            "proof": _number(self.proof),
            "disproof": _number(self.disproof),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "megabytes": round(self.megabytes, 3),
            "ended": self.ended,
            **({"positions": self.strategy.positions, "longest": self.strategy.longest} if self.strategy else {}),
            **({"rests": self.strategy.rests} if self.strategy and self.strategy.rests else {}),
        }


def prove(
    position: Position,
    goal: str = WIN,
    player: int | None = None,
    *,
    within: int = 0,
    shortest: bool = False,
    with_strategy: bool = False,
    watch: Watch | None = None,
    **settings: Any,
) -> Proof:
    """Is it true that `player` (0 or 1; else whoever is to move) reaches the goal, whatever the other does?

    Goals are "win", "not lose" and "value >= v"; `within` plies where that is said; `shortest` finds the least number of plies. `with_strategy` asks for the
    moves that show the answer. Settings are those of `Settings`: the method (dfpn, pn, pn2), its memory in megabytes, limits.
    """
    return proven(claimed(position, goal, player, within), Settings(**settings), shortest, with_strategy, watch)


def proven(claim: Claim, settings: Settings, shortest: bool = False, wants_strategy: bool = False, watch: Watch | None = None) -> Proof:
    """`prove` for a claim."""
    if wants_strategy:
        check_text(claim.position)
    asking = Asking(claim, settings, watch, shortest)
    answer = answered(asking, claim, shortest, wants_strategy)
    asking.save()
    return answer


def answered(asking: Asking, claim: Claim, shortest: bool = False, wants_strategy: bool = False) -> Proof:
    """The answer to a claim about the position that `asking` is about."""
    position = claim.position
    if position.is_over:
        verdict = PROVEN if position.utility(claim.player) >= claim.threshold else DISPROVEN
        nothing = Strategy(claim, verdict, np.zeros(0, CHOICE), 0, 0)
        return Proof(claim, verdict, *_settled(verdict), 0, 0.0, 0.0, "solved", nothing)
    if shortest or (position.game.repeats and not claim.bound):
        return _deepened(asking, claim, wants_strategy)
    answer = asking.ask(claim)
    return asking.shown(answer) if wants_strategy or position.game.repeats else answer


def _deepened(asking: Asking, claim: Claim, wants_strategy: bool) -> Proof:
    """The claim within 1, 2, 3, ... plies, until that is proven, or no line is longer."""
    repeats = claim.position.game.repeats
    last = claim.bound or numbers.plies(claim.position.game.constants)
    for within in range(max(1, asking.standing.within), last + 1):
        limited = replace(claim, within=within)
        answer = asking.ask(limited)
        if answer.verdict == DISPROVEN and asking.horizons == 0 and asking.table is not None and asking.clean_from != within:
            asking.forget(within)  # an entry of an earlier question may stand for lines that went on to the end of the plies
            answer = asking.ask(limited)
        if answer.verdict == UNKNOWN:
            return replace(answer, claim=claim)
        if answer.verdict == PROVEN:
            return asking.shown(answer) if wants_strategy or repeats else answer
        if asking.horizons == 0:
            break
    whole = replace(answer, claim=claim)
    if asking.horizons == 0 or claim.bound:
        return asking.shown(whole) if wants_strategy or repeats else whole
    return replace(whole, verdict=UNKNOWN, ended="length")


class Asking:
    """Claims about one position, asked one after another; the table lasts from one question to the next."""

    def __init__(self, claim: Claim, settings: Settings, watch: Watch | None, shortest: bool = False) -> None:
        self.settings, self.watch = settings, watch
        constants = claim.position.game.constants
        depth_first = settings.method == "dfpn"
        self.rests = resting_on(claim.position, settings.tables, settings.bounds)
        self.team = [blank(_workspace(claim.position.game, depth_first, self.rests)) for _ in range(settings.threads)]
        for w in self.team:
            lookup.attach(self.rests.inside, w, claim.position)
        self.w = self.team[0]
        self.table = memory.allocated(settings.memory) if depth_first else None
        second = settings.memory / 2 if settings.method == "pn2" else 0.0
        self.trees: tuple[Any, ...] = (
            () if depth_first else (pn.allocated(constants, settings.memory - second), pn.allocated(constants, second))
        )
        self.nodes, self.seconds, self.horizons = 0, 0.0, 0
        self.saved = self._saved(claim, shortest) if settings.resume and not claim.position.is_over else None
        self.standing = self.saved.standing if self.saved else Standing()  # of the search that this one goes on from
        self.w.used, self.forgotten, self.clean_from = self.standing.used, self.standing.forgotten, self.standing.clean_from
        self.cut_off = self.standing.horizons  # lines, before the first question that is asked
        self.within, self.running, self.unsaved = self.standing.within, 0, False  # `running`: nodes of a question that is being asked

    def _saved(self, claim: Claim, shortest: bool) -> SavedProof:
        """The file to go on from. The kernel is the same for all questions that the claim leads to, and however many threads ask."""
        position = claim.position
        within = 1 if shortest or position.game.repeats else claim.within
        kernel = position.game.bind(dfpn.search, self.constants(replace(claim, within=claim.within or within)), label="dfpn")
        rests = repr((shortest, self.rests.tables))
        return SavedProof(self.settings.resume, claim, kernel.digest, rests, self.table)

    def forget(self, within: int) -> None:
        """From here on, and from the question `within` plies on, ask as if the table were empty: its entries have other keys."""
        self.forgotten, self.clean_from = self.forgotten + 1, within

    def constants(self, claim: Claim) -> dict[str, Any]:
        s = self.settings
        return {
            "BOUNDED": claim.bound > 0,
            "BANKED": claim.position.game.defines("banked"),
            "SYMMETRY": s.symmetry and claim.position.game.defines("canonical"),
            "ORDER": s.order and claim.position.game.defines("order"),
            "BY_MOVES": s.leaf == "moves",
            "BY_GAME": s.leaf == "game",
            "THREADS": False,
            **self.rests.flags(),
        }

    def prepare(self, w: Any, claim: Claim) -> None:
        """Put the question to a workspace."""
        w.player, w.threshold = claim.player, claim.threshold
        w.within = claim.bound or numbers.plies(claim.position.game.constants)
        w.salt = combine(combine(np.uint64(claim.player), np.float64(claim.threshold).view(np.uint64)), np.uint64(claim.bound > 0))
        if self.forgotten:
            w.salt = combine(w.salt, np.uint64(self.forgotten))
        w.horizons = 0

    def left(self) -> tuple[int, float | None]:
        """What is left of the limits: the count of nodes at which to stop, and seconds."""
        s = self.settings
        return s.nodes or NO_LIMIT, None if s.time is None else max(0.0, s.time - self.seconds)

    def ask(self, claim: Claim) -> Proof:
        """Search for the answer to one claim."""
        w, game = self.w, claim.position.game
        limit, seconds = self.left()
        before, self.cut_off, self.unsaved, self.within = self.cut_off, 0, True, claim.within
        for worker in self.team:
            with np.errstate(over="ignore"):
                self.prepare(worker, claim)
            worker.states[0] = claim.position.state
            worker.control.nodes, worker.control.limit = 0, max(0, -(-(limit - self.nodes) // len(self.team)))
            worker.root_proof = worker.root_disproof = 1
        control = Controls(self.team)
        if self.table is not None:
            memory.attach(w, self.table)
            kernel = game.bind(dfpn.search, {**self.constants(claim), "THREADS": len(self.team) > 1}, label="dfpn")
            calls = [(worker, self.table) for worker in self.team]
            for worker in self.team[1:]:
                worker.shift = w.shift
            interrupted = self._run(Team(kernel, calls, control), control, before)
        else:
            w.used, w.most_expanded = 0, NO_LIMIT
            squared = {"SQUARED": self.settings.method == "pn2", "BOTH": True}
            kernel = game.bind(pn.search, {**self.constants(claim), **squared}, label=self.settings.method)
            run = supervise(kernel, w, *self.trees, control=control, seconds=seconds, watch=self._watch())
            self.seconds, interrupted, self.horizons = self.seconds + run.seconds, run.interrupted, int(w.horizons)
        self.nodes, self.running = self.nodes + control.nodes, 0
        return self._answer(claim, interrupted)

    def _run(self, team: Any, control: Controls, before: int) -> bool:
        """Run df-pn until it has settled the question or a limit is met, and stop it to save now and then; was it interrupted? `before`: lines that were cut off when the file was written."""
        limits = [int(worker.control.limit) for worker in self.team]
        while True:
            _, left = self.left()
            seconds = left if self.saved is None else min(self.settings.saving, math.inf if left is None else left)
            run = supervise(team, control=control, seconds=seconds, watch=self._watch())
            self.seconds, self.running = self.seconds + run.seconds, control.nodes
            self.horizons = before + sum(int(worker.horizons) for worker in self.team)
            spent = any(worker.control.nodes >= most for worker, most in zip(self.team, limits, strict=True))
            settled = any(worker.root_proof == 0 or worker.root_disproof == 0 for worker in self.team)
            if self.saved is None or settled or spent or run.interrupted or self.left()[1] == 0.0:
                return run.interrupted
            self.save()
            for worker, most in zip(self.team, limits, strict=True):
                worker.control.limit = most

    def save(self) -> None:
        """Write the file to go on from, if there is to be one and it is not up to date."""
        if self.saved is not None and self.unsaved:
            used = sum(int(worker.used) for worker in self.team)
            now = Standing(
                self.within, self.horizons, self.forgotten, self.clean_from, used, self.all_nodes + self.running, self.all_seconds
            )
            self.saved.write(now, self.settings.memory)
            self.unsaved = self.running > 0

    @property
    def all_nodes(self) -> int:
        """Those of the search that this one goes on from, too."""
        return self.standing.nodes + self.nodes

    @property
    def all_seconds(self) -> float:
        return self.standing.seconds + self.seconds

    def _watch(self) -> Callable[[float], None] | None:
        if self.watch is None:
            return None
        tell, w = self.watch, self.w
        before = self.all_nodes
        return lambda _: tell(
            int(w.root_proof), int(w.root_disproof), before + sum(int(worker.control.nodes) for worker in self.team), self.megabytes
        )

    @property
    def megabytes(self) -> float:
        """Memory that is in use."""
        kind = memory.Entry if self.table is not None else self.trees[0].dtype
        return sum(int(worker.used) for worker in self.team) * kind.itemsize / 2**20

    def _answer(self, claim: Claim, interrupted: bool) -> Proof:
        found = [(int(worker.root_proof), int(worker.root_disproof)) for worker in self.team]
        proof, disproof = next((pair for pair in found if 0 in pair), found[0])
        verdict, ended = (PROVEN if proof == 0 else DISPROVEN if disproof == 0 else UNKNOWN), "solved"
        if verdict == DISPROVEN and not claim.bound and self.horizons:
            verdict, ended = UNKNOWN, "length"
        elif verdict == UNKNOWN:
            late = self.settings.time is not None and self.seconds >= self.settings.time
            spent = self.settings.nodes and self.nodes >= self.settings.nodes
            full = "nodes" if self.table is not None else "memory"  # a table never fills: one thread had its share, and stopped the others
            ended = "interrupted" if interrupted else "nodes" if spent else "time" if late else full
        return Proof(claim, verdict, proof, disproof, self.all_nodes, self.all_seconds, self.megabytes, ended)

    def shown(self, answer: Proof) -> Proof:
        """The answer with its strategy; unknown where there is none after all, or a limit came first."""
        if answer.verdict == UNKNOWN:
            return answer
        self.save()
        claim, settings = answer.claim, self.settings
        table = memory.allocated(settings.memory) if self.table is None else self.table
        limit, seconds = self.left()

        def prepare(w: Any) -> None:
            with np.errstate(over="ignore"):
                self.prepare(w, claim)

        rests = leaves.NOTHING if settings.expand else self.rests
        constants = {**self.constants(claim), **rests.flags()}
        settled = strategy.Settled(claim, answer.verdict, table, rests, prepare, constants)
        found, why = strategy.found(settled, 0 if limit == NO_LIMIT else limit, seconds)
        if found is None:
            return replace(answer, verdict=UNKNOWN, ended=why)
        return replace(answer, strategy=found)


@lru_cache(maxsize=16)
def _workspace(game: Game, depth_first: bool, rests: Rests) -> Any:
    constants = game.constants
    return record(**(dfpn.fields(constants) if depth_first else pn.fields(constants)), **rests.fields(constants))


def _settled(verdict: str) -> tuple[int, int]:
    return (0, numbers.NEVER) if verdict == PROVEN else (numbers.NEVER, 0)


def _number(n: int) -> int | None:
    """JSON has no infinity."""
    return None if n == numbers.NEVER else n
