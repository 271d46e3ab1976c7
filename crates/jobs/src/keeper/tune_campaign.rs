//! A tuning on many machines: the trials of an iteration are played side by side; when all are there, the
//! method hears them and asks for the next. What it has heard is a fact: it stays, whoever is excluded later.

use super::KeeperError;
use crate::spec::{TuneJob, TuneSpec, json};
use crate::store::{CampaignRow, Store};
use crate::work::{TuneReplica, outcome_of};
use std::collections::BTreeMap;

/// The keeper's view of a tuning.
pub(super) struct TuneKeeper {
    name: String,
    replica: TuneReplica,
    check_share: f64,
    /// The number of the first trial of the iteration whose jobs were added last.
    asked: Option<i64>,
}

impl TuneKeeper {
    /// Hears again what was heard before.
    pub(super) async fn load(store: &Store, campaign: &CampaignRow) -> Result<Self, KeeperError> {
        let wrong = |why: String| KeeperError::Campaign {
            name: campaign.name.clone(),
            why,
        };
        let spec: TuneSpec =
            serde_json::from_str(&campaign.spec).map_err(|error| wrong(error.to_string()))?;
        let mut replica = TuneReplica::new(spec.header);
        while replica.open().is_some() {
            let facts = store.facts_kept(campaign.id, replica.trials()).await?;
            if facts.is_empty() {
                break;
            }
            for (_, payload, _) in facts {
                replica.hear(outcome_of(&payload).map_err(wrong)?);
            }
        }
        Ok(Self {
            name: campaign.name.clone(),
            replica,
            check_share: spec.check_share,
            asked: None,
        })
    }

    /// Hears what has come in and opens the next trials; whether the tuning is over.
    pub(super) async fn advance(
        &mut self,
        store: &Store,
        campaign: &CampaignRow,
    ) -> Result<bool, KeeperError> {
        while let Some((iteration, first)) = self.replica.open() {
            let count = iteration.trials.len();
            let taken = store.taken(campaign.id, first, count as i64).await?;
            let taken: BTreeMap<i64, (i64, Vec<u8>)> = taken
                .into_iter()
                .map(|(unit, job, payload)| (unit, (job, payload)))
                .collect();
            if taken.len() < count {
                if self.asked != Some(first) {
                    let job = |(unit, trial): (i64, &tesuji_match::tune::Trial)| {
                        let job = TuneJob {
                            iteration: iteration.number,
                            trial: trial.clone(),
                        };
                        (unit, json(&job))
                    };
                    let jobs: Vec<_> = (first..).zip(&iteration.trials).map(job).collect();
                    store.add_jobs(campaign.id, &jobs, self.check_share).await?;
                    self.asked = Some(first);
                }
                return Ok(false);
            }
            let outcomes: Vec<_> = taken
                .values()
                .map(|(_, payload)| outcome_of(payload))
                .collect::<Result<_, _>>()
                .map_err(|why| KeeperError::Campaign {
                    name: self.name.clone(),
                    why,
                })?;
            let jobs: Vec<i64> = taken.values().map(|(job, _)| *job).collect();
            store.add_facts(campaign.id, first, &jobs).await?;
            for outcome in outcomes {
                self.replica.hear(outcome);
            }
            self.tell(store, campaign.id).await?;
        }
        Ok(true)
    }

    async fn tell(&self, store: &Store, campaign: i64) -> Result<(), KeeperError> {
        let tuning = self.replica.tuning();
        let names = tuning.header().parameters.iter().map(|p| &p.name);
        let values: Vec<_> = names.zip(tuning.center()).collect();
        let detail = serde_json::json!({
            "iteration": tuning.path().len() - 1, "games": tuning.games(), "values": values,
        });
        store.set_progress(campaign, &detail.to_string()).await?;
        Ok(())
    }
}
