"""Records in CSA."""

from __future__ import annotations

from typing import Any

from .. import _tesuji
from ._records import RecordParser, read_file


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
