"""Proof-number search, best first: the tree in memory, always the most proving leaf next.

From the root a leaf is reached by these steps, leftmost among equals (`options.BOTH`):

    OR node     the child with the least proof number
    AND node    the child with the least disproof number

That leaf helps whichever way the root is settled. Without `options.BOTH` the way is that of the lecture: while proof(root) <= disproof(root) one tries to
prove, and takes at an AND node the leftmost child that is not proven yet; else one tries to disprove, and takes at an OR node the leftmost
child that is not disproven yet. The leaf gets children, settled or with what they cost (`numbers.leaf_cost`), and the numbers above it are
mended as far as they change; the next leaf is looked for from there.

**PN^2** (`pn2`) searches each leaf by such a search of its own, with as many nodes as the first tree has so far, and keeps only the leaf's children
with what was found of them. The second tree is forgotten every time, so the first holds about the square root of what was searched.

After L. V. Allis, M. van der Meulen and H. J. van den Herik, Proof-number search (1994); PN^2 from L. V. Allis, Searching for solutions (1994).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.records.memory import zeros
from kibitz.core.records.record import record
from kibitz.searches.proof import numbers
from kibitz.searches.proof.numbers import MOST, NEVER, whole

LEAF = -1  # children of a node that was never expanded
LEAST_SECOND = 100  # nodes of a second search, at least
ROOT = 0


def node_record(constants: dict[str, Any]) -> np.dtype[Any]:
    """A node of the tree; its children stand side by side."""
    return record(
        proof=np.int32, disproof=np.int32, parent=np.int32, first=np.int32, move=constants["MOVE"], count=np.int16, at_or=np.bool_
    )


def fields(constants: dict[str, Any]) -> dict[str, Any]:
    return {
        **numbers.fields(constants),
        "expanded": np.int64,  # nodes that got children
        "most_expanded": np.int64,  # a limit
        "leaf": np.int64,  # the node that was expanded last
        "from_node": np.int64,  # where the next leaf is looked for
        "from_ply": np.int64,
        "full": np.bool_,
    }


# --- kernels ---


def search(w: Any, tree: Any, second: Any) -> None:
    """Settle w.states[0], which is open, or come as far as a limit or the memory lets it: w.root_proof, w.root_disproof.

    It goes on where it stopped when it is called again, until `w.used` is 0: so somebody can watch it step by step.
    """
    if w.used == 0:
        plant(w, tree, whole(0))
        w.used, w.full, w.expanded, w.from_node, w.from_ply = 1, False, 0, ROOT, 0
    node, ply = whole(w.from_node), whole(w.from_ply)
    while True:
        w.root_proof, w.root_disproof = tree[ROOT].proof, tree[ROOT].disproof
        if is_settled(tree, ROOT) or w.control.nodes >= w.control.limit or w.expanded >= w.most_expanded:
            break
        node, ply = most_proving(w, tree, node, ply)
        if w.used + game.MAX_MOVES > len(tree):
            w.full = True
            break
        w.expanded += 1
        w.leaf = node
        if options.SQUARED:
            search_leaf(w, tree, second, node, ply)
        else:
            w.used = expand(w, tree, node, ply, w.used)
        node, ply = back_up(tree, node, ply)
    w.from_node, w.from_ply = node, ply


def search_leaf(w: Any, tree: Any, second: Any, leaf: int, ply: int) -> None:
    """A search of its own from a leaf of the first tree, which keeps the leaf's children."""
    room = min(len(second), max(w.used, LEAST_SECOND) + game.MAX_MOVES)
    plant(w, second, ply)
    used, node, at = whole(1), whole(ROOT), ply
    while True:
        node, at = most_proving(w, second, node, at)
        if used + game.MAX_MOVES > room:
            break
        used = expand(w, second, node, at, used)
        node, at = back_up(second, node, at)
        if is_settled(second, ROOT) or w.control.nodes >= w.control.limit:
            break
    top, mother = second[ROOT], tree[leaf]
    if top.count == LEAF:  # no room for its children alone
        w.used = expand(w, tree, leaf, ply, w.used)
        return
    mother.proof, mother.disproof = top.proof, top.disproof
    mother.first, mother.count = w.used, 0 if is_settled(second, ROOT) else top.count
    for i in range(mother.count):
        tree[w.used] = second[top.first + i]
        child = tree[w.used]
        child.parent, child.count = leaf, LEAF
        w.used += 1


def plant(w: Any, tree: Any, ply: int) -> None:
    """A tree of nothing but its root, the open position at `ply`."""
    root = tree[ROOT]
    root.at_or = numbers.is_or(w, w.states[ply])
    root.proof, root.disproof = numbers.leaf_cost(w, ply, root.at_or)
    root.parent, root.first, root.count = -1, 0, LEAF


def is_settled(tree: Any, node: int) -> bool:
    return tree[node].proof == 0 or tree[node].disproof == 0


def most_proving(w: Any, tree: Any, node: int, ply: int) -> tuple[int, int]:
    """Down from a node on the way to the leaf that comes next; the leaf, and its ply."""
    trying = tree[ROOT].proof <= tree[ROOT].disproof
    while tree[node].count != LEAF:
        mother = tree[node]
        chosen, least = whole(mother.first), whole(NEVER + 1)
        for i in range(mother.first, mother.first + mother.count):
            number = worth_trying(tree, i, mother.at_or, trying)
            if number < least:
                chosen, least = whole(i), number
        w.states[ply + 1] = w.states[ply]
        game.play(w.states[ply + 1], tree[chosen].move)
        node, ply = chosen, ply + 1
    return node, ply


def worth_trying(tree: Any, child: int, at_or: bool, trying: bool) -> int:
    """The number by which children are compared; where any open one would do, 0 for all of these."""
    proof, disproof = whole(tree[child].proof), whole(tree[child].disproof)
    if options.BOTH:
        return proof if at_or else disproof
    number = proof if trying else disproof
    if number == 0:
        return NEVER
    return number if at_or == trying else whole(0)


def expand(w: Any, tree: Any, node: int, ply: int, used: int) -> int:
    """Give a leaf its children, none after one that settles it; how many nodes are in use then."""
    mother = tree[node]
    at_or = mother.at_or
    first, end = used, used
    n = game.moves(w.states[ply], w.lists[ply])
    for i in range(n):
        w.states[ply + 1] = w.states[ply]
        game.play(w.states[ply + 1], w.lists[ply, i])
        w.control.nodes += 1
        child = tree[end]
        child.parent, child.first, child.count, child.move = node, 0, LEAF, w.lists[ply, i]
        child.at_or = numbers.is_or(w, w.states[ply + 1])
        answer = numbers.settled(w, ply + 1)
        if answer >= 0:
            child.proof, child.disproof = NEVER * (1 - answer), NEVER * answer
        else:
            child.proof, child.disproof = numbers.leaf_cost(w, ply + 1, child.at_or)
        end += 1
        if (child.proof if at_or else child.disproof) == 0:
            break
    mother.first, mother.count = first, end - first
    return end


def back_up(tree: Any, node: int, ply: int) -> tuple[int, int]:
    """Mend the numbers from an expanded node upwards; the highest node whose own did not change but whose children's may have, and its ply."""
    expanded = node
    while True:
        mother = tree[node]
        own, total = whole(NEVER), whole(0)
        for i in range(mother.first, mother.first + mother.count):
            mine, others = numbers.turned(whole(tree[i].proof), whole(tree[i].disproof), mother.at_or)
            own = min(own, mine)
            total += others
        if mother.count == 0:  # a search of its own has settled it
            own, total = numbers.turned(whole(mother.proof), whole(mother.disproof), mother.at_or)
        if own == 0 or total >= NEVER:
            total = NEVER if own == 0 else whole(MOST)
        proof, disproof = numbers.turned(own, total, mother.at_or)
        changed = mother.proof != proof or mother.disproof != disproof
        mother.proof, mother.disproof = proof, disproof
        if node == ROOT or (not changed and node != expanded):
            return node, ply
        node, ply = whole(mother.parent), ply - 1


# --- outside ---


def allocated(constants: dict[str, Any], megabytes: float) -> Any:
    """Memory for a tree."""
    kind = node_record(constants)
    size = min(int(megabytes * 2**20 / kind.itemsize), 2**31 - 2)
    told = f"no memory for a tree of {megabytes:g} MB; ask for less, such as --memory 64"
    return zeros(kind, max(size, int(constants["MAX_MOVES"]) + 2), told)
