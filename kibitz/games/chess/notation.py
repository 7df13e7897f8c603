"""Chess on paper: FEN, standard algebraic moves and the moves of the UCI protocol, the board as text."""

import re

import numpy as np

from kibitz import InputError, bits
from kibitz.games.chess.attacks import BLACK, KING, NO_SQUARE, NOTHING, PAWN, WHITE, attackers
from kibitz.games.chess.movement import MATE, STEPS, key_of, passant_captors, targets_of

LETTERS = "PNBRQK"
RIGHTS = "KQkq"
SIDES = ("white", "black")
ROOK_HOMES = ("h1", "a1", "h8", "a8")
MOST_QUIET, MOST_NUMBER = 20_000, 20_000  # where nobody claims the draw a game goes on
MOST_MEN, MOST_PAWNS = 16, 8  # of a side
FIRST_POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def square_name(square):
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def square_of(text):
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


# --- boards ---


def fen(s):
    """The position in Forsyth-Edwards notation; the square behind a pawn only where it can be captured en passant."""
    marks = letters(s)
    rows = "/".join(marks[8 * row : 8 * row + 8] for row in range(7, -1, -1))
    placement = re.sub(r"\.+", lambda gap: str(len(gap.group())), rows)
    rights = "".join(RIGHTS[i] for i in range(4) if s.castling >> i & 1) or "-"
    passant = "-" if s.passant == NO_SQUARE else square_name(s.passant)
    return f"{placement} {'wb'[s.turn]} {rights} {passant} {s.quiet} {s.number}"


def letters(s):
    """The men from a1 to h8: capitals for white, a dot for an empty square."""
    white = int(s.sides[WHITE])
    marks = ["PNBRQK."[kind] for kind in s.board.tolist()]
    return "".join(mark if white >> square & 1 else mark.lower() for square, mark in enumerate(marks))


def rows_of(s):
    """The board from white's side, with its edges marked."""
    marks = letters(s)
    rows = [f"{row + 1} {' '.join(marks[8 * row : 8 * row + 8])}" for row in range(7, -1, -1)]
    return [*rows, "  a b c d e f g h"]


def shown(s, status):
    """The board, a line that tells the status, and the FEN."""
    return "\n".join([*rows_of(s), status, fen(s)])


def read_fen(text, s):
    """Write the position to `s`, all but what the rules say of it (check, pins, the end of the game).

    A board as `show` prints it holds its FEN in one of its lines; the last two fields may be left out.
    """
    castling, passant = read_men(text, s)
    check_men(s)
    s.castling = castling_of(castling, s)
    check_kings(s)
    s.passant = passant_of(passant, s)
    if s.passant != NO_SQUARE and passant_captors(s) == bits.NONE:
        s.passant = NO_SQUARE
    s.hash = key_of(s)


def read_men(text, s):
    """Write the men, the side to move and the two numbers of a FEN to `s`; what it says of castling and en passant, unread."""
    line = next((line for line in text.splitlines() if line.count("/") >= 7), text)
    fields = line.split()
    if len(fields) not in (4, 6):
        raise InputError(
            f"a position is written in FEN, such as {FIRST_POSITION}: 6 fields, or 4 without the two numbers; there are {len(fields)}"
        )
    place_men(fields[0], s)
    if fields[1] not in ("w", "b"):
        raise InputError(f"FEN: the side to move is w or b, not '{fields[1]}'")
    s.turn = "wb".index(fields[1])
    quiet, number = fields[4:] or ("0", "1")
    s.quiet = number_of(quiet, MOST_QUIET, "the moves since a pawn moved or a man was captured")
    s.number = max(1, number_of(number, MOST_NUMBER, "the number of the move"))  # many programs count from 0
    return fields[2], fields[3]


def place_men(placement, s):
    rows = placement.split("/")
    if len(rows) != 8:
        raise InputError(f"FEN: a board has 8 rows with / between them, from row 8 to row 1; '{placement}' has {len(rows)}")
    s.board[:] = NOTHING
    for row, marks in zip(range(7, -1, -1), rows, strict=True):
        column = 0
        for mark in marks:
            if mark in tuple("12345678"):
                column += int(mark)
                continue
            if mark.upper() not in tuple(LETTERS):
                raise InputError(f"FEN: '{mark}' in row {row + 1} is no man; men are PNBRQK and pnbrqk, a digit counts empty squares")
            if column < 8:
                kind, side = LETTERS.index(mark.upper()), WHITE if mark.isupper() else BLACK
                here = bits.bit(8 * row + column)
                s.kinds[kind] |= here
                s.sides[side] |= here
                s.board[8 * row + column] = kind
            column += 1
        if column != 8:
            raise InputError(f"FEN: row {row + 1}, '{marks}', has {column} squares; it must have 8")


def check_men(s, one_king=True):
    """Can the rules hold these men? A side may have more promoted men than pawns are missing, as in problems; the bounds on moves hold for them, too."""
    for side, colour in enumerate(SIDES):
        counts = [bits.popcount(s.kinds[kind] & s.sides[side]) for kind in range(6)]
        if one_king and counts[KING] != 1:
            raise InputError(f"FEN: {colour} has {counts[KING]} kings; it must have one")
        if counts[PAWN] > MOST_PAWNS or sum(counts) > MOST_MEN:
            said = f"{counts[PAWN]} pawns" if counts[PAWN] > MOST_PAWNS else f"{sum(counts)} men"
            raise InputError(f"FEN: {colour} has {said}; a side has at most {MOST_PAWNS} pawns and {MOST_MEN} men")
    if s.kinds[PAWN] & np.uint64(0xFF000000000000FF) != bits.NONE:
        raise InputError("FEN: a pawn stands on row 1 or row 8")


def check_kings(s):
    """The side that has just moved must not be in check."""
    moved = 1 - s.turn
    king = bits.lowest(s.kinds[KING] & s.sides[moved])
    if attackers(s, king, s.sides[WHITE] | s.sides[BLACK]) & s.sides[s.turn] != bits.NONE:
        raise InputError(f"FEN: {SIDES[moved]} is in check, and it is the other side's turn")


def castling_of(text, s):
    if text == "-":
        return 0
    if not text or len(set(text)) != len(text) or set(text) - set(RIGHTS):
        raise InputError(f"FEN: castling rights are - or some of KQkq, not '{text}'")
    for right in text:
        side, home = (WHITE, "e1") if right.isupper() else (BLACK, "e8")
        rook = ROOK_HOMES[RIGHTS.index(right)]
        marks = letters(s)
        if marks[square_of(home)] != "Kk"[side] or marks[square_of(rook)] != "Rr"[side]:
            raise InputError(f"FEN: castling right {right} needs the king on {home} and a rook on {rook}")
    return sum(1 << RIGHTS.index(right) for right in text)


def passant_of(text, s):
    """The square; it means nothing where no pawn can capture there."""
    if text == "-":
        return NO_SQUARE
    wanted = "36"[s.turn == WHITE]
    if not re.fullmatch(r"[a-h][36]", text) or text[1] != wanted:
        raise InputError(f"FEN: the en passant square is - or a square on row {wanted}, not '{text}'")
    target = square_of(text)
    pawn, behind = target - STEPS[s.turn, 0], target + STEPS[s.turn, 0]
    if letters(s)[pawn] != "pP"[s.turn] or s.board[target] != NOTHING or s.board[behind] != NOTHING:
        raise InputError(
            f"FEN: no pawn can have just passed {text}: it must stand on {square_name(pawn)}, with two empty squares behind it"
        )
    return target


def number_of(text, most, what):
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise InputError(f"FEN: {what} must be a whole number from 0 to {most}, not '{text}'")
    return int(text)


# --- moves ---


def san(s, move, after):
    """The move as people write it; `after` is the position it leads to."""
    source, target, promotion = move & 63, move >> 6 & 63, move >> 12
    kind = s.board[source]
    ending = "" if after.checkers == bits.NONE else "#" if after.status == MATE else "+"
    if kind == KING and abs(source - target) == 2:
        return ("O-O" if target > source else "O-O-O") + ending
    captures = s.board[target] != NOTHING or (kind == PAWN and target == s.passant)
    if kind == PAWN:
        whose = square_name(source)[0] if captures else ""
    else:
        whose = LETTERS[kind] + distinction(s, kind, source, target)
    into = f"={LETTERS[promotion]}" if promotion else ""
    return f"{whose}{'x' if captures else ''}{square_name(target)}{into}{ending}"


def distinction(s, kind, source, target, targets=targets_of):
    """The column, the row or both, where another such piece may go to the same square; `targets` tells where it may."""
    left, rivals = s.kinds[kind] & s.sides[s.turn] & ~bits.bit(source), []
    while left != bits.NONE:
        if bits.has(targets(s, bits.lowest(left)), target):
            rivals.append(bits.lowest(left))
        left = bits.without_lowest(left)
    if not rivals:
        return ""
    name = square_name(source)
    if all(r % 8 != source % 8 for r in rivals):
        return name[0]
    return name[1] if all(r // 8 != source // 8 for r in rivals) else name


def uci(move):
    """The move in the UCI protocol: its two squares and a small letter for what a pawn becomes."""
    return square_name(move & 63) + square_name(move >> 6 & 63) + ("" if move < 4096 else LETTERS[move >> 12].lower())


def wire(s, move):
    return uci(move)


def cells(s, move):
    return square_name(move & 63), square_name(move >> 6 & 63)


def spellings(s, move, written):
    """Other ways to write a move: by its squares, without the marks for check, capture or promotion, castling with zeros."""
    bare = written.rstrip("+#")
    forms = [uci(move), bare, bare.replace("x", ""), bare.replace("=", ""), bare.replace("O", "0")]
    return tuple(dict.fromkeys(form for form in forms if form != written))
