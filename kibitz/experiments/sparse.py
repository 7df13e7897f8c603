"""How far off are values when only k outcomes of every chance node are looked at, and what does the theory of sparse sampling promise (Kearns, Mansour and Ng 2002)?

Let V be the value of a position by expectiminimax and V~ what is found when k outcomes are drawn at each chance node. Where at most c chance nodes can come next,
whatever players choose, at most d are on a path, and values go from -v to v,

    Pr(|V~ - V| <= lambda d)  >=  1 - (2 k c)^d exp(-lambda^2 k / (2 v^2))        for 0 < lambda <= 2 v

Measured on positions whose V is known: artificial trees, dice, Pig, EinStein würfelt nicht!. Two ways to sample:

    drawn      k outcomes with replacement, the rest of the tree in full: `star2(sample=k)`; what the bound speaks of
    growing    UCT in which after t visits k_t = ceil(t^0.5) outcomes of a chance node are in play, without replacement; `all`: UCT without that. k is k_t of the move
               it chose. The bound is beside it for comparison: it knows nothing of playouts

Errors are per cent of the range of values, 2 v. Games that are not over at the depth of the search count by their evaluation, in V and in V~ alike.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kibitz.core.position.game import Position, from_board
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import opening, searched, unbroken
from kibitz.experiments.statistics import CONFIDENCE, mean
from kibitz.players import player

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN, GROWING, ALL = "drawn", "growing", "all"
PLAIN = "table=0, deepening=false"
SHARD = 5  # positions
FEWEST_PLIES, DIFFERENT_PLIES = 4, 12  # moves and rolls before a position of EWN


@dataclass(frozen=True)
class Place:
    """Positions of one kind, and what the bound must know of them."""

    game: str
    depth: int  # of the search, in moves
    moves: int  # c: at most so many chance nodes can come next, whatever players choose
    chances: int  # d: at most so many chance nodes on a path
    parameters: dict[str, Any] = field(default_factory=dict)
    whole: bool = False  # does the search see the end of the game? Then UCT's playouts and the search speak of the same value


PLACES = {
    "one toss": Place("ballard", 2, 4, 1, {"levels": "+*-", "branching": 4, "chances": 64}, whole=True),
    "two tosses": Place("ballard", 3, 3, 2, {"levels": "+*-*+", "branching": 3, "chances": 16}, whole=True),
    "dice": Place("duel", 1, 1, 4, {"rounds": 2, "dice": 2}, whole=True),
    "pig": Place("pig", 3, 3, 3, {"target": 50}),
    "ewn": Place("ewn", 2, 6, 2, {"setup": "123456"}),
}


def position(place: str, number: int) -> Position:
    """Position `number` of a place: always the same one, in which a player is to move; dice have only the start."""
    game = load(PLACES[place].game, **PLACES[place].parameters)
    chance = random.Random(number)
    if game.name == "ballard":
        return from_board(game, f"seed={number}")
    if game.name == "pig":
        return from_board(game, f"A {chance.randrange(45)} / B {chance.randrange(45)} / A has {chance.randrange(2, 5)} this turn")
    if game.name == "duel":
        return game.start
    found = opening(game, FEWEST_PLIES + number % DIFFERENT_PLIES, number)
    return found.play(chance.choice(found.moves)) if found.is_chance else found


# --- shards ---


def shards(settings: Settings) -> list[Shard]:
    """A few positions at a time."""
    made = []
    for place in listed(settings["places"], tuple(PLACES), "place"):
        for first in range(0, settings["positions"], SHARD):
            inputs = {"place": place, "first": first, "count": min(SHARD, settings["positions"] - first), "seeds": settings["seeds"]}
            made.append(Shard({**inputs, "how": DRAWN, "sizes": list(settings["samples"])}, 1.0))
            if PLACES[place].whole:
                for how in (GROWING, ALL):
                    made.append(Shard({**inputs, "how": how, "sizes": list(settings["playouts"])}, sum(settings["playouts"]) / 1e5))
    return made


def run(inputs: Inputs) -> dict[str, Any]:
    """For each size of the sample, or number of playouts, and each position: the k that was used and V~ - V for every seed."""
    place = PLACES[inputs["place"]]
    found: dict[str, list[Any]] = {str(size): [] for size in inputs["sizes"]}
    for number in range(inputs["first"], inputs["first"] + inputs["count"]):
        p = position(inputs["place"], number)
        true = searched(p, f"star2({PLAIN})", place.depth).value
        for size in inputs["sizes"]:
            seeds = range(number * inputs["seeds"], (number + 1) * inputs["seeds"])
            tries = [sampled(p, place, inputs["how"], size, seed) for seed in seeds]
            found[str(size)].append({"k": [k for k, _ in tries], "off": [value - true for _, value in tries]})
    return found


def sampled(p: Position, place: Place, how: str, size: int, seed: int) -> tuple[int, float]:
    """k and V~."""
    if how == DRAWN:
        return size, searched(p, f"star2({PLAIN}, sample={size}, seed={seed})", place.depth).value
    sparse = "sparse=1, alpha=0.5, " if how == GROWING else ""
    result = unbroken(player(f"uct({sparse}solve=false, memory=64, playouts={size}, seed={seed})").search(p))
    visits = size if p.is_chance else max(c.visits for c in result.table)
    widest = int(p.game.constants["MAX_OUTCOMES"])
    return min(widest, math.ceil(math.sqrt(visits))) if how == GROWING else widest, result.value


# --- the bound ---


def promised(reach: float, k: float, place: Place, v: float) -> float:
    """How likely the error is at most `reach` * d, at least; nothing is promised where that is zero or less."""
    return max(0.0, 1.0 - math.exp(place.chances * math.log(2 * k * place.moves) - reach * reach * k / (2 * v * v)))


def reach_of(sure: float, k: float, place: Place, v: float) -> float:
    """The least lambda for which the bound promises this probability; infinite where it is beyond 2 v, of which the bound does not speak."""
    needed = v * math.sqrt(2.0 / k * (place.chances * math.log(2 * k * place.moves) - math.log(1.0 - sure)))
    return needed if needed <= 2 * v else math.inf


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each place, way of sampling and size."""
    cells: dict[tuple[str, str, int], list[Any]] = {}
    for inputs, result in results:
        for size in inputs["sizes"]:
            cells.setdefault((inputs["place"], inputs["how"], size), []).extend(result[str(size)])
    rows = [row(settings, *cell, found) for cell, found in cells.items()]
    broken = [r for r in rows if r["search"] == DRAWN and r["bound: within %"] is not None and r["within %"] < r["bound: within %"]]  # type: ignore[operator]
    said = f"lambda = {settings['reach']:g} v: the bound {'is broken in ' + str(len(broken)) + ' rows: a fault' if broken else 'holds in every row'} of drawn samples"
    return Summary(rows, (said,), tuple(rows[0]) if rows else ())


def row(settings: Settings, name: str, how: str, size: int, found: list[Any]) -> Row:
    place = PLACES[name]
    low, high = load(place.game, **place.parameters).constants["VALUES"]
    v = (high - low) / 2
    errors = sorted(abs(off) for one in found for off in one["off"])
    k = sum(sum(one["k"]) for one in found) / len(errors)
    reach = settings["reach"] * v
    sure = reach_of(CONFIDENCE, k, place, v) * place.chances / (2 * v)
    return {
        "where": name,
        "search": how,
        "playouts": None if how == DRAWN else size,
        "k": round(k, 1),
        "runs": len(errors),
        "error %": mean([sum(map(abs, one["off"])) / len(one["off"]) for one in found]).scaled(50 / v),
        "leans %": mean([sum(one["off"]) / len(one["off"]) for one in found]).scaled(50 / v),
        "95 of 100 below %": 50 / v * errors[math.ceil(CONFIDENCE * len(errors)) - 1],
        "bound: below %": 100 * sure if how != ALL and sure < 1.0 else None,  # no error is larger than the range
        "within %": 100.0 * sum(e <= reach * place.chances for e in errors) / len(errors),
        "bound: within %": 100 * promised(reach, k, place, v) if how != ALL else None,
    }


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """What 95 of 100 errors stay below, measured and promised, by k: a panel for each place."""
    from kibitz.experiments.drawing import label_all, panels

    table: list[Any] = summarise(settings, results).rows
    places = list(dict.fromkeys(r["where"] for r in table))
    for axes, place in zip(panels(figure, len(places)), places, strict=True):
        rows = [r for r in table if r["where"] == place and r["search"] == DRAWN]
        axes.plot([r["k"] for r in rows], [r["95 of 100 below %"] for r in rows], "o-", markersize=3, label="drawn")
        bounds = [(r["k"], r["bound: below %"]) for r in rows if r["bound: below %"] is not None]
        axes.plot([k for k, _ in bounds], [b for _, b in bounds], "--", color="C3", label="bound")
        rows = [r for r in table if r["where"] == place and r["search"] == GROWING]
        axes.plot([r["k"] for r in rows], [r["95 of 100 below %"] for r in rows], "s:", color="C2", markersize=3, label="UCT, growing")
        axes.set(title=str(place), xscale="log", yscale="log")
    label_all(figure, "outcomes looked at, k", "95 of 100 errors are below, % of the range of values", columns=3)


EXPERIMENT = Experiment(
    about="errors of values from k drawn outcomes at each chance node, beside the bound of sparse sampling",
    claim="Pr(|V~ - V| <= lambda d) >= 1 - (2 k c)^d exp(-lambda^2 k / (2 v^2)) (Kearns, Mansour and Ng 2002; Lanctot and others 2013)",
    parameters=(
        Parameter("positions", 20, 2, 10**6, None, "of each place"),
        Parameter("seeds", 10, 1, 10**6, None, "samples drawn for each position"),
        Parameter("samples", (1, 2, 4, 8, 16, 64, 256, 1024), 1, 10**6, None, "outcomes to draw at each chance node, k"),
        Parameter("playouts", (64, 256, 1024, 4096, 16384), 1, 10**9, None, "of UCT"),
        Parameter("places", ",".join(PLACES), None, None, None, f"any of {', '.join(PLACES)}"),
        Parameter("reach", 0.25, 0.001, 2.0, None, "lambda, as a part of v"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("ballard", "duel", "ewn", "pig"),
    searches=("star2", "uct"),
)
