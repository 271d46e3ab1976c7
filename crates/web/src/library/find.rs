//! Looking for games: by words, days, opening, position; a page of the list at a time.

use super::facts::{digest, key};
use super::{Library, LibraryError};
use crate::protocol::library::{
    GameNames, GameOrder, GameSearch, GameSource, GameSummary, LibraryMessage, OpeningCount,
    VersionView,
};
use crate::protocol::position::MoveNames;
use sqlx::{QueryBuilder, Row, Sqlite};
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

    fn of(name: &str) -> Self {
        match name {
            "played" => Self::Played,
            "imported" => Self::Imported,
            _ => Self::Analysed,
        }
    }
}

/// Adds the conditions of a search to a statement.
fn conditions(statement: &mut QueryBuilder<Sqlite>, search: &GameSearch) {
    statement.push(match search.deleted {
        true => " WHERE deleted IS NOT NULL",
        false => " WHERE deleted IS NULL",
    });
    for word in search.text.split_whitespace().take(8) {
        let escaped = word
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let pattern = format!("%{escaped}%");
        statement.push(" AND (");
        for (place, column) in ["black", "white", "event", "opening_en", "opening_ja"]
            .into_iter()
            .enumerate()
        {
            statement.push(if place > 0 { " OR " } else { "" });
            statement.push(column);
            statement.push(" LIKE ");
            statement.push_bind(pattern.clone());
            statement.push(" ESCAPE '\\'");
        }
        statement.push(")");
    }
    for (sign, day) in [(" >= ", &search.from), (" <= ", &search.to)] {
        if !day.is_empty() {
            statement
                .push(" AND date")
                .push(sign)
                .push_bind(day.clone());
        }
    }
    if !search.opening.is_empty() {
        statement.push(" AND opening_en = ");
        statement.push_bind(search.opening.clone());
    }
    if let Some(source) = search.source {
        statement.push(" AND source = ").push_bind(source.name());
    }
    if let Some(sfen) = &search.sfen {
        // A text that is no position is found nowhere.
        let key = Position::from_sfen(sfen).map_or_else(|_| digest(sfen), |pos| key(&pos));
        statement.push(" AND id IN (SELECT game FROM positions WHERE key = ");
        statement.push_bind(key);
        statement.push(")");
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

impl Library {
    /// The games that fit a search.
    pub(crate) async fn find(&self, search: &GameSearch) -> Result<LibraryMessage, LibraryError> {
        let mut count = QueryBuilder::<Sqlite>::new("SELECT COUNT(*) FROM games");
        conditions(&mut count, search);
        let total: i64 = count.build_query_scalar().fetch_one(self.pool()).await?;
        let mut list = QueryBuilder::<Sqlite>::new(
            "SELECT id, black, white, event, date, opening_en, opening_ja, result, plies, source, \
             (SELECT COUNT(*) FROM versions WHERE game = id) FROM games",
        );
        conditions(&mut list, search);
        list.push(order(search.order)).push(" LIMIT ");
        list.push_bind(i64::from(search.limit.min(MOST_GAMES)));
        list.push(" OFFSET ").push_bind(i64::from(search.offset));
        let rows = list.build().fetch_all(self.pool()).await?;
        let games = rows.iter().map(summary).collect::<Result<_, _>>()?;
        let (binned,): (i64,) =
            sqlx::query_as("SELECT COUNT(*) FROM games WHERE deleted IS NOT NULL")
                .fetch_one(self.pool())
                .await?;
        Ok(LibraryMessage::Games {
            total: total as u64,
            offset: search.offset,
            games,
            openings: self.openings().await?,
            binned: binned as u64,
            last: self.last_act().await?,
        })
    }

    async fn openings(&self) -> Result<Vec<OpeningCount>, LibraryError> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT opening_en, opening_ja, COUNT(*) AS games FROM games \
             WHERE deleted IS NULL AND opening_en <> '' GROUP BY opening_en, opening_ja \
             ORDER BY games DESC, opening_en",
        )
        .fetch_all(self.pool())
        .await?;
        let count = |(en, ja, count): (String, String, i64)| OpeningCount {
            name: MoveNames { ja, en },
            count: count as u64,
        };
        Ok(rows.into_iter().map(count).collect())
    }

    /// The earlier states of a game, the last one first.
    pub(crate) async fn versions(&self, id: u64) -> Result<LibraryMessage, LibraryError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
            "SELECT version, at, plies FROM versions WHERE game = ? ORDER BY version DESC",
        )
        .bind(id as i64)
        .fetch_all(self.pool())
        .await?;
        let view = |(version, at, plies): (i64, i64, i64)| VersionView {
            version: version as u64,
            at: at as u64,
            plies: plies as u32,
        };
        Ok(LibraryMessage::Versions {
            id,
            versions: rows.into_iter().map(view).collect(),
        })
    }
}

fn summary(row: &sqlx::sqlite::SqliteRow) -> Result<GameSummary, sqlx::Error> {
    let (en, ja): (String, String) = (row.try_get(5)?, row.try_get(6)?);
    Ok(GameSummary {
        id: row.try_get::<i64, _>(0)? as u64,
        names: GameNames {
            black: row.try_get(1)?,
            white: row.try_get(2)?,
            event: row.try_get(3)?,
        },
        date: row.try_get(4)?,
        opening: (!en.is_empty()).then_some(MoveNames { ja, en }),
        result: row.try_get(7)?,
        plies: row.try_get::<i64, _>(8)? as u32,
        source: GameSource::of(row.try_get(9)?),
        versions: row.try_get::<i64, _>(10)? as u32,
    })
}
