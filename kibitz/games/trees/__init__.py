"""Trees: any game tree written out in full, and the figures of the textbooks.

A tree is JSON: a number is a leaf, its value to player 0; a list is the moves of a node. Player 0 moves first and the players take turns,
unless a node is an object that says otherwise. All of it in one:

    [3, [2, 4], {"player": 0, "moves": {"up": 7, "down": 1}}, {"chance": [1, 2], "moves": [6, [0, 9]]}, {"value": 5, "moves": [2, 8]}]

"player" says who moves, an object of moves names them, "chance" gives the weights of what chance does (after it whoever would have moved
there moves), "value" is what a search that stops at this node is told of it. "seen": [1] names the players who see what is done at a node, besides whoever does
it; left out, all do. A tree with a node that not all see is a game of hidden information. {"value": [1, 2, 6]} is a leaf with a value for each player: a tree of such leaves
has as many players, who move in turn, and want nothing but a high value of their own. `tree` is such text, the path of a .json file or the name of a
figure: see FIGURES in kibitz/games/trees/figures.py.

The tree itself lies in the state, so that one compilation serves all trees that fit its `capacity`. VALUES is `low` to `high`; the
utilities of the players add up to low + high. Left alone, it is a range around 0 that holds -100 to 100 and every value of the tree; where each player has
values of his own, their range, and they add up to what they do. A
game whose tree has whole numbers (a GRAIN of 1) or no chance accepts only such trees as positions.

Notation: moves are numbers, 1 for the first, or the names given. A position is its tree, and where in the tree it is: `[[3, 12], 5] at 1`.
"""

import hashlib

import numpy as np

from kibitz import GENERAL, OVER, WEIGHTED, InputError, hashing, parameter, record
from kibitz.games.trees.notation import EVERYBODY, LONGEST_NAME, MOST_NODES, Tree, parse, reached, route, written
from kibitz.games.trees.picture import picture

TEXT = parameter("tree", "aima", about="nested lists of leaf values, the path of a .json file, or a figure's name")
ROOM = parameter("capacity", 64, low=2, high=MOST_NODES, about="room for nodes; more if the tree has more")
LOWEST = parameter("low", 0.0, about="the lowest value there may be; low and high both 0: a range that fits the tree")
HIGHEST = parameter("high", 0.0, about="the highest value there may be")

TREE, PLACE = parse(TEXT)
CAPACITY = ROOM
while len(TREE.first) > CAPACITY:
    CAPACITY = min(2 * CAPACITY, MOST_NODES)
VECTORS = TREE.has_vectors
if (LOWEST, HIGHEST) == (0.0, 0.0) and VECTORS:
    LOWEST = min(*(np.floor(v) for v in TREE.leaves), *(np.ceil(v) - 1.0 for v in TREE.estimates))
    HIGHEST = max(*(np.ceil(v) for v in TREE.leaves), *(np.floor(v) + 1.0 for v in TREE.estimates), LOWEST + 1.0)
elif (LOWEST, HIGHEST) == (0.0, 0.0):
    HIGHEST = max(100.0, *(np.ceil(abs(v)) for v in TREE.leaves), *(np.floor(abs(v)) + 1.0 for v in TREE.estimates))
    LOWEST = -HIGHEST
if not LOWEST < HIGHEST:
    raise InputError(f"trees: low={LOWEST:g} must be less than high={HIGHEST:g}")

HIDES = TREE.hides  # a tree in which all is seen keeps no more than it needs
SIGHT = {"seen": (np.int8, CAPACITY)} if HIDES else {}
SHARES = {"vector": (np.float64, (CAPACITY, TREE.players))} if VECTORS else {}
PARTS = ("first", "count", "mover", "value", "weight", "label", *SIGHT, *SHARES)

State = record(
    at=np.int16,  # the node the game has reached
    digest=np.uint64,  # of the whole tree
    first=(np.int16, CAPACITY),  # see Tree in notation.py
    count=(np.int16, CAPACITY),
    mover=(np.int8, CAPACITY),
    value=(np.float64, CAPACITY),
    weight=(np.float64, CAPACITY),
    label=(np.uint64, CAPACITY),  # the bytes of the name
    **SIGHT,
    **SHARES,
)
PLAYERS = TREE.players
MAX_MOVES = CAPACITY - 1
MAX_PLIES = min(CAPACITY - 1, max(32, TREE.height))  # a tree of the largest capacity is wide rather than deep
VALUES = (float(LOWEST), float(HIGHEST))
SUM: float | None = VALUES[0] + VALUES[1]
if VECTORS:
    SUM = TREE.sums.copy().pop() if len(TREE.sums) == 1 else None
WHOLE = all(v == int(v) for v in (*TREE.leaves, *VALUES))
GRAIN = 1.0 if WHOLE else 0.0
HAS_CHANCE = bool(TREE.weights)
CHANCE_KIND = WEIGHTED if all(w == int(w) for w in TREE.weights) else GENERAL

MIDDLE = 0.5 * (VALUES[0] + VALUES[1])
EVEN = (
    MIDDLE if SUM is None else min(max(SUM / PLAYERS, VALUES[0]), VALUES[1])
)  # what a node may be worth to each player of which nothing is said
ENDED = MOST_NODES  # added to what is heard of the last move


def start(s):
    s.at, s.digest = START, DIGEST
    for i in range(CAPACITY):
        s.first[i], s.count[i], s.mover[i] = FIRST[i], COUNT[i], MOVER[i]
        s.value[i], s.weight[i], s.label[i] = VALUE[i], WEIGHT[i], LABEL[i]


def player(s):
    return s.mover[s.at]


def moves(s, out):
    for i in range(s.count[s.at]):
        out[i] = i
    return s.count[s.at]


def play(s, move):
    s.at = s.first[s.at] + move


def utility(s, player):
    return s.value[s.at] if player == 0 else SUM - s.value[s.at]


def evaluate(s, player):
    return s.value[s.at] if player == 0 else SUM - s.value[s.at]


def key(s):
    return hashing.combine(s.digest, np.uint64(s.at))


if HAS_CHANCE:  # a game that defines outcomes is a game of chance

    def outcomes(s, out, weights):
        for i in range(s.count[s.at]):
            out[i] = i
            weights[i] = s.weight[s.first[s.at] + i]
        return s.count[s.at]


if HIDES:

    def start(s):
        s.at, s.digest = START, DIGEST
        for i in range(CAPACITY):
            s.first[i], s.count[i], s.mover[i] = FIRST[i], COUNT[i], MOVER[i]
            s.value[i], s.weight[i], s.label[i], s.seen[i] = VALUE[i], WEIGHT[i], LABEL[i], SEEN[i]

    def percept(before, move, after, observer):
        """Which move it was, for those who see it; and whether the game is over."""
        told = 1 + move if before.seen[before.at] >> observer & 1 and before.mover[before.at] != observer else 0
        return told + ENDED if after.mover[after.at] == OVER else told


if VECTORS:

    def start(s):
        s.at, s.digest = START, DIGEST
        for i in range(CAPACITY):
            s.first[i], s.count[i], s.mover[i] = FIRST[i], COUNT[i], MOVER[i]
            s.value[i], s.weight[i], s.label[i] = VALUE[i], WEIGHT[i], LABEL[i]
            for p in range(PLAYERS):
                s.vector[i, p] = VECTOR[i, p]

    def utility(s, player):
        return s.vector[s.at, player]

    def evaluate(s, player):
        return s.vector[s.at, player]


# --- the tree in the state ---


def packed(tree):
    """The arrays of the state that hold a tree, and their digest; refuses what this game was not loaded for."""
    check(tree)
    nodes = len(tree.first)
    filled = {name: np.zeros((CAPACITY, *State[name].shape[1:]), State[name].base) for name in PARTS}
    filled["value"][:nodes] = [MIDDLE if v is None else v for v in tree.value]
    filled["label"][:nodes] = [int.from_bytes(name.encode(), "little") for name in tree.label]
    for name in ("first", "count", "mover", "weight", *SIGHT):
        filled[name][:nodes] = getattr(tree, name)
    if VECTORS:
        filled["vector"][:nodes] = [v or (EVEN,) * PLAYERS for v in tree.vector]
    content = b"".join(array[:nodes].tobytes() for array in filled.values())
    return filled, np.uint64(int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little"))


def check(tree):
    low, high = VALUES
    if len(tree.first) > CAPACITY or tree.height > MAX_PLIES:
        raise InputError(
            f"the tree has {len(tree.first)} nodes and a depth of {tree.height}; this game has room for {CAPACITY} and {MAX_PLIES}: "
            "load trees with it instead"
        )
    if tree.has_vectors != VECTORS or tree.players != PLAYERS:
        have, had = (f"{t.players} values at each leaf" if t.has_vectors else "one value at each leaf" for t in (tree, TREE))
        raise InputError(f"the tree has {have}, and the one this game was loaded with had {had}; load trees with it")
    if VECTORS and SUM is not None and tree.sums != {SUM}:
        raise InputError(
            f"the players' values add up to {SUM:g} at each leaf of the tree this game was loaded with; load trees with this one"
        )
    for value in tree.leaves:
        if not low <= value <= high:
            raise InputError(f"the value {value:g} is outside low={low:g} to high={high:g}; load trees with a wider range")
        if WHOLE and value != int(value):
            raise InputError(
                f"the value {value:g} is no whole number, as all were in the tree this game was loaded with; load trees with it"
            )
    for value in tree.estimates:
        if not low < value < high:
            raise InputError(f"the value {value:g} of a node with moves must lie between low={low:g} and high={high:g}; widen the range")
    if tree.weights and not HAS_CHANCE:
        raise InputError("the tree this game was loaded with has no chance nodes, so there can be none; load trees with it")
    if tree.hides and not HIDES:
        raise InputError("all is seen in the tree this game was loaded with, so nothing can be hidden; load trees with it")
    if CHANCE_KIND == WEIGHTED and any(w != int(w) for w in tree.weights):
        raise InputError("the chances must be whole numbers, as in the tree this game was loaded with; load trees with it")


def unpacked(s):
    """The tree that a state holds."""
    nodes = 1 + sum(s.count)
    names = [int(word).to_bytes(LONGEST_NAME, "little").rstrip(b"\0").decode() for word in s.label[:nodes]]
    values = [None if m != OVER and v == MIDDLE else v for m, v in zip(s.mover[:nodes], s.value[:nodes], strict=True)]
    if VECTORS:
        values = [
            v[0] if m == OVER or any(x != EVEN for x in v) else None
            for m, v in zip(s.mover[:nodes], s.vector[:nodes].tolist(), strict=True)
        ]
    seen = list(s.seen[:nodes]) if HIDES else [EVERYBODY] * nodes
    vectors = [() if v is None else tuple(s.vector[i].tolist()) for i, v in enumerate(values)] if VECTORS else [()] * nodes
    return Tree(
        list(s.first[:nodes]), list(s.count[:nodes]), list(s.mover[:nodes]), values, list(s.weight[:nodes]), names, seen, vectors, PLAYERS
    )


ARRAYS, DIGEST = packed(TREE)
FIRST, COUNT, MOVER, VALUE, WEIGHT, LABEL = (ARRAYS[name] for name in ("first", "count", "mover", "value", "weight", "label"))
SEEN, VECTOR = ARRAYS.get("seen"), ARRAYS.get("vector")
START = reached(TREE, PLACE)


# --- for people ---


def show(s):
    tree = unpacked(s)
    moves_made = route(tree, s.at)
    return written(tree) + (f"\nat {' '.join(moves_made)}" if moves_made else "")


def read(text, s):
    """A tree as for the parameter `tree`, and after it, if the game is not at the root, `at` and the moves made."""
    tree, moves_made = parse(text)
    filled, s.digest = packed(tree)
    for name, array in filled.items():
        s[name] = array
    s.at = reached(tree, moves_made)


def name(s, move):
    word = int(s.label[s.first[s.at] + move])
    return word.to_bytes(LONGEST_NAME, "little").rstrip(b"\0").decode() or str(move + 1)


def announce(percept, observer):
    """A move by its number, which is all that is known of its name; and the end."""
    words = [str(percept % ENDED)] if percept % ENDED else []
    return ":".join([*words, *(["over"] if percept >= ENDED else [])])


def show_to(s, observer):
    """The tree, and the moves made as far as the player saw them."""
    tree, places = unpacked(s), []
    node = s.at
    while node:
        parent = next(i for i in range(node) if tree.first[i] <= node < tree.first[i] + tree.count[i])
        places.append(tree.label[node] or str(node - tree.first[parent] + 1) if tree.seen[parent] >> observer & 1 else "?")
        node = parent
    return written(tree) + (f"\nat {' '.join(reversed(places))}" if places else "")


def draw(s):
    return picture(unpacked(s), s.at)
