"""`kibitz gtp` and `kibitz uci`: talk to boards, servers and other programs."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from typing import IO, Annotated, Any

import typer

from kibitz import __version__
from kibitz.cli import options
from kibitz.core.compiling import compile_progress
from kibitz.players import player
from kibitz.protocols import uci as universal
from kibitz.protocols.clock import USUAL_OVERHEAD
from kibitz.protocols.gtp import Session

USUAL = "selective"  # the strongest search without chance

USUAL_GO = "puct(leaf=playout, untried=parent)"  # guided by the game's policy, it wins more than UCT does


class Lines:
    """Lines of a stream, read by a thread of its own, so that one can ask whether the next has come."""

    def __init__(self, stream: IO[str]) -> None:
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ahead: list[str | None] = []
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._queue.put(line)
        self._queue.put(None)

    def waiting(self) -> str | None:
        """The next line that is not blank, if it is there; an empty text, which no line is, at the end of the input."""
        while not self._ahead:
            try:
                line = self._queue.get_nowait()
            except queue.Empty:
                return None
            if line is None or line.strip():
                self._ahead.append(line)
        return self._ahead[0] or ""

    def __iter__(self) -> Iterator[str]:
        while (line := self._ahead.pop() if self._ahead else self._queue.get()) is not None:
            yield line


Engine = Annotated[str, typer.Option("--with", metavar="PLAYER", help='A search with its options, such as "selective(table=256)".')]


def gtp(
    with_: Engine = USUAL_GO,
    time: options.Time = None,
    playouts: options.Playouts = None,
    seed: options.SearchSeed = None,
    threads: options.Threads = None,
    overhead: Annotated[
        float, typer.Option("--overhead", metavar="SECONDS", min=0.0, max=60.0, help="Time reserved for every move.")
    ] = USUAL_OVERHEAD,
    param: options.Parameters = [],  # noqa: B006
) -> None:
    """Speak the Go Text Protocol on standard input and output, for Go boards, servers and other programs."""
    chosen = options.load_game("go", param)
    given: dict[str, Any] = {name: chosen.parameters[name] for name in chosen.parameters}
    engine = player(with_, time=time, playouts=playouts, seed=seed, threads=threads)
    lines = Lines(sys.stdin)
    session = Session(engine, _say, __version__, parameters=given, waiting=lines.waiting, overhead=overhead)
    for line in lines:
        session.handle(line)
        if session.over:
            return


def uci(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A shipped game's name, or the path of a .py file.")] = "chess",
    with_: Engine = USUAL,
    param: options.Parameters = [],  # noqa: B006
) -> None:
    """Speak the Universal Chess Interface on standard input and output, for chess boards and matches between programs; other games, too."""
    session = universal.Session(options.load_game(game, param), with_, _say, __version__)
    compile_progress.listen(
        lambda what: _say(f"info string compiling {what}{compile_progress.how_often()}; this may take a minute") if what else None
    )
    for line in Lines(sys.stdin):
        session.handle(line)
        if session.over:
            return
    session.finish()


_saying = threading.Lock()


def _say(line: str) -> None:
    with _saying:  # a protocol may answer from several threads
        print(line, flush=True)
