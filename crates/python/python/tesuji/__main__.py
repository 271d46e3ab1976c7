"""The command line: `python -m tesuji`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import tesuji as ts


def _board(args: argparse.Namespace) -> ts.Board:
    board = ts.Board()
    board.set_usi_position(" ".join(args.position) or "startpos")
    return board


def _show(args: argparse.Namespace) -> int:
    board = _board(args)
    if args.svg:
        print(board.svg())
        return 0
    print(board.letters() if args.western else board)
    print(board.sfen())
    style = "western" if args.western else "ja"
    print(f"{len(board.legal_moves)} legal moves:", end=" ")
    print(" ".join(board.san(move, style) for move in board.legal_moves))  # type: ignore[arg-type]
    return 0


def _perft(args: argparse.Namespace) -> int:
    print(_board(args).perft(args.depth))
    return 0


def _analyse(args: argparse.Namespace) -> int:
    board = _board(args)
    with ts.Engine(args.eval, threads=args.threads, hash=args.hash) as engine:
        analysis = engine.analyse(board, nodes=args.nodes, multipv=args.multipv)
        for info in analysis:
            line = " ".join(str(move) for move in info.pv)
            print(f"{info.depth:3} {info.score:+6} {info.nodes:10} {line}")
        best = analysis.result()
        print("resign" if best.resigned else "win" if best.declared else best.move)
    return 0


def _mate(args: argparse.Namespace) -> int:
    verdict = ts.mate.solve(_board(args), nodes=args.nodes, shortest=args.shortest)
    if isinstance(verdict, ts.mate.Proven):
        print("mate", " ".join(str(move) for move in verdict.pv))
        return 0
    print("no mate" if isinstance(verdict, ts.mate.Disproven) else "unknown")
    return 1


def _convert(args: argparse.Namespace) -> int:
    ts.Record.open(args.source).save(args.target)
    return 0


def _check(_: argparse.Namespace) -> int:
    """Whether what is installed works here: one line for each thing that was tried."""
    import numpy as np

    from ._tesuji import panic_on_purpose

    def panics() -> bool:
        try:
            panic_on_purpose()
        except BaseException as error:
            return type(error).__name__ == "PanicException"
        return False

    def decodes() -> bool:
        batch = ts.data.batch(ts.Board().psfen() + bytes(8), "psv")
        return bool(np.array_equal(batch.board[0], ts.Board().board_array()))

    def thinks() -> bool:
        with ts.Engine("builtin", hash=8) as engine:
            return engine.play(ts.Board(), nodes=2000).move in ts.Board().legal_moves

    failed = 0
    for what, works in {
        "the rules": lambda: ts.Board().perft(3) == 25470,
        "training data": decodes,
        "the engine": thinks,
        "a panic is an exception (the message about it is on purpose)": panics,
    }.items():
        good = works()
        failed += not good
        print(f"{'ok ' if good else 'BAD'} {what}", flush=True)
    return 1 if failed else 0


def _usi(_: argparse.Namespace) -> int:
    from ._tesuji import run_usi

    run_usi()
    return 0


def _bench(_: argparse.Namespace) -> int:
    from . import bench

    return bench.main([])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a verb; 0 if all went well, 1 for the answer no, 2 for an error."""
    parser = argparse.ArgumentParser(prog="tesuji", description=__doc__)
    parser.add_argument("--version", action="version", version=ts.__version__)
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str, run: object, text: str, position: bool = True) -> argparse.ArgumentParser:
        one = verbs.add_parser(name, help=text, description=text)
        one.set_defaults(run=run)
        if position:
            what = "startpos or sfen …, then moves …; the start position if absent"
            one.add_argument("position", nargs="*", help=what)
        return one

    show = verb("show", _show, "draw a position and list its moves")
    show.add_argument("--western", action="store_true", help="letters instead of kanji")
    show.add_argument("--svg", action="store_true", help="as SVG")
    verb("perft", _perft, "count the games of a given length").add_argument(
        "--depth", type=int, default=4
    )
    analyse = verb("analyse", _analyse, "let the engine think about a position")
    analyse.add_argument("--eval", default="builtin", help="a network or the name of an evaluator")
    analyse.add_argument("--nodes", type=int, default=1_000_000)
    analyse.add_argument("--threads", type=int, default=1)
    analyse.add_argument("--hash", type=int, default=64, help="megabytes")
    analyse.add_argument("--multipv", type=int, default=1)
    mate = verb("mate", _mate, "is there a mate?")
    mate.add_argument("--nodes", type=int, default=None)
    mate.add_argument("--shortest", action="store_true")
    convert = verb("convert", _convert, "a record from one format into another", False)
    convert.add_argument("source")
    convert.add_argument("target")
    verb("usi", _usi, "be a USI engine on standard input and output", False)
    verb("check", _check, "see whether this installation works", False)
    verb("bench", _bench, "measure beside other libraries", False)
    args = parser.parse_args(argv)
    try:
        code: int = args.run(args)
    except (ValueError, OSError, ts.EngineError) as error:
        print(f"tesuji: {error}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
