//! `tesuji bench eval`: what every evaluator costs, on every instruction set of this machine.

mod games;

use crate::answer::{ExitStatus, Failure, write_json};
use clap::Args;
use games::GameMoves;
use serde::Serialize;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tesuji_eval::{AnyAccumulatorStack, AnyEval, Eval, EvalSettings, EvalSpec};
use tesuji_kernels::InstructionSet;
use tesuji_shogi::{Board, Position};

const EXAMPLES: &str = "\
Examples:
  tesuji bench eval                                    the evaluators that need no file
  tesuji bench eval --eval nnue:nn.bin --eval material
  tesuji bench eval --eval nnue:nn.bin --games games.txt

The columns, in nanoseconds per evaluation: `refresh`, a position on its own; `game`, each position of
a game after the one before; `moves`, every move of a position after that position, as in a search;
and `layers`, what is left when the accumulators are known. `transf` is the share of the feature
transformer in `moves`. A file of games has `startpos moves …` on each line; without it the games are
random.";

/// Times the evaluators
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Evals {
    /// Which evaluator; may be given several times
    #[arg(long, value_name = "SPEC", default_values = ["material", "relation"])]
    eval: Vec<EvalSpec>,
    /// Games to walk along
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// How many rounds; the best counts
    #[arg(long, default_value_t = 5, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Print one JSON object per evaluator
    #[arg(long)]
    json: bool,
}

/// One line of the table.
#[derive(Serialize)]
struct EvalRow {
    evaluator: String,
    isa: &'static str,
    refresh_ns: f64,
    game_ns: f64,
    moves_ns: f64,
    layers_ns: f64,
    evaluations_per_second: f64,
    transformer_share: f64,
}

impl Evals {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<ExitStatus, Failure> {
        let games = match &self.games {
            Some(path) => games::read(path)?,
            None => games::random(30),
        };
        let mut out = std::io::stdout().lock();
        if !self.json {
            writeln!(
                out,
                "{:<32}{:>8}{:>10}{:>9}{:>9}{:>9}{:>8}{:>10}",
                "evaluator", "isa", "refresh", "game", "moves", "layers", "transf", "M evals/s"
            )?;
        }
        for spec in &self.eval {
            for level in levels(spec) {
                let settings = EvalSettings {
                    fv_scale: None,
                    level: Some(level),
                };
                let eval = AnyEval::choose(spec, &settings)?;
                let nanos = measure(&eval, &games, self.rounds);
                self.write(&mut out, nanos.named(spec, level))?;
            }
        }
        Ok(ExitStatus::Yes)
    }

    fn write(&self, out: &mut impl Write, row: EvalRow) -> std::io::Result<()> {
        if self.json {
            return write_json(out, &row);
        }
        writeln!(
            out,
            "{:<32}{:>8}{:>10.1}{:>9.1}{:>9.1}{:>9.1}{:>7.0}%{:>10.2}",
            row.evaluator,
            row.isa,
            row.refresh_ns,
            row.game_ns,
            row.moves_ns,
            row.layers_ns,
            100.0 * row.transformer_share,
            row.evaluations_per_second / 1e6,
        )
    }
}

/// The instruction sets worth measuring: only networks are written for several.
fn levels(spec: &EvalSpec) -> Vec<InstructionSet> {
    let has = |level: &InstructionSet| level.kernels().is_some();
    match spec {
        EvalSpec::Nnue(_) => InstructionSet::ALL.iter().copied().filter(has).collect(),
        _ => vec![InstructionSet::Scalar],
    }
}

/// Nanoseconds per evaluation, four ways.
struct Nanos {
    refresh: f64,
    game: f64,
    moves: f64,
    layers: f64,
}

impl Nanos {
    fn named(self, spec: &EvalSpec, level: InstructionSet) -> EvalRow {
        let isa = if matches!(spec, EvalSpec::Nnue(_)) {
            level.name()
        } else {
            "-"
        };
        EvalRow {
            evaluator: spec.to_string(),
            isa,
            refresh_ns: self.refresh,
            game_ns: self.game,
            moves_ns: self.moves,
            layers_ns: self.layers,
            evaluations_per_second: 1e9 / self.moves,
            transformer_share: ((self.moves - self.layers) / self.moves).max(0.0),
        }
    }
}

fn measure(eval: &AnyEval, games: &[GameMoves], rounds: u32) -> Nanos {
    let mut best = [f64::INFINITY; 6];
    for _ in 0..rounds {
        let round = [
            along(games, |pos| eval.evaluate(pos).points()),
            along(games, |_| 0),
            along_game(eval, games),
            siblings(games, eval, true),
            siblings(games, eval, false),
            known(eval, games),
        ];
        best = std::array::from_fn(|i| best[i].min(round[i]));
    }
    let [refresh, walk, game, moves, played, layers] = best;
    Nanos {
        refresh: refresh - walk,
        game: game - walk,
        moves: moves - played,
        layers,
    }
}

/// Nanoseconds since a moment, per piece of work.
fn nanos(begin: Instant, count: usize) -> f64 {
    begin.elapsed().as_nanos() as f64 / count.max(1) as f64
}

/// Time per position of games in which each position is looked at.
fn along(games: &[GameMoves], mut look: impl FnMut(&Position) -> i32) -> f64 {
    let (begin, mut count) = (Instant::now(), 0);
    for game in games {
        let mut pos = Position::start();
        for &mv in game {
            black_box(pos.play(mv));
            black_box(look(&pos));
            count += 1;
        }
    }
    nanos(begin, count)
}

/// Time per position of games, each evaluated after the one before.
fn along_game(eval: &AnyEval, games: &[GameMoves]) -> f64 {
    let (begin, mut count) = (Instant::now(), 0);
    for game in games {
        let (mut pos, mut stack) = (Position::start(), eval.stack());
        for &mv in game {
            AnyEval::push(&mut stack, pos.play(mv));
            black_box(eval.value(&mut stack, &pos));
            count += 1;
        }
    }
    nanos(begin, count)
}

/// Time per legal move of the positions of some games, evaluated or only played.
fn siblings(games: &[GameMoves], eval: &AnyEval, evaluated: bool) -> f64 {
    let evaluate = |stack: &mut AnyAccumulatorStack, pos: &Position| {
        if evaluated {
            black_box(eval.value(stack, pos));
        }
    };
    let (begin, mut count) = (Instant::now(), 0);
    for game in games.iter().take(10) {
        let (mut pos, mut stack) = (Position::start(), eval.stack());
        for &mv in game {
            AnyEval::push(&mut stack, pos.play(mv));
            evaluate(&mut stack, &pos);
            let moves = pos.legal_moves();
            for mv in moves.iter() {
                AnyEval::push(&mut stack, pos.play(mv));
                evaluate(&mut stack, &pos);
                AnyEval::pop(&mut stack);
                pos.undo();
            }
            count += moves.len();
        }
    }
    nanos(begin, count)
}

/// Time of the layers above the accumulators: a stack that is asked again has its accumulators.
fn known(eval: &AnyEval, games: &[GameMoves]) -> f64 {
    let mut known = Vec::new();
    for game in games.iter().take(20) {
        let mut pos = Position::start();
        for &mv in game {
            pos.play(mv);
            if pos.ply().is_multiple_of(16) {
                let mut stack = eval.stack();
                black_box(eval.value(&mut stack, &pos));
                known.push((pos.clone(), stack));
            }
        }
    }
    let (begin, rounds) = (Instant::now(), 50);
    for _ in 0..rounds {
        for (pos, stack) in &mut known {
            black_box(eval.value(stack, pos));
        }
    }
    nanos(begin, rounds * known.len())
}
