"""Who wins at equal time, UCT or alpha-beta, game by game: does sampling win where there are many moves to choose from?

Both have the same seconds for every move. UCT plays games out, with the game's own playouts where it has any, and knows no evaluation; alpha-beta has the game's
evaluation, its order of moves and a table. Every opening, a few random moves that decide nothing, is played twice, each side once. How many games are played at
once changes what a second is worth, alike for both. The branching factor is the mean number of legal moves in the positions of the games themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.contest import Contestant, Pairing, play_game
from kibitz.arena.openings import random_openings
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, listed
from kibitz.experiments.statistics import Estimate, score
from kibitz.players import player

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Choice(NamedTuple):
    """A game, and how UCT plays it where nobody says otherwise."""

    game: str
    parameters: dict[str, Any] = {}  # noqa: RUF012
    plies: int = 4  # random moves of an opening
    uct: str = "uct"


WITH_RAVE = "uct(rave=1000, explore=0.1)"  # a stone on a point of Hex is worth much the same whenever it is put there
CHOICES = {
    "kalah": Choice("kalah"),
    "connect4": Choice("connect4"),
    "othello": Choice("othello", plies=6),
    "checkers": Choice("checkers", plies=6),
    "breakthrough": Choice("breakthrough"),
    "go5": Choice("go", {"size": 5, "komi": 24.5}, 2),
    "go7": Choice("go", {"size": 7, "komi": 8.5}),
    "go9": Choice("go", {"size": 9, "komi": 7.5}),
    "hex5": Choice("hex", {"size": 5}, 2, WITH_RAVE),
    "hex7": Choice("hex", {"size": 7}, 2, WITH_RAVE),
    "hex9": Choice("hex", {"size": 9}, 2, WITH_RAVE),
    "hex11": Choice("hex", {"size": 11}, 2, WITH_RAVE),
}
USUAL = "connect4,othello,breakthrough,go5,go7,hex5,hex7,hex11"
UCT, ALPHA_BETA = 0, 1  # the contestants
USUAL_MOVES = 40  # of a game, for the time left


def shards(settings: Settings) -> list[Shard]:
    """A game each."""
    made = []
    for pair in range(settings["pairs"]):
        for name in listed(settings["games"], tuple(CHOICES), "game"):
            for first in (UCT, ALPHA_BETA):
                inputs = {"game": name, "pair": pair, "first": first, "seconds": settings["seconds"], "seed": settings["seed"]}
                inputs |= {"uct": settings["uct"] or CHOICES[name].uct, "alphabeta": settings["alphabeta"]}
                made.append(Shard(inputs, 1.0 + USUAL_MOVES * settings["seconds"]))
    return made


def run(inputs: Inputs) -> dict[str, Any]:
    """Play it: who won, how many moves there were to choose from, and what both spent."""
    choice = CHOICES[inputs["game"]]
    game = load(choice.game, **choice.parameters)
    contestants = (contestant(inputs["uct"], inputs, game), contestant(inputs["alphabeta"], inputs, game))
    opening = random_openings(game, inputs["pair"] + 1, choice.plies, inputs["seed"])[inputs["pair"]]
    found = play_game(Pairing(contestants, inputs["first"], opening, None, inputs["seed"], inputs["pair"], remember=False))
    return {
        "score": found.score,
        "moves": len(found.moves),
        "choices": choices(game, found.moves, len(opening)),
        "nodes": [e.nodes / max(1, e.moves) for e in found.efforts],
        "depth": found.efforts[ALPHA_BETA].depths / max(1, found.efforts[ALPHA_BETA].moves),
        "late": [e.late for e in found.efforts],
    }


def contestant(text: str, inputs: Inputs, game: Game) -> Contestant:
    found = Contestant(player(text, time=inputs["seconds"]), game)
    found.check()
    return found


def choices(game: Game, moves: tuple[str, ...], opening: int) -> float:
    """The mean number of legal moves after the opening; those that only repetition forbids are counted."""
    position, numbers = game.start, []
    for ply, move in enumerate(moves):
        if ply >= opening:
            numbers.append(len(Position(game, position.data).moves))
        position = position.play(move)
    return sum(numbers) / max(1, len(numbers))


# --- summing up ---


class Told(NamedTuple):
    """What the games of one kind come to."""

    game: str
    branching: float
    score: Estimate  # of UCT
    row: Row


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each game, the one with the fewest moves to choose from first."""
    told = tell(settings, results)
    won = [t.game for t in told if t.score.low > 0.5]
    lost = [t.game for t in told if t.score.high < 0.5]
    open_ = [t.game for t in told if t.game not in (*won, *lost)]
    notes = [f"{who}: {', '.join(names)}" for who, names in (("UCT wins", won), ("alpha-beta wins", lost), ("open", open_)) if names]
    return Summary([t.row for t in told], tuple(notes))


def tell(settings: Settings, results: list[Finished]) -> list[Told]:
    found = []
    for name in listed(settings["games"], tuple(CHOICES), "game"):
        mine = [f for f in results if f.inputs["game"] == name]
        pairs: dict[int, list[float]] = {}
        for f in mine:
            pairs.setdefault(f.inputs["pair"], []).append(f.result["score"])
        scores = [sum(both) / 2 for both in pairs.values() if len(both) == 2]
        if scores:
            found.append(row(name, mine, scores))
    return sorted(found, key=lambda t: t.branching)


def row(name: str, mine: list[Finished], scores: list[float]) -> Told:
    """From all games, and the scores of whole pairs."""
    ours = score(scores)
    branching = mean_of([f.result["choices"] for f in mine])
    wins = [sum(f.result["score"] == s for f in mine) for s in (1.0, 0.5, 0.0)]
    cells: Row = {
        "game": name,
        "branching": branching,
        "moves": mean_of([f.result["moves"] for f in mine]),
        "games": len(mine),
        "won": wins[0],
        "drawn": wins[1],
        "lost": wins[2],
        "UCT's score": ours,
        "depth of alpha-beta": mean_of([f.result["depth"] for f in mine]),
        "positions of UCT": mean_of([f.result["nodes"][UCT] for f in mine]),
        "positions of alpha-beta": mean_of([f.result["nodes"][ALPHA_BETA] for f in mine]),
        "late moves": sum(sum(f.result["late"]) for f in mine),
    }
    return Told(name, branching, ours, cells)


def mean_of(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """UCT's score by the branching factor."""
    from kibitz.experiments.drawing import line_with_errors, panels

    told = tell(settings, results)
    (axes,) = panels(figure, 1)
    axes.axhline(0.5, color="#888", linewidth=0.8)
    line_with_errors(axes, [t.branching for t in told], [t.score for t in told], "", linestyle="none", color="C0")
    for t in told:
        axes.annotate(t.game, (t.branching, t.score.value), xytext=(4, 4), textcoords="offset points", fontsize=8)
    axes.set_xscale("log")
    axes.set_ylim(-0.02, 1.05)
    axes.set_xlabel("moves to choose from, on average")
    axes.set_ylabel(f"score of UCT at {settings['seconds']:g} s a move")


EXPERIMENT = Experiment(
    about="UCT against alpha-beta with an evaluation, at equal time, by game and branching factor",
    claim="Monte Carlo tree search wins where there are many moves to choose from (lecture notes; Go and Hex are the usual examples)",
    parameters=(
        Parameter("games", USUAL, None, None, None, f"any of {', '.join(CHOICES)}"),
        Parameter("pairs", 20, 1, 10**4, None, "of games, for each game: one opening, either side"),
        Parameter("seconds", 1.0, 0.001, 1e4, None, "for every move"),
        Parameter("seed", 1, 0, 2**31 - 1, None, "of the openings"),
        Parameter("uct", "", None, None, None, f"the one, as kibitz match takes it; empty: {WITH_RAVE} for Hex, uct for the others"),
        Parameter("alphabeta", "alphabeta", None, None, None, "and the other"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
    games=("kalah", "connect4", "othello", "checkers", "breakthrough", "go", "hex"),
    searches=("uct", "alphabeta"),
)
