//! A position in 32 bytes, in both layouts that are in use.
//!
//! The idea is Isozaki's (2015): every piece has a code of its own length, and a full set always
//! fills exactly 256 bits, whether its pieces stand on the board, are in hand, or are left over
//! from a handicap. Both layouts have the same frame and differ only in the codes, so that the
//! first 15 bits cannot tell them apart.

mod codes;
mod pieces;
mod steps;
#[cfg(test)]
mod tests;

pub use codes::PackedLayout;
pub use pieces::PieceList;

use codes::{Code, CodeTables, DecodedPiece};
use tesuji_shogi::{Color, Piece, PieceKind, Position, Setup, SetupError, Square};

/// A packed position.
pub type Packed = [u8; 32];

/// Why a position cannot be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// A board without both kings takes one bit too many.
    #[error("{0:?} has no king: the position does not fit into 32 bytes")]
    NoKing(Color),
}

/// Why 32 bytes are no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnpackError {
    /// A king stands nowhere.
    #[error("the king of {0:?} stands on square {1}, but there are 81")]
    King(Color, u8),
    /// Both kings stand on one square.
    #[error("both kings stand on {0}")]
    SameSquare(Square),
    /// The bits run out, or stand for nothing.
    #[error("bit {0} begins no piece: the bytes are not a position in this layout")]
    Code(u32),
    /// The pieces are no position.
    #[error("the bytes are no position: {0}")]
    Setup(#[from] SetupError),
}

impl PackedLayout {
    /// Packs a position.
    ///
    /// ```
    /// use tesuji_record::packed::PackedLayout;
    /// use tesuji_shogi::Position;
    /// let bytes = PackedLayout::PackedSfen.pack(&Position::start()).unwrap();
    /// assert_eq!(bytes[..4], [0x58, 0xa4, 0x51, 0x22]);
    /// assert_eq!(PackedLayout::PackedSfen.unpack(&bytes).unwrap(), Position::start());
    /// ```
    pub fn pack(self, pos: &Position) -> Result<Packed, PackError> {
        let tables = CodeTables::of(self);
        let mut bits = BitWriter::default();
        bits.write(pos.turn().index() as u32, 1);
        for color in Color::ALL {
            let king = pos.king(color).ok_or(PackError::NoKing(color))?;
            bits.write(king.index() as u32, 7);
        }
        let mut left = LeftOver::default();
        for square in Square::all() {
            match pos.at(square) {
                Some(piece) if piece.is_king() => {}
                Some(piece) => {
                    bits.put(tables.board(piece));
                    left.take(piece.base(), 1);
                }
                None => bits.write(0, 1),
            }
        }
        for color in Color::ALL {
            for kind in HAND_ORDER {
                let count = pos.hand(color).count(kind);
                left.take(kind, count);
                for _ in 0..count {
                    bits.put(tables.hand(Piece::new(color, kind)));
                }
            }
        }
        for kind in HAND_ORDER {
            for _ in 0..left.of(kind) {
                bits.put(tables.boxed(kind));
            }
        }
        Ok(bits.bytes)
    }

    /// Unpacks a position; its next move is number 1.
    pub fn unpack(self, bytes: &Packed) -> Result<Position, UnpackError> {
        Ok(self.unpack_setup(bytes)?.build()?)
    }

    /// Unpacks without asking whether the pieces stand where they may. Hands may come in any order.
    pub fn unpack_setup(self, bytes: &Packed) -> Result<Setup, UnpackError> {
        let tables = CodeTables::of(self);
        let mut bits = BitReader { bytes, at: 0 };
        let mut setup = Setup {
            turn: Color::ALL[bits.read(1) as usize & 1],
            ..Setup::default()
        };
        let mut kings = [Square::new(0); 2];
        for color in Color::ALL {
            let king = bits.read(7);
            let square = Square::new(king as usize).ok_or(UnpackError::King(color, king as u8))?;
            if setup.board[square].is_some() {
                return Err(UnpackError::SameSquare(square));
            }
            setup.board[square] = Some(Piece::new(color, PieceKind::King));
            kings[color.index()] = Some(square);
        }
        for square in Square::all().filter(|&square| !kings.contains(&Some(square))) {
            setup.board[square] = match bits.find(tables.on_board())? {
                DecodedPiece::Piece(piece) => Some(piece),
                _ => None,
            };
        }
        while bits.at < 256 {
            if let DecodedPiece::Piece(piece) = bits.find(tables.off_board())? {
                let (color, kind) = (piece.color(), piece.kind());
                let count = setup.hands[color].count(kind) + 1;
                if count > kind.full_count() {
                    return Err(UnpackError::Code(bits.at));
                }
                setup.hands[color] = setup.hands[color].with(kind, count);
            }
        }
        Ok(setup)
    }
}

/// The order in which hands are written; as a key, a packed position depends on it.
const HAND_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

/// How many pieces of each kind a set has beyond those seen.
struct LeftOver([u32; 16]);

impl Default for LeftOver {
    fn default() -> Self {
        let mut counts = [0; 16];
        for kind in PieceKind::HAND {
            counts[kind.index()] = kind.full_count();
        }
        Self(counts)
    }
}

impl LeftOver {
    fn take(&mut self, kind: PieceKind, count: u32) {
        self.0[kind.index()] = self.0[kind.index()].saturating_sub(count);
    }

    fn of(&self, kind: PieceKind) -> u32 {
        self.0[kind.index()]
    }
}

/// Bits into 32 bytes, the lowest of each byte first.
#[derive(Default)]
struct BitWriter {
    bytes: Packed,
    at: u32,
}

impl BitWriter {
    fn write(&mut self, value: u32, length: u32) {
        for place in 0..length {
            let bit = (value >> place & 1) as u8;
            if let Some(byte) = self.bytes.get_mut(self.at as usize / 8) {
                *byte |= bit << (self.at % 8);
            }
            self.at += 1;
        }
    }

    fn put(&mut self, code: Code) {
        self.write(code.bits.into(), code.length.into());
    }
}

/// The same bits again.
struct BitReader<'a> {
    bytes: &'a Packed,
    at: u32,
}

impl BitReader<'_> {
    /// The next eight bits; beyond the end there are zeros.
    fn peek(&self) -> u8 {
        let byte = |place: usize| u16::from(self.bytes.get(place).copied().unwrap_or(0));
        let place = self.at as usize / 8;
        ((byte(place) | byte(place + 1) << 8) >> (self.at % 8)) as u8
    }

    fn read(&mut self, length: u32) -> u32 {
        let bits = u32::from(self.peek()) & ((1 << length) - 1);
        self.at += length;
        bits
    }

    fn find(&mut self, table: &[(DecodedPiece, u8); 256]) -> Result<DecodedPiece, UnpackError> {
        let (found, length) = table[usize::from(self.peek())];
        let end = self.at + u32::from(length);
        if length == 0 || end > 256 {
            return Err(UnpackError::Code(self.at));
        }
        self.at = end;
        Ok(found)
    }
}
