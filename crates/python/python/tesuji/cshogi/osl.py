"""The solver again: cshogi has a second one under this name."""

from . import DfPn

__all__ = ["DfPn"]
