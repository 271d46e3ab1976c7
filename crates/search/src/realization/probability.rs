//! Transition probabilities, which multiply by adding up, and the depth they use up.

use std::fmt;
use std::ops::Sub;

/// How likely a move is to be played, told by how often certainty must be halved to get there, in 256ths: a half
/// is 256, a quarter 512. Moves in a row are as likely as the sum says.
///
/// ```
/// use tesuji_search::realization::TransitionProbability;
/// assert_eq!(TransitionProbability::of(0.5), TransitionProbability::HALF);
/// assert!(TransitionProbability::of(0.6).is_likelier_than(TransitionProbability::HALF));
/// assert_eq!(TransitionProbability::of(0.25).halvings(), 512);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransitionProbability(u32);

impl TransitionProbability {
    /// It happens as often as not: what full width says of every move, so that one halving is one
    /// move.
    pub const HALF: Self = Self(Self::UNIT);
    /// Halvings are told in such parts.
    pub const UNIT: u32 = 256;
    /// The least a move costs, so that no line goes on for ever.
    pub const SUREST: Self = Self(16);
    /// As unlikely as anything gets.
    const LEAST: u32 = 64 * Self::UNIT;

    /// From the number of halvings, in 256ths.
    pub const fn from_halvings(parts: u32) -> Self {
        Self(if parts < Self::SUREST.0 {
            Self::SUREST.0
        } else if parts > Self::LEAST {
            Self::LEAST
        } else {
            parts
        })
    }

    /// From a probability between 0 and 1.
    pub fn of(probability: f64) -> Self {
        let parts = -probability.log2() * f64::from(Self::UNIT);
        // A cast saturates, and what is no number becomes 0: both end at a bound.
        Self::from_halvings(parts.round() as u32)
    }

    /// The number of halvings, in 256ths.
    pub const fn halvings(self) -> u32 {
        self.0
    }

    /// The probability.
    pub fn probability(self) -> f64 {
        (-f64::from(self.0) / f64::from(Self::UNIT)).exp2()
    }

    /// Whether it happens more often.
    pub const fn is_likelier_than(self, other: Self) -> bool {
        self.0 < other.0
    }
}

impl fmt::Display for TransitionProbability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} %", 100.0 * self.probability())
    }
}

/// How many more times a line may be halved before it is too unlikely to follow, in 256ths: the
/// depth of a search by realization probability.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RealizationDepth(i32);

impl RealizationDepth {
    /// The threshold of an iteration: so many halvings.
    pub const fn halvings(number: u32) -> Self {
        Self((number * TransitionProbability::UNIT) as i32)
    }

    /// Whether the line ends here.
    pub const fn is_spent(self) -> bool {
        self.0 <= 0
    }
}

/// What is left after a move.
impl Sub<TransitionProbability> for RealizationDepth {
    type Output = Self;
    fn sub(self, probability: TransitionProbability) -> Self {
        Self(self.0 - probability.0 as i32)
    }
}
