//! Two boards compared in one position: the plain one that is obviously right, and somebody's own.

use super::LawBroken;
use crate::board::Board;
use crate::generators::Generators;
use crate::mailbox::Mailbox;
use crate::movegen::Sink;
use crate::position::Position;
use crate::types::color::Color;
use crate::types::moves::{Move, MoveList};
use crate::types::square::Square;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Complains unless both are the same.
fn same<T: PartialEq + Debug>(
    law: &'static str,
    pos: &Position,
    about: impl Debug,
    (expected, found): (T, T),
) -> Result<(), LawBroken> {
    if expected == found {
        return Ok(());
    }
    Err(LawBroken {
        law,
        sfen: pos.to_sfen(),
        found: format!("{about:?}: expected {expected:?}, found {found:?}"),
    })
}

/// What is seen of a board.
type Look = (Color, Vec<Option<crate::Piece>>, [crate::Hand; 2]);

fn look(board: &impl Board) -> Look {
    let squares = Square::all().map(|square| board.at(square)).collect();
    (
        board.turn(),
        squares,
        Color::ALL.map(|color| board.hand(color)),
    )
}

/// A board, and what playing and taking back does to it.
pub(super) fn check_board<B: Board>(
    pos: &Position,
    mailbox: &Mailbox,
    board: &mut B,
    make: &impl Fn(&Position) -> B,
) -> Result<(), LawBroken> {
    let before = look(mailbox);
    same(
        "a board shows what stands where",
        pos,
        "",
        (before.clone(), look(board)),
    )?;
    let legal = mailbox.legal_moves().sorted();
    same(
        "legal moves, each once",
        pos,
        "",
        (legal.clone(), board.legal_moves().sorted()),
    )?;
    let key = board.key();
    for &mv in &legal {
        let mut expected = mailbox.clone();
        let change = expected.play(mv);
        let found = board.play(mv);
        same("play tells the change", pos, mv, (change, found))?;
        same(
            "play moves the pieces",
            pos,
            mv,
            (look(&expected), look(board)),
        )?;
        let mut then = pos.clone();
        then.play(mv);
        same(
            "a key kept is a key begun anew",
            pos,
            mv,
            (make(&then).key(), board.key()),
        )?;
        board.undo();
        same("undo restores", pos, mv, (before.clone(), look(board)))?;
        same("undo restores the key", pos, mv, (key, board.key()))?;
        let told = board.after(mv, |_, change| change);
        same("after tells the change", pos, mv, (change, told))?;
        same(
            "after takes back",
            pos,
            mv,
            ((&before, key), (&look(board), board.key())),
        )?;
    }
    check_pass(pos, mailbox, board)?;
    same(
        "undo restores the moves",
        pos,
        "",
        (legal, board.legal_moves().sorted()),
    )
}

fn check_pass<B: Board>(pos: &Position, mailbox: &Mailbox, board: &mut B) -> Result<(), LawBroken> {
    if pos.in_check() {
        return Ok(());
    }
    let (before, key) = (look(board), board.key());
    let mut passed = mailbox.clone();
    passed.pass();
    board.pass();
    let moves = (passed.legal_moves().sorted(), board.legal_moves().sorted());
    same("moves after a pass", pos, "", moves)?;
    board.undo();
    let after = (look(board), board.key());
    same("a pass is taken back", pos, "", ((before, key), after))
}

/// What a generator gives, sorted.
fn list(generate: impl FnOnce(&mut MoveList) -> ControlFlow<()>) -> Vec<Move> {
    let mut moves = MoveList::new();
    let _ = generate(&mut moves);
    moves.sorted()
}

/// The special generators, and the questions.
pub(super) fn check_generators<B: Generators>(
    pos: &Position,
    mailbox: &Mailbox,
    board: &mut B,
) -> Result<(), LawBroken> {
    macro_rules! agree {
        ($generator:ident($($square:expr)?)) => {{
            let square: Option<Square> = None $(.or(Some($square)))?;
            let expected = list(|moves| mailbox.$generator($($square,)? moves));
            let found = list(|moves| board.$generator($($square,)? moves));
            same(
                "a special generator gives the legal moves of its kind",
                pos,
                (stringify!($generator), square),
                (expected, found),
            )?;
        }};
    }
    agree!(captures());
    agree!(checks());
    agree!(evasions());
    agree!(legal_without_worse());
    for square in Square::all() {
        agree!(to(square));
        agree!(attacking(square));
        agree!(escapes(square));
        for color in Color::ALL {
            let found = board.attackers_of(color, square);
            let attackers = (mailbox.attackers_of(color, square), found);
            same("attackers", pos, (color, square), attackers)?;
            let attacked = (found.any(), board.is_square_attacked(color, square));
            same("attacked by an attacker", pos, (color, square), attacked)?;
        }
    }
    let checks = (mailbox.is_in_check(), board.is_in_check());
    same("in check", pos, "", checks)?;
    for mv in mailbox.legal_moves().iter() {
        let exchange = (mailbox.exchange(mv), board.exchange(mv));
        same("what an exchange is worth", pos, mv, exchange)?;
    }
    let mate = board.mate_in_one();
    let mates = |mv: Move| {
        mailbox
            .clone()
            .after(mv, |next, _| next.legal_moves().is_empty())
    };
    same(
        "a mate in one mates",
        pos,
        mate,
        (true, mate.is_none_or(mates)),
    )?;
    let any = mate.is_some();
    let mut nobody = Stop(false);
    let _ = board.legal(&mut nobody);
    same(
        "a generator stops when it is told to",
        pos,
        any,
        (!mailbox.legal_moves().is_empty(), nobody.0),
    )
}

/// Wants one move, and must not be given another.
struct Stop(bool);

impl Sink for Stop {
    fn one(&mut self, _: Move) -> ControlFlow<()> {
        assert!(!self.0, "a sink that broke was given another move");
        self.0 = true;
        ControlFlow::Break(())
    }
}
