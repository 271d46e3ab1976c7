//! A position: how it gets in, what it answers, how it gets out.
//!
//! `cargo run --release -p tesuji-shogi --example 01_board`

use std::error::Error;
use tesuji_shogi::{Bitboard, Color, PieceKind, Position, Square};

fn main() -> Result<(), Box<dyn Error>> {
    // A position is read from SFEN, the one-line notation of shogi programs. Here Black has opened
    // the diagonal and both sides have traded bishops, so each holds one.
    let sfen = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5";
    let pos = Position::from_sfen(sfen)?;
    println!("{pos}\n"); // as Japanese books draw it
    println!("{}", pos.to_letters()); // the same in letters

    // Squares are named by file 1-9 (right to left) and rank a-i (top to bottom).
    let square: Square = "2h".parse()?;
    match pos.at(square) {
        Some(piece) => println!("On {square} stands {piece}, a {:?}.", piece.kind()),
        None => println!("{square} is empty."),
    }
    println!(
        "{:?} is to move and holds {} bishop(s).",
        pos.turn(),
        pos.hand(Color::Black).count(PieceKind::Bishop)
    );

    // A set of squares is a `Bitboard`: it is joined, cut and walked like any set.
    let reach = pos.attacks_from(square) & !pos.pieces(Color::Black);
    println!("The rook can go to:\n{}", drawn(reach));

    // Reading is strict, and an error says where it happened and why.
    for wrong in [
        "4k4/9/9/9/9/9/9/9/4X4 b - 1",
        "4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
    ] {
        if let Err(error) = Position::from_sfen(wrong) {
            println!("{wrong}\n  {error}");
        }
    }

    // What comes out is what went in.
    assert_eq!(pos.to_sfen(), sfen);
    Ok(())
}

/// A set as a picture, file 9 on the left.
fn drawn(set: Bitboard) -> String {
    let rank = |rank| {
        let squares = (1..=9).rev().filter_map(|file| Square::at(file, rank));
        let marks: String = squares
            .map(|square| if set.has(square) { " x" } else { " ·" })
            .collect();
        marks + "\n"
    };
    (1..=9).map(rank).collect()
}
