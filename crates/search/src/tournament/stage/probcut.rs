//! A capture that exceeds the bound in a shallow search will exceed it in a deep one (Buro, 1995).

use crate::order::picker::{Picker, Sources, Want};
use crate::tournament::scores::is_decided;
use crate::tournament::visit::{Scout, Visit};
use crate::tournament::worker::Worker;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Move, Value};

impl<E: Eval> Worker<'_, E> {
    pub(in crate::tournament) fn probcut(&mut self, visit: &mut Visit) -> ControlFlow<Value> {
        let params = self.params();
        let margin = params.probcut_margin - params.probcut_improving * i32::from(visit.improving);
        let goal = visit.beta + Value::new(margin);
        let is_refuted = visit.table_value().is_some_and(|(value, _)| value < goal);
        if visit.depth < params.probcut_depth || is_decided(visit.beta) || is_refuted {
            return Continue(());
        }
        let table = visit.table_move.filter(|_| visit.table_takes);
        let want = Want::Winning(goal - visit.corrected);
        let all_moves = self.shared.rules.all_moves;
        let mut picker = Picker::new(want, table, false, all_moves, &self.arena);
        let outcome = self.try_captures(visit, &mut picker, goal);
        picker.close(&mut self.arena);
        outcome
    }

    fn try_captures(
        &mut self,
        visit: &mut Visit,
        picker: &mut Picker,
        goal: Value,
    ) -> ControlFlow<Value> {
        let window = (-goal, -goal + Value::new(1));
        let depth = visit.depth - self.params().probcut_reduction;
        while let Some(mv) = self.next_capture(visit, picker) {
            if visit.excluded == Some(mv) {
                continue;
            }
            self.play(mv, visit.ply);
            let mut value = -self.quiescence::<Scout>(window.0, window.1, visit.ply + 1, 0);
            if value >= goal && depth > 0 {
                value = -self.node::<Scout>(window, depth, visit.ply + 1, !visit.cut);
            }
            self.take_back();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if value >= goal {
                self.keep(visit, Some((value, Bound::Lower)), depth + 1, Some(mv));
                if !is_decided(value) {
                    return Break(value - (goal - visit.beta));
                }
            }
        }
        Continue(())
    }

    fn next_capture(&mut self, visit: &Visit, picker: &mut Picker) -> Option<Move> {
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
}
