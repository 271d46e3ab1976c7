//! Moves: reading, checking, playing and taking back.
//!
//! `cargo run --release -p tesuji-shogi --example 02_moves`

use std::error::Error;
use tesuji_shogi::{Board, Move, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut pos = Position::start();

    // A move is written as in USI: from and to, `+` for a promotion, `P*5e` for a drop.
    for text in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c"] {
        let mv: Move = text.parse()?;
        // `try_play` refuses what is illegal; `play` trusts its caller and is faster.
        let change = pos.try_play(mv).map_err(|foul| format!("{text}: {foul}"))?;
        // The change says what the move did to the pieces: at most two stand elsewhere now.
        let taken = match change.taken {
            Some(shift) => format!(" and takes {}", shift.from.piece),
            None => String::new(),
        };
        let check = if pos.in_check() { ", check" } else { "" };
        println!("{:>2}. {mv:<5}{taken}{check}", pos.ply() - 1);
    }
    println!("\n{pos}\n");

    // Any move may be asked about, also one that makes no sense here.
    for text in ["5e3c+", "5e4f", "5e5d", "P*5f"] {
        let verdict = if pos.is_legal(text.parse()?) {
            "legal"
        } else {
            "illegal"
        };
        println!("{text:<6}{verdict}");
    }

    // Moves are taken back one by one; nothing of them remains.
    while pos.played() > 0 {
        pos.undo();
    }
    assert_eq!(pos, Position::start());

    // Play, look, take back is one call, so the pair cannot be torn apart.
    let replies = pos.after("2g2f".parse()?, |pos, _| pos.legal_moves().len());
    println!(
        "\nAfter 2g2f White has {replies} replies; back at move {}.",
        pos.ply()
    );
    Ok(())
}
