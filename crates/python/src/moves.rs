//! Moves as numbers of Python: each is one object of the class `tesuji.Move`, made once.
//!
//! A `Move` is an `int` with methods. There are some 13,700 of them; a list of legal moves only
//! counts references, which is faster than making numbers.

use crate::errors::IllegalMoveError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;
use tesuji_record::samples::MoveLayout;
use tesuji_shogi::Move;

static MOVES: PyOnceLock<Vec<Option<Py<PyAny>>>> = PyOnceLock::new();

fn table(py: Python<'_>) -> PyResult<&Vec<Option<Py<PyAny>>>> {
    MOVES.get_or_try_init(py, || {
        let class = py.import("tesuji._move")?.getattr("Move")?;
        let make = class.getattr("_make")?;
        let object = |bits: u16| -> PyResult<Option<Py<PyAny>>> {
            match Move::from_bits(bits) {
                None if bits != 0 => Ok(None),
                _ => Ok(Some(make.call1((&class, bits))?.unbind())),
            }
        };
        (0..=u16::MAX).map(object).collect()
    })
}

/// The object of a move; `None` stands for a pass.
pub(crate) fn object(py: Python<'_>, mv: Option<Move>) -> PyResult<Py<PyAny>> {
    let bits = mv.map_or(0, Move::bits);
    let found = table(py)?[usize::from(bits)].as_ref();
    Ok(found.expect("every move has an object").clone_ref(py))
}

/// The objects of moves as a list.
pub(crate) fn list<'py>(
    py: Python<'py>,
    moves: impl ExactSizeIterator<Item = Move>,
) -> PyResult<Bound<'py, PyList>> {
    let table = table(py)?;
    PyList::new(
        py,
        moves.map(|mv| {
            table[usize::from(mv.bits())]
                .as_ref()
                .map(|object| object.bind(py))
        }),
    )
}

/// A number as a move.
pub(crate) fn of_number(bits: u16) -> PyResult<Move> {
    let wrong = || IllegalMoveError::new_err(format!("{bits} is the number of no move"));
    Move::from_bits(bits).ok_or_else(wrong)
}

/// A text in USI as a move.
pub(crate) fn of_usi(text: &str) -> PyResult<Move> {
    text.parse()
        .map_err(|error: tesuji_shogi::MoveError| IllegalMoveError::new_err(error.to_string()))
}

/// The move that a text in USI names.
#[pyfunction]
fn parse_usi(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    object(py, Some(of_usi(text)?))
}

/// The one object of a move, given its number; 0 is the pass.
#[pyfunction]
fn move_object(py: Python<'_>, bits: u16) -> PyResult<Py<PyAny>> {
    match bits {
        0 => object(py, None),
        _ => object(py, Some(of_number(bits)?)),
    }
}

/// A move in USI.
#[pyfunction]
fn move_usi(bits: u16) -> PyResult<String> {
    Ok(of_number(bits)?.to_string())
}

/// The number of a move as HCPE files and Apery's books have it.
#[pyfunction]
fn move16_apery(bits: u16) -> PyResult<u16> {
    Ok(MoveLayout::Shifted.write(of_number(bits)?))
}

/// The move for a number as HCPE files and Apery's books have it.
#[pyfunction]
fn move_from_apery(py: Python<'_>, bits: u16) -> PyResult<Py<PyAny>> {
    let wrong = || IllegalMoveError::new_err(format!("{bits} is the number of no move"));
    object(py, Some(MoveLayout::Shifted.read(bits).ok_or_else(wrong)?))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_usi, module)?)?;
    module.add_function(wrap_pyfunction!(move_object, module)?)?;
    module.add_function(wrap_pyfunction!(move_usi, module)?)?;
    module.add_function(wrap_pyfunction!(move16_apery, module)?)?;
    module.add_function(wrap_pyfunction!(move_from_apery, module)?)
}
