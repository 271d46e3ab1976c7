//! Sound files of every format, damaged at random places: no reader may panic.
//!
//! ```text
//! cargo run --release -p tesuji-book --features sqlite --example 02_mutate -- 10000000 ybb sbk
//! ```
//! The number is how many damaged files each reader is given; without extensions it is every reader's
//! turn, but for those that need a file on disk: `sqlite`, and `minimax`, which reads whole `.db` at
//! once. `fuzz/` has the same with a fuzzer that looks for new paths.

use std::io::Cursor;
use std::path::Path;
use std::time::Instant;
use tesuji_book::format::{apery, db, lines, sbk, write, ybb};
use tesuji_book::minimax::{MinimaxPlan, text_books};
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
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.first().and_then(|text| text.parse().ok());
    let count: u64 = count.unwrap_or(10_000);
    let folder = tempfile::tempdir()?;
    let mut names: Vec<String> = arguments.into_iter().skip(1).collect();
    if names.is_empty() {
        names = FORMATS.map(|format| format.extension().to_owned()).into();
    }
    for name in names {
        let is_whole = name == "minimax";
        let format: BookFormat = if is_whole { "db" } else { &name }.parse()?;
        let mut dice = fastrand::Rng::with_seed(1);
        let path = folder
            .path()
            .join("sound")
            .with_extension(format.extension());
        write(&path, format, small_book(&mut dice).into_iter().map(Ok))?;
        let sound = std::fs::read(&path)?;
        let scratch = folder
            .path()
            .join("damaged")
            .with_extension(format.extension());
        let begun = Instant::now();
        let (mut entries, mut damaged) = (0, Vec::new());
        for number in 1..=count {
            damaged.clone_from(&sound);
            damage(&mut damaged, &mut dice);
            entries += match (is_whole, format) {
                (true, _) => read_whole(&scratch, &damaged)?,
                (_, BookFormat::Sqlite) => read_file(&scratch, format, &damaged)?,
                _ => read(format, &damaged),
            };
            if number == count || number.is_multiple_of(1_000_000) {
                let seconds = begun.elapsed().as_secs_f64();
                println!("{name:<7}{number:>10} files {entries:>10} entries read {seconds:>8.1} s");
            }
        }
    }
    Ok(())
}

/// Reads a damaged file that must lie on disk; says how many entries made sense.
fn read_file(path: &Path, format: BookFormat, bytes: &[u8]) -> std::io::Result<usize> {
    std::fs::write(path, bytes)?;
    let entries = tesuji_book::format::read(path, format, &[Position::start()]);
    Ok(entries.map_or(0, |entries| entries.flatten().count()))
}

/// Values a damaged file; says how many positions were written.
fn read_whole(path: &Path, bytes: &[u8]) -> std::io::Result<usize> {
    std::fs::write(path, bytes)?;
    let plan = MinimaxPlan {
        connects: true,
        ..MinimaxPlan::default()
    };
    let written = text_books(&[path], &path.with_extension("out"), plan, &|_| ());
    Ok(written.map_or(0, |count| count.unwrap_or(0) as usize))
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
