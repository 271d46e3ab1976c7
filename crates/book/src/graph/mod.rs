//! Positions and the moves between them, in about a hundred bytes per position.
//!
//! Positions are nodes, known by their 32 packed bytes, so that a position can be had back and two
//! are never taken for each other. Moves are edges, chained twice: all moves of a position, and all
//! moves that lead to it. New ones are appended and nothing ever moves, so that solvers and stores
//! may keep the numbers of nodes and edges.

mod index;

use crate::repetition_rule::RepetitionRule;
use index::Index;
use std::collections::HashMap;
use tesuji_record::packed::{PackError, Packed, PackedLayout, UnpackError};
use tesuji_shogi::{Color, Move, Position};

/// The number of a position in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BookNodeId(pub(crate) u32);

/// The number of a move in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub(crate) u32);

/// The end of a chain.
const NONE: u32 = u32::MAX;

impl BookNodeId {
    /// The number itself: nodes are counted from 0 in the order they came.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// The number itself: edges are counted from 0 in the order they came.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where the value of a move comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum BookSource {
    /// A file that does not say.
    #[default]
    Unknown,
    /// Typed by a person.
    Person,
    /// Games that were played.
    Games,
    /// A mate solver proved it.
    Proof,
    /// The move was not in the book, but leads to a position that is.
    Transposition,
    /// A search.
    Search {
        /// By whom.
        engine: String,
        /// Over how many positions.
        nodes: u64,
    },
}

impl BookSource {
    /// A search over about so many positions: two digits of the number are kept, so that a book does
    /// not have as many sources as moves.
    pub fn search(engine: &str, nodes: u64) -> Self {
        let scale = 10_u64.pow(nodes.max(1).ilog10().saturating_sub(1));
        Self::Search {
            engine: engine.into(),
            nodes: nodes / scale * scale,
        }
    }
}

/// A move from one position to another, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    from: u32,
    child: u32,
    next: u32,
    next_parent: u32,
    /// How often it was played, or a weight that a person gave it.
    pub count: u32,
    mv: Move,
    /// What it is worth to the side that plays it.
    pub value: i16,
    /// How deep it was searched; 0 if it was not.
    pub depth: u16,
    source: u16,
}

impl Edge {
    /// The move.
    pub const fn mv(&self) -> Move {
        self.mv
    }
    /// Where it is played.
    pub const fn from(&self) -> BookNodeId {
        BookNodeId(self.from)
    }
    /// Where it leads to.
    pub const fn child(&self) -> BookNodeId {
        BookNodeId(self.child)
    }
}

/// What is known about a position beside its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeFlags(u8);

impl NodeFlags {
    const RESIGNED: u8 = 1;
    const IN_CHECK: u8 = 2;
    const PROVEN_WIN: u8 = 4;
    const START: u8 = 8;

    /// Whether the side to move resigned here, or is mated.
    pub const fn is_resigned(self) -> bool {
        self.0 & Self::RESIGNED != 0
    }
    /// Whether the side to move is in check.
    pub const fn is_in_check(self) -> bool {
        self.0 & Self::IN_CHECK != 0
    }
    /// Whether a mate solver proved that the side to move wins.
    pub const fn is_proven_win(self) -> bool {
        self.0 & Self::PROVEN_WIN != 0
    }
    /// Whether games begin here.
    pub const fn is_start(self) -> bool {
        self.0 & Self::START != 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Links {
    first_edge: u32,
    first_parent: u32,
}

/// Positions and moves.
///
/// ```
/// use tesuji_book::Graph;
/// use tesuji_shogi::Position;
/// let mut graph = Graph::default();
/// let mut pos = Position::start();
/// let start = graph.add_position(&pos)?;
/// let mv = "7g7f".parse().unwrap();
/// pos.play(mv);
/// let child = graph.add_position(&pos)?;
/// let edge = graph.link(start, mv, child);
/// graph.edge_mut(edge).value = 30;
/// assert_eq!(graph.edges(start).map(|edge| graph.edge(edge).mv()).collect::<Vec<_>>(), [mv]);
/// assert_eq!(graph.position(child)?, Position::from_sfen(&pos.to_sfen()).unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    keys: Vec<Packed>,
    index: Index,
    links: Vec<Links>,
    plies: Vec<u16>,
    flags: Vec<NodeFlags>,
    /// How often each position was reached by an opponent who tried to refute it.
    challenges: Vec<u32>,
    edges: Vec<Edge>,
    sources: Vec<BookSource>,
    /// Games won and lost by a move, for those that come from games.
    results: HashMap<EdgeId, (u32, u32)>,
    /// By which rule its games were played, if a book says so.
    repetition: Option<RepetitionRule>,
}

impl Graph {
    /// An empty graph with room for so many positions and moves.
    pub fn with_capacity(nodes: usize, edges: usize) -> Self {
        let mut graph = Self::default();
        graph.index.reserve(nodes);
        graph.keys.reserve_exact(nodes);
        graph.links.reserve_exact(nodes);
        graph.plies.reserve_exact(nodes);
        graph.flags.reserve_exact(nodes);
        graph.challenges.reserve_exact(nodes);
        graph.edges.reserve_exact(edges);
        graph
    }

    /// So many positions that have numbers and no keys: those of a book that is solved and written
    /// without being asked for a position.
    pub(crate) fn without_keys(nodes: usize) -> Self {
        Self {
            links: vec![
                Links {
                    first_edge: NONE,
                    first_parent: NONE,
                };
                nodes
            ],
            plies: vec![0; nodes],
            flags: vec![NodeFlags::default(); nodes],
            challenges: vec![0; nodes],
            ..Self::default()
        }
    }

    /// How many positions there are.
    pub fn node_count(&self) -> usize {
        self.links.len()
    }

    /// How many moves there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// What a repetition meant in the games that it was made of; `None` if nobody said.
    pub fn repetition(&self) -> Option<RepetitionRule> {
        self.repetition
    }

    /// Says what a repetition means; who says it first is believed.
    pub fn set_repetition(&mut self, rule: RepetitionRule) {
        self.repetition.get_or_insert(rule);
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Packed>()
            + self.index.bytes()
            + self.links.capacity() * size_of::<Links>()
            + self.plies.capacity() * 2
            + self.flags.capacity()
            + self.challenges.capacity() * 4
            + self.edges.capacity() * size_of::<Edge>()
            + self.results.capacity() * size_of::<(EdgeId, (u32, u32))>()
    }

    /// The position with this key, if it is there.
    pub fn find(&self, key: &Packed) -> Option<BookNodeId> {
        self.index.find(key, &self.keys).map(BookNodeId)
    }

    /// The same for a position; one without both kings is in no book.
    pub fn find_position(&self, pos: &Position) -> Option<BookNodeId> {
        self.find(&PackedLayout::PackedSfen.pack(pos).ok()?)
    }

    /// The node of a key, new if it was not there. Whoever adds a bare key says himself whether the
    /// side to move is in check.
    ///
    /// # Panics
    /// With more than four thousand million positions.
    pub fn add(&mut self, key: Packed) -> BookNodeId {
        if let Some(node) = self.find(&key) {
            return node;
        }
        let id = u32::try_from(self.keys.len()).expect("nodes are counted in 32 bits");
        self.keys.push(key);
        self.index.insert(id, &self.keys);
        self.links.push(Links {
            first_edge: NONE,
            first_parent: NONE,
        });
        self.plies.push(0);
        self.flags.push(NodeFlags::default());
        self.challenges.push(0);
        BookNodeId(id)
    }

    /// The node of a position, new if it was not there. It keeps the smallest move number seen.
    ///
    /// # Errors
    /// If a king is missing.
    pub fn add_position(&mut self, pos: &Position) -> Result<BookNodeId, PackError> {
        let node = self.add(PackedLayout::PackedSfen.pack(pos)?);
        self.set_in_check(node, pos.in_check());
        let ply = u16::try_from(pos.ply()).unwrap_or(u16::MAX);
        let known = &mut self.plies[node.index()];
        if *known == 0 || ply < *known {
            *known = ply;
        }
        Ok(node)
    }

    /// The position of a node.
    ///
    /// # Errors
    /// If the node was added by a key that is none.
    pub fn position(&self, node: BookNodeId) -> Result<Position, UnpackError> {
        let mut setup = PackedLayout::PackedSfen.unpack_setup(self.key(node))?;
        setup.ply = self.plies[node.index()].max(1);
        Ok(setup.build()?)
    }

    /// The packed position of a node.
    pub fn key(&self, node: BookNodeId) -> &Packed {
        &self.keys[node.index()]
    }

    /// Who is to move.
    pub fn turn(&self, node: BookNodeId) -> Color {
        Color::ALL[usize::from(self.key(node)[0] & 1)]
    }

    /// The smallest move number with which the position was seen; 0 if nobody said.
    pub fn ply(&self, node: BookNodeId) -> u16 {
        self.plies[node.index()]
    }

    /// Says with which move number a position comes.
    pub fn set_ply(&mut self, node: BookNodeId, ply: u16) {
        self.plies[node.index()] = ply;
    }

    /// All nodes, oldest first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = BookNodeId> + ExactSizeIterator + use<> {
        (0..self.links.len() as u32).map(BookNodeId)
    }

    /// What is known about a position beside its moves.
    #[inline]
    pub fn flags(&self, node: BookNodeId) -> NodeFlags {
        self.flags[node.index()]
    }

    /// Says whether the side to move resigned here, or is mated.
    pub fn set_resigned(&mut self, node: BookNodeId, yes: bool) {
        self.set(node, NodeFlags::RESIGNED, yes);
    }

    /// Says whether the side to move is in check.
    pub fn set_in_check(&mut self, node: BookNodeId, yes: bool) {
        self.set(node, NodeFlags::IN_CHECK, yes);
    }

    /// Says whether a mate solver proved that the side to move wins.
    pub fn set_proven_win(&mut self, node: BookNodeId, yes: bool) {
        self.set(node, NodeFlags::PROVEN_WIN, yes);
    }

    /// Says whether games begin here.
    pub fn set_start(&mut self, node: BookNodeId, yes: bool) {
        self.set(node, NodeFlags::START, yes);
    }

    fn set(&mut self, node: BookNodeId, flag: u8, yes: bool) {
        let flags = &mut self.flags[node.index()].0;
        *flags = if yes { *flags | flag } else { *flags & !flag };
    }

    /// How often an opponent tried to refute the position.
    pub fn challenges(&self, node: BookNodeId) -> u32 {
        self.challenges[node.index()]
    }

    /// The same, to be counted up.
    pub fn challenges_mut(&mut self, node: BookNodeId) -> &mut u32 {
        &mut self.challenges[node.index()]
    }

    /// Whether anything can be done here: a move, or to resign.
    #[inline]
    pub fn is_expanded(&self, node: BookNodeId) -> bool {
        const ENDS: u8 = NodeFlags::RESIGNED | NodeFlags::PROVEN_WIN;
        self.links[node.index()].first_edge != NONE || self.flags[node.index()].0 & ENDS != 0
    }

    /// The edge of a move between two positions, new if it was not there. The moves of a position
    /// keep the order in which they came.
    ///
    /// # Panics
    /// With more than four thousand million moves.
    pub fn link(&mut self, from: BookNodeId, mv: Move, child: BookNodeId) -> EdgeId {
        let mut last = None;
        for edge in self.edges(from) {
            if self.edge(edge).mv == mv {
                return edge;
            }
            last = Some(edge);
        }
        self.append(from, last, mv, child)
    }

    /// Adds a move that is not there yet behind the last one of its position.
    ///
    /// # Panics
    /// With more than four thousand million moves.
    pub(crate) fn append(
        &mut self,
        from: BookNodeId,
        last: Option<EdgeId>,
        mv: Move,
        child: BookNodeId,
    ) -> EdgeId {
        let id = u32::try_from(self.edges.len()).expect("edges are counted in 32 bits");
        self.edges.push(Edge {
            from: from.0,
            child: child.0,
            next: NONE,
            next_parent: self.links[child.index()].first_parent,
            count: 0,
            mv,
            value: 0,
            depth: 0,
            source: 0,
        });
        self.links[child.index()].first_parent = id;
        match last {
            Some(last) => self.edges[last.index()].next = id,
            None => self.links[from.index()].first_edge = id,
        }
        EdgeId(id)
    }

    /// The moves of a position, in the order they came.
    #[inline]
    pub fn edges(&self, node: BookNodeId) -> impl Iterator<Item = EdgeId> + '_ {
        self.chain(self.links[node.index()].first_edge, |edge| edge.next)
    }

    /// The moves that lead to a position.
    #[inline]
    pub fn parents(&self, node: BookNodeId) -> impl Iterator<Item = EdgeId> + '_ {
        self.chain(self.links[node.index()].first_parent, |edge| {
            edge.next_parent
        })
    }

    #[inline]
    fn chain<'a>(
        &'a self,
        first: u32,
        next: impl Fn(&Edge) -> u32 + 'a,
    ) -> impl Iterator<Item = EdgeId> + 'a {
        let mut at = first;
        std::iter::from_fn(move || {
            let edge = self.edges.get(at as usize)?;
            Some(EdgeId(std::mem::replace(&mut at, next(edge))))
        })
    }

    /// The move of a position that is this one.
    pub fn edge_of(&self, node: BookNodeId, mv: Move) -> Option<EdgeId> {
        self.edges(node).find(|&edge| self.edge(edge).mv == mv)
    }

    /// What is known about a move.
    #[inline]
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// The same, to be changed.
    pub fn edge_mut(&mut self, edge: EdgeId) -> &mut Edge {
        &mut self.edges[edge.index()]
    }

    /// How many games were won and lost by whoever played a move.
    pub fn results(&self, edge: EdgeId) -> (u32, u32) {
        match self.results.is_empty() {
            true => (0, 0),
            false => self.results.get(&edge).copied().unwrap_or_default(),
        }
    }

    /// Adds games won and lost by a move.
    pub fn add_results(&mut self, edge: EdgeId, won: u32, lost: u32) {
        if won > 0 || lost > 0 {
            let results = self.results.entry(edge).or_default();
            results.0 = results.0.saturating_add(won);
            results.1 = results.1.saturating_add(lost);
        }
    }

    /// Where the value of a move comes from.
    pub fn source(&self, edge: EdgeId) -> &BookSource {
        static UNKNOWN: BookSource = BookSource::Unknown;
        let place = usize::from(self.edge(edge).source).checked_sub(1);
        place.map_or(&UNKNOWN, |place| &self.sources[place])
    }

    /// Says where the value of a move comes from. Sources are kept once each; should there be more
    /// than 65,534, those of searches lose the count of their nodes.
    pub fn set_source(&mut self, edge: EdgeId, source: BookSource) {
        let number = match self.sources.iter().position(|known| *known == source) {
            _ if source == BookSource::Unknown => 0,
            Some(place) => place as u16 + 1,
            None if self.sources.len() < usize::from(u16::MAX) - 1 => {
                self.sources.push(source);
                self.sources.len() as u16
            }
            None => 0,
        };
        self.edges[edge.index()].source = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_again_and_chains_keep_their_order() {
        let mut graph = Graph::default();
        let start = Position::start();
        let root = graph.add_position(&start).unwrap();
        let mut moves = Vec::new();
        for mv in ["7g7f", "2g2f", "5g5f"].map(|mv| mv.parse::<Move>().unwrap()) {
            let mut pos = start.clone();
            pos.play(mv);
            let child = graph.add_position(&pos).unwrap();
            let edge = graph.link(root, mv, child);
            assert_eq!(graph.link(root, mv, child), edge);
            assert_eq!(graph.find_position(&pos), Some(child));
            assert_eq!(graph.parents(child).collect::<Vec<_>>(), [edge]);
            moves.push(mv);
        }
        let found: Vec<_> = graph.edges(root).map(|edge| graph.edge(edge).mv).collect();
        assert_eq!(found, moves);
        assert_eq!((graph.node_count(), graph.edge_count()), (4, 3));
        assert!(!graph.is_expanded(BookNodeId(1)));
        graph.set_resigned(BookNodeId(1), true);
        assert!(graph.is_expanded(BookNodeId(1)));
    }

    #[test]
    fn the_smallest_move_number_is_kept() {
        let mut graph = Graph::default();
        let sfen = |ply| format!("4k4/9/9/9/9/9/9/9/4K4 b - {ply}");
        for ply in [7, 3, 5] {
            let pos = Position::from_sfen(&sfen(ply)).unwrap();
            let node = graph.add_position(&pos).unwrap();
            assert_eq!(node.index(), 0);
        }
        assert_eq!(graph.position(BookNodeId(0)).unwrap().to_sfen(), sfen(3));
    }

    #[test]
    fn sources_are_kept_once() {
        let mut graph = Graph::default();
        let (a, b) = (graph.add([0; 32]), graph.add([1; 32]));
        let edge = graph.link(a, "7g7f".parse().unwrap(), b);
        assert_eq!(*graph.source(edge), BookSource::Unknown);
        for _ in 0..2 {
            graph.set_source(edge, BookSource::Person);
        }
        assert_eq!(
            (graph.source(edge), graph.sources.len()),
            (&BookSource::Person, 1)
        );
    }
}
