"""Rules guided by a policy: PUCT (Silver and others 2018), ESPRIT (Jones 2021), the regularised policy (Grill and others 2020).

A rule turns what is known of a node's moves into **shares**: how likely each of them is to be played, up to a common factor. n and v are a move's
visits and mean reward, from 0 to 1, for the player to move; p is its prior, by the policy; N the visits of the node, 1 + the sum of all n.

    PUCT          x = p + sqrt(N) / C * v * (1 + n) / N,  C = c0 + log((1 + N + c1) / c1)
    ESPRIT        r = (lam p + z q) / (lam + z),  z = n^alpha,  q ~ (1 + (v_best - v) sqrt(Z) / sigma)^-gamma,  Z the mean of z
    regularised   y = k p / (a - v),  k = C sqrt(N - 1) / (moves + N - 1),  a such that they add up to 1

A simulation follows the largest share / (1 + n), the move that has had the least of what is its due: for PUCT that is the largest
v + C sqrt(N) / (1 + n) p. Or it draws a move by its share (Igarashi and others 2019). A move nobody has tried has n = 0 and the value that the search
is told to expect of it; its share is slope * p + offset, so that the likeliest of them is the only one to look at. It stands first among them.

Moves that best play does not need, where something is proven, have no share. Among equal scores the higher value counts, then the higher prior.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.protocol.rules import OVER
from kibitz.core.records import random
from kibitz.core.records.hashing import mix
from kibitz.searches.montecarlo import playing
from kibitz.searches.montecarlo.selection import PRUNED
from kibitz.searches.montecarlo.tree import as_word, edge, opened_edges

FINE, BAD_POLICY, BAD_VALUE = 0, 1, 2  # what is wrong with what the game or a network says
ROUNDS = 100  # of Newton's method, which needs about ten
CLOSE = 1e-13


def fields(wide: int) -> dict[str, Any]:
    """Of the workspace."""
    numbers = ("c0", "c1", "lam", "gamma", "sigma", "first", "sharp", "odds", "slope", "offset")
    return {
        **dict.fromkeys(numbers, np.float64),
        "from_parent": np.int64,  # is `first` what an untried move is expected to be worth less than those tried?
        "fault": np.int64,
        "share": (np.float64, wide),  # of the edges in play, by their place
        "effective": (np.float64, wide),  # ESPRIT's z
    }


# --- which edge ---


def best_edge(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The edge before `end` to follow: one in play, or the first of the others."""
    if options.WAVES and under_way(edges, n, first) > 0:
        share_out(w, edges, n, first)
        stand_back(w, edges, n, first)
        return drawn(w, edges, n, first, end) if options.SAMPLE else most_wanting(w, edges, n, first, end)
    if options.SAMPLE:
        share_out(w, edges, n, first)
        return drawn(w, edges, n, first, end)
    if options.PUCT:
        return by_puct(w, edges, n, first, end)
    share_out(w, edges, n, first)
    return most_wanting(w, edges, n, first, end)


def by_puct(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The largest v + C sqrt(N) / (1 + n) p."""
    reach = explored(w, n) * math.sqrt(n.visits)
    opened = opened_edges(n)
    best, highest, value = first, -np.inf, -np.inf
    for e in range(first, first + opened):
        x = edge(edges, e)
        v = np.float64(x.value)
        score = v + reach / (1.0 + np.float64(x.scale)) * np.float64(x.prior)
        if score > highest or (score == highest and v > value):
            best, highest, value = e, score, v
    if end > first + opened:
        untried = expected(w, edges, n, first)
        score = untried + reach * np.float64(edge(edges, first + opened).prior)
        if score > highest or (score == highest and untried > value):
            return first + opened
    return best


def most_wanting(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The largest share / (1 + n), shares being written down already."""
    opened = opened_edges(n)
    best, highest, value = first, -np.inf, -np.inf
    for i in range(opened):
        x = edge(edges, first + i)
        v = np.float64(x.value)
        score = w.share[i] / (1.0 + np.float64(x.scale) + (np.float64(x.waiting) if options.WAVES else 0.0))
        if score > highest or (score == highest and v > value):
            best, highest, value = first + i, score, v
    if end > first + opened:
        score = w.slope * np.float64(edge(edges, first + opened).prior) + w.offset
        if score > highest or (score == highest and expected(w, edges, n, first) > value):
            return first + opened
    return best


def under_way(edges: Any, n: Any, first: int) -> int:
    """How many of the wave are on their way through the node."""
    waiting = 0.0
    for e in range(first, first + opened_edges(n)):
        waiting += np.float64(edge(edges, e).waiting)
    return int(waiting)


def stand_back(w: Any, edges: Any, n: Any, first: int) -> None:
    """A leaf is evaluated once in a wave: who comes second has no share in it."""
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if x.child < 0 and x.waiting > 0.0:
            w.share[i] = 0.0


def drawn(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """Any edge before `end`, each as likely as its share says."""
    total = 0.0
    for e in range(first, end):
        total += share_of(w, edges, n, first, e)
    left, last = random.unit(w.rng) * total, first
    for e in range(first, end):
        share = share_of(w, edges, n, first, e)
        if share > 0.0:
            last = e
            left -= share
            if left < 0.0:
                break
    return last


def share_of(w: Any, edges: Any, n: Any, first: int, e: int) -> float:
    """Of any edge of the node whose shares are written down."""
    if e < first + opened_edges(n):
        return w.share[e - first]
    return w.slope * np.float64(edge(edges, e).prior) + w.offset


# --- shares ---


def share_out(w: Any, edges: Any, n: Any, first: int) -> None:
    """Write down the shares: of edges in play one by one, of the others as a slope and an offset of their priors."""
    if options.PUCT:
        share_by_puct(w, edges, n, first)
    elif options.REGULARISED:
        share_by_regularisation(w, edges, n, first)
    else:
        share_by_esprit(w, edges, n, first)


def share_by_puct(w: Any, edges: Any, n: Any, first: int) -> None:
    """Formula (9) of Jones 2021: x / (1 + n) is in the order of v + C sqrt(N) / (1 + n) p."""
    pull = math.sqrt(n.visits) / explored(w, n)
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        taken = (1.0 + np.float64(x.scale)) / n.visits
        w.share[i] = np.float64(x.prior) + pull * np.float64(x.value) * taken if is_needed(x) else 0.0
    w.slope, w.offset = 1.0, pull * expected(w, edges, n, first) / n.visits if opened_edges(n) < n.count else 0.0


def share_by_esprit(w: Any, edges: Any, n: Any, first: int) -> None:
    """Formulas (3) to (7)."""
    untried = expected(w, edges, n, first) if opened_edges(n) < n.count else -np.inf
    best, total, moves = untried, 0.0, n.count
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if is_needed(x):
            size = root(np.float64(x.scale), w.alpha)
            w.effective[i] = size
            total += size
            best = max(best, np.float64(x.value))
        else:
            moves -= 1
    rate = math.sqrt(total / max(1, moves)) / w.sigma
    qualities = (n.count - opened_edges(n)) * fall((best - untried) * rate, w.gamma) if opened_edges(n) < n.count else 0.0
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        quality = fall((best - np.float64(x.value)) * rate, w.gamma) if is_needed(x) else 0.0
        w.share[i] = quality
        qualities += quality
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if is_needed(x):
            w.share[i] = (w.lam * np.float64(x.prior) + w.effective[i] * w.share[i] / qualities) / (w.lam + w.effective[i])
    w.slope, w.offset = 1.0, 0.0


def root(visits: float, alpha: float) -> float:
    """visits^alpha; a square root is what is usual, and quicker."""
    return math.sqrt(visits) if alpha == 0.5 else visits**alpha


def fall(x: float, gamma: float) -> float:
    """(1 + x)^-gamma."""
    base = 1.0 + x
    return 1.0 / (base * base * base) if gamma == 3.0 else base**-gamma


def share_by_regularisation(w: Any, edges: Any, n: Any, first: int) -> None:
    """The policy y that makes the sum of v y - k KL(p, y) largest: y = k p / (a - v), with the a that makes them add up to 1."""
    below = np.float64(n.visits) - 1.0
    k = explored(w, n) * math.sqrt(below) / (n.count + below)
    untried = expected(w, edges, n, first) if opened_edges(n) < n.count else 0.0
    rest, a = 1.0, -np.inf
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        rest -= np.float64(x.prior)
        if is_needed(x):
            a = max(a, np.float64(x.value) + k * np.float64(x.prior))
    if opened_edges(n) < n.count:
        rest = max(rest, np.float64(edge(edges, first + opened_edges(n)).prior))
        a = max(a, untried + k * np.float64(edge(edges, first + opened_edges(n)).prior))
    else:
        rest = 0.0
    if k <= 0.0 or a == -np.inf:  # nothing is visited yet
        for i in range(opened_edges(n)):
            w.share[i] = np.float64(edge(edges, first + i).prior)
        w.slope, w.offset = 1.0, 0.0
        return
    a = balanced(edges, n, first, k, untried, rest, a)
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        w.share[i] = k * np.float64(x.prior) / max(a - np.float64(x.value), CLOSE * k) if is_needed(x) else 0.0
    w.slope, w.offset = k / max(a - untried, CLOSE * k), 0.0


def balanced(edges: Any, n: Any, first: int, k: float, untried: float, rest: float, a: float) -> float:
    """Newton's method from the left of the sum k p / (a - v), which falls ever more slowly: it comes nearer to 1 and never passes it."""
    for _ in range(ROUNDS):
        total = k * rest / (a - untried) if rest > 0.0 else 0.0
        slope = total / (a - untried) if rest > 0.0 else 0.0
        for i in range(opened_edges(n)):
            x = edge(edges, first + i)
            if is_needed(x) and x.prior > 0.0:
                part = k * np.float64(x.prior) / (a - np.float64(x.value))
                total += part
                slope += part / (a - np.float64(x.value))
        step = (total - 1.0) / slope if slope > 0.0 else 0.0
        if not step > CLOSE * k:
            break
        a += step
    return a


def explored(w: Any, n: Any) -> float:
    """C, which grows slowly with the visits."""
    return w.c0 + math.log((1.0 + n.visits + w.c1) / w.c1)


def expected(w: Any, edges: Any, n: Any, first: int) -> float:
    """What a move that nobody has tried counts as: a number, or less by it than the mean of those tried."""
    if w.from_parent == 0:
        return w.first
    total, visits = 0.0, 0.0
    for e in range(first, first + opened_edges(n)):
        x = edge(edges, e)
        if is_needed(x):
            total += np.float64(x.value) * np.float64(x.scale)
            visits += np.float64(x.scale)
    return max(0.0, total / visits - w.first) if visits > 0.0 else 0.0


def is_needed(x: Any) -> bool:
    """Not where something proven makes the edge useless."""
    return not options.SOLVE or x.value > 0.5 * PRUNED


# --- what the game says ---


def ask_policy(w: Any, edges: Any, first: int, count: int) -> None:
    """The priors of a new node's edges, whose moves stand in `w.choices`."""
    weigh(w, w.state, w.choices, count, w.weights)
    write_priors(w, edges, first, count)


def weigh(w: Any, s: Any, moves: Any, count: int, weights: Any) -> None:
    """How likely each move is: by the game's policy, by what the position after it is worth to the mover, or all alike."""
    if options.BY_VALUE:
        for i in range(count):
            w.trial = s
            game.play(w.trial, moves[i])
            weights[i] = math.exp(w.sharp * worth(w, w.trial, game.player(s)))
    elif options.EVEN_POLICY:
        for i in range(count):
            weights[i] = 1.0
    else:
        game.policy(s, moves, count, weights)


def worth(w: Any, s: Any, player: int) -> float:
    """The reward of a finished game, or what the evaluation promises: in proportion, or as odds of e to 1 for every `odds` above the middle."""
    if game.player(s) == OVER:
        return playing.as_reward(np.float64(game.utility(s, player)))
    value = np.float64(game.evaluate(s, player))
    if w.odds > 0.0:
        return 1.0 / (1.0 + math.exp(min(700.0, (0.5 * (game.VALUES[0] + game.VALUES[1]) - value) / w.odds)))
    return playing.as_reward(value)


def look(w: Any, s: Any) -> None:
    """Write what the position is worth to each player into `w.result`."""
    if w.odds > 0.0:
        for p in range(game.PLAYERS):
            w.result[p] = worth(w, s, p)
    else:
        playing.reward(w, s)
    check_rewards(w)


def write_priors(w: Any, edges: Any, first: int, count: int) -> None:
    """The weights in `w.weights` made to add up to 1."""
    total = 0.0
    for i in range(count):
        if not (0.0 <= w.weights[i] < np.inf):
            w.fault = BAD_POLICY
        total += w.weights[i]
    if not (0.0 < total < np.inf):
        w.fault = BAD_POLICY
    for i in range(count):
        edge(edges, first + i).prior = w.weights[i] / total if w.fault == FINE else 1.0 / count


def likeliest(edges: Any, first: int, end: int) -> int:
    """The edge of the largest prior; among equals chance decides by the moves' numbers, not by the order in which the game lists them."""
    best, most = first, edge(edges, first).prior
    for e in range(first + 1, end):
        prior = edge(edges, e).prior
        if prior > most or (prior == most and lot(edge(edges, e).move) > lot(edge(edges, best).move)):
            best, most = e, prior
    return best


def lot(move: int) -> np.uint64:
    return mix(as_word(move))


def check_rewards(w: Any) -> None:
    """An evaluation must be a number, and inside VALUES."""
    for p in range(game.PLAYERS):
        if not (0.0 <= w.result[p] <= 1.0):
            w.fault = BAD_VALUE
