//! The stages of a node, and its moves.

use super::table::{ProbedEntry, SharedTable};
use super::worker::{ClassicWorker, MAX_PLY};
use crate::leaf_eval::LeafEval;
use crate::ordering::captures::sort_by_rank;
use crate::quiet::{QUIESCENCE_PLIES, quiescence_moves};
use crate::rule_value::rule_value;
use crate::search_board::SearchBoard;
use tesuji_shogi::{Bound, Change, Move, MoveList, Value};

/// The least difference between two values.
const STEP: Value = Value::new(1);
/// How much a ply may turn the evaluation, for futility.
const FUTILITY_MARGIN: i32 = 130;
const FUTILITY_DEPTH: i32 = 3;
/// Null moves are searched so much less deeply.
const NULL_REDUCTION: i32 = 3;
/// From which move on, and from which depth on, late moves are reduced.
const LATE_MOVE: usize = 4;
const LATE_DEPTH: i32 = 3;

impl<B: SearchBoard, L: LeafEval<B>, T: SharedTable> ClassicWorker<'_, B, L, T> {
    /// The value of a node for the side to move; `None` if the search was stopped.
    pub(super) fn node(
        &mut self,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> Option<Value> {
        self.count_node()?;
        self.pv_table[ply].clear();
        self.seldepth = self.seldepth.max(ply as u32);
        if let Some(value) = rule_value(&self.board, &self.rules, self.us, ply as u32) {
            return Some(value);
        }
        let in_check = self.board.is_in_check();
        // A check is answered before a line ends, unless checks go on and on.
        let extended = in_check && depth <= 0 && (ply as u32) < 2 * self.iteration;
        let depth = if extended { 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY {
            return self.horizon((alpha, beta), ply);
        }
        let known = self.shared.table.probe(self.board.key(), ply as u32);
        let is_scout = beta <= alpha + STEP;
        if let Some(value) = known_value(&known, (alpha, beta), depth).filter(|_| is_scout) {
            return Some(value);
        }
        if !in_check {
            if let Some(mv) = self.mate_in_one() {
                self.pv_table[ply].push(mv);
                return Some(Value::mate_in(ply as i32 + 1));
            }
            if is_scout && let Some(value) = self.prune((alpha, beta), depth, ply, may_pass)? {
                return Some(value);
            }
        }
        let moves = self.ordered_moves(ply, known.mv);
        if moves.is_empty() {
            return Some(Value::mated_in(ply as i32));
        }
        let eval = (!in_check && self.switches.futility && depth < FUTILITY_DEPTH)
            .then(|| self.leaf.value(&self.board));
        self.search_moves(&moves, (alpha, beta), depth, ply, eval)
    }

    fn mate_in_one(&mut self) -> Option<Move> {
        match self.switches.mate {
            true => self.board.mate_in_one(),
            false => None,
        }
    }

    /// Futility from above and the null move; the inner `None` if the node must be searched.
    fn prune(
        &mut self,
        (_, beta): (Value, Value),
        depth: i32,
        ply: usize,
        may_pass: bool,
    ) -> Option<Option<Value>> {
        if beta.mate_distance().is_some() {
            return Some(None);
        }
        let eval = self.leaf.value(&self.board);
        let margin = Value::new(FUTILITY_MARGIN * depth);
        if self.switches.futility && depth <= FUTILITY_DEPTH && eval - margin >= beta {
            return Some(Some(eval));
        }
        if !(self.switches.null_move && may_pass && depth > 1 && eval >= beta) {
            return Some(None);
        }
        self.board.pass();
        self.leaf.follow(Change::default());
        let window = (-beta, -beta + STEP);
        let value = self.node(window, depth - NULL_REDUCTION, ply + 1, false);
        self.leaf.retrace();
        self.board.undo();
        let value = -value?;
        Some((value >= beta && value.mate_distance().is_none()).then_some(value))
    }

    fn ordered_moves(&self, ply: usize, table_move: Option<Move>) -> Vec<Move> {
        let mut list = MoveList::new();
        let _ = match self.rules.all_legal_moves {
            true => self.board.legal(&mut list),
            false => self.board.legal_without_worse(&mut list),
        };
        if list.is_empty() {
            // A position whose only moves are the ones left out.
            let _ = self.board.legal(&mut list);
        }
        let mut moves: Vec<Move> = list.iter().collect();
        let memory = &self.memory;
        sort_by_rank(&mut moves, |mv| {
            -memory.score(&self.board, ply, mv, table_move)
        });
        moves
    }

    /// The best of the moves: the first with the whole window, the others first asked whether they
    /// are better. `eval` is there if hopeless quiet moves may be left out.
    pub(super) fn search_moves(
        &mut self,
        moves: &[Move],
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        eval: Option<Value>,
    ) -> Option<Value> {
        let (mut best, mut choice) = (-Value::INFINITE, None);
        let mut tried: Vec<Move> = Vec::new();
        for (number, &mv) in moves.iter().enumerate() {
            let floor = alpha.max(best);
            let is_quiet = self.board.at(mv.to()).is_none() && !mv.is_promotion();
            if let Some(eval) = eval.filter(|_| number > 0 && is_quiet) {
                let hope = eval + Value::new(FUTILITY_MARGIN * (depth + 1));
                if hope <= floor && floor.mate_distance().is_none() {
                    best = best.max(hope);
                    continue;
                }
            }
            let reduction = self.reduction(number, is_quiet, depth);
            let value = self.after(mv, |below| {
                below.move_value((floor, beta), depth - 1, ply + 1, number == 0, reduction)
            })?;
            if best < value {
                best = value;
                if alpha < value {
                    choice = Some(mv);
                    self.set_pv(ply, mv);
                }
            }
            if beta <= best {
                if is_quiet {
                    self.memory
                        .reward(&self.board, ply, (mv, &tried), depth.max(1));
                }
                break;
            }
            if is_quiet {
                tried.push(mv);
            }
        }
        let bound = if beta <= best {
            Bound::Lower
        } else if alpha < best {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let key = self.board.key();
        self.shared
            .table
            .store(key, ply as u32, depth, (best, bound), choice);
        Some(best)
    }

    /// How much less deeply a move is searched at first.
    fn reduction(&self, number: usize, is_quiet: bool, depth: i32) -> i32 {
        let is_late = self.switches.reductions
            && is_quiet
            && depth >= LATE_DEPTH
            && number >= LATE_MOVE
            && !self.board.is_in_check();
        match is_late {
            true => 1 + i32::from(number >= 4 * LATE_MOVE) + i32::from(depth >= 8),
            false => 0,
        }
    }

    /// What a move just played is worth to whoever played it.
    fn move_value(
        &mut self,
        (floor, beta): (Value, Value),
        depth: i32,
        ply: usize,
        is_first: bool,
        reduction: i32,
    ) -> Option<Value> {
        let scout = (-floor - STEP, -floor);
        if !is_first {
            let mut value = -self.node(scout, depth - reduction, ply, true)?;
            if reduction > 0 && floor < value {
                value = -self.node(scout, depth, ply, true)?;
            }
            if !(floor < value && value < beta) {
                return Some(value);
            }
        }
        Some(-self.node((-beta, -floor), depth, ply, true)?)
    }

    /// The end of a line: the evaluation, or what is left when captures have run out.
    fn horizon(&mut self, window: (Value, Value), ply: usize) -> Option<Value> {
        if !self.quiescence {
            return Some(self.leaf.value(&self.board));
        }
        self.quiet_node(window, ply, QUIESCENCE_PLIES)
    }

    /// As the quiescence of all boards, but it can be stopped and sees a mate in one.
    fn quiet_node(
        &mut self,
        (alpha, beta): (Value, Value),
        ply: usize,
        plies: u32,
    ) -> Option<Value> {
        self.pv_table[ply].clear();
        let in_check = plies > 0 && self.board.is_in_check();
        let mut best = Value::mated_in(ply as i32);
        if !in_check {
            if plies == QUIESCENCE_PLIES
                && let Some(mv) = self.mate_in_one()
            {
                self.pv_table[ply].push(mv);
                return Some(Value::mate_in(ply as i32 + 1));
            }
            best = self.leaf.value(&self.board);
        }
        if beta <= best || plies == 0 || ply >= MAX_PLY {
            return Some(best);
        }
        for mv in quiescence_moves(&self.board, in_check) {
            let floor = alpha.max(best);
            let value = self.after(mv, |below| {
                below.count_node()?;
                Some(-below.quiet_node((-beta, -floor), ply + 1, plies - 1)?)
            })?;
            if best < value {
                best = value;
                if alpha < value {
                    self.set_pv(ply, mv);
                }
            }
            if beta <= best {
                break;
            }
        }
        Some(best)
    }
}

/// What the table says, if it was deep enough and is outside the window.
fn known_value(known: &ProbedEntry, (alpha, beta): (Value, Value), depth: i32) -> Option<Value> {
    let (value, bound, known_depth) = known.value?;
    let decides = match bound {
        Bound::Exact => true,
        Bound::Lower => beta <= value,
        Bound::Upper => value <= alpha,
    };
    (known_depth >= depth && decides).then_some(value)
}
