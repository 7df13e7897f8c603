"""What the Star searches visit on EinStein würfelt nicht!, by depth: nodes, leaves and seconds, with and without a table and an order of moves.

Positions are reached by random moves and rolls from the start and are the same for all; each is one in which a player has rolled. All searches find the same
value to the same depth (the table is used for equal depths only, so that this holds), in one search of the full depth, or, with a table, deeper and deeper.
Seconds are those of this machine while other work may go on; nodes and leaves are the same everywhere.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import Position
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import opening, searched
from kibitz.experiments.statistics import Estimate, mean, ratio

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEARCHES = {
    "expectiminimax": "expectiminimax(",
    "Star0": "star0(",
    "Star0.5": "star05(",
    "Star1": "star1(",
    "Star2": "star2(",
    "Star2.5": "star25(probe=3, ",
}
ORDERS = {"ordered": "", "unordered": "order=false, killers=off, history=off, "}
TABLES = {"no table": "table=0, deepening=false", "table": "table=64, strict=true"}
PLAIN = "expectiminimax"
SHARD = 10  # positions
FEWEST_PLIES, DIFFERENT_PLIES = 1, 20  # moves and rolls before a position


def shards(settings: Settings) -> list[Shard]:
    """For each search, order, table and depth, ten positions at a time."""
    made = []
    for depth in settings["depths"]:
        for name in listed(settings["searches"], tuple(SEARCHES), "search"):
            for order in listed(settings["orders"], tuple(ORDERS), "order"):
                for table in listed(settings["tables"], tuple(TABLES), "table"):
                    if name != PLAIN or (order, table) == ("unordered", "no table"):  # it knows neither
                        for first in range(0, settings["positions"], SHARD):
                            count = min(SHARD, settings["positions"] - first)
                            inputs = {"search": name, "order": order, "table": table, "depth": depth, "first": first, "count": count}
                            made.append(Shard(inputs, count * (0.01 + 2e-7 * 18.0**depth)))
    return made


def run(inputs: Inputs) -> dict[str, Any]:
    """Nodes, leaves, seconds and values of one search."""
    plain = inputs["search"] == PLAIN
    text = (
        "expectiminimax(deepening=false)" if plain else f"{SEARCHES[inputs['search']]}{ORDERS[inputs['order']]}{TABLES[inputs['table']]})"
    )
    found: dict[str, list[Any]] = {"nodes": [], "leaves": [], "seconds": [], "values": []}
    for number in range(inputs["first"], inputs["first"] + inputs["count"]):
        result = searched(position(number), text, inputs["depth"])
        for what, value in zip(found, (result.nodes, result.leaves, result.seconds, result.value), strict=True):
            found[what].append(value)
    return found


def position(number: int) -> Position:
    """Position `number`, a fixed one: a player has rolled, and the game is not over whatever he does."""
    game = load("ewn", setup="615243/123456")
    found = opening(game, FEWEST_PLIES + number % DIFFERENT_PLIES, number)
    return found.play(random.Random(number).choice(found.moves)) if found.is_chance else found


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:  # noqa: ARG001
    """A row for each search, order, table and depth; fewer leaves than Star0's with the same order and without a table."""
    cells: dict[tuple[int, str, str, str], list[Any]] = {}
    for inputs, result in results:
        cells.setdefault((inputs["depth"], inputs["search"], inputs["order"], inputs["table"]), []).append(result)
    check(cells)
    rows = [row(cell, found, cells.get((cell[0], "Star0", cell[2], "no table"))) for cell, found in cells.items()]
    return Summary(rows, tuple(notes(cells)))


def check(cells: dict[tuple[int, str, str, str], list[Any]]) -> None:
    """All searches must agree on the value of every position."""
    values: dict[int, list[float]] = {}
    for (depth, *_), found in cells.items():
        mine = counted(found, "values")
        for one, other in zip(mine, values.setdefault(depth, mine), strict=False):
            if abs(one - other) > 1e-9:
                raise KibitzError(f"the searches disagree at depth {depth}: {one} and {other}: a fault of kibitz")


def row(cell: tuple[int, str, str, str], found: list[Any], base: list[Any] | None) -> Row:
    depth, name, order, table = cell
    leaves = counted(found, "leaves")
    fewer = None
    if base is not None and len(counted(base, "leaves")) == len(leaves):
        fewer = ratio(counted(base, "leaves"), leaves)
    return {
        "depth": depth,
        "search": name,
        "moves": order if name != PLAIN else None,
        "table": table == "table",
        "positions": len(leaves),
        "nodes": mean(counted(found, "nodes")),
        "leaves": mean(leaves),
        "fewer leaves than Star0, times": fewer,
        "seconds": sum(counted(found, "seconds")) / len(leaves),
    }


def counted(found: list[Any], what: str) -> list[Any]:
    return [number for result in found for number in result[what]]


def notes(cells: dict[tuple[int, str, str, str], list[Any]]) -> list[str]:
    """The aim: three times fewer leaves with an order, and twice fewer again with a table."""
    said = []
    for depth in dict.fromkeys(cell[0] for cell in cells):
        star0, star2, table = (
            cells.get((depth, name, "ordered", with_table))
            for name, with_table in (("Star0", "no table"), ("Star2", "no table"), ("Star2", "table"))
        )
        if star0 and star2 and table and len(counted(star0, "leaves")) == len(counted(star2, "leaves")) == len(counted(table, "leaves")):
            once = ratio(counted(star0, "leaves"), counted(star2, "leaves"))
            again = ratio(counted(star2, "leaves"), counted(table, "leaves"))
            said.append(
                f"depth {depth}: Star2 evaluates {once.value:.1f} times fewer leaves than Star0, with a table {again.value:.1f} times fewer again"
            )
    return said


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """Leaves by depth, on a logarithmic scale."""
    from kibitz.experiments.drawing import label_all, line_with_errors, panels

    rows = summarise(settings, results).rows
    orders = listed(settings["orders"], tuple(ORDERS), "order")
    for axes, order in zip(panels(figure, len(orders)), orders, strict=True):
        for number, name in enumerate(listed(settings["searches"], tuple(SEARCHES), "search")):
            for table in (False, True):
                mine = [r for r in rows if r["search"] == name and r["moves"] in (order, None) and r["table"] == table]
                if mine:
                    style = {"linestyle": ":" if table else "-", "color": f"C{number}"}
                    leaves: list[Estimate | Any] = [r["leaves"] for r in mine]
                    line_with_errors(axes, [r["depth"] for r in mine], leaves, f"{name}{', table' if table else ''}", **style)
        axes.set_yscale("log")
        axes.set_title(order)
        axes.set_xticks(settings["depths"])
    label_all(figure, "depth", "leaves evaluated")


EXPERIMENT = Experiment(
    about="nodes, leaves and time of the Star searches on EinStein würfelt nicht!",
    claim="Star2 with an order evaluates at least 3 times fewer leaves than Star0, and with a table at least twice fewer again (our own aim)",
    parameters=(
        Parameter("positions", 50, 2, 10**4, None, "fixed ones"),
        Parameter("depths", (1, 2, 3, 4), 1, 9, None, "plies of the players"),
        Parameter("searches", ",".join(SEARCHES), None, None, None, f"any of {', '.join(SEARCHES)}"),
        Parameter("orders", ",".join(ORDERS), None, None, None, f"any of {', '.join(ORDERS)}"),
        Parameter("tables", ",".join(TABLES), None, None, None, f"any of {', '.join(TABLES)}"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("ewn",),
    searches=("expectiminimax", "star0", "star05", "star1", "star2", "star25"),
)
