"""Cards on a table, as a picture: a row for each hand, with what was put into the pot and what was said."""

from kibitz import svg

FACE, BACK, NONE = "#fffdf5", "#2b5f9e", "#f0eee8"
SUITS = {"s": ("♠", "#111"), "h": ("♥", "#c0392b")}
HIGH, WIDE = 0.62, 0.44  # half of a card, in cells
BEHIND = "?"  # a card that lies face down


def draw_table(hands):
    """The picture of hands: whose it is, is it his turn, his card (None: not dealt), and words about him."""
    board = svg.Board(2 * len(hands), 9)
    for number, (whose, turn, card, words) in enumerate(hands):
        row = 2 * number + 0.5
        board.text(row, 1, whose, fill="#111" if turn else "#777", size=0.36)
        draw_card(board, row, 3, card)
        for i, said in enumerate(words):
            board.text(row + 0.5 * (i - (len(words) - 1) / 2), 6, said, fill="#111" if i == 0 else "#555", size=0.36)
    return board.render()


def draw_card(board, row, column, card):
    corners = [(row - HIGH, column - WIDE), (row - HIGH, column + WIDE), (row + HIGH, column + WIDE), (row + HIGH, column - WIDE)]
    board.polygon(corners, NONE if card is None else BACK if card == BEHIND else FACE, stroke="#b9b4a8" if card is None else "#333")
    if card is None:
        return
    if card == BEHIND:
        board.text(row, column, BEHIND, fill="#fff")
        return
    suit, colour = SUITS.get(card[1:], ("", "#111"))
    board.text(row - 0.18 if suit else row, column, card[0], fill=colour, size=0.62)
    if suit:
        board.text(row + 0.32, column, suit, fill=colour, size=0.42)


def coins(number):
    return f"paid {number} coin{'s' if number != 1 else ''}"
