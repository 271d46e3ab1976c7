"""The writers, environments and matches of the module that stands in for cshogi."""

from __future__ import annotations

import math
import sys
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

import tesuji as ts
from tesuji import cshogi
from tesuji.cshogi import CSA, KI2, KIF, PGN, cli, elo, usi
from tesuji.cshogi.gym_shogi.envs import ShogiEnv, ShogiVecEnv

GAME = "7g7f 3c3d 8h2b+ 3a2b B*4e 5a4b 4e3d 8c8d 3d5f 8d8e".split()
BEGUN = datetime(2024, 1, 2, 3, 4, 5)


def moves() -> list[int]:
    board = cshogi.Board()
    return [board.push_usi(usi) for usi in GAME]


def test_csa(tmp_path: Path) -> None:
    path = tmp_path / "a.csa"
    writer = CSA.Exporter(str(path))
    writer.info(names=["a", "b"], comment="hello", version="V2.2", var_info={"EVENT": "x"})
    for move in moves():
        writer.move(move, time=3, comment="c")
    writer.endgame("%TORYO", time=1)
    mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    writer.info(init_board=mate)
    writer.move(cshogi.Board(mate).move_from_usi("G*5b"), sep=",")
    writer.endgame("%TSUMI")
    writer.close()
    first, second = CSA.Parser.parse_file(str(path))
    assert first.moves == moves() and first.times == [3] * len(GAME)
    assert (first.names, first.endgame, first.win) == (["a", "b"], "%TORYO", cshogi.WHITE_WIN)
    assert second.sfen == mate and second.endgame == "%TSUMI" and len(second.moves) == 1


@pytest.mark.parametrize("name", ["a.kif", "a.kifu"])
def test_kif(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    writer = KIF.Exporter(str(path))
    writer.header(["a", "b"], BEGUN)
    for seconds, move in enumerate(moves()):
        writer.move(move, seconds, 60 * seconds)
        writer.info("info depth 3 time 1500 nodes 9 score cp 30 pv " + " ".join(GAME[seconds:]))
    writer.end("resign", 1, 700)
    writer.close()
    text = path.read_text(encoding="utf-8" if name == "a.kifu" else "cp932")
    assert "   4 同　銀(31)        ( 0:03/00:03:00)\n" in text
    assert "**対局 深さ 3 時間 00:01.5 ノード数 9 評価値 -30 読み筋 △３四歩(33) ▲２二角成(88)" in text
    assert text.endswith("まで10手で後手の勝ち\n")
    read = KIF.Parser.parse_file(str(path))
    assert read.moves == moves() and read.names == ["a", "b"]
    assert ts.Record.open(path).times[3] == 3


def test_kif_from_other_positions(tmp_path: Path) -> None:
    path = tmp_path / "a.kif"
    start = cshogi.Board("4k4/9/4P4/9/9/9/9/9/4K4 b G12p 1")
    writer = KIF.Exporter(str(path))
    writer.header(["a", "b"], BEGUN, start)
    writer.move(start.move_from_usi("G*5b"))
    writer.end("illegal_win")
    with pytest.raises(ValueError):
        writer.end("nonsense")
    writer.close()
    assert "後手の持駒：歩十二\n" in path.read_text(encoding="cp932")
    assert ts.Record.open(path).start.sfen() == start.sfen()
    writer = KIF.Exporter(str(path))
    writer.header(["a", "b"], BEGUN, "二枚落ち")
    writer.close()
    assert ts.Record.open(path).start == ts.Board.handicap("二枚落ち")


def test_ki2(tmp_path: Path) -> None:
    path = tmp_path / "a.ki2"
    writer = KI2.Exporter(str(path))
    writer.header(["a", "b"], BEGUN)
    for move in moves():
        writer.move(move, "why" if move == moves()[2] else None)
    writer.end("%TORYO")
    writer.close()
    assert "▲２二角成\n**why\n△同　銀\n" in path.read_text(encoding="cp932")
    assert KI2.Parser.parse_file(str(path)).moves == moves()


def test_pgn(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    writer = PGN.Exporter(str(path))
    writer.tag_pair(['a "1"', "b"], cshogi.WHITE_WIN, starttime=BEGUN)
    writer.movetext(moves())
    writer.close()
    text = path.read_text()
    assert '[White "a \\"1\\""]\n' in text and '[Date "2024.01.02"]\n' in text
    assert "1. Pc3c4 Pg7g6 2. Bb2h8+ Sg9h8 3. B@f5 Ke9f8 " in text and text.endswith("Pb6b5 0-1\n\n")


def test_elo() -> None:
    found = elo.Elo(10, 5, 3)
    assert found.point_ratio() == 11.5 / 18 and found.draw_ratio() == 3 / 18
    assert found.diff() == pytest.approx(99.1138, abs=1e-3)
    assert found.error_margin() == pytest.approx(165.4, abs=0.5)
    assert found.los() == pytest.approx(90.1647, abs=1e-3)
    assert elo.Elo(5, 0, 0).diff() == math.inf
    with pytest.raises(ValueError):
        elo.Elo(0, 0, 0)


def test_environments() -> None:
    env = ShogiEnv()
    env.reset()
    shuffle = "2h3h 8b7b 3h2h 7b8b".split() * 3
    steps = [env.step(env.board.move_from_usi(usi)) for usi in shuffle]
    assert steps[-1] == (0.0, True, cshogi.REPETITION_DRAW)
    assert all(step == (0.0, False, None) for step in steps[:-1])
    # Black checks in every move, and loses by the move that brings the fourth repetition.
    env.reset("9/9/9/9/9/7k1/9/9/K6R1 w - 1")
    checks = "2f3f 2i3i 3f2f 3i2i".split() * 3
    steps = [env.step(env.board.move_from_usi(usi)) for usi in checks]
    assert steps[-1] == (-1.0, True, cshogi.REPETITION_WIN)
    env.reset("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert env.step(env.board.move_from_usi("G*5b")) == (1.0, True, None)
    assert env.step(0) == (-1.0, True, None)
    assert env.render("sfen") == env.board.sfen() and env.render("svg").startswith("<svg")
    many = ShogiVecEnv(2)
    move = cshogi.Board().move_from_usi("7g7f")
    assert many.step([move, 0]) == ([0.0, -1.0], [False, True], [None, None])
    assert many.render()[1] == ts.STARTING_SFEN


def engine_script(folder: Path) -> str:
    script = folder / "engine"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tesuji usi\n')
    script.chmod(0o755)
    return str(script)


def test_a_match(tmp_path: Path) -> None:
    engine = engine_script(tmp_path)
    openings = tmp_path / "openings"
    openings.write_text("startpos moves 7g7f 3c3d 2g2f\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves\n")
    options = {"USI_Hash": 16, "USI_OwnBook": "false", "Eval": "material"}
    found = cli.main(
        engine,
        engine,
        options,
        options,
        names=["a", "b"],
        games=2,
        byoyomi=5000,
        opening=str(openings),
        opening_index=1,
        keep_process=True,
        csa=str(tmp_path / "all.csa"),
        multi_csa=True,
        pgn=str(tmp_path / "all.pgn"),
        print_summary=False,
        callback=lambda stats: stats["total"] < 3,
    )
    assert (found["engine1_won"], found["engine2_won"], found["black_won"]) == (1, 1, 2)
    assert len(CSA.Parser.parse_file(str(tmp_path / "all.csa"))) == 2
    assert (tmp_path / "all.pgn").read_text().count("1-0") == 4
    with pytest.raises(NotImplementedError):
        cli.main(engine, engine, ponder=True)


def test_listeners(tmp_path: Path) -> None:
    engine = usi.Engine(engine_script(tmp_path))
    for name, value in {"USI_Hash": 16, "Eval": "material", "USI_OwnBook": "false"}.items():
        engine.setoption(name, value)
    engine.isready()
    mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    engine.position(sfen=mate)
    several = usi.MultiPVListener()
    one = usi.InfoListener(mate_score=9999, listner=several)
    assert engine.go(byoyomi=5000, listener=one.listen())[0] == one.bestmove == "G*5b"
    assert one.score == one.mate_score == 9999 and one.pv is not None and one.pv[0] == "G*5b"
    assert one.info is not None and one.info["depth"] >= 1
    assert engine.go_mate(1000) == "G*5b"
    engine.quit()
    several("info depth 3 multipv 2 score cp -5 pv 3c3d")
    several("info depth 3 multipv 1 score cp 5 pv 7g7f 3c3d")
    assert [line["cp"] for line in several.info] == [5, -5]


def test_names_of_cshogi_are_there() -> None:
    names = ["OslDfPn", "BookEntry", "SvgWrapper", "Parser", "osl", "PGN", "elo", "dlshogi", "usi"]
    assert all(hasattr(cshogi, name) for name in names)
    assert cshogi.dlshogi.use_nyugyoku_features(False) is None
    with pytest.raises(NotImplementedError):
        cshogi.dlshogi.use_nyugyoku_features(True)
    board = cshogi.Board()
    assert board.to_bod().splitlines()[3] == "|v香v桂v銀v金v玉v金v銀v桂v香|一"
    planes = np.zeros((28, 9, 9), np.float32)
    board.piece_planes(planes)
    assert planes.sum() == 40
