//! Lines that win by what was played: what a book that grew by playing knows beside its moves.

use super::Selection;
use crate::graph::{BookNodeId, Graph};
use crate::repetition_rule::RepetitionRule;
use crate::solve::{BookOutcome, Wins};
use tesuji_shogi::{Move, Position};

/// A book of games with who wins by them.
#[derive(Debug)]
pub struct WonLines {
    graph: Graph,
    wins: Wins,
}

/// What is known of a move by what was played behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WonMove {
    /// What it comes to for whoever plays it; never unknown.
    pub outcome: BookOutcome,
    /// How often the position behind it was challenged.
    pub challenges: u32,
    /// Whether a mate solver proved it.
    pub is_proven: bool,
}

/// What won lines say about the choice of a move.
#[derive(Default)]
pub(super) struct WonAdvice {
    /// The move that wins.
    pub winning: Option<Move>,
    /// Moves that lose.
    pub refuted: Vec<Move>,
}

impl WonLines {
    /// Solves a book, by the rule that it names; `None` if nothing ends in it.
    pub fn solve(graph: Graph) -> Option<Self> {
        let ends = |node: BookNodeId| {
            let flags = graph.flags(node);
            flags.is_resigned() || flags.is_proven_win()
        };
        if graph.repetition().is_none() && !graph.nodes().any(ends) {
            return None;
        }
        let mut wins = Wins::new(graph.repetition().unwrap_or(RepetitionRule::USUAL));
        wins.solve(&graph);
        Some(Self { graph, wins })
    }

    /// What is known of a move of a position, if anything is.
    pub fn look(&self, pos: &Position, mv: Move) -> Option<WonMove> {
        let node = self.graph.find_position(pos)?;
        let edge = self.graph.edge_of(node, mv)?;
        let outcome = self.wins.move_outcome(&self.graph, edge);
        (outcome != BookOutcome::Unknown).then(|| WonMove {
            outcome,
            challenges: self.graph.challenges(self.graph.edge(edge).child()),
            is_proven: self.wins.is_move_proven(&self.graph, edge),
        })
    }

    /// Which move should be played, and which should not. Turned round, a repetition means something
    /// else: nothing is said then that depends on it.
    pub(super) fn advice(&self, pos: &Position, selection: &Selection) -> WonAdvice {
        let straight = self.advice_as_it_stands(pos, selection, true);
        straight
            .or_else(|| {
                let turned = selection.flipped.then(|| pos.flipped())?;
                let advice = self.advice_as_it_stands(&turned, selection, false)?;
                Some(WonAdvice {
                    winning: advice.winning.map(Move::rotated),
                    refuted: advice.refuted.into_iter().map(Move::rotated).collect(),
                })
            })
            .unwrap_or_default()
    }

    fn advice_as_it_stands(
        &self,
        pos: &Position,
        selection: &Selection,
        counts_repetition: bool,
    ) -> Option<WonAdvice> {
        let node = self.graph.find_position(pos)?;
        if !selection.ignore_ply && u32::from(self.graph.ply(node)) != pos.ply() {
            return None;
        }
        let counts = |outcome| match outcome {
            BookOutcome::WinByRepetition | BookOutcome::LossByRepetition => counts_repetition,
            _ => true,
        };
        let outcome = self.wins.outcome(&self.graph, node);
        let winning = self.wins.winning_move(&self.graph, node);
        let winning = winning.filter(|_| counts(outcome));
        let moves = self.graph.edges(node).map(|edge| {
            let outcome = self.wins.move_outcome(&self.graph, edge);
            (self.graph.edge(edge).mv(), outcome)
        });
        Some(WonAdvice {
            winning: winning.map(|edge| self.graph.edge(edge).mv()),
            refuted: moves
                .filter(|&(_, outcome)| outcome.is_loss() && counts(outcome))
                .map(|(mv, _)| mv)
                .collect(),
        })
    }
}
