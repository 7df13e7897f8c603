"""The shell around `tree`: options, the games that fit, and searches of one family made from a few switches.

The searches differ in what they skip, never in what they find: see kibitz/searches/chance/tree.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kibitz.core.compiling.binder import Bound
from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Outlook, Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.core.protocol.rules import GENERAL, UNIFORM, WEIGHTED
from kibitz.core.running.control import supervise
from kibitz.searches import deepening
from kibitz.searches.chance import approximate, expectation, faults, outlook, paths, sampling, tree
from kibitz.searches.deepening import Found
from kibitz.searches.method import Method, open_to_all
from kibitz.searches.window import node
from kibitz.searches.window.flags import ChanceFlags, as_options
from kibitz.tables.endgame import lookup

LIMITS = (
    Parameter("last", 0, 0, 256, None, "chance nodes with fewer plies left than this are evaluated, not searched"),
    Parameter("chances", 0, 0, 256, None, "most chance nodes on a path; further ones are evaluated; 0: any number"),
    Parameter("apart", 0, 0, 256, None, "fewest moves between two chance nodes; one that comes sooner is evaluated"),
    Parameter(
        "beyond",
        "evaluate",
        None,
        None,
        ("evaluate", "skip"),
        "skip: leave out moves to chance nodes that these limits exclude, if there are others",
    ),
)
ORDER = Parameter("chance_last", False, None, None, None, "try moves that lead to chance nodes after the others")
MERGE = Parameter("merge", True, None, None, None, "search outcomes that lead to the same position once")
PROBES = (
    Parameter("probe", 1, 0, 1 << 16, None, "children of every outcome to probe before any is searched in full; 0: none, which is star1"),
    Parameter(
        "probing", "cyclic", None, None, ("cyclic", "sequential"), "probe one child of each outcome in turn, or all of one outcome first"
    ),
)
RISK = (
    Parameter(
        "outlook", False, None, None, None, "report the distribution of results of each move: mean, spread, chances of winning and losing"
    ),
    Parameter(
        "risk",
        outlook.NEUTRAL,
        None,
        None,
        (outlook.NEUTRAL, outlook.HOPE, outlook.SAFETY, outlook.BOTH),
        "neutral: the best mean; hope: the best chance of winning when behind; safety: the least chance of losing when ahead; both",
    ),
    Parameter("margin", 0.05, 0.0, 1.0, None, "how much of the mean hope and safety may cost, as a fraction of the range of values"),
)
SAME = 1e-9  # between two ways to add up the same mean
CIRCLING = "what may come of the moves is not told: the first of the best ones lead round in circles"
PLAIN = {"table": 0.0, "order": False, "killers": "off", "history": "off", "strict": True, "merge": False}
# A mean has no distance to the end.
SHARED = (*LIMITS, ORDER, *sampling.OPTIONS, *RISK, *(p for p in deepening.OPTIONS if p.name not in ("distance", "threads")))

# What each member of the family skips: see `tree`.
SWITCHES = {
    "expectiminimax": {"prune": False, "cuts": False, "inside": False},
    "star0": {"prune": True, "cuts": False, "inside": False},
    "star05": {"prune": True, "cuts": True, "inside": False},
    "star1": {"prune": True, "cuts": True, "inside": True},
    "star2": {"prune": True, "cuts": True, "inside": True},
    "star25": {"prune": True, "cuts": True, "inside": True},
}


def chance_and_opposite_interests(game: Game) -> str | None:
    """For searches of games with chance: two players whose gain is the other's loss, or one against chance."""
    if (reason := open_to_all(game)) is not None:
        return reason
    if not game.has_chance:
        return "it has no chance"
    if game.players > 2:
        return f"it has {game.players} players, not one or two"
    if game.players == 2 and game.constants["SUM"] is None:
        return "its players' interests are not opposite (SUM = None)"
    return None


class Search(deepening.Search):
    """A search of a position with chance, which may be a chance node itself: then there is a value, the first player's, and no move."""

    def __init__(self, position: Position, settings: Mapping[str, Any], engine: str, name: str) -> None:
        constants = position.game.constants
        if name == "expectiminimax":
            settings = {**settings, **PLAIN}
        probes = min(int(settings.get("probe", 0)), constants["MAX_MOVES"])
        extra = {
            **expectation.fields(constants, _room(probes)),
            **faults.fields(constants),
            **paths.fields(constants),
            **outlook.fields(),
            **approximate.fields(constants),
            **sampling.fields(constants),
        }
        flags = _chosen(position.game, settings, {**SWITCHES[name], "probing": probes > 0})
        chosen = {**as_options(flags), **tree.RULE.options()}
        guess = settings.get("approximate", approximate.NONE) != approximate.NONE
        inexact = guess or flags.sampled
        kernel = deepening.Kernel(tree.root, chosen, extra, approximate=inexact, omits=flags.skip)
        super().__init__(position, {**settings, "distance": "off"}, engine, kernel)
        sampling.begin(self.w, settings)
        self.w.probes, self.w.cyclic = probes, settings.get("probing", "cyclic") == "cyclic"
        self.w.last, self.w.most, self.w.apart = settings["last"], settings["chances"], settings["apart"]
        if guess:
            approximate.begin(self.w, settings)
        self.outlooks: tuple[Outlook, ...] = ()  # of the deepest search that was finished
        self.interrupted = False  # telling them
        self.circling = False  # the value is known, but of equally good moves the first ones lead round in circles and never to it
        self.cautious = settings["risk"] != outlook.NEUTRAL
        wanted = (settings["outlook"] or self.cautious) and not position.is_chance
        self.teller = self._bound(outlook.root) if wanted else None

    def value(self, depth: int, window: tuple[float, float] | None = None) -> float:
        found = super().value(depth, window)
        faults.raise_any(self.w, self.position)
        return found

    def _finished(self, depth: int) -> tuple[Found | None, str]:
        found, ended = super()._finished(depth)
        faults.raise_any(self.w, self.position)
        if found and self.teller:
            told = self._told(depth, self.teller)
            value = self.scale.outward(found.value, self.view)
            if found.solved and _differ(told, value):  # solved by what the table knows of deeper plies
                told = self._told(node.plies(self.position.game.constants), self.teller)
                self.circling = _differ(told, value)
                told = () if self.circling else told
            if not told and self.cautious and not self.circling:  # the move is chosen by what may come of it: this depth is not finished
                return None, self._reason(self.interrupted)
            self.outlooks = told
        return found, ended

    def _prepare(self) -> None:
        super()._prepare()
        if self.teller:
            self.teller.prepare(self.w, self.arrays, 1, 0)

    def _told(self, depth: int, teller: Bound) -> tuple[Outlook, ...]:
        """What may come of each move; nothing, where a limit came first."""
        told, total = [], float(self.position.game.constants["SUM"] or 0.0)
        for move in self.position.moves:
            run = supervise(teller, self.w, self.arrays, depth, int(move), control=self.w.control, seconds=self._left())
            self.interrupted = run.interrupted
            faults.raise_any(self.w, self.position)
            if self.w.control.nodes >= self.w.control.limit:
                return ()
            told.append(outlook.outlook(self.w.tally, move, self.position.player, total))
        return tuple(told)

    def _answer(self, found: Found, ended: str) -> Result:
        result = super()._answer(found, ended)
        if self.made_of.approximate:
            result = replace(result, note=lookup.noted("; ".join(self._notes()), self.endings, result.hits))
        if not self.outlooks:
            return replace(result, note="; ".join(n for n in (result.note, CIRCLING) if n)) if self.circling else result
        if self.cautious:
            low, high = (self.scale.outward(edge, self.view) for edge in self.scale.edges(self.view))
            liked = outlook.chosen(self.outlooks, self.settings["risk"], self.settings["margin"] * (high - low), 0.5 * (low + high))
            if liked.move != result.move:
                said = f"{self.settings['risk']}: {liked.move}, worth {liked.mean:.6g} on average, in place of {result.move}"
                result = replace(result, move=liked.move, line=(liked.move,), note="; ".join(n for n in (result.note, said) if n))
        return replace(result, outlooks=self.outlooks)

    def _notes(self) -> list[str]:
        """Why the value is no more than an estimate."""
        sample, guess = self.settings["sample"], self.settings.get("approximate", approximate.NONE)
        drawn = [sampling.note(sample)] if sample else []
        return drawn if guess == approximate.NONE else [*drawn, approximate.note(guess, self.settings["confidence"])]

    def _nothing_yet(self) -> Found:
        if not self.position.is_chance:
            return super()._nothing_yet()
        return Found(0, float(self.position.game.rule("evaluate")(self.position.state, 0)), (), False)


def _differ(told: tuple[Outlook, ...], value: float) -> bool:
    """Is the best of these means another than the value?"""
    return bool(told) and not math.isclose(max(o.mean for o in told), value, abs_tol=SAME)


@dataclass(frozen=True)
class Running:
    """`run` of the member of the family that bears this name. Other processes can be sent it and it arrives as equal, which no function made here would."""

    name: str

    def __call__(self, position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
        return Search(position, settings, engine, self.name).results()


def searching(name: str) -> Running:
    """For the METHOD of that name."""
    return Running(name)


def method(name: str, about: str, options: tuple[Parameter, ...]) -> Method:
    """A Star search, which is exact to its depth."""
    return Method(name, about, options, chance_and_opposite_interests, searching(name), endings=True)


def _room(probes: int) -> int:
    """Room for the probes: one of a few sizes, so that few are compiled."""
    return next((room for room in (0, 4, 32, 1024) if probes <= room), probes)


def _chosen(game: Game, settings: Mapping[str, Any], switches: Mapping[str, bool]) -> ChanceFlags:
    """All compile-time options of `tree` but those that every search has."""
    constants = game.constants
    kind = constants["CHANCE_KIND"]
    apart = game.defines("banked") or (game.repeats and game.defines("situation"))
    merge = bool(settings.get("merge", False)) and not apart  # equal keys are equal values only without that
    table, guess = settings["table"] > 0, settings.get("approximate", approximate.NONE)
    sampled = settings["sample"] > 0
    return ChanceFlags(
        **switches,
        best_case=game.defines("best_case") and game.players == 2,  # what one can still have bounds the other
        deep=node.plies(constants),
        alike=kind == UNIFORM,
        whole=kind == WEIGHTED,
        once=kind == UNIFORM and not sampled,
        equal=kind == UNIFORM and not merge and not sampled,
        shares=kind == GENERAL and not sampled,
        sampled=sampled,
        deeper=guess != approximate.NONE,  # a sample is the same at every depth: values of other depths are other values
        merge=merge,
        look=switches["prune"] and (merge or table or switches["probing"] or settings.get("endings") is not None),
        limited=settings["last"] > 0 or settings["chances"] > 0 or settings["apart"] > 0,
        skip=settings["beyond"] == "skip",
        chance_last=settings.get("chance_last", False),
        some=guess == approximate.SOME,
        glance=guess == approximate.LOOK,
        playouts=guess == approximate.PLAYOUTS,
    )
