"""Random games by the million: thousands of threads, each with random numbers of its own, on this computer or on a GPU.

The same seed gives the same games on either. Flat Monte Carlo: the value of a position if all players move at random.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import options
from kibitz.core.device.machine import Fleet, Machine, machine_for
from kibitz.core.errors import InputError, RulesError
from kibitz.core.measuring.random_games import RandomGames, fields, playouts
from kibitz.core.position.game import Game, Position
from kibitz.core.records import random
from kibitz.core.records.place import own_copy, put_back, record_at
from kibitz.core.records.record import blank, record
from kibitz.core.running.control import NO_LIMIT, deadline, heeded

THREADS = 65_536  # that have random numbers of their own, however many run at once
SLICE = 0.02  # seconds between two looks at the clock

Job = record(workspaces=np.int64, games=np.int64)  # of each thread, in this slice


def work_kind(constants: dict[str, Any]) -> np.dtype[Any]:
    """What a thread keeps between two slices."""
    of_players = (np.float64, constants["PLAYERS"])
    return record(**fields(constants), rng=random.Rng, finished=np.int64, plies=np.int64, sums=of_players, squares=of_players)


# --- kernel ---


def play_some(i: int, job: Any) -> None:
    """The next games of thread `i`."""
    home = record_at(job.workspaces + i * options.SIZE, options.WORK)
    w = own_copy(home)
    w.plies += playouts(w, w.rng, job.games)
    put_back(home, w)


# --- shell ---


def games_fleet(game: Game) -> Fleet:
    """The kernel for a game."""
    kind = work_kind(game.constants)
    return Fleet(game, play_some, {"WORK": kind, "SIZE": kind.itemsize}, "random games")


def why_not_on_gpu(game: Game) -> str | None:
    """Why the rules cannot run on a GPU, in one line; None where they can. No GPU is needed to find out."""
    try:
        games_fleet(game).source(blank(Job))
    except RulesError as error:
        return str(error)
    return None


def many_games(position: Position, games: int, seed: int = 0, device: str = "cpu", threads: int = 0) -> RandomGames:
    """Play at least `games` random games from `position`, as many with each of up to 65,536 streams of random numbers."""
    if games < 1:
        raise InputError(f"{games} games: play at least 1")
    machine, game = machine_for(device, threads), position.game
    streams = min(games, THREADS)
    each = -(-games // streams)
    work = _workspaces(position, streams, seed)
    room = machine.array(work.dtype, streams)
    room.write(work)
    fleet, job = games_fleet(game), blank(Job)
    job.workspaces = room.address
    machine.prepare(fleet, job)
    began = time.perf_counter()
    _play(machine, fleet, job, streams, each)
    seconds = time.perf_counter() - began
    return _summed(room.read(), seconds, games=each * streams)


def _workspaces(position: Position, streams: int, seed: int) -> Any:
    work = np.zeros(streams, work_kind(position.game.constants))
    work["root"], work["control"]["limit"] = position.state, NO_LIMIT
    work["rng"]["word"] = random.seed_words(seed, np.arange(streams))
    return work


def _play(machine: Machine, fleet: Fleet, job: Any, streams: int, each: int) -> None:
    """In slices, so that Ctrl-C and other threads' wishes are heeded."""
    done, part, stop = 0, 1, heeded()
    while done < each:
        job.games = min(part, each - done)
        end = deadline(SLICE)
        machine.run(fleet, streams, job)
        done += int(job.games)
        part = part * 2 if time.perf_counter() < end else max(1, part // 2)
        if stop is not None and stop.due:
            raise KeyboardInterrupt


def _summed(work: Any, seconds: float, games: int) -> RandomGames:
    finished = int(work["finished"].sum())
    means = [float(total) / finished if finished else math.nan for total in work["sums"].sum(axis=0)]
    squares = [float(total) / finished if finished else math.nan for total in work["squares"].sum(axis=0)]
    spreads = [max(0.0, square - mean * mean) for square, mean in zip(squares, means, strict=True)]
    errors = [math.sqrt(spread / finished) if finished else math.nan for spread in spreads]
    return RandomGames(finished, games - finished, int(work["plies"].sum()), tuple(means), tuple(errors), seconds)
