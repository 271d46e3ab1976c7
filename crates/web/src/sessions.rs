//! All sessions: found by name, bounded in number, written to disk by one thread.

use crate::session::{Services, SessionState, UserSession};
use crate::storage::{self, StoredSession};
use crate::user_error::UserError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many sessions are in memory.
const MOST_SESSIONS: usize = 64;

/// The longest name of a session.
const LONGEST_NAME: usize = 40;

/// All sessions.
pub(crate) struct Sessions {
    sessions: Mutex<HashMap<String, Arc<UserSession>>>,
    services: Services,
    folder: Option<PathBuf>,
}

impl Sessions {
    pub(crate) fn new(services: Services, folder: Option<PathBuf>) -> Self {
        if let Some(folder) = &folder {
            storage::remove_oldest(folder);
        }
        Self {
            sessions: Mutex::default(),
            services,
            folder,
        }
    }

    /// The session with a name, from memory, from disk, or new; `None` if the name is not allowed or
    /// every session is in use.
    pub(crate) fn session(&self, id: &str) -> Option<Arc<UserSession>> {
        let is_name = (1..=LONGEST_NAME).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if !is_name {
            return None;
        }
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = sessions.get(id) {
            return Some(session.clone());
        }
        if sessions.len() >= MOST_SESSIONS {
            let free = sessions
                .iter()
                .find(|(_, session)| session.pages() == 0 && Arc::strong_count(session) == 1);
            let free = free.map(|(id, _)| id.clone())?;
            sessions.remove(&free);
        }
        let session = self.opened(id);
        sessions.insert(id.to_owned(), session.clone());
        Some(session)
    }
}

impl Sessions {
    /// A session from disk, or a new one.
    fn opened(&self, id: &str) -> Arc<UserSession> {
        let mut services = self.services.clone();
        let stored = match &self.folder {
            Some(folder) => storage::load(folder, id),
            None => StoredSession::None,
        };
        let mut state = SessionState::default();
        match stored {
            StoredSession::None => {}
            StoredSession::Whole(stored) => state = *stored,
            StoredSession::PutAside(error) => state.notice_for_first_page(error),
            StoredSession::InTheWay(error) => {
                state.notice_for_first_page(error);
                // Leads nowhere: what lies on disk stays as it is.
                services.saver = channel().0;
            }
        }
        UserSession::new(id.to_owned(), services, state)
    }
}

/// How long changes are collected before they are written.
const SAVE_DELAY: Duration = Duration::from_millis(300);

/// Starts the thread that writes sessions as they change; it ends with the last session.
pub(crate) fn start_saver(
    folder: Option<PathBuf>,
) -> std::io::Result<std::sync::mpsc::Sender<Arc<UserSession>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("saver".into())
        .spawn(move || save_all(&receiver, folder.as_deref()))?;
    Ok(sender)
}

fn save_all(changed: &Receiver<Arc<UserSession>>, folder: Option<&Path>) {
    let mut has_failed = false;
    while let Ok(first) = changed.recv() {
        let Some(folder) = folder else {
            continue;
        };
        std::thread::sleep(SAVE_DELAY);
        let mut sessions = HashMap::from([(first.id.clone(), first)]);
        sessions.extend(
            changed
                .try_iter()
                .map(|session| (session.id.clone(), session)),
        );
        for session in sessions.into_values() {
            let text = storage::to_json(&session.state());
            let saved = text
                .map_err(std::io::Error::from)
                .and_then(|text| storage::save(folder, &session.id, &text));
            if let Err(error) = saved
                && !std::mem::replace(&mut has_failed, true)
            {
                let folder = folder.display();
                let error = UserError::new(
                    format!("Games cannot be kept in {folder}: {error}."),
                    format!("{folder} に棋譜を保存できません({error})。"),
                );
                session.state().notice(error);
                session.notify();
            }
        }
    }
}
