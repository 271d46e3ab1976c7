//! One node after another, until a line is too unlikely.

use super::category::{Category, LikelyMoves, MoveContext, likeliest_first};
use super::probability::{RealizationDepth, TransitionProbability};
use super::table::{NodeKey, RealizationTable};
use crate::control::SearchControl;
use crate::leaf_eval::LeafEval;
use crate::quiet::{QUIESCENCE_PLIES, quiescence};
use crate::request::{Rules, SearchRequest};
use crate::rule_value::rule_value;
use crate::search_board::SearchBoard;
use tesuji_shogi::{Color, Move, Value};

/// Deeper than any line gets.
const MAX_PLY: usize = 200;
/// The clock is looked at once in so many nodes.
const CHECK_INTERVAL: u64 = 256;

/// What one search owns while it runs.
pub(super) struct RealizationWorker<'a, B, L, C> {
    board: B,
    leaf: L,
    category: &'a C,
    table: &'a mut RealizationTable,
    control: &'a SearchControl,
    /// Whether leaves are quiet before they are evaluated.
    quiescence: bool,
    node_limit: u64,
    nodes: u64,
    rules: Rules,
    us: Color,
    root_moves: LikelyMoves,
    /// The principal variation of each ply.
    pv_table: Vec<Vec<Move>>,
    /// The principal variation of the root, from the last window that was exceeded.
    root_pv: Vec<Move>,
    /// What the last iteration said of each of several best lines.
    guesses: Vec<Value>,
    seldepth: u32,
}

impl<'a, B: SearchBoard, L: LeafEval<B>, C: Category> RealizationWorker<'a, B, L, C> {
    pub(super) fn new(
        leaf: L,
        category: &'a C,
        table: &'a mut RealizationTable,
        quiescence: bool,
        request: &SearchRequest,
        control: &'a SearchControl,
    ) -> Self {
        Self {
            board: B::of(&request.position),
            leaf,
            category,
            table,
            control,
            quiescence,
            node_limit: request.limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            rules: request.rules,
            us: request.position.turn(),
            root_moves: Vec::new(),
            pv_table: vec![Vec::new(); MAX_PLY + 2],
            root_pv: Vec::new(),
            guesses: Vec::new(),
            seldepth: 0,
        }
    }

    pub(super) fn set_root_moves(&mut self, moves: LikelyMoves) {
        self.root_moves = moves;
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
        if let Some(value) = rule_value(&self.board, &self.rules, self.us, ply) {
            return Some(value);
        }
        if depth.is_spent() || ply as usize >= MAX_PLY {
            return Some(self.leaf_value(alpha, beta, ply));
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if let Some(known) = self.table.bounds(self.node_key(depth, ply)) {
            if beta <= known.lower || known.lower == known.upper {
                return Some(known.lower);
            }
            if known.upper <= alpha {
                return Some(known.upper);
            }
            (alpha, beta) = (alpha.max(known.lower), beta.min(known.upper));
        }
        let (mut moves, has_others) = self.moves();
        if moves.is_empty() && !has_others {
            return Some(Value::mated_in(ply as i32));
        }
        // Moves that belong to no category are not searched; that there are some says that nobody has to
        // take what the others bring.
        let floor = match has_others {
            false => -Value::INFINITE,
            true => self.leaf.value(&self.board),
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
            let change = self.board.play(mv);
            self.leaf.follow(change);
            let value = self.node(-beta, -floor, depth - probability, ply + 1);
            self.leaf.retrace();
            self.board.undo();
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
            .store(self.node_key(depth, ply), (alpha, beta), best, choice);
        Some(best)
    }

    fn node_key(&self, depth: RealizationDepth, ply: u32) -> NodeKey {
        let asks = self.category.asks_what_arrived();
        NodeKey {
            key: self.board.key(),
            depth,
            ply,
            arrived: self.board.arrived().filter(|_| asks),
        }
    }

    /// What a leaf is worth to the side to move.
    fn leaf_value(&mut self, alpha: Value, beta: Value, ply: u32) -> Value {
        if !self.quiescence {
            return self.leaf.value(&self.board);
        }
        let (board, leaf, nodes) = (&mut self.board, &mut self.leaf, &mut self.nodes);
        // The node itself is counted already.
        *nodes -= 1;
        quiescence(board, leaf, (alpha, beta), (ply, QUIESCENCE_PLIES), nodes)
    }

    /// Every move that belongs to a category, likeliest first, and whether there are others.
    fn moves(&self) -> (LikelyMoves, bool) {
        let mut context = MoveContext::of(&self.board);
        if !self.rules.all_legal_moves {
            context = context.without_worse();
        }
        let mut moves = self.category.moves(&context);
        likeliest_first(&mut moves);
        let has_others = !self.category.has_all()
            && match moves.is_empty() {
                true => self.board.has_legal_move(),
                false => context.legal().len() > moves.len(),
            };
        (moves, has_others)
    }

    /// The move that was best the last time comes first.
    fn put_best_first(&self, moves: &mut [(Move, TransitionProbability)]) {
        let best = self.table.best(self.board.key());
        if let Some(at) = moves.iter().position(|&(mv, _)| Some(mv) == best) {
            moves[..=at].rotate_right(1);
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
