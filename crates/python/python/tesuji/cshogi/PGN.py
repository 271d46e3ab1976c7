"""Records in PGN, as programs for chess read them: written, not read."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import datetime
from typing import Final, TextIO

from ._constants import BLACK_WIN, DRAW, WHITE_WIN
from ._moves import move_from, move_from_piece_type, move_is_drop, move_is_promotion, move_to

_KINDS: Final = ("", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R")
_RESULTS: Final = {BLACK_WIN: "1-0", WHITE_WIN: "0-1", DRAW: "1/2-1/2"}


def _square(number: int) -> str:
    return f"{'ihgfedcba'[number // 9]}{9 - number % 9}"


def move_to_san(move: int) -> str:
    """A move with both its squares, files as letters from the left: Pc3c4, B@f5, Bb2h8+."""
    target = _square(move_to(move))
    if move_is_drop(move):
        return f"{_KINDS[move_from(move) - 80]}@{target}"
    kind = _KINDS[move_from_piece_type(move)]
    return f"{kind}{_square(move_from(move))}{target}{'+' if move_is_promotion(move) else ''}"


class Exporter:
    """Writes records in PGN. Who moves first is White there."""

    def __init__(self, path: str | None = None, append: bool = False) -> None:
        self.f: TextIO
        self.result = "*"
        if path:
            self.open(path, append)

    def open(self, path: str, append: bool = False) -> None:
        """Opens a file."""
        self.f = open(path, "a" if append else "w", newline="\n", encoding="utf-8")

    def close(self) -> None:
        """Closes the file."""
        self.f.close()

    def tag_pair(
        self,
        names: Sequence[str],
        result: int,
        event: str = "?",
        site: str = "?",
        starttime: datetime | None = None,
        round: int = 1,
    ) -> None:
        """Begins a record; `result` is BLACK_WIN, WHITE_WIN or DRAW."""
        self.result = _RESULTS.get(result, "*")
        tags = {
            "Event": event,
            "Site": site,
            "Date": f"{starttime or datetime.now():%Y.%m.%d}",
            "Round": str(round),
            "White": names[0],
            "Black": names[1],
            "Result": self.result,
        }
        escaped = {key: text.replace("\\", "\\\\").replace('"', '\\"') for key, text in tags.items()}
        self.f.writelines(f'[{key} "{text}"]\n' for key, text in escaped.items())
        self.f.write("\n")
        self.f.flush()

    def movetext(self, moves: Sequence[int]) -> None:
        """Writes the moves and the result."""
        words = []
        for number, move in enumerate(moves):
            words += [f"{number // 2 + 1}."] if number % 2 == 0 else []
            words.append(move_to_san(move))
        self.f.write(textwrap.fill(" ".join([*words, self.result]), 79) + "\n\n")
        self.f.flush()
