//! Sound files of every format, damaged at random places: no reader may panic.
//!
//! ```text
//! cargo run --release -p tesuji-book --example 02_mutate -- 10000000
//! ```
//! The number is how many damaged files each reader is given. `fuzz/` has the same with a fuzzer that
//! looks for new paths.

use std::io::Cursor;
use std::time::Instant;
use tesuji_book::format::{apery, db, lines, sbk, write, ybb};
use tesuji_book::{BookEntry, BookFormat, BookMove, store};
use tesuji_shogi::{Board, Position};

const FORMATS: [BookFormat; 6] = [
    BookFormat::Db,
    BookFormat::Lines,
    BookFormat::Ybb,
    BookFormat::Apery,
    BookFormat::Sbk,
    BookFormat::Store,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let count: u64 = count.unwrap_or(10_000);
    let folder = tempfile::tempdir()?;
    let mut dice = fastrand::Rng::with_seed(1);
    for format in FORMATS {
        let path = folder.path().join(format.extension());
        write(&path, format, small_book(&mut dice).into_iter().map(Ok))?;
        let sound = std::fs::read(&path)?;
        let begun = Instant::now();
        let (mut entries, mut damaged) = (0, Vec::new());
        for _ in 0..count {
            damaged.clone_from(&sound);
            damage(&mut damaged, &mut dice);
            entries += read(format, &damaged);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let name = format.extension();
        println!("{name:<7}{count:>10} files {entries:>10} entries read {seconds:>8.1} s");
    }
    Ok(())
}

/// Three positions of a random game, two moves each.
fn small_book(dice: &mut fastrand::Rng) -> Vec<BookEntry> {
    let mut pos = Position::start();
    let mut entries = Vec::new();
    for _ in 0..3 {
        let legal = pos.legal_moves();
        let moves: Vec<_> = legal.iter().collect();
        let chosen = [0; 2].map(|_| moves[dice.usize(..moves.len())]);
        let mut book_moves: Vec<BookMove> = chosen.map(BookMove::new).into();
        book_moves.dedup_by_key(|mv| mv.mv);
        book_moves[0].value = dice.i32(-900..900);
        book_moves[0].depth = dice.i32(1..30);
        entries.push(BookEntry::new(pos.clone(), book_moves));
        pos.play(chosen[0]);
        pos = pos.setup().build().expect("a position of a game");
    }
    entries
}

/// Changes, removes, repeats or adds a few bytes.
fn damage(bytes: &mut Vec<u8>, dice: &mut fastrand::Rng) {
    for _ in 0..dice.usize(1..4) {
        let place = dice.usize(..bytes.len().max(1));
        match dice.u8(..6) {
            _ if bytes.is_empty() => bytes.push(dice.u8(..)),
            0 | 1 => bytes[place] = dice.u8(..),
            2 => bytes[place] ^= 1 << dice.u8(..8),
            3 => bytes.truncate(place),
            4 => bytes.insert(place, dice.u8(..)),
            _ => {
                let end = (place + dice.usize(..16)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                bytes.extend(part);
            }
        }
    }
}

/// Reads everything; says how many entries made sense.
fn read(format: BookFormat, bytes: &[u8]) -> usize {
    match format {
        BookFormat::Db => db::DbReader::new(bytes).flatten().count(),
        BookFormat::Lines => lines::LinesReader::new(bytes).flatten().count(),
        BookFormat::Ybb => ybb::YbbBook::open(Cursor::new(bytes))
            .map_or(0, |book| book.entries().flatten().count()),
        BookFormat::Apery => apery::AperyBook::open(Cursor::new(bytes))
            .map_or(0, |book| book.walk(&[Position::start()]).flatten().count()),
        BookFormat::Sbk => sbk::read(bytes).map_or(0, |(entries, _)| entries.len()),
        _ => store::StoreReader::new(bytes).map_or(0, |entries| entries.flatten().count()),
    }
}
