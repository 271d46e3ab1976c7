//! Sinks: who receives the moves decides what a generator is for.
//!
//! `cargo run --release -p tesuji-shogi --example 04_sinks`

use std::error::Error;
use std::ops::ControlFlow::{self, Break, Continue};
use tesuji_shogi::{Any, Bitboard, Count, Each, Filtered, Move, MoveList, Position, Sink, movegen};

/// A sink of our own: where can anything land? A sink may also say what it does with whole sets of
/// moves, as they arrive, and is faster then.
#[derive(Default)]
struct Targets(Bitboard);

impl Sink for Targets {
    fn one(&mut self, mv: Move) -> ControlFlow<()> {
        self.0 |= Bitboard::of(mv.to());
        Continue(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let pos = Position::from_sfen(sfen)?;

    // Counting writes no list: a set of drops adds its size.
    let mut count = Count::default();
    let _ = movegen::legal(&pos, &mut count);
    println!("{} legal moves", count.0);

    // "Is there any?" stops at the first.
    let mut any = Any::default();
    let _ = movegen::checks(&pos, &mut any);
    println!("a check: {:?}", any.0);

    // A filter in front of a list: only the moves of the knight on 7c.
    let (knight, mut list) = ("7c".parse()?, MoveList::new());
    let sink = &mut list;
    let test = |mv: Move| mv.from() == Some(knight);
    let _ = movegen::legal(&pos, &mut Filtered { sink, test });
    println!("of the knight: {list:?}");

    // A closure is called with each move and may stop: here after the second.
    let mut seen = 0;
    let mut two = Each(|mv| {
        seen += 1;
        println!("capture {seen}: {mv}");
        if seen < 2 { Continue(()) } else { Break(()) }
    });
    let _ = movegen::captures(&pos, &mut two);

    let mut targets = Targets::default();
    let _ = movegen::legal(&pos, &mut targets);
    println!("moves can end on {} of 81 squares", targets.0.len());
    Ok(())
}
