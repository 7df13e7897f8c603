"""Every family of searches, this working tree against another commit: the same nodes in less time?

    python -m benchmarks.against COMMIT [--rounds N] [NAME]...

Two processes on one core, one for each version, search the same positions in turns; seconds are of the processor, the best of all rounds counts. The ratio is how many
times as fast this tree is. On a loaded machine ratios of short runs differ by 3 % from run to run. A search whose nodes differ is told, and not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import FOLDER, Row, Skipped, alone, compared, skipped, table

LEAST = 0.97
WORK = {  # game, position, player
    "alphabeta connect4": ("connect4", "", "alphabeta(depth=16, table=16)"),
    "negascout connect4": ("connect4", "", "negascout(depth=16, table=16)"),
    "mtdf connect4": ("connect4", "", "mtdf(depth=15, table=16)"),
    "selective connect4": ("connect4", "", "selective(depth=15, table=16)"),
    "realization connect4": ("connect4", "", "realization(depth=13, table=16)"),
    "uct connect4": ("connect4", "", "uct(playouts=60000, memory=64, seed=3)"),
    "alphabeta chess": ("chess", "", "alphabeta(depth=8, table=16)"),
    "negascout chess": ("chess", "", "negascout(depth=8, table=16)"),
    "mtdf chess": ("chess", "", "mtdf(depth=7, table=16)"),
    "selective chess": ("chess", "", "selective(depth=13, table=16)"),
    "star1 pig": ("pig", "", "star1(depth=14, table=16)"),
    "star2 pig": ("pig", "", "star2(depth=14, table=16)"),
}


def main(arguments: list[str] | None = None) -> list[Row]:
    if arguments is None:
        raise Skipped("needs a commit to compare with: python -m benchmarks.against COMMIT")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description="This working tree against another commit.")
    parser.add_argument("commit", metavar="COMMIT")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"which to run; all when none is named: {', '.join(WORK)}")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="searches of each version; the fastest counts")
    given = parser.parse_intermixed_args(arguments)
    if unknown := [name for name in given.names if name not in WORK]:
        parser.error(f"there is no '{unknown[0]}'; there are {', '.join(WORK)}")
    with checkout(given.commit) as before:
        rows = []
        for name in given.names or WORK:
            rows.append(measure(name, before, max(1, given.rounds)))
            print(table(rows[-1:]).splitlines()[-1], flush=True)
    print(table(rows))
    return rows


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", commit], cwd=FOLDER.parent, capture_output=True, check=False)
        if packed.returncode:
            raise Skipped(f"git archive {commit}: {packed.stderr.decode().strip()}")
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def measure(name: str, before: Path, rounds: int) -> Row:
    """Both versions in turns; the first search of each, which may compile, does not count."""
    sides = [Side(before), Side(FOLDER.parent)]
    best, nodes = [float("inf")] * 2, [0, 0]
    try:
        for turn in range(rounds + 1):
            for which in (0, 1) if turn % 2 else (1, 0):
                answer = sides[which].search(name)
                if isinstance(answer, str):
                    return skipped(name, f"{('before', 'now')[which]}: {answer}")
                nodes[which] = answer[1]
                best[which] = min(best[which], answer[0]) if turn else best[which]
    finally:
        for side in sides:
            side.end()
    if nodes[0] != nodes[1]:
        return skipped(name, f"visits {nodes[1]} nodes, {nodes[0]} before")
    return compared(name, nodes[1] / best[1] / 1e6, nodes[0] / best[0] / 1e6, "million nodes/s", LEAST)


class Side:
    """A process that searches with the kibitz of one folder."""

    def __init__(self, folder: Path) -> None:
        core = str(min(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else "0"
        self.process = subprocess.Popen(
            [sys.executable, str(FOLDER / "_against_child.py"), core],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def search(self, name: str) -> Any:
        """Seconds of the processor and nodes, or why not."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(WORK[name]) + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        return json.loads(said) if said else "it ended"

    def end(self) -> None:
        self.process.communicate()


if __name__ == "__main__":
    alone(lambda: main(sys.argv[1:]))
