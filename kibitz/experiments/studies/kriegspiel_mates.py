"""Kings that nobody sees: from how many beliefs of one or two squares can White be sure to mate with a queen or a rook, and in how many moves?

White has a king and a queen, or a king and a rook; Black has a king, on one of at most `squares` squares, and White is to move. Every such belief is put to AND-OR search over beliefs
(kibitz/searches/belief) for one own move, two, ..., tries included; without the rule of fifty moves. Boards that are the same by symmetry are looked at once: White's king stands in a triangle
of ten squares, and what is found counts four times or eight.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import InputError
from kibitz.core.hidden.view import state_array
from kibitz.core.position.game import Game
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary
from kibitz.searches.belief.guarantee import OutOfMemory, Seeker
from kibitz.searches.belief.seeing import WON

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = {"KQK": "Q", "KRK": "R"}
TRIANGLE = [(row, column) for column in range(4) for row in range(column + 1)]  # a1, b1, b2, ..., d4
MEMORY = 2000.0  # MB; then what was found so far is forgotten

_seekers: dict[str, Seeker] = {}  # what was found in this process: it is the same for every shard


def shards(settings: Settings) -> list[Shard]:
    """For each ending and each square of the king, a row of the board for the other man."""
    return [
        Shard({"ending": ending, "king": f"{'abcd'[column]}{row + 1}", "row": man, "squares": settings["squares"], "moves": settings["moves"]}, 2.0 ** settings["moves"])
        for ending in settings["endings"].split("+")
        for row, column in TRIANGLE
        for man in range(1, 9)
    ]  # fmt: skip


def run(inputs: Inputs) -> dict[str, Any]:
    """For each number of squares: how many beliefs there are, and how many are sure within 1, 2, ... moves."""
    game = load("kriegspiel", draws=False)
    sizes = range(1, inputs["squares"] + 1)
    column, row = "abcdefgh".index(inputs["king"][0]), int(inputs["king"][1]) - 1
    beliefs, sure = dict.fromkeys(sizes, 0), {size: [0] * inputs["moves"] for size in sizes}
    for place in range(8):
        boards = list(positions(game, ENDINGS[inputs["ending"]], (row, column), (inputs["row"] - 1, place)))
        within: dict[tuple[bytes, ...], int] = {}
        for chosen in (some for size in sizes for some in itertools.combinations(boards, size)):
            beliefs[len(chosen)] += 1
            parts = [within.get(part) for part in itertools.combinations(chosen, len(chosen) - 1)] if len(chosen) > 1 else [1]
            if None in parts or (found := least(game, inputs["ending"], chosen, max(p or 1 for p in parts), inputs["moves"])) is None:
                continue  # what is sure of some squares is sure of fewer of them, too
            within[chosen] = found
            sure[len(chosen)][found - 1] += 1
    return {"weight": 4 if row == column else 8, "sizes": {str(size): {"beliefs": beliefs[size], "sure": sure[size]} for size in sizes}}


def positions(game: Game, man: str, king: tuple[int, int], other: tuple[int, int]) -> Any:
    """The records of all positions with these men of White's, wherever Black's king may stand."""
    for square in range(64):
        board = [["1"] * 8 for _ in range(8)]
        for (row, column), letter in ((divmod(square, 8), "k"), (other, man), (king, "K")):
            board[7 - row][column] = letter
        if sum(letter != "1" for line in board for letter in line) < 3:
            continue
        try:
            yield game.position("/".join("".join(line) for line in board) + " w - - 0 1").data
        except InputError:  # Black would be in check, or next to the other king
            continue


def least(game: Game, ending: str, records: tuple[bytes, ...], first: int, moves: int) -> int | None:
    """In how many moves White is sure to mate, which are no fewer than `first`; None where they are more than `moves`."""
    for within in range(first, moves + 1):
        if _ask(game, ending, records, within) == WON:
            return within
    return None


def _ask(game: Game, ending: str, records: tuple[bytes, ...], within: int) -> int:
    """One question; with an empty memory where the one there is has no more room."""
    while True:
        seeker = _seekers.get(ending) or _seekers.setdefault(ending, Seeker(game, 0, game.constants["VALUES"][1], MEMORY))
        try:
            return seeker.ask(seeker.node(state_array(game, records)), within)
        except OutOfMemory:
            if _seekers.pop(ending) and seeker.w.nodes <= 1:
                raise InputError(f"a belief of {ending} needs more than {MEMORY:g} MB; ask for fewer moves") from None


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each ending and number of squares: how many beliefs are sure within each number of moves."""
    totals: dict[tuple[str, int], list[int]] = {}
    for inputs, result in results:
        for size, tally in result["sizes"].items():
            total = totals.setdefault((inputs["ending"], int(size)), [0] * (settings["moves"] + 1))
            for i, n in enumerate((tally["beliefs"], *tally["sure"])):
                total[i] += result["weight"] * n
    rows = [_row(ending, size, total) for (ending, size), total in sorted(totals.items())]
    done, wanted = len(results), len(shards(settings))
    part = "all boards" if done == wanted else f"{done} of {wanted} parts of the board so far"
    return Summary(rows, (f"{part}; what is not sure within {settings['moves']} moves may be in more",))


def _row(ending: str, size: int, total: list[int]) -> Row:
    found: Row = {"ending": ending, "squares": size, "beliefs": total[0]}
    so_far = 0
    for within, n in enumerate(total[1:], 1):
        so_far += n
        found[f"in {within}"] = so_far
    return {**found, "sure %": 100.0 * so_far / total[0] if total[0] else None}


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """The share of beliefs that are sure, by the number of moves."""
    axes = figure.subplots()
    for row in summarise(settings, results).rows:
        counts = [row[f"in {n}"] for n in range(1, settings["moves"] + 1)]
        shares = [100.0 * int(str(c)) / int(str(row["beliefs"])) for c in counts]
        axes.plot(
            range(1, settings["moves"] + 1),
            shares,
            "o-",
            markersize=4,
            label=f"{row['ending']}, {row['squares']} square{'s' if row['squares'] != 1 else ''}",
        )
    axes.set(xlabel="White's own moves", ylabel="beliefs that are sure, %", title="mates of a king that nobody sees")
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(frameon=False, fontsize=8)


ABOUT = "Kriegspiel: from how many beliefs of one or two squares is a mate with queen or rook sure?"
CLAIM = "a strategy that wins for certain is found by AND-OR search over beliefs (Russell and Wolfe 2005); how many beliefs have one is counted here"
PARAMETERS = (
    Parameter("endings", "KQK+KRK", None, None, ("KQK+KRK", "KQK", "KRK"), "White's men and Black's king"),
    Parameter("squares", 2, 1, 3, None, "on which Black's king may stand, at most"),
    Parameter("moves", 5, 1, 40, None, "of White's own, tries included"),
)

EXPERIMENT = Experiment(ABOUT, CLAIM, PARAMETERS, shards, run, summarise, plot, ("kriegspiel",), ("andor",))
