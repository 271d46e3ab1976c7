//! Checks for the attacker, answers for the defender, and which of them wait for each other.
//!
//! That interpositions wait is usual in solvers since Nagai.

use crate::dominance::{self, PackedHand};
use crate::node::{Child, NONE, ProofState};
use crate::table::{Length, PositionKey};
use tesuji_shogi::{Bitboard, Color, Move, MoveList, Piece, PieceKind, Position, Square, movegen};

static PIECES: [[u64; 128]; 32] = {
    let mut table = [[0; 128]; 32];
    let mut seed = 0x5b2d_91c6_03f7_4e8au64;
    let mut i = 0;
    while i < 32 * 81 {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[i / 81][i % 81] = x ^ x >> 31;
        i += 1;
    }
    table
};

/// Added when the defender is to move.
const TURN: u64 = 0x71c5_e0d8_4f9b_3a27;

/// What a piece on a square adds to the key.
#[inline(always)]
pub(crate) fn share(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index() & 31][square.index() & 127]
}

/// A number for the board and the side to move, without the hands.
pub(crate) fn board_key(pos: &Position, attacker: Color) -> u64 {
    let turn = if pos.turn() == attacker { 0 } else { TURN };
    Square::all()
        .filter_map(|square| pos.at(square).map(|piece| share(piece, square)))
        .fold(turn, |key, share| key ^ share)
}

/// The key after a move.
#[inline(always)]
pub(crate) fn key_after(pos: &Position, key: u64, mv: Move) -> u64 {
    let to = mv.to();
    let key = key ^ TURN;
    let Some(from) = mv.from() else {
        let kind = mv.dropped().expect("a move that starts nowhere is a drop");
        return key ^ share(Piece::new(pos.turn(), kind), to);
    };
    let piece = pos.at(from).expect("a piece stands where the move starts");
    let placed = match piece.promoted() {
        Some(promoted) if mv.is_promotion() => promoted,
        _ => piece,
    };
    let taken = pos.at(to).map_or(0, |taken| share(taken, to));
    key ^ share(piece, from) ^ share(placed, to) ^ taken
}

/// Collects the moves of a position: the checks of the attacker or the answers of the defender.
pub(crate) fn moves(pos: &Position, attacking: bool, list: &mut MoveList) {
    list.clear();
    let _ = if attacking {
        movegen::checks(pos, list)
    } else {
        movegen::legal(pos, list)
    };
}

/// Fills the children of a position, chained where one waits for another. The table is asked for
/// each with `fetch` as soon as its key is known, so that the answers come in together.
pub(crate) fn children(
    pos: &Position,
    attacking: bool,
    position: PositionKey,
    list: &MoveList,
    children: &mut Vec<Child>,
    fetch: impl Fn(u64),
) {
    children.clear();
    let defender = if attacking {
        pos.turn().foe()
    } else {
        pos.turn()
    };
    let Some(king) = pos.king(defender) else {
        return;
    };
    for mv in list.iter() {
        let hand = if attacking {
            dominance::after(pos, mv, position.hand)
        } else {
            position.hand
        };
        let key = key_after(pos, position.key, mv);
        fetch(key);
        children.push(Child {
            mv,
            rank: rank(pos, king, mv),
            state: ProofState::Fresh,
            active: true,
            is_delayed: false,
            shared: false,
            next: NONE,
            position: PositionKey { key, hand },
            phi: 1,
            delta: 1,
            hand: PackedHand::EMPTY,
            length: Length::ANY,
            mask: 0,
        });
    }
    chain_promotions(pos, children);
    if attacking {
        share_lances(pos, king, children);
    } else {
        chain_drops(pos, children);
    }
}

/// A rough order: strong pieces near the king first.
fn rank(pos: &Position, king: Square, mv: Move) -> i16 {
    const WORTH: [i16; 16] = [
        0, 10, 20, 20, 30, 50, 50, 50, 80, 50, 50, 50, 50, 80, 80, 80,
    ];
    let to = mv.to();
    let kind = match (mv.dropped(), mv.from().and_then(|from| pos.at(from))) {
        (Some(kind), _) => kind,
        (None, Some(piece)) if mv.is_promotion() => piece.kind().promoted().unwrap_or(piece.kind()),
        (None, Some(piece)) => piece.kind(),
        (None, None) => PieceKind::Pawn,
    };
    let files = king.file().abs_diff(to.file());
    let ranks = king.rank().abs_diff(to.rank());
    10 * i16::from(files.max(ranks)) - WORTH[kind.index() & 15]
}

/// A move that could promote and never gains by not doing so, except around pawn-drop mates, waits
/// for the promotion.
fn chain_promotions(pos: &Position, children: &mut [Child]) {
    let color = pos.turn();
    for i in 0..children.len() {
        let mv = children[i].mv;
        if !mv.is_promotion() {
            continue;
        }
        let Some(piece) = mv.from().and_then(|from| pos.at(from)) else {
            continue;
        };
        let never_better = match piece.kind() {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
            PieceKind::Lance => mv.to().rank_for(color) == 2,
            _ => false,
        };
        if !never_better {
            continue;
        }
        let twin = children.iter().position(|child| {
            child.mv.from() == mv.from() && child.mv.to() == mv.to() && !child.mv.is_promotion()
        });
        if let Some(twin) = twin {
            children[i].next = twin as u16;
            children[twin].active = false;
            children[twin].is_delayed = true;
            children[twin].rank += 1000;
        }
    }
}

/// A lance next to the king checks promoted or not: nearly the same position.
fn share_lances(pos: &Position, king: Square, children: &mut [Child]) {
    let color = pos.turn();
    for child in children {
        let lance = child
            .mv
            .from()
            .and_then(|from| pos.at(from))
            .is_some_and(|piece| piece.kind() == PieceKind::Lance);
        let to = child.mv.to();
        if lance
            && matches!(to.rank_for(color), 2 | 3)
            && to.file() == king.file()
            && to.rank_for(color) == king.rank_for(color) + 1
        {
            child.shared = true;
        }
    }
}

/// The cheaper piece is dropped first.
const DROP_ORDER: [PieceKind; 7] = PieceKind::BY_VALUE;

/// Interposed pieces on one square wait for each other; so do all that nothing defends.
fn chain_drops(pos: &Position, children: &mut [Child]) {
    if !children.iter().any(|child| child.mv.is_drop()) {
        return;
    }
    let (own, occupied) = (pos.turn(), pos.occupied());
    let foe_king = pos.king(own.foe());
    // The last move of each chain, by square; the one of the undefended squares is at 81.
    let mut last = [NONE; 82];
    let mut defended = Bitboard::EMPTY;
    let mut asked = Bitboard::EMPTY;
    for kind in DROP_ORDER {
        for i in 0..children.len() {
            let mv = children[i].mv;
            if mv.dropped() != Some(kind) {
                continue;
            }
            let to = mv.to();
            if !asked.has(to) {
                asked |= Bitboard::of(to);
                if pos.attackers(own, to, occupied).any() {
                    defended |= Bitboard::of(to);
                }
            }
            let checks =
                foe_king.is_some_and(|king| pos.squares_attacking(own, kind, king).has(to));
            let chain = if defended.has(to) || checks {
                to.index()
            } else {
                81
            };
            let before = std::mem::replace(&mut last[chain], i as u16);
            if before != NONE {
                children[usize::from(before)].next = i as u16;
                children[i].active = false;
                children[i].is_delayed = true;
            }
        }
    }
}
