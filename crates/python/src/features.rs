//! The active features of networks, straight from packed positions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tesuji_eval::bona_piece::FULL_SET;
use tesuji_eval::nnue::FeatureSet;
use tesuji_record::packed::PieceList;

/// A set of features by its short name.
pub(crate) fn set_of(name: &str) -> PyResult<FeatureSet> {
    let known = [
        ("kp", FeatureSet::KP),
        ("halfkp", FeatureSet::HALF_KP),
        ("halfkp_vm", FeatureSet::HALF_KP_VM),
        ("halfka", FeatureSet::HALF_KA),
        ("halfka_hm", FeatureSet::HALF_KA_HM),
        ("halfka2", FeatureSet::HALF_KA_2),
        ("halfka_hm2", FeatureSet::HALF_KA_HM_2),
    ];
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|&(_, set)| set).ok_or_else(|| {
        let names = known.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!(
            "{name:?} names no features: expected one of {names}"
        ))
    })
}

/// How many features are active for one side.
pub(crate) fn active(set: &FeatureSet) -> usize {
    FULL_SET as usize + if set.kings.is_some() { 2 } else { 0 }
}

/// Lists the features that the side to move sees, then those of the other side, each in one half of
/// `rows`. A piece that is missing from the set counts as one that has no place, as in the engine.
pub(crate) fn fill(set: &FeatureSet, list: &PieceList, rows: &mut [i32]) {
    let (own, other) = rows.split_at_mut(rows.len() / 2);
    for (pov, rows) in [(list.turn, own), (list.turn.foe(), other)] {
        let perspective = set.perspective(pov, Some(list.kings[pov.index()]));
        let (kings, on_board) = list.on_board().split_at(2);
        let (in_hand, king_rows) = (list.in_hand(), active(set) - FULL_SET as usize);
        let (first, rows) = rows.split_at_mut(king_rows);
        let (second, rows) = rows.split_at_mut(on_board.len());
        let (third, missing) = rows.split_at_mut(in_hand.len());
        for (row, &placed) in first.iter_mut().zip(kings) {
            *row = perspective.feature(placed).unwrap_or(0) as i32;
        }
        for (row, &placed) in second.iter_mut().zip(on_board) {
            *row = perspective.board_feature(placed) as i32;
        }
        for (row, &placed) in third.iter_mut().zip(in_hand) {
            *row = perspective.hand_feature(placed) as i32;
        }
        missing.fill(perspective.missing() as i32);
    }
}
