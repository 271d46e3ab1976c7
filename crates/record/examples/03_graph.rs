//! Prints the course of a game as SVG: `cargo run -p tesuji-record --example 03_graph game.csa > game.svg`
//!
//! Without a file it takes a game with two made-up values.

use std::error::Error;
use std::path::PathBuf;
use tesuji_record::analysis::{ReportLanguage, annotate, graph};
use tesuji_record::{Evaluation, Game, TextFormat, encoding};
use tesuji_shogi::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = match std::env::args_os().nth(1).map(PathBuf::from) {
        None => made_up()?,
        Some(path) => {
            let extension = path.extension().and_then(|extension| extension.to_str());
            let format = extension.and_then(TextFormat::from_name);
            let (format, _) = format.ok_or("expected a record such as game.csa or game.kif")?;
            format.read(&encoding::decode(&std::fs::read(&path)?)?)?
        }
    };
    for slip in annotate(&mut game, ReportLanguage::English) {
        eprintln!(
            "move {}: {}",
            game[slip.node].depth(),
            game[slip.node].comment
        );
    }
    print!("{}", graph(&game));
    Ok(())
}

fn made_up() -> Result<Game, Box<dyn Error>> {
    let mut game = Game::default();
    for (mv, value) in [("7g7f", 40), ("8c8d", 60), ("8h7g", 30), ("8d8e", 400)] {
        let id = game.push(mv.parse()?)?;
        game[id].evaluation = Some(Evaluation::of(Value::new(value)));
    }
    Ok(game)
}
