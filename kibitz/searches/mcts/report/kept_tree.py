"""A kept tree: a later position of the same game found in the tree of an earlier search, and made its root."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.checking.random_walk import differs
from kibitz.core.compiling.binder import game
from kibitz.core.position.game import Position
from kibitz.searches.mcts.tree.blocks import advance
from kibitz.searches.mcts.tree.layout import NONE, edge, first_edge, node
from kibitz.searches.mcts.tree.memory import Tree

FARTHEST = 4  # plies between two searches of one game: a move, a reply, a throw of dice before each
MOST_LOOKED = 1 << 18  # positions compared to find the new one


def advance_to(tree: Tree, old: Position, new: Position, w: Any, options: Mapping[str, Any]) -> bool:
    """Make the node of position `new` the root, where the tree has one not far below the old root."""
    bind = old.game.bind
    w.root, w.trial = old.state, new.state
    found = bind(find_path, options, label="finding the position")(w, *tree.arguments)
    w.root = new.state
    if found == NONE:
        return False
    steps = [int(e) for e in w.steps[1 : found + 1]]
    if old.after_line([int(tree.edges[e].move) for e in steps]).past != new.past:
        return False
    for e in steps:
        bind(advance, options, label="advancing")(*tree.arguments, e)
    return True


def find_path(w: Any, t: Any, nodes: Any, edges: Any) -> int:
    """How many moves lead from the root, `w.root`, to the position `w.trial`; the edges are w.steps[1], ... NONE where no node is found.

    Shorter paths first.
    """
    if not differs(w.root, w.trial):
        return 0
    looked = 0
    for depth in range(1, min(FARTHEST, w.path.shape[0] - 1) + 1):
        w.path[0], w.steps[1], ply = t.root, first_edge(t.root) - 1, 0
        while ply >= 0:
            at = w.path[ply]
            w.steps[ply + 1] += 1
            if w.steps[ply + 1] >= first_edge(at) + node(nodes, at).opened:
                ply -= 1
                continue
            child = edge(edges, w.steps[ply + 1]).child
            if child < 0:
                continue
            ply += 1
            w.path[ply] = child
            if ply < depth:
                w.steps[ply + 1] = first_edge(child) - 1
                continue
            looked += 1
            if looked > MOST_LOOKED:
                return NONE
            w.state = w.root
            for i in range(1, depth + 1):
                game.play(w.state, edge(edges, w.steps[i]).move)
            if not differs(w.state, w.trial):
                return depth if node(nodes, child).count > 0 else NONE  # endgame tables told its value, and nobody looked at its moves
            ply -= 1
    return NONE
