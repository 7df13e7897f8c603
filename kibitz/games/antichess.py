"""Antichess, also called losing chess: a player who has lost all men, or cannot move, wins; captures are forced.

The men move as in chess. The king is a man like any other: there is no check, it may be captured, and a pawn may become one. There is no castling.

**Stalemate** differs between variants: `stalemate=win` is the usual rule (the player who cannot move wins), with `fewer` the player with fewer men wins, and with equal
numbers the game is drawn (suicide chess), with `draw` it is drawn. A game is drawn, too, when a position comes up for the third time, and with `draws=true` after fifty moves of
each side without a capture or a pawn's move. Bishops that can never meet are not detected: such games end by these two rules.

Notation: as in chess, with `=K` for a pawn that becomes a king and `#` for a move that decides the game; a position is a FEN, in which any number of kings may stand and no castling is possible.
"""

import numpy as np

from kibitz import DRAW, OVER, InputError, bits, evaluation, parameter, record
from kibitz.games.chess import notation, pieces
from kibitz.games.chess.attacks import KING, KING_REACH, NO_SQUARE, NOTHING, PAWN, PAWN_REACH, ahead, attackers, reach
from kibitz.games.chess.movement import DRAWN_BY_COUNT_WORD, LAST_ROWS, PASSANT_WORDS, THIRD_ROWS, displace, key_of, set_out
from kibitz.games.chess.notation import cells as cells
from kibitz.games.chess.notation import spellings as spellings
from kibitz.games.chess.notation import wire as wire

STALEMATE = parameter("stalemate", "win", choices=("win", "fewer", "draw"), about="the result for a player who cannot move")
DRAWS = parameter("draws", True, about="the game is drawn after fifty quiet moves")
REPETITIONS = parameter("repetitions", 3, low=2, high=5, about="how often a position comes up until the game is drawn")

State = record(
    kinds=(np.uint64, 6),  # where the men of each kind stand, of both sides
    sides=(np.uint64, 2),  # where the men of each side stand
    hash=np.uint64,
    board=(np.int8, 64),  # the kind of man on each square, or NOTHING
    turn=np.int8,  # stays with the side that would be next when the game is over
    castling=np.int8,  # none, ever: FEN and keys have a place for it
    passant=np.int8,  # the square where a pawn can be captured en passant, or NO_SQUARE
    status=np.int8,  # PLAYING, or how the game ended
    quiet=np.int16,  # moves of either side since a capture or a pawn's move
    number=np.int16,  # of the move, as FEN counts
)
PLAYERS = 2
PLAYER_NAMES = ("White", "Black")
MOVE = np.int16
MAX_MOVES = 384  # as in chess: without a capture a man that does not slide has 8 moves at most, with one a pawn has 10
MAX_PLIES = 12_100  # 96 moves of pawns and 31 captures, and at most 100 moves to and after each
VALUES = (-1.0, 1.0)
REPETITION = DRAW

FIFTY = 100  # quiet moves of either side
PLAYING, NO_MEN, STUCK, FIFTY_MOVES = range(4)  # `s.status`
FORCED, LIGHTER = 100.0, 1.0  # in `order`
MAN, FREEDOM = 0.08, 0.01  # in `evaluate`


def start(s):
    set_out(s)
    s.hash = key_of(s)


def player(s):
    return s.turn if s.status == PLAYING else OVER


def moves(s, out):
    n = list_moves(s, out, s.sides[1 - s.turn], s.passant)
    return n if n != 0 else list_moves(s, out, ~(s.sides[0] | s.sides[1]), NO_SQUARE)


def list_moves(s, out, targets, passant):
    """Write the mover's moves to these squares, which are the other side's or empty; how many there are."""
    left, n = s.sides[s.turn], 0
    while left != bits.NONE:
        source = bits.lowest(left)
        left = bits.without_lowest(left)
        found = targets_of(s, source, targets, passant)
        while found != bits.NONE:
            target = bits.lowest(found)
            found = bits.without_lowest(found)
            if s.board[source] == PAWN and bits.has(LAST_ROWS, target):
                for kind in range(KING, PAWN, -1):
                    out[n] = source + (target << 6) + (kind << 12)
                    n += 1
            else:
                out[n] = source + (target << 6)
                n += 1
    return n


def targets_of(s, source, targets, passant):
    """Where the mover's man may go, of these squares; where nothing stands a pawn captures at `passant` only."""
    side, kind = s.turn, s.board[source]
    occupied = s.sides[0] | s.sides[1]
    if kind == KING:
        return KING_REACH[source] & targets
    if kind != PAWN:
        return reach(kind, source, occupied) & targets
    found = PAWN_REACH[side, source] & occupied & targets
    if passant != NO_SQUARE:
        found |= PAWN_REACH[side, source] & bits.bit(passant)
    step = ahead(bits.bit(source), side) & ~occupied
    return found | (step | (ahead(step & THIRD_ROWS[side], side) & ~occupied)) & targets


def play(s, move):
    s.hash ^= displace(s, move)
    s.hash ^= PASSANT_WORDS[s.passant]
    settle(s)


def settle(s):
    """Is the game over?"""
    s.status = PLAYING
    if s.sides[s.turn] == bits.NONE:
        s.status = NO_MEN
    elif not can_move(s):
        s.status = STUCK
    elif DRAWS and s.quiet >= FIFTY:
        s.status = FIFTY_MOVES


def can_move(s):
    left, mine = s.sides[s.turn], s.sides[s.turn]
    while left != bits.NONE:
        if targets_of(s, bits.lowest(left), ~mine, s.passant) != bits.NONE:
            return True
        left = bits.without_lowest(left)
    return False


def utility(s, player):
    if s.status == FIFTY_MOVES:
        return 0.0
    value = 1.0
    if s.status == STUCK and STALEMATE == "draw":
        value = 0.0
    elif s.status == STUCK and STALEMATE == "fewer":
        more = bits.popcount(s.sides[1 - s.turn]) - bits.popcount(s.sides[s.turn])
        value = 1.0 if more > 0 else -1.0 if more < 0 else 0.0
    return value if player == s.turn else -value


def key(s):
    return s.hash ^ DRAWN_BY_COUNT_WORD if s.status == FIFTY_MOVES else s.hash


def valid_plies(s):
    """The moves that are left until fifty without a capture or a pawn's move draw the game."""
    return FIFTY - s.quiet if DRAWS else MAX_PLIES


def irreversible(s, move):
    """Captures, and moves of pawns."""
    return s.board[move >> 6 & 63] != NOTHING or s.board[move & 63] == PAWN


# --- knowledge for search ---


def evaluate(s, player):
    """The fewer men, the better; and somewhat better, the more squares the men can go to."""
    if s.status != PLAYING:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    total = 0.0
    occupied = s.sides[0] | s.sides[1]
    for side in range(2):
        sign = 1.0 if side == player else -1.0
        left = s.sides[side]
        while left != bits.NONE:
            square = bits.lowest(left)
            left = bits.without_lowest(left)
            total -= sign * MAN
            if s.board[square] != PAWN:
                total += sign * FREEDOM * bits.popcount(reach(s.board[square], square, occupied) & ~occupied)
    return evaluation.squashed(total, VALUES[0], VALUES[1])


def order(s, move):
    """Moves first that the other side must answer by a capture, then those that give him the fewest men to do it with."""
    source, target = move & 63, move >> 6 & 63
    occupied = ((s.sides[0] | s.sides[1]) ^ bits.bit(source)) | bits.bit(target)
    captors = bits.popcount(attackers(s, target, occupied) & s.sides[1 - s.turn] & ~bits.bit(target))
    return FORCED - LIGHTER * captors if captors != 0 else 0.0


# --- for people ---


def show(s):
    return notation.shown(s, status(s))


def status(s):
    """What happens next, or how the game ended."""
    mover, other = notation.SIDES[s.turn], notation.SIDES[1 - s.turn]
    if s.status == PLAYING:
        return f"{mover} to move{' and must capture' if must_capture(s) else ''}"
    how = {NO_MEN: f"{mover} has no men left", STUCK: f"{mover} cannot move", FIFTY_MOVES: "fifty moves without a capture or a pawn's move"}
    value = utility(s, s.turn)
    return f"game over: {'drawn' if value == 0 else f'{mover if value > 0 else other} wins'}, {how[s.status]}"


def must_capture(s):
    with np.errstate(over="ignore"):  # the tables of attacks are looked up by products that wrap
        return list_moves(s, np.zeros(MAX_MOVES, MOVE), s.sides[1 - s.turn], s.passant) > 0


def read(text, s):
    castling, passant = notation.read_men(text, s)
    notation.check_men(s, one_king=False)
    if castling != "-":
        raise InputError(f"FEN: there is no castling in antichess: -, not '{castling}'")
    if s.sides[0] | s.sides[1] == bits.NONE:
        raise InputError("FEN: there is no man on the board")
    s.passant = notation.passant_of(passant, s)
    if s.passant != NO_SQUARE and PAWN_REACH[1 - s.turn, s.passant] & s.kinds[PAWN] & s.sides[s.turn] == bits.NONE:
        s.passant = NO_SQUARE
    s.hash = key_of(s)
    settle(s)


def name(s, move):
    source, target, promotion = move & 63, move >> 6 & 63, move >> 12
    kind, taken = s.board[source], s.board[target] != NOTHING or (s.board[source] == PAWN and target == s.passant)
    after = s.copy()
    with np.errstate(over="ignore"):
        play(after, move)
        whose = notation.LETTERS[kind] + notation.distinction(s, kind, source, target, reached) if kind != PAWN else ""
    decides = after.status in (NO_MEN, STUCK) and utility(after, 0) != 0
    if kind == PAWN and taken:
        whose = notation.square_name(source)[0]
    return f"{whose}{'x' if taken else ''}{notation.square_name(target)}{f'={notation.LETTERS[promotion]}' if promotion else ''}{'#' if decides else ''}"


def reached(s, source):
    """Where a man other than a pawn may go."""
    return targets_of(s, source, ~s.sides[s.turn], NO_SQUARE)


def resume(s, player):
    """Where nobody claims the draw after fifty moves the game goes on, and the count from the beginning."""
    if s.status != FIFTY_MOVES or player not in (OVER, s.turn):
        return False
    s.status, s.quiet = PLAYING, 0
    return True


def draw(s):
    return pieces.picture(s)
