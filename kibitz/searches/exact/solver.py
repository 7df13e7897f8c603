"""Solve: the exact value by null windows alone, read to the end of the game.

Exact for two-player games of opposite interests without chance whose values have a grain and whose positions cannot repeat; players need not alternate. There
is no evaluation and no growing depth: each search answers one question, "is it worth at least this?", and what the table then knows of bounds serves all later
questions. Where games are won, drawn or lost: who wins, then how soon, by halves. Where they are played for points: from a first guess outwards, then by
halves. The interval that the value is known to lie in is a true answer at any time (Pearl 1980 calls the question TEST; that a value can be found by such questions alone is MTD's
idea, Plaat and others 1996; bisection with exact scores as in P. Pons's solver for Connect Four).

A win that is near would be found late by a search that reads to the end. So the question of who wins gets a number of nodes at a time, and in turn, with a part
of those, it is asked whether somebody wins within 1, 2, 3, ... plies.

What a game can tell (all optional, see docs/solving.md): `candidates`, `best_case`, `soonest`, `latest`, `finish`, `solving_order`, `canonical`, and in SOLVING which options pay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.game import Game, Position
from kibitz.core.position.result import Result
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.exact.interval import why_uncountable
from kibitz.searches.exact.solve_run import Solve
from kibitz.searches.method import WITHOUT_DEPTH, Method, opposite_interests
from kibitz.searches.window import threads

OPTIONS = (
    Parameter("table", 64.0, 0.0, 1 << 20, None, "transposition table in megabytes; 0: none"),
    Parameter("order", True, None, None, None, "try moves in the game's own order: `solving_order`, or `order`"),
    Parameter(
        "replies", "auto", None, None, ("auto", "on", "off"), "try moves that leave few replies first; auto: if the game gives no order"
    ),
    Parameter(
        "killers", "auto", None, None, ("auto", "on", "off"), "try moves first that caused cutoffs at the same ply; auto: as `replies`"
    ),
    Parameter("history", "auto", None, None, ("auto", "on", "off"), "try moves first that often caused cutoffs; auto: as `replies`"),
    Parameter("knowledge", True, None, None, None, "use the game's hints: candidates, best_case, soonest, latest, finish"),
    Parameter(
        "symmetry", "auto", None, None, ("auto", "on", "off"), "one table entry for all mirror images; auto: if SOLVING has `mirrored`"
    ),
    Parameter(
        "children",
        -1,
        -1,
        1 << 20,
        None,
        "plies left from which children are looked up before any is searched; -1: as SOLVING says, or never",
    ),
    Parameter("stored", -1, -1, 1 << 20, None, "plies left from which the table is used; -1: as SOLVING says, or always"),
    Parameter("ordered", -1, -1, 1 << 20, None, "plies left from which moves are ordered; -1: as SOLVING says, or always"),
    Parameter(
        "distance", "auto", None, None, ("auto", "on", "off"), "find the distance to the end; auto: in games that are won, drawn or lost"
    ),
    Parameter("soon", True, None, None, None, "check now and then for a quick win"),
    Parameter("guess", "", None, None, None, "first guess of a score; none: half-way, or what `evaluate` says"),
    threads.OPTION,
    Parameter("all", False, None, None, None, "the exact value of every move"),
    Parameter("resume", "", None, None, None, "file for the table and the proven bounds, from which an unfinished solve is resumed"),
    Parameter("saving", 300.0, 0.0, 1e9, None, "seconds between two savings, with `resume`"),
)


def unfit(game: Game) -> str | None:
    """Why a game is of the wrong kind."""
    if (reason := opposite_interests(game)) is not None:
        return reason
    if game.repeats:
        return "its positions may repeat, and what they are worth then depends on the way there"
    return why_uncountable(game)


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever closer intervals; see the module's docstring."""
    return Solve(position, settings, engine).results()


METHOD = Method(
    "solver", "the exact value, by null windows to the end of the game; no evaluation", OPTIONS, unfit, run, WITHOUT_DEPTH, endings=True
)
