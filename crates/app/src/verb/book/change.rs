//! Books out of books: merged, converted, valued, pruned.

use super::files::{self, BookOutput, ProgressCounter, entries, entries_from, failure};
use crate::answer::{ExitStatus, Failure};
use clap::{Args, ValueEnum};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Mutex;
use tesuji_book::minimax::{MinimaxPlan, MinimaxStep, text_books};
use tesuji_book::{
    BookEntry, BookError, BookFormat, BookNodeId, EdgeId, Evaluations, Graph, GraphSolver,
};
use tesuji_shogi::{Color, Position};

/// Puts books together: counts add up, of two values the deeper one stays
#[derive(Args)]
pub(super) struct BookMerge {
    /// The books
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: BookOutput,
    /// Go on without what cannot be read, and say what it was
    #[arg(long)]
    skip: bool,
}

impl BookMerge {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        merge(&self.inputs, &self.output, self.skip, &[])
    }
}

/// Reads all and writes one; in bounded memory, whatever their size.
fn merge(
    inputs: &[PathBuf],
    output: &BookOutput,
    skip: bool,
    from: &[Position],
) -> Result<ExitStatus, Failure> {
    let mut failed = None;
    let mut all = Vec::new();
    for path in inputs {
        all.push((path, entries_from(path, skip, from)?));
    }
    let stream = all
        .into_iter()
        .flat_map(|(path, entries)| entries.map(move |entry| entry.map_err(|error| (path, error))));
    // The writer ends at the first error; which file it was in is remembered here.
    let stream = stream.map(|entry| {
        entry.map_err(|(path, error)| {
            let place = error.place;
            failed = Some(failure(path, error));
            BookError {
                place,
                problem: std::io::Error::other("the input cannot be used").into(),
            }
        })
    });
    let written = output.write(stream);
    match failed {
        Some(failure) => Err(failure),
        None => written.map(|_| ExitStatus::Yes),
    }
}

/// Turns a book into another format, as the extensions say
#[derive(Args)]
pub(super) struct Export {
    /// The book to read
    input: PathBuf,
    #[command(flatten)]
    output: BookOutput,
    /// Where a .bin book begins, beside the start position
    #[arg(long, value_name = "SFEN")]
    from: Vec<Position>,
    /// Go on without what cannot be read, and say what it was
    #[arg(long)]
    skip: bool,
}

impl Export {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let input = std::slice::from_ref(&self.input);
        merge(input, &self.output, self.skip, &self.from)
    }
}

/// What is written behind moves.
type MoveComments = HashMap<EdgeId, String>;

/// Gives every move the value that follows from the leaves behind it
#[derive(Args)]
pub(super) struct Minimax {
    /// The books
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: BookOutput,
    /// Keep only the best moves of every position
    #[arg(long)]
    shrink: bool,
    /// Use only the moves of the book, not those that happen to lead to a position of it
    #[arg(long)]
    no_connect: bool,
    /// Take a position and the same one turned round as one; writes Black's side only
    #[arg(long)]
    fold: bool,
    /// Go on without what cannot be read, and say what it was
    #[arg(long)]
    skip: bool,
}

impl Minimax {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        if let Some(count) = self.quickly()? {
            files::say_written(&self.output.path, count)?;
            return Ok(ExitStatus::Yes);
        }
        let (mut graph, order, comments) = self.read()?;
        if !self.no_connect {
            let mut counter = ProgressCounter::new("positions connected");
            graph.connect(self.fold, || counter.tick());
        }
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        let draws = solver.draw_distances(&graph);
        let written = || {
            order.iter().filter_map(|&node| {
                let mut entry = solver.entry(&graph, node, &draws)?;
                for book_move in &mut entry.moves {
                    let edge = book_move.mv.and_then(|mv| graph.edge_of(node, mv));
                    let comment = edge.and_then(|edge| comments.get(&edge));
                    book_move.comment = comment.cloned().unwrap_or_default();
                }
                if self.shrink {
                    let best = entry.moves.first()?.value;
                    entry.moves.retain(|mv| mv.value == best);
                }
                Some(Ok(entry))
            })
        };
        self.output.write_again(written)?;
        Ok(ExitStatus::Yes)
    }

    /// Text books, if nothing in them is unusual: all at once. Says how many positions were written.
    fn quickly(&self) -> Result<Option<u64>, Failure> {
        let is_text = |path: &PathBuf| BookFormat::of_path(path) == Some(BookFormat::Db);
        if !self.inputs.iter().chain([&self.output.path]).all(is_text) {
            return Ok(None);
        }
        let plan = MinimaxPlan {
            connects: !self.no_connect,
            folds: self.fold,
            shrinks: self.shrink,
        };
        let counter = Mutex::new(ProgressCounter::new("positions connected"));
        let tell = |step: MinimaxStep| {
            if let (MinimaxStep::Connected(count), Ok(mut counter)) = (step, counter.lock()) {
                counter.add(count as u64);
            }
        };
        match text_books(&self.inputs, &self.output.path, plan, &tell) {
            // The plain way says which file it is.
            Err(error) if error.is_missing() => Ok(None),
            made => made.map_err(|error| failure(&self.output.path, error)),
        }
    }

    /// The books as a graph, their positions in the order in which they came, and what is written
    /// behind moves. Folded, Black moves in all of them, and where a move leads to is turned round as
    /// well.
    fn read(&self) -> Result<(Graph, Vec<BookNodeId>, MoveComments), Failure> {
        let mut graph = Graph::default();
        let mut comments = MoveComments::new();
        let mut order = Vec::new();
        let mut is_there = HashSet::new();
        let fold = |pos: &Position| match (self.fold, pos.turn()) {
            (true, Color::White) => pos.flipped(),
            _ => pos.clone(),
        };
        for path in &self.inputs {
            for entry in entries(path, self.skip)? {
                let entry = entry.map_err(|error| failure(path, error))?;
                let entry = match (self.fold, entry.pos.turn()) {
                    (true, Color::White) => entry.rotated(),
                    _ => entry,
                };
                let added = graph.add_folded(&entry, fold);
                let node = added.map_err(|error| Failure::File {
                    path: path.clone(),
                    what: error.into(),
                })?;
                for book_move in entry.moves.iter().filter(|mv| !mv.comment.is_empty()) {
                    if let Some(edge) = book_move.mv.and_then(|mv| graph.edge_of(node, mv)) {
                        let first = comments.entry(edge);
                        first.or_insert_with(|| book_move.comment.clone());
                    }
                }
                if graph.is_expanded(node) && is_there.insert(node) {
                    order.push(node);
                }
            }
        }
        Ok((graph, order, comments))
    }
}

/// Leaves out of a book what nobody needs
#[derive(Args)]
pub(super) struct Prune {
    /// The book to read
    input: PathBuf,
    #[command(flatten)]
    output: BookOutput,
    /// Leave out positions after this move
    #[arg(long, value_name = "N")]
    plies: Option<u16>,
    /// Leave out moves that were played less often
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_count: u32,
    /// Leave out moves that were played in less than this share of the games, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    min_share: u32,
    /// Leave out moves that are worse than the best one by more
    #[arg(long, value_name = "VALUE")]
    margin: Option<i32>,
    /// Keep only the best move of this side, and whatever the other side may do
    #[arg(long, value_name = "SIDE")]
    best: Option<SideChoice>,
    /// Keep only what can be reached from here, beside the start position
    #[arg(long, value_name = "SFEN")]
    from: Vec<Position>,
    /// Go on without what cannot be read, and say what it was
    #[arg(long)]
    skip: bool,
}

/// A side, as people write it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideChoice {
    Black,
    White,
    Both,
}

impl SideChoice {
    pub(crate) fn includes(self, color: Color) -> bool {
        match self {
            Self::Black => color == Color::Black,
            Self::White => color == Color::White,
            Self::Both => true,
        }
    }
}

impl Prune {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let (graph, mut all) = self.read()?;
        let mut starts = vec![Position::start()];
        starts.extend(self.from.iter().cloned());
        let mut queue: Vec<BookNodeId> = starts
            .iter()
            .filter_map(|start| graph.find_position(start))
            .chain(graph.nodes().filter(|&node| graph.flags(node).is_start()))
            .collect();
        let mut kept: HashSet<BookNodeId> = queue.iter().copied().collect();
        let mut written = Vec::new();
        while let Some(node) = queue.pop() {
            if self.plies.is_some_and(|plies| graph.ply(node) > plies) {
                continue;
            }
            let Some(mut entry) = all.remove(&node) else {
                continue;
            };
            self.thin(&mut entry);
            for mv in entry.moves.iter().filter_map(|mv| mv.mv) {
                if let Some(edge) = graph.edge_of(node, mv) {
                    let child = graph.edge(edge).child();
                    if kept.insert(child) {
                        queue.push(child);
                    }
                }
            }
            if !entry.moves.is_empty() {
                written.push(entry);
            }
        }
        if written.is_empty() {
            return Err(Failure::File {
                path: self.input.clone(),
                what: "nothing is left of it: no move that is kept can be reached from the start \
                       position; --from says where else it begins"
                    .into(),
            });
        }
        self.output.write(written.into_iter().map(Ok))?;
        Ok(ExitStatus::Yes)
    }

    /// The entries, whole, and the graph that says what leads where.
    fn read(&self) -> Result<(Graph, HashMap<BookNodeId, BookEntry>), Failure> {
        let mut graph = Graph::default();
        let mut all: HashMap<BookNodeId, BookEntry> = HashMap::new();
        for entry in entries(&self.input, self.skip)? {
            let entry = entry.map_err(|error| failure(&self.input, error))?;
            let node = graph.add_entry(&entry).map_err(|error| Failure::File {
                path: self.input.clone(),
                what: error.into(),
            })?;
            match all.get_mut(&node) {
                Some(known) => known.merge(&entry),
                None => {
                    all.insert(node, entry);
                }
            }
        }
        Ok((graph, all))
    }

    /// Leaves out moves of one position.
    fn thin(&self, entry: &mut BookEntry) {
        entry.sort();
        entry
            .moves
            .retain(|mv| mv.count >= u64::from(self.min_count));
        let games = entry.moves.iter().map(|mv| mv.count);
        let games = games.fold(0, u64::saturating_add);
        let share = u64::from(self.min_share);
        entry
            .moves
            .retain(|mv| mv.count.saturating_mul(100) >= games.saturating_mul(share));
        let best = entry.moves.first().map_or(0, |mv| mv.value);
        if let Some(margin) = self.margin {
            let least = best.saturating_sub(margin);
            entry.moves.retain(|mv| mv.value >= least);
        }
        let is_own = self
            .best
            .is_some_and(|side| side.includes(entry.pos.turn()));
        if is_own {
            entry.moves.truncate(1);
        }
    }
}
