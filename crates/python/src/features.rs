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
        let features = list.placed().iter();
        let mut features = features.filter_map(|&placed| perspective.feature(placed));
        for row in rows {
            *row = features.next().unwrap_or(perspective.missing()) as i32;
        }
    }
}
