"""Train a small policy-value network for Connect Four by self-play, and write it as an ONNX file that kibitz can play with.

    pip install torch onnx onnxscript
    python examples/train_connect4.py --minutes 15 --out connect4.onnx
    kibitz match connect4 --one "puct(network='connect4.onnx', playouts=400)" --two "uct(playouts=400)"

First UCT plays itself: it needs no network and gives the first one something to learn from. Then PUCT with the network plays itself, generation by generation, and
each network learns from the latest games. What is learned of a position: which moves the search looked at, as shares of its visits, and who won. A game ends as soon
as the search has proven its result. Two processes play while one learns.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

import kibitz as kb
from kibitz.evaluators.batch import Gatherer

CHANNELS, BLOCKS = 32, 3
FIRST_GAMES, GAMES, TASK = 1600, 400, 20  # of UCT; of each generation; played by a process before it reports
KEPT = 120_000  # positions to learn from, the latest
BATCH, RATE = 512, 2e-3
FIRST_STEPS, STEPS = 1000, 300
FREE_PLIES = 10  # of a game, whose moves are drawn by visits; later ones are the best
TEACHER = "uct(playouts=4000)"
LEARNER = "puct(playouts=192, wave=16, noise=0.25, shape=1.0, untried=parent, first=0.1)"


class Network(nn.Module):
    """Three residual blocks of 32 channels, then a policy of seven logits and a value from -1 to 1 for the player to move."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(2, CHANNELS, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1), nn.ReLU(), nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1))
            for _ in range(BLOCKS)
        )
        self.policy = nn.Sequential(nn.Conv2d(CHANNELS, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 42, 7))
        self.value = nn.Sequential(
            nn.Conv2d(CHANNELS, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 42, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh()
        )

    def forward(self, board: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.relu(self.stem(board))
        for block in self.blocks:
            x = torch.relu(x + block(x))
        return self.policy(x), self.value(x)


class Seen(NamedTuple):
    """A position to learn from."""

    board: np.ndarray  # what the network is shown
    shares: np.ndarray  # of visits, by columns
    result: float  # for the player to move


# --- playing ---


def play(task: tuple[int, str]) -> list[Seen]:
    """A few games by the network in this file, or by UCT where there is none yet; in a process of its own."""
    seed, network = task
    game, rng = kb.load("connect4"), np.random.default_rng(seed)
    chosen = kb.player(LEARNER, network=network) if network else kb.player(TEACHER)
    found: list[Seen] = []
    for number in range(TASK):
        found += one_game(game, chosen.limited(seed=seed * TASK + number).remembering(), rng)
    return found


def one_game(game: kb.Game, player: Any, rng: np.random.Generator) -> list[Seen]:
    """Its positions, with what came of them."""
    position, gathered = game.start, []
    result = 0.0  # for the first player
    while not position.is_over:
        answer = player.search(position)
        shares = np.zeros(7, np.float32)
        for candidate in answer.table:
            shares[int(candidate.move)] = candidate.visits
        if answer.exact:
            shares[:] = 0.0
        if shares.sum() == 0.0:
            shares[int(answer.move)] = 1.0
        shares /= shares.sum()
        gathered.append((position, shares))
        if answer.exact:
            result = answer.value if position.player == 0 else -answer.value
            break
        move = int(rng.choice(7, p=shares / shares.sum())) if len(gathered) <= FREE_PLIES else int(answer.move)
        position = position.play(next(m for m in position.moves if int(m) == move))
    else:
        result = position.utility(0)
    boards = Gatherer(game).batch(np.array([p.state for p, _ in gathered], game.constants["State"])).inputs
    return [Seen(board, shares, result if p.player == 0 else -result) for board, (p, shares) in zip(boards, gathered, strict=True)]


# --- learning ---


def learn(network: Network, optimiser: torch.optim.Optimizer, seen: deque[Seen], steps: int, rng: np.random.Generator) -> float:
    """Steps on random positions, half of them mirrored; the mean loss."""
    boards = torch.from_numpy(np.stack([s.board for s in seen]))
    shares = torch.from_numpy(np.stack([s.shares for s in seen]))
    results = torch.tensor([s.result for s in seen], dtype=torch.float32)
    network.train()
    total = 0.0
    for _ in range(steps):
        rows = torch.from_numpy(rng.integers(len(seen), size=BATCH))
        board, share, result = boards[rows], shares[rows], results[rows]
        if rng.random() < 0.5:
            board, share = board.flip(-1), share.flip(-1)
        logits, value = network(board)
        loss = -(share * torch.log_softmax(logits, 1)).sum(1).mean() + ((value[:, 0] - result) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    return total / max(1, steps)


def written(network: Network, path: Path) -> None:
    """As ONNX, with a batch axis of any size."""
    network.eval()
    batch = torch.export.Dim("batch")
    torch.onnx.export(
        network,
        (torch.zeros(2, 2, 6, 7),),
        str(path),
        input_names=["board"],
        output_names=["policy", "value"],
        dynamic_shapes={"board": {0: batch}},
        dynamo=True,
        external_data=False,
        verbose=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a network for Connect Four by self-play.")
    parser.add_argument("--minutes", type=float, default=15.0, help="time for all of it")
    parser.add_argument("--out", type=Path, default=Path("connect4.onnx"), help="the ONNX file to write")
    parser.add_argument("--processes", type=int, default=2, help="that play")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.processes)
    rng, network = np.random.default_rng(given.seed), Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE, weight_decay=1e-5)
    seen: deque[Seen] = deque(maxlen=KEPT)
    began, played, generation = time.monotonic(), 0, 0
    end = began + 60 * given.minutes
    print(f"{sum(p.numel() for p in network.parameters()):,} weights, {given.minutes:g} minutes", flush=True)

    with multiprocessing.get_context("spawn").Pool(given.processes) as pool, tempfile.TemporaryDirectory() as folder:
        while generation == 0 or time.monotonic() < end:
            latest = Path(folder) / f"{generation}.onnx"
            if generation > 0:
                written(network, latest)
            games = GAMES if generation > 0 else FIRST_GAMES
            tasks = [(given.seed + played + i, str(latest) if generation > 0 else "") for i in range(games // TASK)]
            new = 0
            for found in pool.imap_unordered(play, tasks):
                seen.extend(found)
                new += len(found)
                played += 1
            left = max(0.0, end - time.monotonic()) / (60 * given.minutes)
            for group in optimiser.param_groups:
                group["lr"] = RATE * max(0.05, left)
            loss = learn(network, optimiser, seen, FIRST_STEPS if generation == 0 else STEPS, rng)
            minutes = (time.monotonic() - began) / 60
            print(
                f"generation {generation}: {played * TASK} games, {len(seen):,} positions, loss {loss:.3f}, {minutes:.1f} min", flush=True
            )
            generation += 1
    written(network, given.out)
    print(f"written: {given.out}")


if __name__ == "__main__":
    main()
