//! First proof and disproof numbers of a move, from how likely it is to mate (df-pn+, Nagai 2002).
//!
//! Twelve features of a position and a move each add something to the logarithm of the odds for a
//! mate: how much was found out by counting in searches (`examples/01_odds.rs`). The less likely a
//! mate, the more there is to show for it, so the first numbers of a move grow with the binary
//! logarithms of the two chances.

use crate::log_odds::{ANSWERS, CHECKS, LogOdds, UNIT};
use crate::number::ProofNumber;
use tesuji_shogi::attacks::steps;
use tesuji_shogi::{Bitboard, Color, Hand, Move, PieceKind, Position, Square};

/// Features that all moves of a position share, and those of one move. Each is below 16.
pub(crate) const COMMON: usize = 8;
pub(crate) const OWN: usize = 4;

/// The features of one move.
pub type MoveFeatures = [u8; COMMON + OWN];

/// What the moves of a position have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeuristicInit {
    attacker: Color,
    attacking: bool,
    king: Square,
    moves: usize,
    /// The odds so far.
    points: i32,
}

impl HeuristicInit {
    /// Before anything is known.
    pub(crate) const NONE: Self = Self {
        attacker: Color::Black,
        attacking: true,
        king: Square::new(0).expect("a board has squares"),
        moves: 0,
        points: 0,
    };

    /// For a position with so many moves, in which the king on `king` is to be mated.
    #[inline]
    pub(crate) fn new(pos: &Position, attacker: Color, king: Square, moves: usize) -> Self {
        let attacking = pos.turn() == attacker;
        let odds = log_odds(attacking);
        Self {
            attacker,
            attacking,
            king,
            moves,
            points: odds.bias + sum(&common(pos, attacker, king, moves), &odds.common),
        }
    }

    /// First numbers of a move, (pn, dn).
    #[inline]
    pub(crate) fn numbers(&self, pos: &Position, mv: Move) -> (ProofNumber, ProofNumber) {
        let own = self.own(pos, mv);
        let points = self.points + sum(&own, &log_odds(self.attacking).own);
        // Of checks the best one is chosen, so that the usual doubt of one bit says nothing.
        let (usual, steep) = if self.attacking { (8, 6) } else { (0, 5) };
        let proof = (eighths(-points) - usual).max(0) * steep / 5;
        let disproof = eighths(points) * 5 / 2;
        let rounded = |eighths: i32| (1 + (eighths + 4) / 8) as ProofNumber;
        (rounded(proof), rounded(disproof))
    }

    /// All features of a move, for whoever wants to count.
    pub(crate) fn features(&self, pos: &Position, mv: Move) -> MoveFeatures {
        let (common, own) = (
            common(pos, self.attacker, self.king, self.moves),
            self.own(pos, mv),
        );
        std::array::from_fn(|i| {
            if i < COMMON {
                common[i]
            } else {
                own[i - COMMON]
            }
        })
    }

    #[inline]
    fn own(&self, pos: &Position, mv: Move) -> [u8; OWN] {
        let (to, occupied) = (mv.to(), pos.occupied());
        let dropped = usize::from(mv.is_drop());
        let (attacks, defends) = if self.attacking {
            (dropped, 0)
        } else {
            (0, dropped)
        };
        let attack = attacks + pos.attackers(self.attacker, to, occupied).len();
        let defence = defends + pos.attackers(self.attacker.foe(), to, occupied).len();
        let taken = pos.at(to).map_or(0, |piece| piece.kind().index());
        let moved = match mv.from() {
            Some(from) => pos.at(from).map_or(0, |piece| piece.kind().index()),
            None => mv.dropped().map_or(0, PieceKind::index),
        };
        let files = self.king.file().abs_diff(to.file());
        let distance = files.max(self.king.rank().abs_diff(to.rank())).min(3);
        let way = 4 * u8::from(mv.is_drop()) + 8 * u8::from(mv.is_promotion());
        [
            (attack.min(3) * 4 + defence.min(3)) as u8,
            taken as u8,
            moved as u8,
            distance + way,
        ]
    }
}

/// The king's squares, its neighbours, the number of moves and what is in hand.
#[inline]
fn common(pos: &Position, attacker: Color, king: Square, moves: usize) -> [u8; COMMON] {
    let defender = attacker.foe();
    let ring = steps::king(king);
    let near = |pieces: Bitboard| (ring & pieces).len() as u8;
    let (strong, weak) = kinds_of_pieces(pos.hand(attacker));
    [
        pos.king_escapes(defender).len() as u8,
        SIZES[moves.min(31)],
        ring.len() as u8,
        near(pos.pieces(defender)),
        near(pos.pieces(attacker)),
        strong.min(15),
        weak,
        pos.hand(defender).iter().count() as u8,
    ]
}

/// A number of moves, coarser where it is large.
const SIZES: [u8; 32] = [
    0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9,
];

/// How many strong pieces a hand has, and how many kinds of weak ones.
fn kinds_of_pieces(hand: Hand) -> (u8, u8) {
    use PieceKind::{Knight, Lance, Pawn};
    hand.iter().fold((0, 0), |(strong, weak), (kind, count)| {
        if matches!(kind, Pawn | Lance | Knight) {
            (strong, weak + 1)
        } else {
            (strong + count as u8, weak)
        }
    })
}

#[inline(always)]
fn log_odds(attacking: bool) -> &'static LogOdds {
    if attacking { &CHECKS } else { &ANSWERS }
}

#[inline(always)]
fn sum(features: &[u8], rows: &[[i8; 16]]) -> i32 {
    let worth = |(row, &feature): (&[i8; 16], &u8)| i32::from(row[usize::from(feature & 15)]);
    rows.iter().zip(features).map(worth).sum()
}

/// How unlikely the opposite of an event with these odds is, in eighths of a bit: eight times the
/// binary logarithm of 1 + exp(points).
#[inline(always)]
fn eighths(points: i32) -> i32 {
    /// The curve above its two straight ends, by quarters of the natural logarithm.
    const ABOVE: [i32; 16] = [8, 7, 5, 4, 4, 3, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0];
    let quarters = points.unsigned_abs() as usize / (UNIT as usize / 4);
    // A natural unit of the odds is 1.4427 bits: 11.54 eighths.
    points.max(0) * 1154 / (100 * UNIT) + ABOVE.get(quarters).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_follow_the_curve() {
        for points in -200..200 {
            let exact = 8.0 * (1.0 + (f64::from(points) / f64::from(UNIT)).exp()).log2();
            assert!(
                (f64::from(eighths(points)) - exact).abs() < 2.0,
                "{points}: {exact}"
            );
        }
    }

    #[test]
    fn a_gold_with_support_is_likelier_to_mate_than_a_lance_from_afar() {
        let numbers = |sfen: &str, mv: &str| {
            let pos = Position::from_sfen(sfen).unwrap();
            let king = pos.king(Color::White).unwrap();
            HeuristicInit::new(&pos, Color::Black, king, 6).numbers(&pos, mv.parse().unwrap())
        };
        let near = numbers("4k4/9/4P4/9/9/9/9/9/4K4 b GL 1", "G*5b");
        let far = numbers("4k4/9/9/9/9/9/9/9/4K4 b GL 1", "L*5h");
        assert!(near.0 < far.0 && near.1 >= far.1, "{near:?} {far:?}");
    }
}
