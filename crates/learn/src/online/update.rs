//! How slopes become weights: steps that grow shorter with use, and a pull towards zero.
//!
//! Online, every cell has a learning rate of its own that falls with the gradients it has seen
//! (AdaGrad, Duchi, Hazan and Singer 2011). The pull towards zero (L1) is the same for all cells at
//! every visit, but is made up for only when a cell is touched again (cumulative penalty, Tsuruoka,
//! Tsujii and Ananiadou 2009), so that a visit costs as much as the cells it touches. The full batch
//! moves every cell by the sign of its whole gradient, by a step of random length (Hoki 2006).

use super::gradient::{Gradient, Slope};
use super::layout::WeightKind;
use super::numbering::Numbering;
use super::tables::{History, LearntTables};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering::Relaxed;

/// How fast weights move, in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rates {
    /// The first step of a weight for a single piece or for the kings.
    pub single: f32,
    /// The first step of a weight for a pair of pieces, of which a move changes dozens.
    pub pair: f32,
    /// The first step of a piece value.
    pub piece_value: f32,
    /// How long the steps of the weights for the turn are, to those for the board.
    pub turn_share: f32,
    /// By how much weights shrink at every visit, as a share of their first step.
    pub l1: f32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            single: 1.0,
            pair: 0.08,
            piece_value: 0.5,
            turn_share: 0.25,
            l1: 2e-7,
        }
    }
}

/// Weights count 32nds of a point.
const POINT: f32 = 32.0;

impl Rates {
    fn first_step(&self, part: WeightKind) -> f32 {
        POINT
            * match part {
                WeightKind::Kk | WeightKind::Kkp | WeightKind::Kp => self.single,
                WeightKind::Pp | WeightKind::Kpp => self.pair,
                WeightKind::PieceValue => self.piece_value,
            }
    }

    /// By how much the two weights of a cell shrink at a visit. Piece values do not.
    fn shrinkage(&self, part: WeightKind) -> f32 {
        match part {
            WeightKind::PieceValue => 0.0,
            _ => self.first_step(part) * self.l1,
        }
    }
}

/// A weight that is nearer to zero by so much.
fn shrunk(weight: f32, by: f32) -> f32 {
    weight.signum() * (weight.abs() - by).max(0.0)
}

/// The updates of some tables.
#[derive(Clone, Copy)]
pub(super) struct Updater<'t, N> {
    pub(super) tables: &'t LearntTables<N>,
    pub(super) rates: Rates,
}

impl<N: Numbering> Updater<'_, N> {
    /// Moves every cell of a gradient, at a visit.
    pub(super) fn apply(&self, gradient: &Gradient, now: u32) {
        for part in WeightKind::ALL {
            for &(cell, slope) in gradient.of(part) {
                self.apply_cell(part, cell as usize, slope, now);
            }
        }
    }

    #[inline(always)]
    fn apply_cell(&self, part: WeightKind, cell: usize, slope: Slope, now: u32) {
        let history = self.tables.history(cell);
        let [board, turn] = self.forgotten(part, cell, history, now);
        let squares = history.squares + (slope[0] * slope[0] + slope[1] * slope[1]) / 2.0;
        let step = self.rates.first_step(part) / (1.0 + squares).sqrt();
        let turn = if N::HAS_TURN {
            turn + step * self.rates.turn_share * slope[1]
        } else {
            0.0
        };
        self.tables
            .set_weight(cell, [board + step * slope[0], turn]);
        let touched = now;
        self.tables.set_history(cell, History { squares, touched });
    }

    /// The weight of a cell after all the shrinking since it was last touched.
    #[inline(always)]
    fn forgotten(&self, part: WeightKind, cell: usize, history: History, now: u32) -> Slope {
        let visits = now.saturating_sub(history.touched) as f32;
        let by = self.rates.shrinkage(part) * visits;
        let [board, turn] = self.tables.weight(cell);
        [shrunk(board, by), shrunk(turn, by * self.rates.turn_share)]
    }

    /// Makes up for the shrinking that every cell still owes.
    pub(super) fn settle(&self, now: u32) {
        for part in WeightKind::ALL {
            for cell in self.tables.layout.range(part) {
                let history = self.tables.history(cell);
                if self.tables.weight(cell) != [0.0; 2] && history.touched < now {
                    let weight = self.forgotten(part, cell, history, now);
                    self.tables.set_weight(cell, weight);
                    let touched = now;
                    let squares = history.squares;
                    self.tables.set_history(cell, History { squares, touched });
                }
            }
        }
    }

    /// Holds the sum of the piece values: what all pieces are worth says nothing, only what they are
    /// worth to each other.
    pub(super) fn centre_piece_values(&self) {
        let cells = self.tables.layout.range(WeightKind::PieceValue);
        let count = cells.len() as f32;
        let mean: f32 = cells
            .clone()
            .map(|cell| self.tables.weight(cell)[0])
            .sum::<f32>()
            / count;
        for cell in cells {
            let [board, turn] = self.tables.weight(cell);
            self.tables.set_weight(cell, [board - mean, turn]);
        }
    }

    /// Adds a gradient to the sums of a full batch, which take the place of the histories.
    pub(super) fn accumulate(&self, gradient: &Gradient) {
        for part in WeightKind::ALL {
            for &(cell, slope) in gradient.of(part) {
                let word = self.tables.history_word(cell as usize);
                let added = |word: u64| Some(to_word(plus(from_word(word), slope)));
                // No sum is lost: a batch must not depend on the threads by more than rounding.
                let _ = word.fetch_update(Relaxed, Relaxed, added);
            }
        }
    }

    /// Moves every cell by the sign of the sums of a full batch of `positions`, and forgets them.
    /// The steps shrink with the square root of the number of batches.
    pub(super) fn step_by_sign(&self, batch: u64, positions: u64, rng: &mut fastrand::Rng) {
        let shorter = (batch as f32 + 1.0).sqrt();
        for part in WeightKind::ALL {
            let step = self.rates.first_step(part) / shorter;
            let penalty = match part {
                WeightKind::PieceValue => 0.0,
                _ => self.rates.l1 * positions as f32,
            };
            for cell in self.tables.layout.range(part) {
                let sums = from_word(self.tables.history_word(cell).swap(0, Relaxed));
                let weight = self.tables.weight(cell);
                if sums == [0.0; 2] && weight == [0.0; 2] {
                    continue;
                }
                // Hoki's learner draws 0, 1 or 2, on average 1.
                let length = step * (rng.u32(..4).count_ones() as f32);
                let board = moved_by_sign(weight[0], sums[0], penalty, length);
                let length = length * self.rates.turn_share;
                let turn = if N::HAS_TURN {
                    moved_by_sign(weight[1], sums[1], penalty, length)
                } else {
                    0.0
                };
                self.tables.set_weight(cell, [board, turn]);
            }
        }
    }
}

/// A weight after a step of some length in the direction of a sum, less a penalty towards zero.
fn moved_by_sign(weight: f32, sum: f32, penalty: f32, length: f32) -> f32 {
    let pull = if weight == 0.0 {
        shrunk(sum, penalty)
    } else {
        sum - penalty * weight.signum()
    };
    if pull == 0.0 {
        return weight;
    }
    let moved = weight + length * pull.signum();
    // What only the penalty moves stops at zero.
    if sum.abs() <= penalty && moved * weight < 0.0 {
        0.0
    } else {
        moved
    }
}

fn plus(one: Slope, other: Slope) -> Slope {
    [one[0] + other[0], one[1] + other[1]]
}

fn from_word(word: u64) -> Slope {
    [word as u32, (word >> 32) as u32].map(f32::from_bits)
}

fn to_word([board, turn]: Slope) -> u64 {
    u64::from(turn.to_bits()) << 32 | u64::from(board.to_bits())
}
