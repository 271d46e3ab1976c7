//! A leaf of a search as the tables see it: the kings and the numbers of the pieces, for each side.

use super::numbering::Numbering;
use tesuji_eval::pairs::{KingView, PairTables};
use tesuji_shogi::{ByColor, Color, Piece, PieceKind, Position};

/// What one side sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LeafView {
    pub(super) kings: KingView,
    pub(super) numbers: Vec<u16>,
}

/// A position at the end of a principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    pub(super) turn: Color,
    pub(super) in_check: bool,
    pub(super) views: ByColor<LeafView>,
}

impl Leaf {
    pub(super) fn of<N: Numbering>(pos: &Position) -> Self {
        Self {
            turn: pos.turn(),
            in_check: pos.in_check(),
            views: ByColor(Color::ALL.map(|pov| view::<N>(pos, pov))),
        }
    }
}

fn view<N: Numbering>(pos: &Position, pov: Color) -> LeafView {
    let mut numbers = Vec::with_capacity(52);
    pos.occupied().each(|square| {
        let piece = pos.at(square);
        numbers.extend(piece.and_then(|piece| N::Numbers::on_board(pov, piece, square)));
    });
    for color in Color::ALL {
        for kind in PieceKind::HAND {
            let (piece, count) = (Piece::new(color, kind), pos.hand(color).count(kind));
            let first = if N::Numbers::COUNTED { count } else { 1 };
            numbers.extend((first..=count).map(|nth| N::Numbers::in_hand(pov, piece, nth)));
        }
    }
    let (own, foe) = (pos.king(pov), pos.king(pov.foe()));
    LeafView {
        kings: KingView { pov, own, foe },
        numbers,
    }
}
