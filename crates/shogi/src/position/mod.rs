//! The bitboard board: what it holds and what it answers.
//!
//! Eight sets of squares by way of moving, two by colour, and a plain array for the exact piece.
//! Playing a move keeps them, the key, the checkers and the pins of the side to move; everything
//! else is found when asked for.

pub(crate) mod change;
pub(crate) mod danger;
mod draw;
pub mod key;
mod play;
pub mod setup;
pub mod sfen;

use crate::attacks::{self, sliders, steps};
use crate::bitboard::Bitboard;
use crate::board::{Board, Change};
use crate::movegen::{self, Sink};
use crate::types::color::{ByColor, Color};
use crate::types::hand::Hand;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::{BySquare, Square};
use danger::Danger;
use key::{BoardKey, Key};
use std::ops::ControlFlow;

/// The sets by way of moving. Bishop and horse share one, rook and dragon another; what steps like
/// a king (king, horse, dragon) is in the last one as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Group {
    Pawns,
    Knights,
    Silvers,
    Golds,
    KingSteppers,
    Lances,
    Bishops,
    Rooks,
}

/// The group of each kind, by kind index.
const GROUP: [u8; 16] = [0, 0, 5, 1, 2, 6, 7, 3, 4, 3, 3, 3, 3, 6, 7, 0];

/// Whether a kind is in [`Group::KingSteppers`] besides its own group.
#[inline(always)]
const fn is_promoted_slider(piece: Piece) -> bool {
    piece.index() & 15 >= PieceKind::Horse as usize
}

/// A position of a game, with the moves that led to it.
///
/// ```
/// use tesuji_shogi::{Board, Position};
/// let mut pos = Position::start();
/// assert_eq!(pos.legal_moves().len(), 30);
/// pos.play("7g7f".parse().unwrap());
/// assert_eq!(pos.to_sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
/// pos.undo();
/// assert_eq!(pos, Position::start());
/// ```
#[derive(Clone)]
pub struct Position {
    groups: [Bitboard; 8],
    colors: ByColor<Bitboard>,
    danger: Danger,
    board_key: BoardKey,
    hands: ByColor<Hand>,
    checks: ByColor<u16>,
    kings: ByColor<u8>,
    turn: Color,
    first_ply: u16,
    board: BySquare<Option<Piece>>,
    past: Vec<Past>,
}

/// What a move cannot be taken back without, and what the rules ask of earlier positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    pub(crate) board_key: BoardKey,
    danger: Danger,
    pub(crate) hands: ByColor<Hand>,
    pub(crate) checks: ByColor<u16>,
    /// The move that left the position; `None` is a pass.
    pub(crate) mv: Option<Move>,
    taken: Option<Piece>,
}

/// The square number of a king that is not on the board.
const NO_KING: u8 = 81;

impl Position {
    /// Who moves next.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The number of the move to be played, 1 at the start of a game.
    #[inline]
    pub fn ply(&self) -> u32 {
        u32::from(self.first_ply) + self.past.len() as u32
    }

    /// How many moves (and passes) can be taken back.
    #[inline]
    pub fn played(&self) -> usize {
        self.past.len()
    }

    /// The last move; `None` if there was none or it was a pass.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.past.last()?.mv
    }

    /// The moves that can be taken back, oldest first; `None` is a pass.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Option<Move>> + ExactSizeIterator + '_ {
        self.past.iter().map(|past| past.mv)
    }

    pub(crate) fn past(&self) -> &[Past] {
        &self.past
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// What a side holds.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Where a king stands; composed problems may have none.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::new(usize::from(self.kings[color]))
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::Black] | self.colors[Color::White]
    }

    #[inline(always)]
    pub(crate) fn group(&self, group: Group) -> Bitboard {
        self.groups[group as usize]
    }

    /// All pieces of a kind, of both colours.
    #[inline]
    pub fn of_kind(&self, kind: PieceKind) -> Bitboard {
        use PieceKind::*;
        let steppers = self.group(Group::KingSteppers);
        match kind {
            Pawn => self.group(Group::Pawns),
            Lance => self.group(Group::Lances),
            Knight => self.group(Group::Knights),
            Silver => self.group(Group::Silvers),
            Bishop => self.group(Group::Bishops).without(steppers),
            Rook => self.group(Group::Rooks).without(steppers),
            Horse => self.group(Group::Bishops) & steppers,
            Dragon => self.group(Group::Rooks) & steppers,
            King => steppers.without(self.group(Group::Bishops) | self.group(Group::Rooks)),
            Gold | PromotedPawn | PromotedLance | PromotedKnight | PromotedSilver => {
                let golds = self.group(Group::Golds);
                golds
                    .iter()
                    .filter(|&s| self.at(s).is_some_and(|p| p.kind() == kind))
                    .collect()
            }
        }
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.danger.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.danger.checkers.any()
    }

    /// The pieces of the side to move that shield their king from a slider.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.danger.pinned
    }

    /// The 64-bit key of board, hands and turn.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.board_key.key(self.hands)
    }

    /// A 128-bit number for board, hands and turn, for books.
    pub fn identity(&self) -> u128 {
        self.board_key.identity(self.hands)
    }

    #[inline(always)]
    pub(crate) fn board_key(&self) -> BoardKey {
        self.board_key
    }

    /// How many of its last moves in a row a side has given check with.
    #[inline]
    pub fn checks_in_a_row(&self, color: Color) -> u32 {
        u32::from(self.checks[color])
    }

    /// The pieces of a side that attack a square through the given occupancy.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let foe = color.foe();
        let hits = steps::pawn(foe, square) & self.group(Group::Pawns)
            | steps::knight(foe, square) & self.group(Group::Knights)
            | steps::silver(foe, square) & self.group(Group::Silvers)
            | steps::gold(foe, square) & self.group(Group::Golds)
            | steps::king(square) & self.group(Group::KingSteppers)
            | sliders::lance(foe, square, occupied) & self.group(Group::Lances)
            | sliders::bishop(square, occupied) & self.group(Group::Bishops)
            | sliders::rook(square, occupied) & self.group(Group::Rooks);
        hits & self.colors[color]
    }

    /// Whether a side attacks a square.
    #[inline]
    pub fn is_attacked(&self, by: Color, square: Square) -> bool {
        self.attackers(by, square, self.occupied()).any()
    }

    /// The squares that the piece on a square attacks; none if it is empty.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.at(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::of(piece.kind(), piece.color(), square, self.occupied())
        })
    }

    /// What a move would do to the pieces.
    #[inline]
    pub fn change(&self, mv: Move) -> Change {
        change::of(self, mv)
    }

    /// Whether a move is legal here; any 16 bits that have the form of a move may be asked about.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        movegen::is_legal(self, mv)
    }

    /// Whether a move takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.at(mv.to()).is_some()
    }
}

impl Board for Position {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }
    #[inline(always)]
    fn at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }
    #[inline(always)]
    fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }
    #[inline(always)]
    fn key(&self) -> Key {
        self.key()
    }
    #[inline(always)]
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        movegen::legal(self, sink)
    }
    #[inline(always)]
    fn play(&mut self, mv: Move) -> Change {
        self.play(mv)
    }
    #[inline(always)]
    fn undo(&mut self) {
        self.undo();
    }
}

/// Two positions are equal if nothing that can be asked of them differs, the past included.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.groups == other.groups
            && self.colors == other.colors
            && self.danger == other.danger
            && self.board_key == other.board_key
            && self.hands == other.hands
            && self.checks == other.checks
            && self.kings == other.kings
            && self.turn == other.turn
            && self.board == other.board
            && self.first_ply == other.first_ply
            && self.moves().eq(other.moves())
    }
}

impl Eq for Position {}
