"""Records in KI2: read, and written move by move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from .. import _tesuji
from .._move import Move
from ._japanese import JapaneseExporter
from ._records import RecordParser, read_file

#: What follows 「まで…手で」; the winner stands at %.
_ENDINGS: Final = {
    "%TORYO": "%の勝ち",
    "%CHUDAN": "中断",
    "%SENNICHITE": "千日手",
    "%TIME_UP": "時間切れにより%の勝ち",
    "%ILLEGAL_MOVE": "反則により%の勝ち",
    "%JISHOGI": "持将棋",
    "%KACHI": "入玉宣言",
    "%TSUMI": "詰み",
}


class Parser(RecordParser):
    """A record in KI2 with the attributes of cshogi's parser."""

    format = "ki2"

    @staticmethod
    def parse_file(path: str) -> Parser:
        """The record of a file."""
        parser: Parser = Parser._parse_bytes(read_file(path))
        return parser

    @staticmethod
    def parse_str(ki2_str: str) -> Parser:
        """The record of a text."""
        parser: Parser = Parser._parse_bytes(ki2_str)
        return parser


def move_to_ki2(move: int, board: _tesuji.Board) -> str:
    """A move as books write it, with its colour: ▲７六歩."""
    name = board.san(Move.from_apery(move & 0x7FFF), "ja").replace("竜", "龍")
    # The space fills the place of a second character; where there is one, it goes.
    return name if len(name) == 4 else name.replace("　", "")


class Exporter(JapaneseExporter):
    """Writes a record in KI2, a move in each line; UTF-8 for the extension ki2u, else Shift JIS."""

    unicode_extension = ".ki2u"

    def header(self, names: Sequence[str], starttime: datetime | None = None) -> None:
        """Begins the record."""
        self._begin(names, starttime, "手合割：平手", None)
        self.f.write("\n")

    def move(self, move: int, comment: str | None = None) -> None:
        """Writes a move."""
        self.f.write(move_to_ki2(move, self.board) + "\n")
        self.f.writelines(f"**{line}\n" for line in (comment or "").splitlines())
        self._play(move)

    def end(self, reason: str) -> None:
        """Writes how the game ended, in the words of CSA: %TORYO, %SENNICHITE, …"""
        if reason not in _ENDINGS:
            raise ValueError(f"{reason!r}: expected one of {', '.join(_ENDINGS)}")
        winner = "先後"[1 - self.board.turn] + "手"
        self.f.write(f"まで{self.count}手で{_ENDINGS[reason].replace('%', winner)}\n")
