//! The parts of the classic search that can be left out.

/// Which parts a classic search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassicSwitches {
    /// Null-move pruning.
    pub null_move: bool,
    /// Futility pruning, of nodes that are too good and of moves that are not good enough.
    pub futility: bool,
    /// Late-move reductions.
    pub reductions: bool,
    /// A mate in one is looked for at every node.
    pub mate: bool,
}

impl Default for ClassicSwitches {
    /// Everything.
    fn default() -> Self {
        Self {
            null_move: true,
            futility: true,
            reductions: true,
            mate: true,
        }
    }
}
