//! Kinds of pieces, promotion, and pieces with a colour.
//!
//! The six functions of a piece named by Tenuki (2019): kind, base, colour, can it promote, what it
//! promotes to, and the same piece in the other colour.

use super::color::Color;
use std::fmt;
use std::num::NonZeroU8;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// The fourteen kinds. Bit 3 says "promoted" for all but the king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩
    Pawn = 1,
    /// 香
    Lance = 2,
    /// 桂
    Knight = 3,
    /// 銀
    Silver = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
    /// 金
    Gold = 7,
    /// 玉
    King = 8,
    /// と
    PromotedPawn = 9,
    /// 成香
    PromotedLance = 10,
    /// 成桂
    PromotedKnight = 11,
    /// 成銀
    PromotedSilver = 12,
    /// 馬
    Horse = 13,
    /// 竜
    Dragon = 14,
}

use PieceKind::*;

impl PieceKind {
    /// Every kind.
    pub const ALL: [Self; 14] = [
        Pawn,
        Lance,
        Knight,
        Silver,
        Bishop,
        Rook,
        Gold,
        King,
        PromotedPawn,
        PromotedLance,
        PromotedKnight,
        PromotedSilver,
        Horse,
        Dragon,
    ];

    /// The seven kinds that can be held in hand.
    pub const HAND: [Self; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

    /// The same seven from the cheapest to the most valuable, as most formats order them: P L N S G B R.
    pub const BY_VALUE: [Self; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// 1 to 14.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index >= 1 && index <= 14 {
            Some(Self::ALL[index - 1])
        } else {
            None
        }
    }

    /// Whether it is the promoted form of another kind.
    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self as u8 > 8
    }

    /// Whether it can promote.
    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        (self as u8) < 7
    }

    /// What it promotes to.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        if self.can_promote() {
            Self::from_index(self as usize + 8)
        } else {
            None
        }
    }

    /// The unpromoted form: what it is once captured.
    #[inline(always)]
    pub const fn base(self) -> Self {
        match self {
            PromotedPawn => Pawn,
            PromotedLance => Lance,
            PromotedKnight => Knight,
            PromotedSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            kind => kind,
        }
    }

    /// Whether it can be held in hand.
    #[inline(always)]
    pub const fn is_hand_kind(self) -> bool {
        (self as u8) < 8
    }

    /// Gold and everything that moves like one.
    #[inline(always)]
    pub const fn is_gold_mover(self) -> bool {
        matches!(
            self,
            Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver
        )
    }

    /// How many of a base kind the full set of forty pieces has.
    pub const fn full_count(self) -> u32 {
        match self.base() {
            Pawn => 18,
            Bishop | Rook | King => 2,
            _ => 4,
        }
    }

    /// The upper-case letter of SFEN for the base kind.
    pub const fn letter(self) -> char {
        match self.base() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// The base kind for an upper-case letter of SFEN.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'P' => Pawn,
            'L' => Lance,
            'N' => Knight,
            'S' => Silver,
            'B' => Bishop,
            'R' => Rook,
            'G' => Gold,
            'K' => King,
            _ => return None,
        })
    }

    /// The one-character kanji, as on a printed board.
    pub const fn kanji(self) -> char {
        match self {
            Pawn => '歩',
            Lance => '香',
            Knight => '桂',
            Silver => '銀',
            Bishop => '角',
            Rook => '飛',
            Gold => '金',
            King => '玉',
            PromotedPawn => 'と',
            PromotedLance => '杏',
            PromotedKnight => '圭',
            PromotedSilver => '全',
            Horse => '馬',
            Dragon => '竜',
        }
    }
}

/// A piece of one colour. `Option<Piece>` is one byte: 28 pieces and "empty".
///
/// ```
/// use tesuji_shogi::{Color, Piece, PieceKind};
/// let horse = Piece::new(Color::Black, PieceKind::Horse);
/// assert_eq!(horse.kind(), PieceKind::Horse);
/// assert_eq!(horse.base(), PieceKind::Bishop);
/// assert_eq!(horse.color(), Color::Black);
/// assert_eq!("+B".parse(), Ok(horse));
/// assert!(!horse.can_promote());
/// assert_eq!(horse.promoted(), None);
/// assert_eq!(horse.inverse(), Piece::new(Color::White, PieceKind::Horse));
/// assert_eq!(std::mem::size_of::<Option<Piece>>(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// A piece of the given colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        match NonZeroU8::new((color as u8) << 4 | kind as u8) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The unpromoted piece with this kind index; the caller knows that there is one.
    #[inline(always)]
    pub(crate) const fn of_index(color: Color, index: u8) -> Self {
        match NonZeroU8::new((color as u8) << 4 | index) {
            Some(bits) => Self(bits),
            None => Self::new(color, Pawn),
        }
    }

    /// Every piece, Black's first.
    pub fn all() -> impl Iterator<Item = Self> {
        Color::ALL
            .into_iter()
            .flat_map(|c| PieceKind::ALL.map(|kind| Self::new(c, kind)))
    }

    /// A number below 32: the kind, plus 16 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }

    /// The same number as [`Piece::index`], for those who need no proof that it is below 32.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u8 {
        self.0.get()
    }

    /// The index of a piece, 0 for none.
    #[inline(always)]
    pub(crate) const fn index_or_zero(piece: Option<Self>) -> usize {
        match piece {
            Some(piece) => piece.index(),
            None => 0,
        }
    }

    /// What kind it is.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        const KINDS: [PieceKind; 16] = [
            King,
            Pawn,
            Lance,
            Knight,
            Silver,
            Bishop,
            Rook,
            Gold,
            King,
            PromotedPawn,
            PromotedLance,
            PromotedKnight,
            PromotedSilver,
            Horse,
            Dragon,
            King,
        ];
        KINDS[(self.0.get() & 15) as usize]
    }

    /// Whether it is a king.
    #[inline(always)]
    pub const fn is_king(self) -> bool {
        self.0.get() & 15 == King as u8
    }

    /// What it is once captured.
    #[inline(always)]
    pub const fn base(self) -> PieceKind {
        self.kind().base()
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 {
            Color::Black
        } else {
            Color::White
        }
    }

    /// Whether it can promote.
    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        self.0.get() & 15 < 7
    }

    /// What it promotes to.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Self> {
        if self.can_promote() {
            Some(self.with_promotion(true))
        } else {
            None
        }
    }

    /// The promoted form if `promote`, otherwise itself. The caller knows that it can promote.
    #[inline(always)]
    pub(crate) const fn with_promotion(self, promote: bool) -> Self {
        match NonZeroU8::new(self.0.get() | (promote as u8) << 3) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The unpromoted form if `promoted`, otherwise itself.
    #[inline(always)]
    pub(crate) const fn without_promotion(self, promoted: bool) -> Self {
        match NonZeroU8::new(self.0.get() & !((promoted as u8) << 3)) {
            Some(bits) => Self(bits),
            None => self,
        }
    }

    /// The same kind in the other colour.
    #[inline(always)]
    pub const fn inverse(self) -> Self {
        Self::new(self.color().foe(), self.kind())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// As in SFEN: `P`, `+r`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind().letter();
        let plus = if self.kind().is_promoted() { "+" } else { "" };
        match self.color() {
            Color::Black => write!(f, "{plus}{letter}"),
            Color::White => write!(f, "{plus}{}", letter.to_ascii_lowercase()),
        }
    }
}

/// Why a text is not a piece.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a piece: expected a letter of SFEN such as P, l or +R")]
pub struct PieceError(String);

/// As in SFEN: `P`, `+r`.
impl FromStr for Piece {
    type Err = PieceError;
    fn from_str(text: &str) -> Result<Self, PieceError> {
        let found = Self::all().find(|piece| piece.to_string() == text);
        // What comes from outside may be long: an error repeats only the beginning.
        found.ok_or_else(|| PieceError(text.chars().take(16).collect()))
    }
}

/// One thing for each of the 28 pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByPiece<T>(pub [T; 32]);

impl<T> Index<Piece> for ByPiece<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, piece: Piece) -> &T {
        &self.0[piece.index()]
    }
}

impl<T> IndexMut<Piece> for ByPiece<T> {
    #[inline(always)]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self.0[piece.index()]
    }
}
