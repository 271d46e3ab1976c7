//! Moves in 16 bits, in the layouts of data files.
//!
//! | | bits 0–6 | bits 7–13 | bit 14 | bit 15 |
//! |---|---|---|---|---|
//! | [`MoveLayout::Flagged`] (PSV, YBB) | to | from, or the kind dropped (1–7) | drop | promotion |
//! | [`MoveLayout::Shifted`] (HCPE, books of Apery, pack) | to | from, or 80 + the kind dropped | promotion | – |
//!
//! The kinds are numbered P L N S B R G. A third numbering (P L N S G B R) is seen now and then; it
//! drops pieces that are not in hand and is refused by whoever plays the move.

use tesuji_shogi::{Move, PieceKind, Position, Square};

/// Which layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveLayout {
    /// Drops have a flag; the layout of [`Move`] itself.
    Flagged,
    /// Drops come from beyond the board.
    Shifted,
}

const PROMOTE: u16 = 1 << 14;

impl MoveLayout {
    /// The number for a move.
    ///
    /// ```
    /// use tesuji_record::samples::MoveLayout;
    /// let drop = "B*5e".parse().unwrap();
    /// assert_eq!(MoveLayout::Flagged.write(drop), 0x42a8);
    /// assert_eq!(MoveLayout::Shifted.write(drop), 0x2aa8);
    /// ```
    pub const fn write(self, mv: Move) -> u16 {
        match (self, mv.from(), mv.dropped()) {
            (Self::Shifted, Some(from), _) => {
                let promotion = if mv.is_promotion() { PROMOTE } else { 0 };
                promotion | (from.index() as u16) << 7 | mv.to().index() as u16
            }
            (Self::Shifted, None, Some(kind)) => {
                (80 + kind.index() as u16) << 7 | mv.to().index() as u16
            }
            _ => mv.bits(),
        }
    }

    /// The move for a number, if it has the form of a move.
    pub const fn read(self, bits: u16) -> Option<Move> {
        match self {
            Self::Flagged => Move::from_bits(bits),
            Self::Shifted => shifted(bits),
        }
    }

    /// The layout in which a number is a legal move; `None` if it is one in neither, or the same
    /// one in both.
    pub fn told_by(bits: u16, pos: &Position) -> Option<Self> {
        let legal = |layout: Self| layout.read(bits).filter(|&mv| pos.is_legal(mv));
        match (legal(Self::Flagged), legal(Self::Shifted)) {
            (Some(_), None) => Some(Self::Flagged),
            (None, Some(_)) => Some(Self::Shifted),
            _ => None,
        }
    }
}

const fn shifted(bits: u16) -> Option<Move> {
    let Some(to) = Square::new((bits & 127) as usize) else {
        return None;
    };
    let from = (bits >> 7 & 127) as usize;
    let promotes = bits & PROMOTE != 0;
    if bits > 0x7fff {
        return None;
    }
    match Square::new(from) {
        Some(from) if from.index() == to.index() => None,
        Some(from) if promotes => Some(Move::promotion(from, to)),
        Some(from) => Some(Move::board(from, to)),
        None => match PieceKind::from_index(from - 80) {
            Some(kind) if kind.is_hand_kind() && !promotes => Some(Move::drop(kind, to)),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moves_have_known_numbers() {
        for (text, flagged, shifted) in [
            ("7g7f", 0x1e3b, 0x1e3b),
            ("8h2b+", 0xa30a, 0x630a),
            ("P*5e", 0x40a8, 0x28a8),
            ("G*5e", 0x43a8, 0x2ba8),
            ("B*5e", 0x42a8, 0x2aa8),
            ("R*5e", 0x4328, 0x2b28),
        ] {
            let mv = text.parse().unwrap();
            assert_eq!(MoveLayout::Flagged.write(mv), flagged);
            assert_eq!(MoveLayout::Shifted.write(mv), shifted);
        }
    }

    #[test]
    fn every_number_reads_back_or_is_refused() {
        for bits in 0..=u16::MAX {
            for layout in [MoveLayout::Flagged, MoveLayout::Shifted] {
                if let Some(mv) = layout.read(bits) {
                    assert_eq!(layout.write(mv), bits);
                }
            }
        }
        for end in [0, 0x81, 0x102] {
            assert_eq!(MoveLayout::Shifted.read(end), None);
        }
    }

    #[test]
    fn the_position_tells_the_layout() {
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RG 1").unwrap();
        for layout in [MoveLayout::Flagged, MoveLayout::Shifted] {
            let bits = layout.write("G*5e".parse().unwrap());
            assert_eq!(MoveLayout::told_by(bits, &pos), Some(layout));
        }
        let both = MoveLayout::Flagged.write("5i5h".parse().unwrap());
        assert_eq!(MoveLayout::told_by(both, &pos), None);
    }
}
