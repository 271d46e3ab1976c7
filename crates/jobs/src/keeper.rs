//! The keeper: looks at every result, takes it in or refuses it, and decides what follows.
//!
//! There is one keeper at a time. It may be killed at any moment: results wait in the inbox, each verdict
//! is one transaction, and what is derived can be derived again. Workers go on without it as long as there
//! are jobs.

mod book_campaign;
mod match_campaign;
mod tune_campaign;

use crate::files::FileStore;
use crate::pause::pause;
use crate::spec::JobKind;
use crate::store::{CampaignRow, CampaignState, InboxResult, JobReport, Store, StoreError};
use crate::work::check_result;
use book_campaign::BookKeeper;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use tesuji_kernels::StopSignal;
use tune_campaign::TuneKeeper;

/// What the keeper did in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeeperTally {
    /// Results taken in.
    pub accepted: u64,
    /// Results refused.
    pub refused: u64,
    /// Leases that ran out.
    pub expired: u64,
    /// Campaigns that are done.
    pub finished: u64,
}

/// Why the keeper cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A campaign makes no sense.
    #[error("campaign {name}: {why}")]
    Campaign {
        /// Which.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// The keeper of a farm.
pub struct Keeper {
    store: Store,
    files: FileStore,
    books: HashMap<i64, BookKeeper>,
    tunings: HashMap<i64, TuneKeeper>,
}

/// How many results are looked at in one round.
const ROUND: i64 = 200;

impl Keeper {
    /// A keeper that has seen nothing yet.
    pub fn new(store: Store, files: FileStore) -> Self {
        Self {
            store,
            files,
            books: HashMap::new(),
            tunings: HashMap::new(),
        }
    }

    /// Keeps the farm until somebody says stop, with a rest whenever there is nothing to do. Waits while
    /// somebody else is the keeper.
    ///
    /// # Errors
    /// If the store fails in a way that will not pass.
    pub async fn run(
        &mut self,
        stop: &StopSignal,
        rest: Duration,
        tell: &(dyn Fn(&KeeperTally) + Sync),
    ) -> Result<(), KeeperError> {
        while !stop.is_stopped() {
            match self.keep_while_locked(stop, rest, tell).await {
                Err(KeeperError::Store(error)) if error.is_transient() => {
                    self.forget();
                }
                Err(error) => return Err(error),
                Ok(()) => {}
            }
            pause(rest, stop).await;
        }
        Ok(())
    }

    async fn keep_while_locked(
        &mut self,
        stop: &StopSignal,
        rest: Duration,
        tell: &(dyn Fn(&KeeperTally) + Sync),
    ) -> Result<(), KeeperError> {
        let Some(mut lock) = self.store.lock_keeper().await? else {
            return Ok(());
        };
        self.forget();
        while !stop.is_stopped() && lock.is_held().await {
            let tally = self.round().await?;
            tell(&tally);
            if tally.accepted + tally.refused == 0 {
                pause(rest, stop).await;
            }
        }
        Ok(())
    }

    /// What was in memory may be behind or ahead of what was committed.
    fn forget(&mut self) {
        self.books.clear();
        self.tunings.clear();
    }

    /// One round: everything that can be done now. The caller must be the only keeper.
    ///
    /// # Errors
    /// If the store fails, or a campaign makes no sense.
    pub async fn round(&mut self) -> Result<KeeperTally, KeeperError> {
        match self.try_round().await {
            // The last keeper's last word came after we had read: the next round begins with it.
            Err(KeeperError::Store(error)) if error.is_conflict() => {
                self.forget();
                Ok(KeeperTally::default())
            }
            outcome => outcome,
        }
    }

    async fn try_round(&mut self) -> Result<KeeperTally, KeeperError> {
        let mut tally = KeeperTally {
            expired: self.store.reap().await? as u64,
            ..KeeperTally::default()
        };
        let campaigns = self.store.campaigns().await?;
        let by_id: BTreeMap<i64, &CampaignRow> = campaigns
            .iter()
            .map(|campaign| (campaign.id, campaign))
            .collect();
        for kind in JobKind::ALL {
            for result in self.store.inbox(kind, ROUND).await? {
                let Some(campaign) = by_id.get(&result.campaign) else {
                    continue;
                };
                match self.take(campaign, &result).await? {
                    true => tally.accepted += 1,
                    false => tally.refused += 1,
                }
            }
        }
        for campaign in campaigns
            .iter()
            .filter(|c| c.state == CampaignState::Running)
        {
            if self.advance(campaign).await? {
                self.store
                    .set_campaign_state(campaign.id, CampaignState::Done)
                    .await?;
                tally.finished += 1;
            }
        }
        Ok(tally)
    }

    /// Looks at a result; whether it is taken in.
    async fn take(
        &self,
        campaign: &CampaignRow,
        result: &InboxResult,
    ) -> Result<bool, KeeperError> {
        let report = JobReport {
            digest: result.digest.clone(),
            payload: result.payload.clone(),
            file: result.file.clone(),
            games: result.games,
            points: result.points,
            ..JobReport::default()
        };
        let checked = check_result(
            &self.files,
            campaign.kind,
            &campaign.spec,
            &result.spec,
            &report,
        );
        if let Err(why) = checked {
            self.store.refuse(result, &why).await?;
            return Ok(false);
        }
        let is_fact = campaign.kind == JobKind::Book && result.purpose != "check";
        self.store.accept(result, is_fact).await?;
        if result.purpose == "check" {
            self.compare(result).await?;
        }
        Ok(true)
    }

    /// Compares a result with the others of the same job. Of two that differ nobody knows which is
    /// right, so a third one is asked for; whoever stands alone then no longer counts.
    async fn compare(&self, result: &InboxResult) -> Result<(), KeeperError> {
        let all = self.store.results_of(result.campaign, result.unit).await?;
        let mut votes: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for taken in &all {
            votes.entry(&taken.digest).or_default().push(taken.worker);
        }
        if votes.len() < 2 {
            return Ok(());
        }
        let most = votes.values().map(Vec::len).max().unwrap_or(0);
        if most < 2 {
            self.store.check_again(result).await?;
            return Ok(());
        }
        for worker in votes
            .values()
            .filter(|workers| workers.len() == 1)
            .flatten()
        {
            let why = format!(
                "its result of job {} of campaign {} differs from that of {most} others",
                result.unit, result.campaign
            );
            self.store.exclude(*worker, &why, "keeper").await?;
        }
        Ok(())
    }

    /// Brings a campaign forward; whether it is done.
    async fn advance(&mut self, campaign: &CampaignRow) -> Result<bool, KeeperError> {
        let wrong = |why: String| KeeperError::Campaign {
            name: campaign.name.clone(),
            why,
        };
        match campaign.kind {
            JobKind::Match => match_campaign::advance(&self.store, campaign, &wrong).await,
            JobKind::Book => {
                let book = match self.books.remove(&campaign.id) {
                    Some(book) => book,
                    None => BookKeeper::load(&self.store, campaign).await?,
                };
                let book = self.books.entry(campaign.id).or_insert(book);
                book.advance(&self.store, campaign).await
            }
            JobKind::Tune => {
                let tuning = match self.tunings.remove(&campaign.id) {
                    Some(tuning) => tuning,
                    None => TuneKeeper::load(&self.store, campaign).await?,
                };
                let tuning = self.tunings.entry(campaign.id).or_insert(tuning);
                tuning.advance(&self.store, campaign).await
            }
            JobKind::Selfplay | JobKind::Rescore => Ok(is_finished(&self.store, campaign).await?),
        }
    }
}

/// Whether nothing is left to do: all jobs are done, looked at, and checked where somebody can.
async fn is_finished(store: &Store, campaign: &CampaignRow) -> Result<bool, StoreError> {
    let queue = store.queue(campaign.id).await?;
    if queue.leased > 0 || queue.dead > 0 || store.has_inbox(campaign.id).await? {
        return Ok(false);
    }
    match queue.ready {
        0 => Ok(true),
        // A check needs a second worker.
        _ => {
            let open = store.open_jobs(campaign.id).await?;
            Ok(open.is_empty() && store.live_workers().await?.0 < 2)
        }
    }
}
