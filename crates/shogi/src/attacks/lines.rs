//! Rays, the squares between two squares, and the whole line through two squares.

use crate::bitboard::Bitboard;
use crate::types::square::{BySquare, Direction, Square};

const fn ray_from(from: Square, direction: Direction) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut at = from;
    while let Some(next) = at.step(direction) {
        set = set.or(Bitboard::of(next));
        at = next;
    }
    set
}

/// The ray of the empty board from every square, by direction; the ninth direction is "none".
static RAYS: [BySquare<Bitboard>; 9] = {
    let mut rays = [BySquare([Bitboard::EMPTY; 81]); 9];
    let mut d = 0;
    while d < 8 {
        let mut s = 0;
        while s < 81 {
            rays[d].0[s] = ray_from(Square::trusted(s as u8), Direction::ALL[d]);
            s += 1;
        }
        d += 1;
    }
    rays
};

const NOWHERE: u8 = 8;

/// In which direction one square lies from another, or [`NOWHERE`].
static DIRECTION: BySquare<BySquare<u8>> = {
    let mut table = [BySquare([NOWHERE; 81]); 81];
    let mut from = 0;
    while from < 81 {
        let mut d = 0;
        while d < 8 {
            let mut at = Square::trusted(from as u8);
            while let Some(next) = at.step(Direction::ALL[d]) {
                table[from].0[next.index()] = d as u8;
                at = next;
            }
            d += 1;
        }
        from += 1;
    }
    BySquare(table)
};

/// All squares in one direction, up to the edge of the board.
#[inline(always)]
pub const fn ray(from: Square, direction: Direction) -> Bitboard {
    RAYS[direction as usize].0[from.index()]
}

/// In which direction `to` lies from `from`, if a queen of chess could go there.
#[inline]
pub fn direction(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL
        .get(usize::from(DIRECTION[from][to]))
        .copied()
}

/// The squares strictly between two squares of one rank, file or diagonal; otherwise none.
///
/// ```
/// use tesuji_shogi::attacks::lines;
/// let between = |a: &str, b: &str| lines::between(a.parse().unwrap(), b.parse().unwrap());
/// assert_eq!(between("5a", "5e").len(), 3);
/// assert!(between("5a", "4c").is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a][b]
}

static BETWEEN: BySquare<BySquare<Bitboard>> = {
    let mut table = [BySquare([Bitboard::EMPTY; 81]); 81];
    let mut a = 0;
    while a < 81 {
        let mut b = 0;
        while b < 81 {
            let towards = DIRECTION.0[a].0[b] as usize;
            let back = DIRECTION.0[b].0[a] as usize;
            table[a].0[b] = RAYS[towards].0[a].and(RAYS[back].0[b]);
            b += 1;
        }
        a += 1;
    }
    BySquare(table)
};

/// The whole line through two squares, edge to edge, without `a` itself; none if there is no line.
#[inline(always)]
pub fn through(a: Square, b: Square) -> Bitboard {
    let towards = usize::from(DIRECTION[a][b]);
    let back = usize::from(DIRECTION[b][a]);
    RAYS[towards.min(8)][a] | RAYS[back.min(8)][a]
}
