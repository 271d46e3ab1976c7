"""Laws that hold for every game, and nothing that crashes on nonsense."""

from __future__ import annotations

import os
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji as ts

#: How many mutated inputs each reader is given.
MUTATIONS = int(os.environ.get("TESUJI_MUTATIONS", "2000"))
FIXTURES = Path(__file__).parents[3] / "fixtures" / "records"


@st.composite
def boards(draw: st.DrawFn) -> ts.Board:
    board = ts.Board()
    for choice in draw(st.lists(st.integers(0, 1000), max_size=80)):
        if not board.legal_moves:
            break
        board.push(board.legal_moves[choice % len(board.legal_moves)])
    return board


@settings(max_examples=60, deadline=None)
@given(boards())
def test_a_board_survives_every_way_out_and_back(board: ts.Board) -> None:
    assert ts.Board(board.sfen()) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert ts.Board(board.start_sfen, board.move_stack) == board
    plain = ts.Board(board.sfen().rsplit(" ", 1)[0] + " 1")
    assert ts.Board.from_hcp(board.hcp()) == plain == ts.Board.from_psfen(board.psfen())
    assert board.flipped().flipped() == plain or board.ply > 1
    twin = ts.Board()
    twin.set_usi_position(board.usi_position())
    assert twin == board and twin.key == board.key


@settings(max_examples=40, deadline=None)
@given(boards())
def test_moves_are_legal_named_and_taken_back(board: ts.Board) -> None:
    before = board.sfen()
    names = set()
    for move in board.legal_moves:
        assert board.is_legal(move) and board.why_illegal(move) is None
        for style in ("ja", "western", "kif"):
            name = board.san(move, style)  # type: ignore[arg-type]
            if style != "kif":
                assert board.parse_san(name) == move
            names.add((style, name))
        gives_check = board.gives_check(move)
        board.push(move)
        assert board.is_check() == gives_check
        assert board.pop() == move
        assert board.sfen() == before
    assert len(names) == 3 * len(board.legal_moves)
    kinds = ["captures", "promotions", "quiet"]
    parts = [set(board.generate(kind)) for kind in kinds]  # type: ignore[arg-type]
    assert set.union(*parts) <= set(board.legal_moves)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80))
def test_no_text_crashes(text: str) -> None:
    for read in (ts.Board, ts.Move, ts.Board().parse_san, ts.Board().set_usi_position):
        try:
            read(text)
        except ValueError:
            pass


@settings(max_examples=60, deadline=None)
@given(st.integers(-10, 1 << 17))
def test_no_number_crashes(number: int) -> None:
    board = ts.Board()
    for call in (board.push, board.san, board.gives_check, board.see, ts.Move, board.piece):
        try:
            call(number)
        except (ValueError, OverflowError, IndexError):
            pass


def test_mutated_records_of_data() -> None:
    rng = random.Random(5)
    board = ts.Board()
    good = {"psv": board.psfen() + bytes(8), "hcpe": board.hcp() + bytes(6), "hcp": board.hcp()}
    for format, record in good.items():
        for _ in range(MUTATIONS // 20):
            many = bytearray(record * 20)
            for _ in range(rng.randrange(1, 60)):
                many[rng.randrange(len(many))] = rng.randrange(256)
            batch = ts.data.batch(bytes(many), format)
            for look in (
                lambda: batch.board,
                lambda: batch.hands,
                lambda: batch.features("halfkp"),
                lambda: batch.planes("dlshogi"),
                lambda: batch.legal_mask(),
                lambda: batch.result,
                lambda: batch.sfens(),
                lambda: batch.check(),
            ):
                try:
                    look()
                except ts.DataError as error:
                    assert error.record is not None and 1 <= error.record <= 20


@pytest.mark.parametrize("name", ["v22.csa", "nested.kifu", "game.ki2", "game.jkf"])
def test_mutated_records_of_games(name: str) -> None:
    rng = random.Random(6)
    good = (FIXTURES / name).read_bytes()
    format = name.rsplit(".", 1)[1]
    for _ in range(MUTATIONS // 4):
        bad = bytearray(good)
        for _ in range(rng.randrange(1, 8)):
            place = rng.randrange(len(bad))
            if rng.random() < 0.5:
                bad[place] = rng.randrange(256)
            else:
                del bad[place : place + rng.randrange(1, 6)]
        try:
            ts.Record.parse(bytes(bad), format)
        except ts.RecordError as error:
            assert error.line is None or error.line >= 1


@pytest.mark.parametrize("format", ["sbinpack", "hcpe3", "pack"])
def test_mutated_files(tmp_path: Path, format: str) -> None:
    rng = random.Random(7)
    path = tmp_path / f"x.{format}"
    board, moves = ts.Board(), []
    for _ in range(40):
        moves.append(rng.choice(list(board.legal_moves)))
        board.push(moves[-1])
    with ts.data.Writer(path) as writer:
        writer.write_game(ts.Board(), moves, winner=0)
    good = path.read_bytes()
    for _ in range(MUTATIONS // 20):
        bad = bytearray(good)
        for _ in range(rng.randrange(1, 5)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        path.write_bytes(bad)
        try:
            for batch in ts.data.open(path).batches(64):
                assert np.all(batch.board < 31)
        except ts.DataError:
            pass
