"""Runs the fuzzer from the shell; see the package's docstring. Ends with 1 where anything was found."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from kibitz.searches.method import names
from tests.differential.cases import Case, Outcome, draw, on, pairs, run
from tests.differential.families import FAMILIES
from tests.differential.shrinking import shrunk, symptom

SHOWN = 2  # findings of one symptom


def main() -> int:
    chosen = _arguments()
    with on(chosen.target, chosen.checked):
        if chosen.replay:
            return _replay(chosen)
        return _sweep(chosen)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description="Random games, every search, held against plain recursion.")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=("cpu", "python"), default="python")
    parser.add_argument("--checked", action="store_true", help="compiled code looks at every array index")
    parser.add_argument("--only", nargs="*", default=[], choices=names(), help="searches")
    parser.add_argument("--family", nargs="*", default=[], choices=list(FAMILIES), help="families of games")
    parser.add_argument("--pairs", type=int, default=0, help="so many pairs of a family and a search, drawn by the seed; 0: all")
    parser.add_argument("--replay", help="SEED:CASE, or a file that a finding was saved to")
    parser.add_argument("--save", type=Path, help="folder for findings, each a file that --replay reads")
    parser.add_argument("--whole", action="store_true", help="do not make findings smaller")
    return parser.parse_args()


def _choices(chosen: argparse.Namespace) -> list[tuple[str, str]]:
    found = pairs(chosen.family or list(FAMILIES), chosen.only)
    if chosen.pairs and chosen.pairs < len(found):
        found = sorted(Random(f"{chosen.seed}:pairs").sample(found, chosen.pairs))
    return found


def _replay(chosen: argparse.Namespace) -> int:
    if Path(chosen.replay).is_file():
        case = Case.read(Path(chosen.replay))
    else:
        seed, _, number = chosen.replay.partition(":")
        chosen.seed = int(seed)
        case = draw(int(seed), int(number), _choices(chosen), chosen.target == "python")
    outcome = run(case)
    print(case, *outcome.faults or ["nothing is wrong" if not outcome.refused else f"refused: {outcome.refused}"], sep="\n")
    return 1 if outcome.faults else 0


def _sweep(chosen: argparse.Namespace) -> int:
    choices, interpreted = _choices(chosen), chosen.target == "python"
    mode = f"{chosen.target}{', checked' if chosen.checked else ''}"
    print(f"seed {chosen.seed}, {chosen.cases} cases from {chosen.first}, {mode}, {len(choices)} pairs of a family and a search", flush=True)
    began, symptoms, tally = time.perf_counter(), Counter[str](), Counter[str]()
    for number in range(chosen.first, chosen.first + chosen.cases):
        case = draw(chosen.seed, number, choices, interpreted)
        outcome = run(case)
        tally["refused"] += bool(outcome.refused)
        tally["skipped"] += outcome.skipped
        tally["exact"] += outcome.exact
        if outcome.faults:
            found = symptom(case, outcome)
            symptoms[found] += 1
            if symptoms[found] <= SHOWN:
                _show(chosen, number, case, outcome, interpreted)
        if (number + 1) % 5000 == 0:
            print(f"... {number + 1} cases, {time.perf_counter() - began:.0f} s, {sum(symptoms.values())} findings", flush=True)
    seconds = time.perf_counter() - began
    counts = ", ".join(f"{n} {what}" for what, n in tally.items())
    print(f"{chosen.cases} cases in {seconds:.0f} s, {chosen.cases / seconds:.0f} a second; {counts}; {sum(symptoms.values())} findings")
    for found, times in symptoms.most_common():
        print(f"{times:6} {found}")
    return 1 if symptoms else 0


def _show(chosen: argparse.Namespace, number: int, case: Case, outcome: Outcome, interpreted: bool) -> None:
    if not chosen.whole:
        case, outcome = shrunk(case, outcome, with_options=interpreted)
    filters = "".join(f" --{name} {' '.join(given)}" for name, given in (("only", chosen.only), ("family", chosen.family)) if given)
    filters += f" --pairs {chosen.pairs}" * bool(chosen.pairs) + " --checked" * chosen.checked
    print(f"\nFOUND {chosen.seed}:{number}   python -m tests.differential --target {chosen.target}{filters} --replay {chosen.seed}:{number}")
    print(case, *outcome.faults, sep="\n")
    if chosen.save:
        chosen.save.mkdir(parents=True, exist_ok=True)
        path = chosen.save / f"{case.search}-{case.family}-{chosen.target}-{chosen.seed}-{number}.json"
        path.write_text(case.as_json())
        print(f"saved: {os.fspath(path)}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
