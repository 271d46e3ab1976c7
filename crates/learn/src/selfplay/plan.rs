//! What a run of self-play is asked for.

use super::game::GameRules;
use super::openings::Openings;
use super::output::DataFormat;
use std::path::PathBuf;

/// What is to be played, and where it goes.
#[derive(Clone, Debug)]
pub struct SelfplayPlan {
    /// Where the files go; it must exist.
    pub folder: PathBuf,
    /// What the evaluation is called, so that a run does not go on with another one.
    pub eval_name: String,
    /// What its contents are told by (`EvalSpec::digest`): the file may be exchanged, and the name stays.
    pub eval_digest: Option<u64>,
    /// How samples are written.
    pub format: DataFormat,
    /// Decides, with the number of a game, how that game begins and where it strays.
    pub seed: u64,
    /// How many games there are in all, those of earlier runs included.
    pub games: u64,
    /// How many threads play.
    pub threads: usize,
    /// How large the transposition table of each thread is.
    pub table_bytes: usize,
    /// Where games begin.
    pub openings: Openings,
    /// How they are played.
    pub rules: GameRules,
    /// For how many positions the run remembers that they were written.
    pub remembered: usize,
}
