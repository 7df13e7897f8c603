"""Positions before a position: those of chess by brute force, and games that list them wrongly are told so."""

import random
from pathlib import Path
from typing import Any

import pytest

import kibitz as kb
from kibitz.core.checking import unplay_check
from kibitz.core.errors import RulesError
from kibitz.core.position.game import Game
from kibitz.core.records.record import blank
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.probing import Tables
from tests.tables.endgame import graphs


@pytest.mark.once
@pytest.mark.parametrize(
    ("section", "positions"),
    [("KRK", 4), ("KPK", 8), ("KPKP", 16), *(pytest.param(s, 40, marks=pytest.mark.long) for s in ("KBNK", "KQKR", "KPPK"))],
)
def test_chess_takes_back_what_it_plays(section: str, positions: int) -> None:
    """Of the moves of random positions; KPKP with those in which a pawn can be captured en passant."""
    game, draw, found = kb.load("chess"), random.Random(section), 0
    (begin, end) = next((b, e) for name, b, e, _ in game.constants["SECTIONS"] if name == section)
    passant = end - 2 * 8 * 2 * 64 * 64 if section == "KPKP" else end
    while found < positions:
        s = blank(game.constants["State"])
        number = draw.randrange(passant, end) if section == "KPKP" and found % 2 else draw.randrange(begin, end)
        if game.rule("unrank")(number, s) and game.rule("player")(s) >= 0:
            assert list(unplay_check._of_children(game, s.tobytes(), draw)) == []
            found += 1


def test_two_steps_of_a_pawn_are_taken_back() -> None:
    """A pawn on its fourth row came by one step or two; where it can be captured en passant, by two; where it could be and cannot, by one."""
    game = kb.load("chess")

    def sources(text: str) -> set[str]:
        s = game.position(text).state
        w = blank(kb.record(out=(game.constants["State"], game.constants["MAX_UNPLAYS"])))
        count = int(game.rule("unplay")(s, w.out))
        return {"abcdefgh"[i % 8] + str(i // 8 + 1) for n in range(count) for i in range(64) if w.out[n].board[i] == 0}

    assert sources("7k/8/8/8/4P3/8/8/K7 b - - 0 1") == {"e2", "e3", "e4"}  # e4: the king has moved
    assert sources("7k/8/8/8/3pP3/8/8/K7 b - e3 0 1") == {"e2", "d4"}
    assert sources("7k/8/8/8/3pP3/8/8/K7 b - - 0 1") == {"e3", "e4", "d4"}
    assert sources("7k/8/8/8/4P3/4K3/8/8 b - - 0 1") == {"e4"}


@pytest.mark.long
@pytest.mark.compiled
def test_chess_tables_are_the_same_whichever_way_they_are_made(tmp_path: Path) -> None:
    """By predecessors asked of the rules, and from moves listed and turned round: the same bytes of results."""
    game, names = kb.load("chess"), ("KRK", "KPK", "KBNK", "KQKR", "KNPK")
    asked, listed = (tmp_path / "asked", tmp_path / "listed")
    for folder, memory in ((asked, 1.0), (listed, float(1 << 20))):
        build(game, folder, names, memory=memory)
    one, two = Tables(asked, game), Tables(listed, game)
    for name in names:
        assert ("moves" in one.files[name].header, "moves" in two.files[name].header) == (False, True)
        assert one.files[name].whole("values").tobytes() == two.files[name].whole("values").tobytes()


def test_connect_four_takes_back_what_it_plays() -> None:
    game = kb.load("connect4", columns=4, rows=4)
    positions = [game.position("12341234"[:n]) for n in range(9)]
    assert list(unplay_check.problems(game, ((p.state, []) for p in positions))) == []


def test_wrong_lists_are_found() -> None:
    """Each of these games breaks one promise, and is told so."""
    walks = graphs.Graphs(6, seed=1)
    names = graphs.game_of(walks, unplays=True).namespace
    ordinary, most = names["unplay"], names["MAX_UNPLAYS"]

    def short(s: Any, out: Any) -> int:
        return int(ordinary(s, out)) // 2 - 1

    def long_(s: Any, out: Any) -> int:
        n = int(ordinary(s, out))
        out[n] = s  # no move leads from a position to itself
        return n + 1

    def many(s: Any, out: Any) -> int:
        return int(most) + 7

    def careless(s: Any, out: Any) -> int:
        s.node = 0
        return 0

    def broken(s: Any, out: Any) -> int:
        return out[most + 9].node

    for function, words in (
        (short, "left out a position"),
        (long_, "no move leads"),
        (many, "MAX_UNPLAYS"),
        (careless, "changed the position"),
        (broken, "IndexError"),
    ):
        game = Game({**names, "unplay": function}, "graphs")
        found = list(unplay_check.problems(game, []))
        assert any(words in problem + advice for _, problem, advice, _ in found), words
        assert {name for name, *_ in found} == {"unplay"}
    assert list(unplay_check.problems(Game(names, "graphs"), [])) == []
    with pytest.raises(RulesError, match="MAX_UNPLAYS is 0"):
        Game({**names, "MAX_UNPLAYS": 0}, "graphs")
