//! All desks: found by name, bounded in number, written to disk by one thread.

use crate::desk::{Desk, State, Tools};
use crate::keep;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many desks are in memory.
const MOST_DESKS: usize = 64;

/// The longest name of a desk.
const LONGEST_NAME: usize = 40;

/// All desks.
pub(crate) struct Hall {
    desks: Mutex<HashMap<String, Arc<Desk>>>,
    tools: Tools,
    folder: Option<PathBuf>,
}

impl Hall {
    pub(crate) fn new(tools: Tools, folder: Option<PathBuf>) -> Self {
        if let Some(folder) = &folder {
            keep::tidy(folder);
        }
        Self {
            desks: Mutex::default(),
            tools,
            folder,
        }
    }

    /// The desk with a name, from memory, from disk, or new; `None` if the name is none or every
    /// desk is in use.
    pub(crate) fn desk(&self, id: &str) -> Option<Arc<Desk>> {
        let is_name = (1..=LONGEST_NAME).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if !is_name {
            return None;
        }
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = desks.get(id) {
            return Some(desk.clone());
        }
        if desks.len() >= MOST_DESKS {
            let free = desks
                .iter()
                .find(|(_, desk)| desk.pages() == 0 && Arc::strong_count(desk) == 1);
            let free = free.map(|(id, _)| id.clone())?;
            desks.remove(&free);
        }
        let kept = self
            .folder
            .as_ref()
            .and_then(|folder| keep::load(folder, id));
        let state: State = kept.unwrap_or_default();
        let desk = Desk::new(id.to_owned(), self.tools.clone(), state);
        desks.insert(id.to_owned(), desk.clone());
        Some(desk)
    }
}

/// How long changes are gathered before they are written.
const GATHERING: Duration = Duration::from_millis(300);

/// Writes desks as they change until nobody can change one any more.
pub(crate) fn start_saver(
    folder: Option<PathBuf>,
) -> std::io::Result<std::sync::mpsc::Sender<Arc<Desk>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("saver".into())
        .spawn(move || save_all(&receiver, folder.as_deref()))?;
    Ok(sender)
}

fn save_all(changed: &Receiver<Arc<Desk>>, folder: Option<&Path>) {
    let mut has_failed = false;
    while let Ok(first) = changed.recv() {
        let Some(folder) = folder else {
            continue;
        };
        std::thread::sleep(GATHERING);
        let mut desks = HashMap::from([(first.id.clone(), first)]);
        desks.extend(changed.try_iter().map(|desk| (desk.id.clone(), desk)));
        for desk in desks.into_values() {
            let text = keep::written(&desk.state());
            let saved = text
                .map_err(std::io::Error::from)
                .and_then(|text| keep::save(folder, &desk.id, &text));
            if let Err(error) = saved
                && !std::mem::replace(&mut has_failed, true)
            {
                let folder = folder.display();
                let sentence = crate::complaint::Complaint::new(
                    format!("Games cannot be kept in {folder}: {error}."),
                    format!("{folder} に棋譜を保存できません({error})。"),
                );
                desk.state().notice(sentence);
                desk.shown();
            }
        }
    }
}
