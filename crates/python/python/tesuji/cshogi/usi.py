"""Engines in processes of their own, with the methods of cshogi's."""

from __future__ import annotations

from collections.abc import Callable

from .. import usi as _usi

Listener = Callable[[str], object]


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

    def stop(self, listener: Listener | None = None) -> None:
        """Ends the thinking."""
        self._say("stop", listener)

    def gameover(self, result: str | None = None, listener: Listener | None = None) -> None:
        """Tells how the game ended."""
        self._say("gameover" if result is None else f"gameover {result}", listener)

    def quit(self, listener: Listener | None = None) -> None:
        """Ends the engine."""
        self._running.close()
