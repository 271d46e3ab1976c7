"""Moves in 32 bits, squares and pieces: the functions of cshogi that need no board."""

from __future__ import annotations

from .. import _tesuji
from .._move import Move as _Move

_KIND_OF_HAND = (1, 2, 3, 4, 7, 5, 6)


def move_to(move: int) -> int:
    """Where a move goes."""
    return move & 127


def move_from(move: int) -> int:
    """Where a move comes from; 80 and more for drops."""
    return move >> 7 & 127


def move_cap(move: int) -> int:
    """Which kind a move takes."""
    return move >> 20 & 15


def move_is_promotion(move: int) -> bool:
    """Whether a move promotes."""
    return bool(move & 1 << 14)


def move_is_drop(move: int) -> bool:
    """Whether a move is a drop."""
    return move_from(move) > 80


def move_from_piece_type(move: int) -> int:
    """Which kind moves."""
    return move >> 16 & 15


def move_drop_hand_piece(move: int) -> int:
    """Which kind is dropped, as a number of hands."""
    return _KIND_OF_HAND.index(move_from(move) - 80)


def move16(move: int) -> int:
    """The 16 bits that HCPE files keep."""
    return move & 0x7FFF


def move16_from_psv(move16: int) -> int:
    """The 16 bits of a PSV file as those of an HCPE file."""
    return _Move(move16 & 0xFFFF).apery() if move16 else 0


def move16_to_psv(move16: int) -> int:
    """The 16 bits of an HCPE file as those of a PSV file."""
    return int(_Move.from_apery(move16 & 0x7FFF)) if move16 else 0


def move_rotate(move: int) -> int:
    """The same move on the board turned by half a turn."""
    start = move_from(move)
    start = start if start > 80 else 80 - start
    return move & ~0x3FFF | start << 7 | (80 - move_to(move))


def move_to_usi(move: int) -> str:
    """A move as USI writes it."""
    return str(_Move.from_apery(move & 0x7FFF)) if move else "None"


def move_to_csa(move: int) -> str:
    """A move as CSA writes it, without the colour."""
    kind = move_from_piece_type(move)
    start = move_from(move)
    if move_is_drop(move):
        kind, name = start - 80, "00"
    else:
        name = f"{start // 9 + 1}{start % 9 + 1}"
        kind += 8 if move_is_promotion(move) else 0
    letters = "..FUKYKEGIKAHIKIOUTONYNKNGUMRY"[2 * kind : 2 * kind + 2]
    return f"{name}{move_to(move) // 9 + 1}{move_to(move) % 9 + 1}{letters}"


def opponent(color: int) -> int:
    """The other colour."""
    return 1 - color


def piece_to_piece_type(piece: int) -> int:
    """What a piece is, whosever it is."""
    return piece & 15


def hand_piece_to_piece_type(hand_piece: int) -> int:
    """The kind for a number of hands."""
    return _KIND_OF_HAND[hand_piece]


def make_file(square: int) -> int:
    """The file of a square, from 0."""
    return square // 9


def make_rank(square: int) -> int:
    """The rank of a square, from 0."""
    return square % 9


def rotate_sfen(sfen: str) -> str:
    """The position turned by half a turn, with colours exchanged."""
    return _tesuji.Board(sfen).flipped().sfen()


def to_usi(move: int) -> bytes:
    """A move as USI writes it, in bytes."""
    return move_to_usi(move).encode()


def to_csa(move: int) -> bytes:
    """A move as CSA writes it, in bytes."""
    return move_to_csa(move).encode()
