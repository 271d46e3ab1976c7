//! The eight squares around a king as one byte, and tables over all such bytes.
//!
//! Bit by bit along the files, as the squares are numbered, the king's own square left out. Squares
//! beyond the edge have their bits too; whoever gathers a set takes them away.

use crate::attacks::steps::{GOLD_STEPS, KNIGHT_STEPS, PAWN_STEPS, SILVER_STEPS};
use crate::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::hand::Hand;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use tesuji_kernels::LOW_BITS;

/// A set of squares around a king.
pub(super) type Ring = u8;

/// From the king to each square: files, ranks.
const PLACES: [(i8, i8); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

const DIAGONALS: &[(i8, i8)] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];
const ORTHOGONALS: &[(i8, i8)] = &[(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The bit of a place; none for the king's own and for those that are further away.
const fn bit(files: i8, ranks: i8) -> Ring {
    let mut place = 0;
    while place < 8 {
        if PLACES[place].0 == files && PLACES[place].1 == ranks {
            return 1 << place;
        }
        place += 1;
    }
    0
}

/// The places of a ring that are on the board, by the square of the king.
static ON_BOARD: [Ring; 81] = {
    let mut table = [0; 81];
    let mut king = 0;
    while king < 81 {
        let mut place = 0;
        while place < 8 {
            let (files, ranks) = PLACES[place];
            if Square::trusted(king as u8).shifted(files, ranks).is_some() {
                table[king] |= 1 << place;
            }
            place += 1;
        }
        king += 1;
    }
    table
};

/// The squares around a king that are on the board.
#[inline(always)]
pub(super) fn on_board(king: Square) -> Ring {
    ON_BOARD[king.index()]
}

/// What a set has around a king; bits beyond the edge mean nothing.
#[inline(always)]
pub(super) fn gather(set: Bitboard, king: Square) -> Ring {
    let [low, high] = set.words();
    let all = u128::from(low) | u128::from(high) << LOW_BITS;
    // Three files, of which three ranks are wanted; the king is at the tenth bit.
    let window = (all << 10 >> king.index()) as u32;
    let nine = window & 0o7 | window >> 6 & 0o70 | window >> 12 & 0o700;
    (nine & 15 | nine >> 1 & 0xf0) as Ring
}

/// By colour, kind and where a piece stands, seen from the king: the squares it attacks with its
/// steps. Of a horse and a dragon these are the steps that are not part of their slides.
static STEPPED: [[[Ring; 64]; 16]; 2] = [stepped(Color::Black), stepped(Color::White)];

/// The number of the king's own place in such a table: a knight attacks from three ranks and two
/// files away.
const CENTRE: i8 = 2 * 9 + 3;

const fn stepped(color: Color) -> [[Ring; 64]; 16] {
    let mut table = [[0; 64]; 16];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        let steps = steps_of(kind);
        let (mut files, mut ranks) = (-2, -3);
        while files <= 2 {
            let at = (CENTRE + 9 * files + ranks) as usize;
            let mut step = 0;
            while step < steps.len() {
                let (file, rank) = steps[step];
                table[kind.index()][at] |= bit(files + file, ranks + forward(color, rank));
                step += 1;
            }
            ranks += 1;
            if ranks > 3 {
                (files, ranks) = (files + 1, -3);
            }
        }
        i += 1;
    }
    table
}

const fn forward(color: Color, ranks: i8) -> i8 {
    match color {
        Color::Black => ranks,
        Color::White => -ranks,
    }
}

const fn steps_of(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Pawn => PAWN_STEPS,
        PieceKind::Knight => KNIGHT_STEPS,
        PieceKind::Silver => SILVER_STEPS,
        PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook => &[],
        PieceKind::King => &PLACES,
        PieceKind::Horse => ORTHOGONALS,
        PieceKind::Dragon => DIAGONALS,
        _ => GOLD_STEPS,
    }
}

/// What a piece near a king attacks around it with its steps. It must be near enough to attack
/// something there.
#[inline(always)]
pub(super) fn stepped_on(color: Color, kind: PieceKind, from: Square, king: Square) -> Ring {
    let away = from.index() as i8 - king.index() as i8;
    STEPPED[color.index()][kind.index()][(away + CENTRE) as usize & 63]
}

/// The kinds that can give check from a square next to the king, golds for all that move alike.
/// First those that are dropped, in the order in which they are tried.
const MOVERS: [PieceKind; 8] = [
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Lance,
    PieceKind::Pawn,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// How many of them can be dropped to mate.
const DROPPED: usize = 5;

/// Where the byte of a kind begins in [`Shuts`]; 64 if it has none.
static SHIFT: [u8; 16] = {
    let mut table = [64; 16];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        let mut mover = 0;
        while mover < 8 {
            let alike = kind.is_gold_mover() && matches!(MOVERS[mover], PieceKind::Gold);
            if kind.index() == MOVERS[mover].index() || alike {
                table[kind.index()] = 8 * mover as u8;
            }
            mover += 1;
        }
        i += 1;
    }
    table
};

/// By colour, kind and place: what a piece next to the king attacks around it, through the king,
/// if nothing else stands in the way. Nothing does, but for a dragon on a diagonal.
static COVERS: [[u64; 8]; 2] = [covers(Color::Black), covers(Color::White)];

const fn covers(color: Color) -> [u64; 8] {
    let mut table = [0; 8];
    let mut place = 0;
    while place < 8 {
        let mut mover = 0;
        while mover < 8 {
            let reach = reach(color, MOVERS[mover], PLACES[place]).0;
            table[place] |= (reach as u64) << (8 * mover);
            mover += 1;
        }
        place += 1;
    }
    table
}

/// What a piece attacks around the king from a place next to it, and whether it gives check.
const fn reach(color: Color, kind: PieceKind, (files, ranks): (i8, i8)) -> (Ring, bool) {
    let (mut ring, mut checks) = (0, false);
    let slides: &[(i8, i8)] = match kind {
        PieceKind::Lance => PAWN_STEPS,
        PieceKind::Bishop | PieceKind::Horse => DIAGONALS,
        PieceKind::Rook | PieceKind::Dragon => ORTHOGONALS,
        _ => &[],
    };
    let steps = steps_of(kind);
    let mut i = 0;
    while i < steps.len() + slides.len() {
        let (is_slide, (file, rank)) = if i < steps.len() {
            (false, steps[i])
        } else {
            (true, slides[i - steps.len()])
        };
        let rank = forward(color, rank);
        let (mut x, mut y) = (files + file, ranks + rank);
        while x >= -1 && x <= 1 && y >= -1 && y <= 1 {
            ring |= bit(x, y);
            checks |= x == 0 && y == 0;
            if !is_slide {
                break;
            }
            (x, y) = (x + file, y + rank);
        }
        i += 1;
    }
    (ring, checks)
}

/// For one set of squares where a king could flee to: from where each kind gives check and leaves
/// none of them, a byte for each kind.
#[derive(Clone, Copy)]
pub(super) struct Shuts(u64);

static SHUTS: [[Shuts; 256]; 2] = [shuts(Color::Black), shuts(Color::White)];

const fn shuts(color: Color) -> [Shuts; 256] {
    let mut table = [Shuts(0); 256];
    let mut place = 0;
    while place < 8 {
        let mut mover = 0;
        while mover < 8 {
            let (ring, checks) = reach(color, MOVERS[mover], PLACES[place]);
            let mut open = 0;
            while open < 256 {
                if checks && open as Ring & !ring & !(1 << place) == 0 {
                    table[open].0 |= 1 << (8 * mover + place);
                }
                open += 1;
            }
            mover += 1;
        }
        place += 1;
    }
    table
}

impl Shuts {
    #[inline(always)]
    pub(super) fn of(color: Color, open: Ring) -> Self {
        SHUTS[color.index()][usize::from(open)]
    }

    /// The places from where a kind mates, if it is defended there and nobody takes it.
    #[inline(always)]
    pub(super) fn by(self, kind: PieceKind) -> Ring {
        let shift = u32::from(SHIFT[kind.index()]);
        self.0.checked_shr(shift).unwrap_or(0) as Ring
    }

    /// The places from where any kind would.
    #[inline(always)]
    pub(super) fn by_any(self) -> Ring {
        let half = self.0 | self.0 >> 32;
        let quarter = half | half >> 16;
        (quarter | quarter >> 8) as Ring
    }

    /// The kinds in a hand, each with the places of a ring from where it would.
    #[inline(always)]
    pub(super) fn by_drops(self, hand: Hand, ring: Ring) -> KindsAndPlaces {
        let mut kinds = 0;
        for (i, &kind) in MOVERS[..DROPPED].iter().enumerate() {
            kinds |= u64::from(hand.has(kind)) << (8 * i);
        }
        KindsAndPlaces(self.0 & (kinds * 0xff) & (u64::from(ring) * 0x0101_0101_0101_0101))
    }
}

/// Kinds and the places where they are put.
pub(super) struct KindsAndPlaces(u64);

impl Iterator for KindsAndPlaces {
    type Item = (PieceKind, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some((MOVERS[(lowest as usize / 8) & 7], lowest % 8))
    }
}

/// What a kind covers around the king from a place next to it.
#[inline(always)]
pub(super) fn covered_from(color: Color, kind: PieceKind, place: u32) -> Ring {
    let shift = u32::from(SHIFT[kind.index()]);
    let row = COVERS[color.index()][place as usize & 7];
    row.checked_shr(shift).unwrap_or(0) as Ring
}

/// Whether all squares of a ring lie on one line through the king.
#[inline(always)]
pub(super) fn is_on_a_line(open: Ring) -> bool {
    // The place opposite to a bit is the one mirrored in the byte.
    let lowest = open & open.wrapping_neg();
    open & !(lowest | lowest.reverse_bits()) == 0
}

/// The square of a place.
#[inline(always)]
pub(super) fn square_at(king: Square, place: u32) -> Square {
    let (files, ranks) = PLACES[place as usize & 7];
    Square::trusted((king.index() as i8 + 9 * files + ranks) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::{self, steps};

    fn places(king: Square) -> impl Iterator<Item = (u32, Square)> {
        let is_there = move |place: &u32| on_board(king) >> place & 1 == 1;
        (0..8)
            .filter(is_there)
            .map(move |place| (place, square_at(king, place)))
    }

    #[test]
    fn a_ring_is_the_squares_around_the_king() {
        for king in Square::all() {
            let around: Bitboard = places(king).map(|(_, square)| square).collect();
            assert_eq!(around, steps::king(king));
            for (place, square) in places(king) {
                let gathered = gather(Bitboard::of(square), king) & on_board(king);
                assert_eq!(gathered, 1 << place);
            }
        }
    }

    #[test]
    fn tables_agree_with_the_attacks() {
        for (king, color) in Square::all().flat_map(|king| Color::ALL.map(|color| (king, color))) {
            for kind in PieceKind::ALL {
                for (place, from) in places(king) {
                    let reach = attacks::of(kind, color, from, Bitboard::EMPTY);
                    let seen = gather(reach, king) & on_board(king);
                    let is_mover = SHIFT[kind.index()] < 64;
                    if is_mover {
                        assert_eq!(covered_from(color, kind, place) & on_board(king), seen);
                    }
                    let shuts = Shuts::of(color, seen).by(kind) >> place & 1 == 1;
                    assert_eq!(shuts, is_mover && reach.has(king));
                    let rest = on_board(king) & !(seen | 1 << place);
                    let shuts = Shuts::of(color, seen | rest).by(kind) >> place & 1 == 1;
                    assert_eq!(shuts, is_mover && reach.has(king) && rest == 0);
                }
                let slides = matches!(kind.base(), PieceKind::Lance | PieceKind::Bishop)
                    && !kind.is_gold_mover()
                    || kind.base() == PieceKind::Rook;
                for from in Square::all().filter(|_| !slides) {
                    let reach = attacks::of(kind, color, from, Bitboard::EMPTY);
                    let seen = gather(reach, king) & on_board(king);
                    if seen != 0 {
                        let stepped = stepped_on(color, kind, from, king) & on_board(king);
                        assert_eq!(stepped, seen);
                    }
                }
            }
        }
    }

    #[test]
    fn lines_go_through_the_king() {
        assert!(is_on_a_line(0) && is_on_a_line(0b1000_0001) && is_on_a_line(0b0000_1000));
        assert!(!is_on_a_line(0b0000_0011) && !is_on_a_line(0b1000_0011));
    }
}
