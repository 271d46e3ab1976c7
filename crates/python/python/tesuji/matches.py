"""Matches between engines, and what their results say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ._squares import BLACK, WHITE
from ._tesuji import Board, EngineError, Record, elo, sprt
from .engine import BaseEngine


@dataclass(slots=True)
class MatchResult:
    """Wins, draws and losses of the first engine, and the games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    #: Pairs of games from the same opening by points: 0, ½, 1, 1½, 2.
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    records: list[Record] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> tuple[float, float, float] | None:
        """The difference in Elo and the ends of its 95 % interval."""
        found = elo(self.wins, self.draws, self.losses, self.pairs)
        return None if found is None else found[:3]

    @property
    def los(self) -> float | None:
        """The likelihood that the first engine is stronger."""
        found = elo(self.wins, self.draws, self.losses, self.pairs)
        return None if found is None else found[3]

    def sprt(self, elo0: float = 0.0, elo1: float = 5.0) -> tuple[float, str | None]:
        """The log-likelihood ratio of a sequential test, and what it decides."""
        return sprt(self.pairs, elo0, elo1)

    def __str__(self) -> str:
        text = f"+{self.wins} ={self.draws} -{self.losses}"
        found = self.elo
        return text if found is None else f"{text}, Elo {found[0]:+.1f}"


def play_game(
    black: BaseEngine,
    white: BaseEngine,
    board: Board | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    move_limit: int = 320,
    rule: str = "CSARule27",
) -> Record:
    """One game; the rules decide, and the record tells how it ended."""
    board = Board() if board is None else board.copy()
    record = Record(board)
    engines = (black, white)
    for engine in engines:
        engine.new_game()
    while True:
        over = board.outcome(rule, move_limit)
        if over is not None:
            record.end(_ending(over[0], over[1]))
            return record
        answer = engines[board.turn].play(board, depth=depth, nodes=nodes, time=time)
        if answer.declared:
            allowed = board.declaration(rule)[0]
            record.end("declaration" if allowed == "win" else "impasse" if allowed else "error")
            return record
        if answer.move is None:
            record.end("resignation")
            return record
        if not board.is_legal(answer.move):
            raise EngineError(f"{answer.move} is illegal in {board.sfen()}")
        board.push(answer.move)
        node = record.push(answer.move)
        if answer.score is not None:
            sign = -1 if board.turn == BLACK else 1
            node.set_evaluation(sign * answer.score, answer.depth, answer.nodes)


def _ending(winner: int | None, cause: str) -> str:
    if cause in ("perpetual check", "try"):
        # Whoever has lost here may be either side: a record says so by naming it.
        return "foul by white" if winner == BLACK else "foul by black"
    return {"mate": "mate", "no move": "mate"}.get(cause, cause)


def _points(record: Record, color: int) -> int:
    """Half points of a side."""
    win = {"1-0": BLACK, "0-1": WHITE}.get(record.result)
    return 1 if win is None else 2 * (win == color)


def match(
    first: BaseEngine,
    second: BaseEngine,
    *,
    games: int = 2,
    openings: Sequence[str] = (),
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    move_limit: int = 320,
    seed: int | None = None,
    on_game: Callable[[MatchResult, Record], None] | None = None,
) -> MatchResult:
    """Games in pairs: each opening (an SFEN, or `startpos moves …`) is played with both colours."""
    result = MatchResult()
    rng = random.Random(seed)
    starts = list(openings) or ["startpos"]
    while result.games < games:
        board = Board()
        board.set_usi_position(rng.choice(starts))
        points: list[int] = []
        for color in (BLACK, WHITE):
            pair = (first, second) if color == BLACK else (second, first)
            record = play_game(
                *pair, board, depth=depth, nodes=nodes, time=time, move_limit=move_limit
            )
            points.append(_points(record, color))
            result.records.append(record)
            result.wins += points[-1] == 2
            result.draws += points[-1] == 1
            result.losses += points[-1] == 0
            if on_game is not None:
                on_game(result, record)
            if result.games >= games:
                break
        if len(points) == 2:
            result.pairs[sum(points)] += 1
    return result


__all__ = ["MatchResult", "match", "play_game"]
