//! `haitaka`: generates sets of moves, one per piece; copies the board to play.

use std::hint::black_box;

use ::haitaka::{Board, Move};

use crate::Peer;

/// The crate `haitaka`.
pub struct Haitaka;

/// More than any position has.
const MOST_MOVES: usize = 600;

impl Peer for Haitaka {
    const NAME: &'static str = "haitaka";

    type Position = Board;

    fn parse(sfen: &str) -> Result<Board, String> {
        Board::from_sfen(sfen).map_err(|error| format!("haitaka: {sfen}: {error:?}"))
    }

    fn perft(board: &mut Board, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => legal_count(board),
            _ => sum_over_children(board, |child| Self::perft(child, depth - 1)),
        }
    }

    fn perft_listed(board: &mut Board, depth: u32) -> u64 {
        perft_listed(board, depth, &mut Vec::with_capacity(MOST_MOVES))
    }

    fn perft_played(board: &mut Board, depth: u32) -> u64 {
        match depth {
            0 => {
                black_box(board);
                1
            }
            _ => sum_over_children(board, |child| Self::perft_played(child, depth - 1)),
        }
    }

    fn list(board: &Board, n: u32) -> u64 {
        let mut moves = Vec::with_capacity(MOST_MOVES);
        let mut total = 0;
        for _ in 0..n {
            legal_list(black_box(board), &mut moves);
            total += black_box(&moves).len() as u64;
        }
        total
    }

    fn count(board: &Board, n: u32) -> u64 {
        (0..n)
            .map(|_| black_box(legal_count(black_box(board))))
            .sum()
    }

    fn play_undo(board: &mut Board, rounds: u32) -> u64 {
        let mut moves = Vec::new();
        legal_list(board, &mut moves);
        for _ in 0..rounds {
            for &mv in &moves {
                black_box(played(black_box(board), mv));
            }
        }
        u64::from(rounds) * moves.len() as u64
    }
}

/// All legal moves, with every non-promotion.
fn legal_list(board: &Board, moves: &mut Vec<Move>) {
    moves.clear();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
}

/// The number of legal moves, from the sizes of the sets.
fn legal_count(board: &Board) -> u64 {
    let mut count = 0;
    board.generate_moves(|set| {
        count += set.into_iter().len() as u64;
        false
    });
    count
}

fn played(board: &Board, mv: Move) -> Board {
    let mut child = board.clone();
    child.play_unchecked(mv);
    child
}

fn sum_over_children(board: &Board, mut f: impl FnMut(&mut Board) -> u64) -> u64 {
    let mut sum = 0;
    board.generate_moves(|set| {
        for mv in set {
            sum += f(&mut played(board, mv));
        }
        false
    });
    sum
}

fn perft_listed(board: &Board, depth: u32, moves: &mut Vec<Move>) -> u64 {
    match depth {
        0 => 1,
        1 => {
            legal_list(board, moves);
            black_box(&*moves).len() as u64
        }
        _ => sum_over_children(board, |child| perft_listed(child, depth - 1, moves)),
    }
}
