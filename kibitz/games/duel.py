"""Dice duel: two players roll in turn for a number of rounds, and the higher sum wins; there are no decisions.

A game of pure chance. A roll is the sum of `dice` dice, each outcome as likely as the number of ways to throw it. Only the difference of
the sums and the rolls still to come matter: positions that agree in them share a key.

Notation: a roll is its sum. A position is the sums and what happens next: `A 12 / B 9 / round 3: B rolls`.
"""

import math
import re

import numpy as np

from kibitz import CHANCE, OVER, UNIFORM, WEIGHTED, InputError, evaluation, hashing, parameter, record, svg

ROUNDS = parameter("rounds", 5, low=1, high=100, about="rolls of each player")
SIDES = parameter("sides", 6, low=2, high=20, about="sides of a die")
DICE = parameter("dice", 1, low=1, high=4, about="dice thrown at once")

State = record(sums=(np.int16, 2), rolled=np.int16)  # `rolled`: how often, both players together
PLAYERS = 2
PLAYER_NAMES = ("A", "B")
MAX_MOVES = 1  # there is never any
MAX_OUTCOMES = DICE * (SIDES - 1) + 1
MAX_PLIES = 2 * ROUNDS
CHANCE_KIND = UNIFORM if DICE == 1 else WEIGHTED
VALUES = (-1.0, 1.0)


def ways_to_throw():
    """How many throws of the dice there are for each sum, from the lowest."""
    ways = [1]
    for _ in range(DICE):
        ways = [sum(ways[max(0, i - SIDES + 1) : i + 1]) for i in range(len(ways) + SIDES - 1)]
    return tuple(ways)


WAYS = ways_to_throw()
LOWEST, HIGHEST = DICE, DICE * SIDES
MEAN = DICE * (SIDES + 1) / 2
VARIANCE = DICE * (SIDES * SIDES - 1) / 12


def start(s):
    s.rolled = 0


def player(s):
    return OVER if s.rolled == 2 * ROUNDS else CHANCE


def moves(s, out):
    return 0


def outcomes(s, out, weights):
    for i in range(MAX_OUTCOMES):
        out[i], weights[i] = LOWEST + i, 1.0 * WAYS[i]
    return MAX_OUTCOMES


def play(s, move):
    s.sums[s.rolled % 2] += move
    s.rolled += 1


def lead(s, player):
    """What `player` is ahead by."""
    return s.sums[player] - s.sums[1 - player]


def utility(s, player):
    ahead = lead(s, player)
    return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0


# --- knowledge for search ---


def rolls_left(s, player):
    return ROUNDS - (s.rolled + 1 - player) // 2


def evaluate(s, player):
    """The chance to win less the chance to lose, as if the sums to come were normally distributed; never more than can still be had."""
    if s.rolled == 2 * ROUNDS:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    mine, theirs = rolls_left(s, player), rolls_left(s, 1 - player)
    expected = lead(s, player) + MEAN * (mine - theirs)
    guess = 0.999 * math.erf(expected / math.sqrt(2.0 * VARIANCE * (mine + theirs)))
    return min(max(guess, -best_case(s, 1 - player)), best_case(s, player))


def best_case(s, player):
    """What the highest rolls would bring, and the other's lowest."""
    most = lead(s, player) + HIGHEST * rolls_left(s, player) - LOWEST * rolls_left(s, 1 - player)
    return 1.0 if most > 0 else 0.0 if most == 0 else -1.0


def key(s):
    return hashing.combine(hashing.combine(np.uint64(0), np.uint64(s.rolled)), np.uint64(lead(s, 0) + 2 * ROUNDS * HIGHEST))


def canonical(s):
    """The trailing player's sum is taken from both."""
    behind = min(s.sums[0], s.sums[1])
    s.sums[0] -= behind
    s.sums[1] -= behind


# --- for people ---


def show(s):
    return f"A {s.sums[0]}\nB {s.sums[1]}\n{status(s)}"


def status(s):
    """What happens next."""
    if s.rolled == 2 * ROUNDS:
        ahead = lead(s, 0)
        return "game over: " + ("A has won" if ahead > 0 else "B has won" if ahead < 0 else "drawn")
    return f"round {s.rolled // 2 + 1}: {'AB'[s.rolled % 2]} rolls"


def read(text, s):
    found = re.fullmatch(r"\s*A (\d+)\s*/?\s*B (\d+)\s*/?\s*(?:round (\d+): ([AB]) rolls|game over(?:: \w.*)?)\s*", text)
    if not found:
        raise InputError("a position is 'A 12 / B 9 / round 3: B rolls' or 'A 20 / B 19 / game over: A has won'")
    rolled = 2 * (int(found[3]) - 1) + "AB".index(found[4]) if found[3] else 2 * ROUNDS
    if found[3] and not 1 <= int(found[3]) <= ROUNDS:
        raise InputError(f"there are {ROUNDS} rounds, from 1 to {ROUNDS}; round {found[3]} is none of them")
    for i in (0, 1):
        times = (rolled + 1 - i) // 2
        if int(found[i + 1]) > HIGHEST * times:
            raise InputError(f"{'AB'[i]} {found[i + 1]}: the sum of {times} rolls is at most {HIGHEST * times}")
        s.sums[i] = int(found[i + 1])
    s.rolled = rolled
    if not found[3] and found[0].strip().endswith(("won", "drawn")) and not found[0].strip().endswith(status(s)):
        raise InputError(f"'{' / '.join(text.split(chr(10)))}' cannot be: by the sums it is '{status(s)}'")


def name(s, move):
    return str(move)


def draw(s):
    board = svg.Board(2, 9)
    longest = HIGHEST * ROUNDS
    for i, fill in enumerate(("#c0392b", "#2b5f9e")):
        board.text(i, 0, PLAYER_NAMES[i], fill="#111" if i == s.rolled % 2 and s.rolled < 2 * ROUNDS else "#777")
        board.line((i, 1), (i, 7), stroke="#e8e8e8", width=16)
        if s.sums[i] > 0:
            board.line((i, 1), (i, 1 + 6 * s.sums[i] / longest), stroke=fill, width=16)
        board.text(i, 8, str(s.sums[i]), size=0.4)
    return board.render()
