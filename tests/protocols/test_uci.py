"""The Universal Chess Interface: every command, games other than chess, and nothing that ends the session but quit."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.position.game import Game
from kibitz.core.position.loading import load
from kibitz.protocols import clock
from kibitz.protocols.clock import Clock, Plan, for_clock, for_move
from kibitz.protocols.uci import COMMANDS, Session
from kibitz.protocols.uci_words import cleaned, go_of

PATIENCE = 60.0  # seconds: a busy machine is no fault of the session
TICTACTOE = load("tictactoe")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games need no compiler."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


class Talk:
    """A session and what it wrote."""

    def __init__(self, game: Game = TICTACTOE, player: str = "selective(table=1)") -> None:
        self.written: list[str] = []
        self.session = Session(game, player, self.written.append, "1.2")

    def ask(self, *lines: str) -> list[str]:
        """What is written by the time these lines are handled."""
        before = len(self.written)
        for line in lines:
            self.session.handle(line)
        return self.written[before:]

    def until(self, word: str, *lines: str) -> list[str]:
        """What is written until a line begins with this word, that one included."""
        before, began = len(self.written), time.monotonic()
        self.ask(*lines)
        while not any(line.split()[0] == word for line in self.written[before:]):
            assert time.monotonic() - began < PATIENCE, self.written
            time.sleep(0.002)
        return self.written[before:]

    def rest(self) -> None:
        """Until every search has ended and said its move: a session that searches is ready at once, one that does not when its work is done."""
        began = time.monotonic()
        while self.session.thinking is not None:
            assert time.monotonic() - began < PATIENCE
            time.sleep(0.001)
        self.until("readyok", "isready")

    def best(self, *lines: str) -> str:
        return self.until("bestmove", *lines)[-1].split()[1]


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.finish()


def test_the_greeting_tells_options_and_compiles_nothing(talk: Talk) -> None:
    lines = talk.ask("uci")
    assert lines[0] == "id name kibitz 1.2 (tictactoe)"
    assert lines[-1] == "uciok"
    assert "option name Hash type spin default 1 min 1 max 65536" in lines
    assert "option name Search type string default selective(table=1)" in lines
    assert {line.split(" type ")[0] for line in lines[2:-1]} >= {
        f"option name {n}" for n in ("Threads", "MultiPV", "Ponder", "Move Overhead")
    }


def test_ready_when_all_is_prepared(talk: Talk) -> None:
    assert talk.until("readyok", "isready")[-1] == "readyok"


def test_a_search_tells_what_it_finds(talk: Talk) -> None:
    lines = talk.until("bestmove", "position startpos moves 1 2 4", "go depth 3")
    words = lines[-2].split()
    for word in ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"):
        assert word in words
    assert lines[-1].startswith("bestmove 7 ponder ")  # all else loses at once


def test_wins_and_losses_are_counted_in_moves_of_the_mover(talk: Talk) -> None:
    assert " score mate 1 " in talk.until("bestmove", "position startpos moves 1 4 2 5", "go depth 4")[-2]
    assert " score mate -1 " in talk.until("bestmove", "position startpos moves 1 4 2 7 5", "go depth 4")[-2]
    assert " score cp 0 " in talk.until("bestmove", "position startpos", "go depth 9")[-2]


def test_boards_are_positions_too(talk: Talk) -> None:
    assert talk.best("position fen XX./OO./... moves", "go depth 2") == "3"
    assert talk.best("position fen XX./OO./... moves 7", "go depth 2") == "6"


def test_moves_are_added_to_what_is_known(talk: Talk) -> None:
    talk.ask("position startpos moves 1 2")
    before = talk.session.history[2][-1]
    talk.ask("position startpos moves 1 2 3 4")
    assert talk.session.history[2][2] is before
    talk.ask("position startpos moves 1 5")
    assert [str(p) for p in talk.session.history[2][1:]] == ["X..\n...\n...", "X..\n.O.\n..."]


def test_an_endless_search_waits_for_stop(talk: Talk) -> None:
    talk.until("info", "position startpos moves 1 4 2 5", "go infinite")
    time.sleep(0.05)  # solved by now
    assert talk.until("readyok", "isready")[-1] == "readyok"
    assert not any(line.startswith("bestmove") for line in talk.written)
    assert talk.best("stop") == "3"
    assert talk.ask("stop") == []


def test_pondering_ends_with_a_hit_or_with_stop(talk: Talk) -> None:
    ponder = "go ponder wtime 1000 btime 1000"
    for ending in ("ponderhit", "stop"):
        talk.until("info", "position startpos moves 1 4 2 5", ponder)
        time.sleep(0.02)
        assert talk.written[-1].startswith("info")
        assert talk.best(ending) == "3"


def test_only_some_moves_are_looked_at(talk: Talk) -> None:
    lines = talk.until("bestmove", "position startpos moves 1 4 2 5", "go depth 3 searchmoves 7 8")
    assert lines[-1].split()[1] in ("7", "8")
    lines = talk.until("bestmove", "go depth 3 searchmoves 1 9 e4")
    assert [line for line in lines if "illegal move '1'" in line]
    assert lines[-1].split()[1] == "9"


def test_several_lines(talk: Talk) -> None:
    talk.ask("setoption name MultiPV value 3", "position startpos moves 1 4 2 5")
    lines = [line.split() for line in talk.until("bestmove", "go depth 2")[:-1]]
    last = [line for line in lines if line[2] == lines[-1][2]]
    assert [line[line.index("multipv") + 1] for line in last] == ["1", "2", "3"]
    assert len({line[line.index("pv") + 1] for line in last}) == 3
    scores = [line[line.index("score") + 1 : line.index("score") + 3] for line in last]
    assert scores[0] == ["mate", "1"]


def test_a_mate_in_so_many_moves_ends_the_search(talk: Talk) -> None:
    assert talk.best("position startpos moves 1 4 2 5", "go mate 1") == "3"


def test_other_searches_and_what_they_cannot_do(talk: Talk) -> None:
    talk.ask("setoption name Search value uct(seed=1, playouts=50)")
    lines = talk.until("bestmove", "position startpos moves 1 4 2 5", "go depth 5 searchmoves 3")
    assert "info string uct knows no limit of depth; it is passed over" in lines
    assert "info string uct cannot be told which moves to look at; it looks at all" in lines
    assert lines[-1].split()[1] == "3"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "unknown command 'hello'; known are uci, isready"),
        ("setoption name Hash value much", "option Hash takes a whole number from 1 to 65536, not 'much'"),
        ("setoption name Hash value 0", "option Hash takes a whole number from 1 to 65536"),
        ("setoption name Ponder value maybe", "option Ponder takes true or false"),
        ("setoption name Hsh value 1", "there is no option 'Hsh'; did you mean Hash?"),
        ("setoption", "an option is set so: setoption name Hash value 64"),
        ("setoption name Search value minmax", "unknown search 'minmax'; did you mean minimax"),
        ("position", "a position is written: position startpos moves"),
        ("position fen", "a position is written: position startpos moves"),
        ("position fen XYZ", "a board is 3 rows of 3 characters"),
        ("position startpos moves 1 1", "illegal move '1'"),
    ],
)
def test_what_makes_no_sense_is_answered(talk: Talk, line: str, answer: str) -> None:
    (said,) = talk.ask(line)
    assert said.startswith("info string ")
    assert answer in said


def test_words_before_a_command_are_passed_over(talk: Talk) -> None:
    assert talk.ask("please \t uci")[-1] == "uciok"
    assert talk.ask("", "   ", "debug on", "register later") == []


def test_every_go_has_a_bestmove(talk: Talk) -> None:
    assert talk.best("go depth 1") == "(none)"
    assert talk.best("position startpos moves 1 1", "go depth 1") == "(none)"
    assert talk.best("position startpos moves 1 4 2 5 3", "go depth 1") == "(none)"
    assert talk.best("position startpos moves 1", "go depth x searchmoves") in "23456789"
    assert talk.best("go wtime -50 btime -50") in "23456789"
    assert talk.best("go movetime 0") in "23456789"
    talk.ask("go infinite", "go depth 1")
    talk.ask("stop")
    talk.rest()
    assert sum(line.startswith("bestmove") for line in talk.written) == 8


def test_quit_ends_it_during_a_search(talk: Talk) -> None:
    talk.ask("position startpos", "go infinite", "quit")
    assert talk.session.over
    assert talk.written[-1].startswith("bestmove")


def test_checkers_is_played_by_its_own_notation() -> None:
    talk, position, moves = Talk(load("checkers"), "selective(table=1)"), load("checkers").start, []
    for _ in range(8):
        moves.append(talk.best(f"position startpos moves {' '.join(moves)}", "go depth 1"))
        position = position.play(moves[-1])
    assert position == talk.session.history[2][-1].play(moves[-1])
    assert talk.best("position fen W:W30,K9:BK1,22", "go depth 1") in ("30x21", "30-26", "30-25", "9-5", "9-6", "9-13", "9-14")


SENSE = "startpos fen moves name value Hash Search 1 9 depth movetime infinite ponder searchmoves nodes mate wtime -1 99999999999 X../.../... uct"
words = st.sampled_from([*(c for c in COMMANDS if c not in ("quit", "isready")), *cleaned(SENSE)])


@pytest.fixture(scope="module")
def garbage() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.finish()


def speak_nonsense(talk: Talk, lines: list[str]) -> None:
    """Handle the lines; then the session still plays."""
    before = len(talk.written)
    searches = sum("go" in line.split() for line in lines)
    for line in lines:
        talk.session.handle(line)
        talk.session.stop([])
    talk.rest()
    assert sum(line.startswith("bestmove") for line in talk.written[before:]) <= searches
    assert all(line.split()[0] in ("info", "id", "option", "uciok", "readyok", "bestmove") for line in talk.written[before:])
    talk.ask("setoption name Search value selective(table=1)", "setoption name Hash value 1")
    assert talk.best("position startpos moves 1 4 2 5", "go depth 2") == "3"
    talk.written.clear()


@settings(max_examples=60)
@given(lines=st.lists(st.lists(words | st.text(max_size=6), max_size=6).map(" ".join), max_size=5))
def test_no_line_ends_the_session(garbage: Talk, lines: list[str]) -> None:
    speak_nonsense(garbage, [line for line in lines if "quit" not in line.split()])


@pytest.mark.long
@settings(max_examples=10_000)
@given(lines=st.lists(st.lists(words | st.text(max_size=6), max_size=6).map(" ".join), min_size=2, max_size=6))
def test_tens_of_thousands_of_lines_do_not_end_the_session(garbage: Talk, lines: list[str]) -> None:
    speak_nonsense(garbage, [line for line in lines if "quit" not in line.split()])


# --- time ---


@given(left=st.floats(-1, 7200), increment=st.floats(0, 60), moves=st.integers(0, 60), overhead=st.floats(0, 1))
def test_a_plan_leaves_something_on_the_clock(left: float, increment: float, moves: int, overhead: float) -> None:
    plan = for_clock(Clock(left, increment, moves), overhead)
    assert clock.LEAST <= plan.hard <= max(clock.LEAST, 0.9 * left)
    assert plan.soft <= plan.hard
    assert plan.enough(plan.hard, 2)


@given(start=st.floats(0.2, 600), control=st.sampled_from([0, 1, 2, 10, 40]), delay=st.floats(0.001, 0.05))
def test_no_clock_runs_out(start: float, control: int, delay: float) -> None:
    """Every move takes all the time it may, and some more on its way, which the increment makes good; a very long game."""
    left, increment, overhead = start, delay + 0.002, 0.05
    for move in range(400):
        to_go = control - move % control if control else 0
        left -= for_clock(Clock(left, increment, to_go), overhead).hard + min(delay, 0.5 * left)
        assert left > 0
        left += increment + (start if to_go == 1 else 0.0)


@given(start=st.floats(5, 600))
def test_no_clock_runs_out_without_an_increment(start: float) -> None:
    """Most searches end at the first time, some at the second; a hundred moves, each a hundredth of a second on its way."""
    left = start
    for move in range(100):
        plan = for_clock(Clock(left), 0.05)
        left -= (plan.hard if move % 10 == 0 else plan.soft) + 0.01
        assert left > 0


def test_the_time_of_a_move_is_used() -> None:
    assert for_move(1.0, 0.05) == Plan(hard=0.95)
    assert for_move(0.0, 0.05).hard == clock.LEAST
    plan = for_clock(Clock(60.0), 0.0)
    assert plan.soft < 60 / clock.MOVES_LEFT < plan.hard
    assert plan.enough(plan.soft, 2)
    assert plan.enough(0.8 * plan.soft, 5)
    assert not plan.enough(plan.soft, 1)


def test_what_go_says() -> None:
    wanted, refused = go_of(cleaned("wtime 1000 btime 2000 winc 10 movestogo 5 searchmoves e2e4 d2d4 depth 7"))
    assert refused == []
    assert wanted.clocks == (Clock(1.0, 0.01, 5), Clock(2.0, 0.0, 5))
    assert (wanted.depth, wanted.only, wanted.infinite) == (7, ("e2e4", "d2d4"), False)
    assert go_of([])[0].infinite
    assert go_of(["depth", "many"])[0].seconds == 1.0
