"""The numbers and names of cshogi."""

from __future__ import annotations

from typing import Final

import numpy as np

BLACK: Final = 0
WHITE: Final = 1
COLORS: Final = [BLACK, WHITE]

SQUARES: Final = list(range(81))
SQUARE_NAMES: Final = [f"{file}{rank}" for file in range(1, 10) for rank in "abcdefghi"]

NONE: Final = 0
(
    PAWN,
    LANCE,
    KNIGHT,
    SILVER,
    BISHOP,
    ROOK,
    GOLD,
    KING,
    PROM_PAWN,
    PROM_LANCE,
    PROM_KNIGHT,
    PROM_SILVER,
    PROM_BISHOP,
    PROM_ROOK,
) = range(1, 15)
PIECE_TYPES_WITH_NONE: Final = range(0, 15)
PIECE_TYPES: Final = list(range(1, 15))
PIECE_SYMBOLS: Final = ["", *"plnsbrgk", "+p", "+l", "+n", "+s", "+b", "+r"]
PIECE_JAPANESE_SYMBOLS: Final = ["", *"歩香桂銀角飛金玉と杏圭全馬龍"]

BNONE: Final = 0
(
    BPAWN,
    BLANCE,
    BKNIGHT,
    BSILVER,
    BBISHOP,
    BROOK,
    BGOLD,
    BKING,
    BPROM_PAWN,
    BPROM_LANCE,
    BPROM_KNIGHT,
    BPROM_SILVER,
    BPROM_BISHOP,
    BPROM_ROOK,
) = range(1, 15)
NOTUSE: Final = 16
(
    WPAWN,
    WLANCE,
    WKNIGHT,
    WSILVER,
    WBISHOP,
    WROOK,
    WGOLD,
    WKING,
    WPROM_PAWN,
    WPROM_LANCE,
    WPROM_KNIGHT,
    WPROM_SILVER,
    WPROM_BISHOP,
    WPROM_ROOK,
) = range(17, 31)
PIECES: Final = list(range(31))

HPAWN, HLANCE, HKNIGHT, HSILVER, HGOLD, HBISHOP, HROOK = range(7)
HAND_PIECES: Final = range(7)
HAND_PIECE_SYMBOLS: Final = list("plnsgbr")
HAND_PIECE_JAPANESE_SYMBOLS: Final = list("歩香桂銀金角飛")
MAX_PIECES_IN_HAND: Final = [18, 4, 4, 4, 4, 2, 2]

NUMBER_JAPANESE_NUMBER_SYMBOLS: Final = [None, *"１２３４５６７８９"]
NUMBER_JAPANESE_KANJI_SYMBOLS: Final = [
    None,
    *"一二三四五六七八九十",
    *("十" + digit for digit in "一二三四五六七八"),
]

NOT_REPETITION: Final = 0
REPETITION_DRAW: Final = 1
REPETITION_WIN: Final = 2
REPETITION_LOSE: Final = 3
REPETITION_SUPERIOR: Final = 4
REPETITION_INFERIOR: Final = 5
REPETITION_TYPES: Final = range(6)

DRAW: Final = 0
BLACK_WIN: Final = 1
WHITE_WIN: Final = 2
GAME_RESULTS: Final = range(3)

LAW_24: Final = 0
LAW_27: Final = 1
NYUGYOKU_NONE: Final = 0
NYUGYOKU_WIN: Final = 1
NYUGYOKU_DRAW: Final = 2

MOVE_NONE: Final = 0
STARTING_SFEN: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

dtypeHcp = np.dtype((np.uint8, 32))
dtypeEval = np.dtype(np.int16)
dtypeMove16 = np.dtype(np.int16)
dtypeGameResult = np.dtype(np.int8)
dtypeKey = np.dtype(np.uint64)

HuffmanCodedPos: np.dtype[np.void] = np.dtype([("hcp", dtypeHcp)])
HuffmanCodedPosAndEval: np.dtype[np.void] = np.dtype(
    [
        ("hcp", dtypeHcp),
        ("eval", dtypeEval),
        ("bestMove16", dtypeMove16),
        ("gameResult", dtypeGameResult),
        ("dummy", np.uint8),
    ]
)
PackedSfen: np.dtype[np.void] = np.dtype([("sfen", np.uint8, 32)])
PackedSfenValue: np.dtype[np.void] = np.dtype(
    [
        ("sfen", np.uint8, 32),
        ("score", np.int16),
        ("move", np.uint16),
        ("gamePly", np.uint16),
        ("game_result", np.int8),
        ("padding", np.uint8),
    ]
)
BookEntry: np.dtype[np.void] = np.dtype(
    [("key", dtypeKey), ("fromToPro", dtypeMove16), ("count", np.uint16), ("score", np.int32)]
)

#: The squares as cshogi names them: the letter is the rank from above, the digit the file.
SQUARE_CONSTANTS: Final = {
    f"{letter}{file}": 9 * (file - 1) + rank
    for rank, letter in enumerate("ABCDEFGHI")
    for file in range(1, 10)
}
