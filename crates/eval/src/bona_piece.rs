//! The BonaPiece: one number for what a piece is, whose it is and where, as one side sees it.
//!
//! The numbering of Apery's tables (Hiraoka 2014), after Hoki's Bonanza (2006), which networks
//! kept. Squares are seen from the side itself: White's are turned by half a turn. Promoted pawns,
//! lances, knights and silvers count as golds; kings have no number. Of n pieces in hand, the
//! first, second … n-th all have one, so a full set of pieces always has 38 numbers.

use tesuji_shogi::{Color, Piece, PieceKind, Spot, Square};

/// How many numbers there are; some (the 0-th piece in hand) are never used.
pub const BONA_PIECES: usize = 1548;

/// How many pieces besides the kings a full set has.
pub const FULL_SET: u32 = 38;

/// The number of a piece on the board as `pov` sees it; `None` for a king.
///
/// ```
/// use tesuji_eval::bona_piece;
/// use tesuji_shogi::{Color, Piece, PieceKind};
/// let pawn = Piece::new(Color::Black, PieceKind::Pawn);
/// let square = "7f".parse().unwrap();
/// assert_eq!(bona_piece::on_board(Color::Black, pawn, square), Some(90 + 59));
/// assert_eq!(bona_piece::on_board(Color::White, pawn, square), Some(171 + 80 - 59));
/// ```
#[inline]
pub const fn on_board(pov: Color, piece: Piece, square: Square) -> Option<u16> {
    let base = BOARD[side(pov, piece)][piece.kind().index()];
    if base == 0 {
        return None;
    }
    Some(base + seen(pov, square) as u16)
}

/// The number of the n-th piece of its kind in hand, counted from 1, as `pov` sees it.
///
/// ```
/// use tesuji_eval::bona_piece;
/// use tesuji_shogi::{Color, Piece, PieceKind};
/// let rook = Piece::new(Color::White, PieceKind::Rook);
/// assert_eq!(bona_piece::in_hand(Color::White, rook, 1), 85);
/// assert_eq!(bona_piece::in_hand(Color::Black, rook, 2), 89);
/// ```
#[inline]
pub const fn in_hand(pov: Color, piece: Piece, nth: u32) -> u16 {
    HAND[side(pov, piece)][piece.kind().index()] + nth as u16
}

/// The square as `pov` sees it, as a number.
#[inline]
pub const fn seen(pov: Color, square: Square) -> usize {
    square.for_color(pov).index()
}

/// 0 for an own piece, 1 for one of the opponent.
#[inline]
pub(crate) const fn side(pov: Color, piece: Piece) -> usize {
    pov.index() ^ piece.color().index()
}

/// The number of a piece on the first square, by side and kind index: pawn, lance, knight, silver,
/// bishop, rook, gold; king; promoted ones.
pub(crate) const BOARD: [[u16; 16]; 2] = [
    [
        0, 90, 252, 414, 576, 900, 1224, 738, 0, 738, 738, 738, 738, 1062, 1386, 0,
    ],
    [
        0, 171, 333, 495, 657, 981, 1305, 819, 0, 819, 819, 819, 819, 1143, 1467, 0,
    ],
];

/// The number of the 0-th piece in hand, by side and kind index.
pub(crate) const HAND: [[u16; 16]; 2] = [
    [0, 0, 38, 48, 58, 78, 84, 68, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 19, 43, 53, 63, 81, 87, 73, 0, 0, 0, 0, 0, 0, 0, 0],
];

/// Every number that is ever used with what it means to Black: for those who fill tables by their
/// meaning.
pub(crate) fn all() -> impl Iterator<Item = (u16, Piece, Spot)> {
    let standing = Piece::all().filter(|piece| !piece.kind().is_gold_mover() || is_gold(*piece));
    let standing = standing.flat_map(|piece| {
        Square::all().filter_map(move |square| {
            let number = on_board(Color::Black, piece, square)?;
            Some((number, piece, Spot::board(square)))
        })
    });
    let held = Piece::all().filter(|piece| piece.kind().is_hand_kind());
    let held = held.flat_map(|piece| {
        (1..=piece.kind().full_count())
            .map(move |nth| (in_hand(Color::Black, piece, nth), piece, Spot::hand(nth)))
    });
    standing.chain(held)
}

fn is_gold(piece: Piece) -> bool {
    piece.kind() == PieceKind::Gold
}

#[cfg(test)]
mod tests;
