"""A strategy as a tree of text: every reply of the other player, and the move that answers it; what does not fit is folded into a count."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.tables.proof.strategy_player import ProofPlayer

LISTED = 60  # lines, unless told


@dataclass
class Branch:
    """What the other player did, what the strategy answers, and what may follow."""

    reply: Move | None  # None at the root
    answers: tuple[Move, ...] = ()  # more than one where the holder moves again at once
    then: list[Branch] = field(default_factory=list)
    end: str = ""  # how the game ended
    folded: int = 0  # replies that are not shown

    @property
    def text(self) -> str:
        moves = " ".join(str(m) for m in self.answers)
        said = f"{self.reply} → {moves}" if self.reply is not None and moves else str(self.reply) if self.reply is not None else moves
        stub = f"… {self.folded} {'reply' if self.folded == 1 else 'replies'}" if self.folded else ""
        return "  ".join(part for part in (said, self.end, stub) if part)

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "reply": None if self.reply is None else str(self.reply),
            "answers": [str(m) for m in self.answers],
            **({"end": self.end} if self.end else {}),
            **({"folded": self.folded} if self.folded else {}),
            **({"then": [b.as_dict() for b in self.then]} if self.then else {}),
        }


def branches(engine: ProofPlayer, size: int = LISTED) -> Branch:
    """The strategy from its first position on, about `size` replies of it: those that come first, all of one node or none."""
    if size < 1:
        raise InputError(f"size {size}: give at least 1 line")
    position = engine.strategy.claim.position
    root, left = Branch(None), size
    waiting = deque([(root, _answered(engine, root, position))])
    while waiting:
        branch, here = waiting.popleft()
        replies = () if here.is_over else here.moves
        if len(replies) > left:
            branch.folded = len(replies)
            continue
        left -= len(replies)
        for reply in replies:
            branch.then.append(Branch(reply))
            waiting.append((branch.then[-1], _answered(engine, branch.then[-1], here.play(int(reply)))))
    return root


def _answered(engine: ProofPlayer, branch: Branch, position: Position) -> Position:
    """Make the holder's moves; the position in which it is for the other to reply, or the end."""
    holder = engine.strategy.claim.holder(engine.strategy.verdict)
    while position.player == holder:
        move = engine.search(position).move
        assert move is not None
        branch.answers += (move,)
        position = position.play(int(move))
    if position.is_over:
        branch.end = f"({position.utility(engine.strategy.claim.player):+g} for {position.game.side(engine.strategy.claim.player)})"
    return position


def outline(root: Branch) -> list[str]:
    """The lines of the tree, the root first."""
    lines = [root.text or "·"]
    stack = [(branch, "", i == len(root.then) - 1) for i, branch in reversed(list(enumerate(root.then)))]
    while stack:
        branch, before, last = stack.pop()
        lines.append(f"{before}{'└─ ' if last else '├─ '}{branch.text}")
        inside = before + ("   " if last else "│  ")
        stack += [(below, inside, i == len(branch.then) - 1) for i, below in reversed(list(enumerate(branch.then)))]
    return lines
