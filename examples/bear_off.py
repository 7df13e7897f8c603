"""Bearing off: the end of a game of backgammon, two players with their last men at home, who roll in turn and take them off. Whoever is done first wins.

A dice game: where the dice are to be rolled, `player` says CHANCE, and `outcomes` lists what they may show with weights; a roll is then played
one die after the other, so that a player may move several times. A man moves down by the number on a die, or leaves the board with the exact number,
or with a larger one if nobody stands higher. A double counts four times.

With two men on the six point each, whoever rolls first wins with 0.754494: the value is 2 x 0.754494 - 1.

    kibitz solve examples/bear_off.py
"""

import re

import numpy as np

from kibitz import CHANCE, OVER, WEIGHTED, InputError, evaluation, parameter, record, svg

FIRST = parameter("first", (6, 6), low=1, high=6, about="the points where the first player's men stand")
SECOND = parameter("second", (6, 6), low=1, high=6, about="the second player's")

POINTS = 6
PIPS = sum(FIRST) + sum(SECOND)
MEN = max(len(FIRST), len(SECOND))

# `men[player, point]`; `dice[n]`: how often n is still to be played. Point 0 and die 0 are not used.
State = record(men=(np.int8, (2, POINTS + 1)), dice=(np.int8, POINTS + 1), turn=np.int8, rolled=np.bool_)
PLAYERS = 2
MAX_MOVES = 2 * POINTS  # of two dice, from six points
MAX_OUTCOMES = 21
MAX_PLIES = 2 * PIPS + 1  # every move takes a pip, and there are no more rolls than moves
CHANCE_KIND = WEIGHTED  # by whole numbers
VALUES = (-1.0, 1.0)
GRAIN = 2.0


def start(s):
    for point in FIRST:
        s.men[0, point] += 1
    for point in SECOND:
        s.men[1, point] += 1


def player(s):
    if player_wins(s, 0) or player_wins(s, 1):
        return OVER
    return s.turn if s.rolled else CHANCE


def highest(s, player):
    """The highest point where the player has a man; 0 when all are off."""
    for point in range(POINTS, 0, -1):
        if s.men[player, point] > 0:
            return point
    return 0


def outcomes(s, out, weights):
    """A roll is its two dice, the lower one first: 10 * low + high. Two different dice come up twice as often."""
    n = 0
    for low in range(1, POINTS + 1):
        for high in range(low, POINTS + 1):
            out[n], weights[n] = 10 * low + high, 1.0 if low == high else 2.0
            n += 1
    return n


def moves(s, out):
    """A move is a point and a die: 10 * point + die."""
    n, top = 0, highest(s, s.turn)
    for die in range(1, POINTS + 1):
        if s.dice[die] > 0:
            for point in range(1, POINTS + 1):
                if s.men[s.turn, point] > 0 and (point >= die or point == top):
                    out[n] = 10 * point + die
                    n += 1
    return n


def play(s, move):
    if not s.rolled:  # then it is chance's
        low, high = move // 10, move % 10
        s.dice[low] += 2 if low == high else 1
        s.dice[high] += 2 if low == high else 1
        s.rolled = True
        return
    point, die = move // 10, move % 10
    s.men[s.turn, point] -= 1
    if point > die:
        s.men[s.turn, point - die] += 1
    s.dice[die] -= 1
    if highest(s, s.turn) == 0 or nothing_left(s):
        for n in range(POINTS + 1):
            s.dice[n] = 0
        s.turn, s.rolled = 1 - s.turn, False


def nothing_left(s):
    for die in range(1, POINTS + 1):
        if s.dice[die] > 0:
            return False
    return True


def utility(s, player):
    return 1.0 if player_wins(s, player) else -1.0


# --- knowledge for search ---


def evaluate(s, player):
    """Who has less to go, in pips, with half a roll for whoever is next: a guess strictly between a loss and a win."""
    if player_wins(s, player) or player_wins(s, 1 - player):
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    lead = pips(s, 1 - player) - pips(s, player) + (4 if s.turn == player else -4)
    return evaluation.chance_of(lead / 12.0, VALUES[0], VALUES[1])


def player_wins(s, player):
    return highest(s, player) == 0


def pips(s, player):
    total = 0
    for point in range(1, POINTS + 1):
        total += point * s.men[player, point]
    return total


# --- for people ---


def name(s, move):
    """A roll is its dice, `2-5`; a move where a man comes from and goes to, `6/1` or `3/off`, with the die where another one does the same: `3/off(5)`."""
    first, second = move // 10, move % 10
    if not s.rolled:
        return f"{first}-{second}"
    if first > second:
        return f"{first}/{first - second}"
    alike = sum(s.dice[die] > 0 for die in range(first, POINTS + 1)) > 1
    return f"{first}/off({second})" if alike else f"{first}/off"


def show(s):
    """Where the men stand, and what is to come: `6 6 / 6 5 3 / player 1 rolls`, or `player 2 plays 4 4`."""
    dice = " ".join(str(die) for die in range(POINTS + 1) for _ in range(s.dice[die]))
    return f"{standing(s, 0)}\n{standing(s, 1)}\nplayer {s.turn + 1} {f'plays {dice}' if s.rolled else 'rolls'}"


def standing(s, player):
    return " ".join(str(point) for point in range(POINTS, 0, -1) for _ in range(s.men[player, point])) or "off"


def read(text, s):
    """What `show` prints; lines may be separated by `/`."""
    found = re.fullmatch(
        r"([1-6 ]+|off)[/\n]([1-6 ]+|off)[/\n]player ([12]) (?:rolls|plays ([1-6 ]+))", re.sub(r" *([/\n]) *", r"\1", text.strip())
    )
    if not found or max(len(found[1].split()), len(found[2].split())) > MEN:
        raise InputError(
            "a position is where the men of both stand, and what comes next, such as 6 6 / 5 1 / player 1 rolls, or: player 1 plays 3 1"
        )
    for player in (0, 1):
        for point in found[player + 1].replace("off", "").split():
            s.men[player, int(point)] += 1
    s.turn, s.rolled = int(found[3]) - 1, found[4] is not None
    for die in (found[4] or "").split():
        s.dice[int(die)] += 1


def draw(s):
    """The first player's points below, the second's above, with as many men on each; the dice at the right."""
    board = svg.Board(2, POINTS + 4, column_labels=[str(point) for point in range(POINTS, 0, -1)])
    for side in (0, 1):
        for point in range(1, POINTS + 1):
            row, column = 1 - side, POINTS - point
            board.square(row, column, "#d8c49a" if (point + side) % 2 else "#c2a878", cell=f"{point}{'ab'[side]}")
            if s.men[side, point] > 0:
                board.disc(row, column, "#fff8e7" if side == 0 else "#2b2b2b", 0.36, cell=f"{point}{'ab'[side]}")
                board.text(row, column, str(s.men[side, point]), "#111" if side == 0 else "#eee")
    dice = [die for die in range(1, POINTS + 1) for _ in range(s.dice[die])]
    for place, die in enumerate(dice):
        board.square(1 - s.turn, POINTS + place, "#ffffff", cell="")
        board.text(1 - s.turn, POINTS + place, str(die))
    return board.render()
