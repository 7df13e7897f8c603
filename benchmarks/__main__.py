"""`python -m benchmarks [NAME]... [--json FILE]`: all benchmarks, or those named, and one table of what they found."""

from __future__ import annotations

import argparse
import importlib
import json
import os
from pathlib import Path
from typing import NoReturn

from benchmarks import Row, Skipped, names, skipped, table
from kibitz.core.errors import nearest


class Parser(argparse.ArgumentParser):
    """Words that do not fit end with one line and exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"benchmarks: {message}\n")


def main(arguments: list[str] | None = None) -> None:
    parser = Parser(prog="python -m benchmarks", description="Measure kibitz against its peers, side by side in one run.")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"which to run; all when none is named: {', '.join(names())}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rows to this file as well")
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in names():
            parser.error(f"there is no benchmark '{name}'; {nearest(name, names(), 'benchmarks')}")
    if given.json and (given.json.is_dir() or not os.access(given.json.absolute().parent, os.W_OK)):
        parser.error(f"cannot write {given.json}")  # said now, not after minutes of measuring

    rows: list[Row] = []
    for name in dict.fromkeys(given.names or names()):
        print(f"--- {name}", flush=True)
        rows += measure(name)
        print(flush=True)
    print(table(rows))
    if given.json:
        write(given.json, rows)


def measure(name: str) -> list[Row]:
    """The rows of one benchmark, or one that says why there are none."""
    try:
        found: list[Row] = importlib.import_module(f"benchmarks.{name}").main()
    except Skipped as reason:
        print(f"skipped: {reason}")
        return [skipped(name, str(reason))]
    return found


def write(path: Path, rows: list[Row]) -> None:
    """All of it or nothing: under a temporary name first."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps({"benchmarks": rows}, indent=2) + "\n", encoding="utf-8")
    temporary.replace(path)


if __name__ == "__main__":
    main()
