"""Long work lets other Python threads run, and a panic is an exception."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tesuji as ts
from tesuji._tesuji import panic_on_purpose

PSV = (ts.Board().psfen() + bytes(8)) * 20_000
BATCH = ts.data.batch(PSV, "psv")
GAME = "startpos moves " + " ".join("2h3h 8b7b 3h2h 7b8b".split() * 200)
RECORD = ts.Record.parse(GAME, "usi")
FILE = ts.NetworkFile("halfkp")
LONG = ts.Board()
LONG.set_usi_position(GAME)
MATE = ts.mate.Solver(memory=16)

WORK: dict[str, Callable[[Path], object]] = {
    "perft": lambda _: ts.Board().perft(5),
    "copying bytes": lambda _: ts.data.batch(PSV * 8, "psv"),
    "boards": lambda _: BATCH.board,
    "hands": lambda _: BATCH.hands,
    "results": lambda _: BATCH.result,
    "features": lambda _: BATCH.features("halfkp"),
    "everything at once": lambda _: BATCH.decode("kp"),
    "rows and offsets": lambda _: BATCH.features("kp", "csr"),
    "pieces": lambda _: BATCH.planes("pieces"),
    "legal moves": lambda _: BATCH.legal_mask(),
    "labels": lambda _: BATCH.labels(),
    "texts": lambda _: BATCH.sfens(),
    "checking": lambda _: BATCH.check(),
    "values": lambda _: ts.Network("material").evaluate(BATCH),
    "values of boards": lambda _: ts.Network("builtin").evaluate([LONG] * 500),
    "writing records": lambda folder: write(folder / "a.sbinpack"),
    "writing a game": lambda folder: write_game(folder / "a.pack"),
    "reading a record": lambda _: ts.Record.parse(GAME, "usi"),
    "a record as text": lambda _: RECORD.dumps("ki2"),
    "a saved record": lambda folder: RECORD.save(folder / "a.kif"),
    "comparing records": lambda _: RECORD == ts.Record.parse(GAME, "usi"),
    "a position of a record": lambda _: RECORD.board(),
    "a network": lambda folder: FILE.write(folder / "nn.bin"),
    "weights": lambda _: FILE.weights,
    "a blank network": lambda _: ts.NetworkFile("halfka"),
    "mate": lambda _: MATE.solve(ts.Board("4k4/9/9/9/9/9/9/9/4K4 b 2R4G4S 1"), nodes=20_000),
    "where a game began": lambda _: [LONG.start_sfen for _ in range(50)],
    "a game as USI writes it": lambda _: [LONG.usi_position() for _ in range(50)],
    "copies": lambda _: [LONG.copy() for _ in range(200)],
    "moves as numbers": lambda _: ts.data.convert_moves(np.full(1 << 20, 7739, np.uint16), "psv", "hcpe"),
}


def write(path: Path) -> None:
    with ts.data.Writer(path) as writer:
        writer.write_batch(ts.data.batch(PSV[: 40 * 4000], "psv"))


def write_game(path: Path) -> None:
    with ts.data.Writer(path) as writer:
        writer.write_game(ts.Board(), RECORD.moves)


@pytest.fixture(autouse=True)
def nobody_is_interrupted() -> Iterator[None]:
    """A thread keeps the interpreter until it gives it away."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(usual)


def was_released(work: Callable[[], object]) -> bool:
    """Whether another thread ran between the beginning and the end of the work."""
    begun, over = threading.Event(), []

    def run() -> None:
        begun.set()
        work()
        over.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    seen = not over
    thread.join()
    return seen


@pytest.mark.parametrize("name", WORK)
def test_others_run_meanwhile(name: str, tmp_path: Path) -> None:
    # Whoever holds on to the interpreter is never overtaken; whoever lets go is, sooner or later.
    assert any(was_released(lambda: WORK[name](tmp_path)) for _ in range(100))


def test_who_holds_on_is_never_overtaken() -> None:
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        assert any(was_released(lambda: sum(range(10**6))) for _ in range(100))
    else:
        assert not any(was_released(lambda: sum(range(10**5))) for _ in range(5))


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(BaseException, match="on purpose") as caught:
        panic_on_purpose()
    assert type(caught.value).__name__ == "PanicException"
    assert ts.Board().perft(2) == 900
