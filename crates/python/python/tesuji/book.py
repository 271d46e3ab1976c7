"""Opening books of every format: db, ybb, bin (Apery), sbk, and our own.

>>> import tempfile, os, tesuji as ts
>>> path = os.path.join(tempfile.mkdtemp(), "small.db")
>>> entry = ts.BookMove(ts.Move("7g7f"), score=30, depth=10)
>>> ts.Book.write(path, {ts.STARTING_SFEN: [entry]})
1
>>> ts.Book.open(path).find(ts.Board())[0].move
Move('7g7f')
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ._move import Move
from ._tesuji import Board, BookCore, read_book, write_book


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book."""

    #: The move; `None` is resigning.
    move: Move | None
    ponder: Move | None = None
    #: What it is worth to the side that plays it.
    score: int = 0
    depth: int = 0
    count: int = 1
    comment: str = ""


class Book:
    """A book that can be asked; large files stay on disk."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._core = BookCore(self.path)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Book:
        """Opens a book; its extension tells the format."""
        return cls(path)

    def find(
        self, board: Board, *, ignore_ply: bool = True, flipped: bool = True
    ) -> list[BookMove]:
        """What the book says about a position, the best move first."""
        return [BookMove(*row) for row in self._core.find(board, ignore_ply, flipped)]

    def propose(
        self,
        board: Board,
        *,
        eval_diff: int = 30,
        by_count: bool = False,
        seed: int | None = None,
    ) -> Move | None:
        """The move that an engine would play from the book."""
        return self._core.propose(board, eval_diff, by_count, seed)

    def __contains__(self, board: Board) -> bool:
        return bool(self.find(board))

    @staticmethod
    def read(path: str | os.PathLike[str]) -> dict[str, list[BookMove]]:
        """All positions of a book by their SFEN."""
        entries = read_book(os.fspath(path))
        return {sfen: [BookMove(*row) for row in rows] for sfen, rows in entries}

    @staticmethod
    def write(path: str | os.PathLike[str], positions: Mapping[str, Sequence[BookMove]]) -> int:
        """Writes a book; how many positions it has."""
        rows = [
            (
                sfen,
                [(m.move, m.ponder, m.score, m.depth, m.count, m.comment) for m in moves],
            )
            for sfen, moves in positions.items()
        ]
        return write_book(os.fspath(path), rows)


__all__ = ["Book", "BookMove"]
