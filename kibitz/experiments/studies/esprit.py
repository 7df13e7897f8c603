"""ESPRIT against PUCT on simulated game trees (Jones 2021): how much worse than the best move is the one they choose, after N playouts?

Trees are those of the game `simulated`; each has parameters drawn from the paper's lists, and both searches see the same tree. Each looks at one tree
that grows, after 1, 2, 4, ... playouts: the move of most visits, among equals that of higher value, is its choice. The regret of a choice is
how much better the opponent stands after it, in truth, than after the best move.

    A   10 to 50 moves, as chess with a small network     PUCT with c0 = 2.5
    B   about 200 moves, as go with a better one          6.4
    C   two moves, otherwise as B                         0.4

`samples` roots of 30 moves are drawn besides, for the accuracy of the evaluations and policies themselves (the paper's figure 2).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.core.device.machine import DEVICES, machine_for
from kibitz.core.errors import KibitzError
from kibitz.core.measuring.intervals import Estimate, mean, ratio, share, slope, standard_error
from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, blocks
from kibitz.searches.mcts import esprit, puct
from kibitz.searches.mcts.fleet.trees import SHARE, Trees, fitting, past_of, prototype, roots_of, tree_bytes
from kibitz.searches.mcts.guided_search import GuidedSearch
from kibitz.searches.method import method

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ESPRIT, PUCT = "ESPRIT", "PUCT"
ALL_ROOTS, FREEDOMS = (0.1, 0.3, 0.5, 0.7, 0.9), (2.0, 3.0, 4.0)
TESTS: dict[str, dict[str, tuple[float, ...]]] = {  # the paper's table 2
    "A": {
        "m_root": (10, 30, 50), "m_mean": (10, 30, 50), "m_sd": (5.0,), "m_max": (100,),
        "t_root": ALL_ROOTS, "t_scale": (0.1, 0.2, 0.3, 0.4),
        "e_df": FREEDOMS, "e_par": (-1.0, 0.0, 1.0, 5.0), "e_ch": (0.2, 0.3, 0.4, 0.5),
        "p_df": FREEDOMS, "p_ch": (0.1, 0.2, 0.3), "p_eval": (0.1, 0.2, 0.3), "p_sm": (10.0,),
    },
    "B": {
        "m_root": (200,), "m_mean": (200,), "m_sd": (5.0,), "m_max": (300,),
        "t_root": ALL_ROOTS, "t_scale": (0.1, 0.2, 0.3),
        "e_df": FREEDOMS, "e_par": (-1.0, 0.0, 1.0, 5.0), "e_ch": (0.2, 0.3),
        "p_df": FREEDOMS, "p_ch": (0.1, 0.2), "p_eval": (0.1,), "p_sm": (10.0,),
    },
}  # fmt: skip
TESTS["C"] = {**TESTS["B"], "m_root": (2,), "m_mean": (2,), "m_sd": (0.0,), "m_max": (2,)}
C0 = {"A": 2.5, "B": 6.4, "C": 0.4}
AT_ONCE = 1 << 18  # playouts of each search in a shard, unless one tree takes more
SECONDS = {"A": 6e-6, "B": 2e-5, "C": 4e-6}  # for a playout, about
MANY = 4096  # trees in a shard, where they grow at once
LEAST_PART = 0.25  # of the most memory that a tree can need; few need more than a third. Those that do are grown again
SAMPLED, SAMPLE_MOVES = 250, 30  # roots in a shard; their moves

# The paper's numbers: per cent of right moves at 1 and 2^20 playouts; mean regret, times 1000, at 2^16 in test A, by parameter.
RIGHT = {"A": (21, 76, 69), "B": (8, 50, 41), "C": (68, 95.7, 92.5)}  # at the first; at the last by ESPRIT, by PUCT
TABLE_3: dict[tuple[str, float], tuple[float, float]] = {
    ("m_mean", 10): (1.66, 2.34), ("m_mean", 30): (1.89, 3.22), ("m_mean", 50): (2.0, 3.9),
    ("t_root", 0.1): (1.36, 2.39), ("t_root", 0.5): (2.37, 3.61), ("t_root", 0.9): (1.29, 2.81),
    ("t_scale", 0.1): (1.76, 2.78), ("t_scale", 0.2): (1.89, 3.23), ("t_scale", 0.3): (1.93, 3.49), ("t_scale", 0.4): (1.83, 3.15),
    ("e_df", 2): (2.36, 3.72), ("e_df", 3): (1.69, 2.9), ("e_df", 4): (1.5, 2.86),
    ("e_par", -1): (1.57, 3.2), ("e_par", 0): (1.4, 2.89), ("e_par", 1): (2.24, 3.47), ("e_par", 5): (2.2, 3.09),
    ("e_ch", 0.2): (1.31, 2.69), ("e_ch", 0.3): (1.65, 3.06), ("e_ch", 0.4): (2.07, 3.15), ("e_ch", 0.5): (2.4, 3.75),
    ("p_df", 2): (2.11, 4.65), ("p_df", 3): (1.76, 2.61), ("p_df", 4): (1.68, 2.21),
    ("p_eval", 0.1): (1.63, 2.08), ("p_eval", 0.2): (1.88, 2.96), ("p_eval", 0.3): (2.05, 4.47),
    ("p_ch", 0.1): (1.69, 3.09), ("p_ch", 0.2): (1.89, 3.22), ("p_ch", 0.3): (1.97, 3.17),
}  # fmt: skip
OVERALL = (1.85, 3.16)
TABLE_3_PLAYOUTS = 1 << 16


def shards(settings: Settings) -> list[Shard]:
    """Some trees at a time, and some sampled roots."""
    test, playouts = settings["test"], settings["playouts"]
    if settings["device"] != "cpu":
        return together(settings)
    size = max(1, min(64, AT_ONCE // playouts))
    found = [
        Shard({"test": test, "playouts": playouts, "c0": settings["c0"] or C0[test], "first": first, "count": count},
              count * (0.02 + 2 * playouts * SECONDS[test]))
        for first, count in blocks(settings["trees"], size)
    ]  # fmt: skip
    return found + [
        Shard({"test": test, "samples": count, "first": first}, 0.004 * count) for first, count in blocks(settings["samples"], SAMPLED)
    ]


def together(settings: Settings) -> list[Shard]:
    """Thousands of trees at a time, those of about one size together: they take as much memory each."""
    test, playouts, found = settings["test"], settings["playouts"], []
    for width in TESTS[test]["m_mean"]:
        some = [number for number in range(settings["trees"]) if parameters_of(test, number)["m_mean"] == width]
        for at in range(0, len(some), MANY):
            inputs = {"test": test, "playouts": playouts, "c0": settings["c0"] or C0[test], "device": settings["device"]}
            part = some[at : at + MANY]
            found.append(Shard({**inputs, "numbers": part, "count": len(part)}, len(part) * 2 * playouts * SECONDS[test] / 100))
    return found + [
        Shard({"test": test, "samples": count, "first": first}, 0.004 * count) for first, count in blocks(settings["samples"], SAMPLED)
    ]


def numbers_of(inputs: Inputs) -> Sequence[int]:
    """Of the trees, or the roots, of a shard."""
    if "numbers" in inputs:
        return list(inputs["numbers"])
    return range(inputs["first"], inputs["first"] + inputs.get("count", inputs.get("samples", 0)))


def run(inputs: Inputs) -> dict[str, Any]:
    """The regrets of both searches, tree by tree, at 1, 2, 4, ... playouts; or the ranks of the best move."""
    numbers = numbers_of(inputs)
    if "samples" in inputs:
        return ranks([sampled_root(inputs["test"], number) for number in numbers])
    if "device" in inputs:
        return run_together(inputs, [plant_tree(inputs["test"], number) for number in numbers])
    found: dict[str, Any] = {ESPRIT: [], PUCT: []}
    for number in numbers:
        tree = plant_tree(inputs["test"], number)
        true = truths(tree)
        for name in (ESPRIT, PUCT):
            search = make_search(tree, name, inputs["playouts"], {"c0": inputs["c0"]} if name == PUCT else {})
            found[name].append([true[choice] - min(true.values()) for choice in choices(search, inputs["playouts"])])
    return found


def run_together(inputs: Inputs, planted: list[Position]) -> dict[str, Any]:
    """The same, a thread for each tree."""
    with ThreadPoolExecutor(1) as meanwhile:
        true = meanwhile.submit(lambda: [truths(tree) for tree in planted])
        chosen = {name: choices_together(planted, name, inputs) for name in (ESPRIT, PUCT)}
    return {
        name: [[of[choice] - min(of.values()) for choice in row] for of, row in zip(true.result(), rows, strict=True)]
        for name, rows in chosen.items()
    }


def choices_together(planted: list[Position], name: str, inputs: Inputs) -> list[list[int]]:
    """For each tree the moves chosen after 1, 2, 4, ... playouts."""
    playouts, machine, past = inputs["playouts"], machine_for(inputs["device"]), past_of(planted[:1])
    settings = make_search(planted[0], name, playouts, {"c0": inputs["c0"]} if name == PUCT else {}).settings
    search = prototype(planted[0], name.lower(), settings, past)
    most = min(tree_bytes(search, playouts), int(settings["memory"] * 2**20) // 64 * 64)
    beside = sum(kind.itemsize for kind in Trees(machine, search, 0, most).kinds.values())
    share = int(machine.free() * SHARE[machine.device]) // len(planted) - beside
    found: dict[int, list[int]] = {}
    for each in (min(most, max(share, int(LEAST_PART * most))) // 64 * 64, most):
        left = [i for i in range(len(planted)) if i not in found]
        if left:
            trees = Trees(machine, search, fitting(machine, len(left), each, beside), each)
            for first in range(0, len(left), trees.count):
                part = left[first : first + trees.count]
                chosen, is_full = grow_together(trees, roots_of([planted[i] for i in part], past), playouts)
                found |= {i: row for i, row, full in zip(part, chosen, is_full, strict=True) if not full}
            trees.release()
    if len(found) < len(planted):
        raise KibitzError("a tree has no room for the playouts: a fault of kibitz")
    return [found[i] for i in range(len(planted))]


def grow_together(trees: Trees, roots: Any, playouts: int) -> tuple[list[list[int]], list[bool]]:
    """The moves chosen after 1, 2, 4, ... playouts, for each of these roots; and whether its tree had too little room."""
    columns = []
    trees.plant(roots, 0, 0, playouts)
    for step in steps(playouts):
        if not trees.grow(step):
            raise KeyboardInterrupt
        said = trees.summaries()
        columns.append(said["best"])
    if said["fault"].any():
        raise KibitzError("a policy or an evaluation that is none: a fault of kibitz")
    return np.array(columns).T.tolist(), [bool(full) for full in said["is_full"]]


def parameters_of(test: str, number: int) -> dict[str, float]:
    """What is drawn for a tree."""
    lots = random.Random(f"{test} {number}")
    return {name: lots.choice(values) for name, values in TESTS[test].items()}


def plant_tree(test: str, number: int, **others: float) -> Position:
    """The root of a tree."""
    of = {**parameters_of(test, number), **others}
    return from_board(load("simulated", m_max=of["m_max"]), f"tree={number} " + " ".join(f"{name}={value}" for name, value in of.items()))


def truths(tree: Position) -> dict[int, float]:
    """The true value of each move to the opponent: what the choice is scored by, and no search sees."""
    return {int(move): 1.0 / (1.0 + math.exp(-tree.play(move).state.logit)) for move in tree.moves}


def make_search(tree: Position, name: str, playouts: int, options: dict[str, Any]) -> GuidedSearch:
    """A search of the tree with room for `playouts` playouts; proofs would find nothing."""
    width = float(tree.state.m_mean)
    megabytes = 16 + playouts * (80 + 24 * (width + 15)) / 2**20
    chosen = method(name.lower()).settings({"solve": False, "memory": megabytes, **options})
    make_search = puct.make_search if name.lower() == "puct" else esprit.make_search
    return make_search(tree, chosen, name.lower())


def choices(search: GuidedSearch, playouts: int) -> list[int]:
    """The moves chosen after 1, 2, 4, ... playouts."""
    found = []
    for step in steps(playouts):
        search.grow(step)
        found.append(search.chosen())
    if search.tree.trunk.is_full:
        raise KibitzError("the tree has no room for the playouts: a fault of kibitz")
    return found


def steps(playouts: int) -> list[int]:
    return [1 << k for k in range(playouts.bit_length())]


# --- the accuracy of evaluations and policies ---


def sampled_root(test: str, number: int) -> Position:
    """A root of SAMPLE_MOVES moves."""
    return plant_tree(test, number, m_root=SAMPLE_MOVES, m_mean=SAMPLE_MOVES, m_sd=0.0, m_max=100)


def ranks(roots: list[Position]) -> dict[str, Any]:
    """Where the best move stands by its evaluation and by its policy, 1 being the top; and how far the policies' ends are apart."""
    by_evaluation, by_policy, spans = [], [], []
    for root in roots:
        true = truths(root)
        best = min(true, key=lambda move: true[move])
        evaluate, policy = root.game.rule("evaluate"), root.game.rule("policy")
        values = {m: float(evaluate(root.play(m).state, root.player)) for m in true}
        weights = [0.0] * len(true)
        policy(root.state, list(true), len(true), weights)
        likely = {move: float(weight) for move, weight in zip(true, weights, strict=True)}
        by_evaluation.append(1 + sum(v > values[best] for v in values.values()))
        by_policy.append(1 + sum(p > likely[best] for p in likely.values()))
        spans.append(math.log(max(weights) / min(weights)))
    return {"evaluation": by_evaluation, "policy": by_policy, "span": spans}


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each number of playouts, then one for each value of each parameter at the last of them."""
    trees = [(number, f.result, i) for f in results if "count" in f.inputs for i, number in enumerate(numbers_of(f.inputs))]
    if not trees:
        return Summary([], tuple(accuracy(results)))
    sizes = steps(settings["playouts"])
    rows = [row(settings, "all", trees, k, paper(settings["test"], sizes[k])) for k in range(len(sizes))]
    for name, values in TESTS[settings["test"]].items():
        for value in values if len(values) > 1 else ():
            some = [t for t in trees if parameters_of(settings["test"], t[0])[name] == value]
            printed = TABLE_3.get((name, value)) if is_table_3(settings, sizes[-1]) else None
            if some:
                rows.append(row(settings, f"{name} {value:g}", some, len(sizes) - 1, (printed, None)))
    return Summary(rows, (*notes(settings, trees), *accuracy(results)))


Grown = list[tuple[int, Any, int]]
Printed = tuple[tuple[float, float] | None, tuple[float, float] | None]


def is_table_3(settings: Settings, playouts: int) -> bool:
    return settings["test"] == "A" and playouts == TABLE_3_PLAYOUTS and settings["c0"] in (0.0, C0["A"])


def paper(test: str, playouts: int) -> Printed:
    """Mean regrets and per cents of right moves as printed, where they are."""
    first, esprit, puct = RIGHT[test]
    right = (first, first) if playouts == 1 else (esprit, puct) if playouts == 1 << 20 else None
    return (OVERALL if (test, playouts) == ("A", TABLE_3_PLAYOUTS) else None), right


def row(settings: Settings, label: str, trees: Grown, k: int, printed: Printed) -> Row:
    ours = {name: regrets(trees, name, k) for name in (ESPRIT, PUCT)}
    made: Row = {"trees": label, "number": len(trees), "playouts": steps(settings["playouts"])[k]}
    for name in ours:
        made[f"{name} regret"] = mean(ours[name]).scaled(1000.0)
    made["PUCT / ESPRIT"] = ratio(ours[PUCT], ours[ESPRIT]) if sum(ours[ESPRIT]) > 0.0 else None
    made["paper's regrets"] = "{:g}, {:g}".format(*printed[0]) if printed[0] else None
    for name in ours:
        made[f"{name} right %"] = share(ours[name].count(0.0), len(trees)).scaled(100.0)
    made["paper's right"] = "{:g}, {:g}".format(*printed[1]) if printed[1] else None
    return made


def regrets(trees: Grown, name: str, k: int) -> list[float]:
    return [result[name][i][k] for _, result, i in trees]


def notes(settings: Settings, trees: Grown) -> list[str]:
    """What the paper says, and whether it is so here."""
    test, last = settings["test"], len(steps(settings["playouts"])) - 1
    said = ["regrets are times 1000"]
    if is_table_3(settings, 1 << last):
        for name, printed in zip((ESPRIT, PUCT), OVERALL, strict=True):
            found = mean(regrets(trees, name, last)).scaled(1000.0)
            error = 1000.0 * standard_error(regrets(trees, name, last))
            off = (found.value - printed) / error
            said.append(f"{name}: mean regret {found.value:.2f}, standard error {error:.2f}; paper {printed:g}: {off:+.1f} of them away")
    differences = [p - e for p, e in zip(regrets(trees, PUCT, last), regrets(trees, ESPRIT, last), strict=True)]
    error = 1000.0 * standard_error(differences)
    said.append(
        f"test {test} at {1 << last} playouts: PUCT's regret less ESPRIT's is {1000 * sum(differences) / len(differences):+.2f}, standard error {error:.2f}"
    )
    if last >= 18:
        for name in (ESPRIT, PUCT):
            ys = [math.log(max(sum(regrets(trees, name, k)), 1e-9)) for k in range(10, 19)]
            power = slope([k * math.log(2.0) for k in range(10, 19)], ys)
            said.append(f"{name}: from 2^10 to 2^18 playouts regret falls like playouts^{power:.2f} (paper, test A: -0.33)")
    return said


def sampled_ranks(results: list[Finished], what: str) -> list[float]:
    return [rank for f in results if "samples" in f.inputs for rank in f.result[what]]


def accuracy(results: list[Finished]) -> list[str]:
    """How often the best move is the first by evaluation and by policy; whether the softmax is as sharp as it ought to be."""
    by_evaluation, by_policy = sampled_ranks(results, "evaluation"), sampled_ranks(results, "policy")
    if not by_policy:
        return []
    first, last = by_policy.count(1), max(1, by_policy.count(SAMPLE_MOVES))
    span = math.exp(sum(sampled_ranks(results, "span")) / len(by_policy))
    return [
        f"{len(by_policy)} roots of {SAMPLE_MOVES} moves: the best move has the best evaluation in {100 * by_evaluation.count(1) / len(by_policy):.1f} %, "
        f"the highest policy in {100 * first / len(by_policy):.1f} %; its mean ranks are {sum(by_evaluation) / len(by_policy):.1f} and "
        f"{sum(by_policy) / len(by_policy):.1f}",
        f"the highest policy is right {first / last:.0f} times as often as the lowest, and {span:.0f} times as high on geometric average",
    ]


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """Mean regret by playouts, both on a logarithmic scale, with two standard errors; below, the ranks of the best move, where they were sampled."""
    from kibitz.experiments.plots import line_with_errors

    by_evaluation, by_policy = sampled_ranks(results, "evaluation"), sampled_ranks(results, "policy")
    figure.set_size_inches(8.0, 7.5 if by_policy else 4.5)
    parts: Any = figure.subfigures(2, 1, height_ratios=(3, 2)) if by_policy else [figure]
    axes = parts[0].subplots()
    rows = [r for r in summarise(settings, results).rows if r["trees"] == "all"]
    xs: list[Any] = [r["playouts"] for r in rows]
    for name, style in ((ESPRIT, "-"), (PUCT, "--")):
        line_with_errors(axes, xs, [r[f"{name} regret"] for r in rows], name, linestyle=style, color="black", marker="D")
    top = rows[-1][f"{ESPRIT} regret"] if rows else None
    if isinstance(top, Estimate) and len(xs) > 10 and top.value > 0.0:
        guide = [x for x in xs if x >= 1 << 10]
        axes.plot(guide, [1.4 * top.value * (x / guide[-1]) ** (-1 / 3) for x in guide], color="grey", label="playouts$^{-1/3}$")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("playouts")
    axes.set_ylabel("mean regret, times 1000")
    axes.set_title(f"test {settings['test']}, {rows[0]['number'] if rows else 0} trees")
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False)
    if by_policy:
        bins = [k + 0.5 for k in range(SAMPLE_MOVES + 1)]
        for histogram, ranked, what in zip(
            parts[1].subplots(1, 2, sharey=True), (by_evaluation, by_policy), ("evaluation", "policy"), strict=True
        ):
            histogram.hist(ranked, bins=bins, color="grey", edgecolor="black", linewidth=0.4, weights=[1.0 / len(ranked)] * len(ranked))
            histogram.set_xlabel(f"rank of the best move by its {what}")
            histogram.set_ylabel("share")


ABOUT = "ESPRIT against PUCT on simulated game trees"
CLAIM = "mean regret x1000 after 2^16 playouts is 1.85 for ESPRIT and 3.16 for PUCT in test A; PUCT has about twice the regret (Jones 2021)"
PARAMETERS = (
    Parameter("test", "A", None, None, tuple(TESTS), "of the paper"),
    Parameter("c0", 0.0, 0.0, 1e6, None, "PUCT's; 0: the paper's for the test"),
    Parameter("trees", 200, 2, 10**6, None, "how many; the paper has 10000 in test A, 4000 in B and C"),
    Parameter("playouts", 1 << 16, 1, 1 << 20, None, "at most; results are at powers of two"),
    Parameter("device", "cpu", None, None, DEVICES, "cuda: all trees at once on an NVIDIA GPU"),
    Parameter("samples", 2000, 0, 10**6, None, "roots of 30 moves whose evaluations and policies are ranked"),
)

EXPERIMENT = Experiment(ABOUT, CLAIM, PARAMETERS, shards, run, summarise, plot, games=("simulated",), searches=("esprit", "puct"), pace=1.0)
