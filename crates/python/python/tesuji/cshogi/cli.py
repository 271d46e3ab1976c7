"""Matches between engines on the command line: `python -m tesuji.cshogi.cli ENGINE1 ENGINE2 …`."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from . import CSA, PGN, Board
from ._constants import BLACK, BLACK_WIN, DRAW, STARTING_SFEN, WHITE, WHITE_WIN
from ._moves import move_to_usi
from .elo import Elo
from .usi import Engine, InfoListener

#: One value for both engines, or one for each.
PerEngine = int | Sequence[int] | None


def _each(value: PerEngine) -> list[int | None]:
    values = [value] if value is None or isinstance(value, int) else list(value)
    return [values[0], values[-1]]


@dataclass(slots=True)
class _Player:
    """An engine, its clock and what it said last."""

    command: str
    options: Mapping[str, object]
    name: str | None
    time: int | None
    byoyomi: int | None
    inc: int | None
    debug: bool = False
    engine: Engine | None = None
    left: int = 0
    listener: InfoListener = field(default_factory=InfoListener)

    def begin(self) -> Engine:
        """Starts the engine if it does not run, and a new game."""
        if self.engine is None:
            self.engine = Engine(self.command, debug=self.debug)
            self.name = self.name or self.engine.name
            for name, value in self.options.items():
                self.engine.setoption(name, str(value))
        self.engine.isready()
        self.engine.usinewgame()
        self.left = self.time or 0
        return self.engine

    def end(self) -> None:
        """Ends the engine."""
        if self.engine is not None:
            self.engine.quit()
            self.engine = None

    def spend(self, milliseconds: int) -> bool:
        """Takes thinking time off the clock; whether there was enough."""
        self.left -= milliseconds
        is_in_time = self.left + (self.byoyomi or 0) >= 0
        self.left = max(self.left, 0) + (self.inc or 0)
        return is_in_time


@dataclass(slots=True)
class _Game:
    """A game that was played: the moves, seconds and scores, the word of CSA for its end."""

    start: str
    moves: list[int] = field(default_factory=list)
    seconds: list[int] = field(default_factory=list)
    scores: list[int | None] = field(default_factory=list)
    endgame: str = ""
    result: int = DRAW


@dataclass(frozen=True, slots=True)
class _Rules:
    draw: int
    resign: int | None
    mate_win: bool
    display: bool


def _lost(color: int) -> int:
    return WHITE_WIN if color == BLACK else BLACK_WIN


def _think(players: Sequence[_Player], board: Board, game: _Game) -> tuple[str, bool]:
    """The answer of the side to move, and whether it came in time."""
    player = players[board.turn]
    engine = player.engine
    assert engine is not None
    engine.position([move_to_usi(move) for move in game.moves], game.start)
    black, white = players
    begun = clock.monotonic()
    answer, _ = engine.go(
        btime=black.left,
        wtime=white.left,
        byoyomi=player.byoyomi,
        binc=black.inc,
        winc=white.inc,
        listener=player.listener.listen(),
    )
    spent = int((clock.monotonic() - begun) * 1000)
    game.seconds.append(spent // 1000)
    return answer, player.spend(spent)


def _play(players: Sequence[_Player], start: str, opening: Sequence[str], rules: _Rules) -> _Game:
    """One game from an opening."""
    game = _Game(start)
    board = Board() if start == "startpos" else Board(start.removeprefix("sfen "))
    for usi in opening:
        game.moves.append(board.push_usi(usi))
        game.seconds.append(0)
        game.scores.append(None)
    for player in players:
        player.begin()
    while not game.endgame:
        game.endgame, game.result = _step(players, board, game, rules)
        if rules.display:
            print(board, flush=True)
    words = {BLACK_WIN: ("win", "lose"), WHITE_WIN: ("lose", "win")}.get(game.result, ("draw",) * 2)
    for player, word in zip(players, words):
        assert player.engine is not None
        player.engine.gameover(word)
    return game


def _step(players: Sequence[_Player], board: Board, game: _Game, rules: _Rules) -> tuple[str, int]:
    """One move; how the game has ended, if it has."""
    turn = board.turn
    ruling = board.repetition()[1]
    if ruling is not None:
        if ruling == "draw":
            return "%SENNICHITE", DRAW
        return "%ILLEGAL_MOVE", _lost(BLACK if ruling == "black" else WHITE)
    if board.is_game_over():
        return "%TORYO", _lost(turn)
    if len(game.moves) >= rules.draw:
        return "%JISHOGI", DRAW
    answer, is_in_time = _think(players, board, game)
    score = players[turn].listener.score
    if not is_in_time:
        return "%TIME_UP", _lost(turn)
    if answer == "win":
        return ("%KACHI", _lost(1 - turn)) if board.is_nyugyoku() else ("%ILLEGAL_MOVE", _lost(turn))
    resigns = rules.resign is not None and score is not None and score <= -rules.resign
    if answer == "resign" or resigns:
        return "%TORYO", _lost(turn)
    move = board.push_usi(answer)
    if not move:
        return "%ILLEGAL_MOVE", _lost(turn)
    game.moves.append(move)
    game.scores.append(score if turn == BLACK or score is None else -score)
    if rules.mate_win and score is not None and score >= players[turn].listener.mate_score:
        return "%TORYO", _lost(1 - turn)
    return "", DRAW


def _openings(path: str | None, moves: int) -> list[tuple[str, list[str]]]:
    """Lines `startpos moves …` or `sfen … moves …`, cut after so many moves."""
    if path is None:
        return [("startpos", [])]
    with open(path, encoding="utf-8") as lines:
        texts = [line.strip().removeprefix("position ") for line in lines if line.strip()]
    parts = [text.partition("moves") for text in texts]
    return [(start.strip(), line.split()[:moves]) for start, _, line in parts]


class _Files:
    """Where the records of a match go."""

    def __init__(self, csa: str | None, multi_csa: bool, pgn: str | None, no_moves: bool) -> None:
        self._folder = None if multi_csa else csa
        self._csa = CSA.Exporter(csa) if csa and multi_csa else None
        self._pgn = PGN.Exporter(pgn) if pgn else None
        self._no_moves = no_moves
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for exporter in (self._csa, self._pgn):
            if exporter is not None:
                exporter.close()

    def write(self, names: Sequence[str], game: _Game) -> None:
        """Writes a game wherever it is wanted."""
        self._count += 1
        if self._csa is not None:
            _write_csa(self._csa, names, game)
        elif self._folder:
            one = CSA.Exporter(os.path.join(self._folder, f"{self._count:05}.csa"))
            _write_csa(one, names, game)
            one.close()
        if self._pgn is not None:
            self._pgn.tag_pair(names, game.result, round=self._count)
            if not self._no_moves:
                self._pgn.movetext(game.moves)


def _write_csa(exporter: CSA.Exporter, names: Sequence[str], game: _Game) -> None:
    start = None if game.start == "startpos" else game.start.removeprefix("sfen ")
    exporter.info(start or STARTING_SFEN, names=names, version="V2.2")
    for number, move in enumerate(game.moves):
        score = game.scores[number] if number < len(game.scores) else None
        exporter.move(move, game.seconds[number], None if score is None else f"** {score}")
    exporter.endgame(game.endgame)


def _summary(stats: Mapping[str, Any]) -> str:
    won, lost, drawn = stats["engine1_won"], stats["engine2_won"], stats["draw"]
    elo = Elo(won, lost, drawn)
    return (
        f"{stats['engine1_name']} vs {stats['engine2_name']}: {won}-{lost}-{drawn}"
        f" ({100 * elo.point_ratio():.1f} %), Elo {elo.diff():.1f} ± {elo.error_margin():.1f}"
    )


def main(
    engine1: str,
    engine2: str,
    options1: Mapping[str, object] | None = None,
    options2: Mapping[str, object] | None = None,
    names: Sequence[str | None] | None = None,
    games: int = 1,
    resign: int | None = None,
    mate_win: bool = False,
    byoyomi: PerEngine = None,
    time: PerEngine = None,
    inc: PerEngine = None,
    draw: int = 256,
    ponder: bool = False,
    no_swap: bool = False,
    opening: str | None = None,
    opening_moves: int = 24,
    opening_seed: int | None = None,
    opening_index: int | None = None,
    keep_process: bool = False,
    csa: str | None = None,
    multi_csa: bool = False,
    pgn: str | None = None,
    no_pgn_moves: bool = False,
    is_display: bool = False,
    debug: bool = False,
    print_summary: bool = True,
    callback: Callable[[dict[str, Any]], bool] | None = None,
) -> dict[str, Any]:
    """Plays games between two engines, colours exchanged after each; times are milliseconds."""
    if ponder:
        raise NotImplementedError("engines do not ponder here: leave ponder away")
    commands, options = (engine1, engine2), (options1 or {}, options2 or {})
    clocks = zip(_each(time), _each(byoyomi), _each(inc))
    described = zip(commands, options, names or (None, None))
    players = [_Player(*engine, *limits, debug) for engine, limits in zip(described, clocks)]
    starts = _openings(opening, opening_moves)
    if opening_seed is not None:
        random.Random(opening_seed).shuffle(starts)
    rules = _Rules(draw, resign, mate_win, is_display)
    stats: dict[str, Any] = dict.fromkeys(_COUNTS, 0)
    with _Files(csa, multi_csa, pgn, no_pgn_moves) as files:
        try:
            for number in range(games):
                order = players if no_swap or number % 2 == 0 else players[::-1]
                nth = number // 2 if opening_index is None else opening_index
                game = _play(order, *starts[nth % len(starts)], rules)
                files.write([player.name or player.command for player in order], game)
                _count(stats, game.result, order is not players)
                stats |= {"engine1_name": players[0].name, "engine2_name": players[1].name}
                if not keep_process:
                    _end(players)
                if print_summary:
                    print(_summary(stats), flush=True)
                if callback is not None and not callback(dict(stats)):
                    break
        finally:
            _end(players)
    return stats


_COUNTS = ("engine1_won", "engine2_won", "black_won", "white_won", "draw", "total")


def _end(players: Sequence[_Player]) -> None:
    for player in players:
        player.end()


def _count(stats: dict[str, Any], result: int, is_swapped: bool) -> None:
    stats["total"] += 1
    if result == DRAW:
        stats["draw"] += 1
        return
    stats["black_won" if result == BLACK_WIN else "white_won"] += 1
    first_won = (result == BLACK_WIN) != is_swapped
    stats["engine1_won" if first_won else "engine2_won"] += 1


def _options(text: str) -> dict[str, str]:
    pairs = [part.partition(":") for part in text.split(",") if part]
    return {name: value for name, _, value in pairs}


def _command_line(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tesuji.cshogi.cli", description=__doc__)
    parser.add_argument("engine1")
    parser.add_argument("engine2")
    for engine in ("1", "2"):
        parser.add_argument(f"--options{engine}", type=_options, default={}, metavar="NAME:VALUE,…")
        parser.add_argument(f"--name{engine}")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--resign", type=int, help="a score at which an engine has lost")
    for limit in ("byoyomi", "time", "inc"):
        parser.add_argument(f"--{limit}", type=int, nargs="+", help="milliseconds")
    parser.add_argument("--draw", type=int, default=256, help="moves after which the game is drawn")
    parser.add_argument("--opening", help="a file of lines startpos moves …")
    parser.add_argument("--opening-moves", type=int, default=24)
    parser.add_argument("--opening-seed", type=int)
    parser.add_argument("--opening-index", type=int)
    parser.add_argument("--csa", help="a folder for records, or a file with --multi-csa")
    parser.add_argument("--pgn", help="a file for records in PGN")
    for flag in ("mate-win", "no-swap", "keep-process", "multi-csa", "no-pgn-moves", "debug"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--display", action="store_true", dest="is_display")
    args = vars(parser.parse_args(argv))
    args["names"] = [args.pop("name1"), args.pop("name2")]
    if args["csa"] and not args["multi_csa"]:
        os.makedirs(args["csa"], exist_ok=True)
    main(**args)
    return 0


if __name__ == "__main__":
    sys.exit(_command_line())
