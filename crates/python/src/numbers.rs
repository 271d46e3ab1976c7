//! Numbers of Python as colours, squares and pieces, checked.
//!
//! Squares count down the files from the right, 0 for 1a and 80 for 9i; pieces are 1 to 14 for
//! Black and 17 to 30 for White; hands list pawn, lance, knight, silver, gold, bishop, rook. All
//! three are the numbers of Apery and cshogi.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use tesuji_shogi::{Color, Hand, Piece, PieceKind, Square};

/// The order of hands.
pub(crate) const HAND_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

pub(crate) fn color(number: u8) -> PyResult<Color> {
    let wrong = || PyValueError::new_err(format!("{number} is no colour: 0 is Black, 1 White"));
    Color::ALL
        .get(usize::from(number))
        .copied()
        .ok_or_else(wrong)
}

pub(crate) fn square(number: usize) -> PyResult<Square> {
    let wrong = || PyIndexError::new_err(format!("{number} is no square: expected 0 to 80"));
    Square::new(number).ok_or_else(wrong)
}

/// 0 for an empty square.
pub(crate) fn piece_number(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| piece.index() as u8)
}

pub(crate) fn piece(number: u8) -> PyResult<Option<Piece>> {
    let color = Color::ALL[usize::from(number >> 4 & 1)];
    match PieceKind::from_index(usize::from(number & 15)) {
        Some(kind) if number < 32 => Ok(Some(Piece::new(color, kind))),
        _ if number == 0 => Ok(None),
        _ => Err(PyValueError::new_err(format!(
            "{number} is no piece: expected 0, 1 to 14 or 17 to 30"
        ))),
    }
}

pub(crate) fn hand_counts(hand: Hand) -> [u8; 7] {
    HAND_ORDER.map(|kind| hand.count(kind) as u8)
}

pub(crate) fn hand(counts: &[u8; 7]) -> PyResult<Hand> {
    let mut hand = Hand::EMPTY;
    for (kind, &count) in HAND_ORDER.into_iter().zip(counts) {
        if u32::from(count) > kind.full_count() {
            return Err(PyValueError::new_err(format!(
                "{count} pieces of kind {kind:?} in hand, but a set has {}",
                kind.full_count()
            )));
        }
        hand = hand.with(kind, count.into());
    }
    Ok(hand)
}
