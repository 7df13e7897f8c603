"""Pig: roll as often as you dare; a 1 loses what the turn has brought, holding keeps it; the first to reach the target wins.

On his turn a player rolls a die again and again. What it shows is added to the turn's total, until he holds, which adds the total to his
score, or rolls a 1, which adds nothing; then it is the next player's turn. He may hold without having rolled. A player who has enough to
reach the target can only hold, and wins. The winner gets 1, the others share a loss of 1.

A game of Pig can go on for ever: the same scores come up again whenever somebody rolls a 1. Nothing in the state counts time, so positions
with the same scores are one position, and MAX_PLIES is how long a random game may take, far longer than any does: to 100 points two
players at random need about 180 plies, and hardly ever 300; MAX_PLIES is 7000. With `horizon` the game is drawn after that many
decisions, and never longer.

Notation: `roll`, `hold`, and what the die shows. A position is the scores and what happens next: `A 12 / B 30 / A has 8 this turn`,
`A 12 / B 30 / A rolls, 8 so far`; with a horizon also `after 17 decisions`.
"""

import math
import re

import numpy as np

from kibitz import CHANCE, OVER, InputError, evaluation, parameter, record, svg

TARGET = parameter("target", 100, low=2, high=1000, about="points that win")
SIDES = parameter("sides", 6, low=2, high=20, about="sides of the die")
PLAYERS = parameter("players", 2, low=2, high=6, about="number of players")
HORIZON = parameter("horizon", 0, low=0, high=30000, about="decisions after which the game is drawn; 0: never")

# `total`: of this turn; `rolling`: the die is in the air; `made`: decisions so far, where there is a horizon
State = record(scores=(np.int16, PLAYERS), total=np.int16, made=np.int16, turn=np.int8, rolling=np.int8)
MAX_MOVES = 2
MAX_OUTCOMES = SIDES
MAX_PLIES = 2 * HORIZON if HORIZON else 1000 + 30 * PLAYERS * TARGET
LOSS = -1.0 / (PLAYERS - 1)
VALUES = (LOSS, 1.0)
GRAIN = -LOSS

ROLL, HOLD = 0, 1
ENOUGH = 20  # a total that is worth holding, with six sides
PLAYER_NAMES = tuple("ABCDEF"[:PLAYERS])


def start(s):
    s.turn = 0


def player(s):
    if s.turn == OVER:
        return OVER
    return CHANCE if s.rolling else s.turn


def moves(s, out):
    if s.scores[s.turn] + s.total >= TARGET:
        out[0] = HOLD
        return 1
    out[0], out[1] = ROLL, HOLD
    return 2


def outcomes(s, out, weights):
    for i in range(SIDES):
        out[i], weights[i] = i + 1, 1.0
    return SIDES


def play(s, move):
    if s.rolling:
        s.rolling = 0
        if move == 1:
            pass_on(s)
        else:
            s.total += move
        return
    if move == ROLL:
        s.rolling = 1
    else:
        s.scores[s.turn] += s.total
        if s.scores[s.turn] >= TARGET:
            s.total, s.turn = 0, OVER
        else:
            pass_on(s)
    if HORIZON:
        s.made += 1
        if s.made == HORIZON and s.turn != OVER:
            s.total, s.rolling, s.turn = 0, 0, OVER


def pass_on(s):
    """The next player's turn begins."""
    s.total, s.turn = 0, (s.turn + 1) % PLAYERS


def utility(s, player):
    winner = winner_of(s)
    return 0.0 if winner == OVER else 1.0 if winner == player else LOSS


def winner_of(s):
    """The player who has reached the target; OVER if none has."""
    for player in range(PLAYERS):
        if s.scores[player] >= TARGET:
            return player
    return OVER


# --- knowledge for search ---


def evaluate(s, player):
    """The chance of winning, on the scale of utilities: each player's is in proportion to exp(points / (3.5 sqrt(points missing + 20))).

    Being on turn is worth 6.4 points and what it has brought 0.7 of itself. With two players, six sides and a target of 100 that is off
    by 0.044 on average (root mean square, over all positions with a turn's total below 25).
    """
    if s.turn == OVER:
        return evaluation.ended(utility(s, player), VALUES[0], VALUES[1])
    if not s.rolling and s.scores[s.turn] + s.total >= TARGET:
        return SURE if player == s.turn else SURE * LOSS
    best = 0.0
    for other in range(PLAYERS):
        best = max(best, points(s, other))
    scale, all_players = 3.5 * math.sqrt(max(0.0, TARGET - best) + 20.0), 0.0
    for other in range(PLAYERS):
        all_players += math.exp((points(s, other) - best) / scale)
    chance = math.exp((points(s, player) - best) / scale) / all_players
    return SURE * (LOSS + chance * (1.0 - LOSS))


SURE = 0.999  # nothing is certain before the end


def points(s, player):
    """A player's score, and what having the turn is worth."""
    return s.scores[player] + (6.4 + 0.7 * s.total if player == s.turn else 0.0)


def order(s, move):
    """Holding first where the turn has brought enough."""
    return 1.0 if (move == HOLD) == (s.total >= ENOUGH) else 0.0


def policy(s, moves, n, out):
    """Hold at 20: not quite the best there is, but near it."""
    for i in range(n):
        out[i] = 0.95 if (moves[i] == HOLD) == (s.total >= ENOUGH) else 0.05


# --- for people ---


def show(s):
    lines = [f"{name_} {s.scores[i]}" for i, name_ in enumerate(PLAYER_NAMES)]
    if HORIZON:
        lines.append(f"after {s.made} decisions")
    return "\n".join([*lines, status(s)])


def status(s):
    """What happens next."""
    if s.turn == OVER:
        return "drawn" if winner_of(s) == OVER else f"{PLAYER_NAMES[winner_of(s)]} has won"
    return f"{PLAYER_NAMES[s.turn]} rolls, {s.total} so far" if s.rolling else f"{PLAYER_NAMES[s.turn]} has {s.total} this turn"


def read(text, s):
    scores = r"\s*/?\s*".join(rf"{name_}\s+(\d+)" for name_ in PLAYER_NAMES)
    time = r"\s*/?\s*after (\d+) decisions" if HORIZON else "()"
    following = rf"\s*/?\s*(?:([{''.join(PLAYER_NAMES)}]) (?:has (\d+) this turn|rolls, (\d+) so far|has won)|drawn)\s*"
    found = re.fullmatch(r"\s*" + scores + time + following, text)
    if not found:
        example = " / ".join(f"{name_} 12" for name_ in PLAYER_NAMES) + (" / after 17 decisions" if HORIZON else "")
        raise InputError(f"a position is '{example} / A has 8 this turn', or '... / A rolls, 8 so far', '... / A has won', '... / drawn'")
    numbers, (made, mover, held, so_far) = found.groups()[:PLAYERS], found.groups()[PLAYERS:]
    total = int(held or so_far or 0)
    if max(*map(int, numbers), total) > TARGET + SIDES or int(made or 0) > HORIZON:
        raise InputError(f"no score or total is above {TARGET + SIDES}{f', and there are {HORIZON} decisions' if HORIZON else ''}")
    for player_, number in enumerate(numbers):
        s.scores[player_] = int(number)
    s.made, s.total, s.rolling = int(made or 0), total, int(so_far is not None)
    over = winner_of(s) != OVER or (HORIZON and s.made == HORIZON)
    s.turn = OVER if over else PLAYER_NAMES.index(mover or "A")
    if sum(int(number) >= TARGET for number in numbers) > 1 or status(s) != found[0].rpartition("/")[2].strip().splitlines()[-1].strip():
        raise InputError(f"'{' / '.join(text.splitlines())}' cannot be: by the rules it is '{status(s)}'")
    if s.rolling and s.scores[s.turn] + s.total >= TARGET:
        raise InputError(f"{PLAYER_NAMES[s.turn]} has enough to win, and does not roll")


def name(s, move):
    return str(move) if s.rolling else ("roll", "hold")[move]


def draw(s):
    board = svg.Board(PLAYERS, 9)
    for i, name_ in enumerate(PLAYER_NAMES):
        board.text(i, 0, name_, fill="#111" if i == s.turn else "#777")
        board.line((i, 1), (i, 7), stroke="#e8e8e8", width=16)
        if s.scores[i] > 0:
            board.line((i, 1), (i, 1 + 6 * min(1.0, s.scores[i] / TARGET)), stroke="#2b5f9e", width=16)
        if i == s.turn and s.total > 0:
            reached = [1 + 6 * min(1.0, points_ / TARGET) for points_ in (s.scores[i], s.scores[i] + s.total)]
            board.line((i, reached[0]), (i, reached[1]), stroke="#e0a030", width=10)
        board.text(i, 8, f"{s.scores[i]}{f'+{s.total}' if i == s.turn else ''}", size=0.4)
    return board.render()
