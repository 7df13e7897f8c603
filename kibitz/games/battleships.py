"""Battleships: each side hides a fleet on a sea of its own, then they shoot at each other's squares in turn; the first to sink all ships wins.

Both sides place their ships in secret, in the order of `fleet` and in turn; ships lie along a row or a column and may touch. Then each shot is announced to both:
`water`, `hit`, `sunk` where the last square of a ship is hit, `last` where that was the last ship. With `alone=true` the second player never shoots: how many shots does it take?

Notation: a ship is placed by its lowest, leftmost square and `h` for along the row or `v` for up the column, `b3h`; a shot is its square, `c4`. A position is, for each player, where his
ships lie, `-` for one that is not placed yet, then for each the shots he has made, in their order: `a1h c3v / b1h - / - / -`.
"""

import numpy as np

from kibitz import OVER, InputError, parameter, random, record, svg

SIZE = parameter("size", 10, low=3, high=12, about="rows and columns of a sea")
FLEET = parameter("fleet", (5, 4, 3, 3, 2), low=1, high=12, about="how long the ships are, in the order in which they are placed")
ALONE = parameter("alone", False, about="only the first player shoots")

CELLS, SHIPS = SIZE * SIZE, len(FLEET)
for place, length in enumerate(
    FLEET
):  # this many ships of this length would fit side by side, and each one placed before may be in the way of as many as it is long
    if length > SIZE or sum(FLEET[:place]) >= SIZE * (SIZE // length):
        raise InputError(
            f"battleships: fleet={','.join(map(str, FLEET))} might not fit on {SIZE} x {SIZE} squares; take fewer or shorter ships, or a larger size"
        )

# `ships`: how each player's lie, a move that places it, or NOWHERE; `shots`: on each player's sea, 0 or what came of the shot and four times its number
State = record(
    ships=(np.int16, (2, SHIPS)), shots=(np.int16, (2, CELLS)), fired=(np.int16, 2), left=(np.int8, 2), turn=np.int8, placed=np.int8
)
PLAYERS = 2
MAX_MOVES = 2 * CELLS
MAX_PLIES = 2 * SHIPS + 2 * CELLS
VALUES = (-1.0, 1.0)
GRAIN = 2.0  # there is no draw

NOWHERE = -1
WATER, HIT, SUNK, LAST = 1, 2, 3, 4  # what a shot came to; of `shots` the first three
WORDS = ("", "water", "hit", "sunk", "last")
LETTERS = "abcdefghijkl"
TOTAL = sum(FLEET)
SWEEPS, SWAPS = 3, 8  # of a new deal: how often each ship is placed anew, and two of them together


def start(s):
    for p in range(2):
        s.left[p] = SHIPS
        for i in range(SHIPS):
            s.ships[p, i] = NOWHERE


def player(s):
    return OVER if s.left[0] == 0 or s.left[1] == 0 else s.turn


def moves(s, out):
    n, me = 0, s.turn
    if s.placed < 2 * SHIPS:
        ship = s.placed // 2
        for place in range(2 * CELLS):
            if fits(ship, place) and is_free(s, me, ship, place):
                out[n] = place
                n += 1
        return n
    for cell in range(CELLS):
        if s.shots[1 - me, cell] == 0:
            out[n] = cell
            n += 1
    return n


def play(s, move):
    me = s.turn
    if s.placed < 2 * SHIPS:
        s.ships[me, s.placed // 2] = move
        s.placed += 1
        s.turn = 1 - me
        return
    s.fired[me] += 1
    came = WATER
    for ship in range(SHIPS):
        if covers(ship, s.ships[1 - me, ship], move):
            came = SUNK if unhit(s, 1 - me, ship) == 1 else HIT
    s.shots[1 - me, move] = 4 * s.fired[me] + came
    if came == SUNK:
        s.left[1 - me] -= 1
    if not ALONE:
        s.turn = 1 - me


def utility(s, player):
    return 1.0 if s.left[1 - player] == 0 else -1.0


def evaluate(s, player):
    """Squares hit there and here, of all there are."""
    return 0.9 * (hits(s, 1 - player) - hits(s, player)) / TOTAL


def hits(s, p):
    n = 0
    for cell in range(CELLS):
        if s.shots[p, cell] & 3 > WATER:
            n += 1
    return n


def percept(before, move, after, observer):
    if before.placed < 2 * SHIPS:
        return 0
    came = after.shots[1 - before.turn, move] & 3
    if after.left[1 - before.turn] == 0:
        came = LAST
    return came if observer == before.turn else came + 5 * (move + 1)


# --- how ships lie ---


def fits(ship, place):
    """Does it lie on the sea, placed so?"""
    cell = place % CELLS
    along = cell // SIZE if place >= CELLS else cell % SIZE
    return along + FLEET[ship] <= SIZE and (FLEET[ship] > 1 or place < CELLS)  # a ship of one square lies one way


def square(place, i):
    """The i-th square of a ship that is placed so."""
    return place % CELLS + i * (SIZE if place >= CELLS else 1)


def covers(ship, place, cell):
    if place == NOWHERE:
        return False
    for i in range(FLEET[ship]):
        if square(place, i) == cell:
            return True
    return False


def is_free(s, p, ship, place):
    """Is no other ship of the player in the way?"""
    for other in range(SHIPS):
        if other != ship and s.ships[p, other] != NOWHERE:
            for i in range(FLEET[ship]):
                if covers(other, s.ships[p, other], square(place, i)):
                    return False
    return True


def unhit(s, p, ship):
    """How many squares of a ship have not been shot at."""
    n = 0
    for i in range(FLEET[ship]):
        if s.shots[p, square(s.ships[p, ship], i)] == 0:
            n += 1
    return n


def agrees(s, p, ship, place):
    """Is what was announced of the squares of a ship true if it lies so? How many of them are hits, or -1 where it is not."""
    n, latest, sunk, last = 0, 0, 0, 0
    for i in range(FLEET[ship]):
        shot = s.shots[p, square(place, i)]
        if shot == 0:
            continue
        if shot & 3 == WATER:
            return -1
        n += 1
        if shot & 3 == SUNK:
            sunk += 1
        if shot > latest:
            latest, last = shot, shot & 3
    if n == FLEET[ship]:
        return n if last == SUNK and sunk == 1 else -1
    return n if sunk == 0 else -1


# --- what may be hidden ---


def blur(s, observer):
    """Ships of equal length on the other's sea are interchangeable."""
    p = 1 - observer
    for ship in range(SHIPS):
        for other in range(ship):
            if FLEET[other] == FLEET[ship] and s.ships[p, ship] != NOWHERE and s.ships[p, other] > s.ships[p, ship]:
                s.ships[p, ship], s.ships[p, other] = s.ships[p, other], s.ships[p, ship]


def redeal(s, observer, rng):
    """Place the other's ships anew, one at a time and two at a time, each way that agrees with all that was announced as likely as another (Gibbs and Metropolis sampling)."""
    p = 1 - observer
    for _ in range(SWEEPS):
        for ship in range(SHIPS):
            if s.ships[p, ship] != NOWHERE:
                place_anew(s, p, ship, covered(s, p, ship), rng)
    for _ in range(SWAPS if SHIPS > 1 else 0):
        one = random.below(rng, SHIPS)
        other = (one + 1 + random.below(rng, SHIPS - 1)) % SHIPS
        if s.ships[p, one] != NOWHERE and s.ships[p, other] != NOWHERE:
            place_both_anew(s, p, one, other, rng)


def covered(s, p, ship):
    """How many hits are squares of this ship."""
    n = 0
    for i in range(FLEET[ship]):
        if s.shots[p, square(s.ships[p, ship], i)] != 0:
            n += 1
    return n


def ways(s, p, ship, needed, chosen):
    """How many ways there are to place a ship so that it covers `needed` hits, any number where that is negative; it is put to way number `chosen`, if there is such."""
    n, before = 0, s.ships[p, ship]
    for place in range(2 * CELLS):
        if fits(ship, place):
            found = agrees(s, p, ship, place)
            if found >= 0 and (needed < 0 or found == needed) and is_free(s, p, ship, place):
                if n == chosen:
                    before = place
                n += 1
    s.ships[p, ship] = before
    return n


def place_anew(s, p, ship, needed, rng):
    n = ways(s, p, ship, needed, -1)
    ways(s, p, ship, needed, random.below(rng, n))


def place_both_anew(s, p, one, other, rng):
    """A way for the first of them that leaves room for the second, and one for that; taken or not so that all pairs come up equally often."""
    first, second = s.ships[p, one], s.ships[p, other]
    needed = covered(s, p, one) + covered(s, p, other)
    before = ways(s, p, other, covered(s, p, other), -1)
    s.ships[p, other] = NOWHERE
    n = ways(s, p, one, -1, -1)
    ways(s, p, one, -1, random.below(rng, n))
    left = needed - covered(s, p, one)
    s.ships[p, other] = second
    after = ways(s, p, other, left, -1) if left >= 0 else 0
    if after > 0 and random.unit(rng) * before <= after:
        ways(s, p, other, left, random.below(rng, after))
    else:
        s.ships[p, one], s.ships[p, other] = first, second


# --- for people ---


def announce(percept, observer):
    came, cell = percept % 5, percept // 5 - 1
    return WORDS[came] if cell < 0 else f"{name_of(cell)}:{WORDS[came]}"


def name_of(cell):
    return f"{LETTERS[cell % SIZE]}{cell // SIZE + 1}"


def name_of_place(place):
    return "-" if place == NOWHERE else f"{name_of(place % CELLS)}{'v' if place >= CELLS else 'h'}"


def name(s, move):
    return name_of_place(move) if s.placed < 2 * SHIPS else name_of(move)


def sea(s, p, open_):
    """Signs of a sea, row by row from the top: ships where they are open to see, and shots."""
    rows = []
    for row in range(SIZE - 1, -1, -1):
        line = []
        for cell in range(row * SIZE, (row + 1) * SIZE):
            shot = s.shots[p, cell] & 3
            ship = any(covers(ship, s.ships[p, ship], cell) for ship in range(SHIPS))
            line.append("o" if shot == WATER else "x" if shot == HIT else "#" if shot == SUNK else "=" if open_ and ship else ".")
        rows.append(f"{row + 1:2} {' '.join(line)}")
    return [*rows, "   " + " ".join(LETTERS[:SIZE])]


def beside(left, right):
    return [f"{a}    {b}" for a, b in zip(left, right, strict=True)]


def show(s):
    said = " / ".join(
        [" ".join(name_of_place(place) for place in s.ships[p].tolist()) for p in range(2)] + [written_shots(s, 1 - p) for p in range(2)]
    )
    return "\n".join([*beside(sea(s, 0, True), sea(s, 1, True)), said])


def written_shots(s, p):
    """The shots at a sea in their order."""
    fired = sorted((shot, cell) for cell, shot in enumerate(s.shots[p].tolist()) if shot)
    return " ".join(name_of(cell) for _, cell in fired) or "-"


def show_to(s, observer):
    """His own sea, and the other's as far as he knows it."""
    return "\n".join(beside(sea(s, observer, True), sea(s, 1 - observer, False)))


def read(text, s):
    line = next((line for line in reversed(text.splitlines()) if "/" in line), text)
    parts = [part.split() for part in line.split("/")]
    if len(parts) != 4 or any(len(part) != SHIPS for part in parts[:2]):
        raise InputError(
            f"a position is {SHIPS} ships of each player and the shots of each: 'a1h c3v / b1h - / - / -', here with {SHIPS} ships"
        )
    start(s)
    named = {name_of_place(place): place for place in range(2 * CELLS)}
    placed = [sum(word != "-" for word in part) for part in parts[:2]]
    if placed[0] - placed[1] not in (0, 1):
        raise InputError(
            f"{placed[0]} ships of the first player are placed and {placed[1]} of the second: they place them in turn, the first player first"
        )
    for i in range(sum(placed)):
        p, ship = i % 2, i // 2
        word = parts[p][ship]
        if word not in named or not fits(ship, named[word]) or not is_free(s, p, ship, named[word]):
            raise InputError(
                f"'{word}' is no place for a ship of {FLEET[ship]} squares; write its lowest, leftmost square and h or v, such as b3h"
            )
        play(s, named[word])
    fired = [[] if part == ["-"] else part for part in parts[2:]]
    _read_shots(s, fired)


def _read_shots(s, fired):
    cells = {name_of(cell): cell for cell in range(CELLS)}
    if any(fired) and s.placed < 2 * SHIPS:
        raise InputError("no shots are made before all ships are placed")
    if (ALONE and fired[1]) or (not ALONE and len(fired[0]) - len(fired[1]) not in (0, 1)):
        raise InputError(
            f"{len(fired[0])} and {len(fired[1])} shots: {'only the first player shoots' if ALONE else 'they shoot in turn, the first player first'}"
        )
    while any(fired):
        word = fired[s.turn].pop(0)
        if word not in cells or s.shots[1 - s.turn, cells[word]] or player(s) == OVER:
            raise InputError(f"'{word}' is no shot that can be made there")
        play(s, cells[word])


def cells(s, move):
    if s.placed < 2 * SHIPS:
        ends = sorted({square(move, 0), square(move, FLEET[s.placed // 2] - 1)})
        return tuple(f"{s.turn + 1}:{name_of(cell)}" for cell in ends)
    return (f"{2 - s.turn}:{name_of(move)}",)


def draw(s):
    return drawn(s, (True, True), ("player 1's sea", "player 2's sea"))


def draw_to(s, observer):
    return drawn(s, (observer == 0, observer == 1), ("your sea", "the other's sea") if observer == 0 else ("the other's sea", "your sea"))


def drawn(s, open_, titles):
    """The first player's sea on the left, the second's on the right."""
    labels = ["", *(str(row) for row in range(SIZE, 0, -1))]
    board = svg.Board(SIZE + 1, 2 * SIZE + 1, row_labels=labels, column_labels=[*LETTERS[:SIZE], " ", *LETTERS[:SIZE]])
    for p in range(2):
        board.text(0, (SIZE - 1) / 2 + p * (SIZE + 1), titles[p], "#666", 0.6)
        for cell in range(CELLS):
            row, column, shot = SIZE - cell // SIZE, cell % SIZE + p * (SIZE + 1), s.shots[p, cell] & 3
            ship = open_[p] and any(covers(ship, s.ships[p, ship], cell) for ship in range(SHIPS))
            board.square(row, column, "#cfe6f5", cell=f"{p + 1}:{name_of(cell)}")
            if shot == WATER:
                board.disc(row, column, "#ffffff", 0.16, cell="")
            elif shot:
                board.disc(row, column, "#c22222" if shot == HIT else "#4a1010", 0.34, cell="")
            elif ship:
                board.disc(row, column, "#57606a", 0.34, cell="")
    return board.render()
