//! Is there a mate in one? By sets of squares.
//!
//! A mating move must pass cheap tests: next to the king it must be defended, from afar nothing may
//! be dropped between, and every square the king could flee to must be covered. Next to the king a
//! byte answers that, and what passes needs a look at those who could take; the rest is played and
//! asked for an answer, so that the verdict is exact in both directions.
//!
//! Bonanza (2005), Apery and YaneuraOu have a function for the same question.

mod openers;
mod ring;

use crate::attacks::{self, sliders, steps};
use crate::bitboard::Bitboard;
use crate::kind::{Bishop, Kind, Knight, Lance, Rook};
use crate::movegen::{by_turn, has_legal_move};
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::hand::Hand;
use crate::types::moves::{Move, MoveList};
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use ring::{Ring, Shuts};
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
    /// The squares next to the king, and what stands there.
    ring: Ring,
    own: Ring,
    foes: Ring,
    /// Where the king could still go.
    open: Ring,
    /// What is attacked around the king, and what twice.
    covered: Ring,
    twice: Ring,
    /// Own pieces that may attack a square next to the king with a step, and with a slide.
    near: Bitboard,
    far: Bitboard,
    /// All that these sliders reach.
    slid: Bitboard,
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
        let (mine, theirs) = (pos.pieces(S::COLOR), pos.pieces(S::Foe::COLOR));
        let occupied = mine | theirs;
        let [near, far] = pos.threats_around::<S::Foe>(king);
        let (mut covered, mut twice) = (0, 0);
        near.each(|from| {
            let kind = pos.at(from).map_or(PieceKind::Pawn, |piece| piece.kind());
            let steps = ring::stepped_on(S::COLOR, kind, from, king);
            twice |= covered & steps;
            covered |= steps;
        });
        let (mut slid, mut slid_twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut openers = Bitboard::EMPTY;
        if far.any() {
            let movers = openers::possible(pos, near | far);
            far.each(|from| {
                let slider = openers::Slider::at::<S>(pos, from);
                let reach = slider.reach(occupied ^ Bitboard::of(king));
                slid_twice |= slid & reach;
                slid |= reach;
                openers |= slider.openers::<S>(pos, king, reach, movers);
            });
            let slides = ring::gather(slid, king);
            twice |= ring::gather(slid_twice, king) | covered & slides;
            covered |= slides;
        }
        let ring = ring::on_board(king);
        let foes = ring::gather(theirs, king);
        Self {
            king,
            ring,
            own: ring::gather(mine, king),
            foes,
            open: ring & !(foes | covered),
            covered,
            twice,
            near,
            far,
            slid,
            openers,
            occupied,
            blockable: blocks_anywhere(pos.hand(S::Foe::COLOR)),
            side: PhantomData,
        }
    }

    /// From where a kind gives check.
    #[inline(always)]
    fn sources<K: Kind>(&self) -> Bitboard {
        K::attacks::<S::Foe>(self.king, self.occupied)
    }

    /// Drops next to the king, of knights, and of sliders from afar.
    #[inline(always)]
    fn by_drop(&self, pos: &mut Position) -> Option<Move> {
        let hand = pos.hand(S::COLOR);
        if !hand.has_more_than_pawns() {
            return None;
        }
        let near = self.ring & self.covered & !(self.own | self.foes);
        for (kind, place) in Shuts::of(S::COLOR, self.open).by_drops(hand, near) {
            let to = ring::square_at(self.king, place);
            if self.drop_mates(pos, kind, to, 1 << place) {
                return Some(Move::drop(kind, to));
            }
        }
        // From afar a slider covers the squares of its line, a knight none.
        let is_line_free = !self.blockable && ring::is_on_a_line(self.open);
        if is_line_free || self.open == 0 {
            self.by_far_drop(pos, hand, is_line_free)
        } else {
            None
        }
    }

    /// Whether a drop that leaves the king nowhere to flee to has no answer.
    #[inline(always)]
    fn drop_mates(&self, pos: &mut Position, kind: PieceKind, to: Square, place: Ring) -> bool {
        let occupied = self.occupied | Bitboard::of(to);
        let takers = pos.attackers(S::Foe::COLOR, to, occupied);
        let takers = takers.without(Bitboard::of(self.king));
        if takers.any() || pos.in_check() {
            return self.has_no_answer(pos, Move::drop(kind, to), takers, occupied);
        }
        !self.slid.has(to) || {
            // An own slider may have covered something beyond.
            let covered = self.covered_after(pos, Bitboard::EMPTY, occupied);
            let through_king = occupied ^ Bitboard::of(self.king);
            let seen = ring::gather(attacks::of(kind, S::COLOR, to, through_king), self.king);
            place & !covered == 0 && self.ring & !(self.foes | place | covered | seen) == 0
        }
    }

    fn by_far_drop(&self, pos: &mut Position, hand: Hand, is_line_free: bool) -> Option<Move> {
        let far = (steps::king(self.king) | self.occupied).complement();
        let line = if is_line_free { far } else { Bitboard::EMPTY };
        let jump = if self.open == 0 { far } else { Bitboard::EMPTY };
        let mut tries = MoveList::new();
        self.far_drops_of::<Rook>(hand, line, &mut tries);
        self.far_drops_of::<Bishop>(hand, line, &mut tries);
        self.far_drops_of::<Lance>(hand, line.without(S::LAST), &mut tries);
        self.far_drops_of::<Knight>(hand, jump.without(S::LAST_TWO), &mut tries);
        self.first_mate(pos, &tries)
    }

    #[inline(always)]
    fn far_drops_of<K: Kind>(&self, hand: Hand, to: Bitboard, tries: &mut MoveList) {
        if to.any() && hand.has(K::KIND) {
            let sources = K::attacks::<S::Foe>(self.king, self.occupied);
            (to & sources).each(|to| {
                if self.checks_and_shuts_in(K::KIND, to) {
                    tries.push(Move::drop(K::KIND, to));
                }
            });
        }
    }

    /// What is attacked around the king when a piece has left and another one has landed.
    fn covered_after(&self, pos: &Position, left: Bitboard, occupied: Bitboard) -> Ring {
        let through_king = occupied ^ Bitboard::of(self.king);
        let mut covered = 0;
        self.near.without(left).each(|from| {
            let kind = pos.at(from).map_or(PieceKind::Pawn, |piece| piece.kind());
            covered |= ring::stepped_on(S::COLOR, kind, from, self.king);
        });
        let mut slid = Bitboard::EMPTY;
        self.far.without(left).each(|from| {
            slid |= openers::Slider::at::<S>(pos, from).reach(through_king);
        });
        covered | ring::gather(slid, self.king)
    }

    /// Moves to a square next to the king that another piece defends.
    #[inline(always)]
    fn by_contact(&self, pos: &mut Position) -> Option<Move> {
        let shuts = Shuts::of(S::COLOR, self.open);
        let mut landing = self.ring & self.twice & !self.own & shuts.by_any();
        while landing != 0 {
            let place = landing.trailing_zeros();
            if let Some(mate) = self.contact_at(pos, shuts, place) {
                return Some(mate);
            }
            landing &= landing - 1;
        }
        None
    }

    fn contact_at(&self, pos: &mut Position, shuts: Shuts, place: u32) -> Option<Move> {
        let to = ring::square_at(self.king, place);
        let own_king = pos.king(S::COLOR).map_or(Bitboard::EMPTY, Bitboard::of);
        let movers = pos.attackers(S::COLOR, to, self.occupied);
        for from in movers.without(self.openers | own_king).iter() {
            let Some(kind) = pos.at(from).map(|piece| piece.kind()) else {
                continue;
            };
            let promoted = kind
                .promoted()
                .filter(|_| S::ZONE.has(from) || S::ZONE.has(to));
            if promoted.is_some_and(|promoted| shuts.by(promoted) >> place & 1 == 1) {
                let mv = Move::promotion(from, to);
                if self.contact_mates(pos, mv, kind, place) {
                    return Some(mv);
                }
            }
            if shuts.by(kind) >> place & 1 == 1 {
                let mv = Move::board(from, to);
                if self.contact_mates(pos, mv, kind, place) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// Whether a check from a square next to the king is legal and has no answer.
    fn contact_mates(&self, pos: &mut Position, mv: Move, kind: PieceKind, place: u32) -> bool {
        let (left, landed) = (Bitboard::of(mv.origin()), Bitboard::of(mv.to()));
        let occupied = self.occupied.without(left) | landed;
        let takers = pos.attackers(S::Foe::COLOR, mv.to(), occupied);
        let takers = takers.without(Bitboard::of(self.king) | landed);
        if takers.any() || pos.in_check() || pos.pinned().meets(left) {
            return self.has_no_answer(pos, mv, takers, occupied);
        }
        let after = match kind.promoted() {
            Some(promoted) if mv.is_promotion() => promoted,
            _ => kind,
        };
        let escapes = self.ring & !self.foes & !(1 << place);
        // A slider leaves, one that stays may see less than before, or something stands in the way
        // of a dragon on a diagonal.
        let is_dragon = kind == PieceKind::Dragon;
        if self.far.meets(left) || self.slid.meets(landed) || is_dragon {
            let covered = self.covered_after(pos, left, occupied);
            let through_king = occupied ^ Bitboard::of(self.king);
            let reach = attacks::of(after, S::COLOR, mv.to(), through_king);
            let seen = ring::gather(reach, self.king);
            return covered >> place & 1 == 1 && escapes & !(covered | seen) == 0;
        }
        // What the piece covered where it stood is covered by another one or from where it lands.
        let before = ring::stepped_on(S::COLOR, kind, mv.origin(), self.king);
        let covered = self.covered & !before | self.twice;
        escapes & !(covered | ring::covered_from(S::COLOR, after, place)) == 0
    }

    /// Moves of knights and sliders that check from a distance.
    #[inline(always)]
    fn at_a_distance(&self, pos: &mut Position) -> Option<Move> {
        let knights = pos.group(Group::Knights) & pos.pieces(S::COLOR);
        let jumps = self.open == 0 && knights.any();
        // Not even a dragon covers more than five squares from there.
        let slides = !self.blockable && self.open.count_ones() <= 5;
        if jumps || slides {
            self.each_at_a_distance(pos, jumps, slides)
        } else {
            None
        }
    }

    fn each_at_a_distance(&self, pos: &mut Position, jumps: bool, slides: bool) -> Option<Move> {
        let own = pos.pieces(S::COLOR).without(self.openers);
        let knights = pos.group(Group::Knights) & own;
        let mut tries = MoveList::new();
        if jumps {
            let to = self.sources::<Knight>().without(pos.pieces(S::COLOR));
            to.each(|to| {
                let from = steps::knight(S::Foe::COLOR, to) & knights;
                from.each(|from| self.try_move(pos, from, to, &mut tries));
            });
        }
        if slides {
            self.sliders_at_a_distance(pos, own, &mut tries);
        }
        self.first_mate(pos, &tries)
    }

    fn sliders_at_a_distance(&self, pos: &Position, own: Bitboard, tries: &mut MoveList) {
        let around = steps::king(self.king);
        let far = around.complement().without(pos.pieces(S::COLOR));
        // Only a horse or a dragon two steps away covers more than its line.
        let on_line = ring::is_on_a_line(self.open);
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
        let seen = ring::gather(reach | Bitboard::of(to), self.king);
        reach.has(self.king) && self.open & !seen == 0
    }

    /// The first of some checks that is legal and has no answer.
    #[inline(always)]
    fn first_mate(&self, pos: &mut Position, tries: &MoveList) -> Option<Move> {
        tries.iter().find(|&mv| self.mates(pos, mv))
    }

    /// Whether a check is legal and has no answer.
    fn mates(&self, pos: &mut Position, mv: Move) -> bool {
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        let landed = Bitboard::of(mv.to());
        let occupied = self.occupied.without(left) | landed;
        let takers = pos.attackers(S::Foe::COLOR, mv.to(), occupied);
        let takers = takers.without(Bitboard::of(self.king) | landed);
        self.has_no_answer(pos, mv, takers, occupied)
    }

    /// The same, given who of the foe except the king could take.
    fn has_no_answer(
        &self,
        pos: &mut Position,
        mv: Move,
        takers: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        let left = mv.from().map_or(Bitboard::EMPTY, Bitboard::of);
        // A move that opens a line may check twice: who could take one checker proves nothing.
        let opens = self.openers.meets(left);
        if takers.any() && !opens && takers.without(pos.shields_of::<S::Foe>(occupied)).any() {
            return false;
        }
        if !pos.is_legal(mv) {
            return false;
        }
        // Next to the king nothing steps between, and nobody takes: the king alone could answer.
        let around = steps::king(self.king);
        let king_alone = takers.is_empty() && !opens && around.has(mv.to());
        pos.play(mv);
        let mate = if king_alone {
            let escapes = around.without(pos.pieces(S::Foe::COLOR));
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
