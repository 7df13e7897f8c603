"""Blind tic-tac-toe: three in a row wins, and players do not see each other's marks.

A player names a square. If the other's mark is there already, the umpire says so to both: the turn does not change, and the player knows that mark from
then on. Otherwise the mark is made, and the other player is not told where. The umpire announces a line and a full board.

Notation: squares are 1 to 9, row by row from the top left. A board is its rows, `X` for the first player: `X.O/.X./..O`, then for each player the squares
where he knows of the other's mark, `-` for none: `X.O/.X./..O 3 -`.
"""

import numpy as np

from kibitz import OVER, InputError, bits, record, svg

State = record(
    marks=(np.int16, 2), known=(np.int16, 2), turn=np.int8
)  # sets of squares, square 1 the lowest bit; `known`: of the other's marks
PLAYERS = 2
PLAYER_NAMES = ("X", "O")
MAX_MOVES = 9
MAX_PLIES = 17  # nine marks, and one vain try for each of the other's marks that is on the board before one's own last
VALUES = (-1.0, 1.0)
COLOURS = {"X": "bold red", "O": "bold blue"}

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
ALL = 0o777
TAKEN, LINE, FULL = 1, 2, 3  # percepts


def start(s):
    s.turn = 0


def player(s):
    return OVER if has_line(s.marks[0]) or has_line(s.marks[1]) or s.marks[0] | s.marks[1] == ALL else s.turn


def moves(s, out):
    """Squares that the mover does not know to be taken."""
    return bits.list_members(out, 0, 0, np.uint64(ALL & ~(s.marks[s.turn] | s.known[s.turn])))


def play(s, move):
    turn = s.turn
    if s.marks[1 - turn] >> move & 1:
        s.known[turn] |= 1 << move
    else:
        s.marks[turn] |= 1 << move
        s.turn = 1 - turn


def utility(s, player):
    if has_line(s.marks[player]):
        return 1.0
    return -1.0 if has_line(s.marks[1 - player]) else 0.0


def percept(before, move, after, observer):
    if after.turn == before.turn:
        return TAKEN
    if has_line(after.marks[before.turn]):
        return LINE
    return FULL if after.marks[0] | after.marks[1] == ALL else 0


def has_line(marks):
    for line in LINES:
        if marks & line == line:
            return True
    return False


# --- for people ---


def announce(percept, observer):
    return {TAKEN: "taken", LINE: "line", FULL: "full"}[percept]


def letters(s, observer):
    """The marks that `observer` knows of; all of them for observer -1."""
    crosses, noughts = (s.marks[i] if observer in (i, -1) else s.known[observer] for i in range(2))
    return ["X" if crosses >> i & 1 else "O" if noughts >> i & 1 else "." for i in range(9)]


def rows(marks):
    return "\n".join("".join(marks[row * 3 : row * 3 + 3]) for row in range(3))


def show(s):
    known = ["".join(str(i + 1) for i in range(9) if s.known[player] >> i & 1) or "-" for player in range(2)]
    return f"{rows(letters(s, -1))}\n{known[0]} {known[1]}"


def show_to(s, observer):
    return rows(letters(s, observer))


def read(text, s):
    words = text.replace("/", " ").split()
    marks = "".join(words[:3]).upper()
    if len(words) not in (3, 5) or len(marks) != 9 or set(marks) - set("XO."):
        raise InputError("a board is 3 rows of 3 characters, each X, O or ., and perhaps what each player knows of the other's squares")
    for player, mark in enumerate("XO"):
        s.marks[player] = sum(1 << i for i in range(9) if marks[i] == mark)
    s.turn = marks.count("X") - marks.count("O")
    if s.turn not in (0, 1):
        raise InputError(f"{marks.count('X')} X and {marks.count('O')} O: X moves first, so X has as many as O or one more")
    for player, squares in enumerate(words[3:]):
        if squares != "-" and (set(squares) - set("123456789") or any(marks[int(c) - 1] != "OX"[player] for c in squares)):
            raise InputError(f"'{squares}': write the squares, 1 to 9, where the other's mark is known to be, or -")
        s.known[player] = 0 if squares == "-" else sum(1 << (int(c) - 1) for c in set(squares))


def name(s, move):
    return str(move + 1)


def cells(s, move):
    return (f"{move // 3},{move % 3}",)


def draw(s):
    return drawn(letters(s, -1))


def draw_to(s, observer):
    return drawn(letters(s, observer))


def drawn(marks):
    board = svg.Board(3, 3)
    for i, mark in enumerate(marks):
        board.square(i // 3, i % 3, "#fffdf5")
        board.text(i // 3, i % 3, mark.replace(".", " "), fill="#c22" if mark == "X" else "#22c", size=0.7)
    return board.render()
