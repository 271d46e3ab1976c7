//! Opening books: asked, read and written.

use crate::board::Board;
use crate::errors;
use crate::moves::{self, of_number};
use fastrand::Rng;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tesuji_book::probe::{Library, Selection};
use tesuji_book::{BookEntry, BookError, BookFormat, BookMove, format};
use tesuji_shogi::{ByColor, Move, Position};

/// A move of a book: the move (`None`: resign), the reply that is expected, what it is worth to
/// whoever plays it, how deep it was searched, how often it was played, a comment.
type BookMoveRow = (Option<Py<PyAny>>, Option<Py<PyAny>>, i32, i32, u64, String);
/// The same as Python hands it over.
type MoveNumbers = (Option<u16>, Option<u16>, i32, i32, u64, String);

/// Books that can be asked; large files stay on disk.
#[pyclass(frozen, module = "tesuji.book")]
pub(crate) struct BookCore {
    library: Mutex<Library>,
}

fn wrong(path: &Path, error: &BookError) -> PyErr {
    errors::EngineError::new_err(format!("{}: {error}", path.display()))
}

fn row(py: Python<'_>, mv: &BookMove) -> PyResult<BookMoveRow> {
    let object = |mv: Option<Move>| mv.map(|mv| moves::object(py, Some(mv))).transpose();
    Ok((
        object(mv.mv)?,
        object(mv.ponder)?,
        mv.value,
        mv.depth,
        mv.count,
        mv.comment.clone(),
    ))
}

#[pymethods]
impl BookCore {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        if !path.exists() {
            let missing = std::io::Error::from_raw_os_error(2);
            return Err(errors::file(&path, missing));
        }
        let library = py.detach(|| Library::open(&path, true));
        let library = library.map_err(|(path, error)| wrong(&path, &error))?;
        Ok(Self {
            library: Mutex::new(library),
        })
    }

    /// What the book says about a position.
    #[pyo3(signature = (board, ignore_ply=true, flipped=true))]
    fn find(
        &self,
        py: Python<'_>,
        board: &Board,
        ignore_ply: bool,
        flipped: bool,
    ) -> PyResult<Vec<BookMoveRow>> {
        let selection = Selection {
            ignore_ply,
            flipped,
            ..Selection::default()
        };
        let pos = board.pos.clone();
        let found = py.detach(|| {
            let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
            let found = library.find(&pos, &selection);
            found.map(|found| found.map(|(entry, _)| entry.moves))
        });
        let moves = found.map_err(|error| errors::EngineError::new_err(error.to_string()))?;
        moves
            .unwrap_or_default()
            .iter()
            .map(|mv| row(py, mv))
            .collect()
    }

    /// The move that the book would play, chosen as a USI engine does.
    #[pyo3(signature = (board, eval_diff=30, by_count=false, seed=None))]
    fn propose(
        &self,
        py: Python<'_>,
        board: &Board,
        eval_diff: i32,
        by_count: bool,
        seed: Option<u64>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let selection = Selection {
            eval_diff,
            by_count,
            eval_limit: ByColor([i32::MIN; 2]),
            depth_limit: 0,
            ..Selection::default()
        };
        let mut dice = seed.map_or_else(Rng::new, Rng::with_seed);
        let pos = board.pos.clone();
        let found = py.detach(|| {
            let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
            library.propose(&pos, &selection, &mut dice)
        });
        let found = found.map_err(|error| errors::EngineError::new_err(error.to_string()))?;
        found
            .map(|found| moves::object(py, Some(found.mv)))
            .transpose()
    }
}

fn format_of(path: &Path) -> PyResult<BookFormat> {
    BookFormat::of_path(path).ok_or_else(|| {
        errors::EngineError::new_err(format!(
            "{}: expected the extension db, ybb, bin, sbk, book or tbk",
            path.display()
        ))
    })
}

/// All positions of a book with their moves.
#[pyfunction]
fn read_book(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(String, Vec<BookMoveRow>)>> {
    let format = format_of(&path)?;
    let entries = py.detach(|| -> Result<Vec<(String, BookEntry)>, BookError> {
        let entries = format::read(&path, format, &[Position::start()])?;
        entries
            .map(|entry| entry.map(|entry| (entry.pos.to_sfen(), entry)))
            .collect()
    });
    let entries = entries.map_err(|error| wrong(&path, &error))?;
    let rows = |entry: &BookEntry| -> PyResult<Vec<BookMoveRow>> {
        entry.moves.iter().map(|mv| row(py, mv)).collect()
    };
    entries
        .into_iter()
        .map(|(sfen, entry)| Ok((sfen, rows(&entry)?)))
        .collect()
}

fn book_moves(rows: Vec<MoveNumbers>) -> PyResult<Vec<BookMove>> {
    let book_move = |(mv, ponder, value, depth, count, comment): MoveNumbers| {
        Ok(BookMove {
            mv: mv.map(of_number).transpose()?,
            ponder: ponder.map(of_number).transpose()?,
            value,
            depth,
            count,
            comment,
            ..BookMove::default()
        })
    };
    rows.into_iter().map(book_move).collect()
}

/// Writes a book; the extension tells its format.
#[pyfunction]
fn write_book(
    py: Python<'_>,
    path: PathBuf,
    positions: Vec<(String, Vec<MoveNumbers>)>,
) -> PyResult<u64> {
    let format = format_of(&path)?;
    let mut entries = Vec::new();
    for (sfen, rows) in positions {
        let pos = py.detach(|| Position::from_sfen(&sfen));
        let pos = pos.map_err(|error| errors::sfen(py, &error))?;
        entries.push(BookEntry::new(pos, book_moves(rows)?));
    }
    let written = py.detach(|| format::write(&path, format, entries.into_iter().map(Ok)));
    written.map_err(|error| wrong(&path, &error))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<BookCore>()?;
    module.add_function(wrap_pyfunction!(read_book, module)?)?;
    module.add_function(wrap_pyfunction!(write_book, module)?)
}
