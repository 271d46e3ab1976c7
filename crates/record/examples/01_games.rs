//! Plays a few moves into a game, comments on them, and prints it in every format.
//!
//! `cargo run -p tesuji-record --example 01_games`

use std::error::Error;
use std::time::Duration;
use tesuji_record::{Ending, Evaluation, Game, TextFormat};
use tesuji_shogi::{Color, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    game.headers.players[Color::Black] = "先手さん".into();
    game.headers.players[Color::White] = "後手さん".into();

    let first = game.push("7g7f".parse()?)?;
    game[first].time = Some(Duration::from_secs(12));
    let second = game.push("3c3d".parse()?)?;
    game[second].comment = "The bishops look at each other.".into();
    let third = game.push("8h2b+".parse()?)?;
    game[third].evaluation = Some(Evaluation {
        value: Value::new(-40),
        depth: Some(12),
        nodes: Some(100_000),
        line: vec!["3a2b".parse()?],
    });
    game.add(second, "2g2f".parse()?)?; // a variation: Black could have waited
    game.push("3a2b".parse()?)?;
    game.end(Ending::Resignation);

    for format in TextFormat::ALL {
        println!("== {}", format.name());
        let text = format.write(&game)?;
        println!("{text}");
        // What a format cannot keep is known beforehand.
        assert_eq!(format.read(&text)?, format.keeps(&game));
    }
    Ok(())
}
