//! A schedule: who meets whom, with which side, in which order.
//!
//! Everybody meets everybody by the circle method (Kirkman 1850).

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Who has Black.
    pub black: String,
    /// Who has White.
    pub white: String,
}

/// What is wrong with a schedule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// A line is no game.
    #[error("expected two players, Black first, with a space between")]
    Line,
    /// Somebody meets nobody.
    #[error("{0} cannot play against itself")]
    Alone(String),
}

/// Reads a schedule, a game on each line: `black white`. Empty lines and those that begin with `#`
/// are passed over.
///
/// ```
/// let games = tesuji_csa::server::read_schedule("# first day\nann bob\nbob ann\n").unwrap();
/// assert_eq!(games[1].black, "bob");
/// ```
///
/// # Errors
/// The number of the first line that is wrong, and why.
pub fn read_schedule(text: &str) -> Result<Vec<ScheduledGame>, (usize, ScheduleError)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let mut words = line.split_ascii_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some(black), Some(white), None) if black == white => {
                    Err((number, ScheduleError::Alone(black.into())))
                }
                (Some(black), Some(white), None) => Ok(ScheduledGame {
                    black: black.into(),
                    white: white.into(),
                }),
                _ => Err((number, ScheduleError::Line)),
            }
        })
        .collect()
}

/// Everybody against everybody from both sides, by the circle method: one sits, the others go round.
///
/// ```
/// let players = ["ann", "bob", "eve"].map(String::from);
/// let games = tesuji_csa::server::round_robin(&players);
/// assert_eq!(games.len(), 6);
/// ```
pub fn round_robin(players: &[String]) -> Vec<ScheduledGame> {
    // With an odd number, whoever meets the empty seat rests.
    let mut seats: Vec<Option<&String>> = players.iter().map(Some).collect();
    if seats.len() % 2 == 1 {
        seats.push(None);
    }
    let count = seats.len();
    let mut games = Vec::new();
    for leg in 0..2 {
        for round in 0..count.saturating_sub(1) {
            for place in 0..count / 2 {
                let (one, other) = (seats[place], seats[count - 1 - place]);
                let (Some(one), Some(other)) = (one, other) else {
                    continue;
                };
                let (black, white) = match (round + leg) % 2 {
                    0 => (one, other),
                    _ => (other, one),
                };
                games.push(ScheduledGame {
                    black: black.clone(),
                    white: white.clone(),
                });
            }
            seats[1..].rotate_right(1);
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_once_with_each_side() {
        for count in 0..9_usize {
            let players: Vec<_> = (0..count).map(|number| format!("p{number}")).collect();
            let games = round_robin(&players);
            assert_eq!(games.len(), count * count.saturating_sub(1));
            let pairs: HashSet<_> = games.iter().map(|g| (&g.black, &g.white)).collect();
            assert_eq!(pairs.len(), games.len());
        }
    }

    #[test]
    fn wrong_lines_are_numbered() {
        assert_eq!(read_schedule("a b\n\na"), Err((3, ScheduleError::Line)));
        let alone = ScheduleError::Alone("a".into());
        assert_eq!(read_schedule("a a"), Err((1, alone)));
    }
}
