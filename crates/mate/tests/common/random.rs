//! Random positions around a king, the kind in which mates happen.

use super::chance::Chance;
use tesuji_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// A king near the edge, some pieces around it and some in hand.
pub(crate) fn position(chance: &mut Chance) -> Position {
    loop {
        if let Some(pos) = attempt(chance) {
            return pos;
        }
    }
}

fn attempt(chance: &mut Chance) -> Option<Position> {
    let mut setup = Setup::default();
    let (file, rank) = (1 + chance.below(9) as u8, 1 + chance.below(3) as u8);
    let king = Square::at(file, rank)?;
    setup.board[king] = Some(Piece::new(Color::White, PieceKind::King));
    if chance.below(2) == 0 {
        let home = Square::at(1 + chance.below(9) as u8, 8 + chance.below(2) as u8)?;
        setup.board[home] = Some(Piece::new(Color::Black, PieceKind::King));
    }
    for _ in 0..2 + chance.below(6) {
        let (files, ranks) = (chance.below(7) as i8 - 3, chance.below(6) as i8 - 2);
        let square = king.shifted(files, ranks)?;
        let kind = PieceKind::ALL[chance.below(14)];
        let color = Color::ALL[chance.below(2)];
        if setup.board[square].is_none() && kind != PieceKind::King {
            setup.board[square] = Some(Piece::new(color, kind));
        }
    }
    for color in Color::ALL {
        for _ in 0..1 + chance.below(3) {
            let kind = PieceKind::HAND[chance.below(7)];
            let hand = setup.hands[color];
            setup.hands[color] = hand.with(kind, hand.count(kind) + 1);
        }
    }
    setup.build().ok()
}
