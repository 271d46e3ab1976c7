//! No file makes the reader of Bonanza's tables panic, whatever its size and numbers; what it opens
//! judges every position of a game, move by move as from nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_eval::pairs::FvBin;
use tesuji_fuzz::{Bytes, Folder, complains, judges_alike};

/// Where the numbers of a king on its first square begin, and how many bytes they take.
const PAIRS: u64 = 1476 * 1477;
const KING: u64 = 76;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let folder = Folder::new("fv-file");
    let size = match bytes.byte() {
        0..200 => FvBin::SIZE,
        200..225 => FvBin::SIZE - 1,
        225..250 => FvBin::SIZE + 1,
        few => u64::from(few) - 250,
    };
    // Even beginnings fill what the first king sees of pairs, odd ones the end: both kings.
    let pairs = KING * PAIRS..(KING + 1) * PAIRS;
    let part = match bytes.byte() % 2 {
        0 => pairs,
        _ => 81 * PAIRS..FvBin::SIZE,
    };
    let count = usize::from(bytes.byte() % 64) + 1;
    let numbers: Vec<u8> = (0..count).map(|_| bytes.byte()).collect();
    folder.hollow("fv.bin", size, part, &numbers);
    match FvBin::open(&folder.path().join("fv.bin")) {
        Ok(table) => judges_alike(&table, &mut bytes),
        Err(error) => complains(&error),
    }
});
