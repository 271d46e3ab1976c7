//! A tuning from its first iteration to its last: every one kept in a journal, and heard again from
//! there when a run goes on.

use super::method::TuningMethod;
use super::optimizer::{Optimizer, ParameterEstimate, TuneSchedule};
use super::parameter::TunedParameter;
use super::trial::{PairOutcome, Trial, TrialPlayer, TuningIteration};
use crate::journal::JournalHeader;
use crate::score::MatchStats;
use serde::{Deserialize, Serialize};

/// What a tuning is about; a journal can only be continued by the same tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneHeader {
    /// How values are chosen.
    pub method: TuningMethod,
    /// What is tuned.
    pub parameters: Vec<TunedParameter>,
    /// How long.
    pub schedule: TuneSchedule,
    /// Decides about chance.
    pub seed: u64,
    /// The players, their limit and their rules.
    pub players: String,
    /// What tells one list of openings from another.
    pub openings: String,
}

impl JournalHeader for TuneHeader {
    const RUN: &'static str = "tuning";
    const OPTION: &'static str = "--journal";

    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (self.method != other.method, "the methods"),
            (self.parameters != other.parameters, "the parameters"),
            (self.schedule != other.schedule, "games, batch, rate or Elo"),
            (self.seed != other.seed, "the seeds"),
            (self.players != other.players, "the players"),
            (self.openings != other.openings, "the openings"),
        ];
        let found = differences.into_iter().find(|(differs, _)| *differs);
        found.map(|(_, what)| what)
    }
}

/// An iteration and what came of it, as a line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IterationLine {
    /// What was played.
    #[serde(flatten)]
    pub iteration: TuningIteration,
    /// What came of each trial.
    pub outcomes: Vec<PairOutcome>,
    /// Where the method stood afterwards.
    pub center: Vec<f64>,
}

/// Where a tuning stood.
#[derive(Clone, PartialEq, Debug)]
pub struct PathPoint {
    /// After so many games.
    pub games: u64,
    /// The values.
    pub center: Vec<f64>,
}

/// A tuning under way.
pub struct Tuning {
    header: TuneHeader,
    optimizer: Box<dyn Optimizer>,
    iterations: u64,
    stats: MatchStats,
    faults: u64,
    path: Vec<PathPoint>,
}

impl Tuning {
    /// Nothing was played yet.
    pub fn new(header: TuneHeader) -> Self {
        let start = header.parameters.iter().map(|p| f64::from(p.start));
        Self {
            optimizer: header
                .method
                .optimizer(&header.parameters, &header.schedule),
            iterations: 0,
            stats: MatchStats::default(),
            faults: 0,
            path: vec![PathPoint {
                games: 0,
                center: start.collect(),
            }],
            header,
        }
    }

    /// What it is about.
    pub fn header(&self) -> &TuneHeader {
        &self.header
    }

    /// Hears an iteration of the journal again. A line that is not the next one is passed over.
    pub fn replay(&mut self, line: &IterationLine) {
        let is_whole = line.outcomes.len() == line.iteration.trials.len();
        if is_whole && line.iteration.number == self.iterations {
            self.hear(&line.iteration, &line.outcomes);
        }
    }

    /// The next iteration; `None` if the tuning is over. It depends on the seed and on what was heard,
    /// on nothing else.
    pub fn next_iteration(&mut self) -> Option<TuningIteration> {
        if self.is_done() {
            return None;
        }
        let (number, schedule) = (self.iterations, self.header.schedule);
        let seed = self
            .header
            .seed
            .wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut rng = fastrand::Rng::with_seed(seed);
        let played = self.pairs();
        let left = schedule.pairs.saturating_sub(played);
        let batch = (schedule.batch as u64).min(left);
        let trials = (0..batch).map(|trial| {
            let [plus, minus] = self.optimizer.ask(&mut rng);
            Trial {
                plus,
                minus,
                opening: played + trial,
            }
        });
        let trials = trials.collect();
        Some(TuningIteration {
            number,
            seed,
            trials,
        })
    }

    /// Plays the next iteration; `None` if the tuning is over.
    ///
    /// # Errors
    /// If the trials cannot be played; nothing has changed then.
    pub fn step<P: TrialPlayer>(
        &mut self,
        player: &mut P,
    ) -> Result<Option<IterationLine>, P::Error> {
        let Some(iteration) = self.next_iteration() else {
            return Ok(None);
        };
        let outcomes = player.play(&iteration)?;
        self.hear(&iteration, &outcomes);
        Ok(Some(IterationLine {
            iteration,
            outcomes,
            center: self.center(),
        }))
    }

    fn hear(&mut self, iteration: &TuningIteration, outcomes: &[PairOutcome]) {
        let trials = iteration.trials.iter().zip(outcomes);
        let heard: Vec<_> = trials
            .map(|(trial, &outcome)| ([trial.plus.as_slice(), trial.minus.as_slice()], outcome))
            .collect();
        self.optimizer.tell(&heard);
        for (_, outcome) in &heard {
            let [first, second] = outcome.points;
            self.stats.add(first);
            self.stats.add(second);
            self.stats.add_pair(first, second);
            self.faults += u64::from(outcome.faults);
        }
        self.iterations += 1;
        self.path.push(PathPoint {
            games: self.stats.games(),
            center: self.optimizer.center(),
        });
    }

    fn pairs(&self) -> u64 {
        self.stats.games() / 2
    }

    /// Whether there is nothing more to play.
    pub fn is_done(&self) -> bool {
        self.pairs() >= self.header.schedule.pairs || self.optimizer.is_done()
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.stats.games()
    }

    /// How many games somebody lost by what no player should do.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Where it stood after each iteration.
    pub fn path(&self) -> &[PathPoint] {
        &self.path
    }

    /// Where it stands.
    pub fn center(&self) -> Vec<f64> {
        self.path
            .last()
            .map_or_else(Vec::new, |point| point.center.clone())
    }

    /// What is known about each parameter.
    pub fn estimates(&mut self) -> Vec<ParameterEstimate> {
        self.optimizer.estimates()
    }

    /// The parameters with the values that seem best.
    pub fn result(&mut self) -> Vec<(String, i32)> {
        let estimates = self.estimates();
        let all = self.header.parameters.iter().zip(estimates);
        all.map(|(p, estimate)| (p.name.clone(), p.clamped(estimate.value).round() as i32))
            .collect()
    }
}
