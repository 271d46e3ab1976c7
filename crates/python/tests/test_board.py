"""Boards and moves: what python-chess users expect of them, on shogi."""

from __future__ import annotations

import copy
import pickle
import threading
import weakref

import numpy as np
import pytest

import tesuji as ts

MANY_PAWNS = "4k4/9/9/9/9/9/9/9/4K4 b 12P6p 1"


def test_a_first_game() -> None:
    board = ts.Board()
    assert board.sfen() == ts.STARTING_SFEN
    assert len(board.legal_moves) == 30
    board.push(ts.Move("7g7f"))
    board.push_usi("3c3d")
    assert board.move_stack == [ts.Move("7g7f"), ts.Move("3c3d")]
    assert board.usi_position() == "startpos moves 7g7f 3c3d"
    assert board.pop() == ts.Move("3c3d")
    assert board.peek() == ts.Move("7g7f")
    assert (board.turn, board.ply) == (ts.WHITE, 2)


def test_moves_are_numbers() -> None:
    move = ts.Move("7g7f")
    assert isinstance(move, int) and move == 0x1E3B
    assert ts.Move(0x1E3B) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert (str(move), repr(move), f"{move}") == ("7g7f", "Move('7g7f')", "7g7f")
    assert (move.from_square, move.to_square) == (ts.square("7g"), ts.square("7f"))
    drop = ts.Move("G*5e")
    assert (drop.drop, drop.from_square, drop.apery()) == (ts.GOLD, None, 0x2BA8)
    assert ts.Move.from_apery(drop.apery()) is drop
    assert ts.Move("8h2b+").promotion
    assert ts.Move("8h2b+").rotated() is ts.Move("2b8h+")
    for wrong in ["7g", "7g7g", "K*5e", "七六歩", ""]:
        with pytest.raises(ts.IllegalMoveError):
            ts.Move(wrong)
    with pytest.raises(ts.IllegalMoveError):
        ts.Move(0xFFFF)
    with pytest.raises(OverflowError):
        ts.Move(1 << 20)


def test_legal_moves_are_lazy_and_a_sequence() -> None:
    board = ts.Board()
    moves = board.legal_moves
    assert len(list(moves)) == len(moves) == len(moves.numpy()) == len(moves.usi())
    assert moves.numpy().dtype == np.uint16
    assert moves[0] == list(moves)[0] and moves[-1] == list(moves)[-1]
    assert ts.Move("7g7f") in moves and ts.Move("7g7e") not in moves
    assert moves
    board.push_usi("7g7f")
    assert ts.Move("7g7f") not in moves
    with pytest.raises(IndexError):
        moves[500]


def test_illegal_moves_are_exceptions() -> None:
    board = ts.Board("1R5sk/9/7G1/9/9/9/P8/9/4K4 b 2P 1")
    with pytest.raises(ts.IllegalMoveError, match="two pawns"):
        board.push_usi("P*9f")
    with pytest.raises(ts.IllegalMoveError, match="may not give mate"):
        board.push_usi("P*1b")
    assert board.why_illegal(ts.Move("P*1b"))
    assert board.sfen().startswith("1R5sk")
    with pytest.raises(IndexError):
        board.pop()


def test_an_sfen_error_tells_where() -> None:
    with pytest.raises(ts.PositionError) as caught:
        ts.Board("4k4/9/9/9/9/9/9/9/4X4 b - 1")
    assert caught.value.column == 20
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ts.PositionError):
        ts.Board.from_hcp(b"\xff" * 32)
    with pytest.raises(ts.PositionError, match="32"):
        ts.Board.from_psfen(b"")


def test_copies_are_equal_and_apart() -> None:
    board = ts.Board()
    board.push_usi("7g7f")
    for twin in (
        board.copy(),
        copy.copy(board),
        copy.deepcopy(board),
        pickle.loads(pickle.dumps(board)),
    ):
        assert twin == board and hash(twin) == hash(board)
        assert twin.move_stack == board.move_stack
        twin.pop()
        assert twin != board
    assert board == board
    assert board != "a board"
    assert weakref.ref(board)() is board


def test_packed_positions() -> None:
    board = ts.Board(MANY_PAWNS)
    assert ts.Board.from_hcp(board.hcp()) == board
    assert ts.Board.from_psfen(board.psfen()) == board
    board.reset()
    assert board.psfen()[:4] == bytes([0x58, 0xA4, 0x51, 0x22])


def test_pieces_and_hands() -> None:
    board = ts.Board()
    assert board.piece(ts.square("7g")) == ts.PAWN
    assert board.piece(ts.square("7c")) == ts.piece(ts.PAWN, ts.WHITE)
    assert board.king(ts.BLACK) == ts.square("5i")
    assert ts.Board(MANY_PAWNS).hand(ts.BLACK) == (12, 0, 0, 0, 0, 0, 0)
    array = board.board_array()
    assert array.dtype == np.int8 and list(array) == list(board.pieces)
    hands = [list(board.hand(color)) for color in ts.COLORS]
    assert board.hands_array().tolist() == hands
    assert ts.Board.from_pieces(board.pieces, hands) == board
    with pytest.raises(ValueError):
        ts.Board.from_pieces([99] * 81, hands)
    with pytest.raises(IndexError):
        board.piece(81)


def test_repetition() -> None:
    board = ts.Board()
    for usi in "2h3h 8b7b 3h2h 7b8b".split() * 3:
        board.push_usi(usi)
    assert board.repetition() == (4, "draw")
    assert board.repetition(count_start=False) == (3, None)
    assert board.outcome() == (None, "repetition")
    assert board.repetition_state() == "draw"


def test_declaration_and_mate() -> None:
    entered = ts.Board("+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1")
    assert entered.declaration() == ("win", None)
    assert entered.declaration("CSARule24") == ("draw", None)
    assert ts.Board().declaration()[1] == "the king is not within the last three ranks"
    with pytest.raises(ValueError):
        entered.declaration("no rule")
    mate = ts.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert mate.mate_in_one() == ts.Move("G*5b")
    assert mate.mate_in_three() == mate.mate_in_five() == ts.Move("G*5b")
    mate.push_usi("G*5b")
    assert mate.is_checkmate() and mate.outcome() == (ts.BLACK, "mate")
    assert mate.checkers() == [ts.square("5b")]


def test_notation_in_both_languages() -> None:
    board = ts.Board()
    move = ts.Move("7g7f")
    assert board.san(move, "western") == "P-7f"
    assert board.san(move, "kif") == "７六歩(77)"
    for style in ("ja", "western"):
        for legal in board.legal_moves:
            assert board.parse_san(board.san(legal, style)) == legal  # type: ignore[arg-type]
    with pytest.raises(ts.IllegalMoveError):
        board.parse_san("９九玉")
    with pytest.raises(ts.IllegalMoveError):
        board.san(ts.Move("5e5d"))


def test_perft_and_generators() -> None:
    board = ts.Board()
    assert board.perft(3) == 25470
    assert len(board.generate("captures")) == 0
    assert len(board.generate("quiet")) == 30
    with pytest.raises(ValueError):
        board.generate("all")  # type: ignore[arg-type]


def test_svg_with_many_pieces_in_hand() -> None:
    svg = ts.Board(MANY_PAWNS).svg(size=200, western=True)
    assert svg.startswith("<svg") and svg.endswith("</svg>") and ">12<" in svg
    assert "歩" in ts.Board()._repr_svg_()


def test_pass_and_handicap() -> None:
    board = ts.Board.handicap("六枚落ち")
    assert board.turn == ts.WHITE
    board.push_pass()
    assert board.turn == ts.BLACK and board.peek() == 0
    assert pickle.loads(pickle.dumps(board)) == board
    with pytest.raises(ValueError, match="平手"):
        ts.Board.handicap("百枚落ち")


def test_threads_count_at_the_same_time() -> None:
    board = ts.Board()
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(board.perft(3))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [25470] * 4
