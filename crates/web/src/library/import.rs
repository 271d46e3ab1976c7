//! Many games in and out: the files of a folder into the library, games of the library as files.

use super::facts::GameFacts;
use super::{GameLibrary, LibraryError, acts, fresh_id};
use crate::protocol::library::{GameSource, ImportFailure, LibraryMessage, RecordFile, RecordText};
use crate::records;
use crate::user_error::UserError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tesuji_record::{Encoding, Game, Games, StreamError, TextFormat, encoding};
use tesuji_shogi::Color;

/// How many records one answer holds.
const MOST_RECORDS: usize = 500;

/// A game of a file, or why it cannot be read.
type RecordPart = Result<Game, UserError>;

/// Every game of a file, whatever its format.
pub(super) fn games_of(name: &str, bytes: &[u8]) -> Vec<RecordPart> {
    let text = match encoding::decode(bytes) {
        Ok(text) => text,
        Err(problem) => return vec![Err(UserError::problem(&problem))],
    };
    let text = text.trim_start_matches('\u{feff}');
    let named = name
        .rsplit_once('.')
        .and_then(|(_, extension)| TextFormat::from_name(extension));
    let format = match named.map_or_else(|| records::guess(text), |(format, _)| Ok(format)) {
        Ok(format) => format,
        Err(error) => return vec![Err(error)],
    };
    let games = Games::new(text.as_bytes(), format).with_encoding(Some(Encoding::Utf8));
    games
        .map(|game| {
            game.map_err(|error| match error {
                StreamError::Game(error) => UserError::unreadable(&error),
                other => UserError::no_game(&other.to_string()),
            })
        })
        .collect()
}

impl GameLibrary {
    /// Adds every game of some files; one that cannot be read is told, and the others are added.
    pub(crate) fn import(
        &self,
        act: Option<u64>,
        files: &[RecordFile],
    ) -> Result<LibraryMessage, LibraryError> {
        // To read many records takes a while: other pages are served by another thread meanwhile.
        let read = tokio::task::block_in_place(|| facts_of(files));
        let (mut ids, mut known, mut failed) = (Vec::new(), 0, Vec::new());
        let act = self.change(|db| {
            for (name, facts) in read {
                match facts {
                    Err(why) => failed.push(ImportFailure { name, why }),
                    Ok(facts) => {
                        let id = fresh_id();
                        match acts::put(db, id as i64, GameSource::Imported, &facts)? {
                            true => ids.push(id),
                            false => known += 1,
                        }
                    }
                }
            }
            acts::imported(db, act, &ids)
        })?;
        Ok(LibraryMessage::Imported {
            act,
            added: ids.len() as u64,
            known,
            failed,
        })
    }

    /// Games as files in a format.
    pub(crate) fn export(&self, ids: &[u64], format: &str) -> Result<LibraryMessage, LibraryError> {
        let wrong = |what: String| LibraryError::Record(what);
        let (format, _) = TextFormat::from_name(format)
            .ok_or_else(|| wrong(format!("there is no format {format}")))?;
        let mut files = Vec::new();
        for &id in ids.iter().take(MOST_RECORDS) {
            let game = self.game(id)?;
            let text = format
                .write(&game)
                .map_err(|error| wrong(error.to_string()))?;
            files.push(RecordText {
                name: file_name(&game, id, format),
                text,
            });
        }
        Ok(LibraryMessage::Records { files })
    }
}

/// What the library has to know about every game of some files.
fn facts_of(files: &[RecordFile]) -> Vec<(String, Result<GameFacts, UserError>)> {
    let mut all = Vec::new();
    for file in files {
        let games = match STANDARD.decode(&file.bytes) {
            Ok(bytes) => games_of(&file.name, &bytes),
            Err(error) => vec![Err(UserError::no_game(&error.to_string()))],
        };
        let is_one = games.len() == 1;
        for (number, game) in (1..).zip(games) {
            let name = match is_one {
                true => file.name.clone(),
                false => format!("{} ({number})", file.name),
            };
            let facts = game.and_then(|game| match game.moves().next() {
                Some(_) => GameFacts::of(&game).map_err(UserError::from),
                None => Err(UserError::no_game("no moves")),
            });
            all.push((name, facts));
        }
    }
    all
}

/// A name that every system can write.
fn file_name(game: &Game, id: u64, format: TextFormat) -> String {
    let headers = &game.headers;
    let players = [Color::Black, Color::White].map(|color| headers.players[color].as_str());
    let words = [headers.start_time.as_str(), players[0], players[1]];
    let name: String = words
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("_")
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        })
        .take(80)
        .collect();
    format!("{name}_{id:x}.{}", format.name())
        .trim_start_matches('_')
        .to_owned()
}
