"""Go: surround territory and capture what has no liberties left; area scoring, no suicide, and no position comes up twice.

A stone, or a chain of stones joined along the lines, is captured when the last empty point beside it is taken. A move that would leave its own
chain without one is not allowed, unless it captures. Nor is one that brings the whole board back to what it was before (positional
superko): the searches and `Position` see to that, for they know the game so far. The state itself remembers only the point where the last
move captured a single stone in a ko, so that random playouts, which have no memory, do not capture back and forth. Passing is always
allowed; two passes in a row end the game. Every stone on the board then counts one point, and so does every empty point that only one
side's stones reach; `komi` goes to the second player, White. The utility is who has won, or with `score=area` by how many points.

A state is a function of its board and the last move: a chain bears the number of its first point, and counts a liberty once for every stone
beside it. The last move is there for playouts to answer it; the rules do not ask for it.

Notation: points as in GTP, `D4`, columns without I and rows from the bottom, or `pass`. A board is its rows from the top, X for the first
player, Black, then the side to move, and `after a pass`, `after C4` or `ko at D4` where that is so.
"""

import numpy as np

from kibitz import FORBIDDEN, OVER, InputError, hashing, parameter, record
from kibitz.games.go import sgf
from kibitz.games.go.board import DIAGONALLY, EMPTY, NONE, SIDEWAYS, images, least_image, neighbours, owned
from kibitz.games.go.chains import can_live, is_alone, is_eye
from kibitz.games.go.notation import LETTERS, name_of, parse
from kibitz.games.go.picture import picture
from kibitz.games.go.playouts import chosen, promise, urgency
from kibitz.games.go.sgf import transcript as read_game  # noqa: F401

ROWS = parameter("size", 9, low=1, high=19, about="points in a column, and in a row unless columns says otherwise")
WIDTH = parameter("columns", 0, low=0, high=19, about="points in a row; 0: as many as in a column")
KOMI = parameter("komi", 7.5, low=-400, high=400, about="points for White, whole or half")
SCORE = parameter("score", "win", choices=("win", "area"), about="utility: won or lost, or by how many points")

if not (2 * KOMI).is_integer():
    raise InputError(f"komi={KOMI:g}: must be a whole number or half of one")

COLUMNS = WIDTH or ROWS
CELLS = ROWS * COLUMNS
# `colour` of each point: EMPTY or who + 1; `chain`: the first point of the chain a stone belongs to; `liberties`: there, counted once
# for every stone beside a liberty; `ko`: where the mover may not capture back; `last`: where the last stone was put; `passes`: in a row; `code`: a hash of the board
State = record(
    code=np.uint64,
    colour=(np.int8, CELLS),
    chain=(np.int16, CELLS),
    liberties=(np.int16, CELLS),
    ko=np.int16,
    last=np.int16,
    turn=np.int8,
    passes=np.int8,
)
PLAYERS = 2
PLAYER_NAMES = ("Black (X)", "White (O)")
MAX_MOVES = CELLS + 1
MAX_PLIES = 4 * CELLS + 64  # a game may be longer, playouts are not
REPETITION = FORBIDDEN
MOST = CELLS + abs(KOMI)
VALUES = (-MOST, MOST) if SCORE == "area" else (-1.0, 1.0)
COLOURS = {"X": "bold green", "O": "bold white"}

PASS = CELLS
BESIDE, CORNERS = neighbours(ROWS, COLUMNS, SIDEWAYS), neighbours(ROWS, COLUMNS, DIAGONALLY)
IMAGES = images(ROWS, COLUMNS)


def start(s):
    s.ko, s.last = NONE, NONE


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for cell in range(CELLS):
        if s.colour[cell] == EMPTY and cell != s.ko and can_live(s, cell, s.turn + 1, BESIDE):
            out[n] = cell
            n += 1
    out[n] = PASS
    return n + 1


def play(s, move):
    s.ko, s.last = NONE, NONE
    if move == PASS:
        s.passes += 1
        s.turn = OVER if s.passes == 2 else 1 - s.turn
        return
    mine, theirs = s.turn + 1, 2 - s.turn
    put(s, move, mine)
    captured, last = 0, NONE
    for i in range(4):
        cell = BESIDE[move, i]
        if cell != NONE and s.colour[cell] == theirs and s.liberties[s.chain[cell]] == 0:
            captured += take(s, s.chain[cell], theirs)
            last = cell
    if captured == 1 and s.liberties[s.chain[move]] == 1 and is_alone(s, move, BESIDE):
        s.ko = last
    s.last, s.passes, s.turn = move, 0, 1 - s.turn


# --- chains ---


def put(s, cell, mine):
    """Place a stone and join it to its chain; captures come afterwards."""
    free = 0
    for i in range(4):
        beside = BESIDE[cell, i]
        if beside != NONE:
            if s.colour[beside] == EMPTY:
                free += 1
            else:
                s.liberties[s.chain[beside]] -= 1
    s.colour[cell], s.chain[cell], s.liberties[cell] = mine, cell, free
    s.code ^= number_of(cell, mine)
    alone = True
    for i in range(4):
        beside = BESIDE[cell, i]
        if beside != NONE and s.colour[beside] == mine and s.chain[beside] != s.chain[cell]:
            if alone and s.chain[beside] < cell:
                s.liberties[s.chain[beside]] += free
                s.chain[cell], s.liberties[cell] = s.chain[beside], 0
            else:
                join(s, s.chain[beside], s.chain[cell])
            alone = False


def join(s, one, other):
    """Two chains become one."""
    first, second = min(one, other), max(one, other)
    s.liberties[first] += s.liberties[second]
    s.liberties[second] = 0
    for cell in range(second, CELLS):
        if s.colour[cell] != EMPTY and s.chain[cell] == second:
            s.chain[cell] = first


def take(s, chain, theirs):
    """Remove a chain; returns how many stones it had."""
    stones = 0
    for cell in range(chain, CELLS):
        if s.colour[cell] == theirs and s.chain[cell] == chain:
            s.colour[cell], s.chain[cell] = EMPTY, 0
            s.code ^= number_of(cell, theirs)
            stones += 1
            for i in range(4):
                beside = BESIDE[cell, i]
                if beside != NONE and s.colour[beside] == 3 - theirs:
                    s.liberties[s.chain[beside]] += 1
    return stones


def number_of(cell, colour):
    """The number of a stone in the hash of the board."""
    return hashing.mix(np.uint64(2 * cell + colour) * hashing.STEP)


# --- the score ---


def utility(s, player):
    points = area(s) - KOMI
    if SCORE == "win":
        points = 1.0 if points > 0 else -1.0 if points < 0 else 0.0
    return points if player == 0 else -points


def area(s):
    """Black's stones and territory less White's."""
    return float(owned(s.colour, BESIDE))


# --- knowledge for search ---


def evaluate(s, player):
    """The score if the game ended here, half a point for the move; as a chance of winning, x / (CELLS / 8 + 1 + |x|)."""
    x = area(s) - KOMI + (0.5 if s.turn == 0 else -0.5)
    value = x / (CELLS / 8 + 1.0 + abs(x)) if SCORE == "win" else 0.99 * max(-MOST, min(MOST, x))
    return value if player == 0 else -value


def order(s, move):
    """The urgent points first; a pass late, and last what fills an eye of one's own."""
    if move == PASS:
        return -50.0
    return -100.0 if is_eye(s, move, s.turn + 1, BESIDE, CORNERS) else urgency(s, move, BESIDE)


def playout(s, out, rng):
    """An answer to the last move, or an urgent point, but no eye of one's own; a pass where there is none."""
    cell = chosen(s, out, rng, BESIDE, CORNERS)
    return PASS if cell == NONE else cell


def policy(s, moves, n, out):
    """By the look of the points; a pass hardly ever while there are others, and an eye of one's own is filled even less."""
    for i in range(n):
        out[i] = 1e-3 if moves[i] == PASS else promise(s, moves[i], BESIDE, CORNERS)


def key(s):
    return hashing.mix(s.code + np.uint64(s.turn + 2 + 4 * s.passes + 16 * (s.ko + 1)))


def situation(s):
    return s.code


def canonical(s):
    """Of the images that turning and mirroring give, the one with the smallest numbers."""
    best = least_image(s.colour, s.ko, IMAGES)
    s.last = NONE  # which is no part of the rules
    if best == 0:
        return
    before, ko = np.zeros(CELLS, np.int64), s.ko
    for cell in range(CELLS):
        before[cell] = s.colour[cell]
    for cell in range(CELLS):
        s.colour[cell] = before[IMAGES[best, cell]]
        if IMAGES[best, cell] == ko:
            s.ko = cell
    settle(s)


def settle(s):
    """Find chains, liberties and the hash from the stones; is there none without a liberty?"""
    stones = np.zeros(CELLS, np.int64)
    for cell in range(CELLS):
        stones[cell] = s.colour[cell]
        s.colour[cell], s.chain[cell], s.liberties[cell] = EMPTY, 0, 0
    s.code = np.uint64(0)
    for cell in range(CELLS):
        if stones[cell] != EMPTY:
            put(s, cell, stones[cell])
    for cell in range(CELLS):
        if s.colour[cell] != EMPTY and s.liberties[s.chain[cell]] == 0:
            return False
    return True


# --- for people ---


def show(s):
    width = len(str(ROWS))
    rows = [f"{row + 1:>{width}} {' '.join(glyph(s, row * COLUMNS + column) for column in range(COLUMNS))}" for row in range(ROWS)]
    return "\n".join([*reversed(rows), f"{' ' * width} {' '.join(LETTERS[:COLUMNS].lower())}", status(s)])


def glyph(s, cell):
    return ".XO"[s.colour[cell]]


def status(s):
    """What happens next."""
    if s.turn == OVER:
        points = area(s) - KOMI
        return "game over: " + (f"{'X' if points > 0 else 'O'} wins by {abs(points):g}" if points else "drawn")
    after = " after a pass" if s.passes else f" after {name(s, s.last)}" if s.last != NONE else ""
    return f"{'XO'[s.turn]} to move{after}{f', ko at {name(s, s.ko)}' if s.ko != NONE else ''}"


def read(text, s):
    said = parse(text, ROWS, COLUMNS)
    for cell, colour in enumerate(said.colours):
        s.colour[cell] = colour
    if not settle(s):
        raise InputError("a chain on the board has no liberty; it would have been captured")
    s.turn, s.passes = (OVER, 2) if said.side is None else (said.side, int(said.passed))
    s.ko, s.last = NONE, NONE
    if said.last is not None:
        if s.colour[said.last] != 2 - s.turn:
            raise InputError(f"{name(s, said.last)} cannot have been the last move: there is no stone of {'OX'[s.turn]}")
        s.last = said.last
    if said.ko is not None:
        if s.passes or s.colour[said.ko] != EMPTY or not any(is_ko(s, said.ko, beside) for beside in BESIDE[said.ko]):
            raise InputError(f"there is no ko at {name(s, said.ko)}: no single stone beside it was captured from there")
        s.ko = said.ko
    if said.words not in (status(s), status(s)[:1], "game over"):
        raise InputError(f"the board says '{said.words}', but by the rules it is '{status(s)}'")


def is_ko(s, cell, beside):
    """May the other side just have captured one stone at `cell` with the stone at `beside`?"""
    captured_by = 2 - s.turn
    if beside == NONE or s.colour[beside] != captured_by or not is_alone(s, beside, BESIDE) or s.liberties[beside] != 1:
        return False
    return all(s.colour[other] == captured_by for other in BESIDE[cell] if other != NONE)


def name(s, move):
    return "pass" if move == PASS else name_of(move, COLUMNS)


def resume(s, player):
    """A colour may move twice in a row, which is no pass of the other; and after two passes both may go on, as after one."""
    if player not in (0, 1):
        return False
    if s.turn != player:
        s.passes = 1 if s.turn == OVER else 0
        s.turn, s.ko, s.last = player, NONE, NONE
    return True


def draw(s):
    return picture(s.colour, s.ko, ROWS, COLUMNS)


# --- games on record ---


def write_game(transcript, s):
    points = area(s) - KOMI
    result = "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"
    return sgf.written(transcript, result if s.turn == OVER else "")
