"""Tic-tac-toe: three in a row wins.

Notation: squares are 1 to 9, row by row from the top left. A board is its rows, `X` for the first player: `X.O/.X./..O`.
"""

import numpy as np

from kibitz import OVER, InputError, record, svg

State = record(crosses=np.int16, noughts=np.int16, ply=np.int8)  # sets of squares; square 1 is the lowest bit
PLAYERS = 2
PLAYER_NAMES = ("X", "O")
MAX_MOVES = 9
MAX_PLIES = 9
VALUES = (-1.0, 1.0)
COLOURS = {"X": "bold red", "O": "bold blue"}

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
TURNED = (6, 3, 0, 7, 4, 1, 8, 5, 2)  # where each square goes in a quarter turn
MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def start(s):
    s.crosses, s.noughts, s.ply = 0, 0, 0


def player(s):
    return OVER if s.ply == 9 or has_line(s.crosses) or has_line(s.noughts) else s.ply & 1


def moves(s, out):
    taken, n = s.crosses | s.noughts, 0
    for square in range(9):
        if not taken >> square & 1:
            out[n] = square
            n += 1
    return n


def play(s, move):
    if s.ply & 1 == 0:
        s.crosses |= 1 << move
    else:
        s.noughts |= 1 << move
    s.ply += 1


def utility(s, player):
    if has_line(s.crosses):
        return 1.0 if player == 0 else -1.0
    if has_line(s.noughts):
        return 1.0 if player == 1 else -1.0
    return 0.0


def has_line(stones):
    for line in LINES:
        if stones & line == line:
            return True
    return False


def canonical(s):
    """Of the eight boards that turning and mirroring give, the one with the smallest pair of numbers."""
    crosses, noughts = s.crosses, s.noughts
    for i in range(8):
        crosses, noughts = moved(crosses, TURNED), moved(noughts, TURNED)
        if i == 4:
            crosses, noughts = moved(crosses, MIRRORED), moved(noughts, MIRRORED)
        if crosses < s.crosses or (crosses == s.crosses and noughts < s.noughts):
            s.crosses, s.noughts = crosses, noughts


def moved(stones, places):
    result = 0
    for square in range(9):
        if stones >> square & 1:
            result |= 1 << places[square]
    return result


# --- for people ---


def show(s):
    marks = ["X" if s.crosses >> i & 1 else "O" if s.noughts >> i & 1 else "." for i in range(9)]
    return "\n".join("".join(marks[row * 3 : row * 3 + 3]) for row in range(3))


def read(text, s):
    marks = "".join(text.replace("/", " ").split()).upper()
    if len(marks) != 9 or set(marks) - set("XO."):
        raise InputError("a board is 3 rows of 3 characters, each X, O or .")
    crosses, noughts = marks.count("X"), marks.count("O")
    if crosses - noughts not in (0, 1):
        raise InputError(f"{crosses} X and {noughts} O: X moves first, so X has as many as O or one more")
    s.crosses = sum(1 << i for i in range(9) if marks[i] == "X")
    s.noughts = sum(1 << i for i in range(9) if marks[i] == "O")
    s.ply = crosses + noughts
    if has_line(s.noughts if s.ply & 1 else s.crosses) and has_line(s.crosses if s.ply & 1 else s.noughts):
        raise InputError("both sides have a line; the game ended before")
    if has_line(s.crosses if s.ply & 1 == 0 else s.noughts):
        raise InputError("the player to move already has a line; the game ended before")


def name(s, move):
    return str(move + 1)


def cells(s, move):
    return (f"{move // 3},{move % 3}",)


def draw(s):
    board = svg.Board(3, 3)
    for row, line in enumerate(show(s).split("\n")):
        for column, mark in enumerate(line):
            board.square(row, column, "#fffdf5")
            if mark == ".":
                board.text(row, column, str(3 * row + column + 1), fill="#c9c4b4", size=0.3)
            else:
                board.text(row, column, mark, fill="#c22" if mark == "X" else "#22c", size=0.7)
    return board.render()
