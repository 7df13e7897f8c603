"""Other programs as players: told every move, refused when they do what cannot be, and GNU Go through a whole game."""

import shutil
import sys
import warnings
from pathlib import Path

import pytest

import kibitz as kb
from kibitz.arena.match import match
from kibitz.core.errors import InputError
from kibitz.core.position.game import Position
from kibitz.players import Forfeit, player
from kibitz.protocols import program
from kibitz.protocols.child import GAMES_FOLDERS
from kibitz.protocols.gtp import Session
from kibitz.protocols.program import Conversation, GtpProgram

GO = kb.load("go", size=3, komi=0.5)
GNUGO = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --never-resign --capture-all-dead"


def fake(tmp_path: Path, answers: list[str]) -> GtpProgram:
    """A program that answers `genmove` with these words, `play b B2` with an error, and ends when it has none left."""
    path = tmp_path / "program.py"
    path.write_text(
        f"""import sys
answers = {answers!r}
print("hello, this is no answer", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "quit" or (words[0] == "genmove" and not answers):
        break
    if words[:1] == ["play"] and words[2] == "B2":
        print("? not there\\n", flush=True)
    else:
        print("=", answers.pop(0) if words[0] == "genmove" else "", end="\\n\\n", flush=True)
"""
    )
    return GtpProgram(f"{sys.executable} {path}")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    program.talks.end_all()


def test_it_is_told_the_moves_and_makes_its_own(tmp_path: Path) -> None:
    other = fake(tmp_path, ["a1", "PASS", "C3"])
    found = other.search(GO.start, ())
    assert (str(found.move), found.engine) == ("A1", other.name)
    after = GO.position("A1 C2")
    assert str(other.search(after, ("A1", "C2")).move) == "pass"
    assert other._talk().told == ["A1", "C2", "pass"]
    assert str(other.search(GO.start, ()).move) == "C3"  # another game
    with pytest.raises(Forfeit, match="has ended instead of answering 'genmove b'"):
        other.search(GO.start, ())
    assert str(other.search(GO.start, ()).move) == "A1"  # it was started anew


@pytest.mark.parametrize(
    ("answer", "message"),
    [("resign", "resigns$"), ("Z9", "illegal move 'Z9'.*does it keep to other rules"), ("", "illegal")],
)
def test_what_loses_it_the_game(answer: str, message: str, tmp_path: Path) -> None:
    other = fake(tmp_path, [answer])
    talk = other._talk()
    with pytest.raises(Forfeit, match=message):
        other.search(GO.start, ())
    assert talk.has_ended() == (answer != "resign")


def test_what_it_refuses_is_told(tmp_path: Path) -> None:
    with pytest.raises(Forfeit, match="answers 'play b B2' with: not there"):
        fake(tmp_path, []).search(GO.position("B2"), ("B2",))


def test_resigning_loses_the_game_and_the_match_goes_on(tmp_path: Path) -> None:
    played = match(fake(tmp_path, ["resign", "resign"]), "alphabeta(depth=1)", GO, games=2, openings=0)
    assert (played.losses, [g.forfeit.endswith("resigns") for g in played.games]) == (2, [True, True])
    assert played.games[0].utilities == (-1.0, 1.0)
    assert f"one lost 2 games so: {fake(tmp_path, []).name} resigns" in str(played)


def test_what_cannot_play_is_refused(tmp_path: Path) -> None:
    for game in (kb.load("hex"), kb.load("go", size=3, columns=4)):
        with pytest.raises(InputError, match="for Go on square boards"):
            fake(tmp_path, []).check(game)
    with pytest.raises(InputError, match="there is no program 'nobody-wrote-this'"):
        GtpProgram("nobody-wrote-this --mode gtp").check(GO)
    with pytest.raises(InputError, match="no command line"):
        GtpProgram("'gnugo").check(GO)
    with pytest.raises(InputError, match="names no program"):
        program.program("gtp: ")
    with pytest.raises(InputError, match="plays from the start of the game"):
        match(fake(tmp_path, []), "alphabeta(depth=1)", GO, games=2, openings=["A1", "B1"])


def test_a_match_against_kibitz_as_another_program() -> None:
    other = GtpProgram(f"{sys.executable} -m kibitz gtp --with uct(playouts=3,seed=1)")
    played = match("alphabeta(depth=1)", other, GO, games=2, openings=2)
    assert len(played.games) == 2
    for game in played.games:
        end = GO.start
        for move in game.moves:
            end = end.play(move)
        assert end.is_over
    assert f"two: {other.name}" in str(played)


def gnugo() -> str:
    """Skips, loudly, where GNU Go is not installed."""
    if not any(shutil.which("gnugo", path=place) for place in (None, *GAMES_FOLDERS)):
        reason = "GNU Go is not installed (Debian: apt-get install gnugo), so that kibitz was not tested against it"
        warnings.warn(reason, stacklevel=2)
        pytest.skip(reason)
    return GNUGO


def test_a_whole_game_against_gnu_go() -> None:
    """Through GTP on both sides: every move is allowed there as here, and both count the same in the end."""
    theirs, said = Conversation(gnugo()), list[str]()
    session = Session(player("uct(playouts=3, seed=1)"), said.append, "1", parameters={"size": 9, "komi": 7.5})

    def ours(line: str) -> str:
        said.clear()
        session.handle(line)
        assert said[0].startswith("=")
        return said[0][1:].strip()

    theirs.begin(session.game)
    moves: list[str] = []
    while not session.position.is_over:
        mover, other, colour = (ours, theirs.ask, "b") if len(moves) % 2 == 0 else (theirs.ask, ours, "w")
        moves.append(mover(f"genmove {colour}"))
        other(f"play {colour} {moves[-1]}")
        assert len(moves) < 300
    assert [m.lower() for m in moves[-2:]] == ["pass", "pass"]
    assert len(moves) > 30
    assert ours("final_score") == theirs.ask("final_score")
    theirs.end()


def test_positions_reached_are_theirs_too() -> None:
    """After captures and a ko the stones are where GNU Go has them."""
    theirs, game = Conversation(gnugo()), kb.load("go", komi=7.5)
    moves = ["D4", "E4", "C5", "F5", "D6", "E6", "E5", "A1", "A9", "D5", "H2", "H8", "E5", "pass"]
    theirs.tell(game, moves)
    position: Position = game.start.play(*moves)
    for colour, mark in (("black", 1), ("white", 2)):
        listed = set(theirs.ask(f"list_stones {colour}").split())
        assert listed == {str(position.game.people["name"](position.state, c)) for c in range(81) if position.state.colour[c] == mark}
    theirs.end()
