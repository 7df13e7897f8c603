"""A player that looks for a result it can force, whichever position is the true one and whatever the others do; if nothing can be forced, for its best chance.

For any game of hidden information whose beliefs are small enough to be whole (`states`). First AND-OR search over beliefs for one own move, two, three, ... (guarantee.py): its results are
proven and checked by the rules, and followed from then on without a search. If nothing can be forced within the limits, it plays the move with the best chance against random moves
(hope.py): exact for the number of own moves that it looked ahead, but a chance and not a guarantee. The value reported then counts everything but the goal as the worst result.
After S. Russell and J. Wolfe, Efficient belief-state AND-OR search, with application to Kriegspiel (2005).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.view import View
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.result import ESTIMATE, EXACT, LOWER, Candidate, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.searches.belief import hope
from kibitz.searches.belief.guarantee import USUAL_MEMORY, Guarantee, asked, prepare
from kibitz.searches.hidden.averaging import SEED, STATES, Memory, describe_size, find_belief, unfit
from kibitz.searches.method import LIMITS, Method
from kibitz.tables.proof.claim import NOT_LOSE, WIN, least_value
from kibitz.tables.proof.percept_strategy import PerceptStrategy

GOALS = {"win": WIN, "not-lose": NOT_LOSE}
SHARE = 0.5  # of the time and the nodes that the search for what is sure may take
ALONE = 20  # own moves looked ahead where no limit is given at all

OPTIONS = (
    Parameter("goal", "win", None, None, tuple(GOALS), "the result to force"),
    Parameter("memory", USUAL_MEMORY, 1.0, 1e6, None, "MB for beliefs"),
    Parameter("seeing", True, None, None, None, "give up a belief if one of its positions is not won even by a player who sees everything"),
    Parameter("dominance", True, None, None, None, "use results of larger and smaller beliefs"),
    STATES,
    SEED,
)  # fmt: skip


@dataclass
class Kept(Memory):
    """What outlives a move: the belief, and a strategy that is being followed."""

    followed: dict[str, tuple[int, PerceptStrategy]] = field(default_factory=dict)  # by goal: since which event

    def place(self, goal: str, known: View) -> tuple[PerceptStrategy, int] | None:
        """The strategy for what is known now, and where in it we are; None where there is none."""
        if goal not in self.followed:
            return None
        since, strategy = self.followed[goal]
        claim, node = strategy.claim, 0
        if (claim.game, claim.player, claim.origin) != (known.game, known.observer, known.origin) or len(known.events) < since:
            return None
        for event in known.events[since:]:
            if event.move != strategy.move(node) or event.percept not in (after := strategy.following(node)):
                return None
            node = after[event.percept]
        return (strategy, node) if strategy.move(node) != NO_MOVE else None


class AndOr:
    """One search."""

    def __init__(self, known: View, settings: Mapping[str, Any], engine: str, kept: Kept) -> None:
        if not known.is_own_turn:
            raise InputError(f"it is not the turn of {known.game.side(known.observer)}")
        self.known, self.settings, self.engine, self.kept = known, settings, engine, kept
        self.goal, self.began = GOALS[settings["goal"]], time.perf_counter()
        self.belief, self.note = find_belief(known, settings["states"], settings["seed"], kept)
        self.nodes = 0

    def results(self) -> Iterator[Result]:
        """What is sure after each number of own moves, then what can be hoped for."""
        followed = self.kept.place(self.goal, self.known)
        if followed is not None:
            strategy, node = followed
            yield self._sure(strategy, strategy.move(node), "solved", 0)
            return
        why = self.note
        if self.belief is not None:
            prepare(self.belief, self.settings["seeing"], self.settings["dominance"])
            self.began = time.perf_counter()
        if self.belief is not None and self.belief.complete:
            for found in self._asked(self.belief):
                self.nodes = found.nodes
                if found.strategy is not None:
                    self.kept.followed[self.goal] = (len(self.known.events), found.strategy)
                    yield self._sure(found.strategy, found.strategy.move(0), "solved", found.moves)
                    return
                if found.ended == "interrupted":
                    yield self._hoped(None, f"{found}", found.ended)
                    return
                why = f"{found}"
                yield self._hoped(None, why, "")
        elif self.belief is not None:
            why = f"{describe_size(self.belief)}: nothing is sure of a sample"
        if self.belief is None:
            yield self._hoped(None, why, "decided")
            return
        for hoped in self._hopes(self.belief):
            yield self._hoped(hoped, f"{why}; {hoped}", hoped.ended)

    def _asked(self, belief: Belief) -> Iterator[Guarantee]:
        settings = self.settings
        return asked(
            belief, self.goal, settings["depth"], time_limit=self._left(SHARE), nodes=-int(-SHARE * settings["nodes"] // 1), megabytes=settings["memory"],
            seeing=settings["seeing"], dominance=settings["dominance"],
        )  # fmt: skip

    def _hopes(self, belief: Belief) -> Iterator[hope.Hope]:
        settings = self.settings
        nodes = max(1, settings["nodes"] - self.nodes) if settings["nodes"] else 0
        goal = least_value(self.known.game, self.goal)
        limited = settings["time"] or nodes
        longest = int(self.known.game.constants["MAX_PLIES"])
        within = min(settings["depth"] or (longest if limited else ALONE), longest)
        return hope.hoped(belief, goal, within, seconds=self._left(1.0), nodes=nodes)

    def _left(self, share: float) -> float | None:
        """Seconds of this share of the time that are left."""
        return None if not self.settings["time"] else max(0.0, share * self.settings["time"] - (time.perf_counter() - self.began))

    # --- answers ---

    def _sure(self, strategy: PerceptStrategy, move: int, ended: str, depth: int) -> Result:
        value = least_value(self.known.game, self.goal)
        bound = EXACT if value >= self.known.game.constants["VALUES"][1] else LOWER
        return self._result(self.known.move(move), value, bound, ended, depth, str(strategy))

    def _hoped(self, found: hope.Hope | None, note: str, ended: str) -> Result:
        low, high = self.known.game.constants["VALUES"]
        chance = found.chance if found is not None else 0.0
        table = found.table if found is not None else ()
        move = table[0][0] if table else self.known.moves[0]
        position = self._position()
        rows = tuple(Candidate(position, (int(m),), 0, low + c * (high - low), 0.0, ESTIMATE) for m, c in table)
        result = self._result(move, low + chance * (high - low), ESTIMATE, ended, found.moves if found is not None else 0, note)
        return replace(result, table=rows, nodes=result.nodes + (found.nodes if found is not None else 0))

    def _result(self, move: Move, value: float, bound: str, ended: str, depth: int, note: str) -> Result:
        return Result(
            self._position(),
            self.engine,
            move,
            float(value),
            bound,
            (move,),
            depth,
            self.nodes,
            time.perf_counter() - self.began,
            ended,
            note=note,
        )

    def _position(self) -> Position:
        return self.belief.position(0) if self.belief is not None else Position(self.known.game, self.known.origin[0])


def run(known: View, settings: Mapping[str, Any], engine: str, memory: Kept | None = None) -> Iterator[Result]:
    """Results as more is known; see the module's docstring."""
    return AndOr(known, settings, engine, memory or Kept()).results()


ABOUT = "a result that can be forced, or else the best chance; for games of hidden information"
METHOD = Method("andor", ABOUT, OPTIONS, unfit, run, LIMITS, Kept, views=True)
