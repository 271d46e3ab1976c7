"""Engines: the one inside this package, and what it has in common with others.

>>> import tesuji as ts
>>> with ts.Engine("material", hash=16) as engine:
...     result = engine.play(ts.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), nodes=1000)
>>> result.move, result.mate
(Move('G*5b'), 1)
"""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self, TypedDict, Unpack

from ._move import Move
from ._tesuji import Board, EngineCore, EngineError, Network, Search


@dataclass(frozen=True, slots=True)
class Info:
    """What an engine reports while it thinks: a principal variation and how it was found."""

    #: What it is worth to the side to move, a pawn being about 100; `None` if the engine did not say.
    score: int | None = None
    #: In how many moves it mates (negative: is mated); `None` if there is no mate.
    mate: int | None = None
    bound: Literal["exact", "lower", "upper"] = "exact"
    depth: int = 0
    seldepth: int = 0
    #: Which of several best lines it is, from 1.
    multipv: int = 1
    nodes: int = 0
    #: Seconds since the search began.
    time: float = 0.0
    hashfull: int = 0
    pv: list[Move] = field(default_factory=list)

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / self.time) if self.time > 0 else 0


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The answer of an engine."""

    #: The move; `None` if the engine resigns or declares.
    move: Move | None
    ponder: Move | None = None
    score: int | None = None
    mate: int | None = None
    depth: int = 0
    nodes: int = 0
    pv: list[Move] = field(default_factory=list)
    resigned: bool = False
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; the first limit that is reached ends it."""

    depth: int | None = None
    nodes: int | None = None
    #: Seconds.
    time: float | None = None
    infinite: bool = False
    multipv: int = 1
    #: Only these moves are looked at.
    moves: Sequence[int] | None = None


class MoveLimits(TypedDict, total=False):
    """The keywords of `play`: fields of `Limits`."""

    depth: int | None
    nodes: int | None
    time: float | None
    moves: Sequence[int] | None


class AnalysisLimits(MoveLimits, total=False):
    """The keywords of `analyse`: fields of `Limits`."""

    infinite: bool
    multipv: int


class Analysis(ABC, Iterator[Info]):
    """A search that runs: iterate over its reports, or wait for its result."""

    def __init__(self) -> None:
        self._result: PlayResult | None = None

    @abstractmethod
    def _wait(self, timeout: float | None) -> Info | PlayResult | None:
        """The next report; `None` if the time runs out before."""

    @abstractmethod
    def stop(self) -> None:
        """Ends the search; its result still comes."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        if self._result is None:
            event = self._wait(None)
            if isinstance(event, Info):
                return event
            self._result = event
        raise StopIteration

    def result(self) -> PlayResult:
        """Waits for the end and tells the answer."""
        for _ in self:
            pass
        if self._result is None:
            raise EngineError("the search has no result")
        return self._result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.result()


class BaseEngine(ABC):
    """What every engine can do, wherever it runs."""

    @abstractmethod
    def _begin(self, board: Board, limits: Limits) -> Analysis: ...

    @abstractmethod
    def new_game(self) -> None:
        """Forgets what was learnt from the game before."""

    @abstractmethod
    def close(self) -> None:
        """Ends the engine."""

    def analyse(self, board: Board, **limits: Unpack[AnalysisLimits]) -> Analysis:
        """Thinks about a position until a limit is reached: `depth`, `nodes`, `time` (seconds) or
        nothing (`infinite`); iterate over what it reports. `multipv` asks for so many lines,
        `moves` looks at these only."""
        return self._begin(board, Limits(**limits))

    def play(self, board: Board, **limits: Unpack[MoveLimits]) -> PlayResult:
        """Thinks (`depth`, `nodes`, `time`, only `moves`) and tells the move."""
        return self._begin(board, Limits(**limits)).result()

    async def analyse_async(
        self, board: Board, **limits: Unpack[AnalysisLimits]
    ) -> AsyncIterator[Info]:
        """As `analyse`, for `async for`; the event loop is never blocked. Leaving the loop ends the
        search."""
        analysis = self._begin(board, Limits(**limits))
        try:
            while True:
                info = await asyncio.to_thread(next, analysis, None)
                if info is None:
                    return
                yield info
        finally:
            analysis.stop()

    async def play_async(self, board: Board, **limits: Unpack[MoveLimits]) -> PlayResult:
        """As `play`, awaited."""
        return await asyncio.to_thread(self._begin(board, Limits(**limits)).result)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _InProcess(Analysis):
    def __init__(self, search: Search) -> None:
        super().__init__()
        self._search = search

    def _wait(self, timeout: float | None) -> Info | PlayResult | None:
        found: dict[str, Any] | None = self._search.wait(timeout)
        if found is None:
            return None
        if "bestmove" not in found:
            return Info(**found)
        best = found.pop("bestmove")
        move = best if isinstance(best, Move) else None
        return PlayResult(move, resigned=best == "resign", declared=best == "win", **found)

    def stop(self) -> None:
        self._search.stop()


class Engine(BaseEngine):
    """The engine of this package, in this process.

    `network` is a `Network`, or what `Network` takes: `builtin`, `material`, a path, …
    """

    def __init__(
        self,
        network: Network | str | os.PathLike[str] = "builtin",
        *,
        threads: int = 1,
        hash: int = 64,
        rule: str = "CSARule27",
        move_limit: int | None = None,
    ) -> None:
        if not isinstance(network, Network):
            network = Network(network)
        self.network = network
        self.rule = rule
        self.move_limit = move_limit
        self._core: EngineCore | None = EngineCore(network, threads, hash)
        self._last: _InProcess | None = None

    def _begin(self, board: Board, limits: Limits) -> Analysis:
        if self._core is None:
            raise EngineError("the engine is closed")
        search = self._core.start(
            board,
            depth=limits.depth,
            nodes=limits.nodes,
            time=limits.time,
            multipv=limits.multipv,
            infinite=limits.infinite,
            moves=None if limits.moves is None else list(limits.moves),
            rule=self.rule,
            move_limit=self.move_limit,
        )
        self._last = _InProcess(search)
        return self._last

    def new_game(self) -> None:
        if self._core is not None:
            self._core.new_game()

    def close(self) -> None:
        if self._last is not None:
            self._last.stop()
        self._core = None


__all__ = ["Analysis", "BaseEngine", "Engine", "Info", "Limits", "PlayResult"]
