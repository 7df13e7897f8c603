"""EinStein würfelt nicht!: a die says which of your numbered pieces may move; reach the far corner or capture everything.

Each side has six pieces, numbered 1 to 6, in a triangle at its corner of a board of 5 by 5 squares (a triangle as large as fits on boards of
other sizes, and a die with as many sides as it has pieces). Before each move the mover rolls. The piece with that number moves; if it is
gone, the nearest higher or the nearest lower number still on the board does, as the mover likes. A piece steps one square towards the far
corner: sideways, up or down, or diagonally. It captures whatever stands there, its own side's pieces too. There is always a move. The
first player, X, starts at the top left.

Who stands where at the start is up to `setup`: `chance` (all arrangements alike), `choice` (each player arranges his own, X first), or it
is given as the numbers on the six squares, row by row seen from the owner's corner, once for both sides or for X and O: `123456`,
`615243/123456`. An arrangement is made number by number, so a set-up is a few small steps and not one of 720.

After a roll the state holds what may move and not the number rolled: rolls that come to the same lead to the same position, and a table
searches it once. With `dice=merged` chance itself offers such rolls as one outcome with their joint weight. Turning the board over its
diagonal, and numbering either side's pieces from the other end, change nothing: `canonical` picks one of the eight.

Notation: a roll is its number, `4`, or all that come to the same, `2-5`. A move is the piece and where it goes, `3c2`, with an x where it
captures: `3xc2`. In a set-up the number put on the next square. A board is its rows from the top, `X3` a piece and `..` an empty square,
and what happens next: `X to roll`, `X rolled 4` or `X moves 3 or 6`, `X has won`.
"""

import math
from itertools import product

import numpy as np

from kibitz import CHANCE, OVER, UNIFORM, WEIGHTED, InputError, evaluation, parameter, random, record, svg
from kibitz.games.ewn.notation import arrangement, parse
from kibitz.games.ewn.steps import movable, ways
from kibitz.games.ewn.symmetry import GONE, NONE, TURN_OVER, make_smallest

SIZE = parameter("size", 5, low=3, high=6, about="squares in a row and in a column")
SETUP = parameter("setup", "chance", about="chance, choice, or the numbers on the first squares: 123456 or 123456/615243")
DICE = parameter("dice", "each", choices=("each", "merged"), about="chance outcomes: each roll, or rolls that come to the same as one")

LEG = (SIZE + 1) // 2  # squares on a side of the triangle
PIECES = LEG * (LEG + 1) // 2
PLACED = 2 * PIECES
LAST = SIZE * SIZE - 1
MERGED, CHOICE = DICE == "merged", SETUP == "choice"

# `at`: the square of each piece; `turn`: whose move, roll or placing is next; `low`, `high`: the pieces that may move, NONE before the
# roll; `placed`: how many pieces of the set-up stand
State = record(at=(np.int8, (2, PIECES)), turn=np.int8, low=np.int8, high=np.int8, placed=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("Red (X)", "Blue (O)")
MAX_MOVES = max(6, PIECES)
MAX_OUTCOMES = PIECES
CHANCE_KIND = WEIGHTED if MERGED else UNIFORM
HOME = tuple(row * SIZE + column for row in range(LEG) for column in range(LEG - row))  # X's squares; O's are LAST less these
STEPS = sum(2 * (SIZE - 1) - square // SIZE - square % SIZE - 1 for square in HOME)  # one side's, all pieces, short of the corner
MAX_PLIES = 2 * (2 * STEPS + 1) + 2 * (PIECES - 1)  # a roll with every step, the step that wins, and the set-up
VALUES = (-1.0, 1.0)
GRAIN = 2.0
COLOURS = {"X": "bold red", "O": "bold blue"}

SIDEWAYS, DOWN, DIAGONAL = 0, 1, 2
STRIDES = (1, SIZE, SIZE + 1)  # of X; O goes the other way
WAYS, WAY = ways(SIZE, (DIAGONAL, SIDEWAYS, DOWN))
MOVABLE = movable(PIECES)
LETTERS = "abcdef"[:SIZE]
GIVEN = SETUP not in ("chance", "choice")
STANDING = ((GONE,) * PIECES,) * 2
if GIVEN:
    X_PLACES, O_PLACES = arrangement(SETUP, PIECES)
    STANDING = (tuple(HOME[place] for place in X_PLACES), tuple(LAST - HOME[place] for place in O_PLACES))


def start(s):
    for piece in range(PIECES):
        s.at[0, piece], s.at[1, piece] = STANDING[0][piece], STANDING[1][piece]
    s.turn, s.low, s.high = 0, NONE, NONE
    s.placed = PLACED if GIVEN else 0


def player(s):
    if s.turn == OVER:
        return OVER
    if s.placed < PLACED:
        return s.turn if CHOICE else CHANCE
    return CHANCE if s.low == NONE else s.turn


def moves(s, out):
    """A move of a piece is three times its number (from 0) plus the direction."""
    if s.placed < PLACED:
        return unplaced(s, out)
    n = steps_of(s, s.low, out, 0)
    return n if s.high == s.low else steps_of(s, s.high, out, n)


def steps_of(s, piece, out, n):
    """Add the moves of one piece, the diagonal one first."""
    square = s.at[s.turn, piece]
    for i in range(WAYS[s.turn, square]):
        out[n + i] = 3 * piece + WAY[s.turn, square, i]
    return n + WAYS[s.turn, square]


def pick(s, out, rng):
    """Any move, without listing them."""
    if s.placed < PLACED:
        return out[random.below(rng, unplaced(s, out))]
    piece, square = s.low, s.at[s.turn, s.low]
    first = WAYS[s.turn, square]
    i = random.below(rng, first if s.high == s.low else first + WAYS[s.turn, s.at[s.turn, s.high]])
    if i >= first:
        i, piece, square = i - first, s.high, s.at[s.turn, s.high]
    return 3 * piece + WAY[s.turn, square, i]


def unplaced(s, out):
    """The numbers of the side being set up that do not stand yet."""
    n = 0
    for piece in range(PIECES):
        if s.at[s.turn, piece] == GONE:
            out[n] = piece
            n += 1
    return n


def outcomes(s, out, weights):
    """In a set-up a number for the next square, else the roll, a number from 0; merged, the lowest of those that come to the same."""
    n = 0
    if s.placed < PLACED:
        n = unplaced(s, out)
        for i in range(n):
            weights[i] = 1.0
        return n
    if not MERGED:
        for roll in range(PIECES):
            out[roll], weights[roll] = roll, 1.0
        return PIECES
    low, high, left = NONE, NONE, on_board(s)
    for roll in range(PIECES):
        before, after = MOVABLE[left, roll, 0], MOVABLE[left, roll, 1]
        if n > 0 and before == low and after == high:
            weights[n - 1] += 1.0
        else:
            out[n], weights[n] = roll, 1.0
            n += 1
        low, high = before, after
    return n


def on_board(s):
    """The pieces of the side to move that are left, as a set of bits."""
    left = 0
    for piece in range(PIECES):
        left |= (1 if s.at[s.turn, piece] != GONE else 0) << piece
    return left


def nearest(s, roll, step):
    """The piece with the number rolled, or the nearest that is left in the direction of `step`; where none is left there, the other way."""
    return MOVABLE[on_board(s), roll, 0 if step < 0 else 1]


def play(s, move):
    if s.placed < PLACED:
        place(s, move)
    elif s.low == NONE:
        left = on_board(s)
        s.low, s.high = MOVABLE[left, move, 0], MOVABLE[left, move, 1]
    else:
        step(s, move // 3, target_of(s, move))


def place(s, piece):
    """Put a number on the next square; the last one follows by itself."""
    mirror = LAST if s.turn == 1 else 0
    s.at[s.turn, piece] = abs(mirror - HOME[s.placed - s.turn * PIECES])
    s.placed += 1
    if s.placed == PIECES - 1 or s.placed == PLACED - 1:
        for other in range(PIECES):
            if s.at[s.turn, other] == GONE:
                s.at[s.turn, other] = abs(mirror - HOME[PIECES - 1])
        s.placed += 1
        s.turn = 1 - s.turn


def target_of(s, move):
    """The square a move goes to."""
    stride = STRIDES[move % 3]
    return s.at[s.turn, move // 3] + (stride if s.turn == 0 else -stride)


def step(s, piece, target):
    """Move a piece of the side to move; whatever stands on the target is gone."""
    left = 0
    for other in range(PIECES):  # without branches: six squares are compared at once
        mine, theirs = s.at[s.turn, other], s.at[1 - s.turn, other]
        mine, theirs = GONE if mine == target else mine, GONE if theirs == target else theirs
        s.at[s.turn, other], s.at[1 - s.turn, other] = mine, theirs
        left += 1 if theirs != GONE else 0
    s.at[s.turn, piece] = target
    s.low, s.high = NONE, NONE
    s.turn = OVER if left == 0 or target == corner(s.turn) else 1 - s.turn


def corner(side):
    """The square a side wants to reach."""
    return LAST if side == 0 else 0


def utility(s, player):
    return 1.0 if has_won(s, player) else -1.0


def has_won(s, side):
    """Has this side a piece in its far corner, or the other side none left?"""
    left = 0
    for piece in range(PIECES):
        if s.at[side, piece] == corner(side):
            return True
        if s.at[1 - side, piece] != GONE:
            left += 1
    return left == 0


# --- knowledge for search ---


def determinacy(s, move):
    """The chance that a roll lets the mover make this move: one number, and each missing one next to it in an unbroken row."""
    if s.placed < PLACED:
        return 1.0
    piece, numbers = move // 3, 1
    above, below = piece + 1, piece - 1
    while above < PIECES and s.at[s.turn, above] == GONE:
        above, numbers = above + 1, numbers + 1
    while below >= 0 and s.at[s.turn, below] == GONE:
        below, numbers = below - 1, numbers + 1
    return numbers / PIECES


def order(s, move):
    """A step into the corner, then captures of the other side's pieces, then the pieces that are nearest to the corner, diagonally first."""
    if s.placed < PLACED:
        return 0.0
    target = target_of(s, move)
    if target == corner(s.turn):
        return 100.0
    value = -float(distance(target, s.turn))
    for piece in range(PIECES):
        if s.at[1 - s.turn, piece] == target:
            value += 20.0
    return value + (0.5 if move % 3 == DIAGONAL else 0.0)


def distance(square, side):
    """Steps to the far corner, at least."""
    row, column = square // SIZE, square % SIZE
    return SIZE - 1 - min(row, column) if side == 0 else max(row, column)


def evaluate(s, player):
    """Twice the chance of winning less 1: the chance to reach the corner at once, and for the rest a guess from how the sides stand."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    if s.placed < PLACED:
        return 0.0
    at_once = chance_to_arrive(s)
    x = STANDING_WEIGHT * (standing(s, s.turn) - standing(s, 1 - s.turn)) + MOVE_WEIGHT
    value = at_once + (1.0 - at_once) * SURE * math.tanh(0.5 * x)
    value = min(value, SURE)
    return value if player == s.turn else -value


# Fitted to 20,000 games in which both sides look one move ahead: a mean log loss of 0.645, against 0.693 for knowing nothing
STANDING_WEIGHT, MOVE_WEIGHT = 7.6, 0.15
SURE = 0.999  # nothing is certain before the end


def standing(s, side):
    """How near a side's pieces are to their corner, each twice as much for a step, and by the chance that a roll lets it move."""
    total, below = 0.0, -1
    for piece in range(PIECES):
        if s.at[side, piece] != GONE:
            above = piece + 1
            while above < PIECES and s.at[side, above] == GONE:
                above += 1
            total += (above - below - 1) / PIECES * 0.5 ** distance(s.at[side, piece], side)
            below = piece
    return total


def chance_to_arrive(s):
    """The chance that the mover reaches the corner with this move."""
    if s.low != NONE:
        return 1.0 if arrives(s, s.low) or arrives(s, s.high) else 0.0
    rolls = 0
    for roll in range(PIECES):
        if arrives(s, nearest(s, roll, -1)) or arrives(s, nearest(s, roll, 1)):
            rolls += 1
    return rolls / PIECES


def arrives(s, piece):
    return distance(s.at[s.turn, piece], s.turn) == 1


def canonical(s):
    make_smallest(s, SIZE, 8 if s.placed == PLACED else TURN_OVER)  # a set-up follows the rows, so the board stays as it is


# --- for people ---


def show(s):
    pieces = {int(s.at[side, piece]): f"{'XO'[side]}{piece + 1}" for side in (0, 1) for piece in range(PIECES)}
    rows = [f"{SIZE - row} {' '.join(pieces.get(row * SIZE + column, '..') for column in range(SIZE))}" for row in range(SIZE)]
    return "\n".join([*rows, f"  {'  '.join(LETTERS)}", status(s)])


def status(s):
    """What happens next."""
    if s.turn == OVER:
        return f"{'X' if has_won(s, 0) else 'O'} has won"
    if s.placed < PLACED:
        return f"{'XO'[s.turn]} to be placed"
    if s.low == NONE:
        return f"{'XO'[s.turn]} to roll"
    return f"{'XO'[s.turn]} moves {s.low + 1}{f' or {s.high + 1}' if s.high != s.low else ''}"


def read(text, s):
    said = parse(text, SIZE, PIECES)
    s.at[:] = GONE
    for (side, piece), square in said.squares.items():
        s.at[side, piece] = square
    s.turn, s.low, s.high = said.side, NONE, NONE
    s.placed = len(said.squares) if said.in_set_up else PLACED
    if said.in_set_up:
        squares = [*HOME, *(LAST - square for square in HOME)][: s.placed]
        if GIVEN or sorted(squares) != sorted(said.squares.values()) or not 0 <= s.placed - s.turn * PIECES < PIECES - 1:
            raise InputError(f"a set-up fills the squares row by row from the owner's corner, X's first, and ends by itself; setup={SETUP}")
    else:
        read_what_is_next(s, said)


def read_what_is_next(s, said):
    """The rest of a board in play, judged by the rules."""
    won = [has_won(s, side) for side in (0, 1)]
    if won[0] and won[1]:
        raise InputError("both sides have won; the game ended before")
    if won[0] or won[1]:
        s.turn = OVER
    elif said.movable:
        low, high = said.movable
        s.low, s.high = nearest(s, low, -1), nearest(s, high, 1)
        if any(s.at[s.turn, piece] != GONE for piece in range(low + 1, high)):
            raise InputError(f"'{said.words}': no roll lets both of them move, a piece between them is still there")
    if said.words != status(s) and not (said.rolled and s.turn != OVER):
        raise InputError(f"the board says '{said.words}', but by the rules it is '{status(s)}'")


def name(s, move):
    if s.placed < PLACED:
        return str(move + 1)
    if s.low == NONE:
        return roll_name(s, move)
    target = target_of(s, move)
    takes = any(target == square for side in s.at.tolist() for square in side)
    return f"{move // 3 + 1}{'x' if takes else ''}{LETTERS[target % SIZE]}{SIZE - target // SIZE}"


def roll_name(s, roll):
    last = roll
    same = (nearest(s, roll, -1), nearest(s, roll, 1))
    while MERGED and last + 1 < PIECES and (nearest(s, last + 1, -1), nearest(s, last + 1, 1)) == same:
        last += 1
    return str(roll + 1) if last == roll else f"{roll + 1}-{last + 1}"


def cells(s, move):
    squares = () if s.placed < PLACED or s.low == NONE else (s.at[s.turn, move // 3], target_of(s, move))
    return tuple(f"{LETTERS[square % SIZE]}{SIZE - square // SIZE}" for square in squares)


def draw(s):
    board = svg.Board(SIZE, SIZE, row_labels=[str(SIZE - row) for row in range(SIZE)], column_labels=LETTERS)
    fills = ("#c0392b", "#2b5f9e")
    for square in range(LAST + 1):
        board.square(*divmod(square, SIZE), "#e2c79a" if square in HOME or LAST - square in HOME else "#f3e3c3", stroke="#8a6233")
    for side in (0, 1):
        row, column = divmod(corner(side), SIZE)
        outer = 0.5 if column else -0.5
        board.polygon(
            [(row + outer, column + outer), (row + outer, column - outer), (row - outer, column + outer)], fills[side], stroke="none"
        )
    for side, piece in product((0, 1), range(PIECES)):
        if s.at[side, piece] != GONE:
            row, column = divmod(s.at[side, piece], SIZE)
            if side == s.turn and piece in (s.low, s.high):
                board.disc(row, column, "#ffd21f", size=0.47, stroke="none")
            board.disc(row, column, fills[side], size=0.39)
            board.text(row, column, str(piece + 1), fill="#fff")
    return board.render()
