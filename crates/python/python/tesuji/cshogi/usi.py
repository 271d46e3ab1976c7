"""Engines in processes of their own, with the methods of cshogi's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from .. import usi as _usi

Listener = Callable[[str], object]


def _fields(line: str) -> dict[str, Any]:
    """The words of a line `info …` by name: numbers as such, and the line `pv` as a list."""
    words, found = line.split()[1:], dict[str, Any]()
    while words:
        name = words.pop(0)
        if name == "pv":
            found["pv"] = words
            break
        if name == "string":
            found["string"] = " ".join(words)
            break
        if name == "score":
            name = words.pop(0) if words else ""
            found["score"] = name
        elif name in ("lowerbound", "upperbound"):
            continue
        value = words.pop(0) if words else ""
        found[name] = int(value) if value.lstrip("+-").isdigit() else value
    return found


class InfoListener:
    """Remembers what an engine said about the move it chose."""

    def __init__(self, mate_score: int = 100000, listner: Listener | None = None) -> None:
        self._mate_score = mate_score
        self._listener = listner
        self._lines: dict[str, str] = {}
        self._bestmove: str | None = None

    def __call__(self, line: str) -> None:
        if self._listener is not None:
            self._listener(line)
        words = line.split()
        if words[:1] == ["bestmove"] and len(words) > 1:
            self._bestmove = words[1]
        elif words[:1] == ["info"] and "pv" in words[:-1]:
            self._lines[words[words.index("pv") + 1]] = line

    def listen(self) -> Self:
        """Forgets what was said before."""
        self._lines.clear()
        self._bestmove = None
        return self

    @property
    def bestmove(self) -> str | None:
        """The move that the engine chose."""
        return self._bestmove

    @property
    def mate_score(self) -> int:
        """What stands for a mate."""
        return self._mate_score

    @property
    def info(self) -> dict[str, Any] | None:
        """The last line about that move, word by word."""
        line = self._lines.get(self._bestmove or "")
        return None if line is None else _fields(line)

    @property
    def score(self) -> int | None:
        """What that move is worth."""
        info = self.info or {}
        if "cp" in info:
            return int(info["cp"])
        if "mate" not in info:
            return None
        return -self._mate_score if str(info["mate"]).startswith("-") else self._mate_score

    @property
    def pv(self) -> list[str] | None:
        """The line that begins with that move."""
        return None if self.info is None else list(self.info["pv"])


class MultiPVListener:
    """Remembers the last line for each of several best moves."""

    def __init__(self, listner: Listener | None = None) -> None:
        self._listener = listner
        self._lines: dict[int, str] = {}

    def __call__(self, line: str) -> None:
        if self._listener is not None:
            self._listener(line)
        words = line.split()
        if words[:1] == ["info"] and "multipv" in words and "pv" in words:
            self._lines[int(words[words.index("multipv") + 1])] = line

    def listen(self) -> Self:
        """Forgets what was said before."""
        self._lines.clear()
        return self

    @property
    def info(self) -> list[dict[str, Any]]:
        """The lines, the best first, word by word."""
        return [_fields(line) for _, line in sorted(self._lines.items())]


class Engine:
    """An engine that speaks USI."""

    def __init__(self, cmd: str, connect: bool = True, debug: bool = False) -> None:
        self.cmd = cmd
        self.debug = debug
        self.name = ""
        self._engine: _usi.Engine | None = None
        if connect:
            self.connect()

    def connect(self, listener: Listener | None = None) -> None:
        """Starts the process."""
        self._engine = _usi.Engine([self.cmd])
        self.name = self._engine.name

    @property
    def _running(self) -> _usi.Engine:
        if self._engine is None:
            raise EOFError("the engine is not connected")
        return self._engine

    def usi(self, listener: Listener | None = None) -> list[str]:
        """The options that the engine announced."""
        return [f"option name {name} type {rest}" for name, rest in self._running.options.items()]

    def _say(self, line: str, listener: Listener | None) -> None:
        if self.debug:
            listener = print
        if listener is not None:
            listener(line)
        self._running._say(line)

    def setoption(self, name: str, value: str | int, listener: Listener | None = None) -> None:
        """Sets an option."""
        self._say(f"setoption name {name} value {value}", listener)

    def isready(self, listener: Listener | None = None) -> None:
        """Waits until the engine is ready."""
        self._running.isready()

    def usinewgame(self, listener: Listener | None = None) -> None:
        """Begins a game."""
        self._say("usinewgame", listener)

    def position(
        self,
        moves: list[str] | None = None,
        sfen: str = "startpos",
        listener: Listener | None = None,
    ) -> None:
        """Sets the position."""
        start = sfen if sfen == "startpos" or sfen.startswith("sfen") else f"sfen {sfen}"
        tail = f" moves {' '.join(moves)}" if moves else ""
        self._say(f"position {start}{tail}", listener)

    def go(
        self,
        ponder: bool = False,
        btime: int | None = None,
        wtime: int | None = None,
        byoyomi: int | None = None,
        binc: int | None = None,
        winc: int | None = None,
        nodes: int | None = None,
        listener: Listener | None = None,
    ) -> tuple[str, str | None]:
        """Thinks; the move and the reply that is expected."""
        words = ["go"] + (["ponder"] if ponder else [])
        limits = {"btime": btime, "wtime": wtime, "byoyomi": byoyomi}
        if byoyomi is None:
            limits |= {"binc": binc, "winc": winc}
        limits["nodes"] = nodes
        for name, value in limits.items():
            words += [] if value is None else [name, str(value)]
        self._say(" ".join(words), listener)
        while True:
            line = self._running._read(None) or ""
            if listener is not None:
                listener(line)
            if line.startswith("bestmove"):
                found = line.split()
                return found[1], found[3] if len(found) > 3 else None

    def go_mate(self, byoyomi: int | None = None, listener: Listener | None = None) -> str:
        """Looks for a mate; the moves, or `nomate`, `timeout`, `notimplemented`."""
        self._say(f"go mate {'infinite' if byoyomi is None else byoyomi}", listener)
        while True:
            line = self._running._read(None) or ""
            if listener is not None:
                listener(line)
            if line.startswith("checkmate"):
                return line.removeprefix("checkmate").strip()

    def ponderhit(self, listener: Listener | None = None) -> None:
        """The opponent played what the engine thinks about."""
        self._say("ponderhit", listener)

    def stop(self, listener: Listener | None = None) -> None:
        """Ends the thinking."""
        self._say("stop", listener)

    def gameover(self, result: str | None = None, listener: Listener | None = None) -> None:
        """Tells how the game ended."""
        self._say("gameover" if result is None else f"gameover {result}", listener)

    def quit(self, listener: Listener | None = None) -> None:
        """Ends the engine."""
        self._running.close()
