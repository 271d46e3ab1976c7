//! What a campaign is about, and what each of its jobs is asked: everything that decides a result.

use crate::digest::is_sha256;
use crate::files::FileStore;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tesuji_eval::EvalSpec;
use tesuji_learn::selfplay::{DataFormat, GameRules, Openings, OpeningsError};
use tesuji_match::adjudicate::Adjudication;
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::plan::MatchPlan;
use tesuji_match::tune::{Trial, TuneHeader};

/// What a job is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Games of the engine against itself, as training data.
    Selfplay,
    /// A pair of games between two players.
    Match,
    /// A challenge to a book that grows.
    Book,
    /// A trial of a tuning.
    Tune,
    /// Old positions searched anew.
    Rescore,
}

impl JobKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Selfplay,
        Self::Match,
        Self::Book,
        Self::Tune,
        Self::Rescore,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Match => "match",
            Self::Book => "book",
            Self::Tune => "tune",
            Self::Rescore => "rescore",
        }
    }
}

impl fmt::Display for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text is no kind of job.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no kind of job: expected selfplay, match, book, tune or rescore")]
pub struct JobKindError(String);

impl FromStr for JobKind {
    type Err = JobKindError;

    fn from_str(text: &str) -> Result<Self, JobKindError> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| JobKindError(text.chars().take(40).collect()))
    }
}

/// An evaluation that every machine has: one of the program's own, or a network by its SHA-256.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SharedEval {
    /// `builtin`, `material` or `relation`.
    Own(EvalName),
    /// A network in the store of files, `nnue:sha256-…`.
    Network(String),
}

/// An evaluation of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalName {
    /// The one that ships with the program.
    Builtin,
    /// Piece values.
    Material,
    /// Pieces in relation to the kings and to their neighbours.
    Relation,
}

/// Why a text names no evaluation that every machine has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} cannot be sent to other machines: expected builtin, material, relation or nnue:FILE"
)]
pub struct SharedEvalError(String);

impl TryFrom<String> for SharedEval {
    type Error = SharedEvalError;

    fn try_from(text: String) -> Result<Self, SharedEvalError> {
        match text.as_str() {
            "builtin" => Ok(Self::Own(EvalName::Builtin)),
            "material" => Ok(Self::Own(EvalName::Material)),
            "relation" => Ok(Self::Own(EvalName::Relation)),
            _ => match text.strip_prefix("nnue:sha256-") {
                Some(sum) if is_sha256(sum) => Ok(Self::Network(sum.to_owned())),
                _ => Err(SharedEvalError(text)),
            },
        }
    }
}

impl From<SharedEval> for String {
    fn from(eval: SharedEval) -> Self {
        match eval {
            SharedEval::Own(EvalName::Builtin) => "builtin".into(),
            SharedEval::Own(EvalName::Material) => "material".into(),
            SharedEval::Own(EvalName::Relation) => "relation".into(),
            SharedEval::Network(sum) => format!("nnue:sha256-{sum}"),
        }
    }
}

impl SharedEval {
    /// Makes an evaluation one that every machine has: a network is put into the store of files.
    ///
    /// # Errors
    /// If it is of a kind that cannot be sent, or the file cannot be read or kept: a message for people.
    pub fn share(eval: &EvalSpec, files: &FileStore) -> Result<Self, String> {
        match eval {
            EvalSpec::Nnue(path) => {
                let bytes = std::fs::read(path);
                let bytes = bytes.map_err(|error| format!("{}: {error}", path.display()))?;
                let sum = files.put(&bytes).map_err(|error| error.to_string())?;
                Ok(Self::Network(sum))
            }
            other => Self::try_from(other.to_string()).map_err(|error| error.to_string()),
        }
    }

    /// The evaluation on this machine.
    ///
    /// # Errors
    /// If its file is not there or is another one: a message for people.
    pub fn local(&self, files: &FileStore) -> Result<EvalSpec, String> {
        Ok(match self {
            Self::Own(EvalName::Builtin) => EvalSpec::Builtin,
            Self::Own(EvalName::Material) => EvalSpec::Material,
            Self::Own(EvalName::Relation) => EvalSpec::Relation,
            Self::Network(sum) => {
                // Read once: what was copied badly must not play.
                files.get(sum).map_err(|error| error.to_string())?;
                EvalSpec::Nnue(files.path(sum))
            }
        })
    }
}

/// Self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfplaySpec {
    /// Which evaluation plays.
    pub eval: SharedEval,
    /// Decides, with the number of a game, how that game begins and where it strays.
    pub seed: u64,
    /// How many games in all.
    pub games: u64,
    /// How many games a job has.
    pub games_per_job: u64,
    /// How large the transposition table is.
    pub table_bytes: usize,
    /// Lines to begin from; the start position if there are none.
    pub openings: Option<String>,
    /// How many random moves follow the opening, from and to.
    pub random_plies: (u32, u32),
    /// How games are played.
    pub rules: GameRules,
    /// How samples are written.
    pub format: DataFormat,
}

impl SelfplaySpec {
    /// Where games begin.
    ///
    /// # Errors
    /// If a line is no opening.
    pub fn openings(&self) -> Result<Openings, OpeningsError> {
        let plies = self.random_plies.0..=self.random_plies.1;
        match &self.openings {
            None => Ok(Openings::start(plies)),
            Some(text) => Openings::parse(text, plies),
        }
    }

    /// The jobs.
    pub fn jobs(&self) -> Vec<(i64, String)> {
        chunks(self.games, self.games_per_job)
    }
}

/// A part of something that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChunkJob {
    /// The first number.
    pub first: u64,
    /// How many.
    pub count: u64,
}

fn chunks(all: u64, size: u64) -> Vec<(i64, String)> {
    let size = size.max(1);
    let chunk = |number: u64| {
        let first = number * size;
        let job = ChunkJob {
            first,
            count: size.min(all - first),
        };
        (number as i64, json(&job))
    };
    (0..all.div_ceil(size)).map(chunk).collect()
}

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSpec {
    /// Who plays, how, and until when. Players are evaluations of the program, never commands.
    pub plan: MatchPlan,
}

impl MatchSpec {
    /// What is wrong with it, if machines of others should play it.
    pub fn problem(&self) -> Option<String> {
        if self.plan.players.len() != 2 {
            return Some("a match on many machines has two players".into());
        }
        let is_sendable = |player: &tesuji_match::player_spec::PlayerSpec| {
            let word = player.command.first().cloned().unwrap_or_default();
            player.eval().is_some()
                && player.parts.iter().all(|(name, _)| name != "EvalFile")
                && player.folder.is_none()
                && SharedEval::try_from(word).is_ok()
        };
        let bad = self.plan.players.iter().find(|player| !is_sendable(player));
        bad.map(|player| {
            format!(
                "{}: players on many machines are builtin, material, relation or nnue:FILE, never \
                 commands",
                player.command.join(" ")
            )
        })
    }

    /// The jobs: one for each pair of games.
    pub fn jobs(&self) -> Vec<(i64, String)> {
        let job = |pair: usize| (pair as i64, json(&PairJob { pair }));
        (0..self.plan.rounds).map(job).collect()
    }

    /// Whether every machine must get the same games: nodes are counted, not time.
    pub fn is_deterministic(&self) -> bool {
        let limits = self.plan.players.iter().map(|player| player.limit);
        limits
            .map(|limit| limit.unwrap_or(self.plan.limit))
            .all(counts_nodes)
            && !self.plan.ponder
    }
}

/// A pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairJob {
    /// Its number in the schedule.
    pub pair: usize,
}

/// A book that grows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookSpec {
    /// Where games begin, as SFEN.
    pub starts: Vec<String>,
    /// The smallest and the largest budget.
    pub budget: (u64, u64),
    /// Who thinks for Black and for White.
    pub challengers: [SharedEval; 2],
    /// Whose wins are followed, Black's and White's.
    pub follows: [bool; 2],
    /// Whom a repetition loses the game: `b`, `w`, or nobody.
    pub repetition: Option<char>,
    /// In which share of the loser's turns refuted moves are forbidden.
    pub exclude: f64,
    /// Which position is challenged next: `in-turn`, `fewest-wins` or `fewest-challenges`.
    pub order: String,
    /// Done when every position has so many wins in a row.
    pub wins: Option<u32>,
    /// Done after so many games.
    pub games: Option<u64>,
    /// After how many moves a game is given up.
    pub max_moves: usize,
    /// Whoever is worse off resigns.
    pub resign_value: i32,
    /// How large each transposition table is.
    pub table_bytes: usize,
    /// Over how many positions a mate is looked for first.
    pub mate_nodes: u64,
    /// The numbers that budgets are drawn with.
    pub seed: u64,
    /// How many challenges are open at a time; as many as workers have threads if nothing is said.
    pub parallel: Option<usize>,
    /// Which share of the challenges is played twice.
    pub check_share: f64,
}

/// A challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookJob {
    /// The number of the game.
    pub number: u64,
    /// From which start.
    pub start: usize,
    /// How many games the book knows.
    pub base: i64,
}

/// A tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneSpec {
    /// What is tuned, how, and how long.
    pub header: TuneHeader,
    /// The evaluations of the two players.
    pub evals: [SharedEval; 2],
    /// How long a player may think.
    pub limit: ThinkingLimit,
    /// Where games begin, as SFEN.
    pub openings: Vec<String>,
    /// How large each transposition table is.
    pub table_bytes: usize,
    /// After how many moves a game is drawn; 0 for never.
    pub max_moves: u32,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Which share of the trials is played twice.
    pub check_share: f64,
}

impl TuneSpec {
    /// Whether every machine must get the same games: nodes are counted, not time.
    pub fn is_deterministic(&self) -> bool {
        counts_nodes(self.limit)
    }
}

/// A trial of a tuning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TuneJob {
    /// Of which iteration.
    pub iteration: u64,
    /// Who meets whom, and where.
    pub trial: Trial,
}

/// Whether a limit is the same on every machine.
fn counts_nodes(limit: ThinkingLimit) -> bool {
    matches!(limit, ThinkingLimit::Nodes(_) | ThinkingLimit::Depth(_))
}

/// Old positions searched anew.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RescoreSpec {
    /// The positions, records of forty bytes, in the store of files.
    pub input: String,
    /// How many there are.
    pub records: u64,
    /// How many a job has.
    pub records_per_job: u64,
    /// With which evaluation.
    pub eval: SharedEval,
    /// Over how many nodes each.
    pub nodes: u64,
    /// How large the transposition table is.
    pub table_bytes: usize,
}

impl RescoreSpec {
    /// The jobs.
    pub fn jobs(&self) -> Vec<(i64, String)> {
        chunks(self.records, self.records_per_job)
    }
}

/// A specification as text.
pub(crate) fn json(spec: &impl Serialize) -> String {
    serde_json::to_string(spec).expect("specifications are plain data")
}
