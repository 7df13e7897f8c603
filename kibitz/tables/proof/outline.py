"""A strategy as a tree: every reply of the other player, and the move that answers it; what does not fit is folded into a count. As text, or as a page of HTML that unfolds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from html import escape
from typing import Any

from kibitz.core.drawing import notebook
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.tables.proof.strategy_player import ProofPlayer

LISTED = 60  # lines, unless told
ON_A_PAGE = 2000  # replies, unless told
UNFOLDED = 1  # plies of replies that a page shows at first


@dataclass
class Branch:
    """What the other player did, what the strategy answers, and what may follow."""

    reply: Move | None  # None at the root
    answers: tuple[Move, ...] = ()  # more than one where the holder moves again at once
    then: list[Branch] = field(default_factory=list)
    end: str = ""  # how the game ended
    folded: int = 0  # replies that are not shown
    position: Position | None = None  # after the answers

    @property
    def text(self) -> str:
        return "  ".join(part for part in (self.moves, self.end, self.stub) if part)

    @property
    def moves(self) -> str:
        moves = " ".join(str(m) for m in self.answers)
        return f"{self.reply} → {moves}" if self.reply is not None and moves else str(self.reply) if self.reply is not None else moves

    @property
    def stub(self) -> str:
        return f"… {self.folded} {'reply' if self.folded == 1 else 'replies'}" if self.folded else ""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "reply": None if self.reply is None else str(self.reply),
            "answers": [str(m) for m in self.answers],
            **({"end": self.end} if self.end else {}),
            **({"folded": self.folded} if self.folded else {}),
            **({"then": [b.as_dict() for b in self.then]} if self.then else {}),
        }


def branches(engine: ProofPlayer, size: int = LISTED, line: str = "", depth: int | None = None) -> Branch:
    """The strategy from its first position on, or after a line of it; about `size` replies, those that come first, all of one node or none, and no more than `depth` of them one after another."""
    if size < 1:
        raise InputError(f"size {size}: give at least 1 line")
    position = engine.strategy.claim.position.play_line(line)
    root, left = Branch(None), size
    waiting = deque([(root, _answered(engine, root, position), 0)])
    while waiting:
        branch, here, deep = waiting.popleft()
        replies = () if here.is_over else here.moves
        if len(replies) > left or deep == depth:
            branch.folded = len(replies)
            continue
        left -= len(replies)
        for reply in replies:
            branch.then.append(Branch(reply))
            waiting.append((branch.then[-1], _answered(engine, branch.then[-1], here.play(int(reply))), deep + 1))
    return root


def _answered(engine: ProofPlayer, branch: Branch, position: Position) -> Position:
    """Make the holder's moves; the position in which it is for the other to reply, or the end."""
    holder = engine.strategy.claim.holder(engine.strategy.verdict)
    while position.player == holder:
        move = engine.search(position).move
        assert move is not None
        branch.answers += (move,)
        position = position.play(int(move))
    branch.position = position
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


# --- as a page ---

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }
details, .end { border-left: 1px solid #8886; margin-left: 0.4em; padding-left: 0.8em; }
summary { cursor: pointer; }
.end { margin-left: 1.6em; border: 0; padding-left: 0; }
.dim { opacity: 0.65; }
pre { margin: 0.3em 0 0.5em 1em; line-height: 1.25; }
"""


def page(root: Branch, title: str, told: str) -> str:
    """A page that needs nothing but a browser: each reply unfolds into the board after its answer, and what may follow."""
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style></head><body>',
        f"<h1>{escape(title)}</h1><p>{escape(told)}</p>",
    ]
    stack: list[tuple[Branch, int] | str] = [(root, 0)]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            parts.append(here)
            continue
        branch, deep = here
        said = f'{escape(branch.moves or "to begin with")} <span class="dim">{escape(" ".join(t for t in (branch.end, branch.stub) if t))}</span>'
        board = notebook.verbatim(branch.position.show()) if branch.position is not None else ""
        parts.append(f"<details{' open' if deep < UNFOLDED else ''}><summary>{said}</summary>{board}")
        stack.append("</details>\n")
        stack += [(below, deep + 1) for below in reversed(branch.then)]
    return "".join((*parts, "</body></html>\n"))
