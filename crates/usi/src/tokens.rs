//! The words of a line, and what may be wrong with them.

use std::time::Duration;

/// What could not be understood in a line; the rest of it counts.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseWarning {
    /// A word needs a number after it.
    #[error("{word} needs a number, found {found:?}")]
    Number {
        /// Which word.
        word: String,
        /// What stands there.
        found: String,
    },
    /// A word that means nothing here.
    #[error("{word:?} means nothing after {command}")]
    Word {
        /// In which command.
        command: &'static str,
        /// Which word.
        word: String,
    },
    /// A word should be a move.
    #[error("{0:?} is not a move; it and what follows was left out")]
    Move(String),
    /// A command that needs something more.
    #[error("{0}")]
    Missing(&'static str),
}

/// The beginning of a word for a message: what comes from outside may be long.
pub(crate) fn quoted(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The words of a line, one by one.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self(line.trim())
    }

    /// The next word without taking it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }

    /// What has not been taken yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    /// Takes the next word if it is a number, saying what was wrong if it is none.
    pub(crate) fn number(&mut self, word: &str, warnings: &mut Vec<ParseWarning>) -> Option<u64> {
        let found = self.peek().unwrap_or("");
        match number(found) {
            Some(number) => {
                self.next();
                Some(number)
            }
            None => {
                warnings.push(ParseWarning::Number {
                    word: word.into(),
                    found: quoted(found),
                });
                None
            }
        }
    }

    /// Takes the next word if it is a time.
    pub(crate) fn millis(
        &mut self,
        word: &str,
        warnings: &mut Vec<ParseWarning>,
    ) -> Option<Duration> {
        self.number(word, warnings).map(Duration::from_millis)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.0 = self.0.trim_start()[word.len()..].trim_start();
        Some(word)
    }
}

/// A whole number. Less than nothing is nothing, and what is too large is as large as can be.
pub(crate) fn number(word: &str) -> Option<u64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    })
}

/// A number with a sign, held within what an `i32` can say.
pub(crate) fn signed(word: &str) -> Option<i32> {
    let size = i32::try_from(number(word.trim_start_matches('-'))?).unwrap_or(i32::MAX);
    match word.strip_prefix('-') {
        Some(digits) if !digits.starts_with(['-', '+']) => Some(-size),
        Some(_) => None,
        None => Some(size),
    }
}
