"""SCOUT against alpha-beta on Kalah (Noe 1980): how many leaves does it save?

Positions are reached by random moves; each is searched to every depth by both, with moves as the board lists them, pit by pit from the left, and
with moves by promise: first those that go again, then captures. A sowing is a ply, also where the mover goes again. The evaluation is the lead in the
stores. Branch and bound, alpha-beta without deep cutoffs, stands beside them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kibitz.core.measuring.intervals import Estimate, mean, ratio
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load
from kibitz.core.position.variants import remove_hooks
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, blocks, split_list
from kibitz.experiments.studies.branch_and_bound import branch_and_bound
from kibitz.experiments.workloads import (
    BARE,
    check_agreement,
    count_visits,
    draw_opening,
    list_best_first,
    require_complete,
    search_to_depth,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHA_BETA, SCOUT, NEGASCOUT, SHALLOW = "alpha-beta", "SCOUT", "NegaScout", "branch and bound"
PLAYERS = {
    ALPHA_BETA: f"alphabeta({BARE}, table=0)",
    SCOUT: "scout(deepening=false, distance=off)",
    NEGASCOUT: f"negascout({BARE}, table=0)",
}
WORDS = {"listed": "as listed", "promise": "by promise"}
ORDERS = tuple(WORDS)
CLAIMED_DEPTH, CLAIMED = 5, 40.0  # per cent, or more
SHARD = 50  # positions
FEWEST_PLIES, DIFFERENT_PLIES = 4, 12  # random moves before a position: 4 to 15


def shards(settings: Settings) -> list[Shard]:
    """For each order and depth, fifty positions at a time."""
    return [
        Shard(
            {"order": order, "depth": depth, "seeds": settings["seeds"], "first": first, "count": count},
            count * (0.008 + 2e-6 * 2.8**depth),  # seconds, very nearly
        )
        for order in split_list(settings["orders"], ORDERS, "order")
        for depth in settings["depths"]
        for first, count in blocks(settings["positions"], SHARD)
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """Leaves and nodes of each search in each position."""
    game, ordered = games(inputs["seeds"], inputs["order"])
    counts: dict[str, Any] = {name: {"leaves": [], "nodes": []} for name in (*PLAYERS, SHALLOW)}
    for number in range(inputs["first"], inputs["first"] + inputs["count"]):
        position = Position(ordered, draw_opening(game, FEWEST_PLIES + number % DIFFERENT_PLIES, number).data)
        results = {name: search_to_depth(position, text, inputs["depth"]) for name, text in PLAYERS.items()}
        results[SHALLOW] = require_complete(branch_and_bound(position, inputs["depth"]))
        check_agreement(results)
        count_visits(counts, results)
    return counts


@cache
def games(seeds: int, order: str) -> tuple[Game, Game]:
    """The game that openings are drawn from, and the one that is searched. Alpha-beta is not to know more than SCOUT does."""
    game = remove_hooks(load("kalah", seeds=seeds, weights="start"), "best_case")
    return game, list_best_first(game) if order == "promise" else game


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each order and depth."""
    rows = [
        row(order, depth, found)
        for order in split_list(settings["orders"], ORDERS, "order")
        for depth in settings["depths"]
        if (found := [f.result for f in results if (f.inputs["order"], f.inputs["depth"]) == (order, depth)])
    ]
    return Summary(rows, tuple(notes(rows)), (*SHOWN,))


SHOWN = (
    "order",
    "depth",
    "positions",
    "alpha-beta leaves",
    "SCOUT saves %",
    "paper %",
    "NegaScout saves %",
    "SCOUT saves % of branch and bound",
)


def row(order: str, depth: int, found: list[Any]) -> Row:
    leaves = {name: all_counts(found, name, "leaves") for name in (*PLAYERS, SHALLOW)}
    nodes = {name: all_counts(found, name, "nodes") for name in (*PLAYERS, SHALLOW)}
    return {
        "order": order,
        "depth": depth,
        "positions": len(leaves[ALPHA_BETA]),
        "alpha-beta leaves": mean(leaves[ALPHA_BETA]),
        "SCOUT saves %": savings(leaves[SCOUT], leaves[ALPHA_BETA]),
        "paper %": "over 40" if depth == CLAIMED_DEPTH else None,
        "NegaScout saves %": savings(leaves[NEGASCOUT], leaves[ALPHA_BETA]),
        "SCOUT saves % of branch and bound": savings(leaves[SCOUT], leaves[SHALLOW]),
        "SCOUT saves % of nodes": savings(nodes[SCOUT], nodes[ALPHA_BETA]),
        "branch and bound leaves": mean(leaves[SHALLOW]),
    }


def all_counts(found: list[Any], name: str, what: str) -> list[int]:
    return [number for counts in found for number in counts[name][what]]


def savings(ours: list[int], theirs: list[int]) -> Estimate:
    """How many of the hundred are not visited."""
    return ratio(ours, theirs).scaled(-100.0, 100.0)


def notes(rows: list[Row]) -> list[str]:
    said = []
    for found in rows:
        ours = found["SCOUT saves %"]
        if found["depth"] == CLAIMED_DEPTH and isinstance(ours, Estimate):
            verdict = "reproduced" if ours.low > CLAIMED else "not reproduced" if ours.high < CLAIMED else "open: the interval holds both"
            more = f"visits {ours.scaled(-1.0)} % more leaves" if ours.value < 0 else f"saves {ours} % of the leaves"
            where = f"moves {WORDS[str(found['order'])]}, depth {CLAIMED_DEPTH}"
            said.append(f"{where}: SCOUT {more}; the paper saves over {CLAIMED:g} %: {verdict}")
    return said


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """What is saved by depth."""
    from kibitz.experiments.plots import label_all, line_with_errors, panels

    table = summarise(settings, results).rows
    orders = split_list(settings["orders"], ORDERS, "order")
    for axes, order in panels(figure, orders):
        rows = [r for r in table if r["order"] == order]
        depths: list[Any] = [r["depth"] for r in rows]
        line_with_errors(axes, depths, [r["SCOUT saves %"] for r in rows], "SCOUT, of alpha-beta's leaves")
        line_with_errors(axes, depths, [r["NegaScout saves %"] for r in rows], "NegaScout, of alpha-beta's leaves")
        line_with_errors(axes, depths, [r["SCOUT saves % of branch and bound"] for r in rows], "SCOUT, of branch and bound's leaves")
        axes.plot([CLAIMED_DEPTH], [CLAIMED], marker="^", linestyle="none", color="black", label="Noe 1980: over 40 %")
        axes.axhline(0.0, color="grey", linewidth=0.8)
        axes.set_title(f"moves {WORDS[order]}")
        axes.set_xticks(depths)
    label_all(figure, "depth", "leaves saved, %", 2)


ABOUT = "SCOUT against alpha-beta on Kalah"
CLAIM = "SCOUT saves over 40 % on Kalah at depth 5 (Noe 1980)"
PARAMETERS = (
    Parameter("positions", 1000, 2, 10**6, None, "random positions"),
    Parameter("depths", (2, 3, 4, 5, 6, 7, 8), 1, 12, None, "plies; a sowing is a ply"),
    Parameter("orders", "listed,promise", None, None, None, "of moves: listed, promise or both"),
    Parameter("seeds", 4, 1, 24, None, "in each pit at the start"),
)

EXPERIMENT = Experiment(
    ABOUT, CLAIM, PARAMETERS, shards, run, summarise, plot, games=("kalah",), searches=("alphabeta", "scout", "negascout")
)
