"""Engines of others in processes of their own, over USI."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time as clock
from collections.abc import Mapping, Sequence
from typing import Literal

from ._move import Move
from ._tesuji import Board, EngineError
from .engine import Analysis, BaseEngine, Info, Limits, PlayResult

_MATE_SCORE = 32000


def parse_info(line: str) -> Info | None:
    """An `info` line of USI; `None` if it has no principal variation and no score."""
    words = line.split()
    numbers: dict[str, int] = {}
    score: int | None = None
    mate: int | None = None
    bound: Literal["exact", "lower", "upper"] = "exact"
    pv: list[Move] = []
    at = 1
    while at < len(words):
        word = words[at]
        following = words[at + 1] if at + 1 < len(words) else ""
        if word in ("depth", "seldepth", "multipv", "nodes", "time", "hashfull"):
            numbers[word] = int(following) if following.isdigit() else 0
            at += 2
        elif word == "score" and following in ("cp", "mate"):
            text = words[at + 2] if at + 2 < len(words) else "0"
            value = int(text) if text.lstrip("+-").isdigit() else (-1 if text == "-" else 1)
            if following == "cp":
                score = value
            else:
                mate = value
                score = (_MATE_SCORE - abs(value)) * (1 if value >= 0 else -1)
            at += 3
        elif word in ("lowerbound", "upperbound"):
            bound = "lower" if word == "lowerbound" else "upper"
            at += 1
        elif word == "string":
            break
        elif word == "pv":
            for text in words[at + 1 :]:
                try:
                    pv.append(Move(text))
                except ValueError:
                    break
            break
        else:
            at += 1
    if score is None and not pv:
        return None
    milliseconds = numbers.pop("time", 0)
    return Info(score=score, mate=mate, bound=bound, time=milliseconds / 1000, pv=pv, **numbers)


class _Process(Analysis):
    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._best = Info()

    def _wait(self, timeout: float | None) -> Info | PlayResult | None:
        end = None if timeout is None else clock.monotonic() + timeout
        while True:
            left = None if end is None else max(0.0, end - clock.monotonic())
            line = self._engine._read(left)
            if line is None:
                return None
            if line.startswith("info "):
                info = parse_info(line)
                if info is not None:
                    if info.multipv == 1:
                        self._best = info
                    return info
            elif line.startswith("bestmove"):
                return self._answer(line.split())

    def _answer(self, words: list[str]) -> PlayResult:
        self._engine._thinking = None
        text = words[1] if len(words) > 1 else "resign"
        best = self._best
        ponder = None
        if len(words) > 3 and words[2] == "ponder":
            try:
                ponder = Move(words[3])
            except ValueError:
                ponder = None
        move = None if text in ("resign", "win") else Move(text)
        return PlayResult(
            move,
            ponder=ponder,
            score=best.score,
            mate=best.mate,
            depth=best.depth,
            nodes=best.nodes,
            pv=best.pv,
            resigned=text == "resign",
            declared=text == "win",
        )

    def stop(self) -> None:
        if self._result is None:
            self._engine._say("stop")


class Engine(BaseEngine):
    """An engine in a process of its own that speaks USI.

    `options` are set before the first search. An engine that does not answer within `timeout`
    seconds, or ends, raises an `EngineError`.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 60.0,
        cwd: str | None = None,
    ) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        self.timeout = timeout
        self.name = ""
        self.author = ""
        #: The options that the engine announced: name, and the rest of the line.
        self.options: dict[str, str] = {}
        self._thinking: _Process | None = None
        self._closed = False
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                cwd=cwd,
            )
        except OSError as error:
            raise EngineError(f"{words[:1]}: {error}") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._say("usi")
        for line in self._until("usiok"):
            self._note(line)
        for name, value in (options or {}).items():
            self.set_option(name, value)
        self._is_ready = False

    def _note(self, line: str) -> None:
        if line.startswith("id name "):
            self.name = line[8:]
        elif line.startswith("id author "):
            self.author = line[10:]
        elif line.startswith("option name "):
            name, _, rest = line[12:].partition(" type ")
            self.options[name] = rest

    def _listen(self) -> None:
        output = self._process.stdout
        if output is not None:
            for line in output:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _say(self, line: str) -> None:
        pipe = self._process.stdin
        if self._closed or pipe is None:
            raise EngineError("the engine is closed")
        try:
            pipe.write(line + "\n")
            pipe.flush()
        except OSError as error:
            raise EngineError(f"the engine has ended: {error}") from error

    def _read(self, timeout: float | None) -> str | None:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise EngineError("the engine has ended")
        return line

    def _until(self, word: str) -> list[str]:
        end = clock.monotonic() + self.timeout
        lines: list[str] = []
        while True:
            line = self._read(max(0.0, end - clock.monotonic()))
            if line is None:
                raise EngineError(f"no {word} within {self.timeout} seconds")
            if line.split(" ")[0] == word:
                return lines
            lines.append(line)

    def set_option(self, name: str, value: object) -> None:
        """Sets an option."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._say(f"setoption name {name} value {text}")
        self._is_ready = False

    def isready(self) -> None:
        """Waits until the engine has loaded what it needs."""
        self._say("isready")
        self._until("readyok")
        self._is_ready = True

    def new_game(self) -> None:
        self.isready()
        self._say("usinewgame")

    def _begin(self, board: Board, limits: Limits) -> Analysis:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking.result()
        if not self._is_ready:
            self.new_game()
        if limits.multipv > 1 or "MultiPV" in self.options:
            self._say(f"setoption name MultiPV value {limits.multipv}")
        self._say(f"position {board.usi_position()}")
        self._say(_go(limits))
        self._thinking = _Process(self)
        return self._thinking

    def close(self) -> None:
        if self._closed:
            return
        try:
            self._say("quit")
        except EngineError:
            pass
        self._closed = True
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass


def _go(limits: Limits) -> str:
    words = ["go"]
    if limits.depth is not None:
        words += ["depth", str(limits.depth)]
    if limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    if limits.time is not None:
        words += ["btime", "0", "wtime", "0", "byoyomi", str(int(limits.time * 1000))]
    if len(words) == 1:
        if not limits.infinite:
            raise ValueError("a search needs a limit: depth, nodes, time or infinite")
        words.append("infinite")
    if limits.moves is not None:
        words += ["searchmoves", *(str(Move(move)) for move in limits.moves)]
    return " ".join(words)


__all__ = ["Engine", "parse_info"]
