//! Quiescence: captures, promotions and checks until nothing hangs.

use super::scores::{between, is_decided, is_loss};
use super::visit::{Node, Visit, says};
use super::worker::Worker;
use crate::order::picker::{Picker, Sources, Want};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::tactics::{self, CheckSquares, see};
use tesuji_shogi::{Bound, Move, Value};

impl<E: Eval> Worker<'_, E> {
    /// The value of the position when everything that hangs is taken; `depth` counts down from 0.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        depth: i32,
    ) -> Value {
        let mut visit = Visit::new(alpha, beta, depth, ply, false, self.pos.key());
        match self.calm::<N>(&mut visit) {
            Break(value) | Continue(value) => value,
        }
    }

    fn calm<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value, Value> {
        if self.stopped {
            return Break(Value::ZERO);
        }
        visit.in_check = self.pos.in_check();
        visit.trail = self.trail(visit.ply);
        self.liken(visit);
        self.reach = self.reach.max(visit.ply + 1);
        if N::PV {
            self.variations[visit.ply].clear();
        }
        if let Some(value) = self.ruled(visit.ply) {
            return Break(value);
        }
        self.recall_calm::<N>(visit)?;
        if visit.in_check {
            self.frame(visit.ply).in_check = true;
        } else {
            self.stand_pat::<N>(visit)?;
        }
        self.try_calm::<N>(visit)?;
        Continue(self.conclude_calm(visit))
    }

    fn recall_calm<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        visit.entry = self.look_up(visit.key, visit.ply);
        let entry = visit.entry;
        visit.was_pv = entry.is_some_and(|entry| entry.pv);
        visit.table_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.pos.is_legal(mv));
        if let Some((value, bound)) = visit.table_value()
            && !N::PV
            && visit.table_depth() >= 0
            && says(bound, value >= visit.beta)
        {
            return Break(value);
        }
        Continue(())
    }

    /// Nobody has to take: the evaluation is a lower bound.
    fn stand_pat<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        let is_new = visit.entry.is_none();
        if is_new && let Some(mv) = tactics::mate_in_one(&mut self.pos) {
            let value = Value::mate_in(visit.ply as i32 + 1);
            self.keep(visit, Some((value, Bound::Exact)), 0, Some(mv));
            if N::PV {
                self.variations[visit.ply].push(mv);
            }
            return Break(value);
        }
        self.weigh(visit);
        let frame = self.frame(visit.ply);
        (frame.corrected, frame.in_check) = (visit.corrected, false);
        visit.best = visit.corrected;
        if let Some((value, bound)) = visit.table_value()
            && !is_decided(value)
            && says(bound, value > visit.best)
        {
            visit.best = value;
        }
        if visit.best >= visit.beta {
            if !is_decided(visit.best) {
                visit.best = between(visit.best, 1, visit.beta);
            }
            if is_new {
                let kept = Some((visit.best, Bound::Lower));
                self.keep(visit, kept, super::stage::UNSEARCHED, None);
            }
            return Break(visit.best);
        }
        visit.alpha = visit.alpha.max(visit.best);
        Continue(())
    }

    fn try_calm<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        let want = if visit.in_check {
            Want::All
        } else if visit.depth == 0 && self.tries_checks::<N>() {
            Want::CapturesAndChecks
        } else {
            Want::Captures
        };
        // Without a check only what quiescence would try itself is taken from the table.
        let table = visit
            .table_move
            .filter(|&mv| visit.in_check || self.pos.is_capture(mv));
        let all_moves = self.shared.rules.all_moves;
        let mut picker = Picker::new(want, table, visit.in_check, all_moves, &self.arena);
        let flow = self.each_calm::<N>(visit, &mut picker);
        picker.close(&mut self.arena);
        flow
    }

    /// Checks are tried in principal variations: elsewhere they cost more than they find.
    fn tries_checks<N: Node>(&self) -> bool {
        match self.params().quiescence_checks {
            0 => false,
            1 => N::PV,
            _ => true,
        }
    }

    fn each_calm<N: Node>(&mut self, visit: &mut Visit, picker: &mut Picker) -> ControlFlow<Value> {
        let (mut tried, mut checks) = (0, None);
        while let Some(mv) = self.next_calm(visit, picker) {
            tried += 1;
            if !is_loss(visit.best) {
                let checks = checks.get_or_insert_with(|| CheckSquares::of(&self.pos));
                if self.skips_calm(visit, checks, mv, tried) {
                    continue;
                }
            }
            self.play(mv, visit.ply);
            let value =
                -self.quiescence::<N>(-visit.beta, -visit.alpha, visit.ply + 1, visit.depth - 1);
            self.take_back();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if value > visit.best {
                visit.best = value;
                if value > visit.alpha {
                    visit.best_move = Some(mv);
                    self.note_calm::<N>(visit.ply, mv);
                    if value >= visit.beta {
                        return Continue(());
                    }
                    visit.alpha = value;
                }
            }
        }
        if tried == 0 && visit.in_check {
            return Break(Value::mated_in(visit.ply as i32));
        }
        Continue(())
    }

    fn note_calm<N: Node>(&mut self, ply: usize, mv: Move) {
        if N::PV {
            let (above, below) = self.variations.split_at_mut(ply + 1);
            above[ply].clear();
            above[ply].push(mv);
            above[ply].extend_from_slice(&below[0]);
        }
    }

    fn next_calm(&mut self, visit: &Visit, picker: &mut Picker) -> Option<Move> {
        let sources = Sources {
            pos: &self.pos,
            histories: &self.mind.histories,
            checks: None,
            trail: &visit.trail,
            pawn_structure: visit.pawn_structure,
            ply: visit.ply,
        };
        picker.next(&sources, &mut self.arena)
    }

    /// Whether a move cannot bring enough, or loses too much.
    fn skips_calm(&self, visit: &mut Visit, checks: &CheckSquares, mv: Move, tried: i32) -> bool {
        let params = self.params();
        let gives_check = checks.is_check(&self.pos, mv);
        let takes_back = self
            .before(visit.ply, 1)
            .mv
            .is_some_and(|before| before.to() == mv.to());
        if !visit.in_check && !gives_check && !takes_back {
            if tried > 2 {
                return true;
            }
            let base = visit.corrected + Value::new(params.quiescence_margin);
            let taken = self
                .pos
                .at(mv.to())
                .map_or(0, |piece| piece.kind().worth().points());
            let promoted = if mv.is_promotion() {
                let kind = self.pos.moved_piece_after(mv).kind();
                (kind.worth() - kind.base().worth()).points()
            } else {
                0
            };
            let hope = base + Value::new(taken + promoted);
            if hope <= visit.alpha {
                visit.best = visit.best.max(hope);
                return true;
            }
            if !see::is_at_least(&self.pos, mv, visit.alpha - base) {
                visit.best = visit.best.max(visit.alpha.min(base));
                return true;
            }
        }
        // In check, once something holds, only captures are compared with it.
        if visit.in_check && !self.pos.is_capture(mv) {
            return true;
        }
        !see::is_at_least(&self.pos, mv, Value::new(-params.quiescence_see))
    }

    fn conclude_calm(&mut self, visit: &mut Visit) -> Value {
        if !is_decided(visit.best) && visit.best > visit.beta {
            visit.best = between(visit.best, 1, visit.beta);
        }
        let bound = if visit.best >= visit.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.keep(visit, Some((visit.best, bound)), 0, visit.best_move);
        visit.best
    }
}
