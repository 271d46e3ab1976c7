"""What the writers of KIF and KI2 have in common."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Final, TextIO

from .. import _tesuji
from .._move import Move

WIDE_FILES: Final = "１２３４５６７８９"
KANJI_RANKS: Final = "一二三四五六七八九"


def padded(text: str, width: int) -> str:
    """The text with spaces behind it; most Japanese characters are two columns wide."""
    columns = sum(2 if unicodedata.east_asian_width(char) in "FWA" else 1 for char in text)
    return text + " " * (width - columns)


class JapaneseExporter:
    """A file that a record is written into, and the board it has come to."""

    unicode_extension: ClassVar[str]

    def __init__(self, path: str | None = None) -> None:
        self.board = _tesuji.Board()
        self.prev_move: int | None = None
        self.count = 0
        self.f: TextIO
        if path:
            self.open(path)

    def open(self, path: str) -> None:
        """Opens a file."""
        encoding = "utf-8" if path.endswith(self.unicode_extension) else "cp932"
        self.f = open(path, "w", encoding=encoding, newline="\n")

    def close(self) -> None:
        """Closes the file."""
        self.f.close()

    def _begin(
        self,
        names: Sequence[str],
        starttime: datetime | None,
        start_lines: str,
        start: _tesuji.Board | str | None,
    ) -> None:
        begun = starttime or datetime.now()
        self.f.write(f"開始日時：{begun:%Y/%m/%d %H:%M:%S}\n{start_lines}\n")
        self.f.write(f"先手：{names[0]}\n後手：{names[1]}\n")
        sfen = start.sfen() if isinstance(start, _tesuji.Board) else None
        self.board, self.prev_move, self.count = _tesuji.Board(sfen), None, 0

    def _play(self, move: int) -> None:
        self.board.push(Move.from_apery(move & 0x7FFF))
        self.prev_move = move
        self.count += 1


def info_comment(info: str, board: _tesuji.Board) -> str:
    """A line `info …` of whoever made the last move as a comment in a record; values are Black's,
    as is usual there."""
    words = info.split()
    parts = ["**対局"]
    if "depth" in words:
        parts.append(f"深さ {_after(words, 'depth')}")
    if "time" in words:
        milliseconds = int(_after(words, "time"))
        minutes, rest = divmod(milliseconds, 60_000)
        parts.append(f"時間 {minutes:02}:{rest / 1000:04.1f}")
    if "nodes" in words:
        parts.append(f"ノード数 {_after(words, 'nodes')}")
    sign = 1 if board.turn else -1
    if "cp" in words:
        parts.append(f"評価値 {sign * int(_after(words, 'cp'))}")
    elif "mate" in words:
        mate = _after(words, "mate")
        mates = -sign if mate.startswith("-") else sign
        parts.append(f"{'+' if mates > 0 else '-'}詰{mate.strip('+-')}")
    line = _line(words[words.index("pv") + 1 :], board) if "pv" in words else ""
    return " ".join(parts + ([f"読み筋 {line}"] if line else []))


def _after(words: Sequence[str], name: str) -> str:
    return words[words.index(name) + 1]


def _line(moves: Sequence[str], board: _tesuji.Board) -> str:
    """A principal variation that begins with the last move in Japanese, as far as it is legal."""
    here, names = board.copy(), list[str]()
    if here.move_stack:
        here.pop()
    for usi in moves:
        try:
            move = Move(usi)
            names.append("▲△"[here.turn] + here.san(move, "kif"))
            here.push(move)
        except ValueError:
            break
    return " ".join(names)
