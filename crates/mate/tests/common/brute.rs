//! The plainest search for a mate: every check, every answer, nothing remembered.

use tesuji_shogi::{Board, Position, movegen};

/// The length of the shortest mate of at most `most` plies, `Some(None)` if there is none, `None`
/// if more than `nodes` positions would have to be looked at.
pub(crate) fn mate_in(pos: &Position, most: usize, nodes: usize) -> Option<Option<usize>> {
    let (mut pos, mut left) = (pos.clone(), nodes);
    for length in (1..=most).step_by(2) {
        if attacks(&mut pos, length, &mut left)? {
            return Some(Some(length));
        }
    }
    Some(None)
}

/// Whether the side to move mates within so many plies.
fn attacks(pos: &mut Position, plies: usize, left: &mut usize) -> Option<bool> {
    for mv in pos.legal_moves().iter() {
        *left = left.checked_sub(1)?;
        pos.play(mv);
        let mates = if pos.in_check() {
            is_mated(pos, plies - 1, left)
        } else {
            Some(false)
        };
        pos.undo();
        if mates? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether every answer is mated within so many plies.
fn is_mated(pos: &mut Position, plies: usize, left: &mut usize) -> Option<bool> {
    if plies == 0 {
        return Some(!movegen::has_legal_move(pos));
    }
    for mv in pos.legal_moves().iter() {
        *left = left.checked_sub(1)?;
        pos.play(mv);
        let mated = attacks(pos, plies - 1, left);
        pos.undo();
        if !mated? {
            return Some(false);
        }
    }
    Some(true)
}
