//! The pieces of a packed position as a list, without building the position: for readers that look
//! at millions of positions a second.

use super::codes::PackedLayout;
use super::steps::{StepTables, WINDOW};
use super::{Packed, UnpackError};
use tesuji_shogi::{Color, Piece, PieceKind, Placed, Spot, Square};

/// How many pieces a set has.
const PIECES: usize = 40;
/// How many squares have bits: those of the kings have none.
const CODED_SQUARES: usize = Square::COUNT - 2;
/// How many bits a packed position has.
const BITS: u32 = 256;
/// Room for more pieces than a set has, so that they need not be counted one by one.
const ROOM: usize = 64;

/// The pieces of a position, the kings first, then those on the board, then those in hand.
#[derive(Clone, Debug)]
pub struct PieceList {
    /// Who is to move.
    pub turn: Color,
    /// Where the kings stand, Black's first.
    pub kings: [Square; 2],
    placed: [Placed; ROOM],
    on_board: usize,
    len: usize,
}

impl PieceList {
    /// All pieces.
    #[inline]
    pub fn placed(&self) -> &[Placed] {
        &self.placed[..self.len]
    }

    /// The pieces on the board, the two kings first.
    #[inline]
    pub fn on_board(&self) -> &[Placed] {
        &self.placed[..self.on_board]
    }

    /// The pieces in hand.
    #[inline]
    pub fn in_hand(&self) -> &[Placed] {
        &self.placed[self.on_board..self.len]
    }

    /// Writes behind the last piece without counting.
    #[inline(always)]
    fn write(&mut self, ahead: usize, piece: Piece, spot: Spot) {
        self.placed[(self.len + ahead) % ROOM] = Placed { piece, spot };
    }
}

/// The bits of a packed position, and zeros behind them.
struct BitWords([u8; 40]);

impl BitWords {
    /// How many bits a word has at least.
    const LENGTH: u32 = 57;

    #[inline(always)]
    fn new(packed: &Packed) -> Self {
        let mut bytes = [0; 40];
        bytes[..32].copy_from_slice(packed);
        Self(bytes)
    }

    /// The bits from a place on, the first one lowest.
    #[inline(always)]
    fn word(&self, at: u32) -> u64 {
        let start = (at as usize / 8).min(32);
        let bytes = self.0[start..].first_chunk();
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes)) >> (at % 8)
    }
}

impl PackedLayout {
    /// Lists the pieces of a packed position. Where they may stand and how many there may be of a
    /// kind is not looked at, as [`PackedLayout::unpack`] does.
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
        let bits = BitWords::new(packed);
        let head = bits.word(0);
        let square = |number: u64| Square::new(number as usize & 127);
        let (Some(black), Some(white)) = (square(head >> 1), square(head >> 8)) else {
            return Err(self.refusal(packed));
        };
        if black == white {
            return Err(self.refusal(packed));
        }
        let king = |color, square| Placed {
            piece: Piece::new(color, PieceKind::King),
            spot: Spot::board(square),
        };
        let mut list = PieceList {
            turn: Color::ALL[head as usize & 1],
            kings: [black, white],
            placed: [king(Color::Black, black); ROOM],
            on_board: 2,
            len: 2,
        };
        list.placed[1] = king(Color::White, white);
        let steps = StepTables::of(self);
        let end = read_board(&bits, steps, &mut list);
        list.on_board = list.len;
        if list.len > PIECES || !read_hands(&bits, end, steps, &mut list) {
            return Err(self.refusal(packed));
        }
        Ok(list)
    }

    /// Why bytes have no list of pieces: the reader that looks at one code after the other knows.
    #[cold]
    fn refusal(self, packed: &Packed) -> UnpackError {
        self.unpack(packed).err().unwrap_or(UnpackError::Code(BITS))
    }
}

/// Adds the pieces on the board and returns the place of the bit behind them.
#[inline(always)]
fn read_board(bits: &BitWords, steps: &StepTables, list: &mut PieceList) -> u32 {
    let (mut at, mut seen) = (15, 0_usize);
    'board: loop {
        let mut word = bits.word(at);
        for _ in 0..BitWords::LENGTH / WINDOW {
            let step = &steps.board[word as usize % steps.board.len()];
            if seen + usize::from(step.squares) > CODED_SQUARES {
                break 'board;
            }
            let [(first, before_first), (second, before_second)] = step.found;
            list.write(0, first, Spot::from_bits(seen as u8 + before_first));
            list.write(1, second, Spot::from_bits(seen as u8 + before_second));
            list.len += usize::from(step.pieces);
            seen += usize::from(step.squares);
            word >>= step.bits;
            at += u32::from(step.bits);
        }
    }
    // The last window reaches beyond the board: square by square up to its end.
    let mut word = bits.word(at);
    for number in seen..CODED_SQUARES {
        let step = &steps.square[word as usize % steps.square.len()];
        list.write(0, step.piece, Spot::from_bits(number as u8));
        list.len += usize::from(step.pieces);
        word >>= step.bits;
        at += u32::from(step.bits);
    }
    make_room_for_kings(list);
    at
}

/// Squares were counted without those of the kings; all at once they become squares of the board.
#[inline(always)]
fn make_room_for_kings(list: &mut PieceList) {
    let [black, white] = list.kings.map(|square| square.index() as u8);
    let (near, far) = (black.min(white), black.max(white) - 1);
    for placed in &mut list.placed[2..] {
        let number = placed.spot.bits();
        let kings = u8::from(number >= near) + u8::from(number >= far);
        placed.spot = Spot::from_bits(number + kings);
    }
}

/// Adds the pieces in hand; whether all bits were codes, and no more pieces than there are.
#[inline(always)]
fn read_hands(bits: &BitWords, start: u32, steps: &StepTables, list: &mut PieceList) -> bool {
    let mut counts = [0_u8; 32];
    let mut is_sound = true;
    let mut at = start;
    while at < BITS {
        let mut word = bits.word(at);
        for _ in 0..BitWords::LENGTH / 8 {
            let step = &steps.hand[word as usize % steps.hand.len()];
            let count = &mut counts[step.piece.index()];
            *count += step.pieces;
            is_sound &= step.bits > 0 && *count <= FULL_COUNTS[step.piece.index()];
            list.write(0, step.piece, Spot::hand((*count).into()));
            list.len += usize::from(step.pieces);
            word >>= step.bits;
            at += u32::from(step.bits);
            if at >= BITS {
                break;
            }
        }
        if !is_sound {
            return false;
        }
    }
    at == BITS && is_sound && list.len <= PIECES
}

/// How many there are of each kind that can be in hand, by the index of the piece.
static FULL_COUNTS: [u8; 32] = {
    let mut counts = [0; 32];
    let mut index = 0;
    while index < PieceKind::HAND.len() {
        let kind = PieceKind::HAND[index];
        counts[Piece::new(Color::Black, kind).index()] = kind.full_count() as u8;
        counts[Piece::new(Color::White, kind).index()] = kind.full_count() as u8;
        index += 1;
    }
    counts
};
