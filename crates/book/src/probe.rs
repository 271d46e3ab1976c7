//! Asking books for a move: several by priority, either way round, by the options of USI engines.
//!
//! The options mean what they mean in YaneuraOu.

mod choice;
mod won;

pub use won::{WonLines, WonMove};

use crate::builtin::{self, BUILTIN};
use crate::entry::{BookEntry, BookMove};
use crate::error::{BookError, BookPlace, BookProblem};
use crate::format::{self, BookFormat, Entries, apery, disk::DiskBook, ybb};
use crate::graph::Graph;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use tesuji_kernels::open_input;
use tesuji_shogi::{ByColor, Move, Position};

/// A text file that is smaller is read whole even if it may stay on disk: whoever types a book need
/// not sort it.
const SMALL: u64 = 32 << 20;

/// A text file of up to this size that turns out not to be sorted is read whole all the same.
const LARGEST_UNSORTED: u64 = 256 << 20;

/// A store that is larger is asked where it lies, without looking for lines that win.
const LARGEST_SOLVED: u64 = 1 << 30;

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
    /// program; moves that win by what was played are not asked for their depth.
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

/// A book with its file.
#[derive(Debug)]
struct OpenBook {
    path: PathBuf,
    book: Opened,
    /// Who wins by what was played, if it grew by playing.
    won: Option<WonLines>,
}

/// What was wrong with a file.
#[derive(Debug)]
pub struct BookWarning {
    /// Which file.
    pub path: PathBuf,
    /// How many lines or records could not be used; 0 if it is about the file as a whole.
    pub count: usize,
    /// The first of them.
    pub first: BookError,
    /// Whether the file is not used at all.
    pub is_left_out: bool,
}

/// What a player may want to know about a position that a book has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookNote {
    /// Its first move was searched to this depth: that is less than `BookDepthLimit`, and nothing was
    /// proposed. Told of the first such position alone.
    TooShallow(i32),
    /// Moves that cannot be played were left out.
    Illegal(Vec<Move>),
}

/// Books by priority.
#[derive(Debug, Default)]
pub struct Library {
    books: Vec<OpenBook>,
    warnings: Vec<BookWarning>,
    notes: Vec<BookNote>,
    /// Said once: otherwise every move of a game would say so.
    has_told_depth: bool,
}

impl Library {
    /// Opens the books that a path stands for (see [`priorities`]). Large sorted text files stay on
    /// disk if `on_the_fly` says so; binary files always do.
    ///
    /// A file that cannot be opened is left out and told ([`Library::warnings`]), if there is another.
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
            if let Err(first) = library.add(&path, on_the_fly) {
                library.warnings.push(BookWarning {
                    path,
                    count: 0,
                    first,
                    is_left_out: true,
                });
            }
        }
        if library.books.is_empty() && !library.warnings.is_empty() {
            let warning = library.warnings.swap_remove(0);
            return Err((warning.path, warning.first));
        }
        Ok(library)
    }

    /// Adds one more book behind the others.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn add(&mut self, path: &Path, on_the_fly: bool) -> Result<(), BookError> {
        let small = if on_the_fly { SMALL } else { u64::MAX };
        self.add_within(path, small, LARGEST_UNSORTED)
    }

    /// The same: text files larger than `small` stay on disk, unless they are not sorted and no larger
    /// than `unsorted`.
    fn add_within(&mut self, path: &Path, small: u64, unsorted: u64) -> Result<(), BookError> {
        let format = BookFormat::of_path(path).unwrap_or(BookFormat::Db);
        // What stays on disk may be of any size.
        let file = open_input(path, u64::MAX)?;
        let length = file.metadata()?.len();
        let mut won = None;
        let book = match format {
            BookFormat::Ybb => Opened::Ybb(ybb::YbbBook::open(file)?),
            BookFormat::Apery => Opened::Apery(apery::AperyBook::open(file)?),
            #[cfg(feature = "sqlite")]
            BookFormat::Sqlite => {
                let book = crate::sqlite::SqliteBook::open(path)?;
                won = self.won_lines(path, length)?;
                Opened::Sqlite(book)
            }
            BookFormat::Db if length > small => {
                self.on_disk(path, DiskBook::open(file)?, unsorted)?
            }
            _ => {
                if format == BookFormat::Store {
                    won = self.won_lines(path, length)?;
                }
                self.whole(path, format)?
            }
        };
        let path = path.into();
        self.books.push(OpenBook { path, book, won });
        Ok(())
    }

    fn whole(&mut self, path: &Path, format: BookFormat) -> Result<Opened, BookError> {
        open_input(path, LARGEST_LOADED)?;
        let entries = format::read(path, format, &[Position::start()])?;
        Ok(self.load(path, entries))
    }

    /// A text book that stays on disk if it is sorted, as far as some samples show.
    fn on_disk(
        &mut self,
        path: &Path,
        mut book: DiskBook<File>,
        unsorted: u64,
    ) -> Result<Opened, BookError> {
        let Some(first) = book.check()? else {
            return Ok(Opened::Db(book));
        };
        self.warnings.push(BookWarning {
            path: path.into(),
            count: 0,
            first,
            is_left_out: false,
        });
        match book.len() <= unsorted {
            true => self.whole(path, BookFormat::Db),
            false => Ok(Opened::Db(book)),
        }
    }

    /// Who wins by what was played, if the store is not too large to be solved.
    fn won_lines(&mut self, path: &Path, length: u64) -> Result<Option<WonLines>, BookError> {
        if length > LARGEST_SOLVED {
            self.warnings.push(BookWarning {
                path: path.into(),
                count: 0,
                first: BookProblem::Unsolved(LARGEST_SOLVED).at(BookPlace::File),
                is_left_out: false,
            });
            return Ok(None);
        }
        let format = BookFormat::of_path(path).unwrap_or(BookFormat::Store);
        let mut graph = Graph::default();
        // What makes no sense is told by whoever reads the moves.
        for entry in format::read(path, format, &[])?.flatten() {
            graph
                .add_entry(&entry)
                .map_err(BookProblem::from)
                .map_err(|problem| problem.at(BookPlace::File))?;
        }
        Ok(WonLines::solve(graph))
    }

    /// Adds the book inside the program behind the others.
    ///
    /// # Errors
    /// If the program was built from a file that is no book.
    pub fn add_builtin(&mut self) -> Result<(), BookError> {
        let path = Path::new(BUILTIN);
        let book = self.load(path, builtin::entries()?);
        // Its moves were chosen by value: who resigned at their end says little.
        self.books.push(OpenBook {
            path: path.into(),
            book,
            won: None,
        });
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
                            is_left_out: false,
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
        self.books.iter().all(|open| match &open.book {
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
        let found = self.find_with_illegal(pos, selection)?;
        Ok(found.map(|found| (found.entry, self.books[found.book].path.as_path())))
    }

    fn find_with_illegal(
        &mut self,
        pos: &Position,
        selection: &Selection,
    ) -> Result<Option<FoundEntry>, BookError> {
        let ply = (!selection.ignore_ply).then(|| pos.ply());
        for (book, open) in self.books.iter_mut().enumerate() {
            let mut found = open.book.find(pos, ply)?;
            if found.is_none() && selection.flipped {
                let turned = open.book.find(&pos.flipped(), ply)?;
                found = turned.map(|entry| entry.rotated());
            }
            let Some(mut entry) = found else { continue };
            let illegal: Vec<Move> = entry
                .moves
                .iter()
                .filter_map(|mv| mv.mv)
                .filter(|&mv| !pos.is_legal(mv))
                .collect();
            entry
                .moves
                .retain(|mv| mv.mv.is_none_or(|mv| !illegal.contains(&mv)));
            if entry.moves.iter().any(|mv| mv.mv.is_some()) {
                return Ok(Some(FoundEntry {
                    entry,
                    book,
                    illegal,
                }));
            }
        }
        Ok(None)
    }

    /// What is known of a move by what was played, in the first book that says something about it.
    pub fn won_move(&self, pos: &Position, mv: Move) -> Option<WonMove> {
        let mut won = self.books.iter().filter_map(|open| open.won.as_ref());
        won.find_map(|won| won.look(pos, mv))
    }

    /// What there was to say about the positions that were asked for, and forgets it.
    pub fn take_notes(&mut self) -> Vec<BookNote> {
        std::mem::take(&mut self.notes)
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
        let Some(found) = self.find_with_illegal(pos, selection)? else {
            return Ok(None);
        };
        if !found.illegal.is_empty() {
            self.notes.push(BookNote::Illegal(found.illegal));
        }
        let open = &self.books[found.book];
        let mut asked = *selection;
        if open.path == Path::new(BUILTIN) {
            // Its values were carried from leaves that all were searched alike: their depths say
            // nothing about a single position.
            asked.depth_limit = 0;
        }
        let advice = open.won.as_ref().map(|won| won.advice(pos, selection));
        let mut choice = choice::MoveChoice::new(pos, found.entry, &asked);
        choice.holds_depths = open.book.holds_depths();
        let chosen = match choice.choose(&advice.unwrap_or_default(), dice) {
            Ok(chosen) => chosen,
            Err(depth) => {
                if !std::mem::replace(&mut self.has_told_depth, true) {
                    self.notes.push(BookNote::TooShallow(depth));
                }
                None
            }
        };
        let Some((mv, chosen)) = chosen else {
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
            let found = self.find_with_illegal(&pos, selection)?;
            next = found.and_then(|found| {
                let won = self.books[found.book].won.as_ref();
                let winning = won.and_then(|won| won.advice(&pos, selection).winning);
                winning.or_else(|| found.entry.moves.iter().find_map(|mv| mv.mv))
            });
        }
        Ok(line)
    }
}

/// An entry without the moves that cannot be played, and the number of its book.
struct FoundEntry {
    entry: BookEntry,
    book: usize,
    illegal: Vec<Move>,
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
            Self::Db(book) => book.find(pos, ply)?,
            Self::Ybb(book) => book.find(pos)?,
            Self::Apery(book) => book.find(pos)?,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(book) => book.find(pos)?,
        };
        Ok(found.filter(fits))
    }

    /// Whether a move of depth 0 is one that nobody searched.
    const fn holds_depths(&self) -> bool {
        !matches!(self, Self::Ybb(_) | Self::Apery(_))
    }
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
