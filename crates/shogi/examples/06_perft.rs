//! Perft: counting the game tree, and finding where two boards disagree.
//!
//! `cargo run --release -p tesuji-shogi --example 06_perft`

use std::time::Instant;
use tesuji_shogi::movegen::perft;
use tesuji_shogi::{Board, Position};

/// The leaves below a board, as a function of the library would be written: for any board, played
/// in place, nothing allocated.
fn leaves<B: Board>(board: &mut B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut sum = 0;
    for mv in board.legal_moves().iter() {
        sum += board.after(mv, |board, _| leaves(board, depth - 1));
    }
    sum
}

fn main() {
    let mut pos = Position::start();
    println!("depth {:>12} {:>10}", "leaves", "time");
    for depth in 1..=5 {
        let start = Instant::now();
        let nodes = perft::count(&mut pos, depth);
        let millis = start.elapsed().as_secs_f64() * 1e3;
        println!("{depth:>5} {nodes:>12} {millis:>7.2} ms");
    }

    // Our own version counts the same; the library's is faster because it counts the last moves
    // where they are generated instead of playing them.
    assert_eq!(leaves(&mut pos, 4), perft::count(&mut pos, 4));

    // The count below each first move. When two boards disagree on a sum, comparing these leads
    // one move closer to the position in which one of them is wrong.
    let mut branches = perft::divide(&mut pos, 4);
    branches.sort_by_key(|&(_, nodes)| std::cmp::Reverse(nodes));
    println!("\nThe moves that open the most, to depth 4:");
    for (mv, nodes) in branches.iter().take(5) {
        println!("{mv:<6}{nodes:>8}");
    }
}
