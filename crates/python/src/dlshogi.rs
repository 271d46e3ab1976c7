//! The input planes and move labels of dlshogi (Yamaoka 2017).
//!
//! The first 62 planes show for each side its pieces, what each kind of them attacks, and which
//! squares are attacked at least once, twice and three times; the other 57 show the hands and
//! whether the side to move is in check. Everything is seen from the side to move. A label is one
//! of 27 ways to arrive (ten directions, the same with promotion, seven drops) on one of 81 squares.

use crate::numbers::HAND_ORDER;
use tesuji_eval::bona_piece::seen;
use tesuji_shogi::{Color, Move, Position, Square};

/// Planes of pieces and attacks.
pub(crate) const FEATURES1: usize = 62;
/// Planes of hands and check.
pub(crate) const FEATURES2: usize = 57;
/// Labels of moves.
pub(crate) const LABELS: usize = 27 * 81;

const KINDS: usize = 14;
const PER_SIDE: usize = 2 * KINDS + 3;
/// How many of each kind in hand have a plane, in the order of hands.
const MOST_IN_HAND: [usize; 7] = [8, 4, 4, 4, 4, 2, 2];
const HAND_PLANES: usize = 28;

/// Fills the planes of pieces and attacks, which must be zero.
pub(crate) fn features1(pos: &Position, planes: &mut [f32]) {
    let turn = pos.turn();
    let mut attacked = [[0_u8; 81]; 2];
    for square in Square::all() {
        let Some(piece) = pos.at(square) else {
            continue;
        };
        let side = usize::from(piece.color() != turn);
        let first = (side * PER_SIDE + piece.kind().index() - 1) * 81;
        planes[first + seen(turn, square)] = 1.0;
        pos.attacks_from(square).each(|target| {
            let target = seen(turn, target);
            planes[first + KINDS * 81 + target] = 1.0;
            attacked[side][target] += 1;
        });
    }
    for (side, counts) in attacked.iter().enumerate() {
        for (square, &count) in counts.iter().enumerate() {
            for nth in 0..usize::from(count).min(3) {
                planes[(side * PER_SIDE + 2 * KINDS + nth) * 81 + square] = 1.0;
            }
        }
    }
}

/// Fills the planes of hands and check, which must be zero.
pub(crate) fn features2(pos: &Position, planes: &mut [f32]) {
    let turn = pos.turn();
    for (side, color) in [turn, turn.foe()].into_iter().enumerate() {
        let mut first = side * HAND_PLANES;
        for (kind, most) in HAND_ORDER.into_iter().zip(MOST_IN_HAND) {
            let count = (pos.hand(color).count(kind) as usize).min(most);
            planes[first * 81..(first + count) * 81].fill(1.0);
            first += most;
        }
    }
    if pos.in_check() {
        planes[2 * HAND_PLANES * 81..].fill(1.0);
    }
}

/// The label of a move for the side that makes it.
pub(crate) fn label(mv: Move, turn: Color) -> usize {
    let to = seen(turn, mv.to());
    let way = match (mv.from(), mv.dropped()) {
        (Some(from), _) => direction(seen(turn, from), to) + 10 * usize::from(mv.is_promotion()),
        // Drops are numbered like the kinds, not like the hands.
        (None, kind) => kind.map_or(20, |kind| 19 + kind.index()),
    };
    way * 81 + to
}

/// Up, up left, up right, left, right, down, down left, down right, and the knight's two.
fn direction(from: usize, to: usize) -> usize {
    let left = (to / 9) as i32 - (from / 9) as i32;
    let up = (from % 9) as i32 - (to % 9) as i32;
    match (up.signum(), left.signum()) {
        (1, 1) if up == 2 && left == 1 => 8,
        (1, -1) if up == 2 && left == -1 => 9,
        (1, 0) => 0,
        (1, 1) => 1,
        (1, _) => 2,
        (0, 1) => 3,
        (0, _) => 4,
        (_, 0) => 5,
        (_, 1) => 6,
        _ => 7,
    }
}
