//! The game that is analyzed.

use crate::answer::Failure;
use std::io::{self, BufReader, Read};
use std::path::Path;
use tesuji_kernels::open_input;
use tesuji_record::{Game, Games, TextFormat};

/// Reads the game with this number, from 1; `-` is standard input.
pub(super) fn read(path: &Path, from: Option<&str>, number: u32) -> Result<Game, Failure> {
    let wrong = |what: Box<dyn std::error::Error>| Failure::File {
        path: path.into(),
        what,
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let format = from.or(extension).and_then(TextFormat::from_name);
    let (format, _) = format.ok_or_else(|| {
        wrong("the extension does not tell the format: say --from csa, kif, ki2, jkf or usi".into())
    })?;
    let source: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(open_input(path, u64::MAX).map_err(|source| Failure::Read {
            path: path.into(),
            source,
        })?),
    };
    let mut count = 0;
    for game in Games::new(BufReader::new(source), format) {
        count += 1;
        let game = match game {
            // What is wrong with another game does not matter.
            Err(tesuji_record::StreamError::Game(_)) if count < number => continue,
            game => game.map_err(|error| wrong(error.into()))?,
        };
        if count == number {
            return Ok(game);
        }
    }
    Err(wrong(
        format!("there is no game {number}, only {count}").into(),
    ))
}
