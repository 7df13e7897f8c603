"""The Go Text Protocol: every command, whole games, and nothing that ends the session but quit."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz.cli.protocols import USUAL_GO, Lines
from kibitz.evaluators.batch import Batch
from kibitz.players import player
from kibitz.protocols.gtp import COMMANDS, Session


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts on a small board need no compiler."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


class Talk:
    """A session and what it wrote."""

    def __init__(self, text: str = "uct(playouts=20, seed=1)", **parameters: object) -> None:
        self.written: list[str] = []
        self.next: str | None = None
        self.session = Session(player(text), self.written.append, "1.2", "go", {"size": 3, **parameters}, lambda: self.next)

    def ask(self, line: str) -> str:
        """The reply, without the empty line that ends it."""
        self.written.clear()
        self.session.handle(line)
        assert self.written[-1] == ""
        return "\n".join(self.written[:-1])


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_about_the_program(talk: Talk) -> None:
    assert talk.ask("7 protocol_version") == "=7 2"
    assert talk.ask("name # who?") == "= kibitz"
    assert talk.ask("version") == "= 1.2"
    assert talk.ask("known_command genmove") == "= true"
    assert talk.ask("known_command fly") == "= false"
    assert talk.ask("list_commands").removeprefix("= ").split("\n") == list(COMMANDS)
    assert talk.ask("12 fly") == "?12 unknown command"
    assert talk.ask("12") == "?12 a command is missing"


def test_empty_lines_and_comments_have_no_reply(talk: Talk) -> None:
    for line in ("", "  \t ", "# a comment"):
        talk.written.clear()
        talk.session.handle(line)
        assert talk.written == []


def test_board_and_moves(talk: Talk) -> None:
    assert talk.ask("boardsize 4") == "="
    assert talk.ask("boardsize 99") == "? unacceptable size"
    assert talk.session.game.parameters["size"] == 4
    assert talk.ask("play b c3") == "="
    assert talk.ask("play black C3") == "? illegal move"
    assert talk.ask("play white Z9") == "? illegal move"
    assert talk.ask("play green C2").startswith("? a colour is missing")
    assert talk.ask("play w") == "? play takes a colour and a vertex"
    assert "X" in talk.ask("showboard")
    assert talk.ask("undo") == "="
    assert talk.ask("undo") == "? cannot undo"
    assert talk.ask("clear_board") == "="


def test_a_colour_may_move_twice(talk: Talk) -> None:
    assert talk.ask("play b A1") == "="
    assert talk.ask("play b B1") == "="  # white has passed in between
    assert talk.session.position.player == 1


def test_scores_count_the_area_and_the_komi(talk: Talk) -> None:
    assert talk.ask("komi 0.5") == "="
    assert talk.ask("play b B2") == "="
    assert talk.ask("final_score") == "= B+8.5"
    assert talk.ask("komi 20.5") == "="
    assert talk.ask("final_score") == "= W+11.5"
    assert talk.ask("komi x") == "? komi takes a number"
    assert talk.ask("komi nan") == "? komi takes a number"
    assert talk.ask("komi 0.3").startswith("? komi=0.3")
    assert talk.ask("final_score") == "= W+11.5"


def test_two_programs_play_a_whole_game() -> None:
    black, white = Talk(komi=0.5), Talk(USUAL_GO.replace(")", ", playouts=10, seed=2)"), komi=0.5)
    moves: list[str] = []
    while not black.session.position.is_over:
        mover, other, colour = (black, white, "b") if len(moves) % 2 == 0 else (white, black, "w")
        moves.append(mover.ask(f"genmove {colour}").removeprefix("= "))
        assert other.ask(f"play {colour} {moves[-1]}") == "="
        assert len(moves) < 100
    assert moves[-2:] == ["pass", "pass"]
    assert black.ask("final_score") == white.ask("final_score")


def test_a_game_goes_on_after_two_passes(talk: Talk) -> None:
    for line in ("play b A1", "play w pass", "play b pass"):
        assert talk.ask(line) == "="
    assert talk.session.position.is_over
    assert talk.ask("play w C3") == "="
    assert talk.ask("play b pass") == "="
    assert talk.ask("play w pass") == "="
    assert talk.ask("genmove b").startswith("= ")
    assert talk.ask("undo") == "="
    assert talk.session.position.is_over


def test_a_colour_that_moves_twice_has_not_made_the_other_pass(talk: Talk) -> None:
    assert talk.ask("play b pass") == "="
    assert talk.ask("play b B2") == "="  # a pass of White in between would have ended the game
    assert "X" in talk.ask("showboard")
    assert talk.ask("play b pass") == "="
    assert talk.ask("play b pass") == "="
    assert not talk.session.position.is_over
    assert talk.ask("play w pass") == "="
    assert talk.session.position.is_over
    assert talk.ask("genmove b").startswith("= ")


def test_the_rule_on_repetition_holds_for_a_colour_that_moves_twice() -> None:
    talk = Talk(size=5)
    for line in ("b B1", "w C1", "b A2", "w D2", "b B3", "w C3", "b C2", "w B2"):  # White has captured C2
        assert talk.ask(f"play {line}") == "="
    assert talk.ask("play b C2") == "? illegal move"
    assert talk.ask("play w E5") == "="
    assert talk.ask("play b C2") == "="


@pytest.mark.parametrize("line", ["stop", "stop\n", "17 stop # enough", "\tstop \r\n"])
def test_stop_ends_a_search_with_the_best_move_so_far(line: str) -> None:
    talk = Talk("uct(time=600)")
    talk.next = line
    assert talk.ask("genmove b").startswith("= ")
    assert talk.ask("stop") == "="


def test_the_end_of_the_input_ends_a_search() -> None:
    talk = Talk("uct(time=600)")
    talk.next = ""
    assert talk.ask("genmove b").startswith("= ")


def test_a_search_that_tells_nothing_for_long_hears_stop_too() -> None:
    """Alpha-beta has a result only after every depth: stop must reach the search itself."""
    talk = Talk("alphabeta(time=600, depth=30, deepening=false)", size=5)
    talk.next = "stop"
    assert talk.ask("genmove b").startswith("= ")


def test_other_lines_do_not_end_a_search() -> None:
    talk = Talk("uct(playouts=60, seed=1)")
    talk.next = "quit\n"
    assert talk.ask("genmove b") == Talk("uct(playouts=60, seed=1)").ask("genmove b")


def test_analysis_reports_until_the_next_line(talk: Talk) -> None:
    talk.next = "protocol_version"
    reply = talk.ask("3 lz-analyze b 10").split("\n")
    assert reply[0] == "=3"
    assert reply[1].startswith("info move ")
    assert " visits " in reply[1]
    assert " pv " in reply[1]
    assert len(talk.session.history) == 1


def test_an_analysis_asks_whom_the_player_asks() -> None:
    """Its options and its evaluator are the player's; only its limits are not."""
    asked: list[int] = []

    def evaluate(batch: Batch) -> tuple[Any, Any]:
        asked.append(len(batch))
        return np.zeros(len(batch)), np.ones(batch.moves.shape)

    talk = Talk()
    talk.session = Session(player("puct(playouts=8)").asking(evaluate), talk.written.append, "1.2", "go", {"size": 3}, lambda: talk.next)
    talk.next = "name"
    assert "info move " in talk.ask("lz-analyze b 10")
    assert asked


def test_an_analysis_lasts_until_the_next_line_comes() -> None:
    """Also where nothing is left to find out."""
    talk, looks = Talk(size=1), 0

    def waiting() -> str | None:
        nonlocal looks
        looks += 1
        return None if looks < 10 else "name\n"

    talk.session.waiting = waiting
    assert "info move pass" in talk.ask("lz-analyze b 10")
    assert looks >= 10


def test_games_are_written_and_read_as_sgf(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    for line in ("komi 0.5", "play b A1", "play b B1", "play w pass", "play b C3"):
        assert talk.ask(line) == "="
    assert talk.ask(f"printsgf {path}") == "="
    assert talk.ask("printsgf").removeprefix("= ") == path.read_text().strip()
    before = talk.session.position
    other = Talk(size=5)
    assert other.ask(f"loadsgf {path}") == "= white"
    assert (other.session.position, other.session.game.parameters["komi"]) == (before, 0.5)
    assert other.ask(f"loadsgf {path} 1") == "= white"  # then the pass that stands for the move White did not make
    assert other.ask("undo") == "="
    assert other.ask("printsgf").endswith("KM[0.5]SZ[3])")
    assert other.ask(f"loadsgf {path} 9") == "? the game has 5 moves"
    assert other.ask("loadsgf") == "? loadsgf takes a file"
    assert other.ask(f"loadsgf {path} x").startswith("? the move's number")
    assert "No such file" in other.ask(f"loadsgf {tmp_path}/none.sgf")


def test_a_record_keeps_names_colours_and_what_came_after_two_passes(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]FF[4]SZ[3]KM[0.5]PB[Ann]PW[Bo];B[aa];B[];B[bb];W[];B[];W[cc])")
    assert talk.ask(f"loadsgf {path}") == "= black"
    said = talk.ask("printsgf")
    assert "PB[Ann]" in said
    assert "PW[Bo]" in said
    assert "".join(said.split("\n")).endswith(";B[aa];B[tt];B[bb];W[tt];B[tt];W[cc])")
    assert talk.ask("play w A1") == "="  # once more
    assert talk.ask("printsgf").endswith("W[cc];W[ac])")
    assert talk.ask("clear_board") == "="
    assert "PB" not in talk.ask("printsgf")


def test_a_record_is_written_into_a_folder_that_is_there(talk: Talk, tmp_path: Path) -> None:
    assert talk.ask(f"printsgf {tmp_path}/new/game.sgf").startswith(f"? cannot write {tmp_path}/new/game.sgf: there is no folder")
    assert list(tmp_path.iterdir()) == []


def test_quit_ends_it(talk: Talk) -> None:
    assert talk.ask("9 quit") == "=9"
    assert talk.session.over


words = st.sampled_from(
    [*(c for c in COMMANDS if c not in ("genmove", "lz-analyze", "printsgf")), "b", "w", "A1", "C3", "pass", "3", "-1", "1e99", "nan", "#"]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.lists(words | st.text(max_size=8), max_size=4).map(" ".join), max_size=6))
def test_no_line_ends_the_session_or_goes_without_a_reply(lines: list[str]) -> None:
    talk = Talk()
    for line in lines:
        talk.written.clear()
        talk.session.handle(line)
        assert not talk.written or (talk.written[0][0] in "=?" and talk.written[-1] == "")


def test_lines_can_be_looked_at_before_they_are_read() -> None:
    lines = Lines(io.StringIO("one\ntwo\n"))
    read: Iterator[str] = iter(lines)
    while lines.waiting() is None:
        pass
    assert lines.waiting() == "one\n"
    assert next(read) == "one\n"
    assert next(read) == "two\n"
    while lines.waiting() is None:
        pass
    assert lines.waiting() == ""  # the end, which is no line
    assert list(read) == []


def test_blank_lines_hide_nothing() -> None:
    lines = Lines(io.StringIO("\n \nstop\n"))
    while lines.waiting() is None:
        pass
    assert lines.waiting() == "stop\n"
