"""Uniform trees: every inner node has `branching` moves, every leaf lies at `depth`; the players take turns. Nothing is stored.

A node knows what it needs from its path, so trees of any size cost nothing, and the same seed always gives the same tree. All values are
whole numbers, to the first player. What they are:

order=perfect   Minimax values handed down from the root: the first move keeps the value of its node, every other is worse for the mover
                by 1 to `spread`. Alpha-beta visits the fewest nodes there are:
                the sum over i = 0..depth of branching^ceil(i/2) + branching^floor(i/2) - 1. The root's value is from -spread to spread.
order=worst     Minimax values handed down so that every move is better than the one before it, and the last keeps the value of its node:
                alpha-beta visits every node. The root is worth 0. Neither seed nor spread matters: there is one such tree.
order=random    Values come from below, and good moves are anywhere:
  values=independent   every leaf is drawn from -spread to spread, on its own; an inner node says nothing about it (its evaluation is 0).
  values=incremental   every move is worth a draw from -spread to spread, a leaf is the sum of the moves that lead to it, and the
                       evaluation of an inner node is the sum so far: shallow values foretell deep ones.

In perfect and worst order the evaluation of a node is its true minimax value: a search of any depth sees the truth.

Notation: moves are 1 to `branching`. A position is its fields, `seed=17 ply=2 path=... value=3`; `seed=17` alone is the root of another
tree, in the same compiled game.
"""

import json

import numpy as np

from kibitz.core import svg
from kibitz.core import text as fields
from kibitz.core.errors import InputError
from kibitz.core.hashing import combine
from kibitz.core.parameters import parameter
from kibitz.core.record import record
from kibitz.core.rules import OVER
from kibitz.games.trees.notation import parse
from kibitz.games.trees.picture import picture

BRANCHING = parameter("branching", 4, low=2, high=64, about="moves at every inner node")
DEPTH = parameter("depth", 6, low=1, high=64, about="moves from the root to every leaf")
ORDER = parameter("order", "random", choices=("perfect", "worst", "random"), about="where the good moves stand")
LEAVES = parameter("values", "independent", choices=("independent", "incremental"), about="how leaves get their values in random order")
SEED = parameter("seed", 0, low=0, high=2**62, about="which tree")
SPREAD = parameter("spread", 100, low=1, high=10**6, about="the largest draw")

PERFECT, WORST, INCREMENTAL = ORDER == "perfect", ORDER == "worst", LEAVES == "incremental"
MOST_WORST_LEAVES = 2**50  # their values are that many different whole numbers, and have to be exact as float64
if INCREMENTAL and ORDER != "random":
    raise InputError(f"uniform: values=incremental is for order=random; with order={ORDER} values are handed down from the root")
if WORST and BRANCHING**DEPTH > MOST_WORST_LEAVES:
    raise InputError(f"uniform: with order=worst branching^depth must be at most 2^50; {BRANCHING}^{DEPTH} is more")

# `value`: of this node as far as it is known, see above; `low`, `high`: the window in which alpha-beta comes here in worst order
State = record(seed=np.int64, path=np.uint64, value=np.int64, low=np.int64, high=np.int64, ply=np.int16)
PLAYERS = 2
MAX_MOVES = BRANCHING
MAX_PLIES = DEPTH
if WORST:
    WIDEST = BRANCHING**DEPTH
elif PERFECT:
    WIDEST = (DEPTH + 1) * SPREAD
else:
    WIDEST = DEPTH * SPREAD if INCREMENTAL else SPREAD
VALUES = (-float(WIDEST), float(WIDEST))
GRAIN = 1.0


def start(s):
    plant(s, SEED)


def plant(s, seed):
    """The root of the tree of this seed."""
    s.seed, s.path, s.ply = seed, combine(np.uint64(0), np.uint64(seed)), 0
    s.value = draw_from(s.path, -SPREAD, SPREAD) if PERFECT else 0
    s.low, s.high = -WIDEST if WORST else 0, WIDEST if WORST else 0


def player(s):
    return OVER if s.ply == DEPTH else s.ply & 1


def moves(s, out):
    for move in range(BRANCHING):
        out[move] = move
    return BRANCHING


def play(s, move):
    s.path = combine(s.path, np.uint64(move))
    if PERFECT:
        if move > 0:
            worse = draw_from(s.path, 1, SPREAD)
            s.value += worse if s.ply & 1 else -worse
    elif WORST:
        narrow(s, move)
    elif INCREMENTAL:
        s.value += draw_from(s.path, -SPREAD, SPREAD)
    elif s.ply + 1 == DEPTH:
        s.value = draw_from(s.path, -SPREAD, SPREAD)
    s.ply += 1


def narrow(s, move):
    """The node's moves divide what lies between its window and its value into equal steps, the best step last.

    The window of a move is what the moves before it have left. Its value is inside, so nothing is ever cut off. A division takes one
    factor `branching` out of every difference; the root's hold `depth` of them, so that no division has a remainder.
    """
    if s.ply & 1 == 0:
        step = (s.value - s.low) // BRANCHING
        s.low, s.value = s.low + step * move, s.low + step * (move + 1)
    else:
        step = (s.high - s.value) // BRANCHING
        s.high, s.value = s.high - step * move, s.high - step * (move + 1)


def draw_from(path, least, most):
    """A whole number from `least` to `most` that depends on the path alone."""
    return least + np.int64(path % np.uint64(most - least + 1))


def utility(s, player):
    return 1.0 * s.value if player == 0 else -1.0 * s.value


def evaluate(s, player):
    return 1.0 * s.value if player == 0 else -1.0 * s.value


def key(s):
    return s.path  # grows out of the seed and every move


# --- for people ---


def show(s):
    shown = ("seed", "ply", "path", "value", "low", "high") if WORST else ("seed", "ply", "path", "value")
    return " ".join(f"{field}={int(s[field])}" for field in shown)


def read(text, s):
    """What `show` prints, or `seed=NUMBER` for the root of that tree."""
    parts = text.split()
    if len(parts) == 1 and parts[0].startswith("seed="):
        number = parts[0].removeprefix("seed=")
        if not number.isdecimal() or int(number) > 2**62:
            raise InputError(f"'{text}': a seed is a whole number from 0 to 2^62")
        with np.errstate(over="ignore"):  # hashes wrap on purpose
            plant(s, int(number))
        return
    fields.read(text if WORST else f"{text} low=0 high=0", s)
    if not (0 <= s.ply <= DEPTH and abs(s.value) <= WIDEST and -WIDEST <= s.low <= s.high <= WIDEST):
        raise InputError(f"ply must be from 0 to {DEPTH}, and value, low <= high from {-WIDEST} to {WIDEST}")


def name(s, move):
    return str(move + 1)


MOST_DRAWN = 121  # nodes in a picture


def draw(s):
    """The tree from here, as many levels of it as are readable; where it is cut, a node shows its evaluation."""
    if s.ply == DEPTH:
        leaf = svg.Board(1, 1)
        leaf.text(0, 0, str(int(s.value)))
        return leaf.render()
    levels, nodes, row = 0, 1, 1
    while levels < DEPTH - s.ply and nodes + row * BRANCHING <= MOST_DRAWN:
        levels, row = levels + 1, row * BRANCHING
        nodes += row
    with np.errstate(over="ignore"):  # hashes wrap on purpose
        written = json.dumps(written_out(s, levels))
    return picture(parse(written)[0], 0)


def written_out(s, levels):
    """The tree below `s` in the notation of explicit trees."""
    if levels == 0:
        return int(s.value)
    children = []
    for move in range(BRANCHING):
        child = s.copy()
        play(child, move)
        children.append(written_out(child, levels - 1))
    return {"player": int(s.ply) & 1, "moves": children}
