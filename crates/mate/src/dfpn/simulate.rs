//! A proof tried again on a similar position.
//!
//! Two interpositions on one square differ in one piece, and mostly the same moves mate after both
//! (simulation, Kawano 1996). When one is proven, its moves are tried on the next: the attacker
//! does what he did there, and every answer must be covered. Nothing is believed without a proof of
//! its own; what cannot be copied is left to the search.

use super::MateWorker;
use crate::dominance::{self, PackedHand};
use crate::expand;
use crate::memory::SearchMemory;
use crate::table::{Length, PositionKey, TableProbe};
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

    /// The twin, as the table sees it.
    fn position(self, position: PositionKey) -> Option<PositionKey> {
        if self.is_taken {
            let has = position.hand.count(self.here) > 0;
            return has.then(|| PositionKey {
                key: position.key,
                hand: position.hand.minus(self.here).plus(self.there),
            });
        }
        let share = |kind| expand::share(Piece::new(self.defender, kind), self.square);
        Some(PositionKey {
            key: position.key ^ share(self.here) ^ share(self.there),
            hand: position.hand,
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

impl MateWorker {
    /// Tries the proof of the twin on the present position, in which the attacker is to move.
    pub(crate) fn copy_proof(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        twin: Twin,
    ) -> Option<(PackedHand, Length)> {
        let mut budget = BUDGET;
        self.copy_attack(memory, position, twin, &mut budget)
    }

    fn copy_attack(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        twin: Twin,
        budget: &mut u32,
    ) -> Option<(PackedHand, Length)> {
        *budget = budget.checked_sub(1)?;
        self.nodes += 1;
        if let TableProbe::Mate(hand, length) =
            memory.table.look_up(position, true, u16::MAX, Length::ANY)
        {
            return Some((hand, length));
        }
        if let Some((hand, length)) = self.mate_at_once() {
            memory
                .table
                .store_mate(PositionKey { hand, ..position }, length, 1, &mut self.taken);
            return Some((hand, length));
        }
        let (mv, child_position) = self.move_of_twin(memory, position, twin)?;
        let twin = twin.after(mv)?;
        self.pos.play(mv);
        let found = self.copy_defence(memory, child_position, twin, budget);
        self.pos.undo();
        let (hand, length) = found?;
        let (hand, length) = (dominance::before(&self.pos, mv, hand), length.longer());
        memory
            .table
            .store_mate(PositionKey { hand, ..position }, length, 1, &mut self.taken);
        Some((hand, length))
    }

    /// The move with which the twin is mated soonest, if it can be played here too.
    fn move_of_twin(
        &self,
        memory: &SearchMemory,
        position: PositionKey,
        twin: Twin,
    ) -> Option<(Move, PositionKey)> {
        let (bound, _) = memory.table.range(twin.position(position)?, true);
        let bound = bound?;
        let mut list = MoveList::new();
        expand::moves(&self.pos, true, &mut list);
        let proven = list.iter().filter_map(|mv| {
            let child_position = self.child_position(position, mv);
            let there = twin.after(mv)?.position(child_position)?;
            let (length, _) = memory.table.range(there, false);
            // The bound falls with every move, so that the copy ends.
            length
                .filter(|&length| length < bound)
                .map(|length| (length, mv, child_position))
        });
        let (_, mv, child_position) = proven.min_by_key(|&(length, ..)| length)?;
        Some((mv, child_position))
    }

    fn copy_defence(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        twin: Twin,
        budget: &mut u32,
    ) -> Option<(PackedHand, Length)> {
        let mut list = MoveList::new();
        expand::moves(&self.pos, false, &mut list);
        let (mut needed, mut longest) = (PackedHand::EMPTY, Length(0));
        for mv in list.iter() {
            let child_position = self.child_position(position, mv);
            self.pos.play(mv);
            let found = match memory
                .table
                .look_up(child_position, true, u16::MAX, Length::ANY)
            {
                TableProbe::Mate(hand, length) => Some((hand, length)),
                TableProbe::Escape(..) => None,
                TableProbe::Open(_) => twin
                    .after(mv)
                    .and_then(|twin| self.copy_attack(memory, child_position, twin, budget)),
            };
            self.pos.undo();
            let (hand, length) = found?;
            needed = needed.most(hand);
            longest = longest.max(length.longer());
        }
        let hand = dominance::proof(&self.pos, needed);
        memory.table.store_mate(
            PositionKey { hand, ..position },
            longest,
            1,
            &mut self.taken,
        );
        Some((hand, longest))
    }

    /// A mate in one from the present position: what it needs in hand.
    fn mate_at_once(&mut self) -> Option<(PackedHand, Length)> {
        let mv = tactics::mate_in_one(&mut self.pos)?;
        self.pos.play(mv);
        let needed = dominance::proof(&self.pos, PackedHand::EMPTY);
        self.pos.undo();
        Some((dominance::before(&self.pos, mv, needed), Length(1)))
    }
}
