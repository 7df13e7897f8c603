"""Monte Carlo tree search on Connect Four, kibitz against mctx with pgx on the CPU, side by side in one run.

    python -m benchmarks.mcts_mctx

mctx grows a batch of trees at once, one for each of 64 games; a leaf is valued by one random playout, as in UCT, here played for the whole batch
together. Its selection is PUCT with equal priors. kibitz grows one tree. Counted are simulations in a second of processor time.
"""

from __future__ import annotations

import time
from typing import Any

import kibitz
from benchmarks import Row, alone, compared, peer

BATCH = 64
SIMULATIONS = 200  # of each tree of the batch
OURS = 100_000
ROUNDS = 4
TARGET = 15.0


def main() -> list[Row]:
    peer("mctx", "mctx")
    peer("pgx", "pgx")
    start = kibitz.load("connect4").start
    engine = kibitz.player("uct", playouts=OURS, solve=False, playout="uniform")
    kibitz.search(start, engine, playouts=10)  # compiled before the clock runs
    search = batched()
    search(0)
    ours, theirs = [], []
    for number in range(ROUNDS):
        theirs.append(BATCH * SIMULATIONS / seconds(search, number + 1))
        ours.append(OURS / seconds(lambda seed: kibitz.search(start, engine, seed=seed), number))
    print(f"{'Connect Four, simulations per second':40} {'kibitz':>12} {'mctx':>12} {'ratio':>8}")
    print(f"{f'random playouts, batch {BATCH}':40} {max(ours):12,.0f} {max(theirs):12,.0f} {max(ours) / max(theirs):8.1f}")
    return [compared("UCT, Connect Four, against mctx and pgx", max(ours) / 1e3, max(theirs) / 1e3, "thousand simulations/s", TARGET)]


def seconds(run: Any, seed: int) -> float:
    """Of processor time, on all cores."""
    began = time.process_time()
    run(seed)
    return time.process_time() - began


def batched() -> Any:
    """mctx's search from the start of 64 games, as a function of a seed; compiled by its first call."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make("connect_four")
    games = jnp.arange(BATCH)

    def logits(state: Any) -> Any:
        return jnp.where(state.legal_action_mask, 0.0, -1e9)

    def value_of_playout(state: Any, key: Any) -> Any:
        """Of one random game each, to whoever is to move now."""
        viewer = state.current_player

        def one_move(loop: Any) -> Any:
            state, key, gained = loop
            key, now = jax.random.split(key)
            following = jax.vmap(env.step)(state, jax.random.categorical(now, logits(state), axis=-1))
            return following, key, gained + jnp.where(state.terminated, 0.0, following.rewards[games, viewer])

        *_, gained = jax.lax.while_loop(lambda loop: ~loop[0].terminated.all(), one_move, (state, key, jnp.zeros(BATCH)))
        return gained

    def recurrent(params: Any, key: Any, action: Any, state: Any) -> Any:  # noqa: ARG001
        mover = state.current_player
        following = jax.vmap(env.step)(state, action)
        over = following.terminated
        value = jnp.where(over, 0.0, value_of_playout(following, key))
        step = mctx.RecurrentFnOutput(
            reward=following.rewards[games, mover], discount=jnp.where(over, 0.0, -1.0), prior_logits=logits(following), value=value
        )
        return step, following

    @jax.jit
    def search(key: Any) -> Any:
        first, second, third = jax.random.split(key, 3)
        state = jax.vmap(env.init)(jax.random.split(first, BATCH))
        root = mctx.RootFnOutput(prior_logits=logits(state), value=value_of_playout(state, second), embedding=state)
        found = mctx.muzero_policy(
            None, third, root, recurrent, SIMULATIONS, invalid_actions=~state.legal_action_mask, dirichlet_fraction=0.0, temperature=0.0
        )
        return found.action_weights

    return lambda seed: search(jax.random.PRNGKey(seed)).block_until_ready()


if __name__ == "__main__":
    alone(main)
