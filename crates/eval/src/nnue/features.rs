//! Which feature a piece activates, for each feature set in use.
//!
//! All sets number pieces alike ([`crate::bona_piece`]) and differ in three things: whether the own
//! king chooses a bucket of the table (HalfKP, Nasu 2018), whether the board is mirrored so that
//! this king stands on the right, and whether kings are pieces too (HalfKA, Stockfish). Zones of
//! the king follow the king buckets of chess engines (Koivisto, Berserk 2021).

use crate::bona_piece::{BOARD, BONA_PIECES, HAND, side};
#[cfg(doc)]
use tesuji_shogi::Spot;
use tesuji_shogi::{Color, Piece, PieceKind, Placed, Square};

/// What the own king does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingUse {
    /// Nothing: it is a piece like the others.
    Piece,
    /// Each of its squares has a bucket of its own.
    Bucket,
    /// Each of its squares has a bucket of its own, but left and right are the same.
    MirroredBucket,
    /// Squares near each other share a bucket, and left and right are the same. The numbers of the
    /// buckets of the 45 squares on the right, file by file, each from the far end.
    MirroredZone(&'static [u8; 45]),
}

/// A set of features.
///
/// ```
/// use tesuji_eval::nnue::FeatureSet;
/// let set = FeatureSet::with_count(125_388).unwrap();
/// assert_eq!(set.name, "HalfKP(Friend)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureSet {
    /// Its name in the files.
    pub name: &'static str,
    /// Its hash in the files.
    pub hash: u32,
    /// What the own king does.
    pub king_use: KingUse,
    /// The first numbers of the own and of the other king, if kings are pieces too.
    pub kings: Option<[u16; 2]>,
}

impl FeatureSet {
    /// Kings and pieces, all alike.
    pub const KP: Self = Self {
        name: "K+P",
        hash: 0xd3ce_e169 ^ 0xec99_f696,
        king_use: KingUse::Piece,
        kings: Some([1548, 1629]),
    };
    /// The own king with each piece.
    pub const HALF_KP: Self = Self {
        name: "HalfKP(Friend)",
        hash: 0x5d69_d5b8,
        king_use: KingUse::Bucket,
        kings: None,
    };
    /// The own king, mirrored, with each piece.
    pub const HALF_KP_VM: Self = Self {
        name: "HalfKP_vm(Friend)",
        hash: 0x0b6b_1d9a,
        king_use: KingUse::MirroredBucket,
        kings: None,
    };
    /// The own king with each piece and both kings.
    pub const HALF_KA: Self = Self {
        name: "HalfKA1(Friend)",
        hash: 0x5f13_4cb8,
        king_use: KingUse::Bucket,
        kings: Some([1548, 1629]),
    };
    /// The own king, mirrored, with each piece and both kings.
    pub const HALF_KA_HM: Self = Self {
        name: "HalfKA_hm1(Friend)",
        hash: 0x7f13_4cb8,
        king_use: KingUse::MirroredBucket,
        kings: Some([1548, 1629]),
    };
    /// The own king with each piece and both kings, which share their numbers: the own king never
    /// stands where the other one does.
    pub const HALF_KA_2: Self = Self {
        name: "HalfKA2(Friend)",
        hash: 0x5f23_4cb8,
        king_use: KingUse::Bucket,
        kings: Some([1548, 1548]),
    };
    /// The own king, mirrored, with each piece and both kings, which share their numbers.
    pub const HALF_KA_HM_2: Self = Self {
        name: "HalfKA_hm2(Friend)",
        hash: 0x7f23_4cb8,
        king_use: KingUse::MirroredBucket,
        kings: Some([1548, 1548]),
    };

    /// The zone of the own king, mirrored, with each piece and both kings: the edge, the squares of
    /// castles, the middle of the last rank, what is in front of it, and beyond.
    pub const ZONES_5: Self = Self {
        name: "KingZones5(Friend)",
        hash: 0x1d5a_2b61,
        king_use: KingUse::MirroredZone(&ZONES_5),
        kings: Some([1548, 1629]),
    };
    /// The same with nine zones: four on each of the last two ranks, and a king that has entered.
    pub const ZONES_9: Self = Self {
        name: "KingZones9(Friend)",
        hash: 0x1d9a_2b61,
        king_use: KingUse::MirroredZone(&ZONES_9),
        kings: Some([1548, 1629]),
    };

    /// Every set.
    pub const ALL: [Self; 9] = [
        Self::KP,
        Self::HALF_KP,
        Self::HALF_KP_VM,
        Self::HALF_KA,
        Self::HALF_KA_HM,
        Self::HALF_KA_2,
        Self::HALF_KA_HM_2,
        Self::ZONES_5,
        Self::ZONES_9,
    ];

    /// The set with so many features; no two have the same number.
    pub fn with_count(count: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.count() == count)
    }

    /// How many features there are.
    pub const fn count(&self) -> usize {
        self.king_buckets() * self.bucket_size()
    }

    /// How many buckets there are for the own king.
    pub const fn king_buckets(&self) -> usize {
        match self.king_use {
            KingUse::Piece => 1,
            KingUse::Bucket => 81,
            KingUse::MirroredBucket => 45,
            // The far end of the board belongs to the last zone.
            KingUse::MirroredZone(zones) => zones[0] as usize + 1,
        }
    }

    /// How many features a bucket has.
    pub const fn bucket_size(&self) -> usize {
        match self.kings {
            None => BONA_PIECES,
            Some([_, last]) => last as usize + Square::COUNT,
        }
    }

    /// Whether the own king decides about every feature.
    #[inline(always)]
    pub fn is_bound_to_king(&self) -> bool {
        !matches!(self.king_use, KingUse::Piece)
    }

    /// Whether a move of the own king changes every feature.
    #[inline(always)]
    pub fn is_rebound(&self, pov: Color, from: Option<Square>, to: Option<Square>) -> bool {
        self.is_bound_to_king() && self.binding(pov, from) != self.binding(pov, to)
    }

    /// The bucket that a king chooses, and whether the board is mirrored.
    #[inline(always)]
    fn binding(&self, pov: Color, king: Option<Square>) -> (usize, bool) {
        let king = king.map_or(0, |king| usize::from(SEEN[pov.index()][king.index()]));
        let is_left = king >= 45;
        let folded = if is_left {
            usize::from(SEEN[2][king])
        } else {
            king
        };
        match self.king_use {
            KingUse::Piece => (0, false),
            KingUse::Bucket => (king, false),
            KingUse::MirroredBucket => (folded, is_left),
            KingUse::MirroredZone(zones) => (usize::from(zones[folded]), is_left),
        }
    }

    /// How a side sees the board while its king stands on a square. Composed problems may have no
    /// king: it is then taken to stand in the corner.
    #[inline(always)]
    pub fn perspective(&self, pov: Color, king: Option<Square>) -> Perspective {
        let (bucket, is_mirrored) = self.binding(pov, king);
        Perspective {
            first: (bucket * self.bucket_size()) as u32,
            pov,
            seen: &SEEN[pov.index() + 2 * usize::from(is_mirrored)],
            kings: self.kings,
        }
    }
}

/// Zones by rank, counted from the last one, and by file, counted from the edge.
const fn zones(ranks: [[u8; 5]; 3], beyond: u8) -> [u8; 45] {
    let mut zones = [beyond; 45];
    let mut rank = 0;
    while rank < 3 {
        let mut file = 0;
        while file < 5 {
            zones[file * 9 + 8 - rank] = ranks[rank][file];
            file += 1;
        }
        rank += 1;
    }
    zones
}

static ZONES_5: [u8; 45] = zones([[0, 1, 1, 2, 2], [0, 1, 1, 3, 3], [3; 5]], 4);
static ZONES_9: [u8; 45] = zones([[0, 1, 2, 3, 3], [4, 5, 6, 7, 7], [7; 5]], 8);

/// Squares as seen by Black, by White, by Black in the mirror and by White in the mirror. Behind the
/// squares, by the numbers of [`Spot`]: how many there are of a piece in hand, this one included.
static SEEN: [[u8; 128]; 4] = {
    let mut seen = [[0; 128]; 4];
    let mut i = 0;
    while i < 81 {
        let square = Square::new(i).expect("81 squares");
        seen[0][i] = i as u8;
        seen[1][i] = square.rotated().index() as u8;
        seen[2][i] = square.mirrored().index() as u8;
        seen[3][i] = square.mirrored().rotated().index() as u8;
        i += 1;
    }
    while i < 128 {
        let mut pov = 0;
        while pov < 4 {
            seen[pov][i] = i as u8 - 80;
            pov += 1;
        }
        i += 1;
    }
    seen
};

/// What the number of a piece begins with, by point of view, by hand or board, and by piece; on the
/// board the square is added, in hand how many there are of its kind, this one included.
static FIRST: [[[u16; 32]; 2]; 2] = {
    let mut first = [[[0; 32]; 2]; 2];
    let mut i = 0;
    while i < 2 * PieceKind::ALL.len() {
        let (color, kind) = (Color::ALL[i % 2], PieceKind::ALL[i / 2]);
        let piece = Piece::new(color, kind);
        let mut pov = 0;
        while pov < 2 {
            let side = side(Color::ALL[pov], piece);
            first[pov][0][piece.index()] = HAND[side][kind.index()];
            first[pov][1][piece.index()] = BOARD[side][kind.index()];
            pov += 1;
        }
        i += 1;
    }
    first
};

/// How one side sees the board.
#[derive(Clone, Copy, Debug)]
pub struct Perspective {
    first: u32,
    pov: Color,
    seen: &'static [u8; 128],
    kings: Option<[u16; 2]>,
}

impl Perspective {
    /// The feature of a piece; none for a king where kings are not pieces.
    #[inline(always)]
    pub fn feature(&self, placed: Placed) -> Option<u32> {
        let piece = placed.piece;
        if piece.is_king() {
            return self.king_feature(placed);
        }
        Some(match placed.spot.square() {
            Some(_) => self.board_feature(placed),
            None => self.hand_feature(placed),
        })
    }

    /// The feature of a piece that is no king and stands on the board, for who knows that it does.
    #[inline(always)]
    pub fn board_feature(&self, placed: Placed) -> u32 {
        self.place_feature(1, placed)
    }

    /// The feature of a piece that is in hand, for who knows that it is.
    #[inline(always)]
    pub fn hand_feature(&self, placed: Placed) -> u32 {
        self.place_feature(0, placed)
    }

    #[inline(always)]
    fn place_feature(&self, on_board: usize, placed: Placed) -> u32 {
        let first = FIRST[self.pov.index()][on_board][placed.piece.index()];
        let place = self.seen[usize::from(placed.spot.bits()) % self.seen.len()];
        self.first + u32::from(first) + u32::from(place)
    }

    #[inline]
    fn king_feature(&self, placed: Placed) -> Option<u32> {
        let [own, foe] = self.kings?;
        let first = if placed.piece.color() == self.pov {
            own
        } else {
            foe
        };
        let square = placed.spot.square()?;
        Some(self.first + u32::from(first + u16::from(self.seen[square.index()])))
    }

    /// The feature that stands for a missing piece.
    #[inline]
    pub fn missing(&self) -> u32 {
        self.first
    }
}
