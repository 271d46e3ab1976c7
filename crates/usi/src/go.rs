//! The `go` command: what to think about and when to stop.

use super::tokens::{ParseWarning, Tokens, quoted};
use std::fmt;
use std::time::Duration;
use tesuji_game::{GameClock, TimeControl};
use tesuji_shogi::{ByColor, Color, Move};

/// What the GUI tells about the clocks; what it does not tell is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// What is left to each side (`btime`, `wtime`).
    pub left: ByColor<Option<Duration>>,
    /// What each move adds, this one included (`binc`, `winc`).
    pub increment: ByColor<Option<Duration>>,
    /// What each move may take once nothing is left.
    pub byoyomi: Option<Duration>,
}

impl Times {
    /// The time control of the rest of the game for one side; `None` if nothing was told about it.
    pub fn control(&self, color: Color) -> Option<TimeControl> {
        let told = [self.left[color], self.increment[color], self.byoyomi];
        told.iter().any(Option::is_some).then(|| TimeControl {
            main: self.left[color].unwrap_or_default(),
            increment: self.increment[color].unwrap_or_default(),
            byoyomi: self.byoyomi.unwrap_or_default(),
            ..TimeControl::default()
        })
    }

    /// What a player is told whose turn it is; nothing about sides without a clock.
    pub fn from_clock(clock: &GameClock, turn: Color) -> Self {
        let mut times = Self::default();
        for color in Color::ALL {
            let rest = clock.remaining(color);
            if !clock.control(color).is_unlimited() {
                times.left[color] = Some(rest.main);
                times.increment[color] = Some(rest.increment);
            }
        }
        // Byoyomi and increments do not stand in one line.
        let byoyomi = clock.control(turn).byoyomi;
        let is_zero = |time: &Option<Duration>| time.unwrap_or_default().is_zero();
        if !byoyomi.is_zero() || times.increment.0.iter().all(is_zero) {
            times.byoyomi = Some(byoyomi);
            times.increment = ByColor::default();
        }
        times
    }

    /// Reads what belongs to one word, if it is one about clocks.
    pub(super) fn read(
        &mut self,
        word: &str,
        tokens: &mut Tokens<'_>,
        warnings: &mut Vec<ParseWarning>,
    ) -> bool {
        let place = match word {
            "btime" => &mut self.left[Color::Black],
            "wtime" => &mut self.left[Color::White],
            "binc" => &mut self.increment[Color::Black],
            "winc" => &mut self.increment[Color::White],
            "byoyomi" => &mut self.byoyomi,
            _ => return false,
        };
        *place = tokens.millis(word, warnings).or(*place);
        true
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = [
            ("btime", self.left[Color::Black]),
            ("wtime", self.left[Color::White]),
            ("binc", self.increment[Color::Black]),
            ("winc", self.increment[Color::White]),
            ("byoyomi", self.byoyomi),
        ];
        for (word, time) in told {
            if let Some(time) = time {
                write!(f, " {word} {}", time.as_millis())?;
            }
        }
        Ok(())
    }
}

/// How long to look for a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// Until it is found, refuted, or `stop` comes.
    Infinite,
    /// At most so long.
    Time(Duration),
}

/// What to think about and when to stop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The move before is only guessed: think on the other side's time.
    pub ponder: bool,
    /// The clocks.
    pub times: Times,
    /// Think until `stop`.
    pub infinite: bool,
    /// At most so many iterations.
    pub depth: Option<u32>,
    /// At most so many positions.
    pub nodes: Option<u64>,
    /// Exactly so long.
    pub movetime: Option<Duration>,
    /// A random time between this and three times as much.
    pub rtime: Option<Duration>,
    /// Look for a mate; the answer is `checkmate`.
    pub mate: Option<MateLimit>,
    /// Count the leaves so many plies away.
    pub perft: Option<u32>,
    /// Consider only these moves.
    pub searchmoves: Vec<Move>,
}

impl Go {
    pub(super) fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Self {
        let mut go = Self::default();
        while let Some(word) = tokens.next() {
            if go.times.read(word, tokens, warnings) {
                continue;
            }
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "depth" => go.depth = tokens.number(word, warnings).map(narrow),
                "nodes" => go.nodes = tokens.number(word, warnings),
                "movetime" => go.movetime = tokens.millis(word, warnings),
                "rtime" => go.rtime = tokens.millis(word, warnings),
                "perft" => go.perft = tokens.number(word, warnings).map(narrow),
                "mate" => go.mate = Some(read_mate(tokens)),
                "searchmoves" => go.searchmoves = read_moves(tokens),
                _ => warnings.push(ParseWarning::Word {
                    command: "go",
                    word: quoted(word),
                }),
            }
        }
        go
    }

    /// Whether nothing but `stop` ends the search: said so, or no limit was told.
    pub fn is_endless(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.rtime.is_some()
            || self.mate.is_some()
            || Color::ALL
                .iter()
                .any(|&color| self.times.control(color).is_some());
        self.infinite || !limited
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The limit after `mate`; without one there is none.
fn read_mate(tokens: &mut Tokens<'_>) -> MateLimit {
    match tokens.peek() {
        Some("infinite") => {
            tokens.next();
            MateLimit::Infinite
        }
        Some(word) => super::tokens::number(word).map_or(MateLimit::Infinite, |millis| {
            tokens.next();
            MateLimit::Time(Duration::from_millis(millis))
        }),
        None => MateLimit::Infinite,
    }
}

fn read_moves(tokens: &mut Tokens<'_>) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(mv) = tokens.peek().and_then(|word| word.parse().ok()) {
        tokens.next();
        moves.push(mv);
    }
    moves
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "go")?;
        if self.ponder {
            write!(f, " ponder")?;
        }
        write!(f, "{}", self.times)?;
        if self.infinite {
            write!(f, " infinite")?;
        }
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        let limits = [
            ("depth", self.depth.map(u128::from)),
            ("nodes", self.nodes.map(u128::from)),
            ("movetime", millis(self.movetime)),
            ("rtime", millis(self.rtime)),
            ("perft", self.perft.map(u128::from)),
        ];
        for (word, limit) in limits {
            if let Some(limit) = limit {
                write!(f, " {word} {limit}")?;
            }
        }
        match self.mate {
            None => {}
            Some(MateLimit::Infinite) => write!(f, " mate infinite")?,
            Some(MateLimit::Time(time)) => write!(f, " mate {}", time.as_millis())?,
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves")?;
            self.searchmoves
                .iter()
                .try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_told_what_they_have() {
        let times = |controls: [&str; 2]| {
            let controls = controls.map(|text| text.parse().unwrap_or_default());
            Times::from_clock(&GameClock::new(ByColor(controls)), Color::White).to_string()
        };
        let both = |text| times([text; 2]);
        assert_eq!(both("60+0.5"), " btime 60000 wtime 60000 binc 500 winc 500");
        assert_eq!(both("60b1"), " btime 60000 wtime 60000 byoyomi 1000");
        assert_eq!(both("60"), " btime 60000 wtime 60000 byoyomi 0");
        assert_eq!(times(["", "1+1"]), " wtime 1000 winc 1000");
    }
}
