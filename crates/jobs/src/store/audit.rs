//! Who did what: the log, results that contradict each other, and workers whose results no longer count.

use super::{Store, StoreError, WorkerRow};
use sqlx::Row;

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEvent {
    /// Its number.
    pub id: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Which role.
    pub who: String,
    /// What happened.
    pub what: String,
    /// To which campaign.
    pub campaign: Option<i64>,
    /// To which job.
    pub job: Option<i64>,
    /// By which worker.
    pub worker: Option<i64>,
    /// More about it.
    pub detail: Option<String>,
}

/// A job with results that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispute {
    /// Of which campaign.
    pub campaign: i64,
    /// Its number in the campaign.
    pub unit: i64,
    /// How many different results there are.
    pub versions: i64,
}

/// What the exclusion of a worker did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExclusionReport {
    /// How many of its results no longer count.
    pub results: i64,
    /// How many jobs are done anew for that.
    pub again: i64,
}

impl Store {
    /// The newest lines of the log, the newest first; of one campaign or worker if wanted.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn events(
        &self,
        campaign: Option<i64>,
        worker: Option<i64>,
        limit: i64,
    ) -> Result<Vec<AuditEvent>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, at, who, what, campaign, job, worker, detail FROM event \
             WHERE ($1 = 0 OR campaign = $1) AND ($2 = 0 OR worker = $2) ORDER BY id DESC LIMIT $3",
        )
        .bind(campaign.unwrap_or(0))
        .bind(worker.unwrap_or(0))
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let event = |row: &sqlx::any::AnyRow| {
            Ok(AuditEvent {
                id: row.try_get(0)?,
                at: row.try_get(1)?,
                who: row.try_get(2)?,
                what: row.try_get(3)?,
                campaign: row.try_get(4)?,
                job: row.try_get(5)?,
                worker: row.try_get(6)?,
                detail: row.try_get(7)?,
            })
        };
        rows.iter().map(event).collect()
    }

    /// Jobs whose results differ from each other.
    pub async fn disputes(&self) -> Result<Vec<Dispute>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.campaign, r.unit, count(DISTINCT r.digest) FROM result r \
             WHERE r.unit IN (SELECT c.unit FROM result c WHERE c.purpose <> 'first' \
               AND c.campaign = r.campaign) \
             GROUP BY r.campaign, r.unit HAVING count(DISTINCT r.digest) > 1 ORDER BY 1, 2",
        )
        .fetch_all(&self.pool)
        .await?;
        let dispute = |row: &sqlx::any::AnyRow| {
            Ok(Dispute {
                campaign: row.try_get(0)?,
                unit: row.try_get(1)?,
                versions: row.try_get(2)?,
            })
        };
        rows.iter().map(dispute).collect()
    }

    /// The worker of a name, which may stand behind that of its role: `anna/pc`.
    pub async fn worker_called(&self, text: &str) -> Result<WorkerRow, StoreError> {
        let is_called =
            |row: &WorkerRow| row.name == text || format!("{}/{}", row.role, row.name) == text;
        let mut found = self.workers().await?;
        found.retain(is_called);
        match (found.pop(), found.is_empty()) {
            (Some(row), true) => Ok(row),
            (Some(row), false) => Err(StoreError::Refused(format!(
                "several workers are called {text}: say ROLE/NAME, as {}/{}",
                row.role, row.name
            ))),
            (None, _) => Err(StoreError::Unknown {
                what: "worker",
                name: text.into(),
            }),
        }
    }

    /// Lets the results of a worker no longer count and asks for them anew, unless their campaign is
    /// done or they were heard by a tuning. Nothing is removed: results and what was decided by them stay
    /// where they are.
    pub async fn exclude(
        &self,
        id: i64,
        why: &str,
        who: &str,
    ) -> Result<ExclusionReport, StoreError> {
        let mut tx = self.begin().await?;
        let results: i64 = sqlx::query("SELECT count(*) FROM counted WHERE worker = $1")
            .bind(id)
            .fetch_one(&mut *tx)
            .await?
            .try_get(0)?;
        let again = sqlx::query(
            "INSERT INTO job (campaign, unit, purpose, spec, dedup) \
             SELECT j.campaign, j.unit, 'again', j.spec, 'again ' || j.id FROM counted r \
             JOIN job j ON j.id = r.job JOIN campaign c ON c.id = r.campaign \
             WHERE r.worker = $1 AND c.state <> 'done' AND (c.kind IN ('selfplay', 'match', 'rescore') \
               OR c.kind = 'tune' AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.job = r.job)) \
             ON CONFLICT (dedup) DO NOTHING",
        )
        .bind(id)
        .execute(&mut *tx)
        .await?
        .rows_affected();
        sqlx::query(
            "INSERT INTO exclusion (worker, why, who) VALUES ($1, $2, $3) \
             ON CONFLICT (worker) DO NOTHING",
        )
        .bind(id)
        .bind(why.to_owned())
        .bind(who.to_owned())
        .execute(&mut *tx)
        .await?;
        sqlx::query("UPDATE worker SET state = 'blocked', why = $1 WHERE id = $2")
            .bind(why.to_owned())
            .bind(id)
            .execute(&mut *tx)
            .await?;
        sqlx::query("INSERT INTO event (what, worker, detail) VALUES ('worker excluded', $1, $2)")
            .bind(id)
            .bind(why.to_owned())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(ExclusionReport {
            results,
            again: again as i64,
        })
    }
}
