"""Many threads at once: nothing crashes, and what is only read is read right."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

import tesuji as ts


def at_once(count: int, work: Callable[[int], None]) -> None:
    """Runs the work in threads that begin together; the first error is raised here."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            barrier.wait()
            work(number)
        except BaseException as error:  # told to the caller
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_one_board_is_read_by_many() -> None:
    board = ts.Board()
    svg, moves = board.svg(), list(board.legal_moves)

    def read(_: int) -> None:
        for _ in range(200):
            assert board.svg() == svg and list(board.legal_moves) == moves
            assert board.perft(1) == 30 and board.sfen() == ts.STARTING_SFEN

    at_once(6, read)


def test_a_board_that_is_played_on_says_so() -> None:
    board = ts.Board()

    def ask(_: int) -> None:
        for _ in range(300):
            try:
                assert board.mate_in_three() is None
            except RuntimeError as error:
                # It plays on the board it is asked about: two at once are told so, not mixed up.
                assert "borrowed" in str(error)

    at_once(4, ask)
    assert board.sfen() == ts.STARTING_SFEN


def test_one_board_is_changed_by_many() -> None:
    board = ts.Board()
    refused = []

    def change(number: int) -> None:
        for _ in range(300):
            try:
                board.push(board.legal_moves[number])
                board.pop()
            except (RuntimeError, ts.IllegalMoveError, IndexError) as error:
                refused.append(error)

    at_once(6, change)
    while board.move_stack:
        board.pop()
    assert board.sfen() == ts.STARTING_SFEN


def test_one_batch_is_decoded_by_many() -> None:
    packed = ts.Board().psfen() + bytes(8)
    batch = ts.data.batch(packed * 2000, "psv", threads=2)
    board, features = batch.board, batch.features("halfkp")

    def decode(_: int) -> None:
        for _ in range(5):
            assert np.array_equal(batch.board, board)
            assert np.array_equal(batch.features("halfkp"), features)

    at_once(4, decode)


def test_one_engine_is_asked_by_many() -> None:
    engine = ts.Engine("material", hash=2)

    def ask(number: int) -> None:
        board = ts.Board()
        board.push(board.legal_moves[number])
        assert engine.play(board, nodes=500).move in board.legal_moves

    at_once(4, ask)
    engine.close()
