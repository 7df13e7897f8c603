"""How fast searches grow with depth on real games: minimax like b^d, and alpha-beta, at its best, like b^(d/2).

From positions reached by random moves and not decided within the depths searched, every search is run to every depth. Its growth is what one more ply
multiplies its nodes by: e to the slope of log(nodes) over depth, from depth 2 on, fitted for each position by least squares; the interval is that
of the mean slope of all positions. Beside it stand b, the mean number of moves at the inner nodes of the minimax trees, and its square root.

The intervals speak of other positions, not of other depths: growth is not the same at every depth, and the fitted power depends on the depths it is fitted
to. So the power is told three times: of all depths, of the first three (two plies, one of each parity) and of the last three.

    minimax       every position
    alpha-beta    moves as the rules list them
    + order       moves by the game's own order of promise; by killers and history where the game gives none
    + table       and a transposition table, with iterative deepening: the nodes are those of all depths so far
    NegaScout     with all of that

Evaluations are those with weights made by hand, so that figures do not change when weights are fitted anew.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.core.position.game import Position
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import BARE, opening, searched, unbroken
from kibitz.experiments.statistics import Estimate, mean, slope
from kibitz.players import player

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Plan(NamedTuple):
    """How a game is measured."""

    opening: int  # random moves before a position
    minimax: int  # plies that minimax goes
    deepest: int  # plies that the others go
    cost: float  # of a position, in seconds


PLANS = {"connect4": Plan(6, 8, 10, 1.5), "othello": Plan(8, 6, 9, 1.0), "breakthrough": Plan(8, 5, 7, 4.0)}
MINIMAX, ALPHA_BETA, ORDER, TABLE, NEGASCOUT = "minimax", "alpha-beta", "+ order", "+ table", "NegaScout"
AT_ONCE = {  # each depth by itself
    MINIMAX: "minimax(deepening=false, distance=off)",
    ALPHA_BETA: f"alphabeta({BARE}, table=0)",
    ORDER: "alphabeta(table=0, deepening=false, distance=off)",
}
DEEPENING = {TABLE: "alphabeta(table=64, distance=off)", NEGASCOUT: "negascout(table=64, distance=off)"}
SEARCHES = (*AT_ONCE, *DEEPENING)
FIRST = 2  # depth that counts
ANOTHER = 1_000_000  # added to a seed whose position is decided too soon
MANY = 1e9  # nodes, in the textbook's example


def shards(settings: Settings) -> list[Shard]:
    """One position each."""
    return [
        Shard({"game": name, "seed": seed, "deeper": settings["deeper"]}, PLANS[name].cost)
        for name in listed(settings["games"], tuple(PLANS), "game")
        for seed in range(settings["positions"])
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """Nodes by depth of every search, from depth 1 on, and the mean number of moves."""
    plan = PLANS[inputs["game"]]
    game, deepest, seed = load(inputs["game"], weights="start"), plan.deepest + inputs["deeper"], inputs["seed"]
    position = opening(game, plan.opening, seed)
    while len(found := by_deepening(position, DEEPENING[TABLE], deepest)) < deepest:
        seed += ANOTHER
        position = opening(game, plan.opening, seed)
    plies = {MINIMAX: plan.minimax + inputs["deeper"], ALPHA_BETA: deepest, ORDER: deepest}
    results = {name: [searched(position, AT_ONCE[name], depth) for depth in range(1, plies[name] + 1)] for name in AT_ONCE}
    whole = results[MINIMAX][-1]
    return {
        "nodes": {
            **{name: [result.nodes for result in by_depth] for name, by_depth in results.items()},
            TABLE: found,
            NEGASCOUT: by_deepening(position, DEEPENING[NEGASCOUT], deepest),
        },
        "branching": (whole.nodes - 1) / (whole.nodes - (whole.leaves or 0)),
    }


def by_deepening(position: Position, text: str, depth: int) -> list[int]:
    """The nodes after each depth; fewer than `depth` of them where the position is solved before."""
    results = [unbroken(result) for result in player(text, depth=depth).analyse(position)]
    return [result.nodes for result in results if result.ended != "solved"]


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each game and search."""
    rows: list[Row] = []
    said = []
    for name in listed(settings["games"], tuple(PLANS), "game"):
        found = [f.result for f in results if f.inputs["game"] == name]
        if found:
            made = [row(name, search, found) for search in SEARCHES]
            rows += made
            said.append(note(name, made[0], found))
    return Summary(
        rows,
        tuple(said),
        ("game", "search", "depths", "growth", "b", "√b", "as a power of b", "power, first 3 depths", "power, last 3 depths"),
    )


def row(name: str, search: str, found: list[Any]) -> Row:
    counts = [one["nodes"][search] for one in found]
    depths = range(FIRST, len(counts[0]) + 1)
    slopes = [slope(depths, [math.log(nodes) for nodes in by_depth[FIRST - 1 :]]) for by_depth in counts]
    branching = mean([one["branching"] for one in found])
    return {
        "game": name,
        "search": search,
        "positions": len(found),
        "depths": f"{depths[0]} to {depths[-1]}",
        "growth": mean(slopes).exponential(),
        "b": branching,
        "√b": math.sqrt(branching.value),
        "as a power of b": power(search, found),
        "power, first 3 depths": power(search, found, last=FIRST + 2),
        "power, last 3 depths": power(search, found, first=depths[-1] - 2),
        "nodes at the last depth": mean([by_depth[-1] for by_depth in counts]).value,
    }


def power(search: str, found: list[Any], first: int = FIRST, last: int | None = None) -> Estimate:
    """The mean over all positions of the power of its own b that a position's nodes grow like, between two depths."""
    powers = []
    for one in found:
        counts = one["nodes"][search]
        depths = range(max(FIRST, first), min(last or len(counts), len(counts)) + 1)
        powers.append(slope(depths, [math.log(counts[depth - 1]) for depth in depths]) / math.log(one["branching"]))
    return mean(powers)


def note(name: str, minimax: Row, found: list[Any]) -> str:
    """How deep a thousand million nodes go, if growth goes on as fitted."""
    reached = {search: mean([depth_for(MANY, one["nodes"][search]) for one in found]) for search in SEARCHES}
    best = max(SEARCHES, key=lambda search: reached[search].value)
    times = reached[best].value / reached[MINIMAX].value
    return (
        f"{name} (b = {minimax['b']}): 10^9 nodes would reach depth {reached[MINIMAX].value:.1f} by minimax, {reached[ALPHA_BETA].value:.1f} by alpha-beta, "
        f"{reached[best].value:.1f} by {best}: {times:.2f} times minimax; the textbook's best case is 2"
    )


def depth_for(nodes: float, by_depth: list[int]) -> float:
    """Where the fitted line meets so many nodes."""
    depths = range(FIRST, len(by_depth) + 1)
    logs = [math.log(n) for n in by_depth[FIRST - 1 :]]
    steepness = slope(depths, logs)
    return sum(depths) / len(depths) + (math.log(nodes) - sum(logs) / len(logs)) / steepness


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """Nodes by depth, a panel for each game, with b^d and b^(d/2) for comparison."""
    from kibitz.experiments.drawing import label_all, panels

    games = listed(settings["games"], tuple(PLANS), "game")
    for axes, name in zip(panels(figure, len(games), columns=3), games, strict=True):
        found = [f.result for f in results if f.inputs["game"] == name]
        axes.set_title(name)
        axes.set_yscale("log")
        if not found:
            continue
        branching = sum(one["branching"] for one in found) / len(found)
        deepest = len(found[0]["nodes"][TABLE])
        for search in SEARCHES:
            counts = [one["nodes"][search] for one in found]
            typical = [math.exp(sum(math.log(n) for n in level) / len(level)) for level in zip(*counts, strict=True)]
            axes.plot(range(1, len(typical) + 1), typical, marker="o", markersize=3, linewidth=1.2, label=search)
        axes.plot(
            range(1, deepest + 1), [branching**d for d in range(1, deepest + 1)], color="grey", linestyle="--", linewidth=0.8, label="b^d"
        )
        axes.plot(range(1, deepest + 1), [branching ** (d / 2) for d in range(1, deepest + 1)], color="grey", linestyle=":", linewidth=1.0, label="b^(d/2)")  # fmt: skip
        axes.set_ylim(1, 1e9)
    label_all(figure, "depth", "nodes (geometric mean)", 7)


EXPERIMENT = Experiment(
    about="growth of nodes with depth on Othello, Connect Four and Breakthrough",
    claim="alpha-beta goes twice as deep as minimax for the same nodes at best, its nodes growing like b^(d/2) (Knuth and Moore 1975)",
    parameters=(
        Parameter("positions", 40, 2, 10**6, None, "random positions of each game"),
        Parameter("games", ",".join(PLANS), None, None, None, f"any of {', '.join(PLANS)}"),
        Parameter("deeper", 0, -3, 4, None, "plies more than usual"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=tuple(PLANS),
    searches=("minimax", "alphabeta", "negascout"),
)
