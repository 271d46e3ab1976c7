//! What `tesuji.cshogi` needs to be as fast as the library it stands in for: moves in its 32 bits.
//!
//! The number of a move, after Apery: the 16 bits of HCPE files, the kind that moves in bits 16 to
//! 19 (none for drops) and the kind that is taken in bits 20 to 23.

use crate::board::Board;
use crate::dlshogi;
use crate::errors::{self, IllegalMoveError};
use numpy::{PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tesuji_book::format::apery::Keys;
use tesuji_record::csa;
use tesuji_record::samples::MoveLayout;
use tesuji_shogi::movegen;
use tesuji_shogi::rules::foul;
use tesuji_shogi::{Board as _, Color, Move, MoveList, Position, Square};

/// The 32 bits of a legal move.
fn number(pos: &Position, mv: Move) -> u32 {
    let kind = |square: Square| {
        pos.at(square)
            .map_or(0, |piece| piece.kind().index() as u32)
    };
    let moved = mv.from().map_or(0, kind);
    u32::from(MoveLayout::Shifted.write(mv)) | moved << 16 | kind(mv.to()) << 20
}

fn read(number: u32) -> PyResult<Move> {
    let found = MoveLayout::Shifted.read((number & 0x7fff) as u16);
    found.ok_or_else(|| IllegalMoveError::new_err(format!("{number} is the number of no move")))
}

fn numbers(pos: &Position, list: &MoveList) -> Vec<u32> {
    list.iter().map(|mv| number(pos, mv)).collect()
}

/// All legal moves, or only those that give check.
#[pyfunction]
fn compat_moves(board: &Board, only_checks: bool) -> Vec<u32> {
    let pos = &board.pos;
    let mut list = MoveList::new();
    let _ = match only_checks {
        true => movegen::checks(pos, &mut list),
        false => pos.legal(&mut list),
    };
    numbers(pos, &list)
}

/// Plays a legal move.
#[pyfunction]
fn compat_push(board: &mut Board, number: u32) -> PyResult<()> {
    let mv = read(number)?;
    match board.pos.try_play(mv) {
        Ok(_) => Ok(()),
        Err(foul) => Err(errors::foul(mv, foul)),
    }
}

/// The 32 bits of the move with the 16 bits of an HCPE file (or, `flagged`, of a PSV file); 0 if it
/// is illegal.
#[pyfunction]
fn compat_from_16(board: &Board, bits: u16, flagged: bool) -> u32 {
    let layout = match flagged {
        true => MoveLayout::Flagged,
        false => MoveLayout::Shifted,
    };
    let found = layout.read(bits).filter(|&mv| board.pos.is_legal(mv));
    found.map_or(0, |mv| number(&board.pos, mv))
}

/// Whether the move with these 32 bits is legal.
#[pyfunction]
fn compat_is_legal(board: &Board, number: u32) -> bool {
    read(number).is_ok_and(|mv| foul(&board.pos, mv).is_none())
}

/// The 32 bits of moves played from a position.
#[pyfunction]
fn compat_line(py: Python<'_>, board: &Board, line: Vec<u16>) -> PyResult<Vec<u32>> {
    let mut pos = board.pos.clone();
    let play = |bits: u16| {
        let mv = crate::moves::of_number(bits)?;
        if let Some(foul) = foul(&pos, mv) {
            return Err(errors::foul(mv, foul));
        }
        let number = number(&pos, mv);
        pos.play(mv);
        Ok(number)
    };
    py.detach(|| line.into_iter().map(play).collect())
}

/// The keys of positions in Apery's books: a table that is made once.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct AperyKeys(Keys);

#[pymethods]
impl AperyKeys {
    #[new]
    fn new(py: Python<'_>) -> Self {
        Self(py.detach(Keys::default))
    }

    /// The key of a position.
    fn key(&self, board: &Board) -> u64 {
        self.0.key(&board.pos)
    }
}

/// The position as CSA writes it.
#[pyfunction]
fn compat_csa_position(py: Python<'_>, board: &Board) -> String {
    let pos = &board.pos;
    py.detach(|| csa::write_position(pos))
}

/// A legal move as CSA writes it, without the sign in front.
#[pyfunction]
fn compat_csa_move(board: &Board, number: u32) -> PyResult<String> {
    let mv = read(number)?;
    match foul(&board.pos, mv) {
        Some(foul) => Err(errors::foul(mv, foul)),
        None => Ok(csa::write_move(&board.pos, mv)[1..].to_owned()),
    }
}

fn check(array: &PyReadwriteArrayDyn<'_, f32>, planes: usize) -> PyResult<()> {
    let shape = array.shape();
    if shape.len() == 3 && shape[0] >= planes && shape[1..] == [9, 9] && array.is_c_contiguous() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "expected a C-contiguous array of float32 of shape ({planes}, 9, 9), not {shape:?}"
    )))
}

fn contiguous<'a>(array: &'a mut PyReadwriteArrayDyn<'_, f32>) -> PyResult<&'a mut [f32]> {
    let slice = array.as_slice_mut();
    slice.map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// Fills the input planes of dlshogi.
#[pyfunction]
fn compat_dlshogi(
    py: Python<'_>,
    board: &Board,
    mut first: PyReadwriteArrayDyn<'_, f32>,
    mut second: PyReadwriteArrayDyn<'_, f32>,
) -> PyResult<()> {
    check(&first, dlshogi::FEATURES1)?;
    check(&second, dlshogi::FEATURES2)?;
    let (first, second) = (contiguous(&mut first)?, contiguous(&mut second)?);
    let pos = &board.pos;
    py.detach(|| {
        first.fill(0.0);
        dlshogi::features1(pos, first);
        second.fill(0.0);
        dlshogi::features2(pos, second);
    });
    Ok(())
}

/// Fills 28 planes of pieces, Black's first, or the side to move's if they are turned.
#[pyfunction]
fn compat_planes(
    py: Python<'_>,
    board: &Board,
    mut planes: PyReadwriteArrayDyn<'_, f32>,
    rotated: bool,
) -> PyResult<()> {
    check(&planes, 28)?;
    let planes = contiguous(&mut planes)?;
    let pos = &board.pos;
    let is_turned = rotated && pos.turn() == Color::White;
    py.detach(|| {
        planes.fill(0.0);
        for square in Square::all() {
            let Some(piece) = pos.at(square) else {
                continue;
            };
            let side = piece.color().index() ^ usize::from(is_turned);
            let square = if is_turned { square.rotated() } else { square };
            planes[(14 * side + piece.kind().index() - 1) * 81 + square.index()] = 1.0;
        }
    });
    Ok(())
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(compat_moves, module)?)?;
    module.add_function(wrap_pyfunction!(compat_push, module)?)?;
    module.add_function(wrap_pyfunction!(compat_from_16, module)?)?;
    module.add_function(wrap_pyfunction!(compat_is_legal, module)?)?;
    module.add_function(wrap_pyfunction!(compat_line, module)?)?;
    module.add_class::<AperyKeys>()?;
    module.add_function(wrap_pyfunction!(compat_csa_position, module)?)?;
    module.add_function(wrap_pyfunction!(compat_csa_move, module)?)?;
    module.add_function(wrap_pyfunction!(compat_dlshogi, module)?)?;
    module.add_function(wrap_pyfunction!(compat_planes, module)?)
}
