"""Random options of a search, and limits that stop it anywhere."""

from __future__ import annotations

from random import Random
from typing import Any

from kibitz.core.position.game import Game
from kibitz.core.protocol.parameters import Parameter
from kibitz.searches.method import Method, method

# What to try of options that are numbers or texts; those with choices, and true or false, are drawn from all there is.
POOLS: dict[str, tuple[Any, ...]] = {
    "alpha": (0.0, 0.5, 1.0),
    "apart": (0, 0, 0, 1, 2),
    "aspiration": (0.0, 0.0, 0.001, 0.5, 1.0, 3.0),
    "beam": (0, 0, 1, 2),
    "c0": (0.0, 1.25, 5.0),
    "c1": (1.0, 19652.0),
    "chances": (0, 0, 0, 1, 2),
    "checks": (1, 2),
    "children": (-1, 0, 1, 3),
    "confidence": (0.5, 0.95),
    "crew": (0, 0, 0, 0, 3),
    "cutoff": (0, 0, 1, 3),
    "epsilon": (0.0, 0.1, 1.0),
    "error": (0.0, 1.0),
    "expand": (1, 1, 2, 5),
    "explore": (0.0, 0.7, 1.414214, 9.0),
    "file": ("",),
    "first": (0.0, 0.5, 1.0),
    "futility": (-1.0, 0.0, 1.0),
    "games": (1, 3),
    "guess": ("", "", "0", "-1", "2.5"),
    "gamma": (0.5, 3.0),
    "lam": (0.1, 1.0),
    "last": (0, 0, 0, 1, 2),
    "likely": (1.5, 4.0),
    "lines": (1, 1, 2, 3),
    "margin": (0.0, 0.05, 0.5),
    "memory": (0.1, 1.0, 0.001, 0.002, 0.01),
    "network": ("",),
    "noise": (0.0, 0.0, 0.3),
    "null": (-1, 0),
    "odds": (0.0, 1.0),
    "ordered": (-1, 0, 4),
    "only": ("",),  # moves of the position: see `cases`
    "plies": (0, 1, 2),
    "probcut": (0.0,),
    "probe": (0, 1, 2, 3, 5),
    "quiescence": (0, 1, 2, 8),
    "rave": (0.0, 0.0, 3.0),
    "reductions": (0, 1, 4),
    "resume": ("",),  # sometimes a file: see `draw`
    "saving": (300.0,),
    "stored": (-1, 0, 1, 4),
    "sample": (0, 0, 0, 0, 1, 3),
    "seed": tuple(range(20)),
    "shape": (0.3,),
    "sharp": (0.0, 10.0),
    "sigma": (0.07, 1.0),
    "singular": (0.0, 0.0, 1.0),
    "sparse": (0.0, 0.0, 1.0),
    "inner": ("auto", "uct(playouts=20)"),
    "states": (1, 5, 1 << 16),
    "subtree": (0, 0, 0, 0, 2),
    "table": (0.0, 0.0, 0.0001, 0.0001, 0.001, 0.02, 1.0),
    "temperature": (0.0, 0.0, 1.0),
    "threads": (1, 1, 1, 2),
    "trees": (0, 0, 0, 3),
    "device": ("cpu",),
    "wave": (0, 0, 1, 3),
    "widen": (0.0, 0.0, 1.0),
}
# Drawn anew for every case even where the rest was compiled already: no part of any kernel.
AT_RUN_TIME = frozenset(
    [
        "aspiration",
        "c0",
        "c1",
        "confidence",
        "deepening",
        "epsilon",
        "error",
        "expand",
        "explore",
        "first",
        "all",
        "gamma",
        "games",
        "guess",
        "lam",
        "margin",
        "memory",
        "noise",
        "ordered",
        "plies",
        "probing",
        "seed",
        "shape",
        "sharp",
        "sigma",
        "soon",
        "stored",
        "temperature",
    ]
)
ALWAYS = ("table", "memory", "quiescence")  # drawn, not left as usual: bugs hide between these and the others
NOT_PRUNING = {"beam": 0, "null": 0, "reductions": 0, "futility": 0.0, "probcut": 0.0}
PLAIN = {**NOT_PRUNING, "singular": 0.0, "extend": False, "quiescence": 0, "lines": 1}


def pool(option: Parameter) -> tuple[Any, ...]:
    """What to draw an option from."""
    if option.choices:
        return option.choices
    if isinstance(option.default, bool):
        return (True, False)
    return tuple(v for v in POOLS[option.name] if option.low is None or option.high is None or option.low <= v <= option.high)


def draw(search: str, game: Game, rng: Random) -> dict[str, Any]:
    """Some options, the others as usual."""
    chosen, often = method(search), rng.choice((0.1, 0.3, 0.6))
    found = {p.name: rng.choice(pool(p)) for p in chosen.options if rng.random() < often or p.name in ALWAYS}
    found.pop("resume", None)
    if "resume" in (p.name for p in chosen.options) and rng.random() < 0.15:
        found["resume"] = "kept"
    if search == "selective" and rng.random() < 0.6:
        found |= PLAIN if rng.random() < 0.5 else NOT_PRUNING
    if game.has_chance and "beyond" in (p.name for p in chosen.options) and rng.random() < 0.25:
        found = {name: found[name] for name in ALWAYS if name in found}  # with little else, which makes most results inexact
        found |= {"beyond": "skip", rng.choice(("apart", "chances", "last", "last")): rng.choice((1, 2))}
    return fitted(found, game, chosen)


def fitted(found: dict[str, Any], game: Game, chosen: Method) -> dict[str, Any]:
    """Without what the search would refuse for this game."""
    if not (game.defines("noisy") or game.defines("restless")):
        found.pop("quiescence", None)
    if found.get("distance") == "on" and (game.constants["VALUES"] != (-1.0, 1.0) or game.defines("banked")):
        found["distance"] = "auto"
    for option, rules in (("policy", ("policy", "evaluate")), ("leaf", ("evaluate",)), ("playout", ("policy", "playout", "evaluate"))):
        if found.get(option) not in ("auto", "even", "uniform", "playout") and not all(game.defines(rule) for rule in rules):
            found.pop(option, None)
    if found.get("subtree") and (game.has_chance or game.players > 2 or (game.players == 2 and game.constants["SUM"] is None)):
        found.pop("subtree")
    if found.get("subtree"):
        found |= {"reward": "score", "threads": 1}
    if found.get("wave", 0) > 1:
        found["threads"] = 1
    found.pop("device", None)  # a GPU is not everywhere
    if found.get("trees", 0) > 1 or found.get("crew", 0) > 1:
        found["threads"] = 1
        for option in ("wave", "transpositions", "subtree", "network", "noise", "temperature", "choose"):
            found.pop(option, None)
    if found.get("threads", 1) > 1 and not found.get("table", 1.0):
        found["table"] = 0.001
    if (found.get("threads", 1) > 1 or found.get("lines", 1) > 1) and chosen.name == "alphabeta":
        found["form"] = "stack"
    if found.get("rave") and chosen.name == "uct":
        found.pop("rule", None)  # RAVE has a rule of its own
    if found.get("singular") and not found.get("table"):
        found["singular"] = 0.0
    if game.repeats:
        found.pop("transpositions", None)
        if chosen.name == "minimax" and found.get("form") == "levels":
            found["form"] = "stack"
    return found


def redrawn(compiled: dict[str, Any], search: str, rng: Random) -> dict[str, Any]:
    """The same compiled options with others that are looked at when it runs."""
    found = dict(compiled)
    for p in method(search).options:
        if p.name in AT_RUN_TIME and rng.random() < 0.4:
            found[p.name] = rng.choice(pool(p))
        elif p.name == "table" and found.get("table"):
            found["table"] = rng.choice([t for t in POOLS["table"] if t])
    return found


def limits(search: str, rng: Random, interpreted: bool) -> dict[str, Any]:
    """Where to stop."""
    if "playouts" in (p.name for p in method(search).limits):
        most = 60 if interpreted else 400
        found = {"playouts": rng.choice((1, 2, rng.randint(1, 12), rng.randint(1, most), most))}
        return found if rng.random() < 0.85 else {"nodes": rng.randint(1, 4 * most)}
    if "depth" not in (p.name for p in method(search).limits):
        return {"nodes": rng.randint(1, 80)} if rng.random() < 0.5 else {}
    kind = rng.random()
    if kind < 0.4:
        return {"depth": rng.choice((0, 12, 12))} if rng.random() < 0.5 else {"depth": rng.randint(1, 5)}
    if kind < 0.7:
        return {"nodes": rng.randint(1, 80)}
    return {"depth": rng.randint(1, 6), "nodes": rng.randint(2, 150)} if kind < 0.85 else {}
