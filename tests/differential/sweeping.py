"""Many cases in a row, and what was found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.differential.cases import Case, Outcome, draw, on, pairs, run
from tests.differential.shipped import FAMILIES
from tests.differential.shrinking import shrunk, symptom
from tests.naive_graphs import Truth


@dataclass(frozen=True)
class Plan:
    """Which cases to run, and how."""

    seed: int
    target: str = "python"
    checked: bool = False
    searches: Sequence[str] = ()  # none named: all
    families: Sequence[str] = ()
    pairs: int = 0  # number of pairs of a family and a search, drawn by the seed; 0: all
    combinations: int = 3  # of options that each pair is compiled with
    named: Sequence[tuple[str, str]] = ()  # these pairs and no others

    @property
    def interpreted(self) -> bool:
        return self.target == "python"

    @property
    def choices(self) -> list[tuple[str, str]]:
        if self.named:
            return list(self.named)
        found = pairs(self.families or list(FAMILIES), self.searches)
        if 0 < self.pairs < len(found):
            return sorted(Random(f"{self.seed}:pairs").sample(found, self.pairs))
        return found

    def case(self, number: int) -> Case:
        return draw(self.seed, number, self.choices, self.interpreted, self.combinations)

    def command(self, number: int) -> str:
        """What shows the case again."""
        words = [f"--target {self.target}", *["--checked"] * self.checked]
        words += [f"--only {' '.join(self.searches)}"] * bool(self.searches) + [f"--family {' '.join(self.families)}"] * bool(self.families)
        words += [f"--pairs {self.pairs}"] * bool(self.pairs) + [f"--combinations {self.combinations}"] * (not self.interpreted)
        words += [f"--named {' '.join(f'{f}:{s}' for f, s in self.named)}"] * bool(self.named)
        return f"python -m tests.differential {' '.join(words)} --replay {self.seed}:{number}"


@dataclass(frozen=True)
class Finding:
    number: int
    case: Case
    outcome: Outcome

    @property
    def symptom(self) -> str:
        return symptom(self.case, self.outcome)

    def told(self, plan: Plan, smaller: bool = True) -> tuple[Case, str]:
        """The case, made smaller, and all there is to say about it."""
        with on(plan.target, plan.checked):
            case, outcome = (
                shrunk(self.case, self.outcome, with_options=plan.interpreted)
                if smaller and not self.outcome.endless
                else (self.case, self.outcome)
            )
        return case, "\n".join((f"FOUND {plan.seed}:{self.number}   {plan.command(self.number)}", str(case), *outcome.faults))


@dataclass
class Tally:
    """How it went."""

    cases: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    symptoms: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    endless: bool = False  # the last case had to be stopped

    def __str__(self) -> str:
        counts = ", ".join(f"{n} {what}" for what, n in sorted(self.counts.items()))
        rate = self.cases / max(self.seconds, 1e-9)
        lines = [f"{self.cases} cases in {self.seconds:.0f} s, {rate:.0f} a second; {counts}; {sum(self.symptoms.values())} findings"]
        told = [*self.symptoms.most_common(), *((f"refused: {said}", times) for said, times in self.refusals.most_common())]
        return "\n".join([*lines, *(f"{times:6} {found}" for found, times in told)])


def sweep(plan: Plan, first: int, cases: int, tally: Tally) -> Iterator[Finding]:
    """Findings of these cases, as they come; `tally` counts."""
    began, choices, graph, truth = time.perf_counter() - tally.seconds, plan.choices, None, None
    with on(plan.target, plan.checked):
        for number in range(first, first + cases):
            case = draw(plan.seed, number, choices, plan.interpreted, plan.combinations)
            if case.graph is not graph or truth is None:
                graph, truth = case.graph, Truth(case.graph, case.kind.game.constants)
            outcome = run(case, truth)
            tally.cases += 1
            if outcome.refused:
                tally.counts["refused"] += 1
                tally.refusals[f"{case.search}: {outcome.refused}"] += 1
            tally.counts["too large"] += outcome.skipped
            tally.counts["exact"] += outcome.exact
            tally.seconds = time.perf_counter() - began
            if outcome.faults:
                finding = Finding(number, case, outcome)
                tally.symptoms[finding.symptom] += 1
                yield finding
            if outcome.endless:  # what may still be running would make all others late
                tally.endless = True
                return
