"""Which method for which claim: PN-search, PN^2, df-pn, the solver and alpha-beta on the same claims, by positions visited, processor time and memory.

A claim is proven or disproven, or a method has spent its positions or its memory first. The three proof-number searches answer the question that is asked. The
solver and alpha-beta find what the position is worth, which is more: a win, a draw or a loss, and alpha-beta how soon. Within so many plies ("mate in 4") they search as many plies deep,
where they can: the solver cannot, in games whose positions may repeat.

Memory is what was in use at the end: nodes of the tree, or entries of the table. Processor time is measured when everything is compiled; that of a claim in a game whose positions may repeat
includes the walk through the strategy, without which nothing is called proven there.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.core.errors import KibitzError
from kibitz.core.position.game import Position
from kibitz.core.position.loading import load
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Row, Settings, Shard, Summary, split_list
from kibitz.experiments.workloads import require_complete
from kibitz.players import player
from kibitz.searches.proof.prove import prove
from kibitz.tables.proof.claim import DISPROVEN, PROVEN, UNKNOWN, claimed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Asked(NamedTuple):
    """A claim, and what is known of it from elsewhere."""

    truth: str
    game: str
    parameters: dict[str, Any] = {}  # noqa: RUF012
    position: str = ""  # moves from the start, or a board
    goal: str = "win"
    within: int = 0
    leaf: str = "one"  # of the proof-number searches
    cost: float = 1.0  # seconds, by all methods


CLAIMS = {
    "mnk 4x3x3": Asked(PROVEN, "mnk", {"m": 4}),
    "mnk 4x4x4": Asked(DISPROVEN, "mnk", {"m": 4, "n": 4, "k": 4}, cost=6),
    "hex 4x4": Asked(PROVEN, "hex", {"size": 4}),
    "breakthrough 4x4": Asked(PROVEN, "breakthrough", {"rows": 4, "columns": 4}),
    "bulky five": Asked(PROVEN, "go_problem", {}, "bulky-five", leaf="moves"),
    "mate in 4": Asked(PROVEN, "chess", {}, "8/8/5pp1/6k1/6p1/6K1/8/7Q w - - 0 1", within=7, leaf="moves"),
    "mate in 5": Asked(PROVEN, "chess", {}, "6K1/8/6kp/8/7B/6N1/5P2/8 w - - 0 1", within=9, leaf="moves"),
    "antichess 1. d4": Asked(PROVEN, "antichess", {}, "d4", within=40, leaf="moves"),
}
PROVERS = ("pn", "pn2", "dfpn")
SOLVER, ALPHA_BETA = "solver", "alphabeta"
METHODS = (*PROVERS, SOLVER, ALPHA_BETA)
PLAYERS = {SOLVER: "solver(distance=off, table={memory})", ALPHA_BETA: "alphabeta(table={memory})"}
UNFIT = "does not fit"


def shards(settings: Settings) -> list[Shard]:
    """One claim by one method."""
    limits = {"nodes": settings["nodes"], "memory": settings["memory"]}
    return [
        Shard({"claim": name, "method": method, **limits}, CLAIMS[name].cost / len(METHODS))
        for name in split_list(settings["claims"], tuple(CLAIMS), "claim")
        for method in split_list(settings["methods"], METHODS, "method")
    ]


def run(inputs: Inputs) -> dict[str, Any]:
    """Verdict, positions visited, seconds of the processor and megabytes in use."""
    asked = CLAIMS[inputs["claim"]]
    position = load(asked.game, **asked.parameters).position(asked.position)
    proves = inputs["method"] in PROVERS
    answer = by_proof_numbers if proves else by_value
    answer(position, asked, {**inputs, "nodes": 1})  # compiles
    if proves and position.game.repeats:
        answer(position, asked._replace(goal="not lose", within=1), inputs)  # the walk through a strategy, too
    began = time.process_time()
    found = answer(position, asked, inputs)
    if found["verdict"] not in (asked.truth, UNKNOWN):
        raise KibitzError(f"{inputs['method']} calls '{inputs['claim']}' {found['verdict']}: a fault of kibitz")
    return {**found, "seconds": time.process_time() - began}


def by_proof_numbers(position: Position, asked: Asked, inputs: Inputs) -> dict[str, Any]:
    found = prove(
        position,
        asked.goal,
        within=asked.within,
        method=inputs["method"],
        leaf=asked.leaf,
        memory=inputs["memory"],
        nodes=inputs["nodes"],
    )
    if found.ended == "interrupted":
        raise KeyboardInterrupt
    return {"verdict": found.verdict, "ended": found.ended, "nodes": found.nodes, "megabytes": found.megabytes}


def by_value(position: Position, asked: Asked, inputs: Inputs) -> dict[str, Any]:
    """The claim by what the position is worth to its mover."""
    chosen = player(PLAYERS[inputs["method"]].format(memory=inputs["memory"]), nodes=inputs["nodes"])
    if chosen.method.unfit(position.game) is not None:
        return {"verdict": UNKNOWN, "ended": UNFIT, "nodes": 0, "megabytes": 0.0}
    if asked.within:
        chosen = chosen.limited(depth=asked.within)
    *_, found = chosen.run(position, {})
    require_complete(found)
    threshold, verdict = claimed(position, asked.goal).threshold, UNKNOWN
    if found.bound != "estimate":
        low = found.value if found.bound != "upper" else -1e9
        high = found.value if found.bound != "lower" else 1e9
        soon = not asked.within or (found.distance is not None and found.distance <= asked.within)
        verdict = PROVEN if low >= threshold and soon else DISPROVEN if high < threshold and not asked.within else UNKNOWN
    ended = "solved" if verdict != UNKNOWN else found.ended
    return {"verdict": verdict, "ended": ended, "nodes": found.nodes, "megabytes": (found.full or 0.0) * inputs["memory"]}


# --- summing up ---


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    """A row for each claim and method."""
    rows = [row(f) for f in results]
    return Summary(rows, tuple(notes(settings, results)))


def row(finished: Finished) -> Row:
    inputs, found = finished
    fits, solved = found["ended"] != UNFIT, found["verdict"] != UNKNOWN
    return {
        "claim": inputs["claim"],
        "method": inputs["method"],
        "verdict": found["verdict"] if solved else None if fits else UNFIT,
        "ended by": None if solved or not fits else found["ended"],
        "nodes": found["nodes"] if fits else None,
        "CPU s": float(f"{found['seconds']:.3g}") if fits else None,
        "MB": float(f"{found['megabytes']:.3g}") if fits else None,
    }


def notes(settings: Settings, results: list[Finished]) -> list[str]:
    """How many claims each method has settled, and where it visited the fewest positions."""
    asked, said = split_list(settings["claims"], tuple(CLAIMS), "claim"), []
    fewest: dict[str, str] = {}
    for name in asked:
        took = {f.inputs["method"]: f.result["nodes"] for f in results if f.inputs["claim"] == name and f.result["verdict"] != UNKNOWN}
        if took:
            fewest[name] = min(took, key=lambda method: took[method])
    for method in split_list(settings["methods"], METHODS, "method"):
        found = [f for f in results if f.inputs["method"] == method and f.result["ended"] != UNFIT]
        solved, first = sum(f.result["verdict"] != UNKNOWN for f in found), [n for n, m in fewest.items() if m == method]
        said.append(f"{method}: {solved} of {len(found)} claims settled; fewest positions in {', '.join(first) or 'none'}")
    return said


def plot(figure: Figure, settings: Settings, results: list[Finished]) -> None:
    """Positions that each method visits for each claim; nothing stands where a claim was not settled."""
    asked, methods = split_list(settings["claims"], tuple(CLAIMS), "claim"), split_list(settings["methods"], METHODS, "method")
    axes = figure.subplots()
    for number, method in enumerate(methods):
        took = {f.inputs["claim"]: f.result for f in results if f.inputs["method"] == method and f.result["verdict"] != UNKNOWN}
        places = [i for i, name in enumerate(asked) if name in took]
        marks = "ov^sD"[number % 5]
        axes.plot([took[asked[i]]["nodes"] for i in places], places, linestyle="none", marker=marks, label=method, color=f"C{number}")
    axes.set(xscale="log", xlabel="positions visited", yticks=range(len(asked)))
    axes.set_yticklabels(asked)
    axes.invert_yaxis()
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small")


ABOUT = "PN-search, PN^2, df-pn, the solver and alpha-beta on the same claims"
CLAIM = "proof-number searches are for claims about unbalanced trees, a table for games in which many lines meet (Allis 1994, Nagai 2002)"
PARAMETERS = (
    Parameter("claims", ",".join(CLAIMS), None, None, None, "which"),
    Parameter("methods", ",".join(METHODS), None, None, None, f"any of {', '.join(METHODS)}"),
    Parameter("nodes", 20_000_000, 1, 10**12, None, "positions that a method may visit for a claim"),
    Parameter("memory", 64, 1, 1 << 20, None, "megabytes, for the tree or the table; a power of two"),
)

EXPERIMENT = Experiment(
    ABOUT,
    CLAIM,
    PARAMETERS,
    shards,
    run,
    summarise,
    plot,
    games=tuple(sorted({asked.game for asked in CLAIMS.values()})),
    searches=(SOLVER, ALPHA_BETA),
)
