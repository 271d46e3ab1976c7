//! The weights laid out for looking up: one cell for a piece where it stands, one number for two
//! neighbours.

use super::weights::{NEAR_DISTANCES, RelationWeights, mover};
use tesuji_shogi::{Bitboard, Color, Direction, Piece, Square, attacks};

/// What one piece adds: to the value, to the attackers, to the guards, to what the opponent holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Contribution {
    value: i16,
    attack: i16,
    guard: i16,
    held: i16,
}

/// The sums of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RelationSums {
    pub(super) value: i32,
    pub(super) attack: i32,
    pub(super) guard: i32,
    pub(super) held: i32,
}

impl RelationSums {
    #[inline(always)]
    pub(super) fn add(&mut self, cell: Contribution) {
        self.value += i32::from(cell.value);
        self.attack += i32::from(cell.attack);
        self.guard += i32::from(cell.guard);
        self.held += i32::from(cell.held);
    }

    #[inline(always)]
    pub(super) fn take(&mut self, cell: Contribution) {
        self.value -= i32::from(cell.value);
        self.attack -= i32::from(cell.attack);
        self.guard -= i32::from(cell.guard);
        self.held -= i32::from(cell.held);
    }
}

/// How much closer pieces count more, as attackers and as guards, by distance.
const ATTACK_BY_DISTANCE: [i16; NEAR_DISTANCES] = [4, 3, 2, 0];
const GUARD_BY_DISTANCE: [i16; NEAR_DISTANCES] = [2, 1, 0, 0];

/// How many ranks are told apart, counted from the last one.
const RANKS: usize = 9;
/// Where a piece stands from a king: in front or not, how far; and its rank.
const STANDS: usize = (2 * NEAR_DISTANCES + 1) * RANKS;
/// The stand of a piece that is far from the king, or without one, on the first rank.
const APART: usize = 2 * NEAR_DISTANCES * RANKS;

/// The stand of every square for every king, both as the side itself sees them.
static STAND: [[u8; 81]; 81] = {
    let mut table = [[0; 81]; 81];
    let mut king = 0;
    while king < 81 {
        let mut square = 0;
        while square < 81 {
            table[king][square] = stand(king, square);
            square += 1;
        }
        king += 1;
    }
    table
};

const fn stand(king: usize, square: usize) -> u8 {
    let files = (king / 9).abs_diff(square / 9);
    let ranks = (king % 9).abs_diff(square % 9);
    let distance = if files > ranks { files } else { ranks };
    let is_behind = square % 9 >= king % 9;
    let from_king = if distance == 0 || distance > NEAR_DISTANCES {
        2 * NEAR_DISTANCES
    } else {
        is_behind as usize * NEAR_DISTANCES + distance - 1
    };
    (from_king * RANKS + square % 9) as u8
}

/// The weights, laid out.
#[derive(Clone, Debug)]
pub(super) struct RelationTables {
    /// By piece, own or the opponent's, and stand.
    standing: [[Contribution; STANDS]; 32],
    /// By piece and how many of it are in hand, this one included.
    held: [[Contribution; 32]; 32],
    /// The own king, by square.
    king: [Contribution; 81],
    /// By piece, direction and the piece there; good for Black.
    neighbours: [[[i16; 32]; 8]; 32],
}

impl RelationTables {
    pub(super) fn new(weights: &RelationWeights) -> Self {
        let mut tables = Self {
            standing: [[Contribution::default(); STANDS]; 32],
            held: [[Contribution::default(); 32]; 32],
            king: std::array::from_fn(|square| king_contribution(weights, square)),
            neighbours: [[[0; 32]; 8]; 32],
        };
        for piece in Piece::all().filter(|piece| !piece.is_king()) {
            let place = |stand| standing_contribution(weights, piece, stand);
            tables.standing[piece.index()] = std::array::from_fn(place);
            let hold = |nth| held_contribution(weights, piece, nth);
            tables.held[piece.index()] = std::array::from_fn(hold);
        }
        for piece in Piece::all() {
            for direction in Direction::ALL {
                for other in Piece::all() {
                    let number = neighbours(weights, piece, direction, other);
                    tables.neighbours[piece.index()][direction as usize][other.index()] = number;
                }
            }
        }
        tables
    }

    /// What a piece on the board adds for `pov`.
    #[inline(always)]
    pub(super) fn standing(
        &self,
        pov: Color,
        king: Option<Square>,
        piece: Piece,
        square: Square,
    ) -> Contribution {
        let square = square.for_color(pov).index();
        if piece.is_king() {
            return if piece.color() == pov {
                self.king[square]
            } else {
                Contribution::default()
            };
        }
        let stand = king.map_or(APART + square % 9, |king| {
            usize::from(STAND[king.for_color(pov).index()][square])
        });
        self.standing[for_pov(pov, piece)][stand]
    }

    /// What the n-th piece of a kind in hand adds for `pov`.
    #[inline(always)]
    pub(super) fn held(&self, pov: Color, piece: Piece, nth: u32) -> Contribution {
        self.held[for_pov(pov, piece)][nth as usize & 31]
    }

    /// What a piece and its neighbours add for Black.
    #[inline(always)]
    pub(super) fn around(&self, board: &PaddedBoard, piece: Piece, square: Square) -> i32 {
        let rows = &self.neighbours[piece.index()];
        let at = PaddedBoard::at(square);
        let mut sum = 0;
        for (row, step) in rows.iter().zip(PaddedBoard::STEPS) {
            let other = board.0[at.wrapping_add_signed(step) & 127];
            sum += i32::from(row[usize::from(other) & 31]);
        }
        sum
    }
}

/// The index of a piece as if the side were Black.
#[inline(always)]
const fn for_pov(pov: Color, piece: Piece) -> usize {
    piece.index() ^ (pov.index() << 4)
}

fn king_contribution(weights: &RelationWeights, square: usize) -> Contribution {
    let from_middle = (square / 9).abs_diff(4);
    Contribution {
        value: weights.king[from_middle][square % 9],
        ..Contribution::default()
    }
}

fn standing_contribution(weights: &RelationWeights, piece: Piece, stand: usize) -> Contribution {
    let (from_king, rank) = (stand / RANKS, stand % RANKS);
    let (side, distance) = (from_king / NEAR_DISTANCES, from_king % NEAR_DISTANCES);
    let is_near = side < 2;
    let mover = mover(piece.kind());
    if piece.color() == Color::White {
        let cost = if is_near {
            weights.attack[mover][side][distance]
        } else {
            0
        };
        let units = weights.danger.attackers[mover];
        let closeness = if is_near {
            ATTACK_BY_DISTANCE[distance]
        } else {
            0
        };
        return Contribution {
            value: -cost,
            attack: units * closeness,
            ..Contribution::default()
        };
    }
    let gain = if is_near {
        weights.guard[mover][side][distance]
    } else {
        0
    };
    let closeness = if is_near {
        GUARD_BY_DISTANCE[distance]
    } else {
        0
    };
    let zone = [0, 0, 0, 1, 2, 3][rank.min(5)];
    let active = if rank < 6 {
        weights.zone[mover][zone]
    } else {
        0
    };
    Contribution {
        value: weights.board[piece.kind().index()] + gain + active,
        guard: weights.danger.guards[mover] * closeness,
        ..Contribution::default()
    }
}

fn held_contribution(weights: &RelationWeights, piece: Piece, nth: usize) -> Contribution {
    let kind = piece.kind();
    if !kind.is_hand_kind() || nth == 0 {
        return Contribution::default();
    }
    match piece.color() {
        Color::Black => Contribution {
            value: weights.hand[kind.index()],
            ..Contribution::default()
        },
        // One may drop three pieces of a kind in one attack, hardly more.
        Color::White if nth <= 3 => Contribution {
            held: weights.danger.held[kind.index()],
            ..Contribution::default()
        },
        Color::White => Contribution::default(),
    }
}

/// What two neighbours add for Black, the second one step from the first.
fn neighbours(weights: &RelationWeights, piece: Piece, direction: Direction, other: Piece) -> i16 {
    let one = |from: Piece, direction, to: Piece| {
        let mover = mover(to.kind());
        let number = match (attacks_beside(from, direction), from.color() == to.color()) {
            (false, _) => 0,
            (true, true) => weights.support[mover],
            (true, false) => weights.threat[mover],
        };
        match from.color() {
            Color::Black => number,
            Color::White => -number,
        }
    };
    one(piece, direction, other) + one(other, direction.reversed(), piece)
}

/// Whether a piece attacks the square beside it in a direction.
fn attacks_beside(piece: Piece, direction: Direction) -> bool {
    let middle = Square::at(5, 5).expect("the middle of the board");
    let reach = attacks::of(piece.kind(), piece.color(), middle, Bitboard::EMPTY);
    let beside = middle.step(direction);
    beside.is_some_and(|beside| reach.has(beside))
}

/// A board with an empty edge around it, so that every square has eight neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaddedBoard([u8; 128]);

impl Default for PaddedBoard {
    fn default() -> Self {
        Self([0; 128])
    }
}

impl PaddedBoard {
    /// By direction, how far the neighbour is in the array.
    const STEPS: [isize; 8] = {
        let mut steps = [0; 8];
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = Direction::ALL[i].delta();
            steps[i] = files as isize * 11 + ranks as isize;
            i += 1;
        }
        steps
    };

    #[inline(always)]
    const fn at(square: Square) -> usize {
        let index = square.index();
        // Eleven squares on each file, the first of them an edge; and a file of edge.
        index + index / 9 * 2 + 12
    }

    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.0[Self::at(square) & 127] = piece.map_or(0, |piece| piece.index() as u8);
    }
}
