"""A page for every search: what its file says of itself, its formula, its lines, a tree that it drew itself, its options, and who described it first."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import shlex
import tempfile
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

import kibitz as kb
from kibitz.cli.main import app
from kibitz.core.errors import KibitzError
from kibitz.pictures.pseudocode import LISTINGS
from kibitz.searches.method import Method, method, module_of, names, opposite_interests
from kibitz.searches.proof.growth import DRAWN as PROOFS
from website.markup import table, words


class Card(NamedTuple):
    """What a search's own file does not say in few words."""

    title: str
    formula: str = ""
    reference: str = ""
    tree: tuple[str, str, str] | None = None  # game with its parameters, moves or position, and player, of the figure
    more: tuple[str, ...] = ()  # pages that tell more
    typed: tuple[str, ...] = ()  # commands that show it at work, where it leaves no tree to draw


AIMA = "trees"
DICE = "ballard(levels=+*-, branching=2, chances=3)"
CHANCE_BOUNDS = """\
value = sum over outcomes of p(i) v(i)
least = sum over those known of p(i) v(i) + LOW  * the rest of the probability
most  = sum over those known of p(i) v(i) + HIGH * the rest of the probability
cut where least >= beta or most <= alpha"""
BALLARD = "B. W. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21, 1983."
STAR = ("chance.md", "experiments/ballard.md", "experiments/star-ewn.md")
CARDS: dict[str, Card] = {
    "minimax": Card(
        "Minimax", "v(leaf) = its utility\nv(MAX's node) = max over moves of v(child)\nv(MIN's node) = min over moves of v(child)",
        "C. E. Shannon, Programming a computer for playing chess, Philosophical Magazine 41, 1950.", (AIMA, "", "minimax(deepening=false)"), ("searching.md",)),
    "alphabeta": Card(
        "Alpha-beta", "alpha: what MAX has already; beta: what MIN has already\ncut where alpha >= beta\nleaves of a uniform tree in the best order: b^ceil(d/2) + b^floor(d/2) - 1",
        "D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6, 1975; fail-soft: J. P. Fishburn, Another optimization of alpha-beta search, 1983.",
        (AIMA, "", "alphabeta(deepening=false)"), ("searching.md", "experiments/growth.md", "pictures.md")),
    "scout": Card(
        "SCOUT", "TEST(node, > v): is it worth more than v? A node of MAX: is any child? Of MIN: are all?",
        "J. Pearl, Asymptotic properties of minimax trees and game-searching procedures, Artificial Intelligence 14, 1980.", (AIMA, "", "scout(deepening=false)"),
        ("searching.md", "experiments/noe-kalah.md")),
    "negascout": Card(
        "NegaScout", "first move: window (alpha, beta)\nothers: null window (m, m + 1) at the best value m; where v > m, again in (v, beta)",
        "A. Reinefeld, An improvement to the Scout tree-search algorithm, ICCA Journal 6, 1983.", ("uniform(branching=3, depth=3, seed=4)", "", "negascout(deepening=false, form=minimax)"),
        ("searching.md", "experiments/reinefeld.md")),
    "mtdf": Card(
        "MTD(f)", "g = guess; lower = -inf; upper = +inf\nwhile lower < upper: ask whether v >= g in a null window; set upper or lower to what it says; g = that",
        "A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-first fixed-depth minimax algorithms, Artificial Intelligence 87, 1996.", (AIMA, "", "mtdf(deepening=false)"), ("searching.md",)),
    "selective": Card(
        "Selective search", "null move: skip a turn; v(less deep) >= beta: cut\nProbCut: deep = a shallow + b, error sigma; |a shallow + b - bound| > t sigma: cut\nlate quiet moves: less deep, and again in full where they look better",
        "Null move: C. Donninger, 1993. ProbCut: M. Buro, ProbCut, an effective selective extension of the alpha-beta algorithm, ICCA Journal 18, 1995. Singular extensions: T. Anantharaman, M. Campbell and F. Hsu, 1990.",
        ("breakthrough(rows=6, columns=5)", "", "selective(depth=3)"), ("searching.md", "evaluation.md", "horizon.md")),
    "realization": Card(
        "Realization probability", "cost of a move = -log p(move | position); a line is searched while its costs are within the budget",
        "Y. Tsuruoka, D. Yokoyama and T. Chikayama, Game-tree search algorithm based on realization probability, ICGA Journal 25, 2002.", ("breakthrough(rows=6, columns=5)", "", "realization(depth=2)"), ("searching.md",)),
    "solver": Card(
        "Solver", "lower <= v <= upper; ask v >= g? in a null window, to the end of the game, until lower = upper", "After J. Pearl's TEST, 1980, and MTD(f), 1996.", None, ("solving.md",), ("kibitz solve nim -p heaps=1,2,3",)),
    "expectiminimax": Card(
        "Expectiminimax", "v(chance) = sum over outcomes of p(i) v(i)", "D. Michie, Game-playing and game-learning automata, 1966.", (DICE, "", "expectiminimax(deepening=false)"), ("chance.md",)),
    "star0": Card("Star0", "v(chance) = sum of p(i) v(i); alpha-beta where players choose", BALLARD, (DICE, "", "star0(deepening=false)"), STAR),
    "star05": Card("Star0.5", CHANCE_BOUNDS, BALLARD, (DICE, "", "star05(deepening=false)"), STAR),
    "star1": Card("Star1", CHANCE_BOUNDS + "\nwindow of outcome i: where its value alone brings least to beta, or most to alpha", BALLARD, (DICE, "", "star1(deepening=false)"), STAR),
    "star2": Card("Star2", CHANCE_BOUNDS + "\nprobe: one child of outcome i bounds v(i) from one side before any is searched in full", BALLARD, (DICE, "", "star2(deepening=false)"), STAR),
    "star25": Card("Star2.5", CHANCE_BOUNDS + "\nprobe: h children of each outcome, in rounds or one outcome after the other", BALLARD, (DICE, "", "star25(deepening=false, probe=2)"), STAR),
    "montecarlo": Card(
        "Monte Carlo", "value of a move = mean result of random games after it", "B. Abramson, Expected-outcome: a general model of static evaluation, 1990; B. Brügmann, Monte Carlo Go, 1993.",
        ("tictactoe", "5 1", "montecarlo(playouts=24, seed=1)"), ("montecarlo.md", "experiments/pi.md")),
    "uct": Card(
        "UCT", "follow the move with the largest  U/N + C sqrt(ln N(parent) / N)", "L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; UCB1: P. Auer, N. Cesa-Bianchi and P. Fischer, 2002.",
        ("tictactoe", "5 1", "uct(playouts=24, seed=1)"), ("montecarlo.md", "experiments/uct-vs-alphabeta.md")),
    "puct": Card(
        "PUCT", "follow the largest  v + C sqrt(N) / (1 + n) p,  C = c0 + log((1 + N + c1) / c1)", "D. Silver and others, A general reinforcement learning algorithm that masters chess, shogi and Go, Science 362, 2018.",
        ("breakthrough(rows=5, columns=4)", "", "puct(playouts=24, seed=1)"), ("guided.md", "learning.md")),
    "esprit": Card(
        "ESPRIT", "z = n^alpha, Z the mean of z\nq ~ (1 + (v(best) - v) sqrt(Z) / sigma)^-gamma\nr ~ (lam p + z q) / (lam + z); follow the largest r / (n + 1)", "Jones 2021; see the page of the experiment.",
        ("breakthrough(rows=5, columns=4)", "", "esprit(playouts=24, seed=1)"), ("guided.md", "experiments/esprit.md")),
    "maxn": Card(
        "Max^n", "v(node) = the vector v(child) of the child that is greatest in the mover's own place\nSUM, LOW: who has v leaves each other at most SUM - v - (n - 2) LOW\nshallow: cut where that is no more than whoever moved here has already",
        "C. A. Luckhardt and K. B. Irani, An algorithmic solution of N-person games, AAAI 1986; R. E. Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991.",
        ("trees(tree=three)", "", "maxn(deepening=false)"), ("many-players.md",)),
    "paranoid": Card(
        "Paranoid search", "v(leaf) = the root player's utility\nv(his node) = max over moves of v(child)\nv(any other node) = min over moves of v(child)",
        "N. R. Sturtevant and R. E. Korf, On pruning techniques for multi-player games, AAAI 2000.", ("trees(tree=three)", "", "paranoid(deepening=false)"), ("many-players.md",)),
    "bestreply": Card(
        "Best-reply search", "v(root player's node) = max over moves of v(child)\nv(the others' node) = min over all moves of all others of v(child); after it they pass",
        "M. P. D. Schadd and M. H. M. Winands, Best reply search for multiplayer games, IEEE Transactions on Computational Intelligence and AI in Games 3, 2011.",
        ("mnk(players=3)", "b2 a1 c1 c3", "bestreply(depth=2, deepening=false)"), ("many-players.md",)),
    "sampling": Card(
        "Sampling the belief", "value of a move = mean over positions drawn from the belief of what follows it there", "M. L. Ginsberg, GIB: imperfect information in a computationally challenging game, 2001, and before him D. N. L. Levy, 1989.",
        None, ("hidden.md",), ('kibitz search blind_tictactoe --moves "5 1" --with "sampling(playouts=200)"',)),
    "andor": Card(
        "AND-OR search over beliefs", "sure(B, n): some move m with sure(B', n - 1) for every belief B' that may come of m and what is heard of it;\nwhere others move: sure(B', n) for every B' that may come of what is heard",
        "S. Russell and J. Wolfe, Efficient belief-state AND-OR search, with application to Kriegspiel, IJCAI 2005.", None, ("hidden.md", "kriegspiel.md"), ('kibitz sure blind_tictactoe --position "XX./OO./... 45 12"',)),
    "pimc": Card(
        "Perfect-information Monte Carlo", "value of a move = mean over positions s that are possible, or drawn by their probability, of the value of RESULT(s, a) with everything open",
        "D. N. L. Levy, The million pound bridge program, 1989; M. L. Ginsberg, GIB, 2001. What it gets wrong: I. Frank and D. Basin, Search in games with incomplete information, 1998.",
        None, ("imperfect.md", "hidden.md"), ("kibitz search trees -p tree=roads3 --moves 1 --with pimc",)),
    "ismcts": Card(
        "Information set MCTS", "draw a position; at the node of what the player knows follow the largest  U/N + C sqrt(ln N(available) / N)",
        "P. I. Cowling, E. J. Powley and D. Whitehouse, Information set Monte Carlo tree search, 2012.", None, ("imperfect.md", "hidden.md"),
        ('kibitz search kuhn_poker --moves "J Q" --with "ismcts(playouts=200)"',)),
    "cfr": Card(
        "Counterfactual regret minimisation", "regret(a) = sum over iterations of v(a) - v(the strategy)\nstrategy(a) ~ max(0, regret(a)); the mean of all strategies comes to an equilibrium",
        "M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, Regret minimization in games with incomplete information, 2007.", None, ("imperfect.md", "hidden.md"),
        ("kibitz equilibrium kuhn_poker --rounds 100",)),
    "pn": Card(
        "Proof-number search", "open leaf: p = d = 1; proven: p = 0, d = inf; disproven: p = inf, d = 0\nwhere the prover moves: p = min of the children's p, d = sum of their d\nwhere the other moves:   p = sum, d = min",
        "L. V. Allis, M. van der Meulen and H. J. van den Herik, Proof-number search, Artificial Intelligence 66, 1994.", ("mnk", "a1 b1 b2", "pn(goal=win)"), ("proofs.md",)),
    "dfpn": Card(
        "df-pn", "search child 1 (the least p, with the second least p2) until\n  its p >= min(limit of p, p2 + p2/4 + 1), or its d >= the limit of d less the other children's d", "A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002.",
        None, ("proofs.md",), ('kibitz prove mnk --moves "a1 b1 b2" --out lost.kbp', "kibitz tree lost.kbp")),
    "pn2": Card("PN²", "each leaf is given the numbers that a search of its own finds for it", "D. M. Breuker, Memory versus search in games, 1998.", ("mnk", "a1 b1 b2", "pn2(goal=win)"), ("proofs.md",)),
}  # fmt: skip
DFPN = Method(
    "dfpn", "proof-number search in memory that never grows: what kibitz prove uses", (), opposite_interests, lambda *_: iter(()), ()
)
INSIDE = {
    "pn": "kibitz.searches.proof.pn",
    "pn2": "kibitz.searches.proof.pn",
    "dfpn": "kibitz.searches.proof.dfpn",
}  # where the words about a search stand that has no METHOD


def write_all(folder: Path) -> list[str]:
    """The pages; their names."""
    (folder / "algorithms").mkdir(exist_ok=True)
    known = {**{name: method(name) for name in names()}, **PROOFS, "dfpn": DFPN}
    rows = []
    for name, m in known.items():
        (folder / "algorithms" / f"{name}.md").write_text(page(m, folder), encoding="utf-8")
        rows.append((f"[{title(m)}]({name}.md)", f"`{name}`", m.about))
    head = "# Algorithms\n\n    kibitz searches\n\nWhich one for which game: [choosing a search](../choosing.md). The pictures are drawn from what the searches wrote down while they ran.\n\n"
    (folder / "algorithms" / "index.md").write_text(head + table(("algorithm", "name", "what it is"), rows), encoding="utf-8")
    return ["algorithms/index.md", *(f"algorithms/{name}.md" for name in known)]


def title(m: Method) -> str:
    return CARDS[m.name].title if m.name in CARDS else m.name


def page(m: Method, folder: Path) -> str:
    """Of one search."""
    card = CARDS.get(m.name, Card(m.name))
    parts = [f"# {card.title}", f"*{m.about[0].upper()}{m.about[1:]}.*"]
    module = importlib.import_module(INSIDE.get(m.name) or module_of(m.name))
    parts.append(words(inspect.cleandoc(module.__doc__ or "")))
    if card.formula:
        parts += ["## Formula", "```text\n" + card.formula + "\n```"]
    if m.name in LISTINGS:
        parts += ["## In a few lines", "```text\n" + "\n".join(line.text for line in LISTINGS[m.name]) + "\n```"]
    if card.tree is not None:
        parts += ["## A search, as it ran", *figure(*card.tree)]
    if card.typed:
        parts += ["## A search, as it ran", *said(card.typed)]
    options = [(f"`{p.name}`", f"`{p.default}`" if p.default != "" else "", p.range, p.about) for p in (*m.limits, *m.options)]
    if options:
        parts += ["## Options", table(("option", "usual", "may be", "what it is"), options)]
    if card.reference:
        parts += ["## From", card.reference]
    if more := [name for name in card.more if (folder / name).is_file()]:
        parts += ["## More", ", ".join(f"[{name.removesuffix('.md').rpartition('/')[2].replace('-', ' ')}](../{name})" for name in more)]
    return "\n\n".join(parts) + "\n"


def said(commands: tuple[str, ...]) -> list[str]:
    """What these commands print."""
    shown = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for command in commands:
            result = CliRunner(env={"COLUMNS": "100"}).invoke(app, shlex.split(command)[1:])
            if result.exit_code:
                raise RuntimeError(f"{command}: {result.output}")
            shown += ["    " + command, "```text\n" + result.stdout.strip("\n") + "\n```"]
    return shown


def figure(game: str, moves: str, player: str) -> list[str]:
    """The tree, drawn by the search itself, and the command that draws it."""
    name, _, given = game.removesuffix(")").partition("(")
    parameters = dict(part.split("=") for part in given.split(", ") if part)
    try:
        svg = kb.tree(kb.load(name, **parameters).position(moves), player).svg()
    except KibitzError as error:
        raise RuntimeError(f"the figure of {player} on {game}: {error}") from error
    typed = "".join(f" -p {key}={value}" for key, value in parameters.items()) + (f' --moves "{moves}"' if moves else "")
    return [f'    kibitz tree {name}{typed} --with "{player}" --svg tree.svg', f'<figure class="tree">{svg}</figure>']
