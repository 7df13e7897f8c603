"""`kibitz serve`: what it refuses, in one line; and the cells of games, which `kibitz check` looks at."""

import socket
from pathlib import Path

import pytest

from kibitz.cli.new import TEMPLATE
from kibitz.core.checking.display_check import faults
from kibitz.core.position.game import Game
from kibitz.core.position.loading import load
from tests.typed import kibitz


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_such_game.py"], "there is no file no_such_game.py"),
        (["--tables", "no_such_folder"], "there is no folder no_such_folder"),
        (["--port", "99999"], "Invalid value for '--port'"),
        (["--searches", "0"], "Invalid value for '--searches'"),
        (["--host", "no host", "--port", "0"], "cannot listen on no host"),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    code, _, err = kibitz(capsys, "serve", "--no-open", *words)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = kibitz(capsys, "serve", "--no-open", "--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "give another one with --port" in err


def test_a_name_that_is_ours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "chess.py").write_text(TEMPLATE)
    code, _, err = kibitz(capsys, "serve", "--no-open", "--port", "0", str(tmp_path / "chess.py"))
    assert code == 2
    assert "there is a game called chess already" in err


def test_check_sees_cells_that_are_not_drawn() -> None:
    rules = load("tictactoe").start.game
    namespace = {**rules.namespace, **{name: hook for name, hook in rules.people.items() if hook is not None}}
    assert [fault for fault in faults(Game(namespace, "fine").start) if fault[0] == "cells"] == []

    def cells(s: object, move: int) -> tuple[str, ...]:
        return (f"{move},0",)

    wrong = Game({**namespace, "cells": cells}, "wrong")
    found = [fault for fault in faults(wrong.start) if fault[0] == "cells"]
    assert len(found) == 6
    assert "'3,0'" in found[0][1]
