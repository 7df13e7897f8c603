"""Searches run in processes of their own, a fixed number at once. The others wait in the order in which they came, and are told how many are before them."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from kibitz.web.messages import Limits
from kibitz.web.worker import Job, main

GRACE = 10.0  # seconds to heed a wish to stop, before the process is ended; a compilation that others wait for gets no more
COMPILING = 300.0  # seconds that a search may take to get ready, and to end after its time
LOOK = 0.25  # seconds between two looks at who has had its turn
MOST_JOBS = 200  # of one process, which keeps every game it has seen

Tell = Callable[[dict[str, Any]], Awaitable[None]]


class Search:
    """A job that waits, runs or is done; `tell` gets what becomes of it."""

    def __init__(self, job: Job, number: int, tell: Tell) -> None:
        self.job, self.number, self.tell = job, number, tell
        self.worker: Worker | None = None
        self.stopped = ""  # why, where somebody wants it to end
        self.told = -1  # how many it was told are before it
        self.began = 0.0  # when the search itself began; 0 while it compiles
        self.asked_at = 0.0  # when it was asked to stop
        self.taken_at = 0.0


class Pool:
    """The workers and the queue."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting: deque[Search] = deque()
        self.running: list[Search] = []
        self._workers = [Worker(limits.memory) for _ in range(limits.searches)]
        self._readers = ThreadPoolExecutor(limits.searches, thread_name_prefix="kibitz reader")
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._serve(worker)) for worker in self._workers]
        self._tasks.append(asyncio.create_task(self._watch()))
        for worker in self._workers:
            self._readers.submit(worker.begin)

    async def close(self) -> None:
        for worker in self._workers:
            worker.end(for_good=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._readers.shutdown(wait=False, cancel_futures=True)

    async def submit(self, search: Search) -> None:
        """Queue a search."""
        self.waiting.append(search)
        self._changed.set()
        await self._tell_places()

    async def stop(self, search: Search, why: str = "stopped") -> None:
        """End a search, wherever it is."""
        if search in self.waiting:
            self.waiting.remove(search)
            await search.tell({"is": "stopped", "why": why})
            await self._tell_places()
        elif search in self.running and not search.stopped:
            search.stopped, search.asked_at = why, time.monotonic()
            if search.worker is not None:
                search.worker.wish(why)

    async def _tell_places(self) -> None:
        free = max(0, self.limits.searches - len(self.running))
        for place, search in enumerate(list(self.waiting)):
            before = max(0, place + 1 - free)
            if before and before != search.told:
                search.told = before
                await search.tell({"is": "waiting", "before": before})

    async def _serve(self, worker: Worker) -> None:
        """One worker's life: the next search of the queue, again and again."""
        while True:
            while not self.waiting:
                self._changed.clear()
                await self._changed.wait()
            search = self.waiting.popleft()
            search.taken_at = time.monotonic()
            self.running.append(search)
            try:
                await self._tell_places()
                await self._run(worker, search)
            except Exception as error:  # whatever it is, the next search shall have its turn
                worker.end()
                with contextlib.suppress(Exception):
                    await search.tell({"is": "error", "text": f"the search failed: {type(error).__name__}"})
            finally:
                search.worker = None
                self.running.remove(search)

    async def _run(self, worker: Worker, search: Search) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, worker.take, search.job)
        search.worker = worker
        if search.stopped:
            worker.wish(search.stopped)
        while True:
            message = await loop.run_in_executor(self._readers, worker.receive)
            if message is None:
                why = "its process was ended: it did not stop when it should" if search.asked_at else "its process ended"
                await search.tell(
                    {"is": "stopped", "why": search.stopped} if search.stopped else {"is": "error", "text": f"the search is lost: {why}"}
                )
                return
            if message["is"] == "began":
                search.began = time.monotonic()
                continue
            last = message.pop("last", False)
            await search.tell(message)
            if last:
                return

    async def _watch(self) -> None:
        """End what has had its turn while others wait, and what does not end by itself."""
        while True:
            await asyncio.sleep(LOOK)
            now = time.monotonic()
            for search in list(self.running):
                if self.waiting and search.began and now - search.began > self.limits.turn:
                    await self.stop(search, "turn")
                too_long = (search.began or search.taken_at) + self.limits.time + (GRACE if search.began else COMPILING)
                unheeding = search.asked_at and now - search.asked_at > (GRACE if self.waiting or search.began else COMPILING)
                if search.worker is not None and (unheeding or now > too_long):
                    search.stopped = search.stopped or "time"
                    search.asked_at = search.asked_at or now
                    search.worker.end()


class Worker:
    """Our end of a worker process; a new one is started when the last one ended."""

    def __init__(self, megabytes: float) -> None:
        self._megabytes = megabytes
        self._process: Any = None
        self._connection: Connection | None = None
        self._jobs = 0
        self._closed = False
        self._changing = threading.Lock()  # the process
        self._sending = threading.Lock()  # the event loop and a reader both do

    def take(self, job: Job) -> None:
        """Give it a job."""
        if self._jobs >= MOST_JOBS:
            self.end()
        self.begin()
        self._jobs += 1
        self._send(job)

    def begin(self) -> None:
        """Start the process where there is none."""
        with self._changing:
            if self._closed or (self._process is not None and self._process.is_alive()):
                return
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(target=main, args=(theirs, self._megabytes), daemon=True)
            self._process.start()
            theirs.close()
            self._connection, self._jobs = ours, 0

    def receive(self) -> dict[str, Any] | None:
        """What it says next; None where it has ended."""
        try:
            assert self._connection is not None
            message: dict[str, Any] = self._connection.recv()
            if message.get("last"):
                self._send("seen")
            return message
        except (EOFError, OSError, AssertionError):
            return None

    def wish(self, why: str) -> None:
        """Ask it to stop."""
        with contextlib.suppress(OSError, AssertionError):
            self._send(why)

    def _send(self, what: Job | str) -> None:
        assert self._connection is not None
        with self._sending:
            self._connection.send(what)

    def end(self, for_good: bool = False) -> None:
        with self._changing:
            self._closed = for_good
            if self._process is not None and self._process.is_alive():
                self._process.kill()
                self._process.join(5)
            self._process = None
