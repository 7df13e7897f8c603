"""Drawings of chess pieces: outlines in hundredths of a square, from its centre. No font is needed."""

from kibitz import bits, svg
from kibitz.games.chess.attacks import KING, NOTHING, WHITE

FOOT = "M-27 37H27V29C22 27 19 24 17 20H-17C-19 24 -22 27 -27 29Z"
PAWNS = "M-23 37H23V31C22 23 11 18 8 1H14V-5H9C13 -9 14 -13 14 -17A14 14 0 1 0 -14 -17C-14 -13 -13 -9 -9 -5H-14V1H-8C-11 18 -22 23 -23 31Z"
KNIGHTS = FOOT + (
    "M-16 20C-15 6 -1 2 1 -8C-6 -2 -11 0 -15 2C-17 7 -20 10 -24 10C-29 8 -31 5 -30 1C-27 -5 -21 -14 -18 -20C-17 -25 -14 -27 -11 -28"
    "L-10 -37L-2 -30C14 -30 23 -14 23 4C23 11 20 16 17 20Z"
)
BISHOPS = FOOT + "M-13 20C-10 16 -9 12 -9 8C-17 3 -17 -13 -4 -26A7 7 0 1 1 4 -26C17 -13 17 3 9 8C9 12 10 16 13 20Z"
ROOKS = FOOT + "M-17 20L-14 -10H-21V-33H-12V-25H-5V-33H5V-25H12V-33H21V-10H14L17 20Z"
QUEENS = (
    FOOT
    + "M-17 20C-21 8 -27 -4 -31 -14A5 5 0 1 1 -24 -16L-14 -6L-13 -22A5 5 0 1 1 -6 -24L0 -9L6 -24A5 5 0 1 1 13 -22L14 -6L24 -16A5 5 0 1 1 31 -14C27 -4 21 8 17 20Z"
)
KINGS = (
    FOOT + "M-17 20C-21 12 -33 4 -30 -8C-27 -18 -12 -19 -3 -8V-22H-11V-29H-3V-37H3V-29H11V-22H3V-8C12 -19 27 -18 30 -8C33 4 21 12 17 20Z"
)
OUTLINES = (PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS)


def picture(s, checkers=bits.NONE):
    """The board, white below; the square of a king in check is red."""
    board = svg.Board(8, 8, row_labels="87654321", column_labels="abcdefgh")
    for square in range(64):
        row, column = 7 - square // 8, square % 8
        in_check = checkers != bits.NONE and s.board[square] == KING and bits.has(s.sides[s.turn], square)
        board.square(row, column, "#e2705a" if in_check else "#f0d9b5" if (row + column) % 2 == 0 else "#b58863", stroke="none")
        if s.board[square] != NOTHING:
            fill, stroke = ("#fdfdfb", "#1c1c1c") if bits.has(s.sides[WHITE], square) else ("#2b2b2b", "#f6f0e2")
            board.outline(row, column, OUTLINES[s.board[square]], fill, stroke)
    return board.render()
