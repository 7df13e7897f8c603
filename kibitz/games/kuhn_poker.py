"""Kuhn poker: three cards, one of them to each player, and one bet.

Each player puts one coin into the pot and is dealt a card of jack, queen and king, which only he sees. In turn they pass or bet one more coin. After a bet the
other bets as well, which shows the cards, or passes, which gives up the pot; two passes show the cards too. The higher card takes the pot.

Notation: `pass`, `bet`; a card dealt is `J`, `Q` or `K`, the first player's first. A position is both cards, `?` where none is dealt yet, and the moves so far, `-`
for none: `J K / pass bet`.
"""

import numpy as np

from kibitz import CHANCE, OVER, InputError, random, record
from kibitz.games._cards import BEHIND, coins, draw_table

State = record(
    cards=(np.int8, 2), made=np.int8, bets=np.int8
)  # a card is 1 to 3, 0 before it is dealt; `bets`: which moves were bets, the first the lowest bit
PLAYERS = 2
MAX_MOVES = 2
MAX_OUTCOMES = 3
MAX_PLIES = 5
VALUES = (-2.0, 2.0)

PASS, BET = 0, 1
CARDS = "JQK"
WORDS = ("pass", "bet")
HEARD = 4  # the percept of a pass; those below are cards


def start(s):
    s.made = 0


def player(s):
    if s.cards[1] == 0:
        return CHANCE
    if s.made < 2:
        return s.made
    return 0 if s.made == 2 and s.bets == 2 else OVER  # a pass and a bet: the first player has to answer


def outcomes(s, out, weights):
    n = 0
    for card in range(3):
        if s.cards[0] != card + 1:
            out[n], weights[n] = card, 1.0
            n += 1
    return n


def moves(s, out):
    out[0], out[1] = PASS, BET
    return 2


def play(s, move):
    if s.cards[0] == 0:
        s.cards[0] = move + 1
    elif s.cards[1] == 0:
        s.cards[1] = move + 1
    else:
        s.bets |= move << s.made
        s.made += 1


def utility(s, player):
    won = 1.0 if winner(s) == player else -1.0
    return 2.0 * won if s.bets in (3, 6) else won  # both have bet: at once, or after a pass


def winner(s):
    if s.bets == 1:
        return 0
    if s.bets == 2:
        return 1
    return 0 if s.cards[0] > s.cards[1] else 1


def percept(before, move, after, observer):
    """His own card, and what the other does."""
    if before.cards[1] == 0:
        receiver = 0 if before.cards[0] == 0 else 1
        return 1 + move if observer == receiver else 0
    return 0 if player(before) == observer else HEARD + move


def redeal(s, observer, rng):
    """Either of the two cards that he does not see."""
    if s.cards[1 - observer] != 0:
        s.cards[1 - observer] = 1 + (s.cards[observer] + random.below(rng, 2)) % 3


# --- for people ---


def announce(percept, observer):
    return CARDS[percept - 1] if percept < HEARD else WORDS[percept - HEARD]


def name(s, move):
    return CARDS[move] if player(s) == CHANCE else WORDS[move]


def show(s):
    return shown(s, -1)


def show_to(s, observer):
    return shown(s, observer)


def shown(s, observer):
    """The cards, all of them for observer -1, and the moves."""
    cards = ["?" if card == 0 or observer == 1 - i else CARDS[card - 1] for i, card in enumerate(s.cards)]
    return f"{' '.join(cards)}\n{' '.join(WORDS[s.bets >> i & 1] for i in range(s.made)) or '-'}"


def draw(s):
    return drawn(s, -1)


def draw_to(s, observer):
    return drawn(s, observer)


def drawn(s, observer):
    """The same as a picture."""
    hands = []
    for i, card in enumerate(s.cards):
        face = None if card == 0 else BEHIND if observer == 1 - i else CARDS[card - 1]
        said = [WORDS[s.bets >> made & 1] for made in range(i, s.made, 2)]
        hands.append((f"player {i + 1}", player(s) == i, face, (coins(1 + said.count("bet")), ", ".join(said))))
    return draw_table(hands)


def read(text, s):
    words = text.replace("/", " ").split()
    cards = [word.upper() for word in words[:2]]
    line = [] if words[2:] == ["-"] else [word.lower() for word in words[2:]]
    if len(cards) < 2 or set(cards) - set("?JQK") or not set(line) <= set(WORDS):
        raise InputError("a position is both cards, of J, Q and K, and the moves so far, such as 'J K / pass bet' or 'J K / -'")
    if (cards[0] == cards[1] != "?") or (cards[0] == "?" != cards[1]) or (line and "?" in cards):
        raise InputError(f"'{' '.join(cards)}': two different cards, dealt in this order, before anybody moves")
    for i, card in enumerate(cards):
        s.cards[i] = "?JQK".index(card)
    for number, word in enumerate(line):
        if player(s) == OVER:
            raise InputError(f"'{' '.join(line)}': the game is over after {' '.join(line[:number])}")
        play(s, WORDS.index(word))
