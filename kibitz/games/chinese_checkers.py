"""Chinese checkers for 2, 3, 4 or 6: the first to bring all men from his point of the star to the opposite one wins what each of the others loses.

The board is a six-pointed star, 121 cells for points of `size` 4. A man steps to a free cell beside it, or hops over a man of anybody's beside it to the free cell right
behind, and on from there as often as it likes; nothing is taken. A move is where a man comes from and where it ends: the way between does not matter, and a man that
comes back to where it stood has not moved. Men may leave every point again. A player who cannot move passes.

**A blocked goal.** A player may leave a man at home, which is another player's goal. With `goal=full` a player has won as soon as every cell of his goal holds a man, and more than half
of them are his own; with `goal=all` they must all be his. It is looked at after his own moves.

**Repetition.** Positions may come up again as often as the players like; after `limit` turns of all players together the game is drawn.

Two play from opposite points, three from every other, four from two pairs of opposite ones. Notation: rows are a, b, c, ... from the top, cells 1, 2, 3, ... in a row; a
move is `d1-f2`, or `pass`. A board is its rows, players' numbers and dots, and what happens next: `2 to move after 5 turns`.
"""

import math
import re

import numpy as np

from kibitz import OVER, InputError, evaluation, hashing, parameter, random, record, svg

SIZE = parameter("size", 4, low=1, high=4, about="rows of a point of the star")
SIDES = parameter("players", 2, low=2, high=6, about="number of players: 2, 3, 4 or 6")
GOAL_RULE = parameter(
    "goal", "full", choices=("full", "all"), about="what wins: the goal full and mostly one's own, or all one's men in it"
)
LIMIT = parameter("limit", 1000, low=1, high=10_000, about="turns after which the game is drawn")

HOMES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # points of the star, clockwise from the top
if SIDES not in HOMES:
    raise InputError(f"chinese_checkers: players={SIDES}: the star is for 2, 3, 4 or 6")

# --- the star: a cell is three numbers that add up to 0; z is its row, x - y its place in it ---

STAR = sorted(
    ((x, y, -x - y) for x in range(-2 * SIZE, 2 * SIZE + 1) for y in range(-2 * SIZE, 2 * SIZE + 1) if max(x, y, -x - y) <= SIZE or min(x, y, -x - y) >= -SIZE),
    key=lambda c: (c[2], c[0] - c[1]),
)  # fmt: skip
WAYS = ((0, 1, -1), (1, 0, -1), (-1, 1, 0), (1, -1, 0), (-1, 0, 1), (0, -1, 1))
CELLS = len(STAR)
OFF = -1
PLACES = {cell: i for i, cell in enumerate(STAR)}
BESIDE = np.array([[PLACES.get((x + a, y + b, z + c), OFF) for a, b, c in WAYS] for x, y, z in STAR], np.int16)
AXES = ((2, -1), (0, 1), (1, -1), (2, 1), (0, -1), (1, 1))  # of each point: which number is beyond SIZE there, and with which sign
POINTS = [[i for i, cell in enumerate(STAR) if sign * cell[axis] > SIZE] for axis, sign in AXES]
TIPS = [next(i for i in point if abs(STAR[i][axis]) == 2 * SIZE) for point, (axis, _) in zip(POINTS, AXES, strict=True)]
MEN = len(POINTS[0])

HOME = np.array([POINTS[home] for home in HOMES[SIDES]], np.int16)
GOAL = np.array([POINTS[(home + 3) % 6] for home in HOMES[SIDES]], np.int16)
# How far a cell is from the tip of a player's goal, in steps.
FAR = np.array(
    [[max(abs(a - b) for a, b in zip(cell, STAR[TIPS[(home + 3) % 6]], strict=True)) for cell in STAR] for home in HOMES[SIDES]], np.int16
)

# `owner`: 0, or the number of the player whose man is there, from 1; `far`: what a player's men have to go; `code`: a hash of the men
State = record(code=np.uint64, owner=(np.int8, CELLS), far=(np.int16, SIDES), turns=np.int16, turn=np.int8, winner=np.int8)
PLAYERS = SIDES
MAX_MOVES = max(1, MEN * (CELLS - MEN * SIDES))  # every man to every free cell, or a pass
MAX_PLIES = LIMIT
VALUES = (-1.0, PLAYERS - 1.0)
NOBODY = -1
PASS = 0  # from the first cell to itself
ALL = GOAL_RULE == "all"
MARKS = "123456"[:SIDES]
INKS = ("#c0392b", "#2b5f9e", "#2e8b57", "#d4a017", "#7b4fa3", "#4a4a4a")
COLOURS = dict(zip(MARKS, ("bold red", "bold blue", "bold green", "bold yellow", "bold magenta", "bold white"), strict=False))
LETTERS = "abcdefghijklmnopq"
WORDS = hashing.words(SIDES * CELLS).reshape(SIDES, CELLS)

EAGER = 3.0  # steps ahead that make a player e times as likely to win, as evaluations have it, for each man
DRAWS = 3  # moves that a playout chooses from


def start(s):
    for side in range(SIDES):
        for cell in HOME[side]:
            put(s, side, cell)
    s.winner = NOBODY


def put(s, side, cell):
    s.owner[cell] = side + 1
    s.far[side] += FAR[side, cell]
    s.code ^= WORDS[side, cell]


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for cell in range(CELLS):
        if s.owner[cell] == s.turn + 1:
            n = list_moves(s, cell, out, n)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


def list_moves(s, origin, out, n):
    """The moves of one man: hops, each looked on from in its turn, then steps to where no hop leads."""
    first, looked, cell = n, n, origin
    while True:
        for way in range(6):
            over = BESIDE[cell, way]
            if over != OFF and over != origin and s.owner[over] != 0:
                landing = BESIDE[over, way]
                if landing != OFF and s.owner[landing] == 0 and not is_listed(out, first, n, origin * CELLS + landing):
                    out[n] = origin * CELLS + landing
                    n += 1
        if looked == n:
            break
        cell = out[looked] % CELLS
        looked += 1
    for way in range(6):
        beside = BESIDE[origin, way]
        if beside != OFF and s.owner[beside] == 0 and not is_listed(out, first, n, origin * CELLS + beside):
            out[n] = origin * CELLS + beside
            n += 1
    return n


def is_listed(out, first, n, move):
    for i in range(first, n):
        if out[i] == move:
            return True
    return False


def play(s, move):
    side = s.turn
    if move != PASS:
        origin, target = move // CELLS, move % CELLS
        s.owner[origin] = 0
        s.far[side] -= FAR[side, origin]
        s.code ^= WORDS[side, origin]
        put(s, side, target)
    s.turns += 1
    s.turn = (side + 1) % SIDES
    if has_won(s, side):
        s.winner, s.turn = side, OVER
    elif s.turns >= LIMIT:
        s.turn = OVER


def has_won(s, side):
    own, foreign = 0, 0
    for cell in GOAL[side]:
        if s.owner[cell] == side + 1:
            own += 1
        elif s.owner[cell] != 0:
            foreign += 1
    return own == MEN if ALL else own + foreign == MEN and 2 * own > MEN


def utility(s, player):
    if s.winner == NOBODY:
        return 0.0
    return PLAYERS - 1.0 if player == s.winner else -1.0


def key(s):
    return hashing.combine(s.code, np.uint64((s.turns + 1) * 8 + s.turn + 1))


# --- knowledge for search ---


def skip(s):
    s.turn = (s.turn + 1) % SIDES
    return True


def order(s, move):
    """What brings a man far ahead; those that are behind first."""
    origin, target = move // CELLS, move % CELLS
    return FAR[s.turn, origin] - FAR[s.turn, target] + 0.1 * FAR[s.turn, origin]


def evaluate(s, player):
    """The player with the shortest way to go is the most likely to win; evaluations of all add up to 0."""
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    everybody = 0.0
    for side in range(SIDES):
        everybody += math.exp((s.far[player] - s.far[side]) / (EAGER * MEN / 2.0))
    return PLAYERS / everybody - 1.0


def playout(s, out, rng):
    """The move, among some, that brings a man farthest."""
    n = moves(s, out)
    best = out[random.below(rng, n)]
    for _ in range(DRAWS - 1):
        other = out[random.below(rng, n)]
        if order(s, other) > order(s, best):
            best = other
    return best


# --- for people ---


def show(s):
    rows = {}
    for i, (x, y, z) in enumerate(STAR):
        rows.setdefault(z, []).append((x - y, MARKS[s.owner[i] - 1] if s.owner[i] else "."))
    width = max(len(row) for row in rows.values())
    return "\n".join([*(" " * (width - len(rows[z])) + " ".join(mark for _, mark in rows[z]) for z in sorted(rows)), status(s)])


def status(s):
    """What happens next."""
    turns = f"after {s.turns} {'turn' if s.turns == 1 else 'turns'}"
    if s.turn != OVER:
        return f"{MARKS[s.turn]} to move {turns}"
    return f"a draw {turns}" if s.winner == NOBODY else f"{MARKS[s.winner]} has won {turns}"


def read(text, s):
    """What `show` prints; without a last line, the first player is to move after no turns."""
    found = re.search(r"(?:([1-6]) (to move|has won)|a draw)(?: after (\d+) turns?)?\s*$", text)
    cells = "".join((text[: found.start()] if found else text).replace("/", " ").split())
    if len(cells) != CELLS or set(cells) - set(MARKS + "."):
        raise InputError(f"a board is {CELLS} cells, each {', '.join(MARKS)} or .; there are {len(cells)}")
    for mark in MARKS:
        if cells.count(mark) != MEN:
            raise InputError(f"player {mark} has {cells.count(mark)} men; each has {MEN}")
    for cell, mark in enumerate(cells):
        if mark != ".":
            put(s, MARKS.index(mark), cell)
    named = found[1] if found and found[1] else MARKS[0]
    if named not in MARKS:
        raise InputError(f"there is no player {named}; the players are {', '.join(MARKS)}")
    s.turns, s.winner, s.turn = int(found[3] or 0) if found else 0, NOBODY, MARKS.index(named)
    if not 0 <= s.turns <= LIMIT:
        raise InputError(f"after {s.turns} turns: the game has at most limit={LIMIT}")
    last = (s.turn - 1) % SIDES if found is None or found[2] != "has won" else s.turn
    if s.turns and has_won(s, last):
        s.winner, s.turn = last, OVER
    elif s.turns == LIMIT:
        s.turn = OVER
    if found and found[0].strip() not in (status(s), status(s).split(" after ")[0]):
        raise InputError(f"the board says '{found[0].strip()}', but by the rules it is '{status(s)}'")


def cell_name(cell):
    x, y, z = STAR[cell]
    return f"{LETTERS[z + 2 * SIZE]}{1 + sum(1 for a, b, c in STAR if c == z and a - b < x - y)}"


NAMES = [cell_name(cell) for cell in range(CELLS)]


def name(s, move):
    return "pass" if move == PASS else f"{NAMES[move // CELLS]}-{NAMES[move % CELLS]}"


def cells(s, move):
    return () if move == PASS else (NAMES[move // CELLS], NAMES[move % CELLS])


def draw(s):
    """Holes, men, and a hint of colour where a player's goal is."""
    pitch, rows, widest = math.sqrt(3) / 2, 4 * SIZE + 1, 3 * SIZE + 1
    board = svg.Board(math.ceil(rows * pitch) + 1, widest + 1)
    tints = {int(cell): INKS[side] for side in range(SIDES) for cell in GOAL[side]}
    for cell, (x, y, z) in enumerate(STAR):
        place = (0.5 + (z + 2 * SIZE) * pitch, (x - y + widest) / 2)
        owner = s.owner[cell]
        board.disc(*place, "#f4ecd8", size=0.45, stroke=tints.get(cell, "#b9a777"), cell=NAMES[cell])
        if owner:
            board.disc(*place, INKS[owner - 1], size=0.38, cell="")
    return board.render()
