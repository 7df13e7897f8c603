"""Records: each game when it is over, matches that go on from them, and disks that are full."""

import errno
import resource
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.arena import records
from kibitz.arena.match import match
from kibitz.arena.match_result import Match
from kibitz.arena.openings import enough_openings
from kibitz.books.game_files import read_games
from kibitz.core.errors import InputError

TICTACTOE = kb.load("tictactoe")
ONE, TWO = "alphabeta(depth=2, table=0)", "alphabeta(depth=1, table=0)"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def small(record: Path, **options: Any) -> Match:
    return match(ONE, TWO, TICTACTOE, **{"games": 8, "openings": 2, "record": record, **options})


def stop_after(games: int) -> Any:
    def watch(so_far: Match) -> None:
        if len(so_far.games) == games:
            raise KeyboardInterrupt

    return watch


# --- game by game ---


def test_every_game_is_in_the_file_when_it_is_over(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("an older file\n")
    seen = []
    small(path, watch=lambda so_far: seen.append((len(so_far.games), len(records.read(path)))))
    assert seen == [(n, n) for n in range(1, 9)]
    assert [text.moves for text in read_games(path, TICTACTOE)] == [tuple(line["moves"].split()) for line in records.read(path)]


def test_a_failure_in_the_middle_leaves_what_was_played(tmp_path: Path) -> None:
    def break_down(so_far: Match) -> None:
        if len(so_far.games) == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        small(tmp_path / "games.txt", watch=break_down)
    assert len(records.read(tmp_path / "games.txt")) == 3


def test_lines_of_earlier_versions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    small(path)
    path.write_text("".join("\t".join(line.split("\t")[:8]) + "\n" for line in path.read_text().splitlines()))
    assert set(records.read(path)[0]) == set(records.COLUMNS)
    with pytest.raises(InputError, match="no line of a match that can be resumed"):
        small(path, resume=True)
    (tmp_path / "bad.txt").write_text("1\t2\t3\n")
    with pytest.raises(InputError, match=r"bad.txt:1: a line has 8 fields or more"):
        records.read(tmp_path / "bad.txt")


# --- going on ---


@pytest.mark.parametrize("games", [0, 3, 8])
def test_a_match_that_was_broken_off_goes_on(games: int, tmp_path: Path) -> None:
    whole, path = small(tmp_path / "whole.txt"), tmp_path / "part.txt"
    if games:
        small(path, watch=stop_after(games))
        with path.open("a") as file:
            file.write("9\t5\tone\ttw")  # killed while it wrote
    played: list[int] = []
    resumed = small(path, resume=True, watch=lambda so_far: played.append(len(so_far.games)))
    assert played == list(range(games + 1, 9))
    assert resumed == whole
    assert resumed.effort(0).nodes == whole.effort(0).nodes
    assert [line["moves"] for line in records.read(path)] == [line["moves"] for line in records.read(tmp_path / "whole.txt")]


def test_more_games_of_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    small(path, games=4)
    assert small(path, games=8, resume=True) == small(tmp_path / "whole.txt")
    assert len(small(path, games=4, resume=True).games) == 4


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seed": 1}, "it says 'seed 0, openings of 2 random moves, players remember', and this one is 'seed 1, "),
        ({"openings": 1, "games": 4}, "openings of 2 random moves"),
        ({"remember": False}, "players forget"),
        ({"openings": ["1 5", "2 3", "1 2", "5 1"]}, "openings given"),
    ],
)
def test_another_match_is_not_gone_on_with(changed: dict[str, Any], words: str, tmp_path: Path) -> None:
    small(tmp_path / "games.txt")
    before = (tmp_path / "games.txt").read_text()
    with pytest.raises(InputError) as caught:
        small(tmp_path / "games.txt", resume=True, **changed)
    assert "is the record of another match" in str(caught.value)
    assert words in str(caught.value)
    assert (tmp_path / "games.txt").read_text() == before


def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="to resume a match takes the record of its games"):
        match(ONE, TWO, TICTACTOE, games=2, resume=True)
    small(tmp_path / "games.txt")
    with pytest.raises(InputError, match="'two: alphabeta"):
        match(ONE, ONE, TICTACTOE, games=8, openings=2, record=tmp_path / "games.txt", resume=True)
    (tmp_path / "picture").write_bytes(b"\xff\xd8")
    with pytest.raises(InputError, match="it is not text"):
        small(tmp_path / "picture", resume=True)
    (tmp_path / "letter").write_text("Dear reader,\n")
    with pytest.raises(InputError, match="it does not say which"):
        small(tmp_path / "letter", resume=True)


# --- where nothing can be written ---


def test_a_full_disk_costs_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines wait for room; the score is there in any case."""
    path, append, full = tmp_path / "games.txt", records._append, True

    def append_if_there_is_room(place: Path, text: str) -> None:
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(place, text)

    monkeypatch.setattr(records, "_append", append_if_there_is_room)
    found = small(path)
    assert len(found.games) == 8
    assert found.unwritten == f"cannot write {path}: No space left on device; 8 of 8 games are not in it"
    assert str(found).splitlines()[-1] == found.unwritten

    def make_room(so_far: Match) -> None:
        nonlocal full
        full = len(so_far.games) < 5
        assert bool(so_far.unwritten) == (len(so_far.games) < 6)

    full = True
    assert small(path, watch=make_room).unwritten == ""
    assert len(records.read(path)) == 8


def test_a_line_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """By a limit on the size of files, which the system keeps as it keeps that of a disk."""
    path, limits = tmp_path / "games.txt", resource.getrlimit(resource.RLIMIT_FSIZE)
    path.write_text("first\n")
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            records._append(path, "second, which is longer\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "first\n"


def test_folders_are_not_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"there is no folder {tmp_path / 'new'}; make it first"):
        small(tmp_path / "new" / "games.txt")
    assert list(tmp_path.iterdir()) == []


# --- openings that are too few ---


def test_openings_get_longer_and_games_fewer_and_the_output_says_so(tmp_path: Path) -> None:
    found = match(ONE, TWO, TICTACTOE, games=200, record=tmp_path / "games.txt", watch=stop_after(1))
    openings, plies = enough_openings(TICTACTOE, 100, 0)
    assert (plies, found.wanted) == (5, 2 * len(openings))
    assert len(set(openings)) == len(openings) < 100
    assert found.notes == (
        "openings of 5 random moves, more than the usual 4: see --opening-plies",
        f"{found.wanted} games instead of 200: there are only {len(openings)} different openings that leave the game open",
    )
    assert str(found).splitlines()[-2:] == list(found.notes)
    assert found.as_dict()["notes"] == list(found.notes)
    assert "openings of 5 random moves" in (tmp_path / "games.txt").read_text()


def test_short_games_have_short_openings() -> None:
    nim = kb.load("nim", heaps="1,2,2")
    openings, plies = enough_openings(nim, 5, 0)
    assert 0 <= plies < 4
    assert 1 <= len(openings) <= 5
    with pytest.raises(InputError, match="decided too soon for random openings"):
        enough_openings(kb.load("nim", heaps="1"), 5, 0)


def test_openings_given_twice_count_once(tmp_path: Path) -> None:
    given = ["1 5", "2 3", "9 5", "5 1"]  # the third is the first, turned
    found = match(ONE, TWO, TICTACTOE, games=6, openings=given)
    assert found.notes == ("1 openings were left out: they are equal to one before them, also by symmetry",)
    with pytest.raises(InputError, match="3 openings are enough for 6 games, not for 8; 1 more are equal to one of these"):
        match(ONE, TWO, TICTACTOE, games=8, openings=given)
