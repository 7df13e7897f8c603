"""The server, asked as the page asks it: positions, searches, the queue, limits, and whatever else somebody may send."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import kibitz as kb
from kibitz.core.drawing.marks import cells_drawn, cells_in_name
from kibitz.core.position.loading import shipped
from kibitz.web import messages
from kibitz.web.catalogue import Catalogue
from kibitz.web.pool import Worker
from kibitz.web.server import Board, _Visitor
from kibitz.web.worker import Job, described
from tests.typed import kibitz
from tests.web.conftest import LIMITS, Page

BOARDS = ("breakthrough", "checkers", "chess", "connect4", "go", "hex", "kalah", "nim", "othello", "tictactoe")
LONG = {"game": "othello", "player": "minimax"}  # a search that does not end by itself


# --- pages and files ---


def test_the_page_and_its_files(client: TestClient) -> None:
    page = client.get("/")
    assert "<title>kibitz</title>" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text):
        assert client.get(path).status_code == 200, path
    assert client.get("/schema.json").json()["toServer"].keys() == messages.TO_SERVER.keys()


def test_the_list_of_games(client: TestClient) -> None:
    listed = client.get("/games.json").json()
    assert {g["game"] for g in listed["games"]} == {*shipped(), "race"}
    assert [g["game"] for g in listed["games"] if g["own"]] == ["race"]
    assert listed["limits"]["searches"] == LIMITS.searches


@pytest.mark.parametrize(
    "path",
    ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/static/..%2f..%2fcli/main.py", "/etc/passwd", "/ws"],
)
def test_no_other_file_is_given(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_other_hosts_and_sites_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers={"origin": "http://evil.example"}) as socket:
        socket.receive_json()


# --- positions ---


def test_a_position(page: Page) -> None:
    p = page.show("chess", moves="e2e4 e5 Nf3")
    assert [m["name"] for m in p["made"]] == ["e4", "e5", "Nf3"]
    assert p["made"][-1]["cells"] == ["g1", "f3"]
    assert {"name": "Nc6", "cells": ["b8", "c6"], "chance": None} in p["moves"]
    assert (p["turn"], p["over"], p["players"]) == (1, False, 2)
    assert "alphabeta" in p["engines"]
    assert "star2" not in p["engines"]


def test_moves_run_together(page: Page) -> None:
    assert [m["name"] for m in page.show("connect4", moves="4453")["made"]] == ["4", "4", "5", "3"]


def test_a_game_that_is_over(page: Page) -> None:
    p = page.show("tictactoe", moves="1 4 2 5 3")
    assert (p["over"], p["utility"], p["moves"]) == (True, [1.0, -1.0], [])
    assert "the game is over" in page.ask("stopped", do="analyse", game="tictactoe", moves="1 4 2 5 3", player="alphabeta")["text"]


def test_chance(page: Page) -> None:
    p = page.show("ewn")
    assert p["turn"] == kb.CHANCE
    assert sum(m["chance"] for m in p["moves"]) == pytest.approx(1.0)
    assert "chance decides" in page.ask("move", do="play", game="ewn", player="star2")["text"]


@pytest.mark.parametrize("name", shipped())
def test_moves_are_found_on_the_board(name: str) -> None:
    """In games with a board every move has cells, or is one of those that lie nowhere: a pass, a roll, a swap, a branch of a tree."""
    p = kb.load(name).start
    nowhere = 0
    for ply in range(8):
        if p.is_over:
            break
        svg = p.picture()
        drawn = cells_drawn(svg)
        found = [p.cells(int(m), svg) for m in p.moves]
        assert all(set(cells) <= drawn for cells in found)
        nowhere += 0 if p.is_chance else found.count(())
        p = p.play(p.moves[ply % len(p.moves)])
    if name in BOARDS:
        assert nowhere <= 8


def test_cells_of_names() -> None:
    drawn = {"a1", "a10", "b2", "1"}
    for name, cells in (
        ("a10", ("a10",)),
        ("a1b2", ("a1", "b2")),
        ("a1-b2", ("a1", "b2")),
        ("a1xa10", ("a1", "a10")),
        ("pass", ()),
        ("a1c3", ()),
    ):
        assert cells_in_name(name, drawn) == cells


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"game": "ches"}, "did you mean chess"),
        ({"game": "../games/nim"}, "unknown game"),
        ({"game": "tests/web/conftest.py"}, "unknown game"),
        ({"game": "nim", "parameters": {"heaps": "0"}}, "heaps"),
        ({"game": "nim", "parameters": {"size": 3}}, "no parameter 'size'"),
        ({"game": "tictactoe", "moves": "1 1"}, "illegal move '1'"),
        ({"game": "tictactoe", "moves": " ".join(["1"] * 61)}, "more than 60 moves"),
        ({"game": "chess", "position": "<script>alert(1)</script>"}, "is no position of chess"),
        ({"game": "trees", "position": "/etc/hostname.json"}, "cannot name files"),
        ({"game": "trees", "parameters": {"tree": "~/tree.json"}}, "cannot name files"),
        ({"game": "trees", "position": "[1, [2, " * 300}, "[1, [2, [1, [2, "),
    ],
)
def test_what_is_no_position_is_told(page: Page, place: dict[str, Any], said: str) -> None:
    answer = page.ask("position", do="show", **place)
    assert answer["is"] == "error"
    assert said in answer["text"]


def test_script_in_a_position_is_inert(page: Page) -> None:
    p = page.show("trees", position='{"moves": {"<b>": 1, "&": 2}}')
    assert "<b>" not in p["svg"]
    assert {m["name"] for m in p["moves"]} == {"<b>", "&"}


# --- what a player does not see ---


def test_a_position_from_one_side(page: Page) -> None:
    """Others' moves are what was heard of them; when the game is over all is open."""
    blind = {"game": "blind_tictactoe", "moves": "5 1 3"}
    p = page.show(**blind, observer=1)
    assert [(m["by"], m.get("said"), m["cells"]) for m in p["made"]] == [(0, "-", []), (1, "1", ["0,0"]), (0, "-", [])]
    assert "X" not in p["svg"] + p["text"]
    assert "O" in p["svg"]
    assert len(p["moves"]) == 8
    assert page.show(**blind, observer=0)["moves"] == []
    assert "X" in page.show(**blind)["svg"]
    over = page.show("blind_tictactoe", moves="5 1 3 7 8 4", observer=0)
    assert over["over"]
    assert "said" not in over["made"][1]
    assert "no player 3" in page.ask("position", do="show", **blind, observer=2)["text"]


def test_a_deal_is_seen_by_whom_it_is_dealt_to(page: Page) -> None:
    deal = {"game": "kuhn_poker", "moves": "K Q"}
    assert page.show(**deal, observer=0)["text"].startswith("K ?")
    assert page.show(**deal, observer=1)["text"].startswith("? Q")
    assert page.ask("move", do="play", **deal, player="sampling(playouts=20)")["words"] == ""


def test_a_belief_comes_before_the_analysis(page: Page) -> None:
    asked = page.send(do="analyse", game="blind_tictactoe", moves="5 1 3", player="sampling(playouts=50)")
    found = page.until("belief", "error", about=asked)
    assert (found["size"], found["complete"], len(found["likeliest"])) == (28, True, 4)
    assert found["cells"] == {f"{i // 3},{i % 3}": 0.25 for i in range(1, 9)}
    page.until("result", about=asked)


# --- searches ---


def test_a_threat(page: Page) -> None:
    """What the other side would do if it were its turn, where the game says how turns are given up."""
    scholar = {"game": "chess", "moves": "e4 e5 Qh5 Nc6 Bc4"}
    assert page.show(**scholar)["threat"]
    found = page.ask("threat", do="analyse", **scholar, player="alphabeta(depth=1)", threat=True)
    assert (found["moves"][0], found["cells"]) == ("Qxf7#", ["h5", "f7"])
    assert not page.show("tictactoe")["threat"]
    assert not page.show("chess", moves="e4 e5 Qh5 Nc6 Qxf7")["threat"]  # in check
    assert page.show("go")["threat"]


def test_a_column_is_told_by_the_place_where_the_disc_falls(page: Page) -> None:
    p = page.show("connect4", moves="4")
    (x, y), (_, above) = p["made"][-1]["spots"][0], next(m for m in p["moves"] if m["name"] == "4")["spots"][0]
    assert (y - above, x) == (40, 4 + 3.5 * 40)


def test_endgame_tables_are_asked_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the folder that the server was given; no page learns where it is."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    assert kibitz(capsys, "table", "build", "nim", "-p", "heaps=2,3", "--tables", str(tmp_path))[0] == 0
    server = Board(Catalogue(tables=str(tmp_path)), LIMITS)
    asked = {"do": "analyse", "id": 1, "game": "nim", "parameters": {"heaps": "2,3"}, "player": "alphabeta(depth=1)"}
    job = _Visitor(server, None)._job(asked)  # type: ignore[arg-type]
    assert job.player is not None
    found = described(job.player.search(job.position))
    assert (found["bound"], found["ended"], found["note"]) == ("exact", "tables", "from the table all")
    assert str(tmp_path) not in str(found)
    plain = _Visitor(server, None)._job({**asked, "game": "tictactoe", "parameters": {}})  # type: ignore[arg-type]
    assert plain.player is not None
    assert plain.player.own["tables"] == ""


def test_the_tree_of_proof_numbers(page: Page) -> None:
    assert {"pn", "pn2", "alphabeta"} <= set(page.show("trees")["drawn"])
    found = page.ask("tree", do="tree", game="trees", player="pn(goal=win)", visits=50)
    assert found["tree"]["steps"]
    assert any("expand" in line["steps"] for line in found["code"])
    assert "number" in page.ask("tree", do="tree", game="trees", player="pn(time='x')")["text"]


def test_analysis(page: Page) -> None:
    asked = page.send(do="analyse", game="tictactoe", moves="5 2", player="alphabeta", lines=3)
    results, began = [], time.monotonic()
    while (message := page.hear())["is"] != "stopped":
        assert message["id"] == asked
        if message["is"] == "result":
            results.append(message)
    assert len(results) <= 3 + 10 * (time.monotonic() - began)
    assert (results[-1]["bound"], results[-1]["value"], message["why"]) == ("exact", 1.0, "solved")
    assert results[-1]["lines"][0]["moves"]


def test_a_sampling_search_tells_its_visits(page: Page) -> None:
    found = page.ask("result", do="analyse", game="nim", player="uct(playouts=200)")
    assert sum(line["visits"] for line in found["lines"]) > 0
    page.send(do="stop")


def test_outlooks_of_chance(page: Page) -> None:
    asked = page.send(do="analyse", game="pig", parameters={"target": 10}, player="star2(depth=3, outlook=True)")
    found = page.until("result", "error", about=asked)
    while found["is"] == "result":
        last, found = found, page.until("result", "stopped", "error", about=asked)
    assert {o["move"] for o in last["outlooks"]} == {"roll", "hold"}


def test_a_move_of_the_engine(page: Page) -> None:
    found = page.ask("move", do="play", game="tictactoe", moves="5 2", player="alphabeta", limits={"nodes": 300})
    assert found["is"] == "move"
    assert page.show("tictactoe", moves=f"5 2 {found['name']}")["is"] == "position"


def test_stop(page: Page) -> None:
    asked = page.send(do="analyse", **LONG)
    page.until("result", about=asked)
    page.send(do="stop")
    assert page.until("stopped", about=asked)["why"] == "stopped"


def test_the_tree_is_what_the_command_prints(page: Page) -> None:
    tree = page.ask("tree", do="tree", game="trees", player="alphabeta(deepening=False)", visits=200)["tree"]
    assert tree["visits"] == kb.tree(kb.load("trees").start, "alphabeta(deepening=False)").as_dict()["visits"]
    sampled = page.ask("tree", do="tree", game="tictactoe", player="uct(playouts=30, seed=1)")["tree"]
    assert sampled["nodes"][0]["visits"] == 30


def test_a_tree_has_limits(page: Page) -> None:
    found = page.ask("tree", do="tree", game="connect4", player="minimax(depth=4)", visits=10**6)
    assert len(found["tree"]["visits"]) <= LIMITS.visits
    assert "only" in found["remark"]


def test_a_user_game(page: Page) -> None:
    assert ">total</text>" in page.show("race")["svg"]  # which draws nothing itself: the fields of its record
    assert page.ask("move", do="play", game="race", player="alphabeta")["is"] == "move"


def test_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is told, and the process goes on."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    worker, start = Worker(20.0), kb.load("nim").start
    worker.take(Job("analyse", start, kb.player("alphabeta(table=256)")))
    found = worker.receive()
    assert found is not None
    assert "no memory for a table of 256 MB" in found["text"]
    worker.take(Job("play", start, kb.player("alphabeta(depth=1, table=1)")))
    assert [m["is"] for m in (worker.receive(), worker.receive(), worker.receive()) if m] == ["began", "move", "stopped"]
    worker.end()


def test_others_wait_and_have_their_turn(client: TestClient) -> None:
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two, client.websocket_connect("/ws") as three:
        first, second, third = Page(one), Page(two), Page(three)
        a = first.send(do="analyse", **LONG)
        first.until("result", about=a)
        b = second.send(do="analyse", **LONG)
        assert second.until("waiting", about=b)["before"] == 1
        c = third.send(do="analyse", **LONG)
        assert third.until("waiting", about=c)["before"] == 2
        assert first.until("stopped", about=a)["why"] == "turn"
        assert third.until("waiting", about=c)["before"] == 1
        second.until("result", about=b)
        two.close()  # a closed page's search ends, and the next one begins
        third.until("result", about=c)


def test_a_page_has_one_search(page: Page) -> None:
    a = page.send(do="analyse", **LONG)
    page.until("result", about=a)
    b = page.send(do="analyse", game="tictactoe", player="alphabeta(depth=2)")
    page.until("stopped", about=a)
    page.until("result", about=b)


# --- whatever else somebody may send ---

WORDS = st.sampled_from(
    ["show", "analyse", "play", "tree", "stop", "nim", "tictactoe", "trees", "race", "uct", "alphabeta(depth=2)", "a1", "5 2", "", "at 1"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**19) | st.floats(allow_nan=False) | st.text(max_size=20) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["do", "id", "game", "parameters", "position", "moves", "player", "lines", "limits", "visits", "x"])
ANY = st.dictionaries(NAMES, VALUES, max_size=6)
ALMOST = st.fixed_dictionaries(
    {"do": st.sampled_from(list(messages.TO_SERVER)), "id": st.integers(0, 99), "game": st.sampled_from(["nim", "tictactoe", "trees", "race"])},
    optional={
        "player": WORDS, "moves": WORDS | st.text(max_size=9), "position": WORDS | st.text(max_size=30), "lines": st.integers(-1, 99), "visits": st.integers(0, 50),
        "parameters": st.dictionaries(st.sampled_from(["heaps", "tree", "target", "x"]), VALUES, max_size=2), "limits": st.just({"time": 0.01}),
    },
)  # fmt: skip


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(message=ANY | ALMOST)
def test_anything_is_answered(page: Page, message: dict[str, Any]) -> None:
    """By a message that fits the schema; and the page can go on."""
    page.socket.send_json(message)
    page.number = 1000 + page.number % 1000
    assert page.show("tictactoe", moves="5")["is"] == "position"


@pytest.mark.parametrize("text", ["", "null", "\x00", "{}", '{"do":"show"}', "x" * 70_000])
def test_texts_that_are_no_messages(page: Page, text: str) -> None:
    page.socket.send_text(text)
    assert page.until("error")["text"]
    page.socket.send_bytes(b"\xff")
    assert "text, not bytes" in page.until("error")["text"]
    assert page.show("nim")["is"] == "position"


@pytest.mark.long
@settings(max_examples=10_000, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(message=ANY | ALMOST)
def test_anything_is_answered_at_length(page: Page, message: dict[str, Any]) -> None:
    test_anything_is_answered.hypothesis.inner_test(page, message)  # type: ignore[attr-defined]
