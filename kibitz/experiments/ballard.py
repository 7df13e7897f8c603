"""How many leaves of artificial trees do the Star searches skip (Ballard 1983)? Star0.5, Star1, Star2 and Star2.5, in both orders of probing, with h probes.

Trees are those of the game `ballard`, of every kind and size asked for. All searches see the same trees, take moves and outcomes in the order in which the
tree lists them, and have no table; they must agree on every value. What is skipped is counted against all leaves of the tree.

    independent      leaves are drawn one by one; good moves are anywhere
    bell             the same, with most leaves near the middle
    sorted-leaves    independent leaves, but a choice just above them lists the best first
    handed-5         values are handed down from the root: one move of a choice keeps the value of its node and the others are worse, so that moves of one
                     node have much in common. It is the first one 5 times in 100, as if it stood anywhere among 20
    handed-20 ...    20 times in 100; 50 times; always (the best order)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import searched
from kibitz.experiments.statistics import Estimate, mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BARE = "order=false, killers=off, history=off, deepening=false, table=0, merge=false"
STAR0, STAR05, STAR1 = "Star0", "Star0.5", "Star1"
CYCLIC, SEQUENTIAL = "Star2.5 cyclic", "Star2.5 sequential"
KINDS: dict[str, dict[str, Any]] = {
    "independent": {"order": "random"},
    "bell": {"order": "random", "draws": "bell"},
    "sorted-leaves": {"order": "leaves"},
    "handed-5": {"order": "best", "first": 0.05},
    "handed-20": {"order": "best", "first": 0.2},
    "handed-50": {"order": "best", "first": 0.5},
    "handed-100": {"order": "best", "first": 1.0},
}
LEVELS = ("+*-", "+*-*", "+*-*+", "*+*-", "+-*+-")
WIDEST = 64
SHARD = 10  # trees
MOST_LEAVES = 300_000  # of a tree
# Per cent of leaves that are cut, as lecture notes quote the paper; and as its abstract has it.
PAPER = {
    (STAR1, 0): 20.0,
    (CYCLIC, 1): 59.0,
    (SEQUENTIAL, 1): 59.0,
    (CYCLIC, 3): 70.0,
    (CYCLIC, 20): 72.0,
    (SEQUENTIAL, 3): 65.0,
    (SEQUENTIAL, 20): 20.0,
}
SAID = {
    (STAR1, 0): "< 20",
    (CYCLIC, 1): "> 59",
    (SEQUENTIAL, 1): "> 59",
    (CYCLIC, 3): "70",
    (CYCLIC, 20): "72",
    (SEQUENTIAL, 3): "> 65",
    (SEQUENTIAL, 20): "20",
}


def shards(settings: Settings) -> list[Shard]:
    """For each kind and size, ten trees at a time."""
    return [
        Shard(
            {
                "kind": kind,
                "levels": levels,
                "branching": b,
                "chances": c,
                "probes": list(settings["probes"]),
                "first": first,
                "count": count,
            },
            count * (0.05 + 4e-6 * leaves_of(levels, b, c)),  # seconds, very nearly
        )
        for kind in listed(settings["kinds"], tuple(KINDS), "kind")
        for levels in listed(settings["levels"], LEVELS, "row of levels")
        for b in settings["widths"]
        for c in settings["chances"]
        if leaves_of(levels, b, c) <= MOST_LEAVES
        for first in range(0, settings["trees"], SHARD)
        if (count := min(SHARD, settings["trees"] - first))
    ]


def leaves_of(levels: str, b: int, c: int) -> int:
    return math.prod(c if level == "*" else b for level in levels)


def players(probes: list[int]) -> dict[tuple[str, int], str]:
    """Every search by its name and number of probes."""
    plain = {(STAR0, 0): f"star0({BARE})", (STAR05, 0): f"star05({BARE})", (STAR1, 0): f"star1({BARE})"}
    orders = {CYCLIC: "cyclic", SEQUENTIAL: "sequential"}
    return plain | {(name, h): f"star25({BARE}, probe={h}, probing={order})" for name, order in orders.items() for h in probes}


def run(inputs: Inputs) -> dict[str, Any]:
    """The leaves that each search evaluates in each tree."""
    game = load("ballard", levels=inputs["levels"], branching=WIDEST, chances=WIDEST, **KINDS[inputs["kind"]])
    depth = sum(level != "*" for level in inputs["levels"])
    counts: dict[str, list[int]] = {}
    for seed in range(inputs["first"], inputs["first"] + inputs["count"]):
        tree = from_board(game, f"seed={seed} branching={inputs['branching']} chances={inputs['chances']}")
        results = {f"{name} {h}": searched(tree, text, depth) for (name, h), text in players(inputs["probes"]).items()}
        values = [result.value for result in results.values()]
        if max(values) - min(values) > 1e-9 * (1 + abs(values[0])):
            raise KibitzError(f"the searches disagree on {tree.show()} of {game.label}: a fault of kibitz")
        for name, result in results.items():
            counts.setdefault(name, []).append(result.leaves or 0)
    return counts


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each size and search, a column for each kind of tree."""
    cells: dict[tuple[str, int, int], dict[str, list[Any]]] = {}
    for inputs, result in results:
        size = (inputs["levels"], inputs["branching"], inputs["chances"])
        cells.setdefault(size, {}).setdefault(inputs["kind"], []).append(result)
    rows = [row(settings, size, search, kinds) for size, kinds in cells.items() for search in players(settings["probes"])]
    return Summary(rows, tuple(note for size, kinds in cells.items() for note in notes(settings, size, kinds)))


def row(settings: Settings, size: tuple[str, int, int], search: tuple[str, int], kinds: dict[str, list[Any]]) -> Row:
    name, h = search
    made: Row = {"levels": size[0], "b": size[1], "c": size[2], "search": name, "h": h or None, "paper %": SAID.get(search)}
    for kind in listed(settings["kinds"], tuple(KINDS), "kind"):
        made[f"{kind} %"] = cut(size, search, kinds[kind]) if kind in kinds else None
    return made


def cut(size: tuple[str, int, int], search: tuple[str, int], found: list[Any]) -> Estimate:
    """How many of a hundred leaves are not evaluated."""
    evaluated = [leaves for counts in found for leaves in counts[f"{search[0]} {search[1]}"]]
    return mean(evaluated).scaled(-100.0 / leaves_of(*size), 100.0)


def notes(settings: Settings, size: tuple[str, int, int], kinds: dict[str, list[Any]]) -> list[str]:
    """Which kind of trees comes closest to the paper's figures, and what its abstract says."""
    claimed = {search: percent for search, percent in PAPER.items() if search[1] == 0 or search[1] in settings["probes"]}
    off = {
        kind: math.sqrt(sum((cut(size, s, found).value - percent) ** 2 for s, percent in claimed.items()) / len(claimed))
        for kind, found in kinds.items()
    }
    where = f"levels {size[0]}, b = {size[1]}, c = {size[2]}"
    ranked = ", ".join(f"{kind} {distance:.0f}" for kind, distance in sorted(off.items(), key=lambda item: item[1]))
    said = [f"{where}: per cent off the notes' figures (root mean square): {ranked}"]
    for kind, claim in (
        ("handed-5", "random order: Star1 25 to 30 %, probing over 50 %"),
        ("handed-100", "best order: an order of magnitude"),
    ):
        if kind in kinds:
            best = max(cut(size, s, kinds[kind]).value for s in players(settings["probes"]))
            said.append(
                f"{where}: abstract, {claim}; here {kind}: Star1 {cut(size, (STAR1, 0), kinds[kind]).value:.0f} %, probing up to {best:.0f} %"
            )
    return said


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """What is cut by the number of probes, a panel for each kind of the first size; at h = 0, Star1."""
    from kibitz.experiments.drawing import label_all, line_with_errors, panels

    table = summarise(settings, results).rows
    first = [r for r in table if (r["levels"], r["b"], r["c"]) == tuple(table[0][name] for name in ("levels", "b", "c"))]
    kinds = [kind for kind in listed(settings["kinds"], tuple(KINDS), "kind") if any(r[f"{kind} %"] for r in first)]
    for axes, kind in zip(panels(figure, len(kinds)), kinds, strict=True):
        for name, colour in ((CYCLIC, "C0"), (SEQUENTIAL, "C1")):
            rows = [r for r in first if r["search"] in (STAR1, name)]
            line_with_errors(axes, [r["h"] or 0 for r in rows], [r[f"{kind} %"] for r in rows], name, color=colour)
            claims = [(h, percent) for (search, h), percent in PAPER.items() if search in (STAR1, name)]
            axes.plot(*zip(*claims, strict=True), "x", color=colour, label=f"{name}, notes on the paper")
        axes.set_title(f"{kind} trees")
        axes.label_outer()
    label_all(figure, "probes of each outcome, h", "leaves that are cut, %", columns=2)


EXPERIMENT = Experiment(
    about="leaves that Star0.5, Star1, Star2 and Star2.5 skip on artificial trees",
    claim="Star1 cuts < 20 % of the leaves, Star2 > 59 %; sequential probing with h = 3 > 65 %, h = 20 only 20 %; cyclic 70 and 72 % (Ballard 1983, as quoted in lecture notes)",
    parameters=(
        Parameter("trees", 50, 2, 10**6, None, "of each kind and size"),
        Parameter("levels", "+*-", None, None, None, f"kinds of nodes from the root: any of {', '.join(LEVELS)}"),
        Parameter("widths", (20,), 1, WIDEST, None, "moves at every choice"),
        Parameter("chances", (20,), 1, WIDEST, None, "outcomes at every chance node"),
        Parameter("probes", (1, 2, 3, 4, 5, 7, 10, 15, 20), 1, WIDEST, None, "of each outcome, h"),
        Parameter("kinds", ",".join(KINDS), None, None, None, f"of trees: any of {', '.join(KINDS)}"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("ballard",),
    searches=("star0", "star05", "star1", "star25"),
)
