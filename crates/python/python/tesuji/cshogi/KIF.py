"""Records in KIF: read, and written move by move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from .. import _tesuji
from .._tesuji import RecordError
from ._japanese import JapaneseExporter, KANJI_RANKS, WIDE_FILES, info_comment, padded
from ._moves import move_from, move_from_piece_type, move_is_drop, move_is_promotion, move_to
from ._records import RecordParser, read_file

KIFU_TO_SQUARE_NAMES: Final = [file + rank for file in WIDE_FILES for rank in KANJI_RANKS]
KIFU_FROM_SQUARE_NAMES: Final = [f"{file}{rank}" for file in range(1, 10) for rank in range(1, 10)]
_KINDS: Final = " 歩香桂銀角飛金玉と杏圭全馬龍"
PIECE_BOD_SYMBOLS: Final = (
    [" ・"] + [f" {kind}" for kind in _KINDS[1:]] + [""] + [" ・"] + [f"v{kind}" for kind in _KINDS[1:]]
)
#: How the game ended, and what follows 「まで…手で」; the winner stands at %.
_ENDINGS: Final = {
    "resign": ("投了", "%の勝ち"),
    "win": ("入玉宣言", "入玉宣言"),
    "draw": ("持将棋", "持将棋"),
    "sennichite": ("千日手", "千日手"),
    "illegal_win": ("反則勝ち", "%の反則勝ち"),
    "illegal_lose": ("反則負け", "%の反則負け"),
    "time_up": ("切れ負け", "時間切れにより%の勝ち"),
    "chudan": ("中断", "中断"),
}

ParserException = RecordError


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


def sec_to_time(sec: int) -> tuple[int, int, int]:
    """Seconds as hours, minutes and seconds."""
    return sec // 3600, sec // 60 % 60, sec % 60


def move_to_kif(move: int, prev_move: int | None = None) -> str:
    """A move as KIF writes it; 同 if the move before went to the same square."""
    same = prev_move is not None and move_to(prev_move) == move_to(move)
    target = "同　" if same else KIFU_TO_SQUARE_NAMES[move_to(move)]
    if move_is_drop(move):
        return f"{target}{_KINDS[move_from(move) - 80]}打"
    promoted = "成" if move_is_promotion(move) else ""
    start = KIFU_FROM_SQUARE_NAMES[move_from(move)]
    return f"{target}{_KINDS[move_from_piece_type(move)]}{promoted}({start})"


def board_to_bod(board: _tesuji.Board) -> str:
    """The board as it is drawn above a record."""

    def held(color: int) -> str:
        names = [
            kind + ("" if count == 1 else _japanese_number(count))
            for kind, count in reversed(list(zip("歩香桂銀金角飛", board.hand(color))))
            if count
        ]
        return "　".join(names) or "なし"

    pieces = board.pieces
    rows = [
        "|" + "".join(PIECE_BOD_SYMBOLS[pieces[9 * file + rank]] for file in range(8, -1, -1)) + f"|{name}"
        for rank, name in enumerate(KANJI_RANKS)
    ]
    border = "+---------------------------+"
    files = "  ９ ８ ７ ６ ５ ４ ３ ２ １"
    lines = [f"後手の持駒：{held(1)}", files, border, *rows, border, f"先手の持駒：{held(0)}"]
    return "\n".join(lines + (["後手番"] if board.turn else []))


def _japanese_number(number: int) -> str:
    tens = "十" if number >= 10 else ""
    return tens + ("" if number % 10 == 0 else KANJI_RANKS[number % 10 - 1])


def move_to_bod(move: int, board: _tesuji.Board) -> str:
    """A move as books write it, with its colour."""
    from .KI2 import move_to_ki2

    return move_to_ki2(move, board)


class Exporter(JapaneseExporter):
    """Writes a record in KIF, move by move; UTF-8 for the extension kifu, else Shift JIS."""

    unicode_extension = ".kifu"

    def header(
        self,
        names: Sequence[str],
        starttime: datetime | None = None,
        handicap: str | _tesuji.Board | None = None,
    ) -> None:
        """Begins the record; `handicap` is the name of one, or a board to start from."""
        start = handicap
        if isinstance(handicap, str):
            start = _tesuji.Board.handicap(handicap)
        lines = board_to_bod(handicap) if isinstance(handicap, _tesuji.Board) else None
        self._begin(names, starttime, lines or f"手合割：{handicap or '平手'}", start)
        self.f.write("手数----指手---------消費時間--\n")

    def move(self, move: int, sec: int = 0, sec_sum: int = 0) -> None:
        """Writes a move and how long it took."""
        self._numbered(move_to_kif(move, self.prev_move), sec, sec_sum)
        self._play(move)

    def _numbered(self, text: str, sec: int, sec_sum: int) -> None:
        hours, minutes, seconds = sec_to_time(sec_sum)
        time = f"({sec // 60:2}:{sec % 60:02}/{hours:02}:{minutes:02}:{seconds:02})"
        self.f.write(f"{self.count + 1:4} {padded(text, 18)}{time}\n")

    def end(self, reason: str, sec: int = 0, sec_sum: int = 0) -> None:
        """Writes how the game ended: resign, win, draw, sennichite, time_up, illegal_win,
        illegal_lose or chudan."""
        if reason not in _ENDINGS:
            raise ValueError(f"{reason!r}: expected one of {', '.join(_ENDINGS)}")
        name, sentence = _ENDINGS[reason]
        self._numbered(name, sec, sec_sum)
        mover = self.board.turn
        subject = mover if reason in ("illegal_win", "illegal_lose") else 1 - mover
        self.f.write(f"まで{self.count}手で{sentence.replace('%', '先後'[subject] + '手')}\n")

    def info(self, info: str) -> None:
        """Writes what the engine that made the last move said (a line `info …`) as a comment, as
        analysis tools do."""
        self.f.write(info_comment(info, self.board) + "\n")
