//! No files make the reader of KPPT tables panic, whatever their names, sizes and numbers; what it
//! opens judges every position of a game, move by move as from nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_eval::bona_piece::BONA_PIECES;
use tesuji_eval::pairs::{AnyKppt, Board16, Kppt, Turn16, Turn32, open_kppt};
use tesuji_fuzz::{Bytes, Folder, complains, judges_alike};

/// The square of both kings in the beginning, each as its own side sees it.
const KING: u64 = 44;
/// Both kings as Black sees them.
const KINGS: u64 = KING * 81 + 36;

/// The file of a table with so many bytes, if it should have them, in one of many ways.
fn size(choice: u8, sizes: [u64; 2]) -> Option<u64> {
    let [first, second] = sizes;
    match choice >> 1 {
        0..32 => Some(first),
        32..64 => Some(second),
        64..72 => None,
        72..80 => Some(first - 1),
        80..88 => Some(second + 1),
        odd => Some(u64::from(odd) - 88),
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let folder = Folder::new("kppt-files");
    let wide = Kppt::<Turn32, Turn16>::SIZES;
    let short = Kppt::<Turn16, Board16>::SIZES;
    let pieces = BONA_PIECES as u64;
    // How many cells there are, and those that the first position looks at.
    let tables = [
        ("KK", 81 * 81, KINGS..KINGS + 1),
        (
            "KKP",
            81 * 81 * pieces,
            KINGS * pieces..(KINGS + 1) * pieces,
        ),
        (
            "KPP",
            81 * pieces * pieces,
            KING * pieces * pieces..(KING + 1) * pieces * pieces,
        ),
    ];
    for ((stem, cells, part), sizes) in tables.into_iter().zip(std::iter::zip(wide, short)) {
        let choice = bytes.byte();
        let ending = if choice & 1 == 0 {
            "_synthesized.bin"
        } else {
            ".bin"
        };
        // One number everywhere: pairs are the same both ways, as in every sound table.
        let number: Vec<u8> = (0..8).map(|_| bytes.byte()).collect();
        if let Some(size) = size(choice, sizes.into()) {
            let cell = (size / cells).max(1);
            let part = part.start * cell..part.end * cell;
            let number = &number[..cell.min(8) as usize];
            folder.hollow(&format!("{stem}{ending}"), size, part, number);
        }
    }
    match open_kppt(folder.path()) {
        Ok(AnyKppt::Kppt(tables)) => judges_alike(&tables, &mut bytes),
        Ok(AnyKppt::Kppt16(tables)) => judges_alike(&tables, &mut bytes),
        Ok(AnyKppt::KppKkpt(tables)) => judges_alike(&tables, &mut bytes),
        Err(error) => complains(&error),
    }
});
