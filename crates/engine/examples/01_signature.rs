//! The signature of the search: how many positions it visits in all. The same on every machine.
//!
//! `cargo run --release -p tesuji-engine --example 01_signature [DEPTH]`

use tesuji_engine::bench;
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{Phase, SearchControl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = match std::env::args().nth(1) {
        Some(word) => word.parse()?,
        None => 9,
    };
    let eval = AnyEval::choose(&EvalSpec::Builtin, &EvalSettings::default())?;
    let mut search = AnyTournament::new(eval, 1, bench::TABLE_BYTES)?;
    let control = SearchControl::new(Phase::Thinking, None);
    let total = bench::run(&mut search, depth, &control, |_| {});
    println!("{}", total.nodes);
    Ok(())
}
