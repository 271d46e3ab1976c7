//! Whole text books valued at once: every move gets the value that follows from the leaves behind it.
//!
//! The file is read twice, in blocks, on all threads. The first time every position becomes a number
//! of 128 bits; the second time its moves, and all others that lead to a position of the book, find
//! their way by these numbers. Neither positions nor texts are sorted, packed or looked up by what
//! they are. What is not as programs write it is left to the slower way, which reads everything and
//! says what is wrong: [`text_books`] gives `None` then.

mod blocks;
mod output;
#[cfg(test)]
mod tests;
mod text;

use crate::entry::short;
use crate::error::BookError;
use crate::graph::{BookNodeId, Graph};
use crate::numbers::KnownPositions;
use crate::solve::{Evaluations, GraphSolver};
use blocks::for_blocks;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;
use tesuji_shogi::{Color, Move, Position, Setup};
use text::{BookText, TextLine, TextMove, write_position};

/// What is wanted of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MinimaxPlan {
    /// Whether every legal move between two positions counts, also one that no book has.
    pub connects: bool,
    /// Whether a position and the same one turned round are one.
    pub folds: bool,
    /// Whether only the best moves of a position are kept.
    pub shrinks: bool,
}

/// What was done last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinimaxStep {
    /// So many positions were given numbers.
    Numbered(usize),
    /// So many positions were connected.
    Connected(usize),
    /// All were given their values.
    Solved,
    /// So many were written.
    Written(usize),
}

/// Values text books (`.db`) and writes one. Says how many positions it has; `None`, and nothing is
/// written, if there is something in the files that only the slower way understands.
///
/// # Errors
/// If a file cannot be read or written.
pub fn text_books(
    inputs: &[impl AsRef<Path>],
    output: &Path,
    plan: MinimaxPlan,
    tell: &(dyn Fn(MinimaxStep) + Sync),
) -> Result<Option<u64>, BookError> {
    let Some(numbered) = number_positions(inputs, plan, tell)? else {
        return Ok(None);
    };
    let connector = Connector {
        known: &numbered.known,
        plan,
    };
    let blocks = for_blocks(inputs, |number, bytes| {
        let block = connector.block(bytes, numbered.nodes.get(number)?)?;
        tell(MinimaxStep::Connected(block.entries.len()));
        Some(block)
    });
    let Some(blocks) = unless_no_book(blocks)? else {
        return Ok(None);
    };
    let (graph, texts) = joined(&numbered, &blocks);
    drop(numbered);
    let mut solver = GraphSolver::new(Evaluations);
    solver.solve(&graph);
    let draws = solver.draw_distances(&graph);
    tell(MinimaxStep::Solved);
    let valued = output::ValuedBook {
        graph: &graph,
        solver: &solver,
        draws: &draws,
        blocks: &blocks,
        texts: &texts,
        shrinks: plan.shrinks,
    };
    Ok(Some(valued.write(output, tell)?))
}

/// What cannot be cut into blocks is no book of the plain kind.
fn unless_no_book<T>(made: io::Result<Option<T>>) -> io::Result<Option<T>> {
    match made {
        Err(error) if error.kind() == io::ErrorKind::Other => Ok(None),
        made => made,
    }
}

/// The positions of files by their numbers.
struct NumberedPositions {
    known: KnownPositions,
    /// Which the positions of every block are.
    nodes: Vec<Vec<u32>>,
    /// Those that are there several times.
    repeated: HashSet<u32>,
}

fn number_positions(
    inputs: &[impl AsRef<Path>],
    plan: MinimaxPlan,
    tell: &(dyn Fn(MinimaxStep) + Sync),
) -> Result<Option<NumberedPositions>, BookError> {
    let blocks = for_blocks(inputs, |_, bytes| {
        let numbers = numbers(bytes, plan)?;
        tell(MinimaxStep::Numbered(numbers.len()));
        Some(numbers)
    });
    let Some(blocks) = unless_no_book(blocks)? else {
        return Ok(None);
    };
    let mut known = KnownPositions::with_room(blocks.iter().map(Vec::len).sum());
    let mut repeated = HashSet::new();
    let nodes = blocks.into_iter().map(|numbers| {
        let nodes = numbers.into_iter().map(|number| {
            let before = known.len();
            let node = known.add(number);
            if known.len() == before {
                repeated.insert(node);
            }
            node
        });
        nodes.collect()
    });
    let nodes = nodes.collect();
    Ok(Some(NumberedPositions {
        known,
        nodes,
        repeated,
    }))
}

/// The numbers of the positions of a block, as they look to whoever moves there from another one.
fn numbers(bytes: &[u8], plan: MinimaxPlan) -> Option<Vec<u128>> {
    let mut text = BookText(bytes);
    let mut setup = Setup::default();
    let mut numbers = Vec::with_capacity(bytes.len() / 64);
    loop {
        match text.line() {
            TextLine::End => return Some(numbers),
            TextLine::Move => text.skip_move(),
            TextLine::Position => {
                let turns = |turn| plan.folds && turn == Color::Black;
                numbers.push(text.position(&mut setup, turns)?.number);
            }
        }
    }
}

/// A block of text whose moves know where they lead.
#[derive(Default)]
struct ConnectedBlock {
    entries: Vec<ConnectedEntry>,
    moves: Vec<ConnectedMove>,
    /// The positions as text, one behind the other.
    text: Vec<u8>,
}

struct ConnectedEntry {
    node: u32,
    ply: u16,
    in_check: bool,
    is_resigned: bool,
    /// How many moves the book has, and how many were found beside them.
    book_moves: u32,
    found_moves: u32,
    text_end: u32,
}

#[derive(Clone, Copy)]
struct ConnectedMove {
    mv: Move,
    value: i16,
    depth: u16,
    count: u32,
    /// Where it leads to; [`OUTSIDE`] if that is not in the book.
    child: u32,
}

const OUTSIDE: u32 = u32::MAX;

/// Finds where moves lead to.
struct Connector<'a> {
    known: &'a KnownPositions,
    plan: MinimaxPlan,
}

impl Connector<'_> {
    /// Reads a block again; `None` if there is something in it that it does not understand.
    fn block(&self, bytes: &[u8], nodes: &[u32]) -> Option<ConnectedBlock> {
        let mut text = BookText(bytes);
        let mut setup = Setup::default();
        let mut nodes = nodes.iter();
        let mut block = ConnectedBlock::default();
        let mut known: Vec<KnownMove> = Vec::new();
        let mut line = text.line();
        loop {
            match line {
                TextLine::End => return nodes.next().is_none().then_some(block),
                TextLine::Move => return None,
                TextLine::Position => {}
            }
            let turns = |turn| self.plan.folds && turn == Color::White;
            let read = text.position(&mut setup, turns)?;
            let pos = setup.build().ok()?;
            known.clear();
            let note = |mv, child| known.push((mv, child));
            self.known.moves_into(&pos, read.number, note);
            let mut entry = ConnectedEntry::new(*nodes.next()?, setup.ply, &pos);
            let first = block.moves.len();
            line = loop {
                let line = text.line();
                if !matches!(line, TextLine::Move) {
                    break line;
                }
                let mut found = text.book_move()?;
                if read.is_turned {
                    found.mv = found.mv.map(Move::rotated);
                }
                match found.mv {
                    Some(mv) => add_move(&mut block.moves, first, &pos, &known, mv, &found),
                    None => entry.is_resigned = true,
                }
            };
            entry.book_moves = (block.moves.len() - first) as u32;
            // What has no moves is a leaf, which the numbers do not know.
            if entry.book_moves == 0 && !entry.is_resigned {
                return None;
            }
            if self.plan.connects {
                add_found(&mut block.moves, first, &known);
            }
            entry.found_moves = (block.moves.len() - first) as u32 - entry.book_moves;
            write_position(&setup, &mut block.text);
            entry.text_end = u32::try_from(block.text.len()).ok()?;
            block.entries.push(entry);
        }
    }
}

impl ConnectedEntry {
    /// A position whose moves are not known yet.
    fn new(node: u32, ply: u16, pos: &Position) -> Self {
        Self {
            node,
            ply,
            in_check: pos.in_check(),
            is_resigned: false,
            book_moves: 0,
            found_moves: 0,
            text_end: 0,
        }
    }
}

/// A move that leads to a position of the book, and which that is.
type KnownMove = (Move, u32);

/// Adds a move of the book, if it can be played. `known` are the legal moves that stay in the book.
fn add_move(
    moves: &mut Vec<ConnectedMove>,
    first: usize,
    pos: &Position,
    known: &[KnownMove],
    mv: Move,
    found: &TextMove,
) {
    let child = known.iter().find(|&&(stays, _)| stays == mv);
    if child.is_none() && !pos.is_legal(mv) {
        return;
    }
    let new = ConnectedMove {
        mv,
        value: short(found.value),
        depth: found.depth.clamp(0, u16::MAX.into()) as u16,
        count: u32::try_from(found.count).unwrap_or(u32::MAX),
        child: child.map_or(OUTSIDE, |&(_, child)| child),
    };
    match moves[first..].iter_mut().find(|known| known.mv == mv) {
        Some(known) => known.merge(&new),
        None => moves.push(new),
    }
}

/// Adds the moves that the book does not have and that lead to a position of it.
fn add_found(moves: &mut Vec<ConnectedMove>, first: usize, known: &[KnownMove]) {
    let last = moves.len();
    for &(mv, child) in known {
        if moves[first..last].iter().all(|known| known.mv != mv) {
            moves.push(ConnectedMove {
                mv,
                value: 0,
                depth: 0,
                count: 0,
                child,
            });
        }
    }
}

impl ConnectedMove {
    /// Adds what is said about the same move once more: counts add up, the deeper value stays.
    fn merge(&mut self, other: &Self) {
        if other.depth > self.depth {
            (self.value, self.depth) = (other.value, other.depth);
        }
        self.count = self.count.saturating_add(other.count);
    }
}

/// Where the text of a position lies: block, first byte, length.
#[derive(Clone, Copy, Default)]
struct TextPlace {
    block: u32,
    start: u32,
    len: u32,
}

/// All blocks as a graph, in which everything outside of the book is one more node, and where the text
/// of each position lies.
fn joined(numbered: &NumberedPositions, blocks: &[ConnectedBlock]) -> (Graph, Vec<TextPlace>) {
    let nodes = numbered.known.len();
    let mut joint = JointBook {
        graph: Graph::without_keys(nodes + 1),
        outside: BookNodeId(nodes as u32),
        repeated: BTreeMap::new(),
    };
    let mut texts = vec![TextPlace::default(); nodes];
    for (number, block) in blocks.iter().enumerate() {
        let (mut first, mut start) = (0, 0);
        for entry in &block.entries {
            let book_end = first + entry.book_moves as usize;
            let end = book_end + entry.found_moves as usize;
            let (book, found) = (&block.moves[first..book_end], &block.moves[book_end..end]);
            texts[entry.node as usize] = TextPlace {
                block: number as u32,
                start,
                len: entry.text_end - start,
            };
            let is_repeated = numbered.repeated.contains(&entry.node);
            joint.add(entry, book, found, is_repeated);
            (first, start) = (end, entry.text_end);
        }
    }
    (joint.finish(), texts)
}

/// Blocks put together.
struct JointBook {
    graph: Graph,
    /// Where moves lead to that leave the book.
    outside: BookNodeId,
    /// Positions that are there several times.
    repeated: BTreeMap<u32, RepeatedEntry>,
}

#[derive(Default)]
struct RepeatedEntry {
    book: Vec<ConnectedMove>,
    found: Vec<ConnectedMove>,
}

impl JointBook {
    fn add(
        &mut self,
        entry: &ConnectedEntry,
        book: &[ConnectedMove],
        found: &[ConnectedMove],
        is_repeated: bool,
    ) {
        let node = BookNodeId(entry.node);
        self.graph.set_in_check(node, entry.in_check);
        if entry.is_resigned {
            self.graph.set_resigned(node, true);
        }
        self.note_ply(entry.node, entry.ply);
        for mv in book.iter().filter(|mv| mv.child != OUTSIDE) {
            self.note_ply(mv.child, entry.ply + 1);
        }
        if !is_repeated {
            self.link(node, book.iter().chain(found));
            return;
        }
        let all = self.repeated.entry(entry.node).or_default();
        for new in book {
            match all.book.iter_mut().find(|known| known.mv == new.mv) {
                Some(known) => known.merge(new),
                None => all.book.push(*new),
            }
        }
        all.found = found.to_vec();
    }

    /// A position keeps the smallest move number with which it is there or is reached by a move.
    fn note_ply(&mut self, node: u32, ply: u16) {
        let (node, known) = (BookNodeId(node), self.graph.ply(BookNodeId(node)));
        if known == 0 || ply < known {
            self.graph.set_ply(node, ply);
        }
    }

    fn link<'a>(&mut self, node: BookNodeId, moves: impl Iterator<Item = &'a ConnectedMove>) {
        let mut last = None;
        for mv in moves {
            let child = match mv.child {
                OUTSIDE => self.outside,
                child => BookNodeId(child),
            };
            let id = self.graph.append(node, last, mv.mv, child);
            let edge = self.graph.edge_mut(id);
            (edge.value, edge.depth, edge.count) = (mv.value, mv.depth, mv.count);
            last = Some(id);
        }
    }

    fn finish(mut self) -> Graph {
        for (node, all) in std::mem::take(&mut self.repeated) {
            // Found beside one entry, a move may be in the book by another.
            let is_new = |new: &&ConnectedMove| all.book.iter().all(|known| known.mv != new.mv);
            let found = all.found.iter().filter(is_new);
            self.link(BookNodeId(node), all.book.iter().chain(found));
        }
        self.graph
    }
}
