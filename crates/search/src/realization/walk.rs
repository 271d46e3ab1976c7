//! The walk through the tree: one node after another, until a line is too unlikely.

use super::category::{Category, Scene};
use super::chance::{Chance, Rest};
use super::memory::Memory;
use crate::control::Control;
use crate::question::{Root, Rules};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::movegen::{has_legal_move, legal_without_worse};
use tesuji_shogi::{Board, Color, Move, MoveList, Position, RepetitionState, Value};

/// Deeper than any line gets.
const DEEPEST: usize = 200;
/// What holding more in the same position is worth: next to a win.
const SUPERIOR: Value = Value::new(28_000);
/// The clock is looked at once in so many nodes.
const GLANCE: u64 = 256;

/// What one search owns while it walks.
pub(super) struct Walk<'a, J: Eval, C> {
    judge: &'a J,
    line: J::Stack,
    category: &'a C,
    memory: &'a mut Memory,
    control: Option<&'a Control>,
    node_limit: u64,
    nodes: u64,
    rules: Rules,
    us: Color,
    pos: Position,
    root_moves: Vec<(Move, Chance)>,
    /// The best line from each ply on.
    best: Vec<Vec<Move>>,
    /// The best line of the last window that was reached.
    reached: Vec<Move>,
    /// What the last iteration said of each rank.
    guesses: Vec<Value>,
    reach: u32,
}

impl<'a, J: Eval, C: Category> Walk<'a, J, C> {
    pub(super) fn new(judge: &'a J, category: &'a C, memory: &'a mut Memory, root: &Root) -> Self {
        Self {
            judge,
            line: judge.stack(),
            category,
            memory,
            control: None,
            node_limit: u64::MAX,
            nodes: 0,
            rules: root.rules,
            us: root.position.turn(),
            pos: root.position.clone(),
            root_moves: Vec::new(),
            best: vec![Vec::new(); DEEPEST + 2],
            reached: Vec::new(),
            guesses: Vec::new(),
            reach: 0,
        }
    }

    /// Says who may stop the walk.
    pub(super) fn lead(&mut self, control: &'a Control, node_limit: Option<u64>) {
        self.control = Some(control);
        self.node_limit = node_limit.unwrap_or(u64::MAX);
    }

    pub(super) fn set_root_moves(&mut self, moves: &[(Move, Chance)]) {
        self.root_moves = moves.to_vec();
        self.reached.clear();
    }

    pub(super) fn root_line(&self) -> &[Move] {
        &self.reached
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn reach(&self) -> u32 {
        self.reach
    }

    pub(super) fn fill(&self) -> u32 {
        self.memory.fill()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.control.map_or(Duration::ZERO, Control::elapsed)
    }

    /// Where to begin with a rank: with what the last iteration said.
    pub(super) fn guess(&self, rank: usize) -> Value {
        self.guesses.get(rank - 1).copied().unwrap_or(Value::ZERO)
    }

    pub(super) fn remember_guess(&mut self, rank: usize, value: Value) {
        self.guesses
            .resize(self.guesses.len().max(rank), Value::ZERO);
        self.guesses[rank - 1] = value;
    }

    /// The value of the root; `None` if the walk was stopped.
    pub(super) fn root(&mut self, alpha: Value, beta: Value, rest: Rest) -> Option<Value> {
        self.glance()?;
        let mut moves = self.root_moves.clone();
        self.put_first(&mut moves);
        let value = self.try_moves(&moves, (alpha, beta), rest, -Value::INFINITE, 0)?;
        // Below the window the moves are not told apart; then the line before holds.
        if alpha < value || self.reached.is_empty() {
            self.reached.clone_from(&self.best[0]);
        }
        Some(value)
    }

    fn node(&mut self, alpha: Value, beta: Value, rest: Rest, ply: u32) -> Option<Value> {
        self.glance()?;
        self.best[ply as usize].clear();
        self.reach = self.reach.max(ply);
        if let Some(value) = self.ruled(ply) {
            return Some(value);
        }
        if rest.is_spent() || ply as usize >= DEEPEST {
            return Some(self.judge.value(&mut self.line, &self.pos));
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if let Some(known) = self.memory.bounds(self.pos.key(), rest, ply) {
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
        // Moves that no class knows are not searched; that there are some says that nobody has to
        // take what the others bring.
        let floor = match unknown {
            0 => -Value::INFINITE,
            _ => self.judge.value(&mut self.line, &self.pos),
        };
        if moves.is_empty() || beta <= floor {
            return Some(floor);
        }
        self.put_first(&mut moves);
        self.try_moves(&moves, (alpha, beta), rest, floor, ply)
    }

    /// The best of the moves, or `floor` if that is more.
    fn try_moves(
        &mut self,
        moves: &[(Move, Chance)],
        (alpha, beta): (Value, Value),
        rest: Rest,
        floor: Value,
        ply: u32,
    ) -> Option<Value> {
        let (mut best, mut choice) = (floor, moves[0].0);
        let here = ply as usize;
        for &(mv, chance) in moves {
            let above = alpha.max(best);
            let change = self.pos.play(mv);
            J::push(&mut self.line, change);
            let value = self.node(-beta, -above, rest - chance, ply + 1);
            J::pop(&mut self.line);
            self.pos.undo();
            let value = -value?;
            if best < value {
                (best, choice) = (value, mv);
                let (upper, lower) = self.best.split_at_mut(here + 1);
                upper[here].clear();
                upper[here].push(mv);
                upper[here].extend_from_slice(&lower[0]);
            }
            if beta <= best {
                break;
            }
        }
        self.memory
            .learn((self.pos.key(), rest, ply), (alpha, beta), best, choice);
        Some(best)
    }

    /// Every move that a class knows, likeliest first, and how many no class knows.
    fn moves(&self) -> (Vec<(Move, Chance)>, usize) {
        let scene = Scene::of(&self.pos);
        let mut unknown = 0;
        let mut moves = Vec::with_capacity(64);
        for mv in legal(&self.pos, &self.rules) {
            match self.category.chance(&scene, mv) {
                Some(chance) => moves.push((mv, chance)),
                None => unknown += 1,
            }
        }
        moves.sort_by_key(|(_, chance)| chance.halvings());
        (moves, unknown)
    }

    /// The move that was best the last time comes first.
    fn put_first(&self, moves: &mut [(Move, Chance)]) {
        let best = self.memory.best(self.pos.key());
        if let Some(at) = moves.iter().position(|&(mv, _)| Some(mv) == best) {
            moves[..=at].rotate_right(1);
        }
    }

    /// What the rules say of a position without looking further.
    fn ruled(&self, ply: u32) -> Option<Value> {
        let plies = ply as i32;
        if let Some(hit) = self.pos.find_repetition(self.pos.played()) {
            return Some(match hit.state {
                RepetitionState::Draw => self.draw(),
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
            true => self.draw(),
            false => Value::mated_in(plies),
        })
    }

    /// What a draw is worth to the side to move.
    fn draw(&self) -> Value {
        let ours = self.rules.draw[self.us];
        if self.pos.turn() == self.us {
            ours
        } else {
            -ours
        }
    }

    /// Counts a node; `None` if the walk must end.
    fn glance(&mut self) -> Option<()> {
        let is_stopped = self.control.is_some_and(|control| {
            control.is_stopped() || self.nodes.is_multiple_of(GLANCE) && control.is_out_of_time()
        });
        if is_stopped || self.nodes >= self.node_limit {
            return None;
        }
        self.nodes += 1;
        Some(())
    }
}

/// Every legal move, without those that are never better than their promotion unless the rules want
/// all of them.
pub(super) fn legal(pos: &Position, rules: &Rules) -> impl Iterator<Item = Move> + use<> {
    let mut moves = MoveList::new();
    let _ = match rules.all_moves {
        true => pos.legal(&mut moves),
        false => legal_without_worse(pos, &mut moves),
    };
    let count = moves.len();
    (0..count).filter_map(move |place| moves.get(place))
}
