"""Fifty pages that analyse at once: none is dropped, moves are shown while searches run, memory is bounded. Figures are printed (-s), not judged."""

import asyncio
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb

PAGES = 50
TURNS = 4  # moves of a game of its own that each page asks for while all search
THINKING = 2.0  # seconds between two, on average


async def visit(address: str, number: int, shown: list[float], done: list[int]) -> None:
    """One page: it analyses, makes moves meanwhile, and waits until its analysis had its turn."""
    import websockets

    async with websockets.connect(address.replace("http", "ws") + "ws", open_timeout=60, ping_timeout=None) as socket:
        await socket.recv()

        async def until(*kinds: str) -> dict[str, Any]:
            while True:
                message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 300))
                assert message["is"] != "error", message
                if message["is"] in kinds:
                    return message

        search = {"do": "analyse", "id": 1, "game": "tictactoe", "player": "uct(playouts=2000)", "limits": {"time": 2}}
        await socket.send(json.dumps(search))
        moves: list[str] = []
        dice, position = random.Random(number), kb.load("chess").start
        for turn in range(TURNS):
            await asyncio.sleep(dice.uniform(0, 2 * THINKING))
            moves.append(str(dice.choice(position.moves)))
            position = position.play(moves[-1])
            began = time.perf_counter()
            await socket.send(json.dumps({"do": "show", "id": 2 + turn, "game": "chess", "moves": " ".join(moves)}))
            seen = await until("position", "stopped")
            if seen["is"] == "stopped":
                done.append(number)
                await until("position")
            shown.append(time.perf_counter() - began)
        if number not in done:
            await until("stopped")
            done.append(number)


@pytest.mark.long
def test_fifty_pages(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[float] = []
    done: list[int] = []

    async def all_at_once() -> None:
        await asyncio.gather(*(visit(address, number, shown, done) for number in range(PAGES)))

    began = time.perf_counter()
    asyncio.run(all_at_once())
    assert sorted(done) == list(range(PAGES))
    assert len(shown) == PAGES * TURNS
    p95 = statistics.quantiles(shown, n=20)[-1]
    sizes = [resident(path) for path in Path("/proc").glob("[0-9]*") if b"kibitz\0serve" in command_of(path)]
    with capsys.disabled():
        print(
            f"\n{PAGES} pages in {time.perf_counter() - began:.1f} s; a move is shown in {1000 * p95:.0f} ms (p95), {1000 * max(shown):.0f} ms at most; server {sizes} MB"
        )
    assert all(size < 1500 for size in sizes)


def command_of(path: Path) -> bytes:
    try:
        return (path / "cmdline").read_bytes()
    except OSError:
        return b""


def resident(path: Path) -> int:
    return int((path / "statm").read_text().split()[1]) * 4096 // 2**20
