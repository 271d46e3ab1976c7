//! Piece values that go with the tables.

use tesuji_shogi::PieceKind;

/// The value of each kind of piece besides what the tables say. The values belong to the program
/// that made a table and are not in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValues([i16; 16]);

impl PieceValues {
    /// The values of Apery, for KPPT and its kin.
    pub const APERY: Self = Self([
        0, 90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395, 0,
    ]);
    /// The values of Bonanza 6, from a secondary source.
    pub const BONANZA_6: Self = Self([
        0, 87, 232, 257, 369, 569, 642, 444, 0, 534, 489, 510, 495, 827, 945, 0,
    ]);
    /// The values of Bonanza 4 and 5, from a secondary source.
    pub const BONANZA_4: Self = Self([
        0, 93, 243, 240, 385, 562, 671, 461, 0, 560, 448, 496, 450, 804, 987, 0,
    ]);

    /// The value of a kind; nothing for the king.
    #[inline(always)]
    pub const fn of(&self, kind: PieceKind) -> i32 {
        self.0[kind.index() & 15] as i32
    }

    /// The same values but for one kind.
    pub const fn with(mut self, kind: PieceKind, value: i16) -> Self {
        self.0[kind.index() & 15] = value;
        self
    }
}
