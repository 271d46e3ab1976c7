"""Engines, networks, mates, books and matches."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import tesuji as ts

MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
OWN = [sys.executable, "-m", "tesuji", "usi"]


def test_play_and_analyse() -> None:
    with ts.Engine("material", hash=8) as engine:
        assert engine.play(ts.Board(MATE), nodes=500).move == ts.Move("G*5b")
        infos = list(engine.analyse(ts.Board(), depth=4, multipv=2))
        assert infos and {info.multipv for info in infos} == {1, 2}
        assert all(info.pv and info.bound in ("exact", "lower", "upper") for info in infos)
        with pytest.raises(ValueError, match="limit"):
            engine.play(ts.Board())
        only = engine.play(ts.Board(), depth=2, moves=[ts.Move("9g9f")])
        assert only.move == ts.Move("9g9f")
        mated = engine.play(ts.Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), depth=2)
        assert mated.resigned and mated.move is None
    with pytest.raises(ts.EngineError):
        engine.play(ts.Board(), depth=1)


def test_a_search_without_end_is_stopped() -> None:
    engine = ts.Engine("material", hash=8)
    analysis = engine.analyse(ts.Board(), infinite=True)
    next(analysis)
    analysis.stop()
    assert analysis.result().move in ts.Board().legal_moves
    board = ts.Board()
    for info in engine.analyse(board, time=0.05):
        assert info.pv[0] in board.legal_moves
    engine.close()


def test_async() -> None:
    async def main() -> int:
        depths = []
        ticks = 0
        engine = ts.Engine("material", hash=8)

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticker = asyncio.create_task(tick())
        async for info in engine.analyse_async(ts.Board(), depth=6):
            depths.append(info.depth)
        async for info in engine.analyse_async(ts.Board(), infinite=True):
            break
        played = await engine.play_async(ts.Board(), depth=2)
        assert played.move is not None and depths[-1] == 6
        ticker.cancel()
        return ticks

    assert asyncio.run(main()) > 0


def test_an_engine_in_a_process_has_the_same_interface() -> None:
    options = {"EvalFile": "material", "USI_Hash": 8, "BookFile": "no_book"}
    with ts.usi.Engine(OWN, options=options) as engine:
        assert "Threads" in engine.options and engine.name
        answer = engine.play(ts.Board(MATE), depth=3)
        assert answer.move == ts.Move("G*5b") and answer.mate == 1
        infos = list(engine.analyse(ts.Board(), depth=3, multipv=2))
        assert {info.multipv for info in infos} == {1, 2}
        analysis = engine.analyse(ts.Board(), infinite=True)
        next(analysis)
        analysis.stop()
        assert analysis.result().move in ts.Board().legal_moves
    with pytest.raises(ts.EngineError):
        ts.usi.Engine("./no-such-engine")
    with pytest.raises(ts.EngineError, match="ended"):
        ts.usi.Engine([sys.executable, "-c", "pass"])


def test_a_match() -> None:
    with ts.Engine("material", hash=8) as one, ts.Engine("relation", hash=8) as two:
        result = ts.match(one, two, games=2, depth=1, move_limit=40, seed=1)
    assert result.games == 2 and len(result.records) == 2
    assert result.records[0].ending is not None
    assert "=" in str(result) and result.sprt()[1] in (None, "accept", "reject")


def test_networks(tmp_path: Path) -> None:
    boards = [ts.Board(), ts.Board(MATE)]
    material = ts.Network("material")
    values = material.evaluate(boards)
    assert values.dtype == np.int32
    assert values.tolist() == [material.evaluate(board) for board in boards]
    batch = ts.data.batch(b"".join(board.psfen() + bytes(8) for board in boards), "psv")
    assert np.array_equal(material.evaluate(batch), values)
    with pytest.raises(TypeError):
        material.evaluate("a board")  # type: ignore[call-overload]
    with pytest.raises(ts.EngineError, match="nowhere"):
        ts.Network(tmp_path / "nowhere.bin")


def forward(file: ts.NetworkFile, features: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """The network in plain numpy."""
    weights, biases = file.weights.astype(np.int64), file.biases.astype(np.int64)
    sums = weights[features].sum(axis=2) + biases
    x = np.clip(sums, 0, 127).reshape(len(features), -1)
    for layer in range(3):
        bias, weight = file.layer_arrays(layer)
        x = x @ weight.astype(np.int64).T + bias
        if layer < 2:
            x = np.clip(x >> 6, 0, 127)
    return x[:, 0]


@pytest.mark.parametrize("features", ["kp", "halfkp"])
def test_a_network_that_python_wrote(tmp_path: Path, features: str) -> None:
    rng = np.random.default_rng(1)
    file = ts.NetworkFile(features, width=256, second=32, third=32)
    count, width, second, third = file.shape
    file.weights = rng.integers(-20, 20, (count, width), np.int16)
    file.biases = rng.integers(-20, 60, (width,), np.int16)
    for layer, (inputs, outputs) in enumerate([(2 * width, second), (second, third), (third, 1)]):
        biases = rng.integers(-2000, 2000, (outputs,), np.int32)
        file.set_layer_arrays(layer, biases, rng.integers(-30, 30, (outputs, inputs), np.int8))
    path = tmp_path / "nn.bin"
    file.write(path)
    read = ts.NetworkFile.read(path)
    assert np.array_equal(read.weights, file.weights) and read.shape == file.shape
    board, boards = ts.Board(), []
    for _ in range(40):
        board.push(board.legal_moves[int(rng.integers(len(board.legal_moves)))])
        boards.append(board.copy())
    batch = ts.data.batch(b"".join(b.psfen() + bytes(8) for b in boards), "psv")
    raw = forward(read, batch.features(features))
    expected = np.trunc(raw / 16).astype(np.int32)
    assert np.array_equal(ts.Network(path, fv_scale=16).evaluate(batch), expected)
    assert len(set(expected.tolist())) > 20
    with pytest.raises(ValueError, match="width"):
        ts.NetworkFile(features, width=17)
    with pytest.raises(ValueError, match="shape"):
        file.biases = np.zeros(3, np.int16)


def test_mates() -> None:
    proven = ts.mate.solve(ts.Board(MATE), shortest=True)
    assert proven == ts.mate.Proven([ts.Move("G*5b")], shortest=True)
    assert ts.mate.solve(ts.Board("4k4/9/9/9/9/9/9/9/4K4 b G 1")) == ts.mate.Disproven()
    limited = ts.mate.solve(ts.Board("4k4/9/9/9/9/9/9/9/4K4 b RB4G4S 1"), nodes=1)
    assert isinstance(limited, (ts.mate.Unknown, ts.mate.Proven))
    solver = ts.mate.Solver(memory=16)
    brink = solver.brinkmate(ts.Board("k8/2S6/1P7/9/9/9/9/9/4K4 b G 1"), nodes=200_000)
    assert isinstance(brink, (ts.mate.Proven, ts.mate.Brinkmate))
    assert solver.nodes > 0
    with pytest.raises(ts.PositionError):
        ts.mate.solve(ts.Board("9/9/9/9/9/9/9/9/4K4 b G 1"))
    assert ts.mate.QuickSolver().solve(ts.Board(MATE)) == ts.Move("G*5b")


@pytest.mark.parametrize("format", ["db", "ybb", "tbk"])
def test_books(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"book.{format}"
    moves = [
        ts.BookMove(ts.Move("7g7f"), score=50, depth=20, count=1),
        ts.BookMove(ts.Move("2g2f"), score=40, depth=20, count=1),
    ]
    assert ts.Book.write(path, {ts.STARTING_SFEN: moves}) == 1
    book = ts.Book.open(path)
    assert [m.move for m in book.find(ts.Board())] == [ts.Move("7g7f"), ts.Move("2g2f")]
    assert book.propose(ts.Board(), eval_diff=0) == ts.Move("7g7f")
    assert ts.Board() in book and ts.Board(MATE) not in book
    assert list(ts.Book.read(path)) == [ts.STARTING_SFEN]
    with pytest.raises(FileNotFoundError):
        ts.Book.open(tmp_path / f"none.{format}")


def test_searches_in_threads() -> None:
    engines = [ts.Engine("material", hash=1) for _ in range(3)]
    answers: list[ts.Move | None] = []

    def think(engine: ts.Engine) -> None:
        answers.append(engine.play(ts.Board(), nodes=2000).move)

    threads = [threading.Thread(target=think, args=(engine,)) for engine in engines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 3 and len(set(answers)) == 1
