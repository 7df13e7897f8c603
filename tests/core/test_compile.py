"""The binder: what it replaces, what it refuses, when compiled code is used again."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from kibitz.core.compiling import cache
from kibitz.core.compiling.binder import bind, game, options
from kibitz.core.errors import InputError, RulesError
from kibitz.core.position.loading import load

pytestmark = pytest.mark.compiled
BOTH = pytest.mark.parametrize("target", ["cpu", "python"])
TABLE = np.array([5, 6, 7], dtype=np.int8)


def helper(x: int) -> int:
    return x + TABLE[1] + options.EXTRA


def uses_game(x: int) -> Any:
    return game.double(helper(x)) + game.SCALE


def double(x: int) -> int:
    return 2 * x


@BOTH
def test_placeholders_and_helpers_are_replaced(target: str) -> None:
    namespace = {"double": double, "SCALE": 1000}
    assert bind(uses_game, namespace, "t", {"EXTRA": 10}, target)(1) == 1034
    assert bind(uses_game, {**namespace, "SCALE": 0}, "t", {"EXTRA": 0}, target)(1) == 14


@BOTH
def test_closures_and_own_jitted_functions_are_bound(target: str) -> None:
    offset = 40
    jitted = numba.njit(double)

    def closure(x: int) -> Any:
        return jitted(x) + offset

    assert bind(closure, {}, "t", target=target)(1) == 42


def test_missing_game_function_is_named() -> None:
    with pytest.raises(RulesError, match=r"needs game\.double"):
        bind(uses_game, {"SCALE": 1}, "t", {"EXTRA": 1})


def test_unknown_target() -> None:
    with pytest.raises(InputError, match="targets: cpu, cuda, python"):
        bind(double, {}, "t", target="fpga")


def even(n: int) -> Any:
    return n == 0 or odd(n - 1)


def odd(n: int) -> Any:
    return n != 0 and even(n - 1)


def test_cycle_of_two_is_refused() -> None:
    with pytest.raises(RulesError, match="cycle: even -> odd -> even"):
        bind(even, {}, "t")


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@BOTH
def test_self_recursion_is_fine(target: str) -> None:
    assert bind(fibonacci, {}, "t", target=target)(np.int16(15)) == 610


def two_signatures(n: int, x: float) -> float:
    return x if n == 0 else two_signatures(n - 1, 1) + 0.5


def test_recursion_with_two_signatures_is_refused() -> None:
    with pytest.raises(RulesError, match="calls itself with other types"):
        bind(two_signatures, {}, "t", target="cpu")(3, 2.5)


def undefined_name(x: int) -> int:
    return x + TABEL[0]  # type: ignore[name-defined,no-any-return]  # noqa: F821


def mixes_signs(x: Any) -> Any:
    return x & 1


def joins_signs(x: Any) -> Any:
    return x if x > np.uint64(5) else -1


LIST = [1, 2]


def reads_list(x: int) -> int:
    return LIST[x]


def adds_text(x: int) -> Any:
    return x + "one"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("function", "argument", "words"),
    [
        (undefined_name, 1, r"'TABEL' is not defined; did you mean .*TABLE"),
        (mixes_signs, np.uint64(1), r"uint64 & a signed integer .* wrap the other side in np\.uint64"),
        (joins_signs, np.uint64(1), r"one branch gives uint64"),
        (reads_list, 1, r"'LIST' is a list; .* write a tuple or an array"),
        (adds_text, 1, r"cannot be compiled: no way to do 'add' on these types"),
    ],
)
def test_mistakes_are_told_in_one_line_with_the_place(function: Any, argument: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words) as caught:
        bind(function, {}, "t", target="cpu")(argument)
    message = str(caught.value)
    line = function.__code__.co_firstlineno + 1  # each mistake is in the first line of the body
    assert message.startswith(f"test_compile.py:{line}: ")
    assert "\n" not in message


# --- the disk cache, seen from new processes ---

GAME = """
import numpy as np
from kibitz import OVER, record
from beside import LENGTH
State = record(ply=np.int8)
PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 4, 9, (-1.0, 1.0)
WIDTH = 2
def start(s): s.ply = 0
def player(s): return OVER if s.ply == LENGTH else s.ply % 2
def moves(s, out):
    for i in range(WIDTH): out[i] = i
    return WIDTH
def play(s, move): s.ply += 1
def utility(s, player): return 0.0
def show(s): return str(s.ply)
"""
RUN = """
import sys, numpy as np
from kibitz import load
from kibitz.core.compiling import cache
from kibitz.core.compiling.binder import game

def walk(s, out):
    total = 0
    while game.player(s) >= 0:
        total += game.moves(s, out)
        game.play(s, out[0])
    return total

start = load(sys.argv[1]).start
print(start.game.bind(walk)(start.state, np.zeros(9, start.game.constants["MOVE"])), cache.statistics["compiled"])
"""


@pytest.fixture
def counted(tmp_path: Path) -> Any:
    """Write the game, walk through it in a new process: (moves on the way, functions compiled)."""
    usual = tmp_path / "cache"

    def run(game: str = GAME, beside: str = "LENGTH = 9", options: str = "-c", cache_at: Path = usual) -> tuple[int, int]:
        (tmp_path / "g.py").write_text(game)
        (tmp_path / "beside.py").write_text(beside)
        environment = {**os.environ, "KIBITZ_CACHE": str(cache_at)}
        command = [
            sys.executable,
            "-B",
            options,
            RUN,
            str(tmp_path / "g.py"),
        ]  # bytecode of an edited file could pass for that of the new one
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
        moves, compiled = done.stdout.split()
        return int(moves), int(compiled)

    run.cache = usual  # type: ignore[attr-defined]
    return run


def test_edits_are_noticed_and_nothing_else_recompiles(counted: Any) -> None:
    first, compiled = counted()
    assert first == 18
    assert compiled > 0
    edited = GAME.replace("def play", "# a comment\n\ndef play").replace("str(s.ply)", "'?'")
    assert counted(edited) == (18, 0)  # nothing that is compiled
    moves, compiled = counted(GAME.replace("WIDTH = 2", "WIDTH = 3"))
    assert moves == 27
    assert compiled > 0
    moves, compiled = counted(beside="LENGTH = 3")  # an edit in another file
    assert moves == 6
    assert compiled > 0
    assert counted() == (18, 0)  # back to the first version, still there

    files = [f for f in counted.cache.rglob("*") if f.is_file()]
    for i, file in enumerate(files):
        file.write_bytes([b"", b"x" * 100, file.read_bytes()[:-7]][i % 3])
    moves, compiled = counted()  # damaged files are made anew
    assert moves == 18
    assert compiled > 0
    assert counted() == (18, 0)


def test_unwritable_cache_is_done_without(counted: Any, tmp_path: Path) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    moves, compiled = counted(cache_at=blocked)
    assert moves == 18
    assert compiled > 0


def test_many_processes_share_a_cold_cache(tmp_path: Path) -> None:
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path / "shared")}
    command = [sys.executable, "-c", RUN, "tictactoe"]
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [p.communicate(timeout=120)[0].split()[0] for p in processes]
    assert answers == ["42"] * 3  # 9 moves, 8, ... until three stand in a line
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert again.stdout.split() == ["42", "0"]
    assert not [f for f in (tmp_path / "shared").rglob("*") if f.is_file() and "." in f.name.rpartition("-")[2]]  # no temporary files left


def test_files_written_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a process begins to write, and whenever it has written a lot since: a look at thousands of files is not free."""
    monkeypatch.setattr(cache, "_unseen", cache.BETWEEN)
    monkeypatch.setattr(cache, "BETWEEN", 250)
    monkeypatch.setattr(cache, "MOST_BYTES", 600)
    for number in range(8):
        cache._write(tmp_path / str(number), bytes(100))  # and 32 of a checksum
        os.utime(tmp_path / str(number), (number, number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3", "4", "5", "6", "7"]  # looked at when 0, 3 and 6 were written


def test_bound_once(tmp_path: Path) -> None:
    connect4 = load("connect4")
    assert connect4.bind(double) is connect4.bind(double)
    assert load("connect4") is connect4


def reads_absent_table(x: int, table: Any) -> Any:
    if options.TABLE and x > 0:
        return table[x]
    return x


def test_code_behind_an_option_that_is_off_is_not_even_typed() -> None:
    assert bind(reads_absent_table, {}, "t", {"TABLE": False}, "cpu")(2, 7) == 2
    assert bind(reads_absent_table, {}, "t", {"TABLE": True}, "cpu")(2, TABLE) == 7
    with pytest.raises(RulesError, match="cannot be compiled"):
        bind(reads_absent_table, {}, "t", {"TABLE": True}, "cpu")(2, 7)


def at_most(n: int) -> int:
    if options.MOST and n > options.MOST:
        n = options.MOST
    return n


@pytest.mark.parametrize("most", [0, 3])
def test_a_variable_that_may_become_an_option_keeps_its_own_value(most: int) -> None:
    limited = bind(at_most, {}, "at most", {"MOST": most})
    assert [limited(n) for n in (1, 3, 9)] == ([1, 3, 3] if most else [1, 3, 9])


def reads(table: Any, index: int) -> Any:
    return table[index]


def test_array_indices_are_checked_where_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the two kinds of code are kept apart, on disk and in a game."""
    outside = np.zeros(3), 3
    plain = bind(reads, {}, "t", target="cpu")
    monkeypatch.setenv("KIBITZ_CHECKED", "1")
    checked = bind(reads, {}, "t", target="cpu")
    assert checked.digest != plain.digest
    assert checked.digest == bind(reads, {}, "t", target="cpu", checked=True).digest
    assert plain.digest == bind(reads, {}, "t", target="cpu", checked=False).digest
    with pytest.raises(IndexError):
        checked(*outside)
    nim = load("nim")
    first = nim.bind(reads, target="cpu")
    monkeypatch.delenv("KIBITZ_CHECKED")
    assert nim.bind(reads, target="cpu") is not first
