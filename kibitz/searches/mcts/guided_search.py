"""Searches guided by a policy: options, shares of moves, likely lines, noise and temperature for self-play.

The **realization probability** of a position is the product of the shares of the moves that lead to it (see rule/shares.py); at a chance node, of the
outcomes' probabilities. The search reports it for every move of the root and for the most probable lines.

An **evaluator** is a function of a batch of leaves (see step/waves.py) that fills in their rewards and weights: a network, or anything else that evaluates
many positions at once. Without one the game's own functions are called, inside the kernel.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.result import EXACT, Candidate, Likely, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import CHANCE
from kibitz.core.running.control import heeded
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf.evaluation import EVALUATION
from kibitz.searches.mcts.leaf.playout import choose_playout
from kibitz.searches.mcts.leaf.priors import PRIORS, WEIGHING, put_likeliest_first
from kibitz.searches.mcts.report.likely_lines import LikelyLines, find_likeliest_lines, look_at_open_lines
from kibitz.searches.mcts.rule import shares
from kibitz.searches.mcts.search import PLAYING, Memory, Search
from kibitz.searches.mcts.step import waves
from kibitz.searches.mcts.step.workspace import BAD_POLICY, BAD_VALUE, FINE
from kibitz.searches.mcts.tree.layout import edge, first_edge, node, weight_of

USUAL_WAVE = 16  # of an evaluator, where nobody says otherwise

GUIDED = (
    Parameter("first", 0.0, 0.0, 1.0, None, "first-play value: the value of an untried move, from 0, a loss, to 1"),
    Parameter("untried", "fixed", None, None, ("fixed", "parent"), "fixed: `first` itself; parent: the mean of the tried moves less `first`"),
    Parameter("choose", "visits", None, None, ("visits", "r"), "the answer: the move with the most visits, or the largest r"),
    Parameter("descend", "best", None, None, ("best", "sample"), "follow the move with the fewest visits for its share, or draw one by its share"),
    Parameter(
        "leaf", "auto", None, None, ("auto", "evaluate", "playout"),
        "value of a new position: the game's evaluation, or a playout; auto: the evaluation, if the game has one",
    ),
    Parameter(
        "policy", "auto", None, None, ("auto", "game", "evaluate", "even"),
        "the policy: the game's; by the evaluation after each move; uniform; auto: the first of these that the game has",
    ),
    Parameter("sharp", 10.0, 0.0, 1000.0, None, "policy=evaluate: weights are exp(sharp * value), values being from 0 to 1"),
    Parameter("odds", 0.0, 0.0, 1e9, None, "the evaluation above the middle that means odds of e to 1; 0: rewards are proportional"),
    Parameter("wave", 0, 0, 4096, None, "positions evaluated together; 0: 1, or 16 with an evaluator"),
    Parameter("noise", 0.0, 0.0, 1.0, None, "for self-play: share of Dirichlet noise in the root's policy"),
    Parameter("shape", 0.3, 0.001, 1000.0, None, "parameter of the Dirichlet distribution of the noise"),
    Parameter("temperature", 0.0, 0.0, 100.0, None, "for self-play: draw the answer by visits^(1/temperature); 0: the best"),
    Parameter("memory", 256.0, 0.001, 1 << 20, None, "megabytes for the tree; when they are used up it stops growing"),
    Parameter("solve", True, None, None, None, "prove wins, draws and losses in the tree"),
    *PLAYING,
)  # fmt: skip
SAYS = {
    BAD_POLICY: "the policy gave weights that are negative, not a number, or all 0; policy(s, moves, n, out) must write n weights",
    BAD_VALUE: "evaluate gave a value that is not a number or outside VALUES; the tree is as it was before",
}


@runtime_checkable
class Prepared(Protocol):
    """An evaluator that compiles something before it is used: that does not count as search time."""

    def prepare(self) -> None: ...


Answerer = Callable[[Any], None]  # of a batch of leaves, an array; writes `rewards` and `weights` of those whose `kind` is ASKED


# --- kernels ---


def normalise_shares(w: Any, nodes: Any, edges: Any, at: int) -> int:
    """How likely each edge of the node is, in `w.share`, adding up to 1; returns how many edges there are."""
    n, first = node(nodes, at), first_edge(at)
    total = 0.0
    is_chance = options.CHANCE and n.player == CHANCE
    if not is_chance:
        options.share_out(w, edges, n, first)
    for i in range(n.count):
        if is_chance:
            w.share[i] = weight_of(edge(edges, first + i))
        else:
            w.share[i] = shares.share_of(w, edges, n, first, first + i)
        total += w.share[i]
    for i in range(n.count):
        w.share[i] = w.share[i] / total if total > 0.0 else 0.0
    return n.count


def stir(w: Any, t: Any, nodes: Any, edges: Any, noise: float) -> None:
    """Mix the lot in `w.weights` into the priors of the root."""
    n, first = node(nodes, t.root), first_edge(t.root)
    for i in range(n.count):
        x = edge(edges, first + i)
        x.prior = (1.0 - noise) * np.float64(x.prior) + noise * w.weights[i]
    if n.opened < n.count:
        put_likeliest_first(edges, first + n.opened, first + n.count)


# --- shell ---


def make_guided_search(
    position: Position,
    settings: Mapping[str, Any],
    rule: Feature,
    engine: str,
    memory: Memory | None,
    evaluator: Answerer | None = None,
) -> GuidedSearch:
    """A search by `rule` with these settings; refuses what does not fit the game."""
    game, leaf, policy = position.game, settings["leaf"], settings["policy"]
    size = settings["wave"] or (USUAL_WAVE if evaluator else 1)
    if settings["threads"] > 1 and (size > 1 or evaluator):
        raise InputError(f"threads={settings['threads']}: a search in waves has one thread; use threads=1")
    for option, wanted, hook in (("leaf", leaf, "evaluate"), ("policy", policy, "evaluate"), ("policy", policy, "game")):
        needed = "policy" if hook == "game" else hook
        if wanted == hook and not game.defines(needed):
            raise InputError(f"{option}={hook}: {game.name} has no {needed}; use {option}=auto")
    if evaluator is not None:
        leaf, policy = "evaluate", "even"  # the game is asked for neither
    if leaf == "auto":
        leaf = "evaluate" if game.defines("evaluate") else "playout"
    if policy == "auto":
        policy = "game" if game.defines("policy") else "evaluate" if game.defines("evaluate") else "even"
    features = [choose_playout(game, settings), PRIORS, Feature(rules={"weigh": WEIGHING[policy]}), shares.SHARES, rule]
    if leaf == "evaluate":
        features.append(EVALUATION)
    if settings["descend"] == "sample":
        features.append(shares.DRAWN)
    if size > 1 or evaluator is not None:
        features.append(waves.make_feature(features, game))
    look_at_open_lines()
    search = GuidedSearch(position, {**settings, "wave": size}, engine, memory, features)
    search.set_evaluator(evaluator)
    return search


class GuidedSearch(Search):
    """One search of one position."""

    def set_evaluator(self, evaluator: Answerer | None) -> None:
        """Bind what values the leaves: an evaluator, which is asked from Python, or else the rules of the features."""
        settings, position = self.settings, self.position
        self.evaluator = evaluator
        self.costs: dict[
            int, tuple[int, float]
        ] = {}  # leaves and seconds of the quickest wave, for sizes from each power of two to the next
        self.in_waves = self.plan.rules.select_first is not None
        if self.in_waves:
            self.batch = np.zeros(settings["wave"], waves.leaf_kind(position.game.constants))
            self.kernel = position.game.bind(waves.collect if evaluator else waves.run_waves, self.options, label=self.label)
            self.absorb = position.game.bind(waves.absorb, self.options, label=self.label)
            self.call = self._arguments(self.workers[0])
            self.ready: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        self.lots = np.random.default_rng((settings["seed"], self.memory.searches))
        self.shares = position.game.bind(normalise_shares, self.options, label="reading shares")

    def results(self) -> Iterator[Result]:
        if self.settings["noise"] > 0.0 and not self.position.is_chance:
            self._stir()
        return super().results()

    def prepare(self) -> None:
        super().prepare()
        if self.in_waves:
            self.absorb.prepare(*self.call, 1)
        self.shares.prepare(self.workers[0], self.tree.arguments[1], self.tree.arguments[2], 0)
        if isinstance(self.evaluator, Prepared):
            self.evaluator.prepare()

    def grow(self, playouts: int) -> None:
        """Run simulations in this thread until there are `playouts` of them: for experiments, which look at one tree again and again."""
        self.run_playouts(playouts)
        self._check()

    def _simulate(self, w: Any) -> None:
        if self.evaluator is None:
            super()._simulate(w)
        else:
            while self._wave():
                pass

    def chosen(self) -> int:
        """The number of the move that the search would make now."""
        return int(self._rows()[0]["move"])

    # --- running ---

    def _slice(self, seconds: float) -> str:
        if self.evaluator is None:
            ended = super()._slice(seconds)
        else:
            ended = self._waves_outside(seconds)
        self._check()
        return ended

    def _waves_outside(self, seconds: float) -> str:
        """Waves for a while, evaluated outside the kernel; between two of them the search can be stopped."""
        limit, stop, w = self.settings["time"], heeded(), self.workers[0]
        look_up = time.perf_counter() + seconds
        self._share_limits()
        most, more, asked, late = int(w.most_playouts), True, False, False
        while more and not asked and not late and (now := time.perf_counter()) < look_up:
            end = min(self.began + limit if limit else math.inf, stop.deadline if stop else math.inf)
            fitting = self._fitting(end - now)
            w.most_playouts = min(most, int(w.playouts) + fitting)
            late = fitting == 0
            more = late or self._wave()
            asked = stop is not None and stop.due
        w.most_playouts = most
        self.seconds = time.perf_counter() - self.began
        if asked or (late and stop is not None and time.perf_counter() + self._cost(1) >= stop.deadline):
            return "interrupted"
        return self._why(limit) or ("time" if late else "")

    def _fitting(self, seconds: float) -> int:
        """How many leaves a wave may have to end in time, by what waves took so far; 0 where not even one would do. Nobody knows before the first one."""
        size = len(self.batch) if seconds > 0.0 else 0
        while size > 0 and self._cost(size) > seconds:
            size //= 2
        return size

    def _cost(self, size: int) -> float:
        """The seconds that a wave of this number of leaves takes: at least as long as a smaller one, and at least its share of a larger one."""
        return max((cost * min(1.0, size / number) for number, cost in self.costs.values()), default=0.0)

    def _note_cost(self, size: int, seconds: float) -> None:
        order = size.bit_length()
        known = self.costs.get(order, (size, math.inf))
        self.costs[order] = min(known, (size, seconds), key=lambda wave: wave[1] / wave[0])

    def _wave(self) -> bool:
        """One wave, collected, evaluated and absorbed; False where there is nothing left to do."""
        began = time.perf_counter()
        if self.ready is None:
            self.kernel.prepare(*self.call)
            self.absorb.prepare(*self.call, 1)
            self.ready = self.kernel.repeated(*self.call), self.absorb.repeated(*self.call)
        collect, absorb = self.ready
        number = int(collect())
        if number:
            assert self.evaluator is not None
            try:
                self.evaluator(self.batch[:number])
            except BaseException:
                self.batch["rewards"][:number] = np.nan  # nobody answered: all of the wave is taken back
                absorb(number)
                self.workers[0].fault = FINE
                raise
            absorb(number)
            self._note_cost(number, time.perf_counter() - began)
        return number > 0

    def _arguments(self, w: Any) -> tuple[Any, ...]:
        return (*super()._arguments(w), self.batch) if self.in_waves else super()._arguments(w)

    def _check(self) -> None:
        for w in self.workers:
            if w.fault != FINE:
                raise InputError(f"{self.position.game.name}: {SAYS[int(w.fault)]}")

    def _stir(self) -> None:
        """Noise into the root's priors, anew for every search."""
        w = self.workers[0]
        self.grow(0)  # the root is there now
        count = int(self.tree.nodes[self.tree.trunk.root].count)
        w.weights[:count] = self.lots.dirichlet(np.full(count, self.settings["shape"]))
        self.position.game.bind(stir, self.options, label="noise")(w, *self.tree.arguments, self.settings["noise"])

    def _workspace(self, number: int) -> Any:
        w = super()._workspace(number)
        w.from_parent = self.settings["untried"] == "parent"
        return w

    # --- after ---

    def _answer(self, ended: str) -> Result:
        result = super()._answer(ended)
        if self.position.is_chance or not self.reader.visits:
            return result
        rows = self._rows()
        by_move = {c.numbers[0]: c for c in result.table}
        found = [row for row in rows if int(row["move"]) in by_move]
        table = [replace(by_move[int(row["move"])], prior=float(row["prior"]), share=float(row["share"])) for row in found]
        if ended and self.settings["temperature"] > 0.0:
            table = self._drawn(table, [c.bound == EXACT and c.value == result.value for c in table] if result.exact else None)
        best = table[0]
        value = result.value if result.exact else self._value(best)
        likely = LikelyLines(self._likely) if ended else ()
        values = result.values if result.exact else best.values
        return replace(result, move=best.move, value=value, values=values, line=best.line, table=tuple(table), likely=likely)

    def _likely(self) -> tuple[Likely, ...]:
        return find_likeliest_lines(self.position, self.tree, self._shares)

    def _shares(self, at: int) -> Any:
        w = self.workers[0]
        return w.share[: int(self.shares(w, self.tree.arguments[1], self.tree.arguments[2], at))]

    def _rows(self) -> Any:
        """The root's moves with their shares, the best first: by visits, or shares, and among equals by value; never by number."""
        root = int(self.tree.trunk.root)
        rows = self.reader.rows[: self.reader.kernel(*self.tree.arguments, self.reader.rows)]
        share = np.array(self._shares(root))
        count = len(share)
        prior = np.array([self.tree.edges[e].prior for e in self.tree.block_of(root)])
        told = np.zeros(count, [("move", np.int64), ("visits", np.int64), ("share", float), ("prior", float)])
        told["move"], told["visits"], told["share"], told["prior"] = rows["move"], rows["visits"], share, prior
        value = np.nan_to_num(rows["value"], nan=-np.inf)
        first = (share, rows["visits"]) if self.settings["choose"] == "r" else (rows["visits"], share)
        return told[np.lexsort((-first[1], -value, -first[0], ~rows["is_possible"]))]

    def _value(self, best: Candidate) -> float:
        """The value of the move; of the position itself if no move was tried."""
        if best.visits:
            return best.value
        return float(self.position.game.rule("evaluate")(self.position.state, self.position.player))

    def _drawn(self, table: list[Candidate], among: list[bool] | None) -> list[Candidate]:
        """A move drawn by visits^(1/temperature) first; where the position is solved, `among` those that keep its value."""
        logs = np.log([max(c.visits, 1e-9) for c in table]) / self.settings["temperature"]
        weights = np.exp(logs - logs.max()) * [c.visits > 0 for c in table] * (1 if among is None else np.array(among))
        if not weights.sum():
            return table
        drawn = int(self.lots.choice(len(table), p=weights / weights.sum()))
        return [table[drawn], *table[:drawn], *table[drawn + 1 :]]
