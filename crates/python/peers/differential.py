"""Compares with cshogi on random positions and records: `python crates/python/peers/differential.py`.

Not part of the tests, because it needs cshogi. Prints what was compared, and ends with an error at the
first difference that is not listed below as deliberate.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import cshogi as theirs
import cshogi.CSA
import cshogi.dlshogi
import cshogi.KI2
import cshogi.KIF
import cshogi.PGN
import numpy as np

import tesuji as ts
from tesuji import cshogi as ours
from tesuji.cshogi import CSA, KI2, KIF, PGN, dlshogi

BEGUN = datetime(2024, 1, 2, 3, 4, 5)


def compare_position(a: ours.Board, b: theirs.Board, counts: Counter[str]) -> None:
    """Everything that both say about a position must be the same."""
    sfen = a.sfen()

    def same(name: str, mine: object, other: object) -> None:
        counts[name] += 1
        if mine != other:
            sys.exit(f"{name} differs in {sfen}:\n{mine}\n{other}")

    same("sfen", sfen, b.sfen())
    same("legal moves", sorted(a.legal_moves), sorted(b.legal_moves))
    same("number of legal moves", len(a.legal_moves), len(b.legal_moves))
    same("check", a.is_check(), b.is_check())
    same("pieces", (a.pieces, a.pieces_in_hand), (b.pieces, b.pieces_in_hand))
    same("turn", (a.turn, a.move_number), (b.turn, b.move_number))
    same("kings", [a.king_square(c) for c in (0, 1)], [b.king_square(c) for c in (0, 1)])
    mine, other = np.zeros(32, np.uint8), np.zeros(32, np.uint8)
    a.to_hcp(mine)
    b.to_hcp(other)
    same("hcp", mine.tobytes(), other.tobytes())
    a.to_psfen(mine)
    b.to_psfen(other)
    same("psfen", mine.tobytes(), other.tobytes())
    same("book key", a.book_key(), b.book_key())
    same("declaration", [a.nyugyoku_result(r) for r in (0, 1)], [b.nyugyoku_result(r) for r in (0, 1)])
    same("repetition", a.is_draw(), b.is_draw())
    same("game over", a.is_game_over(), b.is_game_over())
    planes = [np.zeros((n, 9, 9), np.float32) for n in (62, 57, 62, 57)]
    dlshogi.make_input_features(a, planes[0], planes[1])
    theirs.dlshogi.make_input_features(b, planes[2], planes[3])
    same("dlshogi planes", (planes[0] != planes[2]).any() or (planes[1] != planes[3]).any(), False)
    flat = [np.zeros((28, 9, 9), np.float32) for _ in range(2)]
    a.piece_planes_rotate(flat[0])
    b.piece_planes_rotate(flat[1])
    same("piece planes", (flat[0] != flat[1]).any(), False)
    for move in list(a.legal_moves)[:8]:
        same("usi", ours.move_to_usi(move), theirs.move_to_usi(move))
        same("csa", ours.move_to_csa(move), theirs.move_to_csa(move))
        same("label", dlshogi.make_move_label(move, a.turn), theirs.dlshogi.make_move_label(move, b.turn))
        same("rotated move", ours.move_rotate(move), theirs.move_rotate(move))
        psv = theirs.move16_to_psv(theirs.move16(move))
        same("psv", ours.move16_to_psv(ours.move16(move)), psv)
    compare_mate(a, b, counts)


def compare_mate(a: ours.Board, b: theirs.Board, counts: Counter[str]) -> None:
    """Ours is exact: it must mate where it says so. Theirs may be wrong in check, or miss a mate."""
    mine, other = a.mate_move_in_1ply(), b.mate_move_in_1ply()
    for name, move in (("ours", mine), ("theirs", other)):
        if not move:
            continue
        legal = a.is_legal(move)
        if legal:
            a.push(move)
            holds = a.is_check() and a.is_game_over()
            a.pop()
        counts[f"mate in one: {name} " + ("holds" if legal and holds else "does not hold")] += 1
        if name == "ours" and not (legal and holds):
            sys.exit(f"our mate in one does not hold in {a.sfen()}")
    if bool(mine) != bool(other):
        counts["mate in one: only " + ("we see one" if mine else "they see one")] += 1


def random_game(rng: random.Random, plies: int) -> list[str]:
    board = ts.Board()
    played = []
    for _ in range(plies):
        checks = board.generate("captures") if rng.random() < 0.4 else []
        legal = checks or list(board.legal_moves)
        if not legal:
            break
        move = rng.choice(legal)
        played.append(str(move))
        board.push(move)
    return played


def compare_records(count: int, rng: random.Random, counts: Counter[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            record = ts.Record()
            record.set_header("black", "first")
            record.set_header("white", "second")
            for usi in random_game(rng, 60):
                record.push(ts.Move(usi)).time = float(rng.randrange(100))
            record.end(rng.choice(["resignation", "interruption", "repetition"]))
            path = Path(folder) / "x.csa"
            record.save(path)
            mine = CSA.Parser.parse_file(str(path))[0]
            other = theirs.CSA.Parser.parse_file(str(path))[0]
            for name in ("sfen", "moves", "times", "names", "endgame", "win"):
                if getattr(mine, name) != getattr(other, name):
                    sys.exit(f"CSA {number}: {name}: {getattr(mine, name)} {getattr(other, name)}")
            counts["CSA records"] += 1
            text = record.dumps("kif")
            mine_kif = KIF.Parser.parse_str(text)
            other_kif = theirs.KIF.Parser.parse_str(text)
            if mine_kif.moves != other_kif.moves:
                sys.exit(f"KIF {number}: {mine_kif.moves} {other_kif.moves}")
            counts["KIF records"] += 1


def write_records(library: Any, folder: Path, moves: list[int], times: list[int]) -> list[bytes]:
    """A game as each of the writers writes it."""
    csa, kif, ki2, pgn = (folder / f"w.{name}" for name in ("csa", "kif", "ki2", "pgn"))
    writer = library.CSA.Exporter(str(csa))
    writer.info(names=["first", "second"], version="V2.2", comment="random")
    for move, time in zip(moves, times):
        writer.move(move, time, "a comment" if time == 7 else None)
    writer.endgame("%TORYO")
    writer.close()
    writer = library.KIF.Exporter(str(kif))
    writer.header(["first", "second"], BEGUN)
    for number, (move, time) in enumerate(zip(moves, times)):
        writer.move(move, time, sum(times[: number + 1]))
    writer.end("resign")
    writer.close()
    writer = library.KI2.Exporter(str(ki2))
    writer.header(["first", "second"], BEGUN)
    for move in moves:
        writer.move(move)
    writer.end("%TORYO")
    writer.close()
    writer = library.PGN.Exporter(str(pgn))
    writer.tag_pair(["first", "second"], library.BLACK_WIN, starttime=BEGUN)
    writer.movetext(moves)
    writer.close()
    return [path.read_bytes() for path in (csa, kif, ki2, pgn)]


def are_unclear(moves: list[int], counts: Counter[str]) -> bool:
    """Whether their names in KI2 mean another move, or none, wherever they are not ours."""
    a, b = ours.Board(), theirs.Board()
    for move in moves:
        mine, other = KI2.move_to_ki2(move, a), theirs.KI2.move_to_ki2(move, b)
        usi = ours.move_to_usi(move)
        if a.parse_san(mine) != ts.Move(usi):
            return False
        if mine != other:
            counts["KI2: their name does not say which piece"] += 1
            try:
                if a.parse_san(other) == ts.Move(usi):
                    return False
            except ValueError:
                pass
        a.push(move)
        b.push(move)
    return True


def compare_writers(count: int, rng: random.Random, counts: Counter[str]) -> None:
    """What the writers write must be the same, byte for byte; in PGN the letter of the knight is
    not, nor where lines end."""
    with tempfile.TemporaryDirectory() as name:
        for _ in range(count):
            board = ours.Board()
            moves = [board.push_usi(usi) for usi in random_game(rng, 80)]
            times = [rng.randrange(100) for _ in moves]
            mine = write_records(ours, Path(name), moves, times)
            other = write_records(theirs, Path(name), moves, times)
            mine[3], other[3] = (b" ".join(text.replace(b"N", b"K").split()) for text in (mine[3], other[3]))
            for kind, one, two in zip(("CSA", "KIF", "KI2", "PGN"), mine, other):
                counts[f"{kind} written"] += 1
                if kind == "KI2" and one != two and are_unclear(moves, counts):
                    continue
                if one != two:
                    lines = zip(one.splitlines(), two.splitlines())
                    encoding = "cp932" if kind in ("KIF", "KI2") else "utf-8"
                    at = next(((a, b) for a, b in lines if a != b), (one, two))
                    sys.exit(f"{kind} written: " + " | ".join(text.decode(encoding) for text in at))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    counts: Counter[str] = Counter()
    while counts["sfen"] < args.positions:
        a, b = ours.Board(), theirs.Board()
        for usi in random_game(rng, 150):
            if a.push_usi(usi) != b.push_usi(usi):
                sys.exit(f"{usi} differs in {a.sfen()}")
            compare_position(a, b, counts)
    compare_records(args.records, rng, counts)
    compare_writers(args.records, rng, counts)
    for name, number in sorted(counts.items()):
        print(f"{number:9} {name}")


if __name__ == "__main__":
    main()
