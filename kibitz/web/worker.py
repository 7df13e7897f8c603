"""The process that runs searches, one at a time: errors or lack of memory end only that search.

It gets a `Job` and sends back messages for the page, as dicts, of which the last one has "last": true. Anything it receives meanwhile means: stop.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError, KibitzError
from kibitz.core.hidden.belief import Belief
from kibitz.core.hidden.marginals import likeliest, marginals
from kibitz.core.hidden.view import view
from kibitz.core.position.game import Position
from kibitz.core.position.result import Outlook, Result, effort, verdict
from kibitz.core.running.control import Stop, heeding
from kibitz.pictures.proof_tree import ProofTree, trace_proof
from kibitz.pictures.pseudocode import listing_of
from kibitz.pictures.search_tree import SearchTree, trace_search
from kibitz.pictures.simulation_tree import MonteCarloTree
from kibitz.players import Player

PAUSE = 0.1  # seconds between two results, at least
NICE = 5  # so that positions are shown at once, whatever is searched, and a search still gets on where other programs are busy
MANY = 256  # candidates told of a position
THREAT, LONGEST_THREAT = 0.2, 1.0  # the part of its time that an analysis gives to the threat; seconds at the most
FEWER, BELIEVED = 1 << 12, 1 << 15  # most positions of a belief that is shown: at first, and where that was quick
LIKELIEST = 4  # of them are drawn
QUICK = 0.1  # seconds


@dataclass(frozen=True)
class Job:
    """One search."""

    kind: str  # analyse, play or tree
    position: Position
    player: Player | None  # none for the tree of a proof-number search
    visits: int = 0  # to record of a tree
    threat: Position | None = None  # the same board with the other side to move, where the page wants to know the threat
    proof: tuple[str, dict[str, Any]] | None = None  # a proof-number search and its options


def main(connection: Connection, megabytes: float) -> None:
    """Serve until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us says when to stop
    if hasattr(os, "nice"):
        os.nice(NICE)
    jobs = _Jobs(connection)
    compile_progress.listen(lambda what: jobs.send({"is": "working", "words": f"compiling {what}"}) if what else None)
    compile_progress.warn_with(lambda _: None)
    while (job := jobs.next()) is not None:
        with _memory(megabytes):
            _serve(job, jobs, megabytes)


def _serve(job: Job, jobs: _Jobs, megabytes: float) -> None:
    try:
        with heeding(jobs.stop):
            for message in RUN[job.kind](job, jobs):
                jobs.send(message)
        jobs.send({"is": "stopped", "why": jobs.why, "last": True})
    except MemoryError:
        said = f"this search needs more than the {megabytes:g} MB that this server gives it; choose a smaller table, or less memory"
        jobs.send({"is": "error", "text": said, "last": True})
    except KibitzError as error:
        jobs.send({"is": "error", "text": str(error), "last": True})
    except Exception as error:  # rules of a user's game, most likely
        jobs.send({"is": "error", "text": f"{type(error).__name__}: {error}"[:1000], "last": True})


class _Jobs:
    """The worker's end of the connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self.stop = Stop()
        self.why = ""

    def next(self) -> Job | None:
        """The next job; from then on a thread waits for the wish to stop it."""
        while True:
            try:
                got = self._connection.recv()
            except (EOFError, OSError):
                return None
            if isinstance(got, Job):  # a wish to stop may come late
                self.stop, self.why = Stop(), ""
                self._listener = threading.Thread(target=self._listen, args=(self.stop,), daemon=True)
                self._listener.start()
                return got

    def send(self, message: dict[str, Any]) -> None:
        if message.get("last"):  # the other side answers each last message, so that the thread ends before the next job
            with self._sending, contextlib.suppress(OSError):
                self._connection.send(message)
            self._listener.join()
            return
        with self._sending, contextlib.suppress(OSError):
            self._connection.send(message)

    def _listen(self, stop: Stop) -> None:
        while True:
            try:
                wish = self._connection.recv()
            except (EOFError, OSError):
                wish = "closed"
            if wish == "seen":
                return
            if not stop.due:
                self.why = str(wish)
            stop.ask()
            if wish == "closed":
                return


@contextlib.contextmanager
def _memory(megabytes: float) -> Iterator[None]:
    """So much more than there is now, and no more; where the system can hold us to it."""
    try:
        import resource

        used = int(re.findall(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024
    except (ImportError, OSError, IndexError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + int(megabytes * 2**20), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


# --- the kinds of jobs ---


def _analyse(job: Job, jobs: _Jobs) -> Iterator[dict[str, Any]]:
    assert job.player is not None
    job.player.prepare(job.position)
    yield {"is": "began"}
    if job.player.method.views:
        yield believed(belief_of(job.position))
    if job.threat is not None and not jobs.stop.due:
        found = job.player.limited(time=min(THREAT * job.player.settings["time"], LONGEST_THREAT)).search(job.threat)
        cells = [] if found.move is None else list(job.threat.cells(int(found.move)))
        yield {"is": "threat", "words": verdict(found), "moves": [str(m) for m in found.line], "cells": cells}
    last: Result | None = None
    before: Result | None = None  # the last that told more than one line
    sent = -math.inf
    with _Latest(jobs) as latest:
        for result in job.player.analyse(job.position):
            last = result
            before = result if result.table or result.outlooks else before
            if jobs.stop.due and not jobs.why:
                jobs.why = result.ended or "stopped"
            if time.monotonic() - sent >= PAUSE:
                sent = time.monotonic()
                latest.tell(None)
                yield described(result, before)
            else:
                latest.tell(described(result, before), sent + PAUSE)
            if jobs.stop.due:
                break
    if last is not None:
        jobs.why = jobs.why or last.ended
        yield described(last, before)


def _play(job: Job, jobs: _Jobs) -> Iterator[dict[str, Any]]:
    assert job.player is not None
    job.player.prepare(job.position)
    yield {"is": "began"}
    for result in job.player.analyse(job.position):
        last = result
        if jobs.stop.due:
            break
    if last.move is None:
        raise InputError(f"{job.player.name} found no move")
    if not jobs.stop.due or jobs.why == "turn":
        yield {"is": "move", "name": str(last.move), "words": "" if job.position.game.is_hidden else said(last)}


def _tree(job: Job, jobs: _Jobs) -> Iterator[dict[str, Any]]:
    yield {"is": "began"}
    tree = _grown(job)
    remark = getattr(tree, "remark", "")
    if not jobs.stop.due:
        yield {
            "is": "tree",
            "tree": {**tree.as_dict(), "engine": _search_of(job)},
            "headline": _told(tree.headline, job),
            "remark": remark,
            "code": listing_of(_search_of(job)),
        }


def _told(text: str, job: Job) -> str:
    """A text with a player's name in it, without the server's limit and the folder of the tables: pages learn no paths."""
    if job.player is None:
        return text
    asked = job.player.limited(time=0) if "time" in job.player.settings else job.player  # the time is the server's
    folder = job.player.own["tables"]
    return text.replace(job.player.name, asked.name).replace(f"tables={folder!r}", "tables")


def _search_of(job: Job) -> str:
    return job.proof[0] if job.proof is not None else job.player.method.name if job.player is not None else ""


def _grown(job: Job) -> SearchTree | MonteCarloTree | ProofTree:
    if job.proof is not None:
        return trace_proof(job.position, *job.proof, job.visits)
    assert job.player is not None
    return trace_search(job.position, job.player, job.visits)


RUN: dict[str, Callable[[Job, _Jobs], Iterator[dict[str, Any]]]] = {"analyse": _analyse, "play": _play, "tree": _tree}


class _Latest:
    """A result that came too soon after the one before is sent when its time comes, unless a later one was."""

    def __init__(self, jobs: _Jobs) -> None:
        self._jobs = jobs
        self._changed = threading.Condition()
        self._result: dict[str, Any] | None = None
        self._due = math.inf
        self._open = True
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> _Latest:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._open, self._result = False, None
            self._changed.notify()
        self._thread.join()

    def tell(self, result: dict[str, Any] | None, due: float = math.inf) -> None:
        with self._changed:
            self._result, self._due = result, due
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while self._open:
                wait = self._due - time.monotonic()
                if self._result is not None and wait <= 0:
                    self._jobs.send(self._result)
                    self._result = None
                else:
                    self._changed.wait(min(wait, 1.0) if self._result is not None else None)


# --- results ---


def described(result: Result, before: Result | None = None) -> dict[str, Any]:
    """A result as the page gets it. One that was broken off has a best line only: the others are those of the depth `before` it."""
    best = {"value": number(result.value), "bound": result.bound, "moves": [str(m) for m in result.line], "distance": result.distance}
    lines, outlooks = candidates(result), result.outlooks
    if before is not None and not lines:
        lines = [best, *(line for line in candidates(before) if line["moves"][0] != str(result.move))]
        outlooks = outlooks or before.outlooks
    if outlooks and len(lines) <= 1:
        lines = [best, *(expected(o, result.bound) for o in sorted(outlooks, key=lambda o: -o.mean) if o.move != result.move)]
    return {
        "is": "result", "depth": result.depth, "nodes": result.nodes, "seconds": round(result.seconds, 3),
        "speed": number(result.nodes / result.seconds) if result.seconds > 0.001 else None, "value": number(result.value), "bound": result.bound,
        "words": verdict(result), "distance": result.distance, "ended": result.ended, "note": result.note, "playouts": result.playouts, "full": number(result.full),
        "hits": result.hits, "values": [number(x) for x in result.values], "turn": result.position.player, "lines": lines or [best],
        "outlooks": [
            {"move": str(o.move), "mean": number(o.mean), "spread": number(o.spread), "win": number(o.win), "loss": number(o.loss)} for o in outlooks
        ],
    }  # fmt: skip


def candidates(result: Result) -> list[dict[str, Any]]:
    """What a result tells of each move, or of the best ones."""
    return [
        {
            "value": number(c.value), "bound": c.bound, "moves": [str(m) for m in c.line], "distance": c.distance, "visits": c.visits,
            "spread": number(c.spread), "prior": number(c.prior), "share": number(c.share), "values": [number(x) for x in c.values],
        }
        for c in result.table[:MANY]
    ]  # fmt: skip


def expected(outlook: Outlook, bound: str) -> dict[str, Any]:
    """A move of a game with chance as a line: what it is worth on average; as sure as the search is of all."""
    return {"value": number(outlook.mean), "bound": bound, "moves": [str(outlook.move)], "spread": number(outlook.spread)}


def belief_of(position: Position) -> Belief:
    """What the player to move thinks possible; a small sample of it where all of it would keep the search waiting."""
    began, seen = time.perf_counter(), view(position, position.player)
    belief = Belief.of(seen, FEWER)
    return belief if belief.complete or time.perf_counter() - began > QUICK else Belief.of(seen, BELIEVED)


def believed(belief: Belief) -> dict[str, Any]:
    """What the player to move thinks possible."""
    shown = [(belief.position(place), chance) for place, chance in likeliest(belief, LIKELIEST)]
    return {
        "is": "belief", "size": belief.size, "complete": belief.complete, "cells": {cell: round(p, 4) for cell, p in marginals(belief).items()},
        "likeliest": [{"chance": round(chance, 4), "svg": p.picture(), "text": p.show()} for p, chance in shown],
    }  # fmt: skip


def said(result: Result) -> str:
    """What a move was chosen for, in a line."""
    return f"{result.move}: {verdict(result)}; {effort(result)}"


def number(x: float | None) -> float | None:
    """JSON knows no NaN and no infinity."""
    return None if x is None or not math.isfinite(x) else float(x)
