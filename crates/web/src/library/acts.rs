//! What changes the library, and how it is taken back.

use super::facts::{GameFacts, day};
use super::{GameLibrary, LibraryError, MOST_VERSIONS, now, now_millis, read, text};
use crate::protocol::library::{ActKind, ActView, GameNames, GameSource};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use tesuji_shogi::Color;

/// How many acts can be taken back.
const MOST_ACTS: i64 = 200;

/// What must be known to take an act back.
#[derive(Serialize, Deserialize)]
struct ActData {
    ids: Vec<u64>,
    /// The names before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<GameNames>,
}

impl ActKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Restore => "restore",
            Self::Rename => "rename",
            Self::Import => "import",
        }
    }

    /// What a name says; a name that another version of the program gave may say nothing.
    fn of(name: &str) -> Option<Self> {
        match name {
            "delete" => Some(Self::Delete),
            "restore" => Some(Self::Restore),
            "rename" => Some(Self::Rename),
            "import" => Some(Self::Import),
            _ => None,
        }
    }
}

/// Writes a game; gives whether it was not there before. Its earlier state stays if it had moves that
/// are gone now.
pub(super) fn put(
    db: &Connection,
    id: i64,
    source: GameSource,
    facts: &GameFacts,
) -> Result<bool, LibraryError> {
    let sql = "SELECT digest, nodes, plies FROM games WHERE id = ?";
    let known: Option<(i64, i64, i64)> =
        db.query_row(sql, [id], |row| row.try_into()).optional()?;
    match known {
        Some((digest, ..)) if digest == facts.digest => return Ok(false),
        Some((_, nodes, plies)) => {
            if nodes > facts.nodes {
                keep_version(db, id, plies)?;
            }
            update(db, id, facts)?;
        }
        None => {
            let sql = "SELECT 1 FROM games WHERE digest = ? AND deleted IS NULL";
            let twin = db.query_row(sql, [facts.digest], |_| Ok(())).optional()?;
            if twin.is_some() {
                return Ok(false);
            }
            insert(db, id, source, facts)?;
        }
    }
    index(db, id, facts)?;
    Ok(known.is_none())
}

fn insert(
    db: &Connection,
    id: i64,
    source: GameSource,
    facts: &GameFacts,
) -> Result<(), LibraryError> {
    let now = now();
    let date = match facts.date.is_empty() {
        true if source == GameSource::Played => day(now),
        _ => facts.date.clone(),
    };
    let opening = facts.opening.map(|name| (name.english, name.japanese));
    let (en, ja) = opening.unwrap_or_default();
    db.execute(
        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        params![
            id,
            facts.black,
            facts.white,
            facts.event,
            date,
            en,
            ja,
            facts.result,
            facts.plies,
            source.name(),
            facts.digest,
            facts.nodes,
            now,
            now_millis()
        ],
    )?;
    write_record(db, id, &facts.kif)
}

fn update(db: &Connection, id: i64, facts: &GameFacts) -> Result<(), LibraryError> {
    let opening = facts.opening.map(|name| (name.english, name.japanese));
    let (en, ja) = opening.unwrap_or_default();
    db.execute(
        "UPDATE games SET black = ?, white = ?, event = ?, date = CASE ? WHEN '' THEN date ELSE ? END, \
         opening_en = ?, opening_ja = ?, result = ?, plies = ?, digest = ?, nodes = ?, changed = ? \
         WHERE id = ?",
        params![
            facts.black,
            facts.white,
            facts.event,
            facts.date,
            facts.date,
            en,
            ja,
            facts.result,
            facts.plies,
            facts.digest,
            facts.nodes,
            now_millis(),
            id
        ],
    )?;
    write_record(db, id, &facts.kif)
}

fn write_record(db: &Connection, id: i64, kif: &str) -> Result<(), LibraryError> {
    let sql = "INSERT OR REPLACE INTO records VALUES (?, ?)";
    db.execute(sql, params![id, kif])?;
    Ok(())
}

/// Keeps the state of a game that is about to be replaced.
fn keep_version(db: &Connection, id: i64, plies: i64) -> Result<(), LibraryError> {
    db.execute(
        "INSERT INTO versions (game, at, plies, kif) SELECT id, ?, ?, kif FROM records WHERE id = ?",
        params![now(), plies, id],
    )?;
    db.execute(
        "DELETE FROM versions WHERE game = ? AND version NOT IN \
         (SELECT version FROM versions WHERE game = ? ORDER BY version DESC LIMIT ?)",
        params![id, id, MOST_VERSIONS],
    )?;
    Ok(())
}

/// Writes down which positions a game has.
fn index(db: &Connection, id: i64, facts: &GameFacts) -> Result<(), LibraryError> {
    db.execute("DELETE FROM positions WHERE game = ?", [id])?;
    let mut insert = db.prepare("INSERT INTO positions (key, game) VALUES (?, ?)")?;
    for &key in &facts.keys {
        insert.execute([key, id])?;
    }
    Ok(())
}

impl GameLibrary {
    /// Puts games into the bin, or takes them out.
    pub(crate) fn set_deleted(
        &self,
        ids: &[u64],
        is_deleted: bool,
    ) -> Result<ActView, LibraryError> {
        let kind = match is_deleted {
            true => ActKind::Delete,
            false => ActKind::Restore,
        };
        let data = ActData {
            ids: ids.to_vec(),
            names: None,
        };
        self.change(|db| {
            mark(db, ids, is_deleted)?;
            write_down(db, kind, &data)
        })
    }

    /// Gives a game other names.
    pub(crate) fn rename(&self, id: u64, names: &GameNames) -> Result<ActView, LibraryError> {
        self.change(|db| {
            let data = ActData {
                ids: vec![id],
                names: Some(set_names(db, id, names)?),
            };
            write_down(db, ActKind::Rename, &data)
        })
    }

    /// The last act, if it can be taken back.
    pub(super) fn last_act(&self) -> Result<Option<ActView>, LibraryError> {
        let sql = "SELECT act, kind, data FROM acts ORDER BY act DESC LIMIT 1";
        let found: Option<(i64, String, String)> =
            self.with(|db| db.query_row(sql, [], |row| row.try_into()).optional())?;
        Ok(found.and_then(|(act, kind, data)| {
            Some(ActView {
                act: act as u64,
                kind: ActKind::of(&kind)?,
                games: serde_json::from_str(&data).map_or(0, |data: ActData| data.ids.len() as u64),
            })
        }))
    }

    /// Takes an act back.
    pub(crate) fn undo(&self, act: u64) -> Result<(), LibraryError> {
        self.change(|db| {
            let (kind, data) = act_data(db, act)?.ok_or(LibraryError::UnknownAct)?;
            match kind {
                ActKind::Delete => mark(db, &data.ids, false)?,
                // What was imported goes into the bin: not even that is lost.
                ActKind::Restore | ActKind::Import => mark(db, &data.ids, true)?,
                ActKind::Rename => {
                    if let (Some(&id), Some(names)) = (data.ids.first(), &data.names) {
                        set_names(db, id, names)?;
                    }
                }
            }
            db.execute("DELETE FROM acts WHERE act = ?", [act as i64])?;
            Ok(())
        })
    }
}

/// Writes down that games were imported, with those of an earlier part.
pub(super) fn imported(
    db: &Connection,
    act: Option<u64>,
    ids: &[u64],
) -> Result<u64, LibraryError> {
    let earlier = match act {
        Some(act) => act_data(db, act)?,
        None => None,
    };
    match (act, earlier) {
        (Some(act), Some((ActKind::Import, mut data))) => {
            data.ids.extend(ids);
            let sql = "UPDATE acts SET data = ? WHERE act = ?";
            db.execute(sql, params![json(&data)?, act as i64])?;
            Ok(act)
        }
        _ => {
            let data = ActData {
                ids: ids.to_vec(),
                names: None,
            };
            Ok(write_down(db, ActKind::Import, &data)?.act)
        }
    }
}

fn mark(db: &Connection, ids: &[u64], is_deleted: bool) -> Result<(), LibraryError> {
    let when = is_deleted.then(now);
    let mut update = db.prepare("UPDATE games SET deleted = ? WHERE id = ?")?;
    for &id in ids {
        update.execute(params![when, id as i64])?;
    }
    Ok(())
}

/// Gives a game other names, in the list and in its record; gives those before.
fn set_names(db: &Connection, id: u64, names: &GameNames) -> Result<GameNames, LibraryError> {
    let sql = "SELECT kif FROM records WHERE id = ?";
    let found = db.query_row(sql, [id as i64], text).optional()?;
    let mut game = read(&found.ok_or(LibraryError::NoSuchGame)?)?;
    let headers = &mut game.headers;
    let before = GameNames {
        black: headers.players[Color::Black].clone(),
        white: headers.players[Color::White].clone(),
        event: headers.event.clone(),
    };
    let line = |text: &str| text.replace(['\n', '\r'], " ").trim().to_owned();
    headers.players[Color::Black] = line(&names.black);
    headers.players[Color::White] = line(&names.white);
    headers.event = line(&names.event);
    update(db, id as i64, &GameFacts::of(&game)?)?;
    Ok(before)
}

fn json(data: &ActData) -> Result<String, LibraryError> {
    serde_json::to_string(data).map_err(|error| LibraryError::Record(error.to_string()))
}

fn write_down(db: &Connection, kind: ActKind, data: &ActData) -> Result<ActView, LibraryError> {
    db.execute(
        "INSERT INTO acts (at, kind, data) VALUES (?, ?, ?)",
        params![now(), kind.name(), json(data)?],
    )?;
    let act = db.last_insert_rowid();
    db.execute("DELETE FROM acts WHERE act <= ?", [act - MOST_ACTS])?;
    Ok(ActView {
        act: act as u64,
        kind,
        games: data.ids.len() as u64,
    })
}

fn act_data(db: &Connection, act: u64) -> Result<Option<(ActKind, ActData)>, LibraryError> {
    let sql = "SELECT kind, data FROM acts WHERE act = ?";
    let found: Option<(String, String)> = db
        .query_row(sql, [act as i64], |row| row.try_into())
        .optional()?;
    Ok(found
        .and_then(|(kind, data)| Some((ActKind::of(&kind)?, serde_json::from_str(&data).ok()?))))
}
