//! What a search asks of a board beyond its moves: the game before it, and where its leaves are
//! evaluated.
//!
//! `Position` carries its past. Any other board gets one here: for every earlier position the key of
//! board and turn, the hands, and how many checks in a row each side has given, which is what the
//! rules of repetition ask for.

use crate::leaf_eval::{EvaluatedLeaves, LeafSource, ShadowLeafEval};
use std::ops::ControlFlow;
use tesuji_eval::Eval;
use tesuji_shogi::{
    Bitboard, Board, ByColor, Change, Color, Generators, Hand, Key, Move, MoveList, Piece,
    Position, RepetitionState, Sink, Square, Value,
};

/// A board with the game that led to it.
pub trait SearchBoard: Generators {
    /// The board of a position, with its past.
    fn of(pos: &Position) -> Self;
    /// What an earlier position with the same board means for the side to move.
    fn repetition_state(&self) -> Option<RepetitionState>;
    /// Where the last move went to.
    fn arrived(&self) -> Option<Square>;
    /// The number of the position in its game, from 1.
    fn number(&self) -> u32;
}

impl SearchBoard for Position {
    fn of(pos: &Position) -> Self {
        pos.clone()
    }
    fn repetition_state(&self) -> Option<RepetitionState> {
        self.find_repetition(self.played()).map(|hit| hit.state)
    }
    fn arrived(&self) -> Option<Square> {
        self.last_move().map(Move::to)
    }
    fn number(&self) -> u32 {
        self.ply()
    }
}

/// A board that knows nothing of its past, with its past.
#[derive(Clone, Debug)]
pub struct WithPast<B> {
    board: B,
    /// Every position since the first, the present one last.
    past: Vec<PastPosition>,
    /// The number of the first of them.
    first: u32,
}

/// What repetition asks of an earlier position.
#[derive(Clone, Copy, Debug)]
struct PastPosition {
    /// Of board and turn.
    board_key: u64,
    hands: ByColor<Hand>,
    /// How many checks in a row each side had given.
    checks: ByColor<u32>,
    /// Where the move that led here went to; `None` for the first position and after a pass.
    arrived: Option<Square>,
}

impl PastPosition {
    /// After a move to a square, or a pass.
    fn of<B: Generators>(board: &B, before: ByColor<u32>, arrived: Option<Square>) -> Self {
        let hands = ByColor(Color::ALL.map(|color| board.hand(color)));
        let mover = board.turn().foe();
        let mut checks = before;
        checks[mover] = match arrived.is_some() && board.is_in_check() {
            true => before[mover] + 1,
            false => 0,
        };
        Self {
            board_key: board.key().without_hands(hands),
            hands,
            checks,
            arrived,
        }
    }
}

impl<B: Generators> WithPast<B> {
    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    fn now(&self) -> &PastPosition {
        self.past
            .last()
            .expect("the present position is always there")
    }

    fn push(&mut self, arrived: Option<Square>) {
        let checks = self.now().checks;
        self.past
            .push(PastPosition::of(&self.board, checks, arrived));
    }

    /// What being where one was so many plies ago means; `None` if the hands cannot be compared.
    fn compared(&self, then: &PastPosition, plies: usize) -> Option<RepetitionState> {
        let (now, turn) = (self.now(), self.board.turn());
        let (ours, theirs) = (now.hands[turn], then.hands[turn]);
        if ours == theirs {
            // Whether every one of a side's moves since then gave check. If both sides did nothing
            // else, neither is to blame.
            let only_checks = |color: Color| now.checks[color] as usize >= plies / 2;
            return Some(match (only_checks(turn), only_checks(turn.foe())) {
                (true, false) => RepetitionState::Loss,
                (false, true) => RepetitionState::Win,
                _ => RepetitionState::Draw,
            });
        }
        if ours.covers(theirs) {
            Some(RepetitionState::Superior)
        } else {
            theirs.covers(ours).then_some(RepetitionState::Inferior)
        }
    }
}

impl<B: Generators + for<'p> From<&'p Position>> SearchBoard for WithPast<B> {
    fn of(pos: &Position) -> Self {
        let mut first = pos.clone();
        let mut moves = Vec::new();
        while let Some(mv) = first.last_move() {
            moves.push(mv);
            first.undo();
        }
        let board = B::from(&first);
        let mut start = PastPosition::of(&board, ByColor([0; 2]), None);
        start.checks[first.turn().foe()] = u32::from(first.in_check());
        let mut board = Self {
            past: vec![start],
            board,
            first: first.ply(),
        };
        for mv in moves.into_iter().rev() {
            board.play(mv);
        }
        board
    }

    fn repetition_state(&self) -> Option<RepetitionState> {
        let (now, last) = (self.now(), self.past.len() - 1);
        for plies in (4..=last).step_by(2) {
            let then = &self.past[last - plies];
            if then.board_key == now.board_key
                && let Some(state) = self.compared(then, plies)
            {
                // What lies behind a pass was another game.
                let line = &self.past[last - plies + 1..];
                return line
                    .iter()
                    .all(|past| past.arrived.is_some())
                    .then_some(state);
            }
        }
        None
    }

    fn arrived(&self) -> Option<Square> {
        self.now().arrived
    }

    fn number(&self) -> u32 {
        self.first + self.past.len() as u32 - 1
    }
}

impl<B: Generators> Board for WithPast<B> {
    fn turn(&self) -> Color {
        self.board.turn()
    }
    fn at(&self, square: Square) -> Option<Piece> {
        self.board.at(square)
    }
    fn hand(&self, color: Color) -> Hand {
        self.board.hand(color)
    }
    fn key(&self) -> Key {
        self.board.key()
    }
    fn legal(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.legal(sink)
    }
    fn has_legal_move(&self) -> bool {
        self.board.has_legal_move()
    }
    fn legal_moves(&self) -> MoveList {
        self.board.legal_moves()
    }
    fn play(&mut self, mv: Move) -> Change {
        let change = self.board.play(mv);
        self.push(Some(mv.to()));
        change
    }
    fn undo(&mut self) {
        self.board.undo();
        self.past.pop();
    }
    fn pass(&mut self) {
        self.board.pass();
        self.push(None);
    }
}

impl<B: Generators> Generators for WithPast<B> {
    fn attackers_of(&self, by: Color, target: Square) -> Bitboard {
        self.board.attackers_of(by, target)
    }
    fn king_square(&self, color: Color) -> Option<Square> {
        self.board.king_square(color)
    }
    fn is_square_attacked(&self, by: Color, square: Square) -> bool {
        self.board.is_square_attacked(by, square)
    }
    /// Looked at once, when the move was played.
    fn is_in_check(&self) -> bool {
        match self.now().arrived {
            Some(_) => self.now().checks[self.turn().foe()] > 0,
            None => self.board.is_in_check(),
        }
    }
    fn exchange(&self, mv: Move) -> Value {
        self.board.exchange(mv)
    }
    fn mate_in_one(&mut self) -> Option<Move> {
        self.board.mate_in_one()
    }
    fn captures(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.captures(sink)
    }
    fn to(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.to(square, sink)
    }
    fn checks(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.checks(sink)
    }
    fn attacking(&self, target: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.attacking(target, sink)
    }
    fn escapes(&self, square: Square, sink: &mut impl Sink) -> ControlFlow<()> {
        self.board.escapes(square, sink)
    }
}

impl<E: Eval + Send, B: Generators> LeafSource<WithPast<B>> for EvaluatedLeaves<E> {
    type Leaf<'e>
        = ShadowLeafEval<'e, E>
    where
        E: 'e;
    fn leaf<'e>(&'e self, root: &Position) -> ShadowLeafEval<'e, E> {
        ShadowLeafEval::new(&self.0, root)
    }
}
