//! The static value of a node, and where it is going.

use crate::order::correction::Likeness;
use crate::order::history::{NOWHERE, pawn_structure};
use crate::tournament::scores::tamed;
use crate::tournament::visit::{Node, Visit, says};
use crate::tournament::worker::Worker;
use tesuji_eval::Eval;
use tesuji_shogi::{PieceKind, Value};

/// The depth of an entry that holds an evaluation alone.
pub(in crate::tournament) const UNSEARCHED: i32 = -2;

impl<E: Eval> Worker<'_, E> {
    pub(in crate::tournament) fn judge<N: Node>(&mut self, visit: &mut Visit) {
        let ply = visit.ply;
        if visit.in_check {
            // Nothing to say in check; two plies ago is the best guess.
            visit.corrected = self.before(ply, 2).corrected;
            visit.guess = visit.corrected;
            self.frame(ply).corrected = visit.corrected;
            return;
        }
        self.weigh(visit);
        self.frame(ply).corrected = visit.corrected;
        visit.guess = visit.corrected;
        // What the table knows includes the move that is left out, if one is.
        if visit.excluded.is_none()
            && let Some((value, bound)) = visit.table_value()
            && says(bound, value > visit.guess)
        {
            visit.guess = value;
        }
        visit.improving = visit.corrected > self.before(ply, 2).corrected;
        visit.worsening = visit.corrected > -self.before(ply, 1).corrected;
        if visit.excluded.is_none() {
            self.teach_by_swing(visit);
        }
    }

    /// What the position has in common with others. Done before the table is asked: its answer is
    /// still on the way from memory.
    #[inline]
    pub(in crate::tournament) fn liken(&mut self, visit: &mut Visit) {
        visit.pawn_structure = pawn_structure(&self.pos);
        if !visit.in_check {
            visit.likeness = Likeness::of(&self.pos, visit.pawn_structure, &visit.trail);
            visit.correction = self.mind.corrections.of(self.pos.turn(), &visit.likeness);
        }
    }

    /// The evaluation, corrected.
    #[inline]
    pub(in crate::tournament) fn weigh(&mut self, visit: &mut Visit) {
        let known = visit.entry.and_then(|entry| entry.eval);
        let raw = known.unwrap_or_else(|| self.evaluate());
        visit.raw = Some(raw);
        visit.corrected = tamed(raw + Value::new(visit.correction.points()));
        if visit.entry.is_none() && visit.depth > 0 {
            self.keep(visit, None, UNSEARCHED, None);
        }
    }

    /// A quiet move after which the evaluation rose for the side that played it was a good one.
    fn teach_by_swing(&mut self, visit: &Visit) {
        let before = *self.before(visit.ply, 1);
        let Some(mv) = before.mv else { return };
        if before.in_check || before.row == NOWHERE || visit.ply == 0 {
            return;
        }
        if self.pos.last_taken().is_some() {
            return;
        }
        let params = self.params();
        let fall = -(before.corrected + visit.corrected).points();
        let bonus = fall.clamp(-params.swing_fall, params.swing_rise) + params.swing_base;
        let (mover, histories) = (self.pos.turn().foe(), &mut self.mind.histories);
        histories.teach_quiet(mover, mv, bonus * params.swing_quiet);
        let is_pawn = before.landing / 81 % 16 == PieceKind::Pawn.index();
        if visit.entry.is_none() && !is_pawn && !mv.is_promotion() {
            let bonus = bonus * params.swing_pawns;
            histories.teach_pawns(visit.pawn_structure, before.landing, bonus);
        }
    }
}
