//! The value of every position of a graph, cycles included.
//!
//! A side that can go round for ever need not accept less than a draw, and no other side can be made
//! to: gains are the *least* fixed point of "some move gains, or all moves of the other side lose",
//! and so are losses. Repeating the minimax step from zero on reaches both, in whatever order the
//! positions are visited (every set of positions worth at least some gain only ever grows), so the
//! result does not depend on the order. The order decides only how soon: children first, most
//! positions are visited once. The idea of a fixed point instead of a recursion, and of visiting
//! children first, is that of retrograde analysis (Ströhlein 1970; Lincke 2002 for books). As games
//! of reaching something they go back to Zermelo (1913), as attractors to McNaughton (1993).
//!
//! A change is worked off along the moves that lead to it. What grew is passed on; what fell is first
//! taken back wherever it was the reason for something, then derived again: a cycle must not keep
//! alive what nothing outside supports any more. Distances fall along every reason, so reasons
//! never go round. Only the largest distance, that of perpetual checks, does not fall: where it is met,
//! everything is solved again.

mod perpetual;
mod score;
#[cfg(test)]
mod tests;
mod wins;

pub use score::Score;
pub use wins::{BookOutcome, WinPayoff, Wins};

use crate::graph::{BookNodeId, Edge, Graph};
use perpetual::CheckLoops;

/// What ends a line: what the values at the rim of a graph are.
pub trait Payoff {
    /// Whether a side that goes round with checks alone loses. Otherwise going round is never a
    /// gain for anybody.
    const PERPETUAL_CHECK: bool;

    /// The best that a position offers without any move: resigning, a proven mate.
    fn own(&self, graph: &Graph, node: BookNodeId) -> Option<Score>;

    /// A move whose position nothing is known about.
    fn leaf(&self, edge: &Edge) -> Score;
}

/// Values of evaluated leaves (the minimax that YaneuraOu calls peta shock).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evaluations;

impl Payoff for Evaluations {
    const PERPETUAL_CHECK: bool = true;

    fn own(&self, graph: &Graph, node: BookNodeId) -> Option<Score> {
        ending(graph, node)
    }

    fn leaf(&self, edge: &Edge) -> Score {
        Score::new(edge.value.into(), 0)
    }
}

/// A resignation is a loss, a proven mate a gain.
fn ending(graph: &Graph, node: BookNodeId) -> Option<Score> {
    let flags = graph.flags(node);
    if flags.is_proven_win() {
        Some(Score::new(Score::WON, 0))
    } else if flags.is_resigned() {
        Some(Score::new(-Score::WON, 0))
    } else {
        None
    }
}

/// The scores of all positions of a graph, kept up to date.
#[derive(Clone, Debug, Default)]
pub struct GraphSolver<P> {
    payoff: P,
    scores: Vec<Score>,
    waiting: Marks,
    loops: CheckLoops,
}

impl<P: Payoff> GraphSolver<P> {
    /// A solver that has not looked at anything yet.
    pub fn new(payoff: P) -> Self {
        Self {
            payoff,
            scores: Vec::new(),
            waiting: Marks::default(),
            loops: CheckLoops::default(),
        }
    }

    /// What a position is worth to the side to move; zero if it is new.
    #[inline]
    pub fn score(&self, node: BookNodeId) -> Score {
        self.scores.get(node.index()).copied().unwrap_or_default()
    }

    /// What a move is worth to the side that plays it.
    #[inline]
    pub fn edge_score(&self, graph: &Graph, edge: &Edge) -> Score {
        match graph.is_expanded(edge.child()) {
            true => self.score(edge.child()).before(),
            false => self.payoff.leaf(edge),
        }
    }

    /// Whether a move from one position to the other gives check in a loop of checks: whoever goes
    /// round there loses.
    pub(crate) fn goes_round(&self, node: BookNodeId, child: BookNodeId) -> bool {
        self.loops.goes_round(node, child)
    }

    /// How many bytes of memory it takes between two calls.
    pub fn bytes(&self) -> usize {
        self.scores.capacity() * size_of::<Score>() + self.waiting.0.capacity() * 8
    }

    /// Solves the whole graph from nothing.
    pub fn solve(&mut self, graph: &Graph) {
        self.scores.clear();
        self.resize(graph);
        let order = self.first_pass(graph);
        self.loops = match P::PERPETUAL_CHECK {
            true => CheckLoops::find(graph),
            false => CheckLoops::default(),
        };
        self.settle_loops(graph);
        while self.waiting.any() {
            self.sweep(graph, &order);
            self.settle_loops(graph);
        }
    }

    fn resize(&mut self, graph: &Graph) {
        self.scores.resize(graph.node_count(), Score::ZERO);
        self.waiting.resize(graph.node_count());
    }

    /// Visits children before their parents as far as cycles allow, gives every position its score
    /// by what is known so far, and marks those that were visited too early.
    fn first_pass(&mut self, graph: &Graph) -> Vec<BookNodeId> {
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut state = vec![0_u8; graph.node_count()];
        let mut order = Vec::with_capacity(graph.node_count());
        let mut path = Vec::new();
        for root in graph.nodes() {
            if state[root.index()] != 0 {
                continue;
            }
            state[root.index()] = OPEN;
            path.push((root, graph.edges(root)));
            while let Some((node, edges)) = path.last_mut() {
                let node = *node;
                let Some(edge) = edges.next() else {
                    state[node.index()] = DONE;
                    self.scores[node.index()] = self.best(graph, node);
                    order.push(node);
                    path.pop();
                    continue;
                };
                let child = graph.edge(edge).child();
                match state[child.index()] {
                    0 => {
                        state[child.index()] = OPEN;
                        path.push((child, graph.edges(child)));
                    }
                    OPEN => self.waiting.set(node),
                    _ => {}
                }
            }
        }
        order
    }

    /// Visits everything that waits, children first.
    fn sweep(&mut self, graph: &Graph, order: &[BookNodeId]) {
        for &node in order {
            if !self.waiting.take(node) || self.loops.wait(node) {
                continue;
            }
            let best = self.best(graph, node);
            if best != self.scores[node.index()] {
                self.scores[node.index()] = best;
                self.mark_parents(graph, node);
            }
        }
    }

    fn mark_parents(&mut self, graph: &Graph, node: BookNodeId) {
        for edge in graph.parents(node) {
            self.waiting.set(graph.edge(edge).from());
        }
    }

    /// The best that can be done in a position, by the present scores.
    #[inline]
    fn best(&self, graph: &Graph, node: BookNodeId) -> Score {
        let moves = graph.edges(node);
        let moves = moves.map(|edge| self.edge_score(graph, graph.edge(edge)));
        let best = moves.chain(self.payoff.own(graph, node)).max();
        best.unwrap_or(Score::ZERO)
    }

    /// Takes note that something about a position changed: a new move, another value, a resignation.
    /// Says how many positions had to be looked at.
    pub fn update(&mut self, graph: &Graph, node: BookNodeId) -> usize {
        if self.scores.is_empty() || P::PERPETUAL_CHECK && perpetual::may_close(graph, node) {
            self.solve(graph);
            return graph.node_count();
        }
        self.resize(graph);
        // A position that was a leaf so far changes the moves that lead to it as well.
        let mut queue = vec![node];
        queue.extend(graph.parents(node).map(|edge| graph.edge(edge).from()));
        let mut looked_at = 0;
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            looked_at += 1;
            self.waiting.take(node);
            let (old, new) = (self.score(node), self.best(graph, node));
            if self.loops.contains(node) || old.is_furthest() || new.is_furthest() {
                self.waiting.clear();
                self.solve(graph);
                return graph.node_count();
            }
            if old == new {
                continue;
            }
            if old.grows_to(new) {
                self.scores[node.index()] = new;
                self.queue_parents(graph, node, &mut queue);
            } else {
                self.retract(graph, node, &mut queue);
            }
            if next > 4096 && next * 2 > queue.len() {
                queue.drain(..next);
                next = 0;
            }
        }
        looked_at
    }

    fn queue_parents(&mut self, graph: &Graph, node: BookNodeId, queue: &mut Vec<BookNodeId>) {
        for edge in graph.parents(node) {
            let parent = graph.edge(edge).from();
            if !self.waiting.replace(parent) {
                queue.push(parent);
            }
        }
    }

    /// Forgets the score of a position and of all that it was a reason for, and queues them.
    fn retract(&mut self, graph: &Graph, node: BookNodeId, queue: &mut Vec<BookNodeId>) {
        let mut fallen = vec![(node, self.score(node))];
        self.scores[node.index()] = Score::ZERO;
        while let Some((node, old)) = fallen.pop() {
            if !self.waiting.replace(node) {
                queue.push(node);
            }
            for edge in graph.parents(node) {
                let parent = graph.edge(edge).from();
                let score = self.score(parent);
                // A gain had this move as a reason if it is the best one; a loss has all moves.
                let was_reason = match score.signum() {
                    1 => score == old.before(),
                    -1 => true,
                    _ => false,
                };
                if was_reason {
                    self.scores[parent.index()] = Score::ZERO;
                    fallen.push((parent, score));
                } else if !self.waiting.replace(parent) {
                    queue.push(parent);
                }
            }
        }
    }

    /// How far each drawn position is from a leaf that is worth nothing, if both sides go there the
    /// shortest way; [`Score::FURTHEST`] if they go round instead, and for positions that are not
    /// drawn.
    pub fn draw_distances(&self, graph: &Graph) -> Vec<u16> {
        const FURTHEST: u16 = Score::FURTHEST as u16;
        let mut distances = vec![FURTHEST; graph.node_count()];
        let is_drawn = |node: BookNodeId| self.score(node) == Score::ZERO;
        let mut queue: Vec<BookNodeId> = Vec::new();
        for node in graph.nodes().filter(|&node| is_drawn(node)) {
            let is_leaf = |edge: &Edge| {
                !graph.is_expanded(edge.child()) && self.payoff.leaf(edge) == Score::ZERO
            };
            if graph.edges(node).any(|edge| is_leaf(graph.edge(edge))) {
                distances[node.index()] = 0;
                queue.push(node);
            }
        }
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            let distance = (distances[node.index()] + 1).min(FURTHEST);
            for edge in graph.parents(node) {
                let parent = graph.edge(edge).from();
                if is_drawn(parent) && distances[parent.index()] > distance {
                    distances[parent.index()] = distance;
                    queue.push(parent);
                }
            }
        }
        distances
    }
}

/// A set of positions, one bit each.
#[derive(Clone, Debug, Default)]
struct Marks(Vec<u64>);

impl Marks {
    fn resize(&mut self, nodes: usize) {
        self.0.resize(nodes.div_ceil(64), 0);
    }
    fn clear(&mut self) {
        self.0.fill(0);
    }
    fn any(&self) -> bool {
        self.0.iter().any(|&word| word != 0)
    }
    #[inline]
    fn set(&mut self, node: BookNodeId) {
        self.0[node.index() / 64] |= 1 << (node.index() % 64);
    }
    #[inline]
    fn contains(&self, node: BookNodeId) -> bool {
        self.0[node.index() / 64] & 1 << (node.index() % 64) != 0
    }
    /// Takes a position out; whether it was in.
    #[inline]
    fn take(&mut self, node: BookNodeId) -> bool {
        let (word, bit) = (&mut self.0[node.index() / 64], 1 << (node.index() % 64));
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }
    /// Puts a position in; whether it was in.
    #[inline]
    fn replace(&mut self, node: BookNodeId) -> bool {
        let (word, bit) = (&mut self.0[node.index() / 64], 1 << (node.index() % 64));
        let was_in = *word & bit != 0;
        *word |= bit;
        was_in
    }
}
