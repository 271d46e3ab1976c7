//! Captures first, on any board: the greatest victim before the others (MVV-LVA: most valuable
//! victim, least valuable attacker).

use tesuji_shogi::{Board, Move};

/// In which order moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveOrder {
    /// As the generator gives them.
    Generated,
    /// Captures first, the greatest victim before the others, and of two takers the cheaper one.
    #[default]
    Captures,
}

/// What makes a capture worth trying early; 0 for the rest. The least comes first.
pub(crate) fn capture_rank(board: &impl Board, mv: Move) -> i32 {
    let Some(victim) = board.at(mv.to()) else {
        return 0;
    };
    let taker = mv.from().and_then(|from| board.at(from));
    // No taker is worth more than a king, so that the victim decides first.
    let cheapness = taker.map_or(0, |piece| piece.kind().worth().points());
    cheapness - 16_000 * (1 + victim.kind().worth().points() / 50)
}

/// Brings moves into order; those that are alike stay as they were.
pub(crate) fn sort_moves(board: &impl Board, order: MoveOrder, moves: &mut [Move]) {
    if order == MoveOrder::Captures {
        sort_by_rank(moves, |mv| capture_rank(board, mv));
    }
}

/// Brings the moves of the least rank to the front; those that are alike stay as they were.
pub(crate) fn sort_by_rank(moves: &mut [Move], rank: impl Fn(Move) -> i32) {
    let mut ranked: Vec<(i32, Move)> = moves.iter().map(|&mv| (rank(mv), mv)).collect();
    sort_ranked(&mut ranked);
    for (place, (_, mv)) in moves.iter_mut().zip(ranked) {
        *place = mv;
    }
}

/// Compiled once for all boards and searches: sorting is a lot of code.
fn sort_ranked(ranked: &mut [(i32, Move)]) {
    ranked.sort_by_key(|&(rank, _)| rank);
}
