"""UCI where searches and games end, or ought not to: limits that limit nothing, draws that nobody claims, mates, a `stop` that must not be lost."""

import threading
import time
from collections.abc import Iterator

import pytest

from kibitz.core.position.loading import load
from kibitz.protocols.uci import Session, Thought
from kibitz.protocols.uci_words import Go, cleaned, go_of
from tests.protocols.test_uci import PATIENCE, TICTACTOE, Talk

CHESS = load("chess")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.finish()


@pytest.fixture
def chess() -> Iterator[Talk]:
    talk = Talk(CHESS)
    yield talk
    talk.session.finish()


# --- every search ends but those that are told not to ---


@pytest.mark.parametrize(
    "line",
    [
        "go depth 0",
        "go depth -4",
        "go nodes 0",
        "go mate 0",
        "go mate 1",
        "go wtime 50",
        "go btime 50",
        "go winc 10",
        "go movestogo 3",
        "go mate 2",
    ],
)
def test_a_search_with_a_limit_ends(talk: Talk, line: str) -> None:
    """Nobody can win at once here; black is to move, then white."""
    assert talk.best("position startpos moves 5", line) in "12346789"
    assert talk.best("position startpos moves 5 1", line) in "2346789"


@pytest.mark.parametrize("line", ["go mate 1", "go wtime 50 winc 1", "go depth 0"])
def test_a_search_of_a_large_game_ends(chess: Talk, line: str) -> None:
    """There is no mate, the clock is the other's, and a depth of 0 is none."""
    assert len(chess.best("position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", line)) == 4


@pytest.mark.parametrize("line", ["go mate 1", "go depth 2"])
def test_a_search_that_knows_no_depth_ends_too(talk: Talk, line: str) -> None:
    talk.ask("setoption name Search value uct(solve=false)")
    assert talk.best("position startpos moves 5", line) in "12346789"


def test_pondering_without_a_clock_ends_after_a_hit(talk: Talk) -> None:
    talk.until("info", "position startpos moves 5", "go ponder")
    assert talk.best("ponderhit") in "12346789"


def test_what_go_alone_means() -> None:
    assert go_of([])[0].infinite
    assert go_of(cleaned("searchmoves e2e4"))[0].infinite
    assert go_of(cleaned("depth 0"))[0] == Go(depth=1)
    assert go_of(cleaned("movestogo 4"))[0].seconds == 1.0
    assert go_of(cleaned("infinite depth 3"))[0] == Go(depth=3, infinite=True)


# --- games go on where nobody claims a draw ---


@pytest.mark.parametrize(
    "position",
    [
        "fen 4k3/8/8/8/8/8/8/4K2R w - - 100 80",
        "fen 4k3/8/8/8/8/8/8/4K2R w - - 99 80 moves h1h2 e8e7",
        "fen 4k3/8/8/8/8/8/8/4K2R w - - 149 80",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",  # nobody can mate
        "fen 4k3/8/8/8/8/8/8/4Kn2 w - - 0 1 moves e1f1",
    ],
)
def test_a_move_is_found_where_a_draw_could_be_claimed(chess: Talk, position: str) -> None:
    best = chess.best(f"position {position}", "go depth 1")
    assert chess.session.position is not None
    assert chess.session.position.wired(best) in chess.session.position.numbers


def test_the_count_begins_anew(chess: Talk) -> None:
    chess.ask("position fen 4k3/8/8/8/8/8/8/4K2R w - - 99 80 moves h1h2 e8e7 h2h1")
    assert chess.session.position.show().endswith("2 81")


def test_mates_and_stalemates_are_the_end(chess: Talk) -> None:
    assert chess.best("position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 100 80", "go depth 1") == "(none)"
    assert chess.best("position fen 7k/8/6Q1/8/8/8/8/K7 b - - 100 80", "go depth 1") == "(none)"


def test_checkers_goes_on_too() -> None:
    talk = Talk(load("checkers"))
    assert talk.best("position fen W:WK30:BK1:H79 moves 30-26", "go depth 1") in ("1-5", "1-6")
    talk.session.finish()


# --- mates ---


def test_the_line_of_a_mate_reaches_it(chess: Talk) -> None:
    """A table that knows the position cuts the line short; it is told to its end nevertheless."""
    for _ in range(2):
        lines = chess.until("bestmove", "position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "go mate 2")
        info = [line.split() for line in lines if " score mate 2 " in line][-1]
        line = info[info.index("pv") + 1 :]
        assert len(line) == 3
        assert chess.session.position is not None
        assert chess.session.position.play(*line).utility(0) == 100


# --- no stop is lost ---


class Hesitant(Session):
    """Whose searching thread is slow between looking at what it thinks of and forgetting it."""

    @property
    def thinking(self) -> Thought | None:
        found = self.kept
        if threading.current_thread().name == "uci" and not self.looked.is_set():
            self.looked.set()
            time.sleep(0.3)
        return found

    @thinking.setter
    def thinking(self, thought: Thought | None) -> None:
        self.kept = thought


def test_a_search_begun_while_another_ends_hears_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hesitant, "looked", threading.Event(), raising=False)
    talk = Talk()
    talk.session = Hesitant(TICTACTOE, "selective(table=1)", talk.written.append, "1.2")
    talk.ask("position startpos", "go depth 1")
    assert Hesitant.looked.wait(PATIENCE)
    talk.ask("go infinite")
    time.sleep(0.4)
    talk.ask("stop")
    began = time.monotonic()
    while sum(line.startswith("bestmove") for line in talk.written) < 2:
        assert time.monotonic() - began < 10
        time.sleep(0.01)
