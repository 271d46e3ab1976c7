"""The notebooks run from the first cell to the last; the one with PyTorch in `torch_training.py`."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
WITH_TORCH = "3_training"


def run(path: Path, folder: Path) -> None:
    """Runs all cells of a notebook."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}})
    client.execute()
    assert any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if path.stem != WITH_TORCH], ids=lambda path: path.stem
)
def test_a_notebook(path: Path, tmp_path: Path) -> None:
    run(path, tmp_path)


def test_the_notebook_with_pytorch_is_python() -> None:
    path = next(path for path in NOTEBOOKS if path.stem == WITH_TORCH)
    cells = nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
    compile("\n".join(cell.source for cell in cells if cell.cell_type == "code"), path.name, "exec")
