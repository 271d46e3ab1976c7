//! New positions for a book, searched one after the other.
//!
//! Which is next: drop-out expansion (Lincke 2002), own moves only the best and the other side's
//! widely, as in YaneuraOu and dlshogi.

use super::change::SideChoice;
use super::files::{failure, store_path};
use super::think::challenger;
use crate::answer::{ExitStatus, Failure};
use crate::progress::Progress;
use clap::Args;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use tesuji_book::make::{BookAnswer, Challenger, ChallengerReply};
use tesuji_book::store::FactStore;
use tesuji_book::{
    BookEntry, BookMove, BookNodeId, BookSource, Evaluations, Graph, GraphSolver, open_store,
};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_shogi::{Board, Move, Position};

/// Beyond this value a position is not worth a look at more moves.
const DECIDED: i32 = 3000;

const EXAMPLES: &str = "\
Examples:
  tesuji book import user.db -o all.sqlite
  tesuji book extend all.sqlite --positions 1000 --nodes 1000000
  tesuji book extend all.sqlite --own black --margin 100 --engine './engine option.Threads=1'

Walks the book from the start position: of the own side only the best moves, of the other side all
within the margin. The leaf that is reached soonest, a loss against the best move counting as
distance (drop-out expansion, Lincke 2002), is searched and its best move stored. Then the values are carried
to the start and the next leaf is looked for. A position that is looked at widely counts as a leaf
again, for the best of the moves not tried, as far away as the worst one found there. Each answer is
on disk before the next question.";

/// Searches the leaves of a book that matter most
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Extend {
    /// The book, a .sqlite or .tbk file; made if it is not there
    #[arg(value_parser = store_path)]
    book: PathBuf,
    /// Where to begin, beside the start position
    #[arg(long, value_name = "SFEN")]
    from: Vec<Position>,
    /// How many positions are searched
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// How many positions each search looks at
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Whose best moves alone are followed
    #[arg(long, value_name = "SIDE", default_value = "both")]
    own: SideChoice,
    /// How much worse than its best move a move of the other side may be
    #[arg(long, value_name = "VALUE", default_value_t = 100)]
    margin: i32,
    /// How many points of loss count as one move of distance
    #[arg(long, value_name = "VALUE", default_value_t = 30)]
    decay: i32,
    /// Who searches: an evaluation of this program or a USI command
    #[arg(long, value_name = "ENGINE", default_value = "builtin")]
    engine: PlayerSpec,
    /// The transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Look for a mate over so many positions before anybody thinks; what is found is stored as
    /// proven. 0 for never
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    mate_nodes: u64,
    /// Value the moves of the book that nobody valued, instead of adding moves
    #[arg(long)]
    fill: bool,
    /// Not beyond this move
    #[arg(long, value_name = "N", default_value_t = 60)]
    plies: u32,
}

/// What grows, and who thinks.
struct ExtendWork<'a> {
    extend: &'a Extend,
    graph: Graph,
    store: Box<dyn FactStore>,
    engine: Box<dyn Challenger>,
}

impl ExtendWork<'_> {
    /// Searches the leaves that matter most; says how many.
    fn extend(&mut self, starts: &[Position]) -> Result<u64, Failure> {
        let extend = self.extend;
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&self.graph);
        let progress = Progress::new("positions", extend.positions);
        for searched in 0..extend.positions {
            let Some((node, only)) = extend.next_leaf(&self.graph, &solver, starts) else {
                drop(progress);
                writeln!(std::io::stderr(), "no leaf is left within the margin")?;
                return Ok(searched);
            };
            let pos = self.position(node)?;
            let thought = self.think(&pos, &only)?;
            let mut choice = BookMove::resign();
            if let BookAnswer::Move(mv) = thought.answer {
                choice.mv = Some(mv);
            }
            choice.value = thought.value;
            choice.depth = i32::try_from(thought.depth.max(1)).unwrap_or(i32::MAX);
            choice.source = BookSource::search(&self.engine.name(), thought.nodes);
            let mut entry = BookEntry::new(pos, vec![choice]);
            entry.is_proven_win = thought.is_proven_win;
            self.add(&entry)?;
            solver.update(&self.graph, node);
            progress.tick();
        }
        Ok(extend.positions)
    }

    /// Values moves that lead out of the book and were valued by nobody; says how many.
    fn fill(&mut self) -> Result<u64, Failure> {
        let mut moves = Extend::unvalued(&self.graph);
        moves.truncate(usize::try_from(self.extend.positions).unwrap_or(usize::MAX));
        let progress = Progress::new("moves", moves.len() as u64);
        for &(from, mv, child) in &moves {
            let after = self.position(child)?;
            let thought = self.think(&after, &[])?;
            let mut choice = BookMove::new(mv);
            // The move was counted when it came.
            choice.count = 0;
            choice.value = -thought.value;
            choice.depth = i32::try_from(thought.depth).map_or(i32::MAX, |depth| depth + 1);
            choice.source = BookSource::search(&self.engine.name(), thought.nodes);
            let entry = BookEntry::new(self.position(from)?, vec![choice]);
            self.add(&entry)?;
            progress.tick();
        }
        Ok(moves.len() as u64)
    }

    fn position(&self, node: BookNodeId) -> Result<Position, Failure> {
        self.graph.position(node).map_err(|error| Failure::File {
            path: self.extend.book.clone(),
            what: error.into(),
        })
    }

    fn think(&mut self, pos: &Position, only: &[Move]) -> Result<ChallengerReply, Failure> {
        self.engine.new_game();
        let thought = self.engine.think(pos, self.extend.nodes, only);
        thought.map_err(|why| Failure::File {
            path: self.engine.name().into(),
            what: why.into(),
        })
    }

    /// Adds to the book; on disk when it returns.
    fn add(&mut self, entry: &BookEntry) -> Result<(), Failure> {
        let path = &self.extend.book;
        let written = self.store.append(entry);
        let written = written.and_then(|()| self.store.sync());
        written.map_err(|error| failure(path, error))?;
        let added = self.graph.add_entry(entry);
        added.map(|_| ()).map_err(|error| Failure::File {
            path: path.clone(),
            what: error.into(),
        })
    }
}

impl Extend {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        // Who cannot search is told before there is a file.
        let engine = challenger(&self.engine, self.hash, self.mate_nodes)?;
        let mut graph = Graph::default();
        let fail = |error| failure(&self.book, error);
        let (store, cut) = open_store(&self.book, &mut |entry| {
            // An entry of a store has both kings: they are in its key.
            let _ = graph.add_entry(&entry);
        })
        .map_err(fail)?;
        if cut > 0 {
            writeln!(
                std::io::stderr(),
                "{cut} bytes of an unfinished record were cut off"
            )?;
        }
        let mut starts = vec![Position::start()];
        starts.extend(self.from.iter().cloned());
        for start in &starts {
            let added = graph.add_position(start);
            added.map_err(|error| Failure::File {
                path: "--from".into(),
                what: error.into(),
            })?;
        }
        let mut work = ExtendWork {
            extend: self,
            graph,
            store,
            engine,
        };
        let searched = match self.fill {
            true => work.fill()?,
            false => work.extend(&starts)?,
        };
        let positions = work.graph.node_count();
        writeln!(
            std::io::stdout(),
            "{}: {searched} positions searched, {positions} known",
            self.book.display()
        )?;
        Ok(ExitStatus::Yes)
    }

    /// The leaf with the smallest distance and the moves that may be searched there, all if there are
    /// none. A position of the side that is looked at widely has one leaf more, the best of the moves
    /// that nobody tried: it is at best as good as the worst that was found.
    fn next_leaf(
        &self,
        graph: &Graph,
        solver: &GraphSolver<Evaluations>,
        starts: &[Position],
    ) -> Option<(BookNodeId, Vec<Move>)> {
        let mut queue: BinaryHeap<Reverse<DropOut>> = BinaryHeap::new();
        let mut seen = HashSet::new();
        // What the own side has not tried: looked at when nothing else is left.
        let mut own: BinaryHeap<Reverse<DropOut>> = BinaryHeap::new();
        for start in starts {
            let node = graph.find_position(start)?;
            queue.push(Reverse((0, BookLeaf::Position, node)));
        }
        while let Some(Reverse((distance, leaf, node))) = queue.pop().or_else(|| own.pop()) {
            let is_near = u32::from(graph.ply(node)) <= self.plies;
            if leaf == BookLeaf::Untried {
                if let Some(moves) = untried(graph, node) {
                    return Some((node, moves));
                }
                continue;
            }
            if !seen.insert(node) {
                continue;
            }
            if !graph.is_expanded(node) {
                if is_near {
                    return Some((node, Vec::new()));
                }
                continue;
            }
            let is_own = self.own.includes(graph.turn(node));
            let best = solver.score(node).value();
            let margin = if is_own { 0 } else { self.margin };
            let mut worst = 0;
            for edge in graph.edges(node) {
                let edge = graph.edge(edge);
                let loss = best - solver.edge_score(graph, edge).value();
                worst = worst.max(loss);
                if loss <= margin {
                    let next = self.further(distance, loss);
                    queue.push(Reverse((next, BookLeaf::Position, edge.child())));
                }
            }
            let is_open = is_near && best.abs() < DECIDED && graph.edges(node).next().is_some();
            let untried = Reverse((self.further(distance, worst), BookLeaf::Untried, node));
            match is_own {
                _ if !is_open || worst > self.margin => {}
                true => own.push(untried),
                false => queue.push(untried),
            }
        }
        None
    }

    /// How far a position behind a move is, if that move loses so much against the best one.
    fn further(&self, distance: i32, loss: i32) -> i32 {
        distance + 1 + loss / self.decay.max(1)
    }

    /// Moves that nobody valued and behind which the book knows nothing, the earliest first: with the
    /// positions they lead to.
    fn unvalued(graph: &Graph) -> Vec<(BookNodeId, Move, BookNodeId)> {
        let edges = graph.nodes().flat_map(|node| graph.edges(node));
        let edges = edges.map(|edge| graph.edge(edge));
        let mut moves: Vec<_> = edges
            .filter(|edge| edge.depth == 0 && !graph.is_expanded(edge.child()))
            .map(|edge| (edge.from(), edge.mv(), edge.child()))
            .collect();
        moves.sort_by_key(|&(from, _, _)| graph.ply(from));
        moves
    }
}

/// A leaf of the walk, nearest first.
type DropOut = (i32, BookLeaf, BookNodeId);

/// What is looked at next in a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BookLeaf {
    /// All of it.
    Position,
    /// The moves that nobody tried.
    Untried,
}

/// The moves of a position that are not in the book; `None` if there are none.
fn untried(graph: &Graph, node: BookNodeId) -> Option<Vec<Move>> {
    let pos = graph.position(node).ok()?;
    let legal = pos.legal_moves();
    let moves: Vec<Move> = legal
        .iter()
        .filter(|&mv| graph.edge_of(node, mv).is_none())
        .collect();
    (!moves.is_empty()).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    fn add(graph: &mut Graph, moves: &str, known: &[(&str, i32)]) {
        let mut pos = Position::start();
        for mv in moves.split_whitespace() {
            pos.play(mv.parse().expect("a move"));
        }
        let pos = pos.setup().build().expect("a position");
        let moves = known.iter().map(|&(mv, value)| BookMove {
            value,
            depth: 9,
            ..BookMove::new(mv.parse().expect("a move"))
        });
        let entry = BookEntry::new(pos, moves.collect());
        graph.add_entry(&entry).expect("two kings");
    }

    /// The nearest leaf, by the moves that lead to it.
    fn next(extend: &Extend, graph: &Graph) -> String {
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(graph);
        let start = Position::start();
        let mut node = extend
            .next_leaf(graph, &solver, &[start])
            .expect("a leaf")
            .0;
        let mut moves = Vec::new();
        while let Some(edge) = graph.parents(node).next() {
            moves.push(graph.edge(edge).mv().to_string());
            node = graph.edge(edge).from();
        }
        moves.reverse();
        moves.join(" ")
    }

    #[test]
    fn leaves_come_by_their_drop_out() {
        let command = Extend::augment_args(clap::Command::new("extend"));
        let words = "extend x.tbk --own black --margin 100 --decay 30".split(' ');
        let extend = Extend::from_arg_matches(&command.get_matches_from(words));
        let extend = extend.expect("options");
        let mut graph = Graph::default();
        // Of the own side the best move alone.
        add(&mut graph, "", &[("7g7f", 50), ("2g2f", -20)]);
        assert_eq!(next(&extend, &graph), "7g7f");
        // Of the other side the best first: a loss of 60 is as far as two moves more, one of 200 is
        // beyond the margin.
        let replies = [("8c8d", -60), ("3c3d", 0), ("4a3b", -200)];
        add(&mut graph, "7g7f", &replies);
        assert_eq!(next(&extend, &graph), "7g7f 3c3d");
        add(&mut graph, "7g7f 3c3d", &[("2g2f", 0)]);
        assert_eq!(next(&extend, &graph), "7g7f 3c3d 2g2f");
        add(&mut graph, "7g7f 3c3d 2g2f", &[("8c8d", 0)]);
        add(&mut graph, "7g7f 3c3d 2g2f 8c8d", &[("2f2e", 0)]);
        assert_eq!(next(&extend, &graph), "7g7f 8c8d");
    }
}
