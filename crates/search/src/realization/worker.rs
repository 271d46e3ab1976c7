//! One node after another, until a line is too unlikely.

use super::category::{Category, MoveContext};
use super::probability::{RealizationDepth, TransitionProbability};
use super::table::RealizationTable;
use crate::control::SearchControl;
use crate::request::{Rules, SearchRequest};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::movegen::{has_legal_move, legal_without_worse};
use tesuji_shogi::{Board, Color, Move, MoveList, Position, RepetitionState, Value};

/// Deeper than any line gets.
const MAX_PLY: usize = 200;
/// What holding more in the same position is worth: next to a win.
const SUPERIOR: Value = Value::new(28_000);
/// The clock is looked at once in so many nodes.
const CHECK_INTERVAL: u64 = 256;

/// What one search owns while it runs.
pub(super) struct RealizationWorker<'a, E: Eval, C> {
    eval: &'a E,
    eval_stack: E::Stack,
    category: &'a C,
    table: &'a mut RealizationTable,
    control: &'a SearchControl,
    node_limit: u64,
    nodes: u64,
    rules: Rules,
    us: Color,
    pos: Position,
    root_moves: Vec<(Move, TransitionProbability)>,
    /// The principal variation of each ply.
    pv_table: Vec<Vec<Move>>,
    /// The principal variation of the root, from the last window that was exceeded.
    root_pv: Vec<Move>,
    /// What the last iteration said of each of several best lines.
    guesses: Vec<Value>,
    seldepth: u32,
}

impl<'a, E: Eval, C: Category> RealizationWorker<'a, E, C> {
    pub(super) fn new(
        eval: &'a E,
        category: &'a C,
        table: &'a mut RealizationTable,
        request: &SearchRequest,
        control: &'a SearchControl,
    ) -> Self {
        Self {
            eval,
            eval_stack: eval.stack(),
            category,
            table,
            control,
            node_limit: request.limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            rules: request.rules,
            us: request.position.turn(),
            pos: request.position.clone(),
            root_moves: Vec::new(),
            pv_table: vec![Vec::new(); MAX_PLY + 2],
            root_pv: Vec::new(),
            guesses: Vec::new(),
            seldepth: 0,
        }
    }

    pub(super) fn set_root_moves(&mut self, moves: &[(Move, TransitionProbability)]) {
        self.root_moves = moves.to_vec();
        self.root_pv.clear();
    }

    pub(super) fn root_pv(&self) -> &[Move] {
        &self.root_pv
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn seldepth(&self) -> u32 {
        self.seldepth
    }

    pub(super) fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    /// Where to begin with a line: with what the last iteration said.
    pub(super) fn first_guess(&self, multipv: usize) -> Value {
        self.guesses
            .get(multipv - 1)
            .copied()
            .unwrap_or(Value::ZERO)
    }

    pub(super) fn set_first_guess(&mut self, multipv: usize, value: Value) {
        self.guesses
            .resize(self.guesses.len().max(multipv), Value::ZERO);
        self.guesses[multipv - 1] = value;
    }

    /// The value of the root; `None` if the search was stopped.
    pub(super) fn root(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: RealizationDepth,
    ) -> Option<Value> {
        self.count_node()?;
        let mut moves = self.root_moves.clone();
        self.put_best_first(&mut moves);
        let value = self.search_moves(&moves, (alpha, beta), depth, -Value::INFINITE, 0)?;
        // Below the window the moves are not told apart; then the line before holds.
        if alpha < value || self.root_pv.is_empty() {
            self.root_pv.clone_from(&self.pv_table[0]);
        }
        Some(value)
    }

    fn node(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: RealizationDepth,
        ply: u32,
    ) -> Option<Value> {
        self.count_node()?;
        self.pv_table[ply as usize].clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(value) = self.rule_value(ply) {
            return Some(value);
        }
        if depth.is_spent() || ply as usize >= MAX_PLY {
            return Some(self.eval.value(&mut self.eval_stack, &self.pos));
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if let Some(known) = self.table.bounds(self.pos.key(), depth, ply) {
            if beta <= known.lower || known.lower == known.upper {
                return Some(known.lower);
            }
            if known.upper <= alpha {
                return Some(known.upper);
            }
            (alpha, beta) = (alpha.max(known.lower), beta.min(known.upper));
        }
        let (mut moves, unknown) = self.moves();
        if moves.is_empty() && unknown == 0 {
            return Some(Value::mated_in(ply as i32));
        }
        // Moves that belong to no category are not searched; that there are some says that nobody has to
        // take what the others bring.
        let floor = match unknown {
            0 => -Value::INFINITE,
            _ => self.eval.value(&mut self.eval_stack, &self.pos),
        };
        if moves.is_empty() || beta <= floor {
            return Some(floor);
        }
        self.put_best_first(&mut moves);
        self.search_moves(&moves, (alpha, beta), depth, floor, ply)
    }

    /// The best of the moves, or `floor` if that is more.
    fn search_moves(
        &mut self,
        moves: &[(Move, TransitionProbability)],
        (alpha, beta): (Value, Value),
        depth: RealizationDepth,
        floor: Value,
        ply: u32,
    ) -> Option<Value> {
        let (mut best, mut choice) = (floor, moves[0].0);
        let here = ply as usize;
        for &(mv, probability) in moves {
            let floor = alpha.max(best);
            let change = self.pos.play(mv);
            E::push(&mut self.eval_stack, change);
            let value = self.node(-beta, -floor, depth - probability, ply + 1);
            E::pop(&mut self.eval_stack);
            self.pos.undo();
            let value = -value?;
            if best < value {
                (best, choice) = (value, mv);
                let (above, below) = self.pv_table.split_at_mut(here + 1);
                above[here].clear();
                above[here].push(mv);
                above[here].extend_from_slice(&below[0]);
            }
            if beta <= best {
                break;
            }
        }
        self.table
            .store((self.pos.key(), depth, ply), (alpha, beta), best, choice);
        Some(best)
    }

    /// Every move that belongs to a category, likeliest first, and how many belong to none.
    fn moves(&self) -> (Vec<(Move, TransitionProbability)>, usize) {
        let context = MoveContext::of(&self.pos);
        let mut unknown = 0;
        let mut moves = Vec::with_capacity(64);
        for mv in legal(&self.pos, &self.rules) {
            match self.category.probability(&context, mv) {
                Some(probability) => moves.push((mv, probability)),
                None => unknown += 1,
            }
        }
        moves.sort_by_key(|(_, probability)| probability.halvings());
        (moves, unknown)
    }

    /// The move that was best the last time comes first.
    fn put_best_first(&self, moves: &mut [(Move, TransitionProbability)]) {
        let best = self.table.best(self.pos.key());
        if let Some(at) = moves.iter().position(|&(mv, _)| Some(mv) == best) {
            moves[..=at].rotate_right(1);
        }
    }

    /// What the rules say of a position without looking further.
    fn rule_value(&self, ply: u32) -> Option<Value> {
        let plies = ply as i32;
        if let Some(hit) = self.pos.find_repetition(self.pos.played()) {
            return Some(match hit.state {
                RepetitionState::Draw => self.draw_value(),
                RepetitionState::Win => Value::mate_in(plies),
                RepetitionState::Loss => Value::mated_in(plies),
                RepetitionState::Superior => SUPERIOR,
                RepetitionState::Inferior => -SUPERIOR,
            });
        }
        // The number of a position is one more than the moves before it. A mate by the last move
        // still counts.
        let is_over = self
            .rules
            .move_limit
            .is_some_and(|limit| self.pos.ply() > limit);
        is_over.then(|| match has_legal_move(&self.pos) {
            true => self.draw_value(),
            false => Value::mated_in(plies),
        })
    }

    /// What a draw is worth to the side to move.
    fn draw_value(&self) -> Value {
        let ours = self.rules.draw_value[self.us];
        if self.pos.turn() == self.us {
            ours
        } else {
            -ours
        }
    }

    /// Counts a node; `None` if the search must end.
    fn count_node(&mut self) -> Option<()> {
        let is_checked = self.nodes.is_multiple_of(CHECK_INTERVAL);
        let is_stopped = self.control.is_stopped() || is_checked && self.control.is_out_of_time();
        if is_stopped || self.nodes >= self.node_limit {
            return None;
        }
        self.nodes += 1;
        Some(())
    }
}

/// Every legal move, without those that are never better than their promotion unless the rules want
/// all of them.
fn legal(pos: &Position, rules: &Rules) -> impl Iterator<Item = Move> + use<> {
    let mut moves = MoveList::new();
    let _ = match rules.all_legal_moves {
        true => pos.legal(&mut moves),
        false => legal_without_worse(pos, &mut moves),
    };
    let count = moves.len();
    (0..count).filter_map(move |place| moves.get(place))
}
