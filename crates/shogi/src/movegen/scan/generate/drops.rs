//! Drops: two pawns, last ranks, pawn-drop mate.

use super::has_reply;
use crate::movegen::scan::buffer::{ShortBuffer, can_stay};
use crate::movegen::scan::look::{AHEAD, Around, BACK, after};
use crate::movegen::scan::pieces::DropSquares;
use crate::movegen::scan::placement::Placement;
use crate::side::Side;
use crate::sink::{MoveBatch, Sink};
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// The places in [`DropSquares::ends`].
const FOR_KNIGHTS: usize = 0;
const FOR_PAWNS_AND_LANCES: usize = 1;
const FOR_ALL: usize = 2;

/// Every drop of a side that is not in check.
#[inline(always)]
pub(super) fn drops<S: Side>(
    now: &Placement,
    found: &DropSquares,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let hand = now.hands[S::COLOR];
    if hand.is_empty() {
        return Continue(());
    }
    let mut drop = |kind: PieceKind, (list, count): (&[u16], usize)| {
        if hand.has(kind) {
            sink.batch(MoveBatch::new(Move::drop_bits(kind), list, count))
        } else {
            Continue(())
        }
    };
    let all = (&found.empty[..], usize::from(found.ends[8][FOR_ALL]));
    drop(PieceKind::Silver, all)?;
    drop(PieceKind::Bishop, all)?;
    drop(PieceKind::Rook, all)?;
    drop(PieceKind::Gold, all)?;
    let mut list = [0; 136];
    if hand.has(PieceKind::Knight) {
        let count = found.part(FOR_KNIGHTS, 0, &mut list);
        drop(PieceKind::Knight, (&list, count))?;
    }
    if hand.has(PieceKind::Lance) {
        let count = found.part(FOR_PAWNS_AND_LANCES, 0, &mut list);
        drop(PieceKind::Lance, (&list, count))?;
    }
    if hand.has(PieceKind::Pawn) {
        let mut count = found.part(FOR_PAWNS_AND_LANCES, found.pawn_files, &mut list);
        if let Some(to) = mating_pawn_drop::<S>(now, found.pawn_files) {
            count = without(&mut list, count, to);
        }
        drop(PieceKind::Pawn, (&list, count))?;
    }
    Continue(())
}

impl DropSquares {
    /// Lists the empty squares for knights, or for pawns and lances, without some files; says how
    /// many there are.
    #[inline(always)]
    fn part(&self, sort: usize, without: u32, list: &mut [u16; 136]) -> usize {
        let (mut count, mut start) = (0, 0);
        for (file, ends) in self.ends.iter().enumerate() {
            // Eight squares are copied, and as many count as there are.
            list[count & 127..][..8].copy_from_slice(&self.empty[start & 127..][..8]);
            if without >> file & 1 == 0 {
                count += usize::from(ends[sort]) - start;
            }
            start = usize::from(ends[FOR_ALL]);
        }
        count
    }
}

/// Takes a square out of a list that has it.
#[cold]
fn without(list: &mut [u16; 136], count: usize, square: usize) -> usize {
    let last = count.saturating_sub(1);
    if let Some(at) = list.iter().position(|&to| usize::from(to) == square) {
        list[at] = list[last & 127];
    }
    last
}

/// The square before the king of the foe, if a pawn could be dropped there but would be mate.
#[inline(always)]
fn mating_pawn_drop<S: Side>(now: &Placement, pawn_files: u32) -> Option<usize> {
    let king = now.king(S::Foe::COLOR)?.index();
    let to = after::<S>(king, BACK);
    let possible = Around::<S>::ROOM[king][BACK] > 0
        && pawn_files >> (king / 9) & 1 == 0
        && now.squares.0[to].is_none();
    (possible && is_pawn_drop_mate::<S>(now, to)).then_some(to)
}

/// Whether a pawn dropped on the square before the king of the foe would be mate.
#[cold]
fn is_pawn_drop_mate<S: Side>(now: &Placement, to: usize) -> bool {
    let mut then = *now;
    then.squares.0[to] = Some(Piece::new(S::COLOR, PieceKind::Pawn));
    !has_reply::<S::Foe>(&then)
}

/// The drops on one empty square: those of a side in check between its king and the checker, for
/// example.
pub(in crate::movegen::scan) fn drops_on<S: Side>(
    now: &Placement,
    to: usize,
    moves: &mut ShortBuffer,
    mut count: usize,
) -> usize {
    let hand = now.hands[S::COLOR];
    for kind in PieceKind::HAND {
        let keep = hand.has(kind)
            && can_stay::<S>(kind, to)
            && (kind != PieceKind::Pawn || may_drop_pawn::<S>(now, to));
        count = moves.put(count, Move::drop_bits(kind) | to as u16, keep);
    }
    count
}

/// Whether a pawn in hand may be dropped on an empty square that is not on the last rank.
fn may_drop_pawn<S: Side>(now: &Placement, to: usize) -> bool {
    let file = to / 9 * 9;
    let pawn = Some(Piece::new(S::COLOR, PieceKind::Pawn));
    // There is a square ahead, or no pawn could stay here.
    let ahead = Square::new(after::<S>(to, AHEAD));
    let checks = ahead.is_some() && ahead == now.king(S::Foe::COLOR);
    let is_second = now.squares.0[file..file + 9].contains(&pawn);
    !(is_second || checks && is_pawn_drop_mate::<S>(now, to))
}
