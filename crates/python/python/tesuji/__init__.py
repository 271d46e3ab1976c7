"""Computer shogi: boards, training data, records, networks, an engine and a mate solver.

>>> import tesuji as ts
>>> board = ts.Board()
>>> board.push_usi("7g7f")
>>> len(board.legal_moves)
30
>>> board.san(ts.Move("3c3d"), "western")
'P-3d'
"""

from . import book, data, mate, usi
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
    Network,
    NetworkFile,
    Node,
    PositionError,
    Record,
    RecordError,
    __version__,
)
from .book import Book, BookMove
from .engine import Analysis, BaseEngine, Engine, Info, PlayResult
from .matches import MatchResult, match, play_game

#: The start position.
STARTING_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

__all__ = [
    "Analysis",
    "BISHOP",
    "BLACK",
    "BaseEngine",
    "Board",
    "Book",
    "BookMove",
    "COLORS",
    "DRAGON",
    "DataError",
    "EMPTY",
    "Engine",
    "EngineError",
    "GOLD",
    "HAND_KINDS",
    "HORSE",
    "IllegalMoveError",
    "Info",
    "KING",
    "KNIGHT",
    "LANCE",
    "LegalMoves",
    "MatchResult",
    "Move",
    "Network",
    "NetworkFile",
    "Node",
    "PAWN",
    "PROMOTED_KNIGHT",
    "PROMOTED_LANCE",
    "PROMOTED_PAWN",
    "PROMOTED_SILVER",
    "PlayResult",
    "PositionError",
    "ROOK",
    "Record",
    "RecordError",
    "SILVER",
    "SQUARES",
    "SQUARE_NAMES",
    "STARTING_SFEN",
    "WHITE",
    "__version__",
    "book",
    "data",
    "match",
    "mate",
    "piece",
    "piece_color",
    "piece_kind",
    "piece_symbol",
    "play_game",
    "square",
    "square_name",
    "usi",
]
