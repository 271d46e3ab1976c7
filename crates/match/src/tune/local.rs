//! Local search: one parameter after the other, one step up, one step down, and the step is kept if
//! a sequential test accepts it (a pattern search, Hooke and Jeeves 1961, with Wald's test as judge).

use super::optimizer::{Optimizer, ParameterEstimate, TuneSchedule};
use super::parameter::TunedParameter;
use super::trial::PairOutcome;
use crate::score::MatchStats;
use crate::sprt::{Decision, Sprt};

/// How often a wrong step may be taken or a right one missed: a search that takes many steps need
/// not be sure of each.
const RISK: f64 = 0.15;

/// Local search.
pub(super) struct LocalSearch {
    parameters: Vec<TunedParameter>,
    /// Where it stands.
    center: Vec<i32>,
    /// The step of each parameter, in whole numbers; 0 when it is exhausted.
    steps: Vec<i32>,
    /// The question: which parameter, and which way.
    parameter: usize,
    side: i32,
    /// How many sides in a row brought nothing since the last step that was taken.
    failures: usize,
    stats: MatchStats,
    sprt: Sprt,
    /// The most pairs for one question.
    most_pairs: u64,
    /// What was found out about a step up from the last values of each parameter.
    slopes: Vec<Option<(f64, f64)>>,
}

impl LocalSearch {
    pub(super) fn new(parameters: &[TunedParameter], schedule: &TuneSchedule) -> Self {
        let sides = 2 * parameters.len().max(1) as u64;
        let mut search = Self {
            center: parameters.iter().map(|p| p.start).collect(),
            steps: parameters
                .iter()
                .map(|p| (2.0 * p.step).round().max(1.0) as i32)
                .collect(),
            slopes: vec![None; parameters.len()],
            parameters: parameters.to_vec(),
            parameter: 0,
            side: 1,
            failures: 0,
            stats: MatchStats::default(),
            sprt: Sprt {
                elo0: 0.0,
                elo1: schedule.elo,
                alpha: RISK,
                beta: RISK,
            },
            // Two rounds over all parameters should fit into the run.
            most_pairs: (schedule.pairs / (2 * sides)).max(schedule.batch as u64),
        };
        search.skip_impossible();
        search
    }

    fn candidate(&self) -> Vec<i32> {
        let mut values = self.center.clone();
        let parameter = &self.parameters[self.parameter];
        let moved = values[self.parameter] + self.side * self.steps[self.parameter];
        values[self.parameter] = moved.clamp(parameter.least, parameter.most);
        values
    }

    /// Takes the answer to the present question and asks the next.
    fn decide(&mut self, is_better: bool) {
        self.note_slope();
        self.stats = MatchStats::default();
        if is_better {
            self.center = self.candidate();
            self.failures = 0;
        } else {
            self.next_side();
        }
        self.skip_impossible();
    }

    /// What the games of a question say about a step up.
    fn note_slope(&mut self) {
        let Some(elo) = self.stats.elo() else { return };
        let moved = self.candidate()[self.parameter] - self.center[self.parameter];
        let steps = f64::from(moved) / self.parameters[self.parameter].step;
        if steps != 0.0 {
            self.slopes[self.parameter] = Some((elo.value / steps, elo.error / steps.abs()));
        }
    }

    fn next_side(&mut self) {
        self.failures += 1;
        if self.side == 1 {
            self.side = -1;
            return;
        }
        self.side = 1;
        self.parameter = (self.parameter + 1) % self.parameters.len();
        if self.failures >= 2 * self.parameters.len() {
            self.failures = 0;
            for step in &mut self.steps {
                *step /= 2;
            }
        }
    }

    /// Passes over sides where there is nowhere to go.
    fn skip_impossible(&mut self) {
        while !self.is_done() && self.candidate() == self.center {
            self.next_side();
        }
    }
}

impl Optimizer for LocalSearch {
    fn ask(&mut self, _rng: &mut fastrand::Rng) -> [Vec<i32>; 2] {
        [self.candidate(), self.center.clone()]
    }

    fn tell(&mut self, outcomes: &[([&[i32]; 2], PairOutcome)]) {
        for (_, outcome) in outcomes {
            let [first, second] = outcome.points;
            self.stats.add(first);
            self.stats.add(second);
            self.stats.add_pair(first, second);
        }
        let pairs: u64 = self.stats.pairs.iter().sum();
        match self.sprt.decide(&self.stats.pairs) {
            Decision::Accept => self.decide(true),
            Decision::Reject => self.decide(false),
            Decision::GoOn if pairs >= self.most_pairs => {
                let likely = self.stats.los().is_some_and(|los| los > 1.0 - RISK);
                self.decide(likely);
            }
            Decision::GoOn => {}
        }
    }

    fn center(&mut self) -> Vec<f64> {
        self.center.iter().map(|&value| f64::from(value)).collect()
    }

    fn estimates(&mut self) -> Vec<ParameterEstimate> {
        let all = self.center.iter().zip(&self.steps).zip(&self.slopes);
        let estimate =
            |((&value, &step), &slope): ((&i32, &i32), &Option<(f64, f64)>)| ParameterEstimate {
                value: f64::from(value),
                error: Some(f64::from(step)).filter(|_| slope.is_some()),
                slope,
            };
        all.map(estimate).collect()
    }

    fn is_done(&self) -> bool {
        self.steps.iter().all(|&step| step == 0)
    }
}
