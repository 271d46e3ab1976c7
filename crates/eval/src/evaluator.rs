//! What every evaluator can do.
//!
//! The parts are those of an efficiently updatable network (Nasu 2018), and tables of pairs fit
//! them as well: accumulators that are refreshed or updated, and what is computed from them.

use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// A static evaluation. Each side sees the board from its own king, so there are two accumulators,
/// one for each point of view.
pub trait Evaluator: Sync {
    /// What is summed up for one point of view.
    type Accumulator: Clone + Default + Send;
    /// What an accumulator stack keeps to refresh accumulators faster: earlier ones, for example.
    type RefreshCache: Default + Send;
    /// How many moves an accumulator is updated over before a refresh is cheaper.
    const MAX_UPDATES: usize;

    /// Computes an accumulator from nothing but the position.
    fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        accumulator: &mut Self::Accumulator,
        cache: &mut Self::RefreshCache,
    );

    /// Whether an accumulator cannot be updated over a change, as when its own king moves.
    fn needs_refresh(&self, pov: Color, change: &Change) -> bool;

    /// Updates an accumulator over a change that needs no refresh. `pos` is the position on top of
    /// the stack, which may lie some moves behind the change; no change in between needs a refresh
    /// either. Updated over the [reversed](Change::reversed) change it is what it was before. The
    /// empty change is never asked about: a null move leaves the accumulators as they are.
    fn update(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Self::Accumulator,
        new: &mut Self::Accumulator,
    );

    /// The value for the side to move, computed from both accumulators.
    fn output(&self, pos: &Position, accumulators: ByColor<&Self::Accumulator>) -> Value;

    /// What the value is made of: the output of a network or the sum of a table, before it is
    /// divided. The value itself for evaluators that divide nothing.
    fn raw_output(&self, pos: &Position, accumulators: ByColor<&Self::Accumulator>) -> i32 {
        self.output(pos, accumulators).points()
    }

    /// The value of a single position, without a stack.
    fn evaluate(&self, pos: &Position) -> Value {
        self.output(pos, ByColor(self.accumulators(pos).0.each_ref()))
    }

    /// The [raw output](Evaluator::raw_output) of a single position, without a stack.
    fn evaluate_raw(&self, pos: &Position) -> i32 {
        self.raw_output(pos, ByColor(self.accumulators(pos).0.each_ref()))
    }

    /// Both accumulators of a single position.
    fn accumulators(&self, pos: &Position) -> ByColor<Self::Accumulator> {
        let mut accumulators = ByColor::<Self::Accumulator>::default();
        let mut cache = Self::RefreshCache::default();
        for pov in Color::ALL {
            self.refresh(pos, pov, &mut accumulators[pov], &mut cache);
        }
        accumulators
    }
}
