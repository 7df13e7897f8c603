"""Numbers of positions: those of checkers, and what is wrong with numbers that do not hang together."""

import random
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.checking import ranking_check
from kibitz.core.errors import RulesError
from kibitz.core.position.game import Game
from kibitz.games import _draughts
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.inspecting import statistics, verify
from kibitz.tables.endgame.probing import Tables
from tests.tables.endgame import graphs

# --- checkers ---


@pytest.mark.once
def test_numbers_of_checkers_come_back() -> None:
    """And with the board turned round and colours exchanged they are the same, but for equal sides."""
    game, draw = kb.load("checkers"), random.Random(6)
    assert list(ranking_check.problems(game, [])) == []
    for name, begin, end, men in game.constants["SECTIONS"]:
        found = 0
        while found < 8:
            number, s = draw.randrange(begin, end), game.start.state
            if not game.rule("unrank")(number, s):
                continue
            found += 1
            assert game.rule("rank")(s) == number
            listed = checkers_men(s)
            assert len(listed) == men
            other = game.position(checkers_fen(1 - s.turn, [(1 - side, king, 31 - n) for side, king, n in listed])).state
            if name.split("v")[0] != name.split("v")[1]:
                assert game.rule("rank")(other) == number, name


def checkers_men(s: Any) -> list[tuple[int, bool, int]]:
    """Side, king or not, and number of the square from 0, of all men."""
    sets = [(side, king, int((s.kings if king else s.men)[side])) for side in (0, 1) for king in (False, True)]
    return [(side, king, n) for side, king, squares in sets for n in range(32) if squares >> int(_draughts.SQUARES[n]) & 1]


def checkers_fen(turn: int, listed: list[tuple[int, bool, int]]) -> str:
    sides = [",".join(f"{'K' * king}{n + 1}" for side, king, n in listed if side == wanted) for wanted in (0, 1)]
    return f"{'BW'[turn]}:W{sides[1]}:B{sides[0]}"


@pytest.mark.long
def test_checkers_with_three_men(tmp_path: Path) -> None:
    """As many positions as there are ways to place the men, all held against their successors; two kings beat one in at most 34 plies."""
    game = kb.load("checkers")
    build(game, tmp_path, [name for name, *_, men in game.constants["SECTIONS"] if men < 4])
    tables = Tables(tmp_path, game)
    counts = {name: dict(f.header["counts"]) for name, f in tables.files.items()}
    placed = {name: sum(n for what, n in found.items() if what != "nothing") // 2 for name, found in counts.items()}  # whoever moves
    assert placed["KvK"] + 2 * placed["KvM"] + placed["MvM"] == 6972 - 2 * (32 * 31 // 2 + 28 * 27 // 2 + 28 * 31)
    for name in tables.files:
        assert verify(tables, name, 300, seed=1)[1] == []
    assert len(statistics(tables, "KKvK").line) == 34


# --- the protocol ---


def test_numbers_are_checked(tmp_path: Path) -> None:
    """Each of these games breaks one promise, and is told so."""
    names = graphs.game_of(graphs.Graphs(2, seed=1)).namespace

    def with_(**change: Any) -> Game:
        return Game({**names, **change}, "graphs")

    def shifted(s: Any) -> int:
        return s.node + 1

    def forgetful(i: int, s: Any) -> bool:
        s.node = s.node if i == 7 else i
        return True

    def denying(i: int, s: Any) -> bool:
        return False

    for change, function, words in (
        ({"rank": shifted}, "rank", "for the position that unrank made"),
        ({"unrank": forgetful}, "unrank", "held another one before"),
        ({"unrank": denying}, "unrank", "says that there is no position"),
    ):
        game = with_(**change)
        places = [(game.start.state, [])]
        assert any(f == function and words in problem for f, problem, *_ in ranking_check.problems(game, places)), words
    for bad, words in (
        ({"SIZE": 0}, "SIZE is 0"),
        ({"SECTIONS": (("a", 0, 5, 1), ("b", 6, 18, 1))}, "without gaps"),
        ({"SECTIONS": (("a", 0, 5, 1), ("a", 5, 18, 1))}, "the same name"),
        ({"SECTIONS": (1, 2)}, "must be a tuple of"),
    ):
        with pytest.raises(RulesError, match=words):
            with_(**bad)
    with pytest.raises(RulesError, match="go together"):
        Game({name: value for name, value in names.items() if name != "unrank"}, "graphs")
