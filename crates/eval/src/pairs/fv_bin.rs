//! The table of Bonanza 6 (Hoki 2011): a king and two pieces, both kings and a piece, in one file.
//!
//! Squares run rank by rank from 9一; squares on which a piece could never move are left out, so
//! there are 1476 BonaPieces. Pieces in hand have one for each kind, which says how many there are.
//! Pairs are stored once, in a triangle; its edge, a piece with itself, counts too. Each side adds
//! up its own pieces in relation to both kings, so the value of a turned board is always the same.

use super::accumulator::{KingView, KingsSeen, PairTables};
use super::error::PairError;
use super::eval_sum::EvalSum;
use super::file::{TableBytes, TableWeights, WrittenTable, write_table};
use super::piece_values::PieceValues;
use super::weight::{Board16, WeightFormat};
use crate::bona_piece::{HAND, side};
use std::path::Path;
use std::sync::Arc;
use tesuji_shogi::{Color, Piece, Square};

/// The table `fv.bin`, mapped.
#[derive(Clone, Debug)]
pub struct FvBin {
    kpp: TableWeights<Board16>,
    kkp: TableWeights<Board16>,
    piece_values: PieceValues,
}

/// How many BonaPieces there are.
const BONA_PIECES: usize = FvBin::BONA_PIECES;
/// How many pairs of them, a piece with itself included.
const PAIRS: usize = BONA_PIECES * (BONA_PIECES + 1) / 2;
/// How many numbers the own pieces have in relation to both kings.
const OWN: usize = 738;
/// Where the second part of the file begins.
const SPLIT: usize = 81 * PAIRS * Board16::BYTES;

impl FvBin {
    /// How many numbers pieces have here.
    pub const BONA_PIECES: usize = 1476;
    /// How long the file is.
    pub const SIZE: u64 = (SPLIT + 81 * 81 * OWN * Board16::BYTES) as u64;

    /// Maps a file; the piece values are those of Bonanza 6.
    ///
    /// # Errors
    /// If it is no file of this size.
    pub fn open(path: &Path) -> Result<Self, PairError> {
        let store = Arc::new(TableBytes::open(path, &[Self::SIZE])?);
        Ok(Self {
            kpp: TableWeights::part(&store, 0..SPLIT),
            kkp: TableWeights::part(&store, SPLIT..Self::SIZE as usize),
            piece_values: PieceValues::BONANZA_6,
        })
    }

    /// The same table with other piece values.
    pub fn with_piece_values(self, piece_values: PieceValues) -> Self {
        Self {
            piece_values,
            ..self
        }
    }

    /// Writes a file whose weights are told: for a king as it sees itself and two pieces, the higher
    /// number first, or a piece with itself; for both kings as the own side sees them and an own
    /// piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_weights(
        path: &Path,
        kpp: impl Fn(Square, u16, u16) -> i32,
        kkp: impl Fn([Square; 2], u16) -> i32,
    ) -> Result<WrittenTable, PairError> {
        let squares: Vec<Square> = (0..81).filter_map(square_at).collect();
        let own = RELATED
            .iter()
            .zip(0u16..)
            .filter(|(number, _)| **number != NONE);
        let mut own: Vec<(u16, u16)> = own.map(|(&number, piece)| (number, piece)).collect();
        own.sort_unstable();
        write_table::<Board16>(path, |table| {
            for &king in &squares {
                for high in 0..BONA_PIECES as u16 {
                    for low in 0..=high {
                        table.put(kpp(king, high, low).into())?;
                    }
                }
            }
            for &king in &squares {
                for &foe in &squares {
                    for &(_, piece) in &own {
                        table.put(kkp([king, foe], piece).into())?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Writes the file, byte for byte as it was read.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), PairError> {
        self.kpp.write_whole(path)
    }
}

/// The first number of each kind by side and kind index, less the squares that are left out.
const BOARD: [[u16; 16]; 2] = [
    [
        0, 81, 225, 360, 504, 828, 1152, 666, 0, 666, 666, 666, 666, 990, 1314, 0,
    ],
    [
        0, 162, 306, 441, 585, 909, 1233, 747, 0, 747, 747, 747, 747, 1071, 1395, 0,
    ],
];

/// Marks the opponent's pieces.
const NONE: u16 = u16::MAX;

/// For each own piece its number in relation to both kings.
static RELATED: [u16; BONA_PIECES] = {
    // The first piece, one behind the last, and the number of the first.
    const RUNS: [(u16, u16, u16); 16] = [
        (0, 19, 0),
        (38, 43, 19),
        (48, 53, 24),
        (58, 63, 29),
        (68, 73, 34),
        (78, 81, 39),
        (84, 87, 42),
        (90, 162, 45),
        (234, 306, 117),
        (378, 441, 189),
        (504, 585, 252),
        (666, 747, 333),
        (828, 909, 414),
        (990, 1071, 495),
        (1152, 1233, 576),
        (1314, 1395, 657),
    ];
    let mut table = [NONE; BONA_PIECES];
    let mut run = 0;
    while run < RUNS.len() {
        let (first, end, number) = RUNS[run];
        let mut piece = first;
        while piece < end {
            table[piece as usize] = number + piece - first;
            piece += 1;
        }
        run += 1;
    }
    table
};

/// The square that Black sees as this one, rank by rank.
const fn square_at(across: u8) -> Option<Square> {
    Square::at(9 - across % 9, across / 9 + 1)
}

/// The square as `pov` sees it, rank by rank.
#[inline]
const fn seen(pov: Color, square: Square) -> usize {
    let square = square.for_color(pov);
    (square.rank() as usize - 1) * 9 + 9 - square.file() as usize
}

impl PairTables for FvBin {
    const KINGS: KingsSeen = KingsSeen::Both;
    const COUNTED: bool = true;

    #[inline(always)]
    fn on_board(pov: Color, piece: Piece, square: Square) -> Option<u16> {
        let base = BOARD[side(pov, piece)][piece.kind().index()];
        (base != 0).then(|| base + seen(pov, square) as u16)
    }

    #[inline(always)]
    fn in_hand(pov: Color, piece: Piece, nth: u32) -> u16 {
        HAND[side(pov, piece)][piece.kind().index()] + nth as u16
    }

    #[inline(always)]
    fn piece_values(&self) -> &PieceValues {
        &self.piece_values
    }

    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        let Some(king) = view.own else {
            return EvalSum::ZERO;
        };
        let start = seen(view.pov, king) * PAIRS;
        let triangle = &self.kpp.raw()[start..start + PAIRS];
        let weight = |&other: &u16| {
            let (high, low) = (piece.max(other) as usize, piece.min(other) as usize);
            Board16::read(triangle[high * (high + 1) / 2 + low])
        };
        others
            .iter()
            .map(weight)
            .sum::<EvalSum>()
            .plus(weight(&piece))
    }

    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        let (Some(own), Some(foe)) = (view.own, view.foe) else {
            return EvalSum::ZERO;
        };
        let related = RELATED[usize::from(piece)];
        if related == NONE {
            return EvalSum::ZERO;
        }
        let both = seen(view.pov, own) * 81 + seen(view.pov, foe);
        Board16::read(self.kkp.raw()[both * OWN + usize::from(related)])
    }

    #[inline(always)]
    fn kings(&self, _: KingView) -> EvalSum {
        EvalSum::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::PieceKind;

    #[test]
    fn numbers_and_sizes_are_those_of_the_format() {
        assert_eq!(FvBin::SIZE, 186_268_248);
        let square = |name: &str| name.parse::<Square>().unwrap();
        let names = ["9a", "1a", "9b", "1i"];
        assert_eq!(
            names.map(|name| seen(Color::Black, square(name))),
            [0, 8, 9, 80]
        );
        assert_eq!(
            names.map(|name| seen(Color::White, square(name))),
            [80, 72, 71, 0]
        );
        let related = |kind, square: Square| {
            let piece = Piece::new(Color::Black, kind);
            RELATED[usize::from(FvBin::on_board(Color::Black, piece, square).unwrap())]
        };
        let bases = [
            (PieceKind::Pawn, 36),
            (PieceKind::Lance, 108),
            (PieceKind::Knight, 171),
            (PieceKind::Silver, 252),
            (PieceKind::PromotedLance, 333),
            (PieceKind::Bishop, 414),
            (PieceKind::Horse, 495),
            (PieceKind::Rook, 576),
            (PieceKind::Dragon, 657),
        ];
        for (kind, base) in bases {
            assert_eq!(related(kind, square("1i")), base + 80, "{kind:?}");
        }
        assert_eq!(
            RELATED.iter().filter(|&&number| number != NONE).count(),
            OWN
        );
        assert_eq!(
            FvBin::in_hand(Color::Black, Piece::new(Color::White, PieceKind::Rook), 2),
            89
        );
    }
}
