//! What bounds the thinking of a player: a clock, or so much for every move.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tesuji_game::{GameClock, TimeControl, seconds};
use tesuji_shogi::{ByColor, Color};
use tesuji_usi::Go;

/// What bounds the thinking of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ThinkingLimit {
    /// A clock.
    Clock(TimeControl),
    /// A time for every move.
    MoveTime(Duration),
    /// A number of positions for every move.
    Nodes(u64),
    /// A number of iterations for every move.
    Depth(u32),
}

/// Why a text is no limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no time control: expected 60 (seconds for the game), 60+0.5 (and for each move), 60b10 \
     (and byoyomi), move=0.1 (seconds), nodes=N or depth=N"
)]
pub struct ThinkingLimitError(String);

impl FromStr for ThinkingLimit {
    type Err = ThinkingLimitError;

    fn from_str(text: &str) -> Result<Self, ThinkingLimitError> {
        let limit = match text.split_once('=') {
            Some(("move", time)) => seconds(time)
                .filter(|time| !time.is_zero())
                .map(Self::MoveTime),
            Some(("nodes", nodes)) => nodes.parse().ok().filter(|&it| it > 0).map(Self::Nodes),
            Some(("depth", depth)) => depth.parse().ok().filter(|&it| it > 0).map(Self::Depth),
            Some(_) => None,
            None => text.parse().ok().map(Self::Clock),
        };
        limit.ok_or_else(|| ThinkingLimitError(text.chars().take(40).collect()))
    }
}

impl TryFrom<String> for ThinkingLimit {
    type Error = ThinkingLimitError;

    fn try_from(text: String) -> Result<Self, ThinkingLimitError> {
        text.parse()
    }
}

impl From<ThinkingLimit> for String {
    fn from(limit: ThinkingLimit) -> Self {
        limit.to_string()
    }
}

impl fmt::Display for ThinkingLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(control) => control.fmt(f),
            Self::MoveTime(time) => write!(f, "move={}", time.as_secs_f64()),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl ThinkingLimit {
    /// The clock that watches over it; nobody counts time where positions or iterations count.
    pub fn control(self) -> TimeControl {
        match self {
            Self::Clock(control) => control,
            Self::MoveTime(byoyomi) => TimeControl {
                byoyomi,
                ..TimeControl::default()
            },
            Self::Nodes(_) | Self::Depth(_) => TimeControl::default(),
        }
    }

    /// What a player is told whose turn it is.
    pub fn go(limits: &ByColor<Self>, clock: &GameClock, turn: Color) -> Go {
        let mut go = Go::default();
        match limits[turn] {
            Self::Clock(_) => {
                go.times = tesuji_usi::Times::from_clock(clock, turn);
                for color in Color::ALL {
                    // Of a player without a clock there is nothing to tell.
                    if !matches!(limits[color], Self::Clock(_)) {
                        go.times.left[color] = None;
                        go.times.increment[color] = None;
                    }
                }
            }
            Self::MoveTime(time) => go.movetime = Some(time),
            Self::Nodes(nodes) => go.nodes = Some(nodes),
            Self::Depth(depth) => go.depth = Some(depth),
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> ThinkingLimit {
        text.parse().unwrap()
    }

    #[test]
    fn limits_read_back_and_nonsense_is_refused() {
        for text in [
            "60",
            "60+0.5",
            "0b1",
            "1.5b10",
            "move=0.01",
            "nodes=1000",
            "depth=8",
        ] {
            assert_eq!(limit(text).to_string(), text);
        }
        for text in [
            "", "x", "0", "0+0", "nodes=0", "-5", "1e99", "move=", "60b", "nan", "ply=3",
        ] {
            assert!(text.parse::<ThinkingLimit>().is_err(), "{text}");
        }
    }

    #[test]
    fn players_are_told_what_they_have() {
        let go = |limits: [&str; 2]| {
            let limits = ByColor(limits.map(limit));
            let clock = GameClock::new(ByColor(limits.0.map(ThinkingLimit::control)));
            ThinkingLimit::go(&limits, &clock, Color::White).to_string()
        };
        let both = |text| go([text; 2]);
        assert_eq!(both("60b1"), "go btime 60000 wtime 60000 byoyomi 1000");
        assert_eq!(both("move=0.1"), "go movetime 100");
        assert_eq!(both("nodes=5"), "go nodes 5");
        assert_eq!(go(["nodes=5", "1+1"]), "go wtime 1000 winc 1000");
        assert_eq!(go(["move=1", "1+1"]), "go wtime 1000 winc 1000");
        assert_eq!(go(["move=1", "1"]), "go wtime 1000 byoyomi 0");
    }
}
