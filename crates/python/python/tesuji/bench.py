"""`python -m tesuji.bench`: what things cost, beside cshogi and rsshogi where they are installed.

Every row is CPU time, the best of several rounds; the rounds of the libraries alternate, so that a
busy machine hurts all alike.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tesuji as ts

Work = Callable[[], object]
Row = tuple[str, int, dict[str, Work]]


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _positions(count: int) -> tuple[list[str], list[list[str]]]:
    """Positions of random games, and the games."""
    rng = random.Random(2)
    sfens: list[str] = []
    games: list[list[str]] = []
    while len(sfens) < count:
        board, game = ts.Board(), list[str]()
        for _ in range(120):
            moves = board.generate("captures") if rng.random() < 0.3 else None
            legal = moves or list(board.legal_moves)
            if not legal:
                break
            move = rng.choice(legal)
            game.append(str(move))
            board.push(move)
            sfens.append(board.sfen())
        games.append(game)
    return sfens[:count], games


def _perft(board: Any, depth: int, bulk: bool) -> int:
    if depth == 1 and bulk:
        return len(board.legal_moves)
    if depth == 0:
        return 1
    push, pop, total = board.push, board.pop, 0
    for move in board.legal_moves:
        push(move)
        total += _perft(board, depth - 1, bulk)
        pop()
    return total


def _each(items: Sequence[Any], work: Callable[[Any], object]) -> Work:
    def run() -> None:
        for item in items:
            work(item)

    return run


def _call(items: Sequence[Any], name: str, *args: object) -> Work:
    def run() -> None:
        for item in items:
            getattr(item, name)(*args)

    return run


def _listed(items: Sequence[Any], name: str) -> Work:
    def run() -> None:
        for item in items:
            list(getattr(item, name))

    return run


def _push_pop(boards: Sequence[Any], moves: Sequence[Any]) -> Work:
    def run() -> None:
        for board, move in zip(boards, moves):
            board.push(move)
            board.pop()

    return run


def _push_usi(boards: Sequence[Any], moves: Sequence[str], name: str) -> Work:
    def run() -> None:
        for board, move in zip(boards, moves):
            getattr(board, name)(move)
            board.pop()

    return run


def _board_rows(sfens: list[str], cs: Any, rs: Any) -> list[Row]:
    count = len(sfens)
    ours = [ts.Board(sfen) for sfen in sfens]
    keep = [(b, s) for b, s in zip(ours, sfens) if b.legal_moves]
    ours, sfens = [b for b, _ in keep], [s for _, s in keep]
    usis = [str(b.legal_moves[0]) for b in ours]
    one = ts.Board()
    rows: list[Row] = [
        ("Board(sfen)", count, {"tesuji": _each(sfens, ts.Board)}),
        ("set_sfen", count, {"tesuji": _each(sfens, one.set_sfen)}),
        ("legal_moves to list", count, {"tesuji": lambda: [list(b.legal_moves) for b in ours]}),
        ("to sfen", count, {"tesuji": lambda: [b.sfen() for b in ours]}),
        ("is_check", count, {"tesuji": lambda: [b.is_check() for b in ours]}),
        ("push and pop", 2 * count, {"tesuji": _push_pop(ours, [ts.Move(u) for u in usis])}),
        ("push_usi and pop", count, {"tesuji": _push_usi(ours, usis, "push_usi")}),
        ("perft 4, leaves pushed", 719731, {"tesuji": lambda: _perft(ts.Board(), 4, False)}),
        ("perft 4, len()", 719731, {"tesuji": lambda: _perft(ts.Board(), 4, True)}),
        ("mate in one", count, {"tesuji": lambda: [b.mate_in_one() for b in ours]}),
        ("mate in three", count, {"tesuji": lambda: [b.mate_in_three() for b in ours]}),
        ("SVG", 500, {"tesuji": lambda: [b.svg() for b in ours[:500]]}),
        ("copy", count, {"tesuji": lambda: [b.copy() for b in ours]}),
    ]
    rows.append(("mate in five", count, {"tesuji": lambda: [b.mate_in_five() for b in ours]}))
    solver = ts.mate.Solver(memory=64)
    rows.append(
        ("df-pn, 10,000 nodes", 300, {"tesuji": lambda: [solver.solve(b, nodes=10_000) for b in ours[:300]]})
    )
    table = {row[0]: row[2] for row in rows}
    if cs is not None:
        theirs = [cs.Board(sfen) for sfen in sfens]
        other = cs.Board()
        dfpn = cs.DfPn(nodes=10_000)
        table["Board(sfen)"]["cshogi"] = _each(sfens, cs.Board)
        table["set_sfen"]["cshogi"] = _each(sfens, other.set_sfen)
        table["legal_moves to list"]["cshogi"] = lambda: [list(b.legal_moves) for b in theirs]
        table["to sfen"]["cshogi"] = lambda: [b.sfen() for b in theirs]
        table["is_check"]["cshogi"] = lambda: [b.is_check() for b in theirs]
        moves = [b.move_from_usi(u) for b, u in zip(theirs, usis)]
        table["push and pop"]["cshogi"] = _push_pop(theirs, moves)
        table["push_usi and pop"]["cshogi"] = _push_usi(theirs, usis, "push_usi")
        table["perft 4, leaves pushed"]["cshogi"] = lambda: _perft(cs.Board(), 4, False)
        table["perft 4, len()"]["cshogi"] = lambda: _perft(cs.Board(), 4, True)
        table["mate in one"]["cshogi"] = lambda: [b.mate_move_in_1ply() for b in theirs]
        quiet = [b for b in theirs if not b.is_check()]
        ours_quiet = [b for b in ours if not b.is_check()]
        table["mate in three"]["tesuji"] = lambda: [b.mate_in_three() for b in ours_quiet]
        table["mate in three"]["cshogi"] = lambda: [b.mate_move(3) for b in quiet]
        table["mate in five"]["tesuji"] = lambda: [b.mate_in_five() for b in ours_quiet]
        table["mate in five"]["cshogi"] = lambda: [b.mate_move(5) for b in quiet]
        table["df-pn, 10,000 nodes"]["cshogi"] = lambda: [dfpn.search(b) for b in theirs[:300]]
        table["SVG"]["cshogi"] = lambda: [b.to_svg() for b in theirs[:500]]
        table["copy"]["cshogi"] = lambda: [b.copy() for b in theirs]
    if rs is not None:
        _add_rsshogi(table, rs, sfens, usis)
    return rows


def _add_rsshogi(table: dict[str, dict[str, Work]], rs: Any, sfens: list[str], usis: list[str]) -> None:
    """What rsshogi offers under the same names; rows that it does not know stay empty."""
    core = _optional("rsshogi.core") or rs
    board_class = getattr(core, "Board", None) or getattr(rs, "Board", None)
    if board_class is None:
        return
    theirs = []
    for sfen in sfens:
        board = board_class()
        board.set_sfen(sfen)
        theirs.append(board)
    other = board_class()

    def fresh(sfen: str) -> None:
        board_class().set_sfen(sfen)

    table["Board(sfen)"]["rsshogi"] = _each(sfens, fresh)
    table["set_sfen"]["rsshogi"] = _each(sfens, other.set_sfen)
    for row, names in {
        "legal_moves to list": ("legal_moves",),
        "to sfen": ("to_sfen", "sfen"),
        "is_check": ("is_in_check", "is_check"),
        "copy": ("copy", "__copy__"),
        "SVG": ("to_svg", "svg"),
        "mate in one": ("mate_move_in_1ply", "solve_mate_in_one", "mate_in_one"),
    }.items():
        name = next((name for name in names if hasattr(board_class, name)), None)
        if name is None:
            continue
        boards = theirs[:500] if row == "SVG" else theirs
        attribute = getattr(theirs[0], name)
        if callable(attribute):
            table[row]["rsshogi"] = _call(boards, name)
        else:
            table[row]["rsshogi"] = _listed(boards, name)
    if hasattr(board_class, "push_usi"):
        table["push_usi and pop"]["rsshogi"] = _push_usi(theirs, usis, "push_usi")
    if hasattr(board_class, "push_move"):
        moves = [next(m for m in b.legal_moves() if str(m) == u) for b, u in zip(theirs, usis)]

        def push_pop() -> None:
            for board, move in zip(theirs, moves):
                board.push_move(move)
                board.pop()

        def perft(board: Any, depth: int, bulk: bool) -> int:
            if depth == 1 and bulk:
                return len(board.legal_moves())
            if depth == 0:
                return 1
            total = 0
            for move in board.legal_moves():
                board.push_move(move)
                total += perft(board, depth - 1, bulk)
                board.pop()
            return total

        table["push and pop"]["rsshogi"] = push_pop
        table["perft 4, leaves pushed"]["rsshogi"] = lambda: perft(board_class(), 4, False)
        table["perft 4, len()"]["rsshogi"] = lambda: perft(board_class(), 4, True)


def _data_rows(sfens: list[str], cs: Any, rs: Any) -> list[Row]:
    boards = [ts.Board(sfen) for sfen in sfens]
    psv = b"".join(board.psfen() + bytes(8) for board in boards)
    hcpe = b"".join(board.hcp() + bytes(6) for board in boards)
    count = len(boards)
    batch, huffman = ts.data.batch(psv, "psv"), ts.data.batch(hcpe, "hcpe")
    board, kp = np.empty((count, 81), np.int8), np.empty((count, 2, 40), np.int32)
    half, hands = np.empty((count, 2, 38), np.int32), np.empty((count, 2, 7), np.uint8)
    few = ts.data.batch(psv[: 40 * 1000], "psv")
    few_hcpe = ts.data.batch(hcpe[: 38 * 1000], "hcpe")
    planes = np.empty((1000, 28, 9, 9), np.float32)
    first = np.empty((1000, 62, 9, 9), np.float32)
    second = np.empty((1000, 57, 9, 9), np.float32)
    mask = np.empty((1000, 2187), np.bool_)
    rows: list[Row] = [
        ("PSV to sfen", count, {"tesuji": batch.sfens}),
        ("HCPE to sfen", count, {"tesuji": huffman.sfens}),
        ("PSV to 81 × int8", count, {"tesuji": lambda: batch.boards(out=board)}),
        ("PSV to K-P features", count, {"tesuji": lambda: batch.features("kp", out=kp)}),
        ("PSV to HalfKP features", count, {"tesuji": lambda: batch.features("halfkp", out=half)}),
        (
            "PSV to boards, hands and K-P",
            count,
            {"tesuji": lambda: batch.decode("kp", out=(board, hands, kp))},
        ),
        ("PSV to 28 planes", 1000, {"tesuji": lambda: few.planes("pieces", out=planes)}),
        (
            "HCPE to dlshogi features",
            1000,
            {"tesuji": lambda: few_hcpe.planes("dlshogi", out=(first, second))},
        ),
        ("PSV to legal mask", 1000, {"tesuji": lambda: few.legal_mask(out=mask)}),
    ]
    if cs is not None:
        from_cs = importlib.import_module("cshogi.dlshogi")
        records: Any = np.frombuffer(psv, cs.PackedSfenValue)
        coded: Any = np.frombuffer(hcpe, cs.HuffmanCodedPosAndEval)
        one = cs.Board()

        def to_sfen() -> None:
            for record in records["sfen"]:
                one.set_psfen(record)
                one.sfen()

        def hcp_to_sfen() -> None:
            for record in coded["hcp"]:
                one.set_hcp(record)
                one.sfen()

        def to_array() -> None:
            for place, record in enumerate(records["sfen"]):
                one.set_psfen(record)
                board[place] = one.pieces

        def to_planes() -> None:
            for place, record in enumerate(records["sfen"][:1000]):
                one.set_psfen(record)
                one.piece_planes(planes[place])

        def to_features() -> None:
            for place, record in enumerate(coded["hcp"][:1000]):
                one.set_hcp(record)
                from_cs.make_input_features(one, first[place], second[place])

        rows[0][2]["cshogi"] = to_sfen
        rows[1][2]["cshogi"] = hcp_to_sfen
        rows[2][2]["cshogi"] = to_array
        rows[6][2]["cshogi"] = to_planes
        rows[7][2]["cshogi"] = to_features
    core = _optional("rsshogi.core") if rs is not None else None
    if core is not None and hasattr(core.Board, "set_packed_sfen"):
        unpacked = core.Board()
        packed = [board.psfen() for board in boards]
        huffman_coded = [board.hcp() for board in boards]

        def rs_to_sfen() -> None:
            for record in packed:
                unpacked.set_packed_sfen(record)
                unpacked.to_sfen()

        def rs_hcp_to_sfen() -> None:
            for record in huffman_coded:
                unpacked.set_hcp(record)
                unpacked.to_sfen()

        rows[0][2]["rsshogi"] = rs_to_sfen
        rows[1][2]["rsshogi"] = rs_hcp_to_sfen
    return rows


def _record_rows(games: list[list[str]], folder: Path, cs: Any, rs: Any) -> list[Row]:
    count = 1000
    paths: dict[str, list[Path]] = {"csa": [], "kif": []}
    for number in range(count):
        record = ts.Record()
        for usi in games[number % len(games)][:100]:
            record.push(ts.Move(usi))
        record.end("resignation")
        for format in paths:
            path = folder / f"{number}.{format}"
            record.save(path, encoding="utf-8")
            paths[format].append(path)
    rows: list[Row] = [
        ("CSA files", count, {"tesuji": lambda: [ts.Record.open(path).moves for path in paths["csa"]]}),
        ("KIF files", count, {"tesuji": lambda: [ts.Record.open(path).moves for path in paths["kif"]]}),
    ]
    if cs is not None:
        csa = importlib.import_module("cshogi.CSA")
        kif = importlib.import_module("cshogi.KIF")
        texts = [str(path) for path in paths["csa"]]
        kifs = [path.read_text(encoding="utf-8") for path in paths["kif"]]
        rows[0][2]["cshogi"] = lambda: [csa.Parser.parse_file(text)[0].moves for text in texts]
        rows[1][2]["cshogi"] = lambda: [kif.Parser.parse_str(text).moves for text in kifs]
    record_module = _optional("rsshogi.record") if rs is not None else None
    if record_module is not None:
        read = record_module.Record
        rows[0][2]["rsshogi"] = lambda: [read.from_csa_file(str(p)).moves for p in paths["csa"]]
        contents = [path.read_text(encoding="utf-8") for path in paths["kif"]]
        rows[1][2]["rsshogi"] = lambda: [read.from_kif_str(text).moves for text in contents]
    return rows


#: Below this ratio two rates are a tie: on a busy machine they differ as much from themselves.
TIE = 1.5


def _rate(work: Work, count: int) -> float:
    start = time.process_time()
    work()
    return count / max(time.process_time() - start, 1e-9)


def _shown(rate: float | None) -> str:
    if rate is None:
        return "–"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.2f} {unit}"
    return f"{rate:.0f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a table: one row for each task, one column for each library."""
    parser = argparse.ArgumentParser(prog="tesuji.bench", description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args(argv)
    cs, rs = _optional("cshogi"), _optional("rsshogi")
    libraries = ["tesuji"] + (["cshogi"] if cs else []) + (["rsshogi"] if rs else [])
    sfens, games = _positions(args.positions)
    with tempfile.TemporaryDirectory() as folder:
        rows = _board_rows(sfens, cs, rs) + _data_rows(sfens, cs, rs)
        rows += _record_rows(games, Path(folder), cs, rs)
        print("| per second | " + " | ".join(libraries) + " | best |")
        print("|---" * (len(libraries) + 2) + "|")
        for name, count, works in rows:
            best: dict[str, float] = {}
            for _ in range(args.rounds):
                for library, work in works.items():
                    best[library] = max(best.get(library, 0.0), _rate(work, count))
            winner = max(best, key=lambda library: best[library])
            if best[winner] < TIE * best["tesuji"] and winner != "tesuji":
                winner = f"a tie with {winner}"
            cells = " | ".join(_shown(best.get(library)) for library in libraries)
            print(f"| {name} | {cells} | {winner} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
