//! Values that are no evaluations: draws, decided games, mates as the table keeps them.

use tesuji_shogi::Value;

/// From here on a game is decided: beyond it lie better positions repeated and mates.
pub(super) const DECIDED: Value = Value::new(27_000);
/// The same board with more in hand: whatever held before holds all the more.
pub(super) const SUPERIOR: Value = Value::new(28_000);
/// There is a mate, but nobody knows how long it is.
pub(super) const MATED: Value = Value::new(29_000);
/// The other side goes round with checks alone.
pub(super) const PERPETUAL: Value = Value::new(30_000);

#[inline(always)]
pub(super) fn is_win(value: Value) -> bool {
    value >= DECIDED
}

#[inline(always)]
pub(super) fn is_loss(value: Value) -> bool {
    value <= -DECIDED
}

#[inline(always)]
pub(super) fn is_decided(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// An evaluation, kept apart from decided games.
#[inline(always)]
pub(super) fn clamped(value: Value) -> Value {
    value.clamp(Value::new(1) - DECIDED, DECIDED - Value::new(1))
}

/// Counts a mate from the node instead of the root, as the table keeps it.
#[inline(always)]
pub(super) fn value_to_tt(value: Value, ply: usize) -> Value {
    let plies = Value::new(ply as i32);
    if value >= Value::MATE_FLOOR {
        value + plies
    } else if value <= -Value::MATE_FLOOR {
        value - plies
    } else {
        value
    }
}

/// Counts a mate from the root again.
#[inline(always)]
pub(super) fn value_from_tt(value: Value, ply: usize) -> Value {
    let plies = Value::new(ply as i32);
    if value >= Value::MATE_FLOOR {
        value - plies
    } else if value <= -Value::MATE_FLOOR {
        value + plies
    } else {
        value
    }
}

/// A value between two, nearer to the first: `weight` of it and one of the second.
#[inline(always)]
pub(super) fn between(first: Value, weight: i32, second: Value) -> Value {
    Value::new((first.points() * weight + second.points()) / (weight + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_keep_their_length_on_the_way_through_the_table() {
        for plies in 1..200 {
            for value in [Value::mate_in(plies + 7), Value::mated_in(plies + 7)] {
                let stored = value_to_tt(value, 7);
                assert_eq!(stored.mate_distance().map(i32::abs), Some(plies));
                assert_eq!(value_from_tt(stored, 7), value);
            }
        }
        assert_eq!(value_to_tt(PERPETUAL, 9), PERPETUAL);
    }
}
