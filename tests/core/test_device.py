"""Kernels for thousands of threads: the same numbers compiled, interpreted and on a GPU; code for a GPU without one; what is refused."""

import math
from typing import Any

import numpy as np
import pytest

import kibitz as kb
from kibitz.core.compiling.binder import CUDA, bind, options
from kibitz.core.device import driver
from kibitz.core.device.machine import Fleet, machine_for
from kibitz.core.errors import InputError
from kibitz.core.measuring.many_games import Job, games_fleet, many_games, why_not_on_gpu, work_kind
from kibitz.core.measuring.random_games import playouts, workspace
from kibitz.core.position.game import Game
from kibitz.core.records import bits, hashing, maths, random
from kibitz.core.records.place import own_copy, put_back, record_at
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT

NO_GPU = driver.why_none()
FEW = ("tictactoe", "ewn")
Pair = record(a=np.int64, b=np.float64, many=(np.int8, 24))


# --- maths ---


@pytest.mark.parametrize("x", [5e-324, 1e-300, 0.25, 0.7, 1.0, math.sqrt(2.0), 1.5, 2.0, 4096.0, 2.0**31, 1.7e308])
def test_logarithms_are_right_to_a_unit_in_the_last_place(x: float) -> None:
    assert abs(maths.log(x) - math.log(x)) <= math.ulp(math.log(x))


@pytest.mark.parametrize("x", [-745.0, -700.5, -1.0, -1e-9, 0.0, 1e-9, 0.5, 1.0, 88.7, 709.5])
def test_powers_of_e_too(x: float) -> None:
    assert abs(maths.exp(x) - math.exp(x)) <= math.ulp(math.exp(x))


@pytest.mark.parametrize("x", [-30.0, -3.5, -1.0, -0.999, -0.3, -1e-5, 1e-9, 0.2, 0.9, 1.1, 5.5, 7.0, 1000.0])
def test_hyperbolic_tangents_and_the_error_function(x: float) -> None:
    assert maths.tanh(x) == pytest.approx(math.tanh(x), rel=1e-15)
    assert maths.erf(x) == pytest.approx(math.erf(x), rel=3e-15)


def test_maths_at_the_ends() -> None:
    assert maths.log(0.0) == -math.inf
    assert math.isnan(maths.log(-1.0))
    assert maths.log(math.inf) == math.inf
    assert (maths.exp(1000.0), maths.exp(-1000.0), maths.exp(-math.inf)) == (math.inf, 0.0, 0.0)
    assert math.isnan(maths.exp(math.nan))
    assert (maths.power(0.0, 2.0), maths.power(-2.0, 3.0), maths.power(2.0, 0.0)) == (0.0, pytest.approx(-8.0), 1.0)


@pytest.mark.compiled
def test_compiled_maths_is_the_interpreted_to_the_bit() -> None:
    log, exp = (bind(function, {}, "maths") for function in (maths.log, maths.exp))
    for x in np.random.default_rng(1).uniform(-600.0, 600.0, 300):
        assert exp(float(x)) == maths.exp(float(x))
        assert log(abs(float(x))) == maths.log(abs(float(x)))


# --- records at an address ---


def doubled(address: int) -> float:
    home = record_at(address, options.PAIR)
    r = own_copy(home)
    for i in range(24):
        r.many[i] += i
    r.a *= 2
    before = home.a
    put_back(home, r)
    return home.a + 0.25 * before


def test_a_thread_works_on_a_copy_and_puts_it_back() -> None:
    pairs = np.zeros(3, Pair)
    pairs["a"], pairs["many"] = 8, 1
    kernel = bind(doubled, {}, "doubling", {"PAIR": Pair})
    assert kernel(pairs.ctypes.data + Pair.itemsize) == 18.0
    assert pairs["a"].tolist() == [8, 16, 8]
    assert pairs[1]["many"].tolist() == [1 + i for i in range(24)]
    assert pairs[2]["many"].tolist() == [1] * 24


# --- random games ---


@pytest.mark.parametrize("name", FEW)
def test_many_games_are_those_of_each_stream(name: str) -> None:
    """By the kernel that plays them one after another."""
    position, seed, games = kb.load(name).start, 3, 7
    found = many_games(position, games, seed, threads=2)
    sums = np.zeros(2)
    for stream in range(games):
        w = blank(workspace(position.game.constants))
        w.root, w.control.limit = position.state, NO_LIMIT
        position.game.bind(playouts)(w, random.seeded(seed, stream), 1)
        sums += w.sums
    assert (found.games, found.unfinished) == (games, 0)
    assert found.utilities == pytest.approx(sums / games)


def test_more_games_than_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stream plays as many; how long slices are changes nothing."""
    start = kb.load("tictactoe").start
    monkeypatch.setattr("kibitz.core.measuring.many_games.THREADS", 4)
    found = many_games(start, 18, seed=2, threads=1)
    assert found.games == 20
    monkeypatch.setattr("kibitz.core.measuring.many_games.SLICE", 0.0)
    assert many_games(start, 18, seed=2, threads=3) == found


# --- code for a GPU, which none is needed for ---


@pytest.mark.compiled
@pytest.mark.parametrize("name", [*FEW, *(pytest.param(n, marks=pytest.mark.long) for n in kb.shipped() if n not in FEW)])
def test_rules_become_code_for_a_gpu(name: str) -> None:
    code = games_fleet(kb.load(name)).source(blank(Job))
    assert ".visible .entry fleet(" in code
    assert ".extern" not in code
    assert "fma.rn" not in code, "additions and multiplications are not fused, or numbers would not be the CPU's"


class Countdown:
    """Take one or two."""

    State = record(left=np.int64, turn=np.int64)
    PLAYERS, MAX_MOVES, MAX_PLIES, VALUES = 2, 2, 20, (-1.0, 1.0)

    def start(s):
        s.left = 7

    def player(s):
        return kb.OVER if s.left == 0 else s.turn

    def moves(s, out):
        out[0], out[1] = 1, 2
        return 2 if s.left > 1 else 1

    def play(s, move):
        s.left -= move
        s.turn = 1 - s.turn

    def utility(s, player):
        return -1.0 if player == s.turn else 1.0


class Arrays(Countdown):
    """With an array made in a rule."""

    def moves(s, out):
        found = np.zeros(s.left + 2, np.int64)
        found[0] = 1
        out[0], out[1] = found[0], 2
        return 2 if s.left > 1 else 1


def depth_of(n):
    return 0 if n <= 0 else 1 + depth_of(n - 1)


class Calls(Countdown):
    """With a function that calls itself."""

    def utility(s, player):
        return -1.0 if player == s.turn else 1.0 * min(1, depth_of(s.turn) + 1)


class Sines(Countdown):
    """With a function that no GPU has."""

    def moves(s, out):
        out[0], out[1] = 1, 2
        return 2 if s.left > 1 and math.sin(s.left) < 2.0 else 1


class Logarithms(Countdown):
    """With some that it is given."""

    def utility(s, player):
        return max(
            -1.0,
            min(
                1.0,
                math.erf(s.turn * 0.1)
                + math.tanh(s.left * 0.3)
                + math.log(s.turn + 1.5) * math.exp(-s.turn)
                + s.turn**0.5
                - math.sqrt(2.0),
            ),
        )


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Arrays, ("calls NRT_MemInfo_alloc", "which makes arrays or Python objects; leave it to the CPU")),
        (Calls, ("test_device.py:", "depth_of calls itself, which a GPU has no room for")),
        (Sines, ("calls sin, which no GPU has",)),
    ],
)
def test_what_cannot_run_is_refused_in_one_line(rules: Any, words: tuple[str, ...]) -> None:
    said = str(why_not_on_gpu(Game(rules)))
    assert "\n" not in said
    for each in words:
        assert each in said


@pytest.mark.compiled
def test_a_state_may_be_too_large() -> None:
    class Large(Countdown):
        """A board of a hundred thousand fields."""

        State = record(left=np.int64, turn=np.int64, board=(np.int64, 100_000))

    assert "of its own, more than" in str(why_not_on_gpu(Game(Large)))


@pytest.mark.compiled
def test_logarithms_are_put_in_place() -> None:
    assert why_not_on_gpu(Game(Logarithms)) is None


@pytest.mark.compiled
def test_the_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = games_fleet(kb.load("nim"))
    first = fleet.source(blank(Job))
    monkeypatch.setattr("kibitz.core.device.ptx._made", lambda *_: pytest.fail("made again"))
    assert fleet.source(blank(Job)) == first


def test_an_unknown_device() -> None:
    with pytest.raises(InputError, match="unknown device 'gpu'; did you mean cpu"):
        machine_for("gpu")


@pytest.mark.skipif(NO_GPU is None, reason="there is a GPU here")
def test_without_a_gpu_it_says_so() -> None:
    with pytest.raises(InputError, match=r"^no GPU here: .*; leave --device cuda out to work on the CPU$"):
        many_games(kb.load("tictactoe").start, 10, device="cuda")


# --- on a GPU ---

needs_gpu = pytest.mark.skipif(NO_GPU is not None, reason=str(NO_GPU))
Numbers = record(words=np.int64, out=np.int64)
Words, Out = record(word=np.uint64, far=np.float64), record(bits=(np.int64, 8), reals=(np.float64, 4))


def numbers(i: int, job: Any) -> None:
    """What kernels are made of."""
    x, out = record_at(job.words + i * options.WORDS_SIZE, options.WORDS), record_at(job.out + i * options.OUT_SIZE, options.OUT)
    out.bits[0], out.bits[1], out.bits[2] = bits.popcount(x.word), bits.lowest(x.word), bits.highest(x.word)
    out.bits[3], out.bits[4] = bits.popcount(bits.without_lowest(x.word)), bits.has(x.word, 5)
    out.bits[5] = np.int64(hashing.mix(x.word) >> np.uint64(1))
    out.bits[6] = bits.nth(x.word, 2)
    out.reals[0], out.reals[1] = maths.log(abs(x.far)), maths.exp(x.far)
    out.reals[2], out.reals[3] = math.sqrt(abs(x.far)), x.far * x.far + 1.0 / x.far


def numbers_on(device: str) -> Any:
    machine = machine_for(device, 1)
    count, lots = 1000, np.random.default_rng(1)
    words, job = np.zeros(count, Words), blank(Numbers)
    words["word"], words["far"] = lots.integers(2**20, 2**63, count).astype(np.uint64) | np.uint64(7), lots.uniform(-30.0, 30.0, count)
    given, out = machine.array(Words, count), machine.array(Out, count)
    given.write(words)
    job.words, job.out = given.address, out.address
    sizes = {"WORDS": Words, "OUT": Out, "WORDS_SIZE": Words.itemsize, "OUT_SIZE": Out.itemsize}
    machine.run(Fleet(kb.load("nim"), numbers, sizes, "numbers"), count, job)
    return out.read().tobytes()


@pytest.mark.compiled
def test_numbers_become_code_for_a_gpu() -> None:
    sizes = {"WORDS": Words, "OUT": Out, "WORDS_SIZE": Words.itemsize, "OUT_SIZE": Out.itemsize}
    assert ".extern" not in Fleet(kb.load("nim"), numbers, sizes, "numbers").source(blank(Numbers))


@needs_gpu
def test_numbers_are_the_same_to_the_bit_on_a_gpu() -> None:
    assert numbers_on(CUDA) == numbers_on("cpu")


@needs_gpu
@pytest.mark.parametrize("name", kb.shipped())
def test_games_are_the_same_on_a_gpu(name: str) -> None:
    start = kb.load(name).start
    assert many_games(start, 500, seed=4, device=CUDA) == many_games(start, 500, seed=4)


def test_a_workspace_knows_its_streams() -> None:
    assert work_kind(kb.load("ewn").constants).fields["rng"][0] == random.Rng  # type: ignore[index]
    assert random.seed_words(5, [0, 9]).tolist() == [int(random.seeded(5, stream).word) for stream in (0, 9)]
