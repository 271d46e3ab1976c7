//! No text makes the SFEN reader panic; what it reads, it writes so that it reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_shogi::{Position, Setup};

fuzz_target!(|text: &str| {
    match Position::from_sfen(text) {
        Ok(pos) => {
            let sfen = pos.to_sfen();
            let again = Position::from_sfen(&sfen).expect("what was written can be read");
            assert_eq!(again, pos);
            assert_eq!(again.to_sfen(), sfen);
            let _ = (pos.to_string(), pos.to_letters());
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 300, "{message}");
        }
    }
    let _ = Setup::from_sfen(text);
});
