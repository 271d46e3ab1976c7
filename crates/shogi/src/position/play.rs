//! Play, undo, pass.
//!
//! As in Stockfish, every move has a state of its own and undoing it steps back to the one before.

use super::{GROUPS_OF, NO_KING, Position, StateInfo};
use crate::bitboard::Bitboard;
use crate::board::Change;
use crate::key::{BoardKey, Key};
use crate::side::{Black, Side, White};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;
use tesuji_kernels::EightSets;

impl Position {
    /// Plays a legal move and says what it did to the pieces. Trusts the caller: see
    /// [`Position::try_play`].
    #[inline(always)]
    pub fn play(&mut self, mv: Move) -> Change {
        self.play_with_prefetch(mv, |_| {})
    }

    /// As [`Position::play`], and tells the new key as soon as it is known: a table can be asked
    /// for it while the rest is still worked out.
    #[inline(always)]
    pub fn play_with_prefetch(&mut self, mv: Move, tell: impl FnOnce(Key)) -> Change {
        let change = self.change(mv);
        match self.turn {
            Color::Black => self.play_as::<Black>(mv, tell),
            Color::White => self.play_as::<White>(mv, tell),
        }
        change
    }

    /// The change that the last move made; empty if it was a pass or there was none.
    pub fn last_change(&self) -> Change {
        let mut before = self.clone();
        match self.last_move() {
            Some(mv) => {
                before.undo();
                Change::of(&before, mv)
            }
            None => Change::default(),
        }
    }

    /// Lets the opponent move instead. Only for a side that is not in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check(), "a side in check cannot pass");
        match self.turn {
            Color::Black => self.pass_as::<Black>(),
            Color::White => self.pass_as::<White>(),
        }
    }

    fn pass_as<S: Side>(&mut self) {
        let (old, new) = self.step();
        *new = *old;
        new.board_key = old.board_key.toggle(BoardKey::TURN);
        new.checks[S::COLOR] = 0;
        (new.move_bits, new.moved, new.taken) = (0, None, None);
        new.check_info = new.check_info_of::<S::Foe>();
        self.played += 1;
        self.turn = S::Foe::COLOR;
    }

    /// Plays, lets `f` look, takes back. What kind of move it is, is known from beginning to end and
    /// need not be looked up in the past when it is taken back (OpenShogiLib, 2003).
    #[inline(always)]
    pub fn after<R>(&mut self, mv: Move, f: impl FnOnce(&mut Self, Change) -> R) -> R {
        let to = mv.to();
        if mv.is_drop() {
            let change = self.play(mv);
            let out = f(self, change);
            self.step_back();
            self.put(to, None);
            return out;
        }
        let (moved, taken) = (self.at(mv.origin()), self.at(to));
        let change = self.play(mv);
        let out = f(self, change);
        self.step_back();
        self.put(to, taken);
        self.put(mv.origin(), moved);
        out
    }

    /// The state before the last one holds again.
    #[inline(always)]
    fn step_back(&mut self) {
        self.played = self.played.checked_sub(1).expect("a move was played");
        self.turn = self.turn.foe();
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// If there was none.
    #[inline(always)]
    pub fn undo(&mut self) {
        let left = &self.states[self.played];
        let (moved, taken, mv) = (left.moved, left.taken, left.mv());
        self.step_back();
        if let Some(mv) = mv {
            self.put(mv.to(), taken);
            if !mv.is_drop() {
                self.put(mv.origin(), moved);
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index() & 127] = piece;
    }

    /// The present state, and the place for the next one.
    #[inline(always)]
    fn step(&mut self) -> (&StateInfo, &mut StateInfo) {
        if self.played + 1 >= self.states.len() {
            self.make_room();
        }
        let (past, rest) = self.states.split_at_mut(self.played + 1);
        (&past[self.played], &mut rest[0])
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let room = self.states.len() * 2 + 30;
        self.states.resize(room, StateInfo::default());
    }

    #[inline(always)]
    fn play_as<S: Side>(&mut self, mv: Move, tell: impl FnOnce(Key)) {
        let to = mv.to();
        if mv.is_drop() {
            let piece = Piece::of_index(S::COLOR, mv.dropped_index());
            let (old, new) = self.step();
            drop_on::<S>(old, new, piece, to);
            tell(new.board_key.key(new.hands));
            new.finish::<S>(old, mv, None, None);
            self.put(to, Some(piece));
        } else {
            let from = mv.origin();
            let (piece, taken) = (self.at(from), self.at(to));
            let piece = piece.expect("a piece stands where the move starts");
            let placed = piece.with_promotion(mv.is_promotion());
            let (old, new) = self.step();
            shift::<S>(old, new, (piece, from), (placed, to), taken);
            tell(new.board_key.key(new.hands));
            new.finish::<S>(old, mv, Some(piece), taken);
            self.put(from, None);
            self.put(to, Some(placed));
        }
        self.played += 1;
        self.turn = S::Foe::COLOR;
    }

    /// Builds the sets, the key and the check info from the array and the hands.
    pub(super) fn refresh(&mut self) {
        let mut state = StateInfo {
            hands: self.now().hands,
            ..StateInfo::default()
        };
        state.kings.0 = [NO_KING; 2];
        if self.turn == Color::White {
            state.board_key = BoardKey::TURN;
        }
        for square in Square::all() {
            let Some(piece) = self.at(square) else {
                continue;
            };
            let mut groups = EightSets::default();
            let here = (Bitboard::of(square).words(), groups_of(Some(piece)));
            state.groups.toggle_into(here, ([0; 2], 0), &mut groups);
            state.groups = groups;
            state.colors[piece.color()] |= Bitboard::of(square);
            state.board_key = state.board_key.toggle(BoardKey::piece(Some(piece), square));
            if piece.is_king() {
                state.kings[piece.color()] = square.index() as u8;
            }
        }
        state.check_info = match self.turn {
            Color::Black => state.check_info_of::<Black>(),
            Color::White => state.check_info_of::<White>(),
        };
        state.checks[self.turn.foe()] = u16::from(state.check_info.checkers.any());
        self.states[self.played] = state;
    }
}

/// The groups a piece is in; none for an empty square.
#[inline(always)]
fn groups_of(piece: Option<Piece>) -> u8 {
    GROUPS_OF[Piece::index_or_zero(piece) & 15]
}

#[inline(always)]
fn drop_on<S: Side>(old: &StateInfo, new: &mut StateInfo, piece: Piece, to: Square) {
    let end = Bitboard::of(to);
    old.groups.toggle_into(
        ([0; 2], 0),
        (end.words(), groups_of(Some(piece))),
        &mut new.groups,
    );
    new.colors[S::COLOR] = old.colors[S::COLOR] | end;
    new.colors[S::Foe::COLOR] = old.colors[S::Foe::COLOR];
    new.hands = old.hands.minus(S::COLOR, piece);
    new.kings = old.kings;
    new.board_key = old
        .board_key
        .toggle(BoardKey::TURN)
        .toggle(BoardKey::piece(Some(piece), to));
}

/// Carries a piece from one square to another, over whatever stood there. Nothing depends on
/// whether something did: an empty square is in no group, has no key and adds nothing to a hand.
#[inline(always)]
fn shift<S: Side>(
    old: &StateInfo,
    new: &mut StateInfo,
    (piece, from): (Piece, Square),
    (placed, to): (Piece, Square),
    taken: Option<Piece>,
) {
    let (start, end) = (Bitboard::of(from), Bitboard::of(to));
    let changed = groups_of(Some(placed)) ^ groups_of(taken);
    old.groups.toggle_into(
        (start.words(), groups_of(Some(piece))),
        (end.words(), changed),
        &mut new.groups,
    );
    new.colors[S::COLOR] = old.colors[S::COLOR] ^ (start | end);
    new.colors[S::Foe::COLOR] = old.colors[S::Foe::COLOR].without(end);
    new.hands = old.hands.plus(S::COLOR, taken);
    new.kings = old.kings;
    if piece.is_king() {
        new.kings[S::COLOR] = to.index() as u8;
    }
    new.board_key = old
        .board_key
        .toggle(BoardKey::TURN)
        .toggle(BoardKey::piece(Some(piece), from))
        .toggle(BoardKey::piece(Some(placed), to))
        .toggle(BoardKey::piece(taken, to));
}

impl StateInfo {
    /// Notes the move of `S` and finds the checks and pins it brings.
    #[inline(always)]
    fn finish<S: Side>(
        &mut self,
        old: &Self,
        mv: Move,
        moved: Option<Piece>,
        taken: Option<Piece>,
    ) {
        (self.move_bits, self.moved, self.taken) = (mv.bits(), moved, taken);
        self.check_info = self.check_info_of::<S::Foe>();
        let in_a_row = old.checks[S::COLOR].saturating_add(1);
        self.checks = old.checks;
        self.checks[S::COLOR] = if self.check_info.checkers.any() {
            in_a_row
        } else {
            0
        };
    }
}
