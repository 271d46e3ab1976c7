//! Repetition inside the proof: the path, and what is true on one path only.
//!
//! To come back to a position of the path, or to one that is no better, is a failure of the
//! attacker. What follows from such a failure holds on this path and on no other (the graph-history
//! problem), until the position at which the loop began is left: there it becomes true for good.
//!
//! After Kishimoto and Müller (2004).

use crate::dominance::PackedHand;
use crate::path_registry::PathRegistry;
use crate::table::{Length, PositionKey};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_shogi::Move;

const HEADS: usize = 4096;

/// The positions from the root to the present one.
pub(crate) struct Path {
    heads: Box<[u16; HEADS]>,
    steps: Vec<PathStep>,
    /// The threads that are told of it, and how many steps they know.
    registry: Option<Arc<PathRegistry>>,
    told: usize,
}

#[derive(Clone, Copy)]
struct PathStep {
    position: PositionKey,
    /// The step below in the same list, plus one.
    below: u16,
    /// A number for the moves up to here.
    sum: u64,
}

impl Path {
    pub(crate) fn new() -> Self {
        Self {
            heads: Box::new([0; HEADS]),
            steps: Vec::new(),
            registry: None,
            told: 0,
        }
    }

    /// From now on other threads see where it leads.
    pub(crate) fn publish(&mut self, registry: &Arc<PathRegistry>) {
        self.registry = Some(Arc::clone(registry));
        self.told = 0;
        self.tell();
    }

    /// Tells the others of the steps they do not know yet. Most steps are left again soon, and what
    /// many threads write costs each of them time: so this is done now and then.
    pub(crate) fn tell(&mut self) {
        if let Some(registry) = &self.registry {
            for step in &self.steps[self.told..] {
                registry.enter(step.position);
            }
            self.told = self.steps.len();
        }
    }

    /// From now on nobody sees it.
    pub(crate) fn withdraw(&mut self) {
        (self.registry, self.told) = (None, 0);
    }

    /// How many other threads have a position that is not on this path on theirs.
    #[inline(always)]
    pub(crate) fn others_at(&self, position: PositionKey) -> u8 {
        self.registry
            .as_ref()
            .map_or(0, |registry| registry.count(position))
    }

    /// Forgets the path.
    pub(crate) fn clear(&mut self) {
        while self.leave() {}
    }

    #[inline(always)]
    fn head(key: u64) -> usize {
        key as usize & (HEADS - 1)
    }

    /// Steps onto a position by the move with this path number.
    #[inline(always)]
    pub(crate) fn enter(&mut self, position: PositionKey, sum: u64) {
        let head = &mut self.heads[Self::head(position.key)];
        let below = *head;
        *head = self.steps.len() as u16 + 1;
        self.steps.push(PathStep {
            position,
            below,
            sum,
        });
    }

    /// Steps back; `false` if there is nothing left.
    #[inline(always)]
    pub(crate) fn leave(&mut self) -> bool {
        let Some(step) = self.steps.pop() else {
            return false;
        };
        self.heads[Self::head(step.position.key)] = step.below;
        if self.told > self.steps.len() {
            self.told -= 1;
            if let Some(registry) = &self.registry {
                registry.leave(step.position);
            }
        }
        true
    }

    /// Plies from the root to the present position.
    #[inline(always)]
    pub(crate) fn depth(&self) -> u16 {
        (self.steps.len() as u16).saturating_sub(1)
    }

    /// The depth of a position with the same board on which the attacker has at least this hand.
    #[inline(always)]
    pub(crate) fn at_least(&self, position: PositionKey) -> Option<u16> {
        self.search(position.key, |hand| hand.covers(position.hand))
    }

    /// The depth of a position.
    #[inline(always)]
    pub(crate) fn depth_of(&self, position: PositionKey) -> Option<u16> {
        self.search(position.key, |hand| hand == position.hand)
    }

    #[inline(always)]
    fn search(&self, key: u64, suits: impl Fn(PackedHand) -> bool) -> Option<u16> {
        let mut at = self.heads[Self::head(key)];
        while at != 0 {
            let step = &self.steps[usize::from(at) - 1];
            if step.position.key == key && suits(step.position.hand) {
                return Some(at - 1);
            }
            at = step.below;
        }
        None
    }

    /// The number of the path.
    pub(crate) fn sum(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.sum)
    }

    /// The number of the path that one more move makes.
    #[inline(always)]
    pub(crate) fn after(&self, mv: Move) -> u64 {
        let (sum, depth) = self
            .steps
            .last()
            .map_or((0, 0), |step| (step.sum, self.steps.len()));
        let step = (depth as u64) << 16 | u64::from(mv.bits());
        let mixed = (step ^ step << 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        sum ^ (mixed ^ mixed >> 31).wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

/// Failures that hold on one path only: where their loop begins, and for how many plies.
pub(crate) struct LoopTable {
    buckets: Box<[[AtomicU64; 2]]>,
}

const WAYS: usize = 4;

/// Failures between two looks at whether somebody is in a hurry.
const PATIENCE: usize = 1 << 16;

impl LoopTable {
    /// Room for about `size` failures.
    pub(crate) fn new(size: usize) -> Self {
        let size = size.next_multiple_of(WAYS).max(WAYS);
        Self {
            buckets: bytemuck::zeroed_slice_box(size),
        }
    }

    pub(crate) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Default::default();
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.buckets)
    }

    #[inline(always)]
    fn bucket(&self, sum: u64) -> &[[AtomicU64; 2]] {
        let groups = self.buckets.len() / WAYS;
        let group = ((u128::from(sum) * groups as u128) >> 64) as usize;
        &self.buckets[group * WAYS..][..WAYS]
    }

    /// Where the loop of a path begins, if it fails within `length` plies.
    pub(crate) fn look_up(&self, sum: u64, length: Length) -> Option<(i16, Length)> {
        self.bucket(sum).iter().find_map(|bucket| {
            let data = bucket[1].load(Relaxed);
            let known = Length((data >> 16) as u16);
            let same = bucket[0].load(Relaxed) ^ data == sum && data != 0;
            (same && known >= length).then_some((data as u16 as i16, known))
        })
    }

    /// Notes a failure of a path; the oldest of its group makes room.
    pub(crate) fn store(&self, sum: u64, start: i16, length: Length) {
        let data = u64::from(start as u16) | u64::from(length.0) << 16 | 1 << 32;
        let bucket = self.bucket(sum);
        let is_same = |way: &[AtomicU64; 2]| way[0].load(Relaxed) ^ way[1].load(Relaxed) == sum;
        let last = bucket.iter().position(is_same).unwrap_or(WAYS - 1);
        for way in (0..last).rev() {
            for (from, to) in bucket[way].iter().zip(&bucket[way + 1]) {
                to.store(from.load(Relaxed), Relaxed);
            }
        }
        bucket[0][0].store(sum ^ data, Relaxed);
        bucket[0][1].store(data, Relaxed);
    }

    /// A larger table with the same content, or with some of it if somebody cannot wait.
    pub(crate) fn grown(&self, size: usize, hurry: &dyn Fn() -> bool) -> Self {
        let larger = Self::new(size);
        for group in self.buckets.rchunks(PATIENCE) {
            if hurry() {
                break;
            }
            for bucket in group.iter().rev() {
                let data = bucket[1].load(Relaxed);
                if data != 0 {
                    let sum = bucket[0].load(Relaxed) ^ data;
                    larger.store(sum, data as u16 as i16, Length((data >> 16) as u16));
                }
            }
        }
        larger
    }
}

#[cfg(test)]
mod tests;
