"""The answer of a search: immutable, and explicit about what is certain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kibitz.core.drawing import notebook
from kibitz.core.position.game import Position
from kibitz.core.position.notation import Move
from kibitz.core.position.readable import count, rough, three_digits
from kibitz.core.protocol.outcomes import middle

EXACT = "exact"
LOWER = "lower"  # the true value is this or more
UPPER = "upper"  # the true value is this or less
ESTIMATE = "estimate"

MOST_ROWS = 12  # of a table in a notebook
MOST_MOVES = 8  # of a line there

SIGNS = {EXACT: "=", LOWER: ">=", UPPER: "<=", ESTIMATE: "~"}


@dataclass(frozen=True)
class Candidate:
    """What a search that samples found out about one move, or about one outcome of chance."""

    position: Position
    numbers: tuple[int, ...]  # best play, the move itself first; `line` names them
    visits: int  # playouts that began with it
    value: float  # for the player to move; NaN where nobody has tried it
    spread: float  # the standard deviation of its playouts' results; NaN where it was not kept
    bound: str  # EXACT where it is proven
    distance: int | None = None  # as `Result` has it
    prior: float | None = None  # how likely it is by the game's policy, where that guides the search
    share: float | None = None  # how likely it is by all that the search found out; all moves' add up to 1
    values: tuple[float, ...] = ()  # as `Result` has it

    @cached_property
    def line(self) -> tuple[Move, ...]:
        return self.position.named_line(list(self.numbers))

    @property
    def move(self) -> Move:
        return self.line[0]

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "move": str(self.move),
            "visits": self.visits,
            "value": _number(self.value),
            "spread": _number(self.spread),
            "bound": self.bound,
            **({} if self.distance is None else {"distance": self.distance}),
            "line": [str(m) for m in self.line],
            **_values(self),
            **({} if self.share is None else {"prior": self.prior, "r": self.share}),
        }


@dataclass(frozen=True)
class Likely:
    """A line of play and how likely it is: its moves' shares, multiplied."""

    line: tuple[Move, ...]
    share: float

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {"line": [str(m) for m in self.line], "r": self.share}


@dataclass(frozen=True)
class Outlook:
    """What may come of one move in a game with chance when both sides go on with what is best on average."""

    move: Move
    mean: float  # what the move is worth to the player to move
    spread: float  # the standard deviation of what comes of it
    win: float  # the chance to end above the middle of VALUES: to win, or to stand better where the search ends
    loss: float  # the chance to end below it
    shares: tuple[float, ...]  # the chance to end in each of equal parts of VALUES, the worst first

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "move": str(self.move),
            "mean": self.mean,
            "spread": self.spread,
            "win": self.win,
            "loss": self.loss,
            "shares": list(self.shares),
        }


@dataclass(frozen=True)
class Result:
    """The answer of one search."""

    position: Position
    engine: str
    move: Move | None  # the best move found
    value: float  # for the player to move
    bound: str  # EXACT, LOWER, UPPER or ESTIMATE
    line: tuple[Move, ...]  # best play from here, as far as it is known
    depth: int  # plies searched; of the deepest search that was finished
    nodes: int  # positions visited by all of it
    seconds: float
    ended: str  # why it stopped: solved, decided (the value cannot change, but is no proof), depth, time, nodes or interrupted
    distance: int | None = None  # moves to the end under best play, where that is known exactly
    leaves: int | None = None  # how often a finished game or the horizon was met, in all of it; None where nobody counted
    playouts: int | None = None  # simulations, for a search that samples
    table: tuple[Candidate, ...] = ()  # what it found of each move, or of as many as it was asked for, the best first
    outlooks: tuple[Outlook, ...] = ()  # what may come of each move, where that was asked for
    likely: Sequence[Likely] = ()  # the likeliest lines, where a policy guides the search
    note: str = ""  # what the user should know besides
    farthest: int | None = None  # plies of the longest line that was looked at, where somebody counted
    full: float | None = None  # the part of the table that is in use
    hits: int | None = None  # positions that endgame tables told the value of, where there are tables
    lower: float | None = None  # the value surely lies in [lower, upper], where a search proves both bounds
    upper: float | None = None
    values: tuple[float, ...] = ()  # for each player, NaN where it is not known; empty where two players' interests are opposite

    @property
    def exact(self) -> bool:
        return self.bound == EXACT

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "game": self.position.game.label,
            "position": self.position.show_mover(),
            "engine": self.engine,
            "move": None if self.move is None else str(self.move),
            "value": self.value,
            "bound": self.bound,
            **_values(self),
            "line": [str(m) for m in self.line],
            "depth": self.depth,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "seconds": round(self.seconds, 6),
            "ended": self.ended,
            "distance": self.distance,
            **({} if self.lower is None else {"lower": self.lower, "upper": self.upper}),
            **({} if self.hits is None else {"hits": self.hits}),
            **({} if self.playouts is None else {"playouts": self.playouts}),
            **({"moves": [c.as_dict() for c in self.table]} if self.table or self.playouts is not None else {}),
            **({"outlooks": [o.as_dict() for o in self.outlooks]} if self.outlooks else {}),
            **({"likely": [one.as_dict() for one in self.likely]} if self.likely else {}),
            **({"note": self.note} if self.note else {}),
        }

    def __str__(self) -> str:
        line = f": {' '.join(str(m) for m in self.line)}" if self.line else ""
        return f"{'' if self.move is None else f'{self.move}  '}{verdict(self)}{line}\n{effort(self)}"

    def _repr_html_(self) -> str:
        return _in_html(self)


def _values(found: Result | Candidate) -> dict[str, Any]:
    return {"values": [_number(x) for x in found.values]} if found.values else {}


def _number(x: float) -> float | None:
    """JSON knows no NaN."""
    return None if math.isnan(x) else x


# --- in words ---


def verdict(result: Result) -> str:
    """What the position is worth, without its line: `player 1 wins in 3 plies`."""
    game, value = result.position.game, result.value
    mover = max(0, result.position.player)
    who = game.side(mover)
    if math.isnan(value):
        return "nothing is known yet"
    if result.bound == ESTIMATE and result.depth == 0 and result.playouts is None and not result.line:
        return "nothing is known yet: there was no time to look one ply deep"
    if result.values and result.bound in (EXACT, ESTIMATE):
        each = ", ".join(f"{three_digits(x)} for {game.side(p)}" for p, x in enumerate(result.values) if not math.isnan(x))
        return f"{_relation(result)} {each}{' on average' if game.has_chance and result.bound == EXACT else ''}"
    if result.bound == ESTIMATE and result.distance is None:
        return f"about {three_digits(value)} for {who}"
    if game.players != 2 or game.constants["SUM"] is None or game.has_chance:
        return f"{_relation(result)} {three_digits(value)} for {who}{' on average' if game.has_chance else ''}"
    draw = middle(game.constants["VALUES"])
    if value == draw:
        return {EXACT: "draw with best play", LOWER: f"at least a draw for {who}", UPPER: f"at most a draw for {who}"}.get(
            result.bound, "probably a draw"
        )
    ahead = game.side(mover if value > draw else 1 - mover)
    if (result.bound == LOWER and value < draw) or (result.bound == UPPER and value > draw):
        return f"{_relation(result)} {three_digits(value)} for {who}"
    return f"{ahead} {'probably ' if result.bound == ESTIMATE else ''}wins{_margin(result)}{_soon(result)}"


def effort(result: Result) -> str:
    """What it rests on: `depth 16, 5.01 M positions, 1.20 s`."""
    what = (
        f"{rough(result.playouts)} playout{'' if result.playouts == 1 else 's'}"
        if result.playouts is not None
        else f"depth {result.depth}, {rough(result.nodes)} positions"
    )
    return f"{what}, {result.seconds:.2f} s"


def worth(c: Candidate) -> str:
    """A move's value in a table: `+0.310`, or `+1 in 3 plies`."""
    soon = "" if c.distance is None else f" in {c.distance} {'ply' if c.distance == 1 else 'plies'}"
    return f"{SIGNS[c.bound].removeprefix('~')}{three_digits(c.value)}{soon}"


def end(result: Result) -> str:
    """Why it ended, in words."""
    asked = {
        "time": "time is up",
        "depth": "as deep as asked",
        "nodes": "as many positions as asked",
        "playouts": "as many playouts as asked",
    }
    return asked.get(result.ended, result.ended)


def _relation(result: Result) -> str:
    return {EXACT: "exactly", LOWER: "at least", UPPER: "at most"}.get(result.bound, "about")


def _margin(result: Result) -> str:
    """By how much, where a game can be won by more or by less."""
    values, value = result.position.game.constants["VALUES"], result.value
    ahead = abs(value - middle(values))
    if result.position.game.constants["SUM"] != 0 or ahead == (values[1] - values[0]) / 2 or result.distance is not None:
        return ""
    bounded = result.bound in (LOWER, UPPER)
    return f" by {'at least ' if bounded else ''}{three_digits(ahead).removeprefix('+')}"


def _soon(result: Result) -> str:
    return "" if result.distance is None else f" in {result.distance} {'ply' if result.distance == 1 else 'plies'}"


# --- in a notebook ---


def _in_html(result: Result) -> str:
    """The board with the best move marked, what it is worth in words, and the table of moves."""
    line = " ".join(str(m) for m in result.line)
    words = verdict(result) if result.move is None else f"{result.move}: {verdict(result)}"
    return notebook.beside(
        _board(result),
        notebook.said(words, bold=True),
        notebook.said(line) if len(result.line) > 1 else "",
        notebook.said(f"{effort(result)}; {end(result)} · {result.engine}", dim=True),
        _moves(result),
        _outlooks(result),
        notebook.said(result.note, dim=True) if result.note else "",
    )


def _board(result: Result) -> str:
    position = result.position
    if position.game.is_hidden:  # no more than whoever is to move may see
        return notebook.verbatim(position.show_mover())
    best = None if result.move is None else int(result.move)
    return position.draw(best=best) or position._repr_html_()


def _moves(result: Result) -> str:
    """What is known of each move, the best first, where the search looked at more than one."""
    if not result.table:
        return ""
    sampled = result.playouts is not None
    head = ("move", *(("visits",) if sampled else ()), "value", *(("±",) if sampled else ("plies",)), "line")
    rows = [_row(c, sampled) for c in result.table[:MOST_ROWS]]
    more = len(result.table) - MOST_ROWS
    told = [place for place in range(len(head)) if any(row[place] for row in rows)]
    left = [i for i, place in enumerate(told) if head[place] in ("move", "line")]
    table = notebook.grid([head[place] for place in told], [[row[place] for place in told] for row in rows], left=left, first_bold=True)
    return table + (notebook.said(f"... {more} more", dim=True) if more > 0 else "")


def _row(c: Candidate, sampled: bool) -> tuple[str, ...]:
    """`±` is one standard deviation of the mean of as many playouts with this spread."""
    value = f"{SIGNS[c.bound].removeprefix('~')}{three_digits(c.value)}" if not math.isnan(c.value) else ""
    line = " ".join(str(m) for m in c.line[1:MOST_MOVES])
    if not sampled:
        return (str(c.move), value, "" if c.distance is None else str(c.distance), line)
    error = c.spread / math.sqrt(c.visits) if c.visits and c.bound != EXACT else math.nan
    return (str(c.move), count(c.visits), value, "" if math.isnan(error) else f"{error:.2g}", line)


def _outlooks(result: Result) -> str:
    """What may come of each move of a game with chance, the best on average first."""
    rows = [
        (str(o.move), three_digits(o.mean), f"{o.spread:.3g}", f"{o.win:.1%}", f"{o.loss:.1%}")
        for o in sorted(result.outlooks, key=lambda o: -o.mean)
    ]
    return notebook.grid(("move", "mean", "spread", "win", "loss"), rows[:MOST_ROWS], first_bold=True) if rows else ""
