"""The clock of the Go Text Protocol: what a move may take, and that no game is lost on time. Time passes here only where a test lets it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.position.game import Position
from kibitz.core.position.result import ESTIMATE, Result
from kibitz.core.running.control import Stop
from kibitz.players import Player, player
from kibitz.protocols import gtp
from kibitz.protocols.clock import Clock, Timekeeper, for_clock
from kibitz.protocols.gtp import ENDLESS, FEWEST, LONG, SHARE, Session


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def session(size: int = 9, overhead: float = 0.1) -> tuple[Session, list[str]]:
    said: list[str] = []
    return Session(player("uct(playouts=20, seed=1)"), said.append, "1.2", "go", {"size": size}, overhead=overhead), said


def moves_left(size: int, played: int) -> tuple[float, float]:
    """As `genmove` reckons: how many moves of one colour are expected, and how many there may be."""
    return max(FEWEST, SHARE * size * size / 2 - played), max(ENDLESS, LONG * size * size / 2 - played)


# --- what a move may take ---


def test_time_is_shared_out() -> None:
    keeper = Timekeeper(overhead=0.0)
    keeper.agree(60, Clock(0.0))
    assert keeper.plan(0, 10, 40).steady == pytest.approx(60 / 10)
    keeper.tell(0, Clock(10, moves=5))
    assert keeper.plan(0, 10, 40).steady == pytest.approx(10 / 5)
    assert keeper.plan(1, 10, 40).steady == pytest.approx(60 / 10)  # the other's clock is another
    keeper.agree(0, Clock(1.0))  # no limit
    assert keeper.plan(0, 10, 40).steady == float("inf")


def test_something_is_kept_back() -> None:
    assert for_clock(Clock(10), 0.1, 25, 60).steady == pytest.approx((10 - 3 * 0.1 - 60 * 0.025) / 25)
    assert for_clock(Clock(0.2), 0.1, 25, 60).steady <= 0.2 * 0.2
    assert for_clock(Clock(-1), 0.1, 25, 60).steady == 0.001


def test_what_moves_took_longer_is_kept_back_from_then_on() -> None:
    keeper = Timekeeper(overhead=0.1)
    keeper.agree(10, Clock(0.0))
    before = keeper.plan(0, 25, 60).steady
    keeper.spend(0, 0.7, 0.3)
    assert keeper.clocks[0].left == pytest.approx(10 - 0.7 - 0.025)  # with the way to the controller
    assert keeper.plan(0, 25, 60).steady == pytest.approx((9.275 - 3 * 0.4 - 60 * 0.3 * 0.4) / 25)
    for _ in range(12):
        keeper.spend(0, 0.0, 0.0)
    assert before * 0.8 < keeper.plan(0, 25, 60).steady < before


def test_overtime_begins_when_the_main_time_is_used_up() -> None:
    keeper = Timekeeper()
    keeper.agree(10, Clock(6.0, moves=3))
    keeper.spend(0, 11.0, 11.0)
    assert keeper.clocks[0] == Clock(6.0, moves=3)
    for _ in range(3):
        keeper.spend(0, 1.0, 1.0)
    assert keeper.clocks[0] == Clock(6.0, moves=3)  # the next period


def test_a_clock_told_in_whole_seconds_is_not_believed_beyond_our_own() -> None:
    keeper = Timekeeper(overhead=0.0)
    keeper.agree(10, Clock(0.0))
    keeper.spend(0, 9.6, 9.6)
    keeper.tell(0, Clock(1))  # rounded up
    assert keeper.clocks[0].left == pytest.approx(0.4)
    keeper.tell(0, Clock(0))  # rounded down
    assert keeper.clocks[0].left == 0
    keeper.tell(0, Clock(8))  # somebody has given us time
    assert keeper.clocks[0].left == 8


def test_commands_set_the_clock() -> None:
    talk, said = session(size=3)
    talk.handle("time_settings 60 0 0")
    talk.handle("time_left w 10 5")
    assert talk.keeper.clocks == {0: Clock(60), 1: Clock(10, moves=5)}
    talk.handle("clear_board")
    assert talk.keeper.clocks == {0: Clock(60), 1: Clock(60)}  # another game
    talk.handle("time_settings 0 1 0")
    assert talk.keeper.clocks == {}
    said.clear()
    for line in ("time_settings 1", "time_settings 1 2 x", "time_left b", "time_left b 1 0.5"):
        talk.handle(line)
    assert [line[0] for line in said if line] == ["?"] * 4


def test_all_is_compiled_before_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp, "WARM", 4)
    talk, _ = session(size=2)
    searched: list[Position] = []
    whole = Player.search
    monkeypatch.setattr(Player, "search", lambda self, position: searched.append(position) or whole(self, position))
    talk.handle("clear_board")
    assert not searched
    talk.handle("time_settings 10 0 0")
    assert [p.player for p in searched] == [0, 1]  # the second search reuses what the first one knows
    talk.handle("clear_board")
    assert len(searched) == 2
    talk.handle("boardsize 3")
    assert len(searched) == 4


# --- whole games ---


@settings(max_examples=60)
@given(
    start=st.floats(5, 600),
    size=st.sampled_from([5, 7, 9, 13, 19]),
    delay=st.floats(0, 0.015),
    whole=st.booleans(),
    seed=st.integers(0, 99),
)
def test_no_clock_runs_out_in_a_long_game(start: float, size: int, delay: float, whole: bool, seed: int) -> None:
    """Sudden death. Every move takes all it may, and some more on its way; neither side passes. The controller may round what it tells."""
    chance, keeper, left = random.Random(seed), Timekeeper(), start
    keeper.agree(start, Clock(0.0))
    for played in range(100):
        if whole:
            keeper.tell(0, Clock(int(left)))
        plan = keeper.plan(0, *moves_left(size, played))
        used = plan.steady + chance.uniform(0.0, 0.01)  # a search ends a little late
        keeper.spend(0, used, plan.steady)
        left -= used + delay
        assert left > 0, played
    assert left < 0.5 * start or size > 9  # and the time is used


class Clockwork:
    """A clock that goes on only by what searches and replies take."""

    def __init__(self) -> None:
        self.now = 1000.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("late", [0.002, 0.04, 0.2, 1.0])
def test_genmove_keeps_to_the_clock(monkeypatch: pytest.MonkeyPatch, late: float) -> None:
    """Ten seconds for a game of 160 moves on 9x9: each search ends `late`, as one does that has much to tell, or where others want the processor, too;
    less so where it had little time."""
    work = Clockwork()
    monkeypatch.setattr(gtp, "time", work)
    monkeypatch.setattr(Session, "_warm_up", lambda _: None)
    talk, said = session()
    talk.handle("time_settings 10 0 0")

    def pass_by(self: Session, engine: Player, position: Position, stop: Stop) -> Result:
        thought = max(0.0, stop.deadline - work.now)
        work.now += thought + min(late, 3 * thought) + 0.01
        return Result(
            position, "", position.move("pass"), 0.0, ESTIMATE, (), 1, 1, thought, "time"
        )  # the protocol goes on after two of them

    monkeypatch.setattr(Session, "_found", pass_by)
    left = [10.0, 10.0]
    for ply in range(160):
        began = work.now
        talk.handle(f"genmove {'bw'[ply % 2]}")
        work.now += 0.005
        left[ply % 2] -= work.now - began
        assert left[ply % 2] > 0, ply
    assert not [line for line in said if line.startswith("?")]
    assert max(left) < 5
