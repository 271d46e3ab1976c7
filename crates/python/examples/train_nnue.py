"""Trains a small HalfKP network with PyTorch from sbinpack data, writes nn.bin, and plays with it.

    python crates/python/examples/train_nnue.py data.sbinpack nn.bin --epochs 3

Without a file of data it makes some: games of the engine with itself, 200 nodes for each move. At the
end the network is read again by the engine, which must give the same values as the integers that
PyTorch rounded.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import tesuji as ts

FEATURES = "halfkp"
#: The value that an output of one stands for, and the usual divisor of the engine.
SCALE, FV_SCALE = 600.0, 16.0


class Positions(IterableDataset[tuple[torch.Tensor, ...]]):
    """Batches of features, scores and results; each worker of a DataLoader reads its own share."""

    def __init__(self, path: Path, batch: int, seed: int) -> None:
        super().__init__()
        self.path, self.batch, self.seed = path, batch, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        worker = get_worker_info()
        shard = (0, 1) if worker is None else (worker.id, worker.num_workers)
        data = ts.data.open(self.path)
        for batch in data.batches(self.batch, shuffle=True, seed=self.seed, shard=shard):
            features = torch.from_numpy(batch.features(FEATURES).astype(np.int64))
            score = torch.from_numpy(batch.score.astype(np.float32))
            result = torch.from_numpy(batch.result.astype(np.float32))
            yield features, score, result


class Net(torch.nn.Module):
    """HalfKP with clipped sums: features, 2 × width, second, third, one number."""

    def __init__(self, count: int, width: int, second: int, third: int) -> None:
        super().__init__()
        self.first = torch.nn.EmbeddingBag(count, width, mode="sum")
        self.bias = torch.nn.Parameter(torch.zeros(width))
        self.second = torch.nn.Linear(2 * width, second)
        self.third = torch.nn.Linear(second, third)
        self.last = torch.nn.Linear(third, 1)
        torch.nn.init.normal_(self.first.weight, std=0.05)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        count, sides, active = features.shape
        x = self.first(features.reshape(count * sides, active)) + self.bias
        x = x.clamp(0, 1).reshape(count, -1)
        x = self.second(x).clamp(0, 1)
        x = self.third(x).clamp(0, 1)
        return self.last(x).squeeze(1)

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps the weights inside what eight bits can hold."""
        for layer in (self.second, self.third):
            layer.weight.clamp_(-127 / 64, 127 / 64)
        limit = 127 / (SCALE * FV_SCALE / 127)
        self.last.weight.clamp_(-limit, limit)


@torch.no_grad()
def write(net: Net, path: Path) -> ts.NetworkFile:
    """Rounds the network to integers: 127ths in the first layer, 64ths above."""

    def rounded(tensor: torch.Tensor, scale: float, kind: type[np.generic]) -> np.ndarray:
        return np.rint(tensor.detach().double().numpy() * scale).astype(kind)

    _, width = net.first.weight.shape
    file = ts.NetworkFile(FEATURES, width, net.second.out_features, net.third.out_features)
    file.weights = rounded(net.first.weight, 127, np.int16)
    file.biases = rounded(net.bias, 127, np.int16)
    for number, layer in enumerate((net.second, net.third)):
        file.set_layer_arrays(
            number, rounded(layer.bias, 64 * 127, np.int32), rounded(layer.weight, 64, np.int8)
        )
    out = SCALE * FV_SCALE
    file.set_layer_arrays(
        2, rounded(net.last.bias, out, np.int32), rounded(net.last.weight, out / 127, np.int8)
    )
    file.write(path)
    return file


def integers(file: ts.NetworkFile, features: np.ndarray) -> np.ndarray:
    """What the integers of the file say, in plain numpy."""
    sums = file.weights.astype(np.int64)[features].sum(axis=2) + file.biases
    x = np.clip(sums, 0, 127).reshape(len(features), -1)
    for layer in range(3):
        bias, weight = file.layer_arrays(layer)
        x = x @ weight.astype(np.int64).T + bias
        x = np.clip(x >> 6, 0, 127) if layer < 2 else x
    return np.trunc(x[:, 0] / FV_SCALE).astype(np.int32)


def make_data(path: Path, games: int, seed: int = 1) -> None:
    """Games of the engine with itself from random openings."""
    rng = random.Random(seed)
    with ts.Engine("material", hash=8) as engine, ts.data.Writer(path) as writer:
        for _ in range(games):
            board, moves, scores = ts.Board(), [], []
            for _ in range(8):
                board.push(rng.choice(list(board.legal_moves)))
            start = ts.Board(board.sfen())
            while board.outcome(move_limit=160) is None:
                best = engine.play(board, nodes=200)
                if best.move is None:
                    break
                moves.append(best.move)
                scores.append(max(-3000, min(3000, best.score or 0)))
                board.push(best.move)
            over = board.outcome(move_limit=160)
            writer.write_game(start, moves, scores, None if over is None else over[0])


def train(path: Path, out: Path, epochs: int, width: int, workers: int = 0) -> ts.NetworkFile:
    """Trains on scores and results half and half."""
    torch.manual_seed(1)
    count = ts.NetworkFile(FEATURES).shape[0]
    net = Net(count, width, 8, 16)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(epochs):
        losses = []
        loader = DataLoader(Positions(path, 512, epoch), batch_size=None, num_workers=workers)
        for features, score, result in loader:
            target = 0.5 * torch.sigmoid(score / SCALE) + 0.5 * (result + 1) / 2
            loss = torch.nn.functional.mse_loss(torch.sigmoid(net(features)), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            net.clip()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.5f}")
    return write(net, out)


def check(file: ts.NetworkFile, out: Path, data: Path) -> int:
    """Compares the engine's values with the integers; how many positions were compared."""
    network = ts.Network(out, fv_scale=int(FV_SCALE))
    compared = 0
    for batch in ts.data.open(data).batches(1024):
        values = network.evaluate(batch)
        assert np.array_equal(values, integers(file, batch.features(FEATURES)))
        compared += len(batch)
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("selfplay.sbinpack"))
    parser.add_argument("out", nargs="?", type=Path, default=Path("nn.bin"))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--workers", type=int, default=0)
    args = parser.parse_args()
    if not args.data.exists():
        make_data(args.data, args.games)
    file = train(args.data, args.out, args.epochs, args.width, args.workers)
    print(f"{check(file, args.out, args.data)} positions: the engine says what PyTorch says")
    with ts.Engine(args.out, hash=16) as engine:
        print("its first move:", engine.play(ts.Board(), nodes=5000).move)


if __name__ == "__main__":
    main()
