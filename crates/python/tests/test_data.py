"""Training data: what is written is read again, in every format."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import tesuji as ts


def random_game(seed: int, plies: int = 60) -> tuple[list[ts.Board], list[ts.Move]]:
    rng = random.Random(seed)
    board = ts.Board()
    boards, moves = [], []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = rng.choice(legal)
        boards.append(board.copy())
        moves.append(move)
        board.push(move)
    return boards, moves


@pytest.mark.parametrize("format", ["psv", "hcpe", "sbinpack"])
def test_positions_come_back(tmp_path: Path, format: str) -> None:
    boards, moves = random_game(1)
    path = tmp_path / f"x.{format}"
    with ts.data.Writer(path) as writer:
        for nth, (board, move) in enumerate(zip(boards, moves)):
            result = 1 if board.turn == ts.BLACK else -1
            writer.write(board, score=nth - 30, mv=move, result=result)
    data = ts.data.open(path)
    (batch,) = list(data.batches(1000))
    assert len(batch) == len(boards)
    assert batch.move.tolist() == moves
    assert batch.score.tolist() == [nth - 30 for nth in range(len(boards))]
    assert batch.result.tolist() == [1 if board.turn == 0 else -1 for board in boards]
    for nth, board in enumerate(boards):
        assert batch.board[nth].tolist() == list(board.pieces)
        assert batch.hands[nth].tolist() == [list(board.hand(color)) for color in ts.COLORS]
        assert batch.position(nth).pieces == board.pieces
    if format != "hcpe":
        assert batch.ply.tolist() == [board.ply for board in boards]
        assert batch.sfens() == [board.sfen() for board in boards]
    batch.check()


@pytest.mark.parametrize("format", ["hcpe3", "pack"])
def test_games_come_back(tmp_path: Path, format: str) -> None:
    boards, moves = random_game(2)
    path = tmp_path / f"x.{format}"
    with ts.data.Writer(path) as writer:
        writer.write_game(boards[0], moves, list(range(len(moves))), winner=ts.WHITE)
        with pytest.raises(TypeError):
            writer.write(boards[0])
    (batch,) = list(ts.data.open(path).batches(1000))
    assert batch.move.tolist() == moves
    assert batch.score.tolist() == list(range(len(moves)))
    with pytest.raises(TypeError):
        len(ts.data.open(path))


def written(tmp_path: Path, count: int) -> Path:
    path = tmp_path / "many.psv"
    with ts.data.Writer(path) as writer:
        seed = 0
        while writer.written < count:
            for board, move in zip(*random_game(seed)):
                writer.write(board, score=writer.written % 1000, mv=move)
            seed += 1
    return path


def test_shuffling_loses_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, 2000)
    data = ts.data.open(path)
    plain = np.concatenate([batch.score for batch in data.batches(300)])
    assert len(plain) == len(data)
    orders = []
    for seed in (1, 1, 2):
        mixed = [batch.tobytes() for batch in data.batches(300, shuffle=True, seed=seed)]
        records = b"".join(bytes(part) for part in mixed)
        orders.append(records)
        rows = {records[at : at + 40] for at in range(0, len(records), 40)}
        assert len(records) == path.stat().st_size
        assert rows == {path.read_bytes()[at : at + 40] for at in range(0, len(records), 40)}
    assert orders[0] == orders[1] != orders[2]
    shards = [sum(len(b) for b in data.batches(64, shard=(nth, 3), seed=3)) for nth in range(3)]
    assert sum(shards) == len(data)
    assert all(len(b) == 300 for b in data.batches(300, drop_last=True))


def test_threads_decode_the_same(tmp_path: Path) -> None:
    data = ts.data.open(written(tmp_path, 3000))
    one, two = data.read(threads=1), data.read(threads=2)
    for batch in (one, two):
        assert len(batch) == len(data)
    assert np.array_equal(one.board, two.board)
    for name in ("kp", "halfkp", "halfka_hm"):
        assert np.array_equal(one.features(name), two.features(name))
    assert np.array_equal(one.planes("dlshogi")[0], two.planes("dlshogi")[0])
    assert np.array_equal(one.legal_mask(), two.legal_mask())


def test_features(tmp_path: Path) -> None:
    board = ts.Board()
    batch = ts.data.batch(board.psfen() + bytes(8), "psv")
    kp = batch.features("kp")
    assert kp.shape == (1, 2, 40) and kp.dtype == np.int32
    assert np.array_equal(np.sort(kp[0, 0]), np.sort(kp[0, 1]))
    halfkp = batch.features("halfkp")
    king = ts.square("5i")
    assert halfkp.shape == (1, 2, 38)
    assert set(halfkp.reshape(-1) // 1548) == {king}
    indices, offsets = batch.features("halfkp", "csr")
    assert np.array_equal(indices, halfkp.reshape(-1)) and offsets.tolist() == [0, 38, 76]
    with pytest.raises(ValueError):
        batch.features("queens")


def test_all_in_one_go(tmp_path: Path) -> None:
    batch = ts.data.open(written(tmp_path, 600)).read(threads=2)
    board, hands, features = batch.decode("kp")
    assert np.array_equal(board, batch.board) and np.array_equal(hands, batch.hands)
    assert np.array_equal(features, batch.features("kp"))
    outs = (np.ones_like(board), np.ones_like(hands), np.ones_like(features))
    batch.decode("kp", out=outs)
    assert all(np.array_equal(a, b) for a, b in zip(outs, (board, hands, features)))
    with pytest.raises(TypeError, match="out:"):
        batch.decode("kp", out=(outs[0][:5], outs[1], outs[2]))


def test_planes_masks_and_labels() -> None:
    board = ts.Board()
    batch = ts.data.batch(np.frombuffer(board.hcp(), np.uint8).reshape(1, 32))
    assert batch.format == "hcp"
    assert batch.planes("pieces").sum() == 40
    first, second = batch.planes("dlshogi")
    assert first.shape == (1, 62, 9, 9) and second.shape == (1, 57, 9, 9)
    mask = batch.legal_mask()
    assert mask.sum() == 30
    labels = {ts.data.dlshogi_label(move, board.turn) for move in board.legal_moves}
    assert set(np.flatnonzero(mask[0])) == labels
    assert batch.labels().tolist() == [-1]


def test_buffers_are_checked() -> None:
    batch = ts.data.batch(ts.Board().psfen() + bytes(8), "psv")
    good = np.empty((1, 81), np.int8)
    assert batch.boards(out=good) is good
    assert good.tolist() == [list(ts.Board().pieces)]
    frozen = np.empty((1, 81), np.int8)
    frozen.flags.writeable = False
    for wrong in (
        np.empty((1, 81), np.int16),
        np.empty((2, 81), np.int8),
        np.empty((81, 1), np.int8).T[:, ::-1],
        frozen,
        "an array",
    ):
        with pytest.raises(TypeError, match="out:"):
            batch.boards(out=wrong)  # type: ignore[arg-type]


def test_bad_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.psv"
    path.write_bytes(bytes(41))
    with pytest.raises(ts.DataError, match="1 bytes are left"):
        ts.data.open(path)
    with pytest.raises(FileNotFoundError):
        ts.data.open(tmp_path / "none.psv")
    with pytest.raises(ValueError, match="no format"):
        ts.data.open(tmp_path / "x.txt")
    with pytest.raises(ts.DataError) as caught:
        ts.data.batch(ts.Board().psfen() + bytes(8) + b"\xff" * 40, "psv").board
    assert caught.value.record == 2
    with pytest.raises(RuntimeError):
        with ts.data.Writer(tmp_path / "half.psv") as writer:
            writer.write(ts.Board())
            raise RuntimeError
    assert not (tmp_path / "half.psv").exists()


def test_a_structured_view(tmp_path: Path) -> None:
    path = written(tmp_path, 100)
    records = ts.data.view(path)
    batch = ts.data.batch(records[::2])
    assert np.array_equal(batch.score, records["score"][::2])
