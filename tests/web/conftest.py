"""A server for these tests: in this process for messages, as the command for browsers. Searches run interpreted."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kibitz.cli.new import TEMPLATE
from kibitz.web import messages
from kibitz.web.messages import Limits
from kibitz.web.server import application

PATIENCE = 60.0  # seconds for an answer, on a machine with much else to do
ROOT = Path(__file__).parents[2]
LIMITS = Limits(searches=1, time=3.0, turn=0.3, memory=512.0, visits=300, moves=60, clients=12)


class Page:
    """One websocket, as a page has it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.number = 0
        self._reader = ThreadPoolExecutor(1)

    def send(self, **message: Any) -> int:
        self.number += 1
        self.socket.send_json({"id": self.number, **message})
        return self.number

    def hear(self) -> dict[str, Any]:
        """The next message, which fits the schema."""
        message: dict[str, Any] = self._reader.submit(self.socket.receive_json).result(PATIENCE)
        assert messages.fault_of(message, messages.TO_PAGE[message["is"]]) is None, message
        return message

    def until(self, *kinds: str, about: int | None = None) -> dict[str, Any]:
        """The next message of these kinds, about what was asked under that number."""
        while True:
            message = self.hear()
            if message["is"] in kinds and about in (None, message.get("id")):
                return message

    def ask(self, *kinds: str, **message: Any) -> dict[str, Any]:
        """Send, and wait for one of these kinds or an error."""
        return self.until(*kinds, "error", about=self.send(**message))

    def show(self, game: str, **place: Any) -> dict[str, Any]:
        return self.ask("position", do="show", game=game, **place)


@pytest.fixture(scope="session")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "race.py"
    path.write_text(TEMPLATE)
    return path


@pytest.fixture(scope="session")
def client(own_game: Path) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("KIBITZ_TARGET", "python")
        with TestClient(application((str(own_game),), LIMITS)) as client:
            yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect("/ws") as socket:
        page = Page(socket)
        page.until("hello")
        yield page


@pytest.fixture(scope="session")
def address(own_game: Path) -> Iterator[str]:
    """Of `kibitz serve`, run as a user runs it."""
    command = [sys.executable, "-m", "kibitz", "serve", str(own_game), "--no-open", "--port", "0", "--time", "20"]
    environment = {**os.environ, "KIBITZ_TARGET": "python", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found is not None, line
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) is not None
