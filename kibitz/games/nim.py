"""Nim: take any number of counters, at least one, from one heap; whoever takes the last counter wins, or loses in the misere game.

Notation: heaps are a, b, c, ...; a move is its heap and how many are taken from it, `a2`. A position is its heaps and the side to move:
`3 4 5 / X to move`, `X` the first player.
"""

import re

import numpy as np

from kibitz import OVER, InputError, parameter, record, svg

HEAPS = parameter("heaps", (3, 4, 5), low=0, high=255, about="counters in each heap")
MISERE = parameter("misere", False, about="whoever takes the last counter loses")

MOST_HEAPS = 16
LETTERS = "abcdefghijklmnop"
COUNT = len(HEAPS)
COUNTERS = sum(HEAPS)
if COUNT > MOST_HEAPS or COUNTERS == 0:
    raise InputError(
        f"nim: heaps={','.join(map(str, HEAPS))}: there must be 1 to {MOST_HEAPS} heaps, and a counter in at least one of them"
    )

State = record(heaps=(np.int16, COUNT), turn=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("X", "O")
MAX_MOVES = COUNTERS  # one for each counter of each heap
MAX_PLIES = COUNTERS
VALUES = (-1.0, 1.0)
GRAIN = 2.0  # there is no draw
COLOURS = {"X": "bold red", "O": "bold blue"}

HEAP = 1 << 12  # a move is HEAP times its heap, plus the counters taken, at most 16 * 255
SHOWN = 12  # counters of a heap that a picture shows one by one


def start(s):
    for heap in range(COUNT):
        s.heaps[heap] = HEAPS[heap]
    s.turn = 0


def player(s):
    for heap in range(COUNT):
        if s.heaps[heap] > 0:
            return s.turn
    return OVER


def moves(s, out):
    n = 0
    for heap in range(COUNT):
        for taken in range(1, s.heaps[heap] + 1):
            out[n] = heap * HEAP + taken
            n += 1
    return n


def play(s, move):
    s.heaps[move // HEAP] -= move % HEAP
    s.turn = 1 - s.turn


def utility(s, player):
    took_last = player != s.turn
    return 1.0 if took_last != MISERE else -1.0


def canonical(s):
    """The order of the heaps does not matter: sorted, by insertion."""
    for i in range(1, COUNT):
        heap, place = s.heaps[i], i
        while place > 0 and s.heaps[place - 1] > heap:
            s.heaps[place] = s.heaps[place - 1]
            place -= 1
        s.heaps[place] = heap


# --- for people ---


def show(s):
    return f"{' '.join(str(n) for n in s.heaps)}\n{turn_words(s)}"


def turn_words(s):
    if player(s) != OVER:
        return f"{'XO'[s.turn]} to move"
    return "X won" if utility(s, 0) > 0 else "O won"


def read(text, s):
    """What `show` prints, with `/` or a new line before the side to move; X where none is named."""
    found = re.fullmatch(r"(\d+(?:[\s,]+\d+)*)[\s/]*(?:([XO]) (to move|won))?", text.strip(), re.IGNORECASE)
    heaps = [int(n) for n in re.findall(r"\d+", found[1])] if found else []
    if not found or len(heaps) != COUNT:
        raise InputError(f"a position is {COUNT} heaps and the side to move, such as {' '.join(map(str, HEAPS))} / X to move")
    if sum(heaps) > COUNTERS:
        raise InputError(f"{sum(heaps)} counters are too many: with heaps={','.join(map(str, HEAPS))} there are at most {COUNTERS}")
    for heap in range(COUNT):
        s.heaps[heap] = heaps[heap]
    s.turn = "XO".index((found[2] or "X").upper())
    if found[3] and found[3].lower() == "won":
        if sum(heaps) > 0:
            raise InputError(f"nobody has won while there are counters; write {' '.join(map(str, heaps))} / X to move")
        s.turn = s.turn if MISERE else 1 - s.turn  # the winner took the last counter, unless that loses


def name(s, move):
    return f"{LETTERS[move // HEAP]}{move % HEAP}"


def cells(s, move):
    return (LETTERS[move // HEAP],)


def draw(s):
    rows = min(SHOWN, max(1, *HEAPS, *(int(n) for n in s.heaps)))
    board = svg.Board(rows, COUNT, column_labels=list(LETTERS[:COUNT]))
    for heap in range(COUNT):
        for row in range(min(rows, s.heaps[heap])):
            board.disc(rows - 1 - row, heap, "#c98b3c")
        if s.heaps[heap] > rows:
            board.text(0, heap, str(s.heaps[heap]))
    return board.render()
