"""What the parsers of all formats have in common."""

from __future__ import annotations

import os
from typing import Any

from .. import _tesuji
from .._squares import BLACK

_CSA_ENDINGS = {
    "resignation": "%TORYO",
    "interruption": "%CHUDAN",
    "sealed": "%CHUDAN",
    "repetition": "%SENNICHITE",
    "impasse": "%JISHOGI",
    "draw": "%HIKIWAKE",
    "move limit": "%MAX_MOVES",
    "time": "%TIME_UP",
    "declaration": "%KACHI",
    "mate": "%TSUMI",
    "no mate": "%FUZUMI",
    "error": "%ERROR",
}
_WIN = {"1-0": 1, "0-1": 2, "1/2-1/2": 0}
_CSA_KEYS = {"event": "EVENT", "site": "SITE", "start_time": "START_TIME", "end_time": "END_TIME"}


class RecordParser:
    """A record with the attributes of cshogi's parsers."""

    format = "csa"

    def __init__(self) -> None:
        self.version = "V2.2"
        self.var_info: dict[str, str] = {}
        self.sfen = ""
        self.endgame: str | None = None
        self.names: list[Any] = ["", ""]
        self.ratings = [0.0, 0.0]
        self.moves: list[int] = []
        self.times: list[int] = []
        self.scores: list[int] = []
        self.comments: list[str] = []
        self.win: int | None = None
        self.comment = ""

    def _take(self, record: _tesuji.Record) -> None:
        start = record.start
        headers = record.headers
        self.sfen = start.sfen()
        self.names = [headers.pop("black", ""), headers.pop("white", "")]
        self.var_info = {_CSA_KEYS.get(key, key): value for key, value in headers.items()}
        self.moves = _tesuji.compat_line(start, [int(move) for move in record.moves])
        self.times = [int(time or 0) for time in record.times]
        self.scores = [score or 0 for score in record.scores]
        nodes = [node for node in record.mainline() if node.move is not None]
        self.comments = [node.comment for node in nodes]
        self.comment = record.root.comment
        self.win = _WIN.get(record.result)
        self.endgame = self._ending(record, (start.turn + len(self.moves)) % 2)

    def _ending(self, record: _tesuji.Record, turn: int) -> str | None:
        if record.ending is None:
            return None
        if record.ending == "foul":
            lost = 1 if record.result == "1-0" else 0
            if lost == turn:
                return "%ILLEGAL_MOVE"
            return "%+ILLEGAL_ACTION" if lost == BLACK else "%-ILLEGAL_ACTION"
        return _CSA_ENDINGS.get(record.ending, "%CHUDAN")

    @classmethod
    def of(cls, record: _tesuji.Record) -> RecordParser:
        """The attributes of a record."""
        parser = cls()
        parser._take(record)
        return parser

    @classmethod
    def _parse_bytes(cls, data: bytes | str) -> Any:
        return cls.of(_tesuji.Record.parse(data, cls.format))


def read_file(file: Any, encoding: str | None = None) -> bytes | str:
    """What a path or an open file holds."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            data = opened.read()
        return data.decode(encoding) if encoding else data
    content: bytes | str = file.read()
    return content
