"""kibitz: game-tree search at machine-code speed for games written as plain Python functions."""

from kibitz.core import bits
from kibitz.core.errors import InputError, KibitzError, RulesError
from kibitz.core.game import Game
from kibitz.core.loading import load, shipped
from kibitz.core.parameters import parameter
from kibitz.core.position import Move, Position
from kibitz.core.record import record
from kibitz.core.result import Result
from kibitz.core.rules import CHANCE, DRAW, GENERAL, LOSS, NO_MOVE, OVER, UNIFORM, WEIGHTED
from kibitz.players import Player, analyse, player, search, solve

__version__ = "0.1.0"

__all__ = [
    "CHANCE", "DRAW", "GENERAL", "LOSS", "NO_MOVE", "OVER", "UNIFORM", "WEIGHTED",
    "Game", "InputError", "KibitzError", "Move", "Player", "Position", "Result", "RulesError",
    "analyse", "bits", "load", "parameter", "player", "record", "search", "shipped", "solve",
]  # fmt: skip
