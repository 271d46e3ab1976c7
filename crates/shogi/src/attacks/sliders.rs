//! Lance, bishop and rook through any occupancy, without tables of occupancies.
//!
//! Mori's Qugiy (2021) showed that shogi needs no magic bitboards; see `rays.rs` of the kernels.

use super::lines;
use crate::bitboard::Bitboard;
use crate::types::color::Color;
use crate::types::piece::PieceKind;
use crate::types::square::{BySquare, Direction, Square};
use tesuji_kernels::{LOW_BITS, Rays, scalar, slide};

const fn rays_of(ahead: [Direction; 2], back: [Direction; 2]) -> BySquare<Rays> {
    let mut table = [Rays {
        ahead: [[0; 2]; 2],
        back: [[0; 2]; 2],
    }; 81];
    let mut s = 0;
    while s < 81 {
        let square = Square::trusted(s as u8);
        let mut i = 0;
        while i < 2 {
            table[s].ahead[i] = lines::ray(square, ahead[i]).words();
            table[s].back[i] = lines::ray(square, back[i]).words();
            i += 1;
        }
        s += 1;
    }
    BySquare(table)
}

use Direction::*;
static BISHOP: BySquare<Rays> = rays_of([SouthWest, NorthWest], [NorthEast, SouthEast]);
static ROOK: BySquare<Rays> = rays_of([South, West], [North, East]);

/// The squares a bishop attacks.
#[inline(always)]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::trusted(slide(&BISHOP[from], occupied.words()))
}

/// The squares a rook attacks.
#[inline(always)]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::trusted(slide(&ROOK[from], occupied.words()))
}

/// The lines of a kind that slides; those of a lance are a rook's.
#[inline(always)]
pub(crate) fn rays(kind: PieceKind, from: Square) -> &'static Rays {
    if matches!(kind, PieceKind::Bishop | PieceKind::Horse) {
        &BISHOP[from]
    } else {
        &ROOK[from]
    }
}

/// The squares up to the first obstacle on each of four lines.
#[inline(always)]
pub(crate) fn along(rays: &Rays, occupied: Bitboard) -> Bitboard {
    Bitboard::trusted(slide(rays, occupied.words()))
}

/// The squares a lance attacks.
#[inline(always)]
pub fn lance(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    // A file lies in one word, so one word is enough.
    let word = usize::from(from.index() >= LOW_BITS);
    let mut reach = [0; 2];
    reach[word] = match color {
        Color::Black => {
            let ray = lines::ray(from, North).words()[word];
            ray & scalar::down_to(ray & occupied.words()[word])
        }
        Color::White => {
            let ray = lines::ray(from, South).words()[word];
            let obstacles = ray & occupied.words()[word];
            ray & (obstacles ^ obstacles.wrapping_sub(1))
        }
    };
    Bitboard::trusted(reach)
}
