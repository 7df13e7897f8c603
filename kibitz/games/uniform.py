"""Uniform trees: every inner node has `branching` moves, every leaf lies at `depth`; the players take turns. Nothing is stored.

A node knows what it needs from its path, so trees of any size cost nothing, and the same seed always gives the same tree. All values are
whole numbers, to the first player. What they are:

order=perfect   Minimax values handed down from the root: the first move keeps the value of its node, every other is worse for the mover
                by 1 to `spread`. Alpha-beta visits the fewest nodes there are:
                the sum over i = 0..depth of branching^ceil(i/2) + branching^floor(i/2) - 1. The root's value is from -spread to spread.
order=worst     Minimax values handed down so that every move is better than the one before it, and the last keeps the value of its node:
                alpha-beta visits every node. The root is worth 0. Neither seed nor spread matters: there is one such tree.
order=strong    As perfect, but the move that keeps the value of its node is the first one only with the chance `first`; with the chance `quarter` it is
                in the first quarter of the moves (the first two at least), and else anywhere behind. The usual 0.7 and 0.9 are the definition of
                a strongly ordered tree by Marsland and Campbell (1982).
order=random    Values come from below, and good moves are anywhere:
  values=independent   every leaf is drawn from -spread to spread, on its own; an inner node says nothing about it (its evaluation is 0).
  values=incremental   every move is worth a draw from -spread to spread, a leaf is the sum of the moves that lead to it, and the
                       evaluation of an inner node is the sum so far: shallow values predict deep ones.
order=sorted    The trees of values=incremental, but a node lists its moves by what they are worth at once, the best for the mover first; except
                where they lead to leaves: sorting those would give the answer away.

In perfect, worst and strong order the evaluation of a node is its true minimax value: a search of any depth sees the truth.

Notation: moves are numbers from 1; a node keeps its own when it lists them in another order. A position is its fields, `seed=17 ply=2 path=...
value=3`; `seed=17` alone is the root of another tree, and `seed=17 branching=3 depth=4` of a smaller one, in the same compiled game.
"""

import numpy as np

from kibitz import OVER, InputError, hashing, parameter, record
from kibitz.games import _seeded

MOST_MOVES = 64
FINE = 1 << 20  # chances are whole numbers of this

BRANCHING = parameter("branching", 4, low=2, high=MOST_MOVES, about="moves at every inner node")
DEPTH = parameter("depth", 6, low=1, high=64, about="moves from the root to every leaf")
ORDER = parameter("order", "random", choices=("perfect", "worst", "strong", "random", "sorted"), about="where the good moves stand")
LEAVES = parameter("values", "independent", choices=("independent", "incremental"), about="how leaves get their values in random order")
FIRST = parameter("first", 0.7, low=0.0, high=1.0, about="in strong order: the chance that the first move is best")
QUARTER = parameter("quarter", 0.9, low=0.0, high=1.0, about="in strong order: the chance that the best move is in the first quarter")
SEED = parameter("seed", 0, low=0, high=2**62, about="which tree")
SPREAD = parameter("spread", 100, low=1, high=10**6, about="the largest draw")

SIZES = {"branching": (2, BRANCHING), "depth": (1, DEPTH)}  # least and most
PERFECT, WORST, STRONG, SORTED = ORDER == "perfect", ORDER == "worst", ORDER == "strong", ORDER == "sorted"
INCREMENTAL = SORTED or LEAVES == "incremental"
HANDED_DOWN = PERFECT or STRONG
MOST_WORST_LEAVES = 2**50  # their values are that many different whole numbers, and have to be exact as float64
if LEAVES == "incremental" and ORDER not in ("random", "sorted"):
    raise InputError(f"uniform: values=incremental is for order=random; with order={ORDER} values are handed down from the root")
if STRONG and FIRST > QUARTER:
    raise InputError(f"uniform: first={FIRST:g} must not be more than quarter={QUARTER:g}: the first move is one of the first quarter")
if WORST and BRANCHING**DEPTH > MOST_WORST_LEAVES:
    raise InputError(f"uniform: with order=worst branching^depth must be at most 2^50; {BRANCHING}^{DEPTH} is more")

# `value`: of this node as far as it is known, see above; `low`, `high`: the window in which alpha-beta comes here in worst order
State = record(seed=np.int64, path=np.uint64, value=np.int64, low=np.int64, high=np.int64, ply=np.int16, branching=np.int16, depth=np.int16)
PLAYERS = 2
MAX_MOVES = BRANCHING
MAX_PLIES = DEPTH
if WORST:
    WIDEST = BRANCHING**DEPTH
elif HANDED_DOWN:
    WIDEST = (DEPTH + 1) * SPREAD
else:
    WIDEST = DEPTH * SPREAD if INCREMENTAL else SPREAD
VALUES = (-float(WIDEST), float(WIDEST))
GRAIN = 1.0


def start(s):
    plant(s, SEED, BRANCHING, DEPTH)


def plant(s, seed, branching, depth):
    """The root of the tree of this seed and size."""
    s.seed, s.path, s.ply, s.branching, s.depth = seed, hashing.combine(np.uint64(0), np.uint64(seed)), 0, branching, depth
    s.value = draw_from(s.path, -SPREAD, SPREAD) if HANDED_DOWN else 0
    leaves = 1
    for _ in range(depth):
        leaves *= branching
    s.low, s.high = -leaves if WORST else 0, leaves if WORST else 0


def player(s):
    return OVER if s.ply == s.depth else s.ply & 1


def moves(s, out):
    for move in range(s.branching):
        out[move] = move
    if SORTED and s.ply + 1 < s.depth:
        sort(s, out)
    return s.branching


def sort(s, out):
    """The best for the mover first. While they are sorted, moves ride in the low bits of what they are worth."""
    for move in range(s.branching):
        worth = draw_from(hashing.combine(s.path, np.uint64(move)), 0, 2 * SPREAD)
        badness = (worth if s.ply & 1 else 2 * SPREAD - worth) * MOST_MOVES + move
        _seeded.insert(out, move, badness)
    for i in range(s.branching):
        out[i] %= MOST_MOVES


def play(s, move):
    best = best_place(s) if STRONG else 0
    s.path = hashing.combine(s.path, np.uint64(move))
    if HANDED_DOWN:
        if move != best:
            worse = draw_from(s.path, 1, SPREAD)
            s.value += worse if s.ply & 1 else -worse
    elif WORST:
        narrow(s, move)
    elif INCREMENTAL:
        s.value += draw_from(s.path, -SPREAD, SPREAD)
    elif s.ply + 1 == s.depth:
        s.value = draw_from(s.path, -SPREAD, SPREAD)
    s.ply += 1


def best_place(s):
    """In strong order: which move keeps the value of the node."""
    luck = hashing.combine(s.path, np.uint64(MOST_MOVES))  # no move is this one
    chance = draw_from(luck, 0, FINE - 1)
    near = min(max(2, (s.branching + 3) // 4), s.branching)  # the first quarter
    if chance < FIRST * FINE:
        return 0
    if chance < QUARTER * FINE or near == s.branching:
        return 1 + draw_from(hashing.mix(luck), 0, near - 2)
    return near + draw_from(hashing.mix(luck), 0, s.branching - near - 1)


def narrow(s, move):
    """The node's moves divide what lies between its window and its value into equal steps, the best step last.

    The window of a move is what the moves before it have left. Its value is inside, so nothing is ever cut off. A division takes one
    factor `branching` out of every difference; the root's hold `depth` of them, so that no division has a remainder.
    """
    if s.ply & 1 == 0:
        step = (s.value - s.low) // s.branching
        s.low, s.value = s.low + step * move, s.low + step * (move + 1)
    else:
        step = (s.high - s.value) // s.branching
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
    return _seeded.show(s, SIZES, ("ply", "path", "value", *(("low", "high") if WORST else ())))


def read(text, s):
    _seeded.read(text, s, SIZES, plant, "" if WORST else "low=0 high=0")
    if not (0 <= s.ply <= s.depth and abs(s.value) <= WIDEST and -WIDEST <= s.low <= s.high <= WIDEST):
        raise InputError(f"ply must be from 0 to {s.depth}, and value, low <= high from {-WIDEST} to {WIDEST}")


def name(s, move):
    return str(move + 1)


def draw(s):
    """The tree from here, as many levels of it as are readable; where it is cut, a node shows its evaluation."""
    if s.ply == s.depth:
        return _seeded.draw_leaf(s.value)
    levels, nodes, row = 0, 1, 1
    while levels < s.depth - s.ply and nodes + row * s.branching <= _seeded.MOST_DRAWN:
        levels, row = levels + 1, row * s.branching
        nodes += row
    return _seeded.draw_written(s, levels, written_out)


def written_out(s, levels):
    """The tree below `s` in the notation of explicit trees."""
    if levels == 0:
        return int(s.value)
    children = []
    listed = [0] * s.branching
    for move in listed[: moves(s, listed)]:
        child = s.copy()
        play(child, move)
        children.append(written_out(child, levels - 1))
    return {"player": int(s.ply) & 1, "moves": children}
