//! The end of a visit: teach the histories, fill the table.

use super::moves::Tried;
use super::scores::is_decided;
use super::visit::{Node, Visit};
use super::worker::Worker;
use crate::order::correction::Corrections;
use crate::order::history::{NOWHERE, landing};
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Move, PieceKind, Value};

impl<E: Eval> Worker<'_, E> {
    pub(super) fn conclude<N: Node>(&mut self, visit: &mut Visit, tried: &Tried) -> Value {
        if tried.count == 0 {
            // No legal move loses, in check or not.
            visit.best = match visit.excluded {
                Some(_) => visit.alpha,
                None => Value::mated_in(visit.ply as i32),
            };
        } else if visit.best >= visit.beta && !is_decided(visit.best) && !is_decided(visit.alpha) {
            let (depth, best) = (visit.depth, visit.best.points());
            visit.best = Value::new((best * depth + visit.beta.points()) / (depth + 1));
        }
        match visit.best_move {
            Some(mv) => self.teach_best::<N>(visit, mv, tried),
            None if tried.count > 0 => self.teach_reply_failed(visit),
            None => {}
        }
        if visit.best <= visit.floor {
            visit.was_pv |= self.before(visit.ply, 1).was_pv;
            let was_pv = visit.was_pv;
            self.frame(visit.ply).was_pv = was_pv;
        }
        if visit.excluded.is_none() && !(N::ROOT && self.rank > 0) {
            self.fill_table::<N>(visit, tried);
        }
        self.teach_correction(visit);
        visit.best
    }

    fn fill_table<N: Node>(&self, visit: &Visit, tried: &Tried) {
        let bound = if visit.best >= visit.beta {
            Bound::Lower
        } else if N::PV && visit.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = if tried.count > 0 {
            visit.depth
        } else {
            visit.depth + 6
        };
        self.keep(visit, Some((visit.best, bound)), depth, visit.best_move);
    }

    /// What a search found out about an evaluation, unless a capture explains the difference.
    fn teach_correction(&mut self, visit: &Visit) {
        let explained = visit.best_move.is_some_and(|mv| self.pos.is_capture(mv));
        let rose = visit.best > visit.corrected;
        if visit.in_check || explained || rose != visit.best_move.is_some() {
            return;
        }
        let error = (visit.best - visit.corrected).points();
        let most = Corrections::LIMIT / 4;
        let weight = match visit.best_move {
            Some(_) => self.params().correction_best,
            None => self.params().correction_none,
        };
        let bonus = (error * visit.depth / weight).clamp(-most, most);
        self.mind
            .corrections
            .teach(self.pos.turn(), &visit.likeness, bonus);
    }

    /// The best move is praised, what was tried before it is blamed, and so is the move that led
    /// here if it was the first of its node.
    fn teach_best<N: Node>(&mut self, visit: &Visit, best: Move, tried: &Tried) {
        let params = self.params();
        if !N::PV {
            let was_known = Some(best) == visit.table_move;
            let histories = &mut self.mind.histories;
            let lesson = params.trust_lesson;
            histories.teach_trust(if was_known { lesson } else { -lesson });
        }
        let from_table = i32::from(Some(best) == visit.table_move);
        let bonus = (params.bonus_slope * visit.depth - params.bonus_offset).min(params.bonus_most)
            + params.bonus_table * from_table
            + self.before(visit.ply, 1).past / params.bonus_past;
        let malus = (params.malus_slope * visit.depth - params.malus_offset).min(params.malus_most);
        if self.pos.is_capture(best) {
            self.teach_capture(best, bonus * params.teach_capture / 100);
        } else {
            self.teach_quiet(visit, best, bonus * params.teach_quiet / 100);
            let mut blame = malus * params.blame_quiet / 100;
            for mv in tried.quiet.iter() {
                blame = blame * params.blame_next / 100;
                self.teach_quiet(visit, mv, -blame);
            }
        }
        for mv in tried.captures.iter() {
            self.teach_capture(mv, -malus * params.blame_capture / 100);
        }
        let before = *self.before(visit.ply, 1);
        let was_first = before.tried == 1 + i32::from(before.hit);
        if was_first && before.row != NOWHERE && self.pos.last_taken().is_none() {
            self.teach_before(visit, -malus * params.blame_before / 100);
        }
    }

    /// The move that led here was good if nothing refuted it, and all the more the less that was
    /// to be expected.
    fn teach_reply_failed(&mut self, visit: &Visit) {
        let (params, before) = (self.params(), *self.before(visit.ply, 1));
        let Some(mv) = before.mv else { return };
        if visit.ply == 0 {
            return;
        }
        if let Some(taken) = self.pos.last_taken() {
            let histories = &mut self.mind.histories;
            histories.teach_capture(before.landing, Some(taken.kind()), params.praise_capture);
            return;
        }
        let pick = |is: bool, points: i32| if is { points } else { 0 };
        let falls = |from: Value, points: i32| visit.best <= from - Value::new(points);
        let fell = !visit.in_check && falls(visit.corrected, params.surprise_margin);
        let fell_before =
            !before.in_check && falls(-before.corrected, params.surprise_margin_before);
        let surprise = (params.surprise_slope * visit.depth).min(params.surprise_most)
            - params.praise_threshold
            - before.past / params.surprise_past
            + pick(before.tried > 8, params.surprise_late)
            + pick(fell, params.surprise_fall)
            + pick(fell_before, params.surprise_fall_before);
        let lesson =
            (params.praise_slope * visit.depth - params.praise_offset).min(params.praise_most);
        let bonus = lesson * surprise.clamp(0, 1000);
        self.teach_before(visit, bonus / 1024 * params.praise_follow / 64);
        let mover = self.pos.turn().foe();
        let histories = &mut self.mind.histories;
        histories.teach_quiet(mover, mv, bonus / 1024 * params.praise_quiet / 64);
        if before.landing / 81 % 16 != PieceKind::Pawn.index() && !mv.is_promotion() {
            let bonus = bonus / 1024 * params.praise_pawns / 64;
            histories.teach_pawns(visit.pawn_structure, before.landing, bonus);
        }
    }

    /// Teaches what the move that led here followed.
    fn teach_before(&mut self, visit: &Visit, bonus: i32) {
        if visit.ply == 0 {
            return;
        }
        let (before, trail) = (*self.before(visit.ply, 1), self.trail(visit.ply - 1));
        self.mind
            .histories
            .teach_follow(&trail, before.in_check, before.landing, bonus);
    }

    pub(super) fn teach_cut_by_table(&mut self, visit: &Visit, mv: Move) {
        let params = self.params();
        if !self.pos.is_capture(mv) {
            let bonus = params.table_slope * visit.depth - params.table_offset;
            self.teach_quiet(visit, mv, bonus.min(params.table_most));
        }
        let before = *self.before(visit.ply, 1);
        let quiet = self.pos.last_taken().is_none();
        if before.row != NOWHERE && before.tried <= 4 && quiet {
            self.teach_before(visit, -params.table_blame);
        }
    }

    fn teach_quiet(&mut self, visit: &Visit, mv: Move, bonus: i32) {
        let place = landing(self.pos.moved_piece_after(mv), mv.to());
        let (params, turn) = (self.params(), self.pos.turn());
        let histories = &mut self.mind.histories;
        histories.teach_quiet(turn, mv, bonus);
        histories.teach_shallow(visit.ply, mv, bonus * params.teach_shallow / 100);
        histories.teach_follow(&visit.trail, visit.in_check, place, bonus);
        let share = if bonus > 0 {
            params.praise_structure
        } else {
            params.blame_structure
        };
        histories.teach_pawns(visit.pawn_structure, place, bonus * share / 1024);
    }

    fn teach_capture(&mut self, mv: Move, bonus: i32) {
        let taken = self.pos.at(mv.to()).map(|piece| piece.kind());
        let place = landing(self.pos.moved_piece_after(mv), mv.to());
        self.mind.histories.teach_capture(place, taken, bonus);
    }
}
