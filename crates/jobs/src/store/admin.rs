//! What whoever owns a farm does: campaigns added, listed, paused, tried again.

use super::{Store, StoreError};
use crate::spec::JobKind;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::fmt::Write;

/// How many jobs one statement adds.
const CHUNK: usize = 500;

/// A campaign that is to begin.
#[derive(Clone, PartialEq, Debug)]
pub struct NewCampaign {
    /// What it is called.
    pub name: String,
    /// Its kind.
    pub kind: JobKind,
    /// What all jobs have in common, as JSON.
    pub spec: String,
    /// Campaigns of a higher priority come first.
    pub prio: i64,
    /// After how many silent seconds a job is given to somebody else.
    pub lease_seconds: i64,
    /// Which share of the jobs is done twice, from 0 to 1.
    pub check_share: f64,
    /// How much there is to do in all.
    pub units: i64,
    /// The first jobs: number and specification.
    pub jobs: Vec<(i64, String)>,
}

/// Whether jobs of a campaign are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CampaignState {
    /// Yes.
    Running,
    /// Not now.
    Paused,
    /// There is nothing more to do.
    Done,
}

impl CampaignState {
    /// As the store writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Done => "done",
        }
    }

    fn of(name: &str) -> Self {
        match name {
            "running" => Self::Running,
            "paused" => Self::Paused,
            _ => Self::Done,
        }
    }
}

/// A campaign as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct CampaignRow {
    /// Its number.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// Its kind.
    pub kind: JobKind,
    /// What all jobs have in common, as JSON.
    pub spec: String,
    /// Whether its jobs are handed out.
    pub state: CampaignState,
    /// How urgent it is.
    pub prio: i64,
    /// How much there is to do in all.
    pub units: i64,
}

/// How many jobs a campaign has in which state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueueCounts {
    /// Waiting.
    pub ready: i64,
    /// Being done.
    pub leased: i64,
    /// Done.
    pub done: i64,
    /// Failed too often.
    pub dead: i64,
    /// No longer needed.
    pub dropped: i64,
}

/// A worker as the store knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerRow {
    /// Its number.
    pub id: i64,
    /// The role that it logs in with.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// `proven` or `blocked`.
    pub state: String,
    /// Why it is blocked.
    pub why: Option<String>,
    /// For how many seconds nothing was heard of it.
    pub silent_seconds: i64,
}

fn campaign_row(row: &AnyRow) -> Result<CampaignRow, StoreError> {
    let (kind, state): (String, String) = (row.try_get(2)?, row.try_get(4)?);
    Ok(CampaignRow {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        kind: kind.parse().map_err(|_| StoreError::Unknown {
            what: "kind of job",
            name: kind,
        })?,
        spec: row.try_get(3)?,
        state: CampaignState::of(&state),
        prio: row.try_get(5)?,
        units: row.try_get(6)?,
    })
}

impl Store {
    /// Keeps a setting of the farm.
    ///
    /// # Errors
    /// If the database fails, as in every function here.
    pub async fn set(&self, name: &str, value: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO setting (name, value) VALUES ($1, $2) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name.to_owned())
        .bind(value.to_owned())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Writes into the log what its owner did.
    pub(super) async fn record(
        &self,
        what: &str,
        campaign: Option<i64>,
        detail: Option<&str>,
    ) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO event (what, campaign, detail) VALUES ($1, $2, $3)")
            .bind(what.to_owned())
            .bind(campaign)
            .bind(detail.map(str::to_owned))
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Begins a campaign, with all its first jobs or not at all; its number.
    pub async fn add_campaign(&self, new: &NewCampaign) -> Result<i64, StoreError> {
        let mut tx = self.begin().await?;
        let row = sqlx::query(
            "INSERT INTO campaign (name, kind, spec, prio, lease_seconds, units) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING id",
        )
        .bind(new.name.clone())
        .bind(new.kind.name().to_owned())
        .bind(new.spec.clone())
        .bind(new.prio)
        .bind(new.lease_seconds)
        .bind(new.units)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else {
            let why = format!("there is a campaign {} already", new.name);
            return Err(StoreError::Refused(why));
        };
        let id: i64 = row.try_get(0)?;
        add_jobs(&mut tx, id, &new.jobs, new.check_share).await?;
        sqlx::query("INSERT INTO event (what, campaign, detail) VALUES ('campaign added', $1, $2)")
            .bind(id)
            .bind(new.name.clone())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Adds jobs to a campaign; those that are there already stay as they are.
    pub async fn add_jobs(
        &self,
        campaign: i64,
        jobs: &[(i64, String)],
        check_share: f64,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        add_jobs(&mut tx, campaign, jobs, check_share).await?;
        tx.commit().await?;
        Ok(())
    }

    /// All campaigns.
    pub async fn campaigns(&self) -> Result<Vec<CampaignRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, name, kind, spec, state, prio, units FROM campaign ORDER BY prio DESC, id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(campaign_row).collect()
    }

    /// The campaign of a name.
    pub async fn campaign(&self, name: &str) -> Result<CampaignRow, StoreError> {
        let row = sqlx::query(
            "SELECT id, name, kind, spec, state, prio, units FROM campaign WHERE name = $1",
        )
        .bind(name.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        let row = row.ok_or_else(|| StoreError::Unknown {
            what: "campaign",
            name: name.into(),
        })?;
        campaign_row(&row)
    }

    /// Hands out the jobs of a campaign, or stops doing so.
    pub async fn set_campaign_state(
        &self,
        campaign: i64,
        state: CampaignState,
    ) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE campaign SET state = $1 WHERE id = $2")
            .bind(state.name().to_owned())
            .bind(campaign)
            .execute(&mut *tx)
            .await?;
        if state == CampaignState::Done {
            sqlx::query("UPDATE job SET state = 'dropped' WHERE campaign = $1 AND state = 'ready'")
                .bind(campaign)
                .execute(&mut *tx)
                .await?;
        }
        sqlx::query("INSERT INTO event (what, campaign, detail) VALUES ('campaign state', $1, $2)")
            .bind(campaign)
            .bind(state.name().to_owned())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Opens the dead jobs of a campaign again; how many there were.
    pub async fn retry(&self, campaign: i64) -> Result<u64, StoreError> {
        let mut tx = self.begin().await?;
        let done = sqlx::query(
            "UPDATE job SET state = 'ready', attempt = 0 WHERE campaign = $1 AND state = 'dead'",
        )
        .bind(campaign)
        .execute(&mut *tx)
        .await?;
        let detail = format!("{} jobs", done.rows_affected());
        sqlx::query(
            "INSERT INTO event (what, campaign, detail) VALUES ('dead jobs retried', $1, $2)",
        )
        .bind(campaign)
        .bind(detail)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(done.rows_affected())
    }

    /// How many jobs of a campaign are in which state.
    pub async fn queue(&self, campaign: i64) -> Result<QueueCounts, StoreError> {
        let rows =
            sqlx::query("SELECT state, count(*) FROM job WHERE campaign = $1 GROUP BY state")
                .bind(campaign)
                .fetch_all(&self.pool)
                .await?;
        let mut counts = QueueCounts::default();
        for row in &rows {
            let (state, count): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            match state.as_str() {
                "ready" => counts.ready = count,
                "leased" => counts.leased = count,
                "done" => counts.done = count,
                "dead" => counts.dead = count,
                _ => counts.dropped = count,
            }
        }
        Ok(counts)
    }

    /// All workers.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let rows = sqlx::query(self.sql(
            "SELECT id, db_role, name, state, why, ({now} - seen) / 1000 FROM worker ORDER BY id",
        ))
        .fetch_all(&self.pool)
        .await?;
        let worker = |row: &AnyRow| {
            Ok(WorkerRow {
                id: row.try_get(0)?,
                role: row.try_get(1)?,
                name: row.try_get(2)?,
                state: row.try_get(3)?,
                why: row.try_get(4)?,
                silent_seconds: row.try_get(5)?,
            })
        };
        rows.iter().map(worker).collect()
    }
}

/// Adds jobs inside a transaction.
pub(super) async fn add_jobs(
    tx: &mut sqlx::Transaction<'static, sqlx::Any>,
    campaign: i64,
    jobs: &[(i64, String)],
    check_share: f64,
) -> Result<(), StoreError> {
    for chunk in jobs.chunks(CHUNK) {
        let mut text = String::from("INSERT INTO job (campaign, unit, spec, twice, dedup) VALUES ");
        for row in 0..chunk.len() {
            let comma = if row > 0 { ", " } else { "" };
            let first = 5 * row + 1;
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "{comma}(${first}, ${}, ${}, ${}, ${})",
                first + 1,
                first + 2,
                first + 3,
                first + 4
            );
        }
        text += " ON CONFLICT (dedup) DO NOTHING";
        let mut query = sqlx::query(AssertSqlSafe(text)).persistent(chunk.len() == CHUNK);
        for (unit, spec) in chunk {
            query = query
                .bind(campaign)
                .bind(*unit)
                .bind(spec.clone())
                .bind(i64::from(is_checked(campaign, *unit, check_share)))
                .bind(format!("{campaign} {unit}"));
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Whether a job is one of those that are done twice: nobody can tell from its number.
fn is_checked(campaign: i64, unit: i64, share: f64) -> bool {
    let seed = (campaign as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ unit as u64;
    fastrand::Rng::with_seed(seed).f64() < share
}
