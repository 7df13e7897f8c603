"""Artificial trees with chance nodes, as in Ballard's study of *-minimax search (1983). Nothing is stored.

`levels` says what the nodes of each level are, from the root: `+` the first player chooses, `-` the second, `*` chance. Below the last level
are the leaves. A choice node has `branching` moves, a chance node `chances` outcomes, all equally likely or with whole weights drawn from
1 to `weight`. Leaves are whole numbers from `low` to `high`, worth so much to the first player; the second gets low + high less that. A
node is known by its path from the root, so every search sees the same tree, and a seed is a tree.

order=random   Every leaf is drawn on its own, and good moves are anywhere. An inner node says nothing about its leaves.
order=leaves   The same trees, but a choice just above the leaves lists its moves by their worth, the best first: a probe that looks at one
               move of it looks at the right one.
order=best     Values are handed down from the root. One move of a choice keeps the value of its node, the others are worse or as good; it
               stands first with the chance `first`, else anywhere behind. The outcomes of chance are pairs whose mean is the value of
               their node. The evaluation of a node is its true value: a search of any depth sees the truth.

draws=uniform  All numbers from low to high alike.
draws=binary   low or high.
draws=bell     The mean of four uniform draws: most leaves are near the middle.

Notation: moves and outcomes are numbers from 1; a node keeps its own when it lists them in another order. A position is its fields,
`seed=17 ply=2 path=... value=3`; `seed=17` alone is the root of another tree, and `seed=17 branching=3 chances=2` of a smaller one, in the
same compiled game.
"""

import numpy as np

from kibitz import CHANCE, OVER, UNIFORM, WEIGHTED, InputError, evaluation, hashing, parameter, record
from kibitz.games import _seeded

LEVELS = parameter("levels", "+*-", about="the kinds of nodes from the root, + and - for the players, * for chance")
BRANCHING = parameter("branching", 4, low=1, high=64, about="moves at a choice")
CHANCES = parameter("chances", 4, low=1, high=64, about="outcomes at a chance node")
ORDER = parameter("order", "random", choices=("random", "leaves", "best"), about="where the good moves stand")
DRAWS = parameter("draws", "uniform", choices=("uniform", "binary", "bell"), about="how leaves get their values, unless handed down")
FIRST = parameter("first", 1.0, low=0.0, high=1.0, about="in best order: the chance that the first move is best")
WEIGHT = parameter("weight", 1, low=1, high=100, about="the largest weight of an outcome")
LOW = parameter("low", 0, low=-(10**6), high=10**6, about="the lowest leaf")
HIGH = parameter("high", 100, low=-(10**6), high=10**6, about="the highest leaf")
SEED = parameter("seed", 0, low=0, high=2**62, about="which tree")

if not 1 <= len(LEVELS) <= 64 or set(LEVELS) - set("+-*") or "*" not in LEVELS:
    raise InputError(f"levels={LEVELS}: must be 1 to 64 of + - and *, at least one of them *, such as +*-; without chance load uniform")
if not LOW < HIGH:
    raise InputError(f"low={LOW} must be less than high={HIGH}")

DEPTH = len(LEVELS)
SIZES = {"branching": (1, BRANCHING), "chances": (1, CHANCES)}  # least and most
KINDS = tuple({"+": 0, "-": 1, "*": CHANCE}[kind] for kind in LEVELS)
HANDED_DOWN, LEAVES_FIRST = ORDER == "best", ORDER == "leaves"
MOST_MOVES = 64
FINE = 1 << 20  # chances are whole numbers of this

State = record(seed=np.int64, path=np.uint64, value=np.int64, ply=np.int16, branching=np.int16, chances=np.int16)
PLAYERS = 2
MAX_MOVES = BRANCHING
MAX_OUTCOMES = CHANCES
MAX_PLIES = DEPTH
CHANCE_KIND = UNIFORM if WEIGHT == 1 else WEIGHTED
VALUES = (float(LOW), float(HIGH))
SUM = VALUES[0] + VALUES[1]
GRAIN = 1.0


def start(s):
    plant(s, SEED, BRANCHING, CHANCES)


def plant(s, seed, branching, chances):
    """The root of the tree of this seed and size."""
    s.seed, s.path, s.ply, s.branching, s.chances = seed, hashing.combine(np.uint64(0), np.uint64(seed)), 0, branching, chances
    s.value = leaf_of(s.path) if HANDED_DOWN else 0


def player(s):
    return OVER if s.ply == DEPTH else KINDS[s.ply]


def moves(s, out):
    for move in range(s.branching):
        out[move] = move
    if LEAVES_FIRST and s.ply + 1 == DEPTH:
        sort(s, out)
    return s.branching


def sort(s, out):
    """The best for the mover first. While they are sorted, moves ride in the low bits of what they are worth."""
    for move in range(s.branching):
        worth = leaf_of(hashing.combine(s.path, np.uint64(move)))
        badness = (HIGH - worth if KINDS[s.ply] == 0 else worth - LOW) * MOST_MOVES + move
        _seeded.insert(out, move, badness)
    for i in range(s.branching):
        out[i] %= MOST_MOVES


def outcomes(s, out, weights):
    for i in range(s.chances):
        out[i], weights[i] = i, 1.0 * weight_of(s.path, i)
    return s.chances


def play(s, move):
    if HANDED_DOWN:
        if KINDS[s.ply] == CHANCE:
            s.value += deviation(s, move)
        elif move != best_place(s):
            luck = hashing.combine(s.path, np.uint64(move))
            s.value = draw_from(luck, LOW, s.value) if KINDS[s.ply] == 0 else draw_from(luck, s.value, HIGH)
    s.path = hashing.combine(s.path, np.uint64(move))
    s.ply += 1
    if not HANDED_DOWN and s.ply == DEPTH:
        s.value = leaf_of(s.path)


def leaf_of(path):
    """The value of the leaf at the end of a path."""
    if DRAWS == "binary":
        return LOW if path & np.uint64(1) == np.uint64(0) else HIGH
    if DRAWS == "bell":
        total, luck = 0, path
        for _ in range(4):
            luck = hashing.mix(luck)
            total += draw_from(luck, 0, HIGH - LOW)
        return LOW + total // 4
    return draw_from(path, LOW, HIGH)


def weight_of(path, outcome):
    """The weight of an outcome of the chance node at this path."""
    if WEIGHT == 1:
        return 1
    return draw_from(hashing.mix(hashing.combine(path, np.uint64(outcome))), 1, WEIGHT)


def best_place(s):
    """In best order: which move keeps the value of the node."""
    luck = hashing.combine(s.path, np.uint64(MOST_MOVES))  # no move is this one
    if s.branching == 1 or draw_from(luck, 0, FINE - 1) < FIRST * FINE:
        return 0
    return 1 + draw_from(hashing.mix(luck), 0, s.branching - 2)


def deviation(s, outcome):
    """In best order: how far an outcome is from the value of its chance node.

    Each but an odd last one has a partner that is off to the other side, in proportion to the other's weight: the weighted mean stays.
    """
    partner = outcome ^ 1
    if partner >= s.chances:
        return 0
    mine, theirs = weight_of(s.path, outcome), weight_of(s.path, partner)
    luck = hashing.combine(s.path, np.uint64(MOST_MOVES + outcome // 2))
    step = draw_from(luck, 0, min(s.value - LOW, HIGH - s.value) // max(mine, theirs))
    upwards = (hashing.mix(luck) & np.uint64(1) == np.uint64(0)) == (outcome < partner)
    return step * theirs if upwards else -step * theirs


def draw_from(path, least, most):
    """A whole number from `least` to `most` that depends on the path alone."""
    return least + np.int64(path % np.uint64(most - least + 1))


def utility(s, player):
    return 1.0 * s.value if player == 0 else SUM - s.value


def evaluate(s, player):
    """The true value where it is handed down, kept just inside the range; else the middle, for nothing is known."""
    if s.ply == DEPTH:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    value = min(max(1.0 * s.value, LOW + 0.5), HIGH - 0.5) if HANDED_DOWN else 0.5 * SUM
    return value if player == 0 else SUM - value


def key(s):
    return s.path  # grows out of the seed and every move


# --- for people ---


def show(s):
    return _seeded.show(s, SIZES, ("ply", "path", "value"))


def read(text, s):
    _seeded.read(text, s, SIZES, plant)
    if not 0 <= s.ply <= DEPTH or not (LOW <= s.value <= HIGH or (s.value == 0 and s.ply < DEPTH)):
        raise InputError(f"ply must be from 0 to {DEPTH}, and value from {LOW} to {HIGH}")


def name(s, move):
    return str(move + 1)


def draw(s):
    """The tree from here, as many levels of it as are readable; where it is cut, a node shows its evaluation."""
    if s.ply == DEPTH:
        return _seeded.draw_leaf(s.value)
    levels, nodes, row = 0, 1, 1
    while s.ply + levels < DEPTH:
        row *= s.chances if KINDS[s.ply + levels] == CHANCE else s.branching
        if levels and nodes + row > _seeded.MOST_DRAWN:
            break
        levels, nodes = levels + 1, nodes + row
    return _seeded.draw_written(s, levels, written_out)


def written_out(s, levels):
    """The tree below `s` in the notation of explicit trees."""
    if levels == 0 or s.ply == DEPTH:
        return int(s.value) if s.ply == DEPTH else evaluate(s, 0)
    chance = KINDS[s.ply] == CHANCE
    listed, weights = [0] * max(BRANCHING, CHANCES), [0.0] * CHANCES
    n = outcomes(s, listed, weights) if chance else moves(s, listed)
    children = []
    for move in listed[:n]:
        child = s.copy()
        play(child, move)
        children.append(written_out(child, levels - 1))
    return {"chance": weights[:n], "moves": children} if chance else {"player": KINDS[s.ply], "moves": children}
