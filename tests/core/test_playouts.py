"""Random games: reproducible, the same on every target, and as random as they claim."""

from math import sqrt

import numpy as np
import pytest

from kibitz.core.errors import InputError
from kibitz.core.measuring.random_games import playouts, random_games, workspace
from kibitz.core.position.game import Game
from kibitz.core.position.loading import load
from kibitz.core.protocol.rules import CHANCE, GENERAL, OVER
from kibitz.core.records.random import Rng
from kibitz.core.records.record import blank, record

X_WINS, O_WINS, DRAWS = 737 / 1260, 121 / 420, 8 / 63  # tic-tac-toe, both sides playing at random: 0.5849, 0.2881, 0.1270


class Wheel:
    """One spin of a wheel with three unequal fields, after a choice that does not matter."""

    State = record(spun=np.int8, field=np.int8)
    PLAYERS, MAX_MOVES, MAX_OUTCOMES, MAX_PLIES = 3, 2, 3, 2
    VALUES, SUM, CHANCE_KIND = (0.0, 1.0), 1.0, GENERAL
    WEIGHTS = (0.5, 2.0, 5.5)

    def start(s):
        s.spun, s.field = 0, 0

    def player(s):
        return OVER if s.spun == 2 else CHANCE if s.spun else 0

    def moves(s, out):
        out[0], out[1] = 0, 1
        return 2

    def outcomes(s, out, weights):
        for i in range(3):
            out[i], weights[i] = i, WEIGHTS[i]  # noqa: F821  a class's functions see its names
        return 3

    def play(s, move):
        s.field = move
        s.spun += 1

    def utility(s, player):
        return 1.0 if player == s.field else 0.0


class Endless:
    """A game of coin tosses that stops at heads, or goes on for ever."""

    State = record(tosses=np.int16, heads=np.bool_)
    PLAYERS, MAX_MOVES, MAX_PLIES = 1, 2, 3
    VALUES, SUM = (0.0, 3.0), None

    def start(s):
        s.tosses, s.heads = 0, False

    def player(s):
        return OVER if s.heads else 0

    def moves(s, out):
        out[0], out[1] = 0, 1
        return 2

    def play(s, move):
        s.tosses += 1
        s.heads = move == 1

    def utility(s, player):
        return float(s.tosses) if player == 0 else 0.0


@pytest.mark.parametrize("game", [load("tictactoe"), load("connect4"), Game(Wheel), Game(Endless)], ids=lambda game: game.name)
def test_a_seed_gives_the_same_games_compiled_and_interpreted(game: Game) -> None:
    compiled = random_games(game.start, 50, seed=11, target="cpu")
    assert compiled == random_games(game.start, 50, seed=11, target="python")
    assert compiled == random_games(game.start, 50, seed=11, target="cpu")
    assert compiled.games + compiled.unfinished == 50


def test_seeds_give_different_games() -> None:
    start = load("connect4").start
    assert len({random_games(start, 20, seed=number).plies for number in range(10)}) > 5


def test_tic_tac_toe_at_random() -> None:
    n = 300_000
    played = random_games(load("tictactoe").start, n, seed=1, target="cpu")
    mean, error = played.utilities[0], played.errors[0]
    assert abs(mean - (X_WINS - O_WINS)) < 5 * error
    assert error == pytest.approx(sqrt((1 - DRAWS - (X_WINS - O_WINS) ** 2) / n), rel=0.01)
    decided = error * error * n + mean * mean  # the mean square of the utility: the share of games that somebody won
    assert abs(1 - decided - DRAWS) < 5 * sqrt(DRAWS * (1 - DRAWS) / n)
    assert played.utilities[1] == -mean
    assert (played.games, played.unfinished) == (n, 0)


def test_chance_follows_the_weights() -> None:
    n = 200_000
    played = random_games(Game(Wheel).start, n, seed=2, target="cpu")
    for mean, share in zip(played.utilities, (0.0625, 0.25, 0.6875), strict=True):
        assert abs(mean - share) < 5 * sqrt(share * (1 - share) / n)
    assert played.plies == 2 * n


def test_games_without_an_end_are_cut_and_told_apart() -> None:
    n = 100_000
    played = random_games(Game(Endless).start, n, seed=3, target="cpu")
    assert abs(played.unfinished / n - 1 / 8) < 5 * sqrt(7 / 64 / n)
    assert abs(played.utilities[0] - 11 / 7) < 5 * played.errors[0]  # heads at the first, second or third toss: (4 + 2*2 + 3) / 7
    assert played.plies < 3 * n


def test_only_unfinished_games_have_no_mean() -> None:
    seeds = (random_games(Game(Endless).start, 1, seed=number) for number in range(100))
    unfinished = next(played for played in seeds if played.unfinished)
    assert (unfinished.games, unfinished.plies) == (0, 3)
    assert np.isnan([*unfinished.utilities, *unfinished.errors]).all()


def test_from_a_position() -> None:
    won = load("tictactoe").position("1 4 2 5 3")
    played = random_games(won, 10, seed=0)
    assert (played.games, played.plies, played.utilities, played.errors) == (10, 0, (1.0, -1.0), (0.0, 0.0))
    last = load("tictactoe").position("XOX/XOO/OX.")  # X fills the board: a draw
    assert random_games(last, 10, seed=0).utilities == (0.0, 0.0)


def test_the_limit_stops_the_kernel() -> None:
    game = load("tictactoe")
    w, rng = blank(workspace(game.constants)), blank(Rng)
    w.root, w.control.limit = game.start.state, 5
    plies = game.bind(playouts)(w, rng, 1000)
    assert (w.control.nodes, w.finished) == (5, 5)
    assert 25 <= plies <= 45


@pytest.mark.parametrize(
    ("games", "seed", "message"),
    [(0, 0, "0 games: play at least 1"), (-3, 0, "-3 games"), (1, -1, "seed -1: must be from 0"), (1, 1 << 64, "must be from 0 to")],
)
def test_bad_numbers(games: int, seed: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        random_games(load("tictactoe").start, games, seed)
