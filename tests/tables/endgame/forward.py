"""Chess tables held against what they were not made by: searches forward from a position, and the rules as another program has them."""

import random
from collections.abc import Iterator

import chess
import numpy as np

import kibitz as kb
from kibitz.core.position.game import Position
from kibitz.tables.endgame.inspecting import position_at
from kibitz.tables.endgame.probing import LEAST_VALUE, Tables, values_of


def random_positions(tables: Tables, section: str, count: int, seed: int, furthest: int | None = None) -> Iterator[tuple[Position, int]]:
    """Unfinished positions of an ending with what the table says of them: d for a win in d plies, -d for a loss, 0 for a draw; those decided within `furthest` plies, where it is given."""
    values, begin = values_of(tables.files[section]), tables.numbering.section(section).begin
    fitting = values > LEAST_VALUE
    if furthest is not None:
        fitting &= (values != 0) & (np.abs(values) <= furthest)
    numbers = np.flatnonzero(fitting)
    for number in random.Random(f"{section}:{seed}").sample(numbers.tolist(), min(count, len(numbers))):
        position = position_at(tables, begin + number)
        assert position is not None
        yield position, int(values[number])


def searched(position: Position, plies: int) -> int | None:
    """What a search without tables finds within `plies` plies: d, -d, or None where nobody can force a mate as soon as that."""
    result = kb.search(position, f"alphabeta(depth={plies})")
    if not result.exact or result.distance is None:
        return None
    return result.distance if result.value > 0 else -result.distance


def followed(tables: Tables, position: Position) -> int:
    """What the tables say of the positions behind all moves, as python-chess lists and makes them, comes to for the player to move: d, -d or 0."""
    board = chess.Board(position.show().splitlines()[-1])
    values = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            values.append(1)
        elif board.is_stalemate() or board.is_insufficient_material():
            values.append(0)
        else:
            entry = tables.look_up(kb.load("chess").position(board.fen(en_passant="legal")))
            assert entry is not None, board.fen()
            values.append(0 if not entry.distance else -entry.distance - 1 if entry.value > 0 else entry.distance + 1)
        board.pop()
    wins, losses = [v for v in values if v > 0], [v for v in values if v < 0]
    return min(wins) if wins else 0 if 0 in values else min(losses)


def images(position: Position) -> list[Position]:
    """The position mirrored, with colours exchanged, and, without pawns, turned."""
    board = chess.Board(position.show().splitlines()[-1])
    found = [board.transform(chess.flip_horizontal), board.mirror()]
    if not board.pawns:
        found += [board.transform(chess.flip_diagonal), board.transform(chess.flip_vertical)]
    return [kb.load("chess").position(image.fen(en_passant="legal")) for image in found]


def hold(tables: Tables, section: str, count: int, plies: int, seed: int = 1) -> int:
    """Random positions of an ending against all of this; how many were looked at. Half of those that are searched are decided within `plies`."""
    looked_at = 0
    for position, said in random_positions(tables, section, count, seed):
        assert followed(tables, position) == said, position.show()
        for image in images(position):
            entry = tables.look_up(image)
            assert entry is not None
            assert (entry.distance or 0) * (1 if entry.value > 0 else -1) == said, image.show()
        looked_at += 1
    for furthest in (None, plies):
        for position, said in random_positions(tables, section, count // 2, seed + 1, furthest):
            assert searched(position, plies) == (said if said and abs(said) <= plies else None), position.show()
            looked_at += 1
    return looked_at
