//! The table: what is known of a board with each hand the attacker had on it.
//!
//! All hands of one board lie side by side, so that better and worse hands answer for each other.
//! The table begins small enough for the cache and grows with the search; when it may not grow any
//! more, what cost least is forgotten. A slot is four words of which the first is the sum of the
//! key and the others (Hyatt and Mann 2002): a slot torn between two threads is no slot at all.

use crate::dominance::PackedHand;
use crate::number::{self, INFINITE, ProofNumber};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use tesuji_kernels::{AtomicWords, prefetch};

/// Plies to a mate. [`Length::ANY`] stands for "however long".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Length(pub(crate) u16);

impl Length {
    /// As long as it takes.
    pub(crate) const ANY: Self = Self(4090);

    /// One ply more; as long as it takes stays so.
    #[inline(always)]
    pub(crate) const fn longer(self) -> Self {
        if self.0 >= Self::ANY.0 {
            Self::ANY
        } else {
            Self(self.0 + 1)
        }
    }

    /// One ply fewer.
    #[inline(always)]
    pub(crate) const fn shorter(self) -> Self {
        if self.0 >= Self::ANY.0 {
            Self::ANY
        } else {
            Self(self.0.saturating_sub(1))
        }
    }
}

/// Eleven bits for a length: mates of the attacker to move are odd, of the defender even.
#[inline(always)]
const fn halved(length: Length) -> u64 {
    (length.0 as u64 + 2) >> 1
}

/// The length again: odd if the attacker is to move.
#[inline(always)]
const fn doubled(halved: u64, attacking: bool) -> Length {
    if halved >= self::halved(Length::ANY) {
        return Length::ANY;
    }
    Length((halved as u16 * 2).saturating_sub(2) + attacking as u16)
}

/// "Not known to be mated", as a halved length.
const NEVER: u64 = 2047;

/// One board with one hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MateEntry {
    pub(crate) hand: PackedHand,
    /// The least depth at which it was met.
    pub(crate) depth: u16,
    proven: u64,
    refuted: u64,
    pub(crate) pn: ProofNumber,
    pub(crate) dn: ProofNumber,
    /// The slot of the position it was last reached from, plus one; 0 for none.
    pub(crate) parent: u32,
    /// Which children are compared instead of summed, because they lead to the same positions.
    pub(crate) mask: u32,
    /// How much was spent on it, as a logarithm.
    amount: u8,
    /// Whether some path to it ended in a repetition.
    pub(crate) looped: bool,
}

const HAND_BITS: u32 = 30;
const DEPTH_SHIFT: u32 = 30;
const PROVEN_SHIFT: u32 = 42;
const REFUTED_SHIFT: u32 = 53;
const PARENT_BITS: u32 = 28;
pub(crate) const MASK_BITS: u32 = 28;
const AMOUNT_SHIFT: u32 = PARENT_BITS + MASK_BITS;
const LOOPED: u64 = 1 << 62;
const USED: u64 = 1 << 63;
const PARENT: u64 = (1 << PARENT_BITS) - 1;

/// How many classes of cost there are.
const COST_CLASSES: usize = 70;

/// Slots between two looks at whether somebody is in a hurry.
const PATIENCE: usize = 1 << 16;

impl MateEntry {
    fn new(hand: PackedHand) -> Self {
        Self {
            hand,
            depth: 4095,
            proven: NEVER,
            refuted: 0,
            pn: 1,
            dn: 1,
            parent: 0,
            mask: 0,
            amount: 0,
            looped: false,
        }
    }

    #[inline(always)]
    fn from_words(w1: u64, w2: u64, w3: u64) -> Self {
        Self {
            hand: PackedHand::trusted((w1 & ((1 << HAND_BITS) - 1)) as u32),
            depth: (w1 >> DEPTH_SHIFT & 4095) as u16,
            proven: w1 >> PROVEN_SHIFT & 2047,
            refuted: w1 >> REFUTED_SHIFT,
            pn: number::unpack(w2 as u32),
            dn: number::unpack((w2 >> 32) as u32),
            parent: (w3 & ((1 << PARENT_BITS) - 1)) as u32,
            mask: (w3 >> PARENT_BITS) as u32 & ((1 << MASK_BITS) - 1),
            amount: (w3 >> AMOUNT_SHIFT & 63) as u8,
            looped: w3 & LOOPED != 0,
        }
    }

    #[inline(always)]
    fn words(&self) -> [u64; 3] {
        let w1 = u64::from(self.hand.bits())
            | u64::from(self.depth.min(4095)) << DEPTH_SHIFT
            | self.proven << PROVEN_SHIFT
            | self.refuted << REFUTED_SHIFT;
        let w2 = u64::from(number::pack(self.pn)) | u64::from(number::pack(self.dn)) << 32;
        let w3 = u64::from(self.parent & ((1 << PARENT_BITS) - 1))
            | u64::from(self.mask & ((1 << MASK_BITS) - 1)) << PARENT_BITS
            | u64::from(self.amount.min(63)) << AMOUNT_SHIFT
            | if self.looped { LOOPED } else { 0 }
            | USED;
        [w1, w2, w3]
    }

    /// How much would be lost with it.
    fn cost_class(&self) -> usize {
        let decided = self.proven != NEVER || self.refuted != 0;
        (usize::from(self.amount) + 4 * usize::from(decided)).min(COST_CLASSES - 1)
    }
}

/// What the table says about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TableProbe {
    /// Mate with this hand, in at most so many plies.
    Mate(PackedHand, Length),
    /// No mate with this hand within so many plies.
    Escape(PackedHand, Length),
    /// Undecided.
    Open(OpenNumbers),
}

/// What is known of an undecided position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenNumbers {
    pub(crate) pn: ProofNumber,
    pub(crate) dn: ProofNumber,
    /// Whether this very position was searched before.
    pub(crate) visited: bool,
    /// Whether a number came from a shallower depth: a loop may be closing.
    pub(crate) old: bool,
    pub(crate) mask: u32,
    pub(crate) looped: bool,
}

/// A position as the table sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PositionKey {
    pub(crate) key: u64,
    pub(crate) hand: PackedHand,
}

/// The words of a slot.
#[derive(Clone, Copy)]
struct Slot<'a>(&'a [AtomicU64; 4]);

impl Slot<'_> {
    #[inline(always)]
    fn load(self) -> [u64; 4] {
        self.0.each_ref().map(|word| word.load(Relaxed))
    }

    #[inline(always)]
    fn store(self, key: u64, words: [u64; 3]) {
        let [w0, w1, w2, w3] = self.0;
        w0.store(key ^ words[0] ^ words[1] ^ words[2], Relaxed);
        w1.store(words[0], Relaxed);
        w2.store(words[1], Relaxed);
        w3.store(words[2], Relaxed);
    }

    #[inline(always)]
    fn is_used(self) -> bool {
        self.0[3].load(Relaxed) != 0
    }

    fn clear(self) {
        for word in self.0 {
            word.store(0, Relaxed);
        }
    }
}

/// Bytes of one slot.
pub(crate) const SLOT_BYTES: usize = size_of::<[u64; 4]>();

/// Slots of the smallest table: what fits into the cache next to the core.
pub(crate) const FIRST_SLOTS: usize = 1 << 12;

/// Slots that a thread took and has not told yet. Told one by one, the count would travel from core
/// to core with every position.
#[derive(Default)]
pub(crate) struct SlotCounter(usize);

impl SlotCounter {
    /// How many a thread keeps to itself.
    const MOST: usize = 64;
}

/// Shared by all threads of one search.
pub(crate) struct MateTable {
    words: AtomicWords,
    slots: usize,
    used: AtomicUsize,
}

impl MateTable {
    /// The system hands out zeroed pages one by one as they are used: even a large table is there
    /// at once.
    ///
    /// # Errors
    /// If the system has no room for it.
    pub(crate) fn new(slots: usize) -> io::Result<Self> {
        Ok(Self {
            words: AtomicWords::new(4 * slots)?,
            slots,
            used: AtomicUsize::new(0),
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for word in self.words.words() {
            word.store(0, Relaxed);
        }
        self.used = AtomicUsize::new(0);
    }

    pub(crate) fn len(&self) -> usize {
        self.slots
    }

    #[inline(always)]
    fn slot(&self, at: usize) -> Slot<'_> {
        Slot(&self.words.words().as_chunks().0[at])
    }

    /// How many slots are used.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Whether it is time to grow or to forget.
    #[inline(always)]
    pub(crate) fn is_crowded(&self) -> bool {
        self.used() > self.slots / 8 * 5
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots as u128) >> 64) as usize
    }

    #[inline(always)]
    fn next(&self, slot: usize) -> usize {
        if slot + 1 == self.slots { 0 } else { slot + 1 }
    }

    /// Brings the slots of a board nearer.
    #[inline(always)]
    pub(crate) fn fetch(&self, key: u64) {
        prefetch(self.slot(self.home(key)).0);
    }

    /// What all hands of a board say about one of them, `length` plies being left.
    #[inline]
    pub(crate) fn look_up(
        &self,
        position: PositionKey,
        attacking: bool,
        depth: u16,
        length: Length,
    ) -> TableProbe {
        let mut open = OpenNumbers {
            pn: 1,
            dn: 1,
            visited: false,
            old: false,
            mask: 0,
            looped: false,
        };
        let (hand, limit) = (position.hand, halved(length));
        let mut at = self.home(position.key);
        loop {
            let slot = self.slot(at);
            let [w0, w1, w2, w3] = slot.load();
            if w3 == 0 {
                return TableProbe::Open(open);
            }
            if w0 ^ w1 ^ w2 ^ w3 == position.key {
                let entry = MateEntry::from_words(w1, w2, w3);
                let (better, worse) = (hand.covers(entry.hand), entry.hand.covers(hand));
                if better && entry.proven <= limit {
                    return TableProbe::Mate(entry.hand, doubled(entry.proven, attacking));
                }
                if worse && entry.refuted >= limit {
                    return TableProbe::Escape(entry.hand, doubled(entry.refuted, attacking));
                }
                if better && worse {
                    open.visited = true;
                    open.mask = entry.mask;
                    open.looped = entry.looped;
                    if depth < entry.depth {
                        let nearer = MateEntry { depth, ..entry };
                        slot.store(position.key, nearer.words());
                    }
                    if open.pn < entry.pn || open.dn < entry.dn {
                        open.pn = open.pn.max(entry.pn);
                        open.dn = open.dn.max(entry.dn);
                        open.old |= entry.depth < depth;
                    }
                } else if entry.depth <= depth {
                    if better && entry.dn > open.dn {
                        open.dn = entry.dn;
                        open.old |= entry.depth < depth;
                    } else if worse && entry.pn > open.pn {
                        open.pn = entry.pn;
                        open.old |= entry.depth < depth;
                    }
                }
            }
            at = self.next(at);
        }
    }

    /// The slot of an exact position, or the empty one where it belongs.
    #[inline(always)]
    fn find(&self, position: PositionKey) -> (usize, Option<MateEntry>) {
        let mut at = self.home(position.key);
        loop {
            let [w0, w1, w2, w3] = self.slot(at).load();
            if w3 == 0 {
                return (at, None);
            }
            if w0 ^ w1 ^ w2 ^ w3 == position.key {
                let entry = MateEntry::from_words(w1, w2, w3);
                if entry.hand == position.hand {
                    return (at, Some(entry));
                }
            }
            at = self.next(at);
        }
    }

    fn change(
        &self,
        position: PositionKey,
        taken: &mut SlotCounter,
        f: impl FnOnce(&mut MateEntry),
    ) -> usize {
        let (at, found) = self.find(position);
        let mut entry = found.unwrap_or_else(|| {
            taken.0 += 1;
            if taken.0 >= SlotCounter::MOST.min(self.slots / 1024) {
                self.used.fetch_add(taken.0, Relaxed);
                taken.0 = 0;
            }
            MateEntry::new(position.hand)
        });
        f(&mut entry);
        self.slot(at).store(position.key, entry.words());
        at
    }

    /// Notes a mate in at most so many plies.
    pub(crate) fn store_mate(
        &self,
        position: PositionKey,
        length: Length,
        nodes: u64,
        taken: &mut SlotCounter,
    ) {
        self.change(position, taken, |entry| {
            entry.proven = entry.proven.min(halved(length));
            entry.amount = entry.amount.max(amount(nodes) + 6);
        });
    }

    /// Notes that there is no mate within so many plies; the attacker is or is not to move.
    pub(crate) fn store_escape(
        &self,
        position: PositionKey,
        (length, attacking): (Length, bool),
        nodes: u64,
        taken: &mut SlotCounter,
    ) {
        // A length of the wrong parity says as much as the next shorter one.
        let even = u16::from(attacking);
        let Some(sound) = length.0.checked_sub((length.0 + even) & 1) else {
            return;
        };
        let sound = if length >= Length::ANY {
            length
        } else {
            Length(sound)
        };
        self.change(position, taken, |entry| {
            entry.refuted = entry.refuted.max(halved(sound));
            entry.amount = entry.amount.max(amount(nodes) + 6);
        });
    }

    /// Notes the numbers of an undecided position.
    pub(crate) fn store_open(
        &self,
        position: PositionKey,
        depth: u16,
        (pn, dn): (ProofNumber, ProofNumber),
        (parent, mask): (Option<usize>, u32),
        nodes: u64,
        taken: &mut SlotCounter,
    ) -> usize {
        self.change(position, taken, |entry| {
            entry.depth = entry.depth.min(depth);
            (entry.pn, entry.dn) = (pn.min(INFINITE), dn.min(INFINITE));
            entry.parent = parent.map_or(0, |slot| slot as u32 + 1);
            entry.mask = mask;
            entry.amount = entry.amount.max(amount(nodes));
        })
    }

    /// Makes sure that a position has a slot, and says which.
    pub(crate) fn reserve(
        &self,
        position: PositionKey,
        depth: u16,
        numbers: (ProofNumber, ProofNumber),
        taken: &mut SlotCounter,
    ) -> usize {
        let (at, found) = self.find(position);
        if found.is_some() {
            return at;
        }
        self.store_open(position, depth, numbers, (None, 0), 1, taken)
    }

    /// Notes that a path to a position ended in a repetition; its numbers begin anew.
    pub(crate) fn store_loop(&self, position: PositionKey, taken: &mut SlotCounter) {
        self.change(position, taken, |entry| {
            entry.looped = true;
            (entry.pn, entry.dn) = (1, 1);
        });
    }

    /// The slot of a position, if it was stored.
    pub(crate) fn slot_of(&self, position: PositionKey) -> Option<usize> {
        let (at, found) = self.find(position);
        found.map(|_| at)
    }

    /// How much was spent on a position, as a logarithm; 0 if it was never searched.
    pub(crate) fn amount_at(&self, position: PositionKey) -> u8 {
        self.find(position).1.map_or(0, |entry| entry.amount)
    }

    /// The position and the numbers kept in a slot, and the slot of its parent.
    pub(crate) fn at_slot(&self, slot: usize) -> Option<(PositionKey, MateEntry)> {
        if slot >= self.slots {
            return None;
        }
        let [w0, w1, w2, w3] = self.slot(slot).load();
        if w3 == 0 {
            return None;
        }
        let entry = MateEntry::from_words(w1, w2, w3);
        let position = PositionKey {
            key: w0 ^ w1 ^ w2 ^ w3,
            hand: entry.hand,
        };
        Some((position, entry))
    }

    /// The shortest mate and the longest escape known for a position, whatever the hand it was
    /// found with.
    pub(crate) fn range(
        &self,
        position: PositionKey,
        attacking: bool,
    ) -> (Option<Length>, Option<Length>) {
        let (mut proven, mut refuted) = (NEVER, 0);
        let mut at = self.home(position.key);
        loop {
            let [w0, w1, w2, w3] = self.slot(at).load();
            if w3 == 0 {
                break;
            }
            if w0 ^ w1 ^ w2 ^ w3 == position.key {
                let entry = MateEntry::from_words(w1, w2, w3);
                if position.hand.covers(entry.hand) {
                    proven = proven.min(entry.proven);
                }
                if entry.hand.covers(position.hand) {
                    refuted = refuted.max(entry.refuted);
                }
            }
            at = self.next(at);
        }
        (
            (proven != NEVER).then(|| doubled(proven, attacking)),
            (refuted != 0).then(|| doubled(refuted, attacking)),
        )
    }

    /// Copies a part into a larger table that was empty, or less if somebody cannot wait. Different
    /// parts may be copied at once: where one spills over into the next, an entry may be lost.
    pub(crate) fn copy_part(&self, part: Range<usize>, larger: &Self, hurry: &dyn Fn() -> bool) {
        let mut count = 0;
        for at in unhurried(part, hurry) {
            let [w0, w1, w2, w3] = self.slot(at).load();
            if w3 != 0 {
                larger.insert(w0 ^ w1 ^ w2 ^ w3, [w1, w2, w3 & !PARENT]);
                count += 1;
            }
        }
        larger.used.fetch_add(count, Relaxed);
    }

    fn insert(&self, key: u64, words: [u64; 3]) {
        let mut at = self.home(key);
        while self.slot(at).is_used() {
            at = self.next(at);
        }
        self.slot(at).store(key, words);
    }

    /// Forgets about half of what there is: what cost least, undecided before decided. If somebody
    /// cannot wait, some of the rest may not be found again.
    pub(crate) fn collect(&mut self, hurry: &dyn Fn() -> bool) {
        let Some(limit) = self.median(hurry) else {
            return;
        };
        let (mut odd, mut used) = (false, 0);
        for at in unhurried(0..self.slots, hurry) {
            let [w0, w1, w2, w3] = self.slot(at).load();
            if w3 == 0 {
                continue;
            }
            let class = MateEntry::from_words(w1, w2, w3).cost_class();
            // The class in the middle may be huge: of it only every second one goes.
            odd ^= class == limit;
            if class > limit || (class == limit && odd) {
                let key = w0 ^ w1 ^ w2 ^ w3;
                self.slot(at).store(key, [w1, w2, w3 & !PARENT]);
                used += 1;
            } else {
                self.slot(at).clear();
            }
        }
        self.used = AtomicUsize::new(used);
        for at in unhurried(0..self.slots, hurry) {
            self.close_up(at);
        }
    }

    /// Moves what lies in a slot to the first free one on the way from where it belongs.
    fn close_up(&self, at: usize) {
        let [w0, w1, w2, w3] = self.slot(at).load();
        if w3 == 0 {
            return;
        }
        let key = w0 ^ w1 ^ w2 ^ w3;
        let mut free = self.home(key);
        while free != at {
            if !self.slot(free).is_used() {
                self.slot(at).clear();
                self.slot(free).store(key, [w1, w2, w3]);
                return;
            }
            free = self.next(free);
        }
    }

    /// The cost class of the middle one of all entries; `None` if somebody could not wait.
    fn median(&self, hurry: &dyn Fn() -> bool) -> Option<usize> {
        let mut counts = [0usize; COST_CLASSES];
        for at in unhurried(0..self.slots, hurry) {
            let [_, w1, w2, w3] = self.slot(at).load();
            if w3 != 0 {
                counts[MateEntry::from_words(w1, w2, w3).cost_class()] += 1;
            }
        }
        let (half, mut sum) = (counts.iter().sum::<usize>() / 2, 0);
        let middle = counts.iter().position(|count| {
            sum += count;
            sum > half
        });
        middle.filter(|_| !hurry())
    }
}

/// Slot by slot, until somebody cannot wait.
fn unhurried(slots: Range<usize>, hurry: &dyn Fn() -> bool) -> impl Iterator<Item = usize> {
    slots.take_while(move |at| at % PATIENCE != 0 || !hurry())
}

#[inline(always)]
fn amount(nodes: u64) -> u8 {
    (64 - nodes.leading_zeros()) as u8
}

#[cfg(test)]
mod tests;
