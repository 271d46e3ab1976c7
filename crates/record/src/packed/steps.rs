//! Packed bits read several codes at a time, so that a reader seldom has to guess what comes next.
//!
//! The codes of the board are a complete prefix code: every window of eleven bits begins with some
//! run of empty squares and pieces. A table tells for each window how far it goes and which pieces
//! are in it, two at most, the way fast readers of Huffman codes do it (Moffat and Turpin 1997).

use super::codes::{CodeTables, DecodedPiece, PackedLayout};
use tesuji_shogi::{Color, Piece, PieceKind};

/// How many bits are looked at.
pub(super) const WINDOW: u32 = 11;

/// What a window of the board's bits begins with. Eight bytes, so that it is loaded at once.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub(super) struct BoardStep {
    /// How many bits are read.
    pub(super) bits: u8,
    /// How many squares they describe.
    pub(super) squares: u8,
    /// How many of `found` are pieces.
    pub(super) pieces: u8,
    /// Pieces, and how many squares lie before each.
    pub(super) found: [(Piece, u8); 2],
}

/// One code.
#[derive(Clone, Copy)]
pub(super) struct CodeStep {
    /// How many bits are read; 0 if no code begins so.
    pub(super) bits: u8,
    /// 1 for a piece, 0 for an empty square or a piece that is not in the game.
    pub(super) pieces: u8,
    /// The piece.
    pub(super) piece: Piece,
}

/// The steps of a layout.
pub(super) struct StepTables {
    /// Several squares of the board.
    pub(super) board: [BoardStep; 1 << WINDOW],
    /// One square of the board.
    pub(super) square: [CodeStep; 256],
    /// A piece behind the board.
    pub(super) hand: [CodeStep; 256],
}

static PACKED_SFEN: StepTables = StepTables::new(PackedLayout::PackedSfen);
static HCP: StepTables = StepTables::new(PackedLayout::Hcp);

/// Stands where there is no piece.
const NO_PIECE: Piece = Piece::new(Color::Black, PieceKind::Pawn);

impl CodeStep {
    const fn of((found, bits): (DecodedPiece, u8)) -> Self {
        let (pieces, piece) = match found {
            DecodedPiece::Piece(piece) => (1, piece),
            _ => (0, NO_PIECE),
        };
        Self {
            bits,
            pieces,
            piece,
        }
    }
}

impl StepTables {
    #[inline(always)]
    pub(super) const fn of(layout: PackedLayout) -> &'static Self {
        match layout {
            PackedLayout::PackedSfen => &PACKED_SFEN,
            PackedLayout::Hcp => &HCP,
        }
    }

    const fn new(layout: PackedLayout) -> Self {
        let codes = CodeTables::of(layout);
        let mut steps = Self {
            board: [board_step(codes, 0); 1 << WINDOW],
            square: [CodeStep::of((DecodedPiece::Nothing, 0)); 256],
            hand: [CodeStep::of((DecodedPiece::Nothing, 0)); 256],
        };
        let mut window = 0;
        while window < 1 << WINDOW {
            steps.board[window] = board_step(codes, window);
            window += 1;
        }
        let mut window = 0;
        while window < 256 {
            steps.square[window] = CodeStep::of(codes.on_board()[window]);
            steps.hand[window] = CodeStep::of(codes.off_board()[window]);
            window += 1;
        }
        steps
    }
}

const fn board_step(codes: &CodeTables, window: usize) -> BoardStep {
    let mut step = BoardStep {
        bits: 0,
        squares: 0,
        pieces: 0,
        found: [(NO_PIECE, 0); 2],
    };
    loop {
        let (found, length) = codes.on_board()[window >> step.bits & 255];
        // Bits beyond the window are not known; a code that needs them is left for the next step.
        if step.bits + length > WINDOW as u8 {
            return step;
        }
        if let DecodedPiece::Piece(piece) = found {
            if step.pieces == 2 {
                return step;
            }
            step.found[step.pieces as usize] = (piece, step.squares);
            step.pieces += 1;
        }
        step.bits += length;
        step.squares += 1;
        if step.bits == WINDOW as u8 {
            return step;
        }
    }
}
