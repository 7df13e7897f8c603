"""An experiment that only tests know: the mean of throws of a die. A shard writes a line to the file DICE_LOG when it begins, if there is one."""

import os
import random
import time
from pathlib import Path

from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Finished, Inputs, Settings, Shard, Summary
from kibitz.experiments.statistics import mean, share

THROWS = 20


def shards(settings: Settings) -> list[Shard]:
    return [Shard({"seed": seed, "sides": settings["sides"], "fails": settings["fails"]}) for seed in range(settings["shards"])]


def run(inputs: Inputs) -> list[int]:
    if "DICE_LOG" in os.environ:
        with Path(os.environ["DICE_LOG"]).open("a") as log:
            log.write(f"{inputs['seed']}\n")
    if inputs["seed"] == 3 and inputs["fails"] != "never":
        raise InputError("the die is loaded") if inputs["fails"] == "input" else RuntimeError("the die fell off the table")
    time.sleep(float(os.environ.get("DICE_PAUSE", "0")))
    if "DICE_COMPILE" in os.environ:
        with compile_progress.preparing("dice"):
            compile_progress.cache_missed()
            time.sleep(float(os.environ["DICE_COMPILE"]))
    throw = random.Random(inputs["seed"])
    return [throw.randint(1, inputs["sides"]) for _ in range(THROWS)]


def summarise(settings: Settings, results: list[Finished]) -> Summary:
    throws = [t for f in results for t in f.result]
    if not throws:
        return Summary([])
    sixes = [1 if t == settings["sides"] else 0 for t in throws]
    row = {
        "die": f"W{settings['sides']}",
        "throws": len(throws),
        "mean": mean(throws),
        "sixes": share(sum(sixes), len(throws)),
        "note": None,
    }
    return Summary([row], (f"a fair die has mean {(settings['sides'] + 1) / 2:g}",))


def plot(figure, settings, results):  # type: ignore[no-untyped-def]
    figure.subplots().hist([t for f in results for t in f.result], bins=settings["sides"])


EXPERIMENT = Experiment(
    about="throws of a die",
    claim="a fair die has mean 3.5",
    parameters=(
        Parameter("shards", 12, 1, 10_000, None, "of twenty throws"),
        Parameter("sides", 6, 2, 100, None, "of the die"),
        Parameter("fails", "never", None, None, ("never", "input", "fault"), "how shard 3 fails"),
    ),
    shards=shards,
    run=run,
    summarise=summarise,
    plot=plot,
)
