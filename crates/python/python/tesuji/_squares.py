"""Numbers for colours, squares and pieces, and their names.

The numbers are those of Apery and cshogi: squares count down the files from the right, pieces of
White are those of Black plus 16.
"""

from typing import Final

BLACK: Final = 0
WHITE: Final = 1
COLORS: Final = (BLACK, WHITE)

EMPTY: Final = 0
PAWN: Final = 1
LANCE: Final = 2
KNIGHT: Final = 3
SILVER: Final = 4
BISHOP: Final = 5
ROOK: Final = 6
GOLD: Final = 7
KING: Final = 8
PROMOTED_PAWN: Final = 9
PROMOTED_LANCE: Final = 10
PROMOTED_KNIGHT: Final = 11
PROMOTED_SILVER: Final = 12
HORSE: Final = 13
DRAGON: Final = 14

#: The order in which hands are listed.
HAND_KINDS: Final = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)

SQUARES: Final = range(81)
SQUARE_NAMES: Final = tuple(f"{file}{rank}" for file in range(1, 10) for rank in "abcdefghi")

_LETTERS: Final = ("", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R")


def square(name: str) -> int:
    """The number of a square: 0 for `1a`, 80 for `9i`."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is no square: expected something like 7g") from None


def square_name(number: int) -> str:
    """The name of a square."""
    if number not in SQUARES:
        raise ValueError(f"{number} is no square: expected 0 to 80")
    return SQUARE_NAMES[number]


def piece(kind: int, color: int) -> int:
    """A piece of a colour."""
    return kind + 16 * color


def piece_kind(number: int) -> int:
    """What a piece is, whosever it is."""
    return number & 15


def piece_color(number: int) -> int:
    """Whose a piece is."""
    return number >> 4


def piece_symbol(number: int) -> str:
    """The letters of SFEN for a piece."""
    letters = _LETTERS[number & 15]
    return letters.lower() if number & 16 else letters
