"""Go games as SGF: what is written is read back, what others write is understood, and a broken file is told in one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import InputError, KibitzError
from kibitz.core.position.game import Game, Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.position.transcript import recorded, replayed, written
from kibitz.games.go import sgf
from tests import typed

sgfmill = pytest.importorskip("sgfmill")


def position(content: str, **given: object) -> Position:
    """The last one of the game in a file."""
    read = sgf.transcript(content.encode())
    return replayed(load("go", **{**read.parameters, **given}), read)[-1]


def stones(p: Position) -> list[str]:
    return ["".join(line.split()[1:]) for line in p.show().splitlines()[:-2]]


@st.composite
def games(draw: st.DrawFn) -> tuple[Position, list[str], Position]:
    """A start, perhaps with stones set up, moves and where they lead."""
    size = draw(st.integers(1, 6))
    game = load("go", size=size, komi=draw(st.sampled_from([-3, 0, 0.5, 7.5, 100])), score=draw(st.sampled_from(["win", "area"])))
    position = draw(boards(game, size)) if draw(st.booleans()) else game.start
    start, moves = position, []
    for number in draw(st.lists(st.integers(0, 100), max_size=30)):
        if position.is_over:
            break
        move = position.moves[number % len(position.moves)]
        moves.append(str(move))
        position = position.play(int(move))
    return start, moves, position


@st.composite
def boards(draw: st.DrawFn, game: Game, size: int) -> Position:
    marks = draw(st.lists(st.sampled_from("...XO"), min_size=size * size, max_size=size * size))
    rows = "/".join("".join(marks[row * size : (row + 1) * size]) for row in range(size))
    try:
        return from_board(game, f"{rows} / {draw(st.sampled_from('XO'))} to move")
    except InputError:  # stones without a liberty
        return game.start


@settings(max_examples=150, deadline=None)
@given(played=games(), players=st.just(()) | st.tuples(st.text(max_size=12), st.text(max_size=12)))
def test_what_is_written_is_read_back(played: tuple[Position, list[str], Position], players: tuple[str, ...]) -> None:
    start, moves, end = played
    text = written(start, moves, end, tuple(p.encode(errors="ignore").decode() for p in players))
    read = sgf.transcript(text.encode())
    game = load("go", **{**read.parameters, "score": start.game.parameters["score"]})
    assert game == start.game
    positions = replayed(game, read)
    assert (positions[0], positions[-1]) == (start, end)
    assert list(read.moves) == moves
    assert ("RE[" in text) == end.is_over


# --- what others write ---


def test_a_game_that_went_on_after_two_passes() -> None:
    p = position("(;SZ[9];B[];W[];B[aa])")
    assert stones(p)[0] == "X........"
    assert p.player == 1
    assert position("(;SZ[9];B[];W[];B[aa];W[];B[])").is_over


def test_a_colour_that_passes_and_moves_has_not_made_the_other_pass() -> None:
    assert stones(position("(;SZ[9];B[];B[aa];W[bb])"))[0] == "X........"
    assert not position("(;SZ[9];B[aa];B[])").is_over
    assert not position("(;SZ[9];B[];B[])").is_over


def test_size_komi_moves_and_passes() -> None:
    p = position("(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Ann]PW[Bo];B[aa];W[ii];B[];W[tt])")
    assert (p.game.parameters["size"], p.game.parameters["komi"], p.is_over) == (9, 6.5, True)
    assert stones(p)[0] == "X........"
    assert stones(p)[8] == "........O"
    assert sgf.transcript(b"(;PB[Ann]PW[Bo])").players == ("Ann", "Bo")


def test_nineteen_lines_and_the_usual_komi_where_nothing_is_said() -> None:
    p = position("(;B[pd])")
    assert (p.game.parameters["size"], p.game.parameters["komi"]) == (19, 7.5)
    assert p.show().splitlines()[3].split()[16] == "X"
    assert position("(;B[pd])", komi=0.5).game.parameters["komi"] == 0.5


@pytest.mark.parametrize(
    ("content", "side", "board"),
    [
        ("(;SZ[3]HA[2]AB[aa][cc])", 1, ["X..", "...", "..X"]),  # White begins after a handicap
        ("(;SZ[3]AB[aa:bb])", 0, ["XX.", "XX.", "..."]),  # a rectangle of points
        ("(;SZ[3]AB[aa][bb]AW[ca]PL[W])", 1, ["X.O", ".X.", "..."]),
        ("(;SZ[3]AB[aa][bb];AE[aa]AW[bb])", 0, ["...", ".O.", "..."]),  # changed before the first move
        ("(;SZ[3]HA[2];B[aa];B[cc];W[bb])", 0, ["X..", ".O.", "..X"]),  # a handicap placed by moves
        ("(;SZ[3];W[bb])", 0, ["...", ".O.", "..."]),  # White may begin
        ("(;SZ[3];B[aa](;W[bb];B[cc])(;W[cc]))", 1, ["X..", ".O.", "..X"]),  # the main line
        ("(;SZ[3];B[aa])(;SZ[5];B[bb])", 1, ["X..", "...", "..."]),  # the first game
        ("junk before (;SZ[3] ; C[a\\]b (;W]; B [aa] )", 1, ["X..", "...", "..."]),
    ],
)
def test_setup_handicap_and_variations(content: str, side: int, board: list[str]) -> None:
    p = position(content)
    assert (stones(p), p.player) == (board, side)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no SGF file"),
        ("no game", "no SGF file"),
        ("(;SZ[9];B[aa]", "no SGF file"),
        ("(;SZ[9];B[zz])", "no SGF file"),
        ("(;SZ[9:7])", "no SGF file"),
        ("(;SZ[25])", "25 x 25 points; at most 19 x 19"),
        ("(;GM[11]SZ[9])", "another game than Go"),
        ("(;SZ[9]KM[x])", "no SGF file"),
        ("(;SZ[9]KM[0.3])", "komi"),
        ("(;SZ[9]PL[green])", "no SGF file"),
        ("(;SZ[9];B[aa]W[bb])", "node 2 has a move of both colours"),
        ("(;SZ[9];B[aa];AW[bb])", "set up after move 1"),
        ("(;SZ[9];B[aa];W[aa])", "move 2: illegal move 'A9'"),
        ("(;SZ[9];B[];W[];B[aa];W[aa])", "move 4: illegal move 'A9'"),
        ("(;SZ[2]AB[aa][ba][ab][bb])", "has no liberty"),
    ],
)
def test_broken_files(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as caught:
        recorded("go", path, {})
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@settings(max_examples=150, deadline=None)
@given(
    content=st.binary(max_size=30)
    | st.lists(st.sampled_from([*"(;)[]aBW \\:", "SZ[2]", "AB[aa]", "KM[1]", ";B[ab]", ";W[]", "CA[x]"]), max_size=12).map(
        lambda words: ("(;" + "".join(words) + ")").encode()
    )
)
def test_nothing_but_a_message_comes_of_any_content(content: bytes) -> None:
    said = ""
    try:
        read = sgf.transcript(content)
        replayed(load("go", **read.parameters), read)
    except KibitzError as error:
        said = str(error)
    assert "\n" not in said


def test_other_games_and_boards_that_sgf_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "b.sgf").write_text("(;GM[1])")
    with pytest.raises(InputError, match="no game of hex on record"):
        recorded("hex", tmp_path / "b.sgf", {})
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        recorded("go", tmp_path / "a.sgf", {})
    assert written(load("hex").start, (), load("hex").start).startswith("kibitz game: hex\n")
    for start in (load("go", size=2, columns=3).start, load("go", size=2).position("pass")):
        with pytest.raises(InputError, match="SGF"):
            written(start, (), start)


# --- the command line ---


def kibitz(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code, out, err = typed.kibitz(capsys, *words)
    return code, (out + err).strip()


def test_commands_open_and_save_games(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    path, copy = str(tmp_path / "game.sgf"), str(tmp_path / "copy.sgf")
    Path(path).write_text("(;SZ[3]KM[0.5];B[bb];W[aa])")
    assert kibitz(capsys, "show", "go", "--from", path)[1].startswith("3 O . .\n2 . X .")
    assert kibitz(capsys, "show", "go", "--from", path, "--at", "1", "--moves", "C3")[1].startswith("3 . . O\n2 . X .")
    code, said = kibitz(capsys, "search", "go", "--from", path, "--with", "alphabeta", "--depth", "1", "--json")
    assert (code, json.loads(said)["game"]) == (0, "go(size=3, komi=0.5)")
    answers = iter(["C1", "undo", "C2", "quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert kibitz(capsys, "play", "go", "--from", path, "--with", "alphabeta(depth=1)", "--save", copy)[0] == 0
    read, positions = recorded("go", Path(copy), {})
    assert (positions[0].show().splitlines()[0], read.moves[0], len(read.moves)) == ("3 O . .", "C2", 2)
    assert read.players == ("", "alphabeta(depth=1)")
    for words, message in (
        (("--at", "1"), "--at goes with --from"),
        (("--from", path, "--at", "3"), f"--at 3: the game in {path} has 2 moves; give 0 to 2"),
        (("--from", path, "--position", "B2"), "--from and --position exclude each other"),
    ):
        code, said = kibitz(capsys, "show", "go", *words)
        assert (code, said.count("\n")) == (2, 0)
        assert message in said
