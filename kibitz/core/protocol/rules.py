"""The protocol between games and searches: what a game must define, and what a search may ask of it.

A game is a module (or a class used as a namespace) of plain functions over one record. `REQUIRED`, `OPTIONAL` and the constants below are
the whole protocol; docs/writing-a-game.md explains it with an example. `Rules` is the same protocol as a type, for editors and mypy.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

OVER = -1  # player(s) when the game has ended
CHANCE = -2  # player(s) when chance decides next
NO_MOVE = -1  # never a legal move

UNIFORM = "uniform"  # CHANCE_KIND: every outcome equally likely
WEIGHTED = "weighted"  # integer weights
GENERAL = "general"  # any positive weights

CYCLE_FREE = "none"  # REPETITION: no position can come up twice in a game
DRAW = "draw"  # a repeated position ends the game, drawn
LOSS = "loss"  # whoever repeats a position loses
FORBIDDEN = "forbidden"  # a move that repeats a position is not allowed; one that changes nothing, such as a pass, always is

# Functions a game must define, with their arguments.
REQUIRED = {
    "start": ("s",),
    "player": ("s",),
    "moves": ("s", "out"),
    "play": ("s", "move"),
    "utility": ("s", "player"),
}

# Compiled functions a game may define.
OPTIONAL = {
    "outcomes": ("s", "out", "weights"),
    "evaluate": ("s", "player"),
    "features": ("s", "player", "out"),
    "phase": ("s",),
    "best_case": ("s", "player"),
    "banked": ("s", "player"),
    "candidates": ("s", "out"),
    "soonest": ("s", "player"),
    "latest": ("s",),
    "finish": ("s", "least"),
    "solving_order": ("s", "move"),
    "order": ("s", "move"),
    "noisy": ("s", "move"),
    "restless": ("s",),
    "skip": ("s",),
    "policy": ("s", "moves", "n", "out"),
    "pick": ("s", "out", "rng"),
    "playout": ("s", "out", "rng"),
    "key": ("s",),
    "canonical": ("s",),
    "irreversible": ("s", "move"),
    "determinacy": ("s", "move"),
    "situation": ("s",),
    "cost": ("s",),
    "inputs": ("s", "out"),
    "slot": ("s", "move"),
    "rank": ("s",),
    "unrank": ("i", "s"),
    "unplay": ("s", "out"),
    "valid_plies": ("s",),
    "percept": ("before", "move", "after", "observer"),  # a game of hidden information defines it: see core/hidden
    "redeal": ("s", "observer", "rng"),
    "blur": ("s", "observer"),
    "untried": ("s",),
}

# Ordinary Python functions for people: text and pictures.
FOR_PEOPLE = {
    "show": ("s",),
    "read": ("text", "s"),
    "name": ("s", "move"),
    "spellings": ("s", "move", "written"),
    "wire": ("s", "move"),  # as programs write it to each other; `name` where a game does not say
    "draw": ("s",),
    "cells": ("s", "move"),  # where on the drawing the move is made; by its name, where a game does not say
    "read_game": ("content",),  # and the next: games on record, see transcript.py; none where a game does not say
    "write_game": ("transcript", "s"),
    "announce": ("percept", "observer"),  # a percept in words, without blanks; its number where a game does not say
    "show_to": ("s", "observer"),  # the board as `observer` may see it
    "draw_to": ("s", "observer"),
    "resume": ("s", "player"),  # play on where the rules would not; never, where a game does not say: see `Position.resumed`
}

# Constants with the value they have when a game does not say.
DEFAULTS: dict[str, Any] = {
    "GRAIN": 1.0,  # the step between two utilities; 0 where they are real numbers
    "SUM": 0.0,  # what the utilities of all players add up to; None where they do not add up to one number
    "MOVE": np.int32,
    "CHANCE_KIND": UNIFORM,
    "REPETITION": CYCLE_FREE,
    "REPETITIONS": 2,  # how often a position must come up to count as repeated
    "FEATURES": (),  # names of what `features` writes, where an evaluation's weights can be fitted
    "MARGIN": 0.0,  # how much a quiet move may change an evaluation, as a rule; 0: not known
    "WEIGHTS": (),  # what `evaluate` uses: one number a feature, or two rows of them where there are phases
    "INPUTS": (),  # the shape of what `inputs` shows a network; it writes the numbers one after another
    "SLOTS": 0,  # how many numbers a network's policy has: `slot` says which is whose
    "SIZE": 0,  # how many numbers `rank` has; read only where a game defines it
    "SECTIONS": (),  # parts of that numbering, each solved by itself: (name, first number, number behind its last, men), as moves lead back
    "MAX_UNPLAYS": 0,  # how many positions `unplay` writes, at most
    "SOLVING": {},  # options of the search `solver` that pay for this game; `mirrored`: plies left from which mirror images are merged
    "MAX_OUTCOMES": 0,  # chance outcomes of one position, at most; MAX_MOVES where a chance game does not say
}


class Rules(Protocol):
    """What a search sees when it says `game`."""

    State: np.dtype[Any]
    PLAYERS: int
    MAX_MOVES: int
    MAX_PLIES: int
    MAX_OUTCOMES: int
    VALUES: tuple[float, float]
    GRAIN: float
    SUM: float  # a search that uses it refuses games where it is None
    MOVE: Any
    CHANCE_KIND: str
    EVEN: float  # what a position may be worth to each player of which nothing is known
    EQUALLY_LIKELY: bool  # are outcomes of chance? Whether CHANCE_KIND is UNIFORM, as a number that compiled code can compare
    REPETITION: str
    REPETITIONS: int
    FEATURES: tuple[str, ...]
    MARGIN: float
    WEIGHTS: Any
    INPUTS: tuple[int, ...]
    SLOTS: int
    SIZE: int
    SECTIONS: tuple[tuple[str, int, int, int], ...]
    MAX_UNPLAYS: int
    SOLVING: dict[str, int]

    def start(self, s: Any) -> None: ...
    def player(self, s: Any) -> int: ...
    def moves(self, s: Any, out: Any) -> int: ...
    def play(self, s: Any, move: int) -> None: ...
    def utility(self, s: Any, player: int) -> float: ...
    def outcomes(self, s: Any, out: Any, weights: Any) -> int: ...
    def evaluate(self, s: Any, player: int) -> float: ...
    def features(self, s: Any, player: int, out: Any) -> None: ...
    def phase(self, s: Any) -> float: ...
    def banked(self, s: Any, player: int) -> float: ...
    def best_case(self, s: Any, player: int) -> float: ...
    def candidates(self, s: Any, out: Any) -> int: ...
    def soonest(self, s: Any, player: int) -> int: ...
    def latest(self, s: Any) -> int: ...
    def finish(self, s: Any, least: float) -> float: ...
    def solving_order(self, s: Any, move: int) -> float: ...
    def order(self, s: Any, move: int) -> float: ...
    def noisy(self, s: Any, move: int) -> bool: ...
    def restless(self, s: Any) -> bool: ...
    def skip(self, s: Any) -> bool: ...
    def policy(self, s: Any, moves: Any, n: int, out: Any) -> None: ...
    def pick(self, s: Any, out: Any, rng: Any) -> int: ...
    def playout(self, s: Any, out: Any, rng: Any) -> int: ...
    def key(self, s: Any) -> np.uint64: ...
    def canonical(self, s: Any) -> None: ...
    def irreversible(self, s: Any, move: int) -> bool: ...
    def determinacy(self, s: Any, move: int) -> float: ...
    def situation(self, s: Any) -> np.uint64: ...
    def cost(self, s: Any) -> int: ...
    def inputs(self, s: Any, out: Any) -> None: ...
    def slot(self, s: Any, move: int) -> int: ...
    def rank(self, s: Any) -> int: ...
    def unrank(self, i: int, s: Any) -> bool: ...
    def unplay(self, s: Any, out: Any) -> int: ...
    def valid_plies(self, s: Any) -> int: ...
    def percept(self, before: Any, move: int, after: Any, observer: int) -> int: ...
    def redeal(self, s: Any, observer: int, rng: Any) -> None: ...
    def blur(self, s: Any, observer: int) -> None: ...
    def untried(self, s: Any) -> None: ...
