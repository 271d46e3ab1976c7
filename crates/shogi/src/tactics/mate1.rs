//! Is there a mate in one? By sets of squares.
//!
//! A mating move must pass cheap tests: next to the king it must be defended, from afar nothing may
//! be dropped between, and every square the king could flee to must be covered. What passes is
//! played and asked for an answer, so that the verdict is exact in both directions.
//!
//! Bonanza (2005), Apery and YaneuraOu have a function for the same question.

use crate::attacks::{self, lines, sliders, steps};
use crate::bitboard::Bitboard;
use crate::kind::{Bishop, GoldMover, Kind, Knight, Lance, Rook, Silver};
use crate::movegen::{by_turn, has_legal_move};
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::hand::Hand;
use crate::types::moves::{Move, MoveList};
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::marker::PhantomData;

/// A move that mates at once, if there is one. The side to move may be in check itself.
///
/// ```
/// use tesuji_shogi::{Position, tactics::mate_in_one};
/// let mut pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// assert_eq!(mate_in_one(&mut pos), Some("G*5b".parse().unwrap()));
/// ```
pub fn mate_in_one(pos: &mut Position) -> Option<Move> {
    by_turn!(pos, mate_for(pos))
}

fn mate_for<S: Side>(pos: &mut Position) -> Option<Move> {
    let king = pos.king(S::Foe::COLOR)?;
    let net = MatingNet::<S>::new(pos, king);
    net.by_drop(pos)
        .or_else(|| net.by_contact(pos))
        .or_else(|| net.at_a_distance(pos))
        .or_else(|| net.by_opening_lines(pos))
}

/// What a mating move must reckon with.
struct MatingNet<S> {
    king: Square,
    /// The squares next to the king.
    around: Bitboard,
    /// Where the king could still go.
    open: Bitboard,
    /// What is attacked around the king, and what twice.
    covered: Bitboard,
    twice: Bitboard,
    /// Own pieces before an own slider: when they leave, it sees more of the king's surroundings.
    openers: Bitboard,
    occupied: Bitboard,
    /// Whether the foe can drop something on any square between.
    blockable: bool,
    side: PhantomData<S>,
}

impl<S: Side> MatingNet<S> {
    #[inline(always)]
    fn new(pos: &Position, king: Square) -> Self {
        let occupied = pos.occupied();
        let (mut covered, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let (mut own_sliders, mut shut) = ([king; 8], 0);
        pos.attacks_around::<S::Foe>(king, occupied, |group, from, reach| {
            twice |= covered & reach;
            covered |= reach;
            let slides = matches!(group, Group::Lances | Group::Bishops | Group::Rooks);
            if slides && reach.meets(pos.pieces(S::COLOR)) {
                own_sliders[shut & 7] = from;
                shut += 1;
            }
        });
        let around = steps::king(king);
        let open = around.without(pos.pieces(S::Foe::COLOR) | covered);
        let mut openers = Bitboard::EMPTY;
        // They may uncover the king, cover an escape, or defend the square where they land.
        let wanted = around.without(pos.pieces(S::COLOR)) | Bitboard::of(king);
        for &from in &own_sliders[..shut.min(8)] {
            openers |= Self::openers_before(pos, from, wanted);
        }
        Self {
            king,
            around,
            open,
            covered,
            twice,
            openers,
            occupied,
            blockable: blocks_anywhere(pos.hand(S::Foe::COLOR)),
            side: PhantomData,
        }
    }

    /// The own pieces next in line before an own slider, if it would see one of the `wanted`
    /// squares without them.
    #[inline(always)]
    fn openers_before(pos: &Position, from: Square, wanted: Bitboard) -> Bitboard {
        let occupied = pos.occupied();
        let slide = |occupied| match pos.at(from).map(|piece| piece.kind()) {
            Some(PieceKind::Lance) => sliders::lance(S::COLOR, from, occupied),
            Some(PieceKind::Bishop | PieceKind::Horse) => sliders::bishop(from, occupied),
            _ => sliders::rook(from, occupied),
        };
        let reach: Bitboard = slide(occupied);
        let next = reach & pos.pieces(S::COLOR);
        let behind = slide(occupied ^ next).without(reach);
        if behind.meets(wanted) {
            next
        } else {
            Bitboard::EMPTY
        }
    }

    /// From where a kind gives check.
    #[inline(always)]
    fn sources<K: Kind>(&self) -> Bitboard {
        K::attacks::<S::Foe>(self.king, self.occupied)
    }

    /// Whether a piece that arrives on a square leaves the king nowhere to flee to.
    #[inline(always)]
    fn shuts_in<K: Kind>(&self, to: Square) -> bool {
        let open = self.open.without(Bitboard::of(to));
        open.is_empty() || {
            let through_king = self.occupied ^ Bitboard::of(self.king);
            open.without(K::attacks::<S>(to, through_king)).is_empty()
        }
    }

    /// Drops next to the king, of knights, and of sliders from afar.
    #[inline(always)]
    fn by_drop(&self, pos: &mut Position) -> Option<Move> {
        let hand = pos.hand(S::COLOR);
        if !hand.has_more_than_pawns() {
            return None;
        }
        let near = (self.around & self.covered).without(self.occupied);
        let far = self.around.complement().without(self.occupied);
        // From afar a slider covers the two squares of its line, a knight none.
        let far_line = if self.blockable || self.open.len() > 2 {
            Bitboard::EMPTY
        } else {
            far
        };
        let far_jump = if self.open.any() {
            Bitboard::EMPTY
        } else {
            far.without(S::LAST_TWO)
        };
        let mut tries = MoveList::new();
        self.drops_of::<GoldMover>(hand, near, &mut tries);
        self.drops_of::<Silver>(hand, near, &mut tries);
        self.drops_of::<Rook>(hand, near | far_line, &mut tries);
        self.drops_of::<Bishop>(hand, near | far_line, &mut tries);
        self.drops_of::<Lance>(hand, (near | far_line).without(S::LAST), &mut tries);
        self.drops_of::<Knight>(hand, far_jump, &mut tries);
        self.first_mate(pos, &tries)
    }

    #[inline(always)]
    fn drops_of<K: Kind>(&self, hand: Hand, to: Bitboard, tries: &mut MoveList) {
        if to.any() && hand.has(K::KIND) {
            (to & self.sources::<K>()).each(|to| {
                if self.shuts_in::<K>(to) {
                    tries.push(Move::drop(K::KIND, to));
                }
            });
        }
    }

    /// Moves to a square next to the king that another piece defends.
    #[inline(always)]
    fn by_contact(&self, pos: &mut Position) -> Option<Move> {
        let landing = (self.around & self.twice).without(pos.pieces(S::COLOR));
        if landing.is_empty() {
            return None;
        }
        let mut tries = MoveList::new();
        landing.each(|to| {
            let own_king = pos.king(S::COLOR).map_or(Bitboard::EMPTY, Bitboard::of);
            let movers = pos.attackers(S::COLOR, to, self.occupied);
            movers
                .without(self.openers | own_king)
                .each(|from| self.try_move(pos, from, to, &mut tries));
        });
        self.first_mate(pos, &tries)
    }

    /// Moves of knights and sliders that check from a distance.
    #[inline(always)]
    fn at_a_distance(&self, pos: &mut Position) -> Option<Move> {
        let own = pos.pieces(S::COLOR).without(self.openers);
        let knights = pos.group(Group::Knights) & own;
        let mut tries = MoveList::new();
        if self.open.is_empty() && knights.any() {
            let jumps = self.sources::<Knight>().without(pos.pieces(S::COLOR));
            jumps.each(|to| {
                let from = steps::knight(S::Foe::COLOR, to) & knights;
                from.each(|from| self.try_move(pos, from, to, &mut tries));
            });
        }
        // Not even a dragon covers more than five squares from there.
        if !self.blockable && self.open.len() <= 5 {
            self.sliders_at_a_distance(pos, own, &mut tries);
        }
        self.first_mate(pos, &tries)
    }

    fn sliders_at_a_distance(&self, pos: &Position, own: Bitboard, tries: &mut MoveList) {
        let far = self.around.complement().without(pos.pieces(S::COLOR));
        // Only a horse or a dragon two steps away covers more than its line.
        let on_line = self.open.len() <= 2;
        let far = if on_line {
            far
        } else {
            far & two_steps(self.king)
        };
        let mut land = |from: Square, reach: Bitboard, landing: Bitboard| {
            (reach & landing).each(|to| self.try_move(pos, from, to, tries));
        };
        let lances = pos.group(Group::Lances) & own;
        if on_line && lances.any() {
            let landing = self.sources::<Lance>() & far;
            lances.each(|from| land(from, Lance::attacks::<S>(from, self.occupied), landing));
        }
        let steppers = pos.group(Group::KingSteppers);
        let steps = |from: Square| {
            if steppers.has(from) {
                steps::king(from)
            } else {
                Bitboard::EMPTY
            }
        };
        let bishops = pos.group(Group::Bishops) & own;
        if bishops.any() {
            let landing = self.sources::<Bishop>() & far;
            if landing.any() {
                bishops.each(|from| {
                    land(
                        from,
                        sliders::bishop(from, self.occupied) | steps(from),
                        landing,
                    );
                });
            }
        }
        let rooks = pos.group(Group::Rooks) & own;
        if rooks.any() {
            let landing = self.sources::<Rook>() & far;
            if landing.any() {
                rooks.each(|from| {
                    land(
                        from,
                        sliders::rook(from, self.occupied) | steps(from),
                        landing,
                    );
                });
            }
        }
    }

    /// Notes the move and its promotion if they are checks that leave no way out.
    #[inline(always)]
    fn try_move(&self, pos: &Position, from: Square, to: Square, tries: &mut MoveList) {
        let Some(piece) = pos.at(from) else { return };
        let promoted = piece
            .kind()
            .promoted()
            .filter(|_| S::ZONE.has(from) || S::ZONE.has(to));
        if promoted.is_some_and(|kind| self.checks_and_shuts_in(kind, to)) {
            tries.push(Move::promotion(from, to));
        }
        if self.checks_and_shuts_in(piece.kind(), to) {
            tries.push(Move::board(from, to));
        }
    }

    #[inline(always)]
    fn checks_and_shuts_in(&self, kind: PieceKind, to: Square) -> bool {
        let through_king = self.occupied ^ Bitboard::of(self.king);
        let reach = attacks::of(kind, S::COLOR, to, through_king);
        reach.has(self.king) && self.open.without(reach | Bitboard::of(to)).is_empty()
    }

    /// Checks by pieces that open a line when they leave: rare, so each is looked at closely.
    #[inline(always)]
    fn by_opening_lines(&self, pos: &mut Position) -> Option<Move> {
        if self.openers.is_empty() {
            return None;
        }
        self.each_opener(pos)
    }

    #[cold]
    #[inline(never)]
    fn each_opener(&self, pos: &mut Position) -> Option<Move> {
        let discoverers = pos.discoverers(S::COLOR, self.king);
        let mut tries = MoveList::new();
        self.openers.each(|from| {
            let off_line = if discoverers.has(from) {
                lines::through(self.king, from).complement()
            } else {
                Bitboard::EMPTY
            };
            self.try_opener(pos, from, off_line, &mut tries);
        });
        self.first_mate(pos, &tries)
    }

    /// Notes the moves of an opener that check, directly or by leaving the line, and shut in.
    fn try_opener(&self, pos: &Position, from: Square, off_line: Bitboard, tries: &mut MoveList) {
        let Some(piece) = pos.at(from) else { return };
        let left = self.occupied ^ Bitboard::of(from);
        let reach = attacks::of(piece.kind(), S::COLOR, from, self.occupied);
        let reach = reach.without(pos.pieces(S::COLOR));
        let sources = |kind: PieceKind| match kind {
            PieceKind::King => off_line,
            kind => attacks::of(kind, S::Foe::COLOR, self.king, left) | off_line,
        };
        if let Some(promoted) = piece.kind().promoted() {
            let zone = if S::ZONE.has(from) {
                Bitboard::ALL
            } else {
                S::ZONE
            };
            (reach & zone & sources(promoted)).each(|to| {
                if self.opens_and_shuts_in(pos, promoted, left, to) {
                    tries.push(Move::promotion(from, to));
                }
            });
        }
        (reach & sources(piece.kind())).each(|to| {
            if self.opens_and_shuts_in(pos, piece.kind(), left, to) {
                tries.push(Move::board(from, to));
            }
        });
    }

    fn opens_and_shuts_in(
        &self,
        pos: &Position,
        kind: PieceKind,
        left: Bitboard,
        to: Square,
    ) -> bool {
        let occupied = left | Bitboard::of(to);
        let reach = attacks::of(kind, S::COLOR, to, occupied ^ Bitboard::of(self.king));
        // The mover still counts where it stood: that lets too much through, never too little.
        let covered = pos.attacked_around::<S::Foe>(self.king, occupied);
        let escapes = self
            .around
            .without(pos.pieces(S::Foe::COLOR) | Bitboard::of(to));
        escapes.without(covered | reach).is_empty()
    }
}

impl<S: Side> MatingNet<S> {
    /// The first of some checks that is legal and has no answer.
    #[inline(always)]
    fn first_mate(&self, pos: &mut Position, tries: &MoveList) -> Option<Move> {
        tries.iter().find(|&mv| self.mates(pos, mv))
    }

    /// Whether a check is legal and has no answer.
    #[inline(always)]
    fn mates(&self, pos: &mut Position, mv: Move) -> bool {
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let landed = Bitboard::of(mv.to());
        let occupied = self.occupied.without(left) | landed;
        let takers = pos.attackers(S::Foe::COLOR, mv.to(), occupied);
        let takers = takers.without(Bitboard::of(self.king) | landed);
        // A move that opens a line may check twice: who could take one checker proves nothing.
        let opens = self.openers.meets(left);
        if takers.any() && !opens && takers.without(pos.shields_of::<S::Foe>(occupied)).any() {
            return false;
        }
        if !pos.is_legal(mv) {
            return false;
        }
        // Next to the king nothing steps between, and nobody takes: the king alone could answer.
        let king_alone = takers.is_empty() && !opens && self.around.has(mv.to());
        pos.play(mv);
        let mate = if king_alone {
            let escapes = self.around.without(pos.pieces(S::Foe::COLOR));
            escapes
                .without(pos.attacked_around::<S::Foe>(self.king, pos.occupied()))
                .is_empty()
        } else {
            !has_legal_move(pos)
        };
        pos.undo();
        mate
    }
}

/// The squares at most two king's steps away.
#[inline(always)]
fn two_steps(king: Square) -> Bitboard {
    static NEAR: [Bitboard; 81] = {
        let mut table = [Bitboard::EMPTY; 81];
        let mut s = 0;
        while s < 81 {
            let (mut files, mut ranks) = (-2, -2);
            while files <= 2 {
                if let Some(near) = Square::trusted(s as u8).shifted(files, ranks) {
                    table[s] = table[s].or(Bitboard::of(near));
                }
                ranks += 1;
                if ranks > 2 {
                    (files, ranks) = (files + 1, -2);
                }
            }
            s += 1;
        }
        table
    };
    NEAR[king.index()]
}

/// Whether there is a piece in hand that can be dropped on any empty square.
#[inline(always)]
fn blocks_anywhere(hand: Hand) -> bool {
    use PieceKind::{Bishop, Gold, Rook, Silver};
    [Silver, Gold, Bishop, Rook]
        .into_iter()
        .any(|kind| hand.has(kind))
}
