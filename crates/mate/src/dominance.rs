//! More in hand proves as much; less in hand refutes as much.
//!
//! A mate found with some hand holds for every hand that has at least the pieces the proof needs,
//! an escape for every hand that has at most the pieces the refutation allows (Seo, Iida and
//! Uiterwijk 2001; Nagai 2002). This file finds those least and greatest hands.

use tesuji_shogi::attacks::lines;
use tesuji_shogi::{Bitboard, Color, Hand, Move, PieceKind, Position, Square};

/// The attacker's hand in one word: a field for each kind with a spare bit above it, as in
/// [`Hand`], but with sums, least and greatest of two hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedHand(u32);

const SHIFT: [u32; 8] = [0, 0, 6, 10, 14, 18, 22, 26];
const FIELD: [u32; 8] = [0, 31, 7, 7, 7, 7, 7, 7];
const PAWN_SPARE: u32 = 1 << 5;
const OTHER_SPARES: u32 = 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 29;
const SPARE: u32 = PAWN_SPARE | OTHER_SPARES;

impl PackedHand {
    /// Every piece of a set.
    pub(crate) const FULL: Self = {
        let (mut bits, mut i) = (0, 0);
        while i < 7 {
            let kind = PieceKind::HAND[i];
            bits |= kind.full_count() << SHIFT[kind.index()];
            i += 1;
        }
        Self(bits)
    };

    /// Nothing.
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) fn new(hand: Hand) -> Self {
        hand.iter()
            .fold(Self::EMPTY, |held, (kind, count)| held.with(kind, count))
    }

    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The hand for bits that were a hand before.
    #[inline(always)]
    pub(crate) const fn trusted(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(crate) const fn count(self, kind: PieceKind) -> u32 {
        self.0 >> SHIFT[kind.index() & 7] & FIELD[kind.index() & 7]
    }

    #[inline(always)]
    pub(crate) const fn with(self, kind: PieceKind, count: u32) -> Self {
        let (shift, field) = (SHIFT[kind.index() & 7], FIELD[kind.index() & 7]);
        Self(self.0 & !(field << shift) | count << shift)
    }

    /// One more of a kind, but never more than a set has.
    #[inline(always)]
    pub(crate) const fn plus(self, kind: PieceKind) -> Self {
        if self.count(kind) < kind.full_count() {
            Self(self.0 + (1 << SHIFT[kind.index() & 7]))
        } else {
            self
        }
    }

    /// One fewer of a kind, if there is any.
    #[inline(always)]
    pub(crate) const fn minus(self, kind: PieceKind) -> Self {
        if self.count(kind) > 0 {
            Self(self.0 - (1 << SHIFT[kind.index() & 7]))
        } else {
            self
        }
    }

    /// Whether it holds at least as much of every kind.
    #[inline(always)]
    pub(crate) const fn covers(self, other: Self) -> bool {
        (self.0 | SPARE).wrapping_sub(other.0) & SPARE == SPARE
    }

    /// All bits of the fields in which it holds at least as much.
    #[inline(always)]
    const fn not_less(self, other: Self) -> u32 {
        let spares = (self.0 | SPARE).wrapping_sub(other.0) & SPARE;
        let (pawn, others) = (spares & PAWN_SPARE, spares & OTHER_SPARES);
        (pawn - (pawn >> 5)) | (others - (others >> 3))
    }

    /// Of each kind the greater number.
    #[inline(always)]
    pub(crate) const fn most(self, other: Self) -> Self {
        let mine = self.not_less(other);
        Self(self.0 & mine | other.0 & !mine)
    }

    /// Of each kind the smaller number.
    #[inline(always)]
    pub(crate) const fn least(self, other: Self) -> Self {
        let mine = self.not_less(other);
        Self(other.0 & mine | self.0 & !mine)
    }
}

/// The attacker's hand before a move of the attacker, given the hand after it.
#[inline(always)]
pub(crate) fn before(pos: &Position, mv: Move, after: PackedHand) -> PackedHand {
    match (mv.dropped(), pos.at(mv.to())) {
        (Some(kind), _) => after.plus(kind),
        (None, Some(taken)) => after.minus(taken.base()),
        (None, None) => after,
    }
}

/// The attacker's hand after a move of the attacker.
#[inline(always)]
pub(crate) fn after(pos: &Position, mv: Move, before: PackedHand) -> PackedHand {
    match (mv.dropped(), pos.at(mv.to())) {
        (Some(kind), _) => before.minus(kind),
        (None, Some(taken)) => before.plus(taken.base()),
        (None, None) => before,
    }
}

/// The least hand with which the attacker still mates, given what the proofs of all answers need.
/// A piece the attacker lacks is one the defender has: kinds that only the attacker holds and that
/// could be put between must stay where they are.
pub(crate) fn proof(pos: &Position, needed: PackedHand) -> PackedHand {
    let (defender, checkers) = (pos.turn(), pos.checkers());
    let between = match (pos.king(defender), checkers.first()) {
        (Some(_), Some(_)) if checkers.has_many() => return needed,
        (Some(king), Some(checker)) => lines::between(king, checker),
        // No check: only where the defender is asked first.
        _ => !pos.occupied(),
    };
    if between.is_empty() {
        return needed;
    }
    let (own, attacking) = (pos.hand(defender), pos.hand(defender.foe()));
    let mut proof = needed;
    for kind in PieceKind::HAND {
        let only_theirs = !own.has(kind) && attacking.has(kind);
        if only_theirs && can_drop_on(pos, defender, kind, between) {
            proof = proof.with(kind, attacking.count(kind));
        }
    }
    proof
}

/// The greatest hand with which the attacker still fails, given what the refutations of all checks
/// allow: no kind the attacker lacks whose drop would be a check nobody has looked at.
pub(crate) fn disproof(pos: &Position, king: Square, allowed: PackedHand) -> PackedHand {
    let attacker = pos.turn();
    let (hand, empty) = (pos.hand(attacker), !pos.occupied());
    let mut disproof = allowed;
    for kind in PieceKind::HAND {
        if hand.has(kind) || disproof.count(kind) == 0 {
            continue;
        }
        let checks = pos.squares_attacking(attacker, kind, king) & empty;
        if checks.any() && can_drop_on(pos, attacker, kind, checks) {
            disproof = disproof.with(kind, 0);
        }
    }
    disproof
}

/// The greatest hand with which the attacker fails after an answer of the defender that refutes:
/// if the answer is a drop, the attacker must leave the defender one of that kind.
pub(crate) fn escape(pos: &Position, mv: Move, allowed: PackedHand) -> PackedHand {
    let Some(kind) = mv.dropped() else {
        return allowed;
    };
    let off_board = Color::ALL.map(|color| pos.hand(color).count(kind));
    let most = (off_board[0] + off_board[1]).saturating_sub(1);
    if allowed.count(kind) > most {
        allowed.with(kind, most)
    } else {
        allowed
    }
}

/// Whether a kind may be dropped on one of some squares, pawn-drop mate left aside.
fn can_drop_on(pos: &Position, color: Color, kind: PieceKind, squares: Bitboard) -> bool {
    let pawns = pos.of_kind(PieceKind::Pawn) & pos.pieces(color);
    let first_rank = match kind {
        PieceKind::Pawn | PieceKind::Lance => 2,
        PieceKind::Knight => 3,
        _ => 1,
    };
    squares.iter().any(|square| {
        square.rank_for(color) >= first_rank
            && !(kind == PieceKind::Pawn && pawns.meets(Bitboard::file(square.file())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hands() -> Vec<PackedHand> {
        let mut hands = vec![PackedHand::EMPTY, PackedHand::FULL];
        let mut state = 1u64;
        for _ in 0..300 {
            let mut hand = PackedHand::EMPTY;
            for kind in PieceKind::HAND {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                hand = hand.with(kind, (state >> 33) as u32 % (kind.full_count() + 1));
            }
            hands.push(hand);
        }
        hands
    }

    #[test]
    fn fields_are_compared_one_by_one() {
        let hands = hands();
        for (&a, &b) in hands.iter().zip(hands.iter().rev()) {
            let (most, least) = (a.most(b), a.least(b));
            let mut covers = true;
            for kind in PieceKind::HAND {
                let (x, y) = (a.count(kind), b.count(kind));
                assert_eq!(most.count(kind), x.max(y));
                assert_eq!(least.count(kind), x.min(y));
                covers &= x >= y;
            }
            assert_eq!(a.covers(b), covers);
            assert!(most.covers(a) && most.covers(b) && a.covers(least) && b.covers(least));
        }
    }

    #[test]
    fn a_hand_goes_up_and_down_within_a_set() {
        for kind in PieceKind::HAND {
            assert_eq!(PackedHand::EMPTY.minus(kind), PackedHand::EMPTY);
            assert_eq!(PackedHand::FULL.plus(kind), PackedHand::FULL);
            assert_eq!(PackedHand::EMPTY.plus(kind).minus(kind), PackedHand::EMPTY);
        }
    }
}
