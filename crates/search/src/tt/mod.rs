//! The transposition table (TT), lock-free and safe.
//!
//! Greenblatt's chess program kept such a table in 1967, found by Zobrist's hash keys (1970).
//! Replacement by depth and generation follows Stockfish.
//!
//! A bucket is one cache line: six entries of one word each, and two words with 21 bits of the key
//! of each entry. Threads read and write without locks. The key bits of an entry are stored mixed
//! with the entry itself (Hyatt and Mann, 2002), so that an entry torn by another thread does not
//! look like one that belongs here.

mod entry;
#[cfg(test)]
mod tests;

pub use entry::TtEntry;

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use tesuji_kernels::{AtomicWords, prefetch};
use tesuji_shogi::Key;

/// Words per bucket, and how many of them are entries.
const BUCKET: usize = 8;
const ENTRIES: usize = 6;
const KEY_BITS: u32 = 21;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
/// The words that a thread clears or touches before it looks whether somebody is in a hurry: 2 MB,
/// and those of one page.
const PART: usize = 1 << 18;
const PAGE: usize = 512;
/// How many generations are told apart.
const GENERATIONS: u8 = 32;

/// What was found out about positions searched before, shared by all threads.
#[derive(Debug)]
pub struct TranspositionTable {
    words: AtomicWords,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of about so many bytes.
    ///
    /// # Errors
    /// If the system has no room for it.
    pub fn new(bytes: usize) -> io::Result<Self> {
        let buckets = (bytes / (BUCKET * size_of::<u64>())).max(1);
        Ok(Self {
            words: AtomicWords::new(buckets * BUCKET)?,
            generation: AtomicU8::new(0),
        })
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.words().len() * size_of::<u64>()
    }

    /// Begins a new search: what earlier ones stored is replaced first.
    pub fn new_search(&self) {
        let generation = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(generation, Relaxed);
    }

    /// Forgets everything, with the help of several threads.
    pub fn clear(&self, threads: usize) {
        self.for_parts(threads, &|| false, |part| {
            part.iter().for_each(|word| word.store(0, Relaxed));
        });
        self.generation.store(0, Relaxed);
    }

    /// Has the system provide the pages of the table, with the help of several threads, so that no
    /// search has to wait for them. Where somebody is in a hurry the rest comes when it is needed.
    pub fn touch(&self, threads: usize, hurry: &(dyn Fn() -> bool + Sync)) {
        self.for_parts(threads, hurry, |part| {
            for page in part.chunks(PAGE) {
                // A page that is only read stays one that all share, and adding nothing is turned
                // into reading by the compiler. Exchanging nothing for nothing is not.
                let _ = page[0].compare_exchange(0, 0, Relaxed, Relaxed);
            }
        });
    }

    /// Does something with every part of the table, unless somebody is in a hurry.
    fn for_parts(
        &self,
        threads: usize,
        hurry: &(dyn Fn() -> bool + Sync),
        work: impl Fn(&[AtomicU64]) + Sync,
    ) {
        let (words, next) = (self.words.words(), AtomicUsize::new(0));
        let run = || {
            while !hurry() {
                let start = next.fetch_add(PART, Relaxed);
                let Some(rest) = words.get(start..).filter(|rest| !rest.is_empty()) else {
                    return;
                };
                work(&rest[..rest.len().min(PART)]);
            }
        };
        std::thread::scope(|scope| {
            let others = words.len().div_ceil(PART).min(threads).saturating_sub(1);
            for _ in 0..others {
                // If there is no thread to be had, the others do its part.
                let builder = std::thread::Builder::new();
                if builder.spawn_scoped(scope, run).is_err() {
                    break;
                }
            }
            run();
        });
    }

    /// Prefetches the bucket of a position that will be searched soon.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.words.words()[self.start(key)]);
    }

    /// What is known about a position.
    #[inline(always)]
    pub fn probe(&self, key: Key) -> Option<TtEntry> {
        let (_, word) = self.bucket(key).find(key.0 & KEY_MASK)?;
        TtEntry::unpack(word)
    }

    /// Stores what a search found out, if it is worth more than what is there: in the slot of the
    /// same position, else of the shallowest and oldest entry.
    #[inline]
    pub fn store(&self, key: Key, mut entry: TtEntry) {
        let (bucket, generation) = (self.bucket(key), self.generation.load(Relaxed));
        let check = key.0 & KEY_MASK;
        let slot = match bucket.find(check) {
            Some((slot, word)) => {
                if let Some(old) = TtEntry::unpack(word) {
                    let mv = entry.mv.or(old.mv);
                    if entry::generation_of(word) == generation && !entry.is_worth_more_than(&old) {
                        // The newest move is known to be good whatever the depth.
                        entry = old;
                    }
                    entry.mv = mv;
                    if entry.pack(generation) == word {
                        // A line of the cache that nobody writes stays with all who read it.
                        return;
                    }
                }
                slot
            }
            None => bucket.least_worth(generation),
        };
        bucket.write(slot, check, entry.pack(generation));
    }

    /// How many thousandths of the entries belong to the present search, judged by the first ones.
    pub fn hashfull(&self) -> u32 {
        let (generation, words) = (self.generation.load(Relaxed), self.words.words());
        let sample = (words.len() / BUCKET).min(1000);
        let used = words
            .chunks_exact(BUCKET)
            .take(sample)
            .flat_map(|bucket| &bucket[..ENTRIES])
            .filter(|word| {
                let word = word.load(Relaxed);
                word != 0 && entry::generation_of(word) == generation
            })
            .count();
        (used * 1000 / (sample * ENTRIES)) as u32
    }

    /// Where the bucket of a key begins: the high bits of the key, scaled to the size of the table.
    #[inline(always)]
    fn start(&self, key: Key) -> usize {
        let buckets = (self.words.words().len() / BUCKET) as u128;
        ((u128::from(key.0) * buckets) >> 64) as usize * BUCKET
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> Bucket<'_> {
        let words = self.words.words()[self.start(key)..].first_chunk();
        Bucket(words.expect("a bucket lies inside the table"))
    }
}

/// The words of one bucket.
struct Bucket<'a>(&'a [AtomicU64; BUCKET]);

impl Bucket<'_> {
    /// The entry with these key bits, and its slot. The word that is judged is the word that is
    /// returned: read again, it might be another one.
    #[inline(always)]
    fn find(&self, check: u64) -> Option<(usize, u64)> {
        let keys = [ENTRIES, ENTRIES + 1].map(|at| self.0[at].load(Relaxed));
        (0..ENTRIES).find_map(|slot| {
            let word = self.0[slot].load(Relaxed);
            let stored = keys[slot / 3] >> (KEY_BITS * (slot % 3) as u32);
            let is_it = (stored ^ mixed(word)) & KEY_MASK == check && word != 0;
            is_it.then_some((slot, word))
        })
    }

    /// The slot that is missed least: empty, or shallow and old.
    #[inline]
    fn least_worth(&self, generation: u8) -> usize {
        let worth = |slot: usize| {
            let word = self.0[slot].load(Relaxed);
            entry::replacement_worth(word, generation)
        };
        (0..ENTRIES).min_by_key(|&slot| worth(slot)).unwrap_or(0)
    }

    /// Another thread that writes a neighbour at the same moment may undo the key bits written
    /// here; then the entry is simply not found again.
    #[inline]
    fn write(&self, slot: usize, check: u64, word: u64) {
        let (keys, shift) = (&self.0[ENTRIES + slot / 3], KEY_BITS * (slot % 3) as u32);
        let others = keys.load(Relaxed) & !(KEY_MASK << shift);
        let own = (check ^ mixed(word)) & KEY_MASK;
        self.0[slot].store(word, Relaxed);
        keys.store(others | own << shift, Relaxed);
    }
}

/// The bits of an entry, spread so that a change of any of them shows in the key bits.
#[inline(always)]
const fn mixed(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEY_BITS)
}
