"""One case: a game, a position of it, a search with options; asked once, or again and again along the game with what it remembers."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.players import USUAL_TIME, player
from kibitz.searches.method import fitting, method
from tests.differential import graphs, options, patience, tabled
from tests.differential.families import Family
from tests.differential.graphs import Graph
from tests.differential.judging import Judge
from tests.differential.shipped import FAMILIES, Shipped
from tests.naive_graphs import Standing, TooLarge, Truth

SAME_GAME = 4  # cases in a row that share a game, so that its truth is found once
KEPT = "kept"  # in place of the name of a file that one ask leaves to the next


@dataclass(frozen=True)
class Ask:
    """Moves to play from where the last search was, and the options of the next one."""

    moves: tuple[int, ...]
    options: dict[str, Any]
    anew: bool = False  # from the start of the game


@dataclass(frozen=True)
class Case:
    family: str
    graph: Graph
    search: str
    asks: tuple[Ask, ...]
    remembering: bool = False
    tables: float = 0.0  # the part of the positions that endgame tables hold

    def as_json(self) -> str:
        """All of it, to be seen again whatever the generator does by then."""
        asks = [{"moves": a.moves, "options": a.options, "anew": a.anew} for a in self.asks]
        return json.dumps(
            {
                "family": self.family,
                "search": self.search,
                "remembering": self.remembering,
                "tables": self.tables,
                "asks": asks,
                "graph": self.graph.as_dict(),
            }
        )

    @staticmethod
    def of_json(text: str) -> Case:
        found = json.loads(text)
        asks = tuple(Ask(tuple(a["moves"]), a["options"], a["anew"]) for a in found["asks"])
        return Case(found["family"], Graph.of_dict(found["graph"]), found["search"], asks, found["remembering"], found.get("tables", 0.0))

    @staticmethod
    def read(path: Path) -> Case:
        return Case.of_json(path.read_text())

    @property
    def kind(self) -> Family | Shipped:
        return FAMILIES[self.family]

    def __str__(self) -> str:
        asks = ", then ".join(f"after {list(a.moves)} {_written(self.search, a.options)}" for a in self.asks)
        lines = [
            f"{self.family}: {asks}{', remembering' if self.remembering else ''}{f', tables of {tabled.chosen(self.graph, self.tables)}' if self.tables else ''}"
        ]
        for i, n in enumerate(self.graph.nodes):
            who = {-1: "over", -2: "chance"}.get(n.player, f"player {n.player}")
            told = f"worth {_numbers(n.worth)}" if not n.moves else f"seems {_numbers(n.guess)}"
            ways = "  ".join(f"{e.label}->{e.to}{_edge(e)}" for e in n.moves)
            lines.append(
                f"  {i:2} {who:9} {told:22} {'restless ' if n.restless else ''}{f'place {n.place} ' if n.place != i else ''}{ways}"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Outcome:
    """What came of a case."""

    faults: tuple[str, ...] = ()
    refused: str = ""  # by the search, in one line
    skipped: bool = False  # the truth is too far to find
    exact: bool = False  # was anything called exact?
    endless: bool = False  # it had to be stopped, and may be running still


# --- drawing ---


def pairs(families: Sequence[str], searches: Sequence[str]) -> list[tuple[str, str]]:
    """All families with the searches that fit them."""
    return [(f, s) for f in families for s in fitting(FAMILIES[f].game) if not searches or s in searches]


def draw(seed: int, number: int, choices: Sequence[tuple[str, str]], interpreted: bool, combinations: int) -> Case:
    """Case `number` of a run with this seed; the same however many were drawn before it."""
    common = Random(f"{seed}:game:{number // SAME_GAME}")
    family = FAMILIES[common.choice(sorted({f for f, _ in choices}))]
    graph = _drawn(family.name, common.getrandbits(60), interpreted)
    rng = Random(f"{seed}:case:{number}")
    search = rng.choice([s for f, s in choices if f == family.name])
    truth = Truth(graph, family.game.constants)
    tables = 0.0
    if interpreted:
        chosen = options.draw(search, family.game, rng)
        if isinstance(family, Family):
            tables = tabled.draw(family.game, method(search), rng)
    else:
        fixed = Random(f"{seed}:{family.name}:{search}:{rng.randrange(combinations)}")
        chosen = options.redrawn(options.draw(search, family.game, fixed), search, rng)
        if isinstance(family, Family) and tabled.draw(family.game, method(search), fixed):
            tables = rng.choice(tabled.SHARES)
    remembering = method(search).memory is not None and rng.random() < 0.6
    asks, here = [], truth.first()
    for i in range(rng.randint(2, 4) if remembering else 1):
        anew = i > 0 and rng.random() < 0.1
        moves, here = _walk(truth, truth.first() if anew else here, rng, rng.randint(0, 2) if i or rng.random() < 0.5 else 0)
        if not truth.moves(here):
            break
        varied = chosen
        if i and rng.random() < 0.3:
            varied = options.draw(search, family.game, rng) if interpreted else options.redrawn(chosen, search, rng)
            kept = {name: chosen[name] for name in ("table", "memory") if name in chosen}  # of another size nothing would be kept
            varied = options.fitted({**varied, **kept}, family.game, method(search))
        asks.append(
            Ask(moves, {**varied, **_only(family, truth, here, search, varied, rng), **options.limits(search, rng, interpreted)}, anew)
        )
    if "resume" in chosen:
        asks = _resumed(asks, rng)
    return Case(family.name, graph, search, tuple(asks), remembering, tables)


def _resumed(asks: list[Ask], rng: Random) -> list[Ask]:
    """The same question again and again, stopped early, from the file that the one before left."""
    if not asks or not asks[0].options.get("table", 1.0):
        return [replace(ask, options={n: v for n, v in ask.options.items() if n != "resume"}) for ask in asks]
    first = replace(asks[0], options={n: v for n, v in asks[0].options.items() if n != "nodes"})
    again = replace(first, moves=())
    stopped = [replace(ask, options={**ask.options, "nodes": rng.randint(1, 60)}) for ask in (first, again)]
    return [*stopped, again]


@lru_cache(64)
def _drawn(family: str, bits: int, interpreted: bool) -> Graph:
    return FAMILIES[family].draw(Random(bits), interpreted)


def _walk(truth: Truth, here: Standing, rng: Random, steps: int) -> tuple[tuple[int, ...], Standing]:
    moves: list[int] = []
    for _ in range(steps):
        edges = truth.moves(here)
        following = truth.after(here, rng.choice(edges)) if edges else None
        if following is None or not truth.moves(following):
            break
        edge = next(e for e in edges if truth.after(here, e) == following)
        moves.append(edge.label)
        here = following
    return tuple(moves), here


def _only(family: Family | Shipped, truth: Truth, here: Standing, search: str, varied: dict[str, Any], rng: Random) -> dict[str, Any]:
    known = {p.name for p in method(search).options}
    if "only" not in known or varied.get("form") == "recursive" or rng.random() > 0.1 or not isinstance(family, Family):
        return {}
    moves = truth.moves(here)
    return {"only": " ".join(str(e.label) for e in rng.sample(moves, rng.randint(1, len(moves))))}


# --- running ---


def run(case: Case, truth: Truth | None = None) -> Outcome:
    """Search, and hold every result against the truth."""
    seconds = patience.INTERPRETED if os.environ.get("KIBITZ_TARGET") == "python" else patience.COMPILED
    late = f"it took more than {seconds:g} seconds of processor time"
    try:
        with patience.limited(seconds, case) as alarm, tempfile.TemporaryDirectory() as folder:
            outcome = _run(case, truth, Path(folder))
    except patience.TookTooLong:
        return Outcome((late, "it had to be given up"), endless=True)
    return replace(outcome, faults=(late, *outcome.faults), endless=True) if alarm.rang else outcome


def _run(case: Case, truth: Truth | None, folder: Path) -> Outcome:
    exact: list[bool] = []
    try:
        return Outcome(tuple(_faults(case, truth, folder, exact)), exact=any(exact))
    except TooLarge:
        return Outcome(skipped=True)
    except KibitzError as error:
        said = str(error)
        if not said or "\n" in said or "the game is over" in said:  # of a position in which there are moves
            return Outcome((f"refused: {said!r}",))
        return Outcome(refused=said)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome((f"{type(error).__name__}: {error}", f"at {Path(place.filename).name}:{place.lineno} in {place.name}"))


def _faults(case: Case, truth: Truth | None, folder: Path, exact: list[bool]) -> list[str]:
    """Of the first result with anything wrong, and that result; notes of each whether it was called exact."""
    if case.tables or truth is None:
        truth = Truth(case.graph, case.kind.game.constants)
    truth.steps = 0
    first = case.kind.position(case.graph)
    position, here = first, truth.first()
    asked = player(case.search)
    if case.remembering:
        asked = asked.remembering()
    more = {"endings": tabled.inside(case.graph, first, truth, case.tables)} if case.tables else {}
    for ask in case.asks:
        died.clear()
        if ask.anew:
            position, here = first, truth.first()
        position = position.play(*ask.moves)
        for move in ask.moves:
            here = truth.follow(here, move) or here
        given = {**ask.options, "resume": str(folder / KEPT)} if ask.options.get("resume") else ask.options
        now = replace(player(case.search, **given), memory=asked.memory)
        judge = Judge(truth, here, case.search, now.settings, case.graph.number)
        truth.begin(here)
        now.check(position.game)
        for result in now.run(position, {"time": USUAL_TIME}, **more):
            exact.append(result.exact)
            faults = [*judge.faults(result), *(f"a thread died of {error}" for error in died)]
            if faults:
                return [*faults, str(result)]
    return []


died: list[str] = []  # what threads of searches ended with that nobody waited for
threading.excepthook = lambda hooked: died.append(f"{hooked.exc_type.__name__}: {hooked.exc_value}")


@contextmanager
def on(target: str, checked: bool = False) -> Iterator[None]:
    """Kernels bound inside are compiled or interpreted, with bounds checks or without."""
    before = {name: os.environ.get(name) for name in ("KIBITZ_TARGET", "KIBITZ_CHECKED")}
    os.environ.update(KIBITZ_TARGET=target, KIBITZ_CHECKED="1" if checked else "0")
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def _written(search: str, given: dict[str, Any]) -> str:
    return player(search, **given).name


def _numbers(vector: tuple[float, ...]) -> str:
    return " ".join(f"{x:g}" for x in vector)


def _edge(e: graphs.Edge) -> str:
    marks = [f"x{e.weight:g}"] * (e.weight != 1.0) + [f"+({_numbers(e.gain)})"] * any(e.gain) + ["!"] * e.noisy + ["|"] * e.final
    return "".join(marks)
