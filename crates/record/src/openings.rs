//! Castles and openings by name: what players see at a glance.
//!
//! A castle is there when its pieces stand on their squares; an opening is told by the file of the
//! rook. Names and shapes are those of any beginner's book; the English ones are in use in the West
//! since Hodges' magazine *Shogi*.

use tesuji_shogi::{Color, Piece, PieceKind, Position, Square};

/// A castle, and the pieces that make it, as Black has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castle {
    /// As players in the West call it.
    pub english: &'static str,
    /// As players in Japan call it.
    pub japanese: &'static str,
    /// Piece and square, as `K28`.
    pieces: &'static str,
}

const fn castle(english: &'static str, japanese: &'static str, pieces: &'static str) -> Castle {
    Castle {
        english,
        japanese,
        pieces,
    }
}

/// The castles that are known. Where one contains another, it stands before it.
pub const CASTLES: [Castle; 20] = [
    castle("Fortress", "矢倉", "K88 G78 G67 S77"),
    castle("Silver Fortress", "銀矢倉", "K88 G78 S67 S77"),
    castle("Static Rook Bear-in-the-hole", "居飛車穴熊", "K99 L98 S88"),
    castle("Bear-in-the-hole", "穴熊", "K19 L18 S28"),
    castle("High Mino", "高美濃囲い", "K28 S38 G49 G47"),
    castle("Mino", "美濃囲い", "K28 S38 G49 G58"),
    castle("Half Mino", "片美濃囲い", "K28 S38 G49"),
    castle("Silver Crown", "銀冠", "K28 S27 G38"),
    castle("Left Silver Crown", "左銀冠", "K88 S87 G78"),
    castle("Top Knot", "天守閣美濃", "K87 S78 G69"),
    castle("Left Mino", "左美濃", "K88 S78 G69"),
    castle("Elmo", "エルモ囲い", "K78 S68 G79"),
    castle("Boat", "舟囲い", "K78 G58 G69"),
    castle("Crab", "カニ囲い", "K69 G78 G58 S68"),
    castle("Snow Roof", "雁木", "G78 S67 S57"),
    castle("Nakahara", "中原囲い", "K69 G78 G59"),
    castle("Nakazumai", "中住まい", "K58 G78 G38"),
    castle("Gold Fortress", "金無双", "K38 S28 G48 G58"),
    castle("Right King", "右玉", "K48 R29"),
    castle("Right King", "右玉", "K38 R29"),
];

impl Castle {
    /// The castle that a side has, if it has one.
    ///
    /// ```
    /// use tesuji_record::openings::Castle;
    /// use tesuji_shogi::{Color, Position};
    ///
    /// let mino = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2G2SK/LN1R2GNL b - 1");
    /// assert_eq!(Castle::of(&mino.unwrap(), Color::Black), None);
    /// let mino = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1BR1G1SK1/LNS2G1NL b - 1");
    /// assert_eq!(Castle::of(&mino.unwrap(), Color::Black).unwrap().english, "Mino");
    /// ```
    pub fn of(pos: &Position, side: Color) -> Option<&'static Self> {
        CASTLES.iter().find(|castle| castle.is_built(pos, side))
    }

    fn is_built(&self, pos: &Position, side: Color) -> bool {
        self.pieces.split(' ').all(|part| {
            let (kind, square) = part.split_at(1);
            let piece = letter(kind).map(|kind| Piece::new(side, kind));
            piece.is_some() && pos.at(seen_by(side, square)) == piece
        })
    }
}

fn letter(letter: &str) -> Option<PieceKind> {
    Some(match letter {
        "K" => PieceKind::King,
        "R" => PieceKind::Rook,
        "G" => PieceKind::Gold,
        "S" => PieceKind::Silver,
        "L" => PieceKind::Lance,
        _ => return None,
    })
}

/// A square written as file and rank from Black's side, on the board of a side.
fn seen_by(side: Color, square: &str) -> Square {
    let mut digits = square.bytes().map(|digit| digit - b'0');
    let (file, rank) = (digits.next().unwrap_or(1), digits.next().unwrap_or(1));
    let square = Square::at(file, rank).expect("castles stand on the board");
    match side {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}

/// Where a side has put its rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RookFile {
    /// At home or beside it.
    Static,
    /// In the centre.
    Central,
    /// On the fourth file.
    Fourth,
    /// On the third file.
    Third,
    /// Opposite the foe's.
    Opposing,
    /// On a file without a name of its own, in the foe's camp, or taken.
    Elsewhere,
}

impl RookFile {
    /// Where the rook of a side stands.
    pub fn of(pos: &Position, side: Color) -> Self {
        let rook = Square::all().find(|&square| {
            let is_home = square.rank_for(side) >= 7;
            is_home && pos.at(square) == Some(Piece::new(side, PieceKind::Rook))
        });
        let Some(rook) = rook else {
            return Self::Elsewhere;
        };
        let file = match side {
            Color::Black => rook.file(),
            Color::White => rook.rotated().file(),
        };
        match file {
            1..=3 => Self::Static,
            5 => Self::Central,
            6 => Self::Fourth,
            7 => Self::Third,
            8 => Self::Opposing,
            _ => Self::Elsewhere,
        }
    }

    /// As players in the West call it.
    pub const fn english(self) -> &'static str {
        match self {
            Self::Static => "Static Rook",
            Self::Central => "Central Rook",
            Self::Fourth => "Fourth File Rook",
            Self::Third => "Third File Rook",
            Self::Opposing => "Opposing Rook",
            Self::Elsewhere => "other",
        }
    }

    /// As players in Japan call it.
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::Static => "居飛車",
            Self::Central => "中飛車",
            Self::Fourth => "四間飛車",
            Self::Third => "三間飛車",
            Self::Opposing => "向かい飛車",
            Self::Elsewhere => "その他",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_castle_is_found_where_it_is_built_and_on_both_sides() {
        for castle in &CASTLES {
            for side in Color::ALL {
                let mut setup = Position::start().setup();
                for square in Square::all() {
                    setup.board[square] = None;
                }
                for part in castle.pieces.split(' ') {
                    let (kind, square) = part.split_at(1);
                    let piece = Piece::new(side, letter(kind).unwrap());
                    setup.board[seen_by(side, square)] = Some(piece);
                }
                let foe = seen_by(side.foe(), "59");
                setup.board[foe] = Some(Piece::new(side.foe(), PieceKind::King));
                if !castle.pieces.contains('K') {
                    setup.board[seen_by(side, "59")] = Some(Piece::new(side, PieceKind::King));
                }
                let pos = setup.build().unwrap();
                let found = Castle::of(&pos, side).unwrap();
                assert_eq!(found.english, castle.english, "{}", pos.to_sfen());
                assert_eq!(Castle::of(&pos, side.foe()), None);
            }
        }
    }

    #[test]
    fn the_file_of_the_rook_names_the_opening() {
        let mut pos = Position::start();
        assert_eq!(RookFile::of(&pos, Color::White), RookFile::Static);
        for (mv, side, file) in [
            ("2h6h", Color::Black, RookFile::Fourth),
            ("8b5b", Color::White, RookFile::Central),
            ("6h7h", Color::Black, RookFile::Third),
        ] {
            pos.play(mv.parse().unwrap());
            assert_eq!(RookFile::of(&pos, side), file);
        }
    }
}
