//! Moves that no book has but that lead to a position it knows: transpositions found afterwards.
//!
//! That they count as moves of the book is YaneuraOu's idea.

use crate::entry::{BookEntry, BookMove, sort_moves};
use crate::graph::{BookNodeId, BookSource, Graph};
use crate::numbers::{KnownPositions, TERMS};
use crate::solve::{GraphSolver, Payoff, Score};
use tesuji_record::packed::PackedLayout;
use tesuji_shogi::Move;

/// Distances beyond this are written as the mark of a cycle.
const LONGEST_DISTANCE: i32 = 256;

impl Graph {
    /// Adds every legal move between two positions that have moves. Says how many there were.
    ///
    /// In a folded graph Black moves in all positions, and what stands behind a move is there turned
    /// round.
    pub fn connect(&mut self, is_folded: bool, mut tick: impl FnMut()) -> usize {
        let nodes: Vec<BookNodeId> = self
            .nodes()
            .filter(|&node| self.is_expanded(node))
            .collect();
        let mut known = KnownNodes {
            positions: KnownPositions::with_room(nodes.len()),
            nodes: Vec::with_capacity(nodes.len()),
        };
        for &node in &nodes {
            if let Ok(setup) = PackedLayout::PackedSfen.unpack_setup(self.key(node)) {
                // As it looks to whoever moves there from another one.
                let place = known.positions.add(match is_folded {
                    true => TERMS.flipped_number(&setup),
                    false => TERMS.number(&setup),
                });
                if place as usize == known.nodes.len() {
                    known.nodes.push(node);
                }
            }
        }
        let before = self.edge_count();
        for nodes in nodes.chunks(SLICE) {
            for (node, mv, child) in self.found_moves(nodes, &known) {
                let edge = self.link(node, mv, child);
                self.set_source(edge, BookSource::Transposition);
            }
            nodes.iter().for_each(|_| tick());
        }
        self.edge_count() - before
    }

    /// The moves of some positions that the book lacks and that lead to known ones, in order.
    fn found_moves(&self, nodes: &[BookNodeId], known: &KnownNodes) -> Vec<FoundMove> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = nodes.len().div_ceil(threads).max(1000);
        std::thread::scope(|scope| {
            let shares = nodes.chunks(share).map(|nodes| {
                scope.spawn(move || {
                    let found = nodes.iter().flat_map(|&node| self.found_at(node, known));
                    found.collect::<Vec<_>>()
                })
            });
            let threads: Vec<_> = shares.collect();
            let found = threads.into_iter().map(|thread| thread.join());
            found
                .flat_map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn found_at(&self, node: BookNodeId, known: &KnownNodes) -> Vec<FoundMove> {
        let mut found = Vec::new();
        let Ok(pos) = self.position(node) else {
            return found;
        };
        let number = TERMS.number(&pos.setup());
        known.positions.moves_into(&pos, number, |mv, place| {
            if self.edge_of(node, mv).is_none() {
                found.push((node, mv, known.nodes[place as usize]));
            }
        });
        found
    }
}

/// Known positions, and which nodes they are.
struct KnownNodes {
    positions: KnownPositions,
    nodes: Vec<BookNodeId>,
}

/// A move between two positions.
type FoundMove = (BookNodeId, Move, BookNodeId);

/// After so many positions the work is told.
const SLICE: usize = 50_000;

impl<P: Payoff> GraphSolver<P> {
    /// A position of the graph with the values that follow from its leaves, the best move first. A
    /// move as good as the best one but at another distance is made one point worse, so that it is
    /// not taken for as good; a check that goes round, and so may lose, comes after them. `draws` are the [`GraphSolver::draw_distances`].
    pub fn entry(&self, graph: &Graph, node: BookNodeId, draws: &[u16]) -> Option<BookEntry> {
        let mut entry = graph.entry(node)?;
        self.value_moves(graph, node, draws, &mut entry.moves);
        Some(entry)
    }

    /// Gives the moves of a position their values and puts the best one first.
    pub(crate) fn value_moves(
        &self,
        graph: &Graph,
        node: BookNodeId,
        draws: &[u16],
        moves: &mut [BookMove],
    ) {
        for book_move in moves.iter_mut() {
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
                _ if self.goes_round(node, edge.child()) => Score::CHECKS_ON,
                0..=LONGEST_DISTANCE => distance,
                _ => Score::FURTHEST,
            };
        }
        sort_moves(moves);
        if let Some((best, rest)) = moves.split_first_mut() {
            for other in rest {
                if other.mv.is_some() && other.value == best.value && other.depth != best.depth {
                    other.value -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::{Color, Position};

    /// Two ways to the same position, the second one without its last move.
    #[test]
    fn transpositions_are_found_folded_or_not() {
        let lines = ["7g7f 3c3d 2g2f 8c8d", "2g2f 3c3d 9g9f", "2g2f 3c3d"];
        for is_folded in [false, true] {
            let mut graph = Graph::default();
            let black = |pos: &Position| match (is_folded, pos.turn()) {
                (true, Color::White) => pos.flipped(),
                _ => pos.clone(),
            };
            for line in lines {
                let mut pos = Position::start();
                for mv in line.split(' ') {
                    let mv: Move = mv.parse().unwrap();
                    let here = pos.setup().build().unwrap();
                    let entry = BookEntry::new(here, vec![BookMove::new(mv)]);
                    let is_turned = is_folded && pos.turn() == Color::White;
                    let entry = if is_turned { entry.rotated() } else { entry };
                    graph.add_folded(&entry, black).unwrap();
                    pos.play(mv);
                }
            }
            // 7g7f leads from the second line into the first.
            assert_eq!(graph.connect(is_folded, || ()), 1, "folded: {is_folded}");
            assert_eq!(graph.connect(is_folded, || ()), 0);
        }
    }
}
