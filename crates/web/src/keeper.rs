//! The keeper: a thread that puts the games of all sessions into the library as they change.

use crate::library::{GameLibrary, KeptGame, LibraryError};
use crate::session::UserSession;
use crate::user_error::UserError;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How long changes are collected before they are written.
const DELAY: Duration = Duration::from_millis(200);

/// Starts the thread; it ends with the last session.
pub(crate) fn start_keeper(library: GameLibrary) -> std::io::Result<Sender<Arc<UserSession>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("library".into())
        .spawn(move || keep_all(&receiver, &library))?;
    Ok(sender)
}

fn keep_all(changed: &Receiver<Arc<UserSession>>, library: &GameLibrary) {
    let mut has_failed = false;
    while let Ok(first) = changed.recv() {
        std::thread::sleep(DELAY);
        let mut sessions = HashMap::from([(first.id.clone(), first)]);
        let more = changed.try_iter();
        sessions.extend(more.map(|session| (session.id.clone(), session)));
        for session in sessions.into_values() {
            let games = session.state().games_to_keep();
            let keep = |KeptGame { id, source, game }: &KeptGame| {
                library.put(*id, *source, game).map(|_| ())
            };
            let kept: Result<(), LibraryError> = games.iter().try_for_each(keep);
            if let Err(error) = kept
                && !std::mem::replace(&mut has_failed, true)
            {
                session.state().notice(UserError::from(error));
                session.notify();
            }
        }
    }
}
