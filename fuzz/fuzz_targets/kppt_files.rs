//! No files make the reader of KPPT tables panic, whatever their names, sizes and numbers; what it
//! opens judges every position of a game, move by move as from nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_eval::pairs::index::PLACES;
use tesuji_eval::pairs::{AnyKppt, Kppt, Plain, Turned, Wide, open};
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
    let wide = Kppt::<Wide, Turned>::SIZES;
    let short = Kppt::<Turned, Plain>::SIZES;
    let places = PLACES as u64;
    // How many cells there are, and those that the first position looks at.
    let tables = [
        ("KK", 81 * 81, KINGS..KINGS + 1),
        (
            "KKP",
            81 * 81 * places,
            KINGS * places..(KINGS + 1) * places,
        ),
        (
            "KPP",
            81 * places * places,
            KING * places * places..(KING + 1) * places * places,
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
    match open(folder.path()) {
        Ok(AnyKppt::Kppt(tables)) => judges_alike(&tables, &mut bytes),
        Ok(AnyKppt::Short(tables)) => judges_alike(&tables, &mut bytes),
        Ok(AnyKppt::Turnless(tables)) => judges_alike(&tables, &mut bytes),
        Err(error) => complains(&error),
    }
});
