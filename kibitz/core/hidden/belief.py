"""Beliefs: the set of all positions that a view leaves possible, or a random sample of it, marked as such.

    belief = Belief.of(view)               # from the beginning
    belief = belief.after(event)           # one event further
    belief.size, belief.complete           # how many states; is it all of them?
    belief.draw(rng)                       # one of them, by its weight

A belief holds at most `limit` states. Where more are possible it keeps a random sample of them, and `complete` is False from then on: what is in it is
possible, but it does not hold all that is. A state's `weight` is its probability if all others move at random and chance as the rules say.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import Bound
from kibitz.core.errors import InputError, KibitzError
from kibitz.core.hidden import updating
from kibitz.core.hidden.view import View, blurred_for, state_array, view
from kibitz.core.position.game import Game, Position
from kibitz.core.position.random_moves import Lots
from kibitz.core.position.told import Event, Told
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records import random
from kibitz.core.records.record import blank
from kibitz.core.running.control import NO_LIMIT, supervise

LIMIT = 1 << 18  # states, where nobody says
FIRST_ROOM = 1 << 10
PERCEPTS = 1 << 8  # different ones that a look has room for at first
AT_ONCE = 20_000  # moves, or so, that are tried without a thread of their own, which takes longer to start
FEW = 512  # states: a sample of fewer is filled up, where the game can deal anew what is hidden
REDEALS = 1024  # of the states of such a sample, or of one that died


class Impossible(InputError):
    """No position agrees with what was learned."""


class SampleLost(KibitzError):
    """No position of a sample agrees with what was learned; others may."""


@dataclass(frozen=True)
class Belief:
    """What may be, after these events. Nothing ever changes in place."""

    game: Game
    observer: int
    origin: tuple[bytes, ...]
    events: tuple[Event, ...]
    states: Any = field(repr=False, compare=False)
    weights: Any = field(repr=False, compare=False)
    complete: bool = True  # are these all the states that are possible?
    limit: int = LIMIT
    seed: int = 0  # of the sample, where it is one

    @classmethod
    def at(cls, game: Game, observer: int, origin: Sequence[bytes], limit: int = LIMIT, seed: int = 0) -> Belief:
        """Before anything has happened: the game starts in one of these positions, each as likely as another."""
        if limit < 1:
            raise InputError(f"limit={limit}: a belief must be allowed to hold at least one state")
        records = tuple(dict.fromkeys(origin))
        blurred = tuple(dict.fromkeys(blurred_for(game, observer, data) for data in records))
        return cls(game, observer, records, (), state_array(game, blurred), np.full(len(blurred), 1.0 / len(blurred)), True, limit, seed)

    @classmethod
    def of(cls, view: View, limit: int = LIMIT, seed: int = 0) -> Belief:
        """What a view leaves possible."""
        return cls.at(view.game, view.observer, view.origin, limit, seed).following(view.events)

    # --- what it says ---

    @property
    def size(self) -> int:
        """How many states."""
        return len(self.states)

    @property
    def chances(self) -> Any:
        """The probability of each state, others moving at random."""
        return self.weights / self.weights.sum()

    @property
    def positions(self) -> tuple[Position, ...]:
        """The states as positions; a big belief takes a while."""
        return tuple(self.position(i) for i in range(self.size))

    def position(self, place: int) -> Position:
        """One of them, which the observer takes for the true one."""
        told = Told(self.origin, self.events)
        return Position(self.game, self.states[place].tobytes(), told=(told,) * self.game.players)

    @cached_property
    def known(self) -> View:
        """What the observer knows, which every state of the belief agrees with."""
        return view(self.position(0), self.observer)

    @property
    def player(self) -> int:
        """As `View` has it: the observer, OVER, or somebody else."""
        return self.known.player

    def holds(self, position: Position) -> bool:
        """Is the position one of them?"""
        wanted = np.frombuffer(blurred_for(self.game, self.observer, position.data), np.uint8)
        return bool((self.states.view(np.uint8).reshape(self.size, -1) == wanted).all(1).any())

    def draw(self, rng: Any) -> Any:
        """A copy of one state, drawn by weight with a generator of kibitz.random; dealt anew where the game can do that."""
        with np.errstate(over="ignore"):
            place = int(random.by_weight(self.weights, self.size, rng))
            s = self.position(place).state
            if not self.complete and self.game.defines("redeal"):
                self.game.rule("redeal")(s, self.observer, rng)
        return s

    # --- going on ---

    def after(self, event: Event) -> Belief:
        """When this has been learned; Impossible where nothing agrees with it, SampleLost where nothing of a sample does."""
        constants = self.game.constants
        room = min(self.limit, max(FIRST_ROOM, 4 * self.size) + constants["MAX_MOVES"])
        kept, weights, w = np.zeros(room, constants["State"]), np.zeros(room), self._workspace()
        while True:
            slots = updating.slots_for(room)
            self._run(w, updating.advance, self.weights, kept, weights, slots, event.move, event.percept, self.observer, room < self.limit)
            if w.done == self.size:
                break
            likely = int(1.2 * w.count * self.size / max(1, w.done))  # the rest bring as many; memory that is not written to costs nothing
            room = min(self.limit, max(2 * room, likely))
            kept, weights = _grown(kept, room), _grown(weights, room)
        found, complete = int(w.count), self.complete and w.ceiling == updating.ALL
        if not found:
            return self._dealt_anew(event)
        followed = self._holding(kept, weights, found, bool(complete), event)
        return followed._dealt() if not complete and found < FEW and followed._can_deal else followed

    def following(self, events: Sequence[Event]) -> Belief:
        """When all this has been learned."""
        belief = self
        for event in events:
            belief = belief.after(event)
        return belief

    def percepts(self, own: int = NO_MOVE) -> dict[int, float]:
        """What may be heard of the next event, the observer's move `own` or somebody else's, and the probability of each; all that can be, where complete."""
        room = PERCEPTS
        while True:
            heard, tallies, w = np.zeros(room, np.int64), np.zeros(room), self._workspace()
            self._run(w, updating.hear, self.weights, heard, tallies, int(own), self.observer)
            if w.done == self.size:
                break
            room *= 8
        n = int(w.count)
        total = tallies[:n].sum()
        return {int(p): float(t / total) for p, t in sorted(zip(heard[:n], tallies[:n], strict=True), key=lambda pair: (-pair[1], pair[0]))}

    # --- inside ---

    def _workspace(self) -> Any:
        w = blank(updating.workspace(self.game.constants))
        w.control.limit, w.salt, w.ceiling = NO_LIMIT, np.uint64(self.seed), updating.ALL
        return w

    def _run(self, w: Any, kernel: Any, *arguments: Any, slow: bool = False) -> None:
        bound: Bound = self.game.bind(kernel, label="belief")
        if self.size * 30 <= AT_ONCE and not slow:
            bound(w, self.states, *arguments)
        elif supervise(bound, w, self.states, *arguments, control=w.control).interrupted:
            raise KeyboardInterrupt

    def _holding(self, kept: Any, weights: Any, found: int, complete: bool, *events: Event) -> Belief:
        """The first of these states, after more events: a copy, unless they fill a good part of the room, which would be a large one."""
        size = found * kept.dtype.itemsize
        states = kept[:found] if found > FIRST_ROOM and 4 * found > len(kept) else kept.view(np.uint8)[:size].copy().view(kept.dtype)
        return replace(
            self, events=(*self.events, *events), states=states, weights=weights[:found] / weights[:found].sum(), complete=complete
        )

    @property
    def _can_deal(self) -> bool:
        """Can what is hidden be dealt anew? Not where chance is about to deal it."""
        return bool(self.game.defines("redeal")) and self.position(0).player >= 0

    def _dealt(self) -> Belief:
        """A sample of states dealt anew, from those there are."""
        kept, weights, w = np.zeros(REDEALS, self.game.constants["State"]), np.zeros(REDEALS), self._workspace()
        slots = updating.slots_for(REDEALS)
        self._run(w, updating.deal, self.weights, kept, weights, slots, Lots(self.seed, len(self.events)).rng, self.observer, slow=True)
        return self._holding(kept, weights, int(w.count), False)

    def _dealt_anew(self, event: Event) -> Belief:
        """A sample of which nothing is left: the states before the event dealt anew, where the game can, until some fit."""
        if self.complete:
            raise Impossible(f"{self.game.label}: nothing that is possible agrees with event {len(self.events) + 1}")
        if self._can_deal:
            with contextlib.suppress(Impossible):
                return replace(replace(self._dealt(), complete=True).after(event), complete=False)
        raise SampleLost(
            f"{self.game.label}: of the {self.size} positions kept none agrees with event {len(self.events) + 1}; keep more (limit={8 * self.limit})"
        )


def _grown(array: Any, room: int) -> Any:
    """A longer copy, with what lies between fields, too."""
    longer = np.zeros(room, array.dtype)
    longer.view(np.uint8)[: array.nbytes] = array.view(np.uint8)
    return longer
