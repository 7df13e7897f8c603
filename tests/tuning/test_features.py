"""The shipped evaluations: every feature equals its slow obvious twin, and the weights made by hand give the evaluation they always gave."""

import random
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import game as rules

pytestmark = pytest.mark.compiled

GAMES = ("othello", "connect4", "breakthrough", "kalah")
Board = dict[tuple[int, int], int]  # (row, column) -> side
RAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def positions(game: kb.Game, games: int = 6) -> list[kb.Position]:
    """Unfinished positions of random games."""
    found = []
    for seed in range(games):
        choose, p = random.Random(seed).choice, game.start
        while not p.is_over:
            found.append(p)
            p = p.play(choose(p.moves))
    return found


def features_of(game: kb.Game, s: Any, player: int) -> list[float]:
    out = np.zeros(len(game.constants["FEATURES"]))
    game.rule("features")(s, player, out)
    return out.tolist()


# --- twins: what a side has ---


def grid(p: kb.Position, marks: str) -> Board:
    """The squares that hold a stone, from the board's own text; row 0 is the text's first."""
    rows = [line.split()[-1] for line in p.show().splitlines() if line and set(line.split()[-1]) <= set(marks + ".")]
    return {(r, c): marks.index(m) for r, row in enumerate(rows) for c, m in enumerate(row) if m != "."}


def othello(p: kb.Position, me: int) -> list[float]:
    board, size = grid(p, "XO"), range(8)
    squares = {(r, c) for r in size for c in size}
    empty, corners = squares - set(board), {(0, 0), (0, 7), (7, 0), (7, 7)}

    def near(square: tuple[int, int]) -> set[tuple[int, int]]:
        return {(square[0] + a, square[1] + b) for a, b in RAYS} & squares

    def encloses(square: tuple[int, int], side: int) -> bool:
        for a, b in RAYS:
            r, c, passed = square[0] + a, square[1] + b, 0
            while board.get((r, c)) == 1 - side:
                r, c, passed = r + a, c + b, passed + 1
            if passed and board.get((r, c)) == side:
                return True
        return False

    def anchored(side: int) -> set[tuple[int, int]]:
        held = set()
        for corner in corners:
            for a, b in RAYS:
                r, c = corner
                while a * b == 0 and board.get((r, c)) == side:
                    held.add((r, c))
                    r, c = r + a, c + b
        return held

    def has(side: int) -> list[float]:
        own = {q for q, s in board.items() if s == side}
        beside = {q for corner in corners & empty for q in near(corner)}
        slanted = {(1, 1), (1, 6), (6, 1), (6, 6)}
        return [
            sum(encloses(q, side) for q in empty),
            sum(any(board.get(n) == 1 - side for n in near(q)) for q in empty),
            len(own & corners),
            len(own & beside & slanted),
            len(own & beside - slanted),
            len(anchored(side)),
            sum(bool(near(q) & empty) for q in own),
            len(own),
            len(empty) % 2 if p.player == side else 0,
        ]

    return [a - b for a, b in zip(has(me), has(1 - me), strict=True)]


def connect4(p: kb.Position, me: int) -> list[float]:
    board = {(5 - r, c): s for (r, c), s in grid(p, "XO").items()}  # row 0 at the bottom
    lines = [[(r + i * a, c + i * b) for i in range(4)] for r in range(6) for c in range(7) for a, b in ((0, 1), (1, 0), (1, 1), (1, -1))]
    lines = [line for line in lines if all(0 <= r < 6 and 0 <= c < 7 for r, c in line)]

    def threats(side: int) -> set[tuple[int, int]]:
        found = set()
        for line in lines:
            open_squares = [q for q in line if q not in board]
            if len(open_squares) == 1 and sum(board.get(q) == side for q in line) == 3:
                found.add(open_squares[0])
        return found

    def ready(side: int) -> int:
        return sum(r == 0 or (r - 1, c) in board for r, c in threats(side))

    def has(side: int) -> list[float]:
        own, mine = [q for q, s in board.items() if s == side], threats(side)
        good = [q for q in mine if q[0] % 2 == side]
        pairs = sum(sum(board.get(q) == side for q in line) == 2 and all(board.get(q) != 1 - side for q in line) for line in lines)
        moves = p.player == side
        return [
            sum(c == 3 for _, c in own),
            sum(0 < c < 6 for _, c in own),
            pairs,
            len(good),
            len(mine) - len(good),
            sum((r + 1, c) in mine for r, c in mine),
            0.5 if moves else -0.5,
            float(moves and ready(side) > 0),
            float(not moves and ready(side) > 1 and ready(1 - side) == 0),
        ]

    return [a - b for a, b in zip(has(me), has(1 - me), strict=True)]


def breakthrough(p: kb.Position, me: int) -> list[float]:
    seen = grid(p, "WB")

    def has(side: int) -> list[float]:
        up = {(7 - r if side == 0 else r, c): s for (r, c), s in seen.items()}  # row 0 is the side's own
        own, other = {q for q, s in up.items() if s == side}, {q for q, s in up.items() if s != side}

        def stoppable(q: tuple[int, int]) -> bool:
            return any(r >= q[0] and abs(c - q[1]) <= r - q[0] for r, c in other)

        guarded = {(r, c) for r, c in own if {(r - 1, c - 1), (r - 1, c + 1)} & own}
        attacked = {(r, c) for r, c in own if {(r + 1, c - 1), (r + 1, c + 1)} & other}
        prey = {(r, c) for r, c in other if {(r - 1, c - 1), (r - 1, c + 1)} & own and not {(r + 1, c - 1), (r + 1, c + 1)} & other}
        moves = p.player == side
        return [
            len(own),
            max(r for r, _ in own),
            float(moves),
            sum(r for r, _ in own),
            sum(r >= 4 for r, _ in own),
            sum(r == 0 for r, _ in own),
            max((r + 1 for r, c in own if not stoppable((r, c))), default=0),
            float(moves and any(r == 6 for r, _ in own)),
            len(guarded),
            len(attacked - guarded),
            len(prey) if moves else 0,
            len({c for _, c in own}),
            sum((r, c + 1) in own for r, c in own),
        ]

    return [a - b for a, b in zip(has(me), has(1 - me), strict=True)]


def kalah(p: kb.Position, me: int) -> list[float]:
    ring = [int(n) for n in p.state.pits]
    sides = (ring[:6], ring[7:13])

    def has(side: int) -> list[float]:
        own, facing = sides[side], sides[1 - side][::-1]
        again = sum(n > 0 and i + n == 6 for i, n in enumerate(own))
        captures = [1 + facing[i + n] for i, n in enumerate(own) if n > 0 and i + n < 6 and own[i + n] == 0 and facing[i + n] > 0]
        moves = p.player == side
        return [
            ring[6 + 7 * side],
            sum(own),
            float(moves),
            sum(n > 0 for n in own),
            again,
            sum(captures),
            float(moves and again > 0),
            max(captures, default=0) if moves else 0,
            float(moves and again > 0 and bool(captures)),
        ]

    return [a - b for a, b in zip(has(me), has(1 - me), strict=True)]


TWINS = {"othello": othello, "connect4": connect4, "breakthrough": breakthrough, "kalah": kalah}


@pytest.mark.parametrize("name", GAMES)
def test_features_equal_their_twins(name: str) -> None:
    game = kb.load(name)
    met = np.zeros(len(game.constants["FEATURES"]), dtype=bool)
    for p in positions(game, 12):
        wanted = TWINS[name](p, 0)
        assert features_of(game, p.state, 0) == wanted, p
        assert features_of(game, p.state, 1) == [-x for x in wanted]
        met |= np.array(wanted) != 0
    missing = [n for n, seen in zip(game.constants["FEATURES"], met, strict=True) if not seen]
    assert len(missing) <= 1, missing  # random games hardly ever make two threats at once


def copied(s: Any, player: int, out: Any) -> None:
    rules.features(s, player, out)


@pytest.mark.parametrize("name", GAMES)
def test_features_and_evaluations_are_the_same_compiled(name: str) -> None:
    game = kb.load(name)
    kernel = game.bind(copied, target="cpu", label="features")
    for p in positions(game, 3):
        out = np.zeros(len(game.constants["FEATURES"]))
        kernel(p.state, 0, out)
        assert out.tolist() == features_of(game, p.state, 0)


# --- the evaluations there were before weights could be fitted ---


def formerly(name: str, p: kb.Position, player: int) -> float:
    f = dict(zip(p.game.constants["FEATURES"], TWINS[name](p, player), strict=True))
    if name == "othello":
        x = 2.0 * f["mobility"] + 8.0 * f["corners"] + 4.0 * f["safe edge"]
        return 64.0 * x / (64.0 + abs(x))
    if name == "breakthrough":
        x = f["pawns"] + 0.5 * f["foremost"] + 0.5 * f["turn"]
        return x / (4.0 + abs(x))
    return f["store"]


@pytest.mark.parametrize("name", ["othello", "breakthrough", "kalah"])
def test_weights_made_by_hand_give_the_former_evaluation_to_the_bit(name: str) -> None:
    game = kb.load(name, weights="start")
    for p in positions(game):
        for player in (0, 1):
            assert game.rule("evaluate")(p.state, player) == formerly(name, p, player)


@pytest.mark.parametrize("name", GAMES)
def test_without_weights_nothing_is_known(name: str) -> None:
    game = kb.load(name, weights="none")
    for p in positions(game, 2):
        wanted = game.rule("banked")(p.state, 0)  # Kalah's stores count whatever one knows
        assert game.rule("evaluate")(p.state, 0) == wanted
