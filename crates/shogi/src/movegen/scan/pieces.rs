//! Moves on the board: a function for each kind on each square.

use super::buffer::{Buffer, LongBuffer, PROMOTION, ShortBuffer};
use super::look::{
    Around, BACK, DIRECTIONS, Pin, Sight, after, attacks, each_bit, knights_from, next, opposite,
};
use super::placement::{Squares, ahead, content, each_square, for_squares, is_own, number, step};
use crate::side::Side;
use crate::sink::Sink;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use std::hint::cold_path;
use std::ops::ControlFlow;

const PAWN: usize = PieceKind::Pawn as usize;
const LANCE: usize = PieceKind::Lance as usize;
const KNIGHT: usize = PieceKind::Knight as usize;
const SILVER: usize = PieceKind::Silver as usize;
const BISHOP: usize = PieceKind::Bishop as usize;
const ROOK: usize = PieceKind::Rook as usize;
const GOLD: usize = PieceKind::Gold as usize;
const KING: usize = PieceKind::King as usize;
const HORSE: usize = PieceKind::Horse as usize;
const DRAGON: usize = PieceKind::Dragon as usize;

/// What a walk over the board finds besides moves.
pub(super) struct DropSquares {
    /// The empty squares, file by file and forward on each file.
    pub(super) empty: [u16; 136],
    /// Where in the list each file ends for knights, for pawns and lances, and for all others.
    pub(super) ends: [[u8; 3]; 9],
    /// A bit for each file with an own pawn.
    pub(super) pawn_files: u32,
}

impl DropSquares {
    /// Nothing yet.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            empty: [0; 136],
            ends: [[0; 3]; 9],
            pawn_files: 0,
        }
    }

    /// Adds the file of a square if an own pawn stands on it.
    pub(super) fn add_pawn<S: Side>(&mut self, squares: &Squares, at: usize) {
        if squares.0[at] == Some(Piece::new(S::COLOR, PieceKind::Pawn)) {
            self.pawn_files |= 1 << (at / 9);
        }
    }
}

/// Walks over the 81 squares: lists the empty ones and moves the own pieces, except kings.
pub(super) fn walk<S: Side>(
    squares: &Squares,
    moves: &mut LongBuffer,
    found: &mut DropSquares,
) -> usize {
    let (mut count, mut empty) = (0, 0);
    macro_rules! walk {
        ([] $($k:literal)*) => {$(
            let piece = squares.0[number::<S>($k)];
            found.empty[empty & 127] = number::<S>($k) as u16;
            empty += usize::from(piece.is_none());
            if ahead($k) < 3 {
                found.ends[$k / 9][2 - ahead($k)] = empty as u8;
            }
            if is_own::<S>(piece) {
                // Most squares are not: the code for them stays together.
                cold_path();
                count = own_piece::<S, $k>(squares, found, moves, count);
            }
        )*};
    }
    each_square!(walk);
    count
}

/// The moves of the own piece on one square.
#[inline(never)]
fn own_piece<S: Side, const K: usize>(
    squares: &Squares,
    found: &mut DropSquares,
    moves: &mut LongBuffer,
    count: usize,
) -> usize {
    macro_rules! go {
        ($kind:ident) => {
            piece_moves::<S, K, $kind>(squares, moves, count)
        };
    }
    match usize::from(content(squares.0[number::<S>(K)]) & 15) {
        PAWN => {
            found.pawn_files |= 1 << (K / 9);
            go!(PAWN)
        }
        LANCE => go!(LANCE),
        KNIGHT => go!(KNIGHT),
        SILVER => go!(SILVER),
        BISHOP => go!(BISHOP),
        ROOK => go!(ROOK),
        KING => count,
        HORSE => go!(HORSE),
        DRAGON => go!(DRAGON),
        _ => go!(GOLD),
    }
}

/// The moves of one kind from one square; gold stands for all that move alike.
#[inline(always)]
fn piece_moves<S: Side, const K: usize, const KIND: usize>(
    squares: &Squares,
    moves: &mut LongBuffer,
    mut count: usize,
) -> usize {
    macro_rules! by {
        ($way:ident: $($step:expr),*) => {{
            $(count = $way::<S, K, KIND>(squares, $step, moves, count);)*
        }};
    }
    match KIND {
        PAWN => by!(hop: (0, 1)),
        LANCE => by!(slide: (0, 1)),
        KNIGHT => by!(hop: (-1, 2), (1, 2)),
        SILVER => by!(hop: (-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)),
        GOLD => by!(hop: (-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)),
        BISHOP | HORSE => by!(slide: (-1, 1), (1, 1), (-1, -1), (1, -1)),
        _ => by!(slide: (0, 1), (-1, 0), (1, 0), (0, -1)),
    }
    match KIND {
        HORSE => by!(hop: (0, 1), (-1, 0), (1, 0), (0, -1)),
        DRAGON => by!(hop: (-1, 1), (1, 1), (-1, -1), (1, -1)),
        _ => {}
    }
    count
}

/// One step, or the jump of a knight.
#[inline(always)]
fn hop<S: Side, const K: usize, const KIND: usize>(
    squares: &Squares,
    (files, ranks): (isize, isize),
    moves: &mut LongBuffer,
    mut count: usize,
) -> usize {
    let Some(to) = step::<S>(K, files, ranks) else {
        return count;
    };
    let left = ahead(K) as isize - ranks;
    let keep = !is_own::<S>(squares.0[to]);
    let mv = (number::<S>(K) << 7 | to) as u16;
    if !(KIND == PAWN && left < 1 || KIND == KNIGHT && left < 2) {
        count = moves.put(count, mv, keep);
    }
    if KIND < GOLD && (ahead(K) < 3 || left < 3) {
        count = moves.put(count, mv | PROMOTION, keep);
    }
    count
}

/// Every move in one direction: eight are written at once, and as many count as there are.
#[inline(always)]
fn slide<S: Side, const K: usize, const KIND: usize>(
    squares: &Squares,
    way: (isize, isize),
    moves: &mut LongBuffer,
    mut count: usize,
) -> usize {
    let Some(next) = step::<S>(K, way.0, way.1) else {
        return count;
    };
    let reach = reach::<S, K>(squares, way);
    let (from, next) = (number::<S>(K) as u16, next as u16);
    let run: [u16; 8] = std::array::from_fn(|i| {
        let away = next.wrapping_sub(from).wrapping_mul(i as u16 + 1);
        (from << 7).wrapping_add(from.wrapping_add(away))
    });
    let stays = if KIND == LANCE { ahead(K) - 1 } else { 8 };
    count = moves.put_run(count, run, reach.min(stays));
    // How many steps come before the first that promotes.
    let before = match ahead(K) {
        0..3 => 0,
        far if way.1 > 0 => far - 3,
        _ => 8,
    };
    if KIND < GOLD && before < 8 {
        let run = std::array::from_fn(|i| run[(i + before) & 7] | PROMOTION);
        count = moves.put_run(count, run, reach.saturating_sub(before));
    }
    count
}

/// How far a piece can slide, to a capture at most.
#[inline(always)]
fn reach<S: Side, const K: usize>(squares: &Squares, (files, ranks): (isize, isize)) -> usize {
    macro_rules! look {
        ($($distance:literal)*) => {$(
            let Some(to) = step::<S>(K, files * $distance, ranks * $distance) else {
                return $distance - 1;
            };
            if squares.0[to].is_some() {
                return $distance - usize::from(is_own::<S>(squares.0[to]));
            }
        )*};
    }
    look!(1 2 3 4 5 6 7 8);
    8
}

type KingMovesAt = fn(&Squares, u32, usize, &mut ShortBuffer) -> usize;

/// The moves of one king, a function for each square.
pub(super) struct KingMoves<S>(S);

impl<S: Side> KingMoves<S> {
    /// Given a bit for each direction from which a slider gives check, and how many moves are
    /// enough.
    pub(super) const MOVES: &[KingMovesAt; 81] = for_squares!(king_moves, S);
}

// Called through the table; what is never inlined is compiled once for all crates.
#[inline(never)]
fn king_moves<S: Side, const K: usize>(
    squares: &Squares,
    sliders: u32,
    enough: usize,
    moves: &mut ShortBuffer,
) -> usize {
    let mut count = 0;
    for (direction, (files, ranks)) in DIRECTIONS.into_iter().enumerate() {
        if let Some(to) = step::<S>(K, files, ranks)
            && !is_own::<S>(squares.0[to])
            && sliders >> opposite(direction) & 1 == 0
            && !Sight::from::<S>(to, squares).is_threatened()
        {
            count = moves.put(count, (number::<S>(K) << 7 | to) as u16, true);
            if count == enough {
                break;
            }
        }
    }
    count
}

/// The moves of a pinned piece.
#[cold]
pub(super) fn pinned_moves<S: Side>(
    squares: &Squares,
    pin: Pin,
    moves: &mut LongBuffer,
    count: usize,
) -> usize {
    let count = moves_in::<S, _, _>(squares, pin.at, pin.direction, moves, count);
    moves_in::<S, _, _>(squares, pin.at, opposite(pin.direction), moves, count)
}

/// The moves of a pinned piece to one square.
#[cold]
pub(super) fn pinned_moves_to<S: Side>(
    squares: &Squares,
    pin: Pin,
    to: Square,
    sink: &mut impl Sink,
) -> ControlFlow<()> {
    let mut moves = LongBuffer::new();
    let count = pinned_moves::<S>(squares, pin, &mut moves, 0);
    moves
        .moves(count)
        .filter(|mv| mv.to() == to)
        .try_for_each(|mv| sink.one(mv))
}

/// The moves of the piece on a square in one direction, found step by step.
pub(crate) fn moves_in<S: Side, const LAST: usize, const ROOM: usize>(
    squares: &Squares,
    from: usize,
    direction: usize,
    moves: &mut Buffer<LAST, ROOM>,
    mut count: usize,
) -> usize {
    let Some(piece) = squares.0[from] else {
        return count;
    };
    let mut to = from;
    for distance in 1..=Around::<S>::ROOM[from][direction] {
        to = after::<S>(to, direction);
        if !attacks::<S>(piece, opposite(direction), distance > 1) || is_own::<S>(squares.0[to]) {
            break;
        }
        count = moves.put_move::<S>(count, piece, from, to);
        if squares.0[to].is_some() {
            break;
        }
    }
    count
}

/// Every move of a piece of `S`, except its king, to a square that none of its own stands on.
pub(crate) fn moves_onto<S: Side, const LAST: usize, const ROOM: usize>(
    squares: &Squares,
    to: usize,
    sight: Sight,
    moves: &mut Buffer<LAST, ROOM>,
    mut count: usize,
) -> usize {
    for direction in each_bit(sight.own()) {
        if let Some((at, piece)) = next::<S>(squares, to, direction)
            && piece.kind() != PieceKind::King
        {
            count = moves.put_move::<S>(count, piece, at, to);
        }
    }
    if !sight.has_own_knights() {
        return count;
    }
    let knight = Piece::new(S::COLOR, PieceKind::Knight);
    for at in knights_from::<S>(to, BACK) {
        if squares.0.get(at) == Some(&Some(knight)) {
            count = moves.put_move::<S>(count, knight, at, to);
        }
    }
    count
}
