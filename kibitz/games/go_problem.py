"""Life and death in Go: can the stones in question be captured? One side kills, the other lives, and nothing else counts.

The rules are those of `go`, less what is far away: stones are put only on the points marked `.`; the points marked `_` stay empty, and a chain beside one cannot be captured. The killer has won when all
stones in question are off the board, and has lost when he passes, or when one of them belongs to a chain that nobody could capture if its owner passed for ever (two eyes, D. B. Benson 1976). So who
lives in a seki has won as well: the killer has no move left that helps him.

**Ko.** A single stone may not be captured back at once. How many threats either side has elsewhere is part of the problem (`black_threats`, `white_threats`): `threat` stands for a threat and its answer, and the
same side moves again, free to capture back. It can be made only where a ko forbids a move. Whoever kills although the other has nine threats does not need the ko; whoever kills only without them has a
ko. Other repetitions are not looked for. Instead the number of captures is limited (`captures`), and what comes of the stones then is `beyond`: they live, so that a player who kills has proven more than he had
to; with `beyond=dies` the same is true of who lives. Every move adds a stone, uses a threat or captures, so no position can come up twice.

Notation: as in Go, and `threat`. On a board `B` is a black stone in question, `W` a white one, and after the side to move stand captures made and threats left, where there are any. An SGF file with a
problem is read as well: marks (TR, SQ, CR, MA) on stones are those in question, marks on empty points are where stones may be put, else that is all that the stones in question can reach without crossing a chain
of the other side that has a liberty outside.
"""

import re

import numpy as np

from kibitz import OVER, InputError, Transcript, hashing, load, parameter, record
from kibitz.games.go import sgf
from kibitz.games.go.board import EMPTY, NONE, SIDEWAYS, neighbours
from kibitz.games.go.life import has_safe_stone
from kibitz.games.go.notation import LETTERS
from kibitz.games.go.picture import picture
from kibitz.games.go.problems import PROBLEMS, SIZE

ROWS = parameter("size", 7, low=5, high=19, about="points in a column, and in a row unless columns says otherwise")
WIDTH = parameter("columns", 0, low=0, high=19, about="points in a row, 6 or more; 0: as many as in a column")
BLACK_THREATS = parameter("black_threats", 0, low=0, high=9, about="ko threats of Black where a position does not say")
WHITE_THREATS = parameter("white_threats", 0, low=0, high=9, about="ko threats of White where a position does not say")
CAPTURES = parameter("captures", 12, low=1, high=99, about="most captures")
BEYOND = parameter("beyond", "lives", choices=("lives", "dies"), about="the fate of the stones after one more capture")

GO = load("go", size=ROWS, columns=WIDTH)
go_moves, go_play, go_order = GO.functions["moves"], GO.functions["play"], GO.functions["order"]
go_key, go_name, go_read = GO.functions["key"], GO.people["name"], GO.people["read"]

COLUMNS = WIDTH or ROWS
CELLS = ROWS * COLUMNS
PASS, THREAT = CELLS, CELLS + 1
BESIDE = neighbours(ROWS, COLUMNS, SIDEWAYS)
GOS = GO.constants["State"].fields
# What `go` has, and: `in_question`, stones not captured yet; `settled`, points where nobody plays; `left`, how many stones are in question; `asked`, a hash of which; `kept_by`, whose they are, as a colour;
# `fate` of the stones, once it is known
State = record(
    **{field: GOS[field][0] for field in GO.constants["State"].names},
    in_question=(np.int8, CELLS),
    settled=(np.int8, CELLS),
    left=np.int16,
    asked=np.uint64,
    kept_by=np.int8,
    captures=np.int8,
    threats=(np.int8, 2),
    fate=np.int8,
)
PLAYERS = 2
PLAYER_NAMES = ("Black (X)", "White (O)")
MOVE = np.int16
MAX_MOVES = CELLS + 2
MAX_PLIES = 2 * (CELLS + 1) * (CAPTURES + 1) + 18  # between two captures every point is filled once, and passed once before each
VALUES = (-1.0, 1.0)
COLOURS = {"X": "bold green", "O": "bold white", "B": "bold yellow", "W": "bold yellow"}

POSITIONS = PROBLEMS if ROWS == COLUMNS == SIZE else {}

OPEN, LIVES, DIES = range(3)  # `s.fate`
OPEN_AT_MOST = 40  # points where stones may be put, if a file does not mark them
NEXT = re.compile(r"\b[XO] to move|game over")
TOLD = re.compile(r"(?:, (\d+) captures? made)?(?:, threats: X (\d), O (\d))?\s*$")
ENDED = re.compile(r"game over: ([XO]) (lives|is dead)\s*$")
# Three points in a row at the edge, White around them and Black around White: points and colours.
FIRST = np.array(
    [
        [row * COLUMNS + column, colour]
        for colour, points in enumerate(
            (((2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (1, 4), (0, 4)), ((1, 0), (1, 1), (1, 2), (1, 3), (0, 3)))
        )
        for row, column in points
    ]
)
INSIDE = 3  # points, the first ones of the board


def start(s):
    """Three points in a row at the edge: who plays in the middle decides."""
    for i in range(FIRST.shape[0]):
        cell, colour = FIRST[i, 0], FIRST[i, 1]
        s.turn = colour
        go_play(s, cell)
        if colour == 1:
            s.in_question[cell] = 1
    for cell in range(INSIDE, CELLS):
        s.settled[cell] = s.colour[cell] == EMPTY
    s.turn, s.ko, s.last = 0, NONE, NONE
    s.threats[0], s.threats[1] = BLACK_THREATS, WHITE_THREATS
    count_question(s, 2)


def count_question(s, kept_by):
    """Once the stones in question are marked."""
    s.kept_by, s.left, s.asked = kept_by, 0, np.uint64(0)
    for cell in range(CELLS):
        if s.in_question[cell]:
            s.left += 1
            s.asked ^= number_of(cell)


def number_of(cell):
    return hashing.mix(np.uint64(cell + 1) * hashing.STEP)


def player(s):
    return s.turn


def moves(s, out):
    n = 0
    for i in range(go_moves(s, out)):
        if out[i] == PASS or s.settled[out[i]] == 0:
            out[n] = out[i]
            n += 1
    if s.ko != NONE and s.threats[s.turn] > 0:
        out[n] = THREAT
        n += 1
    return n


def play(s, move):
    side = s.turn
    if move == THREAT:
        s.threats[side] -= 1
        s.ko = NONE
    elif move == PASS and side + 1 != s.kept_by:
        end(s, LIVES)
    else:
        around = stones_beside(s, move)
        go_play(s, move)
        s.last = NONE
        if stones_beside(s, move) < around:
            s.captures += 1
            count_losses(s)
        judge(s)


def stones_beside(s, move):
    found = 0
    if move != PASS:
        for i in range(4):
            if BESIDE[move, i] != NONE and s.colour[BESIDE[move, i]] != EMPTY:
                found += 1
    return found


def count_losses(s):
    """Take note of stones in question that are off the board."""
    for cell in range(CELLS):
        if s.in_question[cell] and s.colour[cell] == EMPTY:
            s.in_question[cell] = 0
            s.left -= 1
            s.asked ^= number_of(cell)


def judge(s):
    """Is the fate of the stones known?"""
    if s.left == 0:
        end(s, DIES)
    elif has_safe_stone(s, s.kept_by, s.in_question, s.settled, BESIDE):
        end(s, LIVES)
    elif s.captures > CAPTURES:
        end(s, LIVES if BEYOND == "lives" else DIES)


def end(s, fate):
    s.fate, s.turn, s.ko, s.passes, s.captures = fate, OVER, NONE, 0, 0
    s.threats[0], s.threats[1] = 0, 0


def utility(s, player):
    return 1.0 if (s.fate == LIVES) == (s.kept_by == player + 1) else -1.0


# --- knowledge for search ---


def key(s):
    told = np.uint64(s.threats[0] + 16 * s.threats[1] + 256 * s.captures + 65536 * s.fate)
    return hashing.mix(hashing.mix(go_key(s) ^ s.asked) + told)


def order(s, move):
    """As in Go; a threat before what looks bad there."""
    return 0.0 if move == THREAT else go_order(s, move)


# --- for people ---


def show(s):
    width = len(str(ROWS))
    rows = [f"{row + 1:>{width}} {' '.join(glyph(s, row * COLUMNS + column) for column in range(COLUMNS))}" for row in range(ROWS)]
    return "\n".join([*reversed(rows), f"{' ' * width} {' '.join(LETTERS[:COLUMNS].lower())}", status(s)])


def glyph(s, cell):
    return "_" if s.settled[cell] else (".BW" if s.in_question[cell] else ".XO")[s.colour[cell]]


def status(s):
    """What happens next."""
    if s.turn == OVER:
        return f"game over: {'XO'[s.kept_by - 1]} {'lives' if s.fate == LIVES else 'is dead'}"
    told = f"{'XO'[s.turn]} to move{' after a pass' if s.passes else ''}"
    if s.ko != NONE:
        told += f", ko at {name(s, s.ko)}"
    if s.captures:
        told += f", {s.captures} capture{'s' if s.captures > 1 else ''} made"
    tells = BLACK_THREATS or WHITE_THREATS or s.threats[0] or s.threats[1]
    return f"{told}, threats: X {s.threats[0]}, O {s.threats[1]}" if tells else told


def name(s, move):
    return "threat" if move == THREAT else go_name(s, move)


def read(text, s):
    found, ended, told = NEXT.search(text), ENDED.search(text), TOLD.search(text)
    board, rest = (text[: found.start()], text[found.start() : told.start()]) if found else ("", text)
    go_read(board.translate(str.maketrans("BW_", "XO.")) + ("X to move" if ended else rest), s)
    marks = "".join(word for word in board.replace("/", " ").split() if re.fullmatch("[XOBW._]+", word))
    asked = set(marks) & {"B", "W"}
    if len(asked) == 2:
        raise InputError("stones of both sides are in question, B and W; ask of one side at a time")
    if not asked and not (ended and ended[2] == "is dead"):
        raise InputError("no stones are in question: write B for a black stone that is, W for a white one")
    for i, mark in enumerate(marks):
        cell = (ROWS - 1 - i // COLUMNS) * COLUMNS + i % COLUMNS
        s.in_question[cell], s.settled[cell] = mark in "BW", mark == "_"
    count_question(s, "BW".index(asked.pop()) + 1 if asked else "XO".index(ended[1]) + 1)
    s.last, s.fate, s.captures = NONE, OPEN, int(told[1] or 0)
    s.threats[0], s.threats[1] = (int(told[2]), int(told[3])) if told[2] else (BLACK_THREATS, WHITE_THREATS)
    if ended:
        end(s, LIVES if ended[2] == "lives" else DIES)
    else:
        judge(s)


def draw(s):
    return picture(s.colour, s.ko, ROWS, COLUMNS, s.in_question, s.settled)


# --- problems on record ---


def read_game(content):
    """The problem that an SGF file sets; moves in it are answers, and are left out."""
    size, stones, first, marks = sgf.problem(content)
    colours = np.zeros(size * size, np.int8)
    for colour, points in enumerate(stones, 1):
        for row, column in points:
            colours[row * size + column] = colour
    marked = [row * size + column for row, column in sorted(marks)]
    asked = [cell for cell in marked if colours[cell] != EMPTY]
    if not asked:
        raise InputError("no stones are in question; mark them in the file (TR, SQ, CR or MA)")
    if len({colours[cell] for cell in asked}) == 2:
        raise InputError("stones of both sides are marked; mark those of one side, which are to be killed or to live")
    free = {cell for cell in marked if colours[cell] == EMPTY} or reach(colours, asked, neighbours(size, size, SIDEWAYS))
    glyphs = ["BW"[c - 1] if i in asked else "XO"[c - 1] if c else "." if i in free else "_" for i, c in enumerate(colours)]
    rows = ["".join(glyphs[row * size : (row + 1) * size]) for row in reversed(range(size))]
    return Transcript({"size": size, "columns": 0}, f"{'/'.join(rows)} {'XO'[first]} to move")


def reach(colours, asked, beside):
    """The empty points that the stones in question can reach without crossing a chain of the other side which has a liberty elsewhere."""
    inside, waiting, mine = set(asked), list(asked), colours[asked[0]]
    while waiting:
        while waiting:
            for near in beside[waiting.pop()]:
                if near != NONE and near not in inside and colours[near] in (EMPTY, mine):
                    inside.add(near)
                    waiting.append(near)
        for chain, liberties in others(colours, inside, 3 - mine, beside):
            if liberties <= inside:
                inside |= chain
                waiting += chain
    found = {cell for cell in inside if colours[cell] == EMPTY}
    if len(found) > OPEN_AT_MOST:
        raise InputError(f"the stones in question reach {len(found)} empty points; mark those where stones may be put (TR, SQ, CR or MA)")
    return found


def others(colours, inside, colour, beside):
    """The chains of a colour that border on these points, each with its liberties."""
    seen = set(inside)
    for first in [near for cell in sorted(inside) for near in beside[cell] if near != NONE and colours[near] == colour]:
        chain, liberties, waiting = set(), set(), [first] if first not in seen else []
        seen.add(first)
        while waiting:
            cell = waiting.pop()
            chain.add(cell)
            for near in beside[cell]:
                if near != NONE and colours[near] == EMPTY:
                    liberties.add(near)
                elif near != NONE and colours[near] == colour and near not in seen:
                    seen.add(near)
                    waiting.append(near)
        if chain:
            yield chain, liberties
