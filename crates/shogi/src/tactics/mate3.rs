//! Is there a mate in three? A check, every answer, and a mate in one behind each.

use super::mate1::mate_in_one;
use crate::movegen::{self, Each};
use crate::position::Position;
use crate::types::moves::{Move, MoveList};
use std::ops::ControlFlow::{Break, Continue};

/// A move that mates at once or in three, whatever the foe answers. The shorter mate comes first.
///
/// ```
/// use tesuji_shogi::{Position, tactics::mate_in_three};
/// let mut pos = Position::from_sfen("3gkg3/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
/// assert_eq!(mate_in_three(&mut pos), None);
/// ```
pub fn mate_in_three(pos: &mut Position) -> Option<Move> {
    if let Some(mv) = mate_in_one(pos) {
        return Some(mv);
    }
    let mut checks = MoveList::new();
    let _ = movegen::checks(pos, &mut checks);
    checks.iter().find(|&mv| {
        pos.play(mv);
        let holds = every_answer_is_mated(pos);
        pos.undo();
        holds
    })
}

/// Whether each answer to the check allows a mate in one.
fn every_answer_is_mated(pos: &mut Position) -> bool {
    let mut answers = MoveList::new();
    let _ = movegen::legal(pos, &mut answers);
    answers.iter().all(|mv| {
        pos.play(mv);
        // A check in answer may be mated as well: the mate must answer it.
        let mated = mate_in_one(pos).is_some();
        pos.undo();
        mated
    })
}

/// Whether a legal move gives mate.
pub fn is_mating(pos: &mut Position, mv: Move) -> bool {
    pos.play(mv);
    let any = movegen::legal(pos, &mut Each(|_| Break(())));
    let mate = pos.in_check() && matches!(any, Continue(()));
    pos.undo();
    mate
}
