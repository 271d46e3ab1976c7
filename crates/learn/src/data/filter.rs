//! Which positions are worth learning from.
//!
//! A network is asked about quiet positions: where a piece hangs, the search looks further before
//! it asks. Positions in check, positions whose best move takes or promotes, and decided ones teach
//! it little (nodchip's learner, 2018; Viridithas and others report the same for chess).

use super::record::DataRecord;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tesuji_record::samples::{Sample, SampleProblem};
use tesuji_shogi::Move;

/// What is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    /// What a network does not learn from unless it is told to.
    #[must_use]
    pub const fn for_training() -> Self {
        Self {
            in_check: true,
            tactical: true,
            decided: Some(3000),
            before_ply: 0,
            repeated: false,
        }
    }

    /// Looks at a record; `seen` holds the keys of those that came before.
    ///
    /// # Errors
    /// If the record is no position; only told where the position is looked at.
    pub fn look(
        &self,
        record: &DataRecord,
        seen: &mut HashSet<u64>,
    ) -> Result<Kept, SampleProblem> {
        let kept = self.look_at_numbers(record.ply(), record.score());
        if kept != Kept::Yes {
            return Ok(kept);
        }
        if self.repeated && !seen.insert(record.key()) {
            return Ok(Kept::Repeated);
        }
        match self.in_check || self.tactical {
            true => Ok(self.look_at_board(&record.unpack()?)),
            false => Ok(Kept::Yes),
        }
    }

    /// Looks at a sample, but not for whether it came before.
    pub fn look_at(&self, sample: &Sample) -> Kept {
        let ply = u16::try_from(sample.position.ply()).unwrap_or(u16::MAX);
        let score = sample
            .value
            .points()
            .clamp(i16::MIN.into(), i16::MAX.into());
        match self.look_at_numbers(ply, score as i16) {
            Kept::Yes => self.look_at_board(sample),
            left_out => left_out,
        }
    }

    fn look_at_numbers(&self, ply: u16, score: i16) -> Kept {
        if ply < self.before_ply {
            Kept::Early
        } else if score.unsigned_abs() >= self.decided.unwrap_or(u16::MAX) {
            Kept::Decided
        } else {
            Kept::Yes
        }
    }

    fn look_at_board(&self, sample: &Sample) -> Kept {
        let pos = &sample.position;
        let takes = |mv: Move| pos.is_capture(mv) || mv.is_promotion();
        if self.in_check && pos.in_check() {
            Kept::InCheck
        } else if self.tactical && sample.mv.is_some_and(takes) {
            Kept::Tactical
        } else {
            Kept::Yes
        }
    }
}
