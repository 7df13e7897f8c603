"""A result that a player can force under hidden information, and the strategy that proves it: a move for everything that he may have heard.

A strategy is a graph of nodes. A node of his own turn has a move and a branch for everything that may be heard of it; a node of somebody else's turn has no move, and a branch for
everything that may be heard meanwhile. It knows nothing but percepts, so it is the same in all positions that look alike. Ways that come to the same may meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.hidden import history
from kibitz.core.hidden.belief import LIMIT, Belief
from kibitz.core.hidden.view import in_words
from kibitz.core.position.game import Game
from kibitz.core.position.told import Event
from kibitz.core.protocol.rules import NO_MOVE
from kibitz.core.records.record import record
from kibitz.tables.proof.claim import WIN, spelled, threshold

WAIT = NO_MOVE  # the move of a node at which it is not his turn, or the game is over
Node = record(move=np.int64, first=np.int32, count=np.int32)
Branch = record(percept=np.int64, to=np.int32)


@dataclass(frozen=True)
class SureClaim:
    """`player` gets at least `goal` for certain, whichever of the positions of `origin` the game started in, after he has heard `words`."""

    game: Game
    player: int
    origin: tuple[bytes, ...]
    words: str = ""
    goal: str = WIN

    @classmethod
    def of(cls, belief: Belief, goal: str = WIN) -> SureClaim:
        """The claim about what a belief leaves possible. A sample leaves more possible than it holds: nothing is sure of it."""
        if not belief.complete:
            raise InputError(
                f"{belief.size} positions are a sample of what is possible: nothing can be made sure of from it; keep more (limit={8 * belief.limit})"
            )
        return cls(belief.game, belief.observer, belief.origin, history.write(belief), spelled(goal))

    @property
    def threshold(self) -> float:
        """The least utility that fulfils the goal."""
        return threshold(self.game, self.goal)

    def belief(self) -> Belief:
        """All that is possible, found anew by the rules."""
        belief = history.read(Belief.at(self.game, self.player, self.origin, LIMIT), self.words)[-1]
        if not belief.complete:
            raise InputError(f"more than {LIMIT} positions are possible after that, too many to go through")
        return belief

    def as_words(self, moves: int) -> str:
        """One sentence."""
        what = {WIN: "win", "not lose": "not losing"}.get(self.goal, self.goal)
        return f"{self.game.side(self.player)} can make sure of {what if what != WIN else 'a win'} within {moves} move{'s' if moves != 1 else ''} of his own"


@dataclass(frozen=True)
class PerceptStrategy:
    """A claim with what shows it."""

    claim: SureClaim
    nodes: Any  # an array of Node; the first one is where it begins
    branches: Any  # an array of Branch, those of a node side by side
    moves: int  # of his own that the longest play has
    plies: int  # of the longest play
    places: int  # positions, each with the node of the strategy at which it is come to

    def __str__(self) -> str:
        return self.claim.as_words(self.moves)

    def move(self, node: int) -> int:
        """The move to make there, or WAIT."""
        return int(self.nodes[node]["move"])

    def following(self, node: int) -> dict[int, int]:
        """For everything that may be heard, the node behind it."""
        first, count = int(self.nodes[node]["first"]), int(self.nodes[node]["count"])
        return {int(b["percept"]): int(b["to"]) for b in self.branches[first : first + count]}


def told(strategy: PerceptStrategy, deepest: int) -> Iterator[str]:
    """The strategy as lines of text, indented: each what is heard, how many positions are possible then, and the move to make; up to a number of his own moves."""
    belief = strategy.claim.belief()
    seen: dict[int, int] = {}
    yield from _lines(strategy, 0, belief, "", 0, deepest, seen)


def _lines(
    strategy: PerceptStrategy, node: int, belief: Belief, heard: str, depth: int, deepest: int, seen: dict[int, int]
) -> Iterator[str]:
    """One node and what is behind it."""
    indent, possible = "  " * depth, f"({belief.size} possible)" if belief.size > 1 else ""
    said = f"{heard}: " if heard else ""
    move = strategy.move(node)
    if belief.known.is_over:
        yield f"{indent}{said}the end"
    elif move == WAIT:
        for percept, to in strategy.following(node).items():
            if to != node and (after := _after(belief, Event(NO_MOVE, percept))) is not None:
                word = in_words(belief.game, Event(NO_MOVE, percept), belief.observer)
                yield from _lines(strategy, to, after, " ".join([*heard.split(), word]), depth, deepest, seen)
    elif node in seen:
        yield (
            f"{indent}{said}{_named(belief, move)} {possible}, then as in {seen[node]}".replace("  ", " ")
            if not depth
            else f"{indent}{said}as in {seen[node]}"
        )
    else:
        seen[node] = len(seen) + 1
        yield f"{indent}{said}[{seen[node]}] {_named(belief, move)} {possible}".rstrip()
        if depth == deepest:
            yield f"{indent}  ..."
            return
        for percept, to in strategy.following(node).items():
            if (after := _after(belief, Event(move, percept))) is not None:
                word = in_words(belief.game, Event(NO_MOVE, percept), belief.observer)
                yield from _lines(strategy, to, after, word, depth + 1, deepest, seen)


def _named(belief: Belief, move: int) -> str:
    return str(belief.known.move(move))


def _after(belief: Belief, event: Event) -> Belief | None:
    """The belief after an event, where it can be."""
    return belief.after(event) if event.percept in belief.percepts(event.move) else None
