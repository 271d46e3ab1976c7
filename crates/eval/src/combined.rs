//! Two evaluators added up: a network and what it was trained to correct.

use crate::evaluator::Evaluator;
use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// Evaluates by the sum of two evaluators.
///
/// ```
/// use tesuji_eval::{Combined, Evaluator, Material, Relation};
/// use tesuji_shogi::{Handicap, Position};
/// let pos = Position::handicap(Handicap::Rook);
/// let both = Material.evaluate(&pos).points() + Relation::new().evaluate(&pos).points();
/// assert_eq!(Combined(Material, Relation::new()).evaluate(&pos).points(), both);
/// ```
#[derive(Clone, Debug)]
pub struct Combined<A, B>(
    /// One of the two.
    pub A,
    /// The other.
    pub B,
);

impl<A: Evaluator, B: Evaluator> Evaluator for Combined<A, B> {
    type Accumulator = (A::Accumulator, B::Accumulator);
    type RefreshCache = (A::RefreshCache, B::RefreshCache);
    // A refresh is one of both: the longer way saves the dearer of the two.
    const MAX_UPDATES: usize = if A::MAX_UPDATES > B::MAX_UPDATES {
        A::MAX_UPDATES
    } else {
        B::MAX_UPDATES
    };

    #[inline]
    fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        accumulator: &mut Self::Accumulator,
        cache: &mut Self::RefreshCache,
    ) {
        self.0.refresh(pos, pov, &mut accumulator.0, &mut cache.0);
        self.1.refresh(pos, pov, &mut accumulator.1, &mut cache.1);
    }

    #[inline]
    fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        self.0.needs_refresh(pov, change) || self.1.needs_refresh(pov, change)
    }

    #[inline]
    fn update(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Self::Accumulator,
        new: &mut Self::Accumulator,
    ) {
        self.0.update(pos, pov, change, &old.0, &mut new.0);
        self.1.update(pos, pov, change, &old.1, &mut new.1);
    }

    #[inline]
    fn output(&self, pos: &Position, accumulators: ByColor<&Self::Accumulator>) -> Value {
        let first = ByColor(accumulators.0.map(|pair| &pair.0));
        let second = ByColor(accumulators.0.map(|pair| &pair.1));
        let sum = self.0.output(pos, first).points() + self.1.output(pos, second).points();
        // A sum of evaluations never claims a mate.
        let most = Value::MATE_FLOOR.points() - 1;
        Value::new(sum.clamp(-most, most))
    }
}
