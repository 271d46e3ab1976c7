//! How the end of a game on a server is written into its record.

use crate::end::EndReason;
use crate::line::SpecialMove;
use tesuji_record::Ending;
use tesuji_shogi::{Color, Position};

/// How a record keeps the end of a game: `winner` if there is one, and what was done last if it was
/// no move.
pub fn ending(
    reason: Option<EndReason>,
    winner: Option<Color>,
    last: Option<SpecialMove>,
    pos: &Position,
) -> Ending {
    let turn = pos.turn();
    let foul = |by| Ending::Foul { by, made: None };
    let lost = winner.map(Color::foe);
    match reason {
        Some(EndReason::Resign) => Ending::Resignation,
        Some(EndReason::Declaration) if winner.is_none() => Ending::Impasse,
        Some(EndReason::Declaration) => Ending::Declaration,
        Some(EndReason::IllegalMove) if last == Some(SpecialMove::Declare) => foul(turn),
        Some(EndReason::IllegalMove | EndReason::IllegalAction) => foul(lost.unwrap_or(turn)),
        Some(EndReason::Repetition) => Ending::Repetition,
        // The one who checks moved last, or the other was driven to repeat.
        Some(EndReason::PerpetualCheck) => foul(lost.unwrap_or(turn.foe())),
        Some(EndReason::TimeUp) => Ending::Time,
        Some(EndReason::MoveLimit) => Ending::MoveLimit,
        Some(EndReason::Abort) | None => Ending::Interruption,
    }
}
