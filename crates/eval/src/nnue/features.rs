//! Which rows of the first layer a piece switches on, for each set of features in use.
//!
//! All sets number the places of a piece alike (after Bonanza, Hoki 2006) and differ in three
//! things: whether the own king chooses a section of the table, whether the board is mirrored so
//! that this king stands on the right, and whether kings are pieces too.

use tesuji_shogi::{Color, Piece, PieceKind, Placed, Square};

/// How many places there are for pieces that are not kings.
pub const PLACES: usize = 1548;
/// How many pieces besides the kings a full set has. Each one that is missing counts as place 0.
pub const PIECES: u32 = 38;

/// What the own king does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingUse {
    /// Nothing: it is a piece like the others.
    Piece,
    /// Each of its squares has a section of its own.
    Section,
    /// Each of its squares has a section of its own, but left and right are the same.
    MirroredSection,
}

/// A set of features.
///
/// ```
/// use tesuji_eval::nnue::Features;
/// let set = Features::with_count(125_388).unwrap();
/// assert_eq!(set.name, "HalfKP(Friend)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Its name in the files.
    pub name: &'static str,
    /// Its hash in the files.
    pub hash: u32,
    /// What the own king does.
    pub king_use: KingUse,
    /// The first places of the own and of the other king, if kings are pieces too.
    pub kings: Option<[u16; 2]>,
}

impl Features {
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
        king_use: KingUse::Section,
        kings: None,
    };
    /// The own king, mirrored, with each piece.
    pub const HALF_KP_VM: Self = Self {
        name: "HalfKP_vm(Friend)",
        hash: 0x0b6b_1d9a,
        king_use: KingUse::MirroredSection,
        kings: None,
    };
    /// The own king with each piece and both kings.
    pub const HALF_KA: Self = Self {
        name: "HalfKA1(Friend)",
        hash: 0x5f13_4cb8,
        king_use: KingUse::Section,
        kings: Some([1548, 1629]),
    };
    /// The own king, mirrored, with each piece and both kings.
    pub const HALF_KA_HM: Self = Self {
        name: "HalfKA_hm1(Friend)",
        hash: 0x7f13_4cb8,
        king_use: KingUse::MirroredSection,
        kings: Some([1548, 1629]),
    };
    /// The own king with each piece and both kings, which share their places: the own king never
    /// stands where the other one does.
    pub const HALF_KA_2: Self = Self {
        name: "HalfKA2(Friend)",
        hash: 0x5f23_4cb8,
        king_use: KingUse::Section,
        kings: Some([1548, 1548]),
    };
    /// The own king, mirrored, with each piece and both kings, which share their places.
    pub const HALF_KA_HM_2: Self = Self {
        name: "HalfKA_hm2(Friend)",
        hash: 0x7f23_4cb8,
        king_use: KingUse::MirroredSection,
        kings: Some([1548, 1548]),
    };

    /// Every set.
    pub const ALL: [Self; 7] = [
        Self::KP,
        Self::HALF_KP,
        Self::HALF_KP_VM,
        Self::HALF_KA,
        Self::HALF_KA_HM,
        Self::HALF_KA_2,
        Self::HALF_KA_HM_2,
    ];

    /// The set with so many features; no two have the same number.
    pub fn with_count(count: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.count() == count)
    }

    /// How many features there are.
    pub const fn count(&self) -> usize {
        let sections = match self.king_use {
            KingUse::Piece => 1,
            KingUse::Section => 81,
            KingUse::MirroredSection => 45,
        };
        sections * self.section()
    }

    /// How many places a section has.
    const fn section(&self) -> usize {
        match self.kings {
            None => PLACES,
            Some([_, last]) => last as usize + Square::COUNT,
        }
    }

    /// Whether a move of the own king changes every row.
    #[inline(always)]
    pub fn is_bound_to_king(&self) -> bool {
        self.king_use != KingUse::Piece
    }

    /// How a side sees the board while its king stands on a square. Composed problems may have no
    /// king: it is then taken to stand in the corner.
    #[inline(always)]
    pub fn view(&self, pov: Color, king: Option<Square>) -> View {
        let king = king.map_or(0, |king| usize::from(SEEN[pov.index()][king.index()]));
        let (section, is_mirrored) = match self.king_use {
            KingUse::Piece => (0, false),
            KingUse::Section => (king, false),
            KingUse::MirroredSection if king < 45 => (king, false),
            KingUse::MirroredSection => (usize::from(SEEN[2][king]), true),
        };
        View {
            first: (section * self.section()) as u32,
            pov,
            seen: &SEEN[pov.index() + 2 * usize::from(is_mirrored)],
            kings: self.kings,
        }
    }
}

/// Squares as seen by Black, by White, by Black in the mirror and by White in the mirror.
static SEEN: [[u8; 81]; 4] = {
    let mut seen = [[0; 81]; 4];
    let mut i = 0;
    while i < 81 {
        let mirrored = (8 - i / 9) * 9 + i % 9;
        seen[0][i] = i as u8;
        seen[1][i] = 80 - i as u8;
        seen[2][i] = mirrored as u8;
        seen[3][i] = 80 - mirrored as u8;
        i += 1;
    }
    seen
};

/// The first place of a kind in hand or on the board, own and the opponent's.
const fn first_places(kind: PieceKind, on_board: bool) -> [u16; 2] {
    match (kind, on_board) {
        (PieceKind::Pawn, false) => [1, 20],
        (PieceKind::Lance, false) => [39, 44],
        (PieceKind::Knight, false) => [49, 54],
        (PieceKind::Silver, false) => [59, 64],
        (PieceKind::Gold, false) => [69, 74],
        (PieceKind::Bishop, false) => [79, 82],
        (PieceKind::Rook, false) => [85, 88],
        (_, false) => [0, 0],
        (PieceKind::Pawn, true) => [90, 171],
        (PieceKind::Lance, true) => [252, 333],
        (PieceKind::Knight, true) => [414, 495],
        (PieceKind::Silver, true) => [576, 657],
        (PieceKind::Bishop, true) => [900, 981],
        (PieceKind::Horse, true) => [1062, 1143],
        (PieceKind::Rook, true) => [1224, 1305],
        (PieceKind::Dragon, true) => [1386, 1467],
        (_, true) => [738, 819],
    }
}

/// First places by point of view, by hand or board, and by piece.
static FIRST: [[[u16; 32]; 2]; 2] = {
    let mut first = [[[0; 32]; 2]; 2];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        let mut on_board = 0;
        while on_board < 2 {
            let [own, foe] = first_places(kind, on_board == 1);
            let black = Piece::new(Color::Black, kind).index();
            let white = Piece::new(Color::White, kind).index();
            first[0][on_board][black] = own;
            first[0][on_board][white] = foe;
            first[1][on_board][black] = foe;
            first[1][on_board][white] = own;
            on_board += 1;
        }
        i += 1;
    }
    first
};

/// How one side sees the board.
#[derive(Clone, Copy, Debug)]
pub struct View {
    first: u32,
    pov: Color,
    seen: &'static [u8; 81],
    kings: Option<[u16; 2]>,
}

impl View {
    /// The row of a piece; none for a king where kings are not pieces.
    #[inline(always)]
    pub fn row(&self, placed: Placed) -> Option<u32> {
        let piece = placed.piece;
        if piece.is_king() {
            return self.king_row(placed);
        }
        let first = &FIRST[self.pov.index()];
        let place = match placed.spot.square() {
            Some(square) => first[1][piece.index()] + u16::from(self.seen[square.index()]),
            None => first[0][piece.index()] + placed.spot.nth().unwrap_or(1) as u16 - 1,
        };
        Some(self.first + u32::from(place))
    }

    #[inline]
    fn king_row(&self, placed: Placed) -> Option<u32> {
        let [own, foe] = self.kings?;
        let first = if placed.piece.color() == self.pov {
            own
        } else {
            foe
        };
        let square = placed.spot.square()?;
        Some(self.first + u32::from(first + u16::from(self.seen[square.index()])))
    }

    /// The row that stands for a missing piece.
    #[inline]
    pub fn missing(&self) -> u32 {
        self.first
    }
}
