//! Asking books for a move: several by priority, either way round, by the options of USI engines.

use crate::builtin::{self, BUILTIN};
use crate::entry::{BookEntry, BookMove};
use crate::error::BookError;
use crate::format::{self, BookFormat, Entries, apery, disk::DiskBook, ybb};
use crate::graph::BookSource;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_shogi::{ByColor, Move, Position};

/// A text file that is smaller is read whole even if it may stay on disk: whoever types a book need
/// not sort it.
const SMALL: u64 = 32 << 20;

/// A book that is loaded has to fit into memory.
const LARGEST_LOADED: u64 = 4 << 30;

/// How a book is asked; the names are those of the options of USI engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// `BookMoves`: up to which move.
    pub moves: u32,
    /// `BookEvalDiff`: how much worse than the first move another may be.
    pub eval_diff: i32,
    /// `BookEvalBlackLimit`, `BookEvalWhiteLimit`: what a move must be worth.
    pub eval_limit: ByColor<i32>,
    /// `BookDepthLimit`: how deep the first move must have been searched; 0 for any depth. A move of
    /// depth 0 was typed by a person and is never too shallow, nor is one of the book inside the
    /// program.
    pub depth_limit: i32,
    /// `BookIgnoreRate`: how often the book is passed over, in percent.
    pub ignore_rate: u32,
    /// `NarrowBook`: leaves out moves played in less than a tenth of the games.
    pub narrow: bool,
    /// `ConsiderBookMoveCount`: chooses more often what was played more often.
    pub by_count: bool,
    /// `IgnoreBookPly`: a position is the same with another move number.
    pub ignore_ply: bool,
    /// `FlippedBook`: looks for the position turned round as well.
    pub flipped: bool,
    /// `BookPvMoves`: how much of the line is shown.
    pub pv_moves: usize,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            moves: 200,
            eval_diff: 30,
            eval_limit: ByColor([0, -140]),
            depth_limit: 16,
            ignore_rate: 0,
            narrow: false,
            by_count: false,
            ignore_ply: true,
            flipped: true,
            pv_moves: 8,
        }
    }
}

/// What a book proposes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The move.
    pub mv: Move,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// What the book says about it.
    pub chosen: BookMove,
    /// How the book goes on, beginning with the move.
    pub line: Vec<Move>,
}

/// A book that can be asked.
#[derive(Debug)]
enum Opened {
    Memory(HashMap<u128, Vec<BookEntry>>),
    Db(DiskBook<File>),
    Ybb(ybb::YbbBook<File>),
    Apery(apery::AperyBook<File>),
    #[cfg(feature = "sqlite")]
    Sqlite(crate::sqlite::SqliteBook),
}

/// What was wrong with a file that is used nevertheless.
#[derive(Debug)]
pub struct BookWarning {
    /// Which file.
    pub path: PathBuf,
    /// How many lines or records could not be used.
    pub count: usize,
    /// The first of them.
    pub first: BookError,
}

/// Books by priority.
#[derive(Debug, Default)]
pub struct Library {
    books: Vec<(PathBuf, Opened)>,
    warnings: Vec<BookWarning>,
}

impl Library {
    /// Opens the books that a path stands for (see [`priorities`]). Large sorted text files stay on
    /// disk if `on_the_fly` says so; binary files always do.
    ///
    /// # Errors
    /// If none of the files can be opened: the first reason.
    pub fn open(path: &Path, on_the_fly: bool) -> Result<Self, (PathBuf, BookError)> {
        let mut library = Self::default();
        if path == Path::new(BUILTIN) {
            let added = library.add_builtin();
            return added
                .map(|()| library)
                .map_err(|error| (path.into(), error));
        }
        for path in priorities(path) {
            library
                .add(&path, on_the_fly)
                .map_err(|error| (path, error))?;
        }
        Ok(library)
    }

    /// Adds one more book behind the others.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn add(&mut self, path: &Path, on_the_fly: bool) -> Result<(), BookError> {
        let format = BookFormat::of_path(path).unwrap_or(BookFormat::Db);
        // What stays on disk may be of any size.
        let file = open_input(path, u64::MAX)?;
        let opened = match format {
            BookFormat::Ybb => Opened::Ybb(ybb::YbbBook::open(file)?),
            BookFormat::Apery => Opened::Apery(apery::AperyBook::open(file)?),
            #[cfg(feature = "sqlite")]
            BookFormat::Sqlite => Opened::Sqlite(crate::sqlite::SqliteBook::open(path)?),
            BookFormat::Db if on_the_fly && file.metadata()?.len() > SMALL => {
                Opened::Db(DiskBook::open(file)?)
            }
            _ => {
                open_input(path, LARGEST_LOADED)?;
                self.load(path, format::read(path, format, &[Position::start()])?)
            }
        };
        self.books.push((path.into(), opened));
        Ok(())
    }

    /// Adds the book inside the program behind the others.
    ///
    /// # Errors
    /// If the program was built from a file that is no book.
    pub fn add_builtin(&mut self) -> Result<(), BookError> {
        let path = Path::new(BUILTIN);
        let opened = self.load(path, builtin::entries()?);
        self.books.push((path.into(), opened));
        Ok(())
    }

    fn load(&mut self, path: &Path, all: Entries) -> Opened {
        let mut entries: HashMap<u128, Vec<BookEntry>> = HashMap::new();
        let mut warning: Option<BookWarning> = None;
        for entry in all {
            match entry {
                Ok(entry) => keep(&mut entries, entry),
                Err(first) => match &mut warning {
                    Some(warning) => warning.count += 1,
                    None => {
                        warning = Some(BookWarning {
                            path: path.into(),
                            count: 1,
                            first,
                        });
                    }
                },
            }
        }
        self.warnings.extend(warning);
        Opened::Memory(entries)
    }

    /// What was wrong with the files.
    pub fn warnings(&self) -> &[BookWarning] {
        &self.warnings
    }

    /// Whether nothing can be found: no book, or only empty ones.
    pub fn is_empty(&self) -> bool {
        self.books.iter().all(|(_, book)| match book {
            Opened::Memory(entries) => entries.is_empty(),
            Opened::Db(_) => false,
            Opened::Ybb(book) => book.is_empty(),
            Opened::Apery(book) => book.is_empty(),
            #[cfg(feature = "sqlite")]
            Opened::Sqlite(book) => book.is_empty(),
        })
    }

    /// The entry of a position in the first book that has a legal move for it, and that book. Whoever
    /// does not ignore move numbers asks with the one of the position.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn find(
        &mut self,
        pos: &Position,
        selection: &Selection,
    ) -> Result<Option<(BookEntry, &Path)>, BookError> {
        let ply = (!selection.ignore_ply).then(|| pos.ply());
        let is_useful = |entry: &BookEntry| entry.moves.iter().any(|mv| mv.mv.is_some());
        for (path, book) in &mut self.books {
            let mut found = book.find(pos, ply)?;
            if found.is_none() && selection.flipped {
                found = book.find(&pos.flipped(), ply)?.map(|entry| entry.rotated());
            }
            if let Some(mut entry) = found {
                entry
                    .moves
                    .retain(|mv| mv.mv.is_none_or(|mv| pos.is_legal(mv)));
                if is_useful(&entry) {
                    return Ok(Some((entry, path)));
                }
            }
        }
        Ok(None)
    }

    /// What the books propose, if they know the position and the selection allows a move.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn propose(
        &mut self,
        pos: &Position,
        selection: &Selection,
        dice: &mut fastrand::Rng,
    ) -> Result<Option<Proposal>, BookError> {
        let is_ignored = selection.ignore_rate > 0 && dice.u32(0..100) < selection.ignore_rate;
        if pos.ply() > selection.moves || is_ignored {
            return Ok(None);
        }
        let Some((entry, path)) = self.find(pos, selection)? else {
            return Ok(None);
        };
        let mut asked = *selection;
        if path == Path::new(BUILTIN) {
            // Its values were carried from leaves that all were searched alike: their depths say
            // nothing about a single position.
            asked.depth_limit = 0;
        }
        let Some((mv, chosen)) = choose(pos, entry, &asked, dice) else {
            return Ok(None);
        };
        let line = self.line(pos, mv, selection)?;
        let ponder = chosen.ponder.or(line.get(1).copied());
        Ok(Some(Proposal {
            mv,
            ponder,
            chosen,
            line,
        }))
    }

    /// The first moves of the books, one after the other.
    fn line(
        &mut self,
        pos: &Position,
        first: Move,
        selection: &Selection,
    ) -> Result<Vec<Move>, BookError> {
        let mut pos = pos.clone();
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(mv) = next.filter(|_| line.len() < selection.pv_moves.max(2)) {
            line.push(mv);
            pos.play(mv);
            let found = self.find(&pos, selection)?;
            next = found.and_then(|(entry, _)| entry.moves.iter().find_map(|mv| mv.mv));
        }
        Ok(line)
    }
}

fn keep(entries: &mut HashMap<u128, Vec<BookEntry>>, entry: BookEntry) {
    let same = entries.entry(entry.pos.identity()).or_default();
    match same.iter_mut().find(|old| old.pos.ply() == entry.pos.ply()) {
        Some(old) => old.merge(&entry),
        None => same.push(entry),
    }
}

impl Opened {
    fn find(&mut self, pos: &Position, ply: Option<u32>) -> Result<Option<BookEntry>, BookError> {
        let fits = |entry: &BookEntry| ply.is_none_or(|ply| entry.pos.ply() == ply);
        let found = match self {
            Self::Memory(entries) => {
                let same = entries.get(&pos.identity());
                return Ok(same.and_then(|same| same.iter().find(|entry| fits(entry)).cloned()));
            }
            Self::Db(book) => book.find(pos)?,
            Self::Ybb(book) => book.find(pos)?,
            Self::Apery(book) => book.find(pos)?,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(book) => book.find(pos)?,
        };
        Ok(found.filter(fits))
    }
}

/// Chooses among the moves of an entry.
fn choose(
    pos: &Position,
    entry: BookEntry,
    selection: &Selection,
    dice: &mut fastrand::Rng,
) -> Option<(Move, BookMove)> {
    let moves = entry.moves.into_iter();
    let mut moves: Vec<(Move, BookMove)> = moves
        .filter_map(|book_move| Some((book_move.mv?, book_move)))
        .collect();
    let (_, first) = moves.first()?;
    if first.depth != 0 && first.depth < selection.depth_limit {
        return None;
    }
    let nearly = first.value.saturating_sub(selection.eval_diff);
    if selection.narrow {
        let all: u64 = moves
            .iter()
            .fold(0, |sum, (_, mv)| sum.saturating_add(mv.count));
        moves.retain(|(_, mv)| mv.count.saturating_mul(10) >= all || is_typed(mv));
    }
    let floor = nearly.max(selection.eval_limit[pos.turn()]);
    moves.retain(|(_, mv)| mv.value >= floor || is_typed(mv));
    let weight = |mv: &BookMove| if selection.by_count { mv.count } else { 1 };
    let all: u64 = moves
        .iter()
        .fold(0, |sum, (_, mv)| sum.saturating_add(weight(mv)));
    if all == 0 {
        return moves.into_iter().next();
    }
    let mut at = dice.u64(0..all);
    moves.into_iter().find(|(_, mv)| {
        let is_here = at < weight(mv);
        at = at.saturating_sub(weight(mv));
        is_here
    })
}

/// Whether a person typed a move and nobody searched it: whoever typed it wants it played.
fn is_typed(book_move: &BookMove) -> bool {
    book_move.source == BookSource::Person && book_move.depth == 0
}

/// The files that a path stands for: `book-000.db`, `book-001.db`, … and `book.db`, as far as they are
/// there; a `.ybb` in place of a `.db` that is missing.
pub fn priorities(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let numbered = (0..1000).map(|number| {
        let name = format!("{stem}-{number:03}.{extension}");
        existing(&path.with_file_name(name))
    });
    let mut paths: Vec<PathBuf> = numbered.map_while(|path| path).collect();
    match existing(path) {
        Some(path) => paths.push(path),
        // Whoever opens it hears what is missing.
        None if paths.is_empty() => paths.push(path.into()),
        None => {}
    }
    paths
}

fn existing(path: &Path) -> Option<PathBuf> {
    let binary = path.with_extension("ybb");
    let is_text = path.extension().is_some_and(|extension| extension == "db");
    match path {
        path if path.exists() => Some(path.into()),
        _ if is_text && binary.exists() => Some(binary),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
