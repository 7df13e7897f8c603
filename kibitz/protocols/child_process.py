"""Child processes that talk line by line; they end when kibitz ends, for whatever reason.

A program that does not answer in time, ends, or writes without end loses the game it is playing (`Forfeit`); it is killed with its own child processes, and
restarted when it is needed again.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from kibitz.core.errors import InputError
from kibitz.players import Forfeit

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian puts games, and not every PATH leads there
TO_QUIT = 2.0  # seconds that a program may take to quit
PATIENCE = 60.0  # seconds that a program may take to answer, or, where its time is limited, to answer after that
TO_START = 60.0  # seconds that it may take for its first answers, at least: it may have a network to read
MOST_LINES = 1000  # that wait to be read; a program that writes more has to wait itself
LONGEST = 1 << 16  # bytes of a line

T = TypeVar("T", bound="Child")
_running: set[Child] = set()


class Child:
    """A running program. `mark` stands before its command line in messages, as it does where a player is named."""

    def __init__(self, command: str, mark: str, patience: float = PATIENCE) -> None:
        self.command, self.mark, self.patience = command, mark, patience
        try:
            self.process = subprocess.Popen(
                [find_program(command), *shlex.split(command)[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is ours to hear
            )
        except OSError as error:
            raise InputError(f"{mark}{command} cannot be started: {error.strerror or error}") from None
        self.over = False
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_LINES)  # an empty one at the end
        _running.add(self)
        _hear_signals()
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone(line) from None

    def hear(self, asked: str, until: float) -> str:
        """The next line it writes, which is to answer the one it was asked; bytes that are no text become marks. `until` is by `time.monotonic`."""
        try:
            text = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise Forfeit(f"{self.mark}{self.command} has not answered '{asked}' within its patience of {self.patience:g} s") from None
        if not text:
            raise self._gone(asked)
        if time.monotonic() > until:  # it writes and writes
            raise Forfeit(f"{self.mark}{self.command} has not come to an end with its answer to '{asked}'")
        return text.decode(errors="replace")

    def has_ended(self) -> bool:
        """Was it ended, or has it ended by itself?"""
        return self.over or self.process.poll() is not None

    def end(self) -> None:
        """Let it quit, or make it."""
        if not self.over:
            try:
                with contextlib.suppress(Forfeit, subprocess.TimeoutExpired):
                    self.say("quit")
                    self.process.wait(TO_QUIT)
            finally:
                self.kill()

    def kill(self) -> None:
        """At once, with whatever it started."""
        self.over = True
        _running.discard(self)
        self.send_kill()
        self.process.wait()

    def send_kill(self) -> None:
        """To all of its group."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    @contextmanager
    def killed_by_failure(self) -> Iterator[None]:
        """What fails here, or is broken off by Ctrl-C, leaves a program in an unknown state, so it is killed."""
        try:
            yield
        except BaseException:
            self.kill()
            raise

    def _read(self) -> None:
        """Another thread's work: keep what it writes, so that we can wait for it and for a clock at the same time."""
        assert self.process.stdout is not None
        text = b"?"
        while text:
            try:
                text = self.process.stdout.readline(LONGEST)
            except (OSError, ValueError):
                text = b""
            while not self.over:
                with contextlib.suppress(queue.Full):
                    self._lines.put(text, timeout=0.2)
                    break

    def _gone(self, line: str) -> Forfeit:
        return Forfeit(f"{self.mark}{self.command} has ended instead of answering '{line}'")


class Talks(Generic[T]):
    """Running programs by what makes them differ: each is started when it is first needed, and again when it has ended."""

    def __init__(self) -> None:
        self._known: dict[Hashable, T] = {}

    def get(self, key: Hashable, start: Callable[[], T]) -> T:
        known = self._known.get(key)
        if known is None or known.has_ended():
            if known is not None:
                known.kill()  # what it started may still be there
            known = self._known[key] = start()
        return known

    def end_all(self) -> None:
        """End them, and forget them."""
        while self._known:
            self._known.popitem()[1].end()


def find_program(command: str) -> str:
    """The program's path."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"'{command}' is no command line: {error}") from None
    path = shutil.which(words[0], path=os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS]))
    if path is None:
        raise InputError(f"there is no program '{words[0]}'; install it, or give its path")
    return path


# --- no program outlives this one ---


@atexit.register
def _end_all() -> None:
    for child in list(_running):
        child.end()


def _hear_signals() -> None:
    """Signals that end a process without a word, such as that with which a match ends its workers, end its programs first."""
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _kill_all_and_die)


def _kill_all_and_die(number: int, _: Any) -> None:
    for child in list(_running):
        child.send_kill()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
