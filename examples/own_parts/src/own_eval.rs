//! An evaluator of one's own: piece values, and a little for every rank a piece has gone forward.

use tesuji_eval::Evaluator;
use tesuji_shogi::{Board, ByColor, Change, Color, Placed, Position, Square, Value};

/// Piece values with a liking for going forward.
pub struct OwnEval;

impl OwnEval {
    /// What a piece adds for a side: nothing if it belongs to the other.
    fn worth(placed: Placed, pov: Color) -> i32 {
        let piece = placed.piece;
        if piece.color() != pov || piece.is_king() {
            return 0;
        }
        let forward = placed.spot.square().map_or(0, |at| 9 - i32::from(at.rank_for(pov)));
        piece.kind().worth().points() + 3 * forward
    }
}

impl Evaluator for OwnEval {
    type Accumulator = i32;
    type RefreshCache = ();
    const MAX_UPDATES: usize = 16;

    fn refresh(&self, pos: &Position, pov: Color, accumulator: &mut i32, (): &mut ()) {
        let on_board = Square::all().filter_map(|square| {
            let piece = pos.at(square)?;
            let spot = tesuji_shogi::Spot::board(square);
            Some(Self::worth(Placed { piece, spot }, pov))
        });
        let in_hand = pos.hand(pov).iter();
        let held: i32 = in_hand.map(|(kind, n)| n as i32 * kind.worth().points()).sum();
        *accumulator = on_board.sum::<i32>() + held;
    }

    fn needs_refresh(&self, _: Color, _: &Change) -> bool {
        false
    }

    fn update(&self, _: &Position, pov: Color, change: &Change, old: &i32, new: &mut i32) {
        let shifts = [change.moved, change.taken].into_iter().flatten();
        let gain = shifts.map(|shift| Self::worth(shift.to, pov) - Self::worth(shift.from, pov));
        *new = *old + gain.sum::<i32>();
    }

    fn output(&self, pos: &Position, accumulators: ByColor<&i32>) -> Value {
        let turn = Board::turn(pos);
        Value::new(accumulators[turn] - accumulators[turn.foe()])
    }
}
