"""Records in CSA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TextIO

from .. import _tesuji
from .._squares import BLACK
from ._moves import move_to_csa
from ._records import RecordParser, read_file

COLOR_SYMBOLS: Final = ["+", "-"]
JAPANESE_END_GAMES: Final = {
    "%TORYO": "投了",
    "%CHUDAN": "中断",
    "%SENNICHITE": "千日手",
    "%TIME_UP": "切れ負け",
    "%ILLEGAL_MOVE": "反則負け",
    "%JISHOGI": "持将棋",
    "%KACHI": "入玉宣言",
}


class Parser(RecordParser):
    """A record in CSA with the attributes of cshogi's parser."""

    format = "csa"

    def _take(self, record: _tesuji.Record) -> None:
        super()._take(record)
        # cshogi's parser for CSA has no word for "not known".
        self.win = self.win or 0
        self.endgame = self.endgame or ""

    @staticmethod
    def parse_file(file: Any, encoding: str | None = None) -> list[Parser]:
        """All records of a file."""
        return Parser.parse_str(read_file(file, encoding))

    @staticmethod
    def parse_str(csa_str: str | bytes) -> list[Parser]:
        """All records of a text."""
        if isinstance(csa_str, bytes):
            texts: list[str | bytes] = list(csa_str.replace(b"\r\n", b"\n").split(b"\n/\n"))
        else:
            texts = list(csa_str.replace("\r\n", "\n").split("\n/\n"))
        return [Parser._parse_bytes(text) for text in texts]

    def parse_csa_file(self, path: str) -> None:
        """Reads the first record of a file into this parser."""
        self._take(_tesuji.Record.open(path, "csa"))

    def parse_csa_str(self, csa_str: str) -> None:
        """Reads a record into this parser."""
        self._take(_tesuji.Record.parse(csa_str, "csa"))


class Exporter:
    """Writes records in CSA, move by move; several into one file, with a line `/` between them."""

    def __init__(
        self, path: str | None = None, append: bool = False, encoding: str | None = None
    ) -> None:
        self.turn = BLACK
        self.f: TextIO
        if path:
            self.open(path, append, encoding)

    def open(self, path: str, append: bool = False, encoding: str | None = None) -> None:
        """Opens a file."""
        self.f = open(path, "a" if append else "w", newline="\n", encoding=encoding)

    def close(self) -> None:
        """Closes the file."""
        self.f.close()

    def info(
        self,
        init_board: str | _tesuji.Board | None = None,
        names: Sequence[str] | None = None,
        var_info: Mapping[str, str] | None = None,
        comment: str | None = None,
        version: str | None = None,
    ) -> None:
        """Begins a record: what stands above its moves, and where it starts."""
        lines = ["/"] if self.f.tell() else []
        lines += [version] if version else []
        lines += [f"N{sign}{name}" for sign, name in zip(COLOR_SYMBOLS, names or ())]
        lines += [line if line.startswith("'") else f"'{line}" for line in (comment or "").splitlines()]
        lines += [f"${key}:{value}" for key, value in (var_info or {}).items()]
        self.f.writelines(line + "\n" for line in lines)
        board = _tesuji.Board(init_board) if isinstance(init_board, str) else init_board
        self.turn = board.turn if board is not None else BLACK
        if board is None or board.sfen().split()[:3] == _tesuji.Board().sfen().split()[:3]:
            self.f.write("PI\n+\n")
        else:
            self.f.write(_tesuji.compat_csa_position(board))

    def move(
        self, move: int, time: int | None = None, comment: str | None = None, sep: str = "\n"
    ) -> None:
        """Writes a move."""
        parts = [COLOR_SYMBOLS[self.turn] + move_to_csa(move)]
        parts += [] if time is None else [f"T{time}"]
        parts += [f"'{comment}"] if comment else []
        self.f.write(sep.join(parts) + "\n")
        self.turn = 1 - self.turn

    def endgame(self, endgame: str, time: int | None = None) -> None:
        """Writes how the game ended."""
        self.f.write(endgame + "\n" + ("" if time is None else f"T{time}\n"))
        self.f.flush()
