//! Training samples: what became of the moves a search met. From them `examples/01_odds.rs` fits
//! the log-odds of `log_odds.rs`.

use crate::heuristic_init::MoveFeatures;
use crate::memory::SearchMemory;
use crate::table::{Length, PositionKey, TableProbe};

/// How the search of a move ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOutcome {
    /// The defender is mated.
    Mate,
    /// He escapes.
    Escape,
    /// Undecided after about two to this power positions; after none if it is zero.
    Open(u8),
}

/// A move that a search met, and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveSample {
    /// Whether it is a check; otherwise it is an answer to one.
    pub is_check: bool,
    /// What could be seen of it.
    pub features: MoveFeatures,
    /// How its search ended.
    pub outcome: MoveOutcome,
}

/// Records a part of the moves it sees.
#[derive(Debug)]
pub(crate) struct MoveSampleRecorder {
    most: usize,
    seen: usize,
    recorded: Vec<(PositionKey, bool, MoveFeatures)>,
}

/// Of so many moves one is recorded: those of one position resemble each other.
const SPARSE: usize = 5;

impl MoveSampleRecorder {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            seen: 0,
            recorded: Vec::new(),
        }
    }

    pub(crate) fn record(
        &mut self,
        position: PositionKey,
        is_check: bool,
        features: impl FnOnce() -> MoveFeatures,
    ) {
        self.seen += 1;
        if self.seen.is_multiple_of(SPARSE) && self.recorded.len() < self.most {
            self.recorded.push((position, is_check, features()));
        }
    }

    /// What became of everything recorded.
    pub(crate) fn samples(&self, memory: &SearchMemory) -> Vec<MoveSample> {
        let sample =
            |&(position, is_check, features): &(PositionKey, bool, MoveFeatures)| MoveSample {
                is_check,
                features,
                outcome: outcome(memory, position, is_check),
            };
        self.recorded.iter().map(sample).collect()
    }
}

fn outcome(memory: &SearchMemory, position: PositionKey, is_check: bool) -> MoveOutcome {
    match memory
        .table
        .look_up(position, !is_check, u16::MAX, Length::ANY)
    {
        TableProbe::Mate(..) => MoveOutcome::Mate,
        TableProbe::Escape(..) => MoveOutcome::Escape,
        TableProbe::Open(_) => MoveOutcome::Open(memory.table.amount_at(position)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{MateLimits, Solver};
    use tesuji_shogi::Position;

    #[test]
    fn a_search_records_what_became_of_its_moves() {
        let pos = Position::from_sfen("3sks3/9/4+P4/9/9/9/9/9/9 b 2G2S2N 1").unwrap();
        let samples = |most| {
            let mut solver = Solver::new(1 << 20).with_move_samples(most);
            let verdict = solver.solve(&pos, pos.turn(), &MateLimits::NONE, &mut ());
            assert!(verdict.is_ok());
            solver.move_samples()
        };
        assert!(samples(0).is_empty());
        let some = samples(3);
        assert!((1..=3).contains(&some.len()));
        let all = samples(1000);
        assert!(all.starts_with(&some));
        assert!(all.iter().any(|sample| sample.is_check));
        assert!(
            all.iter()
                .flat_map(|sample| sample.features)
                .all(|f| f < 16)
        );
    }
}
