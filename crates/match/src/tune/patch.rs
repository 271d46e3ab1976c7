//! The result of a tuning as a change of `params.rs`, as `git apply` and `patch -p1` take it.

use std::fmt::Write;
use tesuji_search::Params;

/// How many lines are shown around a change.
const CONTEXT: usize = 3;

/// Why there is no such change.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no line of params.rs gives {0} a value")]
pub struct PatchError(String);

/// The unified difference that gives parameters other values; empty if none of them changes.
///
/// # Errors
/// If there is no such parameter.
///
/// ```
/// use tesuji_match::tune::patch_of;
/// let patch = patch_of(&[("lmp_base".into(), 5)])?;
/// assert!(patch.starts_with("--- a/crates/search/src/params.rs"));
/// assert!(patch.contains("\n-        lmp_base: 3 in 1..=20;\n+        lmp_base: 5 in 1..=20;\n"));
/// # Ok::<(), tesuji_match::tune::PatchError>(())
/// ```
pub fn patch_of(values: &[(String, i32)]) -> Result<String, PatchError> {
    let old: Vec<&str> = Params::SOURCE.lines().collect();
    let mut changes: Vec<(usize, String)> = Vec::new();
    for (name, value) in values {
        let line = old.iter().position(|line| value_span(line, name).is_some());
        let at = line.ok_or_else(|| PatchError(name.clone()))?;
        let (before, after) = value_span(old[at], name).ok_or_else(|| PatchError(name.clone()))?;
        let new = format!("{before}{}{after}", digits(*value));
        if new != old[at] {
            changes.push((at, new));
        }
    }
    changes.sort_by_key(|change| change.0);
    Ok(unified(&old, &changes))
}

/// What stands before and behind the value, if a line gives this parameter one.
fn value_span<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let rest = line.trim_start().strip_prefix(name)?.strip_prefix(": ")?;
    let end = rest.find(" in ")?;
    let start = line.len() - rest.len();
    Some((&line[..start], &line[start + end..]))
}

/// A number with its thousands set apart, as the file writes them.
fn digits(value: i32) -> String {
    let text = value.unsigned_abs().to_string();
    let sign = if value < 0 { "-" } else { "" };
    match text.len() {
        ..5 => format!("{sign}{text}"),
        len => format!("{sign}{}_{}", &text[..len - 3], &text[len - 3..]),
    }
}

fn unified(old: &[&str], changes: &[(usize, String)]) -> String {
    let mut patch = String::new();
    if changes.is_empty() {
        return patch;
    }
    let path = Params::PATH;
    let _ = writeln!(patch, "--- a/{path}\n+++ b/{path}");
    let is_near = |a: &(usize, String), b: &(usize, String)| b.0 - a.0 <= 2 * CONTEXT;
    for hunk in changes.chunk_by(is_near) {
        let (first, last) = (hunk[0].0, hunk[hunk.len() - 1].0);
        let (from, to) = (
            first.saturating_sub(CONTEXT),
            (last + CONTEXT + 1).min(old.len()),
        );
        let (line, count) = (from + 1, to - from);
        let _ = writeln!(patch, "@@ -{line},{count} +{line},{count} @@");
        for (at, text) in (from..).zip(&old[from..to]) {
            match hunk.iter().find(|change| change.0 == at) {
                Some((_, new)) => {
                    let _ = writeln!(patch, "-{text}\n+{new}");
                }
                None => {
                    let _ = writeln!(patch, " {text}");
                }
            }
        }
    }
    patch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_line() {
        for param in Params::default().list() {
            let unchanged = patch_of(&[(param.name.into(), param.value)]).unwrap();
            assert_eq!(unchanged, "", "{}", param.name);
            let other = if param.value < param.most {
                param.value + 1
            } else {
                param.value - 1
            };
            let patch = patch_of(&[(param.name.into(), other)]).unwrap();
            assert_eq!(patch.matches("\n+    ").count(), 1, "{patch}");
        }
        assert!(patch_of(&[("no_such".into(), 1)]).is_err());
    }

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_do_not() {
        let both = |a: &str, b: &str| {
            let patch = patch_of(&[(a.into(), 99), (b.into(), 98)]).unwrap();
            patch.matches("\n@@ ").count()
        };
        assert_eq!(both("razor_slope", "razor_base"), 1);
        assert_eq!(both("razor_slope", "qsearch_see"), 2);
        let patch = patch_of(&[("good_quiet_threshold".into(), -12_345)]).unwrap();
        assert!(
            patch.contains("good_quiet_threshold: -12_345 in "),
            "{patch}"
        );
    }
}
