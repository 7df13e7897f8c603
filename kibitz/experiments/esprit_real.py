"""Does ESPRIT beat PUCT in real games as it does on simulated trees (Jones 2021)? Matches at equal evaluations.

Both have the same evaluation, and the same policy made of it: a move is likely in proportion to exp(10 v), v being the value of the position after it, from 0
to 1, as the paper's policies are. Evaluations that count pawns or discs become chances by the odds they stand for. Games come in pairs from random
openings, all of them different, each side having each colour once. ESPRIT has the paper's parameters; PUCT's c0 is sqrt(moves) / 2, which the paper found to be about the best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.arena.contest import Contestant, play_pair
from kibitz.arena.openings import random_openings
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.statistics import Estimate, score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Typical numbers of moves give c0; `odds` is what the evaluation has for odds of e to 1, 0 where it is in proportion to the chance of winning.
GAMES: dict[str, dict[str, Any]] = {
    "connect4": {"c0": 1.3, "odds": 0.0, "plies": 4, "cost": 0.05},
    "othello": {"c0": 1.6, "odds": 8.0, "plies": 6, "cost": 0.5},
    "breakthrough": {"c0": 2.3, "odds": 0.0, "plies": 6, "cost": 0.7},
    "chess": {"c0": 3.0, "odds": 1.74, "plies": 6, "cost": 4.0},
}
SHARD = 5  # pairs of games


def shards(settings: Settings) -> list[Shard]:
    """Some pairs at a time."""
    return [
        Shard(
            {
                "game": name,
                "playouts": playouts,
                "c0": settings["c0"] or GAMES[name]["c0"],
                "sigma": settings["sigma"],
                "seed": settings["seed"],
                "first": first,
                "count": count,
            },
            count * GAMES[name]["cost"] * (0.2 + playouts / 400),
        )
        for name in listed(settings["games"], tuple(GAMES), "game")
        for playouts in settings["playouts"]
        for first in range(0, settings["pairs"], SHARD)
        if (count := min(SHARD, settings["pairs"] - first))
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """ESPRIT's score in each pair of games, from 0 to 1, and how many games were won, drawn and lost."""
    game, of = load(inputs["game"]), GAMES[inputs["game"]]
    usual = f"playouts={inputs['playouts']}, policy=evaluate, sharp=10, odds={of['odds']}, memory=64"
    one, two = f"esprit({usual}, sigma={inputs['sigma']})", f"puct({usual}, c0={inputs['c0']})"
    contestants = Contestant.of(one, game), Contestant.of(two, game)
    last = inputs["first"] + inputs["count"]
    openings = random_openings(game, last, of["plies"], inputs["seed"])  # one list for all shards, so that no two pairs have the same
    found: dict[str, Any] = {"pairs": [], "games": [0, 0, 0]}
    for pair in range(inputs["first"], last):
        scores = [game.score for game in play_pair(contestants, openings[pair], inputs["seed"], pair, remember=False)]
        found["pairs"].append(sum(scores) / 2)
        found["games"] = [n + scores.count(result) for n, result in zip(found["games"], (1.0, 0.5, 0.0), strict=True)]
    return found


def summarise(settings: Settings, results: list[Finished]) -> Summary:  # noqa: ARG001
    """A row for each game and number of playouts."""
    cells: dict[tuple[str, int], list[Any]] = {}
    for inputs, result in results:
        cells.setdefault((inputs["game"], inputs["playouts"]), []).append(result)
    rows = [row(*cell, found) for cell, found in cells.items()]
    return Summary(rows, tuple(verdict(r) for r in rows))


def row(name: str, playouts: int, found: list[Any]) -> Row:
    pairs = [score for result in found for score in result["pairs"]]
    wins, draws, losses = (sum(result["games"][i] for result in found) for i in range(3))
    return {
        "game": name,
        "playouts": playouts,
        "pairs": len(pairs),
        "ESPRIT's score %": score(pairs).scaled(100.0),
        "won": wins,
        "drawn": draws,
        "lost": losses,
    }


def verdict(r: Row) -> str:
    ours = r["ESPRIT's score %"]
    assert isinstance(ours, Estimate)
    said = "ESPRIT is better" if ours.low > 50.0 else "PUCT is better" if ours.high < 50.0 else "undecided"
    return f"{r['game']}, {r['playouts']} evaluations a move: {said}"


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """ESPRIT's score by playouts, a line for each game."""
    from kibitz.experiments.drawing import label_all, line_with_errors, panels

    (axes,) = panels(figure, 1)
    rows = summarise(settings, results).rows
    for number, name in enumerate(dict.fromkeys(str(r["game"]) for r in rows)):
        some = [r for r in rows if r["game"] == name]
        xs: list[Any] = [r["playouts"] for r in some]
        line_with_errors(axes, xs, [r["ESPRIT's score %"] for r in some], name, color=f"C{number}")
    axes.axhline(50.0, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    label_all(figure, "evaluations a move", "ESPRIT's score against PUCT, %")


EXPERIMENT = Experiment(
    about="ESPRIT against PUCT in real games",
    claim="ESPRIT's advantage on simulated trees may or may not carry over to real games and evaluations (Jones 2021, section 5.1)",
    parameters=(
        Parameter("games", "connect4,othello,breakthrough", None, None, None, f"any of {', '.join(GAMES)}"),
        Parameter("pairs", 50, 2, 10**6, None, "of games, for each game and number of playouts"),
        Parameter("playouts", (100, 400, 1600), 1, 10**6, None, "evaluations a move, for both sides"),
        Parameter("c0", 0.0, 0.0, 1e6, None, "PUCT's; 0: about sqrt(moves) / 2"),
        Parameter("sigma", 0.07, 1e-6, 1e6, None, "ESPRIT's"),
        Parameter("seed", 1, 0, 2**31 - 1, None, "of the openings"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=tuple(GAMES),
    searches=("esprit", "puct"),
    pace=1.0,
)
