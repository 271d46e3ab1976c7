//! Play, undo, pass.

use super::{GROUP, Group, Past, Position, danger::Danger, is_promoted_slider, key::BoardKey};
use crate::bitboard::Bitboard;
use crate::board::Change;
use crate::side::{Black, Side, White};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;

impl Position {
    /// Plays a legal move and says what it did to the pieces. Trusts the caller: see
    /// [`Position::try_play`].
    #[inline(always)]
    pub fn play(&mut self, mv: Move) -> Change {
        let change = self.change(mv);
        match self.turn {
            Color::Black => self.play_as::<Black>(mv),
            Color::White => self.play_as::<White>(mv),
        }
        change
    }

    /// Plays a move if it is legal; otherwise leaves the position as it is.
    pub fn try_play(&mut self, mv: Move) -> Option<Change> {
        self.is_legal(mv).then(|| self.play(mv))
    }

    /// Lets the opponent move instead. Only for a side that is not in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check(), "a side in check cannot pass");
        self.remember(None, None);
        self.checks[self.turn] = 0;
        self.board_key = self.board_key.toggle(BoardKey::TURN);
        self.turn = self.turn.foe();
        self.danger = match self.turn {
            Color::Black => self.danger_of::<Black>(),
            Color::White => self.danger_of::<White>(),
        };
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// If there was none.
    #[inline(always)]
    pub fn undo(&mut self) {
        let past = self.past.pop().expect("a move was played");
        self.turn = self.turn.foe();
        self.board_key = past.board_key;
        self.danger = past.danger;
        self.hands = past.hands;
        self.checks = past.checks;
        if let Some(mv) = past.mv {
            self.put_back(mv, past.taken);
        }
    }

    #[inline(always)]
    fn remember(&mut self, mv: Option<Move>, taken: Option<Piece>) {
        self.past.push(Past {
            board_key: self.board_key,
            danger: self.danger,
            hands: self.hands,
            checks: self.checks,
            mv,
            taken,
        });
    }

    #[inline(always)]
    fn play_as<S: Side>(&mut self, mv: Move) {
        let to = mv.to();
        let mut key = self.board_key.toggle(BoardKey::TURN);
        if let Some(kind) = mv.dropped() {
            self.remember(Some(mv), None);
            let piece = Piece::new(S::COLOR, kind);
            self.hands[S::COLOR] = self.hands[S::COLOR].minus(kind);
            key = key.toggle(BoardKey::piece(piece, to));
            self.board[to] = Some(piece);
            self.toggle(piece, S::COLOR, Bitboard::of(to));
        } else {
            let (from, taken) = (mv.origin(), self.board[to]);
            self.remember(Some(mv), taken);
            let piece = self.board[from].expect("a piece stands where the move starts");
            let placed = piece.with_promotion(mv.is_promotion());
            if let Some(taken) = taken {
                key = key.toggle(BoardKey::piece(taken, to));
                self.hands[S::COLOR] = self.hands[S::COLOR].plus(taken.base());
                self.toggle(taken, S::Foe::COLOR, Bitboard::of(to));
            }
            key = key
                .toggle(BoardKey::piece(piece, from))
                .toggle(BoardKey::piece(placed, to));
            self.board[from] = None;
            self.board[to] = Some(placed);
            self.shift(piece, placed, S::COLOR, from, to);
        }
        self.board_key = key;
        self.turn = S::Foe::COLOR;
        self.danger = self.danger_of::<S::Foe>();
        let in_a_row = self.checks[S::COLOR] + 1;
        self.checks[S::COLOR] = if self.danger.checkers.any() {
            in_a_row
        } else {
            0
        };
    }

    #[inline(always)]
    fn put_back(&mut self, mv: Move, taken: Option<Piece>) {
        let (to, color) = (mv.to(), self.turn);
        let placed = self.board[to].expect("the moved piece stands where the move ended");
        if mv.is_drop() {
            self.board[to] = None;
            self.toggle(placed, color, Bitboard::of(to));
            return;
        }
        let from = mv.origin();
        let piece = placed.without_promotion(mv.is_promotion());
        self.board[from] = Some(piece);
        self.board[to] = taken;
        self.shift(piece, placed, color, from, to);
        if let Some(taken) = taken {
            self.toggle(taken, color.foe(), Bitboard::of(to));
        }
    }

    /// Adds or removes a piece that is not a king on the sets.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, color: Color, square: Bitboard) {
        self.colors[color] ^= square;
        self.groups[usize::from(GROUP[piece.index() & 15] & 7)] ^= square;
        if is_promoted_slider(piece) {
            self.groups[Group::KingSteppers as usize] ^= square;
        }
    }

    /// Carries a piece from one square to another on the sets; its own inverse.
    #[inline(always)]
    fn shift(&mut self, piece: Piece, placed: Piece, color: Color, from: Square, to: Square) {
        let (start, end) = (Bitboard::of(from), Bitboard::of(to));
        self.colors[color] ^= start | end;
        self.groups[usize::from(GROUP[piece.index() & 15] & 7)] ^= start;
        self.groups[usize::from(GROUP[placed.index() & 15] & 7)] ^= end;
        if is_promoted_slider(placed) {
            self.groups[Group::KingSteppers as usize] ^= end;
            if is_promoted_slider(piece) {
                self.groups[Group::KingSteppers as usize] ^= start;
            }
        }
        // Whichever end the king is at now, that is where it stands.
        if piece.index() & 15 == 8 {
            let at = if self.board[to] == Some(piece) {
                to
            } else {
                from
            };
            self.kings[color] = at.index() as u8;
        }
    }

    /// Builds the sets, the key and the danger from the array and the hands.
    pub(super) fn refresh(&mut self) {
        self.groups = [Bitboard::EMPTY; 8];
        self.colors = Default::default();
        self.kings.0 = [super::NO_KING; 2];
        self.board_key = match self.turn {
            Color::Black => BoardKey::EMPTY,
            Color::White => BoardKey::TURN,
        };
        for square in Square::all() {
            let Some(piece) = self.board[square] else {
                continue;
            };
            self.toggle(piece, piece.color(), Bitboard::of(square));
            self.board_key = self.board_key.toggle(BoardKey::piece(piece, square));
            if piece.index() & 15 == 8 {
                self.kings[piece.color()] = square.index() as u8;
            }
        }
        self.danger = match self.turn {
            Color::Black => self.danger_of::<Black>(),
            Color::White => self.danger_of::<White>(),
        };
        self.checks = Default::default();
        if self.danger != Danger::default() && self.danger.checkers.any() {
            self.checks[self.turn.foe()] = 1;
        }
    }
}
