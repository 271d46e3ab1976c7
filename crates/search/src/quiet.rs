//! Quiescence on any board: captures until nothing hangs, answers to checks, and nothing else.
//!
//! Shannon (1950) asked for it. The tournament search has a larger one of its own.

use crate::leaf_eval::LeafEval;
use crate::ordering::captures::{MoveOrder, sort_moves};
use tesuji_shogi::{Generators, Move, MoveList, Value};

/// How many plies of captures and answers to checks are followed.
pub(crate) const QUIESCENCE_PLIES: u32 = 8;

/// The value of a position when everything that hangs is taken, for the side to move. `plies` counts
/// down from [`QUIESCENCE_PLIES`]; `ply` counts from the root, for mates.
pub(crate) fn quiescence<B: Generators>(
    board: &mut B,
    leaf: &mut impl LeafEval<B>,
    (alpha, beta): (Value, Value),
    (ply, plies): (u32, u32),
    nodes: &mut u64,
) -> Value {
    *nodes += 1;
    let in_check = plies > 0 && board.is_in_check();
    let mut best = match in_check {
        true => Value::mated_in(ply as i32),
        // Nobody has to take.
        false => leaf.value(board),
    };
    if beta <= best || plies == 0 {
        return best;
    }
    for mv in quiescence_moves(board, in_check) {
        let change = board.play(mv);
        leaf.follow(change);
        let window = (-beta, -alpha.max(best));
        let value = -quiescence(board, leaf, window, (ply + 1, plies - 1), nodes);
        leaf.retrace();
        board.undo();
        best = best.max(value);
        if beta <= best {
            break;
        }
    }
    best
}

/// Every answer to a check; otherwise captures that lose nothing, the greatest first.
pub(crate) fn quiescence_moves(board: &impl Generators, in_check: bool) -> Vec<Move> {
    let mut list = MoveList::new();
    let _ = match in_check {
        true => board.evasions(&mut list),
        false => board.captures(&mut list),
    };
    let gains = |mv: &Move| in_check || board.exchange_is_at_least(*mv, Value::ZERO);
    let mut moves: Vec<Move> = list.iter().filter(gains).collect();
    sort_moves(board, MoveOrder::Captures, &mut moves);
    moves
}
