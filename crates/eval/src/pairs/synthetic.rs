//! Tables of full size filled with numbers that look random but are always the same.
//!
//! No table of the field may be shipped, so what reads them is proved with these. Pairs are
//! symmetric, and the numbers of both kings turn their sign with the board, as in tables that were
//! learnt; the rest is noise, small enough for values of a real game. A table of 776 MB takes about
//! as long as writing the file.

use super::error::PairError;
use super::eval_sum::EvalSum;
use super::file::save;
use super::fv_bin::FvBin;
use super::kppt::KpptFormat;
use super::weight::{Board16, Turn16, Turn32, WeightFormat};
use crate::bona_piece::{self, BONA_PIECES};
use std::io::{self, Write};
use std::path::Path;
use tesuji_shogi::{Color, Square};

/// A number that looks random and depends on nothing but this one.
#[inline(always)]
const fn noise(number: u64) -> u64 {
    let x = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ x >> 32
}

/// A pair of weights from noise: up to ±511 for the board, up to ±63 for the turn.
#[inline(always)]
const fn weights(noise: u32) -> EvalSum {
    EvalSum {
        board: (noise >> 22) as i32 - 512 + (noise >> 21 & 1) as i32,
        turn: (noise >> 14 & 127) as i32 - 64 + (noise >> 13 & 1) as i32,
    }
}

/// Writes a set of KPPT files into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write_kppt(folder: &Path, format: KpptFormat, seed: u64) -> Result<(), PairError> {
    let ending = if format == KpptFormat::TwoFiles {
        ".bin"
    } else {
        "_synthesized.bin"
    };
    let named = |stem: &str| folder.join(format!("{stem}{ending}"));
    match format {
        KpptFormat::Kppt | KpptFormat::KppKkpt => {
            save(&named("KK"), |out| kk::<Turn32>(out, seed))?;
            save(&named("KKP"), |out| kkp::<Turn32>(out, seed))?;
        }
        KpptFormat::Kppt16 => {
            save(&named("KK"), |out| kk::<Turn16>(out, seed))?;
            save(&named("KKP"), |out| kkp::<Turn16>(out, seed))?;
        }
        KpptFormat::TwoFiles => save(&named("KKP"), |out| kkp::<Turn16>(out, seed))?,
    }
    match format {
        KpptFormat::KppKkpt => save(&named("KPP"), |out| kpp::<Board16>(out, seed)),
        _ => save(&named("KPP"), |out| kpp::<Turn16>(out, seed)),
    }
}

fn kpp<W: WeightFormat>(out: &mut impl Write, seed: u64) -> io::Result<()> {
    let mut row = [W::write(EvalSum::ZERO); BONA_PIECES];
    for king in 0..81 {
        // The sum of two marks is the same whichever comes first.
        let marks = std::array::from_fn::<u32, BONA_PIECES, _>(|piece| {
            noise(seed ^ (king << 16 | piece as u64) << 8) as u32
        });
        for mark in marks {
            for (weight, other) in row.iter_mut().zip(marks) {
                let mixed = mark.wrapping_add(other).wrapping_mul(0x9e37_79b9);
                *weight = W::write(weights(mixed ^ mixed >> 15));
            }
            out.write_all(W::bytes(&row))?;
        }
    }
    Ok(())
}

/// The number of each BonaPiece for the other side.
fn turned() -> [usize; BONA_PIECES] {
    let mut turned = std::array::from_fn(|piece| piece);
    for (number, piece, spot) in bona_piece::all() {
        let other = match spot.square() {
            Some(square) => bona_piece::on_board(Color::White, piece, square),
            None => spot
                .nth()
                .map(|nth| bona_piece::in_hand(Color::White, piece, nth)),
        };
        turned[usize::from(number)] = usize::from(other.unwrap_or(number));
    }
    turned
}

/// The number of both kings, with a piece or alone: turned by half a turn it changes its sign.
fn kings(seed: u64, [black, white]: [usize; 2], [piece, turned]: [usize; 2]) -> EvalSum {
    let mark = |own: usize, foe: usize, piece: usize| {
        let number = ((own * 81 + foe) * (BONA_PIECES + 1) + piece) as u64;
        weights((noise(seed ^ number << 8 ^ 1) >> 32) as u32)
    };
    let (here, there) = (
        mark(black, white, piece),
        mark(80 - white, 80 - black, turned),
    );
    EvalSum {
        board: here.board - there.board,
        turn: here.turn + there.turn,
    }
}

fn both_kings() -> impl Iterator<Item = [usize; 2]> {
    Square::all().flat_map(|black| Square::all().map(move |white| [black.index(), white.index()]))
}

fn kk<W: WeightFormat>(out: &mut impl Write, seed: u64) -> io::Result<()> {
    for both in both_kings() {
        let weight = W::write(kings(seed, both, [BONA_PIECES; 2]));
        out.write_all(W::bytes(&[weight]))?;
    }
    Ok(())
}

fn kkp<W: WeightFormat>(out: &mut impl Write, seed: u64) -> io::Result<()> {
    let turned = turned();
    for both in both_kings() {
        for (piece, &turned) in turned.iter().enumerate() {
            let weight = W::write(kings(seed, both, [piece, turned]));
            out.write_all(W::bytes(&[weight]))?;
        }
    }
    Ok(())
}

/// Writes a file `fv.bin`.
///
/// # Errors
/// If it cannot be written.
pub fn write_fv(path: &Path, seed: u64) -> Result<(), PairError> {
    save(path, |out| {
        for number in 0..FvBin::SIZE / Board16::BYTES as u64 {
            let sum = weights((noise(seed ^ number << 8 ^ 2) >> 32) as u32);
            out.write_all(&Board16::write(sum))?;
        }
        Ok(())
    })
}

/// A pair of weights for a small table.
pub fn small(seed: u64, row: usize, column: usize) -> [i16; 2] {
    let number = (row * BONA_PIECES + column) as u64;
    let sum = weights((noise(seed ^ number << 8 ^ 3) >> 32) as u32);
    [sum.board as i16, sum.turn as i16]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_turned_twice_is_the_same() {
        let turned = turned();
        assert!((0..BONA_PIECES).all(|piece| turned[turned[piece]] == piece));
        assert_eq!(turned[90], 171 + 80);
        assert_eq!(turned[85], 88);
    }

    #[test]
    fn weights_are_small_and_about_even() {
        let all = (0..100_000).map(|i| weights((noise(i << 8) >> 32) as u32));
        let (mut board, mut turn) = (0, 0);
        for sum in all {
            assert!((-512..=512).contains(&sum.board) && (-64..=64).contains(&sum.turn));
            board += sum.board;
            turn += sum.turn;
        }
        assert!(
            board.abs() < 500_000 && turn.abs() < 60_000,
            "{board} {turn}"
        );
    }
}
