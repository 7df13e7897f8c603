"""A program that runs beside us and is spoken to line by line; it is ended with us."""

from __future__ import annotations

import atexit
import contextlib
import os
import shlex
import shutil
import subprocess

from kibitz.core.errors import InputError, KibitzError

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian puts games, and not every PATH leads there
PATIENCE = 2.0  # seconds that a program may take to quit


class Child:
    """A running program. `mark` stands before its command line in messages, as it does where a player is named."""

    def __init__(self, command: str, mark: str) -> None:
        self.command, self.mark = command, mark
        self.process = subprocess.Popen(
            [found(command), *shlex.split(command)[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is ours to hear
        )
        atexit.register(self.end)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise self._gone(line) from None

    def hear(self, asked: str) -> str:
        """The next line it writes, which is to answer the one it was asked."""
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        if not text:
            raise self._gone(asked)
        return text

    def end(self) -> None:
        """Let it quit, or make it."""
        if self.process.stdin is None or self.process.stdin.closed:  # it has been told
            return
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self.process.communicate("quit\n", timeout=PATIENCE)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _gone(self, line: str) -> KibitzError:
        return KibitzError(f"{self.mark}{self.command} has ended instead of answering '{line}'")


def found(command: str) -> str:
    """The program's path."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"'{command}' is no command line: {error}") from None
    path = shutil.which(words[0], path=os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS]))
    if path is None:
        raise InputError(f"there is no program '{words[0]}'; install it, or give its path")
    return path
