//! What must hold for the reader of every text format.

use tesuji_record::{Games, TextFormat, encoding};

/// Reads a text of any encoding; if it is a game, writes and reads it again in every format.
pub fn read_and_write(bytes: &[u8], format: TextFormat) {
    // As a stream of games the same bytes must not do harm either.
    Games::new(bytes, format).for_each(drop);
    let Ok(text) = encoding::decode(bytes) else {
        return;
    };
    let game = match format.read(&text) {
        Ok(game) => game,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 1000, "{message}");
            return;
        }
    };
    for format in TextFormat::ALL {
        let kept = format.keeps(&game);
        assert_eq!(format.keeps(&kept), kept, "{format:?}");
        // Variations nested too deep are refused by JKF.
        if let Ok(written) = format.write(&game) {
            assert_eq!(
                format.read(&written).as_ref(),
                Ok(&kept),
                "{format:?}\n{written}"
            );
        }
    }
}
