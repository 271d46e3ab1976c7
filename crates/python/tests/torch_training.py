"""Training with PyTorch: the notebook and the example.

PyTorch is a download of gigabytes, so this is not among the tests that always run. With it:

    pip install torch
    pytest crates/python/tests/torch_training.py        # or TORCH=1 ./test
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from test_notebooks import NOTEBOOKS, WITH_TORCH, run

EXAMPLE = Path(__file__).parents[1] / "examples" / "train_nnue.py"


def test_the_notebook(tmp_path: Path) -> None:
    run(next(path for path in NOTEBOOKS if path.stem == WITH_TORCH), tmp_path)


def test_the_example_gives_the_values_of_pytorch(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLE), "--games", "6", "--epochs", "2", "--workers", "1"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "the engine says what PyTorch says" in ran.stdout
    assert (tmp_path / "nn.bin").stat().st_size > 1_000_000
