"""Matches of more than two players: arrangements, shares, the same games for the same seed, what the command says."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.arena import records, seats
from kibitz.arena.seats import arrangements, match_seats
from kibitz.arena.seats_result import SeatsMatch
from kibitz.core.errors import InputError
from kibitz.core.protocol.outcomes import shares
from tests.typed import kibitz

pytestmark = pytest.mark.once
THREE = ("maxn(depth=2)", "paranoid(depth=2)", "uct(playouts=6)")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def test_arrangements() -> None:
    assert sorted(arrangements(3, "auto")) == sorted(itertools.permutations(range(3)))
    turns = arrangements(4, "auto")
    assert len(turns) == 4
    for place in range(4):
        assert sorted(arrangement[place] for arrangement in turns) == [0, 1, 2, 3]
    assert len(arrangements(4, "all")) == 24
    assert len(arrangements(3, "turns")) == 3
    with pytest.raises(InputError, match="seats=some"):
        arrangements(3, "some")


def test_shares_of_a_game() -> None:
    assert shares((2.0, -1.0, -1.0)) == (1.0, 0.0, 0.0)
    assert shares((1.0, 1.0, -2.0)) == (0.5, 0.5, 0.0)
    assert sum(shares((0.0, 0.0, 0.0))) == pytest.approx(1.0)


def test_a_match() -> None:
    """Nim of three: somebody wins each game; every opening in every arrangement; utilities are those of who sat there."""
    game = kb.load("nim", players=3, heaps=(2, 3))
    found = match_seats(THREE, game, games=12, seed=3, openings=1)
    assert [len(games) for games in found.openings] == [6, 6]
    assert {g.seats for g in found.openings[0]} == set(itertools.permutations(range(3)))
    assert len({g.moves[0] for g in found.openings[0]}) == 1
    for g in found.games:
        end = game.start.play(*g.moves)
        assert [end.utility(place) for place in range(3)] == [g.utilities[who] for who in g.seats]
        assert sum(g.shares) == 1.0
    assert sum(found.share(who).value for who in range(3)) == pytest.approx(1.0)
    assert sum(found.seat(place) for place in range(3)) == pytest.approx(1.0)
    assert sum(found.wins(who) for who in range(3)) == 12
    assert all(found.share(who).low <= found.share(who).value <= found.share(who).high for who in range(3))
    again = match_seats(THREE, game, games=12, seed=3, openings=1)
    assert [g.moves for g in again.games] == [g.moves for g in found.games]


def test_chance_and_openings_of_ones_own() -> None:
    pig = match_seats(("uct(playouts=4)",) * 3, kb.load("pig", players=3, target=6, sides=3), games=6)
    assert len(pig.games) == 6
    given = match_seats(("uct(playouts=4)",) * 3, kb.load("nim", players=3, heaps=(2, 3)), games=6, openings=["a1"])
    assert {g.moves[1] for g in given.games}
    assert {g.opening for g in given.games} == {0}


def test_what_cannot_be() -> None:
    game = kb.load("nim", players=3)
    with pytest.raises(InputError, match="has 3 players, and 2 are named"):
        match_seats(("uct", "uct"), game)
    with pytest.raises(InputError, match="games=0: must be 1 or more"):
        match_seats(THREE, game, games=0)
    more = match_seats(THREE, kb.load("nim", players=3, heaps=(2, 2)), games=4, openings=1)
    assert (len(more.games), more.notes) == (6, ("6 games in place of 4: every opening is played in all 6 arrangements of the seats",))
    with pytest.raises(InputError, match=r"name one for each seat \(kibitz match --player"):
        kb.match("uct", "uct", game)
    with pytest.raises(InputError, match="alphabeta cannot search nim"):
        match_seats(("alphabeta", "uct", "uct"), game)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    players = [word for text in THREE for word in ("--player", text)]
    code, out, err = kibitz(capsys, "match", "nim", "-p", "players=3", "-p", "heaps=2,2", *players, "--games", "6", "--json")
    told = json.loads(out)
    assert (code, told["games"], [row["player"] for row in told["players"]]) == (0, 6, list(THREE))
    assert sum(row["share"] for row in told["players"]) == pytest.approx(1.0)
    code, out, err = kibitz(
        capsys, "match", "nim", "-p", "players=3", "-p", "heaps=2,2", "--depth", "2", "--games", "3", "--seats", "turns"
    )
    assert (code, "3 arrangements, in which everybody has each seat once" in out) == (0, True)
    code, out, err = kibitz(capsys, "match", "nim", "-p", "players=3", "--one", "uct")
    assert (code, "--one is for matches of two" in err) == (2, True)
    code, out, err = kibitz(capsys, "match", "nim", "--player", "uct")
    assert (code, "has 2 players, and 1 are named" in err) == (2, True)


def test_a_match_that_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played is the result; shares are of whole openings."""
    asked = itertools.count()

    def play(seating: seats.Seating) -> seats.SeatedGame:
        if next(asked) == 8:
            raise KeyboardInterrupt
        return played(seating)

    played = seats.play_seated
    monkeypatch.setattr(seats, "play_seated", play)
    found = match_seats(THREE, kb.load("nim", players=3, heaps=(2, 3)), games=12, openings=1)
    assert (len(found.games), len(found.openings), found.interrupted) == (8, 1, True)
    assert "stopped after 8 of 12 games" in str(found)


# --- the record ---


def recorded(record: Path, **terms: Any) -> SeatsMatch:
    game = kb.load("nim", players=3, heaps=(2, 3))
    return match_seats(THREE, game, **{"games": 12, "openings": 1, "record": record, **terms})


def stop_after(games: int) -> Any:
    def watch(so_far: SeatsMatch) -> None:
        if len(so_far.games) == games:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize("games", [0, 5, 12])
def test_a_recorded_match_goes_on(games: int, tmp_path: Path) -> None:
    """The same match as one that was not broken off; what was being written when it was killed is played again."""
    path, whole = tmp_path / "games.txt", recorded(tmp_path / "whole.txt")
    if games:
        stopped = recorded(path, watch=stop_after(games))
        assert len(stopped.games) == games
        with path.open("a") as file:
            file.write("9\t2\t1 2")
    played: list[int] = []
    resumed = recorded(path, resume=True, watch=lambda so_far: played.append(len(so_far.games)))
    assert played == list(range(games + 1, 13))
    assert resumed == whole
    assert [resumed.effort(who).nodes for who in range(3)] == [whole.effort(who).nodes for who in range(3)]
    without_clocks = [[line.split("\t")[:6] for line in file.read_text().splitlines()] for file in (path, tmp_path / "whole.txt")]
    assert without_clocks[0] == without_clocks[1]


def test_more_games_of_a_recorded_match(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    assert len(recorded(path, games=6).games) == 6
    assert recorded(path, resume=True) == recorded(tmp_path / "whole.txt")
    assert len(recorded(path, games=6, resume=True).games) == 6


def test_what_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    recorded(path, games=6)
    before = path.read_text()
    for changed, words in (
        ({"seed": 1}, "it says 'seed 0, openings of 1 random moves, all 6 arrangements of the seats, players remember', and this one is 'seed 1, "),
        ({"seats": "turns"}, "3 arrangements"),
        ({"openings": ["a1", "b1"]}, "openings given"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            recorded(path, resume=True, **changed)
        assert "is the record of another match" in str(caught.value)
        assert words in str(caught.value)
    assert path.read_text() == before
    lines = before.splitlines(keepends=True)
    for wrong in (lines[-1].replace("\t3 2 1\t", "\t3 2 2\t"), lines[-1].replace("\t3 2 1\t", "\t1 2 3\t"), "1\t2\n"):
        path.write_text("".join([*lines[:-1], wrong]))
        with pytest.raises(InputError, match=r"games.txt:13: this"):
            recorded(path, resume=True)
    with pytest.raises(InputError, match="to resume a match takes the record of its games"):
        match_seats(THREE, kb.load("nim", players=3), resume=True)


def test_a_full_disk_costs_no_game_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(place: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records, "_append", refuse)
    found = recorded(tmp_path / "games.txt")
    assert len(found.games) == 12
    assert found.unwritten.endswith("No space left on device; 12 of 12 games are not in it")
    assert str(found).splitlines()[-1] == found.as_dict()["unwritten"] == found.unwritten


def test_the_command_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    words = ("match", "nim", "-p", "players=3", "-p", "heaps=2,2", "--depth", "2", "--opening-plies", "1", "--record", str(path))
    code, out, _ = kibitz(capsys, *words, "--games", "6")
    assert (code, out.splitlines()[-1]) == (0, f"games written to {path}")
    code, out, _ = kibitz(capsys, *words, "--games", "12", "--resume", "--json")
    assert (code, json.loads(out)["games"], json.loads(out)["unwritten"]) == (0, 12, "")
    code, _, err = kibitz(capsys, *words, "--games", "6", "--resume", "--seed", "4")
    assert (code, err.count("\n"), "is the record of another match" in err) == (2, 1, True)
