"""Making a case smaller while the same thing is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from kibitz.core.protocol.rules import OVER
from tests.differential.cases import Case, Outcome, run
from tests.differential.graphs import Graph, Node, with_final_moves

MOST_RUNS = 400


def symptom(case: Case, outcome: Outcome) -> str:
    """What is wrong, without the numbers: cases with one symptom likely have one cause."""
    first = re.sub(r"\[[^\]]*\]", "[]", outcome.faults[0])
    return f"{case.search}: {re.sub(r'[-+]?[0-9.]+(e[-+]?[0-9]+)?', '#', first)}"


def shrunk(case: Case, outcome: Outcome, with_options: bool = True, attempt: Callable[[Case], Outcome] = run) -> tuple[Case, Outcome]:
    """The smallest case found that has the same symptom."""
    wanted, runs, improved = symptom(case, outcome), 0, True
    while improved and runs < MOST_RUNS:
        improved = False
        for smaller in smaller_ones(case, with_options):
            runs += 1
            found = _attempted(smaller, attempt)
            if found.faults and symptom(smaller, found) == wanted:
                case, outcome, improved = smaller, found, True
                break
            if runs >= MOST_RUNS:
                break
    return case, outcome


def _attempted(case: Case, attempt: Callable[[Case], Outcome]) -> Outcome:
    try:
        return attempt(case)
    except Exception:  # what was left out was needed to play the case at all
        return Outcome(skipped=True)


def smaller_ones(case: Case, with_options: bool) -> Iterator[Case]:
    """Cases with something left out."""
    for i in range(len(case.asks)):
        if len(case.asks) > 1:
            yield replace(case, asks=case.asks[:i] + case.asks[i + 1 :])
    if len(case.asks) == 1 and case.remembering:
        yield replace(case, remembering=False)
    if case.kind.can_shrink:
        for graph in smaller_graphs(case.graph):
            yield replace(case, graph=graph)
    if with_options:
        for i, ask in enumerate(case.asks):
            for name in ask.options:
                without = replace(ask, options={n: v for n, v in ask.options.items() if n != name})
                if any(without.options.get(limit) for limit in ("depth", "nodes", "playouts", "time")):
                    yield replace(case, asks=(*case.asks[:i], without, *case.asks[i + 1 :]))


def smaller_graphs(graph: Graph) -> Iterator[Graph]:
    """With a position that is an end now, or with a move less."""
    for i, n in enumerate(graph.nodes):
        if n.moves and i > 0:
            yield compact(_with(graph, i, replace(n, player=OVER, moves=())))
    for i, n in enumerate(graph.nodes):
        for k in range(len(n.moves) if len(n.moves) > 1 else 0):
            yield compact(_with(graph, i, replace(n, moves=n.moves[:k] + n.moves[k + 1 :])))


def compact(graph: Graph) -> Graph:
    """Without positions that cannot be reached."""
    reached, waiting = {0}, [0]
    while waiting:
        for e in graph.nodes[waiting.pop()].moves:
            if e.to not in reached:
                reached.add(e.to)
                waiting.append(e.to)
    numbers = {old: new for new, old in enumerate(sorted(reached))}
    nodes = []
    for old in numbers:
        n = graph.nodes[old]
        nodes.append(
            replace(n, place=numbers[old], passes=numbers.get(n.passes, -1), moves=tuple(replace(e, to=numbers[e.to]) for e in n.moves))
        )
    return with_final_moves(replace(graph, nodes=tuple(nodes)))


def _with(graph: Graph, i: int, node: Node) -> Graph:
    return replace(graph, nodes=(*graph.nodes[:i], node, *graph.nodes[i + 1 :]))
