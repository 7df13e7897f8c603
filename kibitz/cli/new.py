"""`kibitz new`: write a whole game of about forty lines, to be changed into another one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli import terminal
from kibitz.core.errors import InputError
from kibitz.core.files import write_whole

TEMPLATE = '''"""Race to 21: players add 1, 2 or 3 in turn; whoever reaches the target wins.

Rules are plain functions over one record. Try: kibitz check THIS_FILE, kibitz perft THIS_FILE 5, kibitz show THIS_FILE --moves "+1 +3".
"""

import numpy as np

from kibitz import OVER, parameter, record

TARGET = parameter("target", 21, low=1, high=100, about="the number to reach")

State = record(total=np.int16, turn=np.int8)  # everything a position is; all zero before start()
PLAYERS = 2
MAX_MOVES = 3  # a true upper bound of what moves() lists
MAX_PLIES = TARGET  # no game is longer
VALUES = (-1.0, 1.0)  # the range of utility()


def start(s):  # write the first position into s
    s.total, s.turn = 0, 0


def player(s):  # whose turn: 0, 1, ... or OVER
    return OVER if s.total == TARGET else s.turn


def moves(s, out):  # write the legal moves, whole numbers, into out; return how many
    n = min(3, TARGET - s.total)
    for i in range(n):
        out[i] = i + 1
    return n


def play(s, move):  # make the move in s
    s.total += move
    s.turn = 1 - s.turn


def utility(s, player):  # what a finished game is worth to a player
    return -1.0 if player == s.turn else 1.0  # the last to move has won


def name(s, move):  # optional: how people write a move
    return f"+{move}"
'''


def new(
    name: Annotated[str, typer.Argument(help="The game's name; NAME.py is written to the current folder.", show_default=False)],
) -> None:
    """Write a small working game to start from: NAME.py."""
    path = Path(name if name.endswith(".py") else f"{name}.py")
    if not path.stem.isidentifier():
        raise InputError(f"'{path.stem}' cannot be the name of a Python file; use letters, digits and _ such as my_game")
    if path.exists():
        raise InputError(f"{path} exists already; choose another name or remove it")
    write_whole(path, TEMPLATE)
    terminal.console.print(f"{path} written; try: kibitz check {path}", markup=False)
