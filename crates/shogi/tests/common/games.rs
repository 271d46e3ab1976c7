//! Random games, played on both boards at once.

use super::chance::Chance;
use tesuji_shogi::Mailbox;
use tesuji_shogi::{Board, ByColor, Key, Move, Piece, PieceKind, Position};

/// What a game is fond of. Uniform play alone would hardly ever answer a check or enter the zone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Taste {
    Anything,
    Checks,
    Captures,
    BoardMoves,
    KingMoves,
}

impl Taste {
    pub(crate) const ALL: [Self; 5] = [
        Self::Anything,
        Self::Checks,
        Self::Captures,
        Self::BoardMoves,
        Self::KingMoves,
    ];

    fn likes(self, pos: &mut Position, mv: Move) -> bool {
        let king = Some(Piece::new(pos.turn(), PieceKind::King));
        match self {
            Self::Anything => true,
            Self::Checks => pos.after(mv, |next, _| next.in_check()),
            Self::Captures => pos.is_capture(mv) || mv.is_promotion(),
            Self::BoardMoves => !mv.is_drop(),
            Self::KingMoves => mv.from().is_some_and(|from| pos.at(from) == king),
        }
    }
}

/// A game on both boards. Tells its moves if a law is broken.
pub(crate) struct Game {
    pub(crate) pos: Position,
    pub(crate) board: Mailbox,
    start: Position,
    taste: Taste,
    /// The key before each move.
    keys: Vec<(Key, u128)>,
    /// How many of its last moves in a row each side has given check with.
    checks: ByColor<u32>,
}

impl Game {
    pub(crate) fn new(start: Position, taste: Taste) -> Self {
        let mut checks = ByColor::default();
        checks[!start.turn()] = u32::from(start.in_check());
        Self {
            pos: start.clone(),
            board: Mailbox::from(&start),
            start,
            taste,
            keys: Vec::new(),
            checks,
        }
    }

    /// One of the legal moves, more often than not to the taste of the game.
    pub(crate) fn choose(&mut self, legal: &[Move], chance: &mut Chance) -> Move {
        let mut mv = chance.one_of(legal);
        for _ in 0..3 {
            if !self.taste.likes(&mut self.pos, mv) {
                mv = chance.one_of(legal);
            }
        }
        mv
    }

    /// Plays a move on both boards; they must tell the same change, and taking it back must
    /// restore every bit.
    pub(crate) fn play(&mut self, mv: Move) {
        let (pos, board) = (self.pos.clone(), self.board.clone());
        let change = self.pos.change(mv);
        assert_eq!(self.pos.play(mv), change, "{mv} in {pos:?}");
        assert_eq!(self.board.play(mv), change, "{mv} in {pos:?}");
        self.pos.undo();
        self.board.undo();
        assert!(self.pos == pos, "{mv} is not taken back in {pos:?}");
        assert!(self.board == board, "{mv} is not taken back in {pos:?}");
        self.keys.push((pos.key(), pos.identity()));
        self.pos.play(mv);
        self.board.play(mv);
        self.count_check();
    }

    fn count_check(&mut self) {
        let mover = !self.board.turn();
        let run = &mut self.checks[mover];
        *run = if self.board.in_check() { *run + 1 } else { 0 };
        assert_eq!(self.pos.checks_in_a_row(mover), *run, "{:?}", self.pos);
    }

    /// Takes all moves back: each key must be the one of before, and the start the start.
    pub(crate) fn unwind(&mut self) {
        while let Some((key, identity)) = self.keys.pop() {
            self.pos.undo();
            self.board.undo();
            assert_eq!(self.pos.key(), key, "{:?}", self.pos);
            assert_eq!(self.pos.identity(), identity, "{:?}", self.pos);
            assert_eq!(self.board.key(), key, "{:?}", self.pos);
        }
        assert!(self.pos == self.start, "{:?}", self.start);
        assert!(self.board == Mailbox::from(&self.start), "{:?}", self.start);
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let moves: Vec<_> = self
                .pos
                .moves()
                .flatten()
                .map(|mv| mv.to_string())
                .collect();
            eprintln!("sfen {} moves {}", self.start.to_sfen(), moves.join(" "));
        }
    }
}
