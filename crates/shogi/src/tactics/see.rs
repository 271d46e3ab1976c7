//! What an exchange on one square is worth, by sets of attackers.
//!
//! Both sides take with their least valuable piece and may stop at any time. Later captures do not
//! promote, pins are not looked at, and a king takes only what is not defended.
//!
//! Values of exchanges were counted by Maynard Smith and Michie (1961) already; to take with the
//! least valuable attacker, one after the other, is Crafty's and Stockfish's way.

use crate::attacks::sliders;
use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use crate::types::value::Value;

/// The ways of moving from the cheapest to the dearest; horse and dragon come last but the king.
const LADDER: [(Group, PieceKind); 7] = [
    (Group::Pawns, PieceKind::Pawn),
    (Group::Lances, PieceKind::Lance),
    (Group::Knights, PieceKind::Knight),
    (Group::Silvers, PieceKind::Silver),
    (Group::Golds, PieceKind::Gold),
    (Group::Bishops, PieceKind::Bishop),
    (Group::Rooks, PieceKind::Rook),
];

/// What the side to move gains by a legal move and the captures that follow on its square.
///
/// ```
/// use tesuji_shogi::{Position, tactics::see};
/// let pos = Position::from_sfen("4k4/9/4p4/9/4P4/9/9/9/4K4 b P 1").unwrap();
/// // A pawn dropped before a pawn is simply lost.
/// assert_eq!(see::exchange(&pos, "P*5d".parse().unwrap()).points(), 0);
/// ```
pub fn exchange(pos: &Position, mv: Move) -> Value {
    let mut duel = Duel::new(pos, mv);
    let mut gains = [0; 42];
    gains[0] = duel.first_gain;
    let mut depth = 0;
    while let Some(worth) = duel.take() {
        depth += 1;
        gains[depth] = duel.taken_worth - gains[depth - 1];
        duel.taken_worth = worth;
        if depth == 41 {
            break;
        }
    }
    while depth > 0 {
        gains[depth - 1] = gains[depth - 1].min(-gains[depth]);
        depth -= 1;
    }
    Value::new(gains[0])
}

/// Whether [`exchange`] is at least `threshold`; stops as soon as that is clear.
pub fn is_at_least(pos: &Position, mv: Move, threshold: Value) -> bool {
    let mut duel = Duel::new(pos, mv);
    // What the side that is to take must still win back; the other side leads by it.
    let mut lead = duel.first_gain - threshold.points();
    if lead < 0 {
        return false;
    }
    // Even if the piece is lost for nothing in return.
    lead -= duel.taken_worth;
    if lead >= 0 {
        return true;
    }
    let mut wins = true;
    while let Some(worth) = duel.take() {
        wins = !wins;
        lead = -lead - 1 - worth;
        if lead >= 0 {
            break;
        }
    }
    wins
}

/// An exchange under way.
struct Duel<'a> {
    pos: &'a Position,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    turn: Color,
    first_gain: i32,
    /// What the piece that stands on the square now is worth to who takes it.
    taken_worth: i32,
}

impl<'a> Duel<'a> {
    #[inline]
    fn new(pos: &'a Position, mv: Move) -> Self {
        let (square, turn) = (mv.to(), pos.turn());
        let taken = pos
            .at(square)
            .map_or(0, |piece| piece.kind().worth().points());
        let (moved, left) = match (mv.dropped(), mv.from()) {
            (Some(kind), _) => (kind, Bitboard::EMPTY),
            (_, Some(from)) => (
                pos.at(from).map_or(PieceKind::Pawn, |piece| piece.kind()),
                Bitboard::of(from),
            ),
            _ => (PieceKind::Pawn, Bitboard::EMPTY),
        };
        let placed = if mv.is_promotion() {
            moved.promoted().unwrap_or(moved)
        } else {
            moved
        };
        let occupied = pos.occupied().without(left) | Bitboard::of(square);
        let attackers = Color::ALL
            .map(|color| pos.attackers(color, square, occupied))
            .into_iter()
            .fold(Bitboard::EMPTY, |all, some| all | some);
        Self {
            pos,
            square,
            occupied,
            attackers: attackers & occupied,
            turn: turn.foe(),
            first_gain: taken + placed.worth().points() - moved.worth().points(),
            taken_worth: placed.worth().points(),
        }
    }

    /// The next capture by the cheapest piece, and what that piece is worth; `None` if the side
    /// whose turn it is has none, or only its king and the foe still defends.
    #[inline]
    fn take(&mut self) -> Option<i32> {
        let own = self.attackers & self.pos.pieces(self.turn);
        if own.is_empty() {
            return None;
        }
        let (from, kind) = self.cheapest(own);
        if kind == PieceKind::King && self.attackers.meets(self.pos.pieces(self.turn.foe())) {
            return None;
        }
        self.occupied ^= Bitboard::of(from);
        if kind != PieceKind::Knight {
            self.reveal();
        }
        self.attackers &= self.occupied;
        self.turn = self.turn.foe();
        Some(kind.worth().points())
    }

    #[inline]
    fn cheapest(&self, own: Bitboard) -> (Square, PieceKind) {
        let steppers = self.pos.group(Group::KingSteppers);
        for (group, kind) in LADDER {
            let plain = (own & self.pos.group(group)).without(steppers);
            if let Some(from) = plain.first() {
                return (from, kind);
            }
        }
        let promoted = [
            (Group::Bishops, PieceKind::Horse),
            (Group::Rooks, PieceKind::Dragon),
        ];
        for (group, kind) in promoted {
            if let Some(from) = (own & self.pos.group(group)).first() {
                return (from, kind);
            }
        }
        (own.first().expect("an attacker is left"), PieceKind::King)
    }

    /// Adds the sliders that stood behind the piece that just took.
    #[inline]
    fn reveal(&mut self) {
        let (square, occupied) = (self.square, self.occupied);
        let lances = self.pos.group(Group::Lances);
        let lance = |color: Color| {
            sliders::lance(color.foe(), square, occupied) & lances & self.pos.pieces(color)
        };
        let found = sliders::bishop(square, occupied) & self.pos.group(Group::Bishops)
            | sliders::rook(square, occupied) & self.pos.group(Group::Rooks)
            | lance(Color::Black)
            | lance(Color::White);
        self.attackers |= found;
    }
}
