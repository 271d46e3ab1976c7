//! A move in 16 bits, and a list of moves that never allocates.
//!
//! The bits are laid out as in Apery and YaneuraOu.

use super::piece::PieceKind;
use super::square::Square;
use bytemuck::TransparentWrapper;
use std::fmt;
use std::iter::{Copied, FusedIterator};
use std::ops::{Deref, DerefMut};
use std::slice;
use std::str::FromStr;
use tesuji_kernels::WordList;

/// A move: where to in bits 0–6, where from (or which kind is dropped) in bits 7–13, "it is a drop"
/// in bit 14, "it promotes" in bit 15.
///
/// ```
/// use tesuji_shogi::Move;
/// let mv: Move = "7g7f".parse().unwrap();
/// assert_eq!(mv.bits(), 0x1e3b);
/// assert_eq!("P*5e".parse::<Move>().unwrap().to_string(), "P*5e");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, TransparentWrapper)]
#[repr(transparent)]
pub struct Move(u16);

const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;

impl Move {
    /// A move on the board without promotion.
    #[inline(always)]
    pub const fn board(from: Square, to: Square) -> Self {
        Self(to.index() as u16 | (from.index() as u16) << 7)
    }

    /// A move on the board with promotion.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square) -> Self {
        Self(Self::board(from, to).0 | PROMOTE)
    }

    /// A drop of a kind that can be held; a promoted kind is dropped as its base.
    #[inline(always)]
    pub const fn drop(kind: PieceKind, to: Square) -> Self {
        Self(Self::drop_bits(kind) | to.index() as u16)
    }

    /// A drop on square 0: add the square.
    #[inline(always)]
    pub(crate) const fn drop_bits(kind: PieceKind) -> u16 {
        DROP | (kind.base().index() as u16) << 7
    }

    /// The move as a number.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move for a number, if it has the form of a move.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (to, from) = (bits & 127, bits >> 7 & 127);
        let sound = if bits & DROP != 0 {
            1 <= from && from <= 7 && bits & PROMOTE == 0
        } else {
            from < 81 && from != to
        };
        if to < 81 && sound {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// For numbers that were moves before.
    #[inline(always)]
    pub(crate) const fn trusted(bits: u16) -> Self {
        Self(bits)
    }

    /// Where the piece arrives.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::trusted((self.0 & 127) as u8)
    }

    /// Where the piece comes from; `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() {
            None
        } else {
            Some(self.origin())
        }
    }

    /// Where a piece on the board comes from. Not to be asked of a drop.
    #[inline(always)]
    pub(crate) const fn origin(self) -> Square {
        Square::trusted((self.0 >> 7 & 127) as u8)
    }

    /// Which kind is dropped; `None` for a move on the board.
    #[inline(always)]
    pub const fn dropped(self) -> Option<PieceKind> {
        if self.is_drop() {
            PieceKind::from_index((self.0 >> 7 & 7) as usize)
        } else {
            None
        }
    }

    /// The kind index of a drop. Not to be asked of a move on the board.
    #[inline(always)]
    pub(crate) const fn dropped_index(self) -> u8 {
        (self.0 >> 7 & 7) as u8
    }

    /// Whether it is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0 & DROP != 0
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// The same move on the board turned by half a turn.
    pub const fn rotated(self) -> Self {
        let to = self.to().rotated();
        match self.from() {
            Some(from) => Self(Self::board(from.rotated(), to).0 | self.0 & PROMOTE),
            None => Self(self.0 & !127 | to.index() as u16),
        }
    }
}

/// As in USI: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.dropped(), self.is_promotion()) {
            (Some(kind), _) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, true) => write!(f, "{}{}+", self.origin(), self.to()),
            (None, false) => write!(f, "{}{}", self.origin(), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not of the form `7g7f`, `8h2b+` or `P*5e`.
    #[error("{0:?} is not a move: expected something like 7g7f, 8h2b+ or P*5e")]
    Form(String),
    /// The kind cannot be dropped.
    #[error("{0:?} drops a piece that cannot be in hand: expected one of P L N S G B R")]
    Kind(String),
    /// It starts where it ends.
    #[error("{0:?} does not move")]
    Still(String),
}

impl FromStr for Move {
    type Err = MoveError;
    fn from_str(text: &str) -> Result<Self, MoveError> {
        // What comes from outside may be long: an error repeats only the beginning.
        let quoted = || text.chars().take(16).collect::<String>();
        let form = || MoveError::Form(quoted());
        if !text.is_ascii() || text.len() < 4 {
            return Err(form());
        }
        let to: Square = text[2..4].parse().map_err(|_| form())?;
        if text.as_bytes()[1] == b'*' {
            let kind =
                PieceKind::from_letter(text.as_bytes()[0] as char).filter(|k| k.is_hand_kind());
            let kind = kind.ok_or_else(|| MoveError::Kind(quoted()))?;
            return if text.len() == 4 {
                Ok(Self::drop(kind, to))
            } else {
                Err(form())
            };
        }
        let from: Square = text[..2].parse().map_err(|_| form())?;
        if from == to {
            return Err(MoveError::Still(quoted()));
        }
        match &text[4..] {
            "" => Ok(Self::board(from, to)),
            "+" => Ok(Self::promotion(from, to)),
            _ => Err(form()),
        }
    }
}

/// Room for every move of any position (593 at most) and for the wide stores behind them.
const ROOM: usize = 593 + 128 + 47;

/// A list of moves on the stack. It can be used like a slice of moves.
///
/// ```
/// use tesuji_shogi::{Move, MoveList};
/// let moves: Result<MoveList, _> = ["7g7f", "2g2f", "P*5e"].into_iter().map(str::parse).collect();
/// let mut moves = moves?;
/// assert_eq!(moves[0].to_string(), "7g7f");
/// moves.sort_unstable_by_key(|mv| mv.is_drop());
/// for mv in &moves {
///     println!("{mv}");
/// }
/// assert_eq!(moves.into_iter().rev().next(), "P*5e".parse().ok());
/// # Ok::<(), tesuji_shogi::MoveError>(())
/// ```
#[derive(Clone, Default)]
pub struct MoveList(pub(crate) WordList<ROOM>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self(WordList::new())
    }

    /// How many moves there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a move.
    #[inline]
    pub const fn push(&mut self, mv: Move) {
        self.0.push(mv.bits());
    }

    /// The move at a place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<Move> {
        self.0
            .as_slice()
            .get(place)
            .map(|&bits| Move::trusted(bits))
    }

    /// Whether a move is among them.
    #[inline]
    pub fn contains(&self, mv: Move) -> bool {
        self.0.as_slice().contains(&mv.bits())
    }

    /// The moves, in the order they came.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.0.as_slice().iter().map(|&bits| Move::trusted(bits))
    }

    /// The moves in the order of their numbers, as a vector: for comparing lists.
    pub fn sorted(&self) -> Vec<Move> {
        let mut moves: Vec<_> = self.iter().collect();
        moves.sort_unstable();
        moves
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let mut list = Self::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list
    }
}

impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        moves.into_iter().for_each(|mv| self.push(mv));
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        Move::wrap_slice(self.0.as_slice())
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        Move::wrap_slice_mut(self.0.as_mut_slice())
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = Copied<slice::Iter<'a, Move>>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self[..].iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;
    fn into_iter(self) -> MoveListIter {
        let end = self.len();
        MoveListIter {
            list: self,
            start: 0,
            end,
        }
    }
}

/// The moves of a list that is used up.
#[derive(Clone, Debug)]
pub struct MoveListIter {
    list: MoveList,
    start: usize,
    end: usize,
}

impl Iterator for MoveListIter {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let mv = self.list[self.start..self.end].first().copied()?;
        self.start += 1;
        Some(mv)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.start;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for MoveListIter {
    fn next_back(&mut self) -> Option<Move> {
        let mv = self.list[self.start..self.end].last().copied()?;
        self.end -= 1;
        Some(mv)
    }
}

impl ExactSizeIterator for MoveListIter {}
impl FusedIterator for MoveListIter {}
