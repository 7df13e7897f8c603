"""Waves: many leaves a step, found one after another and evaluated together (Jones 2021, section 2.3).

    collect    send up to B down the tree; each that comes to a position nobody has evaluated leaves it in the batch
    evaluate   all of the batch at once: what each position is worth to every player, and how likely its moves are
    absorb     write the answers into the tree, and back them up

Until the wave is absorbed, each simulation counts in `waiting` of the edges it follows; values and shares do not change. The next one follows the largest
share / (1 + n + waiting), so that simulations at a node are distributed among its moves in proportion to the shares, taking earlier visits into account. A leaf
takes one of them; a second one that reaches it is dropped, so a wave may have fewer than B leaves. The first at a node follows the rule of the plain search: a wave
of one is the plain search, visit for visit. (The plain search asks for the policy of a position only when it is visited again; here it comes with the evaluation.)

A **Leaf** of the batch is what an evaluator sees. It reads `state`, and `moves` up to `count`; it writes `rewards`, from 0 to 1, one for each
player, and `weights`, one for each move. `kind` says whether it is asked: where the game is over, or a value is proven, the rewards are known already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.compiling.binder import game, options
from kibitz.core.position.game import Game
from kibitz.core.protocol.rules import CHANCE, OVER
from kibitz.core.records.record import record
from kibitz.searches.mcts.feature import Feature
from kibitz.searches.mcts.leaf.priors import put_likeliest_first, write_priors
from kibitz.searches.mcts.step import backup, expansion, simulation, workspace
from kibitz.searches.mcts.step.workspace import BAD_POLICY, BAD_VALUE, FINE
from kibitz.searches.mcts.tree import proofs
from kibitz.searches.mcts.tree.layout import NONE, REPEATED, edge, first_edge, node, opened_edges, widest

ASKED, KNOWN = 1, 0  # kinds of leaves


def leaf_kind(constants: Mapping[str, Any]) -> np.dtype[Any]:
    """A leaf and the way that led to it."""
    deep, wide = workspace.plies(constants), widest(constants)
    return record(
        kind=np.int64,
        state=constants["State"],
        player=np.int64,  # to move
        count_=np.int64,  # moves; 0 where chance is to move
        moves=(constants["MOVE"], wide),
        weights=(np.float64, wide),
        rewards=(np.float64, constants["PLAYERS"]),
        depth=np.int64,
        path=(np.int64, deep + 1),
        steps=(np.int64, deep + 1),
        owners=(np.int64, deep + 1),
    )


def make_feature(features: Sequence[Feature], game: Game) -> Feature:
    """Waves for a search made of these features: whoever is first at a node follows their rule."""
    rules = {name: function for one in features for name, function in one.rules.items()}
    mine: dict[str, Callable[..., Any]] = {"select": select_in_wave, "select_first": rules["select"]}
    if game.constants["EQUALLY_LIKELY"]:
        mine["draw_outcome"] = draw_in_turn
    return Feature(rules=mine)


# --- kernels: all of it, where the game itself evaluates ---


def run_waves(w: Any, t: Any, nodes: Any, edges: Any, batch: Any) -> int:
    """Waves until a limit is met or the root is proven; returns how many playouts."""
    before = w.playouts
    while w.fault == FINE and (t.root == NONE or (w.playouts < w.most_playouts and w.control.nodes < w.control.limit)):
        number = collect(w, t, nodes, edges, batch)
        if number == 0:
            break
        for i in range(number):
            ask_game(w, batch[i])
        absorb(w, t, nodes, edges, batch, number)
    return w.playouts - before


def ask_game(w: Any, leaf: Any) -> None:
    """The game's own answers: its policy, and its evaluation or a playout."""
    if leaf.kind == KNOWN:
        return
    if leaf.count_ > 0:
        options.weigh(w, leaf.state, leaf.moves, leaf.count_, leaf.weights)
    w.state = leaf.state
    options.leaf_value(w, leaf.depth)
    for p in range(game.PLAYERS):
        leaf.rewards[p] = w.result[p]


# --- down ---


def collect(w: Any, t: Any, nodes: Any, edges: Any, batch: Any) -> int:
    """Fill the batch from its front; returns how many leaves there are, 0 where nothing is left to do. A tree without a root begins with that."""
    if t.root != NONE and (w.fault != FINE or w.playouts >= w.most_playouts or w.control.nodes >= w.control.limit):
        return 0
    if t.root == NONE:
        w.state = w.root
        w.path[0], w.owners[0] = NONE, 0
        write_down(w, batch[0], ASKED, game.player(w.state), 0)
        return 1
    number = 0
    for _ in range(min(batch.shape[0], w.most_playouts - w.playouts)):
        if options.SOLVE and proofs.root_is_proven(node(nodes, t.root)):
            break
        if send(w, t, nodes, edges, batch[number]):
            number += 1
    return number


def send(w: Any, t: Any, nodes: Any, edges: Any, leaf: Any) -> bool:
    """From the root to a leaf, which is written down; False where there is nothing for this one to do."""
    w.state = w.root
    depth, at = 0, t.root
    w.path[0], w.owners[0] = at, 0
    while True:
        n = node(nodes, at)
        if options.SOLVE and depth > 0 and proofs.is_proven(n):
            simulation.take_proven(w, nodes, edges, n, depth)
            write_down(w, leaf, KNOWN, n.player, depth)
            return True
        e = simulation.follow(w, edges, n, at)
        if e == NONE or (edge(edges, e).child < 0 and edge(edges, e).waiting > 0.0):
            take_back(w, nodes, edges, depth)
            if e != NONE and options.WEIGHTS and n.player == CHANCE:
                edge(edges, e).scale = np.float64(edge(edges, e).scale) + 1.0
            return False
        x = edge(edges, e)
        x.waiting = np.float64(x.waiting) + 1.0
        depth += 1
        simulation.step(w, n.player, depth, e, x.move)
        at = x.child
        w.path[depth] = at
        if at < 0:
            end(w, t, nodes, edges, x, leaf, depth)
            return True


def end(w: Any, t: Any, nodes: Any, edges: Any, x: Any, leaf: Any, depth: int) -> None:
    """The way ends at the leaf behind edge `x`."""
    w.path[depth] = NONE
    player = simulation.player_here(w, depth)
    if player in (OVER, REPEATED):
        simulation.finish(w, player, node(nodes, w.path[depth - 1]).player)
        if options.SOLVE:
            simulation.conclude(w, t, nodes, edges, x, player, depth, np.nan)
        write_down(w, leaf, KNOWN, player, depth)
    else:
        write_down(w, leaf, ASKED, player, depth)


def write_down(w: Any, leaf: Any, kind: int, player: int, depth: int) -> None:
    leaf.kind, leaf.player, leaf.depth, leaf.count_ = kind, player, depth, 0
    for i in range(depth + 1):
        leaf.path[i], leaf.steps[i], leaf.owners[i] = w.path[i], w.steps[i], w.owners[i]
    if kind == KNOWN:
        for p in range(game.PLAYERS):
            leaf.rewards[p] = w.result[p]
    else:
        leaf.state = w.state
        if player >= 0:
            leaf.count_ = game.moves(leaf.state, leaf.moves)


def take_back(w: Any, nodes: Any, edges: Any, depth: int) -> None:
    """Undo the way down to `depth`."""
    for i in range(1, depth + 1):
        x = edge(edges, w.steps[i])
        x.waiting = np.float64(x.waiting) - 1.0
        if options.WEIGHTS and node(nodes, w.path[i - 1]).player == CHANCE:
            x.scale = np.float64(x.scale) + 1.0


# --- and back ---


def absorb(w: Any, t: Any, nodes: Any, edges: Any, batch: Any, number: int) -> None:
    """Write the answers into the tree; nothing at all where one of them is none, and `w.fault` says what it is."""
    for i in range(number):
        check(w, batch[i])
    for i in range(number):
        leaf = batch[i]
        for j in range(leaf.depth + 1):
            w.path[j], w.steps[j], w.owners[j] = leaf.path[j], leaf.steps[j], leaf.owners[j]
        if w.fault != FINE:
            take_back(w, nodes, edges, leaf.depth)
        else:
            accept(w, t, nodes, edges, leaf)


def check(w: Any, leaf: Any) -> None:
    """Rewards from 0 to 1; weights that are numbers, none negative, some of them positive."""
    total = 0.0 if leaf.kind == ASKED and leaf.count_ > 0 else 1.0
    for p in range(game.PLAYERS):
        if not (0.0 <= leaf.rewards[p] <= 1.0):
            w.fault = BAD_VALUE
    if leaf.kind == ASKED:
        for i in range(leaf.count_):
            if not (0.0 <= leaf.weights[i] < np.inf):
                w.fault = BAD_POLICY
            total += leaf.weights[i]
    if not (0.0 < total < np.inf):
        w.fault = BAD_POLICY


def accept(w: Any, t: Any, nodes: Any, edges: Any, leaf: Any) -> None:
    """Back the rewards up, and make the leaf a node."""
    for p in range(game.PLAYERS):
        w.result[p] = leaf.rewards[p]
    if leaf.depth == 0:
        t.root = add_leaf_node(w, t, nodes, edges, leaf)
        n = node(nodes, t.root)
        if leaf.player >= 0:
            n.visits, n.total, n.square = 1, w.result[0], w.result[0] * w.result[0]
        return
    for i in range(1, leaf.depth + 1):
        x = edge(edges, w.steps[i])
        x.waiting = np.float64(x.waiting) - 1.0
    options.back_up(w, nodes, edges, leaf.depth)
    w.playouts += 1
    x = edge(edges, w.steps[leaf.depth])
    if leaf.kind == ASKED and x.child < 0 and leaf.depth + 1 < w.path.shape[0]:
        at = add_leaf_node(w, t, nodes, edges, leaf)
        if at != NONE:
            backup.take_over(node(nodes, at), x, at, 0)


def add_leaf_node(w: Any, t: Any, nodes: Any, edges: Any, leaf: Any) -> int:
    """A node with the leaf's moves and their priors; NONE where there is no room."""
    if leaf.player < 0:
        w.state = leaf.state
        return options.expand(w, t, nodes, edges, leaf.player)
    for i in range(leaf.count_):
        w.choices[i], w.weights[i] = leaf.moves[i], leaf.weights[i]
    at = expansion.add_node(w, t, nodes, edges, leaf.player, leaf.count_)
    if at != NONE:
        first = first_edge(at)
        write_priors(w, edges, first, leaf.count_)
        put_likeliest_first(edges, first, first + leaf.count_)
    return at


# --- which edge ---


def select_in_wave(w: Any, edges: Any, n: Any, first: int, end: int) -> int:
    """The rule of the plain search for the first of a wave at a node; the largest share / (1 + n + waiting), or a draw by shares, for the others."""
    if count_under_way(edges, n, first) == 0:
        return options.select_first(w, edges, n, first, end)
    options.share_out(w, edges, n, first)
    stand_back(w, edges, n, first)
    return options.pick(w, edges, n, first, end)


def count_under_way(edges: Any, n: Any, first: int) -> int:
    """How many of the wave are on their way through the node."""
    waiting = 0.0
    for e in range(first, first + opened_edges(n)):
        waiting += np.float64(edge(edges, e).waiting)
    return int(waiting)


def stand_back(w: Any, edges: Any, n: Any, first: int) -> None:
    """A leaf is evaluated once in a wave: who comes second has no share in it."""
    for i in range(opened_edges(n)):
        x = edge(edges, first + i)
        if x.child < 0 and x.waiting > 0.0:
            w.share[i] = 0.0


def draw_in_turn(w: Any, edges: Any, n: Any, at: int) -> int:
    """As outcomes.draw_in_turn; those under way have been drawn already."""
    if opened_edges(n) < n.count:
        return expansion.open_edge(w, edges, n, at, NONE)
    return first_edge(at) + (n.visits + count_under_way(edges, n, first_edge(at))) % n.count
