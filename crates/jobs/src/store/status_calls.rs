//! What the status page reads: sums and last lines, with the rights of a reader.

use super::{Store, StoreError};
use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

/// How a worker stands.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerStatus {
    /// What it is called.
    pub name: String,
    /// The role that it logs in with.
    pub role: String,
    /// Which processor it has.
    pub cpu: String,
    /// `proven`, `blocked` or `excluded`.
    pub state: String,
    /// For how many seconds nothing was heard of it.
    pub silent_seconds: i64,
    /// Jobs done in the last ten minutes.
    pub recent_jobs: i64,
    /// Positions searched per second of its work, in the last ten minutes.
    pub nodes_per_second: i64,
}

/// A failure.
#[derive(Clone, Debug, Serialize)]
pub struct FailureLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Of which job.
    pub job: i64,
    /// By which worker.
    pub worker: Option<String>,
    /// `error`, `expired` or `refused`.
    pub cause: String,
    /// What was said.
    pub message: String,
}

/// A decision.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// About which campaign.
    pub campaign: String,
    /// What.
    pub what: String,
    /// By which numbers.
    pub detail: String,
}

/// The sums of the results of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResultSums {
    /// Results that count.
    pub results: i64,
    /// Games in them.
    pub games: i64,
    /// Positions in them.
    pub positions: i64,
    /// Positions searched for them.
    pub nodes: i64,
    /// Results that were compared with another one.
    pub checked: i64,
    /// Results that do not count.
    pub refused: i64,
}

impl Store {
    /// The time of the database.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn now(&self) -> Result<i64, StoreError> {
        let row = sqlx::query(self.sql("SELECT {now}"))
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get(0)?)
    }

    /// The sums of the results of a campaign.
    pub async fn result_sums(&self, campaign: i64) -> Result<ResultSums, StoreError> {
        let row = sqlx::query(
            "SELECT count(*), CAST(coalesce(sum(games), 0) AS bigint), \
             CAST(coalesce(sum(positions), 0) AS bigint), CAST(coalesce(sum(nodes), 0) AS bigint), \
             (SELECT count(*) FROM result r WHERE r.campaign = $1 AND r.purpose = 'check'), \
             (SELECT count(*) FROM result r JOIN verdict v ON v.job = r.job \
              WHERE r.campaign = $1 AND v.ok = 0) \
             FROM counted WHERE campaign = $1",
        )
        .bind(campaign)
        .fetch_one(&self.pool)
        .await?;
        Ok(ResultSums {
            results: row.try_get(0)?,
            games: row.try_get(1)?,
            positions: row.try_get(2)?,
            nodes: row.try_get(3)?,
            checked: row.try_get(4)?,
            refused: row.try_get(5)?,
        })
    }

    /// What the keeper last said about a campaign.
    pub async fn progress(&self, campaign: i64) -> Result<Option<String>, StoreError> {
        let row =
            sqlx::query("SELECT detail FROM progress WHERE campaign = $1 ORDER BY id DESC LIMIT 1")
                .bind(campaign)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// The workers that were heard of in the last day, and what they did in the last ten minutes.
    pub async fn worker_status(&self) -> Result<Vec<WorkerStatus>, StoreError> {
        let rows = sqlx::query(self.sql(
            "SELECT w.name, w.db_role, w.cpu, \
             CASE WHEN x.worker IS NULL THEN w.state ELSE 'excluded' END, ({now} - w.seen) / 1000, \
             coalesce(r.jobs, 0), coalesce(r.nodes, 0), coalesce(r.millis, 0) FROM worker w \
             LEFT JOIN exclusion x ON x.worker = w.id LEFT JOIN (SELECT worker, count(*) AS jobs, \
             CAST(sum(nodes) AS bigint) AS nodes, CAST(sum(millis) AS bigint) AS millis \
             FROM result WHERE at > {now} - 600000 GROUP BY worker) r ON r.worker = w.id \
             WHERE w.seen > {now} - 86400000 ORDER BY w.id LIMIT 1000",
        ))
        .fetch_all(&self.pool)
        .await?;
        let worker = |row: &AnyRow| {
            let (nodes, millis): (i64, i64) = (row.try_get(6)?, row.try_get(7)?);
            Ok(WorkerStatus {
                name: row.try_get(0)?,
                role: row.try_get(1)?,
                cpu: row.try_get(2)?,
                state: row.try_get(3)?,
                silent_seconds: row.try_get(4)?,
                recent_jobs: row.try_get(5)?,
                nodes_per_second: nodes.saturating_mul(1000) / millis.max(1),
            })
        };
        rows.iter().map(worker).collect()
    }

    /// The last failures, the newest first.
    pub async fn recent_failures(&self, limit: i64) -> Result<Vec<FailureLine>, StoreError> {
        let rows = sqlx::query(
            "SELECT f.at, f.job, w.name, f.cause, f.message FROM failure f \
             LEFT JOIN worker w ON w.id = f.worker ORDER BY f.id DESC LIMIT $1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let failure = |row: &AnyRow| {
            Ok(FailureLine {
                at: row.try_get(0)?,
                job: row.try_get(1)?,
                worker: row.try_get(2)?,
                cause: row.try_get(3)?,
                message: row.try_get(4)?,
            })
        };
        rows.iter().map(failure).collect()
    }

    /// The last decisions, the newest first.
    pub async fn recent_decisions(&self, limit: i64) -> Result<Vec<DecisionLine>, StoreError> {
        let rows = sqlx::query(
            "SELECT d.at, c.name, d.what, d.detail FROM decision d \
             JOIN campaign c ON c.id = d.campaign ORDER BY d.id DESC LIMIT $1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let decision = |row: &AnyRow| {
            Ok(DecisionLine {
                at: row.try_get(0)?,
                campaign: row.try_get(1)?,
                what: row.try_get(2)?,
                detail: row.try_get(3)?,
            })
        };
        rows.iter().map(decision).collect()
    }
}
