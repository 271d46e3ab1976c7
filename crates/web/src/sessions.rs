//! All sessions: found by name, bounded in number.

use crate::session::{Services, SessionState, UserSession};
use crate::storage::{self, StoredSession};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The session that a guest was invited to, if it is in memory.
    pub(crate) fn session_of_guest(&self, code: &str) -> Option<Arc<UserSession>> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sessions = sessions.values();
        sessions.find(|session| session.has_guest(code)).cloned()
    }

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
                // What lies on disk stays as it is.
                services.saver = storage::saver(None);
            }
        }
        UserSession::new(id.to_owned(), services, state)
    }
}
