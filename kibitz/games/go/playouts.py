"""Moves for playouts of Go that answer the last move, after Gelly, Wang, Munos and Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go" (2006).

In this order: capture the stone just played, or save a chain that it put in atari; play a point beside it where the stones around form a shape that calls for
a move (hane, cut, or at the edge); else the most urgent of a few points drawn anywhere. Eyes of one's own are never filled.
"""

import itertools

import numpy as np

from kibitz import random
from kibitz.games.go.board import EMPTY, NONE
from kibitz.games.go.chains import can_live, is_eye, is_last_liberty, last_liberty

TRIED = 3  # points that a move is chosen from where nothing is to be answered
EYE = 1e-6  # the weight of a point that only fills an eye of one's own
SAVES, CAPTURES, RISKY = 10.0, 20.0, -45.0  # what makes a point urgent, or not

# The middle is the point to play on. X and O: stones, either colour's; x: no X; o: no O; _: off the board; ?: anything.
SHAPES = (
    ("XOX", "...", "???"),
    ("XO.", "...", "?.?"),
    ("XO?", "X..", "x.?"),
    (".O.", "X..", "..."),
    ("XO?", "O.o", "?o?"),
    ("XO?", "O.X", "???"),
    ("?X?", "O.O", "ooo"),
    ("OX?", "o.O", "???"),
    ("X.?", "O.?", "___"),
    ("OX?", "X.O", "___"),
    ("?X?", "x.O", "___"),
    ("?XO", "x.x", "___"),
    ("?OX", "X.O", "___"),
)
MEANT = {"X": "X", "O": "O", ".": ".", "_": "_", "x": ".O_", "o": ".X_", "?": ".XO_"}
AROUND = (
    (1, 2),
    (2, 1),
    (1, 0),
    (0, 1),
    (2, 2),
    (2, 0),
    (0, 2),
    (0, 0),
)  # rows and columns of a shape: SIDEWAYS, then DIAGONALLY, rows upwards


def shape_table():
    """For each arrangement of the eight points around one, two bits a point (empty, Black, White, off the board): does it call for a move?"""
    found = np.zeros(1 << 16, np.int8)
    for shape in SHAPES:
        rows = shape[::-1]
        for image in images(rows):
            for words in itertools.product(*(MEANT[image[row][column]] for row, column in AROUND)):
                codes = [".XO_".index(word) for word in words]
                found[number_of(codes)] = 1
                found[number_of([(0, 2, 1, 3)[code] for code in codes])] = 1  # with the colours exchanged
    return found


def images(rows):
    """A shape turned and mirrored, all eight ways."""
    for _ in range(4):
        rows = tuple("".join(row[i] for row in reversed(rows)) for i in range(3))
        yield rows
        yield rows[::-1]


def number_of(codes):
    return sum(code << (2 * i) for i, code in enumerate(codes))


CALLS = shape_table()

# --- kernels ---


def chosen(s, out, rng, beside, corners):
    """A point to play on; -1 where every empty one is an eye of one's own, or cannot be played on."""
    if s.last != NONE:
        answer = forced(s, rng, beside)
        if answer == NONE:
            answer = shaped(s, out, rng, beside, corners)
        if answer != NONE:
            return answer
    n = 0
    for cell in range(s.colour.shape[0]):
        if s.colour[cell] == EMPTY:
            out[n] = cell
            n += 1
    best, highest, tried = NONE, -np.inf, 0
    while n > 0 and tried < TRIED:
        i = random.below(rng, n)
        n -= 1
        cell = out[i]
        out[i] = out[n]
        if cell != s.ko and not is_eye(s, cell, s.turn + 1, beside, corners) and can_live(s, cell, s.turn + 1, beside):
            tried += 1
            value = urgency(s, cell, beside)
            if value > highest:
                best, highest = cell, value
    return best


def forced(s, rng, beside):
    """Capture the stone just played, or save one of the chains beside it that are in atari; NONE where there is nothing of the kind."""
    captures = last_liberty(s, s.chain[s.last], beside)
    if captures != NONE and captures != s.ko:
        return captures
    turn = random.below(rng, 4)
    for i in range(4):
        near = beside[s.last, (i + turn) & 3]
        if near != NONE and s.colour[near] == s.turn + 1:
            cell = last_liberty(s, s.chain[near], beside)
            if cell != NONE and cell != s.ko and urgency(s, cell, beside) >= SAVES and can_live(s, cell, s.turn + 1, beside):
                return cell
    return NONE


def shaped(s, out, rng, beside, corners):
    """Any of the points around the last move whose surroundings call for a move; NONE where there is none."""
    n = 0
    for i in range(8):
        cell = beside[s.last, i] if i < 4 else corners[s.last, i - 4]
        if cell != NONE and s.colour[cell] == EMPTY and cell != s.ko and CALLS[surroundings(s, cell, beside, corners)] != 0:
            if can_live(s, cell, s.turn + 1, beside) and urgency(s, cell, beside) >= 0.0:
                out[n] = cell
                n += 1
    return out[random.below(rng, n)] if n > 0 else NONE


def surroundings(s, cell, beside, corners):
    """The number of the arrangement around a point: see `shape_table`."""
    code = 0
    for i in range(4):
        near, corner = beside[cell, i], corners[cell, i]
        code |= (3 if near == NONE else s.colour[near]) << (2 * i)
        code |= (3 if corner == NONE else s.colour[corner]) << (2 * i + 8)
    return code


def urgency(s, cell, beside):
    """Captures, then what saves stones in atari, then points beside stones; least of all a stone that could be captured at once."""
    mine = s.turn + 1
    value, free = 0.0, 0  # `free`: liberties that the stone would have, about
    for i in range(4):
        near = beside[cell, i]
        if near == NONE:
            continue
        if s.colour[near] == EMPTY:
            free += 1
            continue
        value += 1.0
        last = is_last_liberty(s, cell, s.chain[near], beside)
        if s.colour[near] != mine:
            value += CAPTURES if last else 0.0
            free += 1 if last else 0
        elif last:
            value += SAVES
        else:
            free += 2
    return value if free > 1 else value + RISKY


def promise(s, cell, beside, corners):
    """How likely a stone is to be put here, by the look of it: captures and saves first, shapes around the last move, near it; seldom at the edge, or into atari."""
    if is_eye(s, cell, s.turn + 1, beside, corners):
        return EYE
    value, weight = urgency(s, cell, beside), 1.0
    if value < 0.0:
        weight = 0.05
    elif value >= SAVES:
        weight = 8.0 if value >= CAPTURES else 4.0
    elif value == 0.0:
        weight = at_edge(cell, beside)
    if s.last != NONE and is_near(s.last, cell, beside, corners):
        weight *= 4.0 if CALLS[surroundings(s, cell, beside, corners)] != 0 else 2.0
    return weight


def at_edge(cell, beside):
    """Less than 1 for a point on the first or the second line that nothing is beside."""
    for i in range(4):
        if beside[cell, i] == NONE:
            return 0.1
    for i in range(4):
        if beside[beside[cell, i], i] == NONE:
            return 0.5
    return 1.0


def is_near(one, other, beside, corners):
    """Is the one point beside the other, or diagonally so?"""
    for i in range(4):
        if beside[one, i] == other or corners[one, i] == other:
            return True
    return False
