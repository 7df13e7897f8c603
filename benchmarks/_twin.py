"""Building the C++ twins of our kernels.

Each is built at -O2 and at -O3, and the faster of the two is the one to compare with: GCC 12 at -O3 inlines Othello's rules until they no
longer fit the registers, and runs a third slower.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from benchmarks import FOLDER, Skipped

BUILD = FOLDER / "build"
LEVELS = ("-O2", "-O3")
FLAGS = ("-march=native", "-std=c++17", "-Wall")


def build(name: str) -> dict[str, Path]:
    """The program of NAME.cpp for each level of optimisation, compiled if it is not there yet."""
    source = FOLDER / f"{name}.cpp"
    newest = max(path.stat().st_mtime for path in (source, *FOLDER.glob("*.hpp")))
    programs = {level: BUILD / f"{name}{level}" for level in LEVELS}
    for level, program in programs.items():
        if not program.exists() or program.stat().st_mtime < newest:
            _compile(source, level, program)
    return programs


def _compile(source: Path, level: str, program: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        raise Skipped("g++ is not installed; the C++ twin cannot be built")
    BUILD.mkdir(exist_ok=True)
    temporary = program.with_name(f"{program.name}.{os.getpid()}")  # others may be building, or running, the same program
    subprocess.run([compiler, level, *FLAGS, "-o", str(temporary), str(source)], check=True)
    temporary.replace(program)
