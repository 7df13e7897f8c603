"""Whole games and endings of shipped games: values that are known, from elsewhere or from searches."""

import random
import re
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import kibitz as kb
from kibitz.core.checking import ranking_check
from kibitz.core.position.game import Game, Position
from kibitz.games.chess import endings
from kibitz.tables.endgame import numbering, probing
from kibitz.tables.endgame.builders.building import build
from kibitz.tables.endgame.inspecting import position_at, statistics, verify
from kibitz.tables.endgame.probing import LEAST_VALUE, Tables, values_of
from tests.tables.endgame import forward
from tests.typed import kibitz


def solved(game: Game, folder: Path, *sections: str) -> Tables:
    build(game, folder, sections)
    return Tables(folder, game)


# --- whole games ---


def compare_with_a_search(game: Game, folder: Path, value: float, distance: int | None, first_ply: int) -> None:
    """The value and distance of the game, and those of positions on the way, which a search solves from some ply on."""
    tables = solved(game, folder)
    entry = tables.look_up(game.start)
    assert entry is not None
    assert (entry.value, entry.distance, entry.error) == (value, distance, 0.0)
    draw, compared = random.Random(1), 0
    for _ in range(6):
        position, ply = game.start, 0
        while not position.is_over:
            entry, best = tables.look_up(position), tables.best_move(position)
            assert entry is not None
            assert best is not None
            if ply >= first_ply:
                result = kb.solve(position)
                assert entry.value == result.value
                assert entry.distance in (None, result.distance)
                compared += 1
            position, ply = position.after_line([draw.choice([*position.numbers, int(best[0])])]), ply + 1
    assert compared > 8
    assert verify(tables, "all", 100)[1] == []


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "parameters", "value", "distance", "first_ply"),
    [
        ("tictactoe", {}, 0.0, None, 4),
        ("nim", {"heaps": "3,4,5"}, 1.0, 11, 4),
        ("kalah", {"holes": 2, "seeds": 2}, -2.0, None, 0),
        ("breakthrough", {"rows": 4, "columns": 3}, 1.0, 9, 6),
    ],
)
def test_small_games(
    name: str,
    parameters: dict[str, Any],
    value: float,
    distance: int | None,
    first_ply: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    compare_with_a_search(kb.load(name, **parameters), tmp_path, value, distance, first_ply)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "parameters", "value", "distance"),
    [
        ("connect4", {"columns": 5, "rows": 4}, 0.0, None),
        ("othello", {"size": 4}, -10.0, None),
        ("hex", {"size": 3}, 1.0, 5),
        ("kalah", {"holes": 3, "seeds": 3}, 2.0, None),
        ("breakthrough", {"rows": 5, "columns": 3}, -1.0, 18),
    ],
)
def test_larger_games(name: str, parameters: dict[str, Any], value: float, distance: int | None, tmp_path: Path) -> None:
    compare_with_a_search(kb.load(name, **parameters), tmp_path, value, distance, 0)


def test_pig(tmp_path: Path) -> None:
    """To 10 points: the optimality equations hold everywhere, and holding and rolling are worth what they are."""
    game = kb.load("pig", target=10)
    tables = solved(game, tmp_path)
    looked_at, faults = verify(tables, "all")
    assert looked_at > 1000
    assert faults == []
    entry, best = tables.look_up(game.start), tables.best_move(game.start)
    assert entry is not None
    assert best is not None
    assert 0 < entry.error < 1e-12
    assert str(best[0]) == "roll"


@pytest.mark.long
def test_pig_to_one_hundred(tmp_path: Path) -> None:
    """0.530592725: the published chance of whoever begins."""
    entry = solved(kb.load("pig"), tmp_path).look_up(kb.load("pig").start)
    assert entry is not None
    assert entry.error < 1e-11
    assert round((entry.value + 1) / 2, 9) == 0.530592725


@pytest.mark.long
def test_ewn_with_three_pieces_agrees_with_a_search(tmp_path: Path) -> None:
    game = kb.load("ewn", size=3)
    tables = solved(game, tmp_path)
    draw, compared = random.Random(2), 0
    while compared < 40:
        position = game.start
        while not position.is_over:
            if tables.look_up(position) is not None and draw.random() < 0.3:
                entry, result = tables.look_up(position), kb.search(position, "star1(depth=40)")
                assert entry is not None
                if result.exact:
                    assert entry.value == pytest.approx(result.value if not position.is_chance else entry.value, abs=1e-9)
                    compared += not position.is_chance
            position = position.after_line([draw.choice(position.numbers)])


# --- chess ---


def at(text: str) -> Position:
    return kb.load("chess").position(text)


def test_sections_of_chess() -> None:
    assert endings.KING_PAIRS == [462, 1806]
    sections = {name: (end - begin, men) for name, begin, end, men in endings.SECTIONS}
    assert sections["KBNK"] == (462 * 62 * 61 * 2, 4)
    assert sections["KPK"] == (1806 * 48 * 2, 3)
    assert len(sections) == 36
    assert sum(men == 3 for _, men in sections.values()) == 5


@pytest.mark.once
def test_numbers_of_chess_come_back() -> None:
    """From number to position and back, and from a position's images: turned, mirrored, with colours exchanged."""
    game, draw = kb.load("chess"), random.Random(3)
    rank = game.rule("rank")
    for name, begin, end, _ in endings.SECTIONS:
        found = 0
        for _ in range(400):
            number = draw.randrange(begin, end)
            s = game.start.state
            if not game.rule("unrank")(number, s):
                continue
            found += 1
            assert rank(s) == number
            board = chess.Board(game.people["show"](s).splitlines()[-1])
            assert not board.was_into_check(), name
            images = [board.transform(chess.flip_horizontal)]
            if name[: len(name) // 2] != name[len(name) // 2 :]:  # of equal sides both colours have their own numbers
                images.append(board.mirror())
            if "P" not in name:
                images += [board.transform(chess.flip_diagonal), board.transform(chess.flip_vertical)]
            for image in images:
                assert rank(at(image.fen(en_passant="legal")).state) == number
            if found == 8:
                break
        assert found == 8, name


def test_chess_keeps_the_protocol() -> None:
    assert list(ranking_check.problems(kb.load("chess"), [])) == []


def test_what_has_no_number() -> None:
    for text in ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/QRB1K3 w - - 0 1"):
        assert int(kb.load("chess").rule("rank")(at(text).state)) == -1
    assert int(kb.load("chess").rule("rank")(at("4k3/8/8/8/8/8/8/4K2R w - - 0 1").state)) >= 0


@pytest.mark.compiled
@pytest.mark.parametrize(("section", "plies"), [("KQK", 20), ("KRK", 32), ("KPK", 56)])
def test_longest_wins(three_men: Tables, section: str, plies: int) -> None:
    """10, 16 and 28 moves, as has long been known."""
    found = statistics(three_men, section)
    assert found.longest is not None
    assert len(found.line) == max(found.distances) == plies
    assert three_men.look_up(found.longest).distance == plies  # type: ignore[union-attr]


@pytest.mark.compiled
def test_longest_wins_as_a_user_sees_them(three_men: Tables, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for the position, as it can be typed, and one for the moves to mate."""
    code, out, err = kibitz(capsys, "table", "longest", "chess", "KRK", "KNK", "--tables", str(three_men.folder))
    assert err == ""
    first, line, last = out.splitlines()
    assert (code, first[: len("KRK: 32 plies from ")], last) == (0, "KRK: 32 plies from ", "KNK: all drawn")
    board = chess.Board(first.removeprefix("KRK: 32 plies from "))
    for move in line.split():
        board.push_san(move)
    assert board.is_checkmate()
    assert len(board.move_stack) == 32


@pytest.mark.once
def test_the_page_of_longest_mates_plays_to_mate() -> None:
    """Every ending's line, by python-chess: legal, of the length that is claimed, and mate at its end."""
    text = (Path(__file__).parents[3] / "docs" / "longest-mates.md").read_text().split("```")[1].splitlines()[1:]
    mates, drawn = [line for line in text if " plies from " in line], [line for line in text if line.endswith(": all drawn")]
    assert [line.partition(":")[0] for line in text if not line.startswith(" ")] == [name for name, *_ in endings.SECTIONS]
    assert len(mates) + len(drawn) == len(endings.SECTIONS)
    for claim, line in zip(mates, (line for line in text if line.startswith(" ")), strict=True):
        name, plies, fen = re.fullmatch(r"(\w+): (\d+) plies from (.*)", claim).groups()  # type: ignore[union-attr]
        board = chess.Board(fen)
        assert sorted(name.replace("K", "", 1)) == sorted(
            str(m).upper() for s, m in board.piece_map().items() if s != board.king(chess.WHITE)
        )
        for move in line.split():
            board.push_san(move)
        assert board.is_checkmate(), name
        assert len(board.move_stack) == int(plies), name


@pytest.mark.compiled
def test_random_endings_follow_from_the_rules(three_men: Tables) -> None:
    for section in ("KQK", "KRK", "KPK"):
        looked_at, faults = verify(three_men, section, 300, seed=1)
        assert (looked_at, faults) == (300, [])


def mates(board: chess.Board, plies: int) -> bool:
    """Does the side to move mate within `plies` plies? By python-chess alone."""
    for move in list(board.legal_moves):
        board.push(move)
        done = board.is_checkmate() or (plies > 2 and not board.is_stalemate() and all_lose(board, plies - 1))
        board.pop()
        if done:
            return True
    return False


def all_lose(board: chess.Board, plies: int) -> bool:
    moves = list(board.legal_moves)
    for move in moves:
        board.push(move)
        lost = mates(board, plies - 1)
        board.pop()
        if not lost:
            return False
    return bool(moves)


@pytest.mark.compiled
def test_short_mates_are_those_of_another_program(three_men: Tables) -> None:
    """Positions from the tables won in 1 or 3 plies, and as many others: python-chess finds the same mates."""
    draw = random.Random(4)
    for section in ("KQK", "KRK", "KPK"):
        values, begin = values_of(three_men.files[section]), three_men.numbering.section(section).begin
        others = np.flatnonzero((values > LEAST_VALUE) & ((values < 0) | (values > 3)))
        for distance, numbers in ((1, np.flatnonzero(values == 1)), (3, np.flatnonzero(values == 3)), (99, others)):
            for number in draw.sample(numbers.tolist(), 12):
                position = position_at(three_men, begin + number)
                assert position is not None
                board = chess.Board(position.show().splitlines()[-1])
                assert mates(board, 1) == (distance == 1), board.fen()
                assert mates(board, 3) == (distance <= 3), board.fen()


@pytest.mark.compiled
@pytest.mark.parametrize("section", ["KQK", "KRK", "KPK"])
def test_endings_are_what_searches_and_another_program_find(three_men: Tables, section: str) -> None:
    assert forward.hold(three_men, section, 40, plies=5) == 80


@pytest.mark.compiled
@pytest.mark.once
def test_probing_inside_kernels(three_men: Tables, tmp_path: Path) -> None:
    """What a search meets at its nodes is what is looked up at the root; not where fifty moves may end the game before."""
    kernel = three_men.numbering.bind(probing.result_at, target="python")
    known, numbers, draw = three_men.known(), three_men.numbering.numbers, random.Random(7)
    w, compared = numbering.workspace_of(three_men.game), 0
    while compared < 60:
        where = three_men.numbering.section(draw.choice(["KQK", "KRK", "KPK"]))
        position = position_at(three_men, draw.randrange(where.begin, where.end))
        if position is None or position.is_over:
            continue
        entry, s = three_men.look_up(position), position.state
        assert entry is not None
        found = int(kernel(w, numbers, known, s))
        assert found == (entry.distance or 0) * np.sign(entry.value)
        s.quiet = 100 - abs(found)
        assert int(kernel(w, numbers, known, s)) == found
        s.quiet = 101 - abs(found)
        assert found == 0 or int(kernel(w, numbers, known, s)) == probing.ABSENT
        compared += 1
    assert int(kernel(w, numbers, known, three_men.game.start.state)) == probing.ABSENT
    build(kb.load("kalah", holes=2, seeds=2), tmp_path, target="python")
    kalah = Tables(tmp_path, kb.load("kalah", holes=2, seeds=2), "python")
    equity = kalah.numbering.bind(probing.equity_at, target="python")
    for position in (kalah.game.start, kalah.game.start.play("2")):
        entry = kalah.look_up(position)
        assert entry is not None
        value = float(equity(numbering.workspace_of(kalah.game), kalah.numbering.numbers, kalah.known(), position.state))
        assert value == (entry.value if position.player == 0 else -entry.value)


@pytest.mark.compiled
def test_named_endings(three_men: Tables) -> None:
    """Stalemate at hand, a rook's pawn, promotion to a rook, and a pawn that is lost."""
    drawn = at("k7/8/1K6/P7/8/8/8/8 w - - 0 1")
    assert three_men.look_up(drawn).value == 0.0  # type: ignore[union-attr]
    assert three_men.look_up(at("8/8/8/8/8/4k3/4P3/4K3 w - - 0 1")).value == 0.0  # type: ignore[union-attr]
    under = at("8/k1P5/2K5/8/8/8/8/8 w - - 0 1")  # a queen would stalemate
    best = three_men.best_move(under)
    assert best is not None
    assert (str(best[0]), best[1].value, best[1].distance) == ("c8=R", 100.0, 3)
    assert under.play("c8=Q").utility(0) == 0.0
    win = three_men.look_up(at("8/8/8/8/8/5K2/4P3/7k w - - 0 1"))
    assert win is not None
    assert win.value == 100.0


@pytest.mark.compiled
def test_wins_that_the_count_of_moves_forbids(three_men: Tables) -> None:
    near, late = at("8/8/8/8/4k3/8/1Q6/K7 b - - 80 90"), at("8/8/8/8/4k3/8/1Q6/K7 b - - 81 90")
    assert three_men.look_up(near).exact  # type: ignore[union-attr]
    assert not three_men.look_up(late).exact  # type: ignore[union-attr]
    assert kb.search(late, f"alphabeta(depth=1, tables='{three_men.folder}')").bound == "estimate"


@pytest.mark.compiled
def test_a_rook_mates_without_a_slip(three_men: Tables) -> None:
    position, plies = at("8/8/8/8/8/8/1Rk5/K7 b - - 0 1"), 0
    while not position.is_over:
        position = position.play(int(kb.search(position, f"alphabeta(depth=1, tables='{three_men.folder}')").move or 0))
        plies += 1
    assert plies == 32
    assert position.utility(0) == 100.0


@pytest.mark.long
def test_four_men(tmp_path: Path) -> None:
    """Bishop and knight mate in 33 moves; pawn against pawn with all that it needs, captures en passant among it."""
    tables = solved(kb.load("chess"), tmp_path, "KBNK", "KPKP")
    found = statistics(tables, "KBNK")
    assert len(found.line) == 66
    entry = tables.look_up(at("5B2/7N/8/8/4k3/8/8/K7 b - - 0 1"))
    assert entry is not None
    assert (entry.value, entry.distance) == (-100.0, 66)
    for section in ("KBNK", "KPKP", "KQKR", "KQKP"):
        assert verify(tables, section, 1000, seed=2)[1] == []
        assert forward.hold(tables, section, 400, plies=5) == 800
    passant = at("8/8/8/8/3Pp2k/8/8/1K6 b - d3 0 1")
    without = at("8/8/8/8/3Pp2k/8/8/1K6 b - - 0 1")
    assert tables.number(passant) != tables.number(without)
    assert tables.look_up(passant.play("exd3")) is not None
    begin = tables.numbering.section("KPKP").end - endings.MOST_PASSANT
    draw, looked_at = random.Random(5), 0
    while looked_at < 200:
        position = position_at(tables, draw.randrange(begin, begin + endings.MOST_PASSANT))
        if position is not None and not position.is_over:
            assert position.show().splitlines()[-1].split()[3] != "-"
            values = [tables._worth(position, position.play(int(m))) for m in position.moves]
            known = tables.look_up(position)
            assert known is not None
            assert known.value == max(v[0] for v in values if v is not None)
            looked_at += 1
