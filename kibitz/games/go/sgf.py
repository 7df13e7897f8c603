"""Go games as SGF, the Smart Game Format (FF[4]), read and written with the library sgfmill.

The first game of a file is read, and of that the main line, which is the first variation everywhere. Set-up stones may come before the first move only. Who
begins is what PL says, else whoever makes the first move, else White where there is a handicap (HA), else Black. A colour that moves out of turn moves
after a pass of the other: so handicap stones may be moves as well. Moves after two passes are read, too: the game went on.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

from kibitz import InputError, Transcript
from kibitz.games.go.notation import LETTERS, name_of, parse, point

BLACK, WHITE = 0, 1
SIDES = {"b": BLACK, "w": WHITE}
MARKS = ("TR", "SQ", "CR", "MA")


def library():
    """sgfmill's module, where it is installed."""
    try:
        from sgfmill import sgf
    except ImportError:
        raise InputError("SGF files need the library sgfmill; install it with: pip install sgfmill") from None
    return sgf


# --- reading ---


def transcript(content: bytes) -> Transcript:
    """The game that these bytes of a file tell."""
    with complaints():
        game, nodes, root, size = opened(content)
        parameters = {"size": size, "columns": 0}
        if root.has_property("KM"):
            parameters["komi"] = game.get_komi()
        stones, moves, first = contents(nodes)
        if first is None:
            first = moves[0][0] if moves else WHITE if (game.get_handicap() or 0) > 1 else BLACK
        board = board_of(stones, size, first) if any(stones) or first == WHITE else ""
        made = tuple(in_turns(moves, first, size))
        return Transcript(parameters, board, tuple(name for _, name in made), names(root), tuple(colour for colour, _ in made))


def problem(content: bytes) -> tuple[int, tuple[set[Any], set[Any]], int, set[Any]]:
    """The size of the board, the stones set up, who is to move (else who makes the first move, else Black), and marked points, row and column; moves are not looked at."""
    with complaints():
        _, nodes, root, size = opened(content)
        stones, moves, first = contents(nodes)
        marks = {point for word in MARKS if root.has_property(word) for point in root.get(word)}
        return size, stones, first if first is not None else moves[0][0] if moves else BLACK, marks


def opened(content):
    """The game in these bytes, the nodes of its main line, the first of them, and the size of the board."""
    game = library().Sgf_game.from_bytes(content)
    nodes = list(game.main_sequence_iter())
    root, size = nodes[0], game.get_size()
    if root.has_property("GM") and root.get("GM") != 1:
        raise InputError(f"it is of another game than Go (GM[{root.get('GM')}], not GM[1])")
    if size > len(LETTERS):
        raise InputError(f"its board has {size} x {size} points; at most {len(LETTERS)} x {len(LETTERS)} can be played on")
    return game, nodes, root, size


@contextmanager
def complaints():
    """In one line."""
    try:
        yield
    except InputError:
        raise
    except (ValueError, LookupError) as error:
        raise InputError(f"it is no SGF file that can be read: {error}") from None


def contents(nodes):
    """Stones set up, black and white; the moves, each a colour and a point or None; and who begins, None where it is not said."""
    stones, moves, first = (set(), set()), [], None
    for number, node in enumerate(nodes):
        if node.has_setup_stones():
            if moves:
                raise InputError(f"stones are set up after move {len(moves)}; that can be read before the first move only")
            added = node.get_setup_stones()
            for points in stones:
                points.difference_update(*added)
            for points, more in zip(stones, added, strict=False):
                points.update(more)
        if node.has_property("PL") and not moves:
            first = SIDES[node.get("PL")]
        if node.has_property("B") and node.has_property("W"):
            raise InputError(f"node {number + 1} has a move of both colours")
        colour, place = node.get_move()
        if colour is not None:
            moves.append((SIDES[colour], place))
    return stones, moves, first


def board_of(stones, size, first):
    """The board as `read` takes it."""
    rows = [
        "".join("X" if (r, c) in stones[0] else "O" if (r, c) in stones[1] else "." for c in range(size)) for r in reversed(range(size))
    ]
    return f"{'/'.join(rows)} / {'XO'[first]} to move"


def in_turns(moves, first, size):
    """Colours and names of the moves, with a pass where a colour is left out; but none beside another pass, which would end the game."""
    side, passed = first, False
    for colour, place in moves:
        if colour != side and not passed and place is not None:
            yield side, "pass"
        passed = place is None
        yield colour, "pass" if passed else name_of(place[0] * size + place[1], size)
        side = 1 - colour


def names(root):
    """Of Black and White, where one of them is told."""
    found = tuple(root.get(word) if root.has_property(word) else "" for word in ("PB", "PW"))
    return found if any(found) else ()


# --- writing ---


def written(transcript: Transcript, result: str) -> str:
    """The text of a file; `result` is empty while the game goes on."""
    rows = transcript.parameters["size"]
    if transcript.parameters["columns"] not in (0, rows):
        raise InputError("only games on square boards can be written as SGF")
    game = library().Sgf_game(size=rows, encoding="UTF-8")
    root, side = game.get_root(), BLACK
    root.set("KM", transcript.parameters["komi"])
    for word, text in (*zip(("PB", "PW"), transcript.players, strict=False), ("RE", result)):
        if text:
            root.set(word, text)
    if transcript.board:
        side = set_up(root, transcript.board, rows)
    for number, name in enumerate(transcript.moves):
        side = transcript.movers[number] if transcript.movers else side
        node = game.extend_main_sequence()
        node.set_move("bw"[side], None if name == "pass" else divmod(point(name, rows, rows), rows))
        side = 1 - side
    return str(game.serialise().decode("utf-8"))


def set_up(root, board, size):
    """Write down where the game began; who is to move."""
    said = parse(board, size, size)
    if said.side is None or said.passed or said.ko is not None:
        raise InputError("a game that began after a pass, with a ko or after its end cannot be written as SGF")
    places = [[divmod(cell, size) for cell, colour in enumerate(said.colours) if colour == mine] for mine in (1, 2)]
    root.set_setup_stones(*places)
    root.set("PL", "bw"[said.side])
    if said.side == WHITE and len(places[BLACK]) > 1 and not places[WHITE]:
        root.set("HA", len(places[BLACK]))
    return said.side
