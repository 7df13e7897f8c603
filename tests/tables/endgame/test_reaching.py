"""Positions that can be reached: the same numbering in memory and in files, however little memory there is, after any interruption."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import OVER
from kibitz.tables.endgame.builders import reaching
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.builders.reaching import NOTE, Part, Reaching, joined, reached
from tests.tables.endgame import graphs

SMALL = 0.001  # megabytes: a run holds the moves of a few positions


@pytest.fixture(autouse=True)
def few_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "FIRST_ROOM", 16)


def by_search(game: Game) -> set[int]:
    """The keys of all unfinished positions, each turned to its representative, by plain search."""

    def key(position: Any) -> int:
        s = position.state
        game.rule("canonical")(s)
        return int(game.rule("key")(s))

    waiting, seen = [game.start], {key(game.start)}
    while waiting:
        position = waiting.pop()
        for move in position.numbers:
            after = position.after_line([move])
            if not after.is_over and key(after) not in seen:
                seen.add(key(after))
                waiting.append(after)
    return seen


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.compiled)])
def test_in_files_as_in_memory(target: str, tmp_path: Path) -> None:
    games = {"mnk": kb.load("mnk", m=3, n=2, k=2), "pig": kb.load("pig", target=6), "long": walk(300)}
    for name, game in games.items() if target == "python" else [("mnk", games["mnk"])]:
        keys, states = reached(game, tmp_path / name, target=target)
        assert not (tmp_path / name).exists()
        assert keys.tolist() == sorted(by_search(game))
        filed = reached(game, tmp_path / name, memory=SMALL, target=target)
        assert (tmp_path / name / NOTE).exists()
        assert filed.keys.tolist() == keys.tolist()
        assert filed.states.tobytes() == states.tobytes()
        assert sorted(p.name for p in (tmp_path / name).iterdir()) == ["all.keys", "all.states", NOTE]
        again = reached(game, tmp_path / name, memory=SMALL, target=target)  # not counted once more
        assert again.keys.tolist() == keys.tolist()


def walk(length: int) -> Game:
    """A game as deep as it has positions: a layer is a position or two, and there are moves back."""
    walks = graphs.Graphs(1, seed=1)
    walks.size = length
    walks.mover = np.where(np.arange(length) == 0, OVER, np.arange(length) % 2)
    walks.ends = np.zeros(length)
    walks.moves = np.array([[max(0, n - 1), max(0, n - 3), (n + 7) % length] for n in range(length)])
    return graphs.game_of(walks, ranked=False)


def test_a_count_that_was_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every place where a file is written or a note is made, one after another, until nothing is left to kill."""
    game = walk(60)
    expected, kills = reached(game, tmp_path / "none", target="python").keys.tolist(), 0

    class Killed(BaseException):
        pass

    write, note, left = Reaching._write, Reaching._note, [0]

    def count_down() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Killed

    def writing(self: Reaching, name: str, parts: Any) -> str:
        count_down()
        found = write(self, name, parts)
        count_down()
        return found

    def noting(self: Reaching) -> None:
        count_down()
        note(self)

    monkeypatch.setattr(Reaching, "_write", writing)
    monkeypatch.setattr(Reaching, "_note", noting)
    for patience in range(1, 1000):
        left[0] = 5 + patience
        try:
            found = reached(game, tmp_path / "files", memory=SMALL, target="python")
            break
        except Killed:
            kills += 1
    assert found.keys.tolist() == expected
    assert kills > 5


def test_files_of_other_rules_or_cut_short_are_begun_anew(tmp_path: Path) -> None:
    game = walk(60)
    expected = reached(game, tmp_path, memory=SMALL, target="python").keys.tolist()
    keys = tmp_path / "all.keys"
    keys.write_bytes(keys.read_bytes()[:-8])
    assert reached(game, tmp_path, memory=SMALL, target="python").keys.tolist() == expected
    assert len(reached(walk(50), tmp_path, memory=SMALL, target="python").keys) == 49


def test_more_positions_than_the_disk_may_hold(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"more than \d+ positions, more than 0.001 MB of memory and 0.02 MB of disk hold; give more of either"
    ):
        reached(kb.load("connect4"), tmp_path, memory=SMALL, disk=0.02, target="python")


def test_parts_are_joined_in_pieces_that_fit() -> None:
    draw = np.random.default_rng(3)
    for _ in range(300):
        parts = []
        for number in range(int(draw.integers(1, 12))):
            keys = np.unique(draw.integers(0, draw.choice([40, 2**63]), int(draw.integers(0, 60)), np.uint64))
            parts.append(Part(keys, np.stack([keys, np.full(len(keys), number, np.uint64)], axis=1)))
        room = int(draw.integers(1, 80))
        pieces = list(joined(parts, room))
        keys = np.concatenate([p.keys for p in pieces])
        assert keys.tolist() == sorted({int(k) for p in parts for k in p.keys})
        assert all(len(p.keys) <= max(room, 3 * len(parts) + 4) for p in pieces)
        for key, owner in np.concatenate([p.states for p in pieces]).tolist():
            assert owner == next(n for n, p in enumerate(parts) if key in p.keys)


@pytest.mark.once
def test_a_table_made_with_little_memory_is_the_same(tmp_path: Path) -> None:
    game = kb.load("tictactoe")
    (one,), (two,) = (build(game, tmp_path / name, memory=memory, target="python") for name, memory in (("much", 100.0), ("little", SMALL)))
    assert one.path.read_bytes() == two.path.read_bytes()
    assert [p.name for p in (tmp_path / "little").iterdir()] == [two.path.name]
