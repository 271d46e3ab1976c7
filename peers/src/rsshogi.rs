//! `rsshogi`: moves of 32 bits, play and undo on a stack of states.

use std::hint::black_box;

use ::rsshogi::board::{
    self, Bitboard, LegalAll, Move32List, Move32Sink, MoveList, Position,
    generate_legal_all_move32, generate_legal_all_move32_into, generate_moves,
};
use ::rsshogi::mate::solve_mate_in_one_in_place;
use ::rsshogi::types::{Color, Move32, PieceType};

use crate::Peer;

/// The crate `rsshogi`.
pub struct Rsshogi;

impl Peer for Rsshogi {
    const NAME: &'static str = "rsshogi";

    type Position = Position;

    fn parse(sfen: &str) -> Result<Position, String> {
        let mut position =
            board::position_from_sfen(sfen).map_err(|error| format!("rsshogi: {sfen}: {error}"))?;
        position.init_stack();
        Ok(position)
    }

    fn perft(position: &mut Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => legal_count(position),
            _ => sum_over_children(position, |child| Self::perft(child, depth - 1)),
        }
    }

    fn perft_listed(position: &mut Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => legal_list(position).len() as u64,
            _ => sum_over_children(position, |child| Self::perft_listed(child, depth - 1)),
        }
    }

    fn perft_played(position: &mut Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => sum_over_children(position, |child| Self::perft_played(child, depth - 1)),
        }
    }

    fn list(position: &Position, n: u32) -> u64 {
        let mut moves = MoveList::new();
        let mut total = 0;
        for _ in 0..n {
            generate_moves::<LegalAll>(black_box(position), &mut moves);
            total += black_box(&moves).len() as u64;
        }
        total
    }

    fn count(position: &Position, n: u32) -> u64 {
        (0..n)
            .map(|_| black_box(legal_count(black_box(position))))
            .sum()
    }

    fn play_undo(position: &mut Position, rounds: u32) -> u64 {
        let moves = legal_list(position);
        for _ in 0..rounds {
            for &mv in &moves {
                play_and_undo(position, mv, |child| {
                    black_box(child);
                });
            }
        }
        u64::from(rounds) * moves.len() as u64
    }

    fn mates_in_one(positions: &mut [Position]) -> Option<u64> {
        let found = positions.iter_mut().filter_map(solve_mate_in_one_in_place);
        Some(found.map(black_box).count() as u64)
    }
}

/// All legal moves, with every non-promotion.
fn legal_list(position: &Position) -> Move32List {
    let mut moves = Move32List::new();
    generate_legal_all_move32(position, &mut moves);
    moves
}

/// The number of legal moves, without writing them.
fn legal_count(position: &Position) -> u64 {
    let mut counter = Counter(0);
    generate_legal_all_move32_into(position, &mut counter);
    counter.0
}

fn sum_over_children(position: &mut Position, mut f: impl FnMut(&mut Position) -> u64) -> u64 {
    let moves = legal_list(position);
    moves
        .iter()
        .map(|&mv| play_and_undo(position, mv, &mut f))
        .sum()
}

fn play_and_undo<T>(position: &mut Position, mv: Move32, f: impl FnOnce(&mut Position) -> T) -> T {
    position.apply_move32(mv);
    let value = f(position);
    // SAFETY: `mv` was played just above, and `f` leaves the position as it found it.
    unsafe { position.undo_move32_unchecked(mv) };
    value
}

/// A sink that counts; whole sets of drops at once.
struct Counter(u64);

impl Move32Sink for Counter {
    fn push_move32(&mut self, _: Move32) {
        self.0 += 1;
    }

    fn push_drop_targets(&mut self, _: PieceType, targets: Bitboard, _: Color) {
        self.0 += u64::from(targets.count());
    }

    fn retain_unordered<F: FnMut(Move32) -> bool>(&mut self, _: F) {
        unreachable!("a counter keeps no moves; the legal generator filters before it pushes");
    }
}
