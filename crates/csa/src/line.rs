//! What servers and clients say, line by line, read and written.
//!
//! No line is too strange to be read: what is not understood is kept as text.

use super::end::{ClientResult, CsaEndReason};
use super::secret::Secret;
use std::fmt;
use std::time::Duration;
use tesuji_record::csa::{read_seconds, write_seconds};

/// What a player may do besides moving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecialMove {
    /// `%TORYO`: gives up.
    Resign,
    /// `%KACHI`: declares that the king has entered.
    Declare,
    /// `%CHUDAN`: wants the game to be stopped.
    Abort,
}

impl SpecialMove {
    const ALL: [Self; 3] = [Self::Resign, Self::Declare, Self::Abort];

    /// The word, with its per cent sign.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resign => "%TORYO",
            Self::Declare => "%KACHI",
            Self::Abort => "%CHUDAN",
        }
    }

    fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|special| special.word() == word)
    }
}

/// One line from a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientLine {
    /// Nothing, to keep the connection alive.
    Blank,
    /// Who it is.
    Login {
        /// Its name.
        name: String,
        /// What shows that it is the one; on shogi-server also the game it wants.
        password: Secret,
    },
    /// It leaves.
    Logout,
    /// It wants to play the game.
    Agree(Option<String>),
    /// It does not.
    Reject(Option<String>),
    /// A move as `+7776FU`, perhaps none that can be played.
    Move {
        /// The move.
        mv: String,
        /// What stands behind `,'`.
        comment: Option<String>,
    },
    /// Something other than a move.
    SpecialMove(SpecialMove),
    /// Anything else.
    Other(String),
}

impl ClientLine {
    /// Reads a line without its end.
    ///
    /// ```
    /// use tesuji_csa::{ClientLine, SpecialMove};
    /// assert_eq!(ClientLine::read("%TORYO\r"), ClientLine::SpecialMove(SpecialMove::Resign));
    /// assert_eq!(ClientLine::read("AGREE 1"), ClientLine::Agree(Some("1".into())));
    /// ```
    pub fn read(line: &str) -> Self {
        let line = line.trim_end();
        let mut words = line.split_ascii_whitespace();
        let rest = || {
            let rest = line.split_once(' ').map_or("", |(_, rest)| rest.trim());
            Some(rest.to_owned()).filter(|rest| !rest.is_empty())
        };
        match words.next() {
            None => Self::Blank,
            Some("LOGIN") => match (words.next(), words.next(), words.next()) {
                (Some(name), Some(password), None) => Self::Login {
                    name: name.into(),
                    password: Secret::new(password),
                },
                _ => Self::Other("LOGIN".into()),
            },
            Some("LOGOUT") => Self::Logout,
            Some("AGREE") => Self::Agree(rest()),
            Some("REJECT") => Self::Reject(rest()),
            Some(word) if word.starts_with(['+', '-']) => {
                let (mv, comment) = match line.split_once(",'") {
                    Some((mv, comment)) => (mv, Some(comment.into())),
                    None => (line, None),
                };
                Self::Move {
                    mv: mv.into(),
                    comment,
                }
            }
            Some(word) => match SpecialMove::read(word.split(',').next().unwrap_or(word)) {
                Some(special) => Self::SpecialMove(special),
                None => Self::Other(line.into()),
            },
        }
    }

    /// The line as it goes to the server; everybody else sees [`Display`](fmt::Display), which
    /// hides the password.
    pub fn to_wire(&self) -> String {
        match self {
            Self::Login { name, password } => format!("LOGIN {name} {}", password.reveal()),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for ClientLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, word: &str, id: &Option<String>| match id {
            Some(id) => write!(f, "{word} {id}"),
            None => f.write_str(word),
        };
        match self {
            Self::Blank => Ok(()),
            Self::Login { name, password } => write!(f, "LOGIN {name} {password}"),
            Self::Logout => f.write_str("LOGOUT"),
            Self::Agree(id) => with(f, "AGREE", id),
            Self::Reject(id) => with(f, "REJECT", id),
            // A space before the comma would make the move illegal.
            Self::Move { mv, comment } => match comment {
                Some(comment) => write!(f, "{mv},'{comment}"),
                None => f.write_str(mv),
            },
            Self::SpecialMove(special) => f.write_str(special.word()),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// One line from a server, outside a game summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerLine {
    /// Nothing.
    Blank,
    /// The client is known under this name.
    LoginOk(String),
    /// It is not.
    LoginIncorrect,
    /// The client has left.
    LogoutCompleted,
    /// `BEGIN Game_Summary`: a game is offered.
    Offer,
    /// Both agreed: the clock runs.
    Start(String),
    /// Somebody does not want to play.
    Reject {
        /// Which game.
        id: String,
        /// Who.
        by: String,
    },
    /// A move was made.
    Move {
        /// As `+7776FU`.
        mv: String,
        /// What it cost.
        time: Option<Duration>,
    },
    /// Somebody did something other than moving.
    SpecialMove {
        /// What.
        what: SpecialMove,
        /// What it cost.
        time: Option<Duration>,
    },
    /// Why the game is over.
    EndReason(CsaEndReason),
    /// What that means for the one who is told.
    ClientResult(ClientResult),
    /// Anything else.
    Other(String),
}

impl ServerLine {
    /// Reads a line without its end.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_csa::ServerLine;
    /// let time = Some(Duration::from_secs(12));
    /// let expected = ServerLine::Move { mv: "+7776FU".into(), time };
    /// assert_eq!(ServerLine::read("+7776FU,T12\r"), expected);
    /// ```
    pub fn read(line: &str) -> Self {
        let line = line.trim_end();
        let other = || Self::Other(line.into());
        if line.is_empty() {
            return Self::Blank;
        }
        if let Some(login) = line.strip_prefix("LOGIN:") {
            return match login.strip_suffix(" OK") {
                Some(name) => Self::LoginOk(name.into()),
                None if login == "incorrect" => Self::LoginIncorrect,
                None => other(),
            };
        }
        if let Some(id) = line.strip_prefix("START:") {
            return Self::Start(id.into());
        }
        if let Some(reject) = line.strip_prefix("REJECT:") {
            let (id, by) = reject.split_once(" by ").unwrap_or((reject, ""));
            return Self::Reject {
                id: id.into(),
                by: by.into(),
            };
        }
        match line {
            "LOGOUT:completed" => return Self::LogoutCompleted,
            "BEGIN Game_Summary" => return Self::Offer,
            _ => {}
        }
        let (word, time) = match line.split_once(",T") {
            Some((word, time)) => (word, read_seconds(time)),
            None => (line, None),
        };
        match word.as_bytes().first() {
            Some(b'+' | b'-') => Self::Move {
                mv: word.into(),
                time,
            },
            Some(b'%') => match SpecialMove::read(word) {
                Some(what) => Self::SpecialMove { what, time },
                None => other(),
            },
            Some(b'#') => {
                let share = ClientResult::read(word).map(Self::ClientResult);
                share
                    .or_else(|| CsaEndReason::read(word).map(Self::EndReason))
                    .unwrap_or_else(other)
            }
            _ => other(),
        }
    }
}

impl fmt::Display for ServerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timed = |f: &mut fmt::Formatter<'_>, word: &str, time: Option<Duration>| match time {
            Some(time) => write!(f, "{word},T{}", write_seconds(time)),
            None => f.write_str(word),
        };
        match self {
            Self::Blank => Ok(()),
            Self::LoginOk(name) => write!(f, "LOGIN:{name} OK"),
            Self::LoginIncorrect => f.write_str("LOGIN:incorrect"),
            Self::LogoutCompleted => f.write_str("LOGOUT:completed"),
            Self::Offer => f.write_str("BEGIN Game_Summary"),
            Self::Start(id) => write!(f, "START:{id}"),
            Self::Reject { id, by } if by.is_empty() => write!(f, "REJECT:{id}"),
            Self::Reject { id, by } => write!(f, "REJECT:{id} by {by}"),
            Self::Move { mv, time } => timed(f, mv, *time),
            Self::SpecialMove { what, time } => timed(f, what.word(), *time),
            Self::EndReason(reason) => f.write_str(reason.word()),
            Self::ClientResult(share) => f.write_str(share.word()),
            Self::Other(text) => f.write_str(text),
        }
    }
}
