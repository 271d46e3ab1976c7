//! `tesuji analyze`: what every move of a game was worth, and where it turned.

mod input;
mod report;
mod think;

use crate::answer::{ExitStatus, Failure};
use clap::Args;
use std::path::{Path, PathBuf};
use tesuji_eval::EvalSpec;
use tesuji_record::analysis::{ReportLanguage, annotate, graph};
use tesuji_record::{Encoding, Game, TextFormat, file};
use think::{AnalysisPlan, AnalysisWork};

const EXAMPLES: &str = "\
Examples:
  tesuji analyze game.kif                           a table: every move, its value, what was better
  tesuji analyze game.csa analyzed.kif --svg game.svg
  tesuji analyze game.kif analyzed.jkf --nodes 1000000 --threads 2 --eval nnue:nn.bin
  tesuji analyze games.csa --game 3 --time 200 --json

Records are read and written in csa, csa3, kif, kifu, ki2, ki2u, jkf (json) and usi, by extension. The
new record holds everything the old one did, and for every position of the main line its value for
Black, the depth, and the line that was expected; moves that cost their player a twentieth, a tenth
or a fifth of the game are marked as dubious (疑問手), mistakes (悪手) and blunders (大悪手).

Positions are searched from the last to the first, so that what is seen late is known early. The
work is kept beside the new record while it is being done: the same command goes on where it was
interrupted.";

/// Analyzes a game: values, best lines, blunders, a graph
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analyze {
    /// The record; - is standard input
    input: PathBuf,
    /// The record with evaluations to write
    output: Option<PathBuf>,
    /// Write a graph of the game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The format of the input, if its extension does not tell
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Which game of a file of many
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// How long to think about each position, in milliseconds; a second if nothing else limits
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    time: Option<u64>,
    /// How many positions to look at for each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How deep to look
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// The size of the transposition table in megabytes
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Which evaluator: builtin, material, relation, nnue:FILE, kppt:DIR, bonanza:FILE, …
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    /// What the output of a network is divided by
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=1024))]
    fv_scale: Option<i32>,
    /// In which language remarks are written: en or ja; ja for kif and ki2 if it is not said
    #[arg(long, value_name = "NAME", value_parser = language)]
    language: Option<ReportLanguage>,
    /// Write text as utf-8, shift_jis or euc-jp
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// Print one JSON object per move
    #[arg(long)]
    json: bool,
}

fn language(name: &str) -> Result<ReportLanguage, String> {
    match name {
        "en" => Ok(ReportLanguage::English),
        "ja" => Ok(ReportLanguage::Japanese),
        _ => Err("expected en or ja".into()),
    }
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| "expected utf-8, shift_jis or euc-jp".into())
}

impl Analyze {
    /// Reads, thinks, writes.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let mut game = input::read(&self.input, self.from.as_deref(), self.game)?;
        let target = self.output.as_deref().map(format_of).transpose()?;
        let work = self.output.as_deref().map(part_file);
        AnalysisWork::new(self.plan(&game), work)?.run(&mut game)?;
        let language = self.language.unwrap_or(match target {
            Some((TextFormat::Kif | TextFormat::Ki2, _)) => ReportLanguage::Japanese,
            _ => ReportLanguage::English,
        });
        let slips = annotate(&mut game, language);
        if let (Some(path), Some((format, usual))) = (&self.output, target) {
            self.write(path, &game, format, usual)?;
        }
        if let Some(path) = &self.svg {
            save(path, graph(&game).as_bytes())?;
        }
        report::print(&game, &slips, language, self.json)?;
        if let Some(path) = self.output.as_deref().map(part_file) {
            // The work is done; without it the next run begins anew.
            let _ = std::fs::remove_file(path);
        }
        Ok(ExitStatus::Yes)
    }

    fn plan(&self, game: &Game) -> AnalysisPlan {
        let is_limited = self.nodes.is_some() || self.depth.is_some();
        AnalysisPlan {
            eval: self.eval.clone(),
            fv_scale: self.fv_scale,
            threads: self.threads.into(),
            hash: self.hash as usize,
            time: self.time.or((!is_limited).then_some(1000)),
            nodes: self.nodes,
            depth: self.depth,
            game: tesuji_record::usi::write(game),
        }
    }

    fn write(
        &self,
        path: &Path,
        game: &Game,
        format: TextFormat,
        usual: Encoding,
    ) -> Result<(), Failure> {
        let encoding = self.encoding.unwrap_or(usual);
        let bytes = format.write_bytes(game, encoding);
        let bytes = bytes.map_err(|what| Failure::File {
            path: path.into(),
            what: what.into(),
        })?;
        save(path, &bytes)
    }
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    file::save(path, bytes).map_err(|source| Failure::Write {
        path: path.into(),
        source,
    })
}

/// The format that the extension of a file stands for.
fn format_of(path: &Path) -> Result<(TextFormat, Encoding), Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(TextFormat::from_name);
    format.ok_or_else(|| Failure::File {
        path: path.into(),
        what: "the extension is of no record: expected csa, csa3, kif, kifu, ki2, jkf or usi"
            .into(),
    })
}

/// Where the work is kept while it is being done.
fn part_file(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
