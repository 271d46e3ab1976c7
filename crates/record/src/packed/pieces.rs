//! The pieces of a packed position as a list, without building the position: for readers that look
//! at hundreds of thousands of positions a second.

use super::codes::{CodeTables, DecodedPiece, PackedLayout};
use super::{Packed, UnpackError};
use tesuji_shogi::{Color, Piece, PieceKind, Placed, Spot, Square};

/// How many pieces a set has.
const PIECES: usize = 40;

/// The pieces of a position, the kings first, in no further order.
#[derive(Clone, Debug)]
pub struct PieceList {
    /// Who is to move.
    pub turn: Color,
    /// Where the kings stand, Black's first.
    pub kings: [Square; 2],
    placed: [Placed; PIECES],
    len: usize,
}

impl PieceList {
    /// The pieces.
    #[inline]
    pub fn placed(&self) -> &[Placed] {
        &self.placed[..self.len]
    }

    #[inline(always)]
    fn push(&mut self, piece: Piece, spot: Spot) -> bool {
        if let Some(place) = self.placed.get_mut(self.len) {
            *place = Placed { piece, spot };
            self.len += 1;
            return true;
        }
        false
    }
}

/// Bits from the lowest on, as many as fit into a word at a time.
struct BitCursor {
    bytes: [u8; 40],
    at: u32,
    word: u64,
    left: u32,
}

impl BitCursor {
    /// How many bits a word has at least after it was filled.
    const FULL: u32 = 56;

    #[inline(always)]
    fn new(packed: &Packed) -> Self {
        let mut bytes = [0; 40];
        bytes[..32].copy_from_slice(packed);
        let mut bits = Self {
            bytes,
            at: 0,
            word: 0,
            left: 0,
        };
        bits.fill();
        bits
    }

    #[inline(always)]
    fn fill(&mut self) {
        let start = (self.at as usize / 8).min(32);
        let word = self.bytes[start..]
            .first_chunk()
            .map_or(0, |b| u64::from_le_bytes(*b));
        self.word = word >> (self.at % 8);
        self.left = Self::FULL;
    }

    /// Makes sure that a whole code can be read.
    #[inline(always)]
    fn want_code(&mut self) {
        if self.left < 8 {
            self.fill();
        }
    }

    #[inline(always)]
    fn skip(&mut self, count: u32) {
        self.word >>= count;
        self.at += count;
        self.left -= count;
    }

    #[inline(always)]
    fn take(&mut self, count: u32) -> usize {
        let value = self.word & ((1 << count) - 1);
        self.skip(count);
        value as usize
    }
}

impl PackedLayout {
    /// Lists the pieces of a packed position. Where they may stand and how many there may be is not
    /// looked at, as [`PackedLayout::unpack`] does.
    ///
    /// ```
    /// use tesuji_record::packed::PackedLayout;
    /// use tesuji_shogi::Position;
    /// let packed = PackedLayout::PackedSfen.pack(&Position::start()).unwrap();
    /// let list = PackedLayout::PackedSfen.pieces(&packed).unwrap();
    /// assert_eq!(list.placed().len(), 40);
    /// ```
    ///
    /// # Errors
    /// If the bytes are no codes, or more than a set of pieces.
    #[inline]
    pub fn pieces(self, packed: &Packed) -> Result<PieceList, UnpackError> {
        let tables = CodeTables::of(self);
        let mut bits = BitCursor::new(packed);
        let turn = Color::ALL[bits.take(1)];
        let black = king(&mut bits, Color::Black)?;
        let white = king(&mut bits, Color::White)?;
        if black == white {
            return Err(UnpackError::SameSquare(black));
        }
        let [first, second] =
            [Color::Black, Color::White].map(|color| Piece::new(color, PieceKind::King));
        let filler = Placed {
            piece: first,
            spot: Spot::board(black),
        };
        let mut list = PieceList {
            turn,
            kings: [black, white],
            placed: [filler; PIECES],
            len: 0,
        };
        list.push(first, Spot::board(black));
        list.push(second, Spot::board(white));
        on_board(&mut bits, tables, &mut list)?;
        in_hand(&mut bits, tables, &mut list)?;
        Ok(list)
    }
}

#[inline(always)]
fn king(bits: &mut BitCursor, color: Color) -> Result<Square, UnpackError> {
    let index = bits.take(7);
    Square::new(index).ok_or(UnpackError::King(color, index as u8))
}

/// The squares without those of the kings, which take no bits.
#[inline(always)]
fn on_board(
    bits: &mut BitCursor,
    tables: &CodeTables,
    list: &mut PieceList,
) -> Result<(), UnpackError> {
    let [black, white] = list.kings.map(Square::index);
    let (near, far) = (black.min(white), black.max(white));
    let mut cell = 0;
    while cell < Square::COUNT - 2 {
        bits.want_code();
        let empty = bits.word.trailing_zeros().min(bits.left - 7);
        if empty > 0 {
            bits.skip(empty);
            cell += empty as usize;
            continue;
        }
        let (found, length) = tables.on_board()[bits.word as usize & 255];
        let square = cell + usize::from(cell >= near);
        let square = square + usize::from(square >= far);
        let (DecodedPiece::Piece(piece), Some(square)) = (found, Square::new(square)) else {
            return Err(UnpackError::Code(bits.at));
        };
        if !list.push(piece, Spot::board(square)) {
            return Err(UnpackError::Code(bits.at));
        }
        bits.skip(length.into());
        cell += 1;
    }
    // Empty squares are skipped in runs, which may have run into the codes of the hands.
    let beyond = (cell - (Square::COUNT - 2)) as u32;
    if beyond > 0 {
        bits.at -= beyond;
        bits.fill();
    }
    Ok(())
}

#[inline(always)]
fn in_hand(
    bits: &mut BitCursor,
    tables: &CodeTables,
    list: &mut PieceList,
) -> Result<(), UnpackError> {
    let mut counts = [0_u32; 32];
    while bits.at < 256 {
        bits.want_code();
        let (found, length) = tables.off_board()[bits.word as usize & 255];
        if length == 0 || bits.at + u32::from(length) > 256 {
            return Err(UnpackError::Code(bits.at));
        }
        if let DecodedPiece::Piece(piece) = found {
            let count = &mut counts[piece.index()];
            *count += 1;
            if *count > piece.kind().full_count() || !list.push(piece, Spot::hand(*count)) {
                return Err(UnpackError::Code(bits.at));
            }
        }
        bits.skip(length.into());
    }
    Ok(())
}
