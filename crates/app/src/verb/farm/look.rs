//! What a farm shows: campaigns, workers, and who did what.

use super::place::{StorePlace, wait};
use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use serde_json::json;
use std::io::Write;
use tesuji_jobs::status::{CampaignStatus, FarmStatus};
use tesuji_jobs::store::{AuditEvent, Dispute, ExclusionReport, Store};

#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    place: StorePlace,
    /// Print one JSON object: everything that the status page shows
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        let status = wait(async {
            let store = Store::open(&address, 1).await?;
            FarmStatus::read(&store).await
        })?;
        let mut out = std::io::stdout().lock();
        if self.json {
            write_json(&mut out, &status)?;
            return Ok(ExitStatus::Yes);
        }
        writeln!(
            out,
            "{:<20} {:<9} {:<8} {:>8} {:>8} {:>8} {:>6} {:>9} {:>11}",
            "campaign", "kind", "state", "waiting", "running", "done", "dead", "games", "positions"
        )?;
        for campaign in &status.campaigns {
            campaign_lines(&mut out, campaign)?;
        }
        for worker in &status.workers {
            writeln!(
                out,
                "{:<20} {:<9} {:>6} s ago {:>6} jobs in 10 min {:>10} nodes/s",
                worker.name,
                worker.state,
                worker.silent_seconds,
                worker.recent_jobs,
                worker.nodes_per_second
            )?;
        }
        Ok(ExitStatus::Yes)
    }
}

fn campaign_lines(out: &mut impl Write, campaign: &CampaignStatus) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<20} {:<9} {:<8} {:>8} {:>8} {:>8} {:>6} {:>9} {:>11}",
        campaign.name,
        campaign.kind.name(),
        campaign.state,
        campaign.ready,
        campaign.leased,
        campaign.done,
        campaign.dead,
        campaign.games,
        campaign.positions
    )?;
    if let Some(test) = &campaign.test {
        let elo = test.elo.map_or("–".into(), |elo| format!("{elo:+.1}"));
        let llr = test
            .llr
            .map_or(String::new(), |llr| format!(", LLR {llr:.4}"));
        writeln!(out, "  pairs {:?}, Elo {elo}{llr}", test.pairs)?;
    }
    if let Some(progress) = &campaign.progress {
        writeln!(out, "  {progress}")?;
    }
    Ok(())
}

#[derive(Args)]
pub(super) struct Audit {
    #[command(flatten)]
    place: StorePlace,
    /// Only what happened in this campaign
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// Only what this worker did: NAME, or ROLE/NAME where two roles have one of that name
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
    /// How many lines of the log
    #[arg(long, default_value_t = 50, value_name = "N")]
    limit: i64,
    /// Let the results of a worker count no more, and do its jobs anew; nothing is removed
    #[arg(long, value_name = "WORKER", requires = "why")]
    exclude: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT", requires = "exclude")]
    why: Option<String>,
    /// Print one JSON object per line of the log
    #[arg(long)]
    json: bool,
}

/// What an audit finds.
struct AuditReport {
    events: Vec<AuditEvent>,
    disputes: Vec<Dispute>,
    excluded: Option<ExclusionReport>,
}

impl Audit {
    pub(super) fn run(&self) -> Result<ExitStatus, Failure> {
        let address = self.place.address()?;
        let report = wait(async {
            let store = Store::open(&address, 1).await?;
            let excluded = match (&self.exclude, &self.why) {
                (Some(worker), Some(why)) => {
                    let worker = store.worker_called(worker).await?;
                    Some(store.exclude(worker.id, why, "owner").await?)
                }
                _ => None,
            };
            let campaign = match &self.campaign {
                Some(name) => Some(store.campaign(name).await?.id),
                None => None,
            };
            let worker = match &self.worker {
                Some(name) => Some(store.worker_called(name).await?.id),
                None => None,
            };
            Ok::<_, tesuji_jobs::store::StoreError>(AuditReport {
                events: store.events(campaign, worker, self.limit).await?,
                disputes: store.disputes().await?,
                excluded,
            })
        })?;
        self.print(&report)?;
        Ok(match report.disputes.is_empty() {
            true => ExitStatus::Yes,
            false => ExitStatus::No,
        })
    }

    fn print(&self, report: &AuditReport) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        for event in report.events.iter().rev() {
            if self.json {
                let line = json!({
                    "id": event.id, "at": event.at, "who": event.who, "what": event.what,
                    "campaign": event.campaign, "job": event.job, "worker": event.worker,
                    "detail": event.detail,
                });
                write_json(&mut out, &line)?;
                continue;
            }
            let number = |name: &str, value: Option<i64>| {
                value.map_or(String::new(), |value| format!(" {name} {value}"))
            };
            writeln!(
                out,
                "{} {} {}{}{}{}{}",
                event.at,
                event.who,
                event.what,
                number("campaign", event.campaign),
                number("job", event.job),
                number("worker", event.worker),
                event
                    .detail
                    .as_ref()
                    .map_or(String::new(), |text| format!(": {text}"))
            )?;
        }
        if self.json {
            return Ok(());
        }
        if let Some(excluded) = &report.excluded {
            writeln!(
                out,
                "{} results count no more, {} jobs are done anew",
                excluded.results, excluded.again
            )?;
        }
        for dispute in &report.disputes {
            writeln!(
                out,
                "campaign {} job {}: {} different results",
                dispute.campaign, dispute.unit, dispute.versions
            )?;
        }
        Ok(())
    }
}
