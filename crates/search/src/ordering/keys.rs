//! What the histories are indexed by: a moved piece and its square, the moves before, the pawns.
//!
//! The shapes are those of Stockfish: `[piece][to]` tables, chained into continuation history.

use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

/// How many kinds of pieces there are.
const KINDS: usize = PieceKind::ALL.len();

/// A piece and the square it moves to, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(usize);

impl PieceTo {
    /// How many of them there are: 14 kinds of each colour. Tables by two of them, four times over,
    /// are most of what a thread keeps, so that no number is left out.
    pub(crate) const COUNT: usize = 2 * Self::OF_COLOR;
    /// How many belong to one colour.
    const OF_COLOR: usize = KINDS * 81;
    /// Stands in a stack frame before the first move.
    pub(crate) const FIRST: Self = Self(0);

    #[inline(always)]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        let piece = piece.index();
        let code = piece - 1 - (16 - KINDS) * (piece >> 4);
        Self(code * 81 + to.index())
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0
    }

    /// The kind of the piece, as it stands after the move.
    #[inline(always)]
    pub(crate) fn kind(self) -> Option<PieceKind> {
        PieceKind::from_index(self.kind_index())
    }

    #[inline(always)]
    pub(crate) fn is_pawn(self) -> bool {
        self.kind_index() == PieceKind::Pawn.index()
    }

    #[inline(always)]
    const fn kind_index(self) -> usize {
        1 + self.0 / 81 % KINDS
    }

    /// A number for hashes, in which a piece has five bits.
    #[inline(always)]
    const fn sparse(self) -> usize {
        let is_white = (self.0 >= Self::OF_COLOR) as usize;
        self.0 + 81 * (1 + (16 - KINDS) * is_white)
    }
}

/// Which table of the continuation history a move leads to. What answers a capture, or a move out
/// of check, is not what answers other moves, so each of them has tables of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationKey {
    table: u16,
    /// The same as a number for hashes.
    sparse: u16,
}

impl ContinuationKey {
    /// How many tables there are; the last one is for [`ContinuationKey::NONE`].
    pub(crate) const COUNT: usize = 4 * PieceTo::COUNT + 1;
    /// No move, or a null move.
    pub(crate) const NONE: Self = Self {
        table: 4 * PieceTo::COUNT as u16,
        sparse: 4 * SPARSE_COUNT as u16,
    };

    #[inline(always)]
    pub(crate) fn new(piece_to: PieceTo, in_check: bool, is_capture: bool) -> Self {
        let group = usize::from(in_check) * 2 + usize::from(is_capture);
        Self {
            table: (group * PieceTo::COUNT + piece_to.index()) as u16,
            sparse: (group * SPARSE_COUNT + piece_to.sparse()) as u16,
        }
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.table as usize
    }

    /// A number for hashes.
    #[inline(always)]
    pub(super) const fn sparse(self) -> usize {
        self.sparse as usize
    }
}

/// More than any number for hashes of a piece and its square.
const SPARSE_COUNT: usize = 32 * 81;

/// The continuation tables of the last six plies before a node, nearest first.
pub(crate) type Continuations = [ContinuationKey; 6];

/// A hash of the pawns of both sides.
#[inline]
pub(crate) fn pawn_key(pos: &Position) -> u64 {
    let pawns = pos.of_kind(PieceKind::Pawn);
    let black = (pawns & pos.pieces(Color::Black)).words();
    let white = (pawns & pos.pieces(Color::White)).words();
    hash_words(&[black[0], black[1] | white[1] << 32, white[0]])
}

/// Words as one number whose high bits depend on all of them.
#[inline(always)]
pub(super) fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0x2545_f491_4f6c_dd1du64;
    for &word in words {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_and_square_has_its_number() {
        let mut seen = vec![false; PieceTo::COUNT];
        for piece in Piece::all() {
            for square in Square::all() {
                let piece_to = PieceTo::new(piece, square);
                assert!(!seen[piece_to.index()]);
                seen[piece_to.index()] = true;
                assert_eq!(piece_to.sparse(), piece.index() * 81 + square.index());
                assert_eq!(piece_to.kind(), Some(piece.kind()));
                assert_eq!(piece_to.is_pawn(), piece.kind() == PieceKind::Pawn);
            }
        }
        assert!(seen.into_iter().all(|seen| seen), "no number is left out");
    }
}
