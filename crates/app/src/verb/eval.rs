//! `tesuji eval`: what an evaluator says about positions.

use crate::answer::{ExitStatus, Failure, write_json};
use crate::arguments::{EvalArgs, PositionArgs};
use clap::Args;
use serde::Serialize;
use std::io::{BufWriter, Write};
use tesuji_eval::{AnyEval, EvalSpec};
use tesuji_kernels::InstructionSet;
use tesuji_shogi::Position;

const EXAMPLES: &str = "\
Examples:
  tesuji eval                                       the start position, with the built-in evaluation
  tesuji eval --eval material --sfen '4k4/9/9/9/9/9/9/9/4K4 b R 1'
  tesuji eval --eval nnue:nn.bin --file positions.sfen
  tesuji eval --eval nnue:nn.bin --fv-scale 24 --isa avx2 --file positions.tsv

A file has one SFEN on each line, or it is a table with tabs whose first line names a column `sfen`.
Other lines that are empty or begin with # are skipped.

Three columns come out: the position; the raw number, which is the output of a network before it is
divided by --fv-scale, the sum of a table (kppt, bonanza, kp, pp) before it is divided by 32, and the
value itself where nothing is divided (material, relation); and the value for the side to move, a pawn
being about 100.";

/// Says what an evaluator thinks of positions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EvalVerb {
    /// Which evaluator: builtin, material, relation, nnue:FILE, kppt:DIR, bonanza:FILE, kp:FILE,
    /// pp:FILE, kppp:FILE, or a path
    #[arg(long, default_value = "builtin", value_name = "SPEC")]
    eval: EvalSpec,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    settings: EvalArgs,
    /// Which instruction set reads a network; all give the same numbers
    #[arg(long, value_name = "NAME")]
    isa: Option<InstructionSet>,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

/// What is said of one position, for scripts.
#[derive(Serialize)]
struct Evaluated {
    sfen: String,
    raw: i32,
    value: i32,
}

impl EvalVerb {
    /// Evaluates and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let positions = self.positions.read(&Position::start())?;
        let settings = self.settings.checked(&self.eval, self.isa)?;
        let eval = AnyEval::choose(&self.eval, &settings)?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        for pos in &positions {
            let evaluated = Evaluated {
                sfen: pos.to_sfen(),
                raw: eval.evaluate_raw(pos),
                value: eval.evaluate(pos).points(),
            };
            if self.json {
                write_json(&mut out, &evaluated)?;
            } else {
                writeln!(
                    out,
                    "{}\t{}\t{}",
                    evaluated.sfen, evaluated.raw, evaluated.value
                )?;
            }
        }
        out.flush()?;
        Ok(ExitStatus::Yes)
    }
}
