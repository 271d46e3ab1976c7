//! What a page asks the library for, and the games of a session that go there.

use super::{SessionState, UserSession};
use crate::library::{KeptGame, fresh_id};
use crate::protocol::library::{GameSource, LibraryMessage, LibraryRequest};
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_record::Game;

impl SessionState {
    /// The games with moves that the library should have: those that were replaced, then those that
    /// are shown.
    pub(crate) fn games_to_keep(&mut self) -> Vec<KeptGame> {
        let Self { play, analyse, .. } = self;
        let played = play.replaced.drain(..).collect::<Vec<_>>().into_iter();
        let played = played.chain([(play.library_id, play.game.record().clone())]);
        let analysed = analyse.replaced.drain(..).collect::<Vec<_>>().into_iter();
        let analysed = analysed.chain([(analyse.library_id, analyse.game.record().clone())]);
        let kept = |source| move |(id, game): (u64, Game)| KeptGame { id, source, game };
        let played = played.map(kept(GameSource::Played));
        let analysed = analysed.map(kept(GameSource::Analysed));
        let games = played.chain(analysed);
        games
            .filter(|kept| kept.game.moves().next().is_some())
            .collect()
    }
}

impl UserSession {
    /// Does what a page asks the library for.
    pub(crate) fn handle_library(
        self: &Arc<Self>,
        request: LibraryRequest,
    ) -> Result<LibraryMessage, UserError> {
        // What was just played or written is there before anybody looks.
        self.keep_now()?;
        let library = &self.services.library;
        let done = |act| LibraryMessage::Done { act: Some(act) };
        Ok(match request {
            LibraryRequest::Find(search) => library.find(&search)?,
            LibraryRequest::Open { id } => {
                self.open_game(library.game(id)?, id)?;
                LibraryMessage::Opened
            }
            LibraryRequest::OpenVersion { version } => {
                self.open_game(library.version(version)?, fresh_id())?;
                LibraryMessage::Opened
            }
            LibraryRequest::Rename { id, names } => {
                let act = library.rename(id, &names)?;
                self.reload_names(id)?;
                done(act)
            }
            LibraryRequest::Delete { ids } => done(library.set_deleted(&ids, true)?),
            LibraryRequest::Restore { ids } => done(library.set_deleted(&ids, false)?),
            LibraryRequest::Undo { act } => {
                library.undo(act)?;
                LibraryMessage::Done { act: None }
            }
            LibraryRequest::Import { act, files } => library.import(act, &files)?,
            LibraryRequest::Export { ids, format } => library.export(&ids, &format)?,
            LibraryRequest::Versions { id } => library.versions(id)?,
        })
    }

    /// Keeps the games of this session at once.
    fn keep_now(&self) -> Result<(), UserError> {
        let games = self.state().games_to_keep();
        for KeptGame { id, source, game } in games {
            self.services.library.put(id, source, &game)?;
        }
        Ok(())
    }

    /// Shows a game in the analysis tab.
    fn open_game(self: &Arc<Self>, game: Game, id: u64) -> Result<(), UserError> {
        self.change(|state| {
            state.analyse.stop_thinking();
            state.analyse.replace(game);
            state.analyse.library_id = id;
            Ok(())
        })
    }

    /// Takes over the names of a game that is shown: else its next change would bring the old ones back.
    fn reload_names(self: &Arc<Self>, id: u64) -> Result<(), UserError> {
        let headers = self.services.library.game(id)?.headers;
        let mut state = self.state();
        let state = &mut *state;
        for (shown, view) in [
            (state.play.library_id, &mut state.play.game),
            (state.analyse.library_id, &mut state.analyse.game),
        ] {
            if shown == id {
                view.set_names(&headers);
            }
        }
        Ok(())
    }
}
