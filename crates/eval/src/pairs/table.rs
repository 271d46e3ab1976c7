//! One table for KK, KP, KKP, PP and KPP: a section for each king square or pair of them, and in a
//! section a weight for each BonaPiece or pair of them.
//!
//! The family that Hoki's Bonanza (2006) began. Which kings choose the section and how many pieces
//! a weight belongs to are parameters of the type, so that every table is the same code.

use super::accumulator::{KingView, KingsSeen, PairTables};
use super::error::PairError;
use super::eval_sum::EvalSum;
use super::file::{FileHeader, TableWeights};
use super::piece_values::PieceValues;
use super::weight::{Turn16, WeightFormat};
use crate::bona_piece::{self, BONA_PIECES};
use std::marker::PhantomData;
use std::path::Path;
use tesuji_shogi::{Color, Piece, Square};

/// Which kings choose the section of a table.
pub trait KingIndex: Clone + Send + Sync + 'static {
    /// How many sections there are.
    const SECTIONS: usize;
    /// Which kings those are.
    const SEES: KingsSeen;
    /// The section for a side and its kings, if they are there and the side is the one that looks.
    fn section(view: KingView) -> Option<usize>;
}

/// No king: one section.
#[derive(Clone, Copy, Debug)]
pub struct NoKing;
/// The own king, as it sees itself.
#[derive(Clone, Copy, Debug)]
pub struct OwnKing;
/// Both kings, `black * 81 + white`: Black looks for both.
#[derive(Clone, Copy, Debug)]
pub struct BothKings;

impl KingIndex for NoKing {
    const SECTIONS: usize = 1;
    const SEES: KingsSeen = KingsSeen::None;
    #[inline(always)]
    fn section(_: KingView) -> Option<usize> {
        Some(0)
    }
}

impl KingIndex for OwnKing {
    const SECTIONS: usize = 81;
    const SEES: KingsSeen = KingsSeen::Own;
    #[inline(always)]
    fn section(view: KingView) -> Option<usize> {
        view.king()
    }
}

impl KingIndex for BothKings {
    const SECTIONS: usize = 81 * 81;
    const SEES: KingsSeen = KingsSeen::Both;
    #[inline(always)]
    fn section(view: KingView) -> Option<usize> {
        match view.pov {
            Color::Black => view.kings().map(|(own, foe)| own * 81 + foe),
            Color::White => None,
        }
    }
}

/// A table of weights of the format `W`: sections by the kings of `K`, and in each of them a weight
/// for every choice of `PIECES` BonaPieces. With two pieces it is symmetric. Without a king its
/// diagonal holds the weight of a piece alone; with one the diagonal is not used.
#[derive(Clone, Debug)]
pub struct PairTable<W, K, const PIECES: usize> {
    weights: TableWeights<W>,
    kings: PhantomData<K>,
}

impl<W: WeightFormat, K: KingIndex, const PIECES: usize> PairTable<W, K, PIECES> {
    /// How many weights a section has.
    const SECTION: usize = BONA_PIECES.pow(PIECES as u32);
    /// How many weights the table has.
    pub const WEIGHTS: usize = K::SECTIONS * Self::SECTION;
    /// How many bytes the table has in a file.
    pub const SIZE: u64 = (Self::WEIGHTS * W::BYTES) as u64;

    /// Maps a file that is nothing but the table.
    ///
    /// # Errors
    /// If it is no file of this size.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        TableWeights::open(path, Self::WEIGHTS).map(Self::new)
    }

    fn new(weights: TableWeights<W>) -> Self {
        Self {
            weights,
            kings: PhantomData,
        }
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> &[u8] {
        self.weights.bytes()
    }

    /// The section that a side looks at.
    #[inline(always)]
    fn section(&self, view: KingView) -> Option<&[W::Raw]> {
        let start = K::section(view)? * Self::SECTION;
        Some(&self.weights.raw()[start..start + Self::SECTION])
    }
}

/// Tables that each know a part of the weights: of the kings, of single pieces, of pairs.
pub trait TableTerms: Sync {
    /// Which kings the weights depend on.
    const SEES: KingsSeen;
    /// As [`PairTables::kings`].
    #[inline(always)]
    fn kings(&self, _: KingView) -> EvalSum {
        EvalSum::ZERO
    }
    /// As [`PairTables::single`].
    #[inline(always)]
    fn single(&self, _: KingView, _: u16) -> EvalSum {
        EvalSum::ZERO
    }
    /// As [`PairTables::pairs`].
    #[inline(always)]
    fn pairs(&self, _: KingView, _: u16, _: &[u16]) -> EvalSum {
        EvalSum::ZERO
    }
}

impl<W: WeightFormat, K: KingIndex> TableTerms for PairTable<W, K, 0> {
    const SEES: KingsSeen = K::SEES;
    #[inline(always)]
    fn kings(&self, view: KingView) -> EvalSum {
        let section = self.section(view);
        section.map_or(EvalSum::ZERO, |section| W::read(section[0]))
    }
}

impl<W: WeightFormat, K: KingIndex> TableTerms for PairTable<W, K, 1> {
    const SEES: KingsSeen = K::SEES;
    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        let weight = |section: &[W::Raw]| W::read(section[usize::from(piece)]);
        self.section(view).map_or(EvalSum::ZERO, weight)
    }
}

impl<W: WeightFormat, K: KingIndex> TableTerms for PairTable<W, K, 2> {
    const SEES: KingsSeen = K::SEES;
    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        if K::SEES != KingsSeen::None {
            return EvalSum::ZERO;
        }
        let weight = |section: &[W::Raw]| W::read(section[usize::from(piece) * (BONA_PIECES + 1)]);
        self.section(view).map_or(EvalSum::ZERO, weight)
    }
    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        let Some(section) = self.section(view) else {
            return EvalSum::ZERO;
        };
        let row = usize::from(piece) * BONA_PIECES;
        let row = &section[row..row + BONA_PIECES];
        let weight = |&other: &u16| W::read(row[usize::from(other)]);
        others.iter().map(weight).sum()
    }
}

/// KK, KKP and KPP together; some sets of files lack the first.
impl<A: TableTerms, B: TableTerms, C: TableTerms> TableTerms for (Option<A>, B, C) {
    const SEES: KingsSeen = KingsSeen::Both;
    #[inline(always)]
    fn kings(&self, view: KingView) -> EvalSum {
        let kings = |table: &A| table.kings(view);
        self.0.as_ref().map_or(EvalSum::ZERO, kings)
    }
    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        self.1.single(view, piece)
    }
    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        self.2.pairs(view, piece, others)
    }
}

/// Two tables together.
impl<A: TableTerms, B: TableTerms> TableTerms for (A, B) {
    const SEES: KingsSeen = match (A::SEES, B::SEES) {
        (KingsSeen::Both, _) | (_, KingsSeen::Both) => KingsSeen::Both,
        (KingsSeen::None, KingsSeen::None) => KingsSeen::None,
        _ => KingsSeen::Own,
    };
    #[inline(always)]
    fn kings(&self, view: KingView) -> EvalSum {
        self.0.kings(view).plus(self.1.kings(view))
    }
    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        let first = self.0.single(view, piece);
        first.plus(self.1.single(view, piece))
    }
    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        let first = self.0.pairs(view, piece, others);
        first.plus(self.1.pairs(view, piece, others))
    }
}

/// An evaluator made of tables that number pieces as Apery does, with Apery's piece values.
#[derive(Clone, Debug)]
pub struct PairEvaluator<T>(pub(super) T);

/// A weight for each king square and each piece: the smallest table to learn with.
///
/// ```
/// use tesuji_eval::{Evaluator, pairs::Kp};
/// use tesuji_shogi::Position;
/// let even = Kp::from_fn(|_, _| [0, 32]); // the turn is worth 38 pieces, two views, one point each
/// assert_eq!(even.evaluate(&Position::start()).points(), 76);
/// ```
pub type Kp = PairEvaluator<PairTable<Turn16, OwnKing, 1>>;

/// A weight for each pair of pieces, wherever the kings are.
pub type Pp = PairEvaluator<PairTable<Turn16, NoKing, 2>>;

/// A weight for each king square and each piece, and one for each pair of pieces.
pub type KpPp = PairEvaluator<(PairTable<Turn16, OwnKing, 1>, PairTable<Turn16, NoKing, 2>)>;

impl KpPp {
    const KP_WEIGHTS: usize = PairTable::<Turn16, OwnKing, 1>::WEIGHTS;
    const WEIGHTS: usize = Self::KP_WEIGHTS + PairTable::<Turn16, NoKing, 2>::WEIGHTS;
    const HEADER: FileHeader = FileHeader::new(*b"TESUJI2P");
    /// How long the file is.
    pub const SIZE: u64 = Self::HEADER.size::<Turn16>(Self::WEIGHTS);

    fn new(weights: TableWeights<Turn16>) -> Self {
        let (kp, pp) = weights.split(Self::KP_WEIGHTS);
        Self((PairTable::new(kp), PairTable::new(pp)))
    }

    /// The tables that say for a king square and a piece, and for two pieces, the higher number
    /// first: how good for the side that looks, how good for the side to move; 32 is one point. A
    /// pair of a piece with itself is the piece alone.
    pub fn from_fns(
        mut kp: impl FnMut(usize, usize) -> [i16; 2],
        mut pp: impl FnMut(usize, usize) -> [i16; 2],
    ) -> Self {
        Self::new(
            Self::HEADER.weights(Self::WEIGHTS, |i| match i.checked_sub(Self::KP_WEIGHTS) {
                None => kp(i / BONA_PIECES, i % BONA_PIECES),
                Some(i) => {
                    let (row, column) = (i / BONA_PIECES, i % BONA_PIECES);
                    pp(row.max(column), row.min(column))
                }
            }),
        )
    }

    /// Maps a file.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        Self::HEADER.open(path, Self::WEIGHTS).map(Self::new)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PairError> {
        self.0.0.weights.write_whole(path)
    }
}

impl<T: TableTerms> PairTables for PairEvaluator<T> {
    const KINGS: KingsSeen = T::SEES;
    const COUNTED: bool = false;

    #[inline(always)]
    fn on_board(pov: Color, piece: Piece, square: Square) -> Option<u16> {
        bona_piece::on_board(pov, piece, square)
    }
    #[inline(always)]
    fn in_hand(pov: Color, piece: Piece, nth: u32) -> u16 {
        bona_piece::in_hand(pov, piece, nth)
    }
    #[inline(always)]
    fn piece_values(&self) -> &PieceValues {
        &PieceValues::APERY
    }
    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        self.0.pairs(view, piece, others)
    }
    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        self.0.single(view, piece)
    }
    #[inline(always)]
    fn kings(&self, view: KingView) -> EvalSum {
        self.0.kings(view)
    }
}

/// A table with a file of our own, which says what it is.
pub trait OwnFile {
    /// The eight letters the file begins with.
    const LETTERS: [u8; 8];
}

impl OwnFile for PairTable<Turn16, OwnKing, 1> {
    const LETTERS: [u8; 8] = *b"TESUJIKP";
}

impl OwnFile for PairTable<Turn16, NoKing, 2> {
    const LETTERS: [u8; 8] = *b"TESUJIPP";
}

impl<K: KingIndex, const PIECES: usize> PairEvaluator<PairTable<Turn16, K, PIECES>>
where
    PairTable<Turn16, K, PIECES>: OwnFile,
{
    const WEIGHTS: usize = PairTable::<Turn16, K, PIECES>::WEIGHTS;
    const HEADER: FileHeader = FileHeader::new(PairTable::<Turn16, K, PIECES>::LETTERS);
    /// How long the file is.
    pub const SIZE: u64 = Self::HEADER.size::<Turn16>(Self::WEIGHTS);

    /// The table that says for a king square and a piece, or for two pieces, the higher number
    /// first: how good for the side that looks, how good for the side to move; 32 is one point.
    pub fn from_fn(mut weight: impl FnMut(usize, usize) -> [i16; 2]) -> Self {
        let weights = Self::HEADER.weights(Self::WEIGHTS, |i| {
            let (row, column) = (i / BONA_PIECES, i % BONA_PIECES);
            match PIECES {
                2 => weight(row.max(column), row.min(column)),
                _ => weight(row, column),
            }
        });
        Self(PairTable::new(weights))
    }

    /// Maps a file.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        let weights = Self::HEADER.open(path, Self::WEIGHTS)?;
        Ok(Self(PairTable::new(weights)))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PairError> {
        self.0.weights.write_whole(path)
    }
}
