//! Piece values, and nothing more.

use crate::evaluator::Evaluator;
use tesuji_shogi::{ByColor, Change, Color, Piece, PieceKind, Placed, Position, Value};

/// Counts what each side has on the board and in hand.
///
/// ```
/// use tesuji_eval::{Evaluator, Material};
/// use tesuji_shogi::{Handicap, Position, Value};
/// assert_eq!(Material.evaluate(&Position::start()), Value::ZERO);
/// assert!(Material.evaluate(&Position::handicap(Handicap::Rook)) < Value::ZERO); // White to move
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Material {
    fn value(placed: Placed, pov: Color) -> i32 {
        let piece: Piece = placed.piece;
        if piece.color() != pov || piece.kind() == PieceKind::King {
            return 0;
        }
        piece.kind().worth().points()
    }
}

impl Evaluator for Material {
    /// What the side itself has.
    type Accumulator = i32;
    type RefreshCache = ();
    const MAX_UPDATES: usize = usize::MAX;

    fn refresh(&self, pos: &Position, pov: Color, accumulator: &mut i32, (): &mut ()) {
        *accumulator = pos
            .hand(pov)
            .iter()
            .map(|(kind, n)| n as i32 * kind.worth().points())
            .sum();
        pos.pieces(pov).each(|square| {
            if let Some(piece) = pos.at(square).filter(|piece| !piece.is_king()) {
                *accumulator += piece.kind().worth().points();
            }
        });
    }

    fn needs_refresh(&self, _: Color, _: &Change) -> bool {
        false
    }

    fn update(&self, _: &Position, pov: Color, change: &Change, old: &i32, new: &mut i32) {
        let shifts = [change.moved, change.taken].into_iter().flatten();
        *new = *old
            + shifts
                .map(|shift| Self::value(shift.to, pov) - Self::value(shift.from, pov))
                .sum::<i32>();
    }

    fn output(&self, pos: &Position, accumulators: ByColor<&i32>) -> Value {
        let turn = pos.turn();
        Value::new(accumulators[turn] - accumulators[turn.foe()])
    }
}
