//! Ratings that are kept from one league to the next, in a text file.
//!
//! Elo, "The Rating of Chessplayers, Past and Present", 1978: the expected score is logistic, 400
//! points are ten to one. New players move twice as fast.

use super::results::ResultLine;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where everybody begins.
const START: f64 = 1500.0;
/// How far a game moves a new player, and one who is known.
const STEP: [f64; 2] = [32.0, 16.0];
/// After how many games a player is known.
const KNOWN: u32 = 30;
/// What the file begins with.
const COLUMNS: &str = "player\trating\tgames";

/// One player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerRating {
    /// In Elo.
    pub elo: f64,
    /// After how many games.
    pub games: u32,
}

impl PlayerRating {
    fn step(&self) -> f64 {
        STEP[usize::from(self.games >= KNOWN)]
    }
}

/// What is wrong with a file of ratings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a player, a rating and a number of games, with tabs between")]
pub struct RatingsError {
    /// Which line.
    pub line: usize,
}

/// Everybody's rating.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ratings {
    players: BTreeMap<String, PlayerRating>,
}

impl Ratings {
    /// Reads a file of ratings.
    ///
    /// ```
    /// use tesuji_csa::server::Ratings;
    /// let ratings = Ratings::read("player\trating\tgames\nann\t1612.5\t20\n").unwrap();
    /// assert_eq!(ratings.of("ann").elo, 1612.5);
    /// assert_eq!(ratings.of("bob").elo, 1500.0);
    /// ```
    ///
    /// # Errors
    /// If a line makes no sense.
    pub fn read(text: &str) -> Result<Self, RatingsError> {
        let player = |line: &str| {
            let mut fields = line.split('\t');
            let (name, elo, games) = (fields.next()?, fields.next()?, fields.next()?);
            let elo: f64 = elo.parse().ok().filter(|elo| f64::abs(*elo) < 1e5)?;
            let rating = PlayerRating {
                elo,
                games: games.parse().ok()?,
            };
            (!name.is_empty() && fields.next().is_none()).then(|| (name.to_owned(), rating))
        };
        let lines = (1..).zip(text.lines());
        let lines = lines.filter(|(_, line)| !line.is_empty() && *line != COLUMNS);
        let players = lines.map(|(line, text)| player(text).ok_or(RatingsError { line }));
        Ok(Self {
            players: players.collect::<Result<_, _>>()?,
        })
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        for (name, rating) in self.ranked() {
            let _ = writeln!(text, "{name}\t{:.1}\t{}", rating.elo, rating.games);
        }
        text
    }

    /// A player's rating.
    pub fn of(&self, name: &str) -> PlayerRating {
        let new = PlayerRating {
            elo: START,
            games: 0,
        };
        self.players.get(name).copied().unwrap_or(new)
    }

    /// Everybody, the best first.
    pub fn ranked(&self) -> Vec<(&str, PlayerRating)> {
        let mut rows: Vec<_> = self
            .players
            .iter()
            .map(|(name, &rating)| (name.as_str(), rating))
            .collect();
        rows.sort_by(|one, other| other.1.elo.total_cmp(&one.1.elo));
        rows
    }

    /// Counts a game; one that nobody finished counts for nobody.
    pub fn add(&mut self, result: &ResultLine) {
        let score = match result.winner {
            "black" => 1.0,
            "white" => 0.0,
            "draw" => 0.5,
            _ => return,
        };
        let [mut black, mut white] = [&result.black, &result.white].map(|name| self.of(name));
        let expected = 1.0 / (1.0 + 10_f64.powf((white.elo - black.elo) / 400.0));
        let surprise = score - expected;
        let steps = [black.step(), white.step()];
        black.elo += steps[0] * surprise;
        white.elo -= steps[1] * surprise;
        for (name, mut rating) in [(&result.black, black), (&result.white, white)] {
            rating.games += 1;
            self.players.insert(name.clone(), rating);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_rise_as_much_as_losers_fall_and_files_come_back() {
        let result = |winner| ResultLine {
            time: String::new(),
            id: String::new(),
            black: "ann".into(),
            white: "bob".into(),
            winner,
            reason: "RESIGN",
            plies: 1,
            record: String::new(),
        };
        let mut ratings = Ratings::default();
        ratings.add(&result("black"));
        assert_eq!(
            (ratings.of("ann").elo, ratings.of("bob").elo),
            (1516.0, 1484.0)
        );
        ratings.add(&result("none"));
        assert_eq!(ratings.of("ann").games, 1);
        ratings.add(&result("draw"));
        assert!(ratings.of("ann").elo < 1516.0);
        for _ in 0..40 {
            ratings.add(&result("white"));
        }
        assert_eq!(ratings.ranked()[0].0, "bob");
        let text = ratings.write();
        let back = Ratings::read(&text).unwrap();
        assert_eq!(back.write(), text);
        assert_eq!(Ratings::read("ann\tmuch\t1\n").unwrap_err().line, 1);
    }
}
