//! What every evaluator can do.

use tesuji_shogi::{ByColor, Change, Color, Position, Value};

/// A way to judge positions. Each side sees the board from its own king, so sums come in halves,
/// one for each point of view.
pub trait Evaluator: Sync {
    /// What one point of view adds up.
    type Half: Clone + Default + Send;
    /// What a line keeps besides its halves, to begin them faster: earlier beginnings, for example.
    type Memory: Default + Send;
    /// How many moves a half may lag behind before it is begun anew.
    const REACH: usize;

    /// Adds up a half from nothing but the position.
    fn begin(&self, pos: &Position, pov: Color, half: &mut Self::Half, memory: &mut Self::Memory);

    /// Whether a half cannot be carried over a change, as when its own king moves.
    fn breaks(&self, pov: Color, change: &Change) -> bool;

    /// Carries a half over a change that does not break it. `pos` is the position that the line has
    /// reached, which may lie some moves behind the change; no change in between breaks the half
    /// either. Carried over the [reversed](Change::reversed) change it is what it was before. The
    /// empty change is never asked about: a pass leaves the halves as they are.
    fn follow(
        &self,
        pos: &Position,
        pov: Color,
        change: &Change,
        old: &Self::Half,
        new: &mut Self::Half,
    );

    /// The value for the side to move.
    fn read(&self, pos: &Position, halves: &ByColor<Self::Half>) -> Value;

    /// What the value is made of: the output of a network or the sum of a table, before it is
    /// divided. The value itself for evaluators that divide nothing.
    fn raw(&self, pos: &Position, halves: &ByColor<Self::Half>) -> i32 {
        self.read(pos, halves).points()
    }

    /// The value of a single position, without a line.
    fn fresh(&self, pos: &Position) -> Value {
        self.read(pos, &self.halves(pos))
    }

    /// What [`Evaluator::raw`] says of a single position, without a line.
    fn fresh_raw(&self, pos: &Position) -> i32 {
        self.raw(pos, &self.halves(pos))
    }

    /// Both halves of a single position.
    fn halves(&self, pos: &Position) -> ByColor<Self::Half> {
        let mut halves = ByColor::<Self::Half>::default();
        let mut memory = Self::Memory::default();
        for pov in Color::ALL {
            self.begin(pos, pov, &mut halves[pov], &mut memory);
        }
        halves
    }
}
