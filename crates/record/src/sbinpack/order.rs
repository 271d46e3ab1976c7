//! The order of the legal moves that gives each its number.

use tesuji_shogi::{Board, Move, Piece, PieceKind, Position};

/// The kinds in their order: P L N S G B R K, then the promoted ones.
const KINDS: [PieceKind; 14] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::King,
    PieceKind::PromotedPawn,
    PieceKind::PromotedLance,
    PieceKind::PromotedKnight,
    PieceKind::PromotedSilver,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// The legal moves in their order: on the board before drops, quiet before captures, unpromoted
/// before promoted, by kind, by the rank reached (the farthest first), by the file (from the
/// centre), by where the piece comes from.
pub(super) fn sorted(pos: &Position) -> Vec<Move> {
    let mut moves: Vec<_> = pos.legal_moves().iter().collect();
    moves.sort_by_cached_key(|&mv| key(pos, mv));
    moves
}

fn key(pos: &Position, mv: Move) -> [u8; 7] {
    let turn = pos.turn();
    let kind = match mv.from() {
        Some(from) => pos.at(from).map(Piece::kind),
        None => mv.dropped(),
    };
    let place = KINDS
        .iter()
        .position(|&other| Some(other) == kind)
        .unwrap_or(0);
    let to = mv.to().for_color(turn);
    let from_centre = (to.file().abs_diff(5), to.file());
    [
        mv.is_drop().into(),
        pos.is_capture(mv).into(),
        mv.is_promotion().into(),
        place as u8,
        to.rank(),
        from_centre.0 * 16 + from_centre.1,
        mv.from()
            .map_or(0, |from| from.for_color(turn).index() as u8),
    ]
}
