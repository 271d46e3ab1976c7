//! The comment behind a move in which programs tell their evaluation and principal variation:
//! `* 30 -3334FU +2726FU`. A convention of floodgate.

use std::fmt::Write;
use tesuji_record::csa::{read_move, write_move};
use tesuji_shogi::{Move, Position};

/// How many moves of a line are written.
const LONGEST_LINE: usize = 24;
/// How many moves of a line are read: more than anybody shows.
const LONGEST_READ: usize = 256;
/// The largest value that is written or read.
const WON: i32 = 30_000;

/// An evaluation with its principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EvalComment {
    /// How good the position is **for Black**.
    pub points: i32,
    /// What is expected after the move that the comment stands behind.
    pub line: Vec<Move>,
}

impl EvalComment {
    /// The comment behind `,'`; `pos` is the position after the move.
    pub fn write(&self, pos: &Position) -> String {
        let mut text = format!("* {}", self.points.clamp(-WON, WON));
        let mut pos = pos.clone();
        for &mv in self.line.iter().take(LONGEST_LINE) {
            if !pos.is_legal(mv) {
                break;
            }
            let _ = write!(text, " {}", write_move(&pos, mv));
            pos.play(mv);
        }
        text
    }

    /// Reads a comment; the line is read as far as it can be played.
    pub fn read(comment: &str, pos: &Position) -> Option<Self> {
        let mut words = comment.strip_prefix('*')?.split_ascii_whitespace();
        let points: i32 = words.next()?.parse().ok()?;
        let mut pos = pos.clone();
        let line = words
            .take(LONGEST_READ)
            .map_while(|word| {
                let mv = read_move(&pos, word).ok()?;
                pos.try_play(mv).ok().map(|_| mv)
            })
            .collect();
        Some(Self {
            points: points.clamp(-WON, WON),
            line,
        })
    }
}
