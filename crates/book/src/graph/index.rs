//! From the key of a position to its number: open addressing over 32-bit numbers, the keys
//! themselves lying elsewhere.

use tesuji_record::packed::Packed;

const EMPTY: u32 = u32::MAX;

/// Numbers of keys, by their hash. Between 57 and 85 percent of the slots are in use, so that a
/// position costs six bytes here.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    slots: Vec<u32>,
    used: usize,
}

impl Index {
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// Makes room for so many keys, if there are none yet.
    pub(super) fn reserve(&mut self, keys: usize) {
        if self.used == 0 {
            self.slots = vec![EMPTY; (keys * 20).div_ceil(17) + 8];
        }
    }

    pub(super) fn find(&self, key: &Packed, keys: &[Packed]) -> Option<u32> {
        let mut slot = self.home(key)?;
        loop {
            match self.slots[slot] {
                EMPTY => return None,
                id if keys[id as usize] == *key => return Some(id),
                _ => slot = self.after(slot),
            }
        }
    }

    /// Adds the number of a key that is not there yet.
    pub(super) fn insert(&mut self, id: u32, keys: &[Packed]) {
        if (self.used + 1) * 20 > self.slots.len() * 17 {
            let size = (self.slots.len() + self.slots.len() / 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            old.into_iter()
                .filter(|&id| id != EMPTY)
                .for_each(|id| self.place(id, &keys[id as usize]));
        }
        self.place(id, &keys[id as usize]);
        self.used += 1;
    }

    fn place(&mut self, id: u32, key: &Packed) {
        let mut slot = self.home(key).expect("there are slots");
        while self.slots[slot] != EMPTY {
            slot = self.after(slot);
        }
        self.slots[slot] = id;
    }

    /// Where the search for a key begins: the high bits of its hash, scaled to the number of slots.
    fn home(&self, key: &Packed) -> Option<usize> {
        let scaled = (u128::from(hash(key)) * self.slots.len() as u128) >> 64;
        (!self.slots.is_empty()).then_some(scaled as usize)
    }

    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() {
            0
        } else {
            slot + 1
        }
    }
}

/// Mixes the four words of a key.
fn hash(key: &Packed) -> u64 {
    let (words, _) = key.as_chunks::<8>();
    words
        .iter()
        .fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
            let mixed = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            mixed ^ (mixed >> 32)
        })
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
}
