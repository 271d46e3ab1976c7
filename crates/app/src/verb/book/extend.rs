//! New positions for a book, searched one after the other.

use super::change::SideChoice;
use super::files::failure;
use super::think::challenger;
use crate::answer::{Answer, Failure};
use crate::progress::Progress;
use clap::Args;
use std::collections::{BinaryHeap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use tesuji_book::make::BookAnswer;
use tesuji_book::{
    BookEntry, BookMove, BookNodeId, BookSource, Evaluations, Graph, GraphSolver, Store,
};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_shogi::Position;

const EXAMPLES: &str = "\
Examples:
  tesuji book import user.db -o all.tbk
  tesuji book extend all.tbk --positions 1000 --nodes 1000000
  tesuji book extend all.tbk --own black --margin 100 --engine './engine option.Threads=1'

Walks the book from the start position: of the own side only the best moves, of the other side all
within the margin. The leaf that is reached soonest, a loss against the best move counting as
distance (drop-out expansion, Lincke 2002), is searched and its best move stored. Then the values are carried
to the start and the next leaf is looked for. Each answer is on disk before the next question.";

/// Searches the leaves of a book that matter most
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Extend {
    /// The book, a .tbk file; made if it is not there
    book: PathBuf,
    /// Where to begin, beside the start position
    #[arg(long, value_name = "SFEN")]
    from: Vec<Position>,
    /// How many positions are searched
    #[arg(long, value_name = "N", default_value_t = 100)]
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
    /// Not beyond this move
    #[arg(long, value_name = "N", default_value_t = 60)]
    plies: u32,
}

impl Extend {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
        let mut graph = Graph::default();
        let fail = |error| failure(&self.book, error);
        let (mut store, cut) = Store::open(&self.book, |entry| {
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
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        let mut engine = challenger(&self.engine, self.hash)?;
        let progress = Progress::new("positions", self.positions);
        let mut searched = 0;
        while searched < self.positions {
            let Some((node, only)) = self.next_leaf(&graph, &solver, &starts) else {
                writeln!(std::io::stderr(), "no leaf is left within the margin")?;
                break;
            };
            let pos = graph.position(node).map_err(|error| Failure::File {
                path: self.book.clone(),
                what: error.into(),
            })?;
            engine.new_game();
            let thought = engine.think(&pos, self.nodes, &only);
            let thought = thought.map_err(|why| Failure::File {
                path: engine.name().into(),
                what: why.into(),
            })?;
            let mut choice = BookMove::resign();
            if let BookAnswer::Move(mv) = thought.answer {
                choice.mv = Some(mv);
            }
            choice.value = thought.value;
            choice.depth = i32::try_from(thought.depth.max(1)).unwrap_or(i32::MAX);
            choice.source = BookSource::search(&engine.name(), thought.nodes);
            let entry = BookEntry::new(pos, vec![choice]);
            store.append(&entry).map_err(fail)?;
            store.sync().map_err(|error| fail(error.into()))?;
            let added = graph.add_entry(&entry);
            added.map_err(|error| Failure::File {
                path: self.book.clone(),
                what: error.into(),
            })?;
            solver.update(&graph, node);
            searched += 1;
            progress.tick();
        }
        drop(progress);
        let positions = graph.node_count();
        writeln!(
            std::io::stdout(),
            "{}: {searched} positions searched, {positions} known",
            self.book.display()
        )?;
        Ok(Answer::Yes)
    }

    /// The leaf with the smallest distance, and the moves that may be searched there.
    fn next_leaf(
        &self,
        graph: &Graph,
        solver: &GraphSolver<Evaluations>,
        starts: &[Position],
    ) -> Option<(BookNodeId, Vec<tesuji_shogi::Move>)> {
        let mut queue: BinaryHeap<(std::cmp::Reverse<i32>, BookNodeId)> = BinaryHeap::new();
        let mut seen = HashSet::new();
        for start in starts {
            let node = graph.find_position(start)?;
            queue.push((std::cmp::Reverse(0), node));
        }
        while let Some((std::cmp::Reverse(distance), node)) = queue.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !graph.is_expanded(node) {
                if u32::from(graph.ply(node)) <= self.plies {
                    return Some((node, Vec::new()));
                }
                continue;
            }
            let is_own = self.own.includes(graph.turn(node));
            let best = solver.score(node).value();
            for edge in graph.edges(node) {
                let edge = graph.edge(edge);
                let loss = best - solver.edge_score(graph, edge).value();
                let margin = if is_own { 0 } else { self.margin };
                if loss <= margin {
                    let next = distance + 1 + loss / self.decay.max(1);
                    queue.push((std::cmp::Reverse(next), edge.child()));
                }
            }
        }
        self.next_alternative(graph, solver, &seen)
    }

    /// Without a leaf: a known position of the side that is looked at widely, the moves it has
    /// forbidden.
    fn next_alternative(
        &self,
        graph: &Graph,
        solver: &GraphSolver<Evaluations>,
        seen: &HashSet<BookNodeId>,
    ) -> Option<(BookNodeId, Vec<tesuji_shogi::Move>)> {
        use tesuji_shogi::Board;
        let is_wide = |&node: &BookNodeId| {
            let ply = u32::from(graph.ply(node));
            ply <= self.plies && solver.score(node).value().abs() < 3000
        };
        let node = graph
            .nodes()
            .filter(|node| seen.contains(node))
            .filter(is_wide)
            .min_by_key(|&node| (graph.edges(node).count(), graph.ply(node)))?;
        let pos = graph.position(node).ok()?;
        let legal = pos.legal_moves();
        let only: Vec<_> = legal
            .iter()
            .filter(|&mv| graph.edge_of(node, mv).is_none())
            .collect();
        (!only.is_empty()).then_some((node, only))
    }
}
