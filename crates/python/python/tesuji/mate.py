"""The mate solver.

>>> import tesuji as ts
>>> ts.mate.solve(ts.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"))
Proven(pv=[Move('G*5b')], shortest=False)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict, Unpack

from ._move import Move
from ._tesuji import Board, MateSolver, QuickSolver


@dataclass(frozen=True, slots=True)
class Proven:
    """There is a mate, with this line."""

    pv: list[Move]
    #: Whether no mate is shorter.
    shortest: bool = False

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Brinkmate:
    """After the first move of the line mate cannot be avoided."""

    pv: list[Move]

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Disproven:
    """There is none."""

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The search ended before it knew."""

    reason: str

    def __bool__(self) -> bool:
        return False


class MateLimits(TypedDict, total=False):
    """When a search for mate gives up."""

    nodes: int | None
    #: Seconds.
    time: float | None


class ShortestLimits(MateLimits, total=False):
    """The same, and whether to go on until the mate found is the shortest."""

    shortest: bool


class Solver:
    """Finds mates; keeps its memory (in megabytes) between calls."""

    def __init__(self, memory: int = 256, threads: int = 1) -> None:
        self._solver = MateSolver(memory, threads)

    def solve(
        self, board: Board, **limits: Unpack[ShortestLimits]
    ) -> Proven | Disproven | Unknown:
        """Whether the side to move can mate by checks alone; any mate, or the `shortest`. It gives
        up after `nodes` positions or `time` seconds."""
        kind, pv, reason = self._solver.solve(board, **limits)
        if kind in ("mate", "shortest"):
            return Proven(pv, kind == "shortest")
        return Disproven() if kind == "none" else Unknown(reason or "")

    def brinkmate(
        self, board: Board, **limits: Unpack[MateLimits]
    ) -> Proven | Brinkmate | Disproven | Unknown:
        """Whether a quiet move of the side to move makes mate unavoidable (必至)."""
        kind, pv, reason = self._solver.brinkmate(board, **limits)
        if kind == "mate":
            return Proven(pv)
        if kind == "brinkmate":
            return Brinkmate(pv)
        return Disproven() if kind == "none" else Unknown(reason or "")

    @property
    def nodes(self) -> int:
        """How many positions the last call looked at."""
        return self._solver.nodes


def solve(
    board: Board, **limits: Unpack[ShortestLimits]
) -> Proven | Disproven | Unknown:
    """Whether the side to move can mate by checks alone: `Solver.solve` with a new solver."""
    return Solver().solve(board, **limits)


def brinkmate(
    board: Board, **limits: Unpack[MateLimits]
) -> Proven | Brinkmate | Disproven | Unknown:
    """Whether a quiet move of the side to move makes mate unavoidable: `Solver.brinkmate` with a new
    solver."""
    return Solver().brinkmate(board, **limits)


__all__ = [
    "Brinkmate",
    "Disproven",
    "Proven",
    "QuickSolver",
    "Solver",
    "Unknown",
    "brinkmate",
    "solve",
]
