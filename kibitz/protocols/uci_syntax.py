"""The text of UCI commands, read: what `position` sets up, what `go` asks for. Text in, plain values out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz.core.errors import InputError
from kibitz.protocols.clock import Clock

NUMBERS = ("depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo")
FLAGS = ("infinite", "ponder")
MOST = 10**12  # a number of the protocol, at most
DEEPEST = 250  # plies
LACKING = 1.0  # seconds for a search whose limits made no sense


@dataclass(frozen=True)
class Go:
    """What a search may use; 0 and None where nothing was said. Seconds, not milliseconds."""

    depth: int = 0
    nodes: int = 0
    mate: int = 0
    seconds: float | None = None
    clocks: tuple[Clock | None, Clock | None] = (None, None)  # of player 0 and player 1
    infinite: bool = False
    ponder: bool = False
    only: tuple[str, ...] = ()


def words_of(line: str) -> list[str]:
    """The words of a line; whatever is no printable character separates them."""
    return "".join(c if c.isprintable() else " " for c in line).split()


def setup_of(words: list[str]) -> tuple[str, list[str]]:
    """Of `position`: `startpos`, or the text of a board; and the moves from there."""
    place = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:place], words[place + 1 :]
    if head == ["startpos"]:
        return "startpos", moves
    if len(head) > 1 and head[0] == "fen":
        return " ".join(head[1:]), moves
    raise InputError("a position is written: position startpos moves ..., or position fen TEXT moves ...")


def go_of(words: list[str]) -> tuple[Go, list[str]]:
    """Parse `go`: its limits, and the words that make no sense. If none of its limits is valid the search gets a second; without any it is infinite."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    only: list[str] = []
    refused: list[str] = []
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in FLAGS:
            flags.add(word)
        elif word in NUMBERS:
            given = words[i] if i < len(words) else ""
            i += 1
            if re.fullmatch(r"[+-]?[0-9]{1,15}", given):
                numbers[word] = max(-MOST, min(MOST, int(given)))
            else:
                refused.append(f"go {word} takes a whole number, not '{given}'")
        elif word == "searchmoves":
            while i < len(words) and words[i] not in (*NUMBERS, *FLAGS):
                only.append(words[i])
                i += 1
        else:
            refused.append(f"go knows no '{word}'; known are {', '.join((*NUMBERS, *FLAGS, 'searchmoves'))}")
    return _limits(numbers, flags, tuple(only), bool(refused)), refused


def _limits(numbers: dict[str, int], flags: set[str], only: tuple[str, ...], refused: bool) -> Go:
    depth, nodes, mate = (max(1, numbers[name]) if name in numbers else 0 for name in ("depth", "nodes", "mate"))
    seconds = max(0, numbers["movetime"]) / 1000 if "movetime" in numbers else None
    moves = max(0, numbers.get("movestogo", 0))
    clocks = tuple(
        Clock(numbers[f"{side}time"] / 1000, max(0, numbers.get(f"{side}inc", 0)) / 1000, moves) if f"{side}time" in numbers else None
        for side in "wb"
    )
    limited = bool(depth or nodes or mate or seconds is not None or any(clocks))
    endless = "infinite" in flags or not (numbers or refused or flags)
    if not limited and not endless:
        seconds = LACKING
    return Go(min(depth, DEEPEST), nodes, mate, seconds, (clocks[0], clocks[1]), endless, "ponder" in flags, only)
