//! What a position is worth and how far away that is, in one number.
//!
//! A value of `v` that is `d` plies away is `v · UNIT − d` if it is good and `v · UNIT + d` if it is
//! bad, so that the larger number is the better one: a gain the sooner the better, a loss the later.
//! One ply further away a number is one nearer to zero. Zero itself has no distance: a draw.

use std::fmt;

/// A value with its distance, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// What one point of value is worth.
    pub const UNIT: i32 = 1 << 14;
    /// The largest distance; everything beyond is as far. Also the mark of a draw by repetition.
    pub const FURTHEST: i32 = 9999;
    /// Written instead of the distance of a check that goes round a loop of checks.
    pub const CHECKS_ON: i32 = 9997;
    /// The largest value: the game is won.
    pub const WON: i32 = 32_000;
    /// Neither gain nor loss, or not known.
    pub const ZERO: Self = Self(0);

    /// A value at a distance. Values beyond [`Score::WON`] are cut.
    pub const fn new(value: i32, distance: i32) -> Self {
        let distance = if distance < Self::FURTHEST {
            distance
        } else {
            Self::FURTHEST
        };
        let value = if value > Self::WON {
            Self::WON
        } else if value < -Self::WON {
            -Self::WON
        } else {
            value
        };
        Self(value * Self::UNIT - value.signum() * distance)
    }

    /// The value.
    pub const fn value(self) -> i32 {
        // Rounded away from zero: a distance brings the number nearer to it.
        self.0.signum() * ((self.0.abs() + Self::UNIT - 1) / Self::UNIT)
    }

    /// How many plies away the value is; 0 for a draw.
    pub const fn distance(self) -> i32 {
        self.0.abs().wrapping_neg() & (Self::UNIT - 1)
    }

    /// The same, seen by the other side one ply before.
    #[inline]
    pub const fn before(self) -> Self {
        if self.distance() >= Self::FURTHEST {
            Self(-self.0)
        } else {
            Self(self.0.signum() - self.0)
        }
    }

    /// Whether the distance is one that no longer grows.
    #[inline]
    pub(super) const fn is_furthest(self) -> bool {
        self.distance() >= Self::FURTHEST - 1
    }

    /// Whether going from here to `new` only says more of the same: from nothing to something, or to
    /// a clearer gain or a clearer loss.
    pub(super) const fn grows_to(self, new: Self) -> bool {
        match self.0.signum() {
            0 => true,
            1 => new.0 > self.0,
            _ => new.0 < self.0,
        }
    }

    /// 1 for a gain, -1 for a loss, 0 for neither.
    #[inline]
    pub const fn signum(self) -> i32 {
        self.0.signum()
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.value(), self.distance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_holds_a_value_and_a_distance() {
        for value in [-32_000, -1, 1, 2, 777, 32_000] {
            for distance in [0, 1, 255, 9998, 9999] {
                let score = Score::new(value, distance);
                assert_eq!((score.value(), score.distance()), (value, distance));
                let before = score.before();
                assert_eq!(before.value(), -value);
                assert_eq!(before.distance(), (distance + 1).min(9999));
            }
        }
        assert!(Score::new(5, 3) > Score::new(5, 4));
        assert!(Score::new(-5, 3) < Score::new(-5, 4));
        assert!(Score::new(1, 9999) > Score::ZERO);
        assert_eq!(Score::new(99_999, 0).value(), Score::WON);
        assert_eq!(Score::ZERO.before(), Score::ZERO);
    }
}
