"""Kalah: sow seeds around the board; you move again if your last seed falls in your store, and capture if it falls in an empty pit of yours.

Each player has `holes` pits of `seeds` seeds and a store to their right. A move empties one pit and sows its seeds one by one
counter-clockwise: through the mover's pits, his store, the other's pits, never the other's store, and, if there are enough stones, around
again, the emptied pit included. If the last seed falls into the store the mover goes again. If it falls into a pit of his own that was
empty, he takes it and the seeds opposite, even if there are none ("empty capture"). When either side's pits are all empty after a move the
game is over, and each player adds the seeds left on his side to his store. The utility is the difference of the stores.

Pits and stores lie in one ring, here for three holes; South moves first:

          6  5  4
      7            3      3: South's store, 7: North's
          0  1  2

Notation: a move is a pit, 1 to `holes` from the mover's left; a turn of several sowings is several moves. A board is North's pits as
South sees them, the two stores, South's pits, and the side to move: `4 4 4 / 0 0 / 4 4 4 / South to move`.
"""

import re
from itertools import product

import numpy as np

from kibitz import OVER, InputError, evaluation, hashing, parameter, record, svg

HOLES = parameter("holes", 6, low=1, high=12, about="pits on each side")
SEEDS = parameter("seeds", 4, low=1, high=24, about="seeds in each pit at the start")

SIDE = HOLES + 1  # from a pit to the one at the same place of the other side
RING = 2 * SIDE
TOTAL = 2 * HOLES * SEEDS

State = record(pits=(np.int16, RING), turn=np.int8)  # `turn` is OVER when the game is
PLAYERS = 2
PLAYER_NAMES = ("South", "North")
MAX_MOVES = HOLES
# Add up how far each seed is from the store of its side: TOTAL * HOLES at most. A move that does not reach the store shortens the sum. One
# that does adds less than HOLES * (HOLES + 1) for every seed it stores, for the pits of one lap, and TOTAL seeds can be stored.
MAX_PLIES = TOTAL * (1 + HOLES + HOLES * (HOLES + 1))
VALUES = (-float(TOTAL), float(TOTAL))
GRAIN = 2.0  # TOTAL is even, and the difference is twice one store less TOTAL

GOES_AGAIN = 1000.0  # orders before any capture
RIGHT = 0.01  # orders between moves that store the same: less than a seed for all pits together

FEATURES = ("store", "seeds", "turn", "pits", "goes again", "captures", "again next", "capture next", "again and captures")
START = (1.0, *(0.0,) * 8)
WEIGHTS = evaluation.fitted(__file__, FEATURES, START)
SEED = WEIGHTS[0] or 1.0  # a seed in the store is worth itself, and the rest in proportion
IN_PITS = (0.0, *(weight / SEED for weight in WEIGHTS[1:]))


def start(s):
    for i in range(RING):
        s.pits[i] = SEEDS
    s.pits[HOLES], s.pits[RING - 1], s.turn = 0, 0, 0


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for pit in range(HOLES):
        if s.pits[s.turn * SIDE + pit] > 0:
            out[n] = pit
            n += 1
    return n


def play(s, move):
    first = s.turn * SIDE  # the mover's leftmost pit
    store, skipped = first + HOLES, RING - 1 if s.turn == 0 else HOLES
    place = first + move
    seeds = s.pits[place]
    s.pits[place] = 0
    while seeds > 0:
        place = next_place(place, skipped)
        s.pits[place] += 1
        seeds -= 1
    if first <= place < store and s.pits[place] == 1:
        opposite = RING - 2 - place
        s.pits[store] += 1 + s.pits[opposite]
        s.pits[place], s.pits[opposite] = 0, 0
    if place != store:
        s.turn = 1 - s.turn
    finish_if_empty(s)


def next_place(place, skipped):
    """The next pit or store counter-clockwise."""
    place = place + 1 if place + 1 < RING else 0
    if place == skipped:
        place = place + 1 if place + 1 < RING else 0
    return place


def finish_if_empty(s):
    """When a side has no seeds left the game is over: the other side's go to its store."""
    south, north = seeds_of(s, 0), seeds_of(s, 1)
    if south == 0 or north == 0:
        s.pits[HOLES] += south
        s.pits[RING - 1] += north
        for pit in range(HOLES):
            s.pits[pit], s.pits[SIDE + pit] = 0, 0
        s.turn = OVER


def seeds_of(s, player):
    """The seeds in a player's pits, his store left out."""
    seeds = 0
    for pit in range(HOLES):
        seeds += s.pits[player * SIDE + pit]
    return seeds


def utility(s, player):
    return lead(s, player)


def evaluate(s, player):
    """The lead in the stores, and what the pits are worth by their weights: never all the seeds that are still in them, which is what `best_case`
    and the range of utilities ask. On an empty board it is the lead alone.
    """
    if s.turn == OVER:
        return lead(s, player)
    in_play = 1.0 * (seeds_of(s, 0) + seeds_of(s, 1))
    worth = evaluation.linear(measured(s, player), IN_PITS) - evaluation.linear(measured(s, 1 - player), IN_PITS)
    return lead(s, player) + evaluation.squashed(worth, -in_play, in_play)


def features(s, player, out):
    evaluation.compared(measured(s, player), measured(s, 1 - player), out)


def measured(s, side):
    """What a side has: seeds in its store and in its pits; the turn; pits with seeds; pits that would go again; seeds that its captures would take;
    1 if it has the turn and would go again; seeds that the largest capture would take, if it has the turn; and 1 if it has the turn and could go
    again first and capture then. Without laps around the whole board.
    """
    first, next_ = side * SIDE, 1 if s.turn == side else 0
    seeds, again, captured, largest, filled = 0, 0, 0, 0, 0
    for pit in range(HOLES):
        n = s.pits[first + pit]
        seeds += n
        if n > 0:
            filled += 1
            last = pit + n
            if last == HOLES:
                again += 1
            elif last < HOLES and s.pits[first + last] == 0 and s.pits[RING - 2 - first - last] > 0:
                captured += 1 + s.pits[RING - 2 - first - last]
                largest = max(largest, 1 + s.pits[RING - 2 - first - last])
    return (
        s.pits[first + HOLES],
        seeds,
        next_,
        filled,
        again,
        captured,
        next_ * min(again, 1),
        next_ * largest,
        next_ * evaluation.both(again, captured),
    )


def banked(s, player):
    """Seeds in the stores stay there and change nothing else: positions that differ in them alone share a key."""
    return lead(s, player)


def key(s):
    """The pits and whose turn it is, not the stores."""
    number, word = np.uint64(0), np.uint64(s.turn + 1)
    for pit in range(HOLES):
        word = (word << np.uint64(32)) | (np.uint64(s.pits[pit]) << np.uint64(16)) | np.uint64(s.pits[SIDE + pit])
        if pit % 2 == 0 or pit == HOLES - 1:  # the first word holds whose turn it is and one pair of pits, the others two
            number = hashing.combine(number, word)
            word = np.uint64(0)
    return number


def best_case(s, player):
    """Every seed that is not in a store yet might be the player's."""
    return lead(s, player) + 1.0 * (seeds_of(s, 0) + seeds_of(s, 1))


def lead(s, player):
    """The player's store less the other's."""
    south = 1.0 * (s.pits[HOLES] - s.pits[RING - 1])
    return south if player == 0 else -south


def order(s, move):
    """First what goes again, from the right, so that no pit on the way is spoilt; then captures, the largest first."""
    first = s.turn * SIDE
    seeds = s.pits[first + move]
    if (seeds - (HOLES - move)) % (RING - 1) == 0:
        return GOES_AGAIN + move
    last = move + seeds
    if last < HOLES and s.pits[first + last] == 0:
        return 1.0 + s.pits[RING - 2 - first - last]
    return 0.0


def solving_order(s, move):
    """First what goes again, then by how many seeds the move stores: those of a capture, or one on the way past the store. Of equals the one farther to the
    right, which alone makes the tree of Kalah(5,3) eleven times smaller.
    """
    passes = s.pits[s.turn * SIDE + move] > HOLES - move
    return order(s, move) + (1.0 if passes else 0.0) + RIGHT * move


# --- for people ---


def show(s):
    north = " ".join(f"{s.pits[i]:>2}" for i in reversed(range(SIDE, SIDE + HOLES)))
    south = " ".join(f"{s.pits[i]:>2}" for i in range(HOLES))
    stores = f"{s.pits[RING - 1]:>2}{' ' * (len(south) + 2)}{s.pits[HOLES]:>2}"
    return "\n".join([f"   {north}", stores, f"   {south}", turn_words(s)])


def turn_words(s):
    return "game over" if s.turn == OVER else f"{('South', 'North')[s.turn]} to move"


def read(text, s):
    """What `show` prints; rows may be separated by `/`. A side without seeds ends the game, whoever is said to move."""
    sides = re.findall(r"south|north|over", text.lower())
    numbers = [int(n) for n in re.findall(r"-?\d+", text)]
    strange = re.sub(r"[-\d\s/]|(?:south|north) to move|game over|south|north", "", text.lower())
    if len(sides) != 1 or len(numbers) != RING or strange:
        raise InputError(
            f"a board is North's {HOLES} pits, North's store, South's store, South's {HOLES} pits and 'South to move' or 'North to move'"
        )
    if min(numbers) < 0 or sum(numbers) != TOTAL:
        raise InputError(f"a board with {HOLES} holes and {SEEDS} seeds has {TOTAL} seeds in all, none of its {RING} numbers negative")
    for i in range(HOLES):
        s.pits[SIDE + i] = numbers[HOLES - 1 - i]
        s.pits[i] = numbers[HOLES + 2 + i]
    s.pits[RING - 1], s.pits[HOLES] = numbers[HOLES], numbers[HOLES + 1]
    s.turn = 1 if sides[0] == "north" else 0
    finish_if_empty(s)
    if sides[0] == "over" and s.turn != OVER:
        raise InputError("the game is not over while both sides have seeds; write 'South to move' or 'North to move'")


def name(s, move):
    return str(move + 1)


def cells(s, move):
    return (f"pit{s.turn * SIDE + move}",)


def draw(s):
    board = svg.Board(4, HOLES + 2)
    for row, column in product(range(4), range(HOLES + 2)):
        board.square(row, column, "#e3c193", stroke="#e3c193", cell="")
    for side in (0, 1):
        column, store = (HOLES + 1, HOLES) if side == 0 else (0, RING - 1)
        board.line((1.15, column), (1.85, column), stroke="#8a5a2b", width=34)
        board.text(1.5, column, str(s.pits[store]), fill="#fff", size=0.55)
        for hole in range(HOLES):
            row, column = (2, 1 + hole) if side == 0 else (1, HOLES - hole)
            ready = s.turn == side and s.pits[side * SIDE + hole] > 0
            board.disc(row, column, "#a06c36", size=0.44, stroke="#fff3d6" if ready else "#8a5a2b", cell=f"pit{side * SIDE + hole}")
            board.text(row, column, str(s.pits[side * SIDE + hole]), fill="#fff", size=0.45)
            board.text(3 if side == 0 else 0, column, str(hole + 1), fill="#222" if s.turn == side else "#a5875c", size=0.34)
    return board.render()
