//! Thinks about positions with any evaluation and tells what it sees.
//!
//! ```text
//! cargo run --release -p tesuji-search --example 02_think -- builtin 1000 ["SFEN" …]
//! ```
//! The first argument names the evaluation, the second how many milliseconds to think.

use std::error::Error;
use std::time::Duration;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_search::tournament::Tournament;
use tesuji_search::{Budget, Control, Info, Limits, Phase, Report, Root, Search};
use tesuji_shogi::Position;

/// Prints every line that the search finds.
struct Print;

impl Report for Print {
    fn info(&mut self, info: &Info) {
        let line: Vec<_> = info.line.iter().map(ToString::to_string).collect();
        println!(
            "depth {:2}  value {:6}  {:9} nodes  {:6} ms  {}",
            info.depth,
            info.value.value.points(),
            info.nodes,
            info.time.as_millis(),
            line.join(" ")
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let spec: EvalSpec = arguments.next().as_deref().unwrap_or("builtin").parse()?;
    let millis = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let mut positions = Vec::new();
    for sfen in arguments {
        positions.push(Position::from_sfen(&sfen)?);
    }
    if positions.is_empty() {
        positions.push(Position::start());
    }
    let judge = AnyEval::choose(&spec, &EvalSettings::default())?;
    let mut search = Tournament::new(judge, 1, 256 << 20)?;
    for position in positions {
        println!("{position}");
        let budget = Budget::exactly(Duration::from_millis(millis));
        let control = Control::new(Phase::Thinking, Some(budget));
        let root = Root::new(position);
        let best = search.think(&root, &Limits::default(), &control, &mut Print);
        let rate = best.nodes as f64 / control.elapsed().as_secs_f64() / 1000.0;
        println!("{:?}, {} nodes, {rate:.0} knps\n", best.answer, best.nodes);
    }
    Ok(())
}
