//! The law kit passes on our boards, and finds what is wrong with others.

use std::ops::ControlFlow;
use tesuji_shogi::laws::LawKit;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{
    AttackCounts, Board, Change, Color, Generators, Hand, Key, Mailbox, Move, Piece, Position,
    Sink, Square, Tracked,
};

#[test]
fn our_boards_pass() {
    let kit = LawKit::default();
    let report = kit.generators(Position::clone).unwrap();
    assert!(report.games == 24 && report.positions > 1_000, "{report:?}");
    kit.generators(|pos: &Position| ScanBoard::from(pos))
        .unwrap();
    let few = LawKit::new(6, 40).with_seed(3);
    few.generators(|pos: &Position| Mailbox::from(pos)).unwrap();
    few.generators(|pos: &Position| Tracked::new(ScanBoard::from(pos), AttackCounts::default()))
        .unwrap();
}

/// A board that says what another one says, except where it is told to be wrong.
#[derive(Clone)]
struct Wrong {
    board: Mailbox,
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    /// Nothing is wrong.
    None,
    /// One legal move is missing.
    Moves,
    /// The key forgets whose turn it is when a move is played.
    Key,
    /// Undo forgets the hands.
    Hands,
    /// Quiet moves are given as captures.
    Captures,
}

impl Board for Wrong {
    fn turn(&self) -> Color {
        self.board.turn()
    }
    fn at(&self, square: Square) -> Option<Piece> {
        self.board.at(square)
    }
    fn hand(&self, color: Color) -> Hand {
        match self.mistake {
            Mistake::Hands if self.board != Mailbox::from(&Position::start()) => {
                self.board.hand(color.foe())
            }
            _ => self.board.hand(color),
        }
    }
    fn key(&self) -> Key {
        match self.mistake {
            Mistake::Key => Key(self.board.key().0 ^ self.board.legal_moves().len() as u64 & 1),
            _ => self.board.key(),
        }
    }
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let moves = self.board.legal_moves();
        let skip = usize::from(self.mistake == Mistake::Moves);
        moves.iter().skip(skip).try_for_each(|mv| sink.one(mv))
    }
    fn play(&mut self, mv: Move) -> Change {
        self.board.play(mv)
    }
    fn undo(&mut self) {
        self.board.undo();
    }
    fn pass(&mut self) {
        self.board.pass();
    }
}

impl Generators for Wrong {
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        match self.mistake {
            Mistake::Captures => self.legal(sink),
            _ => self.board.captures(sink),
        }
    }
}

#[test]
fn mistakes_are_found_and_told() {
    let with = |mistake| {
        let make = |pos: &Position| Wrong {
            board: Mailbox::from(pos),
            mistake,
        };
        LawKit::new(6, 20).generators(make)
    };
    with(Mistake::None).unwrap();
    for (mistake, law) in [
        (Mistake::Moves, "legal moves, each once"),
        (Mistake::Hands, "a board shows what stands where"),
        (Mistake::Captures, "a special generator"),
    ] {
        let broken = with(mistake).unwrap_err();
        assert!(broken.law.starts_with(law), "{broken}");
        assert!(broken.to_string().contains(&broken.sfen), "{broken}");
        assert!(Position::from_sfen(&broken.sfen).is_ok());
    }
    // A key that depends on nothing but the position is a sound one, however odd.
    with(Mistake::Key).unwrap();
}
