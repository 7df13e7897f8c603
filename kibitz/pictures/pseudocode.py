"""The algorithms in a few lines each, as textbooks print them: shown beside a tree while a search walks through it, and on their pages of the documentation.

A line names the steps of a trace that are its work (`kibitz/searches/trace.py`): `enter` and `again` where a node is entered, the ending where its value goes
back. The line of a step is looked up here: the searches themselves are written differently, see kibitz/searches.
"""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """One line, and the steps of a trace that it stands for."""

    text: str
    steps: tuple[str, ...] = ()


LEAF = ("over", "horizon")


def _lines(*rows: str | tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(Line(row) if isinstance(row, str) else Line(row[0], row[1:]) for row in rows)


_MINIMAX = _lines(
    "minimax(node, depth):",
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF),
    ("    for each move:", "enter"),
    "        best = the better of best and minimax(child, depth - 1)    MAX: greater, MIN: less",
    ("    return best", "searched"),
)
_ALPHABETA = _lines(
    "alphabeta(node, depth, alpha, beta):",
    ("    if the table knows enough: return it", "table", "out of reach"),
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF, "repeated"),
    ("    for each move, the likeliest best first:", "enter"),
    "        value = alphabeta(child, depth - 1, the window that is left)",
    "        MAX: best = max(best, value), alpha = max(alpha, best)    MIN: the mirror image",
    ("        if alpha >= beta: cut, return best", "cut"),
    ("    return best", "searched"),
)
_NEGASCOUT = _lines(
    "negascout(node, depth, alpha, beta):",
    ("    if the table knows enough: return it", "table", "out of reach"),
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF, "repeated"),
    ("    for each move, the likeliest best first:", "enter"),
    "        the first: value = negascout(child, depth - 1, alpha, beta)",
    "        the others: is it better than best? ask with a null window",
    ("        it is: search it again for its value", "again"),
    ("        if best >= beta: cut, return best", "cut"),
    ("    return best", "searched"),
)
_SCOUT = _lines(
    "scout(node, depth):",
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF),
    ("    value of the first move = scout(child, depth - 1)", "enter"),
    "    for each other move:",
    "        TEST: is it better than best?",
    ("        it is: value = scout(child, depth - 1)", "again"),
    ("        it cannot be: leave it", "cut"),
    ("    return best", "searched"),
)
_MTDF = _lines(
    "mtdf(root, depth): guess = the value of the depth before",
    "    lower = -infinity, upper = infinity",
    ("    while lower < upper:", "again"),
    "        value = alphabeta(root, depth, a null window at the guess)",
    "        below it: upper = value; else lower = value; guess = value",
    ("    inside: a leaf", *LEAF, "repeated"),
    ("    inside: the table knows enough", "table", "out of reach"),
    ("    inside: the next move", "enter"),
    ("    inside: the question is answered", "cut", "searched"),
)
_EXPECTED = _lines(
    "expectiminimax(node, depth):",
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF),
    ("    a player's node: the best of all moves", "enter"),
    "    a chance node: the sum of probability times value over all outcomes",
    ("    return it", "searched", "table"),
)
_STAR = _lines(
    "star(node, depth, alpha, beta):",
    ("    if the table knows enough: return it", "table", "out of reach"),
    ("    if the game is over or depth = 0: return the leaf's value", *LEAF),
    ("    a player's node: as alpha-beta", "enter"),
    "    a chance node: every outcome not looked at is worth from LOW to HIGH, so that",
    "        least <= value <= most; each outcome's window follows from what the others can still bring",
    ("        star2: probe one child of each outcome first, which raises least or lowers most", "probed"),
    ("        least >= beta or most <= alpha: cut, the other outcomes do not matter", "cut"),
    ("    return the value, or the bound", "searched"),
)
_UCT = _lines(
    "repeat:",
    ("    select: from the root, the child with the greatest mean + C sqrt(ln N / n)", "1"),
    ("    expand: a child that is not in the tree yet comes into it", "2"),
    ("    simulate: a random game from there to its end", "3"),
    ("    back up: wins and visits of all nodes on the path", "4"),
)
_GUIDED = _lines(
    "repeat:",
    ("    select: from the root, the child that value and policy promise most of", "1"),
    ("    expand: a leaf comes into the tree, with its policy", "2"),
    ("    evaluate: what the leaf is worth", "3"),
    ("    back up: the value to all nodes on the path", "4"),
)
_PROOF = _lines(
    "pn(root): proof and disproof number of a leaf are 1, 1; of a proven one 0, infinity",
    "    until the root is settled:",
    "        from the root: where the prover moves, to the child with the least proof number;",
    "                       where the other moves, to the child with the least disproof number",
    ("        expand the leaf that is reached", "expand"),
    "        up to the root: prover: p = least of the children's p, d = the sum of their d; other: the reverse",
)

_MAXN = _lines(
    "maxn(node, depth): a value for each player",
    ("    if the table knows the values: return them", "table"),
    ("    if the game is over or depth = 0: return everybody's value of the leaf", *LEAF, "repeated"),
    ("    for each move:", "enter"),
    "        best = the better of best and maxn(child, depth - 1) for the mover; of equals, by the rule of ties",
    ("        the mover has all there is, or so much that whoever moved here has better: cut", "cut"),
    "    a chance node: the mean of all outcomes, for each player",
    ("    return best", "searched"),
)
_AGAINST = (
    Line("paranoid(node, depth, alpha, beta): MAX is who moves at the root, MIN all others"),
    *(Line(line.text.replace("alphabeta", "paranoid"), line.steps) for line in _ALPHABETA[1:]),
)
_REPLY = (
    Line("bestreply(node, depth, alpha, beta): MAX is who moves at the root; of all others one replies"),
    *(Line(line.text.replace("alphabeta", "bestreply"), line.steps) for line in _ALPHABETA[1:-1]),
    Line("    MIN: the same for whoever is next, in whose place this one passes"),
    _ALPHABETA[-1],
)
_SOLVER = _lines(
    "solve(root): lower, upper = the range of values",
    "    while lower < upper:",
    "        goal = a value between them",
    "        is the root worth goal or more? alphabeta to the end of the game, in a null window",
    "        yes: lower = goal    no: upper = the value below goal",
    "    return lower",
)
_DFPN = _lines(
    "dfpn(node, limit of p, limit of d):",
    "    repeat:",
    "        p, d = the numbers of the node, from its children's, which the table remembers",
    "        if p >= limit of p or d >= limit of d: return",
    "        child = the one with the least p (where the other moves: d); second = the least of the rest",
    "        dfpn(child, a little above second, what the others leave of the limit for the sum)",
)
_SAMPLING = _lines(
    "sampling(view):",
    "    repeat: position = one drawn from the belief",
    "        for each move: sum[move] += a random game, or the evaluation after the best reply",
    "    return the move with the best mean",
)
_PIMC = _lines(
    "pimc(view):",
    "    for each position of the belief, or of a sample, by its probability:",
    "        for each move: sum[move] += probability * search(child, everything open)",
    "    return the move with the greatest sum",
)
_ISMCTS = _lines(
    "repeat:",
    "    draw: a position from the belief",
    "    select: from the root, of the moves that are legal in it, U/N + C sqrt(ln N(available) / N)",
    "            a node is what the player to move knows, not the position",
    "    expand: what is known after the move comes into the tree",
    "    simulate: a random game from there to its end",
    "    back up: wins and visits of all nodes on the path, and that their brothers were available",
)
_ANDOR = _lines(
    "sure(belief, n): can I reach the goal within n own moves, whichever position is the true one?",
    "    if the goal is reached in all of them: yes",
    "    for each own move:    some of them is enough (OR)",
    "        for each thing that may be heard after it and the others' replies:    all of them must do (AND)",
    "            sure(the positions in which that is heard, n - 1)",
)
_CFR = _lines(
    "repeat:",
    "    for each thing that a player may know: strategy(a) = max(0, regret(a)), made to sum to 1",
    "    walk the whole game with these strategies: v(a), the value of each move where it is made",
    "    regret(a) += chance that the others and the dice let him come there * (v(a) - v(the strategy))",
    "    mean(a) += chance that he comes there * strategy(a)",
    "return the mean of all strategies",
)

LISTINGS: dict[str, tuple[Line, ...]] = {
    "minimax": _MINIMAX, "alphabeta": _ALPHABETA, "selective": _NEGASCOUT, "realization": _ALPHABETA, "negascout": _NEGASCOUT, "scout": _SCOUT,
    "mtdf": _MTDF, "expectiminimax": _EXPECTED, "star0": _STAR, "star05": _STAR, "star1": _STAR, "star2": _STAR, "star25": _STAR, "uct": _UCT,
    "montecarlo": _UCT, "maxn": _MAXN, "paranoid": _AGAINST, "bestreply": _REPLY, "puct": _GUIDED, "esprit": _GUIDED, "pn": _PROOF, "pn2": _PROOF,
    "solver": _SOLVER, "dfpn": _DFPN, "sampling": _SAMPLING, "pimc": _PIMC, "ismcts": _ISMCTS, "andor": _ANDOR, "cfr": _CFR,
}  # fmt: skip


def listing_of(search: str) -> list[dict[str, object]]:
    """The lines of a search for a page; none where there is no listing."""
    return [{"text": line.text, "steps": list(line.steps)} for line in LISTINGS.get(search, ())]
