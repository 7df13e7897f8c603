"""Checkers: counts, captures against a plain twin, ends of games, text, and whole games in step with OpenSpiel."""

import random
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import InputError
from kibitz.core.measuring.perft import perft
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.games.checkers import NUMBERS, SQUARES
from kibitz.players import search
from tests.naive import minimax_to_depth

GAME = load("checkers")
PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)

Men = dict[tuple[int, int], str]  # row and column: b, B, w, W


# --- a plain twin ---


def men_of(position: Position) -> Men:
    found = {}
    for side, letter in ((0, "b"), (1, "w")):
        for field, mark in (("men", letter), ("kings", letter.upper())):
            bits = int(position.state[field][side])
            found.update({divmod(square, 8): mark for square in range(64) if bits >> square & 1})
    return found


def plain_moves(men: Men, turn: int) -> set[tuple[tuple[int, int], tuple[int, int], frozenset[tuple[int, int]]]]:
    """From, to and the men captured, of all legal moves."""
    own = [at for at, mark in men.items() if mark.lower() == "bw"[turn]]
    jumps = {(at, *rest) for at in own for rest in plain_jumps(men, at, at, men[at], frozenset()) if rest[1]}
    if jumps:
        return jumps
    return {
        (at, to, frozenset())
        for at in own
        for up, right in ways(men[at])
        if (to := (at[0] + up, at[1] + right)) in SQUARE and to not in men
    }


def plain_jumps(
    men: Men, first: tuple[int, int], at: tuple[int, int], mark: str, taken: frozenset[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], frozenset[tuple[int, int]]]]:
    """Where a capture may end, and whom it takes; at its beginning too, with nobody."""
    further = False
    if not (taken and mark in "bw" and at[0] == {"b": 7, "w": 0}[mark]):
        for up, right in ways(mark):
            over, to = (at[0] + up, at[1] + right), (at[0] + 2 * up, at[1] + 2 * right)
            if men.get(over, mark).lower() != mark.lower() and over not in taken and to in SQUARE and (to == first or to not in men):
                further = True
                yield from plain_jumps(men, first, to, mark, taken | {over})
    if not further:
        yield at, taken


def ways(mark: str) -> list[tuple[int, int]]:
    return [(up, right) for up in {"b": (1,), "w": (-1,)}.get(mark, (1, -1)) for right in (-1, 1)]


SQUARE = {divmod(int(square), 8) for square in SQUARES}


def shown_moves(position: Position) -> list[tuple[tuple[int, int], tuple[int, int], frozenset[tuple[int, int]]]]:
    """The game's own list in the twin's form, by the names of the moves."""
    found = []
    for move in position.moves:
        path = [divmod(int(SQUARES[int(number) - 1]), 8) for number in str(move).replace("-", "x").split("x")]
        over = frozenset(((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(path)) if "x" in str(move) else frozenset()
        found.append((path[0], path[-1], over))
    return found


boards = st.dictionaries(st.integers(1, 32), st.sampled_from("bBwWWW"), min_size=2, max_size=16)


@settings(max_examples=400)
@given(boards, st.integers(0, 1))
def test_moves_are_those_of_the_twin(placed: dict[int, str], turn: int) -> None:
    sides = {"b": [], "w": []}
    for number, mark in placed.items():
        king = mark.isupper() or (mark == "b" and number > 28) or (mark == "w" and number < 5)
        if len(sides[mark.lower()]) < 12:
            sides[mark.lower()].append(f"{'K' if king else ''}{number}")
    position = from_board(GAME, f"{'BW'[turn]}:W{','.join(sides['w'])}:B{','.join(sides['b'])}")
    ours, theirs = shown_moves(position), plain_moves(men_of(position), turn)
    assert len(ours) == len(set(ours))
    assert set(ours) == theirs
    assert position.is_over == (not theirs)
    assert from_board(GAME, position.show()) == position


# --- counting ---


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT, 1)))
def test_perft(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="cpu") == paths


@pytest.mark.parametrize(("depth", "paths"), list(enumerate(PERFT[:4], 1)))
def test_perft_interpreted(depth: int, paths: int) -> None:
    assert perft(GAME.start, depth, target="python") == paths


# --- rules ---


def test_captures_are_forced_and_whole() -> None:
    position = from_board(GAME, "B:W14,23,22:B9,1")
    assert [str(m) for m in position.moves] == ["9x18x25", "9x18x27"]
    after = position.play("9x18x27")
    assert after.show().splitlines()[-1] == "W:W22:B1,27"
    assert position.play_line("9x27") == after


def test_a_new_king_stops() -> None:
    assert [str(m) for m in from_board(GAME, "B:W25,26,17:B21").moves] == ["21x30"]  # not on over 26, nor back over 17
    crowned = from_board(GAME, "B:W26,27:B22").play("22x31")
    assert crowned.show().splitlines()[-1] == "W:W27:BK31"  # as a king it could have gone on over 27
    assert crowned.player == 1


def test_a_king_may_go_round_and_the_direction_does_not_matter() -> None:
    position = from_board(GAME, "B:W7,8,15,16:BK3,1")
    ends = [(str(m).split("x")[0], str(m).split("x")[-1]) for m in position.moves]
    assert ends == [("3", "3")]
    assert position.play(int(position.moves[0])).utility(0) == 100.0


@pytest.mark.parametrize(
    ("board", "status", "black"),
    [
        ("W:W:B1", "game over: black wins", 100.0),
        ("B:W5,9,K30:B1", "black to move", None),
        ("B:W14,8:B9,K1", "black must capture", None),
        ("W:W29:B25,22", "game over: black wins", 100.0),  # it has a man, and no move
        ("B:WK30:BK1:H80", "game over: drawn, too many moves without a capture or a man's move", 0.0),
    ],
)
def test_ends(board: str, status: str, black: float | None) -> None:
    position = from_board(GAME, board)
    assert position.show().splitlines()[-2] == status
    assert position.is_over == (black is not None)
    if black is not None:
        assert (position.utility(0), position.utility(1)) == (black, -black)


def test_quiet_moves_and_repetition() -> None:
    position = from_board(GAME, "B:WK30:BK1:H78")
    assert not position.play("1-5").is_over
    assert position.play("1-5", "30-26").is_over
    back_and_forth = "1-5 30-26 5-1 26-30 "
    fresh = from_board(GAME, "B:WK30:BK1")
    assert not fresh.play_line(back_and_forth + "1-5 30-26 5-1").is_over
    assert fresh.play_line(back_and_forth * 2).utility(0) == 0.0
    assert fresh.key == from_board(GAME, "B:WK30:BK1:H78").key
    assert from_board(load("checkers", quiet=10), "B:WK30:BK1:H9").play("1-5").is_over


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "written as in PDN"),
        ("B:W1:W2", "written as in PDN"),
        ("B:W33:B1", "'33' among W's men is no square from 1 to 32"),
        ("B:W5,5:B1", "square 5 is listed twice"),
        ("B:W2:B1", "square 2 is on the far row of W"),
        ("B:W20-32:B1", "W has 13 men"),
        ("B:W30:B1:H99", "the game ends after 80 quiet moves"),
    ],
)
def test_bad_boards(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        from_board(GAME, text)
    assert "\n" not in str(caught.value)


@given(st.text(st.sampled_from("BWKH:,-0123456789 "), max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        position = from_board(GAME, text)
    except InputError as error:
        told = str(error)
    else:
        told = position.show()
        assert from_board(GAME, told) == position
    assert told


def test_picture() -> None:
    picture = ElementTree.fromstring(GAME.start.draw())
    assert len(picture.findall("{*}circle")) == 24


# --- knowledge ---


def test_evaluation_is_opposite_for_the_two_and_level_at_the_start_but_for_the_turn() -> None:
    evaluate, choose = GAME.rule("evaluate"), random.Random(4).choice
    position = GAME.start
    while not position.is_over:
        assert evaluate(position.state, 0) == pytest.approx(-evaluate(position.state, 1))
        position = position.play(int(choose(position.moves)))
    assert 0 < evaluate(GAME.start.state, 0) < 0.2
    assert evaluate(from_board(GAME, "B:W21:BK1,2").state, 0) > 1


@pytest.mark.compiled
@pytest.mark.parametrize("board", ["W:W18,22,27,K3:B10,11,6,K32", "B:W21,25,26,30:B9,13,14,K31", "B:WK3,K10:BK20,19,K30"])
def test_searches_agree_with_plain_minimax(board: str) -> None:
    position = from_board(GAME, board)
    for depth in (1, 2, 3, 4):
        assert search(position, "alphabeta", depth=depth).value == pytest.approx(minimax_to_depth(position, depth, position.player))


# --- a second opinion ---


def turns(state: object, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], object]]:
    """All whole turns of OpenSpiel, where every jump is an action of its own, with the state they lead to."""
    mover = state.current_player()  # type: ignore[attr-defined]
    for action in state.legal_actions():  # type: ignore[attr-defined]
        following = state.child(action)  # type: ignore[attr-defined]
        if not following.is_terminal() and following.current_player() == mover:
            yield from turns(following, (*path, action))
        else:
            yield (*path, action), following


def openspiel_board(state: object) -> Men:
    """Its board turned round, so that the first player stands at the top."""
    rows = [line[1:9] for line in str(state).splitlines()[:8]]
    letters = {"o": "b", "8": "B", "+": "w", "*": "W"}
    return {(7 - row, 7 - column): letters[mark] for row, line in enumerate(rows) for column, mark in enumerate(line) if mark in letters}


def test_whole_games_in_step_with_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    other, long_jumps = pyspiel.load_game("checkers"), 0
    for seed in range(40):
        choose, theirs, ours = random.Random(seed).choice, other.new_initial_state(), GAME.start
        while not theirs.is_terminal() and not ours.is_over:
            assert men_of(ours) == openspiel_board(theirs)
            assert ours.player == theirs.current_player()
            results = {}
            for path, following in turns(theirs):
                results[frozenset(openspiel_board(following).items())] = (path, following)
            mine = {frozenset(men_of(ours.play(int(m))).items()): m for m in ours.moves}
            assert set(mine) == set(results)
            chosen = choose(sorted(mine, key=sorted))
            long_jumps += len(results[chosen][0]) > 1
            theirs, ours = results[chosen][1], ours.play(int(mine[chosen]))
        if ours.is_over and not ours.is_repeated:
            assert theirs.is_terminal()
            assert [ours.utility(p) / 100.0 for p in (0, 1)] == theirs.returns()
    assert long_jumps > 40


def test_squares_and_numbers() -> None:
    assert [int(NUMBERS[square]) for square in SQUARES] == list(range(32))
