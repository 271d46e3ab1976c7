//! Game names as shogi-server has them: clients that want the same game log in with the same name.
//!
//! `floodgate-300-10F` is five minutes and ten seconds more for every move, `league-60-5` a minute
//! and then five seconds for every move, `league-600-060` ten minutes of which only whole ones are
//! counted. The name stands in the password, a secret behind a comma.

use super::times::NO_TIME;
use std::fmt;
use std::time::Duration;
use tesuji_game::TimeControl;
use tesuji_shogi::Color;

/// A game that clients wait for, with its clock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameName {
    text: String,
    total: u32,
    second: u32,
    kind: ClockKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum ClockKind {
    Byoyomi,
    Fischer,
    /// A stop-watch: of every move only whole spans of so many seconds are counted.
    StopWatch,
}

/// Why a text is no game name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no game name: expected NAME-SECONDS-SECONDS or NAME-SECONDS-SECONDSF")]
pub struct GameNameError(String);

impl GameName {
    /// Reads a name, without what may follow it in a password.
    ///
    /// # Errors
    /// If it has no clock, or strange letters.
    pub fn read(text: &str) -> Result<Self, GameNameError> {
        Self::parse(text).ok_or_else(|| GameNameError(text.chars().take(40).collect()))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.rsplitn(3, '-');
        let (second, total, id) = (parts.next()?, parts.next()?, parts.next()?);
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-@.".contains(&byte);
        if id.is_empty() || text.len() > 64 || !text.bytes().all(is_letter) {
            return None;
        }
        let digits = second.strip_suffix('F').unwrap_or(second);
        let is_number =
            |text: &str| (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(digits) || !is_number(total) {
            return None;
        }
        let kind = match () {
            () if second.ends_with('F') => ClockKind::Fischer,
            () if digits.len() > 1 && digits.starts_with('0') => ClockKind::StopWatch,
            () => ClockKind::Byoyomi,
        };
        Some(Self {
            text: text.into(),
            total: total.parse().ok()?,
            second: digits.parse().ok()?,
            kind,
        })
    }

    /// What a password asks for: the game, the side, and what is left to prove who one is.
    ///
    /// ```
    /// use tesuji_csa::GameName;
    /// use tesuji_shogi::Color;
    /// let (name, side, trip) = GameName::of_password("league-60-5F-W,secret").unwrap();
    /// assert_eq!((name.to_string().as_str(), side, trip), ("league-60-5F", Some(Color::White), "secret"));
    /// ```
    ///
    /// # Errors
    /// If it names no game.
    pub fn of_password(password: &str) -> Result<(Self, Option<Color>, &str), GameNameError> {
        let (name, trip) = password.split_once(',').unwrap_or((password, ""));
        let (name, side) = match (name.strip_suffix("-B"), name.strip_suffix("-W")) {
            (Some(name), _) => (name, Some(Color::Black)),
            (_, Some(name)) => (name, Some(Color::White)),
            _ => (name, None),
        };
        // What is no name may be a secret: an error must not repeat it.
        let name = Self::read(name).map_err(|_| GameNameError("***".into()))?;
        Ok((name, side, trip))
    }

    /// The clock of a game with a stop-watch whose summary has these numbers. It is written in
    /// seconds by shogi-server, though the summary says minutes.
    pub(super) fn stop_watch(id: &str, total: Duration, byoyomi: Duration) -> Option<TimeControl> {
        let names = id.split('+').filter_map(Self::parse);
        let is_it = |name: &Self| {
            let numbers =
                [name.total, name.second].map(|seconds| Duration::from_secs(seconds.into()));
            name.kind == ClockKind::StopWatch && numbers == [total, byoyomi]
        };
        names.filter(is_it).map(|name| name.control()).next()
    }

    /// The clock that it stands for.
    pub fn control(&self) -> TimeControl {
        let second = Duration::from_secs(self.second.into());
        let control = TimeControl {
            main: Duration::from_secs(self.total.into()),
            ..NO_TIME
        };
        match self.kind {
            ClockKind::Byoyomi => TimeControl {
                byoyomi: second,
                ..control
            },
            ClockKind::Fischer => TimeControl {
                increment: second,
                ..control
            },
            ClockKind::StopWatch => TimeControl {
                unit: second.max(Duration::from_secs(1)),
                ..control
            },
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
