"""Matches: legal games in pairs, the same for the same seed, whoever plays them and however many processes there are."""

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.arena import contest, records
from kibitz.arena.match import match
from kibitz.arena.match_result import Match
from kibitz.arena.openings import enough_openings, is_decided, random_openings, symmetric_form
from kibitz.core.position.game import Position
from kibitz.core.running.pool import spread
from kibitz.searches.method import names

pytestmark = pytest.mark.compiled

TICTACTOE = kb.load("tictactoe")
KALAH = kb.load("kalah", holes=3, seeds=3)
DEEP, FLAT = "alphabeta(depth=6)", "alphabeta(depth=1)"


def replayed(game: kb.Game, moves: str) -> Position:
    """Every move looked up among the legal ones."""
    position = game.start
    for move in moves.split():
        position = position.play(move)
    return position


def small(**options: Any) -> Match:
    return match(DEEP, FLAT, TICTACTOE, games=20, openings=2, **options)


# --- games ---


@pytest.mark.parametrize("game", [TICTACTOE, KALAH], ids=lambda g: g.name)  # players of the second need not alternate
def test_recorded_games_are_legal_whole_and_in_pairs(game: kb.Game, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    played = match(DEEP, FLAT, game, games=12, openings=2, record=path)
    lines = records.read(path)
    assert [line["game"] for line in lines] == [str(n) for n in range(1, 13)]
    for line, other in zip(lines[::2], lines[1::2], strict=True):
        assert (line["first"], other["first"]) == ("one", "two")
        assert line["moves"].split()[:2] == other["moves"].split()[:2]
    for line, g in zip(lines, played.games, strict=True):
        end = replayed(game, line["moves"])
        assert end.is_over
        assert end.utility(0 if line["first"] == "one" else 1) == float(line["utility"]) == g.utilities[0]
        assert line["winner"] == ("draw" if g.score == 0.5 else "one" if g.score else "two")
    assert played.wins + played.draws + played.losses == 12
    assert played.score == pytest.approx((played.wins + 0.5 * played.draws) / 12)
    assert [p.name for p in tmp_path.iterdir()] == ["games.txt"]


def test_same_seed_same_games_in_any_number_of_processes() -> None:
    first = small(seed=3)
    assert small(seed=3) == first == small(seed=3, jobs=2)
    assert small(seed=4).games != first.games
    assert first.score > 0.5


def test_a_player_against_itself_is_level() -> None:
    level = match(FLAT, FLAT, TICTACTOE, games=20, openings=2)
    assert level.score == 0.5  # the two games of a pair are the same, with the names exchanged
    assert level.elo == 0.0


@pytest.mark.once
def test_chance_is_drawn_from_the_seed() -> None:
    """One opening for all: chance does the same in both games of a pair, and differs between pairs."""
    game = kb.load("trees", tree='{"chance": [1, 1, 2], "moves": [[1, 2], [3, 4], [-5, [6, -7]]]}')
    one, again = (
        match("expectiminimax(depth=4)", "expectiminimax(depth=4)", game, games=20, openings=[game.start], seed=2) for _ in range(2)
    )
    assert one == again
    assert len({g.moves[0] for g in one.games}) > 1
    assert all(a.moves[0] == b.moves[0] for a, b in zip(one.games[::2], one.games[1::2], strict=True))


def test_effort_is_told() -> None:
    played = small()
    deep, flat = played.effort(0), played.effort(1)
    assert deep.nodes / deep.moves > flat.nodes / flat.moves > 0
    assert flat.depths / flat.moves == pytest.approx(1.0, abs=0.2)
    told = str(played)
    assert "one: alphabeta(depth=6)" in told
    assert "95 % interval" in told
    assert "overstepped" not in told


def test_contestants_with_games_of_their_own() -> None:
    plain, known = kb.load("connect4", weights="none"), kb.load("connect4", weights="start")
    played = match(kb.Contestant(kb.player("alphabeta(depth=2)"), known), kb.Contestant(kb.player("alphabeta(depth=2)"), plain), games=4)
    assert played.name(0) == "alphabeta(depth=2) in connect4(weights=start)"
    for g in played.games:
        assert replayed(plain, " ".join(g.moves)).is_over


# --- openings ---


def test_openings_are_different_open_and_repeatable() -> None:
    game = kb.load("connect4")
    openings = random_openings(game, 50, 6, seed=1)
    positions = [game.start.after_line(list(o)) for o in openings]
    assert {len(o) for o in openings} == {6}
    assert len({symmetric_form(p) for p in positions}) == 50
    assert not any(is_decided(p) for p in positions)
    assert openings == random_openings(game, 50, 6, seed=1) != random_openings(game, 50, 6, seed=2)


def test_symmetric_openings_count_once() -> None:
    assert len(random_openings(TICTACTOE, 3, 1, seed=0)) == 3  # corner, edge, centre
    with pytest.raises(kb.InputError, match="only 3 different openings of 1 plies"):
        random_openings(TICTACTOE, 4, 1, seed=0)


def test_openings_of_othello_get_longer() -> None:
    """Only 60 of four plies differ, which README's match of 200 games failed by."""
    game = kb.load("othello")
    openings, plies = enough_openings(game, 100, seed=0)
    assert (len(openings), plies) == (100, 5)
    assert len({symmetric_form(game.start.after_line(list(o))) for o in openings}) == 100
    with pytest.raises(kb.InputError, match="only 60 different openings of 4 plies"):
        random_openings(game, 100, 4, seed=0)


@pytest.mark.parametrize(("moves", "decided"), [("12123", False), ("112233", True), ("", False), ("1122", False), ("1213141", True)])
def test_what_is_decided(moves: str, decided: bool) -> None:
    """Three of the first player's in a row at the bottom, open on the right: he wins with the next move."""
    assert is_decided(kb.load("connect4").position(moves)) == decided


def test_openings_of_ones_own() -> None:
    played = match(FLAT, FLAT, TICTACTOE, games=4, openings=["1 5", TICTACTOE.position("2 3")])
    assert len(played.games) == 4
    with pytest.raises(kb.InputError, match="1 openings are enough for 2 games, not for 4"):
        match(FLAT, FLAT, TICTACTOE, games=4, openings=["1 5"])


def test_a_player_remembers_the_game_and_nothing_more() -> None:
    """What was found for one move serves the next: fewer positions for the same depth. The next game begins with nothing."""
    game = kb.load("connect4")
    player = kb.player("selective(depth=6)")
    played = match(player, "alphabeta(depth=1)", game, games=4, openings=4)
    fresh = 0
    for g in played.games:
        position = game.start
        for i, move in enumerate(g.moves):
            if i >= g.opening and position.player == g.first:
                fresh += player.search(position).nodes
            position = position.play(move)
    assert 0 < played.effort(0).nodes < fresh
    forgetful = match(player, "alphabeta(depth=1)", game, games=4, openings=4, remember=False)
    assert forgetful.effort(0).nodes > played.effort(0).nodes
    again = match(player, "alphabeta(depth=1)", game, games=4, openings=4, jobs=2)
    assert [g.moves for g in again.games] == [g.moves for g in played.games]
    assert again.effort(0).nodes == played.effort(0).nodes


# --- what goes wrong ---


@dataclass(frozen=True)
class Rogue:
    """A player that does what no search does."""

    inner: kb.Player
    how: str

    @property
    def name(self) -> str:
        return self.how

    @property
    def settings(self) -> Any:
        return {**self.inner.settings, "time": 1e-9 if self.how == "slow" else 0.0}

    @property
    def method(self) -> Any:
        return self.inner.method

    def check(self, game: kb.Game) -> None:
        self.inner.check(game)

    def prepare(self, position: Position) -> None:
        self.inner.prepare(position)

    def remembering(self) -> Any:
        return self

    def search(self, position: Position) -> kb.Result:
        from dataclasses import replace

        result = self.inner.search(position)
        if self.how == "crash":
            raise ZeroDivisionError("broken")
        if self.how == "illegal":
            return replace(result, move=kb.Move(77, "z"))
        if self.how == "slow":
            import time

            time.sleep(0.06)
        return replace(result, ended="interrupted") if self.how == "stopped" and position.data != TICTACTOE.start.data else result


def rogue(how: str) -> Any:
    return Rogue(kb.player(FLAT), how)


def test_an_illegal_move_or_a_crash_decides_no_game() -> None:
    with pytest.raises(kb.InputError, match="illegal move '77': legal moves are"):
        match(rogue("illegal"), FLAT, TICTACTOE, games=2, openings=2)
    with pytest.raises(ZeroDivisionError):
        match(rogue("crash"), FLAT, TICTACTOE, games=2, openings=2)


def test_a_late_move_is_told() -> None:
    played = match(rogue("slow"), FLAT, TICTACTOE, games=2, openings=4)
    assert played.effort(0).late == played.effort(0).moves > 0
    assert "one overstepped its time in" in str(played)
    assert played.as_dict()["one"]["late_moves"] == played.effort(0).late


def test_ctrl_c_gives_the_result_so_far(tmp_path: Path) -> None:
    def stop(so_far: Match) -> None:
        if len(so_far.games) == 5:
            raise KeyboardInterrupt

    for jobs in (1, 2):
        played = small(watch=stop, jobs=jobs, record=tmp_path / "part.txt")
        assert len(played.games) == 5
        assert len(played.pairs) <= 2
        assert played.interrupted
        assert "stopped after 5 of 20 games" in str(played)
        assert len(records.read(tmp_path / "part.txt")) == 5
    assert match(rogue("stopped"), FLAT, TICTACTOE, games=2, openings=2).games == ()  # a search that Ctrl-C cut short makes no move


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: match(DEEP, FLAT), "a match needs a game"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=3), "games=3: must be 2 or more, and even"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, jobs=0), "jobs=0: must be from 1 to"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, seed=-1), "seed -1: must be from 0 to"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, openings=-1), "opening plies: -1"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, openings=9), "has no opening of 9 plies that leaves the game open"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, openings=["14253"]), "an opening is a finished game"),
        (lambda: match(DEEP, FLAT, TICTACTOE, games=2, record="/"), "cannot write /: it is a folder"),
        (
            lambda: match(kb.Contestant(kb.player(DEEP), TICTACTOE), kb.Contestant(kb.player(DEEP), KALAH)),
            "are different games: their State",
        ),
        (
            lambda: match(kb.Contestant(kb.player(DEEP), KALAH), kb.Contestant(kb.player(DEEP), kb.load("kalah", holes=3, seeds=2))),
            "are different games: their MAX_PLIES",
        ),
    ],
)
def test_bad_input(call: Any, message: str) -> None:
    with pytest.raises(kb.InputError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# --- processes ---


def doubled(number: int) -> int:
    if number == 7:
        raise kb.InputError("seven")
    if number == 8:
        raise ValueError("eight")
    if number == 9:
        import os

        os._exit(3)
    return 2 * number


def test_work_is_spread() -> None:
    assert sorted(spread(doubled, range(5), 2)) == [(n, 2 * n) for n in range(5)]
    assert list(spread(doubled, range(5), 1)) == [(n, 2 * n) for n in range(5)]


@pytest.mark.parametrize(
    ("task", "error", "words"), [(7, kb.InputError, "seven"), (8, RuntimeError, "ValueError: eight"), (9, kb.KibitzError, "exit code 3")]
)
def test_what_fails_in_a_process_is_told_here(task: int, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        list(spread(doubled, [1, task], 2))


def test_what_cannot_be_sent_is_refused_by_name() -> None:
    with pytest.raises(kb.InputError, match="this cannot be sent to other processes"):
        list(spread(lambda n: n, [1, 2], 2))
    guided = kb.player("puct(playouts=5)").asking(lambda batch: batch)
    with pytest.raises(kb.InputError, match=r"^puct\(playouts=5\) cannot be sent to other processes \(.*\); use jobs=1$"):
        match(guided, FLAT, TICTACTOE, games=2, jobs=2)

    class Mine:
        """Rules that only this function knows."""

    for name, rule in {**TICTACTOE.constants, **TICTACTOE.functions}.items():
        if name in TICTACTOE.constants or TICTACTOE.defines(name):
            setattr(Mine, name, rule)
    with pytest.raises(kb.InputError, match=r"^the game mine cannot be sent .*; use jobs=1, or load it from a file with kibitz.load$"):
        match(FLAT, FLAT, kb.Game(Mine), games=2, jobs=2)


@pytest.mark.parametrize("name", names())
def test_every_search_can_be_sent_to_other_processes(name: str) -> None:
    assert pickle.loads(pickle.dumps(kb.player(name))) == kb.player(name)


def test_searches_of_chance_play_in_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    game = kb.load("trees", tree='{"chance": [1, 1, 2], "moves": [[1, 2], [3, 4], [-5, [6, -7]]]}')
    here, there = (
        match("star2(depth=4, table=0)", "expectiminimax(depth=4)", game, games=4, openings=[game.start], jobs=jobs) for jobs in (1, 2)
    )
    assert here == there


def test_lateness_has_a_margin() -> None:
    assert 0 < contest.LATE < 1
    assert 0 < contest.LATE_PART < 1
