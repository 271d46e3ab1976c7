//! A board drawn as SVG: nothing but lines and text, so that it looks alike in every notebook.

use std::fmt::Write;
use tesuji_shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// How a board is drawn.
pub(crate) struct Drawing {
    /// The height in pixels.
    pub(crate) size: u32,
    /// The move whose squares are coloured.
    pub(crate) last: Option<Move>,
    /// Letters instead of kanji.
    pub(crate) western: bool,
    /// White below.
    pub(crate) flipped: bool,
}

/// The side of a square, and where the board begins.
const CELL: u32 = 20;
const LEFT: u32 = 36;
const TOP: u32 = 14;
const WIDTH: u32 = 2 * LEFT + 9 * CELL;
const HEIGHT: u32 = TOP + 9 * CELL + 6;

/// The lines of the board, as the numbers above put them.
const LINES: &str = "M36 14v180M36 14h180M56 14v180M36 34h180M76 14v180M36 54h180M96 14v180M36 74h180\
    M116 14v180M36 94h180M136 14v180M36 114h180M156 14v180M36 134h180M176 14v180M36 154h180M19\
    6 14v180M36 174h180M216 14v180M36 194h180";

const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const FILES: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const LETTERS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// Draws a position.
pub(crate) fn draw(pos: &Position, drawing: &Drawing) -> String {
    let mut out = String::with_capacity(8192);
    let width = u64::from(drawing.size) * u64::from(WIDTH) / u64::from(HEIGHT);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"serif\" text-anchor=\"middle\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"180\" height=\"180\" fill=\"#f7dca8\"/>",
        drawing.size
    );
    last_move(&mut out, drawing);
    grid(&mut out, drawing);
    out.push_str("<g font-size=\"16\">");
    for square in Square::all() {
        if let Some(piece) = pos.at(square) {
            let (x, y) = place(square, drawing.flipped);
            put(&mut out, drawing, piece, (x + CELL / 2, y + CELL / 2));
        }
    }
    out.push_str("</g>");
    for color in Color::ALL {
        hand(&mut out, drawing, pos, color);
    }
    out.push_str("</svg>");
    out
}

/// The upper left corner of a square.
fn place(square: Square, flipped: bool) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    match flipped {
        false => (LEFT + (9 - file) * CELL, TOP + (rank - 1) * CELL),
        true => (LEFT + (file - 1) * CELL, TOP + (9 - rank) * CELL),
    }
}

fn last_move(out: &mut String, drawing: &Drawing) {
    let Some(mv) = drawing.last else {
        return;
    };
    for square in mv.from().into_iter().chain([mv.to()]) {
        let (x, y) = place(square, drawing.flipped);
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#f2b05e\"/>"
        );
    }
}

fn grid(out: &mut String, drawing: &Drawing) {
    out.push_str("<path stroke=\"#000\" stroke-width=\".6\" fill=\"none\" d=\"");
    out.push_str(LINES);
    out.push_str("\"/><g font-size=\"9\">");
    for line in 0..9_usize {
        let nth = if drawing.flipped { line } else { 8 - line };
        let x = LEFT + line as u32 * CELL + CELL / 2;
        let y = TOP + line as u32 * CELL + CELL / 2 + 3;
        let file = match drawing.western {
            true => &FILES_WESTERN[nth],
            false => &FILES[nth],
        };
        let rank = match drawing.western {
            true => &LETTERS[8 - nth],
            false => &RANKS[8 - nth],
        };
        out.push_str("<text x=\"");
        push_number(out, x);
        out.push_str("\" y=\"10\">");
        out.push_str(file);
        out.push_str("</text><text x=\"");
        push_number(out, LEFT + 9 * CELL + 7);
        out.push_str("\" y=\"");
        push_number(out, y);
        out.push_str("\">");
        out.push_str(rank);
        out.push_str("</text>");
    }
    out.push_str("</g>");
}

const FILES_WESTERN: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Whether a colour's pieces stand on their heads.
fn is_turned(color: Color, drawing: &Drawing) -> bool {
    (color == Color::White) != drawing.flipped
}

fn name(out: &mut String, kind: PieceKind, western: bool) {
    if western {
        if kind.is_promoted() {
            out.push('+');
        }
        out.push(kind.letter());
    } else {
        out.push(kind.kanji());
    }
}

/// Draws a piece around a point. Forty of them are most of the work, so nothing is formatted.
fn put(out: &mut String, drawing: &Drawing, piece: Piece, (x, y): (u32, u32)) {
    let is_upright = !is_turned(piece.color(), drawing);
    out.push_str("<text transform=\"translate(");
    push_number(out, x);
    out.push(' ');
    push_number(out, y);
    out.push_str(if is_upright { ")\"" } else { ") rotate(180)\"" });
    out.push_str(" y=\"5.5\"");
    if piece.kind().is_promoted() {
        out.push_str(" fill=\"#b00\"");
    }
    out.push('>');
    name(out, piece.kind(), drawing.western);
    out.push_str("</text>");
}

/// A number below a thousand.
fn push_number(out: &mut String, number: u32) {
    let digit = |nth: u32| char::from(b'0' + (number / nth % 10) as u8);
    if number >= 100 {
        out.push(digit(100));
    }
    if number >= 10 {
        out.push(digit(10));
    }
    out.push(digit(1));
}

/// The pieces in hand, one kind below the other, beside the board.
fn hand(out: &mut String, drawing: &Drawing, pos: &Position, color: Color) {
    let is_below = !is_turned(color, drawing);
    let (x, y) = match is_below {
        true => (LEFT + 9 * CELL + 24, TOP + 36),
        false => (LEFT - 24, TOP + 9 * CELL - 36),
    };
    let turn = if is_below { 0 } else { 180 };
    let mark = match (color, drawing.western) {
        (Color::Black, false) => "☗",
        (Color::White, false) => "☖",
        (Color::Black, true) => "B",
        (Color::White, true) => "W",
    };
    let _ = write!(
        out,
        "<g transform=\"translate({x} {y}) rotate({turn})\" font-size=\"13\"><text>{mark}</text>"
    );
    // The most valuable first, as hands are shown.
    let held = PieceKind::BY_VALUE.map(|kind| (kind, pos.hand(color).count(kind)));
    let held = held.into_iter().rev().filter(|&(_, count)| count > 0);
    for (row, (kind, count)) in held.enumerate() {
        let _ = write!(out, "<text y=\"{}\">", 18 * (row + 1));
        name(out, kind, drawing.western);
        if count > 1 {
            let _ = write!(out, "<tspan font-size=\"9\">{count}</tspan>");
        }
        out.push_str("</text>");
    }
    out.push_str("</g>");
}
