//! One thread at work: a position, its searches, its gradient.

use super::gradient::{Gradient, PulledLeaf};
use super::leaf::Leaf;
use super::loss;
use super::numbering::Numbering;
use super::plan::{LearningMethod, OnlinePlan};
use super::tables::LearntTables;
use super::update::Updater;
use crate::data::DataRecord;
use crate::leaf_search::{DECIDED, INFINITE, LeafSearch};
use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Move, MoveList, movegen};

/// What came of some visits.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct VisitStats {
    /// Positions visited.
    pub(super) visits: u64,
    /// Of these, those that changed weights.
    pub(super) updates: u64,
    /// Comparisons with rivals, or positions learnt by regression.
    pub(super) comparisons: u64,
    /// What the comparisons cost.
    pub(super) loss: f64,
}

impl VisitStats {
    pub(super) fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.updates += other.updates;
        self.comparisons += other.comparisons;
        self.loss += other.loss;
    }

    pub(super) fn mean_loss(&self) -> f64 {
        self.loss / self.comparisons.max(1) as f64
    }

    pub(super) fn update_share(&self) -> f64 {
        self.updates as f64 / self.visits.max(1) as f64
    }
}

/// A thread's own room.
pub(super) struct OnlineWorker<'t, N: Numbering> {
    plan: &'t OnlinePlan,
    updater: Updater<'t, N>,
    search: LeafSearch<'t, LearntTables<N>>,
    gradient: Gradient,
    leaves: Vec<PulledLeaf>,
    pub(super) stats: VisitStats,
}

impl<'t, N: Numbering> OnlineWorker<'t, N> {
    pub(super) fn new(plan: &'t OnlinePlan, tables: &'t LearntTables<N>) -> Self {
        Self {
            plan,
            updater: Updater {
                tables,
                rates: plan.rates,
            },
            search: LeafSearch::new(tables, plan.depth),
            gradient: Gradient::default(),
            leaves: Vec::new(),
            stats: VisitStats::default(),
        }
    }

    /// Learns from a position; `visit` counts all visits of the training.
    pub(super) fn visit(&mut self, record: &DataRecord, visit: u64) {
        self.stats.visits += 1;
        self.leaves.clear();
        match self.plan.method {
            LearningMethod::Online | LearningMethod::Batch => self.compare(record, visit),
            LearningMethod::Regression => self.regress(record),
        }
        if self.leaves.is_empty() {
            return;
        }
        self.stats.updates += 1;
        let tables = self.updater.tables;
        self.gradient
            .collect(&tables.layout, &self.leaves, N::COUNT);
        match self.plan.method {
            LearningMethod::Batch => self.updater.accumulate(&self.gradient),
            _ => self.updater.apply(&self.gradient, visit as u32),
        }
    }

    /// Compares the played move with its rivals.
    fn compare(&mut self, record: &DataRecord, visit: u64) {
        let Ok(sample) = record.unpack() else {
            return;
        };
        let Some(played) = sample.mv else {
            return;
        };
        let pos = sample.position;
        let (turn, progress) = (pos.turn(), loss::progress(&pos));
        let rivals = self.draw_rivals(&pos, played, visit);
        self.search.begin(pos);
        let value = self.search.value_of(played, -INFINITE, INFINITE);
        if value.abs() >= DECIDED {
            return;
        }
        let best = self.leaf_behind(Some(played));
        let loss = self.plan.loss;
        let margin = loss.margin_at(progress);
        let (alpha, beta) = (value - margin, value + loss.window);
        let side = if turn == Color::Black { 1.0 } else { -1.0 };
        let mut whole = 0.0;
        for &rival in &rivals {
            let lead = value - self.search.value_of(rival, alpha, beta);
            let comparison = loss.compare(lead, margin);
            self.stats.comparisons += 1;
            self.stats.loss += f64::from(comparison.loss);
            if comparison.pull > 0.0 {
                let leaf = self.leaf_behind(Some(rival));
                let pull = -side * comparison.pull * self.weight_of(&leaf);
                self.leaves.push((leaf, pull));
                whole += comparison.pull;
            }
        }
        if whole > 0.0 {
            let pull = side * whole * self.weight_of(&best);
            self.leaves.push((best, pull));
        }
    }

    /// Some legal moves other than the one that was played, drawn anew at every visit.
    fn draw_rivals(&self, pos: &tesuji_shogi::Position, played: Move, visit: u64) -> Vec<Move> {
        let mut moves = MoveList::new();
        let _ = movegen::legal_without_worse(pos, &mut moves);
        let mut rivals: Vec<Move> = moves.iter().filter(|&mv| mv != played).collect();
        let count = self.plan.rivals.unwrap_or(usize::MAX).min(rivals.len());
        if count < rivals.len() {
            let seed = self.plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ visit;
            let mut rng = fastrand::Rng::with_seed(seed);
            for place in 0..count {
                let other = rng.usize(place..rivals.len());
                rivals.swap(place, other);
            }
            rivals.truncate(count);
        }
        rivals
    }

    /// Learns the score and the result of a position.
    fn regress(&mut self, record: &DataRecord) {
        let Ok(sample) = record.unpack() else {
            return;
        };
        let turn = sample.position.turn();
        self.search.begin(sample.position);
        let value = self.search.value();
        if value.abs() >= DECIDED {
            return;
        }
        let regression = self.plan.regression;
        let chance = |points: f32| 1.0 / (1.0 + (-points / regression.scale).exp());
        let result = (f32::from(record.result()) + 1.0) / 2.0;
        let score = chance(f32::from(record.score()));
        let target = regression.lambda * score + (1.0 - regression.lambda) * result;
        let found = chance(value as f32);
        let error = target - found;
        self.stats.comparisons += 1;
        self.stats.loss += f64::from(error * error);
        let leaf = self.leaf_behind(None);
        let side = if turn == Color::Black { 1.0 } else { -1.0 };
        let pull = side * 4.0 * error * found * (1.0 - found) * self.weight_of(&leaf);
        self.leaves.push((leaf, pull));
    }

    fn leaf_behind(&mut self, first: Option<Move>) -> Leaf {
        self.search.at_leaf(first, Leaf::of::<N>)
    }

    fn weight_of(&self, leaf: &Leaf) -> f32 {
        if leaf.in_check {
            self.plan.check_weight
        } else {
            1.0
        }
    }
}
