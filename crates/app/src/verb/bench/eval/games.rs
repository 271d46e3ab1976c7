//! Games to walk along: from a file, or random.

use crate::answer::Failure;
use std::path::Path;
use tesuji_shogi::{Board, Move, MoveError, Position};

/// The moves of a game from the start position.
pub(super) type GameMoves = Vec<Move>;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum GameLineError {
    /// Not a game from the start position.
    #[error("expected `startpos moves …`")]
    Form,
    /// A word is not a move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move cannot be played.
    #[error("move {0}, {1}, is not legal there")]
    Illegal(usize, Move),
}

/// Reads games, or says which line is wrong and why.
pub(super) fn read(path: &Path) -> Result<Vec<GameMoves>, Failure> {
    let text = tesuji_kernels::read_input_text(path).map_err(|source| Failure::Read {
        path: path.into(),
        source,
    })?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(line, text)| {
            parse(text).map_err(|what| Failure::Line {
                path: path.into(),
                line,
                what: what.into(),
            })
        })
        .collect()
}

fn parse(line: &str) -> Result<GameMoves, GameLineError> {
    let moves = line
        .trim()
        .strip_prefix("startpos moves ")
        .ok_or(GameLineError::Form)?;
    let mut pos = Position::start();
    let mut game = GameMoves::new();
    for (number, word) in (1..).zip(moves.split_whitespace()) {
        let mv = word.parse()?;
        pos.try_play(mv)
            .map_err(|_| GameLineError::Illegal(number, mv))?;
        game.push(mv);
    }
    Ok(game)
}

/// Random games, the same every time.
pub(super) fn random(count: u64) -> Vec<GameMoves> {
    (1..=count).map(random_game).collect()
}

fn random_game(seed: u64) -> GameMoves {
    let (mut pos, mut state, mut game) = (Position::start(), seed, GameMoves::new());
    while game.len() < 150 {
        let moves = pos.legal_moves();
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let Some(mv) = moves.get((state >> 33) as usize % moves.len().max(1)) else {
            break;
        };
        pos.play(mv);
        game.push(mv);
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_and_a_bad_move_named() {
        assert_eq!(parse("startpos moves 7g7f 3c3d").unwrap().len(), 2);
        assert_eq!(parse("7g7f"), Err(GameLineError::Form));
        let illegal = parse("startpos moves 7g7f 7f7e").unwrap_err();
        assert_eq!(illegal.to_string(), "move 2, 7f7e, is not legal there");
    }
}
