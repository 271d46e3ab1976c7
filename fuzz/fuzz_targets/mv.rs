//! No text makes the move reader panic; what it reads, it writes so that it reads the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_shogi::{Move, Position, Square};

fuzz_target!(|text: &str| {
    let _ = text.parse::<Square>();
    match text.parse::<Move>() {
        Ok(mv) => {
            assert_eq!(mv.to_string(), text);
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            assert_eq!(mv.rotated().rotated(), mv);
            let _ = Position::start().is_legal(mv);
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 300, "{message}");
        }
    }
    // Numbers from outside, such as those of a table or a file.
    if let [low, high, ..] = *text.as_bytes() {
        if let Some(mv) = Move::from_bits(u16::from_le_bytes([low, high])) {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
    }
});
