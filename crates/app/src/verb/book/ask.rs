//! What a book says: about a position, as a tree, in numbers, and whether it is sound.

use super::files::{entries, failure, format_of, graph};
use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_book::probe::{Library, Selection};
use tesuji_book::{BUILTIN, BookEntry, BookFormat, BookMove, BookNodeId, Graph};
use tesuji_record::names::japanese;
use tesuji_shogi::{Move, Position};

/// Says what books know about a position
#[derive(Args)]
pub(super) struct BookProbe {
    /// The books, the most important one first
    #[arg(required = true)]
    books: Vec<PathBuf>,
    /// The position
    #[arg(long, value_name = "SFEN", default_value = "startpos")]
    sfen: Position,
    /// Moves from there
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// One JSON object per move
    #[arg(long)]
    json: bool,
}

/// A move of a book, for scripts.
#[derive(Serialize)]
struct Row {
    mv: String,
    value: i32,
    depth: i32,
    count: u64,
    won: u32,
    lost: u32,
    ponder: Option<String>,
    comment: String,
    book: String,
}

impl Row {
    fn new(mv: &BookMove, book: &Path) -> Self {
        Self {
            mv: mv.mv.map_or("resign".into(), |mv| mv.to_string()),
            value: mv.value,
            depth: mv.depth,
            count: mv.count,
            won: mv.won,
            lost: mv.lost,
            ponder: mv.ponder.map(|mv| mv.to_string()),
            comment: mv.comment.clone(),
            book: book.display().to_string(),
        }
    }

    /// A line of a table, with the name of the move in Japanese.
    fn print(&self, out: &mut impl Write, name: &str) -> std::io::Result<()> {
        let ponder = self.ponder.as_deref().unwrap_or_default();
        let results = match (self.won, self.lost) {
            (0, 0) => String::new(),
            (won, lost) => format!("{won}–{lost}"),
        };
        writeln!(
            out,
            "{:<7}{:<10}{:>6} {:>6} {:>8} {:>11}  {} {}",
            self.mv, name, self.value, self.depth, self.count, results, ponder, self.comment
        )
    }
}

/// Plays moves in USI notation.
pub(super) fn played(start: &Position, moves: &str) -> Result<Position, Failure> {
    let wrong = |word: &str, what: &str| Failure::File {
        path: "--moves".into(),
        what: format!("{word:?} {what}").into(),
    };
    let mut pos = start.clone();
    for word in moves.split_whitespace() {
        let mv: Move = word
            .parse()
            .map_err(|_| wrong(word, "is not a move: expected something like 7g7f"))?;
        pos.try_play(mv)
            .map_err(|_| wrong(word, "cannot be played"))?;
    }
    Ok(pos)
}

impl BookProbe {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let pos = played(&self.sfen, &self.moves)?;
        let mut library = self.open_library()?;
        let found = library.find(&pos, &Selection::default());
        let found = found.map_err(|error| failure(&self.books[0], error))?;
        let Some((entry, book)) = found else {
            writeln!(std::io::stderr(), "the position is in none of the books")?;
            return Ok(ExitStatus::No);
        };
        let mut out = std::io::stdout().lock();
        if !self.json {
            writeln!(out, "{}: {}", book.display(), pos.to_sfen())?;
            let head = ["move", "", "value", "depth", "count", "won–lost", "reply"];
            writeln!(
                out,
                "{:<7}{:<14}{:>6} {:>6} {:>8} {:>11}  {}",
                head[0], head[1], head[2], head[3], head[4], head[5], head[6]
            )?;
        }
        for mv in &entry.moves {
            let row = Row::new(mv, book);
            match self.json {
                true => write_json(&mut out, &row)?,
                false => {
                    let name = mv.mv.map_or(String::new(), |mv| japanese(&pos, mv));
                    row.print(&mut out, &name)?;
                }
            }
        }
        Ok(ExitStatus::Yes)
    }

    /// The books, with a word about the lines of theirs that cannot be used.
    fn open_library(&self) -> Result<Library, Failure> {
        let mut library = Library::default();
        for path in &self.books {
            let added = match path.as_path() == Path::new(BUILTIN) {
                true => library.add_builtin(),
                false => library.add(path, true),
            };
            added.map_err(|error| failure(path, error))?;
        }
        for warning in library.warnings() {
            let path = warning.path.display();
            let _ = match warning.count {
                0 => writeln!(std::io::stderr(), "{path}: {}", warning.first),
                count => writeln!(
                    std::io::stderr(),
                    "{path}: {count} lines cannot be used, the first one: {}",
                    warning.first
                ),
            };
        }
        Ok(library)
    }
}
/// Shows a book as a tree
#[derive(Args)]
pub(super) struct Show {
    /// The book
    book: PathBuf,
    /// The position to begin with
    #[arg(long, value_name = "SFEN", default_value = "startpos")]
    sfen: Position,
    /// Moves from there
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// How many moves deep
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: usize,
    /// How many moves of each position
    #[arg(long, value_name = "N", default_value_t = 5)]
    width: usize,
}

impl Show {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let graph = graph(std::slice::from_ref(&self.book), true)?;
        let pos = played(&self.sfen, &self.moves)?;
        let Some(root) = graph.find_position(&pos) else {
            writeln!(std::io::stderr(), "the position is not in the book")?;
            return Ok(ExitStatus::No);
        };
        let mut tree = BookTree {
            graph: &graph,
            show: self,
            shown: HashSet::new(),
            out: std::io::stdout().lock(),
        };
        writeln!(tree.out, "{}", pos.to_sfen())?;
        tree.draw(root, &pos, &mut String::new(), 0)?;
        Ok(ExitStatus::Yes)
    }
}

struct BookTree<'a, W> {
    graph: &'a Graph,
    show: &'a Show,
    shown: HashSet<BookNodeId>,
    out: W,
}

impl<W: Write> BookTree<'_, W> {
    fn draw(
        &mut self,
        node: BookNodeId,
        pos: &Position,
        indent: &mut String,
        depth: usize,
    ) -> Result<(), Failure> {
        let Some(mut entry) = self.graph.entry(node) else {
            return Ok(());
        };
        entry.sort();
        let left_out = entry.moves.len().saturating_sub(self.show.width);
        entry.moves.truncate(self.show.width);
        let last = entry.moves.len().saturating_sub(1);
        for (place, book_move) in entry.moves.iter().enumerate() {
            let is_last = place == last && left_out == 0;
            let (branch, below) = if is_last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            let line = line(pos, book_move);
            let child = book_move
                .mv
                .and_then(|mv| self.graph.edge_of(node, mv))
                .map(|edge| self.graph.edge(edge).child())
                .filter(|&child| self.graph.is_expanded(child));
            let is_new = child.is_some_and(|child| self.shown.insert(child));
            let again = if child.is_some() && !is_new {
                "  (above)"
            } else {
                ""
            };
            writeln!(self.out, "{indent}{branch}{line}{again}")?;
            if let (Some(child), Some(mv), true) = (child, book_move.mv, is_new)
                && depth + 1 < self.show.depth
            {
                let mut next = pos.clone();
                next.play(mv);
                let length = indent.len();
                indent.push_str(below);
                self.draw(child, &next, indent, depth + 1)?;
                indent.truncate(length);
            }
        }
        if left_out > 0 {
            writeln!(self.out, "{indent}└─ and {left_out} more")?;
        }
        Ok(())
    }
}

fn line(pos: &Position, book_move: &BookMove) -> String {
    let Some(mv) = book_move.mv else {
        return "resign".into();
    };
    let name = japanese(pos, mv);
    let mut line = format!("{mv} {name}");
    if book_move.depth != 0 || book_move.value != 0 {
        line += &format!("  {:+} at {}", book_move.value, book_move.depth);
    }
    if book_move.count != 1 {
        line += &format!("  ×{}", book_move.count);
    }
    line
}

/// Counts positions and moves
#[derive(Args)]
pub(super) struct BookStats {
    /// The book
    book: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What there is in a book.
#[derive(Serialize, Default)]
struct Figures {
    positions: u64,
    moves: u64,
    resignations: u64,
    evaluated_moves: u64,
    black_to_move: u64,
    largest_ply: u32,
    widest: usize,
    challenges: u64,
    proven_wins: u64,
    /// Positions by move number, tens together.
    by_ply: Vec<u64>,
}

impl BookStats {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut figures = Figures::default();
        for entry in entries(&self.book, true)? {
            let entry = entry.map_err(|error| failure(&self.book, error))?;
            figures.add(&entry);
        }
        let mut out = std::io::stdout().lock();
        if self.json {
            write_json(&mut out, &figures)?;
            return Ok(ExitStatus::Yes);
        }
        for (name, number) in [
            ("positions", figures.positions),
            ("moves", figures.moves),
            ("resignations", figures.resignations),
            ("evaluated moves", figures.evaluated_moves),
            ("Black to move", figures.black_to_move),
            ("largest move number", figures.largest_ply.into()),
            ("most moves in a position", figures.widest as u64),
            ("challenges", figures.challenges),
            ("proven wins", figures.proven_wins),
        ] {
            writeln!(out, "{name:<26}{number:>12}")?;
        }
        for (ten, count) in figures.by_ply.iter().enumerate() {
            writeln!(
                out,
                "moves {:>3} to {:<13}{count:>12}",
                ten * 10 + 1,
                ten * 10 + 10
            )?;
        }
        Ok(ExitStatus::Yes)
    }
}

impl Figures {
    fn add(&mut self, entry: &BookEntry) {
        let moves = entry.moves.iter().filter(|mv| mv.mv.is_some());
        let count = moves.clone().count();
        self.positions += 1;
        self.moves += count as u64;
        self.resignations += (entry.moves.len() - count) as u64;
        self.evaluated_moves += moves.filter(|mv| mv.value != 0 || mv.depth != 0).count() as u64;
        self.black_to_move += u64::from(entry.pos.turn() == tesuji_shogi::Color::Black);
        self.largest_ply = self.largest_ply.max(entry.pos.ply());
        self.widest = self.widest.max(count);
        self.challenges += u64::from(entry.challenges);
        self.proven_wins += u64::from(entry.is_proven_win);
        let ten = (entry.pos.ply().saturating_sub(1) / 10).min(99) as usize;
        if self.by_ply.len() <= ten {
            self.by_ply.resize(ten + 1, 0);
        }
        self.by_ply[ten] += 1;
    }
}

/// Checks a book: every line readable, every move legal, every position once and in order
#[derive(Args)]
pub(super) struct Check {
    /// The book
    book: PathBuf,
    /// How many warnings are printed
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: usize,
}

impl Check {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let format = format_of(&self.book)?;
        let mut findings = Findings::new(format);
        for entry in entries(&self.book, false)? {
            match entry {
                Ok(entry) => findings.add(&entry),
                Err(error) => findings.warnings.push(error.to_string()),
            }
        }
        self.ask(&mut findings)?;
        let mut out = std::io::stdout().lock();
        for warning in findings.warnings.iter().take(self.show) {
            writeln!(out, "{warning}")?;
        }
        let (positions, warnings) = (findings.seen.len(), findings.warnings.len());
        writeln!(out, "{positions} positions, {warnings} warnings")?;
        let orphans = findings.orphans();
        writeln!(out, "{orphans} positions that no move of the book leads to")?;
        if let Some(asked) = findings.asked {
            writeln!(
                out,
                "{asked} positions asked for as a player does, either way round"
            )?;
        }
        if findings.unsorted > 0 {
            writeln!(
                out,
                "not sorted in {} places: a search on disk would miss; merge writes it sorted",
                findings.unsorted
            )?;
        }
        Ok(match warnings {
            0 => ExitStatus::Yes,
            _ => ExitStatus::No,
        })
    }
}

impl Check {
    /// Asks for some of the positions as an engine would, as they stand and turned round.
    fn ask(&self, findings: &mut Findings) -> Result<(), Failure> {
        if self.book == Path::new(BUILTIN) {
            return Ok(());
        }
        let mut library = Library::default();
        let added = library.add(&self.book, true);
        added.map_err(|error| failure(&self.book, error))?;
        for pos in &findings.examples {
            for (asked, how) in [
                (pos.clone(), "as it stands"),
                (pos.flipped(), "turned round"),
            ] {
                let found = library.find(&asked, &Selection::default());
                if found.map_err(|error| failure(&self.book, error))?.is_none() {
                    let sfen = pos.to_sfen_without_ply();
                    let warning = format!("{sfen} is not found {how}");
                    findings.warnings.push(warning);
                }
            }
        }
        findings.asked = Some(findings.examples.len());
        Ok(())
    }
}

/// So many positions are asked for at most: a search on disk that misses misses many.
const MOST_EXAMPLES: usize = 10_000;

/// What a check has found so far.
struct Findings {
    /// Positions with a legal move, spread over the book, and every how many there is one.
    examples: Vec<Position>,
    every: usize,
    /// How many of them were asked for.
    asked: Option<usize>,
    positions: usize,
    /// Whether the order of the positions matters.
    is_text: bool,
    /// Whether every position should be there once: a store has many facts about one position, lines
    /// have one for every move.
    is_once: bool,
    warnings: Vec<String>,
    /// The positions, and whether games begin there.
    seen: HashMap<u128, bool>,
    /// Where moves lead to, either way round.
    reached: HashSet<u128>,
    last: String,
    unsorted: u64,
}

impl Findings {
    fn new(format: BookFormat) -> Self {
        Self {
            is_text: format == BookFormat::Db,
            is_once: !matches!(format, BookFormat::Store | BookFormat::Lines),
            warnings: Vec::new(),
            examples: Vec::new(),
            every: 1,
            asked: None,
            positions: 0,
            seen: HashMap::new(),
            reached: HashSet::from([Position::start().identity()]),
            last: String::new(),
            unsorted: 0,
        }
    }

    fn add(&mut self, entry: &BookEntry) {
        let sfen = entry.pos.to_sfen_without_ply();
        for mv in entry.illegal() {
            self.warnings.push(format!("{mv} is illegal in {sfen}"));
        }
        let before = self.seen.insert(entry.pos.identity(), entry.is_start);
        if before.is_some() && self.is_once {
            self.warnings.push(format!("{sfen} stands there twice"));
        }
        self.unsorted += u64::from(self.is_text && sfen < self.last);
        self.last = sfen;
        let mut pos = entry.pos.clone();
        let mut is_useful = false;
        for mv in entry.moves.iter().filter_map(|mv| mv.mv) {
            if pos.try_play(mv).is_ok() {
                self.reached.insert(pos.identity());
                self.reached.insert(pos.flipped().identity());
                pos.undo();
                is_useful = true;
            }
        }
        if is_useful {
            self.add_example(pos);
        }
    }

    /// Keeps some of the positions; when there are too many, every other one of them.
    fn add_example(&mut self, pos: Position) {
        if self.positions.is_multiple_of(self.every) {
            self.examples.push(pos);
        }
        self.positions += 1;
        if self.examples.len() > MOST_EXAMPLES {
            let mut place = 0;
            self.examples.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
        }
    }

    fn orphans(&self) -> usize {
        let orphans = self.seen.iter().filter(|(identity, is_start)| {
            let is_reached = self.reached.contains(*identity);
            !**is_start && !is_reached
        });
        orphans.count()
    }
}
