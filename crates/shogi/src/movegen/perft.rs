//! Counting the leaves of the game tree, for any board.
//!
//! The name and the use are those of Hyatt's Crafty: two programs that count the same know the
//! same rules.

use super::Count;
use crate::board::Board;
use crate::types::moves::{Move, MoveList};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// How many positions can be reached in `depth` moves. The last move is counted, not played.
///
/// ```
/// use tesuji_shogi::{movegen::perft, Position};
/// assert_eq!(perft::count(&mut Position::start(), 3), 25_470);
/// ```
pub fn count<B: Board>(board: &mut B, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut count = Count::default();
            let _ = board.legal(&mut count);
            count.0 as u64
        }
        _ => {
            let mut moves = MoveList::new();
            let _ = board.legal(&mut moves);
            moves
                .iter()
                .map(|mv| board.after(mv, |board, _| count(board, depth - 1)))
                .sum()
        }
    }
}

/// As [`count`], but every move of the tree is played, the last ones too.
pub fn count_played<B: Board>(board: &mut B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    let _ = board.legal(&mut moves);
    moves
        .iter()
        .map(|mv| board.after(mv, |board, _| count_played(board, depth - 1)))
        .sum()
}

/// The count below each first move.
pub fn divide<B: Board>(board: &mut B, depth: u32) -> Vec<(Move, u64)> {
    let moves = if depth == 0 {
        MoveList::new()
    } else {
        board.legal_moves()
    };
    moves
        .iter()
        .map(|mv| (mv, board.after(mv, |board, _| count(board, depth - 1))))
        .collect()
}

/// As [`divide`], spread over the threads of the current pool. Needs the feature `rayon`.
#[cfg(feature = "rayon")]
pub fn divide_parallel<B: Board + Sync + Send>(board: &B, depth: u32) -> Vec<(Move, u64)> {
    let moves = if depth == 0 {
        MoveList::new()
    } else {
        board.legal_moves()
    };
    let moves: Vec<_> = moves.iter().collect();
    moves
        .into_par_iter()
        .map_with(board.clone(), |board, mv| {
            (mv, board.after(mv, |board, _| count(board, depth - 1)))
        })
        .collect()
}
