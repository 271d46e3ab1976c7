//! Which positions are worth learning from.
//!
//! A network is asked about quiet positions: where a piece hangs, the search looks further before
//! it asks. Positions in check, positions whose best move takes or promotes, and decided ones teach
//! it little (nodchip's learner, 2018; Viridithas and others report the same for chess).

use super::record::DataRecord;
use std::collections::HashSet;
use tesuji_record::samples::SampleProblem;

/// What is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Positions in check.
    pub in_check: bool,
    /// Positions whose move takes a piece or promotes one.
    pub tactical: bool,
    /// Positions worth at least this much to either side.
    pub decided: Option<u16>,
    /// Positions before this ply.
    pub before_ply: u16,
    /// Positions that came before.
    pub repeated: bool,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kept {
    /// It stays.
    Yes,
    /// It is too early in its game.
    Early,
    /// It is decided.
    Decided,
    /// It came before.
    Repeated,
    /// The side to move is in check.
    InCheck,
    /// Its move takes or promotes.
    Tactical,
}

impl Filter {
    /// Looks at a record; `seen` holds the keys of those that came before.
    ///
    /// # Errors
    /// If the record is no position; only told where the position is looked at.
    pub fn look(
        &self,
        record: &DataRecord,
        seen: &mut HashSet<u64>,
    ) -> Result<Kept, SampleProblem> {
        if record.ply() < self.before_ply {
            return Ok(Kept::Early);
        }
        let most = self.decided.unwrap_or(u16::MAX);
        if record.score().unsigned_abs() >= most {
            return Ok(Kept::Decided);
        }
        if self.repeated && !seen.insert(record.key()) {
            return Ok(Kept::Repeated);
        }
        if !self.in_check && !self.tactical {
            return Ok(Kept::Yes);
        }
        let sample = record.unpack()?;
        let pos = &sample.position;
        if self.in_check && pos.in_check() {
            return Ok(Kept::InCheck);
        }
        let is_tactical = sample
            .mv
            .is_some_and(|mv| pos.is_capture(mv) || mv.is_promotion());
        Ok(match self.tactical && is_tactical {
            true => Kept::Tactical,
            false => Kept::Yes,
        })
    }
}
