//! A book on many machines: challenges are opened on the book as it stands, and what wins is derived from
//! the games that were taken in.

use super::KeeperError;
use crate::spec::{BookJob, BookSpec, json};
use crate::store::{CampaignRow, Store};
use crate::work::BookReplica;
use serde::Serialize;
use std::collections::HashMap;
use tesuji_book::{BookNodeId, BookOutcome};

/// The keeper's view of a book.
pub(super) struct BookKeeper {
    name: String,
    spec: BookSpec,
    replica: BookReplica,
    /// What was written as derived.
    derived: HashMap<Vec<u8>, String>,
    /// The book when it was last written.
    written: Option<i64>,
    /// The number of the next game.
    next: u64,
}

/// How a book stands, for the status page.
#[derive(Serialize)]
struct BookProgress {
    games: i64,
    positions: usize,
    moves: usize,
    nodes: u64,
    starts: Vec<StartProgress>,
}

#[derive(Serialize)]
struct StartProgress {
    winner: Option<char>,
    wins: u32,
    longest: u32,
    games: u32,
    outcome: String,
}

impl BookKeeper {
    /// Replays what was taken in so far.
    pub(super) async fn load(store: &Store, campaign: &CampaignRow) -> Result<Self, KeeperError> {
        let wrong = |why: String| KeeperError::Campaign {
            name: campaign.name.clone(),
            why,
        };
        let spec: BookSpec =
            serde_json::from_str(&campaign.spec).map_err(|error| wrong(error.to_string()))?;
        let replica = BookReplica::new(&spec).map_err(wrong)?;
        let derived = store.derived(campaign.id).await?.into_iter().collect();
        let open = store.open_jobs(campaign.id).await?;
        let next = open.iter().map(|(unit, _)| *unit as u64 + 1).max();
        Ok(Self {
            name: campaign.name.clone(),
            spec,
            replica,
            derived,
            written: None,
            next: next.unwrap_or(0),
        })
    }

    fn wrong(&self, why: String) -> KeeperError {
        KeeperError::Campaign {
            name: self.name.clone(),
            why,
        }
    }

    /// Takes new games in, writes what follows, opens new challenges; whether the book is done.
    pub(super) async fn advance(
        &mut self,
        store: &Store,
        campaign: &CampaignRow,
    ) -> Result<bool, KeeperError> {
        loop {
            let facts = store.facts_kept(campaign.id, self.replica.seq).await?;
            if facts.is_empty() {
                break;
            }
            for (seq, payload, counts) in facts {
                let added = self.replica.add(seq, &payload, counts);
                added.map_err(|why| self.wrong(why))?;
            }
        }
        self.next = self.next.max(self.replica.maker().progress().games);
        if self.written != Some(self.replica.seq) {
            self.write(store, campaign.id).await?;
        }
        let progress = self.replica.maker().progress();
        let games = self.replica.seq as u64;
        let is_enough = self.spec.games.is_some_and(|most| games >= most);
        if progress.is_done || is_enough {
            return Ok(true);
        }
        self.open(store, campaign.id).await?;
        Ok(false)
    }

    /// Writes what changed since it was last written.
    async fn write(&mut self, store: &Store, campaign: i64) -> Result<(), KeeperError> {
        let all = outcomes(&self.replica);
        let changed: Vec<(Vec<u8>, String)> = all
            .iter()
            .filter(|(key, outcome)| self.derived.get(*key) != Some(*outcome))
            .map(|(key, outcome)| (key.clone(), outcome.clone()))
            .collect();
        // Games of an excluded worker may have brought positions that are no longer there.
        if self.derived.keys().any(|key| !all.contains_key(key)) {
            store.forget_derived(campaign).await?;
            let all: Vec<_> = all.clone().into_iter().collect();
            store
                .write_derived(campaign, self.replica.seq, &all)
                .await?;
        } else {
            store
                .write_derived(campaign, self.replica.seq, &changed)
                .await?;
        }
        self.derived = all;
        self.written = Some(self.replica.seq);
        let progress = self.replica.maker().progress();
        let start = |number: usize| {
            let streak = &progress.streaks[number];
            StartProgress {
                winner: streak.winner.map(|color| color.letter()),
                wins: streak.wins,
                longest: streak.longest,
                games: streak.games,
                outcome: outcome_text(progress.outcomes[number]),
            }
        };
        let made = BookProgress {
            games: self.replica.seq,
            positions: progress.positions,
            moves: progress.moves,
            nodes: progress.nodes,
            starts: (0..progress.streaks.len()).map(start).collect(),
        };
        store.set_progress(campaign, &json(&made)).await?;
        Ok(())
    }

    /// Opens challenges until there are as many as are wanted at a time.
    async fn open(&mut self, store: &Store, campaign: i64) -> Result<(), KeeperError> {
        let open = store.open_jobs(campaign).await?;
        let wanted = match self.spec.parallel {
            Some(parallel) => parallel.max(1),
            None => (store.live_workers().await?.1.max(1) as usize).min(1000),
        };
        let mut running = vec![0; self.spec.starts.len()];
        for (_, spec) in &open {
            let job: Result<BookJob, _> = serde_json::from_str(spec);
            if let Some(count) = job.ok().and_then(|job| running.get_mut(job.start)) {
                *count += 1;
            }
        }
        let left = self
            .spec
            .games
            .map_or(u64::MAX, |most| most.saturating_sub(self.next));
        let missing = (wanted.saturating_sub(open.len()) as u64).min(left);
        let mut jobs = Vec::new();
        for _ in 0..missing {
            let start = self.replica.maker().next_start_beside(self.next, &running);
            running[start] += 1;
            let job = BookJob {
                number: self.next,
                start,
                base: self.replica.seq,
            };
            jobs.push((self.next as i64, json(&job)));
            self.next += 1;
        }
        if !jobs.is_empty() {
            store
                .add_jobs(campaign, &jobs, self.spec.check_share)
                .await?;
        }
        Ok(())
    }
}

/// What is known of every position, by its key.
pub(crate) fn outcomes(replica: &BookReplica) -> HashMap<Vec<u8>, String> {
    replica.maker().with_book(|graph, wins| {
        let outcome = |node: BookNodeId| {
            let key = graph.key(node).to_vec();
            (key, outcome_text(wins.outcome(graph, node)))
        };
        graph.nodes().map(outcome).collect()
    })
}

fn outcome_text(outcome: BookOutcome) -> String {
    match outcome {
        BookOutcome::Unknown => "unknown".into(),
        BookOutcome::Win(plies) => format!("win {plies}"),
        BookOutcome::Loss(plies) => format!("loss {plies}"),
        BookOutcome::WinByRepetition => "win by repetition".into(),
        BookOutcome::LossByRepetition => "loss by repetition".into(),
    }
}
