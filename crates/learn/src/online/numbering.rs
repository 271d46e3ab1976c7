//! How the pieces are numbered: as in Apery's files, or as in Bonanza's, with what each number means.
//!
//! The numbers themselves are those of the evaluators that read the files; here they are turned
//! into tables, so that a number can be mirrored and its piece value found without the board.

use tesuji_eval::pairs::{FvBin, Kp, PairTables, PieceValues};
use tesuji_shogi::{Color, Piece, PieceKind, Square};

/// The numbers that a family of files gives to pieces.
pub(super) trait Numbering: Send + Sync + 'static {
    /// The evaluator whose numbers these are.
    type Numbers: PairTables;
    /// How many numbers there are.
    const COUNT: usize;
    /// Whether the files of the family have weights for whose turn it is.
    const HAS_TURN: bool;
    /// The piece values that the engines add to the files.
    const BASE: PieceValues;
}

/// The numbers of Apery (Hiraoka 2014): one for each piece in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apery;

/// The numbers of Bonanza 6 (Hoki 2011): one for each count in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bonanza;

impl Numbering for Apery {
    type Numbers = Kp;
    const COUNT: usize = tesuji_eval::bona_piece::BONA_PIECES;
    const HAS_TURN: bool = true;
    const BASE: PieceValues = PieceValues::APERY;
}

impl Numbering for Bonanza {
    type Numbers = FvBin;
    const COUNT: usize = FvBin::BONA_PIECES;
    const HAS_TURN: bool = false;
    const BASE: PieceValues = PieceValues::BONANZA_6;
}

/// The kinds of pieces whose values can be learnt: those that numbers tell apart. Promoted pawns,
/// lances, knights and silvers share the numbers of golds, and so what is learnt about their value.
pub(super) const VALUED_KINDS: [PieceKind; 9] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
];

fn class_of(kind: PieceKind) -> u8 {
    let kind = if kind.is_gold_mover() {
        PieceKind::Gold
    } else {
        kind
    };
    let place = VALUED_KINDS.iter().position(|&valued| valued == kind);
    place.expect("kings have no number") as u8
}

/// What a number means to the side that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Meaning {
    /// Which of the [`VALUED_KINDS`] it is.
    pub(super) class: u8,
    /// How many own pieces it stands for: none if they are the opponent's.
    pub(super) own_pieces: u8,
    /// Whether it speaks of own pieces, perhaps of none of them.
    pub(super) is_own: bool,
    /// The number of the mirrored piece.
    pub(super) mirrored: u16,
    /// The number that the opponent sees.
    pub(super) turned: u16,
}

/// The meaning of every number; those that are never used stand for nothing and mirror themselves.
#[derive(Clone, Debug)]
pub(super) struct NumberTable(Vec<Meaning>);

impl NumberTable {
    pub(super) fn new<N: Numbering>() -> Self {
        let unused = |number| Meaning {
            mirrored: number,
            turned: number,
            ..Meaning::default()
        };
        let mut table = Self((0..N::COUNT as u16).map(unused).collect());
        for piece in Piece::all().filter(|piece| !piece.is_king()) {
            for square in Square::all().filter(|&square| can_stand(piece, square)) {
                table.put_standing::<N>(piece, square);
            }
            if piece.kind().is_hand_kind() {
                table.put_held::<N>(piece);
            }
        }
        table
    }

    #[inline(always)]
    pub(super) fn of(&self, number: u16) -> &Meaning {
        &self.0[usize::from(number)]
    }

    #[inline(always)]
    pub(super) fn mirrored(&self, number: u16) -> u16 {
        self.of(number).mirrored
    }

    fn put_standing<N: Numbering>(&mut self, piece: Piece, square: Square) {
        let number = |pov, square| N::Numbers::on_board(pov, piece, square);
        let seen = number(Color::Black, square);
        let mirrored = number(Color::Black, square.mirrored());
        let turned = number(Color::White, square);
        let (Some(seen), Some(mirrored), Some(turned)) = (seen, mirrored, turned) else {
            return;
        };
        let is_own = piece.color() == Color::Black;
        self.0[usize::from(seen)] = Meaning {
            class: class_of(piece.kind()),
            own_pieces: u8::from(is_own),
            is_own,
            mirrored,
            turned,
        };
    }

    fn put_held<N: Numbering>(&mut self, piece: Piece) {
        let is_counted = N::Numbers::COUNTED;
        let is_own = piece.color() == Color::Black;
        for nth in u32::from(!is_counted)..=piece.kind().full_count() {
            let seen = N::Numbers::in_hand(Color::Black, piece, nth);
            let pieces = if is_counted { nth as u8 } else { 1 };
            self.0[usize::from(seen)] = Meaning {
                class: class_of(piece.kind()),
                own_pieces: if is_own { pieces } else { 0 },
                is_own,
                mirrored: seen,
                turned: N::Numbers::in_hand(Color::White, piece, nth),
            };
        }
    }
}

/// Whether a piece may stand there: a piece that could never move again may not.
fn can_stand(piece: Piece, square: Square) -> bool {
    let first_rank = match piece.kind() {
        PieceKind::Pawn | PieceKind::Lance => 2,
        PieceKind::Knight => 3,
        _ => 1,
    };
    square.rank_for(piece.color()) >= first_rank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<N: Numbering>() {
        let table = NumberTable::new::<N>();
        for number in 0..N::COUNT as u16 {
            let meaning = *table.of(number);
            assert_eq!(table.mirrored(meaning.mirrored), number);
            assert_eq!(table.of(meaning.turned).turned, number);
            let other = table.of(meaning.mirrored);
            assert_eq!(other.class, meaning.class, "{number}");
            assert_eq!(other.own_pieces, meaning.own_pieces, "{number}");
            let turned = table.of(meaning.turned);
            assert!(meaning.turned == number || turned.is_own != meaning.is_own);
        }
    }

    #[test]
    fn mirroring_and_turning_twice_changes_nothing() {
        check::<Apery>();
        check::<Bonanza>();
    }
}
