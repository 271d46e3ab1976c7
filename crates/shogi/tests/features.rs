//! What the optional features add.

use serde_json::{from_str, to_string};
use tesuji_shogi::movegen::perft;
use tesuji_shogi::{Color, Move, Piece, Position, Square};

#[test]
fn texts_are_read_back() {
    let mut pos = Position::start();
    pos.play("7g7f".parse().unwrap());
    let piece = pos.at("7f".parse().unwrap()).unwrap();
    let told: (Square, Piece, Move, Color, Position) = (
        "7f".parse().unwrap(),
        piece,
        "8h2b+".parse().unwrap(),
        Color::White,
        pos.clone(),
    );
    let text = to_string(&told).unwrap();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(text, format!(r#"["7f","P","8h2b+","white","{sfen}"]"#));
    let (square, piece, mv, color, read): (Square, Piece, Move, Color, Position) =
        from_str(&text).unwrap();
    assert_eq!((square, piece, mv, color), (told.0, told.1, told.2, told.3));
    // The moves that led to a position are not kept.
    assert_eq!(read.to_sfen(), pos.to_sfen());
    assert_eq!(read.played(), 0);
}

#[test]
fn wrong_texts_are_refused_with_a_reason() {
    let error = from_str::<Move>("\"7g7g\"").unwrap_err().to_string();
    assert!(error.contains("does not move"), "{error}");
    let error = from_str::<Position>("\"nothing\"").unwrap_err().to_string();
    assert!(error.contains("board"), "{error}");
    assert!(from_str::<Piece>("\"+K\"").is_err());
    assert!(from_str::<Square>("7").is_err());
    assert!(from_str::<Color>("\"red\"").is_err());
}

#[test]
fn threads_count_the_same() {
    let mut pos = Position::start();
    assert_eq!(perft::divide_parallel(&pos, 3), perft::divide(&mut pos, 3));
}
