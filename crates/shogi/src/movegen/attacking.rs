//! Moves that put an attack on a square: by the piece that moves, or by one behind it whose line
//! it opens. With the king of the foe on the square, these are the checks.
//!
//! One of the special generators of OpenShogiLib (2003).

use super::legal::{aimed, aimed_piece};
use super::{Aim, Sink, generate};
use crate::attacks::{self, lines};
use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::side::Side;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::ops::ControlFlow::{self, Continue};

/// Hands every legal move to the sink after which the moved piece attacks `target`, or a piece
/// behind it does that did not before.
#[inline]
pub fn attacking(pos: &Position, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    generate!(attacking_for(pos: Position, target: Square), sink)
}

#[inline(always)]
fn attacking_for<S: Side>(pos: &Position, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
    let discoverers = pos.discoverers(S::COLOR, target);
    // A slider that already attacks the target stops shielding it from itself when it backs away,
    // and the piece on the target opens the lines behind it: both are looked at one by one.
    let attackers = pos.attackers(S::COLOR, target, pos.occupied()) & sliders(pos);
    let odd = (discoverers | attackers | Bitboard::of(target)) & pos.pieces(S::COLOR);
    putting_attacks::<S>(pos, target, odd, discoverers, sink)
}

/// The moves that give check to the king on `king`. Nothing attacks the king of the foe before
/// one's own move, so only the openers of lines need a look of their own.
#[inline(always)]
pub(super) fn checks_for<S: Side>(
    pos: &Position,
    king: Square,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let discoverers = pos.discoverers(S::COLOR, king);
    putting_attacks::<S>(pos, king, discoverers, discoverers, sink)
}

/// All pieces but the odd ones by kind, then the odd ones one by one.
#[inline(always)]
fn putting_attacks<S: Side>(
    pos: &Position,
    target: Square,
    odd: Bitboard,
    discoverers: Bitboard,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let (own, occupied) = (pos.pieces(S::COLOR), pos.occupied());
    let from = sources::<S>(target, occupied);
    let aim = Attacking {
        from: &from,
        movers: odd.complement(),
        land: !own,
        empty: !occupied,
    };
    aimed::<S, _>(pos, aim, sink)?;
    if odd.is_empty() {
        return Continue(());
    }
    odd.iter()
        .try_for_each(|mover| odd_moves::<S>(pos, target, mover, discoverers, sink))
}

/// From where each kind attacks the target.
#[derive(Clone, Copy)]
struct Attacking<'a> {
    /// By kind index, through the occupancy of the moment.
    from: &'a [Bitboard; 16],
    movers: Bitboard,
    land: Bitboard,
    empty: Bitboard,
}

impl Aim for Attacking<'_> {
    const SAME_DROPS: bool = false;
    #[inline(always)]
    fn movers(&self) -> Bitboard {
        self.movers
    }
    #[inline(always)]
    fn plain(&self, kind: PieceKind) -> Bitboard {
        self.from[kind.index()] & self.land
    }
    #[inline(always)]
    fn promoting(&self, promoted: PieceKind) -> Bitboard {
        self.from[promoted.index()] & self.land
    }
    #[inline(always)]
    fn drop(&self, kind: PieceKind) -> Bitboard {
        self.from[kind.index()] & self.empty
    }
}

/// The squares from which each kind of `S` attacks the target.
#[inline(always)]
fn sources<S: Side>(target: Square, occupied: Bitboard) -> [Bitboard; 16] {
    let foe = S::Foe::COLOR;
    let mut from = [Bitboard::EMPTY; 16];
    let reach = |kind| attacks::of(kind, foe, target, occupied);
    let (gold, king) = (reach(PieceKind::Gold), reach(PieceKind::King));
    let (bishop, rook) = (reach(PieceKind::Bishop), reach(PieceKind::Rook));
    for kind in PieceKind::ALL {
        from[kind.index()] = match kind {
            PieceKind::Bishop => bishop,
            PieceKind::Rook => rook,
            PieceKind::Horse => bishop | king,
            PieceKind::Dragon => rook | king,
            PieceKind::King => king,
            kind if kind.is_gold_mover() => gold,
            kind => reach(kind),
        };
    }
    from
}

/// The moves of one piece whose own place matters for the lines to the target.
#[cold]
#[inline(never)]
fn odd_moves<S: Side>(
    pos: &Position,
    target: Square,
    mover: Square,
    discoverers: Bitboard,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let own = pos.pieces(S::COLOR);
    let mut from = sources::<S>(target, pos.occupied() ^ Bitboard::of(mover));
    if discoverers.has(mover) {
        // On its side of the target the piece keeps the slider shut in; a lance may go beyond.
        let shut = lines::direction(target, mover).map(|side| lines::ray(target, side));
        let open = shut.map_or(Bitboard::EMPTY, Bitboard::complement);
        from.iter_mut().for_each(|squares| *squares |= open);
    }
    let movers = Bitboard::of(mover);
    let aim = Attacking {
        from: &from,
        movers,
        land: !own,
        empty: Bitboard::EMPTY,
    };
    aimed_piece::<S, _>(pos, mover, aim, sink)
}

#[inline(always)]
fn sliders(pos: &Position) -> Bitboard {
    pos.group(Group::Lances) | pos.group(Group::Bishops) | pos.group(Group::Rooks)
}
