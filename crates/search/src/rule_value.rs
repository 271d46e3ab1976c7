//! What the rules say of a node without looking further: repetition and the longest game.

use crate::request::Rules;
use crate::search_board::SearchBoard;
use tesuji_shogi::{Color, RepetitionState, Value};

/// What holding more in the same position is worth: next to a win.
const SUPERIOR: Value = Value::new(28_000);

/// The value of a position that the rules decide, for the side to move; `us` moves at the root.
pub(crate) fn rule_value(
    board: &impl SearchBoard,
    rules: &Rules,
    us: Color,
    ply: u32,
) -> Option<Value> {
    let plies = ply as i32;
    let draw_value = || match board.turn() == us {
        true => rules.draw_value[us],
        false => -rules.draw_value[us],
    };
    if let Some(state) = board.repetition_state() {
        return Some(match state {
            RepetitionState::Draw => draw_value(),
            RepetitionState::Win => Value::mate_in(plies),
            RepetitionState::Loss => Value::mated_in(plies),
            RepetitionState::Superior => SUPERIOR,
            RepetitionState::Inferior => -SUPERIOR,
        });
    }
    // The number of a position is one more than the moves before it. A mate by the last move still
    // counts.
    let is_over = rules.move_limit.is_some_and(|limit| board.number() > limit);
    is_over.then(|| match board.has_legal_move() {
        true => draw_value(),
        false => Value::mated_in(plies),
    })
}
