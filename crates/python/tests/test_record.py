"""Records: every format is read and written, variations and comments included."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import tesuji as ts
from tesuji import data

FIXTURES = Path(__file__).parents[3] / "fixtures" / "records"


def game() -> ts.Record:
    record = ts.Record()
    record.set_header("black", "Habu")
    record.set_header("event", "a test")
    first = record.push(ts.Move("7g7f"))
    first.comment = "The most popular first move."
    first.time = 12.0
    record.push(ts.Move("3c3d"))
    other = first.add_variation(ts.Move("8c8d"))
    other.add_variation(ts.Move("2g2f"))
    record.end("resignation")
    return record


def test_a_tree() -> None:
    record = game()
    assert record.moves == [ts.Move("7g7f"), ts.Move("3c3d")]
    assert record.result == "0-1" and record.ending == "resignation"
    first = record.root.variations[0]
    assert first.parent == record.root and first.record is record
    assert [str(node.move) for node in first.variations] == ["3c3d", "8c8d"]
    assert first[1].next() is not None
    assert first[1].board().move_stack == [ts.Move("7g7f"), ts.Move("8c8d")]
    assert first.san("western") == "P-7f"
    assert (first.comment, first.time) == ("The most popular first move.", 12.0)
    assert record.mainline()[-1].ending == "resignation"
    assert record.has_variations and len(record) == 6
    with pytest.raises(ts.IllegalMoveError):
        record.push(ts.Move("7g7f"))
    with pytest.raises(ValueError, match="ending"):
        first.end("boredom")


@pytest.mark.parametrize("format", ["csa", "csa3", "kif", "kifu", "ki2", "jkf", "usi"])
def test_what_is_written_is_read(tmp_path: Path, format: str) -> None:
    record = game()
    path = tmp_path / f"a.{format}"
    record.save(path)
    read = ts.Record.open(path)
    assert read.moves == record.moves
    if format not in ("usi",):
        assert read.headers["black"] == "Habu"
        assert read.mainline()[0].comment == record.mainline()[0].comment
        assert read.result == record.result
    if format in ("kif", "kifu", "ki2", "jkf"):
        assert read.has_variations
        assert [str(node.move) for node in read.root[0].variations] == ["3c3d", "8c8d"]
    again = ts.Record.parse(record.dumps(format), format)
    assert again.moves == record.moves


RECORDS = sorted(path for path in FIXTURES.iterdir() if path.suffix != ".md")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_fixtures(path: Path) -> None:
    for record in ts.Record.open_all(path):
        assert pickle.loads(pickle.dumps(record)).moves == record.moves
        assert record.board().move_stack == record.moves
        assert "<svg" in record._repr_html_()


def test_errors_tell_the_line() -> None:
    with pytest.raises(ts.RecordError) as caught:
        ts.Record.parse("V2.2\nPI\n+\n+7776FU\n-9999FU\n", "csa")
    assert caught.value.line == 5
    with pytest.raises(ValueError, match="format"):
        ts.Record.parse("", "pgn")
    with pytest.raises(FileNotFoundError):
        ts.Record.open("none.csa")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_special_files_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csa"
    os.mkfifo(pipe)
    readers: list[Callable[[Path], object]] = [
        ts.Record.open,
        ts.Record.open_all,
        ts.NetworkFile.read,
    ]
    for read in readers:
        with pytest.raises(OSError, match="a named pipe, not a regular file"):
            read(pipe)
    with pytest.raises(OSError, match="a device, not a regular file"):
        ts.NetworkFile.read(Path("/dev/zero"))
    for name in ("pipe.psv", "pipe.sbinpack", "pipe.pack"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(OSError, match="a named pipe, not a regular file"):
            data.open(tmp_path / name)


def test_evaluations_and_boards() -> None:
    record = ts.Record(ts.Board(None, [ts.Move("7g7f")]))
    node = record.mainline()[0]
    node.set_evaluation(35, depth=12, nodes=1000, pv=[ts.Move("3c3d")])
    read = ts.Record.parse(record.dumps("csa"), "csa").mainline()[0]
    assert read.score == 35 and read.pv == [ts.Move("3c3d")]
    assert record.scores == [35] and record.times == [None]
    html = record._repr_html_()
    assert "７六歩" in html
