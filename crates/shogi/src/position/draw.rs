//! A position drawn for people: kanji as in Japanese books, letters as in SFEN.

use super::Position;
use crate::types::color::Color;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::fmt;

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The board as Japanese books draw it; `v` marks the pieces of White.
///
/// ```
/// use tesuji_shogi::Position;
/// let board = Position::start().to_string();
/// assert!(board.contains("| ・v飛 ・ ・ ・ ・ ・v角 ・|二"));
/// ```
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "後手の持駒：{}", hand(self, Color::White))?;
        writeln!(f, "  ９ ８ ７ ６ ５ ４ ３ ２ １")?;
        writeln!(f, "+---------------------------+")?;
        for (rank, name) in (1..=9).zip(RANKS) {
            write!(f, "|")?;
            for file in (1..=9).rev() {
                match Square::at(file, rank).and_then(|square| self.at(square)) {
                    None => write!(f, " ・")?,
                    Some(piece) => {
                        let mark = if piece.color() == Color::White {
                            'v'
                        } else {
                            ' '
                        };
                        write!(f, "{mark}{}", piece.kind().kanji())?;
                    }
                }
            }
            writeln!(f, "|{name}")?;
        }
        writeln!(f, "+---------------------------+")?;
        writeln!(f, "先手の持駒：{}", hand(self, Color::Black))?;
        let turn = if self.turn() == Color::Black {
            "先手"
        } else {
            "後手"
        };
        write!(f, "手番：{turn}  手数＝{}", self.ply() - 1)
    }
}

/// What a side holds, strongest kinds first.
fn hand(pos: &Position, color: Color) -> String {
    let held: Vec<String> = PieceKind::BY_VALUE
        .into_iter()
        .rev()
        .filter_map(|kind| match pos.hand(color).count(kind) {
            0 => None,
            1 => Some(kind.kanji().to_string()),
            count => Some(format!("{}{count}", kind.kanji())),
        })
        .collect();
    if held.is_empty() {
        "なし".into()
    } else {
        held.join(" ")
    }
}

impl Position {
    /// The board in letters, for readers without Japanese: capitals are Black's.
    pub fn to_letters(&self) -> String {
        let mut text = String::from("  9  8  7  6  5  4  3  2  1\n");
        for rank in 1..=9 {
            for file in (1..=9).rev() {
                let piece = Square::at(file, rank).and_then(|square| self.at(square));
                text += &format!("{:>3}", piece.map_or("·".into(), |piece| piece.to_string()));
            }
            text += &format!("  {}\n", (b'a' + rank - 1) as char);
        }
        text
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.to_sfen(), self.to_letters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_drawn_strongest_first() {
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RGP2b2l 1").unwrap();
        let drawn = pos.to_string();
        assert!(drawn.contains("先手の持駒：飛 金 歩"), "{drawn}");
        assert!(drawn.contains("後手の持駒：角2 香2"), "{drawn}");
    }
}
