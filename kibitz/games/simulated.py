"""Simulated game trees with the statistics of real games (Jones 2021, section 3): true values, with noisy evaluations and policies.

Nothing is stored: a node knows what it needs from its path, so every search sees the same tree. The players take turns. A node's own numbers:

    moves        as many as the nearest whole number to a normal draw around the mean of `m_mean` and of its parent's number, from 1 to `m_max`
    true values  t of the moves, to the player who moves next: the first keeps its node's value (t = 1 - the node's own), each further one is better
                 for the opponent: log-odds larger by an exponential draw of mean t_scale / sqrt(moves)
    noise        x, Student's t with `e_df` degrees of freedom times `e_ch`; 0 at the root
    evaluation   the odds of t over e^x', with x' = (x - e_par (its parent's x)) / sqrt(1 + e_par^2)
    policy       in proportion to exp(-p_sm y''), y'' having the odds of t over e^y', with y' = p_ch (Student's t, `p_df`) + p_eval x

The best move is always the first, and its regret 0; a search that breaks ties by number would see the answer. With order=shuffled the same moves
are listed in an order drawn for each node. There is no end, except that after `depth` plies the game stops with its true value.

The state's field `logit` is log(t / (1 - t)) of the position for the player to move: for scoring only, no function that searches use shows it before
the end.

Two readings of the paper, without which its results do not come about: the sum in its (11) runs to m - 1, so that the best move keeps its parent's
value, and x* in its (12) is the parent's own x.

Notation: moves are numbers from 1. A position is its fields; `tree=17` alone is the root of another tree, and `tree=17 t_root=0.3 e_df=2` of
one with other parameters, in the same compiled game.
"""

import math

import numpy as np

from kibitz import OVER, InputError, hashing, maths, parameter, record
from kibitz import text as fields

MOST_MOVES = 512  # the product of this many uniform draws is no less than the smallest float64
RANGES = {
    "tree": (0, 2**62),
    "m_root": (1.0, MOST_MOVES),
    "m_mean": (1.0, MOST_MOVES),
    "m_sd": (0.0, MOST_MOVES),
    "m_max": (1, MOST_MOVES),
    "t_root": (0.001, 0.999),
    "t_scale": (0.0, 10.0),
    "e_df": (1.0, 1000.0),
    "e_par": (-100.0, 100.0),
    "e_ch": (0.0, 10.0),
    "p_df": (1.0, 1000.0),
    "p_ch": (0.0, 10.0),
    "p_eval": (-10.0, 10.0),
    "p_sm": (0.0, 100.0),
}


def ranged(name):
    return {"low": RANGES[name][0], "high": RANGES[name][1]}


TREE = parameter("tree", 0, **ranged("tree"), about="which tree")
M_ROOT = parameter("m_root", 30.0, **ranged("m_root"), about="moves of the parent of the root")
M_MEAN = parameter("m_mean", 30.0, **ranged("m_mean"), about="mean number of moves")
M_SD = parameter("m_sd", 5.0, **ranged("m_sd"), about="standard deviation of the number of moves")
M_MAX = parameter("m_max", 100, **ranged("m_max"), about="most moves")
T_ROOT = parameter("t_root", 0.5, **ranged("t_root"), about="true value of the root")
T_SCALE = parameter("t_scale", 0.2, **ranged("t_scale"), about="for the spacing of true values")
E_DF = parameter("e_df", 3.0, **ranged("e_df"), about="evaluations: shape of the noise, degrees of freedom")
E_PAR = parameter("e_par", 0.0, **ranged("e_par"), about="evaluations: noise inherited from the parent")
E_CH = parameter("e_ch", 0.3, **ranged("e_ch"), about="evaluations: noise of each child")
P_DF = parameter("p_df", 3.0, **ranged("p_df"), about="policy: shape of the noise, degrees of freedom")
P_CH = parameter("p_ch", 0.2, **ranged("p_ch"), about="policy: noise of each child")
P_EVAL = parameter("p_eval", 0.2, **ranged("p_eval"), about="policy: noise shared with the evaluations")
P_SM = parameter("p_sm", 10.0, **ranged("p_sm"), about="policy: rate of the softmax")
ORDER = parameter("order", "sorted", choices=("sorted", "shuffled"), about="how moves are listed: the best first, or in any order")
DEPTH = parameter("depth", 256, low=1, high=1000, about="plies after which the game stops")

SHUFFLED = ORDER == "shuffled"
OF_ROOT = {
    "tree": TREE, "m_root": M_ROOT, "m_mean": M_MEAN, "m_sd": M_SD, "m_max": M_MAX, "t_root": T_ROOT, "t_scale": T_SCALE, "e_df": E_DF,
    "e_par": E_PAR, "e_ch": E_CH, "p_df": P_DF, "p_ch": P_CH, "p_eval": P_EVAL, "p_sm": P_SM,
}  # fmt: skip
KEPT = ("m_mean", "m_sd", "m_max", "t_scale", "e_df", "e_par", "e_ch", "p_df", "p_ch", "p_eval", "p_sm")

# `path` grows out of the tree's number and every move; `before` is the parent's; `logit`: see above; then the parameters of this tree
State = record(
    path=np.uint64, before=np.uint64, logit=np.float64, m_mean=np.float64, m_sd=np.float64, t_scale=np.float64, e_df=np.float64,
    e_par=np.float64, e_ch=np.float64, p_df=np.float64, p_ch=np.float64, p_eval=np.float64, p_sm=np.float64, m_max=np.int16,
    moves_here=np.int16, ply=np.int16,
)  # fmt: skip
PLAYERS = 2
MAX_MOVES = M_MAX
MAX_PLIES = DEPTH
VALUES = (0.0, 1.0)
SUM = 1.0
GRAIN = 0.0

# Numbers drawn for different purposes at one node come from different sequences of its path.
GAPS, NUMBER, EVALUATION = np.uint64(0xD1B54A32D192ED03), np.uint64(0x8CB92BA72F3D8DD7), np.uint64(0xAEF17502108EF2D9)
POLICY, LISTING = np.uint64(0xF58A6B2C41D7903B), np.uint64(0x6A5D39EAE12657A9)
LOW_HALF = np.uint64(0xFFFFFFFF)
NEVER_QUITE = 1e-12  # evaluations stay so far from 0 and 1


def start(s):
    s.m_mean, s.m_sd, s.m_max, s.t_scale = M_MEAN, M_SD, M_MAX, T_SCALE
    s.e_df, s.e_par, s.e_ch = E_DF, E_PAR, E_CH
    s.p_df, s.p_ch, s.p_eval, s.p_sm = P_DF, P_CH, P_EVAL, P_SM
    plant(s, TREE, M_ROOT, T_ROOT)


def plant(s, tree, m_root, t_root):
    """The root of a tree whose other parameters are written already."""
    s.path, s.before, s.ply = hashing.combine(np.uint64(0), np.uint64(tree)), np.uint64(0), 0
    s.logit = maths.log(t_root / (1.0 - t_root))
    s.moves_here = number_of_moves(s, m_root)


def player(s):
    return OVER if s.ply == DEPTH else s.ply & 1


def moves(s, out):
    for move in range(s.moves_here):
        out[move] = move
    if SHUFFLED:
        word = s.path ^ LISTING
        for i in range(s.moves_here - 1, 0, -1):
            word = word + hashing.STEP
            j = np.int64(hashing.mix(word) % np.uint64(i + 1))
            kept = out[i]
            out[i] = out[j]
            out[j] = kept
    return s.moves_here


def play(s, move):
    product, word = 1.0, s.path ^ GAPS
    for _ in range(move):
        word = word + hashing.STEP
        product *= unit(hashing.mix(word))
    s.logit = gap(s, product) - s.logit
    s.before, s.path = s.path, hashing.combine(s.path, np.uint64(move))
    s.moves_here = number_of_moves(s, s.moves_here)
    s.ply += 1


def gap(s, product):
    """A sum of exponential draws as one logarithm of a product of uniform ones."""
    return -maths.log(product) * s.t_scale / math.sqrt(s.moves_here)


def number_of_moves(s, of_parent):
    wanted = 0.5 * (s.m_mean + of_parent)
    if s.m_sd > 0.0:
        wanted += s.m_sd * normal(s.path ^ NUMBER)
    return np.int64(min(max(math.floor(wanted + 0.5), 1), s.m_max))


# --- what searches may know ---


def evaluate(s, player):
    to_mover = odds_to_share(s.logit - noise_here(s))
    return to_mover if player == s.ply & 1 else 1.0 - to_mover


def noise_here(s):
    """x', from the position's own noise and its parent's; the root has none."""
    own = s.e_ch * student(s.path ^ EVALUATION, s.e_df) if s.ply > 0 else 0.0
    inherited = s.e_ch * student(s.before ^ EVALUATION, s.e_df) if s.ply > 1 else 0.0
    return (own - s.e_par * inherited) / math.sqrt(1.0 + s.e_par * s.e_par)


def policy(s, moves, n, out):
    """Moves may come in any order; in that of their numbers it is fastest."""
    product, word, reached = 1.0, s.path ^ GAPS, 0
    for i in range(n):
        if moves[i] < reached:
            product, word, reached = 1.0, s.path ^ GAPS, 0
        for _ in range(moves[i] - reached):
            word = word + hashing.STEP
            product *= unit(hashing.mix(word))
        reached = moves[i]
        child = hashing.combine(s.path, np.uint64(moves[i]))
        shared = s.e_ch * student(child ^ EVALUATION, s.e_df)
        noise = s.p_ch * student(child ^ POLICY, s.p_df) + s.p_eval * shared
        out[i] = maths.exp(-s.p_sm * odds_to_share(gap(s, product) - s.logit - noise))


def utility(s, player):
    true = odds_to_share(s.logit)
    return true if player == s.ply & 1 else 1.0 - true


def key(s):
    return s.path


# --- draws: a function of a word each ---


def odds_to_share(logit):
    return min(max(1.0 / (1.0 + maths.exp(min(-logit, 700.0))), NEVER_QUITE), 1.0 - NEVER_QUITE)


def unit(bits):
    """Between 0 and 1, neither of them."""
    return (np.float64(bits >> np.uint64(11)) + 0.5) * 2.0**-53


def student(word, freedom):
    """Student's t, any degrees of freedom: a point in the unit circle, its distance from the middle stretched (Bailey 1994)."""
    a, w = in_circle(word)
    if freedom == 2.0:
        power = 1.0 / w
    elif freedom == 4.0:
        power = 1.0 / math.sqrt(w)
    else:
        power = maths.power(w, -2.0 / freedom)
    return a * math.sqrt(freedom * (power - 1.0) / w)


def normal(word):
    """The standard normal distribution, by the same point (Marsaglia)."""
    a, w = in_circle(word)
    return a * math.sqrt(-2.0 * maths.log(w) / w)


def in_circle(word):
    """A point of the unit circle, drawn until one is inside: how far to the side it is, and the square of its distance from the middle."""
    while True:
        word = word + hashing.STEP
        bits = hashing.mix(word)
        a, b = half(bits >> np.uint64(32)), half(bits & LOW_HALF)
        w = a * a + b * b
        if w <= 1.0:
            return a, w


def half(bits):
    """32 bits as a number between -1 and 1, never 0."""
    return (np.float64(bits) + 0.5) * 2.0**-31 - 1.0


# --- for people ---


def read(text, s):
    """What `show` prints, or some of the parameters of a root, such as `tree=17 t_root=0.3`."""
    given = dict(part.split("=", 1) for part in text.split() if "=" in part)
    if given and set(given) <= set(OF_ROOT) and len(given) == len(text.split()):
        root(given, s)
    else:
        fields.read(text, s)
    for name in KEPT:
        low, high = RANGES[name]
        if not low <= s[name] <= high:
            raise InputError(f"'{name}={s[name]:g}': must be from {low:g} to {high:g}")
    if not (1 <= s.moves_here <= s.m_max <= M_MAX and 0 <= s.ply <= DEPTH and abs(s.logit) <= 1e6):
        raise InputError(f"ply must be from 0 to {DEPTH}, moves_here from 1 to m_max, and m_max at most {M_MAX} in this game")


def root(given, s):
    """The root of a tree with these parameters, the others being the game's."""
    numbers = dict(OF_ROOT)
    for name, number in given.items():
        low, high = RANGES[name]
        try:
            numbers[name] = type(OF_ROOT[name])(number)
        except ValueError:
            numbers[name] = math.nan
        if not low <= numbers[name] <= high:
            raise InputError(f"'{name}={number}': must be a number from {low:g} to {high:g}")
    for name in KEPT:
        s[name] = numbers[name]
    with np.errstate(over="ignore"):  # hashes wrap on purpose
        plant(s, numbers["tree"], numbers["m_root"], numbers["t_root"])


def name(s, move):
    return str(move + 1)
