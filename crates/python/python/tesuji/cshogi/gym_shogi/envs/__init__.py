"""One game, or several at once: a move in, a reward out.

The classes have the methods of environments for gym and need it not: an action is a legal move in
32 bits, and what is observed is the board itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import Board
from ..._constants import REPETITION_DRAW, REPETITION_LOSE, REPETITION_WIN


class ShogiEnv:
    """A game."""

    metadata = {"render.modes": ["human", "svg", "ansi", "sfen"]}

    def __init__(self) -> None:
        self.board = Board()
        self.moves: list[int] = []
        self.is_draw: int | None = None

    def reset(self, sfen: str | None = None, hcp: Any = None) -> Board:
        """Begins anew, at the start or at a position; the board."""
        if sfen is not None:
            self.board.set_sfen(sfen)
        elif hcp is not None:
            self.board.set_hcp(hcp)
        else:
            self.board.reset()
        self.moves.clear()
        self.is_draw = None
        return self.board

    def render(self, mode: str = "human") -> Any:
        """The board; as `svg`, `ansi` or `sfen` if asked for."""
        if mode == "svg":
            return self.board.to_svg(lastmove=self.moves[-1] if self.moves else None)
        if mode == "ansi":
            return str(self.board)
        return self.board.sfen() if mode == "sfen" else self.board

    def step(self, move: int) -> tuple[float, bool, int | None]:
        """Plays a move (0: resigns): the reward of whoever made it, whether the game is over, and
        what the fourth repetition means for the other side."""
        if move == 0:
            return -1.0, True, None
        self.board.push(move)
        self.moves.append(move)
        ruling = self.board.repetition()[1]
        if ruling is None:
            is_over = self.board.is_game_over()
            return (1.0 if is_over else 0.0), is_over, None
        if ruling == "draw":
            self.is_draw = REPETITION_DRAW
            return 0.0, True, self.is_draw
        other_loses = (ruling == "white") == (self.board.turn == 1)
        self.is_draw = REPETITION_LOSE if other_loses else REPETITION_WIN
        return (1.0 if other_loses else -1.0), True, self.is_draw


class ShogiVecEnv:
    """Several games at once."""

    metadata = {"render.modes": ["sfen"]}

    def __init__(self, num_envs: int) -> None:
        self.num_envs = num_envs
        self.envs = [ShogiEnv() for _ in range(num_envs)]

    def reset(self) -> None:
        """Begins all games anew."""
        for env in self.envs:
            env.reset()

    def render(self, mode: str = "sfen") -> list[str]:
        """The positions as SFEN."""
        return [env.board.sfen() for env in self.envs]

    def step(
        self, moves: Sequence[int]
    ) -> tuple[list[float], list[bool], list[int | None]]:
        """Plays a move in each game; one that is over begins anew."""
        rewards, dones, draws = [], [], []
        for env, move in zip(self.envs, moves, strict=True):
            reward, is_over, is_draw = env.step(move)
            rewards.append(reward)
            dones.append(is_over)
            draws.append(is_draw)
            if is_over:
                env.reset()
        return rewards, dones, draws


__all__ = ["ShogiEnv", "ShogiVecEnv"]
