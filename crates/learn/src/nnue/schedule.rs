//! The learning rate along the way: a linear warm-up, then half a cosine (Loshchilov and Hutter
//! 2017).

use serde::{Deserialize, Serialize};

/// How the learning rate changes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The highest learning rate, reached after the warm-up.
    pub peak: f32,
    /// The learning rate of the last step.
    pub end: f32,
    /// How many steps the warm-up takes.
    pub warmup: u64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            peak: 1e-3,
            end: 2.4e-6,
            warmup: 100,
        }
    }
}

impl Schedule {
    /// The learning rate of a step, counted from 0, of `total`.
    ///
    /// ```
    /// use tesuji_learn::nnue::Schedule;
    /// let schedule = Schedule { peak: 1.0, end: 0.0, warmup: 10 };
    /// assert_eq!(schedule.rate(4, 110), 0.5);
    /// assert_eq!(schedule.rate(10, 110), 1.0);
    /// assert!(schedule.rate(109, 110) < 0.001);
    /// ```
    pub fn rate(&self, step: u64, total: u64) -> f32 {
        let warmup = self.warmup.min(total / 2);
        if step < warmup {
            return self.peak * (step + 1) as f32 / warmup as f32;
        }
        let done = (step - warmup) as f32 / (total - warmup).max(1) as f32;
        let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
        self.end + (self.peak - self.end) * cosine
    }
}
