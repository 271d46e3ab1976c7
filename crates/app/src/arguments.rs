//! Arguments that several verbs take: positions, and how an evaluator is set.

pub(crate) mod numbers;
pub(crate) mod played;
mod source;

use crate::answer::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_kernels::InstructionSet;
use tesuji_shogi::Position;

/// Reads one of several names, which `--help` lists.
pub(crate) fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

/// The positions that a verb looks at.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The position, as SFEN or `startpos`
    #[arg(long, value_name = "SFEN", conflicts_with = "file")]
    sfen: Option<Position>,
    /// A file of positions: one SFEN on each line, or a table with a column `sfen`
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl PositionArgs {
    /// Reads them; `usual` is meant if nothing is said.
    pub(crate) fn read(&self, usual: &Position) -> Result<Vec<Position>, Failure> {
        match &self.file {
            Some(path) => source::read(path),
            None => Ok(vec![self.sfen.as_ref().unwrap_or(usual).clone()]),
        }
    }

    /// Whether any position is named.
    pub(crate) fn is_given(&self) -> bool {
        self.sfen.is_some() || self.file.is_some()
    }

    /// Reads one position: of a file the first.
    pub(crate) fn read_one(&self, usual: &Position) -> Result<Position, Failure> {
        let first = self.read(usual)?.into_iter().next();
        first.ok_or_else(|| Failure::File {
            path: self.file.clone().unwrap_or_default(),
            what: "there is no position in it".into(),
        })
    }
}

/// How an evaluator is set.
#[derive(Args)]
pub(crate) struct EvalArgs {
    /// What the output of a network is divided by
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=1024))]
    fv_scale: Option<i32>,
}

impl EvalArgs {
    /// The settings for an evaluator, with the instruction set that reads a network; refused if the
    /// evaluator has no use for them.
    pub(crate) fn checked(
        &self,
        spec: &EvalSpec,
        level: Option<InstructionSet>,
    ) -> Result<EvalSettings, Failure> {
        let is_network = matches!(spec, EvalSpec::Builtin | EvalSpec::Nnue(_));
        let refused = match (self.fv_scale, level) {
            _ if is_network => None,
            (Some(_), _) => Some("--fv-scale divides the output of a network"),
            (_, Some(_)) => Some("--isa chooses the instruction set that reads a network"),
            (None, None) => None,
        };
        match refused {
            Some(what) => Err(Failure::Usage(format!("{what}, and {spec} is none"))),
            None => Ok(EvalSettings {
                fv_scale: self.fv_scale,
                level,
            }),
        }
    }
}
