//! Generators: every legal move, or only those of one kind.
//!
//! `cargo run --release -p tesuji-shogi --example 03_generators`

use std::error::Error;
use std::ops::ControlFlow;
use tesuji_shogi::{MoveList, Position, Square, movegen};

fn main() -> Result<(), Box<dyn Error>> {
    // The position of the move generation festival: full hands, and 207 moves for White.
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let pos = Position::from_sfen(sfen)?;
    println!("{pos}\n");

    // A generator fills a list, which lives on the stack. All of them give legal moves only: no
    // move has to be tried to see whether it leaves the king in check.
    show("legal", |list| movegen::legal(&pos, list));
    show("legal, none pointless", |list| {
        movegen::legal_without_worse(&pos, list)
    });

    // These three share the legal moves among them.
    show("captures", |list| movegen::captures(&pos, list));
    show("promotions", |list| movegen::promotions(&pos, list));
    show("quiet", |list| movegen::quiet(&pos, list));

    // And these are chosen by what the move does.
    show("drops", |list| movegen::drops(&pos, list));
    show("checks", |list| movegen::checks(&pos, list));
    let before_king: Square = "2h".parse()?;
    show("to 2h", |list| movegen::to(&pos, before_king, list));
    let gold: Square = "3g".parse()?;
    show("attacking 3g", |list| movegen::attacking(&pos, gold, list));
    let bishop: Square = "3i".parse()?;
    show("saving the bishop", |list| {
        movegen::escapes(&pos, bishop, list)
    });
    Ok(())
}

/// Prints how many moves a generator gives, and the first of them.
fn show(name: &str, generate: impl FnOnce(&mut MoveList) -> ControlFlow<()>) {
    let mut list = MoveList::new();
    let _ = generate(&mut list);
    let first: Vec<String> = list.iter().take(8).map(|mv| mv.to_string()).collect();
    let more = if list.len() > 8 { " …" } else { "" };
    println!("{name:<22}{:>4}  {}{more}", list.len(), first.join(" "));
}
