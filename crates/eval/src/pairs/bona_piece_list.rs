//! The BonaPieces of a position, as a set that changes with each move.

/// Room for every list: 38 pieces, or with counted hands 38 and 14.
const ROOM: usize = 64;

/// Marks room that is not in use.
const NONE: u16 = u16::MAX;

/// A set of BonaPieces, in no particular order.
#[derive(Clone, Debug)]
pub(super) struct BonaPieceList {
    pieces: [u16; ROOM],
    len: u8,
}

impl Default for BonaPieceList {
    fn default() -> Self {
        Self {
            pieces: [NONE; ROOM],
            len: 0,
        }
    }
}

impl BonaPieceList {
    /// The pieces.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.pieces[..usize::from(self.len) % ROOM]
    }

    /// Adds a piece that is not in it.
    #[inline(always)]
    pub(super) fn push(&mut self, piece: u16) {
        self.pieces[usize::from(self.len) % ROOM] = piece;
        self.len += 1;
    }

    /// Takes a piece out.
    #[inline(always)]
    pub(super) fn remove(&mut self, piece: u16) {
        // Looks at all the room without stopping, which vector instructions do at once.
        let mut at = 0;
        for (i, &other) in self.pieces.iter().enumerate() {
            if other == piece {
                at = i;
            }
        }
        debug_assert_eq!(self.pieces[at], piece, "the piece is in the list");
        let last = usize::from(self.len.saturating_sub(1)) % ROOM;
        self.pieces[at] = self.pieces[last];
        self.pieces[last] = NONE;
        self.len = last as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_can_be_taken_out() {
        let mut list = BonaPieceList::default();
        (100..152).for_each(|piece| list.push(piece));
        for piece in (100..152).step_by(2) {
            list.remove(piece);
        }
        let mut left = list.as_slice().to_vec();
        left.sort_unstable();
        assert_eq!(left, (101..152).step_by(2).collect::<Vec<_>>());
    }
}
