//! Random positions of many sorts, all of them sound.

use super::chance::Chance;
use std::ops::RangeInclusive;
use tesuji_shogi::{Color, Piece, PieceKind, Position, Setup, SetupError, Square};

/// What sort of position is wanted. Either side may turn out to be the first or the second one.
pub(crate) struct Sort {
    /// The ranks on which each king may stand, as its side counts them; `None` if it is absent.
    pub(crate) kings: [Option<RangeInclusive<usize>>; 2],
    /// How many of the other 38 pieces are put on the board.
    pub(crate) on_board: RangeInclusive<usize>,
    /// What becomes of the rest.
    pub(crate) rest: Rest,
}

/// Where pieces go that are not on the board.
#[derive(Clone, Copy)]
pub(crate) enum Rest {
    /// Into both hands.
    Shared,
    /// Into the hand of the second side, as in a mate problem.
    Second,
    /// Nowhere.
    Absent,
}

const ANYWHERE: Option<RangeInclusive<usize>> = Some(1..=9);

/// Hardly anything on the board, nearly everything in hand.
pub(crate) const FULL_HANDS: Sort = Sort {
    kings: [ANYWHERE, ANYWHERE],
    on_board: 0..=8,
    rest: Rest::Shared,
};

/// Both kings in the zone.
pub(crate) const ENTERED_KINGS: Sort = Sort {
    kings: [Some(1..=3), Some(1..=3)],
    on_board: 12..=34,
    rest: Rest::Shared,
};

/// The kings and very little else.
pub(crate) const FEW_PIECES: Sort = Sort {
    kings: [ANYWHERE, ANYWHERE],
    on_board: 1..=6,
    rest: Rest::Absent,
};

/// Nearly everything on the board: lines are short, checks and pins many.
pub(crate) const CROWDED: Sort = Sort {
    kings: [ANYWHERE, ANYWHERE],
    on_board: 26..=38,
    rest: Rest::Shared,
};

/// A mate problem: the attacker has no king, the defender holds the rest.
pub(crate) const PROBLEM: Sort = Sort {
    kings: [None, ANYWHERE],
    on_board: 3..=16,
    rest: Rest::Second,
};

/// No king at all.
pub(crate) const NO_KINGS: Sort = Sort {
    kings: [None, None],
    on_board: 2..=30,
    rest: Rest::Shared,
};

impl Sort {
    /// A position of this sort.
    pub(crate) fn position(&self, chance: &mut Chance) -> Position {
        loop {
            let mut setup = self.attempt(chance);
            let mut built = setup.build();
            if let Err(SetupError::CanTakeKing(color)) = built {
                setup.turn = color.foe();
                built = setup.build();
            }
            if let Ok(pos) = built {
                return if chance.once_in(2) {
                    pos.flipped()
                } else {
                    pos
                };
            }
        }
    }

    /// Pieces put down at random; they may still stand where they must not.
    fn attempt(&self, chance: &mut Chance) -> Setup {
        let mut setup = Setup {
            turn: chance.one_of(&Color::ALL),
            ..Setup::default()
        };
        for (color, ranks) in Color::ALL.into_iter().zip(&self.kings) {
            if let Some(ranks) = ranks {
                put_king(&mut setup, color, ranks, chance);
            }
        }
        let mut bag: Vec<_> = PieceKind::HAND
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, kind.full_count() as usize))
            .collect();
        chance.shuffle(&mut bag);
        let most = within(&self.on_board, chance);
        for (place, kind) in bag.into_iter().enumerate() {
            let color = chance.one_of(&Color::ALL);
            if place < most && put(&mut setup, color, kind, chance) {
                continue;
            }
            let taker = match self.rest {
                Rest::Shared => color,
                Rest::Second => Color::White,
                Rest::Absent => continue,
            };
            let hand = &mut setup.hands[taker];
            *hand = hand.with(kind, hand.count(kind) + 1);
        }
        setup
    }
}

fn within(range: &RangeInclusive<usize>, chance: &mut Chance) -> usize {
    range.start() + chance.below(range.end() - range.start() + 1)
}

fn put_king(setup: &mut Setup, color: Color, ranks: &RangeInclusive<usize>, chance: &mut Chance) {
    let (file, rank) = (1 + chance.below(9), within(ranks, chance));
    let square = Square::at(file as u8, rank as u8).expect("files and ranks are 1 to 9");
    let square = match color {
        Color::Black => square,
        Color::White => square.rotated(),
    };
    setup.board[square] = Some(Piece::new(color, PieceKind::King));
}

/// Puts a piece, perhaps promoted, on some square; `false` if it may not stand there.
fn put(setup: &mut Setup, color: Color, kind: PieceKind, chance: &mut Chance) -> bool {
    let promoted = kind.promoted().filter(|_| chance.once_in(3));
    let kind = promoted.unwrap_or(kind);
    let square = Square::new(chance.below(81)).expect("there are 81 squares");
    let rank = square.rank_for(color);
    let is_dead_end = match kind {
        PieceKind::Pawn | PieceKind::Lance => rank == 1,
        PieceKind::Knight => rank <= 2,
        _ => false,
    };
    let piece = Some(Piece::new(color, kind));
    let is_second_pawn = kind == PieceKind::Pawn
        && Square::all().any(|other| other.file() == square.file() && setup.board[other] == piece);
    if setup.board[square].is_some() || is_dead_end || is_second_pawn {
        return false;
    }
    setup.board[square] = piece;
    true
}
