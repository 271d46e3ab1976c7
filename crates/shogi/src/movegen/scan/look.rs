//! Looking outward from a square: who attacks it, who gives check, who is pinned.
//!
//! Which pieces attack from a direction is one number, a bit for each of the 28 pieces.

use super::placement::{NOWHERE, Squares, by_square, content, for_squares, step};
use crate::attacks::steps;
use crate::side::{Side, White};
use crate::types::color::Color;
use crate::types::piece::{Piece, PieceKind};

/// The eight directions as files to the left and ranks ahead; opposites are four apart.
pub(crate) const DIRECTIONS: [(isize, isize); 8] = [
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// Straight ahead, and straight back.
pub(crate) const AHEAD: usize = 0;
pub(crate) const BACK: usize = 4;

/// The direction back.
#[inline(always)]
pub(crate) const fn opposite(direction: usize) -> usize {
    (direction + 4) % 8
}

/// The same direction as the other side sees it.
#[inline(always)]
pub(crate) const fn mirrored(direction: usize) -> usize {
    (12 - direction) % 8
}

/// What one step in a direction adds to the number of a square.
#[inline(always)]
pub(crate) const fn stride<S: Side>(direction: usize) -> isize {
    let (files, ranks) = DIRECTIONS[direction];
    match S::COLOR {
        Color::Black => files * 9 - ranks,
        Color::White => files * 9 + ranks,
    }
}

/// The number of the square one step further in a direction that does not leave the board.
#[inline(always)]
pub(crate) const fn after<S: Side>(square: usize, direction: usize) -> usize {
    square.wrapping_add_signed(stride::<S>(direction))
}

/// By direction of looking: which pieces attack the square one looks from, a bit for each content
/// of a square; those in the upper half attack from the next square, those in the lower half from
/// anywhere.
type AttackMasks = [u64; 8];

/// The masks of the pieces of a colour, as `S` looks.
const fn masks<S: Side>(color: Color) -> AttackMasks {
    let mut table = [0; 8];
    let mut i = 0;
    while i < 8 * 14 {
        let (direction, kind) = (i / 14, PieceKind::ALL[i % 14]);
        // Own pieces have to come back to where one looks from, the foe's come forward.
        let way = match (S::COLOR, color) {
            (Color::Black, Color::Black) | (Color::White, Color::White) => opposite(direction),
            _ => direction,
        };
        let bit = 1 << Piece::new(color, kind).index();
        if moves_by(kind, DIRECTIONS[way], true) {
            table[direction] |= bit;
        }
        if moves_by(kind, DIRECTIONS[way], false) {
            table[direction] |= bit << 32;
        }
        i += 1;
    }
    table
}

/// Whether a kind moves in a direction: by one step, or by many.
pub(crate) const fn moves_by(kind: PieceKind, way: (isize, isize), many: bool) -> bool {
    use PieceKind::*;
    let diagonal = way.0 != 0 && way.1 != 0;
    let list = match kind {
        Bishop => return diagonal,
        Rook => return !diagonal,
        Horse => return diagonal || !many,
        Dragon => return !diagonal || !many,
        Lance => steps::PAWN_STEPS,
        _ if many => return false,
        Pawn => steps::PAWN_STEPS,
        Knight => return false,
        Silver => steps::SILVER_STEPS,
        King => steps::KING_STEPS,
        _ => steps::GOLD_STEPS,
    };
    let mut i = 0;
    while i < list.len() {
        // The lists count ranks down the board.
        if list[i].0 as isize == way.0 && list[i].1 as isize == -way.1 {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether a piece, seen by `S` in a direction, attacks the square that `S` looks from: the next
/// square, or one farther away.
#[inline(always)]
pub(crate) const fn attacks<S: Side>(piece: Piece, direction: usize, far: bool) -> bool {
    let masks = Around::<S>::OWN[direction] | Around::<S>::FOE[direction];
    masks >> (piece.index() + 32 * !far as usize) & 1 != 0
}

/// Runs a macro for each of the eight directions.
macro_rules! each_direction {
    ($job:ident) => {
        $job!(7);
        $job!(6);
        $job!(5);
        $job!(4);
        $job!(3);
        $job!(2);
        $job!(1);
        $job!(0);
    };
}

/// What is known about each square, and what is written for each square.
pub(crate) struct Around<S>(S);

impl<S: Side> Around<S> {
    const OWN: AttackMasks = masks::<S>(S::COLOR);
    const FOE: AttackMasks = masks::<S>(S::Foe::COLOR);
    /// Who attacks a square.
    const SIGHT: &[fn(&Squares) -> Sight; 81] = for_squares!(sight, S);
    /// What threatens the king of `S` on a square.
    const DANGER: &[fn(&Squares) -> ScanCheckInfo; 81] = for_squares!(danger, S);
    /// Who attacks the squares around a square; nobody those beside the board.
    pub(crate) const RING: &[fn(&Squares) -> [Sight; 8]; 81] = for_squares!(ring, S);
    /// How many squares there are to the edge in every direction.
    pub(crate) const ROOM: &[[u8; 8]; 81] = &by_square::<S, _>(rooms());
}

/// Who attacks a square: bits 0 to 7 are the directions from which own pieces do, 8 to 15 those of
/// the foe, 16 and 17 own knights, 18 and 19 knights of the foe.
#[derive(Clone, Copy)]
pub(crate) struct Sight(u32);

impl Sight {
    /// As `S` looks from a square.
    #[inline(always)]
    pub(crate) fn from<S: Side>(square: usize, squares: &Squares) -> Self {
        Around::<S>::SIGHT[square](squares)
    }

    /// The directions from which own pieces attack, a bit for each.
    #[inline(always)]
    pub(crate) const fn own(self) -> u32 {
        self.0 & 0xff
    }

    /// Whether the foe attacks.
    #[inline(always)]
    pub(crate) const fn is_threatened(self) -> bool {
        self.0 & 0xc_ff00 != 0
    }

    /// Whether an own piece attacks.
    #[inline(always)]
    pub(crate) const fn is_covered(self) -> bool {
        self.0 & 0x3_00ff != 0
    }

    /// Whether an own knight attacks.
    #[inline(always)]
    pub(crate) const fn has_own_knights(self) -> bool {
        self.0 & 0x3_0000 != 0
    }

    /// Whether an own piece attacks otherwise than from the directions of a mask.
    #[inline(always)]
    pub(crate) const fn is_covered_but_from(self, directions: u32) -> bool {
        self.0 & 0x3_00ff & !directions != 0
    }

    /// How many own pieces attack, except those that wait behind others.
    #[inline(always)]
    pub(crate) const fn covers(self) -> u32 {
        (self.0 & 0x3_00ff).count_ones()
    }

    /// Whether the foe attacks otherwise than from one direction.
    #[inline(always)]
    pub(crate) const fn is_threatened_but_from(self, direction: usize) -> bool {
        self.0 & 0xc_ff00 & !(1 << (direction + 8)) != 0
    }
}

/// What threatens a king: bits 0 to 7 are the directions from which it is in check, 8 to 15 those
/// in which an own piece shields it from a slider, 16 to 23 those in which a piece of the foe stands
/// before a slider of the foe, 24 and 25 knights that give check.
#[derive(Clone, Copy)]
pub(crate) struct ScanCheckInfo(u32);

impl ScanCheckInfo {
    /// Of the king of `S` on a square.
    #[inline(always)]
    pub(crate) fn of<S: Side>(king: usize, squares: &Squares) -> Self {
        Around::<S>::DANGER[king](squares)
    }

    /// No danger at all.
    pub(crate) const NONE: Self = Self(0);

    /// How many pieces give check.
    #[inline(always)]
    pub(crate) const fn checks(self) -> u32 {
        (self.0 & 0x300_00ff).count_ones()
    }

    /// Where the only piece that gives check stands, and in which direction unless it is a knight.
    #[inline(always)]
    pub(crate) fn checker<S: Side>(
        self,
        king: usize,
        squares: &Squares,
    ) -> Option<(usize, Option<usize>)> {
        match each_bit(self.0 & 0x300_00ff).next()? {
            direction @ 0..8 => {
                next::<S>(squares, king, direction).map(|(at, _)| (at, Some(direction)))
            }
            knight => Some((knights_from::<S>(king, AHEAD)[knight & 1], None)),
        }
    }

    /// The directions from which sliders give check: no use to flee straight away.
    #[inline(always)]
    pub(crate) fn sliders<S: Side>(self, king: usize, squares: &Squares) -> u32 {
        each_bit(self.0 & 0xff)
            .filter(|&direction| {
                next::<S>(squares, king, direction)
                    .is_some_and(|(_, piece)| Around::<S>::FOE[direction] >> piece.index() & 1 != 0)
            })
            .fold(0, |sliders, direction| sliders | 1 << direction)
    }

    /// Whether own pieces are pinned.
    #[inline(always)]
    pub(crate) const fn has_pins(self) -> bool {
        self.0 & 0xff00 != 0
    }

    /// The own pieces that are pinned.
    #[inline(always)]
    pub(crate) fn pins<S: Side>(self, king: usize, squares: &Squares) -> impl Iterator<Item = Pin> {
        each_bit(self.0 >> 8 & 0xff).filter_map(move |direction| {
            next::<S>(squares, king, direction).map(|(at, _)| Pin { at, direction })
        })
    }

    /// The directions in which the foe could discover a check.
    #[inline(always)]
    pub(crate) const fn batteries(self) -> u32 {
        self.0 >> 16 & 0xff
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(crate) fn each_bit(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// A piece that shields its king, and the direction from the king to it.
#[derive(Clone, Copy)]
pub(crate) struct Pin {
    pub(crate) at: usize,
    pub(crate) direction: usize,
}

/// The contents of the next square in a direction and of the first two occupied squares. No branch
/// depends on what is found: it could not be foreseen.
#[inline(always)]
fn look<S: Side>(k: usize, direction: usize, squares: &Squares) -> [usize; 3] {
    let (files, ranks) = DIRECTIONS[direction];
    let (mut next, mut first, mut second) = (0, 0, 0);
    macro_rules! look {
        ($($distance:literal)*) => {$(
            if let Some(at) = step::<S>(k, files * $distance, ranks * $distance) {
                next = usize::from(content(squares.0[at]));
                (first, second) = if next != 0 { (next, first) } else { (first, second) };
            }
        )*};
    }
    look!(8 7 6 5 4 3 2 1);
    [next & 31, first & 31, second & 31]
}

/// Whether a knight of a colour stands so many files to the left and ranks ahead.
#[inline(always)]
fn is_knight<S: Side>(
    color: Color,
    k: usize,
    files: isize,
    ranks: isize,
    squares: &Squares,
) -> u32 {
    let knight = Some(Piece::new(color, PieceKind::Knight));
    u32::from(step::<S>(k, files, ranks).is_some_and(|at| squares.0[at] == knight))
}

#[inline(never)]
fn sight<S: Side, const K: usize>(squares: &Squares) -> Sight {
    let mut sight = 0;
    macro_rules! look {
        ($direction:literal) => {
            let [next, first, _] = look::<S>(K, $direction, squares);
            sight = sight << 1
                | Around::<S>::NEAR[$direction][next]
                | Around::<S>::FAR[$direction][first];
        };
    }
    each_direction!(look);
    sight |= is_knight::<S>(S::COLOR, K, -1, -2, squares) << 16;
    sight |= is_knight::<S>(S::COLOR, K, 1, -2, squares) << 17;
    sight |= is_knight::<S>(S::Foe::COLOR, K, -1, 2, squares) << 18;
    sight |= is_knight::<S>(S::Foe::COLOR, K, 1, 2, squares) << 19;
    Sight(sight)
}

fn ring<S: Side, const K: usize>(squares: &Squares) -> [Sight; 8] {
    let mut ring = [Sight(0); 8];
    for (sight, (files, ranks)) in ring.iter_mut().zip(DIRECTIONS) {
        if let Some(at) = step::<S>(K, files, ranks) {
            *sight = Sight::from::<S>(at, squares);
        }
    }
    ring
}

#[inline(never)]
fn danger<S: Side, const K: usize>(squares: &Squares) -> ScanCheckInfo {
    let mut danger = 0;
    macro_rules! look {
        ($direction:literal) => {
            let [next, first, second] = look::<S>(K, $direction, squares);
            let checks = Around::<S>::NEAR[$direction][next] | Around::<S>::FAR[$direction][first];
            let behind = Around::<S>::BEHIND[$direction][second] & Around::<S>::WHOSE[first];
            danger = danger << 1 | checks >> 8 | behind;
        };
    }
    each_direction!(look);
    danger |= is_knight::<S>(S::Foe::COLOR, K, -1, 2, squares) << 24;
    danger |= is_knight::<S>(S::Foe::COLOR, K, 1, 2, squares) << 25;
    ScanCheckInfo(danger)
}

impl<S: Side> Around<S> {
    const NEAR: &[[u32; 32]; 8] = &Self::hits(32);
    const FAR: &[[u32; 32]; 8] = &Self::hits(0);
    const fn hits(shift: u32) -> [[u32; 32]; 8] {
        let mut table = [[0; 32]; 8];
        let mut i = 0;
        while i < 8 * 32 {
            let (direction, content) = (i / 32, i % 32);
            table[direction][content] = (Self::OWN[direction] >> shift >> content & 1) as u32
                | ((Self::FOE[direction] >> shift >> content & 1) as u32) << 8;
            i += 1;
        }
        table
    }
    const BEHIND: &[[u32; 32]; 8] = &{
        let mut table = [[0; 32]; 8];
        let mut i = 0;
        while i < 8 * 32 {
            let (direction, content) = (i / 32, i % 32);
            table[direction][content] = ((Self::FOE[direction] >> content & 1) as u32) * 0x1_0100;
            i += 1;
        }
        table
    };
    const WHOSE: &[u32; 32] = &{
        let mut table = [0; 32];
        let mut i = 1;
        while i < 15 {
            table[i] = if matches!(S::COLOR, Color::Black) {
                0xff00
            } else {
                0xff_0000
            };
            table[i + 16] = if matches!(S::COLOR, Color::Black) {
                0xff_0000
            } else {
                0xff00
            };
            i += 1;
        }
        table
    };
}

const fn rooms() -> [[u8; 8]; 81] {
    let mut rooms = [[0; 8]; 81];
    let mut i = 0;
    while i < 81 * 8 {
        let (files, ranks) = DIRECTIONS[i % 8];
        let mut room = 0;
        while step::<White>(i / 8, files * (room + 1), ranks * (room + 1)).is_some() {
            room += 1;
        }
        rooms[i / 8][i % 8] = room as u8;
        i += 1;
    }
    rooms
}

/// The next piece in a direction, and where it stands.
#[inline(always)]
pub(crate) fn next<S: Side>(
    squares: &Squares,
    mut at: usize,
    direction: usize,
) -> Option<(usize, Piece)> {
    for _ in 0..Around::<S>::ROOM[at][direction] {
        at = after::<S>(at, direction);
        if let Some(piece) = squares.0[at] {
            return Some((at, piece));
        }
    }
    None
}

/// The two squares from which a knight of the foe attacks a square, or those of the own knights if
/// `direction` is [`BACK`]. Beside the board the numbers are none of a square.
#[inline(always)]
pub(crate) fn knights_from<S: Side>(square: usize, direction: usize) -> [usize; 2] {
    if Around::<S>::ROOM[square][direction] < 2 {
        return [usize::from(NOWHERE); 2];
    }
    let at = after::<S>(after::<S>(square, direction), direction);
    [at.wrapping_sub(9), at.wrapping_add(9)]
}
