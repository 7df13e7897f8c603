"""Small games of hidden information for tests: one with chance and tries, and broken ones."""

import numpy as np

from kibitz import CHANCE, OVER, WEIGHTED, record


class Secret:
    """Chance hides a number from 0 to 3, more often a high one, and shows the first player its parity; the two name numbers in turn until one is right.

    A wrong number is announced as too low to whoever named it, and to the other only as wrong; after four wrong ones the game is drawn.
    """

    State = record(number=np.int8, turn=np.int8, tries=np.int8, won=np.int8, used=(np.int8, 2))
    PLAYERS = 2
    MAX_MOVES = 4
    MAX_PLIES = 5
    VALUES = (-1.0, 1.0)
    CHANCE_KIND = WEIGHTED

    def start(s):
        s.number, s.won = -1, -1

    def player(s):
        if s.number < 0:
            return CHANCE
        return OVER if s.won >= 0 or s.tries == 4 else s.turn

    def outcomes(s, out, weights):
        for i in range(4):
            out[i], weights[i] = i, 1 + i
        return 4

    def moves(s, out):
        n = 0
        for i in range(4):
            if not s.used[s.turn] >> i & 1:
                out[n] = i
                n += 1
        return n

    def play(s, move):
        if s.number < 0:
            s.number = move
            return
        if move == s.number:
            s.won = s.turn
        s.used[s.turn] |= 1 << move
        s.tries += 1
        s.turn = 1 - s.turn

    def utility(s, player):
        return 0.0 if s.won < 0 else 1.0 if player == s.won else -1.0

    def percept(before, move, after, observer):
        if before.number < 0:
            return 1 + move % 2 if observer == 0 else 0
        if after.won >= 0:
            return 3
        return 4 if observer == before.turn and move < before.number else 0

    def evaluate(s, player):
        return 0.0

    def redeal(s, observer, rng):
        pass


class Leaking(Secret):
    """Lets the first player name only numbers that are not too low."""

    def moves(s, out):
        n = 0
        for i in range(s.number, 4):
            out[n] = i
            n += 1
        return n


class Named(Secret):
    """Calls the right number by another name."""

    def name(s, move):
        return f"right{move}" if move == s.number else str(move)


class Shown(Secret):
    def show_to(s, observer):
        return f"it is {s.number}"


class Ended(Secret):
    """Nobody is told that the game is over."""

    def percept(before, move, after, observer):
        return 0


class Talkative(Secret):
    def announce(percept, observer):
        return "too low"


class Negative(Secret):
    def percept(before, move, after, observer):
        return -1


class Redealt(Secret):
    """A new deal that forgets how many numbers were named."""

    def redeal(s, observer, rng):
        s.used[observer] = 0


BROKEN = {Leaking: "moves", Named: "name", Shown: "show_to", Ended: "player", Talkative: "announce", Negative: "percept", Redealt: "redeal"}
