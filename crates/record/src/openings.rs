//! Castles and openings by name: what players see at a glance.
//!
//! A castle is there when its pieces stand on their squares; an opening is told by the file of the
//! rook. Names and shapes are those of any beginner's book; the English ones are in use in the West
//! since Hodges' magazine *Shogi*.

use tesuji_shogi::{ByColor, Color, Move, Piece, PieceKind, Position, Square};

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
    square.for_color(side)
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
        match rook.for_color(side).file() {
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

/// What both sides play together (戦型).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// As players in the West call it.
    pub english: &'static str,
    /// As players in Japan call it.
    pub japanese: &'static str,
}

/// How many plies of a game are its opening.
const OPENING_PLIES: usize = 44;

/// Before this ply a game has no name yet.
const NAMELESS_PLIES: usize = 6;

/// What was seen of an opening.
#[derive(Default)]
struct OpeningSigns {
    /// The last file of each rook at home.
    rooks: ByColor<Option<RookFile>>,
    /// Whether both bishops came off the board while it was still full.
    are_bishops_exchanged: bool,
    /// Whether a rook took the pawn beside its file (横歩).
    is_side_pawn_taken: bool,
    /// Whether both rook pawns ran before a bishop could see.
    is_double_wing: bool,
    /// Whether a silver stands before its bishop, behind a pawn (矢倉), for either side.
    is_fortress: bool,
    /// Whether two silvers stand side by side before the gold (雁木), for either side.
    is_snow_roof: bool,
    /// Whether the pawn before a third file rook went to the fifth rank (石田流).
    is_ishida: bool,
    /// Whether White put the rook into the centre with its bishop open (ゴキゲン中飛車).
    is_gokigen: bool,
}

impl OpeningSigns {
    fn look(&mut self, pos: &Position, ply: usize, mv: Move) {
        let has =
            |side, kind, square| pos.at(seen_by(side, square)) == Some(Piece::new(side, kind));
        for side in Color::ALL {
            let file = RookFile::of(pos, side);
            if file != RookFile::Elsewhere {
                self.rooks[side] = Some(file);
            }
            let silver = |square| has(side, PieceKind::Silver, square);
            let pawn = |square| has(side, PieceKind::Pawn, square);
            self.is_fortress |= silver("77") && pawn("66") && !self.are_bishops_exchanged;
            self.is_snow_roof |= silver("67") && silver("57") && pawn("66");
            let third = file == RookFile::Third || has(side, PieceKind::Rook, "76");
            self.is_ishida |= third && pawn("75");
        }
        let in_hand = |side| pos.hand(side).has(PieceKind::Bishop);
        self.are_bishops_exchanged |= ply <= 32 && in_hand(Color::Black) && in_hand(Color::White);
        let is_side = |side| mv.to() == seen_by(side, "34") && has(side, PieceKind::Rook, "34");
        self.is_side_pawn_taken |= ply <= 36 && (is_side(Color::Black) || is_side(Color::White));
        let runs = |side| has(side, PieceKind::Pawn, "25") && has(side, PieceKind::Pawn, "77");
        self.is_double_wing |= ply <= 6 && runs(Color::Black) && runs(Color::White);
        let white = Color::White;
        let is_open = has(white, PieceKind::Pawn, "76") && has(white, PieceKind::Pawn, "67");
        self.is_gokigen |= RookFile::of(pos, white) == RookFile::Central && is_open;
    }

    fn opening(&self) -> Opening {
        let is_ranging = |side: Color| {
            let file = self.rooks[side].unwrap_or(RookFile::Static);
            (file != RookFile::Static).then_some((side, file))
        };
        let name = |english, japanese| Opening { english, japanese };
        match (is_ranging(Color::Black), is_ranging(Color::White)) {
            (Some(_), Some(_)) => name("Double Ranging Rook", "相振り飛車"),
            (Some((side, file)), None) | (None, Some((side, file))) => self.ranging(side, file),
            (None, None) if self.is_side_pawn_taken => name("Side Pawn", "横歩取り"),
            (None, None) if self.are_bishops_exchanged => name("Bishop Exchange", "角換わり"),
            (None, None) if self.is_fortress => name("Fortress", "矢倉"),
            (None, None) if self.is_snow_roof => name("Snow Roof", "雁木"),
            (None, None) if self.is_double_wing => name("Double Wing Attack", "相掛かり"),
            (None, None) => name("Double Static Rook", "相居飛車"),
        }
    }

    fn ranging(&self, side: Color, file: RookFile) -> Opening {
        let name = |english, japanese| Opening { english, japanese };
        match file {
            RookFile::Central if side == Color::White && self.is_gokigen => {
                name("Gokigen Central Rook", "ゴキゲン中飛車")
            }
            RookFile::Third if self.is_ishida => name("Ishida", "石田流"),
            _ if self.are_bishops_exchanged => {
                name("Bishop Exchange Ranging Rook", "角交換振り飛車")
            }
            file => name(file.english(), file.japanese()),
        }
    }
}

impl Opening {
    /// The opening of a game from the start position; `None` if it is too short, or a handicap game.
    ///
    /// ```
    /// use tesuji_record::openings::Opening;
    /// use tesuji_shogi::Position;
    ///
    /// let moves = "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b".split(' ');
    /// let moves = moves.map(|text| text.parse().unwrap());
    /// let opening = Opening::of_game(&Position::start(), moves).unwrap();
    /// assert_eq!(opening.english, "Fourth File Rook");
    /// ```
    pub fn of_game(start: &Position, moves: impl Iterator<Item = Move>) -> Option<Self> {
        if start.to_sfen() != Position::start().to_sfen() {
            return None;
        }
        let (mut pos, mut signs, mut plies) = (start.clone(), OpeningSigns::default(), 0);
        for mv in moves.take(OPENING_PLIES) {
            pos.try_play(mv).ok()?;
            plies += 1;
            signs.look(&pos, plies, mv);
        }
        (plies >= NAMELESS_PLIES).then(|| signs.opening())
    }
}

#[cfg(test)]
mod tests;
