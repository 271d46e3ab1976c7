//! Numbers and files on the command line.

use crate::answer::Failure;
use std::path::Path;
use tesuji_learn::nnue::PlanFile;

fn number(text: &str, is_good: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| is_good(number));
    number.ok_or_else(|| format!("expected {what}"))
}

pub(crate) fn share(text: &str) -> Result<f64, String> {
    number(text, |n| (0.0..=1.0).contains(&n), "a number from 0 to 1")
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text, |n| n > 0.0 && n.is_finite(), "a number above 0")
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |n| n >= 0.0 && n.is_finite(), "0 or a number above")
}

/// A file that is learnt from, as it stands in the plan.
pub(crate) fn plan_file(path: &Path) -> Result<PlanFile, Failure> {
    PlanFile::open(path).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })
}
