"""Paranoid search (Sturtevant and Korf 2000): all others only try to harm the player who searches; alpha-beta against a coalition.

For games of three players or more, and of two whose interests are not opposite, without chance or hidden information. A proven value is a guarantee: the player gets
at least that, whatever the others do and want, so it is reported as a lower bound, never as exact; max^n never finds less for him, whatever its rule for ties. Opponents with
other aims than to harm him leave him more. Everything that alpha-beta has for two players it has here: windows as deep as the tree, the table, threads, several
lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.core.position.game import Position
from kibitz.core.position.result import Result
from kibitz.searches import deepening
from kibitz.searches.method import Method
from kibitz.searches.multiplayer.coalition import OPTIONS, CoalitionSearch, one_against_all
from kibitz.searches.window import frame

RULE = frame.Rule()


def run(position: Position, settings: Mapping[str, Any], engine: str) -> Iterator[Result]:
    """Ever deeper results; see the module's docstring."""
    return CoalitionSearch(position, settings, engine, deepening.Kernel(frame.root, RULE.options())).results()


METHOD = Method(
    name="paranoid",
    about="one player against all others: a guaranteed value, by alpha-beta",
    options=(*OPTIONS, *deepening.ROOTS),
    unfit=one_against_all,
    run=run,
)
