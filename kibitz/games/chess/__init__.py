"""Chess: the complete rules of FIDE; draws that can be claimed happen at once.

The game ends by mate, by stalemate, when neither side has the men to mate, after fifty moves of each side without a capture or a pawn's move,
and when a position comes up for the third time. A win is worth 100, as if a hundred pawns; the evaluation counts in pawns.

**Draws.** With `draws=false` want of material and fifty moves end no game, as in published counts of moves (perft). `repetitions=2` ends a game
at the first repetition already: a search then sees in half the depth that it can hold a draw, or is about to give one away.

**The key** tells apart men, side to move, castling rights and a possible capture en passant, and nothing else: positions that repeat must have one
key, and the counter towards fifty moves never repeats. So a table shares values between positions that are nearer to the fiftieth move and
farther from it, as other chess programs do. Only where the counter has ended the game is the key another one.

**En passant** counts only where the capture is legal, in the key and in FEN.

Notation: moves are read in standard algebraic notation (`Nbd2`, `exd6`, `O-O`, `e8=Q+`) or as in the UCI protocol (`b1d2`, `e7e8q`); a position
is a FEN, or the board as it is shown, which ends with its FEN.
"""

import numpy as np

from kibitz import DRAW, OVER, bits, evaluation, parameter, record
from kibitz.games.chess import judgement, notation, pieces, placement
from kibitz.games.chess.attacks import KING, NO_SQUARE, NOTHING, PAWN, QUEEN, ROOK
from kibitz.games.chess.endings import SECTIONS as SECTIONS
from kibitz.games.chess.endings import SIZE as SIZE
from kibitz.games.chess.endings import number_of, set_men
from kibitz.games.chess.exchange import loses, promise, victim_of
from kibitz.games.chess.judgement import measured, phase_of
from kibitz.games.chess.movement import (
    BITBOARDS,
    BOARD,
    DRAWN_BY_COUNT_WORD,
    FIFTY,
    FIFTY_MOVES,
    MATE,
    NO_MATERIAL,
    PASSANT_WORDS,
    PLAYING,
    RIGHTS_KEPT,
    STALEMATE,
    TURN_WORD,
    find_status,
    key_of,
    list_moves,
    make,
    set_out,
)
from kibitz.games.chess.notation import cells as cells
from kibitz.games.chess.notation import spellings as spellings
from kibitz.games.chess.notation import wire as wire
from kibitz.games.chess.placement import counted, placed, tables
from kibitz.games.chess.unplaying import MAX_UNPLAYS as MAX_UNPLAYS
from kibitz.games.chess.unplaying import list_unplays

DRAWS = parameter("draws", True, about="the game is drawn when nobody can mate any more, and after fifty quiet moves")
REPETITIONS = parameter("repetitions", 3, low=2, high=5, about="how often a position comes up until the game is drawn")

State = record(**BITBOARDS, **BOARD)
PLAYERS = 2
PLAYER_NAMES = ("White", "Black")
MOVE = np.int16
# 218 is the most that was ever found in a game. Of any king and fifteen men: lines of 8 to 2 squares allow sliding men 340 moves, from one end and
# from the other; other men have at most 12 each, a king 10. Thirteen sliding men reach that, with two others it makes 374.
MAX_MOVES = 384
MAX_PLIES = 11_900  # 96 moves of pawns and 30 captures, eight of which are both, and at most 100 moves to and after each
VALUES = (-100.0, 100.0)
GRAIN = 100.0
REPETITION = DRAW
MARGIN = 1.0

FEATURES = placement.NAMES + judgement.NAMES
WEIGHTS = evaluation.fitted(__file__, FEATURES, tuple(men + terms for men, terms in zip(placement.BY_HAND, judgement.BY_HAND, strict=True)))
OF_PLACES = len(placement.NAMES)
WORTH, OF_TERMS = tables(WEIGHTS), tuple(row[OF_PLACES:] for row in WEIGHTS)

NEVER = 1 << 30


def start(s):
    set_out(s)
    s.castling = 15
    s.hash = key_of(s)


def player(s):
    return s.turn if s.status == PLAYING else OVER


def moves(s, out):
    return list_moves(s, out)


def play(s, move):
    make(s, move)
    settle(s)


def settle(s):
    find_status(s, DRAWS)


def utility(s, player):
    if s.status != MATE:
        return 0.0
    return VALUES[0] if player == s.turn else VALUES[1]


def key(s):
    return s.hash ^ DRAWN_BY_COUNT_WORD if s.status == FIFTY_MOVES else s.hash


def rank(s):
    return number_of(s)


def unrank(i, s):
    if not set_men(i, s):
        return False
    s.hash = key_of(s)
    settle(s)
    return number_of(s) == i


def unplay(s, out):
    return list_unplays(s, out)


def valid_plies(s):
    """The moves that are left until fifty without a capture or a pawn's move draw the game."""
    return FIFTY - s.quiet if DRAWS else NEVER


def irreversible(s, move):
    """Captures, moves of pawns, and what gives up a right to castle."""
    source, target = move & 63, move >> 6 & 63
    kept = RIGHTS_KEPT[source] & RIGHTS_KEPT[target]
    return s.board[target] != NOTHING or s.board[source] == PAWN or s.castling & kept != s.castling


# --- knowledge for search ---


def evaluate(s, player):
    """How many pawns ahead: what the features are worth by their weights; a finished game's own utility."""
    if s.status != PLAYING:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    phase = phase_of(s)
    value = evaluation.squashed(placed(s, WORTH, phase) + evaluation.tapered(measured(s), OF_TERMS, phase), VALUES[0], VALUES[1])
    return value if player == 0 else -value


def features(s, player, out):
    counted(s, out)
    evaluation.listed(measured(s), out[OF_PLACES:])
    if player == 1:
        for i in range(len(FEATURES)):
            out[i] = -out[i]


def phase(s):
    return phase_of(s)


def order(s, move):
    return promise(s, move)


def noisy(s, move):
    """Captures that do not lose the exchange, and new queens."""
    promotion = move >> 12
    if promotion != 0:
        return promotion == QUEEN
    return victim_of(s, move) != NOTHING and not loses(s, move)


def restless(s):
    return s.checkers != bits.NONE


def skip(s):
    """Not in check, and not with pawns and one knight or bishop at most: there a side may well be glad to pass, and a search would be misled."""
    officers = s.sides[s.turn] & ~(s.kinds[PAWN] | s.kinds[KING])
    alone = bits.without_lowest(officers) == bits.NONE and officers & (s.kinds[ROOK] | s.kinds[QUEEN]) == bits.NONE
    if s.checkers != bits.NONE or alone:
        return False
    passant, pinned = s.passant, s.pinned
    s.hash ^= TURN_WORD ^ PASSANT_WORDS[passant]
    s.passant, s.turn = NO_SQUARE, 1 - s.turn
    settle(s)
    if s.status == PLAYING:
        return True
    s.hash ^= TURN_WORD ^ PASSANT_WORDS[passant]
    s.passant, s.turn, s.pinned, s.checkers, s.status = passant, 1 - s.turn, pinned, bits.NONE, PLAYING
    return False


# --- for people ---


def show(s):
    return notation.shown(s, status(s))


def status(s):
    """What happens next, or how the game ended."""
    if s.status == PLAYING:
        return f"{notation.SIDES[s.turn]} to move{'' if s.checkers == bits.NONE else ', in check'}"
    ends = {STALEMATE: "stalemate", FIFTY_MOVES: "fifty moves without a capture or a pawn's move", NO_MATERIAL: "nobody can mate"}
    return f"game over: {notation.SIDES[1 - s.turn]} mates" if s.status == MATE else f"game over: drawn, {ends[s.status]}"


def read(text, s):
    notation.read_fen(text, s)
    settle(s)


def name(s, move):
    after = s.copy()
    with np.errstate(over="ignore"):  # the tables of attacks are looked up by products that wrap
        play(after, move)
        return notation.san(s, move, after)


def resume(s, player):
    """Where nobody claims the draw after fifty moves, or sees that nobody can mate, the game goes on, and the count from the beginning."""
    if s.status not in (FIFTY_MOVES, NO_MATERIAL) or player not in (OVER, s.turn):
        return False
    s.status, s.quiet = PLAYING, 0
    return True


def draw(s):
    return pieces.picture(s, s.checkers)
