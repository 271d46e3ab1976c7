//! How long it takes to find a position in a large `.ybb` that stays on disk.
//!
//! ```text
//! cargo run --release -p tesuji-book --example 03_probe -- 10000000
//! ```
//! The file has as many positions as asked for, made up but for a thousand of random games, which are
//! then looked for, as are a thousand that are not there.

use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;
use tesuji_book::format::ybb::YbbBook;
use tesuji_record::packed::{Packed, PackedLayout};
use tesuji_shogi::{Board, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let count: usize = count.unwrap_or(100_000);
    let folder = tempfile::tempdir_in(".")?;
    let path = folder.path().join("large.ybb");
    let mut dice = fastrand::Rng::with_seed(1);
    let known = positions(1000, &mut dice);
    let unknown = positions(1000, &mut dice);
    write(&path, count, &known, &mut dice)?;
    println!("{} bytes", std::fs::metadata(&path)?.len());
    for (name, asked) in [("there", &known), ("not there", &unknown)] {
        // The second round finds the middle of the file in the cache of the system.
        for round in ["first time", "again"] {
            let begun = Instant::now();
            let mut book = YbbBook::open(File::open(&path)?)?;
            let opened = begun.elapsed();
            let begun = Instant::now();
            let before = now();
            let mut found = 0;
            for pos in asked {
                found += usize::from(book.find(pos)?.is_some());
            }
            let micros = |seconds: f64| seconds * 1e6 / asked.len() as f64;
            let (each, processor) = (
                micros(begun.elapsed().as_secs_f64()),
                micros(now() - before),
            );
            println!(
                "{name}, {round}: opened in {opened:?}, {found} found, {each:.1} µs each, \
                 {processor:.1} of the processor"
            );
        }
    }
    Ok(())
}

/// The processor time so far, in seconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Positions of random games.
fn positions(count: usize, dice: &mut fastrand::Rng) -> Vec<Position> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut pos = Position::start();
        for _ in 0..dice.usize(10..60) {
            let legal = pos.legal_moves();
            let moves: Vec<_> = legal.iter().collect();
            if moves.is_empty() {
                break;
            }
            pos.play(moves[dice.usize(..moves.len())]);
        }
        found.push(pos);
    }
    found
}

/// Writes a book of made-up keys among which the known positions are; every position has one move.
fn write(
    path: &Path,
    count: usize,
    known: &[Position],
    dice: &mut fastrand::Rng,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut keys: Vec<Packed> = Vec::with_capacity(count);
    for pos in known {
        keys.push(PackedLayout::PackedSfen.pack(pos)?);
    }
    while keys.len() < count {
        let mut key = Packed::default();
        key.fill_with(|| dice.u8(..));
        keys.push(key);
    }
    keys.sort_unstable();
    keys.dedup();
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(b"YANE-BINBOOK-V1\0")?;
    out.write_all(&(keys.len() as u64).to_le_bytes())?;
    out.write_all(&0_u64.to_le_bytes())?;
    for (number, key) in keys.iter().enumerate() {
        out.write_all(key)?;
        out.write_all(&(number as u64 * 4).to_le_bytes())?;
        out.write_all(&1_u16.to_le_bytes())?;
        out.write_all(&1_u16.to_le_bytes())?;
    }
    for _ in &keys {
        // 7g7f, worth nothing.
        out.write_all(&(59_u16 | 60 << 7).to_le_bytes())?;
        out.write_all(&0_i16.to_le_bytes())?;
    }
    out.flush()?;
    Ok(())
}
