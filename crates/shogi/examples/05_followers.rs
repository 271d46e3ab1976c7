//! Followers: something of your own, kept up to date with a board move by move.
//!
//! `cargo run --release -p tesuji-shogi --example 05_followers`

use std::error::Error;
use tesuji_shogi::{Board, Change, Color, Follower, Piece, Position, Square, Tracked};

/// By how much Black's pieces are worth more than White's. A move puts at most two pieces elsewhere,
/// so following it costs next to nothing, however many there are.
#[derive(Clone, Default)]
struct Balance(i32);

fn worth(piece: Piece) -> i32 {
    let points = piece.kind().worth().points();
    match piece.color() {
        Color::Black => points,
        Color::White => -points,
    }
}

/// What a change adds: each piece that stands elsewhere, after minus before.
fn gain(change: &Change) -> i32 {
    let shifts = change.moved.iter().chain(&change.taken);
    shifts
        .map(|s| worth(s.to.piece) - worth(s.from.piece))
        .sum()
}

impl Follower for Balance {
    fn start(&mut self, board: &impl Board) {
        let pieces = Square::all().filter_map(|square| board.at(square));
        self.0 = pieces.map(worth).sum();
        for color in Color::ALL {
            for (kind, count) in board.hand(color).iter() {
                self.0 += worth(Piece::new(color, kind)) * count as i32;
            }
        }
    }
    fn follow(&mut self, _: &impl Board, change: &Change) {
        self.0 += gain(change);
    }
    fn retrace(&mut self, _: &impl Board, change: &Change) {
        self.0 -= gain(change);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // A board with a follower is a board: everything written for boards runs on it.
    let mut board = Tracked::new(Position::start(), Balance::default());
    for text in ["7g7f", "3c3d", "8h2b+", "9c9d", "2b3a"] {
        board.play(text.parse()?);
        println!("{text:<6} Black is ahead by {:>5}", board.follower().0);
    }
    board.undo();
    println!("undo   Black is ahead by {:>5}", board.follower().0);
    Ok(())
}
