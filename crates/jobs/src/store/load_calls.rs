//! What measuring needs of a store: the right answers, jobs by the million, the server's processes.

use super::{Dialect, Store, StoreError};
use sqlx::Row;

impl Store {
    /// The right signature and the right answer to the canary.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn answers(&self) -> Result<(i64, String), StoreError> {
        let row = sqlx::query(
            "SELECT (SELECT value FROM setting WHERE name = 'answer.bench'), \
             (SELECT value FROM setting WHERE name = 'answer.canary')",
        )
        .fetch_one(&self.pool)
        .await?;
        let bench: Option<String> = row.try_get(0)?;
        let canary: Option<String> = row.try_get(1)?;
        match (bench.and_then(|text| text.parse().ok()), canary) {
            (Some(bench), Some(canary)) => Ok((bench, canary)),
            _ => Err(StoreError::Refused("the farm has no terms".into())),
        }
    }

    /// Adds jobs that say nothing but their numbers.
    pub async fn add_numbered_jobs(
        &self,
        campaign: i64,
        first: i64,
        count: i64,
    ) -> Result<(), StoreError> {
        let numbers = match self.dialect {
            Dialect::Sqlite => {
                "WITH RECURSIVE n(i) AS (SELECT $2 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $2 + $3)"
            }
            Dialect::Postgres => "WITH n(i) AS (SELECT generate_series($2, $2 + $3 - 1))",
        };
        let text = format!(
            "{numbers} INSERT INTO job (campaign, unit, spec, dedup) \
             SELECT $1, i, '{{\"first\":0,\"count\":1}}', $1 || ' ' || i FROM n WHERE $3 > 0"
        );
        sqlx::query(sqlx::AssertSqlSafe(text))
            .bind(campaign)
            .bind(first)
            .bind(count)
            .execute(&self.pool)
            .await?;
        if self.dialect == Dialect::Postgres {
            sqlx::raw_sql("ANALYZE job").execute(&self.pool).await?;
        }
        Ok(())
    }

    /// The numbers of the server's processes.
    pub(crate) async fn server_processes(&self) -> Result<Vec<i64>, StoreError> {
        let rows = sqlx::query("SELECT CAST(pid AS bigint) FROM pg_stat_activity")
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }
}
