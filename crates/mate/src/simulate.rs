//! A proof tried again on a similar position.
//!
//! Two interpositions on one square differ in one piece, and mostly the same moves mate after both
//! (simulation, Kawano 1996). When one is proven, its moves are tried on the next: the attacker
//! does what he did there, and every answer must be covered. Nothing is believed without a proof of
//! its own; what cannot be copied is left to the search.

use crate::dfpn::{Memory, Worker};
use crate::dominance::{self, Held};
use crate::expand;
use crate::table::{Found, Length, Place};
use tesuji_shogi::{Color, Move, MoveList, Piece, PieceKind, Square, tactics};

/// How many positions one attempt may look at.
const BUDGET: u32 = 300;

/// In what a position differs from its proven twin.
#[derive(Clone, Copy)]
pub(crate) struct Twin {
    square: Square,
    defender: Color,
    here: PieceKind,
    there: PieceKind,
    /// Whether the piece was taken and is in the attacker's hand.
    is_taken: bool,
}

impl Twin {
    /// Two drops on one square; `there` is proven.
    pub(crate) fn of_drops(defender: Color, here: Move, there: Move) -> Option<Self> {
        if here.to() != there.to() {
            return None;
        }
        Some(Self {
            square: here.to(),
            defender,
            here: here.dropped()?,
            there: there.dropped()?,
            is_taken: false,
        })
    }

    /// The place of the twin.
    fn place(self, place: Place) -> Option<Place> {
        if self.is_taken {
            let has = place.hand.count(self.here) > 0;
            return has.then(|| Place {
                key: place.key,
                hand: place.hand.minus(self.here).plus(self.there),
            });
        }
        let share = |kind| expand::share(Piece::new(self.defender, kind), self.square);
        Some(Place {
            key: place.key ^ share(self.here) ^ share(self.there),
            hand: place.hand,
        })
    }

    /// The difference after a move; `None` if the piece itself has moved on.
    fn after(mut self, mv: Move) -> Option<Self> {
        if !self.is_taken {
            if mv.from() == Some(self.square) {
                return None;
            }
            self.is_taken = mv.to() == self.square;
        }
        Some(self)
    }
}

impl Worker {
    /// Tries the proof of the twin on the present position, in which the attacker is to move.
    pub(crate) fn copy_proof(
        &mut self,
        memory: &Memory,
        place: Place,
        twin: Twin,
    ) -> Option<(Held, Length)> {
        let mut budget = BUDGET;
        self.copy_attack(memory, place, twin, &mut budget)
    }

    fn copy_attack(
        &mut self,
        memory: &Memory,
        place: Place,
        twin: Twin,
        budget: &mut u32,
    ) -> Option<(Held, Length)> {
        *budget = budget.checked_sub(1)?;
        self.nodes += 1;
        if let Found::Mate(hand, length) = memory.table.look_up(place, true, u16::MAX, Length::ANY)
        {
            return Some((hand, length));
        }
        if let Some((hand, length)) = self.mate_at_once() {
            memory
                .table
                .store_mate(Place { hand, ..place }, length, 1, &mut self.taken);
            return Some((hand, length));
        }
        let (mv, behind) = self.move_of_twin(memory, place, twin)?;
        let twin = twin.after(mv)?;
        self.pos.play(mv);
        let found = self.copy_defence(memory, behind, twin, budget);
        self.pos.undo();
        let (hand, length) = found?;
        let (hand, length) = (dominance::before(&self.pos, mv, hand), length.longer());
        memory
            .table
            .store_mate(Place { hand, ..place }, length, 1, &mut self.taken);
        Some((hand, length))
    }

    /// The move with which the twin is mated soonest, if it can be played here too.
    fn move_of_twin(&self, memory: &Memory, place: Place, twin: Twin) -> Option<(Move, Place)> {
        let (bound, _) = memory.table.range(twin.place(place)?, true);
        let bound = bound?;
        let mut list = MoveList::new();
        expand::moves(&self.pos, true, &mut list);
        let proven = list.iter().filter_map(|mv| {
            let behind = self.behind(place, mv);
            let there = twin.after(mv)?.place(behind)?;
            let (length, _) = memory.table.range(there, false);
            // The bound falls with every move, so that the copy ends.
            length
                .filter(|&length| length < bound)
                .map(|length| (length, mv, behind))
        });
        let (_, mv, behind) = proven.min_by_key(|&(length, ..)| length)?;
        Some((mv, behind))
    }

    fn copy_defence(
        &mut self,
        memory: &Memory,
        place: Place,
        twin: Twin,
        budget: &mut u32,
    ) -> Option<(Held, Length)> {
        let mut list = MoveList::new();
        expand::moves(&self.pos, false, &mut list);
        let (mut needed, mut longest) = (Held::EMPTY, Length(0));
        for mv in list.iter() {
            let behind = self.behind(place, mv);
            self.pos.play(mv);
            let found = match memory.table.look_up(behind, true, u16::MAX, Length::ANY) {
                Found::Mate(hand, length) => Some((hand, length)),
                Found::Escape(..) => None,
                Found::Open(_) => twin
                    .after(mv)
                    .and_then(|twin| self.copy_attack(memory, behind, twin, budget)),
            };
            self.pos.undo();
            let (hand, length) = found?;
            needed = needed.most(hand);
            longest = longest.max(length.longer());
        }
        let hand = dominance::proof(&self.pos, needed);
        memory
            .table
            .store_mate(Place { hand, ..place }, longest, 1, &mut self.taken);
        Some((hand, longest))
    }

    /// A mate in one from the present position: what it needs in hand.
    fn mate_at_once(&mut self) -> Option<(Held, Length)> {
        let mv = tactics::mate_in_one(&mut self.pos)?;
        self.pos.play(mv);
        let needed = dominance::proof(&self.pos, Held::EMPTY);
        self.pos.undo();
        Some((dominance::before(&self.pos, mv, needed), Length(1)))
    }
}
