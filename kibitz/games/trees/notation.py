"""Trees as text: JSON in which a number is a leaf and a list is the moves of a node; and the reverse.

A node with more to say is an object: {"player": 1, "moves": [...]}, {"chance": [1, 2], "moves": [...]}, {"value": 3, "moves": [...]}, where
"moves" may also be an object that names them, {"a1": 3, "a2": 12}. "seen": [1] says which players, 0 or 1, see what is done here besides whoever does it.

With a list in place of the number, {"value": [1, 2, 6]}, a leaf has a value for each player; there are as many players as that, and all leaves have such lists.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz import CHANCE, OVER, InputError, nearest
from kibitz.games.trees.figures import FIGURES

MOST_NODES = 4096
DEEPEST = 200  # moves from the root to a leaf
LONGEST_NAME = 8  # bytes
WIDTH = 100  # of a line of text
LONGEST_QUOTE = 60  # characters of what was given, in a message about it

MOST_PLAYERS = 8
KEYS = ("player", "chance", "moves", "value", "seen")
EVERYBODY = 3  # `seen`: both players, a bit each
A_NODE = 'a node is a number, a list of nodes such as [3, 12, 8], or an object such as {"player": 1, "moves": [3, 12, 8]}'


Vector = tuple[float, ...]


@dataclass
class Tree:
    """Nodes in breadth-first order: the root is node 0, the children of a node stand side by side."""

    first: list[int] = field(default_factory=list)  # child; 0 for a leaf
    count: list[int] = field(default_factory=list)  # of children
    mover: list[int] = field(default_factory=list)  # 0, 1, CHANCE or OVER
    value: list[float | None] = field(default_factory=list)  # of a leaf, or what a search may think of an inner node
    weight: list[float] = field(default_factory=list)  # of a child of a chance node; 0 for others
    label: list[str] = field(default_factory=list)  # of the move that leads here; empty where it has a number only
    seen: list[int] = field(default_factory=list)  # who sees what is done here: the players' bits
    vector: list[Vector] = field(
        default_factory=list
    )  # the values of all players, where `value` is the first one's; empty where it is all there is
    players: int = 2
    height: int = 0

    @property
    def leaves(self) -> list[float]:
        return self._values(lambda mover: mover == OVER)

    @property
    def estimates(self) -> list[float]:
        """The values given to inner nodes."""
        return self._values(lambda mover: mover != OVER)

    def _values(self, wanted: Callable[[int], bool]) -> list[float]:
        """The values of all players, if there is one for each."""
        of_all = [vector or ((value,) if value is not None else ()) for vector, value in zip(self.vector, self.value, strict=True)]
        return [v for vector, mover in zip(of_all, self.mover, strict=True) if wanted(mover) for v in vector]

    @property
    def has_vectors(self) -> bool:
        return any(self.vector)

    @property
    def sums(self) -> set[float]:
        """What the players' values add up to, at each leaf, where there is one for each."""
        return {sum(v) for v, mover in zip(self.vector, self.mover, strict=True) if mover == OVER and v}

    @property
    def hides(self) -> bool:
        """Is there anything that somebody does not see?"""
        return any(seen != EVERYBODY for seen in self.seen)

    @property
    def weights(self) -> list[float]:
        return [w for w in self.weight if w]


# --- reading ---


def parse(text: str) -> tuple[Tree, list[str]]:
    """A tree from JSON, from the name of a figure or from the path of a .json file; and the moves after `at` that lead to a node of it."""
    source = text.strip()
    if source in FIGURES:
        source = FIGURES[source].tree
    elif source.endswith(".json"):
        try:
            source = Path(source).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read the tree {source}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None
    elif not source.startswith(("[", "{")):
        known = nearest(source, FIGURES, "figures")
        raise InputError(
            f"'{_short(source)}' is no tree: write lists such as [[3, 12], [2, 4]], the path of a .json file, or a figure; {known}"
        )
    structure, rest = _decoded(source)
    found = re.fullmatch(r"[\s/]*(?:at((?:\s+\S+)+))?\s*", rest)
    if not found:
        raise InputError(f"'{_short(rest)}' stands after the tree; only 'at' and the moves to a node may, such as: at 1 2")
    return _flattened(structure), (found[1] or "").split()


def _decoded(source: str) -> tuple[Any, str]:
    """The JSON at the front of the text, and what stands after it."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_repetition, parse_constant=_refuse_constant)
    try:
        structure, end = decoder.raw_decode(source)
    except RecursionError:
        raise InputError(f"the tree is nested too deep; at most {DEEPEST} moves lead to a leaf") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"the tree is no JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}; write lists such as [[3, 12], [2, 4]]"
        ) from None
    except InputError:
        raise
    except ValueError:  # Python converts integers up to a certain length only
        raise InputError("a number of the tree has too many digits; write a shorter one") from None
    return structure, source[end:]


def _short(text: str) -> str:
    """A piece of what was given, for a message of one line."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for i, (name, _) in enumerate(pairs):
        if name in [earlier for earlier, _ in pairs[:i]]:
            raise InputError(f"'{_short(name)}' stands twice in one object; give each move its own name")
    return dict(pairs)


def _refuse_constant(word: str) -> float:
    raise InputError(f"{word} is no value; write a finite number")


@dataclass
class _Found:
    """A node that has been seen but not looked into."""

    item: Any
    turn: int  # who moves here if nobody is named
    weight: float
    label: str
    place: tuple[str, ...]  # the moves that lead here
    players: int

    def wrong(self, problem: str) -> InputError:
        where = f"the node after {' '.join(self.place)}" if self.place else "the root"
        return InputError(f"{where}: {problem}")


def _flattened(structure: Any) -> Tree:
    players = _players(structure)
    tree, found = Tree(players=players), [_Found(structure, 0, 0.0, "", (), players)]
    while len(tree.first) < len(found):
        node = found[len(tree.first)]
        children = _children(node)
        tree.first.append(len(found) if children else 0)
        tree.count.append(len(children))
        tree.mover.append(_mover(node) if children else OVER)
        value = _value(node)
        tree.value.append(value[0] if value else None)
        tree.vector.append(value if len(value) > 1 else ())
        tree.weight.append(node.weight)
        tree.label.append(node.label)
        tree.seen.append(_seen(node) if children and node.players == 2 else EVERYBODY)
        found += children
        tree.height = max(tree.height, len(node.place))
        if len(found) > MOST_NODES or tree.height > DEEPEST:
            raise InputError(f"the tree is too large: at most {MOST_NODES} nodes, and {DEEPEST} moves to a leaf")
    if tree.count[0] == 0:
        raise InputError(f"the root is a leaf: a tree needs at least one move; {A_NODE}")
    _check_vectors(tree)
    _check_sight(tree)
    return tree


def _check_vectors(tree: Tree) -> None:
    """Refuse a tree in which some leaves have a value for each player, and others not."""
    if not tree.has_vectors:
        return
    for node, (value, vector) in enumerate(zip(tree.value, tree.vector, strict=True)):
        if value is not None and not vector:
            where = " ".join(route(tree, node))
            raise InputError(f"the node after {where} has one value, and others have {tree.players}; write a list for each, or for none")


def _children(node: _Found) -> list[_Found]:
    item = node.item
    if isinstance(item, list):
        item = {"moves": item}
    if not isinstance(item, dict):
        return []
    for key in item:
        if key not in KEYS:
            raise node.wrong(f"'{_short(key)}' is not known; {nearest(key, KEYS, 'a node may have')}")
    moves = item.get("moves", [] if "value" in item else None)
    if not isinstance(moves, list | dict) or (not moves and ("moves" in item or len(item) > 1)):
        raise node.wrong(f"there are no moves; {A_NODE}")
    names = list(moves) if isinstance(moves, dict) else [""] * len(moves)
    items = list(moves.values()) if isinstance(moves, dict) else moves
    mover, weights = _mover(node), _weights(node, len(items))
    turn = node.turn if mover == CHANCE else (mover + 1) % node.players
    for name in names if isinstance(moves, dict) else []:
        if not name.isprintable() or not re.fullmatch(r"[^\s,;]+", name) or len(name.encode()) > LONGEST_NAME:
            raise node.wrong(f"'{_short(name)}' cannot name a move; write 1 to {LONGEST_NAME} letters without blanks or commas")
    return [
        _Found(child, turn, weight, name, (*node.place, name or str(i + 1)), node.players)
        for i, (child, weight, name) in enumerate(zip(items, weights, names, strict=True))
    ]


def _mover(node: _Found) -> int:
    if not isinstance(node.item, dict):
        return node.turn
    if "chance" in node.item:
        if "player" in node.item:
            raise node.wrong("either a player moves or chance does; leave out 'player' or 'chance'")
        return CHANCE
    player = node.item.get("player", node.turn)
    if type(player) is not int or not 0 <= player < node.players:
        who = "0, who wants high values, or 1, who wants low ones" if node.players == 2 else f"a number from 0 to {node.players - 1}"
        raise node.wrong(f"the player {_short(json.dumps(player))} is not known; write {who}")
    return player


def _seen(node: _Found) -> int:
    """The players who see what is done at a node; the player who does it always sees it."""
    mover = _mover(node)
    given = node.item.get("seen", [0, 1]) if isinstance(node.item, dict) else [0, 1]
    if not isinstance(given, list) or any(type(player) is not int or player not in (0, 1) for player in given):
        raise node.wrong(
            f"'seen' is {_short(json.dumps(given))}; write a list of the players who see what is done there: [], [0], [1] or [0, 1]"
        )
    return sum(1 << player for player in {*given, *([mover] if mover >= 0 else [])})


def _check_sight(tree: Tree) -> None:
    """Refuse a tree in which a player could tell from his moves, or from being on turn, what he did not see."""
    knowledge: list[tuple[tuple[int, ...], ...]] = [((), ())]  # of each node in order: what each player saw, a number for every move
    offers: dict[tuple[int, int, tuple[int, ...]], tuple[Any, int]] = {}
    for node, (first, count, mover) in enumerate(zip(tree.first, tree.count, tree.mover, strict=True)):
        for player in (0, 1):
            known = (len(knowledge[node][player]), player, knowledge[node][player])
            offer = (
                mover == player,
                mover == OVER,
                [tree.label[i] or i - first for i in range(first, first + count)] if mover == player else [],
            )
            other, earlier = offers.setdefault(known, (offer, node))
            if other != offer:
                places = [" ".join(route(tree, one)) or "the root" for one in (earlier, node)]
                raise InputError(
                    f"player {player} cannot tell '{places[0]}' from '{places[1]}', so both must be his turn, with the same moves, or neither, and both or neither the end"
                )
        for i in range(count):
            knowledge.append(tuple((*knowledge[node][p], i if tree.seen[node] >> p & 1 else -1) for p in (0, 1)))


def _weights(node: _Found, moves: int) -> list[float]:
    if not isinstance(node.item, dict) or "chance" not in node.item:
        return [0.0] * moves
    given = node.item["chance"]
    weights = [_number(w) for w in given] if isinstance(given, list) else []
    if len(weights) != moves or any(w is None or w <= 0 for w in weights):
        raise node.wrong(
            f"the chances {_short(json.dumps(given))} do not fit; write a positive number for each of its moves, {moves} in all"
        )
    return [w for w in weights if w is not None]


def _value(node: _Found) -> Vector:
    """A number alone, one for each player, or nothing."""
    item = node.item
    if isinstance(item, list) or (isinstance(item, dict) and "value" not in item):
        return ()
    given = item["value"] if isinstance(item, dict) else item
    if isinstance(given, list):
        values = tuple(v for v in map(_number, given) if v is not None)
        if len(values) != len(given) or len(values) != node.players:
            raise node.wrong(f"{_short(json.dumps(given))} is no list of values; write a number for each of the {node.players} players")
        return values
    value = _number(given)
    if value is None:
        raise node.wrong(f"{_short(json.dumps(given))} is no value; {A_NODE}")
    return (value,)


def _players(structure: Any) -> int:
    """How many there are: as many as the first list of values has numbers; two where there is none."""
    waiting = [structure]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict) and isinstance(given := item.get("value"), list):
            if not 2 <= len(given) <= MOST_PLAYERS:
                raise InputError(f"{_short(json.dumps(given))}: a tree has values for 2 to {MOST_PLAYERS} players")
            return len(given)
        below = item.get("moves", []) if isinstance(item, dict) else item
        waiting += below.values() if isinstance(below, dict) else below if isinstance(below, list) else []
    return 2


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    try:
        return float(given) + 0.0 if math.isfinite(given) else None  # no -0.0, which would print as 0
    except OverflowError:
        return None


# --- writing ---


def written(tree: Tree) -> str:
    """The tree as text that `parse` takes back: one line if it fits, else one node to a line."""
    return _laid_out(_structure(tree, 0, 0), 0)


def plain(number: float) -> int | float:
    """Without a point where it is whole."""
    return int(number) if number == int(number) else number


def _structure(tree: Tree, node: int, turn: int) -> Any:
    mover, value = tree.mover[node], tree.value[node]
    told = [plain(v) for v in tree.vector[node]] if tree.vector[node] else None if value is None else plain(value)
    if mover == OVER:
        return {"value": told} if tree.vector[node] else told or 0
    children = range(tree.first[node], tree.first[node] + tree.count[node])
    below = [_structure(tree, child, turn if mover == CHANCE else (mover + 1) % tree.players) for child in children]
    names = [tree.label[child] or str(i + 1) for i, child in enumerate(children)]
    said: dict[str, Any] = {} if mover in (turn, CHANCE) else {"player": mover}
    if mover == CHANCE:
        said["chance"] = [plain(tree.weight[child]) for child in children]
    if told is not None:
        said["value"] = told
    if tree.seen[node] != EVERYBODY:
        said["seen"] = [player for player in (0, 1) if tree.seen[node] >> player & 1 and player != mover]
    moves = dict(zip(names, below, strict=True)) if any(tree.label[child] for child in children) else below
    return {**said, "moves": moves} if said or isinstance(moves, dict) else moves


def _laid_out(structure: Any, indent: int, taken: int = 0) -> str:
    """`taken`: the width of what stands before it in its first line, the indent left out."""
    flat = json.dumps(structure, ensure_ascii=False)
    if indent + taken + len(flat) <= WIDTH or not isinstance(structure, list | dict):
        return flat
    opening, closing = "[]" if isinstance(structure, list) else "{}"
    entries: list[tuple[str, Any]] = (
        [("", item) for item in structure]
        if isinstance(structure, list)
        else [(f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in structure.items()]
    )
    inside = indent + 2
    lines = ",\n".join(f"{' ' * inside}{key}{_laid_out(item, inside, len(key))}" for key, item in entries)
    return f"{opening}\n{lines}\n{' ' * indent}{closing}"


# --- walking ---


def route(tree: Tree, node: int) -> list[str]:
    """The names of the moves from the root to a node."""
    names: list[str] = []
    while node:
        parent = next(i for i in range(node) if tree.first[i] <= node < tree.first[i] + tree.count[i])
        names.append(tree.label[node] or str(node - tree.first[parent] + 1))
        node = parent
    return names[::-1]


def reached(tree: Tree, moves: list[str]) -> int:
    """The node to which these moves lead from the root."""
    node = 0
    for move in moves:
        children = range(tree.first[node], tree.first[node] + tree.count[node])
        names = {tree.label[child] or str(i + 1): child for i, child in enumerate(children)}
        if move not in names:
            legal = f"the moves there are {' '.join(names)}" if names else "the game is over there"
            raise InputError(f"at {_short(' '.join(moves))}: there is no move '{_short(move)}'; {legal}")
        node = names[move]
    return node
