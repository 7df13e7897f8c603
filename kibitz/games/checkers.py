"""Checkers, or English draughts: men step and jump forward, kings both ways; captures are forced; a player who cannot move loses.

A capture goes on as long as it can, and is one move; a man that reaches the far row becomes a king, and its move ends there. Any capture will do,
it need not be the largest. The game is drawn after `quiet` moves, of both sides together, without a capture or a move of a man, and when a
position comes up `repetitions` times.

The dark squares are numbered 1 to 32 from black's left, row by row; black, who moves first, starts on 1 to 12. A set of squares is one word, eight bits
a row whatever their colour, so that every diagonal step is a shift by seven or nine. The state also holds who can jump: that decides what is
legal, and whether the game goes on.

A move is source + 32 * jumps + 512 * ways: the ways of its jumps, two bits each from the first on, or of its single step where it does not jump.
Jumps that capture the same men in another order and end on the same square are the same move.

Notation is that of PDN: `11-15`, `22x15`, `22x15x8` with every square of the way (`22x8` is read where only one capture is meant). A position is
a board with its FEN, `B:W21,22,K30:B1-4,K12:H5`; H counts the quiet moves and may be left out.
"""

import re

import numpy as np

from kibitz import DRAW, OVER, InputError, bits, evaluation, hashing, parameter, record, svg
from kibitz.games._draughts import BLACK, FAR_ROWS, NUMBERS, SECTIONS, SIZE, SQUARES, WHITE, rank, rows_gone, set_men  # noqa: F401

QUIET = parameter("quiet", 80, low=10, high=400, about="moves without a capture or a man's move until the game is drawn")
REPETITIONS = parameter("repetitions", 3, low=2, high=5, about="how often a position comes up until the game is drawn")

# `men` and `kings` of black and white; `jumpers`: the mover's that can capture; `status`: PLAYING, or how the game ended
State = record(men=(np.uint64, 2), kings=(np.uint64, 2), jumpers=np.uint64, quiet=np.int16, turn=np.int8, status=np.int8)
PLAYERS = 2
PLAYER_NAMES = ("Black", "White")
MAX_MOVES = 256  # twelve kings have at most 48 steps; boards changed man by man to have ever more captures got to 26
MAX_PLIES = (24 + 24 * 7 + 1) * QUIET  # captures and steps of men, and what may lie between
VALUES = (-100.0, 100.0)
GRAIN = 100.0
REPETITION = DRAW

FEATURES = ("men", "kings", "advanced", "back row", "centre", "steps", "turn")
WEIGHTS = evaluation.fitted(__file__, FEATURES, (1.0, 1.4, 0.03, 0.08, 0.05, 0.03, 0.05))

PLAYING, LOST, DRAWN = range(3)
STEPS = np.array([7, 9, -9, -7])  # ways 0 and 1 are black's, 2 and 3 white's
DARK = np.uint64(0x55AA55AA55AA55AA)
INNER = np.uint64(0x007E7E7E7E7E7E00)  # men at the rim cannot be jumped
CENTRE = np.uint64(0x00003C3C3C3C0000)
LEFT, RIGHT = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
FIRST_MEN = np.array([sum(1 << int(q) for q in home) for home in (SQUARES[:12], SQUARES[20:])], np.uint64)
DRAWN_WORD = np.uint64(0x9D5A3C1E7B246F81)


def start(s):
    s.men[BLACK], s.men[WHITE] = FIRST_MEN[BLACK], FIRST_MEN[WHITE]


def player(s):
    return s.turn if s.status == PLAYING else OVER


def moves(s, out):
    n, left = 0, s.jumpers
    while left != bits.NONE:
        n = list_jumps(s, out, n, bits.lowest(left))
        left = bits.without_lowest(left)
    if n > 0:
        return n
    empty = ~occupied(s) & DARK
    for way in range(4):
        left = moving(s, s.turn, way) & shifted(empty, 3 - way)
        while left != bits.NONE:
            out[n] = NUMBERS[bits.lowest(left)] + (way << 9)
            left = bits.without_lowest(left)
            n += 1
    return n


def list_jumps(s, out, n, source):
    """Every way to capture with the man on `source`, found by going on and coming back."""
    first, at, taken, jumps, ways, way = n, source, bits.NONE, 0, 0, 0
    man = bits.has(s.men[s.turn], source)
    while True:
        while way < 4 and not jumpable(s, source, at, taken, man, way):
            way += 1
        if way < 4:
            taken |= bits.bit(at + STEPS[way])
            at += 2 * STEPS[way]
            ways |= way << (2 * jumps)
            jumps += 1
            way = 0
            crowned = man and bits.has(FAR_ROWS[s.turn], at)
            if crowned or not goes_on(s, source, at, taken, man):
                move = NUMBERS[source] + (jumps << 5) + (ways << 9)
                if not known(s, out, first, n, move):
                    out[n] = move
                    n += 1
                way = 4
        elif jumps == 0:
            return n
        else:
            jumps -= 1
            way = ways >> (2 * jumps) & 3
            ways &= (1 << (2 * jumps)) - 1
            at -= 2 * STEPS[way]
            taken ^= bits.bit(at + STEPS[way])
            way += 1


def jumpable(s, source, at, taken, man, way):
    """Can the man that began on `source` jump this way from where it is now? Who was jumped stays until the move is over."""
    if man and way >> 1 != s.turn:
        return False
    over, landing = at + STEPS[way], at + 2 * STEPS[way]
    if over < 0 or over > 63 or not bits.has(INNER, over) or bits.has(taken, over):
        return False
    other = 1 - s.turn
    return bits.has(s.men[other] | s.kings[other], over) and (landing == source or not bits.has(occupied(s), landing))


def goes_on(s, source, at, taken, man):
    for way in range(4):
        if jumpable(s, source, at, taken, man, way):
            return True
    return False


def known(s, out, first, n, move):
    """Does the list hold a capture of the same men that ends on the same square? Only a way round can: four jumps at least."""
    if jumps_of(move) < 4:
        return False
    for i in range(first, n):
        if captured_by(out[i]) == captured_by(move) and target_of(out[i]) == target_of(move):
            return True
    return False


def play(s, move):
    side, source, target = s.turn, SQUARES[move & 31], target_of(move)
    s.quiet += 1
    if jumps_of(move) > 0:
        left = ~captured_by(move)
        s.men[1 - side] &= left
        s.kings[1 - side] &= left
        s.quiet = 0
    if bits.has(s.men[side], source):
        s.quiet = 0
        s.men[side] ^= bits.bit(source)
        if bits.has(FAR_ROWS[side], target):
            s.kings[side] |= bits.bit(target)
        else:
            s.men[side] |= bits.bit(target)
    else:
        s.kings[side] = (s.kings[side] ^ bits.bit(source)) | bits.bit(target)
    settle(s, 1 - side)


def settle(s, turn):
    """Write whose turn it is, who can jump, and whether the game is over."""
    s.turn, s.status = turn, PLAYING
    empty = ~occupied(s) & DARK
    inner = (s.men[1 - turn] | s.kings[1 - turn]) & INNER
    jumpers, steps = bits.NONE, bits.NONE
    for way in range(4):
        able = moving(s, turn, way)
        jumpers |= able & shifted(inner & shifted(empty, 3 - way), 3 - way)
        steps |= able & shifted(empty, 3 - way)
    s.jumpers = jumpers
    if jumpers | steps == bits.NONE:
        s.status = LOST
    elif s.quiet >= QUIET:
        s.status = DRAWN


def moving(s, side, way):
    """The men and kings of a side that may go this way."""
    return s.kings[side] | s.men[side] if way >> 1 == side else s.kings[side]


def shifted(squares, way):
    """Every square one step on; ways 0 and 3 are opposite, and 1 and 2."""
    if way == 0:
        return (squares & ~LEFT) << np.uint64(7)
    if way == 1:
        return (squares & ~RIGHT) << np.uint64(9)
    if way == 2:
        return (squares & ~LEFT) >> np.uint64(9)
    return (squares & ~RIGHT) >> np.uint64(7)


def occupied(s):
    return s.men[BLACK] | s.men[WHITE] | s.kings[BLACK] | s.kings[WHITE]


def jumps_of(move):
    return move >> 5 & 15


def target_of(move):
    """The square where a move ends."""
    at, jumps, ways = SQUARES[move & 31], jumps_of(move), move >> 9
    if jumps == 0:
        return at + STEPS[ways]
    for i in range(jumps):
        at += 2 * STEPS[ways >> (2 * i) & 3]
    return at


def captured_by(move):
    at, taken, ways = SQUARES[move & 31], bits.NONE, move >> 9
    for i in range(jumps_of(move)):
        step = STEPS[ways >> (2 * i) & 3]
        taken |= bits.bit(at + step)
        at += 2 * step
    return taken


def utility(s, player):
    if s.status == DRAWN:
        return 0.0
    return VALUES[0] if player == s.turn else VALUES[1]


# --- knowledge for search ---


def key(s):
    """The quiet moves do not count: positions that repeat must have one key. Where they ended the game it is another one."""
    word = hashing.combine(hashing.combine(np.uint64(s.turn), s.men[BLACK]), s.men[WHITE])
    word = hashing.combine(hashing.combine(word, s.kings[BLACK]), s.kings[WHITE])
    return word ^ DRAWN_WORD if s.status == DRAWN else word


def unrank(i, s):
    if not set_men(i, s):
        return False
    settle(s, s.turn)
    return True


def valid_plies(s):
    return QUIET - s.quiet


def irreversible(s, move):
    return jumps_of(move) > 0 or bits.has(s.men[s.turn], SQUARES[move & 31])


def noisy(s, move):
    return jumps_of(move) > 0


def restless(s):
    return s.jumpers != bits.NONE


def order(s, move):
    """The largest captures, then new kings, then men before kings."""
    if jumps_of(move) > 0:
        return 10.0 * jumps_of(move)
    if bits.has(s.men[s.turn], SQUARES[move & 31]):
        return 5.0 if bits.has(FAR_ROWS[s.turn], target_of(move)) else 1.0
    return 0.0


def evaluate(s, player):
    """How many men ahead, by the weights of the features; a finished game's own utility."""
    if s.status != PLAYING:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    return evaluation.squashed(evaluation.linear(measured(s, player), WEIGHTS), VALUES[0], VALUES[1])


def features(s, player, out):
    evaluation.listed(measured(s, player), out)


def measured(s, player):
    """How many more the player has: men, kings, rows that men have gone, men on the back row, anything in the centre, steps, the turn."""
    other = 1 - player
    return (
        bits.popcount(s.men[player]) - bits.popcount(s.men[other]),
        bits.popcount(s.kings[player]) - bits.popcount(s.kings[other]),
        rows_gone(s, player) - rows_gone(s, other),
        bits.popcount(s.men[player] & FAR_ROWS[other]) - bits.popcount(s.men[other] & FAR_ROWS[player]),
        bits.popcount((s.men[player] | s.kings[player]) & CENTRE) - bits.popcount((s.men[other] | s.kings[other]) & CENTRE),
        free_steps(s, player) - free_steps(s, other),
        1 if player == s.turn else -1,
    )


def free_steps(s, side):
    """How many steps there would be if nothing had to be captured."""
    empty, total = ~occupied(s) & DARK, 0
    for way in range(4):
        total += bits.popcount(moving(s, side, way) & shifted(empty, 3 - way))
    return total


# --- for people ---


def show(s):
    marks = glyphs(s)
    rows = [f"{4 * row + 1:2d}  {' '.join(marks[8 * row : 8 * row + 8])}  {4 * row + 4:2d}" for row in range(8)]
    return "\n".join([*rows, status(s), fen(s)])


def glyphs(s):
    """The 64 squares from black's side, b and w men, B and W kings."""
    marks = []
    for square in range(64):
        mark = "." if bits.has(DARK, square) else " "
        for side, (man, king) in enumerate(("bB", "wW")):
            mark = man if bits.has(s.men[side], square) else king if bits.has(s.kings[side], square) else mark
        marks.append(mark)
    return marks


def status(s):
    mover, other = ("black", "white") if s.turn == BLACK else ("white", "black")
    if s.status == PLAYING:
        return f"{mover} {'to move' if s.jumpers == bits.NONE else 'must capture'}"
    return f"game over: {other} wins" if s.status == LOST else "game over: drawn, too many moves without a capture or a man's move"


def fen(s):
    parts = []
    for side, letter in ((WHITE, "W"), (BLACK, "B")):
        own = [n for n in range(32) if bits.has(s.men[side] | s.kings[side], SQUARES[n])]
        parts.append(letter + ",".join(f"{'K' if bits.has(s.kings[side], SQUARES[n]) else ''}{n + 1}" for n in own))
    return f"{'BW'[s.turn]}:{':'.join(parts)}" + (f":H{s.quiet}" if s.quiet else "")


def read(text, s):
    line = next((word for word in text.split() if ":" in word and word[0] in "BWbw"), "").strip('."').upper()
    found = re.fullmatch(r"([BW]):([BW])([K\d,-]*):([BW])([K\d,-]*)(?::H(\d{1,3}))?(?::F\d+)?", line)
    if not found or found[2] == found[4]:
        raise InputError("a position is written as in PDN: who moves, then both sides' squares, such as B:W21-32:B1-12 or W:W30,K9:BK1")
    for letter, listed_men in ((found[2], found[3]), (found[4], found[5])):
        place(s, "BW".index(letter), letter, listed_men)
    s.quiet = int(found[6] or 0)
    if s.quiet > QUIET:
        raise InputError(f"H{s.quiet}: the game ends after {QUIET} quiet moves")
    settle(s, "BW".index(found[1]))


def place(s, side, letter, listed_men):
    for item in filter(None, listed_men.split(",")):
        found = re.fullmatch(r"(K?)(\d{1,2})(?:-K?(\d{1,2}))?", item)
        low, high = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
        if not 1 <= low <= high <= 32:
            raise InputError(
                f"'{item}' among {letter}'s men is no square from 1 to 32, nor a range such as 1-12; a king is K and its square"
            )
        for number in range(low, high + 1):
            square = int(SQUARES[number - 1])
            if bits.has(occupied(s), square):
                raise InputError(f"square {number} is listed twice")
            if not found[1] and bits.has(FAR_ROWS[side], square):
                raise InputError(f"square {number} is on the far row of {letter}: a man there is a king, K{number}")
            (s.kings if found[1] else s.men)[side] |= bits.bit(square)
    if bits.popcount(s.men[side] | s.kings[side]) > 12:
        raise InputError(f"{letter} has {bits.popcount(s.men[side] | s.kings[side])} men; there are at most 12")


def name(s, move):
    path, jumps, ways = [int(SQUARES[move & 31])], jumps_of(move), move >> 9
    for i in range(max(jumps, 1)):
        path.append(path[-1] + int(STEPS[ways >> (2 * i) & 3]) * (2 if jumps else 1))
    return ("x" if jumps else "-").join(str(NUMBERS[square] + 1) for square in path)


def spellings(s, move, written):
    """A capture by its ends alone."""
    squares = written.split("x")
    return (f"{squares[0]}x{squares[-1]}",) if len(squares) > 2 else ()


def resume(s, player):
    """Where nobody claims the draw by quiet moves the game goes on, and the count from the beginning."""
    if goes := s.status == DRAWN and player in (OVER, s.turn):
        s.status, s.quiet = PLAYING, 0
    return goes


def draw(s):
    board = svg.Board(8, 8)
    for square, mark in enumerate(glyphs(s)):
        row, column = divmod(square, 8)
        number = "" if mark == " " else str(NUMBERS[square] + 1)
        board.square(row, column, "#8a6a4b" if number else "#e8d0a9", stroke="none", cell=number)
        board.text(row - 0.38, column - (0.42 if len(number) == 1 else 0.36), number, fill="#f0dfc4", size=0.22)
        if mark in "bBwW":
            board.disc(row, column, "#222" if mark in "bB" else "#f4f0e6", size=0.36, stroke="#888", cell=number)
        if mark in "BW":
            board.text(row, column, "♛", fill="#f4f0e6" if mark == "B" else "#222")
    return board.render()
