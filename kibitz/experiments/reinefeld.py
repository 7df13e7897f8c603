"""NegaScout, SCOUT and MTD(f) against alpha-beta on uniform random trees (Reinefeld 1983): who evaluates how many leaves?

Trees are those of the game `uniform`, of every width and depth asked for. All searches see the same trees and take the moves in the order in which the
tree lists them; none has a table unless it says so. Every leaf counts each time it is evaluated. Four kinds of trees:

    independent   leaves are drawn one by one; good moves are anywhere
    incremental   moves are drawn, and a leaf is the sum of the moves that lead to it; good moves are anywhere
    sorted        the same, with the moves of a node by what they are worth at once, except those that lead to leaves
    strong        the first move is the best with chance 0.7, and the best is in the first quarter with chance 0.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import BARE, searched
from kibitz.experiments.statistics import Estimate, mean, ratio

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHA_BETA, SCOUT, NEGASCOUT, MTDF, NEGASCOUT_TABLE, MTDF_TABLE = (
    "alpha-beta", "SCOUT", "NegaScout", "MTD(f)", "NegaScout with table", "MTD(f) with table",
)  # fmt: skip
PLAYERS = {
    ALPHA_BETA: f"alphabeta({BARE}, table=0)",
    SCOUT: "scout(deepening=false, distance=off)",
    NEGASCOUT: f"negascout({BARE}, table=0)",
    MTDF: f"mtdf({BARE}, table=0)",
    NEGASCOUT_TABLE: f"negascout({BARE}, table=MEGABYTES)",
    MTDF_TABLE: f"mtdf({BARE}, table=MEGABYTES)",
}
TREES = {
    "independent": {"order": "random", "values": "independent"},
    "incremental": {"order": "random", "values": "incremental"},
    "sorted": {"order": "sorted"},
    "strong": {"order": "strong"},
}
WIDEST, DEEPEST = 64, 8  # one compiled game holds every tree up to this size
MOST_FOR_MTDF = 250_000  # leaves of a tree that MTD(f) searches without a table: it visits all of them hundreds of times
SHARD = 10  # trees
CLAIMED_WIDTHS, CLAIMED = (20, 60), (10.0, 20.0)  # from, to; per cent


def shards(settings: Settings) -> list[Shard]:
    """For each kind and size, ten trees at a time."""
    return [
        Shard(
            {"kind": kind, "depth": depth, "branching": width, "spread": settings["spread"], "first": first, "count": count},
            count * (0.015 + 1e-7 * explored(kind, width, depth)),  # seconds, very nearly
        )
        for kind in listed(settings["kinds"], tuple(TREES), "kind")
        for depth in settings["depths"]
        for width in settings["widths"]
        for first in range(0, settings["trees"], SHARD)
        if (count := min(SHARD, settings["trees"] - first))
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """Leaves and nodes of each search on each tree."""
    width, depth = inputs["branching"], inputs["depth"]
    game = load("uniform", branching=WIDEST, depth=DEEPEST, spread=inputs["spread"], **TREES[inputs["kind"]])
    players = players_for(inputs["kind"], width, depth)
    counts: dict[str, Any] = {name: {"leaves": [], "nodes": []} for name in players}
    for seed in range(inputs["first"], inputs["first"] + inputs["count"]):
        tree = from_board(game, f"seed={seed} branching={width} depth={depth}")
        results = {name: searched(tree, text, depth) for name, text in players.items()}
        if len({result.value for result in results.values()}) > 1:
            raise KibitzError(f"the searches disagree on {tree.show()} of {game.label}: a fault of kibitz")
        for name, result in results.items():
            counts[name]["leaves"].append(result.leaves)
            counts[name]["nodes"].append(result.nodes)
    return counts


def explored(kind: str, width: int, depth: int) -> float:
    """About as many leaves as alpha-beta evaluates, rather more."""
    return float(width ** (depth * (0.8 if kind == "independent" else 0.73)))


def players_for(kind: str, width: int, depth: int) -> dict[str, str]:
    """With a table that holds all that is searched of such a tree: an entry of 32 bytes for every fourth leaf; inner nodes are fewer."""
    megabytes = min(512.0, max(4.0, 8e-6 * explored(kind, width, depth)))
    names = [name for name in PLAYERS if name != MTDF or width**depth <= MOST_FOR_MTDF]
    return {name: PLAYERS[name].replace("MEGABYTES", f"{megabytes:.0f}") for name in names}


# --- summing up ---

SHOWN = (
    "trees", "depth", "b", "alpha-beta leaves", "NegaScout saves %", "paper %", "SCOUT saves %",
    "NegaScout with table saves %", "MTD(f) with table saves %",
)  # fmt: skip


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each kind and size."""
    cells: dict[tuple[str, int, int], list[Any]] = {}
    for inputs, result in results:
        cells.setdefault((inputs["kind"], inputs["depth"], inputs["branching"]), []).append(result)
    rows = [row(*cell, found) for cell, found in cells.items()]
    return Summary(rows, tuple(notes(settings, rows)), SHOWN)


def row(kind: str, depth: int, width: int, found: list[Any]) -> Row:
    base = counted(found, ALPHA_BETA)
    made: Row = {
        "trees": kind,
        "depth": depth,
        "b": width,
        "number": len(base),
        "alpha-beta leaves": mean(base),
        "NegaScout saves %": saved(found, NEGASCOUT),
        "paper %": "10 to 20" if CLAIMED_WIDTHS[0] <= width <= CLAIMED_WIDTHS[1] else None,
    }
    for name in PLAYERS:
        if name not in (ALPHA_BETA, NEGASCOUT):
            made[f"{name} saves %"] = saved(found, name)
    for name in PLAYERS:
        if name != ALPHA_BETA:
            made[f"{name} saves % of nodes"] = saved(found, name, "nodes")
    return made


def counted(found: list[Any], name: str, what: str = "leaves") -> list[int]:
    return [number for counts in found for number in counts[name][what]]


def saved(found: list[Any], name: str, what: str = "leaves") -> Estimate | None:
    """How many of alpha-beta's hundred are not visited; None where the search was not tried."""
    if name not in found[0]:
        return None
    return ratio(counted(found, name, what), counted(found, ALPHA_BETA, what)).scaled(-100.0, 100.0)


def notes(settings: Settings, rows: list[Row]) -> list[str]:
    """What the paper says, and where it is so."""
    said = []
    for kind in dict.fromkeys(r["trees"] for r in rows):
        for depth in settings["depths"]:
            claimed = {r["b"]: r["NegaScout saves %"] for r in rows if (r["trees"], r["depth"]) == (kind, depth) and r["paper %"]}
            known = {width: e for width, e in claimed.items() if isinstance(e, Estimate)}
            if known:
                low, high = min(e.value for e in known.values()), max(e.value for e in known.values())
                span = f"{low:.1f} to {high:.1f} %" if len(known) > 1 else f"{low:.1f} %"
                said.append(f"{kind}, depth {depth}: NegaScout saves {span} at b = 20 to 60 (paper: 10 to 20 %): {verdict(known)}")
    return said


def verdict(known: dict[Any, Estimate]) -> str:
    """Do the intervals meet the paper's range?"""
    places: dict[str, list[str]] = {}
    for width, e in known.items():
        where = "less" if e.high < CLAIMED[0] else "more" if e.low > CLAIMED[1] else "as claimed" if inside(e) else "undecided"
        places.setdefault(where, []).append(str(width))
    if len(places) == 1:
        return next(iter(places))
    return "; ".join(f"{where} at {', '.join(widths)}" for where, widths in places.items())


def inside(e: Estimate) -> bool:
    """Is all of the interval what the paper says?"""
    return CLAIMED[0] <= e.low and e.high <= CLAIMED[1]


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """NegaScout's saving by width, a panel for each kind, a line for each depth."""
    from kibitz.experiments.drawing import label_all, line_with_errors, panels

    table = summarise(settings, results).rows
    kinds = listed(settings["kinds"], tuple(TREES), "kind")
    for axes, kind in zip(panels(figure, len(kinds)), kinds, strict=True):
        axes.fill_between(CLAIMED_WIDTHS, *CLAIMED, color="tab:green", alpha=0.15, linewidth=0, label="Reinefeld 1983: 10 to 20 %")
        axes.axhline(0.0, color="grey", linewidth=0.8)
        for number, depth in enumerate(settings["depths"]):
            rows = [r for r in table if (r["trees"], r["depth"]) == (kind, depth)]
            widths, colour = [r["b"] for r in rows], f"C{number}"
            line_with_errors(axes, widths, [r["NegaScout saves %"] for r in rows], f"depth {depth}", color=colour)
            with_table = [r["NegaScout with table saves %"] for r in rows]
            line_with_errors(axes, widths, with_table, f"depth {depth}, with table", color=colour, linestyle=":", marker="")
        axes.set_title(f"{kind} trees")
        axes.label_outer()
        axes.set_xticks(settings["widths"])
    label_all(figure, "branching factor b", "leaves that NegaScout saves, % of alpha-beta's")


EXPERIMENT = Experiment(
    about="NegaScout, SCOUT and MTD(f) against alpha-beta on uniform trees",
    claim="NegaScout evaluates 10 to 20 % fewer leaves than alpha-beta on uniform random trees with b = 20 to 60 (Reinefeld 1983)",
    parameters=(
        Parameter("trees", 100, 2, 10**6, None, "of each kind and size"),
        Parameter("widths", (5, 10, 20, 30, 40, 50, 60), 2, WIDEST, None, "moves at every node"),
        Parameter("depths", (3, 4, 5), 2, DEEPEST, None, "plies to the leaves"),
        Parameter("kinds", ",".join(TREES), None, None, None, f"of trees: any of {', '.join(TREES)}"),
        Parameter("spread", 10**6, 1, 10**6, None, "draws are from -spread to spread; few values make many equal leaves"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("uniform",),
    searches=("alphabeta", "scout", "negascout", "mtdf"),
)
