//! What workers call: on PostgreSQL functions, in a file the same steps (`sqlite.rs`).

use super::protocol::{Claimed, Completion, Enrollment, JobReport, claimed};
use super::sqlite;
use super::{Dialect, Store, StoreError};
use crate::spec::JobKind;
use sqlx::Row;
use sqlx::any::AnyRow;
use std::collections::BTreeMap;

type Call<'q> = sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments>;

impl Store {
    /// The answer of a function, once all of it was read. PostgreSQL sends the row before it commits: whoever
    /// stops reading there takes for stored what a power cut still takes away.
    pub(super) async fn whole(&self, call: Call<'_>) -> Result<AnyRow, StoreError> {
        let mut rows = call.fetch_all(&self.pool).await?;
        Ok(rows.pop().ok_or(sqlx::Error::RowNotFound)?)
    }

    /// What a worker has to know before it enrolls.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn terms(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let text = match self.dialect {
            Dialect::Sqlite => "SELECT name, value FROM setting WHERE name LIKE 'terms.%'",
            Dialect::Postgres => "SELECT name, value FROM tesuji.terms()",
        };
        let rows = sqlx::query(text).fetch_all(&self.pool).await?;
        let pairs = rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        pairs.collect()
    }

    /// Shows signature and canary; the number of the worker, or why it may not work.
    pub async fn enroll(&self, who: &Enrollment) -> Result<Result<i64, String>, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::enroll(self, who).await;
        }
        let call = sqlx::query("SELECT worker, why FROM tesuji.enroll($1, $2, $3, $4, $5, $6)")
            .bind(&who.name)
            .bind(&who.cpu)
            .bind(&who.program)
            .bind(who.threads)
            .bind(who.bench)
            .bind(&who.canary);
        let row = self.whole(call).await?;
        let why: Option<String> = row.try_get(1)?;
        Ok(match why {
            Some(why) => Err(why),
            None => Ok(row.try_get(0)?),
        })
    }

    /// Takes up to so many jobs of these kinds.
    pub async fn claim(
        &self,
        worker: i64,
        count: i64,
        kinds: &[JobKind],
    ) -> Result<Vec<Claimed>, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::claim(self, worker, count, kinds).await;
        }
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let rows = sqlx::query(
            "SELECT job, campaign, kind, lease, seconds, spec FROM tesuji.claim($1, $2, $3)",
        )
        .bind(worker)
        .bind(count)
        .bind(names.join(","))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(claimed).collect()
    }

    /// Says that the worker lives; which leases are still its own.
    pub async fn beat(&self, worker: i64, leases: &[String]) -> Result<Vec<String>, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::beat(self, worker, leases).await;
        }
        let rows = sqlx::query("SELECT lease FROM tesuji.beat($1, $2)")
            .bind(worker)
            .bind(leases.join(","))
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Hands a result in. `sum` is the SHA-256 of the payload as it was when it was made.
    pub async fn complete(
        &self,
        worker: i64,
        job: i64,
        lease: &str,
        sum: &str,
        report: &JobReport,
    ) -> Result<Completion, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::complete(self, worker, (job, lease), sum, report).await;
        }
        let call = sqlx::query(
            "SELECT tesuji.complete($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(worker)
        .bind(job)
        .bind(lease)
        .bind(sum)
        .bind(&report.digest)
        .bind(report.payload.clone())
        .bind(report.file.clone())
        .bind(report.games)
        .bind(report.positions)
        .bind(report.nodes)
        .bind(report.points)
        .bind(report.millis);
        let row = self.whole(call).await?;
        Ok(Completion::of(row.try_get(0)?))
    }

    /// Says that a job cannot be done here; whether it was ours.
    pub async fn fail(
        &self,
        worker: i64,
        job: i64,
        lease: &str,
        why: &str,
    ) -> Result<bool, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::fail(self, worker, job, lease, why).await;
        }
        let call = sqlx::query("SELECT tesuji.fail($1, $2, $3, $4)")
            .bind(worker)
            .bind(job)
            .bind(lease)
            // PostgreSQL has no text with a zero in it.
            .bind(why.replace('\0', ""));
        let row = self.whole(call).await?;
        Ok(row.try_get::<i64, _>(0)? == 1)
    }

    /// Gives a job back that was not done; it costs no attempt.
    pub async fn give_back(&self, worker: i64, job: i64, lease: &str) -> Result<bool, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return sqlite::give_back(self, worker, job, lease).await;
        }
        let call = sqlx::query("SELECT tesuji.give_back($1, $2, $3)")
            .bind(worker)
            .bind(job)
            .bind(lease);
        let row = self.whole(call).await?;
        Ok(row.try_get::<i64, _>(0)? == 1)
    }

    /// What all jobs of a campaign have in common.
    pub async fn campaign_spec(&self, worker: i64, campaign: i64) -> Result<String, StoreError> {
        let text = match self.dialect {
            Dialect::Sqlite => "SELECT spec FROM campaign WHERE id = $2 AND $1 = $1",
            Dialect::Postgres => "SELECT tesuji.campaign_spec($1, $2)",
        };
        let row = sqlx::query(text)
            .bind(worker)
            .bind(campaign)
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get(0)?)
    }

    /// The games of a book that were taken in after `after`, up to `until`: some of them, in order.
    pub async fn facts(
        &self,
        worker: i64,
        campaign: i64,
        after: i64,
        until: i64,
    ) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        let text = match self.dialect {
            Dialect::Sqlite => {
                "SELECT f.seq, r.payload FROM fact f JOIN result r ON r.job = f.job \
                 WHERE f.campaign = $2 AND f.seq > $3 AND f.seq <= $4 AND $1 = $1 \
                 ORDER BY f.seq LIMIT 500"
            }
            Dialect::Postgres => "SELECT seq, payload FROM tesuji.facts($1, $2, $3, $4)",
        };
        let rows = sqlx::query(text)
            .bind(worker)
            .bind(campaign)
            .bind(after)
            .bind(until)
            .fetch_all(&self.pool)
            .await?;
        let facts = rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        facts.collect()
    }
}
