//! What an engine says to a GUI.

use super::info::Info;
use super::option::OptionLine;
use super::tokens::Tokens;
use std::fmt;
use tesuji_shogi::Move;

/// One line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Its name.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// What can be set.
    Option(OptionLine),
    /// Nothing more can be set.
    UsiOk,
    /// Everything is loaded.
    ReadyOk,
    /// What it sees.
    Info(Box<Info>),
    /// What it does.
    BestMove(BestMove),
    /// What it found when asked for a mate.
    Checkmate(Checkmate),
    /// Something else, meant for people.
    Text(String),
}

/// What an engine does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// Plays a move, and tells the reply it expects.
    Move {
        /// The move.
        mv: Move,
        /// The reply.
        ponder: Option<Move>,
    },
    /// Gives up.
    Resign,
    /// Declares that its king has entered.
    Win,
}

/// What came of looking for a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// The mating line, both sides' moves.
    Line(Vec<Move>),
    /// There is no mate.
    NoMate,
    /// Nobody knows.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
}

impl Reply {
    /// Reads a line; `None` if it is blank. What is not understood is text.
    ///
    /// ```
    /// use tesuji_usi::{BestMove, Reply};
    /// assert_eq!(Reply::read("bestmove resign\r\n"), Some(Reply::BestMove(BestMove::Resign)));
    /// assert_eq!(Reply::read("hello"), Some(Reply::Text("hello".into())));
    /// assert_eq!(Reply::read("  "), None);
    /// ```
    pub fn read(line: &str) -> Option<Self> {
        let mut tokens = Tokens::new(line);
        let line = tokens.rest();
        let reply = match tokens.next()? {
            "id" => read_id(&mut tokens),
            "option" => OptionLine::read(&mut tokens).map(Self::Option),
            "usiok" => Some(Self::UsiOk),
            "readyok" => Some(Self::ReadyOk),
            "info" => Some(Self::Info(Box::new(Info::read(&mut tokens)))),
            "bestmove" => read_best(&mut tokens).map(Self::BestMove),
            "checkmate" => read_checkmate(&mut tokens).map(Self::Checkmate),
            _ => None,
        };
        Some(reply.unwrap_or_else(|| Self::Text(line.to_owned())))
    }
}

fn read_id(tokens: &mut Tokens<'_>) -> Option<Reply> {
    match tokens.next()? {
        "name" => Some(Reply::Name(tokens.rest().to_owned())),
        "author" => Some(Reply::Author(tokens.rest().to_owned())),
        _ => None,
    }
}

fn read_best(tokens: &mut Tokens<'_>) -> Option<BestMove> {
    match tokens.next()? {
        "resign" => Some(BestMove::Resign),
        "win" => Some(BestMove::Win),
        word => {
            let mv = word.parse().ok()?;
            let ponder = match tokens.next() {
                Some("ponder") => tokens.next().and_then(|word| word.parse().ok()),
                _ => None,
            };
            Some(BestMove::Move { mv, ponder })
        }
    }
}

fn read_checkmate(tokens: &mut Tokens<'_>) -> Option<Checkmate> {
    match tokens.peek() {
        Some("nomate") => Some(Checkmate::NoMate),
        Some("timeout") => Some(Checkmate::Timeout),
        Some("notimplemented") => Some(Checkmate::NotImplemented),
        _ => {
            let moves: Result<Vec<Move>, _> = tokens.map(str::parse).collect();
            moves.ok().map(Checkmate::Line)
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(line) => write!(f, "{line}"),
            Self::UsiOk => write!(f, "usiok"),
            Self::ReadyOk => write!(f, "readyok"),
            Self::Info(info) => write!(f, "{info}"),
            Self::BestMove(best) => write!(f, "{best}"),
            Self::Checkmate(checkmate) => write!(f, "{checkmate}"),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { mv, ponder } => {
                write!(f, "bestmove {mv}")?;
                ponder.iter().try_for_each(|mv| write!(f, " ponder {mv}"))
            }
            Self::Resign => write!(f, "bestmove resign"),
            Self::Win => write!(f, "bestmove win"),
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checkmate")?;
        match self {
            Self::Line(moves) => moves.iter().try_for_each(|mv| write!(f, " {mv}")),
            Self::NoMate => write!(f, " nomate"),
            Self::Timeout => write!(f, " timeout"),
            Self::NotImplemented => write!(f, " notimplemented"),
        }
    }
}
