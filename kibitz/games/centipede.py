"""The centipede: two players in turn let a pot grow or take most of it; a game in which both may gain together.

The player to move takes the pot, three quarters for himself and one for the other, or passes; then the pot grows (`growth`), and the other chooses. After `passes` passes it
is halved. Interests are not opposite (SUM = None): both may end with much or with little. If the pot grows by half or more each time, to pass to the end is what each
does best for himself, whoever looks that far (max^n); a player who expects the other to do him all the harm he can takes the pot at once (paranoid search). If it grows by less, the player who
passes last would do better to take, and so would the one who passes before him, and the first move ends the game, though both would have had more at the end.

Rosenthal 1981. Notation: `take` and `pass`. A position is the number of passes, and who is to move or how it ended: `2 passed, X to move`, `2 passed, X took`, `6 passed, halved`.
"""

import re

import numpy as np

from kibitz import OVER, InputError, parameter, record, svg

PASSES = parameter("passes", 6, low=1, high=100, about="passes after which the pot is halved")
GROWTH = parameter("growth", 2.0, low=1.0, high=10.0, about="factor by which the pot grows with every pass")

if GROWTH**PASSES > 1e9:
    raise InputError(f"centipede: growth={GROWTH:g} and passes={PASSES}: the pot would grow beyond 1e9; choose less of one")

State = record(passed=np.int16, over=np.int8)  # `over`: 0, or 1 where somebody took, or 2 where it was halved
PLAYERS = 2
PLAYER_NAMES = ("X", "O")
MAX_MOVES = 2
MAX_PLIES = PASSES
VALUES = (0.0, float(np.ceil(GROWTH**PASSES)) + 1.0)
SUM = None
GRAIN = 0.0
TAKE, PASS = 0, 1
TAKEN, HALVED = 1, 2
MINE, YOURS = 0.75, 0.25  # of a pot that is taken
FIRST_POT = 1.0
WORDS = ("take", "pass")
COLOURS = {"X": "bold red", "O": "bold blue"}


def start(s):
    pass


def player(s):
    return OVER if s.over else s.passed % 2


def moves(s, out):
    out[0], out[1] = TAKE, PASS
    return 2


def play(s, move):
    if move == TAKE:
        s.over = TAKEN
    else:
        s.passed += 1
        if s.passed == PASSES:
            s.over = HALVED


def pot(s):
    return FIRST_POT * GROWTH**s.passed


def utility(s, player):
    if s.over == HALVED:
        return 0.5 * pot(s)
    return pot(s) * (MINE if player == s.passed % 2 else YOURS)


def evaluate(s, player):
    """As if the pot were taken now; inside VALUES, which hold more than any pot."""
    return utility(s, player)


# --- for people ---


def show(s):
    return f"{s.passed} passed, {status(s)}"


def status(s):
    if s.over == HALVED:
        return "halved"
    return f"{'XO'[s.passed % 2]} {'took' if s.over == TAKEN else 'to move'}"


def read(text, s):
    found = re.fullmatch(r"(\d+) passed, (halved|[XO] took|[XO] to move)", text.strip())
    if not found:
        raise InputError("a position is the number of passes and what is next, such as: 2 passed, X to move")
    s.passed = int(found[1]) if len(found[1]) < 4 else PASSES + 1
    s.over = HALVED if found[2] == "halved" else TAKEN if found[2].endswith("took") else 0
    if s.passed > PASSES or (s.passed == PASSES) != (s.over == HALVED) or status(s) != found[2]:
        raise InputError(f"'{text.strip()}' cannot be: X moves first, they move in turn, and after {PASSES} passes the pot is halved")


def name(s, move):
    return WORDS[move]


def cells(s, move):
    return (WORDS[move],)


def draw(s):
    """Both players' parts of the pot, if it were taken now."""
    board = svg.Board(2, 4)
    for side, mark in enumerate("XO"):
        board.text(side, 0, mark, fill=("#c22", "#22c")[side], size=0.7)
        board.text(side, 1, f"{utility(s, side):g}")
    for row, word in enumerate(WORDS):
        board.square(row, 3, "#f3e3bf", cell=word)
        board.text(row, 3, word, size=0.35)
    return board.render()
