"""Runs the fuzzer from the shell; see the package's docstring. Ends with 1 where anything was found."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kibitz.searches.method import names
from tests.differential import others
from tests.differential.cases import Case, on, run
from tests.differential.shipped import FAMILIES
from tests.differential.sweeping import Finding, Plan, Tally, sweep

SHOWN = 2  # findings of one symptom
OFTEN = 5000  # cases between two words about how it goes


def main() -> int:
    chosen = _arguments()
    named = [tuple(pair.split(":")) for pair in chosen.named]
    plan = Plan(
        chosen.seed, chosen.target, chosen.checked, chosen.only, chosen.family, chosen.pairs, chosen.combinations, named  # type: ignore[arg-type]
    )  # fmt: skip
    if chosen.what != "searches":
        return _others(others.KINDS[chosen.what], chosen)
    if chosen.replay:
        return _replay(plan, chosen.replay)
    return _sweep(plan, chosen)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description="Random games, every search, held against recursion.")
    parser.add_argument(
        "--what",
        choices=("searches", *others.KINDS),
        default="searches",
        help="claims: put to prove; secrets: games of hidden information; beliefs: what is sure in them",
    )
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=("cpu", "python"), default="python")
    parser.add_argument("--checked", action="store_true", help="compiled code looks at every array index")
    parser.add_argument("--only", nargs="*", default=[], choices=names(), help="searches")
    parser.add_argument("--family", nargs="*", default=[], choices=list(FAMILIES), help="families of games")
    parser.add_argument("--pairs", type=int, default=0, help="number of pairs of a family and a search, drawn by the seed; 0: all")
    parser.add_argument("--combinations", type=int, default=3, help="of options that each pair is compiled with")
    parser.add_argument("--named", nargs="*", default=[], help="pairs, written FAMILY:SEARCH")
    parser.add_argument("--replay", help="SEED:CASE, or a file that a finding was saved to")
    parser.add_argument("--save", type=Path, help="folder for findings, each a file that --replay reads")
    parser.add_argument("--whole", action="store_true", help="do not make findings smaller")
    return parser.parse_args()


def _others(kind: others.Kind, chosen: argparse.Namespace) -> int:
    if chosen.replay:
        seed, _, number = chosen.replay.partition(":")
        found = others.sweep(kind, int(seed), int(number), 1, chosen.target, chosen.checked)
    else:
        found = others.sweep(kind, chosen.seed, chosen.first, chosen.cases, chosen.target, chosen.checked)
    many = 0
    for number, case, wrong in found:
        many += 1
        print(
            f"\nFOUND {chosen.seed}:{number}   python -m tests.differential --what {chosen.what} --target {chosen.target} --replay {chosen.seed}:{number}"
        )
        print(case, *wrong, sep="\n", flush=True)
    print(f"{chosen.what}, seed {chosen.seed}, {chosen.cases} cases from {chosen.first}, {chosen.target}: {many} findings")
    return 1 if many else 0


def _replay(plan: Plan, what: str) -> int:
    if Path(what).is_file():
        case = Case.read(Path(what))
    else:
        seed, _, number = what.partition(":")
        case = Plan(int(seed), plan.target, plan.checked, plan.searches, plan.families, plan.pairs, plan.combinations, plan.named).case(
            int(number)
        )
    with on(plan.target, plan.checked):
        outcome = run(case)
    print(case, *outcome.faults or ["nothing is wrong" if not outcome.refused else f"refused: {outcome.refused}"], sep="\n")
    return 1 if outcome.faults else 0


def _sweep(plan: Plan, chosen: argparse.Namespace) -> int:
    mode = f"{plan.target}{', checked' if plan.checked else ''}"
    print(
        f"seed {plan.seed}, {chosen.cases} cases from {chosen.first}, {mode}, {len(plan.choices)} pairs of a family and a search",
        flush=True,
    )
    tally = Tally()
    for begin in range(0, chosen.cases, OFTEN):
        for finding in sweep(plan, chosen.first + begin, min(OFTEN, chosen.cases - begin), tally):
            if tally.symptoms[finding.symptom] <= SHOWN:
                _show(plan, finding, chosen)
        print(f"... {tally.cases} cases, {sum(tally.symptoms.values())} findings", flush=True)
        if tally.endless:
            break
    print(tally)
    return 1 if tally.symptoms else 0


def _show(plan: Plan, finding: Finding, chosen: argparse.Namespace) -> None:
    case, text = finding.told(plan, smaller=not chosen.whole)
    print(f"\n{text}")
    if chosen.save:
        chosen.save.mkdir(parents=True, exist_ok=True)
        path = chosen.save / f"{case.search}-{case.family}-{plan.target}-{plan.seed}-{finding.number}.json"
        path.write_text(case.as_json())
        print(f"saved: {path}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
