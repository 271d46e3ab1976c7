//! The `option` lines: what can be set in an engine.

use super::tokens::{Tokens, signed};
use std::fmt;

/// Something that can be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionLine {
    /// Its name, without spaces.
    pub name: String,
    /// What it can be set to, and what it is unless it is set.
    pub kind: OptionKind,
}

/// What an option can be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check(bool),
    /// A number within bounds.
    Spin {
        /// Unless it is set.
        default: i32,
        /// At least.
        min: i32,
        /// At most.
        max: i32,
    },
    /// One of several tokens.
    Combo {
        /// Unless it is set.
        default: String,
        /// All of them.
        choices: Vec<String>,
    },
    /// Nothing: setting it makes something happen.
    Button,
    /// Any text.
    Text(String),
    /// The path of a file.
    File(String),
}

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// The text that stands in a line, where nothing is written `<empty>`.
pub fn unescape_empty(text: &str) -> &str {
    if text == EMPTY { "" } else { text }
}

fn escape_empty(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

impl OptionLine {
    /// Reads what follows the word `option`; `None` if it makes no sense.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Option<Self> {
        let mut name: Vec<&str> = Vec::new();
        if tokens.next() != Some("name") {
            return None;
        }
        for word in tokens.by_ref() {
            if word == "type" && !name.is_empty() {
                break;
            }
            name.push(word);
        }
        let kind = match tokens.next()? {
            "check" => OptionKind::Check(default(tokens)? == "true"),
            "spin" => spin(tokens)?,
            "combo" => combo(tokens)?,
            "button" => OptionKind::Button,
            "string" => OptionKind::Text(default(tokens)?),
            "filename" => OptionKind::File(default(tokens)?),
            _ => return None,
        };
        Some(Self {
            name: name.join(" "),
            kind,
        })
    }
}

/// The rest of the line after `default`.
fn default(tokens: &mut Tokens<'_>) -> Option<String> {
    (tokens.next() == Some("default")).then(|| unescape_empty(tokens.rest()).to_owned())
}

fn spin(tokens: &mut Tokens<'_>) -> Option<OptionKind> {
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = tokens.next() {
        let place = match word {
            "default" => &mut default,
            "min" => &mut min,
            "max" => &mut max,
            _ => return None,
        };
        *place = Some(signed(tokens.next()?)?);
    }
    Some(OptionKind::Spin {
        default: default?,
        min: min.unwrap_or(-i32::MAX),
        max: max.unwrap_or(i32::MAX),
    })
}

fn combo(tokens: &mut Tokens<'_>) -> Option<OptionKind> {
    let mut default = None;
    let mut choices = Vec::new();
    while let Some(word) = tokens.next() {
        match word {
            "default" => default = Some(tokens.next()?.to_owned()),
            "var" => choices.push(tokens.next()?.to_owned()),
            _ => return None,
        }
    }
    Some(OptionKind::Combo {
        default: default?,
        choices,
    })
}

impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check(default) => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => write!(f, "button"),
            OptionKind::Text(default) => write!(f, "string default {}", escape_empty(default)),
            OptionKind::File(default) => write!(f, "filename default {}", escape_empty(default)),
        }
    }
}

impl OptionKind {
    /// What the option is unless it is set, as a value that can be set.
    pub fn default_text(&self) -> String {
        match self {
            Self::Check(default) => default.to_string(),
            Self::Spin { default, .. } => default.to_string(),
            Self::Combo { default, .. } | Self::Text(default) | Self::File(default) => {
                default.clone()
            }
            Self::Button => String::new(),
        }
    }
}
