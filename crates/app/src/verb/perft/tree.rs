//! Counting a tree branch by branch, on one thread or many, for any board.

use rayon::ThreadPool;
use rayon::prelude::*;
use tesuji_shogi::movegen::perft;
use tesuji_shogi::{Board, Move};

/// No tree of this depth was ever counted, nor will be.
pub(super) const DEEPEST: u32 = 64;

/// What is done with the last move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaves {
    /// It is counted where it is generated.
    Counted,
    /// It is played and taken back.
    Played,
}

impl Leaves {
    fn count<B: Board>(self, board: &mut B, depth: u32) -> u64 {
        match self {
            Self::Counted => perft::count(board, depth),
            Self::Played => perft::count_played(board, depth),
        }
    }

    /// As [`Leaves::count`], the first moves spread over the threads of the current pool.
    fn spread<B: Board + Sync + Send>(self, board: &mut B, depth: u32) -> u64 {
        // Below this a branch costs less than handing it over.
        if depth < 3 {
            return self.count(board, depth);
        }
        let moves: Vec<Move> = board.legal_moves().iter().collect();
        let below = |board: &mut B, mv| board.after(mv, |board, _| self.count(board, depth - 1));
        moves.into_par_iter().map_with(board.clone(), below).sum()
    }
}

/// How many branches there will be.
pub(super) fn first_moves(board: &impl Board, depth: u32) -> u64 {
    match depth {
        0 => 0,
        _ => board.legal_moves().len() as u64,
    }
}

/// The count below each first move, in the order of the generator; none at depth 0. `tick` is
/// called after each.
pub(super) fn branches<B: Board + Sync + Send>(
    mut board: B,
    depth: u32,
    leaves: Leaves,
    pool: Option<&ThreadPool>,
    tick: impl Fn() + Sync,
) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves: Vec<Move> = board.legal_moves().iter().collect();
    let told = |mv, nodes| {
        tick();
        (mv, nodes)
    };
    match pool {
        None => moves
            .into_iter()
            .map(|mv| told(mv, board.after(mv, |board, _| leaves.count(board, rest))))
            .collect(),
        Some(pool) => pool.install(|| {
            let below = |board: &mut B, mv| {
                told(mv, board.after(mv, |board, _| leaves.spread(board, rest)))
            };
            moves.into_par_iter().map_with(board, below).collect()
        }),
    }
}

/// The leaves of the whole tree: at depth 0 the position itself.
pub(super) fn sum(branches: &[(Move, u64)], depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => branches.iter().map(|&(_, nodes)| nodes).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::Position;

    /// Wide and full of drops; 207 moves.
    const FESTIVAL: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

    #[test]
    fn every_way_of_counting_gives_the_same() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let pool = pool.unwrap();
        for (pos, depth, nodes) in [
            (Position::start(), 0, 1),
            (Position::start(), 1, 30),
            (Position::start(), 4, 719_731),
            (Position::from_sfen(FESTIVAL).unwrap(), 2, 28_684),
        ] {
            for leaves in [Leaves::Counted, Leaves::Played] {
                let alone = branches(pos.clone(), depth, leaves, None, || ());
                let spread = branches(pos.clone(), depth, leaves, Some(&pool), || ());
                assert_eq!(alone, spread);
                assert_eq!(sum(&alone, depth), nodes);
                assert_eq!(first_moves(&pos, depth), alone.len() as u64);
            }
        }
    }
}
