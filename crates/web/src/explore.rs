//! The opening explorer: what books say about a position, and the user's own book, edited move by move.
//!
//! Three books are asked: the user's own, a file that the server was started with, and the one inside
//! the program. Where a file knows who resigned, its moves are shown with who wins by what was played.

use crate::protocol::explore::{BookMoveView, BookView, ExploreMessage, ExploreRequest, WinView};
use crate::protocol::position::line_view;
use crate::user_error::UserError;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tesuji_book::format::{read, write};
use tesuji_book::probe::{Library, Proposal, Selection};
use tesuji_book::{
    BookEntry, BookError, BookFormat, BookMove, BookOutcome, BookSource, Graph, RepetitionRule,
    Wins,
};
use tesuji_shogi::{Color, Move, Position};

/// The name of the user's own book in the folder of games.
const OWN_BOOK: &str = "own.book";

/// The books of a server.
pub(crate) struct Explorer {
    /// The user's own book, and where it is kept.
    own: Mutex<Graph>,
    path: Option<PathBuf>,
    /// The file that the server was started with.
    file: Mutex<Option<(String, UserFile)>>,
    builtin: Mutex<Library>,
}

/// A book of the user's that is only read.
enum UserFile {
    /// Asked where it lies.
    Library(Library),
    /// Facts of games, and who wins by them.
    Graph(Box<(Graph, Wins)>),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic may leave behind is still a book.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn graph_of(path: &Path, format: BookFormat) -> Result<Graph, BookError> {
    let mut graph = Graph::default();
    for entry in read(path, format, &[Position::start()])? {
        let added = graph.add_entry(&entry?);
        added.map_err(tesuji_book::BookProblem::from)?;
    }
    Ok(graph)
}

impl UserFile {
    fn open(path: &Path) -> Result<Self, BookError> {
        match BookFormat::of_path(path) {
            Some(format) if format.grows() => {
                let graph = graph_of(path, format)?;
                let mut wins = Wins::new(RepetitionRule::Loses(Color::Black));
                wins.solve(&graph);
                Ok(Self::Graph(Box::new((graph, wins))))
            }
            _ => {
                let library = Library::open(path, true).map_err(|(_, error)| error)?;
                Ok(Self::Library(library))
            }
        }
    }
}

/// A book of the user's with its name.
fn opened(file: &Path) -> Result<(String, UserFile), (PathBuf, BookError)> {
    let opened = UserFile::open(file).map_err(|error| (file.to_owned(), error))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), opened))
}

impl Explorer {
    /// The books of a server: its folder may hold a book of the user's own, `file` is another one.
    ///
    /// # Errors
    /// If a file is there and cannot be read: which one, and why.
    pub(crate) fn open(
        folder: Option<&Path>,
        file: Option<&Path>,
    ) -> Result<Self, (PathBuf, BookError)> {
        let path = folder.map(|folder| folder.join(OWN_BOOK));
        let own = match &path {
            Some(path) if path.exists() => {
                graph_of(path, BookFormat::Lines).map_err(|error| (path.clone(), error))?
            }
            _ => Graph::default(),
        };
        let file = file.map(opened).transpose()?;
        let mut builtin = Library::default();
        // The program's own book is read by its tests; without it the others still answer.
        let _ = builtin.add_builtin();
        Ok(Self {
            own: Mutex::new(own),
            path,
            file: Mutex::new(file),
            builtin: Mutex::new(builtin),
        })
    }

    /// Asks another file from now on, or none.
    ///
    /// # Errors
    /// If it cannot be read; then the old one stays.
    pub(crate) fn set_file(&self, file: Option<&Path>) -> Result<(), UserError> {
        let new = file.map(opened).transpose();
        *locked(&self.file) = new.map_err(|(_, error)| UserError::book(&error))?;
        Ok(())
    }

    /// Does what a page asks for; every answer is what the books say then.
    pub(crate) fn handle(&self, request: &ExploreRequest) -> Result<ExploreMessage, UserError> {
        match request {
            ExploreRequest::Look { sfen } => self.look(&position(sfen)?),
            ExploreRequest::Edit { sfen, mv, weight } => {
                let pos = position(sfen)?;
                let mv: Move = mv.parse().map_err(|_| UserError::not_a_move(mv))?;
                if !pos.is_legal(mv) {
                    return Err(UserError::not_a_move(&mv.to_string()));
                }
                self.edit(&pos, mv, *weight)?;
                self.look(&pos)
            }
        }
    }

    fn look(&self, pos: &Position) -> Result<ExploreMessage, UserError> {
        let own = own_entry(&locked(&self.own), pos);
        let mut books = vec![BookView {
            name: None,
            is_own: true,
            moves: own.map_or(Vec::new(), |entry| views(pos, &entry, |_| None)),
        }];
        if let Some((name, file)) = &mut *locked(&self.file) {
            let moves = match file {
                UserFile::Library(library) => {
                    let found = library.find(pos, &Selection::default());
                    let found = found.map_err(|error| UserError::book(&error))?;
                    found.map_or(Vec::new(), |(entry, _)| views(pos, &entry, |_| None))
                }
                UserFile::Graph(solved) => graph_moves(pos, &solved.0, &solved.1),
            };
            books.push(BookView {
                name: Some(name.clone()),
                is_own: false,
                moves,
            });
        }
        let mut builtin = locked(&self.builtin);
        let found = builtin.find(pos, &Selection::default());
        let found = found.map_err(|error| UserError::book(&error))?;
        books.push(BookView {
            name: None,
            is_own: false,
            moves: found.map_or(Vec::new(), |(entry, _)| views(pos, &entry, |_| None)),
        });
        Ok(ExploreMessage {
            sfen: pos.to_sfen(),
            books,
        })
    }

    /// Gives a move of the own book a weight, 0 takes it out, and writes the book.
    fn edit(&self, pos: &Position, mv: Move, weight: u32) -> Result<(), UserError> {
        let mut own = locked(&self.own);
        let mut edited = Graph::default();
        let mut entries: Vec<BookEntry> = own.nodes().filter_map(|node| own.entry(node)).collect();
        let here = entries
            .iter_mut()
            .find(|entry| entry.pos.identity() == pos.identity());
        let entry = match here {
            Some(entry) => entry,
            None => {
                let fresh = pos.setup().build().expect("a sound position");
                entries.push(BookEntry::new(fresh, Vec::new()));
                entries.last_mut().expect("one was added")
            }
        };
        entry.moves.retain(|known| known.mv != Some(mv));
        if weight > 0 {
            let mut book_move = BookMove::new(mv);
            book_move.count = weight.into();
            book_move.source = BookSource::Person;
            entry.moves.push(book_move);
        }
        entries.retain(|entry| !entry.moves.is_empty());
        for entry in &entries {
            let added = edited.add_entry(entry);
            added
                .map_err(|error| UserError::book(&tesuji_book::BookProblem::from(error).into()))?;
        }
        if let Some(path) = &self.path {
            let saved = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let saved = saved.map_err(BookError::from);
            let saved =
                saved.and_then(|()| write(path, BookFormat::Lines, entries.into_iter().map(Ok)));
            saved.map_err(|error| UserError::book(&error))?;
        }
        *own = edited;
        Ok(())
    }

    /// A move for the engine of the play tab: of the user's own book first, then of the user's file.
    pub(crate) fn propose(&self, pos: &Position) -> Option<Proposal> {
        let mut dice = fastrand::Rng::new();
        let own = own_entry(&locked(&self.own), pos);
        if let Some(entry) = own {
            let weights: u64 = entry.moves.iter().map(|mv| mv.count).sum();
            let mut at = dice.u64(0..weights.max(1));
            let chosen = entry.moves.into_iter().find(|mv| {
                let is_here = at < mv.count;
                at = at.saturating_sub(mv.count);
                is_here
            })?;
            return Some(Proposal {
                mv: chosen.mv?,
                ponder: None,
                line: chosen.mv.into_iter().collect(),
                chosen,
            });
        }
        if let Some((_, UserFile::Library(library))) = &mut *locked(&self.file)
            && let Ok(Some(found)) = library.propose(pos, &Selection::default(), &mut dice)
        {
            return Some(found);
        }
        let mut builtin = locked(&self.builtin);
        builtin
            .propose(pos, &Selection::default(), &mut dice)
            .ok()
            .flatten()
    }
}

fn position(sfen: &str) -> Result<Position, UserError> {
    Position::from_sfen(sfen).map_err(|error| UserError::position(&error))
}

/// What the own book says, if it has a legal move.
fn own_entry(own: &Graph, pos: &Position) -> Option<BookEntry> {
    let entry = own.entry(own.find_position(pos)?)?;
    (!entry.moves.is_empty()).then_some(entry)
}

/// The moves of an entry as a page shows them.
fn views(
    pos: &Position,
    entry: &BookEntry,
    win: impl Fn(Move) -> Option<WinView>,
) -> Vec<BookMoveView> {
    let moves = entry.moves.iter().filter_map(|known| {
        let mv = known.mv?;
        let view = line_view(pos, &[mv], 1).pop()?;
        let sign = if pos.turn() == Color::Black { 1 } else { -1 };
        let is_valued = known.depth != 0 || known.value != 0;
        Some(BookMoveView {
            view,
            value: is_valued.then_some(sign * known.value),
            depth: known.depth,
            count: known.count,
            won: known.won,
            lost: known.lost,
            win: win(mv),
        })
    });
    moves.collect()
}

/// The moves of a book of games, each with who wins by what was played behind it.
fn graph_moves(pos: &Position, graph: &Graph, wins: &Wins) -> Vec<BookMoveView> {
    let Some(node) = graph.find_position(pos) else {
        return Vec::new();
    };
    let Some(entry) = graph.entry(node) else {
        return Vec::new();
    };
    views(pos, &entry, |mv| {
        let child = graph.edge(graph.edge_of(node, mv)?).child();
        let (wins, plies) = match wins.outcome(graph, child) {
            BookOutcome::Loss(plies) => (true, Some(plies + 1)),
            BookOutcome::Win(plies) => (false, Some(plies + 1)),
            BookOutcome::LossByRepetition => (true, None),
            BookOutcome::WinByRepetition => (false, None),
            BookOutcome::Unknown => return None,
        };
        Some(WinView {
            wins,
            plies,
            challenges: graph.challenges(child),
            proven: graph.flags(child).is_proven_win(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(explorer: &Explorer, sfen: &str, mv: &str, weight: u32) -> ExploreMessage {
        let (sfen, mv) = (sfen.to_owned(), mv.to_owned());
        let request = ExploreRequest::Edit { sfen, mv, weight };
        explorer.handle(&request).unwrap()
    }

    #[test]
    fn the_own_book_is_edited_kept_and_played() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Some(folder.path()), None).unwrap();
        let start = Position::start().to_sfen();
        let look = explorer.handle(&ExploreRequest::Look {
            sfen: start.clone(),
        });
        let look = look.unwrap();
        assert!(look.books[0].is_own && look.books[0].moves.is_empty());
        assert!(!look.books[1].moves.is_empty(), "the book of the program");
        edit(&explorer, &start, "9g9f", 3);
        edit(&explorer, &start, "1g1f", 1);
        let left = edit(&explorer, &start, "1g1f", 0);
        assert_eq!(left.books[0].moves.len(), 1);
        assert_eq!(left.books[0].moves[0].count, 3);
        let again = Explorer::open(Some(folder.path()), None).unwrap();
        let proposal = again.propose(&Position::start()).unwrap();
        assert_eq!(proposal.mv.to_string(), "9g9f");
        for (sfen, mv) in [("9/9 b - 1", "7g7f"), (&start, "7g7e"), (&start, "e4")] {
            let (sfen, mv) = (sfen.to_owned(), mv.to_owned());
            let request = ExploreRequest::Edit {
                sfen,
                mv,
                weight: 1,
            };
            assert!(explorer.handle(&request).is_err());
        }
    }

    #[test]
    fn winning_lines_of_a_file_are_shown_and_a_wrong_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("win.tbk");
        let mut after = Position::start();
        let mv: Move = "7g7f".parse().unwrap();
        let first = BookEntry::new(after.clone(), vec![BookMove::new(mv)]);
        after.play(mv);
        let after = after.setup().build().unwrap();
        let second = BookEntry::new(after, vec![BookMove::resign()]);
        write(
            &path,
            BookFormat::Store,
            [Ok(first), Ok(second)].into_iter(),
        )
        .unwrap();
        let explorer = Explorer::open(None, Some(&path)).unwrap();
        let look = explorer.look(&Position::start()).unwrap();
        let win = look.books[1].moves[0].win.as_ref().unwrap();
        assert!(win.wins && win.plies == Some(1) && !win.proven);
        std::fs::write(&path, "nothing").unwrap();
        let wrong = Explorer::open(None, Some(&path));
        assert_eq!(wrong.err().unwrap().0, path);
    }
}
