//! Several stacks of layers on one first layer, chosen by the stage of the game (after the output
//! buckets of Stockfish, 2021).

use tesuji_shogi::{Color, Placed, Position};

/// What the stage of the game is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BucketKind {
    /// Material off the board: the pieces that both sides have in hand.
    Material,
    /// Progress: those, and the pieces that stand in the other camp.
    Progress,
}

/// So many stacks by a measure.
///
/// ```
/// use tesuji_eval::nnue::{BucketKind, Buckets};
/// use tesuji_shogi::Position;
/// let buckets = Buckets::new(BucketKind::Material, 8).unwrap();
/// assert_eq!(buckets.of_position(&Position::start()), 0);
/// let ending = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1").unwrap();
/// assert_eq!(buckets.of_position(&ending), 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Buckets {
    kind: BucketKind,
    count: u8,
}

impl Buckets {
    /// How many there may be.
    pub const MOST: u8 = 16;

    /// From 2 to 16 buckets.
    pub const fn new(kind: BucketKind, count: u8) -> Option<Self> {
        if count < 2 || count > Self::MOST {
            return None;
        }
        Some(Self { kind, count })
    }

    /// What they are chosen by.
    pub const fn kind(&self) -> BucketKind {
        self.kind
    }

    /// How many there are.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// The measure from which on the last bucket is chosen.
    const fn full(&self) -> usize {
        match self.kind {
            BucketKind::Material => 16,
            BucketKind::Progress => 20,
        }
    }

    const fn at(&self, measure: usize) -> usize {
        let bucket = measure * self.count as usize / self.full();
        if bucket < self.count as usize {
            bucket
        } else {
            self.count as usize - 1
        }
    }

    /// The bucket of a position.
    #[inline]
    pub fn of_position(&self, pos: &Position) -> usize {
        let held: u32 = Color::ALL
            .iter()
            .map(|&color| pos.hand(color).total())
            .sum();
        let intruders = match self.kind {
            BucketKind::Material => 0,
            BucketKind::Progress => Color::ALL
                .iter()
                .map(|&color| (pos.pieces(color) & color.zone()).len())
                .sum(),
        };
        self.at(held as usize + intruders)
    }

    /// The bucket of a position whose pieces are listed, kings included.
    pub fn of_pieces(&self, pieces: &[Placed]) -> usize {
        let counts = |placed: &&Placed| match placed.spot.square() {
            None => true,
            Some(square) => {
                self.kind == BucketKind::Progress && placed.piece.color().zone().has(square)
            }
        };
        self.at(pieces.iter().filter(counts).count())
    }
}
