"""`kibitz doctor`: versions, the machine, the cache of compiled code, installed extras, and a speed test."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from importlib import metadata, util
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz import __version__
from kibitz.cli import options, terminal
from kibitz.core.compiling import cache
from kibitz.core.device import driver
from kibitz.core.errors import KibitzError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.loading import load
from kibitz.core.running.pool import cores
from kibitz.players import player

EXTRAS = {  # name of the extra: module, what it is for
    "web": ("starlette", "the board in the browser: kibitz serve"),
    "chess": ("chess", "opening books from games and from Polyglot"),
    "go": ("sgfmill", "games of Go on record: SGF"),
    "network": ("onnxruntime", "networks as evaluators"),
    "tables": ("zstandard", "endgame tables, packed"),
    "docs": ("mkdocs", "the documentation as pages to read in a browser: make docs"),
    "plot": ("matplotlib", "pictures of experiments"),
}
PATHS = 10  # plies of connect4 to count at most
ENOUGH = 0.5  # seconds of counting
SECONDS = 1.7  # of each search; with the counting, five in all
REFERENCE = {"paths": 840e6, "positions": 8.0e6, "playouts": 2.0e6}  # a second of processor time on that machine, best of three
MACHINE = "an AMD EPYC core"
BUSY = 0.7  # load for each core above which speeds say little


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the speed test.")] = False,
    json: options.AsJson = False,
) -> None:
    """Show versions, the machine, the cache, which extras are installed, and how fast kibitz runs here."""
    told: dict[str, Any] = {"versions": _versions(), "machine": _machine(), "gpu": _gpu(), "cache": _cache(), "extras": _extras()}
    if not json:
        _print(told)
    if not quick:
        told["speed"] = _speed()
        if not json:
            _print_speed(told["speed"])
    if json:
        terminal.print_json(told)


def _print(told: dict[str, Any]) -> None:
    versions = ", ".join(f"{name} {version}" for name, version in told["versions"].items())
    machine, cache_ = told["machine"], told["cache"]
    memory = f"{machine['memory'] / 1e9:.3g} GB" if machine["memory"] else "unknown"
    kept = f"{cache_['folder']}: {terminal.count(cache_['files'])} files, {cache_['bytes'] / 1e6:.1f} MB"
    lines = [
        ("versions", versions),
        ("machine", f"{machine['cpu']}, {machine['cores']} cores, memory {memory}"),
        ("GPU", told["gpu"]["is"]),
        ("cache", kept + ("" if cache_["writable"] else "; it cannot be written: set KIBITZ_CACHE to a folder that can")),
    ]
    for title, text in lines:
        terminal.console.print(f"[bold]{title:<9}[/] ", end="")
        terminal.console.print(text, markup=False, soft_wrap=True)
    for name, extra in told["extras"].items():
        state = "installed" if extra["installed"] else f"missing: pip install 'kibitz[{name}]'"
        terminal.console.print(
            f"{'extras' if name == next(iter(EXTRAS)) else '':<9} {name:<8} {extra['for']}; {state}", markup=False, soft_wrap=True
        )


def _versions() -> dict[str, str]:
    others = {name: metadata.version(name) for name in ("numba", "llvmlite", "numpy")}
    return {"kibitz": __version__, "Python": platform.python_version(), **others}


def _machine() -> dict[str, Any]:
    cpu, memory = platform.processor() or platform.machine(), 0
    with contextlib.suppress(OSError, ValueError, AttributeError):  # what not every system tells
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return {"cpu": cpu, "cores": cores(), "memory": memory}


def _gpu() -> dict[str, Any]:
    """What there is for --device cuda."""
    if (reason := driver.why_none()) is not None:
        return {"usable": False, "is": f"{reason}; all works without"}
    try:
        found = driver.driver().describe()
    except KibitzError as error:
        return {"usable": False, "is": str(error)}
    return {"usable": True, "is": f"{found}; use it with --device cuda", "memory": found.memory, "free": found.free}


def _cache() -> dict[str, Any]:
    files, size = cache.measure()
    return {"folder": str(cache.folder().parent), "files": files, "bytes": size, "writable": cache.is_writable()}


def _extras() -> dict[str, Any]:
    return {name: {"installed": util.find_spec(module) is not None, "for": what} for name, (module, what) in EXTRAS.items()}


def _speed() -> dict[str, Any]:
    """On one core, after compiling; what it is beside the reference, and how busy the machine was meanwhile."""
    start = load("connect4").start
    searching, simulating = player("alphabeta", time=SECONDS), player("uct", time=SECONDS)
    perft(start, 1)
    for engine in (searching, simulating):
        engine.prepare(start)
    for plies in range(1, PATHS + 1):  # fewer where it is slow
        began = time.perf_counter()
        paths = perft(start, plies)
        counted = time.perf_counter() - began
        if counted >= ENOUGH:
            break
    searched, simulated = searching.search(start), simulating.search(start)
    speeds = {
        "paths": paths / counted,
        "positions": searched.nodes / searched.seconds,
        "playouts": (simulated.playouts or 0) / simulated.seconds,
    }
    return {
        **{f"{name}_per_second": speed for name, speed in speeds.items()},
        "reference": {f"{name}_per_second": speed for name, speed in REFERENCE.items()},
        "load": _load(),
    }


def _load() -> float | None:
    """Programs that want a core, on average over the last minute, for each core there is; None where the system does not tell."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):
        return None


def _print_speed(speed: dict[str, Any]) -> None:
    """Each beside what it is elsewhere."""
    told = {"paths": "move paths/s (perft)", "positions": "positions/s (alphabeta)", "playouts": "simulated games/s (uct)"}
    for name, words in told.items():
        here, there = (terminal.rate(measured[f"{name}_per_second"]) for measured in (speed, speed["reference"]))
        title = "[bold]speed[/]     " if name == "paths" else " " * 10
        terminal.console.print(f"{title}connect4: {here:>7} {words:<24} {there:>7} on {MACHINE}", soft_wrap=True)
    if speed["load"] is not None and speed["load"] > BUSY:
        terminal.console.print(
            f"{'':<10}busy with other things (load {speed['load']:.1f} for each core): idle, it is faster", soft_wrap=True
        )
