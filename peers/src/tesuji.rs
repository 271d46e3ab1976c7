//! Ours.

use std::hint::black_box;

use tesuji_shogi::movegen::{self, perft};
use tesuji_shogi::tactics::mate_in_one;
use tesuji_shogi::{Board, Count, MoveList, Position};

use crate::Peer;

/// The crate `tesuji-shogi`.
pub struct Tesuji;

impl Peer for Tesuji {
    const NAME: &'static str = "tesuji";

    type Position = Position;

    fn parse(sfen: &str) -> Result<Position, String> {
        Position::from_sfen(sfen).map_err(|error| format!("tesuji: {sfen}: {error}"))
    }

    fn perft(position: &mut Position, depth: u32) -> u64 {
        perft::count(position, depth)
    }

    fn perft_listed(position: &mut Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => listed(position),
            _ => {
                let moves = position.legal_moves();
                let below = |mv| position.after(mv, |pos, _| Self::perft_listed(pos, depth - 1));
                moves.iter().map(below).sum()
            }
        }
    }

    fn perft_played(position: &mut Position, depth: u32) -> u64 {
        if depth == 0 {
            black_box(position);
            return 1;
        }
        let moves = position.legal_moves();
        moves.iter().map(|mv| position.after(mv, |pos, _| Self::perft_played(pos, depth - 1))).sum()
    }

    fn list(position: &Position, n: u32) -> u64 {
        (0..n).map(|_| listed(black_box(position))).sum()
    }

    fn count(position: &Position, n: u32) -> u64 {
        let one = || {
            let mut count = Count::default();
            let _ = movegen::legal(black_box(position), &mut count);
            black_box(count.0) as u64
        };
        (0..n).map(|_| one()).sum()
    }

    fn play_undo(position: &mut Position, rounds: u32) -> u64 {
        let moves: Vec<_> = position.legal_moves().iter().collect();
        for _ in 0..rounds {
            for &mv in &moves {
                position.play(mv);
                black_box(&mut *position);
                position.undo();
            }
        }
        u64::from(rounds) * moves.len() as u64
    }

    fn mates_in_one(positions: &mut [Position]) -> Option<u64> {
        Some(positions.iter_mut().filter_map(mate_in_one).count() as u64)
    }
}

fn listed(position: &Position) -> u64 {
    let mut moves = MoveList::new();
    let _ = movegen::legal(position, &mut moves);
    black_box(&moves).len() as u64
}
