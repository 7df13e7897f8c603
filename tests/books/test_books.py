"""Opening books: what games say of moves, in any game; files that are damaged; players that use them."""

import random
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kibitz as kb
from kibitz.books.building import build
from kibitz.books.sources import games_in
from kibitz.core.position.game import Game
from kibitz.tables.book import BookMove, OwnBook, move_hash, open_book
from tests import typed

TICTACTOE, CHESS = kb.load("tictactoe"), kb.load("chess")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games need no compiler."""
    monkeypatch.setenv("KIBITZ_TARGET", "python")


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def made(folder: Path, game: Game, *lines: str, **options: Any) -> Path:
    build(game, games_in(written(folder / "games.txt", *lines), game), folder / "it.book", **options)
    return folder / "it.book"


def random_games(game: Game, number: int) -> tuple[list[str], dict[tuple[int, str], Counter[float]]]:
    """Games as text, and what was done in every position with what score for its mover, counted the slow way."""
    chance, lines, counts = random.Random(1), [], {}
    for _ in range(number):
        position, steps = game.start, []
        while not position.is_over:
            move = chance.choice(position.moves)
            steps.append((position.situation, str(move), position.player))
            position = position.play(move)
        score = 0.5 + 0.5 * position.utility(0)
        lines.append(" ".join(move for _, move, _ in steps))
        for key, move, player in steps:
            counts.setdefault((key, move), Counter())[score if player == 0 else 1 - score] += 1
    return lines, counts


@pytest.mark.parametrize("most_counts", [7, 100_000])
def test_counts_are_those_of_the_games(tmp_path: Path, most_counts: int) -> None:
    """However often counts are put aside on the way."""
    lines, counts = random_games(TICTACTOE, 60)
    path = made(tmp_path, TICTACTOE, *lines, most_counts=most_counts)
    book = open_book(path, TICTACTOE)
    assert isinstance(book, OwnBook)
    found = {(int(r["key"]), int(r["move"])): (int(r["wins"]), int(r["draws"]), int(r["losses"])) for r in book.rows}
    assert found == {(key, move_hash(move)): (n[1.0], n[0.5], n[0.0]) for (key, move), n in counts.items()}
    first = {str(m.move): m.games for m in book.probe(TICTACTOE.start)}
    assert first == {move: sum(n.values()) for (key, move), n in counts.items() if key == TICTACTOE.start.situation}
    assert [p.name for p in tmp_path.iterdir() if p.suffix not in (".txt", ".book")] == []


def test_probing_scores_and_intervals(tmp_path: Path) -> None:
    book = open_book(made(tmp_path, TICTACTOE, *["5 1 1-0"] * 8, *["5 2 1/2"] * 2, "1 5 0-1", "# a remark", ""), TICTACTOE)
    five, one = book.probe(TICTACTOE.start)
    assert (str(five.move), five.games, five.wins, five.draws, five.losses) == ("5", 10, 8, 2, 0)
    assert five.score == pytest.approx(0.9)
    assert five.interval == (pytest.approx(0.5958, abs=1e-4), pytest.approx(0.9821, abs=1e-4))  # Wilson's, of 9 in 10
    assert (str(one.move), one.score) == ("1", 0.0)
    (reply, _) = book.probe(TICTACTOE.start.play("5"))
    assert (str(reply.move), reply.score) == ("2", 0.5)  # the mover's score: the second player's
    assert book.probe(TICTACTOE.start.play("9")) == []


def test_best_and_weighted_choices(tmp_path: Path) -> None:
    book = open_book(made(tmp_path, TICTACTOE, *["5 1 1-0"] * 30, *["1 2 0-1"] * 10), TICTACTOE)
    assert str(book.choose(TICTACTOE.start, "best").move) == "5"  # type: ignore[union-attr]
    drawn = Counter(str(book.choose(TICTACTOE.start, "weighted", seed).move) for seed in range(1, 401))  # type: ignore[union-attr]
    assert 250 < drawn["5"] < 350
    assert drawn["1"] == 400 - drawn["5"]
    assert book.choose(TICTACTOE.start, "weighted", 7) == book.choose(TICTACTOE.start, "weighted", 7)


def test_limits_of_a_book(tmp_path: Path) -> None:
    book = open_book(made(tmp_path, TICTACTOE, "5 1 9 1-0", "5 1 2 1-0", "3 1 2 1-0", plies=2, least=2), TICTACTOE)
    assert [str(m.move) for m in book.probe(TICTACTOE.start)] == ["5"]
    assert [str(m.move) for m in book.probe(TICTACTOE.start.play("5"))] == ["1"]
    assert book.probe(TICTACTOE.start.play("5", "1")) == []


def test_games_without_a_result_or_with_illegal_moves(tmp_path: Path) -> None:
    games = games_in(written(tmp_path / "games.txt", "1 4 2 5 3", "1 4", "9 9 5 1-0", "x 0-1"), TICTACTOE)
    built = build(TICTACTOE, games, tmp_path / "it.book")
    assert (built.games, built.dropped) == (2, 2)  # the first needs no result, the third counts up to its illegal move
    assert [r.split(": ")[1] for r in built.left_out] == ["its result is unknown", "it has no legal moves"]
    assert {str(m.move) for m in open_book(tmp_path / "it.book", TICTACTOE).probe(TICTACTOE.start)} == {"1", "9"}


def test_matches_on_record_are_games(tmp_path: Path) -> None:
    kb.match("alphabeta(depth=1)", "alphabeta(depth=2)", TICTACTOE, games=4, openings=2, record=tmp_path / "games.txt")
    built = build(TICTACTOE, games_in(tmp_path / "games.txt", TICTACTOE), tmp_path / "it.book")
    assert built.games == 4
    assert sum(m.games for m in open_book(tmp_path / "it.book", TICTACTOE).probe(TICTACTOE.start)) == 4


PGN = """[Event "one"]
[Result "1-0"]

1. e4 e5 2. Nf3 {a remark} Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6 1-0

[Event "two"]
[Result "1/2-1/2"]

1. e4 c5 2. O-O 1/2-1/2

[Event "three"]
[SetUp "1"]
[FEN "8/8/4k3/8/8/4K2R/8/8 w - - 0 1"]
[Result "1-0"]

1. Rh6+ 1-0
"""


def test_chess_games_in_pgn(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    built = build(CHESS, games_in(path, CHESS), tmp_path / "it.book")
    assert (built.games, built.dropped) == (2, 1)
    book = open_book(tmp_path / "it.book", CHESS)
    (e4,) = book.probe(CHESS.start)
    assert (str(e4.move), e4.wins, e4.draws) == ("e4", 1, 1)
    assert {str(m.move) for m in book.probe(CHESS.start.play("e4"))} == {"e5", "c5"}
    (castled,) = book.probe(CHESS.start.play_line("e4 e5 Nf3 Nc6"))
    assert str(castled.move) == "Bb5"
    with pytest.raises(kb.InputError, match="PGN is for chess"):
        list(games_in(path, TICTACTOE))


def test_books_of_polyglot(tmp_path: Path) -> None:
    chess = pytest.importorskip("chess")
    import chess.polyglot as polyglot

    key = polyglot.zobrist_hash(chess.Board())
    moves = [(chess.parse_square(a), chess.parse_square(b), w) for a, b, w in (("e2", "e4", 30), ("d2", "d4", 10), ("e2", "e5", 99))]
    path = tmp_path / "it.bin"
    path.write_bytes(b"".join(struct.pack(">QHHI", key, b | a << 6, weight, 0) for a, b, weight in moves))
    found = open_book(path, CHESS).probe(CHESS.start)
    assert [(str(m.move), m.games, m.score) for m in found] == [("e4", 30, None), ("d4", 10, None)]  # the third is not legal
    assert str(kb.search(CHESS.start, "selective", book=str(path)).move) == "e4"


def test_any_player_uses_a_book(tmp_path: Path) -> None:
    path = made(tmp_path, TICTACTOE, "2 5 1-0")
    for text in ("alphabeta(depth=1", "uct(playouts=10"):
        player = kb.player(f"{text}, book='{path}')")
        assert kb.player(player.name) == player
        result = player.search(TICTACTOE.start)
        assert (str(result.move), result.ended, result.nodes, result.note) == ("2", "book", 0, "from the book: 1 games")
        assert result.value == 1.0
        assert player.search(TICTACTOE.start.play("2", "5")).ended != "book"
    with pytest.raises(kb.InputError, match="choice=any: must be one of best, weighted"):
        kb.player("alphabeta(choice=any)")
    with pytest.raises(kb.InputError, match="cannot read the book no-such-file"):
        kb.search(TICTACTOE.start, "alphabeta", book="no-such-file")


def test_a_book_of_another_game(tmp_path: Path) -> None:
    path = made(tmp_path, TICTACTOE, "2 5 1-0")
    with pytest.raises(kb.InputError, match="is a book of tictactoe, not of connect4"):
        open_book(path, kb.load("connect4"))
    with pytest.raises(kb.InputError, match="a book is for two players without chance"):
        made(tmp_path, kb.load("pig"), "roll")


def looked_into(path: Path, game: Game) -> str:
    """Nothing, or what is wrong."""
    wrong = ""
    try:
        assert all(isinstance(m, BookMove) for m in open_book(path, game).probe(game.start))
    except kb.InputError as error:
        wrong = str(error)
    assert "\n" not in wrong
    return wrong


def damaged_files(folder: Path, content: bytes, changes: list[tuple[int, int]], cut: int, game: Game) -> None:
    """Any change is noticed, any file is refused in one line or is a book."""
    changed = bytearray(content)
    for place, byte in changes:
        changed[place % len(changed)] = byte
    whole = bytes(changed[: max(0, len(changed) - cut)])
    path = folder / "other.book"
    path.write_bytes(whole)
    wrong = looked_into(path, game)
    header = len(content.split(b"\n")[0])
    assert wrong or whole == content or whole[header:] == content[header:]  # what the first line says besides is not guarded


changes = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=3)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=changes, cut=st.integers(0, 40))
def test_damaged_books_are_refused(tmp_path: Path, changes: list[tuple[int, int]], cut: int) -> None:
    content = made(tmp_path, TICTACTOE, "2 5 1-0", "1 5 0-1").read_bytes()
    damaged_files(tmp_path, content, changes, cut, TICTACTOE)


@pytest.mark.long
@settings(max_examples=25_000)
@given(changes=changes, cut=st.integers(0, 40))
def test_no_damaged_book_of_thousands_is_taken_for_whole(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]], cut: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    if not folder.exists():
        folder.mkdir()
        made(folder, TICTACTOE, "2 5 1-0", "1 5 0-1")
    damaged_files(folder, (folder / "it.book").read_bytes(), changes, cut, TICTACTOE)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_any_bytes_are_no_crash(tmp_path: Path, content: bytes) -> None:
    for game in (TICTACTOE, CHESS):
        (tmp_path / "any.book").write_bytes(content)
        looked_into(tmp_path / "any.book", game)
    (tmp_path / "any.txt").write_bytes(content)
    wrong = ""
    try:
        build(TICTACTOE, games_in(tmp_path / "any.txt", TICTACTOE), tmp_path / "it.book")
    except kb.InputError as error:
        wrong = str(error)
    assert "\n" not in wrong


def kibitz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code, out, err = typed.kibitz(capsys, *words)
    return code, (out + err)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "games.txt", "5 1 1-0", "5 2 1-0", "oops")
    assert kibitz(capsys, "book", "build", "tictactoe", "games.txt")[1].split("\n")[:2] == [
        "2 games, 3 moves in positions: tictactoe.book",
        "1 games left out, such as games.txt:3: its result is unknown",
    ]
    code, out = kibitz(capsys, "book", "probe", "tictactoe", "tictactoe.book")
    assert (code, out.split("\n")[4].split()[:6]) == (0, ["5", "2", "2", "0", "0", "1.000"])
    assert (
        '"moves": [{"move": "1", "games": 1' in kibitz(capsys, "book", "probe", "tictactoe", "tictactoe.book", "--moves", "5", "--json")[1]
    )
    assert "does not know this position" in kibitz(capsys, "book", "probe", "tictactoe", "tictactoe.book", "--moves", "9")[1]
    assert kibitz(capsys, "book", "probe", "tictactoe", "games.txt") == (
        2,
        "kibitz: games.txt is no book: kibitz book build tictactoe makes one\n",
    )
    assert kibitz(capsys, "book", "build", "tictactoe", "none.txt") == (2, "kibitz: there is no file none.txt\n")
