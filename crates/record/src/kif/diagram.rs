//! A start position drawn as a board.

use crate::error::ReadProblem;
use crate::names::{digit, kind_name, quoted, strip_kind};
use tesuji_shogi::{Color, Hand, Piece, PieceKind, Position, Setup, Square};

const NUMERALS: [&str; 19] = [
    "", "", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四",
    "十五", "十六", "十七", "十八",
];

/// The board with both hands and, if White moves first, who does.
pub(super) fn write(pos: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", write_hand(pos.hand(Color::White)));
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
    for (rank, name) in (1..=9).zip(["一", "二", "三", "四", "五", "六", "七", "八", "九"])
    {
        text.push('|');
        for file in (1..=9).rev() {
            match Square::at(file, rank).and_then(|square| pos.at(square)) {
                None => text += " ・",
                Some(piece) => {
                    text.push(if piece.color() == Color::White {
                        'v'
                    } else {
                        ' '
                    });
                    text.push(piece.kind().kanji());
                }
            }
        }
        text += &format!("|{name}\n");
    }
    text += "+---------------------------+\n";
    text += &format!("先手の持駒：{}\n", write_hand(pos.hand(Color::Black)));
    if pos.turn() == Color::White {
        text += "後手番\n";
    }
    text
}

fn write_hand(hand: Hand) -> String {
    use PieceKind::*;
    let held: Vec<_> = [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn]
        .into_iter()
        .filter(|&kind| hand.has(kind))
        .map(|kind| {
            let count = NUMERALS.get(hand.count(kind) as usize).copied();
            format!("{}{}", kind_name(kind), count.unwrap_or_default())
        })
        .collect();
    match held.is_empty() {
        true => "なし".into(),
        false => held.join("　"),
    }
}

/// Reads one rank, from `|` on.
pub(super) fn read_rank(setup: &mut Setup, rank: u8, line: &str) -> Result<(), ReadProblem> {
    let wrong = || ReadProblem::Board(quoted(line), "nine squares such as v歩, 歩 or ・");
    let mut rest = line.strip_prefix(['|', '｜']).ok_or_else(wrong)?;
    for file in (1..=9).rev() {
        let square = Square::at(file, rank).ok_or_else(wrong)?;
        let (piece, after) = read_square(rest).ok_or_else(wrong)?;
        setup.board[square] = piece;
        rest = after;
    }
    if rest.trim_start().starts_with(['|', '｜']) {
        Ok(())
    } else {
        Err(wrong())
    }
}

fn read_square(text: &str) -> Option<(Option<Piece>, &str)> {
    let mut chars = text.chars();
    let color = match chars.next()? {
        'v' | 'V' | 'ｖ' => Color::White,
        ' ' | '^' | '　' => Color::Black,
        _ => return None,
    };
    let rest = chars.as_str();
    if let Some((kind, after)) = strip_kind(rest) {
        return Some((Some(Piece::new(color, kind)), after));
    }
    let after = rest.strip_prefix(['・', '･', '*', '．', '.'])?;
    (color == Color::Black).then_some((None, after))
}

/// Reads `飛　角　歩十五` or `なし`.
pub(super) fn read_hand(text: &str) -> Result<Hand, ReadProblem> {
    let wrong = || {
        ReadProblem::Board(
            quoted(text),
            "pieces and numbers such as 飛　歩十五, or なし",
        )
    };
    let mut hand = Hand::EMPTY;
    let mut rest = text.trim();
    if rest == "なし" {
        return Ok(hand);
    }
    while !rest.is_empty() {
        let (kind, after) = strip_kind(rest).ok_or_else(wrong)?;
        let (count, after) = read_count(after).ok_or_else(wrong)?;
        let sum = hand.count(kind) + count;
        if !kind.is_hand_kind() || sum > kind.full_count() {
            return Err(wrong());
        }
        hand = hand.with(kind, sum);
        rest = after.trim_start();
    }
    Ok(hand)
}

/// A number in kanji or digits of any width; 1 if there is none.
fn read_count(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c| !is_numeral(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    if number.is_empty() {
        return Some((1, rest));
    }
    let mut sum = 0;
    for c in number.chars() {
        sum = match c {
            '十' if sum == 0 => 10,
            '十' => return None,
            // 十五 is ten and five, 15 is one and five.
            _ if sum == 10 && number.starts_with('十') => 10 + value(c)?,
            _ => sum * 10 + value(c)?,
        };
        if sum > 18 {
            return None;
        }
    }
    (sum > 0).then_some((sum, rest))
}

fn is_numeral(c: char) -> bool {
    c == '十' || value(c).is_some()
}

fn value(c: char) -> Option<u32> {
    match c {
        '0' | '０' | '〇' => Some(0),
        _ => digit(c).map(u32::from),
    }
}
