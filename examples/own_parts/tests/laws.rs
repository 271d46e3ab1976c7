//! One line for each part.

use own_parts::{OwnBoard, OwnEval};
use tesuji_shogi::laws::LawKit;
use tesuji_shogi::Position;

#[test]
fn the_board_keeps_the_laws() {
    let report = LawKit::new(6, 30).generators(|pos: &Position| OwnBoard::from(pos)).unwrap();
    assert!(report.positions > 100, "{report:?}");
}

#[test]
fn the_evaluator_keeps_the_laws() {
    tesuji_eval::laws::evaluator(&OwnEval).unwrap();
    tesuji_eval::laws::fairness(&OwnEval).unwrap();
}
