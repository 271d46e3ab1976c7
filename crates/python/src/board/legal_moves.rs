//! The legal moves of a board, looked at when asked: counting them makes no list.

use crate::board::Board;
use crate::moves;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use tesuji_shogi::movegen::{self, Count};
use tesuji_shogi::{Board as _, MoveList};

/// The legal moves of a board as it stands when they are asked for, as in python-chess.
#[pyclass(frozen, module = "tesuji", sequence)]
pub(crate) struct LegalMoves {
    board: Py<Board>,
}

impl LegalMoves {
    pub(crate) fn of(board: Py<Board>) -> Self {
        Self { board }
    }

    fn moves(&self, py: Python<'_>) -> PyResult<MoveList> {
        Ok(self.board.try_borrow(py)?.pos.legal_moves())
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, self.moves(py)?.into_iter())
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let board = self.board.try_borrow(py)?;
        let mut count = Count::default();
        let _ = movegen::legal(&board.pos, &mut count);
        Ok(count.0)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(movegen::has_legal_move(&self.board.try_borrow(py)?.pos))
    }

    fn __contains__(&self, py: Python<'_>, mv: u16) -> PyResult<bool> {
        let board = self.board.try_borrow(py)?;
        Ok(tesuji_shogi::Move::from_bits(mv).is_some_and(|mv| board.pos.is_legal(mv)))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let moves = self.moves(py)?;
        let place = if index < 0 {
            index + moves.len() as isize
        } else {
            index
        };
        let found = usize::try_from(place)
            .ok()
            .and_then(|place| moves.get(place));
        match found {
            Some(mv) => moves::object(py, Some(mv)),
            None => Err(PyIndexError::new_err(format!(
                "move {index} of {} legal moves",
                moves.len()
            ))),
        }
    }

    /// The moves as a list.
    fn list_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.list(py)
    }

    /// The moves as texts in USI.
    fn usi(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let moves = self.moves(py)?;
        Ok(py.detach(|| moves.iter().map(|mv| mv.to_string()).collect()))
    }

    /// The moves as an array of numbers.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let moves = self.moves(py)?;
        let numbers: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        Ok(numbers.into_pyarray(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<LegalMoves {}>", self.usi(py)?.join(" ")))
    }
}
