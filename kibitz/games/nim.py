"""Nim: take any number of counters, at least one, from one heap; the player who takes the last counter wins, or loses in the misère game.

Up to four may play (`players`): one wins what each of the others loses, or loses what each of the others wins.

Notation: heaps are a, b, c, ...; a move is its heap and how many are taken from it, `a2`. A position is its heaps and the side to move:
`3 4 5 / X to move`, `X` the first player, then `O`, `#` and `@`.
"""

import re

import numpy as np

from kibitz import OVER, InputError, parameter, record, svg

HEAPS = parameter("heaps", (3, 4, 5), low=0, high=255, about="counters in each heap")
MISERE = parameter("misere", False, about="the player who takes the last counter loses")
SIDES = parameter("players", 2, low=2, high=4, about="number of players")

MOST_HEAPS = 16
LETTERS = "abcdefghijklmnop"
COUNT = len(HEAPS)
COUNTERS = sum(HEAPS)
if COUNT > MOST_HEAPS or COUNTERS == 0:
    raise InputError(
        f"nim: heaps={','.join(map(str, HEAPS))}: there must be 1 to {MOST_HEAPS} heaps, and a counter in at least one of them"
    )

State = record(heaps=(np.int16, COUNT), turn=np.int8)
PLAYERS = SIDES
MAX_MOVES = COUNTERS  # one for each counter of each heap
MAX_PLIES = COUNTERS
VALUES = (1.0 - PLAYERS, 1.0) if MISERE else (-1.0, PLAYERS - 1.0)
GRAIN = float(PLAYERS)  # there is no draw
MARKS = "XO#@"[:PLAYERS]
PLAYER_NAMES = tuple(MARKS)
COLOURS = dict(zip(MARKS, ("bold red", "bold blue", "bold green", "bold magenta"), strict=False))

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
    s.turn = (s.turn + 1) % PLAYERS


if PLAYERS > 2:

    def skip(s):
        s.turn = (s.turn + 1) % PLAYERS
        return True


def utility(s, player):
    took_last = player == (s.turn + PLAYERS - 1) % PLAYERS
    if MISERE:
        return 1.0 - PLAYERS if took_last else 1.0
    return PLAYERS - 1.0 if took_last else -1.0


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
        return f"{MARKS[s.turn]} to move"
    word = "lost" if MISERE and PLAYERS > 2 else "won"  # of whoever took the last counter, or of two who did not
    return f"{MARKS[s.turn - 1 if word == 'lost' or not MISERE else s.turn]} {word}"


def read(text, s):
    """What `show` prints, with `/` or a new line before the side to move; X where none is named."""
    found = re.fullmatch(r"(\d+(?:[\s,]+\d+)*)[\s/]*(?:([XO#@]) (to move|won|lost))?", text.strip(), re.IGNORECASE)
    heaps = [int(n) for n in re.findall(r"\d+", found[1])] if found else []
    if not found or len(heaps) != COUNT:
        raise InputError(f"a position is {COUNT} heaps and the side to move, such as {' '.join(map(str, HEAPS))} / X to move")
    if sum(heaps) > COUNTERS:
        raise InputError(f"{sum(heaps)} counters are too many: with heaps={','.join(map(str, HEAPS))} there are at most {COUNTERS}")
    for heap in range(COUNT):
        s.heaps[heap] = heaps[heap]
    mark, said = (found[2] or "X").upper(), (found[3] or "to move").lower()
    if mark not in MARKS:
        raise InputError(f"nobody plays {mark} here; the players are {', '.join(MARKS)}")
    s.turn = MARKS.index(mark)
    if said != "to move":
        if sum(heaps) > 0:
            raise InputError(f"nobody has {said} while there are counters; write {' '.join(map(str, heaps))} / X to move")
        if said == "won" and MISERE and PLAYERS > 2:
            raise InputError(f"all but one have won; write who took the last counter, such as {' '.join(map(str, heaps))} / X lost")
        s.turn = s.turn if said == "won" and MISERE else (s.turn + 1) % PLAYERS  # the winner took the last counter, unless that loses


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
