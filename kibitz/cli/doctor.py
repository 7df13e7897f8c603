"""`kibitz doctor`: versions, the machine, the cache of compiled code, what is installed besides, and how fast it all is."""

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
from kibitz.core.measuring.perft import perft
from kibitz.core.position.loading import load
from kibitz.core.running.pool import cores
from kibitz.players import player

EXTRAS = {  # name of the extra: module, what it is for
    "web": ("starlette", "the board in the browser: kibitz serve"),
    "chess": ("chess", "opening books, pieces on drawings of boards"),
    "go": ("sgfmill", "games of Go on record: SGF"),
    "network": ("onnxruntime", "networks as evaluators"),
    "tables": ("zstandard", "endgame tables, packed"),
    "docs": ("mkdocs", "the documentation as pages to read in a browser: make docs"),
    "plot": ("matplotlib", "pictures of experiments"),
}
PATHS = 9  # plies of connect4 to count at most
ENOUGH = 0.1  # seconds of counting
SECONDS = 1.0  # of searching


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the speed test.")] = False,
    json: options.AsJson = False,
) -> None:
    """Show versions, the machine, the cache, which extras are installed, and how fast kibitz runs here."""
    told: dict[str, Any] = {"versions": _versions(), "machine": _machine(), "cache": _cache(), "extras": _extras()}
    if not json:
        _print(told)
    if not quick:
        told["speed"] = _speed()
        if not json:
            paths, nodes = (terminal.rate(told["speed"][key]) for key in ("paths_per_second", "nodes_per_second"))
            terminal.console.print(f"[bold]speed[/]     connect4: {paths} move paths/s, alphabeta {nodes} positions/s")
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


def _cache() -> dict[str, Any]:
    files, size = cache.measure()
    return {"folder": str(cache.folder().parent), "files": files, "bytes": size, "writable": cache.is_writable()}


def _extras() -> dict[str, Any]:
    return {name: {"installed": util.find_spec(module) is not None, "for": what} for name, (module, what) in EXTRAS.items()}


def _speed() -> dict[str, float]:
    """On one core, after compiling."""
    start = load("connect4").start
    perft(start, 1)
    engine = player("alphabeta", time=SECONDS)
    engine.prepare(start)
    for plies in range(1, PATHS + 1):  # fewer where it is slow
        began = time.perf_counter()
        paths = perft(start, plies)
        counted = time.perf_counter() - began
        if counted >= ENOUGH:
            break
    result = engine.search(start)
    return {"paths_per_second": paths / counted, "nodes_per_second": result.nodes / result.seconds}
