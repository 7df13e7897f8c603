"""What one file adds to a search: a selection rule, RAVE, widening and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


def no_fields(constants: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Nothing."""
    return {}


@dataclass(frozen=True)
class Feature:
    """Functions in place of the usual ones, and the fields they need."""

    rules: Mapping[str, Any] = field(default_factory=dict)  # by their names in Rules: see plan.py
    edge: Mapping[str, Any] = field(default_factory=dict)  # fields of every edge; they begin at 0
    node: Callable[[Mapping[str, Any]], Mapping[str, Any]] = no_fields  # fields of every node, from the game's constants
    workspace: Callable[[Mapping[str, Any]], Mapping[str, Any]] = no_fields  # fields of the workspace
    settings: tuple[
        str, ...
    ] = ()  # options that kernels read as `w.NAME`: each is a float64 of the workspace, unless `workspace` says otherwise
    scratch: tuple[str, ...] = ()  # fields of the workspace that no simulation leaves to the next one
