"""`kibitz serve`: the board in the browser."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import terminal
from kibitz.core.errors import InputError

if TYPE_CHECKING:
    from starlette.applications import Starlette

MISSING = "the board in the browser needs two packages more: pip install 'kibitz[web]'"


def serve(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Your own games, as .py files, in addition to the shipped ones.", show_default=False)
    ] = [],  # noqa: B006
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any free port.")] = 8080,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Any address other than 127.0.0.1 admits other machines.")
    ] = "127.0.0.1",
    searches: Annotated[int, typer.Option("--searches", metavar="N", min=1, max=64, help="Searches that run at once; others wait.")] = 2,
    time: Annotated[float, typer.Option("--time", metavar="SECONDS", min=0.1, help="Time limit of one search.")] = 60.0,
    memory: Annotated[float, typer.Option("--memory", metavar="MB", min=16, help="Memory limit of one search.")] = 1024.0,
    threads: Annotated[int, typer.Option("--threads", metavar="N", min=1, max=256, help="Most threads of one search.")] = 1,
    tables: Annotated[str, typer.Option("--tables", metavar="DIR", help="Endgame tables for all searches: see kibitz table.")] = "",
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Play and analyse in the browser; watch searches think."""
    try:
        import uvicorn

        from kibitz.web.messages import Limits
        from kibitz.web.server import LOCAL, application
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("uvicorn", "starlette", "anyio", "websockets"):
            raise InputError(MISSING) from None
        raise
    if tables and not Path(tables).expanduser().is_dir():
        raise InputError(f"there is no folder {tables}; kibitz table build makes one")
    limits = Limits(searches=searches, time=time, memory=memory, threads=threads)
    app: Starlette = application(tuple(files), limits, LOCAL if host in LOCAL else ("*",), tables)
    listening = _listen(host, port)
    address = f"http://{host if host != '0.0.0.0' else '127.0.0.1'}:{listening.getsockname()[1]}/"
    terminal.console.print(f"kibitz is at {address} - Ctrl-C ends it", soft_wrap=True)
    if open_:
        webbrowser.open(address)
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", ws="websockets-sansio", ws_max_size=2**17, timeout_graceful_shutdown=2)
    )
    server.run([listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; refused in one line where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)  # a browser that comes before the server is ready waits
    except OSError as error:
        listening.close()
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror or error}; give another one with --port") from None
    return listening
