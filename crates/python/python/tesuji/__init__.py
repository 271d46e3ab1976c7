"""Computer shogi: boards, training data, records, networks, an engine and a mate solver.

>>> import tesuji as ts
>>> board = ts.Board()
>>> board.push_usi("7g7f")
>>> len(board.legal_moves)
30
>>> board.san(ts.Move("3c3d"), "western")
'P-3d'
"""

from . import data
from ._move import Move
from ._squares import (
    BISHOP,
    BLACK,
    COLORS,
    DRAGON,
    EMPTY,
    GOLD,
    HAND_KINDS,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED_KNIGHT,
    PROMOTED_LANCE,
    PROMOTED_PAWN,
    PROMOTED_SILVER,
    ROOK,
    SILVER,
    SQUARE_NAMES,
    SQUARES,
    WHITE,
    piece,
    piece_color,
    piece_kind,
    piece_symbol,
    square,
    square_name,
)
from ._tesuji import (
    Board,
    DataError,
    EngineError,
    IllegalMoveError,
    LegalMoves,
    PositionError,
    RecordError,
    __version__,
)

#: The start position.
STARTING_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

__all__ = [
    "BISHOP",
    "BLACK",
    "COLORS",
    "DRAGON",
    "EMPTY",
    "GOLD",
    "HAND_KINDS",
    "HORSE",
    "KING",
    "KNIGHT",
    "LANCE",
    "PAWN",
    "PROMOTED_KNIGHT",
    "PROMOTED_LANCE",
    "PROMOTED_PAWN",
    "PROMOTED_SILVER",
    "ROOK",
    "SILVER",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_SFEN",
    "WHITE",
    "Board",
    "DataError",
    "EngineError",
    "IllegalMoveError",
    "LegalMoves",
    "Move",
    "PositionError",
    "RecordError",
    "__version__",
    "data",
    "piece",
    "piece_color",
    "piece_kind",
    "piece_symbol",
    "square",
    "square_name",
]
