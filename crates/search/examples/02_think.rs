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
use tesuji_search::{
    Phase, Search, SearchControl, SearchInfo, SearchListener, SearchRequest, TimeBudget,
};
use tesuji_shogi::Position;

/// Prints every line that the search finds.
struct Printer;

impl SearchListener for Printer {
    fn info(&mut self, info: &SearchInfo) {
        let pv: Vec<_> = info.pv.iter().map(ToString::to_string).collect();
        println!(
            "depth {:2}  value {:6}  {:9} nodes  {:6} ms  {}",
            info.depth,
            info.value.value.points(),
            info.nodes,
            info.time.as_millis(),
            pv.join(" ")
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
    let eval = AnyEval::choose(&spec, &EvalSettings::default())?;
    let mut search = Tournament::new(eval, 1, 256 << 20)?;
    for position in positions {
        println!("{position}");
        let budget = TimeBudget::exactly(Duration::from_millis(millis));
        let control = SearchControl::new(Phase::Thinking, Some(budget));
        let request = SearchRequest::new(position);
        let best = search.think(&request, &control, &mut Printer);
        let rate = best.nodes as f64 / control.elapsed().as_secs_f64() / 1000.0;
        println!("{:?}, {} nodes, {rate:.0} knps\n", best.answer, best.nodes);
    }
    Ok(())
}
