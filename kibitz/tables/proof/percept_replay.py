"""A walk through all plays of a strategy over percepts, by the rules alone: from every position that is possible, with every move of the others and every outcome of chance.

It goes through pairs of a node of the strategy and a position: the node is all that the player knows, the position is what is true. Nothing of beliefs is needed for that, nor
anything that a search made use of: only whose turn it is, what is legal, what it leads to and what is heard. A pair is gone into once, and none may be come back to on its own way:
then the strategy might never end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game
from kibitz.core.errors import InputError
from kibitz.core.hidden.updating import same
from kibitz.core.position.game import Game, Position
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.hashing import combine, hash_record
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, Control, supervise
from kibitz.tables.proof.file import BadProof
from kibitz.tables.proof.percept_strategy import WAIT, Branch, Node, PerceptStrategy
from kibitz.tables.proof.replay import whole

FIRST_ROOM = 1 << 14  # pairs

FINE, BAD_END, NO_SUCH_MOVE, NOT_HEARD, OUT_OF_TURN, COMES_BACK, NO_REPLY, FULL, STOPPED = range(9)
FAULTS = {
    BAD_END: "the game ends there, and not as claimed",
    NO_SUCH_MOVE: "the strategy names a move there that does not exist",
    NOT_HEARD: "something is heard there of which the strategy knows nothing",
    OUT_OF_TURN: "the strategy waits where it is the player's turn, or moves where it is not",
    COMES_BACK: "the play comes back to an earlier position, so the strategy might never end",
    NO_REPLY: "nobody can move there, and the game is not over",
}

Frame = record(place=np.int32, next_=np.int32, move=np.int64)


def pair(constants: dict[str, Any]) -> np.dtype[Any]:
    """A position that was come to at a node; `open` while what is behind it is being gone through; the most plies and own moves that are left."""
    return record(state=constants["State"], node=np.int32, open=np.int32, plies=np.int32, moves=np.int32)


def workspace(constants: dict[str, Any]) -> np.dtype[Any]:
    widest = max(constants["MAX_MOVES"], constants["MAX_OUTCOMES"], 1)
    return record(
        control=Control, player=np.int64, goal=np.float64, before=constants["State"], after=constants["State"], choices=(constants["MOVE"], widest),
        weights=(np.float64, widest), fault=np.int64, start=np.int64, top=np.int64, stored=np.int64, fresh=np.bool_, plies=np.int64, moves=np.int64,
    )  # fmt: skip


# --- kernels ---


def walk(w: Any, origin: Any, nodes: Any, branches: Any, pairs: Any, slots: Any, trail: Any) -> None:
    """All plays from these positions; `w.fault` says how it went, and the play that fails is the moves of the trail from position `w.start` on."""
    w.fault, w.stored, w.plies, w.moves, w.top = FINE, 0, 0, 0, -1
    for i in range(slots.shape[0]):
        slots[i] = -1
    for i in range(origin.shape[0]):
        w.start, w.top = i, -1
        w.after = origin[i]
        place = arrive(w, pairs, slots, whole(0))
        if w.fault == FINE and w.fresh:
            push(w, trail, place)
            go_through(w, nodes, branches, pairs, slots, trail)
        if w.fault != FINE:
            return
        w.plies, w.moves = max(w.plies, pairs[place].plies), max(w.moves, pairs[place].moves)


def go_through(w: Any, nodes: Any, branches: Any, pairs: Any, slots: Any, trail: Any) -> None:
    """Everything behind the pair that the trail begins with."""
    while w.top >= 0:
        frame = trail[w.top]
        here = pairs[frame.place]
        if w.control.nodes >= w.control.limit:
            w.fault = STOPPED
            return
        w.before = here.state
        mover = whole(game.player(w.before))
        n = list_choices(w, nodes[here.node].move, mover)
        if w.fault != FINE:
            return
        if frame.next_ == n:
            here.open = 0
            w.top -= 1
            if w.top >= 0:
                close(w, pairs[trail[w.top].place], here)
            continue
        frame.move = w.choices[frame.next_]
        frame.next_ += 1
        w.control.nodes += 1
        w.after = w.before
        game.play(w.after, w.choices[frame.next_ - 1])
        to = heard(nodes[here.node], branches, whole(game.percept(w.before, w.choices[frame.next_ - 1], w.after, w.player)))
        if to < 0:
            w.fault = NOT_HEARD
            return
        place = arrive(w, pairs, slots, to)
        if w.fault != FINE:
            return
        if w.fresh:
            push(w, trail, place)
        elif pairs[place].open != 0:
            w.fault = COMES_BACK
            return
        else:
            close(w, here, pairs[place])


def push(w: Any, trail: Any, place: int) -> None:
    w.top += 1
    frame = trail[w.top]
    frame.place, frame.next_, frame.move = place, 0, WAIT


def close(w: Any, here: Any, behind: Any) -> None:
    """What is behind one of the choices at a pair has been gone through."""
    own = game.player(here.state) == w.player
    here.plies, here.moves = max(here.plies, behind.plies + 1), max(here.moves, behind.moves + (1 if own else 0))


def list_choices(w: Any, move: int, mover: int) -> int:
    """What may happen in `w.before`: the strategy's move, or whatever the others can do."""
    if (mover == w.player) != (move != WAIT):
        w.fault = OUT_OF_TURN
        return 0
    n = whole(game.outcomes(w.before, w.choices, w.weights)) if mover == CHANCE else whole(game.moves(w.before, w.choices))
    if mover != w.player:
        if n == 0:
            w.fault = NO_REPLY
        return n
    for i in range(n):
        if w.choices[i] == move:
            w.choices[0] = move
            return 1
    w.fault = NO_SUCH_MOVE
    return 0


def heard(node: Any, branches: Any, percept: int) -> int:
    """The node behind what was heard, or -1."""
    for i in range(node.first, node.first + node.count):
        if branches[i].percept == percept:
            return whole(branches[i].to)
    return whole(-1)


def arrive(w: Any, pairs: Any, slots: Any, node: int) -> int:
    """The place of the pair of a node and the position `w.after`, which is `w.fresh` where there is more to go through."""
    mask = slots.shape[0] - 1
    slot = whole(combine(hash_record(w.after), np.uint64(node)) & np.uint64(0x7FFFFFFFFFFFFFFF)) & mask
    w.fresh = False
    while slots[slot] >= 0:
        place = whole(slots[slot])
        if pairs[place].node == node and same(pairs[place].state, w.after):
            return place
        slot = (slot + 1) & mask
    if w.stored == pairs.shape[0]:
        w.fault = FULL
        return whole(0)
    place = whole(w.stored)
    slots[slot] = place
    pairs[place].state = w.after
    e = pairs[place]
    e.node, e.plies, e.moves = node, 0, 0
    w.stored += 1
    if game.player(w.after) == OVER:
        e.open = 0
        if game.utility(w.after, w.player) < w.goal:
            w.fault = BAD_END
    else:
        e.open, w.fresh = 1, True
    return place


# --- shell ---


def replayed(strategy: PerceptStrategy) -> PerceptStrategy:
    """The strategy with what its longest play has, if every play ends as claimed; BadProof if one does not."""
    claim, nodes, branches = strategy.claim, strategy.nodes, strategy.branches
    check_shape(strategy)
    states, room = claim.belief().states, FIRST_ROOM
    while True:
        kernel, w, pairs, slots, trail = _walking(claim.game, room)
        w.player, w.goal = claim.player, claim.threshold
        run = supervise(kernel, w, states, nodes, branches, pairs, slots, trail, control=w.control)
        if run.interrupted:
            raise KeyboardInterrupt
        if w.fault != FULL:
            break
        room *= 4
    if w.fault != FINE:
        raise BadProof(f"{_failing_play(w, states, trail, strategy)}: {FAULTS[int(w.fault)]}")
    return PerceptStrategy(claim, nodes, branches, int(w.moves), int(w.plies), int(w.stored))


def prepare(game: Game) -> None:
    """Compile, so that no clock runs meanwhile."""
    kernel, w, pairs, slots, trail = _walking(game, 1)
    kernel.prepare(w, np.zeros(1, game.constants["State"]), np.zeros(1, Node), np.zeros(1, Branch), pairs, slots, trail)


def _walking(game: Game, room: int) -> tuple[Any, ...]:
    """The walk bound to a game, a workspace, and room for the pairs."""
    w = blank(workspace(game.constants))
    w.control.limit = NO_LIMIT
    kernel = game.bind(walk, label="replay")
    return kernel, w, np.zeros(room, pair(game.constants)), np.zeros(4 * room, np.int32), np.zeros(room, Frame)


def verify(strategy: PerceptStrategy) -> PerceptStrategy:
    """The same strategy, if every play ends as claimed and as far from the beginning as it says; BadProof if not."""
    found = replayed(strategy)
    if (found.moves, found.plies, found.places) != (strategy.moves, strategy.plies, strategy.places):
        raise BadProof(
            f"there are {found.places} places, and a longest play of {found.plies} plies with {found.moves} own moves; "
            f"the proof says {strategy.places}, {strategy.plies} and {strategy.moves}"
        )
    return found


def check_shape(strategy: PerceptStrategy) -> None:
    """Refuse what leads outside its own arrays."""
    nodes, branches = strategy.nodes, strategy.branches
    inside = len(nodes) > 0 and (nodes["first"] >= 0).all() and (nodes["count"] >= 0).all()
    if not inside or (nodes["first"].astype(np.int64) + nodes["count"] > len(branches)).any():
        raise BadProof("a node of the strategy has branches that are not there")
    if len(branches) and ((branches["to"] < 0).any() or (branches["to"] >= len(nodes)).any()):
        raise BadProof("a branch of the strategy leads nowhere")


def _failing_play(w: Any, states: Any, trail: Any, strategy: PerceptStrategy) -> str:
    """Where the walk failed: the position that it began with, and the moves."""
    position = Position(strategy.claim.game, states[int(w.start)].tobytes())
    numbers = [int(trail[i]["move"]) for i in range(int(w.top) + 1) if int(trail[i]["move"]) != WAIT]
    try:
        line = " ".join(str(move) for move in position.named_line(numbers))
    except InputError:  # a forged strategy's move that has no name
        line = " ".join(map(str, numbers))
    start = " / ".join(position.show().splitlines()[-1:])
    return f"from {start}, after {line}" if line else f"from {start}"
