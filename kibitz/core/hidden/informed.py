"""Beliefs that also hold what the others know: every position that a view leaves possible, together with what each player would know there.

What a player knows is one number, his *knowledge*: a hash of his own moves and his percepts in their order. Two players of one mind would know the same number; different histories
have different ones but for a chance of 2^-64. A position that came about in two ways, of which somebody was told different things, counts as two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.hidden import updating
from kibitz.core.hidden.belief import LIMIT, Impossible, SampleLost
from kibitz.core.hidden.view import View, state_array
from kibitz.core.position.game import Game
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.hashing import combine, scatter
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise

FIRST_ROOM = 1 << 10

# --- kernels ---


def first_knowledge(player: int) -> np.uint64:
    """What a player knows who has heard nothing."""
    return np.uint64(player)


def learn(knowledge: np.uint64, own: int, percept: int) -> np.uint64:
    """What he knows after one event more: his own move, or NO_MOVE, and what he heard."""
    return combine(combine(knowledge, np.uint64(own + 1)), np.uint64(percept))


def advance(w: Any, possible: Any, weights: Any, kept: Any, kept_weights: Any, slots: Any, own: int, percept: int, observer: int) -> int:
    """Write to `kept` what follows by one event; how many. `w.done` falls short of all where the limit of nodes was met."""
    w.count, w.ceiling, w.done = 0, updating.ALL, 0
    for i in range(slots.shape[0]):
        slots[i] = updating.EMPTY
    for i in range(possible.shape[0]):
        if w.control.nodes >= w.control.limit:
            break
        w.before = possible[i]
        mover = game.player(w.before.state)
        n = updating.choices(w, w.before.state, own, observer)
        for j in range(n):
            w.after = w.before
            game.play(w.after.state, w.choices[j])
            if game.percept(w.before.state, w.choices[j], w.after.state, observer) == percept:
                tell(w, mover, w.choices[j])
                updating.add(w, kept, kept_weights, slots, scatter(w.after, w.salt), weights[i] * w.chances[j])
        w.control.nodes += n
        w.done += 1
    return w.count


def tell(w: Any, mover: int, move: int) -> None:
    """What every player knows after the move that turned `w.before` into `w.after`."""
    for p in range(game.PLAYERS):
        heard = game.percept(w.before.state, move, w.after.state, p)
        w.after.knowledge[p] = learn(w.before.knowledge[p], move if p == mover else NO_MOVE, heard)


# --- shell ---


def knowledge_of(player: int, events: Sequence[Event]) -> int:
    """The number of all that a player was told."""
    with np.errstate(over="ignore"):
        knowledge = first_knowledge(player)
        for event in events:
            knowledge = learn(knowledge, event.move, event.percept)
    return int(knowledge)


def informed(constants: dict[str, Any]) -> np.dtype[Any]:
    """A position, and what every player knows there."""
    return record(state=constants["State"], knowledge=(np.uint64, constants["PLAYERS"]))


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    """As `updating.workspace`, for such pairs."""
    widest, kind = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"]), informed(constants)
    return record(
        control=Control, before=kind, after=kind, choices=(constants["MOVE"], widest), chances=(np.float64, widest),
        count=np.int64, ceiling=np.uint64, salt=np.uint64, done=np.int64,
    )  # fmt: skip


@dataclass(frozen=True)
class InformedBelief:
    """What may be after these events, and who knows what. Nothing ever changes in place; `complete`, `limit` and `seed` are as those of a `Belief`."""

    game: Game
    observer: int
    origin: tuple[bytes, ...]
    events: tuple[Event, ...]
    possible: Any = field(repr=False, compare=False)
    weights: Any = field(repr=False, compare=False)
    complete: bool = True
    limit: int = LIMIT
    seed: int = 0

    @classmethod
    def of(cls, view: View, limit: int = LIMIT, seed: int = 0) -> InformedBelief:
        """What a view leaves possible."""
        records = tuple(dict.fromkeys(view.origin))
        possible = np.zeros(len(records), informed(view.game.constants))
        possible["state"] = state_array(view.game, records)
        possible["knowledge"] = [int(first_knowledge(p)) for p in range(view.game.players)]
        begun = cls(view.game, view.observer, records, (), possible, np.full(len(records), 1.0 / len(records)), True, limit, seed)
        return begun.following(view.events)

    @property
    def size(self) -> int:
        """How many pairs."""
        return len(self.possible)

    @property
    def states(self) -> Any:
        """The positions alone, with what lies between their fields."""
        size = self.game.constants["State"].itemsize
        rows = self.possible.view(np.uint8).reshape(self.size, self.possible.dtype.itemsize)[:, :size]
        return rows.copy().reshape(-1).view(self.game.constants["State"])

    def following(self, events: Sequence[Event]) -> InformedBelief:
        """When all this has been learned."""
        belief = self
        for event in events:
            belief = belief.after(event)
        return belief

    def after(self, event: Event) -> InformedBelief:
        """When this has been learned; Impossible where nothing agrees with it, SampleLost where nothing of a sample does."""
        kind, room = self.possible.dtype, min(self.limit, max(FIRST_ROOM, 4 * self.size))
        kernel, w = self.game.bind(advance, label="belief"), blank(workspace(self.game.constants))
        w.salt = np.uint64(self.seed)
        while True:
            w.control.nodes, w.control.limit = 0, NO_LIMIT
            kept, weights = np.zeros(room, kind), np.zeros(room)
            slots = updating.slots_for(room)
            arguments = (w, self.possible, self.weights, kept, weights, slots, event.move, event.percept, self.observer)
            if supervise(kernel, *arguments, control=w.control).interrupted:
                raise KeyboardInterrupt
            if w.ceiling == updating.ALL or room == self.limit:
                break
            room = min(self.limit, 8 * room)
        found, whole = int(w.count), bool(w.ceiling == updating.ALL)
        if not found:
            said = f"{self.game.label}: nothing that is possible agrees with event {len(self.events) + 1}"
            raise Impossible(said) if self.complete else SampleLost(f"{said}, of the {self.size} positions kept")
        longer = kept.view(np.uint8)[: found * kind.itemsize].copy().view(kind)
        return replace(
            self,
            events=(*self.events, event),
            possible=longer,
            weights=weights[:found] / weights[:found].sum(),
            complete=self.complete and whole,
        )
