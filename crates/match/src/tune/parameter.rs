//! Which parameters are tuned: chosen by a pattern on their names, or told by a file.

use serde::{Deserialize, Serialize};
use tesuji_search::{Param, Params};

/// A parameter under tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedParameter {
    /// Its name in `params.rs`.
    pub name: String,
    /// Where it begins.
    pub start: i32,
    /// The least it may be.
    pub least: i32,
    /// The most it may be.
    pub most: i32,
    /// By how much it is changed to see what that is worth: about as much as costs a few Elo.
    pub step: f64,
}

/// What is wrong with the parameters that are to be tuned.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// No name fits.
    #[error("no parameter fits {0:?}: `tesuji tune --list` shows all of them")]
    Nothing(String),
    /// There is no such parameter.
    #[error("there is no parameter {0}: `tesuji tune --list` shows all of them")]
    Unknown(String),
    /// A line does not say what it should.
    #[error("expected `name start least most step` (the last four are numbers), found {0:?}")]
    Line(String),
    /// The numbers make no sense.
    #[error(
        "{name}: {start} in {least}..={most} by steps of {step} makes no sense; the search allows \
         {allowed_least}..={allowed_most}"
    )]
    Range {
        /// Which parameter.
        name: String,
        /// Where it would begin.
        start: i32,
        /// The least it would be.
        least: i32,
        /// The most it would be.
        most: i32,
        /// The step.
        step: f64,
        /// The least that the search allows.
        allowed_least: i32,
        /// The most that the search allows.
        allowed_most: i32,
    },
    /// It is there already.
    #[error("{0} stands there twice")]
    Twice(String),
}

impl TunedParameter {
    /// A parameter as the search has it, with a step that suits most: a twentieth of its range, but
    /// no more than a fifth of its value.
    pub fn of(param: &Param) -> Self {
        let range = f64::from(param.most) - f64::from(param.least);
        let fifth = f64::from(param.value).abs() / 5.0;
        let step = if fifth > 0.0 {
            fifth.min(range / 20.0)
        } else {
            range / 20.0
        };
        Self {
            name: param.name.into(),
            start: param.value,
            least: param.least,
            most: param.most,
            step: (step * 10.0).round().max(10.0) / 10.0,
        }
    }

    /// The nearest value that the parameter may have.
    pub(super) fn clamped(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.least), f64::from(self.most))
    }

    /// A whole number in its place: the one above or the one below, more often the nearer one, so
    /// that what lies between whole numbers is tried on average.
    pub(super) fn rounded(&self, value: f64, rng: &mut fastrand::Rng) -> i32 {
        let value = self.clamped(value);
        let low = value.floor();
        let up = f64::from(u8::from(rng.f64() < value - low));
        (low + up) as i32
    }

    /// A line as [`parse_parameters`] reads it.
    pub fn line(&self) -> String {
        let Self {
            name,
            start,
            least,
            most,
            step,
        } = self;
        format!("{name}\t{start}\t{least}\t{most}\t{step}")
    }

    fn check(self) -> Result<Self, ParameterError> {
        let all = Params::default().list();
        let Some(param) = all.iter().find(|param| param.name == self.name) else {
            return Err(ParameterError::Unknown(self.name));
        };
        let is_sound = param.least <= self.least
            && self.least < self.most
            && self.most <= param.most
            && (self.least..=self.most).contains(&self.start)
            && self.step >= 0.5
            && self.step <= f64::from(self.most) - f64::from(self.least);
        if is_sound {
            return Ok(self);
        }
        Err(ParameterError::Range {
            allowed_least: param.least,
            allowed_most: param.most,
            name: self.name,
            start: self.start,
            least: self.least,
            most: self.most,
            step: self.step,
        })
    }
}

/// The parameters whose names fit one of the patterns, separated by commas; `*` stands for any
/// letters.
///
/// # Errors
/// If a pattern fits no name.
///
/// ```
/// use tesuji_match::tune::select_parameters;
/// let names = |pattern| {
///     let found = select_parameters(pattern).unwrap();
///     found.into_iter().map(|param| param.name).collect::<Vec<_>>()
/// };
/// assert_eq!(names("razor_*"), ["razor_base", "razor_slope"]);
/// assert_eq!(names("lmp_base,razor_s*"), ["razor_slope", "lmp_base"]);
/// assert!(select_parameters("razer_*").is_err());
/// ```
pub fn select_parameters(patterns: &str) -> Result<Vec<TunedParameter>, ParameterError> {
    let all = Params::default().list();
    let patterns: Vec<&str> = patterns.split(',').map(str::trim).collect();
    for pattern in &patterns {
        if !all.iter().any(|param| fits(pattern, param.name)) {
            return Err(ParameterError::Nothing((*pattern).into()));
        }
    }
    let is_wanted = |param: &&Param| patterns.iter().any(|pattern| fits(pattern, param.name));
    let wanted = all.iter().filter(is_wanted);
    Ok(wanted.map(TunedParameter::of).collect())
}

/// Whether a pattern with `*` fits a whole name.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let (middle, last) = others.rsplit_once('*').unwrap_or(("", others));
    let inner = name.strip_prefix(first);
    let Some(mut rest) = inner.and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    // What stands between stars is taken where it comes first: nothing is lost by it.
    middle.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// Parameters from a file: a name, its start, the least and the most it may be, and its step on
/// each line; `#` begins a comment.
///
/// # Errors
/// With the number of the line, from 1, if it does not say that.
pub fn parse_parameters(text: &str) -> Result<Vec<TunedParameter>, (usize, ParameterError)> {
    let mut found: Vec<TunedParameter> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words = line.split('#').next().unwrap_or("");
        if words.trim().is_empty() {
            continue;
        }
        let param = parse_line(words).and_then(TunedParameter::check);
        let param = param.map_err(|error| (number, error))?;
        if found.iter().any(|other| other.name == param.name) {
            return Err((number, ParameterError::Twice(param.name)));
        }
        found.push(param);
    }
    if found.is_empty() {
        return Err((1, ParameterError::Nothing("an empty file".into())));
    }
    Ok(found)
}

fn parse_line(line: &str) -> Result<TunedParameter, ParameterError> {
    let wrong = || ParameterError::Line(line.trim().chars().take(60).collect());
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, start, least, most, step] = words.as_slice() else {
        return Err(wrong());
    };
    let whole = |word: &str| word.parse().map_err(|_| wrong());
    let step: f64 = step.parse().map_err(|_| wrong())?;
    Ok(TunedParameter {
        name: (*name).into(),
        start: whole(start)?,
        least: whole(least)?,
        most: whole(most)?,
        step,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        let all = select_parameters("*").unwrap();
        assert_eq!(all.len(), Params::default().list().len());
        let text: String = all.iter().map(|param| param.line() + "\n").collect();
        let read = parse_parameters(&format!("# a comment\n\n{text}")).unwrap();
        assert_eq!(read, all, "the steps that are proposed are sound");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = |line: &str| {
            let text = format!("razor_base 480 0 2000 50 # fine\n{line}\n");
            let (number, error) = parse_parameters(&text).unwrap_err();
            assert_eq!(number, 2, "{line}");
            error.to_string()
        };
        assert!(wrong("razor_base 480 0 2000 50").contains("twice"));
        assert!(wrong("razor_slope 300 0 1500").contains("expected `name"));
        assert!(wrong("razor_slope x 0 1500 30").contains("expected `name"));
        assert!(wrong("razer 300 0 1500 30").contains("no parameter razer"));
        for senseless in [
            "300 0 99999 30",
            "300 400 1500 30",
            "300 0 1500 NaN",
            "300 0 1500 0",
        ] {
            let error = wrong(&format!("razor_slope {senseless}"));
            assert!(error.contains("makes no sense"), "{senseless}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text: String) {
            let _ = parse_parameters(&text);
            let _ = select_parameters(&text);
        }

        #[test]
        fn rounding_stays_near_and_inside(value in -1e6..1e6f64, seed: u64) {
            let param = TunedParameter::of(&Params::default().list()[0]);
            let rounded = param.rounded(value, &mut fastrand::Rng::with_seed(seed));
            prop_assert!((param.least..=param.most).contains(&rounded));
            prop_assert!((f64::from(rounded) - param.clamped(value)).abs() < 1.0);
        }
    }
}
