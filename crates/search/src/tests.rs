//! What the tests of several searches share.

use tesuji_shogi::{Board, Position};

/// A position some random moves from the start.
pub(crate) fn played(choices: &[usize]) -> Position {
    let mut pos = Position::start();
    for &choice in choices {
        let moves = pos.legal_moves();
        match moves.get(choice % moves.len().max(1)) {
            Some(mv) => pos.play(mv),
            None => break,
        };
    }
    Position::from_sfen(&pos.to_sfen()).unwrap()
}
