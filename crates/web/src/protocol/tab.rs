//! The tabs of the page, and what can be loaded into them.

use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

/// A tab of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tab {
    Play,
    Analyse,
    Solve,
    Learn,
    Library,
    Train,
    Course,
    Engines,
}

/// A tab that has a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameTab {
    Play,
    Analyse,
    Solve,
}

/// Where a record or a position comes from.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum RecordSource {
    Text(String),
    /// A file by its name and its bytes in base 64.
    File {
        name: String,
        bytes: String,
    },
}
