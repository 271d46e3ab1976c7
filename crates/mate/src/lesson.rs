//! What became of the moves a search met: from this the odds of `odds.rs` are counted.

use crate::dfpn::Memory;
use crate::guess::Features;
use crate::table::{Found, Length, Place};

/// How the search of a move ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The defender is mated.
    Mate,
    /// He escapes.
    Escape,
    /// Undecided after about two to this power positions; after none if it is zero.
    Open(u8),
}

/// A move that a search met, and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// Whether it is a check; otherwise it is an answer to one.
    pub is_check: bool,
    /// What could be seen of it.
    pub features: Features,
    /// How its search ended.
    pub fate: Fate,
}

/// Notes a part of the moves it sees.
#[derive(Debug)]
pub(crate) struct Pupil {
    most: usize,
    seen: usize,
    notes: Vec<(Place, bool, Features)>,
}

/// Of so many moves one is noted: those of one position resemble each other.
const SPARSE: usize = 5;

impl Pupil {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            seen: 0,
            notes: Vec::new(),
        }
    }

    pub(crate) fn see(
        &mut self,
        place: Place,
        is_check: bool,
        features: impl FnOnce() -> Features,
    ) {
        self.seen += 1;
        if self.seen.is_multiple_of(SPARSE) && self.notes.len() < self.most {
            self.notes.push((place, is_check, features()));
        }
    }

    /// What became of everything noted.
    pub(crate) fn lessons(&self, memory: &Memory) -> Vec<Lesson> {
        let lesson = |&(place, is_check, features): &(Place, bool, Features)| Lesson {
            is_check,
            features,
            fate: fate(memory, place, is_check),
        };
        self.notes.iter().map(lesson).collect()
    }
}

fn fate(memory: &Memory, place: Place, is_check: bool) -> Fate {
    match memory
        .table
        .look_up(place, !is_check, u16::MAX, Length::ANY)
    {
        Found::Mate(..) => Fate::Mate,
        Found::Escape(..) => Fate::Escape,
        Found::Open(_) => Fate::Open(memory.table.amount_at(place)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Solver};
    use tesuji_shogi::Position;

    #[test]
    fn a_search_teaches_what_became_of_its_moves() {
        let pos = Position::from_sfen("3sks3/9/4+P4/9/9/9/9/9/9 b 2G2S2N 1").unwrap();
        let lessons = |notes| {
            let mut solver = Solver::new(1 << 20).with_notes(notes);
            let verdict = solver.solve(&pos, pos.turn(), &Limits::NONE, &mut ());
            assert!(verdict.is_ok());
            solver.lessons()
        };
        assert!(lessons(0).is_empty());
        let some = lessons(3);
        assert!((1..=3).contains(&some.len()));
        let all = lessons(1000);
        assert!(all.starts_with(&some));
        assert!(all.iter().any(|lesson| lesson.is_check));
        assert!(
            all.iter()
                .flat_map(|lesson| lesson.features)
                .all(|f| f < 16)
        );
    }
}
