"""Records in KIF."""

from __future__ import annotations

from ._records import RecordParser, read_file


class Parser(RecordParser):
    """A record in KIF with the attributes of cshogi's parser."""

    format = "kif"

    @staticmethod
    def parse_file(path: str) -> Parser:
        """The record of a file."""
        parser: Parser = Parser._parse_bytes(read_file(path))
        return parser

    @staticmethod
    def parse_str(kif_str: str) -> Parser:
        """The record of a text."""
        parser: Parser = Parser._parse_bytes(kif_str)
        return parser
