"""The input planes and labels of dlshogi."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .. import _tesuji
from .._move import Move

FEATURES1_NUM: Final = 62
FEATURES2_NUM: Final = 57


def make_input_features(
    board: _tesuji.Board,
    features1: npt.NDArray[np.float32],
    features2: npt.NDArray[np.float32],
) -> None:
    """Fills (62, 9, 9) and (57, 9, 9)."""
    _tesuji.compat_dlshogi(board, features1, features2)


def make_move_label(move: int, color: int) -> int:
    """The label of a move for the side that makes it."""
    return _tesuji.dlshogi_label(int(Move.from_apery(move & 0x7FFF)), color)


def use_nyugyoku_features(use: bool) -> None:
    """The planes that count for a declaration are not there: only `False` is accepted."""
    if use:
        raise NotImplementedError("the planes for declarations are not offered here")
