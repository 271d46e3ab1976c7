//! The book inside the program, made by our own commands from public games and our own engine;
//! docs/book.md says how.

use crate::entry::BookEntry;
use crate::error::BookError;
use crate::store::StoreReader;

/// What is written where a file is expected to mean the book inside the program.
pub const BUILTIN: &str = "builtin";

/// A store, as `tesuji book prune -o builtin.tbk` writes it.
const BYTES: &[u8] = include_bytes!("../books/builtin.tbk");

/// The positions of the book inside the program, each once.
///
/// # Errors
/// Never, if the program was built from a sound file: the tests read all of it.
pub fn builtin() -> Result<StoreReader<&'static [u8]>, BookError> {
    StoreReader::new(BYTES)
}

/// How many bytes it takes.
pub const fn builtin_bytes() -> usize {
    BYTES.len()
}

/// The positions, for whoever takes entries from any book.
pub(crate) fn entries() -> Result<Box<dyn Iterator<Item = Result<BookEntry, BookError>>>, BookError>
{
    Ok(Box::new(builtin()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::Position;

    #[test]
    fn it_is_small_sound_and_knows_the_start() {
        assert!(builtin_bytes() <= 1 << 20);
        let mut is_start_known = false;
        for entry in builtin().unwrap() {
            let entry = entry.unwrap();
            assert!(entry.moves.iter().any(|mv| mv.mv.is_some()));
            assert_eq!(entry.illegal().next(), None, "{}", entry.pos.to_sfen());
            is_start_known |= entry.pos.identity() == Position::start().identity();
        }
        assert!(is_start_known);
    }
}
