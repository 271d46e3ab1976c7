//! Prints every legal move of a crowded position by its names, Japanese and Western.
//!
//! `cargo run -p tesuji-record --example 02_names`

use std::error::Error;
use tesuji_record::names::{japanese, read_japanese, western};
use tesuji_shogi::{Board, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let pos = Position::from_sfen("k8/9/9/9/4+P4/3+P1+P3/3+P+P+P3/9/K8 b G 1")?;
    println!("{pos}\n");
    for mv in pos.legal_moves().iter() {
        let name = japanese(&pos, mv);
        println!("{mv}  {name}  {}", western(&pos, mv));
        assert_eq!(read_japanese(&pos, &name)?, (mv, ""));
    }
    Ok(())
}
