"""Runs an experiment: the shards that are not in the store yet, on all cores; then the summary of all.

Killed at any moment, it goes on from there when it is run again. Ctrl-C and the time limit end it between two shards, with the summary of those that
are finished. Shards are run in an order that depends on nothing but themselves and mixes them well, so that a run cut short says a
little about everything, and the time left is soon known.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from kibitz.arena.workers import spread
from kibitz.core.compiling import compile_progress
from kibitz.core.errors import KibitzError
from kibitz.experiments.experiment import Experiment, Finished, Shard, Summary, canonical, experiment, name_of
from kibitz.experiments.provenance import Provenance
from kibitz.experiments.store import Record, Store, usual_place

FINISHED, INTERRUPTED, TIME = "finished", "interrupted", "time"


class Progress(NamedTuple):
    """How far a run is."""

    done: int  # shards, those of earlier runs included
    total: int
    reused: int  # from earlier runs
    left: float | None  # seconds; None while nobody knows


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    name: str
    experiment: Experiment
    settings: Mapping[str, Any]
    results: list[Finished]  # of the finished shards, in the order of the experiment's list
    summary: Summary
    progress: Progress
    ended: str  # FINISHED, INTERRUPTED or TIME
    seconds: float

    @property
    def missing(self) -> int:
        return self.progress.total - self.progress.done


def run_experiment(
    source: str,
    given: Mapping[str, Any] | None = None,
    *,
    store: Path | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    fresh: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Run the experiment named, or at the path, `source`, with these parameters. `fresh` forgets what earlier runs found of it."""
    chosen = experiment(source)
    settings = chosen.settings(given or {}, name_of(source))
    with Store(store or usual_place()) as opened:
        return _Run(source, chosen, settings, opened, jobs).outcome(seconds, fresh, watch or (lambda _: None))


def run_shard(task: tuple[str, dict[str, Any]]) -> tuple[str, float]:
    """In a worker: the shard's result as JSON, and the time it took, less that of compiling, which the next one will not take."""
    source, inputs = task
    began = time.perf_counter()
    with _Compiling() as compiling:
        try:
            result = experiment(source).run(inputs)
        except Exception as error:
            error.add_note(f"in the shard with {Shard(inputs).name}")
            raise
    try:
        return json.dumps(result, allow_nan=False), time.perf_counter() - began - compiling.seconds
    except (TypeError, ValueError) as error:
        raise KibitzError(f"the result of a shard of {name_of(source)} is not JSON: {error}") from None


class _Compiling:
    """Adds up the time spent compiling, and passes on what it hears to whoever listened before."""

    def __init__(self) -> None:
        self.seconds, self.since = 0.0, 0.0

    def __enter__(self) -> Self:
        self.before = compile_progress.listen(self)
        return self

    def __exit__(self, *_: object) -> None:
        compile_progress.listen(self.before)

    def __call__(self, what: str | None) -> None:
        now = time.perf_counter()
        if what is None:
            self.seconds += now - self.since
        self.since = now
        self.before(what)


class _Run:
    """One run of one experiment with one choice of parameters."""

    def __init__(self, source: str, chosen: Experiment, settings: Mapping[str, Any], store: Store, jobs: int) -> None:
        self.source, self.name, self.experiment, self.settings, self.store, self.jobs = (
            source, name_of(source), chosen, settings, store, jobs
        )  # fmt: skip
        self.provenance = Provenance(source, chosen)
        listed = chosen.shards(settings)
        self.shards = {self._key(shard): shard for shard in listed}
        if len(self.shards) < len(listed):
            raise KibitzError(f"experiment {self.name}: two of its shards have the same inputs")

    def outcome(self, seconds: float | None, fresh: bool, watch: Callable[[Progress], None]) -> Outcome:
        began = time.perf_counter()
        if fresh:
            self.store.forget(self.shards)
        found = self.store.finished(self.shards)
        reused, ended = len(found), FINISHED
        pending = sorted(set(self.shards) - set(found))  # by their digests: well mixed, and the same every time
        pace = _Pace(self.store.pace(self.name) or self.experiment.pace, self.jobs, sum(self.shards[key].cost for key in pending))
        watch(Progress(len(found), len(self.shards), reused, pace.left))
        work = spread(run_shard, [(self.source, dict(self.shards[key].inputs)) for key in pending], self.jobs)
        try:
            for number, (result, took) in work:
                key = pending[number]
                shard = self.shards[key]
                self.store.keep(Record(key, self.name, canonical(shard.inputs), result, shard.cost, took))
                found[key] = result
                pace.finished(shard.cost, took)
                watch(Progress(len(found), len(self.shards), reused, pace.left))
                if seconds is not None and time.perf_counter() - began >= seconds and len(found) < len(self.shards):
                    ended = TIME
                    break
        except KeyboardInterrupt:
            ended = INTERRUPTED
        finally:
            work.close()  # type: ignore[attr-defined]  # ends the processes
        found |= self.store.finished(set(self.shards) - set(found))  # what a signal kept us from hearing of, or another process found
        results = [Finished(shard.inputs, json.loads(found[key])) for key, shard in self.shards.items() if key in found]
        return Outcome(
            self.name,
            self.experiment,
            self.settings,
            results,
            self.experiment.summarise(self.settings, results),
            Progress(len(results), len(self.shards), reused, None),
            FINISHED if len(results) == len(self.shards) else ended,
            time.perf_counter() - began,
        )

    def _key(self, shard: Shard) -> str:
        return hashlib.sha256(f"{self.name}\n{self.provenance.of_shard(shard.inputs)}\n{canonical(shard.inputs)}".encode()).hexdigest()


class _Pace:
    """The time that is left, from the time that shards took and what they cost."""

    def __init__(self, known: float | None, jobs: int, cost: float) -> None:
        self.known, self.jobs, self.cost_left = known, jobs, cost  # seconds for a unit of cost in earlier runs
        self.cost, self.seconds = 0.0, 0.0

    def finished(self, cost: float, seconds: float) -> None:
        self.cost += cost
        self.cost_left -= cost
        self.seconds += seconds

    @property
    def left(self) -> float | None:
        pace = self.seconds / self.cost if self.cost else self.known
        return None if pace is None else max(0.0, self.cost_left) * pace / self.jobs
