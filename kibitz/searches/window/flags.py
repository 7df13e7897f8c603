"""Compile-time options of the window searches and the searches of games with chance, each declared once.

A kernel reads `options.NAME`, the field's name in capitals, as a constant: code behind one that is off is not compiled. A search sets its own
fields; what it does not set follows from the game and the user's settings (`for_game`), or is off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from kibitz.core.position.game import Game
from kibitz.searches.scale import Scale
from kibitz.tables.endgame import lookup


@dataclass(frozen=True)
class WindowFlags:
    """What every search with a window is compiled for."""

    # How values are counted: see kibitz/searches/scale.py.
    sum: float  # what the two players' values add up to
    low: float  # the first player's least value
    high: float  # and greatest
    drawn: float  # a drawn game's
    distance: bool  # a win is worth a step less for every ply it is away
    step: float  # that step
    room: float  # how close to low or high the values of finished games are

    # What the game declares.
    wide_moves: bool  # moves need 64 bits: the table keeps digests of them
    best_case: bool  # it says how much a player can still have
    banked: bool  # it says what a player has got already
    repeats: bool  # positions may come up again

    # The table.
    table: bool  # there is one
    strict: bool  # its entries serve the depth they were stored with, and no other
    deeper: bool  # they serve smaller depths, too

    # Endgame tables: see kibitz/tables/endgame/lookup.py.
    endings: int  # none, of results or of equities
    ranked: bool  # the game numbers their positions

    # Move ordering.
    order: bool  # the game's own order
    killers: bool  # moves that cut at the same ply
    history: bool  # moves that cut often

    # How the tree is searched.
    quiescence: int  # plies to play out noisy moves beyond the horizon
    threads: bool  # several threads share the table
    trace: bool  # visits are recorded
    rooted: bool  # some of the root's moves may be left out: see `frame.list_roots`
    soft: bool = True  # fail-soft: values outside the window are bounds
    twofold: bool = False  # a position of the path that comes up once more counts as repeated
    for_first: bool = False  # the trace shows values and windows of the first player, whoever moves
    coalition: bool = (
        False  # player `w.hero` counts as the first, all others together as the second: see kibitz/searches/multiplayer/coalition.py
    )
    vectors: bool = False  # a position has a value for each player, and the trace keeps them all
    ply_units: int = 1  # parts of a ply that depths count


@dataclass(frozen=True)
class SelectiveFlags:
    """What selective search is compiled for besides: its options by their own names, see kibitz/searches/deterministic/selective.py."""

    beam: int  # moves of a position that are searched; 0: all
    null: int  # plies saved where a skipped turn is good enough; 0: off
    reductions: int  # moves searched in full before late ones are searched less deep; 0: off
    futility: float  # what a quiet move may change, near the horizon; 0: off
    checks: int  # shallow depths that ProbCut tries; 0: off
    singular: float  # by how much a move must be better than all others to be searched deeper; 0: off
    extend: bool  # restless positions are searched deeper
    twofold: bool


@dataclass(frozen=True)
class ChanceFlags:
    """What searches of games with chance are compiled for besides."""

    # What is skipped: see kibitz/searches/chance/tree.py.
    prune: bool  # windows and bounds are used at all
    cuts: bool  # a chance node is left when its bounds are outside the window
    inside: bool  # its outcomes are searched in windows of their own
    probing: bool  # some children of every outcome are searched first

    # Weights of outcomes: see kibitz/searches/chance/expectation.py.
    alike: bool  # the game declares that they are equal
    whole: bool  # that they are whole numbers
    once: bool  # every outcome listed counts once
    equal: bool  # so does every outcome kept: there are no weights
    shares: bool  # they are divided by their sum, so that they are probabilities
    sampled: bool  # they are how often each outcome was drawn
    merge: bool  # outcomes with equal keys are one
    look: bool  # outcomes are looked at before any is searched

    # How far chance is followed: see kibitz/searches/chance/paths.py.
    limited: bool  # there are limits
    skip: bool  # moves that lead to chance beyond them are left out
    chance_last: bool  # moves that lead to chance come last
    deep: int  # plies the workspace has room for

    # Approximations: see kibitz/searches/chance/approximate.py.
    some: bool  # some outcomes stand for all
    glance: bool  # a look at all outcomes comes first
    playouts: bool  # random games come first

    # In place of what every search is compiled for.
    best_case: bool
    deeper: bool


def for_game(game: Game, settings: Mapping[str, Any], scale: Scale, approximate: bool, traced: bool) -> WindowFlags:
    """The flags that follow from the game and from what the user asked for."""
    looked_up = lookup.flags(settings.get("endings"))
    ordered = bool(settings["order"]) and game.defines("order")
    return WindowFlags(
        **scale.flags(),
        wide_moves=game.constants["MOVE"] is np.int64,
        best_case=game.defines("best_case") and not scale.distance,
        banked=game.defines("banked"),
        repeats=game.repeats,
        table=settings["table"] > 0,
        strict=settings["strict"],
        deeper=approximate,
        endings=looked_up["ENDINGS"],
        ranked=looked_up["RANKED"],
        order=ordered,
        killers=_is_on(settings["killers"], ordered),
        history=_is_on(settings["history"], ordered),
        quiescence=settings.get("quiescence", 0),
        threads=settings.get("threads", 1) > 1,
        trace=traced,
        rooted=settings.get("lines", 1) > 1 or bool(settings.get("only")),
    )


def as_options(flags: Any) -> dict[str, Any]:
    """A record of flags as the binder wants them: by their names in capitals."""
    return {field.name.upper(): getattr(flags, field.name) for field in fields(flags)}


def _is_on(setting: str, ordered: bool) -> bool:
    """on, off, or auto: where the game gives no order of its own."""
    return setting == "on" or (setting == "auto" and not ordered)
