"""The Go Text Protocol: every command, whole games, and nothing that ends the session but quit."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz.cli.talking import USUAL_GO, Lines
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
    assert black.ask("genmove b") == "? the game is over"
    assert black.ask("play b A1") == "? the game is over"


def test_time_is_shared_out(talk: Talk) -> None:
    assert talk.ask("time_settings 60 0 0") == "="
    assert talk.session._timed(0).settings["time"] == pytest.approx(0.9 * 60 / 10)
    assert talk.ask("time_left b 10 5") == "="
    assert talk.session._timed(0).settings["time"] == pytest.approx(0.9 * 10 / 5)
    assert talk.ask("time_settings 0 1 0") == "="  # no limit
    assert talk.session._timed(0).settings["time"] == 0
    assert talk.ask("time_settings 1").startswith("? time_settings takes three numbers")


def test_overtime_begins_when_the_main_time_is_used_up(talk: Talk) -> None:
    talk.ask("time_settings 10 6 3")
    talk.session._spend(0, 11.0)
    assert (talk.session.clocks[0].seconds, talk.session.clocks[0].stones) == (6.0, 3)
    for _ in range(3):
        talk.session._spend(0, 1.0)
    assert (talk.session.clocks[0].seconds, talk.session.clocks[0].stones) == (6.0, 3)  # the next period


def test_stop_ends_a_search_with_the_best_move_so_far() -> None:
    talk = Talk("uct(time=600)")
    talk.next = "stop"
    assert talk.ask("genmove b").startswith("= ")
    assert talk.ask("stop") == "="


def test_analysis_reports_until_the_next_line(talk: Talk) -> None:
    talk.next = "protocol_version"
    reply = talk.ask("3 lz-analyze b 10").split("\n")
    assert reply[0] == "=3"
    assert reply[1].startswith("info move ")
    assert " visits " in reply[1]
    assert " pv " in reply[1]
    assert len(talk.session.history) == 1


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
    assert list(read) == []
