"""The module that stands in for cshogi, without cshogi: its numbers and its ways."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from tesuji import cshogi
from tesuji.cshogi import CSA, KIF, dlshogi

FIXTURES = Path(__file__).parents[3] / "fixtures" / "records"


def test_moves_in_32_bits() -> None:
    board = cshogi.Board()
    move = board.move_from_usi("7g7f")
    assert move == 0x11E3B
    assert cshogi.move_to_usi(move) == "7g7f" and cshogi.move_to_csa(move) == "7776FU"
    assert board.push_usi("7g7f") == move and board.peek() == move
    assert board.history == [move] and board.pop() == move
    assert len(board.legal_moves) == len(list(board.legal_moves)) == 30
    assert move in board.legal_moves and board.is_legal(move) and not board.is_legal(5)
    assert board.move_from_usi("9a9b") == 0 and board.push_csa("9999FU") == 0
    assert board.move(60, 59, False) == board.move_from_csa("7776FU") != 0
    drop = cshogi.Board("4k4/9/9/9/9/9/4P4/9/4K4 b 2PRb3p 1").move_from_usi("R*5e")
    assert (drop, cshogi.move_drop_hand_piece(drop)) == (0x2B28, cshogi.HROOK)
    assert cshogi.move16_to_psv(cshogi.move16(drop)) == 0x4328
    assert cshogi.move16_from_psv(0x4328) == 0x2B28


def test_positions() -> None:
    board = cshogi.Board("4k4/9/9/9/9/9/4P4/9/4K4 b 2PRb3p 1")
    assert board.pieces_in_hand == ([2, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 1, 0])
    hcp = np.zeros(1, cshogi.HuffmanCodedPos)
    board.to_hcp(hcp[0]["hcp"])
    other = cshogi.Board()
    other.set_hcp(hcp[0]["hcp"])
    assert other.sfen() == board.sfen()
    psfen = np.zeros(1, cshogi.PackedSfen)
    board.to_psfen(psfen[0]["sfen"])
    other.reset()
    other.set_psfen(psfen[0]["sfen"])
    assert other.sfen() == board.sfen()
    for twin in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board and isinstance(twin, cshogi.Board)
    board.turn = cshogi.WHITE
    board.move_number = 7
    assert board.sfen().endswith(" w R2Pb3p 7")
    board.set_position("startpos moves 7g7f 3c3d")
    assert board.move_number == 3
    with pytest.raises(IndexError):
        cshogi.Board().pop()
    with pytest.raises(ValueError):
        cshogi.Board().push(5)


def test_planes() -> None:
    board = cshogi.Board()
    first = np.empty((dlshogi.FEATURES1_NUM, 9, 9), np.float32)
    second = np.empty((dlshogi.FEATURES2_NUM, 9, 9), np.float32)
    dlshogi.make_input_features(board, first, second)
    assert first[:14].sum() == 20 and second.sum() == 0
    with pytest.raises(TypeError):
        dlshogi.make_input_features(board, first[:3], second)
    planes = np.zeros((28, 9, 9), np.float32)
    board.piece_planes(planes)
    assert planes.sum() == 40
    labels = {dlshogi.make_move_label(move, board.turn) for move in board.legal_moves}
    assert len(labels) == 30


def test_parsers() -> None:
    parser = CSA.Parser.parse_file(str(FIXTURES / "v22.csa"))[0]
    assert parser.names == ["NAKAHARA", "YONENAGA"]
    assert parser.endgame == "%CHUDAN" and parser.times == [12, 6]
    assert len(parser.moves) == len(parser.scores) == len(parser.comments) == 2
    kif = KIF.Parser.parse_file(str(FIXTURES / "nested.kifu"))
    assert kif.moves and kif.sfen


def test_mates_and_draws() -> None:
    board = cshogi.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert cshogi.move_to_usi(board.mate_move_in_1ply()) == "G*5b"
    assert cshogi.move_to_usi(board.mate_move(3)) == "G*5b"
    solver = cshogi.DfPn()
    assert solver.search(board) and cshogi.move_to_usi(solver.get_move(board)) == "G*5b"
    board.push(solver.get_move(board))
    assert board.is_game_over() and board.is_mate(2) and solver.search_andnode(board)
    shuffled = cshogi.Board()
    for usi in "2h3h 8b7b 3h2h 7b8b".split():
        shuffled.push_usi(usi)
    assert shuffled.is_draw() == cshogi.REPETITION_DRAW
    assert cshogi.A2 == 9 and cshogi.I9 == 80  # type: ignore[attr-defined]
    assert board.to_svg().startswith("<svg")
