"""Records in KI2."""

from __future__ import annotations

from ._records import RecordParser, read_file


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
