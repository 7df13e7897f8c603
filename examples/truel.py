"""The truel: three marksmen of different skill shoot in turn, each at whom he likes or into the air, until one is left.

A game for three, with chance. Skill is a chance to hit: 1 of 3, 2 of 3, always. The worst marksman shoots first, and the puzzle is what he should do: shoot
into the air. Then he lives with 25/63, the second with 8/21, the best with 2/9.

Where interests are not simply opposite, every player has a utility of his own; here they add up to 1, and whoever is left has all of it. Nobody could
be made to hit: after a given number of rounds those who are left share.

    kibitz search examples/truel.py --with "uct(playouts=20000)"
    kibitz play examples/truel.py --with "uct(time=1)"
"""

import re

import numpy as np

from kibitz import CHANCE, OVER, WEIGHTED, InputError, parameter, record

SKILLS = parameter("skills", (1, 2, 3), low=1, high=6, about="hits of each player, in as many shots as `of` says")
OF = parameter("of", 3, low=1, high=6)
ROUNDS = parameter("rounds", 20, low=1, high=100)

PLAYERS = len(SKILLS)
PLAYER_NAMES = tuple(f"marksman {i + 1}" for i in range(PLAYERS))  # what people call the players
NOBODY = -1
AIR = PLAYERS  # a shot at nobody
HIT, MISS = 1, 0

# An array of yes and no is one of np.int8, 1 and 0.
State = record(alive=(np.int8, PLAYERS), turn=np.int8, target=np.int8, shots=np.int16)
MAX_MOVES = PLAYERS  # the others, and the air
MAX_OUTCOMES = 2
MAX_PLIES = 2 * ROUNDS * PLAYERS
CHANCE_KIND = WEIGHTED
VALUES = (0.0, 1.0)
SUM = 1.0  # of all utilities; None if that varies
GRAIN = 0.0  # utilities are any real numbers


def start(s):
    for player in range(PLAYERS):
        s.alive[player] = 1
    s.target = NOBODY


def player(s):
    if left(s) == 1 or s.shots == ROUNDS * PLAYERS:
        return OVER
    return s.turn if s.target == NOBODY else CHANCE


def left(s):
    n = 0
    for player in range(PLAYERS):
        n += s.alive[player]
    return n


def moves(s, out):
    n = 0
    for other in range(PLAYERS):
        if s.alive[other] and other != s.turn:
            out[n] = other
            n += 1
    out[n] = AIR
    return n + 1


def outcomes(s, out, weights):
    """Of a shot at somebody."""
    out[0], weights[0] = HIT, 1.0 * SKILLS[s.turn]
    out[1], weights[1] = MISS, 1.0 * (OF - SKILLS[s.turn])
    return 1 if SKILLS[s.turn] == OF else 2


def play(s, move):
    if s.target == NOBODY and move != AIR:
        s.target = move  # whether he is hit is for chance to say
        return
    if s.target != NOBODY and move == HIT:
        s.alive[s.target] = 0
    s.target = NOBODY
    s.shots += 1
    s.turn = (s.turn + 1) % PLAYERS
    while not s.alive[s.turn]:
        s.turn = (s.turn + 1) % PLAYERS


def utility(s, player):
    return 1.0 / left(s) if s.alive[player] else 0.0


# --- for people ---


def name(s, move):
    if s.target != NOBODY:
        return "hit" if move == HIT else "miss"
    return "air" if move == AIR else f"{move + 1}"


def show(s):
    """Who is alive, and who is next: `1 2 3 / marksman 1 shoots / 0 shots so far`."""
    alive = " ".join(str(player + 1) for player in range(PLAYERS) if s.alive[player])
    aim = f"shoots at {s.target + 1}" if s.target != NOBODY else "shoots"
    return f"{alive}\nmarksman {s.turn + 1} {aim}\n{s.shots} shots so far"


def read(text, s):
    """What `show` prints; lines may be separated by `/`."""
    found = re.fullmatch(r"([\d ]+?)\s*[/\n]\s*marksman (\d+) shoots(?: at (\d+))?\s*[/\n]\s*(\d+) shots so far", text.strip())
    numbers = [int(n) - 1 for n in found[1].split()] if found else []
    named = [*numbers, int(found[2]) - 1, int(found[3] or 1) - 1] if found else [PLAYERS]
    if not found or not numbers or max(named) >= PLAYERS or min(named) < 0:
        raise InputError("a position is who is alive, whose turn it is and the count of shots: 1 2 3 / marksman 1 shoots / 0 shots so far")
    for player in numbers:
        s.alive[player] = 1
    s.turn, s.target, s.shots = int(found[2]) - 1, int(found[3]) - 1 if found[3] else NOBODY, int(found[4])
