//! Players and openings as people write them.

use crate::limit::{ThinkingLimit, ThinkingLimitError};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use tesuji_eval::{EvalSpec, EvalSpecError};
use tesuji_search::players::{PartNameError, PartsError, PastPlayer, PlayerParts};
use tesuji_shogi::Position;
use tesuji_usi::process::EngineLaunch;
use tesuji_usi::{Command, InitialPosition};

/// A player as it is written: `PROGRAM [ARGUMENT…] [name=…] [dir=…] [tc=…] [option.NAME=VALUE…]`, or
/// a player of this program: an evaluation or a player of the past, and the parts it is put together
/// from (`relation search=pvs board=scan`, `kuma2013 eval=bonanza:fv.bin`, `search=mtdf`).
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
    /// What a player of this program is put together from, as USI options.
    pub parts: Vec<(String, String)>,
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
    /// There is no such part of a player.
    #[error(transparent)]
    Part(#[from] PartNameError),
    /// The parts do not go together.
    #[error("{0}")]
    Parts(String),
    /// The evaluation of a player makes no sense.
    #[error(transparent)]
    Eval(#[from] EvalSpecError),
    /// A program of somebody else has no parts that we know.
    #[error(
        "{0:?} is a program of its own: search=, board=, eval= and the like are for players of this program"
    )]
    ForeignParts(String),
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
        let mut wanted = PlayerParts::default();
        for word in words(text)? {
            match word.split_once('=') {
                Some(("eval", eval)) => {
                    let eval: EvalSpec = eval.parse()?;
                    spec.parts.push(("EvalFile".into(), eval.to_string()));
                }
                Some((part, value)) if PlayerParts::PARTS.contains(&part) => {
                    wanted.set(part, value)?;
                    spec.parts.push((option_of(part).into(), value.into()));
                }
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
        if spec.command.is_empty() && !spec.parts.is_empty() {
            spec.command.push("builtin".into());
        }
        match spec.command.as_slice() {
            [] => return Err(PlayerSpecError::Program(text.chars().take(60).collect())),
            [word] if is_own(word) => {}
            [program, ..] if !spec.parts.is_empty() => {
                return Err(PlayerSpecError::ForeignParts(program.clone()));
            }
            _ => {}
        }
        spec.checked(wanted)
    }
}

/// The USI option of a part.
fn option_of(part: &str) -> &'static str {
    match part {
        "search" => "Search",
        "board" => "Board",
        "table" => "Table",
        "quiescence" => "Quiescence",
        "null-move" => "NullMove",
        "futility" => "Futility",
        "reductions" => "Reductions",
        _ => "MateInOne",
    }
}

/// Whether a word is a player of this program and not a program.
fn is_own(word: &str) -> bool {
    word.parse::<PastPlayer>().is_ok() || EvalSpec::named(word).is_some()
}

impl PlayerSpec {
    /// The evaluation that is named, if it is not a program.
    pub fn eval(&self) -> Option<EvalSpec> {
        match self.command.as_slice() {
            [word] => EvalSpec::named(word),
            _ => None,
        }
    }

    /// The evaluation, if nothing else is said about how the player thinks: then a search inside of
    /// this program can think for it.
    pub fn plain_eval(&self) -> Option<EvalSpec> {
        let is_plain = self.parts.is_empty() && self.options.is_empty();
        self.eval().filter(|_| is_plain)
    }

    /// How to start the player and what to call it; an evaluation of this program is played by
    /// `own`, the program itself.
    pub fn launch(&self, own: &Path, patience: Duration) -> (String, EngineLaunch) {
        let mut options = self.options.clone();
        let mut command = self.command.clone();
        let mut name = self.name.clone();
        if let [word] = command.as_slice()
            && is_own(word)
        {
            name = name.or(Some(self.own_name(word)));
            // The parts come after what they are exceptions from, and what is said outright last.
            let mut wanted = match (word.parse::<PastPlayer>(), EvalSpec::named(word)) {
                (Ok(player), _) => vec![("Preset".into(), player.to_string())],
                (_, Some(eval)) => vec![("EvalFile".into(), eval.to_string())],
                _ => Vec::new(),
            };
            wanted.extend(self.parts.clone());
            wanted.append(&mut options);
            options = wanted;
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

impl PlayerSpec {
    /// The same player, if its parts go together.
    fn checked(self, wanted: PlayerParts) -> Result<Self, PlayerSpecError> {
        let mut parts = wanted;
        if let Some(Ok(player)) = self.command.first().map(|word| word.parse::<PastPlayer>()) {
            parts = player.parts();
            for (name, value) in &self.parts {
                let part = PlayerParts::PARTS
                    .into_iter()
                    .find(|part| option_of(part) == name);
                if let Some(part) = part {
                    parts.set(part, value)?;
                }
            }
        }
        let refused = |error: PartsError| PlayerSpecError::Parts(error.to_string());
        parts.check().map_err(refused)?;
        Ok(self)
    }

    /// What a player of this program is called: as it is written.
    fn own_name(&self, word: &str) -> String {
        let values = self.parts.iter().map(|(_, value)| value.as_str());
        let words: Vec<_> = std::iter::once(word).chain(values).collect();
        words.join("-").replace(['/', ':'], "_")
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

/// What tells one list of openings from another: their number, and a sum of keys that differs if
/// any of them does, for all that matters.
pub fn fingerprint(openings: &[Position]) -> String {
    let keys = openings.iter().zip(1u64..);
    let sum = keys.fold(0u64, |sum, (pos, place)| {
        sum.wrapping_add(pos.key().0.wrapping_mul(2 * place + 1))
    });
    format!("{} {sum:016x}", openings.len())
}

#[cfg(test)]
mod tests;
