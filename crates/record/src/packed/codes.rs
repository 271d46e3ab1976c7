//! The codes of the pieces, as tables made by the compiler.

use tesuji_shogi::{Color, Piece, PieceKind};

/// Which codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PackedLayout {
    /// PackedSfen, as in PSV and YBB files.
    PackedSfen,
    /// HCP, as in HCPE files.
    Hcp,
}

/// A code: its bits, the first one lowest, and how many they are.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u8,
    pub(super) length: u8,
}

/// What a code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecodedPiece {
    /// An empty square, or nothing at all.
    Nothing,
    /// A piece.
    Piece(Piece),
    /// A piece that is not in the game.
    Boxed,
}

/// By the next eight bits: what comes, and how long its code is; 0 if nothing begins so.
type Prefixes = [(DecodedPiece, u8); 256];

/// All codes of a layout, both ways.
pub(super) struct CodeTables {
    board: [Code; 32],
    hand: [Code; 32],
    boxed: [Code; 8],
    on_board: Prefixes,
    off_board: Prefixes,
}

static PACKED_SFEN: CodeTables = CodeTables::new(PackedLayout::PackedSfen);
static HCP: CodeTables = CodeTables::new(PackedLayout::Hcp);

/// By kind index: Pawn, Lance, Knight, Silver, Bishop, Rook, Gold.
const PACKED_BOARD: [(u8, u8); 7] = [
    (0x01, 2),
    (0x03, 4),
    (0x0b, 4),
    (0x07, 4),
    (0x1f, 6),
    (0x3f, 6),
    (0x0f, 5),
];
const HCP_BOARD: [(u8, u8); 7] = [
    (0x01, 2),
    (0x03, 4),
    (0x07, 4),
    (0x0b, 4),
    (0x1f, 6),
    (0x3f, 6),
    (0x0f, 5),
];
const HCP_HAND: [(u8, u8); 7] = [(0, 2), (1, 4), (3, 4), (5, 4), (0x1f, 6), (0x3f, 6), (7, 4)];
const HCP_BOX: [(u8, u8); 7] = [
    (0b010, 3),
    (0b01001, 5),
    (0b01011, 5),
    (0b01101, 5),
    (0b000_1111, 7),
    (0b010_1111, 7),
    (0b11101, 5),
];

impl Code {
    const NONE: Self = Self { bits: 0, length: 0 };

    const fn of((bits, length): (u8, u8)) -> Self {
        Self { bits, length }
    }

    const fn then(self, bit: bool) -> Self {
        Self {
            bits: self.bits | (bit as u8) << self.length,
            length: self.length + 1,
        }
    }
}

impl CodeTables {
    pub(super) const fn of(layout: PackedLayout) -> &'static Self {
        match layout {
            PackedLayout::PackedSfen => &PACKED_SFEN,
            PackedLayout::Hcp => &HCP,
        }
    }

    pub(super) const fn board(&self, piece: Piece) -> Code {
        self.board[piece.index()]
    }

    pub(super) const fn hand(&self, piece: Piece) -> Code {
        self.hand[piece.index()]
    }

    pub(super) const fn boxed(&self, kind: PieceKind) -> Code {
        self.boxed[kind.index() & 7]
    }

    pub(super) const fn on_board(&self) -> &Prefixes {
        &self.on_board
    }

    pub(super) const fn off_board(&self) -> &Prefixes {
        &self.off_board
    }

    const fn new(layout: PackedLayout) -> Self {
        let mut tables = Self {
            board: [Code::NONE; 32],
            hand: [Code::NONE; 32],
            boxed: [Code::NONE; 8],
            on_board: [(DecodedPiece::Nothing, 0); 256],
            off_board: [(DecodedPiece::Nothing, 0); 256],
        };
        enter(
            &mut tables.on_board,
            Code { bits: 0, length: 1 },
            DecodedPiece::Nothing,
        );
        let mut index = 1;
        while index <= 7 {
            let kind = PieceKind::ALL[index - 1];
            let boxed = box_code(layout, kind);
            tables.boxed[index] = boxed;
            enter(&mut tables.off_board, boxed, DecodedPiece::Boxed);
            let mut side = 0;
            while side < 2 {
                let color = Color::ALL[side];
                let plain = Piece::new(color, kind);
                let code = board_code(layout, kind, color, false);
                tables.board[plain.index()] = code;
                enter(&mut tables.on_board, code, DecodedPiece::Piece(plain));
                if let Some(promoted) = kind.promoted() {
                    let piece = Piece::new(color, promoted);
                    let code = board_code(layout, kind, color, true);
                    tables.board[piece.index()] = code;
                    enter(&mut tables.on_board, code, DecodedPiece::Piece(piece));
                }
                let code = hand_code(layout, kind, color);
                tables.hand[plain.index()] = code;
                enter(&mut tables.off_board, code, DecodedPiece::Piece(plain));
                side += 1;
            }
            index += 1;
        }
        tables
    }
}

/// Enters a code under everything that may follow it.
const fn enter(table: &mut Prefixes, code: Code, found: DecodedPiece) {
    let mut rest = 0;
    while rest < 1 << (8 - code.length) {
        let place = code.bits as usize | rest << code.length;
        assert!(table[place].1 == 0, "no code is the beginning of another");
        table[place] = (found, code.length);
        rest += 1;
    }
}

const fn board_code(layout: PackedLayout, kind: PieceKind, color: Color, promoted: bool) -> Code {
    let white = matches!(color, Color::White);
    let is_gold = matches!(kind, PieceKind::Gold);
    match layout {
        PackedLayout::PackedSfen => {
            let code = Code::of(PACKED_BOARD[kind.index() - 1]);
            let code = if is_gold { code } else { code.then(promoted) };
            code.then(white)
        }
        PackedLayout::Hcp => {
            let code = Code::of(HCP_BOARD[kind.index() - 1]).then(white);
            if is_gold { code } else { code.then(promoted) }
        }
    }
}

const fn hand_code(layout: PackedLayout, kind: PieceKind, color: Color) -> Code {
    let white = matches!(color, Color::White);
    match layout {
        // As on the board without the first bit, which says that the square is not empty.
        PackedLayout::PackedSfen => {
            let code = board_code(layout, kind, color, false);
            Code {
                bits: code.bits >> 1,
                length: code.length - 1,
            }
        }
        PackedLayout::Hcp => Code::of(HCP_HAND[kind.index() - 1]).then(white),
    }
}

const fn box_code(layout: PackedLayout, kind: PieceKind) -> Code {
    match layout {
        // A promoted piece cannot be in hand, so its code is free; the gold borrows the silver's.
        PackedLayout::PackedSfen => {
            let (kind, color) = match kind {
                PieceKind::Gold => (PieceKind::Silver, Color::White),
                _ => (kind, Color::Black),
            };
            let code = board_code(layout, kind, color, true);
            Code {
                bits: code.bits >> 1,
                length: code.length - 1,
            }
        }
        PackedLayout::Hcp => Code::of(HCP_BOX[kind.index() - 1]),
    }
}
