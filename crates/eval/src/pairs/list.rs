//! The places that the pieces of a position take, as a set that changes with each move.

/// Room for every list: 38 places, or with counted hands 38 and 14.
const ROOM: usize = 64;

/// Marks room that is not in use.
const NOWHERE: u16 = u16::MAX;

/// A set of places, in no particular order.
#[derive(Clone, Debug)]
pub struct List {
    places: [u16; ROOM],
    len: u8,
}

impl Default for List {
    fn default() -> Self {
        Self {
            places: [NOWHERE; ROOM],
            len: 0,
        }
    }
}

impl List {
    /// The places.
    #[inline(always)]
    pub fn as_slice(&self) -> &[u16] {
        &self.places[..usize::from(self.len) % ROOM]
    }

    /// Adds a place that is not in it.
    #[inline(always)]
    pub(super) fn push(&mut self, place: u16) {
        self.places[usize::from(self.len) % ROOM] = place;
        self.len += 1;
    }

    /// Takes a place out.
    #[inline(always)]
    pub(super) fn remove(&mut self, place: u16) {
        // Looks at all the room without stopping, which vector instructions do at once.
        let mut at = 0;
        for (i, &other) in self.places.iter().enumerate() {
            if other == place {
                at = i;
            }
        }
        debug_assert_eq!(self.places[at], place, "the place is taken");
        let last = usize::from(self.len.saturating_sub(1)) % ROOM;
        self.places[at] = self.places[last];
        self.places[last] = NOWHERE;
        self.len = last as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_can_be_taken_out() {
        let mut list = List::default();
        (100..152).for_each(|place| list.push(place));
        for place in (100..152).step_by(2) {
            list.remove(place);
        }
        let mut left = list.as_slice().to_vec();
        left.sort_unstable();
        assert_eq!(left, (101..152).step_by(2).collect::<Vec<_>>());
    }
}
