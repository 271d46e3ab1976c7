//! Building and validating positions; handicaps.

use super::{Position, StateInfo};
use crate::side::{Black, White};
use crate::types::color::{ByColor, Color};
use crate::types::hand::{Hand, Hands};
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{BySquare, Square};

/// Pieces put anywhere: what an editor or a reader fills before it is a position.
///
/// ```
/// use tesuji_shogi::{Color, Piece, PieceKind, Setup, SetupError};
/// let mut setup = Setup::default();
/// setup.board["5a".parse().unwrap()] = Some(Piece::new(Color::White, PieceKind::King));
/// assert!(setup.build().is_ok()); // a problem without the attacker's king
/// setup.board["5b".parse().unwrap()] = Some(Piece::new(Color::Black, PieceKind::Gold));
/// assert!(matches!(setup.build(), Err(SetupError::CanTakeKing(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands where.
    pub board: BySquare<Option<Piece>>,
    /// What the sides hold.
    pub hands: ByColor<Hand>,
    /// Who moves next.
    pub turn: Color,
    /// The number of the next move, from 1.
    pub ply: u16,
}

/// Why pieces put somewhere are no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A side has two kings.
    #[error("{0:?} has two kings, one on {1}")]
    TwoKings(Color, Square),
    /// There are more pieces of a kind than a set has.
    #[error("{found} pieces of kind {kind:?} on the board and in hand, but a set has {most}")]
    TooMany {
        /// Which kind, unpromoted.
        kind: PieceKind,
        /// How many there are.
        found: u32,
        /// How many a set has.
        most: u32,
    },
    /// Two unpromoted pawns of one colour on one file.
    #[error("{0:?} has two pawns on file {1}")]
    TwoPawns(Color, u8),
    /// A piece that could never move again.
    #[error("the {kind:?} of {color:?} on {square} could never move")]
    DeadEnd {
        /// Whose.
        color: Color,
        /// Which kind.
        kind: PieceKind,
        /// Where.
        square: Square,
    },
    /// The side to move could take the king.
    #[error("{0:?} is to move and could take the king of the other side")]
    CanTakeKing(Color),
}

impl Default for Setup {
    /// The empty board, Black to move.
    fn default() -> Self {
        Self {
            board: BySquare([None; 81]),
            hands: ByColor::default(),
            turn: Color::Black,
            ply: 1,
        }
    }
}

impl Setup {
    /// The start position.
    pub fn start() -> Self {
        Self::handicap(Handicap::Even)
    }

    /// The start position of a handicap game: White gives pieces and moves first.
    pub fn handicap(handicap: Handicap) -> Self {
        use PieceKind::*;
        let mut setup = Self::default();
        let back = [
            Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance,
        ];
        for file in 1..=9u8 {
            setup.put(Color::Black, file, 9, back[usize::from(file) - 1]);
            setup.put(Color::Black, file, 7, Pawn);
        }
        setup.put(Color::Black, 8, 8, Bishop);
        setup.put(Color::Black, 2, 8, Rook);
        for square in Square::all() {
            if let Some(piece) = setup.board[square].filter(|piece| piece.color() == Color::Black) {
                setup.board[square.rotated()] = Some(piece.inverse());
            }
        }
        for &square in handicap.given() {
            setup.board[Square::trusted(square)] = None;
        }
        if handicap != Handicap::Even {
            setup.turn = Color::White;
        }
        setup
    }

    fn put(&mut self, color: Color, file: u8, rank: u8, kind: PieceKind) {
        if let Some(square) = Square::at(file, rank) {
            self.board[square] = Some(Piece::new(color, kind));
        }
    }

    /// The same pieces as a position, or what is wrong with them. Pieces may be missing, kings
    /// too, as in problems and handicap games.
    pub fn build(&self) -> Result<Position, SetupError> {
        self.check_pieces()?;
        self.check_counts()?;
        let mut pos = Position {
            states: vec![
                StateInfo {
                    hands: Hands::new(self.hands),
                    ..StateInfo::default()
                };
                2
            ],
            played: 0,
            turn: self.turn,
            first_ply: self.ply.max(1),
            board: [None; 128],
        };
        pos.board[..81].copy_from_slice(&self.board.0);
        pos.refresh();
        let waiting = match self.turn.foe() {
            Color::Black => pos.check_info_of::<Black>(),
            Color::White => pos.check_info_of::<White>(),
        };
        if waiting.checkers.any() {
            Err(SetupError::CanTakeKing(self.turn))
        } else {
            Ok(pos)
        }
    }

    /// Every piece of a set that is neither on the board nor in a hand, kings apart: what the defender
    /// of a mate problem holds by convention.
    ///
    /// ```
    /// use tesuji_shogi::{PieceKind, Setup};
    /// assert_eq!(Setup::default().unplaced().count(PieceKind::Pawn), 18);
    /// assert!(Setup::start().unplaced().is_empty());
    /// ```
    pub fn unplaced(&self) -> Hand {
        let mut rest = Hand::EMPTY;
        for kind in PieceKind::HAND {
            let on_board = self.board.0.iter().flatten();
            let on_board = on_board.filter(|piece| piece.base() == kind).count() as u32;
            let in_hand: u32 = self.hands.0.iter().map(|hand| hand.count(kind)).sum();
            let left = kind.full_count().saturating_sub(on_board + in_hand);
            rest = rest.with(kind, left);
        }
        rest
    }

    fn check_pieces(&self) -> Result<(), SetupError> {
        let mut kings = ByColor([false; 2]);
        let mut pawns = ByColor([[false; 10]; 2]);
        for square in Square::all() {
            let Some(piece) = self.board[square] else {
                continue;
            };
            let (color, kind) = (piece.color(), piece.kind());
            let rank = square.rank_for(color);
            let dead = match kind {
                PieceKind::Pawn | PieceKind::Lance => rank == 1,
                PieceKind::Knight => rank <= 2,
                _ => false,
            };
            if dead {
                return Err(SetupError::DeadEnd {
                    color,
                    kind,
                    square,
                });
            }
            if kind == PieceKind::Pawn
                && std::mem::replace(&mut pawns[color][usize::from(square.file())], true)
            {
                return Err(SetupError::TwoPawns(color, square.file()));
            }
            if kind == PieceKind::King && std::mem::replace(&mut kings[color], true) {
                return Err(SetupError::TwoKings(color, square));
            }
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), SetupError> {
        let mut on_board = [0_u32; 16];
        for piece in self.board.0.iter().flatten() {
            on_board[piece.base().index()] += 1;
        }
        for kind in PieceKind::HAND {
            let in_hand = self
                .hands
                .0
                .iter()
                .map(|hand| hand.count(kind))
                .sum::<u32>();
            let (found, most) = (on_board[kind.index()] + in_hand, kind.full_count());
            if found > most {
                return Err(SetupError::TooMany { kind, found, most });
            }
        }
        Ok(())
    }
}

/// How many pieces White gives up at the start; White then moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handicap {
    /// 平手
    Even,
    /// 香落ち
    Lance,
    /// 右香落ち
    RightLance,
    /// 角落ち
    Bishop,
    /// 飛車落ち
    Rook,
    /// 飛香落ち
    RookLance,
    /// 二枚落ち
    TwoPiece,
    /// 三枚落ち
    ThreePiece,
    /// 四枚落ち
    FourPiece,
    /// 五枚落ち
    FivePiece,
    /// 左五枚落ち
    LeftFivePiece,
    /// 六枚落ち
    SixPiece,
    /// 右七枚落ち
    RightSevenPiece,
    /// 左七枚落ち
    LeftSevenPiece,
    /// 八枚落ち
    EightPiece,
    /// 十枚落ち
    TenPiece,
}

impl Handicap {
    /// All of them, from the even game down.
    pub const ALL: [Self; 16] = [
        Self::Even,
        Self::Lance,
        Self::RightLance,
        Self::Bishop,
        Self::Rook,
        Self::RookLance,
        Self::TwoPiece,
        Self::ThreePiece,
        Self::FourPiece,
        Self::FivePiece,
        Self::LeftFivePiece,
        Self::SixPiece,
        Self::RightSevenPiece,
        Self::LeftSevenPiece,
        Self::EightPiece,
        Self::TenPiece,
    ];

    /// The Japanese name, as game records write it.
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::Even => "平手",
            Self::Lance => "香落ち",
            Self::RightLance => "右香落ち",
            Self::Bishop => "角落ち",
            Self::Rook => "飛車落ち",
            Self::RookLance => "飛香落ち",
            Self::TwoPiece => "二枚落ち",
            Self::ThreePiece => "三枚落ち",
            Self::FourPiece => "四枚落ち",
            Self::FivePiece => "五枚落ち",
            Self::LeftFivePiece => "左五枚落ち",
            Self::SixPiece => "六枚落ち",
            Self::RightSevenPiece => "右七枚落ち",
            Self::LeftSevenPiece => "左七枚落ち",
            Self::EightPiece => "八枚落ち",
            Self::TenPiece => "十枚落ち",
        }
    }

    /// The squares White leaves empty. White's left is file 1, its right file 9.
    const fn given(self) -> &'static [u8] {
        const ROOK: u8 = 64; // 8二
        const BISHOP: u8 = 10; // 2二
        const LEFT: [u8; 4] = [0, 9, 18, 27]; // 1一, 2一, 3一, 4一
        const RIGHT: [u8; 4] = [72, 63, 54, 45]; // 9一, 8一, 7一, 6一
        match self {
            Self::Even => &[],
            Self::Lance => &[LEFT[0]],
            Self::RightLance => &[RIGHT[0]],
            Self::Bishop => &[BISHOP],
            Self::Rook => &[ROOK],
            Self::RookLance => &[ROOK, LEFT[0]],
            Self::TwoPiece => &[ROOK, BISHOP],
            Self::ThreePiece => &[ROOK, BISHOP, LEFT[0]],
            Self::FourPiece => &[ROOK, BISHOP, LEFT[0], RIGHT[0]],
            Self::FivePiece => &[ROOK, BISHOP, LEFT[0], RIGHT[0], RIGHT[1]],
            Self::LeftFivePiece => &[ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1]],
            Self::SixPiece => &[ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1], RIGHT[1]],
            Self::RightSevenPiece => {
                &[ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1], RIGHT[1], RIGHT[2]]
            }
            Self::LeftSevenPiece => &[ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1], RIGHT[1], LEFT[2]],
            Self::EightPiece => &[
                ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1], RIGHT[1], LEFT[2], RIGHT[2],
            ],
            Self::TenPiece => &[
                ROOK, BISHOP, LEFT[0], RIGHT[0], LEFT[1], RIGHT[1], LEFT[2], RIGHT[2], LEFT[3],
                RIGHT[3],
            ],
        }
    }
}

impl Position {
    /// The start position.
    pub fn start() -> Self {
        Self::handicap(Handicap::Even)
    }

    /// The start position of a handicap game.
    pub fn handicap(handicap: Handicap) -> Self {
        Setup::handicap(handicap)
            .build()
            .expect("every handicap is a sound position")
    }

    /// The pieces as they stand, to be changed and built again.
    pub fn setup(&self) -> Setup {
        Setup {
            board: BySquare(std::array::from_fn(|i| self.board[i])),
            hands: ByColor(Color::ALL.map(|color| self.hand(color))),
            turn: self.turn,
            ply: u16::try_from(self.ply()).unwrap_or(u16::MAX),
        }
    }

    /// The same position with colours exchanged and the board turned by half a turn.
    pub fn flipped(&self) -> Self {
        let mut setup = self.setup();
        for square in Square::all() {
            setup.board[square.rotated()] = self.at(square).map(Piece::inverse);
        }
        setup.hands.0.swap(0, 1);
        setup.turn = self.turn.foe();
        setup
            .build()
            .expect("a sound position is sound from the other side")
    }
}
