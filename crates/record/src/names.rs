//! Squares, pieces and moves as people name them, in Japanese and in the West.

mod japanese;
#[cfg(test)]
mod tests;
mod western;

pub use japanese::{japanese, kif_move, read_japanese};
pub use western::{read_western, western};

pub(crate) use japanese::{dropped_mark, is_mark, mark, relative_letters};

use tesuji_shogi::rules::Foul;
use tesuji_shogi::{PieceKind, Square};

/// Why the name of a move names no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// The text does not begin like a move.
    #[error("\"{0}\" does not name a move, as ７六歩 or P-7f do")]
    Form(String),
    /// 同 without a move before.
    #[error("同 means the square of the move before, but there is none")]
    NoSame,
    /// The name says that another piece stands there.
    #[error("\"{0}\" names a piece that does not stand there")]
    OtherPiece(String),
    /// No piece can make the move.
    #[error("\"{0}\" is not possible here")]
    Nobody(String),
    /// Several moves have this name.
    #[error("\"{0}\" could be any of {1}: say which, as with 右 左 上 寄 引 直 打")]
    Several(String, String),
    /// There is one, but it is illegal.
    #[error("\"{0}\" is illegal: {1}")]
    Foul(String, Foul),
}

/// The beginning of a text that came from outside, for a message: readable as it stands, so only
/// what would not be seen is replaced.
pub(crate) fn quoted(text: &str) -> String {
    let seen = |letter: char| match letter.is_control() {
        true => ' ',
        false => letter,
    };
    text.trim().chars().take(16).map(seen).collect()
}

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A square as in a Japanese record: `７六`.
pub(crate) fn square_name(square: Square) -> String {
    let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
    [FILES[file - 1], RANKS[rank - 1]].into_iter().collect()
}

/// The number 1 to 9 that a digit of any kind stands for.
pub(crate) fn digit(digit: char) -> Option<u8> {
    let place = |list: [char; 9]| list.iter().position(|&c| c == digit).map(|i| i as u8 + 1);
    match digit {
        '1'..='9' => Some(digit as u8 - b'0'),
        _ => place(FILES).or_else(|| place(RANKS)),
    }
}

/// A piece as in the moves of a Japanese record: `歩`, `成香`, `龍`.
pub(crate) const fn kind_name(kind: PieceKind) -> &'static str {
    use PieceKind::*;
    match kind {
        Pawn => "歩",
        Lance => "香",
        Knight => "桂",
        Silver => "銀",
        Bishop => "角",
        Rook => "飛",
        Gold => "金",
        King => "玉",
        PromotedPawn => "と",
        PromotedLance => "成香",
        PromotedKnight => "成桂",
        PromotedSilver => "成銀",
        Horse => "馬",
        Dragon => "龍",
    }
}

/// The piece that a text begins with, and what follows.
pub(crate) fn strip_kind(text: &str) -> Option<(PieceKind, &str)> {
    use PieceKind::*;
    const NAMES: [(&str, PieceKind); 21] = [
        ("成香", PromotedLance),
        ("成桂", PromotedKnight),
        ("成銀", PromotedSilver),
        ("成歩", PromotedPawn),
        ("歩", Pawn),
        ("香", Lance),
        ("桂", Knight),
        ("銀", Silver),
        ("金", Gold),
        ("角", Bishop),
        ("飛", Rook),
        ("玉", King),
        ("王", King),
        ("と", PromotedPawn),
        ("杏", PromotedLance),
        ("圭", PromotedKnight),
        ("全", PromotedSilver),
        ("馬", Horse),
        ("龍", Dragon),
        ("竜", Dragon),
        ("步", Pawn),
    ];
    NAMES
        .iter()
        .find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}
