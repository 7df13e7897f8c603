"""Leduc poker: six cards, two rounds of bets, and a card on the table between them.

Each player puts one coin into the pot and is dealt a card of jack, queen and king in two suits, which only he sees. In a round the players in turn fold, call (which
is called a check where there is nothing to pay) or raise, by two coins in the first round and four in the second, at most twice in a round. After the first
round a card is laid open on the table. A card of the same rank wins; otherwise the higher rank does; equal ranks share the pot.

Notation: `fold`, `check`, `call`, `raise`; cards are `Js`, `Jh`, `Qs`, `Qh`, `Ks`, `Kh`. A position is the first player's card, the second's, the one on the
table, `?` for one not dealt yet, and the moves of each round, `-` for none: `Js Qh Ks / check raise call / raise`.
"""

import numpy as np

from kibitz import CHANCE, OVER, InputError, random, record
from kibitz.games._cards import BEHIND, coins, draw_table

# A card is 1 to 6, 0 before it is dealt, the one on the table the last; `made`: moves of each round; `line`: which, four places for a round
State = record(
    cards=(np.int8, 3),
    paid=(np.int8, 2),
    made=(np.int8, 2),
    line=(np.int8, 8),
    turn=np.int8,
    round_=np.int8,
    raises=np.int8,
    folded=np.int8,
)
PLAYERS = 2
MAX_MOVES = 3
MAX_OUTCOMES = 6
MAX_PLIES = 11  # three cards, and four moves a round
VALUES = (-13.0, 13.0)

FOLD, CALL, RAISE, CHECK = 0, 1, 2, 3  # no move is CHECK: it is how a call is named where there is nothing to pay
WORDS = ("fold", "call", "raise", "check")
CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
TABLE = 2  # its place among the cards
MOST_RAISES = 2  # of a round
HEARD, LAID = 7, 11  # percepts: from 1 one's own card, from HEARD on what the other did, from LAID on the card on the table


def start(s):
    s.paid[0], s.paid[1] = 1, 1


def player(s):
    if s.turn == OVER:
        return OVER
    return CHANCE if s.cards[receiver(s)] == 0 else s.turn


def receiver(s):
    """Whose card is dealt next, or was dealt last."""
    if s.cards[0] == 0:
        return 0
    return TABLE if s.round_ == 1 else 1


def outcomes(s, out, weights):
    n = 0
    for card in range(6):
        if s.cards[0] != card + 1 and s.cards[1] != card + 1:
            out[n], weights[n] = card, 1.0
            n += 1
    return n


def moves(s, out):
    n = 0
    if to_pay(s):
        out[n] = FOLD
        n += 1
    out[n] = CALL
    if s.raises == MOST_RAISES:
        return n + 1
    out[n + 1] = RAISE
    return n + 2


def to_pay(s):
    """Has the other paid more than the player whose turn it is?"""
    return s.paid[s.turn] < s.paid[1 - s.turn]


def play(s, move):
    if s.cards[receiver(s)] == 0:
        s.cards[receiver(s)] = move + 1
        return
    mover, first = s.turn, s.made[s.round_] == 0
    s.line[4 * s.round_ + s.made[s.round_]] = CHECK if move == CALL and not to_pay(s) else move
    s.made[s.round_] += 1
    s.turn = 1 - mover
    if move == FOLD:
        s.folded, s.turn = mover + 1, OVER
    elif move == RAISE:
        s.paid[mover] = s.paid[1 - mover] + 2 * (1 + s.round_)
        s.raises += 1
    else:
        s.paid[mover] = s.paid[1 - mover]
        if not first:
            s.turn = 0 if s.round_ == 0 else OVER
            s.round_, s.raises = 1, 0


def utility(s, player):
    won = winner(s)
    return 0.0 if won < 0 else 1.0 * s.paid[1 - player] if won == player else -1.0 * s.paid[player]


def winner(s):
    """The player who takes the pot; -1: both share it."""
    if s.folded:
        return 2 - s.folded
    one, two = strength(s, 0), strength(s, 1)
    return -1 if one == two else 0 if one > two else 1


def strength(s, player):
    """A pair is above every rank."""
    rank = (s.cards[player] - 1) // 2
    return 3 if rank == (s.cards[TABLE] - 1) // 2 else rank


def percept(before, move, after, observer):
    """His own card, the one on the table, and what the other does."""
    place = receiver(before)
    if before.cards[place] == 0:
        return LAID + move if place == TABLE else 1 + move if place == observer else 0
    if before.turn == observer:
        return 0
    return HEARD + (CHECK if move == CALL and not to_pay(before) else move)


def redeal(s, observer, rng):
    """Any card that he does not see for the other's."""
    other, own, table = 1 - observer, s.cards[observer], s.cards[TABLE]
    if s.cards[other] == 0:
        return
    card = random.below(rng, 6 - (own > 0) - (table > 0))
    for place in range(1, 7):
        if place not in (own, table):
            if card == 0:
                s.cards[other] = place
            card -= 1


# --- for people ---


def announce(percept, observer):
    return CARDS[percept - 1] if percept < HEARD else WORDS[percept - HEARD] if percept < LAID else f"table:{CARDS[percept - LAID]}"


def name(s, move):
    if player(s) == CHANCE:
        return CARDS[move]
    return "check" if move == CALL and not to_pay(s) else WORDS[move]


def spellings(s, move, written):
    return ("call",) if written == "check" else ()


def show(s):
    return shown(s, -1)


def show_to(s, observer):
    return shown(s, observer)


def shown(s, observer):
    """The cards, all of them for observer -1, and the moves of each round."""
    cards = ["?" if card == 0 or (observer >= 0 and place == 1 - observer) else CARDS[card - 1] for place, card in enumerate(s.cards)]
    rounds = (" ".join(WORDS[s.line[4 * number + i]] for i in range(s.made[number])) or "-" for number in range(2))
    return "\n".join([" ".join(cards), *rounds])


def draw(s):
    return drawn(s, -1)


def draw_to(s, observer):
    return drawn(s, observer)


def drawn(s, observer):
    """The same as a picture."""
    said = ([], [])
    for number in range(2):
        for i in range(s.made[number]):
            said[i % 2].append(WORDS[s.line[4 * number + i]])
    faces = [None if card == 0 else CARDS[card - 1] for card in s.cards]
    if observer >= 0 and faces[1 - observer] is not None:
        faces[1 - observer] = BEHIND
    hands = [(f"player {i + 1}", player(s) == i, faces[i], (coins(s.paid[i]), ", ".join(said[i]))) for i in range(2)]
    return draw_table([hands[0], ("table", False, faces[TABLE], ()), hands[1]])


def read(text, s):
    parts = [part.split() for part in text.replace("\n", "/").split("/")]
    cards = [card.capitalize() for card in parts[0]]
    rounds = [[] if words == ["-"] else [word.lower() for word in words] for words in parts[1:]]
    if len(parts) != 3 or len(cards) != 3 or not set(cards) <= {"?", *CARDS} or not all(set(words) <= set(WORDS) for words in rounds):
        raise InputError(
            "a position is three cards and the moves of each round, such as 'Js Qh Ks / check raise call / raise' or 'Js Qh ? / - / -'"
        )
    dealt = [card for card in cards if card != "?"]
    if len(set(dealt)) < len(dealt) or dealt != cards[: len(dealt)]:
        raise InputError(f"'{' '.join(cards)}': each card is there once, and they are dealt in this order")
    start(s)
    deal(s, cards[:2])
    follow(s, rounds[0], "first")
    if s.round_ == 1:
        deal(s, cards[2:])
    elif cards[2] != "?":
        raise InputError(f"{cards[2]} lies on the table after the first round, and that is not over; write ?")
    follow(s, rounds[1], "second")


def deal(s, cards):
    """These, as long as they are there."""
    for card in cards:
        if card != "?":
            play(s, CARDS.index(card))


def follow(s, words, which):
    """The moves of a round."""
    for word in words:
        legal = np.zeros(MAX_MOVES, np.int32)
        known = {} if player(s) < 0 else {name(s, move): move for move in legal[: moves(s, legal)].tolist()}
        if word not in known:
            raise InputError(f"'{word}' in the {which} round: what may come there is {' '.join(known) or 'a card, or the end of the game'}")
        play(s, known[word])
