"""Perfect-information Monte Carlo: each position of a sample of the belief is searched with everything open, and the move with the best mean is played.

All positions of the belief where there are no more than `samples`, each by its probability; else `samples` drawn from it, in proportion to their probability and so
counting alike (Levy 1989; Ginsberg's GIB 2001). Every move is made in each of them, and what it leads to is searched by `inner`, any search of ours that fits the game with the cards
open: `pimc(samples=50, inner='alphabeta(depth=6)')`. Moves that lead chance, or nobody in particular, to the same open position are searched once.

For any game of hidden information and any number of players. Never exact, however exact the inner search: it chooses as if it would see everything from the next move on, so it puts
decisions off that it will not be able to make then (*strategy fusion*), and it takes positions for likely that the others' play has ruled out (*non-locality*; Frank and
Basin 1998). docs/imperfect.md shows both. Positions are drawn as if all others had moved at random so far.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import View
from kibitz.core.position.game import Game, Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.position.result import Result
from kibitz.core.position.variants import with_cards_open
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.records import random
from kibitz.core.running.control import deadline, heeded, why_to_end
from kibitz.searches.hidden.averaging import SEED, STATES, Means, Memory, describe_size, unfit
from kibitz.searches.method import WITHOUT_DEPTH, Method, method, taken_apart

AUTO = "auto"
SMALL = 200  # MAX_MOVES times MAX_PLIES: such games are searched to their end
SHALLOW, PLAYOUTS = 4, 200  # plies, or simulations, of the inner search where users choose none and the game is not small
LOOK = 0.25  # seconds, about, between two results
MOST_KEPT = 1 << 20  # values of open positions

SAMPLES = Parameter("samples", 50, 1, 1 << 24, None, "positions to search; all of them if there are no more")
OPTIONS = (
    Parameter(
        "inner", AUTO, None, None, None, "the search of open positions, in quotes; auto: to the end of small games, shallow in others"
    ),
    STATES,
    SEED,
)


class Unfinished(Exception):
    """The limit, or whoever wants an answer now, came before a position was searched."""


@dataclass(frozen=True)
class Allowance:
    """What an inner search may take. Where its answer is `wanted` in any case, it has a share of what is left and is believed when that is used up."""

    until: float  # of `time.perf_counter`
    nodes: int  # 0: no limit
    wanted: bool = False
    shares: int = 1

    def cut(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings of the inner search with no more than that."""
        cut = dict(settings)
        if self.nodes:
            allowed = max(1, self.nodes // self.shares)
            cut["nodes"] = min(allowed, settings["nodes"] or allowed)
        if not math.isinf(self.until):
            left = max(0.001, (self.until - time.perf_counter()) / self.shares)
            cut["time"] = min(left, settings["time"] or left)
        return cut

    def is_used_up(self, spent: int) -> bool:
        return time.perf_counter() >= self.until or bool(self.nodes and spent >= self.nodes)


class InnerSearch:
    """The search of open positions, and the values that it found."""

    def __init__(self, game: Game, text: str, kept: dict[Any, Any]) -> None:
        self.open = with_cards_open(game)
        name, given = taken_apart(usual_inner(self.open) if text == AUTO else text)
        self.method = method(name)
        self.settings = self.method.settings(given)
        reason = self.method.unfit(self.open)
        if reason is not None:
            raise InputError(f"inner={text}: {name} cannot search {game.label} with the cards open: {reason}")
        if "playouts" in self.settings and not any(self.settings[p.name] for p in self.method.limits):
            raise InputError(f"inner={text}: it would not end; give it a limit, such as {name}(playouts={PLAYOUTS})")
        self.text, self.nodes = f"{text}", 0
        self.values: dict[tuple[bytes, int], float] = kept.setdefault(text, {})
        self.memory = (self.method.memory(),) if self.method.memory is not None else ()

    def prepare(self, data: bytes) -> None:
        """Compile what is needed, before there is a clock."""
        position = Position(self.open, data)
        if not position.is_over:
            for _ in self.method.run(position, {**self.settings, "nodes": 1}, self.method.name):
                pass

    def worth(self, data: bytes, observer: int, allowed: Allowance) -> float:
        """What an open position is worth to the observer; Unfinished where that takes more than is allowed."""
        found = self.values.get((data, observer))
        if found is not None:
            return found
        position = Position(self.open, data)
        if position.is_over:
            self.nodes += 1
            return position.utility(observer)
        settings = allowed.cut(self.settings)
        for one in self.method.run(position, settings, self.method.name, *self.memory):
            result = one
        self.nodes += result.nodes
        is_cut = result.ended in ("time", "nodes") and settings != self.settings
        if result.ended == "interrupted" or (is_cut and not allowed.wanted and allowed.is_used_up(result.nodes)):
            raise Unfinished(result.ended)
        value = seen_by(result, observer)
        if not is_cut and len(self.values) < MOST_KEPT:
            self.values[data, observer] = value
        return value


def seen_by(result: Result, observer: int) -> float:
    """The value of a result, which is the mover's, or the first player's where chance moves, to the observer."""
    game, viewer = result.position.game, max(0, result.position.player)
    if observer == viewer:
        return result.value
    if result.values:
        return result.values[observer]
    total = game.constants["SUM"]
    if game.players == 2 and total is not None:
        return float(total - result.value)
    raise InputError(
        f"{result.engine} tells what a position is worth to the player to move alone; choose an inner search that tells all players', such as uct"
    )


def usual_inner(game: Game) -> str:
    """The search of open positions where users choose none."""
    small = game.constants["MAX_MOVES"] * game.constants["MAX_PLIES"] <= SMALL
    if game.players != 2 or game.constants["SUM"] is None or not (small or game.defines("evaluate")):
        return f"uct(playouts={PLAYOUTS})"
    name = "star2" if game.has_chance else "alphabeta"
    return name if small else f"{name}(depth={SHALLOW})"


class Pimc(Means):
    """One search."""

    def __init__(self, known: View, settings: Mapping[str, Any], engine: str, memory: Memory) -> None:
        super().__init__(known, settings, engine, memory)
        self.inner = InnerSearch(self.game, settings["inner"], memory.others)
        count = len(known.moves)
        self.sums, self.squares, self.total, self.rounds = np.zeros(count), np.zeros(count), 0.0, 0
        self.all = self.belief is not None and self.belief.complete and self.belief.size <= settings["samples"]

    def results(self) -> Iterator[Result]:
        """Better and better means, until all positions are looked at, or a limit is met."""
        shown = self.began
        if self.belief is None or len(self.known.moves) == 1:
            yield self._answer("decided")
            return
        self.inner.prepare(self.belief.position(0).data)
        self.began = time.perf_counter()
        until = deadline(self.settings["time"] or None)
        ended = ""
        for state, weight in self._worlds(self.belief):
            try:
                worth = [self._after(state, place, until) for place in range(len(self.known.moves))]
            except (Unfinished, KeyboardInterrupt) as why:
                ended = str(why) or "interrupted"
                break
            self.rounds, self.total = self.rounds + 1, self.total + weight
            self.sums += weight * np.array(worth)
            self.squares += weight * np.array(worth) ** 2
            stop = heeded()
            is_spent = bool(self.settings["nodes"] and self.inner.nodes >= self.settings["nodes"])
            ended = why_to_end(stop is not None and stop.due, until, nodes=is_spent)
            if ended:
                break
            if time.perf_counter() - shown > LOOK:
                shown = time.perf_counter()
                yield self._answer("")
        yield self._answer(ended or "samples")

    def _worlds(self, belief: Belief) -> Iterator[tuple[Any, float]]:
        """Positions and how much they count: each by its probability where all are looked at, in any order; else drawn by it, and counting alike."""
        lots = Lots(self.settings["seed"], len(self.known.events))
        if self.all:
            order = np.arange(belief.size)
            with np.errstate(over="ignore"):
                random.shuffle(lots.rng, order, belief.size)
            chances = belief.chances
            for place in order:
                yield belief.position(int(place)).state, float(chances[place])
            return
        for _ in range(self.settings["samples"]):
            yield belief.draw(lots.rng), 1.0

    def _after(self, state: Any, place: int, until: float) -> float:
        """What a move is worth there."""
        after, moves, most = state.copy(), self.known.numbers, self.settings["nodes"]
        self.game.rule("play")(after, moves[place])
        left = max(1, most - self.inner.nodes) if most else 0
        allowed = Allowance(until, left, wanted=self.rounds == 0, shares=len(moves) - place if self.rounds == 0 else 1)
        return self.inner.worth(after.tobytes(), self.known.observer, allowed)

    def _answer(self, ended: str) -> Result:
        looked = f"{self.rounds} looked at" if self.all else f"{self.rounds} drawn"
        note = f"{describe_size(self.belief)}, {looked}, by {self.inner.method.name} with everything open"
        return self.answer(self.sums, self.squares, self.total, self.rounds, self.inner.nodes, ended, note)


def run(known: View, settings: Mapping[str, Any], engine: str, memory: Memory | None = None) -> Iterator[Result]:
    """Results while more positions are looked at; see the module's docstring."""
    return Pimc(known, settings, engine, memory or Memory()).results()


ABOUT = "positions of the belief, each searched with everything open (perfect-information Monte Carlo); for games of hidden information"
METHOD = Method("pimc", ABOUT, OPTIONS, unfit, run, (*WITHOUT_DEPTH, SAMPLES), Memory, views=True)
