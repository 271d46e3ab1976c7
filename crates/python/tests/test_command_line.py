"""`python -m tesuji`, as people type it, and the examples in the documentation."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import tesuji as ts
from tesuji.__main__ import main

MODULES = ["tesuji", "tesuji._move", "tesuji.book", "tesuji.data", "tesuji.engine", "tesuji.mate"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted > 0 and found.failed == 0


def test_verbs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", "startpos", "moves", "7g7f", "--western"]) == 0
    assert main(["show", "--svg"]) == 0
    assert main(["perft", "--depth", "2"]) == 0
    assert main(["mate", "sfen", "4k4/9/4P4/9/9/9/9/9/4K4", "b", "G", "1"]) == 0
    assert main(["mate", "startpos"]) == 1
    assert main(["analyse", "--eval", "material", "--nodes", "1000", "--hash", "8"]) == 0
    assert main(["show", "sfen", "nonsense"]) == 2
    assert main(["perft", "--depth", "1000000"]) == 2
    assert main(["check"]) == 0
    seen = capsys.readouterr()
    assert "900" in seen.out and "mate G*5b" in seen.out and "tesuji:" in seen.err
    source, target = tmp_path / "a.usi", tmp_path / "a.csa"
    source.write_text("startpos moves 7g7f\n")
    assert main(["convert", str(source), str(target)]) == 0
    assert ts.Record.open(target).moves == [ts.Move("7g7f")]


def test_a_process() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tesuji", "usi"], input="usi\nquit\n", text=True, capture_output=True
    )
    assert ran.returncode == 0 and "usiok" in ran.stdout
