//! Trying the moves: skip, extend, reduce, scout.

use super::scores::{is_decided, is_loss, is_win};
use super::visit::{Node, Principal, Scout, Visit, says};
use super::worker::{MOST_PLIES, Worker};
use crate::order::history::landing;
use crate::order::picker::{Picker, Sources, Want};
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_eval::Eval;
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, PieceKind, Value};

/// The moves that were tried before the best one, for the histories.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) count: i32,
    pub(super) quiet: Few,
    pub(super) captures: Few,
}

/// Up to 32 moves.
#[derive(Default)]
pub(super) struct Few {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Few {
    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = Some(mv);
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied().flatten()
    }
}

/// A move about to be tried.
struct Attempt {
    mv: Move,
    number: i32,
    landing: usize,
    taken: Option<PieceKind>,
    gives_check: bool,
    /// How deep the node behind it is searched if nothing is reduced.
    depth: i32,
    /// By how much it is reduced, in 1024ths of a ply.
    reduction: i32,
}

impl<E: Eval> Worker<'_, E> {
    /// Tries every move that is worth it; breaks if the search is stopped or enough is known.
    pub(super) fn try_moves<N: Node>(&mut self, visit: &mut Visit) -> ControlFlow<Value, Tried> {
        let checks = CheckSquares::of(&self.pos);
        let (table, all_moves) = (visit.table_move, self.shared.rules.all_moves);
        let mut picker = Picker::new(Want::All, table, visit.in_check, all_moves, &self.arena);
        let mut tried = Tried::default();
        let flow = self.each_move::<N>(visit, &checks, &mut picker, &mut tried);
        picker.close(&mut self.arena);
        match flow {
            Break(value) => Break(value),
            Continue(()) => Continue(tried),
        }
    }

    fn each_move<N: Node>(
        &mut self,
        visit: &mut Visit,
        checks: &CheckSquares,
        picker: &mut Picker,
        tried: &mut Tried,
    ) -> ControlFlow<Value> {
        while let Some(mv) = self.next_move(visit, checks, picker) {
            if visit.excluded == Some(mv) || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            tried.count += 1;
            if N::ROOT {
                self.untold = Some((mv, self.rank + tried.count as usize));
            }
            self.frame(visit.ply).tried = tried.count;
            let mut attempt = self.attempt(visit, checks, mv, tried.count);
            if !N::ROOT && !is_loss(visit.best) && self.skips::<N>(visit, &mut attempt, picker) {
                continue;
            }
            let extension = self.extension::<N>(visit, &attempt)?;
            let nodes = self.nodes;
            self.play(mv, visit.ply);
            attempt.depth += extension;
            let value = self.search_behind::<N>(visit, &mut attempt);
            self.take_back();
            if self.stopped {
                return Break(Value::ZERO);
            }
            if N::ROOT {
                self.record_root(visit, mv, tried.count, value, self.nodes - nodes);
            }
            if self.is_enough::<N>(visit, mv, value, extension) {
                return Continue(());
            }
            if visit.best_move != Some(mv) {
                let list = if attempt.taken.is_some() {
                    &mut tried.captures
                } else {
                    &mut tried.quiet
                };
                list.push(mv);
            }
        }
        Continue(())
    }

    #[inline]
    fn next_move(
        &mut self,
        visit: &Visit,
        checks: &CheckSquares,
        picker: &mut Picker,
    ) -> Option<Move> {
        let sources = Sources {
            pos: &self.pos,
            histories: &self.mind.histories,
            checks: Some(checks),
            trail: &visit.trail,
            pawn_structure: visit.pawn_structure,
            ply: visit.ply,
        };
        picker.next(&sources, &mut self.arena)
    }

    #[inline]
    fn attempt(&self, visit: &Visit, checks: &CheckSquares, mv: Move, number: i32) -> Attempt {
        let taken = self.pos.at(mv.to()).map(|piece| piece.kind());
        let mut reduction = self.base_reduction(visit, number);
        if visit.was_pv {
            reduction += self.params().reduce_was_pv;
        }
        Attempt {
            mv,
            number,
            landing: landing(self.pos.moved_piece_after(mv), mv.to()),
            taken,
            gives_check: checks.is_check(&self.pos, mv),
            depth: visit.depth - 1,
            reduction,
        }
    }

    /// The later a move and the deeper the node, the less it is searched.
    #[inline]
    fn base_reduction(&self, visit: &Visit, number: i32) -> i32 {
        let params = self.params();
        let log = |n: i32| self.reductions[(n as usize).min(self.reductions.len() - 1)];
        let scale = log(visit.depth) * log(number);
        let window = (visit.beta - visit.alpha).points();
        let worsening = if visit.improving {
            0
        } else {
            scale * params.reduction_worsening / 512
        };
        scale - window * params.reduction_window / self.root_window.max(1)
            + worsening
            + params.reduction_base
    }

    /// Whether a move is not worth a search at a shallow node.
    #[inline]
    fn skips<N: Node>(
        &self,
        visit: &mut Visit,
        attempt: &mut Attempt,
        picker: &mut Picker,
    ) -> bool {
        let depth = visit.depth;
        let enough =
            (self.params().late_base + depth * depth) / if visit.improving { 1 } else { 2 };
        if attempt.number >= enough {
            picker.skip_quiet();
        }
        let reduced = attempt.depth - attempt.reduction / 1024;
        if attempt.taken.is_some() || attempt.gives_check {
            self.skips_forcing(visit, attempt, reduced)
        } else {
            !visit.expected && self.skips_quiet(visit, attempt, reduced)
        }
    }

    fn skips_forcing(&self, visit: &Visit, attempt: &Attempt, reduced: i32) -> bool {
        let params = self.params();
        let past = self.mind.histories.capture(attempt.landing, attempt.taken);
        if !attempt.gives_check && reduced < params.capture_depth {
            let gain = attempt.taken.map_or(0, |kind| kind.worth().points())
                + promotion_gain(attempt)
                + params.capture_base
                + params.capture_slope * reduced
                + params.capture_history * past / 1024;
            if !visit.in_check && visit.corrected + Value::new(gain) <= visit.alpha {
                return true;
            }
        }
        // Who stands badly has nothing to lose by a sacrifice.
        if visit.alpha < Value::new(params.capture_see_alpha) {
            return false;
        }
        let loss = params.capture_see * visit.depth + past * params.capture_see_history / 1024;
        !see::is_at_least(&self.pos, attempt.mv, Value::new(-loss.max(0)))
    }

    fn skips_quiet(&self, visit: &mut Visit, attempt: &Attempt, reduced: i32) -> bool {
        let (params, histories) = (self.params(), &self.mind.histories);
        let place = attempt.landing;
        let mut past = i32::from(histories.follow(visit.trail[0])[place])
            + i32::from(histories.follow(visit.trail[1])[place])
            + i32::from(histories.pawns(visit.pawn_structure)[place]);
        if past < -params.quiet_history * visit.depth {
            return true;
        }
        past += 71 * histories.quiet(self.pos.turn(), attempt.mv) / 32;
        let reduced = reduced + past / params.quiet_depth_share;
        let hope = visit.corrected.points()
            + params.quiet_base
            + if visit.best_move.is_none() {
                params.quiet_no_best
            } else {
                0
            }
            + params.quiet_slope * reduced
            + if visit.corrected > visit.alpha {
                params.quiet_above
            } else {
                0
            };
        let hope = Value::new(hope);
        if !visit.in_check && reduced < params.quiet_depth && hope <= visit.alpha {
            if visit.best <= hope && !is_decided(visit.best) && !is_win(hope) {
                visit.best = hope;
            }
            return true;
        }
        let reduced = reduced.max(0);
        let loss = Value::new(-params.quiet_see * reduced * reduced);
        !see::is_at_least(&self.pos, attempt.mv, loss)
    }

    /// If the move of the table is the only good one, it is searched deeper. If there are several,
    /// one of them will exceed the bound.
    fn extension<N: Node>(
        &mut self,
        visit: &mut Visit,
        attempt: &Attempt,
    ) -> ControlFlow<Value, i32> {
        let params = self.params();
        let Some((value, bound)) = visit.table_value() else {
            return Continue(0);
        };
        if N::ROOT
            || Some(attempt.mv) != visit.table_move
            || visit.excluded.is_some()
            || visit.depth < params.singular_depth + i32::from(visit.was_pv)
            || is_decided(value)
            || !says(bound, true)
            || visit.table_depth() < visit.depth - 3
            || visit.ply >= (2 * self.root_depth as usize).min(MOST_PLIES - 20)
        {
            return Continue(0);
        }
        let slope = params.singular_margin
            + if visit.was_pv && !N::PV {
                params.singular_margin_pv
            } else {
                0
            };
        let goal = value - Value::new(slope * visit.depth / 64);
        let window = (goal - Value::new(1), goal);
        let depth = attempt.depth / 2;
        let rest = self.node_without::<Scout>(attempt.mv, window, depth, visit.ply, visit.cut);
        if self.stopped {
            return Break(Value::ZERO);
        }
        // The search without the move wrote into the frame.
        let frame = self.frame(visit.ply);
        (frame.was_pv, frame.corrected) = (visit.was_pv, visit.corrected);
        (frame.tried, frame.expected) = (attempt.number, visit.expected);
        if rest < goal {
            let extension = self.singular::<N>(visit, goal - rest);
            visit.depth += 1;
            return Continue(extension);
        }
        if rest >= visit.beta && !is_decided(rest) {
            let blame = params.trust_base + params.trust_slope * visit.depth;
            let blame = blame.min(params.trust_most);
            self.mind.histories.teach_trust(-blame);
            return Break(rest);
        }
        Continue(if value >= visit.beta {
            -3
        } else if visit.cut {
            -2
        } else {
            0
        })
    }

    /// How many plies deeper the only good move is searched, by how far the others fall short.
    fn singular<N: Node>(&self, visit: &Visit, short: Value) -> i32 {
        let params = self.params();
        let pick = |is: bool, points: i32| if is { points } else { 0 };
        let double = params.double_base + pick(N::PV, params.double_pv)
            - pick(!visit.table_takes, params.double_quiet)
            - visit.correction.doubt() / 2
            - self.mind.histories.trust() / params.double_trust
            - pick(visit.ply > self.root_depth as usize, params.singular_far);
        let triple = params.triple_base + pick(N::PV, params.triple_pv)
            - pick(!visit.table_takes, params.triple_quiet)
            + pick(visit.was_pv, params.triple_was_pv)
            - visit.correction.doubt() / 2
            - pick(visit.ply > self.root_depth as usize, params.singular_far);
        1 + i32::from(short.points() > double) + i32::from(short.points() > triple)
    }

    /// The value of the position behind a move, for the side that played it.
    fn search_behind<N: Node>(&mut self, visit: &Visit, attempt: &mut Attempt) -> Value {
        let ply = visit.ply;
        self.reduce::<N>(visit, attempt);
        let scout = (-visit.alpha - Value::new(1), -visit.alpha);
        let mut value = visit.alpha + Value::new(1);
        if visit.depth >= 2 && attempt.number > 1 {
            value = self.search_reduced::<N>(visit, attempt);
        } else if !N::PV || attempt.number > 1 {
            let params = self.params();
            let is_blind = i32::from(visit.table_move.is_none());
            let reduction = attempt.reduction + params.less_blind * is_blind;
            let less = i32::from(reduction > params.less_one)
                + i32::from(reduction > params.less_two && attempt.depth > 2);
            value = -self.node::<Scout>(scout, attempt.depth - less, ply + 1, !visit.cut);
        }
        if N::PV && (attempt.number == 1 || value > visit.alpha) {
            let mut depth = attempt.depth;
            if Some(attempt.mv) == visit.table_move && visit.table_depth() > 1 {
                depth = depth.max(1);
            }
            self.variations[ply + 1].clear();
            value = -self.node::<Principal>((-visit.beta, -visit.alpha), depth, ply + 1, false);
        }
        value
    }

    /// First less deep, then as deep as it deserves.
    fn search_reduced<N: Node>(&mut self, visit: &Visit, attempt: &mut Attempt) -> Value {
        let (params, ply) = (self.params(), visit.ply);
        let scout = (-visit.alpha - Value::new(1), -visit.alpha);
        let reduced = attempt.depth - attempt.reduction / 1024;
        let depth = reduced.min(attempt.depth + 2).max(1) + i32::from(N::PV);
        self.frame(ply).reduction = attempt.depth - depth;
        let value = -self.node::<Scout>(scout, depth, ply + 1, true);
        self.frame(ply).reduction = 0;
        if value <= visit.alpha || self.stopped {
            return value;
        }
        let is_deeper =
            depth < attempt.depth && value > visit.best + Value::new(params.deeper_margin);
        let is_shallower = value < visit.best + Value::new(params.shallower_margin);
        attempt.depth += i32::from(is_deeper) - i32::from(is_shallower);
        let value = if attempt.depth > depth {
            -self.node::<Scout>(scout, attempt.depth, ply + 1, !visit.cut)
        } else {
            value
        };
        let (trail, place) = (visit.trail, attempt.landing);
        self.mind
            .histories
            .teach_follow(&trail, visit.in_check, place, params.deeper_lesson);
        value
    }

    /// What makes a move be searched more or less than its number says.
    fn reduce<N: Node>(&mut self, visit: &Visit, attempt: &mut Attempt) {
        let params = self.params();
        let pick = |is: bool, share: i32| if is { share } else { 0 };
        let table_value = visit.table_value().map(|(value, _)| value);
        let mut r = attempt.reduction;
        if visit.was_pv {
            r -= params.unreduce_was_pv
                + pick(N::PV, params.unreduce_pv)
                + pick(
                    table_value.is_none_or(|v| v > visit.alpha),
                    params.unreduce_value,
                )
                + pick(
                    visit.table_depth() >= visit.depth,
                    params.unreduce_depth + pick(visit.cut, params.unreduce_depth),
                );
        }
        r += params.reduce_offset
            - params.unreduce_move * attempt.number
            - params.unreduce_doubt * visit.correction.doubt();
        if visit.cut {
            r += params.reduce_cut + pick(visit.table_move.is_none(), params.reduce_cut_blind);
        }
        r += pick(visit.table_takes, params.reduce_table_takes);
        r -= pick(attempt.gives_check, params.unreduce_check);
        let cutoffs = self.frame(visit.ply + 1).cutoffs;
        if cutoffs > 1 {
            r += params.reduce_few_cutoffs
                + pick(cutoffs > 2, params.reduce_cutoffs)
                + pick(visit.is_all(N::PV), params.reduce_cutoffs);
        }
        r -= pick(Some(attempt.mv) == visit.table_move, params.unreduce_table);
        let past = self.past(visit, attempt);
        self.frame(visit.ply).past = past;
        r -= past * params.reduce_history / 1024;
        if visit.is_all(N::PV) {
            r += r * params.reduce_all / (256 * visit.depth + 260);
        }
        attempt.reduction = r;
    }

    /// What the histories say about a move that was just played.
    #[inline]
    fn past(&self, visit: &Visit, attempt: &Attempt) -> i32 {
        let histories = &self.mind.histories;
        if let Some(taken) = attempt.taken {
            return 6 * taken.worth().points() + histories.capture(attempt.landing, attempt.taken);
        }
        2 * histories.quiet(self.pos.turn().foe(), attempt.mv)
            + i32::from(histories.follow(visit.trail[0])[attempt.landing])
            + i32::from(histories.follow(visit.trail[1])[attempt.landing])
    }

    /// Takes note of a value; whether it exceeds the window, so that no other move is needed.
    fn is_enough<N: Node>(
        &mut self,
        visit: &mut Visit,
        mv: Move,
        value: Value,
        extension: i32,
    ) -> bool {
        if value <= visit.best {
            return false;
        }
        visit.best = value;
        if value <= visit.alpha {
            return false;
        }
        visit.best_move = Some(mv);
        if N::PV && !N::ROOT {
            let (above, below) = self.variations.split_at_mut(visit.ply + 1);
            let line = &mut above[visit.ply];
            line.clear();
            line.push(mv);
            line.extend_from_slice(&below[0]);
        }
        if value >= visit.beta {
            self.frame(visit.ply).cutoffs += i32::from(extension < 2 || N::PV);
            return true;
        }
        if (3..14).contains(&visit.depth) && !is_decided(value) {
            visit.depth -= 2;
        }
        visit.alpha = value;
        false
    }
}

/// What the piece of a promotion is worth more than before.
#[inline(always)]
fn promotion_gain(attempt: &Attempt) -> i32 {
    if !attempt.mv.is_promotion() {
        return 0;
    }
    let kind = PieceKind::from_index(attempt.landing / 81 % 16);
    kind.map_or(0, |kind| (kind.worth() - kind.base().worth()).points())
}
