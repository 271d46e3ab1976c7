"""What a script written for cshogi needs, on this package: change its import, and it runs.

    from tesuji import cshogi            # instead of: import cshogi
    from tesuji.cshogi import CSA, KIF   # instead of: from cshogi import CSA, KIF

Numbers of moves (32 bits), squares, pieces and hands are those of cshogi, as are the types of
records. Deliberately different, because it is safer or right:

- an illegal move or a position that is none raises a `ValueError`; nothing crashes;
- `pop` on an empty board raises, copies keep their past, boards can be compared and pickled;
- `mate_move_in_1ply` is right in positions that are in check; `mate_move(n)` with n
  above 5 finds any mate up to a bound of nodes, also longer ones than n;
- `pseudo_legal_moves` are the legal ones; variations of KIF files are not appended to the main line;
- `zobrist_hash` gives our numbers, and is not the same in both packages; `book_key` is;
- `csa_pos` writes each hand in one line;
- exporters refuse an ending they do not know; `CSA.Exporter.info` also takes any SFEN; in PGN a knight is
  `N`, as K is the king;
- `elo.Elo` computes with the exact normal distribution, and one-sided results give infinity;
- `cli.main` keeps time in milliseconds by its own clock and does not ponder (`ponder=True` raises);
- `gym_shogi` needs no gym; an environment takes legal moves and gives what cshogi's gives;
- not there: `web` (the board of this project is `tesuji play`), a league of three engines in `cli`,
  `dlshogi.use_nyugyoku_features(True)`, and tables of others that are not part of an interface (regular
  expressions of the parsers, pieces of SVG);
- `DfPn` never answers wrongly; its `get_pv` is the line that was proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from .. import _tesuji
from .._move import Move as _Move
from . import _constants
from ._constants import *  # noqa: F403
from ._constants import SQUARE_CONSTANTS as _SQUARE_CONSTANTS
from ._moves import (
    hand_piece_to_piece_type,
    make_file,
    make_rank,
    move16,
    move16_from_psv,
    move16_to_psv,
    move_cap,
    move_drop_hand_piece,
    move_from,
    move_from_piece_type,
    move_is_drop,
    move_is_promotion,
    move_rotate,
    move_to,
    move_to_csa,
    move_to_usi,
    opponent,
    piece_to_piece_type,
    rotate_sfen,
    to_csa,
    to_usi,
)

globals().update(_SQUARE_CONSTANTS)

_KEYS = _tesuji.AperyKeys()
_STATES = {"draw": 1, "win": 2, "loss": 3, "superior": 4, "inferior": 5}


class SvgWrapper(str):
    """An SVG that notebooks show."""

    def _repr_svg_(self) -> str:
        return self


class LegalMoveList(Sequence[int]):
    """Moves in 32 bits; counted without being listed."""

    __slots__ = ("_board", "_checks", "_list")

    def __init__(self, board: Board, checks: bool = False) -> None:
        self._board = board
        self._checks = checks
        self._list: list[int] | None = None

    def _moves(self) -> list[int]:
        if self._list is None:
            self._list = _tesuji.compat_moves(self._board, self._checks)
        return self._list

    def __len__(self) -> int:
        if self._checks or self._list is not None:
            return len(self._moves())
        return len(self._board._all_moves())

    def __iter__(self) -> Iterator[int]:
        return iter(self._moves())

    def __getitem__(self, index: Any) -> Any:
        return self._moves()[index]


PseudoLegalMoveList = LegalMoveList
CheckMoveList = LegalMoveList


class Board(_tesuji.Board):
    """A board with the methods of cshogi."""

    def __new__(cls, sfen: str | None = None, board: Board | None = None) -> Self:
        if board is not None:
            return super().__new__(cls, board.start_sfen, [int(m) for m in board.move_stack])
        return super().__new__(cls, sfen)

    def __init__(self, sfen: str | None = None, board: Board | None = None) -> None:
        pass

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.start_sfen, [int(move) for move in self.move_stack])

    def copy(self) -> Board:
        return Board(board=self)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()

    def _all_moves(self) -> _tesuji.LegalMoves:
        return super().legal_moves

    def _number(self, move: _Move) -> int:
        return _tesuji.compat_from_16(self, int(move), True)

    def set_position(self, position: str) -> None:
        """`startpos moves …` or `sfen … moves …`."""
        self.set_usi_position(position)

    def set_pieces(
        self, pieces: Sequence[int], pieces_in_hand: tuple[Sequence[int], Sequence[int]]
    ) -> None:
        """Pieces and hands; the turn and the number of the move stay."""
        hands = [list(hand) for hand in pieces_in_hand]
        built = _tesuji.Board.from_pieces(list(pieces), hands, self.turn, self.move_number)
        self.set_sfen(built.sfen())

    def set_hcp(self, hcp: Any) -> None:
        super().set_hcp(_packed(hcp))

    def set_psfen(self, psfen: Any) -> None:
        super().set_psfen(_packed(psfen))

    def to_hcp(self, hcp: npt.NDArray[Any]) -> None:
        """Fills an array of 32 bytes."""
        _fill(hcp, self.hcp())

    def to_psfen(self, psfen: npt.NDArray[Any]) -> None:
        """Fills an array of 32 bytes."""
        _fill(psfen, self.psfen())

    def push(self, move: int) -> None:
        _tesuji.compat_push(self, move)

    def push_usi(self, usi: str) -> int:  # type: ignore[override]
        """Plays a move; returns it, or 0 if it is illegal."""
        return self._push(self.move_from_usi(usi))

    def push_csa(self, csa: str) -> int:
        """Plays a move; returns it, or 0 if it is illegal."""
        return self._push(self.move_from_csa(csa))

    def push_move16(self, move16: int) -> int:
        """Plays a move; returns it, or 0 if it is illegal."""
        return self._push(self.move_from_move16(move16))

    def push_psv(self, move16: int) -> int:
        """Plays a move; returns it, or 0 if it is illegal."""
        return self._push(self.move_from_psv(move16))

    def _push(self, move: int) -> int:
        if move:
            self.push(move)
        return move

    def pop(self) -> int:  # type: ignore[override]
        last = super().pop()
        return self._number(last) if last else 0

    def pop_pass(self) -> None:
        """Takes a pass back."""
        super().pop()

    def peek(self) -> int:  # type: ignore[override]
        """The last move; 0 if there is none."""
        return self.history[-1] if self.move_stack else 0

    @property
    def history(self) -> list[int]:
        """The moves played."""
        moves = [int(move) for move in self.move_stack if move]
        return _tesuji.compat_line(_tesuji.Board(self.start_sfen), moves)

    def is_game_over(self) -> bool:
        """Whether the side to move has no legal move."""
        return not super().legal_moves

    def is_draw(self, ply: int | None = None) -> int:
        """What an earlier position with the same board means."""
        return _STATES.get(self.repetition_state() or "", 0)

    def move_is_draw(self, move: int, ply: int | None = None) -> int:
        """The same after a move, for the side that makes it."""
        self.push(move)
        state = self.is_draw(ply)
        super().pop()
        return {2: 3, 3: 2, 4: 5, 5: 4}.get(state, state)

    def move(self, from_square: int, to_square: int, promotion: bool) -> int:
        """A move on the board; 0 if it is illegal."""
        return self.move_from_move16(to_square | from_square << 7 | promotion << 14)

    def drop_move(self, to_square: int, drop_piece_type: int) -> int:
        """A drop; 0 if it is illegal."""
        return self.move_from_move16(to_square | (80 + drop_piece_type) << 7)

    def move_from_usi(self, usi: str) -> int:
        """The move that a text means; 0 if it is illegal."""
        try:
            return self._number(_Move(usi))
        except ValueError:
            return 0

    def move_from_csa(self, csa: str) -> int:
        """The move that a text means; 0 if it is illegal."""
        if csa[:1] in "+-":
            csa = csa[1:]
        for move in self.legal_moves:
            if move_to_csa(move) == csa:
                return move
        return 0

    def move_from_move16(self, move16: int) -> int:
        """The move for the 16 bits of an HCPE file; 0 if it is illegal."""
        return _tesuji.compat_from_16(self, move16 & 0x7FFF, False)

    def move_from_psv(self, move16: int) -> int:
        """The move for the 16 bits of a PSV file; 0 if it is illegal."""
        return _tesuji.compat_from_16(self, move16 & 0xFFFF, True)

    @property
    def legal_moves(self) -> LegalMoveList:  # type: ignore[override]
        return LegalMoveList(self)

    @property
    def pseudo_legal_moves(self) -> LegalMoveList:
        """The legal moves: there are no others here."""
        return LegalMoveList(self)

    @property
    def check_moves(self) -> LegalMoveList:
        """The legal moves that give check."""
        return LegalMoveList(self, True)

    @property
    def move_number(self) -> int:
        """The number of the next move."""
        return self.ply

    @move_number.setter
    def move_number(self, ply: int) -> None:
        self.set_sfen(f"{self.sfen().rsplit(' ', 1)[0]} {ply}")

    @property
    def turn(self) -> int:
        return super().turn

    @turn.setter
    def turn(self, turn: int) -> None:
        board, _, rest = self.sfen().split(" ", 2)
        self.set_sfen(f"{board} {'bw'[turn]} {rest}")

    def csa_pos(self) -> str:
        """The position as CSA writes it."""
        return _tesuji.compat_csa_position(self)

    def piece_type(self, sq: int) -> int:
        """The kind on a square."""
        return self.piece(sq) & 15

    def king_square(self, color: int) -> int:
        """Where a king stands; 81 if there is none."""
        found = self.king(color)
        return 81 if found is None else found

    def mate_move_in_1ply(self) -> int:
        """A move that mates at once; 0 if there is none."""
        found = self.mate_in_one()
        return 0 if found is None else self._number(found)

    def mate_move(self, ply: int) -> int:
        """The first move of a mate; 0 if none was found."""
        if ply <= 3:
            found = self.mate_in_three()
        elif ply <= 5:
            found = self.mate_in_five()
        else:
            found = _QUICK.solve(self, 40 * ply)
        return self._number(found) if found else 0

    def is_mate(self, ply: int) -> bool:
        """Whether the side to move is mated whatever it plays, in at most so many moves."""
        if not self.is_check():
            return False
        for move in super().legal_moves:
            super().push(move)
            found = self.mate_move(max(1, ply - 1))
            super().pop()
            if not found:
                return False
        return True

    def zobrist_hash(self) -> int:
        """A number for the position; ours, not that of cshogi."""
        return self.key

    def book_key(self) -> int:
        """The key of Apery's books."""
        return _KEYS.key(self)

    def book_key_after(self, key: int, move: int) -> int:
        """The key after a move."""
        self.push(move)
        after = _KEYS.key(self)
        super().pop()
        return after

    def is_pseudo_legal(self, move: int) -> bool:
        """Whether a move is legal."""
        return _tesuji.compat_is_legal(self, move)

    def pseudo_legal_move_is_legal(self, move: int) -> bool:
        """Whether a move is legal."""
        return _tesuji.compat_is_legal(self, move)

    def is_legal(self, move: int) -> bool:
        return _tesuji.compat_is_legal(self, move)

    @property
    def pieces_in_hand(self) -> tuple[list[int], list[int]]:
        """What both sides hold."""
        return list(self.hand(0)), list(self.hand(1))

    def is_nyugyoku(self, rule: int = _constants.LAW_27) -> bool:
        """Whether a declaration of the side to move wins."""
        return self.nyugyoku_result(rule) == _constants.NYUGYOKU_WIN

    def nyugyoku_result(self, rule: int = _constants.LAW_24) -> int:
        """What comes of a declaration of the side to move."""
        name = "CSARule24" if rule == _constants.LAW_24 else "CSARule27"
        result = self.declaration(name)[0]
        return {"win": 1, "draw": 2}.get(result or "", 0)

    def piece_planes(self, features: npt.NDArray[np.float32]) -> None:
        """Fills 28 planes of pieces."""
        _tesuji.compat_planes(self, features, False)

    def piece_planes_rotate(self, features: npt.NDArray[np.float32]) -> None:
        """Fills 28 planes of pieces, seen from the side to move."""
        _tesuji.compat_planes(self, features, True)

    def _dlshogi_make_input_features(
        self, features1: npt.NDArray[np.float32], features2: npt.NDArray[np.float32]
    ) -> None:
        _tesuji.compat_dlshogi(self, features1, features2)

    def is_ok(self) -> bool:
        """Whether the position is sound; it always is."""
        return True

    def to_svg(self, lastmove: int | None = None, scale: float = 1.0) -> SvgWrapper:
        """The board as SVG."""
        last = None if not lastmove else int(_Move.from_apery(lastmove & 0x7FFF))
        return SvgWrapper(self.svg(size=int(230 * scale), lastmove=last))

    def to_bod(self) -> str:
        """The board as Japanese records draw it."""
        return KIF.board_to_bod(self)

    def __repr__(self) -> str:
        return self.csa_pos()

    __str__ = __repr__


_QUICK = _tesuji.QuickSolver()


def _restored(sfen: str, moves: list[int]) -> Board:
    board = Board(sfen)
    for move in moves:
        if move:
            _tesuji.Board.push(board, move)
        else:
            board.push_pass()
    return board


def _packed(array: Any) -> bytes:
    data = array if isinstance(array, bytes) else np.ascontiguousarray(array).tobytes()
    return data


def _fill(array: npt.NDArray[Any], packed: bytes) -> None:
    target = array.view(np.uint8).reshape(-1)
    if target.size != 32 or not np.shares_memory(target, array):
        raise ValueError(f"expected a contiguous array of 32 bytes, not {array.nbytes}")
    target[:] = np.frombuffer(packed, np.uint8)


class DfPn:
    """The mate solver behind the interface of cshogi's."""

    def __init__(
        self, depth: int = 1600, nodes: int = 4294967295, draw_ply: int = 2147483646
    ) -> None:
        self._solver = _tesuji.MateSolver(64)
        self._nodes = nodes
        self._pv: list[int] = []

    def search(self, board: Board) -> bool:
        """Whether the side to move mates."""
        kind, pv, _ = self._solver.solve(board, self._nodes)
        line = [int(move) for move in pv]
        self._pv = _tesuji.compat_line(board, line) if kind == "mate" else []
        return kind == "mate"

    def search_andnode(self, board: Board) -> bool:
        """Whether the side to move, in check, is mated whatever it plays."""
        if not board.is_check():
            return False
        return all(self._mates_after(board, move) for move in board.legal_moves)

    def _mates_after(self, board: Board, move: int) -> bool:
        board.push(move)
        found = self.search(board)
        board.pop()
        return found

    def stop(self, stop: bool) -> None:
        """Nothing to stop: a search ends with its nodes, or by Ctrl-C."""

    def get_move(self, board: Board) -> int:
        """The first move of the mate; 0 if there is none."""
        return self._pv[0] if self._pv else 0

    def get_pv(self, board: Board) -> list[int]:
        """The line that was proved."""
        return list(self._pv)

    def set_draw_ply(self, draw_ply: int) -> None:
        """A mate is a mate however late it comes."""

    def set_max_depth(self, max_depth: int) -> None:
        """Depth has no bound here."""

    def set_max_search_node(self, max_search_node: int) -> None:
        """At most so many positions are looked at."""
        self._nodes = max_search_node

    @property
    def searched_node(self) -> int:
        """How many positions the last search looked at."""
        return self._solver.nodes


OslDfPn = DfPn

from . import CSA, KI2, KIF, PGN, dlshogi, elo, osl, usi  # noqa: E402

Parser = CSA.Parser
