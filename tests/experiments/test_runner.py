"""Runs are resumed, never counted twice, and alike however the work is spread; what cannot be is one line."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.compiling import compile_progress
from kibitz.core.errors import InputError, KibitzError
from kibitz.experiments.experiment import experiment
from kibitz.experiments.provenance import code_digest
from kibitz.experiments.report import as_csv, as_json, plot
from kibitz.experiments.runner import Outcome, run_experiment
from kibitz.experiments.store import Store

DICE = str(Path(__file__).parent / "dice.py")


def dice(store: Path, source: str = DICE, **options: Any) -> Outcome:
    given = {name: options.pop(name) for name in ("shards", "sides", "fails") if name in options}
    return run_experiment(source, given, store=store, **options)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log"
    path.touch()
    monkeypatch.setenv("DICE_LOG", str(path))
    return path


def begun(log: Path) -> list[int]:
    """The shards that were run, in the order in which they began."""
    return [int(line) for line in log.read_text().split()]


# --- what is known is not run again ---


def test_a_second_run_only_reads(store: Path, log: Path) -> None:
    first, second = dice(store), dice(store)
    assert first.summary == second.summary
    assert sorted(begun(log)) == list(range(12))
    assert (first.progress.reused, second.progress.reused) == (0, 12)


def test_more_shards_run_only_what_is_new(store: Path, log: Path) -> None:
    dice(store)
    assert dice(store, shards=20).summary == dice(store.with_name("other"), shards=20).summary
    assert sorted(begun(log)[:20]) == list(range(20))


def test_other_parameters_are_other_results(store: Path, log: Path) -> None:
    assert dice(store).summary != dice(store, sides=8).summary
    assert len(begun(log)) == 24


def test_fresh_starts_over(store: Path, log: Path) -> None:
    assert dice(store).summary == dice(store, fresh=True).summary
    assert len(begun(log)) == 24


def test_edited_code_runs_again_but_not_for_the_summary(store: Path, tmp_path: Path, log: Path) -> None:
    source = tmp_path / "dice.py"
    shutil.copy(DICE, source)
    text = source.read_text()
    dice(store, str(source))
    source.write_text(text.replace("a fair die has", "any honest die has").replace('"""An exp', '"""Here is an exp'))
    assert "any honest die" in dice(store, str(source)).summary.notes[0]
    assert len(begun(log)) == 12
    source.write_text(text.replace("THROWS = 20", "THROWS = 30"))
    assert dice(store, str(source)).summary.rows[0]["throws"] == 12 * 30
    assert len(begun(log)) == 24


def test_the_digest_covers_games_and_searches() -> None:
    from dataclasses import replace

    chosen = experiment(DICE)
    digests = {
        code_digest(DICE, chosen),
        code_digest(DICE, replace(chosen, games=("nim",))),
        code_digest(DICE, replace(chosen, searches=("scout",))),
        code_digest(DICE, replace(chosen, searches=("alphabeta",))),
    }
    assert len(digests) == 4
    assert code_digest(DICE, chosen) in digests


def test_damaged_results_are_run_again(store: Path, log: Path) -> None:
    whole = dice(store)
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE shards SET result = replace(result, '1', '2') WHERE inputs LIKE '%\"seed\": 5,%'")
    assert dice(store).summary == whole.summary
    assert begun(log)[12:] == [5]


# --- limits, workers, kills ---


def test_time_limit_keeps_what_there_is(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICE_PAUSE", "0.02")
    part = dice(store, seconds=0.05)
    assert part.ended == "time"
    assert 0 < part.progress.done < 12
    assert part.missing == 12 - part.progress.done
    assert part.summary.rows[0]["throws"] == 20 * part.progress.done
    rest = dice(store)
    assert rest.ended == "finished"
    assert rest.progress.reused == part.progress.done


def test_ctrl_c_keeps_what_there_is(store: Path) -> None:
    def press(now: Any) -> None:
        if now.done == 5:
            raise KeyboardInterrupt

    part = dice(store, watch=press)
    assert (part.ended, part.progress.done, part.missing) == ("interrupted", 5, 7)
    assert dice(store).summary == dice(store.with_name("other")).summary


def test_the_number_of_workers_changes_nothing(store: Path) -> None:
    one, two = dice(store, jobs=1), dice(store.with_name("other"), jobs=2)
    assert one.summary == two.summary
    assert one.results == two.results


def test_time_left_comes_from_cost_and_pace(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICE_PAUSE", "0.01")
    seen: list[Any] = []
    dice(store, watch=seen.append)
    assert seen[0].left is None
    assert 0.05 < seen[6].left < 5.0  # six of twelve are left
    assert seen[-1].left == 0.0
    later: list[Any] = []
    dice(store, shards=14, watch=later.append)
    assert later[0].left > 0.0  # known from the earlier run


def test_compiling_is_no_part_of_the_pace(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process as in another: the next shard will not compile again. Whoever shows what is compiled still hears of it."""
    heard: list[str | None] = []
    monkeypatch.setenv("DICE_COMPILE", "0.3")
    before = compile_progress.listen(heard.append)
    try:
        dice(store, shards=2)
        assert compile_progress.listen(before) == heard.append
    finally:
        compile_progress.listen(before)
    dice(store.with_name("other"), shards=2, jobs=2)
    for path in (store, store.with_name("other")):
        with Store(path) as opened:
            pace = opened.pace("dice")
        assert pace is not None
        assert pace < 0.2
    assert heard == ["dice", None] * 2


def launched(store: Path, *words: str, pause: str = "0.01") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kibitz", "experiment", DICE, "-p", "shards=60", "--store", str(store), *words]
    environment = {**os.environ, "DICE_PAUSE": pause, "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)


def wait_for(condition: Any, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.005)


def gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_three_kills_lose_nothing_and_count_nothing_twice(store: Path, log: Path) -> None:
    chance = random.Random(4)
    for _ in range(3):
        enough, process = len(begun(log)) + chance.randint(3, 15), launched(store, "--jobs", "2")
        wait_for(lambda: len(begun(log)) >= enough)  # noqa: B023
        time.sleep(chance.random() * 0.02)
        process.kill()
        process.communicate()
        wait_for(lambda: gone(process.pid), 20)  # noqa: B023  # the workers notice, and leave
    out, err = launched(store, "--jobs", "2", "--json").communicate(timeout=120)
    answer = json.loads(out)
    assert (answer["ended"], answer["missing"], answer["shards"]) == ("finished", 0, 60), err
    undisturbed = dice(store.with_name("other"), shards=60)
    assert answer["rows"] == as_json(undisturbed)["rows"]
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT inputs) FROM shards").fetchone() == (60, 60)
    runs = begun(log)[: -len(undisturbed.results)]
    assert 60 <= len(runs) <= 60 + 3 * 4  # what was under way, or finished but unheard of, when it was killed


def test_ctrl_c_in_a_terminal(store: Path, log: Path) -> None:
    process = launched(store, "--jobs", "2", pause="0.1")
    wait_for(lambda: len(begun(log)) >= 6)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "shards are missing; the same command goes on from here" in out
    assert err.splitlines()[-1] == "kibitz: stopped"
    assert "Traceback" not in err
    with sqlite3.connect(store) as connection:
        kept = connection.execute("SELECT count(*) FROM shards").fetchone()[0]
    assert f"stopped: {60 - kept} of 60 shards are missing" in out


def test_a_terminal_gets_a_bar(store: Path, log: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "kibitz", "experiment", DICE, "--jobs", "1", "--store", str(store), "-p", "shards=30"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env={**os.environ, "DICE_PAUSE": "0.02"}) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # at the end
            while part := os.read(ours, 4096):
                shown += part
        assert process.stdout is not None
        assert "30 shards, " in process.stdout.read()
    os.close(ours)
    assert "running" in shown.decode()
    assert re.search(r"\d+/30", shown.decode())
    assert re.search(r"about \d+ s left", shown.decode())


# --- what cannot be ---


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_shard_that_refuses_is_one_line_and_keeps_the_others(store: Path, log: Path, jobs: int) -> None:
    """Those that were run before it, however many these are: the order comes from digests. The other process may be at work on the last of them."""
    with pytest.raises(InputError, match="the die is loaded"):
        dice(store, fails="input", jobs=jobs)
    with sqlite3.connect(store) as connection:
        kept = connection.execute("SELECT count(*) FROM shards").fetchone()[0]
    before = begun(log).index(3)
    assert before - (jobs - 1) <= kept < len(begun(log))
    assert kept == before or jobs > 1


def test_a_fault_in_a_shard_is_told(store: Path) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)the die fell off the table.*in the shard with seed 3, sides 6"):
        dice(store, fails="fault", jobs=2)


def test_files_that_are_no_stores(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, and long enough to be looked at" * 20)
    with pytest.raises(InputError, match="cannot be used as a store of results"):
        dice(tmp_path / "text")
    with pytest.raises(InputError, match="cannot be used as a store of results"):
        dice(tmp_path)
    with sqlite3.connect(tmp_path / "newer") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="another version of kibitz"):
        dice(tmp_path / "newer")


def broken(tmp_path: Path, old: str, new: str) -> str:
    """The dice with a mistake."""
    path = tmp_path / f"broken_{abs(hash(new))}.py"
    text = Path(DICE).read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    return str(path)


def test_experiments_that_break_the_rules(tmp_path: Path, store: Path) -> None:
    with pytest.raises(KibitzError, match="two of its shards have the same inputs"):
        dice(store, broken(tmp_path, '{"seed": seed, ', '{"seed": 1, '))
    with pytest.raises(KibitzError, match="not JSON"):
        dice(store, broken(tmp_path, "for _ in range(THROWS)]", "for _ in range(THROWS)] + [float('nan')]"))
    with pytest.raises(InputError, match="defines no experiment"):
        dice(store, broken(tmp_path, "EXPERIMENT = ", "SOMETHING = "))
    with pytest.raises(InputError, match="ZeroDivisionError"):
        dice(store, broken(tmp_path, "THROWS = 20", "THROWS = 20 // 0"))
    with pytest.raises(InputError, match=r"broken_\d+.py:14: SyntaxError"):
        dice(store, broken(tmp_path, "THROWS = 20", "THROWS = = 20"))


# --- files ---


def test_csv_has_an_interval_for_every_estimate(store: Path) -> None:
    outcome = dice(store, sides=2)
    names, values = as_csv(outcome.summary).splitlines()
    assert names == "die,throws,mean,mean low,mean high,sixes,sixes low,sixes high,note"
    mean = outcome.summary.rows[0]["mean"]
    assert values.startswith(f"W2,240,{mean[0]},{mean[1]},{mean[2]},")  # type: ignore[index]
    assert values.endswith(",")
    assert as_csv(dice(store.with_name("nothing"), seconds=0.0, shards=1).summary).count("\n") == 2


@pytest.mark.parametrize(("name", "begins"), [("plot.svg", b"<?xml"), ("plot.png", b"\x89PNG"), ("plot.pdf", b"%PDF")])
def test_plots(store: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    plot(dice(store), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)
    first = (tmp_path / name).read_bytes()
    plot(dice(store), tmp_path / name)
    if name == "plot.svg":
        assert (tmp_path / name).read_bytes() == first
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(f"{name}.")]
