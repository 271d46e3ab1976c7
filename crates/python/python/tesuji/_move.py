"""Moves: numbers with methods."""

from __future__ import annotations

from typing import Final, Self

from . import _tesuji

_PROMOTE: Final = 1 << 15
_DROP: Final = 1 << 14
_KINDS: Final = "PLNSBRG"


class Move(int):
    """A move, as the number that PSV files and YaneuraOu give it.

    The square it goes to is in bits 0 to 6, the one it comes from (or the kind that is dropped) in
    bits 7 to 13, bit 14 marks drops and bit 15 promotions. There is one object for each move, and
    it can be used wherever a number can.

    >>> Move("7g7f")
    Move('7g7f')
    >>> Move("P*5e").drop, Move("8h2b+").promotion
    (1, True)
    """

    __slots__ = ()

    _make = staticmethod(int.__new__)

    def __new__(cls, move: int | str) -> Self:
        if isinstance(move, str):
            return _tesuji.parse_usi(move)  # type: ignore[return-value]
        return _tesuji.move_object(move)  # type: ignore[return-value]

    @classmethod
    def from_usi(cls, usi: str) -> Move:
        """The move that a text such as `7g7f`, `8h2b+` or `P*5e` names."""
        return _tesuji.parse_usi(usi)

    @classmethod
    def from_apery(cls, number: int) -> Move:
        """The move for a number as HCPE files and Apery's books have it."""
        return _tesuji.move_from_apery(number)

    @property
    def to_square(self) -> int:
        """Where the piece arrives, 0 (1a) to 80 (9i)."""
        return self & 127

    @property
    def from_square(self) -> int | None:
        """Where the piece comes from; `None` for a drop."""
        return None if self & _DROP else self >> 7 & 127

    @property
    def drop(self) -> int | None:
        """Which kind of piece is dropped, 1 to 7; `None` for a move on the board."""
        return self >> 7 & 7 if self & _DROP else None

    @property
    def promotion(self) -> bool:
        """Whether the piece promotes."""
        return bool(self & _PROMOTE)

    def usi(self) -> str:
        """The move as USI writes it; `pass` for the pass."""
        return _tesuji.move_usi(self) if self else "pass"

    def apery(self) -> int:
        """The number that HCPE files and Apery's books give the move."""
        return _tesuji.move16_apery(self)

    def rotated(self) -> Move:
        """The same move on the board turned by half a turn."""
        to = 80 - self.to_square
        start = self.from_square
        if start is None:
            return Move(self & ~127 | to)
        return Move(self & _PROMOTE | (80 - start) << 7 | to)

    def __str__(self) -> str:
        return self.usi()

    def __repr__(self) -> str:
        return f"Move({self.usi()!r})" if self else "Move(0)"

    def __reduce__(self) -> tuple[type[Move], tuple[int]]:
        return Move, (int(self),)
