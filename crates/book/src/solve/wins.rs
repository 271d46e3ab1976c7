//! Win, loss or unknown by what was played: a position is won if some stored move leads to one that is
//! lost for the other side, lost if all that was stored there, resigning included, loses.
//!
//! The rank of a win is the number of plies to the end if the loser holds out; whoever follows falling
//! ranks cannot be led round in a circle. Where a repetition is a loss for one side, the other side
//! also wins by going round, unless it does so by checks alone: those wins are a Büchi game (infinitely
//! many moves that are no checks; Büchi and Landweber 1969, Thomas 1995), solved by the usual nested
//! fixed point. That a perpetual check loses is otherwise only used with caution: nobody is said to win
//! because the other side might check for ever.

use super::{GraphSolver, Marks, Payoff, Score, ending};
use crate::graph::{BookNodeId, BookSource, Edge, EdgeId, Graph};
use crate::repetition_rule::RepetitionRule;
use tesuji_shogi::Color;

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookOutcome {
    /// It wins against every stored reply, in so many plies.
    Win(u32),
    /// Every stored move loses, after so many plies.
    Loss(u32),
    /// It wins because the other side must repeat or lose.
    WinByRepetition,
    /// It must repeat, and that loses, or lose otherwise.
    LossByRepetition,
    /// Neither.
    Unknown,
}

impl BookOutcome {
    /// Whether the side to move wins.
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win(_) | Self::WinByRepetition)
    }
    /// Whether the side to move loses.
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Loss(_) | Self::LossByRepetition)
    }
}

/// Only endings count: what nobody has played is neither gain nor loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WinPayoff;

impl Payoff for WinPayoff {
    const PERPETUAL_CHECK: bool = false;

    fn own(&self, graph: &Graph, node: BookNodeId) -> Option<Score> {
        ending(graph, node)
    }

    fn leaf(&self, _: &Edge) -> Score {
        Score::ZERO
    }
}

/// Who wins where, kept up to date.
#[derive(Clone, Debug)]
pub struct Wins {
    solver: GraphSolver<WinPayoff>,
    rule: RepetitionRule,
    /// For positions won by repetition, how many plies to a win or to a move that is no check; 0
    /// elsewhere.
    round: Vec<u32>,
    is_stale: bool,
}

impl Wins {
    /// Nothing is known yet.
    pub fn new(rule: RepetitionRule) -> Self {
        Self {
            solver: GraphSolver::new(WinPayoff),
            rule,
            round: Vec::new(),
            is_stale: true,
        }
    }

    /// Solves the whole graph.
    pub fn solve(&mut self, graph: &Graph) {
        self.solver.solve(graph);
        self.is_stale = true;
        self.refresh(graph);
    }

    /// Takes note that something about a position changed. Wins by repetition stay as they were until
    /// [`Wins::refresh`].
    pub fn update(&mut self, graph: &Graph, node: BookNodeId) -> usize {
        self.is_stale = true;
        self.solver.update(graph, node)
    }

    /// Finds the wins by repetition anew, if something changed.
    pub fn refresh(&mut self, graph: &Graph) {
        if let RepetitionRule::Loses(loser) = self.rule
            && self.is_stale
        {
            self.round = Rounds::new(graph, &self.solver, loser.foe()).solve();
        }
        self.is_stale = false;
    }

    /// What is known of a position.
    pub fn outcome(&self, graph: &Graph, node: BookNodeId) -> BookOutcome {
        let score = self.solver.score(node);
        let plies = score.distance() as u32;
        match (score.signum(), self.rule) {
            (1, _) => BookOutcome::Win(plies),
            (-1, _) => BookOutcome::Loss(plies),
            (_, RepetitionRule::Loses(loser)) if self.is_round(node) => {
                if graph.turn(node) == loser {
                    BookOutcome::LossByRepetition
                } else {
                    BookOutcome::WinByRepetition
                }
            }
            _ => BookOutcome::Unknown,
        }
    }

    fn is_round(&self, node: BookNodeId) -> bool {
        self.round.get(node.index()).is_some_and(|&rank| rank > 0)
    }

    /// What a move comes to for whoever plays it.
    pub fn move_outcome(&self, graph: &Graph, edge: EdgeId) -> BookOutcome {
        match self.outcome(graph, graph.edge(edge).child()) {
            BookOutcome::Loss(plies) => BookOutcome::Win(plies + 1),
            BookOutcome::Win(plies) => BookOutcome::Loss(plies + 1),
            BookOutcome::LossByRepetition => BookOutcome::WinByRepetition,
            BookOutcome::WinByRepetition => BookOutcome::LossByRepetition,
            // Nobody has played on behind a mate that was found.
            BookOutcome::Unknown if is_mate(graph, edge) => {
                BookOutcome::Win(graph.edge(edge).depth.into())
            }
            BookOutcome::Unknown => BookOutcome::Unknown,
        }
    }

    /// Whether a mate solver proved what a move comes to: that it mates, or that it is refuted. The
    /// proof of a win stands where the move is played, that of a loss where it leads to.
    pub fn is_move_proven(&self, graph: &Graph, edge: EdgeId) -> bool {
        match self.move_outcome(graph, edge) {
            outcome if outcome.is_win() => is_mate(graph, edge),
            outcome if outcome.is_loss() => graph.flags(graph.edge(edge).child()).is_proven_win(),
            _ => false,
        }
    }

    /// A move that wins, the quickest one; `None` if none is known.
    pub fn winning_move(&self, graph: &Graph, node: BookNodeId) -> Option<EdgeId> {
        match self.outcome(graph, node) {
            BookOutcome::Win(_) => graph
                .edges(node)
                .max_by_key(|&edge| self.solver.edge_score(graph, graph.edge(edge)))
                .filter(|&edge| self.outcome(graph, graph.edge(edge).child()).is_loss())
                .or_else(|| graph.edges(node).find(|&edge| is_mate(graph, edge))),
            BookOutcome::WinByRepetition => graph
                .edges(node)
                .filter(|&edge| self.outcome(graph, graph.edge(edge).child()).is_loss())
                .min_by_key(|&edge| {
                    let child = graph.edge(edge).child();
                    let is_quiet = !graph.flags(child).is_in_check();
                    let is_certain = self.solver.score(child).signum() < 0;
                    let rank = self.round.get(child.index()).copied().unwrap_or(0);
                    (!is_certain, !is_quiet, rank)
                }),
            _ => None,
        }
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        self.solver.bytes() + self.round.capacity() * 4
    }
}

/// Whether a move is the one by which a mate solver proved that its side wins. Books that do not name
/// the solver as its source have the value of a mate.
fn is_mate(graph: &Graph, edge: EdgeId) -> bool {
    const LEAST_MATE: i16 = 31_000;
    let played = graph.edge(edge);
    let is_found = *graph.source(edge) == BookSource::Proof || played.value >= LEAST_MATE;
    graph.flags(played.from()).is_proven_win() && is_found
}

/// The search for wins of a side that may go round.
struct Rounds<'a> {
    graph: &'a Graph,
    solver: &'a GraphSolver<WinPayoff>,
    side: Color,
    /// Where the side may still hope to go round.
    hope: Marks,
}

impl<'a> Rounds<'a> {
    fn new(graph: &'a Graph, solver: &'a GraphSolver<WinPayoff>, side: Color) -> Self {
        let mut hope = Marks::default();
        hope.resize(graph.node_count());
        Self {
            graph,
            solver,
            side,
            hope,
        }
    }

    /// Whether the side wins a position anyway.
    fn is_won(&self, node: BookNodeId) -> bool {
        let score = self.solver.score(node).signum();
        score
            == if self.graph.turn(node) == self.side {
                1
            } else {
                -1
            }
    }

    fn solve(mut self) -> Vec<u32> {
        self.find_hope();
        let mut count = usize::MAX;
        loop {
            let ranks = self.ranks();
            let found = ranks.iter().filter(|&&rank| rank > 0).count();
            for node in self.graph.nodes() {
                if ranks[node.index()] == 0 {
                    self.hope.take(node);
                }
            }
            if found == count {
                let only_round =
                    |node: BookNodeId, rank: u32| if self.is_won(node) { 0 } else { rank };
                let nodes = self.graph.nodes().zip(ranks);
                return nodes.map(|(node, rank)| only_round(node, rank)).collect();
            }
            count = found;
        }
    }

    /// Leaves out every position from which the other side can force something unknown or a win,
    /// whatever checks are given: what remains holds the answer.
    fn find_hope(&mut self) {
        let graph = self.graph;
        let mut left: Vec<u32> = graph
            .nodes()
            .map(|node| graph.edges(node).count() as u32)
            .collect();
        let mut lost: Vec<BookNodeId> = Vec::new();
        for node in graph.nodes() {
            self.hope.set(node);
            let is_end = left[node.index()] == 0;
            if is_end && !self.is_won(node) {
                self.hope.take(node);
                lost.push(node);
            }
        }
        while let Some(node) = lost.pop() {
            for edge in graph.parents(node) {
                let parent = graph.edge(edge).from();
                left[parent.index()] -= 1;
                let can_avoid = graph.turn(parent) == self.side && left[parent.index()] > 0;
                if !can_avoid && !self.is_won(parent) && self.hope.take(parent) {
                    lost.push(parent);
                }
            }
        }
    }

    /// For every position how soon the side can force a win or a move without check that keeps the
    /// hope, from 1; 0 if it cannot.
    fn ranks(&self) -> Vec<u32> {
        let graph = self.graph;
        let mut ranks = vec![0_u32; graph.node_count()];
        let mut left: Vec<u32> = vec![0; graph.node_count()];
        let mut queue: Vec<BookNodeId> = Vec::new();
        for node in graph.nodes() {
            left[node.index()] = graph.edges(node).count() as u32;
            let keeps_hope = |edge: EdgeId| {
                let child = graph.edge(edge).child();
                self.hope.contains(child) && !graph.flags(child).is_in_check()
            };
            let is_at_once = graph.turn(node) == self.side && graph.edges(node).any(keeps_hope);
            if self.is_won(node) || is_at_once {
                ranks[node.index()] = 1;
                queue.push(node);
            }
        }
        let mut next = 0;
        while let Some(&node) = queue.get(next) {
            next += 1;
            for edge in graph.parents(node) {
                let parent = graph.edge(edge).from();
                left[parent.index()] -= 1;
                let can_force = graph.turn(parent) == self.side || left[parent.index()] == 0;
                if can_force && ranks[parent.index()] == 0 {
                    ranks[parent.index()] = ranks[node.index()] + 1;
                    queue.push(parent);
                }
            }
        }
        ranks
    }
}
