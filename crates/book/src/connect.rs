//! Moves that no book has but that lead to a position it knows: transpositions found afterwards.

use crate::entry::BookEntry;
use crate::graph::{BookNodeId, BookSource, Graph};
use crate::solve::{GraphSolver, Payoff, Score};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use tesuji_record::packed::PackedLayout;
use tesuji_shogi::{Board, ByColor, Color, Hand, Move, Piece, PieceKind, Position, Setup, Square};

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
        let mut known = KnownPositions::new(nodes.len());
        for &node in &nodes {
            if let Ok(setup) = PackedLayout::PackedSfen.unpack_setup(self.key(node)) {
                // As it looks to whoever moves there from another one.
                let number = match is_folded {
                    true => known.flipped_number(&setup),
                    false => known.number(&setup),
                };
                known.add(number, node);
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
    fn found_moves(&self, nodes: &[BookNodeId], known: &KnownPositions) -> Vec<FoundMove> {
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

    fn found_at(&self, node: BookNodeId, known: &KnownPositions) -> Vec<FoundMove> {
        let mut found = Vec::new();
        let Ok(pos) = self.position(node) else {
            return found;
        };
        let number = known.number(&pos.setup());
        let legal = pos.legal_moves();
        let numbers = legal.iter().map(|mv| (mv, known.after(number, &pos, mv)));
        // The bits of all moves are asked for before any is waited for.
        let numbers: Vec<(Move, u128)> = numbers.collect();
        let bits: Vec<bool> = numbers
            .iter()
            .map(|&(_, number)| known.may_have(number))
            .collect();
        for ((mv, number), _) in numbers.into_iter().zip(bits).filter(|&(_, bit)| bit) {
            let child = known.nodes.get(&number).copied();
            if let Some(child) = child.filter(|_| self.edge_of(node, mv).is_none()) {
                found.push((node, mv, child));
            }
        }
        found
    }
}

/// A move between two positions.
type FoundMove = (BookNodeId, Move, BookNodeId);

/// After so many positions the work is told.
const SLICE: usize = 50_000;

/// Positions by numbers of 128 bits that a move changes in few terms (Zobrist 1970), so that nothing
/// need be played. Most moves lead nowhere: a bit for each position says so without a look at the
/// table (Bloom 1970).
struct KnownPositions {
    /// By piece, then by square.
    board: Vec<[u128; Square::COUNT]>,
    /// By colour, kind and how many there are.
    hands: ByColor<[[u128; 20]; 7]>,
    /// Added when White is to move.
    turn: u128,
    bits: Vec<u64>,
    nodes: HashMap<u128, BookNodeId, BuildHasherDefault<OwnNumber>>,
}

/// Numbers that are as good as random need no hash.
#[derive(Default)]
struct OwnNumber(u64);

impl Hasher for OwnNumber {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u128(&mut self, number: u128) {
        self.0 = (number >> 64) as u64;
    }
}

impl KnownPositions {
    fn new(positions: usize) -> Self {
        let mut dice = fastrand::Rng::with_seed(1);
        let mut hands = ByColor([[[0; 20]; 7]; 2]);
        for number in hands.0.as_flattened_mut().as_flattened_mut() {
            *number = dice.u128(..);
        }
        Self {
            board: (0..32)
                .map(|_| [0; Square::COUNT].map(|_: u128| dice.u128(..)))
                .collect(),
            hands,
            turn: dice.u128(..),
            bits: vec![0; (positions / 4).next_power_of_two().max(64)],
            nodes: HashMap::with_capacity_and_hasher(positions, BuildHasherDefault::default()),
        }
    }

    fn on(&self, piece: Option<Piece>, square: Square) -> u128 {
        piece.map_or(0, |piece| self.board[piece.index() & 31][square.index()])
    }

    fn held(&self, color: Color, kind: PieceKind, count: u32) -> u128 {
        self.hands[color][kind.index() % 7][count as usize % 20]
    }

    /// The number of a position.
    fn number(&self, setup: &Setup) -> u128 {
        self.sum(
            setup.turn,
            |square| setup.board[square],
            |color| setup.hands[color],
        )
    }

    /// The number of a position turned round.
    fn flipped_number(&self, setup: &Setup) -> u128 {
        self.sum(
            setup.turn.foe(),
            |square| setup.board[square.rotated()].map(Piece::inverse),
            |color| setup.hands[color.foe()],
        )
    }

    fn sum(
        &self,
        turn: Color,
        at: impl Fn(Square) -> Option<Piece>,
        hand: impl Fn(Color) -> Hand,
    ) -> u128 {
        let board = Square::all().map(|square| self.on(at(square), square));
        let hands = Color::ALL.into_iter().flat_map(|color| {
            let held = hand(color);
            PieceKind::HAND.map(|kind| self.held(color, kind, held.count(kind)))
        });
        let turn = if turn == Color::White { self.turn } else { 0 };
        board.chain(hands).fold(turn, |sum, term| sum ^ term)
    }

    /// The same number after a move.
    fn after(&self, number: u128, pos: &Position, mv: Move) -> u128 {
        let (turn, to) = (pos.turn(), mv.to());
        let change = |kind: PieceKind, more: bool| {
            let count = pos.hand(turn).count(kind);
            let then = if more {
                count + 1
            } else {
                count.wrapping_sub(1)
            };
            self.held(turn, kind, count) ^ self.held(turn, kind, then)
        };
        let number = number ^ self.turn;
        if let Some(kind) = mv.dropped() {
            return number ^ change(kind, false) ^ self.on(Some(Piece::new(turn, kind)), to);
        }
        let Some((from, piece)) = mv.from().and_then(|from| Some((from, pos.at(from)?))) else {
            return number;
        };
        let placed = match mv.is_promotion() {
            true => piece.promoted().unwrap_or(piece),
            false => piece,
        };
        let taken = pos.at(to);
        let gained = taken.map_or(0, |taken| change(taken.base(), true));
        number
            ^ self.on(Some(piece), from)
            ^ self.on(Some(placed), to)
            ^ self.on(taken, to)
            ^ gained
    }

    fn place(&self, number: u128) -> (usize, u64) {
        let word = number as usize & (self.bits.len() - 1);
        (word, 1 << (number as u64 >> 58))
    }

    fn add(&mut self, number: u128, node: BookNodeId) {
        let (word, bit) = self.place(number);
        self.bits[word] |= bit;
        self.nodes.insert(number, node);
    }

    /// Whether a position of this number may be there; `false` is certain.
    fn may_have(&self, number: u128) -> bool {
        let (word, bit) = self.place(number);
        self.bits[word] & bit != 0
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::BookMove;

    #[test]
    fn numbers_follow_every_move() {
        let mut dice = fastrand::Rng::with_seed(4);
        let known = KnownPositions::new(1);
        for _ in 0..40 {
            let mut pos = Position::start();
            for _ in 0..80 {
                let legal = pos.legal_moves();
                let number = known.number(&pos.setup());
                let turned = known.flipped_number(&pos.setup());
                assert_eq!(turned, known.number(&pos.flipped().setup()));
                for mv in legal.iter() {
                    let told = known.after(number, &pos, mv);
                    pos.play(mv);
                    assert_eq!(told, known.number(&pos.setup()), "{mv}");
                    pos.undo();
                }
                let Some(mv) = legal.get(dice.usize(..legal.len().max(1))) else {
                    break;
                };
                pos.play(mv);
            }
        }
    }

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
