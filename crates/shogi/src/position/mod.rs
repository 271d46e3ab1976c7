//! The bitboard board: what it holds and what it answers.
//!
//! Eight sets of squares by way of moving, two by colour, and a plain array for the exact piece.
//! Playing a move keeps them, the key, the checkers and the pins of the side to move; everything
//! else is found when asked for. Pieces that move alike share a set, as the gold movers do in
//! Apery.

pub(crate) mod check_info;
mod draw;
mod play;
pub mod setup;
pub mod sfen;

use crate::attacks::{self, sliders, steps};
use crate::bitboard::Bitboard;
use crate::board::Change;
use crate::key::{BoardKey, Key};
use crate::types::color::{ByColor, Color};
use crate::types::hand::{Hand, Hands};
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use check_info::CheckInfo;
use std::hash::{Hash, Hasher};
use tesuji_kernels::EightSets;

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

/// The groups that each kind is in, as a mask, by kind index; 0 for an empty square.
static GROUPS_OF: [u8; 16] = {
    let mut masks = [0; 16];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        masks[kind.index()] = match kind {
            PieceKind::Pawn => 1 << Group::Pawns as u8,
            PieceKind::Lance => 1 << Group::Lances as u8,
            PieceKind::Knight => 1 << Group::Knights as u8,
            PieceKind::Silver => 1 << Group::Silvers as u8,
            PieceKind::Bishop => 1 << Group::Bishops as u8,
            PieceKind::Rook => 1 << Group::Rooks as u8,
            PieceKind::King => 1 << Group::KingSteppers as u8,
            PieceKind::Horse => 1 << Group::Bishops as u8 | 1 << Group::KingSteppers as u8,
            PieceKind::Dragon => 1 << Group::Rooks as u8 | 1 << Group::KingSteppers as u8,
            _ => 1 << Group::Golds as u8,
        };
        i += 1;
    }
    masks
};

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
pub struct Position {
    /// Every position since the first, the present one at `played`; what lies behind is room.
    states: Vec<StateInfo>,
    played: usize,
    turn: Color,
    first_ply: u16,
    /// 81 squares and room up to a power of two, so that a masked index needs no bound check.
    board: [Option<Piece>; 128],
}

/// What playing a move makes anew, so that undoing it only steps back: sets, key, checks, pins,
/// hands. The array of pieces is not here; of that a move changes two places, told by the last
/// four fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(64))]
pub(crate) struct StateInfo {
    groups: EightSets,
    colors: ByColor<Bitboard>,
    check_info: CheckInfo,
    pub(crate) board_key: BoardKey,
    pub(crate) hands: Hands,
    pub(crate) checks: ByColor<u16>,
    kings: ByColor<u8>,
    /// The bits of the move that led here; 0 is a pass, or the first position.
    move_bits: u16,
    moved: Option<Piece>,
    taken: Option<Piece>,
}

// Four cache lines.
const _: () = assert!(std::mem::size_of::<StateInfo>() == 256);

impl StateInfo {
    /// The move that led here; `None` for a pass and for the first position.
    #[inline(always)]
    pub(crate) const fn mv(&self) -> Option<Move> {
        if self.move_bits == 0 {
            None
        } else {
            Some(Move::trusted(self.move_bits))
        }
    }
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
        u32::from(self.first_ply) + self.played as u32
    }

    /// How many moves (and passes) can be taken back.
    #[inline]
    pub fn played(&self) -> usize {
        self.played
    }

    /// The last move; `None` if there was none or it was a pass.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.now().mv()
    }

    /// The piece that the last move took, as it stood on the board.
    #[inline(always)]
    pub fn last_taken(&self) -> Option<Piece> {
        self.now().taken
    }

    /// The moves that can be taken back, oldest first; `None` is a pass.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Option<Move>> + ExactSizeIterator + '_ {
        self.states[1..=self.played].iter().map(StateInfo::mv)
    }

    /// Every position since the first, the present one last.
    #[inline]
    pub(crate) fn states(&self) -> &[StateInfo] {
        &self.states[..=self.played]
    }

    #[inline(always)]
    pub(crate) fn now(&self) -> &StateInfo {
        &self.states[self.played]
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.board[square.index() & 127]
    }

    /// What a side holds.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.now().hands.of(color)
    }

    /// Where a king stands; composed problems may have none.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::new(usize::from(self.now().kings[color]))
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.now().colors[color]
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.now().colors[Color::Black] | self.now().colors[Color::White]
    }

    #[inline(always)]
    pub(crate) fn group(&self, group: Group) -> Bitboard {
        Bitboard::trusted(self.now().groups.get(group as usize))
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
        self.now().check_info.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.now().check_info.checkers.any()
    }

    /// The pieces of the side to move that shield their king from a slider.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.now().check_info.pinned
    }

    /// The 64-bit key of board, hands and turn.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.now().board_key.key(self.now().hands)
    }

    /// A 128-bit number for board, hands and turn, for books.
    pub fn identity(&self) -> u128 {
        self.now().board_key.identity(self.now().hands)
    }

    /// A number for the board and the turn, whatever is in hand.
    #[inline(always)]
    pub fn board_hash(&self) -> u64 {
        self.now().board_key.board()
    }

    #[inline(always)]
    pub(crate) fn board_key(&self) -> BoardKey {
        self.now().board_key
    }

    /// How many of its last moves in a row a side has given check with.
    #[inline]
    pub fn checks_in_a_row(&self, color: Color) -> u32 {
        u32::from(self.now().checks[color])
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
        hits & self.now().colors[color]
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
        Change::of(self, mv)
    }

    /// The piece that a legal move puts on its square: promoted, if the move promotes.
    ///
    /// # Panics
    /// May panic if the move is not legal.
    #[inline(always)]
    pub fn moved_piece_after(&self, mv: Move) -> Piece {
        if mv.is_drop() {
            return Piece::of_index(self.turn, mv.dropped_index());
        }
        let piece = self.at(mv.origin()).expect("a legal move moves a piece");
        piece.with_promotion(mv.is_promotion())
    }

    /// All pieces that move like a gold, of both colours: golds and the promoted pawns, lances,
    /// knights and silvers.
    #[inline(always)]
    pub fn gold_movers(&self) -> Bitboard {
        self.group(Group::Golds)
    }

    /// Whether a move takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.at(mv.to()).is_some()
    }
}

/// Copies the past and the present, not the room behind them: a copy is as small as its game.
impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            states: self.states().to_vec(),
            ..*self
        }
    }
}

/// Two positions are equal if nothing that can be asked of them differs, the past included.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.turn == other.turn
            && self.first_ply == other.first_ply
            && self.board == other.board
            && self.states() == other.states()
    }
}

impl Eq for Position {}

/// The start position of an even game.
impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

/// By the key: board, hands and turn.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
