//! What is remembered of nodes seen before: nothing, the best branch, or the bounds of the value too.

use super::tree::Tree;
use tesuji_shogi::Value;

/// What is known about the value of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least so much, for whoever chooses there.
    pub lower: Value,
    /// At most so much.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Self = Self {
        lower: Value::new(-Value::INFINITE.points()),
        upper: Value::INFINITE,
    };

    /// What the answer of a fail-soft search with this window says.
    pub fn told(alpha: Value, beta: Value, value: Value) -> Self {
        Self {
            lower: if alpha < value {
                value
            } else {
                Self::OPEN.lower
            },
            upper: if value < beta {
                value
            } else {
                Self::OPEN.upper
            },
        }
    }

    fn narrowed(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// A memory for nodes.
pub trait NodeTable<T: Tree> {
    /// What is known about the value.
    fn bounds(&self, _tree: &T) -> Bounds {
        Bounds::OPEN
    }
    /// The branch that was best when the node was last seen, at whatever horizon.
    fn best(&self, tree: &T) -> Option<T::Branch>;
    /// Learns what a search has found.
    fn learn(&mut self, tree: &T, found: Bounds, best: T::Branch);
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTable;

impl<T: Tree> NodeTable<T> for NoTable {
    fn best(&self, _: &T) -> Option<T::Branch> {
        None
    }
    fn learn(&mut self, _: &T, _: Bounds, _: T::Branch) {}
}

/// Remembers the best branch and nothing else, not even whose it is: as small as a table can be, and
/// still useful, since a branch that does not fit its node is simply not among the branches there.
/// Tenuki (2019) had such a table.
#[derive(Clone, Debug)]
pub struct BestTable<B> {
    slots: Vec<Option<B>>,
}

impl<B: Copy> BestTable<B> {
    /// An empty table with so many slots, at least one.
    pub fn new(slots: usize) -> Self {
        Self {
            slots: vec![None; slots.max(1)],
        }
    }
}

impl<T: Tree> NodeTable<T> for BestTable<T::Branch> {
    fn best(&self, tree: &T) -> Option<T::Branch> {
        self.slots[slot(tree.key(), self.slots.len())]
    }
    fn learn(&mut self, tree: &T, _: Bounds, best: T::Branch) {
        let at = slot(tree.key(), self.slots.len());
        self.slots[at] = Some(best);
    }
}

/// Remembers the bounds of the value as well. They hold only for the horizon and the ply they were
/// found at, so that no answer depends on what the table happens to hold.
#[derive(Clone, Debug)]
pub struct BoundsTable<B> {
    slots: Vec<Option<BoundsEntry<B>>>,
}

#[derive(Clone, Copy, Debug)]
struct BoundsEntry<B> {
    key: u64,
    /// Horizon and ply.
    seen: (u32, u32),
    bounds: Bounds,
    best: B,
}

impl<B: Copy> BoundsTable<B> {
    /// How many bytes a slot takes.
    pub const SLOT_BYTES: usize = size_of::<Option<BoundsEntry<B>>>();

    /// An empty table with so many slots, at least one.
    pub fn new(slots: usize) -> Self {
        Self {
            slots: vec![None; slots.max(1)],
        }
    }

    fn entry(&self, key: u64) -> Option<&BoundsEntry<B>> {
        self.slots[slot(key, self.slots.len())]
            .as_ref()
            .filter(|entry| entry.key == key)
    }
}

impl<T: Tree> NodeTable<T> for BoundsTable<T::Branch> {
    fn bounds(&self, tree: &T) -> Bounds {
        let seen = (tree.horizon(), tree.ply());
        let entry = self.entry(tree.key()).filter(|entry| entry.seen == seen);
        entry.map_or(Bounds::OPEN, |entry| entry.bounds)
    }
    fn best(&self, tree: &T) -> Option<T::Branch> {
        self.entry(tree.key()).map(|entry| entry.best)
    }
    fn learn(&mut self, tree: &T, found: Bounds, best: T::Branch) {
        let entry = BoundsEntry {
            key: tree.key(),
            seen: (tree.horizon(), tree.ply()),
            bounds: self.bounds(tree).narrowed(found),
            best,
        };
        let at = slot(tree.key(), self.slots.len());
        self.slots[at] = Some(entry);
    }
}

/// One of the three, known only when the program runs. A branch of the machine for every question, and
/// a third of the code: a rung is compiled once for all tables.
#[derive(Clone, Debug)]
pub enum AnyTable<B> {
    /// Remembers nothing.
    Nothing,
    /// Remembers the best branch.
    Best(BestTable<B>),
    /// Remembers the bounds of the value as well.
    Bounds(BoundsTable<B>),
}

impl<T: Tree> NodeTable<T> for AnyTable<T::Branch> {
    fn bounds(&self, tree: &T) -> Bounds {
        match self {
            Self::Nothing | Self::Best(_) => Bounds::OPEN,
            Self::Bounds(table) => table.bounds(tree),
        }
    }
    fn best(&self, tree: &T) -> Option<T::Branch> {
        match self {
            Self::Nothing => None,
            Self::Best(table) => table.best(tree),
            Self::Bounds(table) => table.best(tree),
        }
    }
    fn learn(&mut self, tree: &T, found: Bounds, best: T::Branch) {
        match self {
            Self::Nothing => {}
            Self::Best(table) => table.learn(tree, found, best),
            Self::Bounds(table) => table.learn(tree, found, best),
        }
    }
}

/// Spreads keys evenly over any number of slots.
fn slot(key: u64, slots: usize) -> usize {
    ((u128::from(key) * slots as u128) >> 64) as usize
}
