//! Players and openings as people write them.

use crate::limit::{ThinkingLimit, ThinkingLimitError};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tesuji_eval::EvalSpec;
use tesuji_shogi::Position;
use tesuji_usi::process::EngineLaunch;
use tesuji_usi::{Command, InitialPosition};

/// A player as it is written: `PROGRAM [ARGUMENT…] [name=…] [dir=…] [tc=…] [option.NAME=VALUE…]`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerSpec {
    /// The program, or the name of a built-in evaluation, and arguments.
    pub command: Vec<String>,
    /// What it is called.
    pub name: Option<String>,
    /// Where it runs.
    pub folder: Option<String>,
    /// How long it may think, if not as long as the others.
    pub limit: Option<ThinkingLimit>,
    /// What is set.
    pub options: Vec<(String, String)>,
}

/// What is wrong with a player or an opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerSpecError {
    /// A quotation does not end.
    #[error("a quotation mark is missing in {0:?}")]
    Quotation(String),
    /// Nothing to start.
    #[error("{0:?} names no program")]
    Program(String),
    /// The time control makes no sense.
    #[error(transparent)]
    Limit(#[from] ThinkingLimitError),
    /// It is no position.
    #[error("this is no opening: {0}")]
    Opening(String),
}

impl std::str::FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    /// ```
    /// use tesuji_match::player_spec::PlayerSpec;
    /// let spec: PlayerSpec = "./engine -q name='my engine' option.Threads=2 tc=nodes=500".parse()?;
    /// assert_eq!(spec.command, ["./engine", "-q"]);
    /// assert_eq!(spec.name.as_deref(), Some("my engine"));
    /// assert_eq!(spec.options, [("Threads".into(), "2".into())]);
    /// # Ok::<(), tesuji_match::player_spec::PlayerSpecError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, PlayerSpecError> {
        let mut spec = Self::default();
        for word in words(text)? {
            match word.split_once('=') {
                Some(("name", name)) => spec.name = Some(name.into()),
                Some(("dir", folder)) => spec.folder = Some(folder.into()),
                Some(("tc", limit)) => spec.limit = Some(limit.parse()?),
                Some((key, value)) if key.starts_with("option.") => {
                    spec.options
                        .push((key["option.".len()..].into(), value.into()));
                }
                _ => spec.command.push(word),
            }
        }
        if spec.command.is_empty() {
            return Err(PlayerSpecError::Program(text.chars().take(60).collect()));
        }
        Ok(spec)
    }
}

impl PlayerSpec {
    /// The evaluation that is named, if it is not a program.
    pub fn built_in(&self) -> Option<EvalSpec> {
        let [word] = self.command.as_slice() else {
            return None;
        };
        let is_name = matches!(word.as_str(), "builtin" | "material" | "relation")
            || word
                .split_once(':')
                .is_some_and(|(kind, _)| ["nnue", "kppt", "bonanza", "kp", "pp"].contains(&kind));
        word.parse().ok().filter(|_| is_name)
    }

    /// How to start the player and what to call it; an evaluation of this program is played by
    /// `own`, the program itself.
    pub fn launch(&self, own: &Path, patience: Duration) -> (String, EngineLaunch) {
        let mut options = self.options.clone();
        let mut command = self.command.clone();
        let mut name = self.name.clone();
        if let Some(spec) = self.built_in() {
            name = name.or_else(|| command.first().cloned());
            options.push(("EvalFile".into(), spec.to_string()));
            // Matches compare searches; whoever wants a book names it.
            let names_book =
                |(name, _): &(String, String)| name == "BookFile" || name == "USI_OwnBook";
            if !options.iter().any(names_book) {
                options.push(("USI_OwnBook".into(), "false".into()));
            }
            command = vec![own.to_string_lossy().into_owned(), "usi".into()];
        }
        let program = command.first().and_then(|word| Path::new(word).file_stem());
        let program = program.map(|stem| stem.to_string_lossy().into_owned());
        let launch = EngineLaunch {
            command,
            folder: self.folder.clone(),
            options,
            suggestions: Vec::new(),
            patience,
        };
        (name.or(program).unwrap_or_else(|| "player".into()), launch)
    }
}

/// The words of a line; quotation marks of either kind hold words together.
fn words(text: &str) -> Result<Vec<String>, PlayerSpecError> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(mark), _) if c == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(PlayerSpecError::Quotation(text.chars().take(60).collect()));
    }
    words.extend(word);
    Ok(words)
}

/// Reads an opening: `startpos`, an SFEN with or without the word `sfen`, with or without moves.
/// `None` for a blank line or a comment.
///
/// # Errors
/// If the position or a move makes no sense.
pub fn opening(line: &str) -> Result<Option<Position>, PlayerSpecError> {
    let line = line.trim().trim_start_matches('\u{feff}');
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let line = line.strip_prefix("position ").unwrap_or(line);
    let failed = |why: &dyn std::fmt::Display| PlayerSpecError::Opening(why.to_string());
    let parsed = Command::read(&format!("position {line}"));
    if let Some(warning) = parsed.warnings.first() {
        return Err(failed(warning));
    }
    let Some(Command::Position { start, moves }) = parsed.command else {
        return Err(failed(&"expected startpos or an SFEN"));
    };
    let mut pos = match start {
        InitialPosition::Even => Position::start(),
        InitialPosition::Sfen(sfen) => {
            Position::from_sfen(&sfen).map_err(|error| failed(&error))?
        }
    };
    for mv in moves {
        if pos.try_play(mv).is_err() {
            return Err(failed(&format!("{mv} is illegal")));
        }
    }
    // A game begins here: what was before does not count.
    let fresh = Position::from_sfen(&pos.to_sfen()).map_err(|error| failed(&error))?;
    Ok(Some(fresh))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_with_quotations() {
        let spec: PlayerSpec = "'/my engines/a b' --opt=1 \"name=x y\" option.Eval_Dir='' dir=/tmp"
            .parse()
            .unwrap();
        assert_eq!(spec.command, ["/my engines/a b", "--opt=1"]);
        assert_eq!(spec.name.as_deref(), Some("x y"));
        assert_eq!(spec.options, [("Eval_Dir".into(), String::new())]);
        assert_eq!(spec.folder.as_deref(), Some("/tmp"));
        assert!("name=x".parse::<PlayerSpec>().is_err());
        assert!("'engine".parse::<PlayerSpec>().is_err());
        assert!("engine tc=soon".parse::<PlayerSpec>().is_err());
    }

    #[test]
    fn openings_are_read_in_every_usual_form() {
        let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        for line in [
            "startpos moves 7g7f".to_owned(),
            format!("sfen {after}"),
            after.to_owned(),
            format!("position sfen {after}\r"),
        ] {
            let pos = opening(&line).unwrap().unwrap();
            assert_eq!(pos.to_sfen(), after);
            assert_eq!(pos.played(), 0);
        }
        assert_eq!(opening("# comment").unwrap(), None);
        assert_eq!(opening("").unwrap(), None);
        for bad in [
            "startpos moves 7g7e",
            "startpos moves e4",
            "9/9 b - 1",
            "hello",
        ] {
            assert!(opening(bad).is_err(), "{bad}");
        }
    }
}
