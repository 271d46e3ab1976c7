//! The weights of the relations.
//!
//! What is told apart was chosen by hand: the class of mover a piece is, how far it is from a king
//! and on which side of it, how far it has advanced, the pieces beside it. So were the first
//! numbers, from principles that every player knows: golds and silvers guard their king, the rook
//! keeps away from it; attack from the front and from two squares away; a horse at home, a dragon
//! in the other camp; pieces in hand make every attacker worse. A logistic curve through 237 000
//! quiet positions of games between programs (floodgate 2016, both above 2700), held to these
//! numbers where the games say little, gave second ones. What stands here is the mean of both,
//! which lost to no mix nearer to either in short matches, rounded to five points and with the
//! pawns put right by hand. On 42 000 positions of other games the loss is 0.599; with piece values
//! alone, fitted likewise, it is 0.615.

use tesuji_shogi::PieceKind;

/// How many squares from a king still count as near.
pub(super) const NEAR_DISTANCES: usize = 4;

/// The classes of movers that are told apart: pawn, lance, knight, silver, gold and its like,
/// bishop, rook, horse, dragon; and the king.
pub(super) const MOVERS: usize = 10;

/// The class of movers a kind belongs to.
pub(super) const fn mover(kind: PieceKind) -> usize {
    use PieceKind::*;
    match kind {
        Pawn => 0,
        Lance => 1,
        Knight => 2,
        Silver => 3,
        Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => 4,
        Bishop => 5,
        Rook => 6,
        Horse => 7,
        Dragon => 8,
        King => 9,
    }
}

/// For each mover but the king's: in front of a king, and beside or behind it; one, two,
/// three and four squares away.
pub(super) type ByStand = [[[i16; NEAR_DISTANCES]; 2]; MOVERS - 1];

/// Every number of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationWeights {
    /// What a piece on the board is worth, by kind index.
    pub board: [i16; 16],
    /// What a piece in hand is worth, by kind index.
    pub hand: [i16; 8],
    /// What a piece gains by standing near its own king.
    pub guard: ByStand,
    /// What a piece of the opponent costs by standing near the king.
    pub attack: ByStand,
    /// What a piece gains on the last three ranks, on the fourth, the fifth and the sixth.
    pub zone: [[i16; 4]; MOVERS - 1],
    /// Where a king stands: files from the middle of the board, ranks from the last one.
    pub king: [[i16; 9]; 5],
    /// What a piece gains by being protected from the square beside it, by mover.
    pub support: [i16; MOVERS],
    /// What a piece loses by being attacked from the square beside it, by mover.
    pub threat: [i16; MOVERS],
    /// The danger to a king.
    pub danger: KingDanger,
    /// What it is worth to be on the move.
    pub turn: i16,
}

/// The danger to a king: attackers near it times what makes them dangerous, in sixteenths of a
/// point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingDanger {
    /// How much of an attacker each mover is; four times one square away, three times two,
    /// twice three squares away.
    pub attackers: [i16; MOVERS - 1],
    /// How much of a guard; twice one square away, once two squares away.
    pub guards: [i16; MOVERS - 1],
    /// How much of a threat a piece in the opponent's hand is, by kind index; three of a kind
    /// count.
    pub held: [i16; 8],
    /// By how much attackers strengthen each other.
    pub by_attackers: i32,
    /// By how much pieces in hand strengthen attackers.
    pub by_held: i32,
    /// By how much guards weaken attackers.
    pub by_guards: i32,
}

impl KingDanger {
    /// The danger in points.
    #[inline]
    pub const fn of(&self, attack: i32, guard: i32, held: i32) -> i32 {
        let strength = self.by_attackers * attack + self.by_held * held - self.by_guards * guard;
        attack * strength / 16
    }
}

impl RelationWeights {
    /// The weights that ship in the binary.
    pub const BUILT_IN: Self = Self {
        board: [
            0, 45, 205, 240, 400, 660, 830, 445, 0, 305, 310, 315, 330, 995, 1195, 0,
        ],
        hand: [0, 75, 295, 305, 520, 770, 900, 675],
        guard: [
            [[40, 40, 25, -5], [30, 30, 30, 30]],     // pawn
            [[60, 50, 35, 40], [-10, 10, 30, 10]],    // lance
            [[30, 40, 30, 15], [70, 40, 20, -5]],     // knight
            [[75, 55, 50, 35], [50, 55, 35, 35]],     // silver
            [[100, 100, 80, 50], [90, 110, 105, 65]], // gold and its like
            [[40, 50, 35, 25], [15, 35, 5, 0]],       // bishop
            [[-55, -30, 0, -5], [-60, -65, 5, -10]],  // rook
            [[40, 70, 50, 40], [45, 70, 50, 45]],     // horse
            [[30, 55, 50, 45], [30, 30, 30, 20]],     // dragon
        ],
        attack: [
            [[40, 75, 25, 20], [-50, -50, -50, -50]],   // pawn
            [[50, 95, 50, 25], [-10, -20, -30, -25]],   // lance
            [[35, 130, 145, 75], [-30, -30, -30, -30]], // knight
            [[150, 270, 90, 45], [175, 110, -15, -30]], // silver
            [[200, 375, 130, 60], [155, 110, 0, -30]],  // gold and its like
            [[60, 90, 70, 40], [90, 120, 55, 10]],      // bishop
            [[75, 45, 20, 15], [145, 135, 100, 60]],    // rook
            [[150, 170, 90, 80], [150, 165, 120, 30]],  // horse
            [[250, 195, 105, 65], [250, 225, 130, 85]], // dragon
        ],
        zone: [
            [90, 100, 20, 15],    // pawn
            [35, 35, 0, 45],      // lance
            [10, 65, 15, 20],     // knight
            [70, 25, 20, 15],     // silver
            [30, 5, -20, -20],    // gold and its like
            [185, 105, 55, 25],   // bishop
            [280, 10, -20, -15],  // rook
            [5, 40, -15, 15],     // horse
            [110, -15, -15, -15], // dragon
        ],
        king: [
            [155, 155, 120, 10, -65, -45, -75, 5, -45],
            [155, 160, 125, 10, -45, -15, -45, -30, -85],
            [160, 165, 135, 25, -30, -40, -40, -5, -85],
            [170, 175, 130, 30, -55, -75, -45, 15, -40],
            [180, 195, 145, 10, -100, -115, -75, -60, 60],
        ],
        support: [5, 20, 15, 5, 20, 20, -20, 15, 15, 10],
        threat: [5, 25, 50, 40, 40, 55, 60, 20, 25, 5],
        danger: KingDanger {
            attackers: [1, 1, 2, 3, 4, 2, 3, 5, 6],
            guards: [1, 1, 1, 3, 4, 0, 0, 4, 2],
            held: [0, 1, 2, 2, 3, 4, 5, 4],
            by_attackers: 4,
            by_held: 15,
            by_guards: 4,
        },
        turn: 70,
    };
}
