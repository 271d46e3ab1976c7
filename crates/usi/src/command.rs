//! What a GUI says to an engine.

use super::go::{Go, Times};
use super::tokens::{ParseWarning, Tokens, quoted};
use std::fmt;
use tesuji_shogi::Move;

/// One line from a GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Who are you, and what can be set?
    Usi,
    /// Load everything and say when it is done.
    IsReady,
    /// Sets an option; a button has no value.
    SetOption {
        /// Which.
        name: String,
        /// To what.
        value: Option<String>,
    },
    /// A game begins.
    NewGame,
    /// The position to think about, with its past.
    Position {
        /// Where the game began.
        start: InitialPosition,
        /// The moves since then, up to the first word that is no move.
        moves: Vec<Move>,
    },
    /// Think.
    Go(Box<Go>),
    /// Answer now.
    Stop,
    /// The guessed move was played; the clocks may be told anew.
    PonderHit(Times),
    /// The game is over.
    GameOver(Option<GameOverResult>),
    /// Leave.
    Quit,
    /// Show the position.
    Show,
    /// List the legal moves.
    Moves,
    /// What the evaluation says of the position.
    Eval,
    /// The key of the position.
    Key,
    /// Search fixed positions, to the depth given.
    Bench(Option<u32>),
    /// What an option is set to; all of them without a name.
    GetOption(Option<String>),
    /// Obey the lines of a file.
    Run(String),
    /// None of these: perhaps the name of an option and its value.
    Other(String),
}

/// Where a game began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitialPosition {
    /// The usual start.
    Even,
    /// A position; the text may be none that can be read.
    Sfen(String),
}

/// How a game ended for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOverResult {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
}

/// A line that was read: what it means, and what in it could not be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedLine {
    /// What it means; `None` for a blank line or one without sense.
    pub command: Option<Command>,
    /// What could not be understood.
    pub warnings: Vec<ParseWarning>,
}

impl Command {
    /// Reads a line.
    ///
    /// ```
    /// use tesuji_usi::Command;
    /// let parsed = Command::read("go btime 1000 wtime x byoyomi 10\r\n");
    /// assert_eq!(parsed.command.unwrap().to_string(), "go btime 1000 byoyomi 10");
    /// assert_eq!(parsed.warnings[0].to_string(), "wtime needs a number, found \"x\"");
    /// ```
    pub fn read(line: &str) -> ParsedLine {
        let mut warnings = Vec::new();
        let command = read(&mut Tokens::new(line), &mut warnings);
        ParsedLine { command, warnings }
    }
}

fn read(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Command> {
    let line = tokens.rest();
    Some(match tokens.next()? {
        "usi" => Command::Usi,
        "isready" => Command::IsReady,
        "usinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "quit" | "exit" => Command::Quit,
        "d" => Command::Show,
        "moves" => Command::Moves,
        "eval" => Command::Eval,
        "key" => Command::Key,
        "setoption" => return read_option(tokens, warnings),
        "position" => return read_position(tokens, warnings),
        "go" => Command::Go(Box::new(Go::read(tokens, warnings))),
        "ponderhit" => Command::PonderHit(read_times(tokens, warnings)),
        "gameover" => Command::GameOver(read_result(tokens, warnings)),
        "bench" => Command::Bench(match tokens.peek() {
            Some(_) => tokens
                .number("bench", warnings)
                .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            None => None,
        }),
        "getoption" => Command::GetOption(Some(tokens.rest().to_owned()).filter(|s| !s.is_empty())),
        "f" if !tokens.rest().is_empty() => Command::Run(tokens.rest().to_owned()),
        _ => Command::Other(line.to_owned()),
    })
}

fn read_option(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Command> {
    if tokens.next() != Some("name") {
        warnings.push(ParseWarning::Missing(
            "setoption needs `name NAME [value VALUE]`",
        ));
        return None;
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while let Some(word) = tokens.next() {
        if word == "value" && !name.is_empty() {
            value = Some(tokens.rest().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        warnings.push(ParseWarning::Missing("setoption names no option"));
        return None;
    }
    Some(Command::SetOption {
        name: name.join(" "),
        value,
    })
}

fn read_position(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Option<Command> {
    let mut start: Vec<&str> = Vec::new();
    let mut has_moves = false;
    for word in tokens.by_ref() {
        if word == "moves" {
            has_moves = true;
            break;
        }
        start.push(word);
    }
    let start = match start.as_slice() {
        [] => {
            warnings.push(ParseWarning::Missing(
                "position needs `startpos` or `sfen …`",
            ));
            return None;
        }
        ["startpos"] => InitialPosition::Even,
        ["startpos", word, ..] => {
            warnings.push(ParseWarning::Word {
                command: "position startpos",
                word: quoted(word),
            });
            return None;
        }
        ["sfen", fields @ ..] | fields => InitialPosition::Sfen(fields.join(" ")),
    };
    let mut moves = Vec::new();
    if has_moves {
        for word in tokens {
            match word.parse() {
                Ok(mv) => moves.push(mv),
                Err(_) => {
                    warnings.push(ParseWarning::Move(quoted(word)));
                    break;
                }
            }
        }
    }
    Some(Command::Position { start, moves })
}

fn read_times(tokens: &mut Tokens<'_>, warnings: &mut Vec<ParseWarning>) -> Times {
    let mut times = Times::default();
    while let Some(word) = tokens.next() {
        if !times.read(word, tokens, warnings) {
            warnings.push(ParseWarning::Word {
                command: "ponderhit",
                word: quoted(word),
            });
        }
    }
    times
}

fn read_result(
    tokens: &mut Tokens<'_>,
    warnings: &mut Vec<ParseWarning>,
) -> Option<GameOverResult> {
    match tokens.next()? {
        "win" => Some(GameOverResult::Win),
        "lose" => Some(GameOverResult::Lose),
        "draw" => Some(GameOverResult::Draw),
        word => {
            warnings.push(ParseWarning::Word {
                command: "gameover",
                word: quoted(word),
            });
            None
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usi => write!(f, "usi"),
            Self::IsReady => write!(f, "isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption {
                name,
                value: Some(value),
            } => write!(f, "setoption name {name} value {value}"),
            Self::NewGame => write!(f, "usinewgame"),
            Self::Position { start, moves } => {
                match start {
                    InitialPosition::Even => write!(f, "position startpos")?,
                    InitialPosition::Sfen(sfen) => write!(f, "position sfen {sfen}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Self::Go(go) => write!(f, "{go}"),
            Self::Stop => write!(f, "stop"),
            Self::PonderHit(times) => write!(f, "ponderhit{times}"),
            Self::GameOver(None) => write!(f, "gameover"),
            Self::GameOver(Some(GameOverResult::Win)) => write!(f, "gameover win"),
            Self::GameOver(Some(GameOverResult::Lose)) => write!(f, "gameover lose"),
            Self::GameOver(Some(GameOverResult::Draw)) => write!(f, "gameover draw"),
            Self::Quit => write!(f, "quit"),
            Self::Show => write!(f, "d"),
            Self::Moves => write!(f, "moves"),
            Self::Eval => write!(f, "eval"),
            Self::Key => write!(f, "key"),
            Self::Bench(None) => write!(f, "bench"),
            Self::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Self::GetOption(None) => write!(f, "getoption"),
            Self::GetOption(Some(name)) => write!(f, "getoption {name}"),
            Self::Run(path) => write!(f, "f {path}"),
            Self::Other(line) => write!(f, "{line}"),
        }
    }
}
