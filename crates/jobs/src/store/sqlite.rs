//! What workers call, in a file: the steps of the functions of sql/postgres/1.sql, each call one
//! transaction that keeps every other writer out.

use super::protocol::{Claimed, Completion, Enrollment, JobReport, LARGEST_PAYLOAD, claimed};
use super::{Store, StoreError, Tx};
use crate::digest::{is_sha256, sha256_hex};
use crate::spec::JobKind;
use sqlx::Row;

/// What is written into the log.
#[derive(Default)]
struct Logged<'a> {
    what: &'a str,
    campaign: Option<i64>,
    job: Option<i64>,
    worker: Option<i64>,
    detail: Option<&'a str>,
}

async fn log(tx: &mut Tx, event: Logged<'_>) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO event (what, campaign, job, worker, detail) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(event.what.to_owned())
    .bind(event.campaign)
    .bind(event.job)
    .bind(event.worker)
    .bind(event.detail.map(str::to_owned))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether a worker may work.
async fn own_worker(tx: &mut Tx, worker: i64) -> Result<(), StoreError> {
    let row = sqlx::query("SELECT state FROM worker WHERE id = $1")
        .bind(worker)
        .fetch_optional(&mut **tx)
        .await?;
    let state = row.map(|row| row.try_get::<String, _>(0)).transpose()?;
    match state.as_deref() {
        Some("proven") => Ok(()),
        _ => Err(StoreError::Refused(format!("worker {worker} may not work"))),
    }
}

async fn setting(tx: &mut Tx, name: &str) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT value FROM setting WHERE name = $1")
        .bind(name.to_owned())
        .fetch_optional(&mut **tx)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn enroll(
    store: &Store,
    who: &Enrollment,
) -> Result<Result<i64, String>, StoreError> {
    let mut tx = store.begin().await?;
    let bench = setting(&mut tx, "answer.bench").await?;
    let canary = setting(&mut tx, "answer.canary").await?;
    let why = if bench != Some(who.bench.to_string()) {
        Some(format!("bench signature {}", who.bench))
    } else if canary.as_deref() != Some(who.canary.as_str()) {
        Some(format!("canary {}", who.canary))
    } else {
        None
    };
    if let Some(why) = why {
        let detail = format!("{}: {why}", who.name);
        let event = Logged {
            what: "worker refused",
            detail: Some(&detail),
            ..Logged::default()
        };
        log(&mut tx, event).await?;
        tx.commit().await?;
        return Ok(Err(why));
    }
    let row = sqlx::query(store.sql(
        "INSERT INTO worker (db_role, name, cpu, program, threads, bench, state) \
         VALUES ('local', $1, $2, $3, $4, $5, 'proven') ON CONFLICT (db_role, name) DO UPDATE SET \
         cpu = $2, program = $3, threads = $4, bench = $5, seen = {now} RETURNING id, state, why",
    ))
    .bind(who.name.clone())
    .bind(who.cpu.clone())
    .bind(who.program.clone())
    .bind(who.threads)
    .bind(who.bench)
    .fetch_one(&mut *tx)
    .await?;
    let (id, state): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
    let blocked = match state.as_str() {
        "blocked" => Some(format!(
            "blocked: {}",
            row.try_get::<Option<String>, _>(2)?.unwrap_or_default()
        )),
        _ => None,
    };
    let event = Logged {
        what: match blocked {
            None => "worker enrolled",
            Some(_) => "worker refused",
        },
        worker: Some(id),
        detail: Some(blocked.as_deref().unwrap_or(&who.name)),
        ..Logged::default()
    };
    log(&mut tx, event).await?;
    tx.commit().await?;
    Ok(match blocked {
        Some(why) => Err(why),
        None => Ok(id),
    })
}

/// Leases that ran out: another attempt, or none if too many were made.
pub(super) async fn reap(store: &Store, tx: &mut Tx) -> Result<i64, StoreError> {
    let rows = sqlx::query(store.sql(
        "SELECT id, campaign, attempt, worker FROM job \
         WHERE state = 'leased' AND lease_until < {now} ORDER BY lease_until LIMIT 100",
    ))
    .fetch_all(&mut **tx)
    .await?;
    for row in &rows {
        let (job, attempt): (i64, i64) = (row.try_get(0)?, row.try_get(2)?);
        let worker: Option<i64> = row.try_get(3)?;
        sqlx::query(
            "UPDATE job SET state = CASE WHEN attempt >= max_attempt THEN 'dead' ELSE 'ready' END, \
             lease = NULL, lease_until = NULL, worker = NULL WHERE id = $1",
        )
        .bind(job)
        .execute(&mut **tx)
        .await?;
        insert_failure(tx, (job, attempt), worker, "expired", "the lease ran out").await?;
        let event = Logged {
            what: "lease expired",
            campaign: row.try_get(1)?,
            job: Some(job),
            worker,
            detail: None,
        };
        log(tx, event).await?;
    }
    Ok(rows.len() as i64)
}

async fn insert_failure(
    tx: &mut Tx,
    (job, attempt): (i64, i64),
    worker: Option<i64>,
    cause: &str,
    message: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO failure (job, attempt, worker, cause, message) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(job)
    .bind(attempt)
    .bind(worker)
    .bind(cause.to_owned())
    .bind(message.chars().take(2000).collect::<String>())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn claim(
    store: &Store,
    worker: i64,
    count: i64,
    kinds: &[JobKind],
) -> Result<Vec<Claimed>, StoreError> {
    let mut tx = store.begin().await?;
    own_worker(&mut tx, worker).await?;
    reap(store, &mut tx).await?;
    let campaigns = sqlx::query(
        "SELECT id, kind, lease_seconds FROM campaign WHERE state = 'running' ORDER BY prio DESC, id",
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut jobs = Vec::new();
    for campaign in &campaigns {
        let (id, kind): (i64, String) = (campaign.try_get(0)?, campaign.try_get(1)?);
        if !kinds.iter().any(|wanted| wanted.name() == kind) {
            continue;
        }
        let seconds: i64 = campaign.try_get(2)?;
        let rows = sqlx::query(store.sql(
            "UPDATE job SET state = 'leased', attempt = attempt + 1, \
             lease = lower(hex(randomblob(16))), lease_until = {now} + 1000 * $1, worker = $2 \
             WHERE id IN (SELECT j.id FROM job j \
               WHERE j.campaign = $3 AND j.state = 'ready' AND j.not_before <= {now} \
                 AND (j.attempt = 0 OR NOT EXISTS (SELECT 1 FROM failure f WHERE f.job = j.id \
                      AND f.worker = $2 AND f.cause <> 'expired' AND f.at > {now} - 600000)) \
                 AND (j.purpose = 'first' OR NOT EXISTS (SELECT 1 FROM result r \
                      WHERE r.campaign = j.campaign AND r.unit = j.unit AND r.worker = $2 \
                        AND (j.purpose = 'check' OR EXISTS (SELECT 1 FROM verdict v \
                             WHERE v.job = r.job AND v.ok = 0)))) \
               ORDER BY j.id LIMIT $4) \
             RETURNING id, campaign, $5, lease, $1, spec",
        ))
        .bind(seconds)
        .bind(worker)
        .bind(id)
        .bind(count.clamp(1, 1000))
        .bind(kind)
        .fetch_all(&mut *tx)
        .await?;
        for row in &rows {
            let job = claimed(row)?;
            let event = Logged {
                what: "claimed",
                campaign: Some(id),
                job: Some(job.job),
                worker: Some(worker),
                detail: None,
            };
            log(&mut tx, event).await?;
            jobs.push(job);
        }
        if !jobs.is_empty() {
            break;
        }
    }
    tx.commit().await?;
    jobs.sort_by_key(|job| job.job);
    Ok(jobs)
}

pub(super) async fn beat(
    store: &Store,
    worker: i64,
    leases: &[String],
) -> Result<Vec<String>, StoreError> {
    let mut tx = store.begin().await?;
    own_worker(&mut tx, worker).await?;
    sqlx::query(store.sql("UPDATE worker SET seen = {now} WHERE id = $1"))
        .bind(worker)
        .execute(&mut *tx)
        .await?;
    let list = serde_json::to_string(leases).unwrap_or_default();
    let rows = sqlx::query(store.sql(
        "UPDATE job SET lease_until = {now} + 1000 * (SELECT lease_seconds FROM campaign c \
         WHERE c.id = job.campaign) WHERE worker = $1 AND state = 'leased' \
         AND lease IN (SELECT value FROM json_each($2)) RETURNING lease",
    ))
    .bind(worker)
    .bind(list)
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// A job that is leased, as far as a completion needs it.
struct LeasedJob {
    campaign: i64,
    unit: i64,
    purpose: String,
    attempt: i64,
    max_attempt: i64,
    twice: i64,
    spec: String,
}

async fn leased(
    tx: &mut Tx,
    worker: i64,
    job: i64,
    lease: &str,
) -> Result<Option<LeasedJob>, StoreError> {
    let row = sqlx::query(
        "SELECT campaign, unit, purpose, attempt, max_attempt, twice, spec FROM job \
         WHERE id = $1 AND state = 'leased' AND lease = $2 AND worker = $3",
    )
    .bind(job)
    .bind(lease.to_owned())
    .bind(worker)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    Ok(Some(LeasedJob {
        campaign: row.try_get(0)?,
        unit: row.try_get(1)?,
        purpose: row.try_get(2)?,
        attempt: row.try_get(3)?,
        max_attempt: row.try_get(4)?,
        twice: row.try_get(5)?,
        spec: row.try_get(6)?,
    }))
}

/// Back to the queue after a failure that was told; dead when three workers or too many attempts failed.
async fn failed(
    tx: &mut Tx,
    job: i64,
    found: &LeasedJob,
    worker: i64,
    cause: &str,
    message: &str,
) -> Result<(), StoreError> {
    insert_failure(tx, (job, found.attempt), Some(worker), cause, message).await?;
    sqlx::query(
        "UPDATE job SET state = CASE WHEN $1 >= $2 OR (SELECT count(DISTINCT f.worker) FROM failure f \
         WHERE f.job = $3 AND f.cause <> 'expired') >= 3 THEN 'dead' ELSE 'ready' END, \
         lease = NULL, lease_until = NULL, worker = NULL WHERE id = $3",
    )
    .bind(found.attempt)
    .bind(found.max_attempt)
    .bind(job)
    .execute(&mut **tx)
    .await?;
    let event = Logged {
        what: match cause {
            "refused" => "result refused",
            _ => "failed",
        },
        campaign: Some(found.campaign),
        job: Some(job),
        worker: Some(worker),
        detail: Some(message),
    };
    log(tx, event).await
}

pub(super) async fn complete(
    store: &Store,
    worker: i64,
    (job, lease): (i64, &str),
    sum: &str,
    report: &JobReport,
) -> Result<Completion, StoreError> {
    let mut tx = store.begin().await?;
    own_worker(&mut tx, worker).await?;
    let found = leased(&mut tx, worker, job, lease).await?;
    let (event, completion) = match &found {
        None => ("completion not taken", Completion::NotTaken),
        Some(_) => ("completed", Completion::Stored),
    };
    if let Some(found) = &found {
        let is_sound = report.payload.len() <= LARGEST_PAYLOAD
            && is_sha256(&report.digest)
            && sha256_hex(&report.payload) == sum;
        if !is_sound {
            let why = "corrupt or too large";
            failed(&mut tx, job, found, worker, "refused", why).await?;
            tx.commit().await?;
            return Ok(Completion::Refused);
        }
        keep(&mut tx, worker, (job, lease), found, report).await?;
    }
    let event = Logged {
        what: event,
        campaign: found.map(|found| found.campaign),
        job: Some(job),
        worker: Some(worker),
        detail: None,
    };
    log(&mut tx, event).await?;
    tx.commit().await?;
    Ok(completion)
}

/// Keeps a result, and asks for a second one if the job is to be done twice.
async fn keep(
    tx: &mut Tx,
    worker: i64,
    (job, lease): (i64, &str),
    found: &LeasedJob,
    report: &JobReport,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO result (job, campaign, unit, purpose, lease, worker, digest, payload, file, \
         games, positions, nodes, points, millis) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(job)
    .bind(found.campaign)
    .bind(found.unit)
    .bind(found.purpose.clone())
    .bind(lease.to_owned())
    .bind(worker)
    .bind(report.digest.clone())
    .bind(report.payload.clone())
    .bind(report.file.clone())
    .bind(report.games)
    .bind(report.positions)
    .bind(report.nodes)
    .bind(report.points)
    .bind(report.millis)
    .execute(&mut **tx)
    .await?;
    sqlx::query("INSERT INTO inbox (job) VALUES ($1)")
        .bind(job)
        .execute(&mut **tx)
        .await?;
    sqlx::query("UPDATE job SET state = 'done', lease_until = NULL WHERE id = $1")
        .bind(job)
        .execute(&mut **tx)
        .await?;
    if found.twice == 1 {
        sqlx::query(
            "INSERT INTO job (campaign, unit, purpose, spec, dedup) VALUES ($1, $2, 'check', $3, $4)",
        )
        .bind(found.campaign)
        .bind(found.unit)
        .bind(found.spec.clone())
        .bind(format!("check {job}"))
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

pub(super) async fn fail(
    store: &Store,
    worker: i64,
    job: i64,
    lease: &str,
    why: &str,
) -> Result<bool, StoreError> {
    let mut tx = store.begin().await?;
    own_worker(&mut tx, worker).await?;
    let found = leased(&mut tx, worker, job, lease).await?;
    if let Some(found) = &found {
        failed(&mut tx, job, found, worker, "error", why).await?;
    }
    tx.commit().await?;
    Ok(found.is_some())
}

pub(super) async fn give_back(
    store: &Store,
    worker: i64,
    job: i64,
    lease: &str,
) -> Result<bool, StoreError> {
    let mut tx = store.begin().await?;
    own_worker(&mut tx, worker).await?;
    let found = leased(&mut tx, worker, job, lease).await?;
    if let Some(found) = &found {
        sqlx::query(
            "UPDATE job SET state = 'ready', attempt = attempt - 1, lease = NULL, \
             lease_until = NULL, worker = NULL WHERE id = $1",
        )
        .bind(job)
        .execute(&mut *tx)
        .await?;
        let event = Logged {
            what: "given back",
            campaign: Some(found.campaign),
            job: Some(job),
            worker: Some(worker),
            detail: None,
        };
        log(&mut tx, event).await?;
    }
    tx.commit().await?;
    Ok(found.is_some())
}
