//! What changes the library, and how it is taken back.

use super::facts::{GameFacts, day};
use super::{Library, LibraryError, MOST_VERSIONS, now, now_millis, read};
use crate::protocol::library::{ActKind, ActView, GameNames, GameSource};
use serde::{Deserialize, Serialize};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};
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

    fn of(name: &str) -> Self {
        match name {
            "restore" => Self::Restore,
            "rename" => Self::Rename,
            "import" => Self::Import,
            _ => Self::Delete,
        }
    }
}

/// Writes a game; gives whether it was not there before. Its earlier state stays if it had moves that
/// are gone now.
pub(super) async fn put(
    work: &mut SqliteConnection,
    id: i64,
    source: GameSource,
    facts: &GameFacts,
) -> Result<bool, LibraryError> {
    let known: Option<(i64, i64, i64)> =
        sqlx::query_as("SELECT digest, nodes, plies FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *work)
            .await?;
    match known {
        Some((digest, ..)) if digest == facts.digest => return Ok(false),
        Some((_, nodes, plies)) => {
            if nodes > facts.nodes {
                keep_version(work, id, plies).await?;
            }
            update(work, id, facts).await?;
        }
        None => {
            let twin: Option<(i64,)> =
                sqlx::query_as("SELECT id FROM games WHERE digest = ? AND deleted IS NULL")
                    .bind(facts.digest)
                    .fetch_optional(&mut *work)
                    .await?;
            if twin.is_some() {
                return Ok(false);
            }
            insert(work, id, source, facts).await?;
        }
    }
    index(work, id, facts).await?;
    Ok(known.is_none())
}

async fn insert(
    work: &mut SqliteConnection,
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
    sqlx::query("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)")
        .bind(id)
        .bind(&facts.black)
        .bind(&facts.white)
        .bind(&facts.event)
        .bind(date)
        .bind(en)
        .bind(ja)
        .bind(facts.result)
        .bind(facts.plies)
        .bind(source.name())
        .bind(facts.digest)
        .bind(facts.nodes)
        .bind(now)
        .bind(now_millis())
        .execute(&mut *work)
        .await?;
    write_record(work, id, &facts.kif).await
}

async fn update(
    work: &mut SqliteConnection,
    id: i64,
    facts: &GameFacts,
) -> Result<(), LibraryError> {
    let opening = facts.opening.map(|name| (name.english, name.japanese));
    let (en, ja) = opening.unwrap_or_default();
    sqlx::query(
        "UPDATE games SET black = ?, white = ?, event = ?, date = CASE ? WHEN '' THEN date ELSE ? END, \
         opening_en = ?, opening_ja = ?, result = ?, plies = ?, digest = ?, nodes = ?, changed = ? \
         WHERE id = ?",
    )
    .bind(&facts.black)
    .bind(&facts.white)
    .bind(&facts.event)
    .bind(&facts.date)
    .bind(&facts.date)
    .bind(en)
    .bind(ja)
    .bind(facts.result)
    .bind(facts.plies)
    .bind(facts.digest)
    .bind(facts.nodes)
    .bind(now_millis())
    .bind(id)
    .execute(&mut *work)
    .await?;
    write_record(work, id, &facts.kif).await
}

async fn write_record(work: &mut SqliteConnection, id: i64, kif: &str) -> Result<(), LibraryError> {
    sqlx::query("INSERT OR REPLACE INTO records VALUES (?, ?)")
        .bind(id)
        .bind(kif)
        .execute(work)
        .await?;
    Ok(())
}

/// Keeps the state of a game that is about to be replaced.
async fn keep_version(
    work: &mut SqliteConnection,
    id: i64,
    plies: i64,
) -> Result<(), LibraryError> {
    sqlx::query(
        "INSERT INTO versions (game, at, plies, kif) SELECT id, ?, ?, kif FROM records WHERE id = ?",
    )
    .bind(now())
    .bind(plies)
    .bind(id)
    .execute(&mut *work)
    .await?;
    sqlx::query(
        "DELETE FROM versions WHERE game = ? AND version NOT IN \
         (SELECT version FROM versions WHERE game = ? ORDER BY version DESC LIMIT ?)",
    )
    .bind(id)
    .bind(id)
    .bind(MOST_VERSIONS)
    .execute(work)
    .await?;
    Ok(())
}

/// Writes down which positions a game has.
async fn index(
    work: &mut SqliteConnection,
    id: i64,
    facts: &GameFacts,
) -> Result<(), LibraryError> {
    sqlx::query("DELETE FROM positions WHERE game = ?")
        .bind(id)
        .execute(&mut *work)
        .await?;
    let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO positions (key, game) ");
    insert.push_values(&facts.keys, |mut row, &key| {
        row.push_bind(key).push_bind(id);
    });
    insert.build().execute(work).await?;
    Ok(())
}

impl Library {
    /// Puts games into the bin, or takes them out.
    pub(crate) async fn set_deleted(
        &self,
        ids: &[u64],
        is_deleted: bool,
    ) -> Result<ActView, LibraryError> {
        let mut work = self.pool().begin().await?;
        mark(&mut work, ids, is_deleted).await?;
        let kind = match is_deleted {
            true => ActKind::Delete,
            false => ActKind::Restore,
        };
        let data = ActData {
            ids: ids.to_vec(),
            names: None,
        };
        let act = write_down(&mut work, kind, &data).await?;
        work.commit().await?;
        Ok(act)
    }

    /// Gives a game other names.
    pub(crate) async fn rename(&self, id: u64, names: &GameNames) -> Result<ActView, LibraryError> {
        let mut work = self.pool().begin().await?;
        let before = set_names(&mut work, id, names).await?;
        let data = ActData {
            ids: vec![id],
            names: Some(before),
        };
        let act = write_down(&mut work, ActKind::Rename, &data).await?;
        work.commit().await?;
        Ok(act)
    }

    /// Writes down that games were imported, with those of an earlier part.
    pub(super) async fn imported(
        &self,
        work: &mut SqliteConnection,
        act: Option<u64>,
        ids: &[u64],
    ) -> Result<u64, LibraryError> {
        let earlier = match act {
            Some(act) => act_data(work, act).await?,
            None => None,
        };
        match (act, earlier) {
            (Some(act), Some((ActKind::Import, mut data))) => {
                data.ids.extend(ids);
                sqlx::query("UPDATE acts SET data = ? WHERE act = ?")
                    .bind(json(&data)?)
                    .bind(act as i64)
                    .execute(work)
                    .await?;
                Ok(act)
            }
            _ => {
                let data = ActData {
                    ids: ids.to_vec(),
                    names: None,
                };
                Ok(write_down(work, ActKind::Import, &data).await?.act)
            }
        }
    }

    /// The last act that can be taken back.
    pub(super) async fn last_act(&self) -> Result<Option<ActView>, LibraryError> {
        let found: Option<(i64, String, String)> =
            sqlx::query_as("SELECT act, kind, data FROM acts ORDER BY act DESC LIMIT 1")
                .fetch_optional(self.pool())
                .await?;
        Ok(found.map(|(act, kind, data)| ActView {
            act: act as u64,
            kind: ActKind::of(&kind),
            games: serde_json::from_str(&data).map_or(0, |data: ActData| data.ids.len() as u64),
        }))
    }

    /// Takes an act back.
    pub(crate) async fn undo(&self, act: u64) -> Result<(), LibraryError> {
        let mut work = self.pool().begin().await?;
        let found = act_data(&mut work, act).await?;
        let (kind, data) = found.ok_or(LibraryError::NoSuchGame)?;
        match kind {
            ActKind::Delete => mark(&mut work, &data.ids, false).await?,
            // What was imported goes into the bin: not even that is lost.
            ActKind::Restore | ActKind::Import => mark(&mut work, &data.ids, true).await?,
            ActKind::Rename => {
                if let (Some(&id), Some(names)) = (data.ids.first(), &data.names) {
                    set_names(&mut work, id, names).await?;
                }
            }
        }
        sqlx::query("DELETE FROM acts WHERE act = ?")
            .bind(act as i64)
            .execute(&mut *work)
            .await?;
        work.commit().await?;
        Ok(())
    }
}

async fn mark(
    work: &mut SqliteConnection,
    ids: &[u64],
    is_deleted: bool,
) -> Result<(), LibraryError> {
    let when = is_deleted.then(now);
    for part in ids.chunks(500) {
        let mut statement = QueryBuilder::<Sqlite>::new("UPDATE games SET deleted = ");
        statement.push_bind(when).push(" WHERE id IN (");
        let mut list = statement.separated(", ");
        for &id in part {
            list.push_bind(id as i64);
        }
        statement.push(")");
        statement.build().execute(&mut *work).await?;
    }
    Ok(())
}

/// Gives a game other names, in the list and in its record; gives those before.
async fn set_names(
    work: &mut SqliteConnection,
    id: u64,
    names: &GameNames,
) -> Result<GameNames, LibraryError> {
    let found: Option<(String,)> = sqlx::query_as("SELECT kif FROM records WHERE id = ?")
        .bind(id as i64)
        .fetch_optional(&mut *work)
        .await?;
    let (kif,) = found.ok_or(LibraryError::NoSuchGame)?;
    let mut game = read(&kif)?;
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
    update(work, id as i64, &GameFacts::of(&game)?).await?;
    Ok(before)
}

fn json(data: &ActData) -> Result<String, LibraryError> {
    serde_json::to_string(data).map_err(|error| LibraryError::Record(error.to_string()))
}

async fn write_down(
    work: &mut SqliteConnection,
    kind: ActKind,
    data: &ActData,
) -> Result<ActView, LibraryError> {
    let done = sqlx::query("INSERT INTO acts (at, kind, data) VALUES (?, ?, ?)")
        .bind(now())
        .bind(kind.name())
        .bind(json(data)?)
        .execute(&mut *work)
        .await?;
    sqlx::query("DELETE FROM acts WHERE act <= ?")
        .bind(done.last_insert_rowid() - MOST_ACTS)
        .execute(work)
        .await?;
    Ok(ActView {
        act: done.last_insert_rowid() as u64,
        kind,
        games: data.ids.len() as u64,
    })
}

async fn act_data(
    work: &mut SqliteConnection,
    act: u64,
) -> Result<Option<(ActKind, ActData)>, LibraryError> {
    let found: Option<(String, String)> =
        sqlx::query_as("SELECT kind, data FROM acts WHERE act = ?")
            .bind(act as i64)
            .fetch_optional(work)
            .await?;
    Ok(
        found
            .and_then(|(kind, data)| Some((ActKind::of(&kind), serde_json::from_str(&data).ok()?))),
    )
}
