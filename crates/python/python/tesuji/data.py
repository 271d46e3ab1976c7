"""Training data: files of positions, in batches of numpy arrays.

>>> import tempfile, os, tesuji as ts
>>> path = os.path.join(tempfile.mkdtemp(), "one.psv")
>>> with ts.data.Writer(path) as writer:
...     writer.write(ts.Board(), score=30, mv=ts.Move("7g7f"), result=1)
>>> batch = next(ts.data.open(path).batches(16))
>>> batch.board.shape, batch.score, batch.result
((1, 81), array([30], dtype=int16), array([1], dtype=int8))
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tesuji import Batch, Batches, Dataset, Writer, convert_moves, dlshogi_label

#: A record of a PSV file: PackedSfenValue.
PSV: np.dtype[np.void] = np.dtype(
    [
        ("sfen", np.uint8, 32),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", np.int8),
        ("padding", np.uint8),
    ]
)

#: A record of an HCPE file: HuffmanCodedPosAndEval.
HCPE: np.dtype[np.void] = np.dtype(
    [
        ("hcp", np.uint8, 32),
        ("eval", "<i2"),
        ("bestMove16", "<u2"),
        ("gameResult", np.int8),
        ("dummy", np.uint8),
    ]
)


def open(path: str | os.PathLike[str], format: str | None = None) -> Dataset:
    """A file of training data; its extension tells the format (psv, hcpe, hcp, hcpe3, pack,
    sbinpack) unless it is given."""
    return Dataset(os.fspath(path), format)


def view(path: str | os.PathLike[str], format: str | None = None) -> npt.NDArray[np.void]:
    """The records of a PSV or HCPE file as a structured array, mapped and not copied."""
    name = format or os.path.splitext(os.fspath(path))[1][1:]
    kinds = {"psv": PSV, "bin": PSV, "hcpe": HCPE}
    if name not in kinds:
        raise ValueError(f"{name!r}: only psv and hcpe files are arrays of records")
    return np.memmap(path, dtype=kinds[name], mode="r")


def batch(records: npt.NDArray[Any] | bytes, format: str | None = None, threads: int = 1) -> Batch:
    """Records that are already in memory: bytes, or an array with the type `PSV` or `HCPE` (or the
    one of the same layout in cshogi)."""
    if isinstance(records, np.ndarray):
        sizes = {40: "psv", 38: "hcpe", 32: "hcp"}
        width = records.dtype.itemsize
        if format is None:
            width = records.shape[-1] if width == 1 else width
            format = sizes.get(width)
        if format is None:
            raise ValueError(f"records of {width} bytes: expected 40 (psv), 38 (hcpe) or 32 (hcp)")
        records = np.ascontiguousarray(records).view(np.uint8).reshape(-1)
    elif format is None:
        raise ValueError("bytes do not tell their format: say psv, hcpe or hcp")
    return Batch(records, format, threads)


__all__ = [
    "HCPE",
    "PSV",
    "Batch",
    "Batches",
    "Dataset",
    "Writer",
    "batch",
    "convert_moves",
    "dlshogi_label",
    "open",
    "view",
]
