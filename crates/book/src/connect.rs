//! Moves that no book has but that lead to a position it knows: transpositions found afterwards.

use crate::entry::BookEntry;
use crate::graph::{BookNodeId, BookSource, Graph};
use crate::solve::{GraphSolver, Payoff, Score};
use std::collections::HashMap;
use tesuji_shogi::Board;

/// Distances beyond this are written as the mark of a cycle.
const LONGEST_DISTANCE: i32 = 256;

impl Graph {
    /// Adds every legal move between two positions that have moves. Says how many there were.
    pub fn connect(&mut self, mut tick: impl FnMut()) -> usize {
        let nodes: Vec<BookNodeId> = self
            .nodes()
            .filter(|&node| self.is_expanded(node))
            .collect();
        let positions = nodes.iter().filter_map(|&node| {
            let pos = self.position(node).ok()?;
            Some((pos.identity(), node))
        });
        let known: HashMap<u128, BookNodeId> = positions.collect();
        let before = self.edge_count();
        for node in nodes {
            tick();
            let Ok(mut pos) = self.position(node) else {
                continue;
            };
            for mv in pos.legal_moves().iter() {
                pos.play(mv);
                let child = known.get(&pos.identity()).copied();
                pos.undo();
                if let Some(child) = child.filter(|_| self.edge_of(node, mv).is_none()) {
                    let edge = self.link(node, mv, child);
                    self.set_source(edge, BookSource::Transposition);
                }
            }
        }
        self.edge_count() - before
    }
}

impl<P: Payoff> GraphSolver<P> {
    /// A position of the graph with the values that follow from its leaves, the best move first. A
    /// move as good as the best one but at another distance is made one point worse, so that it is
    /// not taken for as good. `draws` are the [`GraphSolver::draw_distances`].
    pub fn entry(&self, graph: &Graph, node: BookNodeId, draws: &[u16]) -> Option<BookEntry> {
        let mut entry = graph.entry(node)?;
        for book_move in &mut entry.moves {
            let Some(edge) = book_move.mv.and_then(|mv| graph.edge_of(node, mv)) else {
                continue;
            };
            let edge = graph.edge(edge);
            let score = self.edge_score(graph, edge);
            let distance = match (score == Score::ZERO, graph.is_expanded(edge.child())) {
                (_, false) => 0,
                (true, true) => i32::from(draws[edge.child().index()]) + 1,
                (false, true) => score.distance(),
            };
            book_move.value = score.value();
            book_move.depth = match distance {
                0..=LONGEST_DISTANCE => distance,
                _ => Score::FURTHEST,
            };
        }
        entry.sort();
        if let Some((best, rest)) = entry.moves.split_first_mut() {
            for other in rest {
                if other.mv.is_some() && other.value == best.value && other.depth != best.depth {
                    other.value -= 1;
                }
            }
        }
        Some(entry)
    }
}
