//! The opening explorer: what books say about a position, and the user's own book, edited move by move.
//!
//! Three books are asked: the user's own, a file that the server was started with, and the one inside
//! the program. Where a file knows who resigned, its moves are shown with who wins by what was played.

mod own;

use self::own::OwnBook;
use crate::protocol::explore::{BookMoveView, BookView, ExploreMessage, ExploreRequest, WinView};
use crate::protocol::position::line_view;
use crate::user_error::UserError;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tesuji_book::probe::{Library, Proposal, Selection, WonMove};
use tesuji_book::{BookEntry, BookError, BookOutcome};
use tesuji_shogi::{Color, Move, Position};

/// The name of the user's own book in the folder of games.
const OWN_BOOK: &str = "own.book";

/// The books of a server.
pub(crate) struct Explorer {
    /// The user's own book.
    own: Mutex<OwnBook>,
    /// The file that the server was started with.
    file: Mutex<Option<(String, Library)>>,
    builtin: Mutex<Library>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic may leave behind is still a book.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A book of the user's with its name.
fn opened(file: &Path) -> Result<(String, Library), (PathBuf, BookError)> {
    let opened = Library::open(file, true)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok((name.into_owned(), opened))
}

impl Explorer {
    /// The books of a server: its folder may hold a book of the user's own, `file` is another one.
    ///
    /// # Errors
    /// If `file` cannot be read: which one, and why. Lines of the own book that make no sense are left
    /// out and told in the page.
    pub(crate) fn open(
        folder: Option<&Path>,
        file: Option<&Path>,
    ) -> Result<Self, (PathBuf, BookError)> {
        let own = OwnBook::open(folder.map(|folder| folder.join(OWN_BOOK)));
        let file = file.map(opened).transpose()?;
        let mut builtin = Library::default();
        // The program's own book is read by its tests; without it the others still answer.
        let _ = builtin.add_builtin();
        Ok(Self {
            own: Mutex::new(own),
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
                locked(&self.own).edit(&pos, mv, *weight)?;
                self.look(&pos)
            }
        }
    }

    fn look(&self, pos: &Position) -> Result<ExploreMessage, UserError> {
        let mut own = locked(&self.own);
        own.refresh();
        let problem = own.problem().cloned();
        let own = own.entry(pos);
        let mut books = vec![BookView {
            name: None,
            is_own: true,
            problem,
            moves: own.map_or(Vec::new(), |entry| views(pos, &entry, |_| None)),
        }];
        if let Some((name, file)) = &mut *locked(&self.file) {
            let found = file.find(pos, &Selection::default());
            let found = found.map_err(|error| UserError::book(&error))?;
            let entry = found.map(|(entry, _)| entry);
            let moves = entry.map_or(Vec::new(), |entry| {
                views(pos, &entry, |mv| file.won_move(pos, mv).map(win_view))
            });
            books.push(BookView {
                name: Some(name.clone()),
                is_own: false,
                problem: None,
                moves,
            });
        }
        let mut builtin = locked(&self.builtin);
        let found = builtin.find(pos, &Selection::default());
        let found = found.map_err(|error| UserError::book(&error))?;
        books.push(BookView {
            name: None,
            is_own: false,
            problem: None,
            moves: found.map_or(Vec::new(), |(entry, _)| views(pos, &entry, |_| None)),
        });
        Ok(ExploreMessage {
            sfen: pos.to_sfen(),
            books,
        })
    }

    /// A move for the engine of the play tab: of the user's own book first, then of the user's file.
    pub(crate) fn propose(&self, pos: &Position) -> Option<Proposal> {
        let mut dice = fastrand::Rng::new();
        let mut own = locked(&self.own);
        own.refresh();
        let own = own.entry(pos);
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
        if let Some((_, library)) = &mut *locked(&self.file)
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

fn win_view(known: WonMove) -> WinView {
    WinView {
        wins: known.outcome.is_win(),
        plies: match known.outcome {
            BookOutcome::Win(plies) | BookOutcome::Loss(plies) => Some(plies),
            _ => None,
        },
        challenges: known.challenges,
        proven: known.is_proven,
    }
}

#[cfg(test)]
mod tests;
