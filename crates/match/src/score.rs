//! What results say about strength: score, Elo (Elo 1978), its error, and the likelihood of
//! superiority (LOS).
//!
//! Games come in pairs, one from each side of an opening. The two of a pair are not independent, so
//! errors are computed from pairs (the pentanomial distribution), which makes them smaller.

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

/// An estimate, and how far the truth may be away with 95 % probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The end of the interval below.
    pub low: f64,
    /// The end of the interval above.
    pub high: f64,
    /// Half the interval where it is about even on both sides.
    pub error: f64,
}

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

    /// How much stronger the player is.
    pub fn elo(&self) -> Option<Estimate> {
        let (score, error) = (self.score(), 1.96 * self.error()?);
        Some(Estimate {
            value: elo_of(score),
            low: elo_of(score - error),
            high: elo_of(score + error),
            // What a small step in the score means in Elo.
            error: error * 400.0 / (10f64.ln() * score * (1.0 - score)).max(1e-4),
        })
    }

    /// The likelihood of superiority (LOS): how likely it is that the player is stronger at all.
    pub fn los(&self) -> Option<f64> {
        let error = self.error()?.max(1e-9);
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
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-3,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn elo_and_errors_agree_with_a_table() {
        near(elo_of(0.75), 190.8485);
        near(elo_of(0.5), 0.0);
        near(score_of(100.0), 0.640_065);
        near(normal(0.0), 0.5);
        near(normal(1.96), 0.975_002);
        near(normal(-1.0), 0.158_655);
        // 100 pairs: points 0.5525 per game, variance of a pair's mean 0.055928.
        let stats = MatchStats {
            wins: 88,
            draws: 45,
            losses: 67,
            pairs: [5, 15, 40, 34, 6],
        };
        near(stats.score(), 0.5525);
        near(stats.error().unwrap(), 0.023_649);
        near(stats.elo().unwrap().value, 36.616);
        near(stats.elo().unwrap().error, 32.567);
        near(stats.los().unwrap(), 0.986_789);
    }

    #[test]
    fn a_reversed_tally_says_the_opposite() {
        let mut stats = MatchStats::default();
        for (first, second) in [(2, 2), (2, 1), (1, 0), (2, 0)] {
            stats.add(first);
            stats.add(second);
            stats.add_pair(first, second);
        }
        assert_eq!((stats.wins, stats.draws, stats.losses), (4, 2, 2));
        assert_eq!(stats.pairs, [0, 1, 1, 1, 1]);
        near(
            stats.elo().unwrap().value,
            -stats.reversed().elo().unwrap().value,
        );
        assert_eq!(MatchStats::default().elo(), None);
    }

    #[test]
    fn ratings_find_the_strengths_that_made_the_results() {
        let strengths = [120.0, 0.0, -30.0, -90.0];
        let mut results = Vec::new();
        for one in 0..4 {
            for other in one + 1..4 {
                let expected = score_of(strengths[one] - strengths[other]);
                let wins = (expected * 10_000.0).round() as u64;
                let stats = MatchStats {
                    wins,
                    losses: 10_000 - wins,
                    ..MatchStats::default()
                };
                results.push((one, other, stats));
            }
        }
        for (found, expected) in ratings(4, &results).into_iter().zip(strengths) {
            assert!((found - expected).abs() < 0.5, "{found} {expected}");
        }
        let perfect = MatchStats {
            wins: 10,
            ..MatchStats::default()
        };
        assert!(
            ratings(2, &[(0, 1, perfect)])
                .iter()
                .all(|elo| elo.is_finite())
        );
    }
}
