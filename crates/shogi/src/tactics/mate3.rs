//! Is there a mate in three, or in five? A check, every answer, and a shorter mate behind each.

use super::mate1::mate_in_one;
use crate::movegen;
use crate::position::Position;
use crate::types::moves::{Move, MoveList};

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
    mating_check(pos, |pos| mate_in_one(pos).is_some())
}

/// A move that mates at once, in three or in five, whatever the foe answers. The shortest mate comes
/// first.
///
/// ```
/// use tesuji_shogi::{Position, tactics::mate_in_five};
/// let mut pos = Position::from_sfen("8k/9/9/9/9/9/9/9/4K4 b 2RG 1").unwrap();
/// let first = mate_in_five(&mut pos);
/// assert!(first.is_some_and(|mv| mv.is_drop()));
/// ```
pub fn mate_in_five(pos: &mut Position) -> Option<Move> {
    // Where no mate in one threatens after any answer, there is none in three, and five are tried.
    mate_in_three(pos).or_else(|| mating_check(pos, |pos| mate_in_three(pos).is_some()))
}

/// A check after which every answer allows what `mates` looks for.
fn mating_check(pos: &mut Position, mates: impl Fn(&mut Position) -> bool) -> Option<Move> {
    let mut checks = MoveList::new();
    let _ = movegen::checks(pos, &mut checks);
    checks.iter().find(|&mv| {
        pos.play(mv);
        let holds = every_answer_is_mated(pos, &mates);
        pos.undo();
        holds
    })
}

/// Whether each answer to the check allows a mate.
fn every_answer_is_mated(pos: &mut Position, mates: impl Fn(&mut Position) -> bool) -> bool {
    let mut answers = MoveList::new();
    let _ = movegen::legal(pos, &mut answers);
    answers.iter().all(|mv| {
        pos.play(mv);
        // A check in answer may be mated as well: the mate must answer it.
        let mated = mates(pos);
        pos.undo();
        mated
    })
}

/// Whether a legal move gives mate.
pub fn is_mating(pos: &mut Position, mv: Move) -> bool {
    pos.play(mv);
    let mate = pos.in_check() && !movegen::has_legal_move(pos);
    pos.undo();
    mate
}
