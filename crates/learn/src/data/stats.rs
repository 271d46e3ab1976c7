//! What a set of positions looks like: values, plies, results, and how values predict results.

use super::record::DataRecord;

/// How many points a column of the histogram of values spans.
pub const SCORE_STEP: i32 = 200;
/// How many columns it has on each side of zero.
const SCORE_COLUMNS: usize = 16;
/// How many plies a column of the histogram of plies spans.
pub const PLY_STEP: usize = 10;
const PLY_COLUMNS: usize = 33;

/// Counts over records.
#[derive(Clone, PartialEq, Debug)]
pub struct DataStats {
    /// How many records.
    pub records: u64,
    /// How many were won, drawn and lost by the side to move.
    pub results: [u64; 3],
    /// Values in columns of [`SCORE_STEP`] from the lowest to the highest.
    pub scores: Vec<u64>,
    /// The points that the side to move got in each column: wins and half of the draws.
    pub points: Vec<f64>,
    /// Plies in columns of [`PLY_STEP`].
    pub plies: Vec<u64>,
    /// The sum and the sum of squares of values within ±3000.
    moments: (f64, f64, u64),
    /// Values and results in fine columns, for the fit.
    fine: Vec<(f64, f64)>,
}

/// The chance of winning as a logistic function of the value: `1 / (1 + exp(-value / scale))`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// The value at which the chance is 73 %.
    pub scale: f64,
    /// The mean of the squared differences between chance and result.
    pub error: f64,
}

impl Default for DataStats {
    fn default() -> Self {
        Self {
            records: 0,
            results: [0; 3],
            scores: vec![0; 2 * SCORE_COLUMNS],
            points: vec![0.0; 2 * SCORE_COLUMNS],
            plies: vec![0; PLY_COLUMNS],
            moments: (0.0, 0.0, 0),
            fine: vec![(0.0, 0.0); FINE],
        }
    }
}

const FINE: usize = 600;
const FINE_STEP: i32 = 10;

impl DataStats {
    /// Counts a record.
    pub fn add(&mut self, record: &DataRecord) {
        // Whoever reads records has seen that there is no other result.
        let result = record.result().clamp(-1, 1);
        let (score, points) = (i32::from(record.score()), f64::from(result + 1) / 2.0);
        self.records += 1;
        self.results[(1 - i32::from(result)) as usize] += 1;
        let column = column(score);
        self.scores[column] += 1;
        self.points[column] += points;
        let ply = usize::from(record.ply()) / PLY_STEP;
        self.plies[ply.min(PLY_COLUMNS - 1)] += 1;
        if score.abs() < 3000 {
            let value = f64::from(score);
            self.moments.0 += value;
            self.moments.1 += value * value;
            self.moments.2 += 1;
            let cell = &mut self.fine[(score.div_euclid(FINE_STEP) + FINE as i32 / 2) as usize];
            cell.0 += 1.0;
            cell.1 += points;
        }
    }

    /// The middle of a column of the histogram of values.
    pub fn score_at(column: usize) -> i32 {
        (column as i32 - SCORE_COLUMNS as i32) * SCORE_STEP + SCORE_STEP / 2
    }

    /// The mean and the standard deviation of values within ±3000.
    pub fn spread(&self) -> (f64, f64) {
        let (sum, squares, count) = self.moments;
        let count = count.max(1) as f64;
        let mean = sum / count;
        (mean, (squares / count - mean * mean).max(0.0).sqrt())
    }

    /// Fits results by values within ±3000 with logistic regression through the origin: the scale of
    /// the greatest likelihood, by Newton's method on its inverse.
    pub fn fit(&self) -> Option<Fit> {
        let mut slope = 1.0 / 600.0;
        for _ in 0..50 {
            let (mut gradient, mut curvature) = (0.0, 0.0);
            for (value, count, points) in self.cells() {
                let chance = 1.0 / (1.0 + (-slope * value).exp());
                gradient += value * (points - count * chance);
                curvature += count * value * value * chance * (1.0 - chance);
            }
            if curvature <= 0.0 {
                return None;
            }
            slope = (slope + gradient / curvature).clamp(1e-6, 1.0);
        }
        let (mut error, mut all) = (0.0, 0.0);
        for (value, count, points) in self.cells() {
            let chance = 1.0 / (1.0 + (-slope * value).exp());
            error += points * (1.0 - chance).powi(2) + (count - points) * chance.powi(2);
            all += count;
        }
        Some(Fit {
            scale: 1.0 / slope,
            error: error / all,
        })
    }

    fn cells(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let middle = |n: usize| f64::from((n as i32 - FINE as i32 / 2) * FINE_STEP + FINE_STEP / 2);
        let cells = self.fine.iter().enumerate();
        cells
            .filter(|(_, cell)| cell.0 > 0.0)
            .map(move |(n, cell)| (middle(n), cell.0, cell.1))
    }
}

fn column(score: i32) -> usize {
    let column = score.div_euclid(SCORE_STEP) + SCORE_COLUMNS as i32;
    column.clamp(0, 2 * SCORE_COLUMNS as i32 - 1) as usize
}
