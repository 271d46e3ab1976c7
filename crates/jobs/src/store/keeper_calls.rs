//! What the keeper does to the store: results looked at, taken in or refused; what follows written down.

use super::{Dialect, Store, StoreError, Tx, sqlite};
use crate::spec::JobKind;
use sqlx::AnyConnection;
use sqlx::Row;
use std::fs::File;

/// Keeps a second keeper away for as long as it lives.
pub struct KeeperLock {
    _file: Option<File>,
    /// The lock belongs to this connection.
    connection: Option<AnyConnection>,
}

/// The number of the lock on PostgreSQL.
const LOCK: i64 = 0x6b65_6570_6572;

/// A result that the keeper has not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InboxResult {
    /// Of which job.
    pub job: i64,
    /// Of which campaign.
    pub campaign: i64,
    /// Its number in the campaign.
    pub unit: i64,
    /// `first`, `check` or `again`.
    pub purpose: String,
    /// Whose it is.
    pub worker: i64,
    /// What was to be done.
    pub spec: String,
    /// The fingerprint, as the worker says.
    pub digest: String,
    /// The result.
    pub payload: Vec<u8>,
    /// The name of the file beside it.
    pub file: Option<String>,
    /// How many games it says it has.
    pub games: i64,
    /// The points of the first player in a pair of games, doubled, as the worker says.
    pub points: Option<i64>,
}

/// Another result of the same job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Of which job.
    pub job: i64,
    /// Whose it is.
    pub worker: i64,
    /// Its fingerprint.
    pub digest: String,
    /// `first`, `check` or `again`.
    pub purpose: String,
}

impl KeeperLock {
    /// Whether the lock is still held: a database that was stopped has forgotten it.
    pub async fn is_held(&mut self) -> bool {
        match &mut self.connection {
            Some(connection) => {
                let answer = sqlx::query("SELECT 1").fetch_one(connection).await;
                answer.is_ok()
            }
            None => true,
        }
    }
}

impl Store {
    /// Becomes the keeper, unless somebody else is.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn lock_keeper(&self) -> Result<Option<KeeperLock>, StoreError> {
        if let Some(path) = &self.file {
            let mut name = path.clone().into_os_string();
            name.push(".keeper");
            let file = File::create(&name).map_err(sqlx::Error::Io)?;
            return Ok(file.try_lock().is_ok().then_some(KeeperLock {
                _file: Some(file),
                connection: None,
            }));
        }
        let mut connection = self.pool.acquire().await?.detach();
        let row = sqlx::query("SELECT pg_try_advisory_lock($1)")
            .bind(LOCK)
            .fetch_one(&mut connection)
            .await?;
        Ok(row.try_get::<bool, _>(0)?.then_some(KeeperLock {
            _file: None,
            connection: Some(connection),
        }))
    }

    /// Opens jobs again whose leases ran out; how many.
    pub async fn reap(&self) -> Result<i64, StoreError> {
        match self.dialect {
            Dialect::Sqlite => {
                let mut tx = self.begin().await?;
                let count = sqlite::reap(self, &mut tx).await?;
                tx.commit().await?;
                Ok(count)
            }
            Dialect::Postgres => {
                let row = self.whole(sqlx::query("SELECT tesuji.reap()")).await?;
                Ok(row.try_get(0)?)
            }
        }
    }

    /// Results that nobody has looked at, the oldest job first.
    pub async fn inbox(&self, kind: JobKind, limit: i64) -> Result<Vec<InboxResult>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.job, r.campaign, r.unit, r.purpose, r.worker, j.spec, r.digest, r.payload, \
             r.file, r.games, r.points FROM inbox i JOIN result r ON r.job = i.job \
             JOIN job j ON j.id = i.job JOIN campaign c ON c.id = r.campaign \
             WHERE c.kind = $1 ORDER BY i.job LIMIT $2",
        )
        .bind(kind.name().to_owned())
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let result = |row: &sqlx::any::AnyRow| {
            Ok(InboxResult {
                job: row.try_get(0)?,
                campaign: row.try_get(1)?,
                unit: row.try_get(2)?,
                purpose: row.try_get(3)?,
                worker: row.try_get(4)?,
                spec: row.try_get(5)?,
                digest: row.try_get(6)?,
                payload: row.try_get(7)?,
                file: row.try_get(8)?,
                games: row.try_get(9)?,
                points: row.try_get(10)?,
            })
        };
        rows.iter().map(result).collect()
    }

    /// Whether results of a campaign wait for the keeper.
    pub async fn has_inbox(&self, campaign: i64) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT 1 FROM inbox i JOIN result r ON r.job = i.job WHERE r.campaign = $1 LIMIT 1",
        )
        .bind(campaign)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.is_some())
    }

    /// Takes a result in; with a fact, it becomes the next one of its campaign.
    pub async fn accept(&self, result: &InboxResult, is_fact: bool) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        let (job, campaign) = (result.job, result.campaign);
        verdict(&mut tx, job, true, "").await?;
        if is_fact {
            sqlx::query(
                "INSERT INTO fact (campaign, seq, job) SELECT $1, coalesce(max(seq), 0) + 1, $2 \
                 FROM fact WHERE campaign = $1",
            )
            .bind(campaign)
            .bind(job)
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Refuses a result: it does not count, and somebody else does the job.
    pub async fn refuse(&self, result: &InboxResult, why: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        verdict(&mut tx, result.job, false, why).await?;
        refused(&mut tx, result.campaign, result.job, result.worker, why).await?;
        tx.commit().await?;
        Ok(())
    }

    /// All results of a job, however often it was done, refused ones left out.
    pub async fn results_of(&self, campaign: i64, unit: i64) -> Result<Vec<Taken>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.job, r.worker, r.digest, r.purpose FROM result r \
             WHERE r.campaign = $1 AND r.unit = $2 AND NOT EXISTS \
             (SELECT 1 FROM verdict v WHERE v.job = r.job AND v.ok = 0) ORDER BY r.job",
        )
        .bind(campaign)
        .bind(unit)
        .fetch_all(&self.pool)
        .await?;
        let taken = |row: &sqlx::any::AnyRow| {
            Ok(Taken {
                job: row.try_get(0)?,
                worker: row.try_get(1)?,
                digest: row.try_get(2)?,
                purpose: row.try_get(3)?,
            })
        };
        rows.iter().map(taken).collect()
    }

    /// Asks for one more result of a job, by somebody who has given none.
    pub async fn check_again(&self, result: &InboxResult) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO job (campaign, unit, purpose, spec, dedup) VALUES ($1, $2, 'check', $3, $4) \
             ON CONFLICT (dedup) DO NOTHING",
        )
        .bind(result.campaign)
        .bind(result.unit)
        .bind(result.spec.clone())
        .bind(format!("third {} {}", result.campaign, result.unit))
        .execute(&self.pool)
        .await?;
        let detail = format!("job {} of the campaign has two answers", result.unit);
        self.record("results differ", Some(result.campaign), Some(&detail))
            .await
    }

    /// Writes down what was decided, and by which numbers.
    pub async fn decide(&self, campaign: i64, what: &str, detail: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO decision (campaign, what, detail) VALUES ($1, $2, $3)")
            .bind(campaign)
            .bind(what.to_owned())
            .bind(detail.to_owned())
            .execute(&self.pool)
            .await?;
        self.record("decided", Some(campaign), Some(what)).await
    }

    /// Writes down how far a campaign is.
    pub async fn set_progress(&self, campaign: i64, detail: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO progress (campaign, detail) VALUES ($1, $2)")
            .bind(campaign)
            .bind(detail.to_owned())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Pairs of games that count and were looked at, by the points of the first player: 0, ½, 1, 1½, 2.
    pub async fn pair_counts(&self, campaign: i64) -> Result<[u64; 5], StoreError> {
        let rows = sqlx::query(
            "SELECT c.points, count(*) FROM counted c JOIN verdict v ON v.job = c.job \
             WHERE c.campaign = $1 AND c.points IS NOT NULL AND v.ok = 1 GROUP BY c.points",
        )
        .bind(campaign)
        .fetch_all(&self.pool)
        .await?;
        let mut pairs = [0; 5];
        for row in &rows {
            let (points, count): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            if let Some(pair) = pairs.get_mut(points as usize) {
                *pair = count as u64;
            }
        }
        Ok(pairs)
    }

    /// Results that count, by their numbers in the campaign: some of them, in order.
    pub async fn counted(
        &self,
        campaign: i64,
        after: i64,
    ) -> Result<Vec<(i64, Vec<u8>, Option<String>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT unit, payload, file FROM counted WHERE campaign = $1 AND unit > $2 \
             ORDER BY unit LIMIT 200",
        )
        .bind(campaign)
        .bind(after)
        .fetch_all(&self.pool)
        .await?;
        let result =
            |row: &sqlx::any::AnyRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
        rows.iter().map(result).collect()
    }

    /// Results that count and were looked at, of so many jobs from one number on: number, job, result.
    pub async fn taken(
        &self,
        campaign: i64,
        first: i64,
        count: i64,
    ) -> Result<Vec<(i64, i64, Vec<u8>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT c.unit, c.job, c.payload FROM counted c JOIN verdict v ON v.job = c.job \
             WHERE c.campaign = $1 AND c.unit >= $2 AND c.unit < $3 AND v.ok = 1 \
             ORDER BY c.unit, c.job DESC",
        )
        .bind(campaign)
        .bind(first)
        .bind(first + count)
        .fetch_all(&self.pool)
        .await?;
        let result =
            |row: &sqlx::any::AnyRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
        rows.iter().map(result).collect()
    }

    /// Writes down what was heard after the first `before` facts, all of it or nothing.
    pub async fn add_facts(
        &self,
        campaign: i64,
        before: i64,
        jobs: &[i64],
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for (seq, &job) in (before + 1..).zip(jobs) {
            sqlx::query("INSERT INTO fact (campaign, seq, job) VALUES ($1, $2, $3)")
                .bind(campaign)
                .bind(seq)
                .bind(job)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// The games of a book after `after`, in the order they were taken in: some of them; whether the
    /// worker of each still counts.
    pub async fn facts_kept(
        &self,
        campaign: i64,
        after: i64,
    ) -> Result<Vec<(i64, Vec<u8>, bool)>, StoreError> {
        let rows = sqlx::query(
            "SELECT f.seq, r.payload, (SELECT count(*) FROM exclusion x WHERE x.worker = r.worker) \
             FROM fact f JOIN result r ON r.job = f.job \
             WHERE f.campaign = $1 AND f.seq > $2 ORDER BY f.seq LIMIT 200",
        )
        .bind(campaign)
        .bind(after)
        .fetch_all(&self.pool)
        .await?;
        let fact = |row: &sqlx::any::AnyRow| {
            let excluded: i64 = row.try_get(2)?;
            Ok((row.try_get(0)?, row.try_get(1)?, excluded == 0))
        };
        rows.iter().map(fact).collect()
    }

    /// Numbers and specifications of the jobs of a campaign that are open.
    pub async fn open_jobs(&self, campaign: i64) -> Result<Vec<(i64, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT unit, spec FROM job WHERE campaign = $1 AND state IN ('ready', 'leased') \
             AND purpose <> 'check' ORDER BY id",
        )
        .bind(campaign)
        .fetch_all(&self.pool)
        .await?;
        let job = |row: &sqlx::any::AnyRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(job).collect()
    }

    /// How many workers were heard of in the last two minutes, and how many jobs they do at a time.
    pub async fn live_workers(&self) -> Result<(i64, i64), StoreError> {
        let row = sqlx::query(self.sql(
            "SELECT count(*), CAST(coalesce(sum(threads), 0) AS bigint) FROM worker \
             WHERE state = 'proven' AND seen > {now} - 120000",
        ))
        .fetch_one(&self.pool)
        .await?;
        Ok((row.try_get(0)?, row.try_get(1)?))
    }

    /// Writes what follows from the facts up to `seq`, whole or not at all.
    pub async fn write_derived(
        &self,
        campaign: i64,
        seq: i64,
        changed: &[(Vec<u8>, String)],
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for (key, outcome) in changed {
            sqlx::query(
                "INSERT INTO derived (campaign, key, outcome) VALUES ($1, $2, $3) \
                 ON CONFLICT (campaign, key) DO UPDATE SET outcome = excluded.outcome",
            )
            .bind(campaign)
            .bind(key.clone())
            .bind(outcome.clone())
            .execute(&mut *tx)
            .await?;
        }
        sqlx::query(
            "INSERT INTO derived_mark (campaign, seq) VALUES ($1, $2) \
             ON CONFLICT (campaign) DO UPDATE SET seq = excluded.seq",
        )
        .bind(campaign)
        .bind(seq)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// What was derived, by position.
    pub async fn derived(&self, campaign: i64) -> Result<Vec<(Vec<u8>, String)>, StoreError> {
        let rows = sqlx::query("SELECT key, outcome FROM derived WHERE campaign = $1 ORDER BY key")
            .bind(campaign)
            .fetch_all(&self.pool)
            .await?;
        let pair = |row: &sqlx::any::AnyRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(pair).collect()
    }

    /// Forgets what was derived: it can be derived anew.
    pub async fn forget_derived(&self, campaign: i64) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        for text in [
            "DELETE FROM derived WHERE campaign = $1",
            "DELETE FROM derived_mark WHERE campaign = $1",
        ] {
            sqlx::query(text).bind(campaign).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// A result leaves the inbox with a verdict.
async fn verdict(tx: &mut Tx, job: i64, ok: bool, why: &str) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO verdict (job, ok, why) VALUES ($1, $2, $3)")
        .bind(job)
        .bind(i64::from(ok))
        .bind(why.to_owned())
        .execute(&mut **tx)
        .await?;
    sqlx::query("DELETE FROM inbox WHERE job = $1")
        .bind(job)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Asks for a job anew whose result does not count, and writes down why.
async fn refused(
    tx: &mut Tx,
    campaign: i64,
    job: i64,
    worker: i64,
    why: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO job (campaign, unit, purpose, spec, dedup) \
         SELECT campaign, unit, CASE WHEN purpose = 'check' THEN 'check' ELSE 'again' END, spec, \
         'again ' || id FROM job WHERE id = $1 ON CONFLICT (dedup) DO NOTHING",
    )
    .bind(job)
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "INSERT INTO failure (job, attempt, worker, cause, message) VALUES ($1, 0, $2, 'refused', $3)",
    )
    .bind(job)
    .bind(worker)
    .bind(why.to_owned())
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "INSERT INTO event (what, campaign, job, worker, detail) \
         VALUES ('result refused', $1, $2, $3, $4)",
    )
    .bind(campaign)
    .bind(job)
    .bind(worker)
    .bind(why.to_owned())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
