"""What a change of evaluation does that keeps the order of positions: nothing without chance, other moves with it (Russell and Norvig's figure; Ballard 1983).

Three places:

    figure     the textbook's two trees: leaves 1, 2, 3, 4 against 1, 20, 30, 400
    trees      random trees of 27 leaves from 0 to 1, with chance (a choice, a toss, a choice) and without (three choices); every leaf is changed
    ewn        positions of EinStein würfelt nicht!, reached by random moves; the evaluation at the horizon is changed, finished games are not

Each change is increasing, so that the best leaf remains the best one. `half` is linear and changes no move of a tree; it is there to show that. In EWN it makes
evaluations half of what they were next to results that stay, which is not linear taken together. A move counts as changed if it is worth less by the
unchanged values than the best one; what it costs is the difference.
"""

from __future__ import annotations

import json
import math
import random
from functools import cache
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.measuring import opening, searched
from kibitz.experiments.statistics import mean, share

FIGURE, TREES, EWN = "figure", "trees", "ewn"
ENGINE = "star2(table=0, deepening=false)"
SHARD = 25  # trees or positions
CLOSE = 1e-9  # what rounding may make of equal means
FEWEST_PLIES, DIFFERENT_PLIES = 2, 16  # moves and rolls before a position


# --- changes, each of a number from -1 to 1 ---


def half(v: float) -> float:
    return 0.5 * v


def cube(v: float) -> float:
    return v * v * v


def root(v: float) -> float:
    return math.sqrt(v) if v >= 0.0 else -math.sqrt(-v)


def steep(v: float) -> float:
    """Small differences large, large ones small."""
    return math.tanh(4.0 * v)


CHANGES = {"half": half, "cube": cube, "root": root, "steep": steep}
SURE = 0.9999  # evaluations lie inside the range of values

as_rated: Any = None  # in the game below: the rules' own evaluation,
changed: Any = None  # and what is made of it


def evaluate(s: Any, player: int) -> float:
    return SURE * changed(as_rated(s, player))  # type: ignore[no-any-return]


@cache
def ewn(change: str) -> Game:
    """The game with its evaluation changed; as it is for the empty word."""
    game = load("ewn", setup="123456")
    if not change:
        return game
    own = {name: rule for name, rule in game.functions.items() if game.defines(name)}
    names = {**game.constants, **own, "as_rated": own["evaluate"], "changed": CHANGES[change], "evaluate": evaluate}
    made = Game(type(game.name, (), names), f"{game.name}-{change}", game.parameters, game.declared)
    made.people.update(game.people)
    return made


# --- shards ---


def shards(settings: Settings) -> list[Shard]:
    """The figure; trees with and without chance; EWN at every depth."""
    made = [Shard({"place": FIGURE}, 1.0)]
    for levels in ("+*-", "+-+"):
        for first in range(0, settings["trees"], SHARD):
            inputs = {"place": TREES, "levels": levels, "first": first, "count": min(SHARD, settings["trees"] - first)}
            made.append(Shard({**inputs, "changes": _changes(settings)}, 1.0))
    for depth in settings["depths"]:
        for first in range(0, settings["positions"], SHARD):
            inputs = {"place": EWN, "depth": depth, "first": first, "count": min(SHARD, settings["positions"] - first)}
            made.append(Shard({**inputs, "changes": _changes(settings)}, 1.0 + 0.001 * 20.0**depth))
    return made


def _changes(settings: Settings) -> list[str]:
    return listed(settings["changes"], tuple(CHANGES), "change")


def run(inputs: Inputs) -> dict[str, Any]:
    """For each change what the move costs that is best after it, in each tree or position."""
    if inputs["place"] == FIGURE:
        results = {name: searched(load("trees", tree=name).start, ENGINE, 2) for name in ("aima-chance", "aima-chance2")}
        return {name: {"move": str(r.move), "value": r.value} for name, r in results.items()}
    numbers = range(inputs["first"], inputs["first"] + inputs["count"])
    costs: dict[str, list[float]] = {change: [] for change in inputs["changes"]}
    for number in numbers:
        before, depth = (in_tree(inputs["levels"], number), 3) if inputs["place"] == TREES else (in_ewn(number), inputs["depth"])
        worth = {int(o.move): o.mean for o in searched(before, f"{ENGINE[:-1]}, outlook=true)", depth).outlooks}
        for change, found in costs.items():
            after = in_tree(inputs["levels"], number, change) if inputs["place"] == TREES else Position(ewn(change), before.data)
            move = searched(after, ENGINE, depth).move
            assert move is not None
            lost = max(worth.values()) - worth[int(move)]
            found.append(lost if lost > CLOSE else 0.0)
    return costs


def in_tree(levels: str, seed: int, change: str = "") -> Position:
    """The root of a random tree, its leaves changed or as they are."""
    chance = random.Random(seed)
    leaves = [chance.random() for _ in range(27)]
    if change:
        leaves = [CHANGES[change](v) for v in leaves]
    game = load("trees", tree='[{"chance": [1, 1], "moves": [0.5, 0]}]', low=0.0, high=1.0)
    return game.position(json.dumps(grown(levels, leaves)))


def grown(levels: str, leaves: list[float]) -> Any:
    """Three branches at every level."""
    if not levels:
        return leaves[0]
    third = len(leaves) // 3
    below = [grown(levels[1:], leaves[i * third : (i + 1) * third]) for i in range(3)]
    return {"chance": [1, 1, 1], "moves": below} if levels[0] == "*" else {"player": "+-".index(levels[0]), "moves": below}


def in_ewn(number: int) -> Position:
    """A position in which a player has rolled and has more than one move."""
    position = opening(ewn(""), FEWEST_PLIES + number % DIFFERENT_PLIES, number)
    chance = random.Random(number)
    for _ in range(100):
        if not position.is_chance and len(position.moves) > 1:
            return position
        following = position.play(chance.choice(position.moves))
        position = opening(ewn(""), FEWEST_PLIES, number) if following.is_over else following
    raise KibitzError(f"no position for number {number}: a fault of kibitz")


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:  # noqa: ARG001
    """A row for each place and change."""
    cells: dict[tuple[str, str], list[float]] = {}
    notes = []
    for inputs, result in results:
        if inputs["place"] == FIGURE:
            one, other = result["aima-chance"], result["aima-chance2"]
            notes.append(
                f"figure: leaves 1, 2, 3, 4: move {one['move']}, worth {one['value']:g}; leaves 1, 20, 30, 400: move {other['move']}, worth {other['value']:g}"
            )
            continue
        words = {"+*-": "trees with chance", "+-+": "trees without chance"}
        place = words[inputs["levels"]] if inputs["place"] == TREES else f"EWN, depth {inputs['depth']}"
        for change, costs in result.items():
            cells.setdefault((place, change), []).extend(costs)
    return Summary([row(*cell, costs) for cell, costs in cells.items()], tuple(notes))


def row(place: str, change: str, costs: list[float]) -> Row:
    return {
        "where": place,
        "change": change,
        "number": len(costs),
        "another move %": share(sum(cost > 0.0 for cost in costs), len(costs)).scaled(100.0),
        "costs on average": mean(costs),
        "costs at most": max(costs),
    }


EXPERIMENT = Experiment(
    about="how often a change of evaluation that keeps the order changes the move",
    claim="with chance, [1, 2, 3, 4] and [1, 20, 30, 400] choose different moves: an evaluation must be a linear map of the chance of winning",
    parameters=(
        Parameter("trees", 200, 2, 10**6, None, "random trees, with chance and as many without"),
        Parameter("positions", 100, 2, 10**6, None, "of EinStein würfelt nicht!"),
        Parameter("depths", (1, 2, 3), 1, 8, None, "plies to search there"),
        Parameter("changes", ",".join(CHANGES), None, None, None, f"any of {', '.join(CHANGES)}"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    games=("trees", "ewn"),
    searches=("star2",),
)
