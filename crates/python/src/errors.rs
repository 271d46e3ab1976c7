//! Errors of the floors below as exceptions of Python.
//!
//! All are `ValueError`s, as a program expects that passes on what somebody typed; those that know
//! a place in a text have it as `line` and `column`.

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::Path;
use tesuji_record::ReadError;
use tesuji_shogi::{Foul, Move, SfenError};

create_exception!(
    tesuji,
    PositionError,
    PyValueError,
    "A text, an array or bytes that are no position; `column` tells where in an SFEN, from 1."
);
create_exception!(
    tesuji,
    IllegalMoveError,
    PyValueError,
    "A move that the rules do not allow, or a text that names none."
);
create_exception!(
    tesuji,
    RecordError,
    PyValueError,
    "A record that cannot be read or written; `line` tells where, from 1."
);
create_exception!(
    tesuji,
    DataError,
    PyValueError,
    "Training data that cannot be read or written; `record` tells which, from 1."
);
create_exception!(
    tesuji,
    EngineError,
    PyRuntimeError,
    "An engine, a network or a book that cannot be used."
);

/// Panics on purpose. What is installed must make an exception of it (`python -m tesuji check`).
#[pyfunction]
fn panic_on_purpose(py: Python<'_>) {
    py.detach(|| panic!("on purpose"));
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_function(wrap_pyfunction!(panic_on_purpose, module)?)?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("RecordError", py.get_type::<RecordError>())?;
    module.add("DataError", py.get_type::<DataError>())?;
    module.add("EngineError", py.get_type::<EngineError>())
}

/// The exception with an attribute; one that cannot have it is returned as it is.
fn with(py: Python<'_>, error: PyErr, name: &str, value: Option<usize>) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// An SFEN that is none.
pub(crate) fn sfen(py: Python<'_>, error: &SfenError) -> PyErr {
    let column = match error {
        SfenError::Unexpected { column, .. }
        | SfenError::Width { column, .. }
        | SfenError::Count { column, .. } => Some(*column),
        SfenError::Trailing(column) => Some(*column),
        _ => None,
    };
    let exception = PositionError::new_err(error.to_string());
    with(py, exception, "column", column)
}

/// Pieces or bytes that are no position.
pub(crate) fn position(py: Python<'_>, error: &impl ToString) -> PyErr {
    with(
        py,
        PositionError::new_err(error.to_string()),
        "column",
        None,
    )
}

/// A move that breaks a rule.
pub(crate) fn foul(mv: Move, foul: Foul) -> PyErr {
    IllegalMoveError::new_err(format!("{mv} is illegal: {foul}"))
}

/// A record that cannot be read.
pub(crate) fn record(py: Python<'_>, error: &ReadError) -> PyErr {
    let exception = RecordError::new_err(error.to_string());
    let exception = with(py, exception, "line", Some(error.line));
    with(py, exception, "column", None)
}

/// A record of training data that cannot be read.
pub(crate) fn data(py: Python<'_>, record: Option<usize>, what: &impl ToString) -> PyErr {
    let text = match record {
        Some(record) => format!("record {record}: {}", what.to_string()),
        None => what.to_string(),
    };
    with(py, DataError::new_err(text), "record", record)
}

/// A file that the system does not give.
pub(crate) fn file(path: &Path, error: std::io::Error) -> PyErr {
    match error.raw_os_error() {
        // With a number Python chooses the class itself: FileNotFoundError and so on.
        Some(number) => PyOSError::new_err((number, error.to_string(), path.display().to_string())),
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}
