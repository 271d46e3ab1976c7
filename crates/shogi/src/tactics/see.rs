//! What an exchange on one square is worth, by sets of attackers.
//!
//! Both sides take with their least valuable piece and may stop at any time. Later captures do not
//! promote, pins are not looked at, and a king takes only what is not defended.
//!
//! Values of exchanges were counted by Maynard Smith and Michie (1961) already; to take with the
//! least valuable attacker, one after the other, is Crafty's and Stockfish's way.

use crate::attacks::{sliders, steps};
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
    let stakes = Stakes::of(pos, mv);
    let mut duel = Duel::new(pos, mv, &stakes);
    let mut gains = [0; 42];
    gains[0] = stakes.gain;
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
    let stakes = Stakes::of(pos, mv);
    // What the side that is to take must still win back; the other side leads by it.
    let mut lead = stakes.gain - threshold.points();
    if lead < 0 {
        return false;
    }
    // Even if the piece is lost for nothing in return.
    lead -= stakes.placed.worth().points();
    if lead >= 0 {
        return true;
    }
    let mut duel = Duel::new(pos, mv, &stakes);
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

/// What a move gains at once, and what it puts at stake: known without looking for attackers.
struct Stakes {
    gain: i32,
    placed: PieceKind,
}

impl Stakes {
    #[inline(always)]
    fn of(pos: &Position, mv: Move) -> Self {
        let taken = pos
            .at(mv.to())
            .map_or(0, |piece| piece.kind().worth().points());
        let moved = match (mv.dropped(), mv.from()) {
            (Some(kind), _) => kind,
            (_, Some(from)) => pos.at(from).map_or(PieceKind::Pawn, |piece| piece.kind()),
            _ => PieceKind::Pawn,
        };
        let placed = if mv.is_promotion() {
            moved.promoted().unwrap_or(moved)
        } else {
            moved
        };
        Self {
            gain: taken + placed.worth().points() - moved.worth().points(),
            placed,
        }
    }
}

/// An exchange under way.
struct Duel<'a> {
    pos: &'a Position,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    turn: Color,
    /// What the piece that stands on the square now is worth to who takes it.
    taken_worth: i32,
}

impl<'a> Duel<'a> {
    #[inline]
    fn new(pos: &'a Position, mv: Move, stakes: &Stakes) -> Self {
        let square = mv.to();
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = pos.occupied().without(left) | Bitboard::of(square);
        Self {
            pos,
            square,
            occupied,
            attackers: attackers_of_both(pos, square, occupied) & occupied,
            turn: pos.turn().foe(),
            taken_worth: stakes.placed.worth().points(),
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

/// The pieces of both sides that attack a square through the given occupancy.
#[inline]
fn attackers_of_both(pos: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    let [black, white] = Color::ALL.map(|color| pos.pieces(color));
    // Whoever attacks the square stands where a piece of the other side would go from there.
    let of = |group: Group, [for_black, for_white]: [Bitboard; 2]| {
        (for_white & black | for_black & white) & pos.group(group)
    };
    of(
        Group::Pawns,
        Color::ALL.map(|color| steps::pawn(color, square)),
    ) | of(
        Group::Knights,
        Color::ALL.map(|color| steps::knight(color, square)),
    ) | of(
        Group::Silvers,
        Color::ALL.map(|color| steps::silver(color, square)),
    ) | of(
        Group::Golds,
        Color::ALL.map(|color| steps::gold(color, square)),
    ) | of(
        Group::Lances,
        Color::ALL.map(|color| sliders::lance(color, square, occupied)),
    ) | steps::king(square) & pos.group(Group::KingSteppers)
        | sliders::bishop(square, occupied) & pos.group(Group::Bishops)
        | sliders::rook(square, occupied) & pos.group(Group::Rooks)
}
