"""kibitz: game-tree search at machine-code speed for games written as plain Python functions."""

from kibitz.arena.contest import Contestant
from kibitz.arena.match import match
from kibitz.arena.match_result import Match
from kibitz.core.drawing import svg, tree_layout
from kibitz.core.errors import InputError, KibitzError, RulesError, nearest
from kibitz.core.measuring.many_games import many_games
from kibitz.core.position.game import Game, Position
from kibitz.core.position.loading import load, shipped
from kibitz.core.position.notation import Move
from kibitz.core.position.result import Result
from kibitz.core.position.transcript import Transcript
from kibitz.core.protocol import default_text as text
from kibitz.core.protocol import evaluation
from kibitz.core.protocol.parameters import parameter
from kibitz.core.protocol.rules import CHANCE, DRAW, FORBIDDEN, GENERAL, LOSS, NO_MOVE, OVER, UNIFORM, WEIGHTED
from kibitz.core.records import bits, hashing, maths, random
from kibitz.core.records.place import scratch
from kibitz.core.records.record import record
from kibitz.pictures.search_tree import SearchTree, tree
from kibitz.players import Player, analyse, player, search, search_many, solve
from kibitz.searches.proof.prove import Proof, prove

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022  (by what they are for)
    # playing, searching, solving, showing
    "Contestant", "Game", "InputError", "KibitzError", "Match", "Move", "Player", "Position", "Proof", "Result", "RulesError", "SearchTree", "Transcript",
    "analyse", "load", "match", "many_games", "player", "prove", "search", "search_many", "shipped", "solve", "tree",
    # for authors of games
    "CHANCE", "DRAW", "FORBIDDEN", "GENERAL", "LOSS", "NO_MOVE", "OVER", "UNIFORM", "WEIGHTED",
    "bits", "evaluation", "hashing", "maths", "nearest", "parameter", "random", "record", "scratch", "svg", "text", "tree_layout",
]  # fmt: skip
