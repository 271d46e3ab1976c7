//! How the end of a game on a server is written into its record.

use crate::end::CsaEndReason;
use crate::line::SpecialMove;
use tesuji_record::Ending;
use tesuji_shogi::{Color, Position};

/// How a record keeps the end of a game: `winner` if there is one, and what was done last if it was
/// no move.
pub fn ending(
    reason: Option<CsaEndReason>,
    winner: Option<Color>,
    last: Option<SpecialMove>,
    pos: &Position,
) -> Ending {
    let turn = pos.turn();
    let foul = |by| Ending::Foul { by, made: None };
    let lost = winner.map(Color::foe);
    match reason {
        Some(CsaEndReason::Resign) => Ending::Resignation,
        Some(CsaEndReason::Declaration) if winner.is_none() => Ending::Impasse,
        Some(CsaEndReason::Declaration) => Ending::Declaration,
        Some(CsaEndReason::IllegalMove) if last == Some(SpecialMove::Declare) => foul(turn),
        Some(CsaEndReason::IllegalMove | CsaEndReason::IllegalAction) => foul(lost.unwrap_or(turn)),
        Some(CsaEndReason::Repetition) => Ending::Repetition,
        // The one who checks moved last, or the other was driven to repeat.
        Some(CsaEndReason::PerpetualCheck) => foul(lost.unwrap_or(turn.foe())),
        Some(CsaEndReason::TimeUp) => Ending::Time,
        Some(CsaEndReason::MoveLimit) => Ending::MoveLimit,
        Some(CsaEndReason::Abort) | None => Ending::Interruption,
    }
}
