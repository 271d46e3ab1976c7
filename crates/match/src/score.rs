//! What results say about strength: score, Elo (Elo 1978), its error, and the likelihood of
//! superiority (LOS).
//!
//! Games come in pairs, one from each side of an opening. The two of a pair are not independent, so
//! errors are computed from pairs (the pentanomial distribution), which makes them smaller. Pairs
//! are counted as in fishtest; the normal distribution is that of Abramowitz and Stegun (1964).

use std::fmt;

/// Wins, draws, losses and pairs of one player against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchStats {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games by their points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

/// An estimate, and how far the truth may be away with 95 % probability. Where a player won or lost
/// everything, value and one end are infinite: only the other end is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The end of the interval below.
    pub low: f64,
    /// The end of the interval above.
    pub high: f64,
    /// How far the truth may be away, on the side where it may be farther.
    pub error: f64,
}

/// `+12.3 ± 20.1`, or `below -407.2` where nothing was won.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            value,
            low,
            high,
            error,
        } = self;
        if value.is_finite() {
            write!(f, "{value:+.1} ± {error:.1}")
        } else if low.is_finite() {
            write!(f, "above {low:+.1}")
        } else {
            write!(f, "below {high:+.1}")
        }
    }
}

/// How many standard errors hold 95 % of a normal distribution, half on each side.
const Z: f64 = 1.96;

/// The points of one player in one game, doubled: 0, 1 or 2.
pub type HalfPoints = u8;

impl MatchStats {
    /// Adds a game.
    pub fn add(&mut self, points: HalfPoints) {
        match points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a pair whose games were added before.
    pub fn add_pair(&mut self, first: HalfPoints, second: HalfPoints) {
        self.pairs[usize::from(first + second).min(4)] += 1;
    }

    /// The same results seen by the other player.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs,
        }
    }

    /// Adds other results.
    pub fn join(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, more) in self.pairs.iter_mut().zip(other.pairs) {
            *sum += more;
        }
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game; a half if there were no games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// The standard error of the score, from pairs where there are any.
    pub fn error(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        let counts: Vec<(f64, f64)> = if pairs > 0 {
            let points = [0.0, 0.25, 0.5, 0.75, 1.0];
            points
                .into_iter()
                .zip(self.pairs.map(|n| n as f64))
                .collect()
        } else {
            let counts = [self.losses, self.draws, self.wins];
            [0.0, 0.5, 1.0]
                .into_iter()
                .zip(counts.map(|n| n as f64))
                .collect()
        };
        let all: f64 = counts.iter().map(|(_, count)| count).sum();
        if all < 2.0 {
            return None;
        }
        let mean = counts
            .iter()
            .map(|(points, count)| points * count)
            .sum::<f64>()
            / all;
        let square = |(points, count): &(f64, f64)| (points - mean).powi(2) * count;
        let variance = counts.iter().map(square).sum::<f64>() / (all - 1.0);
        Some((variance / all).sqrt())
    }

    /// The interval of the score that holds the truth with 95 % probability (Wilson 1927). It is right
    /// for few games and one-sided scores as well, where a normal distribution around the score says
    /// that nothing else is possible.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (score, error) = (self.score(), self.error()?);
        // As many games as would have this error if they were independent and never drawn.
        let games = match score * (1.0 - score) / (error * error) {
            games if error > 0.0 && games > 0.0 => games,
            _ => self.games() as f64,
        };
        let square = Z * Z / games;
        let middle = (score + square / 2.0) / (1.0 + square);
        let half = (score * (1.0 - score) * square + square * square / 4.0).sqrt() / (1.0 + square);
        Some((middle - half, middle + half))
    }

    /// How much stronger the player is.
    pub fn elo(&self) -> Option<Estimate> {
        let (low, high) = self.interval()?;
        let infinite = |score: f64| match score {
            score if score < 1e-9 => f64::NEG_INFINITY,
            score if score > 1.0 - 1e-9 => f64::INFINITY,
            score => elo_of(score),
        };
        let [value, low, high] = [self.score(), low, high].map(infinite);
        Some(Estimate {
            value,
            low,
            high,
            error: match value.is_finite() {
                true => (high - value).max(value - low),
                false => f64::INFINITY,
            },
        })
    }

    /// The likelihood of superiority (LOS): how likely it is that the player is stronger at all.
    pub fn los(&self) -> Option<f64> {
        let (low, high) = self.interval()?;
        // Where every game ended alike the interval says what the spread of the games cannot.
        let error = self.error()?.max((high - low) / 4.0 / Z);
        Some(normal((self.score() - 0.5) / error))
    }
}

/// The difference in Elo that lets one expect a score.
pub fn elo_of(score: f64) -> f64 {
    let score = score.clamp(1e-4, 1.0 - 1e-4);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that a difference in Elo lets one expect.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the normal distribution (Abramowitz and Stegun 1964, 26.2.17).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ];
    let sum = polynomial
        .iter()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Ratings of many players from the results between them (Bradley and Terry 1952), the average
/// being 0. A draw is half a win.
pub fn ratings(players: usize, results: &[(usize, usize, MatchStats)]) -> Vec<f64> {
    let mut strengths = vec![1.0f64; players];
    // Half a draw with an average player keeps those finite who won or lost everything.
    const PRIOR: f64 = 0.5;
    for _ in 0..2000 {
        let mut points = vec![PRIOR / 2.0; players];
        let mut shares = strengths
            .iter()
            .map(|s| PRIOR / (s + 1.0))
            .collect::<Vec<_>>();
        for &(one, other, stats) in results {
            let games = stats.games() as f64;
            points[one] += games * stats.score();
            points[other] += games * (1.0 - stats.score());
            let share = games / (strengths[one] + strengths[other]);
            shares[one] += share;
            shares[other] += share;
        }
        for ((strength, points), share) in strengths.iter_mut().zip(points).zip(shares) {
            *strength = (points / share).clamp(1e-9, 1e9);
        }
    }
    let elo: Vec<f64> = strengths.iter().map(|s| 400.0 * s.log10()).collect();
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests;
