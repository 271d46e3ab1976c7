//! The versions of the store: each is a file of statements, applied once and in order.

use super::roles::quoted;
use super::{Dialect, Store, StoreError};
use sqlx::{AssertSqlSafe, Row};

/// The statements of each version, SQLite and PostgreSQL.
const VERSIONS: [(&str, &str); 1] = [(
    include_str!("../../sql/sqlite/1.sql"),
    include_str!("../../sql/postgres/1.sql"),
)];

/// The version that this program works with.
const NEWEST: i64 = VERSIONS.len() as i64;

/// Keeps two programs from changing the tables at the same time.
const LOCK: i64 = 0x7465_7375_6a69;

impl Store {
    /// Applies what is missing, all of it or nothing.
    pub(super) async fn migrate(&self) -> Result<(), StoreError> {
        if self.dialect == Dialect::Postgres {
            self.prepare_roles().await?;
        }
        let mut tx = self.begin().await?;
        if self.dialect == Dialect::Postgres {
            sqlx::query("SELECT pg_advisory_xact_lock($1)")
                .bind(LOCK)
                .execute(&mut *tx)
                .await?;
            let database: String = sqlx::query("SELECT current_database()::text")
                .fetch_one(&mut *tx)
                .await?
                .try_get(0)?;
            let owner = quoted(&format!("{database}_owner"));
            let begin = format!(
                "CREATE SCHEMA IF NOT EXISTS tesuji AUTHORIZATION {owner}; SET LOCAL ROLE {owner}; \
                 SET LOCAL search_path = tesuji, pg_temp"
            );
            sqlx::raw_sql(AssertSqlSafe(begin))
                .execute(&mut *tx)
                .await?;
        }
        sqlx::raw_sql(
            "CREATE TABLE IF NOT EXISTS migration (version bigint PRIMARY KEY, at bigint NOT NULL)",
        )
        .execute(&mut *tx)
        .await?;
        let found: i64 = sqlx::query("SELECT coalesce(max(version), 0) FROM migration")
            .fetch_one(&mut *tx)
            .await?
            .try_get(0)?;
        if found > NEWEST {
            return Err(StoreError::Version {
                found,
                wanted: NEWEST,
            });
        }
        for (version, (sqlite, postgres)) in (1..).zip(VERSIONS).skip(found as usize) {
            let text = match self.dialect {
                Dialect::Sqlite => sqlite,
                Dialect::Postgres => postgres,
            };
            sqlx::raw_sql(text).execute(&mut *tx).await?;
            sqlx::query(self.sql("INSERT INTO migration VALUES ($1, {now})"))
                .bind(version)
                .execute(&mut *tx)
                .await?;
            sqlx::query(
                "INSERT INTO setting VALUES ('terms.schema', $1) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            )
            .bind(version.to_string())
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        if self.dialect == Dialect::Postgres {
            self.grant_rights().await?;
        }
        Ok(())
    }

    /// Whether the store is of the version that this program works with.
    pub(super) async fn check_version(&self) -> Result<(), StoreError> {
        let terms = self.terms().await?;
        let found = terms.get("terms.schema").and_then(|text| text.parse().ok());
        let found = found.unwrap_or(0);
        match found == NEWEST {
            true => Ok(()),
            false => Err(StoreError::Version {
                found,
                wanted: NEWEST,
            }),
        }
    }
}
