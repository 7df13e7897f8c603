"""The server: the page and its files over HTTP, everything else over one websocket per page. It stores nothing about a page but its search."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

import kibitz
from kibitz.core.errors import InputError, KibitzError
from kibitz.pictures.search_tree import proof_search
from kibitz.searches.proof.growth import DRAWN
from kibitz.web import catalogue as catalogues
from kibitz.web import messages
from kibitz.web.catalogue import Catalogue, engine_of
from kibitz.web.messages import Limits
from kibitz.web.pool import Pool, Search
from kibitz.web.positions import ALL, Place, Places, other_side
from kibitz.web.worker import Job

STATIC = Path(__file__).parent / "static"
THREADS = 4  # that look at positions
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
LOCAL = ("localhost", "127.0.0.1", "[::1]", "testserver")


def application(files: tuple[str, ...] = (), limits: Limits | None = None, hosts: tuple[str, ...] = LOCAL, tables: str = "") -> Starlette:
    """The whole server, for games shipped and these files, with a folder of endgame tables; it answers to these names of its own only."""
    board = Board(Catalogue(files, tables), limits or Limits())
    routes = [
        Route("/", board.page),
        Route("/games.json", board.games),
        Route("/schema.json", board.schema),
        WebSocketRoute("/ws", board.talk),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    guards = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(_Headers), Middleware(GZipMiddleware)]
    return Starlette(routes=routes, middleware=guards, lifespan=board.lifespan)


class Board:
    """What all pages share: games, limits, the pool of workers."""

    def __init__(self, catalogue: Catalogue, limits: Limits) -> None:
        self.catalogue, self.limits = catalogue, limits
        self.places = Places(catalogue, limits)
        self.pool: Pool | None = None
        self.clients = 0
        self._listed: dict[str, Any] | None = None
        self._threads: anyio.CapacityLimiter | None = None

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._threads = anyio.CapacityLimiter(THREADS)
        self.pool = Pool(self.limits)
        self.pool.start()
        listing = asyncio.create_task(self._list())  # before somebody waits for it
        try:
            yield
        finally:
            listing.cancel()
            await self.pool.close()

    async def page(self, _: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def games(self, _: Request) -> Response:
        return JSONResponse(self._listed or await self._list())

    async def _list(self) -> dict[str, Any]:
        described, searches = await self.aside(self.catalogue.described), await self.aside(catalogues.searches)
        self._listed = {"games": described, "searches": searches, "limits": self.limits.as_dict()}
        return self._listed

    async def schema(self, _: Request) -> Response:
        return JSONResponse(messages.SCHEMA)

    async def talk(self, socket: WebSocket) -> None:
        """One page, from its first message to its last."""
        origin = socket.headers.get("origin")
        if (origin is not None and urlsplit(origin).netloc != socket.headers.get("host")) or self.clients >= self.limits.clients:
            await socket.close(code=1008, reason="another site, or too many pages")
            return
        self.clients += 1
        visitor = _Visitor(self, socket)
        try:
            await socket.accept()
            await visitor.tell({"is": "hello", "version": kibitz.__version__, "limits": self.limits.as_dict()})
            while True:
                await visitor.answer(await socket.receive())
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.clients -= 1
            await visitor.leave()

    async def aside(self, function: Any, *arguments: Any) -> Any:
        """Call it in a thread, so that nobody else waits."""
        return await to_thread.run_sync(partial(function, *arguments), limiter=self._threads)


class _Visitor:
    """One page and its search."""

    def __init__(self, board: Board, socket: WebSocket) -> None:
        self.board, self.socket = board, socket
        self.search: Search | None = None

    async def tell(self, message: dict[str, Any]) -> None:
        if self.socket.application_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.socket.send_text(json.dumps(message, ensure_ascii=False, allow_nan=False))

    async def answer(self, event: Message) -> None:
        """One message: what is wrong with it is told, and the page goes on."""
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        number: dict[str, int] = {}
        try:
            if event.get("text") is None:
                raise InputError("a message is text, not bytes")
            asked = messages.read(event["text"])
            number = {"id": asked["id"]} if "id" in asked else {}
            await self._do(asked)
        except KibitzError as error:
            await self.tell({"is": "error", **number, "text": str(error)[:1000]})
        except Exception as error:  # rules that meet a position they were not written for
            await self.tell({"is": "error", **number, "text": f"the rules failed here: {type(error).__name__}: {error}"[:1000]})

    async def _do(self, asked: dict[str, Any]) -> None:
        match asked["do"]:
            case "show":
                await self.tell(await self.board.aside(self._shown, asked))
            case "stop":
                await self._stop()
            case _:
                job = await self.board.aside(self._job, asked)
                await self._stop()
                await self._begin(job, asked["id"])

    def _shown(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self.board.places.describe(self.board.places.open(asked), asked["id"], asked.get("observer", ALL))

    def _job(self, asked: dict[str, Any]) -> Job:
        limits, wanted = self.board.limits, asked.get("limits", {})
        if asked["do"] == "tree" and (proof := proof_search(asked["player"])) is not None:
            return self._proof(asked, *proof)
        engine = engine_of(asked["player"], wanted, limits, asked.get("lines", 1) if asked["do"] == "analyse" else 1)
        place: Place = self.board.places.open(asked)
        p = place.position
        with self.board.catalogue.asking(p.game):
            engine = self.board.catalogue.with_tables(engine, p.game)
            engine.check(p.game)
            if p.is_over:
                raise InputError("the game is over; take a move back to search")
            if p.is_chance and asked["do"] == "play":
                raise InputError("chance decides here, not a player")
            threat = other_side(p) if asked.get("threat") else None
        return Job(asked["do"], p, engine, min(asked.get("visits", limits.visits), limits.visits), threat)

    def _proof(self, asked: dict[str, Any], name: str, given: dict[str, Any]) -> Job:
        """The tree of a proof-number search."""
        limits = self.board.limits
        asked_time = DRAWN[name].settings(given)["time"]
        given["time"] = min(asked_time or limits.time, limits.time)
        position = self.board.places.open(asked).position
        if position.is_over:
            raise InputError("the game is over; take a move back to search")
        return Job("tree", position, None, min(asked.get("visits", limits.visits), limits.visits), proof=(name, given))

    async def _begin(self, job: Job, number: int) -> None:
        async def tell(message: dict[str, Any]) -> None:
            await self.tell({**message, "id": number})

        assert self.board.pool is not None
        self.search = Search(job, number, tell)
        await self.board.pool.submit(self.search)

    async def _stop(self) -> None:
        if self.search is not None and self.board.pool is not None:
            await self.board.pool.stop(self.search)
            self.search = None

    async def leave(self) -> None:
        """The page is closed, and its search ends."""
        await self._stop()


class _Headers:
    """What every answer says to the browser: nothing from elsewhere, no script but ours."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.lower().encode(), v.encode()) for k, v in HEADERS.items())]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
