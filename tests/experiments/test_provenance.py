"""Kept results go stale with every file that they came from: the user's own games, what these import, weights, and the file of each search."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.errors import InputError
from kibitz.core.protocol.weights import write
from kibitz.experiments import provenance
from kibitz.experiments.experiment import experiment
from kibitz.experiments.provenance import code_digest
from kibitz.experiments.runner import Outcome, run_experiment
from kibitz.searches.method import module_of, names
from tests.experiments.test_runner import DICE

GAME = """
import numpy as np
from kibitz import OVER, evaluation, record
from board import LAST

State = record(total=np.int16, turn=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES = 2, 2, LAST
VALUES = (-1.0, 1.0)
FEATURES = ("turn",)
WEIGHTS = evaluation.fitted(__file__, FEATURES, (0.1,))

def start(s):
    s.total, s.turn = 0, 0

def player(s):
    return OVER if s.total >= LAST else s.turn

def moves(s, out):
    out[0], out[1] = 1, 2
    return 2

def play(s, move):
    s.total += move
    s.turn = 1 - s.turn

def utility(s, player):
    return -1.0 if player == s.turn else 1.0
"""
EXPERIMENT = """
from pathlib import Path
import kibitz as kb
from kibitz.core.protocol.parameters import Parameter
from kibitz.experiments.experiment import Experiment, Shard, Summary
from summing import total

def shards(settings):
    return [Shard({"seed": seed, "game": settings["game"]}) for seed in range(4)]

def run(inputs):
    game = kb.load(inputs["game"] or str(Path(__file__).parent / "mine.py"))
    return total([len(game.start.moves), game.constants["MAX_PLIES"], game.constants["WEIGHTS"][0]])

def summarise(settings, results):
    return Summary([{"sum": f.result} for f in results])

EXPERIMENT = Experiment(about="", claim="", parameters=(Parameter("game", "", None, None, None, ""),), shards=shards, run=run, summarise=summarise)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    for name, text in (
        ("mine.py", GAME),
        ("board.py", "from numbers_of import LAST\n"),
        ("numbers_of.py", "LAST = 10\n"),
        ("luck.py", EXPERIMENT),
        ("summing.py", "def total(numbers):\n    return sum(numbers)\n"),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, **given: Any) -> Outcome:
    return run_experiment(str(folder / "luck.py"), given, store=folder / "store")


@pytest.mark.parametrize("by", ["its own text", "its inputs"])
@pytest.mark.parametrize("edited", ["mine.py", "board.py", "numbers_of.py", "mine_weights.json", "summing.py"])
def test_an_edited_game_shows_no_old_results(folder: Path, by: str, edited: str) -> None:
    given = {} if by == "its own text" else {"game": str(folder / "mine.py")}
    assert run(folder, **given).progress.reused == 0
    assert run(folder, **given).progress.reused == 4
    if edited.endswith(".json"):
        write(folder / edited, "mine", ("turn",), (0.5,), {})
    else:
        text = (folder / edited).read_text()
        (folder / edited).write_text('"""A docstring counts for nothing."""\n' + text)
        assert run(folder, **given).progress.reused == 4
        (folder / edited).write_text(text.replace("return 2", "return 1 + 1") + "\nANOTHER = 1\n")
    assert run(folder, **given).progress.reused == 0


def test_a_helper_of_the_experiment_is_read_again_within_one_process(folder: Path) -> None:
    before = run(folder).summary.rows[0]["sum"]
    (folder / "summing.py").write_text("def total(numbers):\n    return 100 * sum(numbers)\n")
    assert run(folder).summary.rows[0]["sum"] == 100 * before  # type: ignore[operator]


def test_games_may_be_named_by_their_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    shutil.copy(DICE, folder / "dice.py")
    chosen = experiment("./dice.py")
    digests = {code_digest("./dice.py", replace(chosen, games=games)) for games in ((), ("mine.py",), ("nim",), ("mine.py", "nim"))}
    assert len(digests) == 4
    with pytest.raises(InputError, match=r"the experiment names a game 'yours\.py', which is none of ours and no file"):
        code_digest("./dice.py", replace(chosen, games=("yours.py",)))


def test_a_game_that_run_loads_counts_though_nobody_declared_it(folder: Path) -> None:
    text = EXPERIMENT.replace('kb.load(inputs["game"] or str(Path(__file__).parent / "mine.py"))', 'kb.load("GAME")')
    found = set()
    for name in ("nim", "tictactoe"):
        (folder / f"{name}_luck.py").write_text(text)
        found.add(_files(folder / f"{name}_luck.py"))
        (folder / f"{name}_luck.py").write_text(text.replace("GAME", name))
        assert f"{name}.py" in _files(folder / f"{name}_luck.py")
    assert all("nim.py" not in names for names in found)


def _files(path: Path) -> tuple[str, ...]:
    """The names of the files whose contents the digest holds."""
    seen: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        read: Callable[[Path], str] = provenance._read
        patch.setattr(provenance, "_read", lambda p: (seen.append(p.name), read(p))[1])
        code_digest(str(path), experiment(str(path)))
    return tuple(sorted(seen))


@pytest.mark.parametrize("name", names())
def test_every_search_has_its_own_file_in_the_digest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Star searches share one function that runs them, which is in another file than their options."""
    seen: list[str] = []
    read = provenance._read
    monkeypatch.setattr(provenance, "_read", lambda path: (seen.append(path.name), read(path))[1])
    code_digest(DICE, replace(experiment(DICE), searches=(name,)))
    assert f"{module_of(name).rpartition('.')[2]}.py" in seen
