"""The memory limit of UCT's tree is never passed, watched from a process of its own: the tree's bytes, and those of the process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.searches.driver import INTERPRETED

ROOT = Path(__file__).parent.parent.parent
MEGABYTE = 2**20
BESIDES = 12 * MEGABYTE  # what else a process may come to hold: results, threads, the allocator's own

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc")


def watched(game: str, seconds: float, playouts: int, **options: Any) -> dict[str, Any]:
    """What memory_watch.py saw."""
    words = ["-m", "tests.searches.memory_watch", game, str(seconds), str(playouts), json.dumps(options)]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def check(found: dict[str, Any], megabytes: float) -> None:
    assert found["room"] <= megabytes * MEGABYTE
    assert found["used"] <= found["room"]
    assert found["resident"] <= megabytes * MEGABYTE + BESIDES
    assert found["note"] == f"the tree is full ({megabytes:g} MB) and grows no more"
    assert found["used"] > 0.95 * found["room"]  # nothing fits into the rest
    assert found["visits"] == found["playouts"]  # it goes on with what it has


@needs_proc
@pytest.mark.parametrize("megabytes", [0.01 if INTERPRETED else 8.0])
def test_a_small_limit(megabytes: float) -> None:
    """Filled several times over."""
    playouts = 400 if INTERPRETED else 1_000_000
    check(watched("connect4", 0.0, playouts, memory=megabytes, solve=False), megabytes)


@needs_proc
@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("options", [{}, {"transpositions": True, "solve": False}])
def test_64_megabytes_in_minutes(options: dict[str, Any]) -> None:
    """Five minutes, filled in the first seconds; one of them with transpositions, whose table counts, too."""
    found = watched("connect4", 60.0 if options else 300.0, 0, memory=64.0, **options)
    check(found, 64.0)
    assert found["seconds"] >= (60.0 if options else 300.0)
    assert found["looks"] > 50
