"""Battleships: how many shots does it take to sink a fleet that nobody sees?

Three ways to shoot at the same fleets, placed at random: any square; hunt and target, what people do (squares of one colour until something is hit, then its neighbours, along the line
once two hits lie in one); and the likeliest square of all positions that may be, which the search `sampling` finds from its belief. None of them knows more than the umpire's words.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.core.errors import InputError
from kibitz.core.measuring.intervals import mean
from kibitz.core.position.game import Game
from kibitz.core.position.loading import load
from kibitz.core.position.random_moves import Lots
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, blocks
from kibitz.players import player

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WAYS = ("random", "hunt and target", "likeliest square")
LIKELIEST, AT_ONCE = WAYS[2], 5  # games of a shard
COST = {WAYS[0]: 0.02, WAYS[1]: 0.03, LIKELIEST: 1.0}


def shards(settings: Settings) -> list[Shard]:
    """Some games at a time for each way to shoot."""
    return [
        Shard({"way": way, "size": settings["size"], "fleet": lengths(settings["fleet"]), "states": settings["states"], "first": first, "count": count}, COST[way] * count)
        for way in WAYS
        for first, count in blocks(settings["games"], AT_ONCE)
    ]  # fmt: skip


def lengths(fleet: str) -> list[int]:
    """The ships of a fleet that is written with + between."""
    words = fleet.split("+")
    if not all(word.strip().isdigit() for word in words):
        raise InputError(f"fleet={fleet}: write how long the ships are with + between, such as 5+4+3+3+2")
    return [int(word) for word in words]


def run(inputs: Inputs) -> dict[str, Any]:
    """Shots of each game; a game's number is its seed."""
    game = load("battleships", size=inputs["size"], fleet=tuple(inputs["fleet"]), alone=True)
    return {
        "shots": [
            shots(game, inputs["way"], number, inputs["states"]) for number in range(inputs["first"], inputs["first"] + inputs["count"])
        ]
    }


def shots(game: Game, way: str, number: int, states: int) -> int:
    """How many it takes in one game."""
    lots, position = Lots(number, 0), game.start
    for _ in range(2 * len(game.parameters["fleet"])):
        position = position.after_line([lots.draw_move(position)])
    made, rng = 0, Random(number)
    engine = player(f"sampling(states={states}, seed={number}, playouts={400 * len(position.numbers)})").remembering()
    known: dict[int, str] = {}
    while not position.is_over:
        if way == LIKELIEST:
            move = int(engine.search(position).move or 0)
        else:
            move = (
                rng.choice(position.numbers) if way == WAYS[0] else hunt(known, game.parameters["size"], min(game.parameters["fleet"]), rng)
            )
        position, made = position.after_line([move]), made + 1
        known[move] = str(game.people["announce"](position.told[0].events[-1].percept, 0))
    return made


def hunt(known: dict[int, str], size: int, shortest: int, rng: Random) -> int:
    """The next square: beside what was hit and belongs to no ship that is known to be sunk, else one that the shortest ship cannot avoid."""
    wounded = set(_wounded(known, size))
    free = [cell for cell in range(size * size) if cell not in known]
    beside = [cell for cell in free if wounded & set(_neighbours(cell, size))]
    in_line = [cell for cell in beside if any(_opposite(cell, hit, size) in wounded for hit in wounded & set(_neighbours(cell, size)))]
    coloured = [cell for cell in free if (cell % size + cell // size) % shortest == 0]
    return rng.choice(in_line or beside or coloured or free)


def _wounded(known: dict[int, str], size: int) -> Iterable[int]:
    """Hits that are not squares of the line through a sunk ship's last square."""
    hits = {cell for cell, came in known.items() if came != "water"}
    for sunk in [cell for cell, came in known.items() if came == "sunk"]:
        lines = [_line(sunk, step, hits, size) for step in (1, size)]
        hits -= max(lines, key=len) | {sunk}
    return hits


def _line(cell: int, step: int, hits: set[int], size: int) -> set[int]:
    """Hits on both sides of a square, without a gap."""
    found = set()
    for direction in (-step, step):
        here = cell
        while here + direction in hits and here + direction in _neighbours(here, size):
            here += direction
            found.add(here)
    return found


def _neighbours(cell: int, size: int) -> list[int]:
    row, column = divmod(cell, size)
    return [
        r * size + c
        for r, c in ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
        if 0 <= r < size and 0 <= c < size
    ]


def _opposite(cell: int, hit: int, size: int) -> int:
    """The square on the other side of a hit; -1 off the sea."""
    there = 2 * hit - cell
    return there if there in _neighbours(hit, size) else -1


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each way to shoot."""
    rows: list[Row] = []
    for way in WAYS:
        found = [n for inputs, result in results if inputs["way"] == way for n in result["shots"]]
        if len(found) > 1:
            rows.append(
                {
                    "way to shoot": way,
                    "games": len(found),
                    "shots": mean(found),
                    "median": median(found),
                    "fewest": min(found),
                    "most": max(found),
                }
            )
    squares = settings["size"] ** 2
    return Summary(rows, (f"{sum(lengths(settings['fleet']))} squares of {squares} are ships; the same fleets for every way",))


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """The share of games that are over after each number of shots."""
    axes = figure.subplots()
    for way in WAYS:
        found = sorted(n for inputs, result in results if inputs["way"] == way for n in result["shots"])
        if found:
            axes.step([0, *found], np.linspace(0, 100, len(found) + 1), where="post", label=way)
    axes.set(xlabel="shots", ylabel="fleets that are sunk, %", xlim=(0, settings["size"] ** 2), title="sinking a fleet that nobody sees")
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, fontsize=8)


ABOUT = "Battleships: shots that it takes to sink a fleet, at random, by hunt and target, and at the likeliest square"
CLAIM = "shooting at the likeliest square of all positions that agree with what was heard sinks a fleet sooner than hunting and targeting"
PARAMETERS = (
    Parameter("games", 100, 1, 10**6, None, "fleets"),
    Parameter("size", 10, 3, 12, None, "rows and columns of the sea"),
    Parameter("fleet", "5+4+3+3+2", None, None, None, "how long the ships are"),
    Parameter("states", 8192, 16, 1 << 20, None, "positions that the belief holds at most"),
)

EXPERIMENT = Experiment(ABOUT, CLAIM, PARAMETERS, shards, run, summarise, plot, ("battleships",), ("sampling",))
