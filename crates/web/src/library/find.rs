//! Looking for games: by words, days, opening, position; a page of the list at a time.

use super::facts::{digest, key};
use super::{GameLibrary, LibraryError};
use crate::protocol::library::{
    GameNames, GameOrder, GameSearch, GameSource, LibraryGame, LibraryMessage, OpeningCount,
    VersionView,
};
use crate::protocol::position::MoveNames;
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};
use tesuji_shogi::Position;

/// How many games are sent at once, at most.
const MOST_GAMES: u32 = 500;

impl GameSource {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Analysed => "analysed",
            Self::Imported => "imported",
        }
    }

    /// What a name says; a name that another version of the program gave may say nothing.
    fn of(name: &str) -> Option<Self> {
        match name {
            "played" => Some(Self::Played),
            "analysed" => Some(Self::Analysed),
            "imported" => Some(Self::Imported),
            _ => None,
        }
    }
}

/// A statement that is put together, with the values of its question marks.
#[derive(Default)]
struct Statement {
    sql: String,
    values: Vec<Value>,
}

impl Statement {
    fn push(&mut self, sql: &str) {
        self.sql += sql;
    }

    fn bind(&mut self, sql: &str, value: impl Into<Value>) {
        self.push(sql);
        self.push("?");
        self.values.push(value.into());
    }

    /// The conditions of a search.
    fn of(search: &GameSearch) -> Self {
        let mut all = Self::default();
        all.push(match search.deleted {
            true => " WHERE deleted IS NOT NULL",
            false => " WHERE deleted IS NULL",
        });
        for word in search.text.split_whitespace().take(8) {
            let escaped = word
                .replace('\\', "\\\\")
                .replace('%', "\\%")
                .replace('_', "\\_");
            let mut joint = " AND (";
            for column in ["black", "white", "event", "opening_en", "opening_ja"] {
                all.push(joint);
                all.bind(&format!("{column} LIKE "), format!("%{escaped}%"));
                all.push(" ESCAPE '\\'");
                joint = " OR ";
            }
            all.push(")");
        }
        for (condition, day) in [
            (" AND date >= ", &search.from),
            (" AND date <= ", &search.to),
        ] {
            if !day.is_empty() {
                all.bind(condition, day.clone());
            }
        }
        if !search.opening.is_empty() {
            all.bind(" AND opening_en = ", search.opening.clone());
        }
        if let Some(source) = search.source {
            all.bind(" AND source = ", source.name().to_owned());
        }
        if let Some(sfen) = &search.sfen {
            // A text that is no position is found nowhere.
            let key = Position::from_sfen(sfen).map_or_else(|_| digest(sfen), |pos| key(&pos));
            all.bind(" AND id IN (SELECT game FROM positions WHERE key = ", key);
            all.push(")");
        }
        all
    }
}

const fn order(order: GameOrder) -> &'static str {
    match order {
        GameOrder::Changed => " ORDER BY changed DESC, id",
        GameOrder::Date => " ORDER BY date DESC, changed DESC, id",
        GameOrder::Black => " ORDER BY black COLLATE NOCASE, changed DESC, id",
        GameOrder::White => " ORDER BY white COLLATE NOCASE, changed DESC, id",
        GameOrder::Plies => " ORDER BY plies DESC, changed DESC, id",
    }
}

impl GameLibrary {
    /// The games that fit a search.
    pub(crate) fn find(&self, search: &GameSearch) -> Result<LibraryMessage, LibraryError> {
        let mut wanted = Statement::of(search);
        let (total, binned): (i64, i64) = self.with(|db| {
            let sql = format!("SELECT COUNT(*) FROM games{}", wanted.sql);
            let total = db.query_row(&sql, params_from_iter(&wanted.values), |row| row.get(0))?;
            let sql = "SELECT COUNT(*) FROM games WHERE deleted IS NOT NULL";
            let binned = db.query_row(sql, [], |row| row.get(0))?;
            Ok::<_, LibraryError>((total, binned))
        })?;
        wanted.push(order(search.order));
        wanted.bind(" LIMIT ", i64::from(search.limit.min(MOST_GAMES)));
        wanted.bind(" OFFSET ", i64::from(search.offset));
        let games = self.with(|db| {
            let mut list = db.prepare(&format!(
                "SELECT id, black, white, event, date, opening_en, opening_ja, result, plies, source, \
                 (SELECT COUNT(*) FROM versions WHERE game = id) FROM games{}",
                wanted.sql
            ))?;
            let rows = list.query_map(params_from_iter(&wanted.values), summary)?;
            rows.collect::<Result<_, _>>()
        })?;
        Ok(LibraryMessage::Games {
            total: total as u64,
            offset: search.offset,
            games,
            openings: self.openings()?,
            binned: binned as u64,
            last: self.last_act()?,
        })
    }

    fn openings(&self) -> Result<Vec<OpeningCount>, LibraryError> {
        let sql = "SELECT opening_en, opening_ja, COUNT(*) AS games FROM games \
                   WHERE deleted IS NULL AND opening_en <> '' GROUP BY opening_en, opening_ja \
                   ORDER BY games DESC, opening_en";
        let count = |row: &Row<'_>| {
            Ok(OpeningCount {
                name: MoveNames {
                    en: row.get(0)?,
                    ja: row.get(1)?,
                },
                count: row.get::<_, i64>(2)? as u64,
            })
        };
        Ok(self.with(|db| {
            db.prepare(sql)?
                .query_map([], count)?
                .collect::<Result<_, _>>()
        })?)
    }

    /// The earlier states of a game, the last one first.
    pub(crate) fn versions(&self, id: u64) -> Result<LibraryMessage, LibraryError> {
        let sql = "SELECT version, at, plies FROM versions WHERE game = ? ORDER BY version DESC";
        let view = |row: &Row<'_>| {
            Ok(VersionView {
                version: row.get::<_, i64>(0)? as u64,
                at: row.get::<_, i64>(1)? as u64,
                plies: row.get::<_, i64>(2)? as u32,
            })
        };
        let versions = self.with(|db| {
            let mut list = db.prepare(sql)?;
            let rows = list.query_map([id as i64], view)?;
            rows.collect::<Result<_, _>>()
        })?;
        Ok(LibraryMessage::Versions { id, versions })
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<LibraryGame> {
    let (en, ja): (String, String) = (row.get(5)?, row.get(6)?);
    Ok(LibraryGame {
        id: row.get::<_, i64>(0)? as u64,
        names: GameNames {
            black: row.get(1)?,
            white: row.get(2)?,
            event: row.get(3)?,
        },
        date: row.get(4)?,
        opening: (!en.is_empty()).then_some(MoveNames { ja, en }),
        result: row.get(7)?,
        plies: row.get::<_, i64>(8)? as u32,
        source: GameSource::of(&row.get::<_, String>(9)?),
        versions: row.get::<_, i64>(10)? as u32,
    })
}
