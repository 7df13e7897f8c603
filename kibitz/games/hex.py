"""Hex: the first player joins top and bottom, the second left and right; every full board has exactly one winner.

The board is a rhombus of hexagons. A cell's neighbours are the two beside it in its row, the one above and the one to the right of that,
the one below and the one to the left of that. With `swap` the second player may take over the first stone instead of placing one: it
becomes his, mirrored on the long diagonal, and the first player moves again.

A board is the stones of each side, a word of bits for each row, and beside them those that are joined to the side's first edge (top or
left) already: a new stone can add to them, nothing takes away, and whoever has one of them on the far edge has won. So a move that joins
nothing costs nothing, and every stone is joined once.

The last move is there for playouts to answer it, where it tried to part two stones; the rules do not ask for it.

Notation: a move is a column and a row counted from the top left, `c2`, or `swap`. A board is its rows from the top, X for the first
player, and the side to move, perhaps with the last move: `O to move after c2`.
"""

import re

import numpy as np

from kibitz import OVER, InputError, bits, evaluation, hashing, parameter, random, record, scratch
from kibitz.games._hexagons import cells_around, picture

SIZE = parameter("size", 11, low=1, high=19, about="cells in a row and in a column")
SWAP = parameter("swap", False, about="may the second player take over the first stone?")

CELLS = SIZE * SIZE
# `code`: a hash of the stones; `joined`: the stones of each side that are joined to its first edge; `last`: the cell that was taken last
BOARD = (np.int32, (2, SIZE))  # of each side, a word of bits for each row
State = record(code=np.uint64, stones=BOARD, joined=BOARD, placed=np.int16, last=np.int16, turn=np.int8, winner=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("Red (X)", "Blue (O)")
MAX_MOVES = CELLS + (1 if SWAP else 0)
MAX_PLIES = MAX_MOVES
VALUES = (-1.0, 1.0)
COLOURS = {"X": "bold red", "O": "bold blue"}

TAKE_OVER = CELLS  # the move
FULL = (1 << SIZE) - 1
FAR = 1 << (SIZE - 1)  # the last column
LETTERS = "abcdefghijklmnopqrs"[:SIZE]
NONE, EDGES, CORNER = -1, (-2, -3), -4  # no cell; beyond the first player's edges, and the second's; beyond both
AROUND = cells_around(SIZE, EDGES, CORNER)


def start(s):
    s.turn, s.last = 0, NONE


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for row in range(SIZE):
        empty = FULL & ~(s.stones[0, row] | s.stones[1, row])
        n = bits.list_members(out, n, row * SIZE, np.uint64(empty))
    if SWAP and s.placed == 1 and s.turn == 1:
        out[n] = TAKE_OVER
        n += 1
    return n


def play(s, move):
    if move == TAKE_OVER:
        take_over(s)
    else:
        put(s, s.turn, move)
        s.placed += 1
        touch(s, s.turn, move // SIZE, 1 << (move % SIZE))
        s.last = move
    if has_won(s, s.turn):
        s.turn, s.winner, s.last = OVER, s.turn, NONE
    else:
        s.turn = 1 - s.turn


def take_over(s):
    """The first player's one stone becomes the second's, mirrored."""
    first = only_stone(s)
    mirrored = first % SIZE * SIZE + first // SIZE
    put(s, 0, first)
    put(s, 1, mirrored)
    s.joined[0, first // SIZE] = 0
    touch(s, 1, first % SIZE, 1 << (first // SIZE))
    s.last = mirrored


def put(s, side, cell):
    """Place a stone, or take away the one that is there."""
    s.stones[side, cell // SIZE] ^= 1 << (cell % SIZE)
    s.code ^= hashing.mix(np.uint64(side * CELLS + cell + 1) * hashing.STEP)


def only_stone(s):
    """Where the first player's one stone is."""
    for row in range(SIZE):
        if s.stones[0, row] != 0:
            return row * SIZE + bits.lowest(np.uint64(s.stones[0, row]))
    return 0


def utility(s, player):
    return 1.0 if player == s.winner else -1.0


# --- joined to the first edge ---


def touch(s, side, row, stone):
    """A new stone: is it joined to the first edge, and what with it?"""
    at_edge = row == 0 if side == 0 else stone == 1
    if not at_edge and around(s.joined, side, row) & stone == 0:
        return
    s.joined[side, row] |= stone
    while True:
        grown = 0
        for i in range(2 * SIZE):  # down the board and up again
            grown += grow(s, side, i if i < SIZE else 2 * SIZE - 1 - i)
        if grown == 0:
            return


def grow(s, side, row):
    """Join the stones of one row that are beside joined ones; were there any?"""
    before = s.joined[side, row]
    now, following = -1, (before | around(s.joined, side, row)) & s.stones[side, row]
    while now != following:
        now = following
        following = (now | now << 1 | now >> 1) & s.stones[side, row]
    s.joined[side, row] = now
    return 1 if now != before else 0


def around(rows, side, row):
    """The cells of a row that are neighbours of cells in `rows`."""
    cells = rows[side, row] << 1 | rows[side, row] >> 1
    if row > 0:
        cells |= rows[side, row - 1] | rows[side, row - 1] >> 1
    if row < SIZE - 1:
        cells |= rows[side, row + 1] | rows[side, row + 1] << 1
    return cells & FULL


def has_won(s, side):
    """Is a stone on the far edge joined to the first?"""
    if side == 0:
        return s.joined[0, SIZE - 1] != 0
    for row in range(SIZE):
        if s.joined[1, row] & FAR != 0:
            return True
    return False


# --- knowledge for search ---


def evaluate(s, player):
    """How many more stones than the mover the other needs to join his edges if nobody hinders, x, as x / (3 + |x|); being on move is one half."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    x = missing(s, 1 - s.turn) - missing(s, s.turn) + 0.5
    value = x / (3.0 + abs(x))
    return value if player == s.turn else -value


def missing(s, side):
    """The fewest empty cells that would join a side's edges."""
    reached, before = scratch(s.joined), scratch(s.joined)  # the first row of each
    for row in range(SIZE):
        reached[0, row] = s.joined[side, row]
    for cells in range(CELLS + 1):
        if arrived(reached, side):
            return cells
        for row in range(SIZE):
            before[0, row] = reached[0, row]
        for row in range(SIZE):  # one cell further, empty or not the other side's
            edge = (FULL if row == 0 else 0) if side == 0 else 1
            reached[0, row] |= (around(before, 0, row) | edge) & ~s.stones[1 - side, row]
        follow_stones(s, reached, side)
    return CELLS


def follow_stones(s, reached, side):
    """Add the stones of a side that are joined to what is reached."""
    grown = 1
    while grown != 0:
        grown = 0
        for row in range(SIZE):
            following = reached[0, row] | (around(reached, 0, row) & s.stones[side, row])
            if following != reached[0, row]:
                reached[0, row] = following
                grown = 1


def arrived(reached, side):
    """Is the far edge reached?"""
    if side == 0:
        return reached[0, SIZE - 1] != 0
    for row in range(SIZE):
        if reached[0, row] & FAR != 0:
            return True
    return False


def order(s, move):
    """Beside stones, of either side, and near the centre; a stone that is taken over last: one sees what it is worth by searching."""
    if move == TAKE_OVER:
        return -100.0
    row, cell = move // SIZE, 1 << (move % SIZE)
    beside = 0
    for side in range(2):
        if around(s.stones, side, row) & cell != 0:
            beside += 1
    return 2.0 * beside - abs(2 * row - SIZE + 1) / SIZE - abs(2 * (move % SIZE) - SIZE + 1) / SIZE


def playout(s, out, rng):
    """The cell that keeps a bridge which the last stone went between: empty, with our stones or our edge on both sides around it. Else any."""
    n = 0
    if s.last != NONE:
        for i in range(6):
            cell = AROUND[s.last, i]
            if cell >= 0 and is_empty(s, cell) and holds(s, AROUND[s.last, (i + 5) % 6]) and holds(s, AROUND[s.last, (i + 1) % 6]):
                out[n] = cell
                n += 1
    if n > 0 or (SWAP and s.placed == 1 and s.turn == 1):
        return out[random.below(rng, n if n > 0 else moves(s, out))]
    while True:  # it takes few draws for most of a game
        cell = random.below(rng, CELLS)
        if is_empty(s, cell):
            return cell


def is_empty(s, cell):
    return (s.stones[0, cell // SIZE] | s.stones[1, cell // SIZE]) >> (cell % SIZE) & 1 == 0


def holds(s, cell):
    """Is there a stone of the side to move, or its edge?"""
    return s.stones[s.turn, cell // SIZE] >> (cell % SIZE) & 1 == 1 if cell >= 0 else cell == EDGES[s.turn]


def key(s):
    return s.code ^ np.uint64(s.turn + 1)


def canonical(s):
    """Of the board and the same turned by half, the one with the smaller numbers."""
    s.last = NONE  # which is no part of the rules
    for side in range(2):
        for row in range(SIZE):
            turned = reversed_row(s.stones[side, SIZE - 1 - row])
            if turned != s.stones[side, row]:
                if turned < s.stones[side, row]:
                    turn_by_half(s)
                return


def turn_by_half(s):
    for side in range(2):
        for row in range((SIZE + 1) // 2):
            upper, lower = s.stones[side, row], s.stones[side, SIZE - 1 - row]
            s.stones[side, row], s.stones[side, SIZE - 1 - row] = reversed_row(lower), reversed_row(upper)
    settle(s)


def reversed_row(cells):
    """Left and right exchanged."""
    turned = 0
    for column in range(SIZE):
        turned |= (cells >> column & 1) << (SIZE - 1 - column)
    return turned


def settle(s):
    """Find everything else from the stones."""
    s.code, s.placed = np.uint64(0), 0
    for side in range(2):
        for row in range(SIZE):
            s.joined[side, row] = 0
    for side in range(2):
        for row in range(SIZE):
            s.placed += bits.popcount(np.uint64(s.stones[side, row]))
            for column in range(SIZE):
                stone = 1 << column
                if s.stones[side, row] & stone != 0:
                    s.code ^= hashing.mix(np.uint64(side * CELLS + row * SIZE + column + 1) * hashing.STEP)
                    if s.joined[side, row] & stone == 0:
                        touch(s, side, row, stone)


# --- for people ---


def show(s):
    width = len(str(SIZE))
    rows = [f"{' ' * row}{row + 1:>{width}}  {' '.join(glyph(s, row, column) for column in range(SIZE))}" for row in range(SIZE)]
    return "\n".join([f"{' ' * (width + 1)}{' '.join(LETTERS)}", *rows, status(s)])


def glyph(s, row, column):
    return "X" if s.stones[0, row] >> column & 1 else "O" if s.stones[1, row] >> column & 1 else "."


def status(s):
    """What happens next."""
    if s.turn == OVER:
        return f"{'XO'[s.winner]} has won"
    return f"{'XO'[s.turn]} to move{'' if s.last == NONE else f' after {name(s, s.last)}'}"


def read(text, s):
    found = re.search(r"([XO])(?: to move(?: after ([a-s])(\d+))?| has won)?\s*$", text)
    if not found:
        raise InputError("after the board comes the side to move: 'X to move' or 'O to move'")
    words = text[: found.start()].replace("/", " ").split()
    cells = "".join(word for word in words if not re.fullmatch(r"[a-s]|\d+", word))
    if len(cells) != CELLS or set(cells) - set("XO."):
        raise InputError(f"a board is {SIZE} rows of {SIZE} cells, each X, O or ., and then the side to move; there are {len(cells)} cells")
    for cell, mark in enumerate(cells):
        if mark != ".":
            s.stones["XO".index(mark), cell // SIZE] |= 1 << (cell % SIZE)
    settle(s)
    s.turn, s.last = "XO".index(found[1]), NONE
    if found[2]:
        s.last = last_move(s, found[2], int(found[3]))
    won = [has_won(s, side) for side in (0, 1)]
    said = found[0].strip()
    if "won" in said and True not in won:
        raise InputError(f"the board says '{said}', but nobody has joined his edges")
    if True in won:
        s.turn, s.winner, s.last = OVER, won.index(True), NONE
        if "won" not in said and said[0] != "XO"[s.winner]:
            said = status(s)  # the loser would have been next
    check_counts(cells.count("X"), cells.count("O"), 1 - s.winner if s.turn == OVER else s.turn)
    if said not in (status(s), status(s)[0] if s.turn != OVER else ""):
        raise InputError(f"the board says '{said}', but by the rules it is '{status(s)}'")


def last_move(s, letter, row):
    """The cell, where the other side has a stone on it."""
    if letter not in LETTERS or not 1 <= row <= SIZE or s.stones[1 - s.turn, row - 1] >> LETTERS.index(letter) & 1 == 0:
        raise InputError(f"{letter}{row} cannot have been the last move: there is no stone of {'OX'[s.turn]}")
    return (row - 1) * SIZE + LETTERS.index(letter)


def check_counts(first, second, turn):
    """The players take turns; after a swap the second has one stone more."""
    ahead = first - second
    usual, swapped = ahead == turn, SWAP and ahead == turn - 1 and second > 0
    if not usual and not swapped:
        raise InputError(f"{first} X and {second} O cannot be: the players take turns, X first, and {'XO'[turn]} is next")


def name(s, move):
    return "swap" if move == TAKE_OVER else f"{LETTERS[move % SIZE]}{move // SIZE + 1}"


def draw(s):
    return picture([[glyph(s, row, column) for column in range(SIZE)] for row in range(SIZE)])
