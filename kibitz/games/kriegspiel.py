"""Kriegspiel: chess in which each side sees its own men only, and an umpire makes announcements to both.

A player names any move that would be possible if the other side had no men, or captures with a pawn wherever one stands aslant. If the rules of chess do not allow
it the umpire says `illegal`, to both: it costs nothing, the turn stays, and the same move cannot be named again before the turn has passed. Of a move that is made the umpire
announces, to both:

- `capture:e4`: a man was captured on that square; of a capture en passant, the square where the pawn stood. With `captured=kind` it is `pawn:e4` or `piece:e4`;
- `check:file`, `check:rank`, `check:long`, `check:short`, `check:knight`: where from the king whose turn it is now is attacked, seen from that king: on its column, its row, the
  longer or the shorter of the two diagonals that cross on its square, or by a knight. A pawn attacks on a diagonal. Of a double check both are announced;
- `tries:2`, with `tries=number`: in how many ways pawns of the side to move may capture now; with `tries=any` the word `tries`, if there is one way at least;
- `mate`, `stalemate`, and how else a game is drawn: `fifty` moves without a capture or a pawn's move, or too few men to mate, `material`. With `draws=false` these two end no game,
  moves are not counted, and nothing else ends it.

Positions that repeat end no game: nobody who plays could know.

Notation: a move is its two squares, `e2e4`, `e7e8q`; `Nf3`, `exd5`, `O-O` are read where they mean one move, as far as the player's own men tell. A position is a FEN,
followed, where moves were tried in vain this turn, by `tried` and these moves.
"""

import numpy as np

from kibitz import InputError, bits, parameter, record
from kibitz.games.chess import evaluate as evaluate
from kibitz.games.chess import notation, pieces
from kibitz.games.chess import order as order
from kibitz.games.chess import player as player
from kibitz.games.chess import start as start
from kibitz.games.chess import status as status
from kibitz.games.chess import utility as utility
from kibitz.games.chess.attacks import KING, KING_REACH, KNIGHT, NOTHING, PAWN, PAWN_REACH, ahead, reach
from kibitz.games.chess.movement import (
    BITBOARDS,
    BOARD,
    FIFTY_MOVES,
    LAST_ROWS,
    MATE,
    MUST_BE_EMPTY,
    NO_MATERIAL,
    PLAYING,
    STALEMATE,
    THIRD_ROWS,
    find_status,
    make,
    targets_of,
)

CAPTURED = parameter(
    "captured", "square", choices=("square", "kind"), about="the announcement of a capture: its square, or also whether it was a pawn"
)
TRIES = parameter(
    "tries", "no", choices=("no", "any", "number"), about="whether it is announced that pawns of the side to move can capture"
)
DRAWS = parameter("draws", True, about="the game is drawn when nobody can mate any more, and after fifty quiet moves")

State = record(
    **BITBOARDS,
    tried=(np.uint64, 6),  # a bit for each of the moves that may be named: it was, in vain, since the turn began
    **BOARD,
)
PLAYERS = 2
PLAYER_NAMES = ("White", "Black")
MOVE = np.int16
MAX_MOVES = 384  # as in chess, where the bound holds whatever stands in the way
MAX_PLIES = 11_900 * MAX_MOVES  # as in chess, and before each move all the others that may be named
VALUES = (-100.0, 100.0)
GRAIN = 100.0


# A percept is made of what is announced: a bit for `illegal`, two for the kind that was captured, six for the square, five for the ways of checks, three for
# how the game ended, and above them the number of ways in which pawns can capture.
ILLEGAL, PIECE, ONE_PAWN = 1, 1, 2
CAPTURE_AT, SQUARE_AT, CHECK_AT, STATUS_AT, TRIES_AT = 1, 3, 9, 14, 17
BY_KNIGHT, BY_RANK, BY_FILE, BY_LONG, BY_SHORT = 1, 2, 4, 8, 16
WAYS = ("knight", "rank", "file", "long", "short")
ENDS = {MATE: "mate", STALEMATE: "stalemate", FIFTY_MOVES: "fifty", NO_MATERIAL: "material"}

POSITIONS = {
    "rook-ending": "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
    "queen-ending": "8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
}


def moves(s, out):
    """All that the mover's own men could do by themselves, and captures by pawns, but what was tried in vain."""
    left, place, n = s.sides[s.turn], 0, 0
    while left != bits.NONE:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        found = own_targets(s, source)
        while found != bits.NONE:
            target = bits.lowest(found)
            found = bits.without_lowest(found)
            last = KNIGHT if s.board[source] == PAWN and bits.has(LAST_ROWS, target) else 0
            kind = KING - 1 if last != 0 else 0
            while kind >= last:
                if not bits.has(s.tried[place >> 6], place & 63):
                    out[n] = source + (target << 6) + (kind << 12)
                    n += 1
                place += 1
                kind -= 1
    return n


def own_targets(s, source):
    """Where the mover's man might go if the other side had no men, and where it might capture as a pawn."""
    side, kind = s.turn, s.board[source]
    mine = s.sides[side]
    if kind == KING:
        found = KING_REACH[source] & ~mine
        for wing in range(2):
            if s.castling >> (2 * side + wing) & 1 and mine & MUST_BE_EMPTY[side, wing] == bits.NONE:
                found |= bits.bit(source + 2 - 4 * wing)
        return found
    if kind != PAWN:
        return reach(kind, source, mine) & ~mine
    step = ahead(bits.bit(source), side) & ~mine
    return step | (ahead(step & THIRD_ROWS[side], side) & ~mine) | (PAWN_REACH[side, source] & ~mine)


def play(s, move):
    if not bits.has(targets_of(s, move & 63), move >> 6 & 63):
        try_in_vain(s, move)
        return
    untried(s)
    make(s, move)
    if not DRAWS:
        s.quiet, s.number = 0, 1
    settle(s)


def try_in_vain(s, move):
    """Note it, by its place among all moves that may be named."""
    place = place_of(s, move)
    s.tried[place >> 6] |= bits.bit(place & 63)


def place_of(s, move):
    """The place of a move among all that its player might name at the beginning of the turn."""
    wanted, target, place = move & 63, move >> 6 & 63, 0
    left = s.sides[s.turn]
    while True:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        found = own_targets(s, source)
        each = 4 if s.board[source] == PAWN and found & LAST_ROWS != bits.NONE else 1
        if source == wanted:
            return place + each * bits.popcount(found & (bits.bit(target) - np.uint64(1))) + (KING - 1 - (move >> 12) if each == 4 else 0)
        place += each * bits.popcount(found)


def settle(s):
    find_status(s, DRAWS)


def percept(before, move, after, observer):
    """What the umpire says, to both sides alike."""
    if after.turn == before.turn:
        return ILLEGAL
    said = checks(after) << CHECK_AT | np.int64(after.status) << STATUS_AT
    taken = before.sides[after.turn] & ~after.sides[after.turn]
    if taken != bits.NONE:
        square = bits.lowest(taken)
        kind = ONE_PAWN if CAPTURED == "kind" and before.board[square] == PAWN else PIECE
        said |= kind << CAPTURE_AT | square << SQUARE_AT
    if TRIES != "no" and after.status == PLAYING:
        ways = pawn_captures(after)
        said |= (min(ways, 1) if TRIES == "any" else ways) << TRIES_AT
    return said


def checks(s):
    """The ways in which the king to move is attacked, a bit for each."""
    left, found = s.checkers, np.int64(0)
    if left == bits.NONE:
        return found
    king = bits.lowest(s.kinds[KING] & s.sides[s.turn])
    row, column = king >> 3, king & 7
    rising = 8 - abs(row - column)  # squares of the diagonal that rises to the right, and of the other one: never the same number
    falling = 8 - abs(row + column - 7)
    while left != bits.NONE:
        square = bits.lowest(left)
        left = bits.without_lowest(left)
        up, right = (square >> 3) - row, (square & 7) - column
        if s.board[square] == KNIGHT:
            found |= BY_KNIGHT
        elif up == 0:
            found |= BY_RANK
        elif right == 0:
            found |= BY_FILE
        else:
            found |= BY_LONG if (up == right) == (rising > falling) else BY_SHORT
    return found


def pawn_captures(s):
    """In how many ways pawns of the side to move may capture; what a pawn becomes does not count."""
    left, n = s.kinds[PAWN] & s.sides[s.turn], 0
    while left != bits.NONE:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        n += bits.popcount(targets_of(s, source) & PAWN_REACH[s.turn, source])
    return n


def untried(s):
    for i in range(6):
        s.tried[i] = bits.NONE


def blur(s, observer):
    """Which moves the other side has tried in vain makes no difference, only how many: let it be the first ones."""
    if s.turn == observer or s.status != PLAYING:
        return
    tries = 0
    for i in range(6):
        tries += bits.popcount(s.tried[i])
        s.tried[i] = bits.NONE
    left, place = s.sides[s.turn], 0
    while tries > 0:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        found, legal = own_targets(s, source), targets_of(s, source)
        each = 4 if s.board[source] == PAWN and found & LAST_ROWS != bits.NONE else 1
        while found != bits.NONE and tries > 0:
            vain = not bits.has(legal, bits.lowest(found))
            found = bits.without_lowest(found)
            for i in range(place, place + each):
                if vain and tries > 0:
                    s.tried[i >> 6] |= bits.bit(i & 63)
                    tries -= 1
            place += each


# --- for people ---


def announce(percept, observer):
    if percept == ILLEGAL:
        return "illegal"
    said = []
    if kind := percept >> CAPTURE_AT & 3:
        what = "capture" if CAPTURED == "square" else "pawn" if kind == ONE_PAWN else "piece"
        said.append(f"{what}:{notation.square_name(percept >> SQUARE_AT & 63)}")
    said += [f"check:{way}" for i, way in enumerate(WAYS) if percept >> CHECK_AT >> i & 1]
    said += [word for status, word in ENDS.items() if percept >> STATUS_AT & 7 == status]
    if ways := percept >> TRIES_AT:
        said.append("tries" if TRIES == "any" else f"tries:{ways}")
    return ",".join(said)


def show(s):
    return "\n".join([*notation.rows_of(s), status(s), f"{notation.fen(s)}{written_tries(s)}"])


def all_moves(s):
    """All moves that might be named at the beginning of the turn, in order."""
    fresh, out = s.copy(), np.zeros(MAX_MOVES, MOVE)
    fresh.tried[:] = 0
    with np.errstate(over="ignore"):
        return [int(move) for move in out[: moves(fresh, out)]]


def written_tries(s):
    if not any(s.tried.tolist()):
        return ""
    tried = [notation.uci(move) for i, move in enumerate(all_moves(s)) if int(s.tried[i >> 6]) >> (i & 63) & 1]
    return f" tried {' '.join(tried)}"


def show_to(s, observer):
    """The observer's own men."""
    turn = "your move" if s.turn == observer else "the other side's move"
    return "\n".join([*notation.rows_of(of_one_side(s, observer)), turn if s.status == PLAYING else "game over"])


def of_one_side(s, side):
    """The position without the men of the other side."""
    seen = s.copy()
    seen.sides[1 - side] = 0
    for square in range(64):
        if not int(seen.sides[side]) >> square & 1:
            seen.board[square] = NOTHING
    return seen


def read(text, s):
    line = next((line for line in text.splitlines() if line.count("/") >= 7), text)
    fen, said, tried = line.partition(" tried ")
    notation.read_fen(fen, s)
    if not DRAWS:
        s.quiet, s.number = 0, 1
    settle(s)
    names = {notation.uci(move): move for move in all_moves(s)} if said else {}
    for word in tried.split():
        if word not in names:
            raise InputError(f"tried {word}: no such move can be named here")
        if int(targets_of(s, names[word] & 63)) >> (names[word] >> 6 & 63) & 1:
            raise InputError(f"tried {word}: that move is legal, and would have been made")
        try_in_vain(s, names[word])


def name(s, move):
    return notation.uci(move)


def spellings(s, move, written):
    """As in chess, as far as the mover's own men tell."""
    source, target, promotion = move & 63, move >> 6 & 63, move >> 12
    kind, to = s.board[source], notation.square_name(target)
    if kind == KING and abs(source - target) == 2:
        castles = "O-O" if target > source else "O-O-O"
        return (castles, castles.replace("O", "0"))
    if kind == PAWN:
        into, aslant = f"={notation.LETTERS[promotion]}" if promotion else "", source % 8 != target % 8
        return (f"{notation.square_name(source)[0]}x{to}{into}" if aslant else f"{to}{into}",)
    with np.errstate(over="ignore"):
        whose = notation.LETTERS[kind] + notation.distinction(s, kind, source, target, own_targets)
    return (f"{whose}{to}", f"{whose}x{to}")


def cells(s, move):
    return notation.square_name(move & 63), notation.square_name(move >> 6 & 63)


def draw(s):
    return pieces.picture(s, s.checkers)


def draw_to(s, observer):
    return pieces.picture(of_one_side(s, observer))
