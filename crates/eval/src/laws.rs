//! The laws of evaluators as a kit: somebody's own evaluator is checked in random games.

use crate::accumulator_stack::AccumulatorStack;
use crate::evaluator::Evaluator;
use std::cell::RefCell;
use tesuji_shogi::laws::{LawBroken, LawKit, LawReport};
use tesuji_shogi::{Board, Change, Position, Value};

/// Checks an evaluator: what is kept move by move, over null moves and takebacks as well, equals what
/// is begun anew, and no value claims a mate.
///
/// ```
/// use tesuji_eval::{Material, laws};
/// laws::evaluator(&Material).unwrap();
/// ```
///
/// # Errors
/// The first law that does not hold.
pub fn evaluator<E: Evaluator>(eval: &E) -> Result<LawReport, LawBroken> {
    let walk = RefCell::new(FollowedGame::new(eval));
    LawKit::default().positions(|pos| walk.borrow_mut().look(pos))
}

/// Checks that an evaluator favours nobody: turned round, with the colours exchanged, every position
/// is worth the same to the side to move. Not every evaluator has to be fair; ours are.
///
/// ```
/// use tesuji_eval::{Relation, laws};
/// laws::fairness(&Relation::new()).unwrap();
/// ```
///
/// # Errors
/// The first position that is not worth the same.
pub fn fairness<E: Evaluator>(eval: &E) -> Result<LawReport, LawBroken> {
    LawKit::default().positions(|pos| {
        let values = (eval.evaluate(pos), eval.evaluate(&pos.flipped()));
        same("both colours are worth the same", pos, values)
    })
}

fn same(
    law: &'static str,
    pos: &Position,
    (expected, found): (Value, Value),
) -> Result<(), LawBroken> {
    if expected == found {
        return Ok(());
    }
    Err(LawBroken {
        law,
        sfen: pos.to_sfen(),
        found: format!("expected {}, found {}", expected.points(), found.points()),
    })
}

/// A stack that follows games, and looks now and then, so that it has to catch up.
struct FollowedGame<'e, E: Evaluator> {
    eval: &'e E,
    stack: AccumulatorStack<E>,
    seen: usize,
    /// Where the stack stands.
    last: Option<Position>,
}

impl<'e, E: Evaluator> FollowedGame<'e, E> {
    fn new(eval: &'e E) -> Self {
        Self {
            eval,
            stack: AccumulatorStack::new(),
            seen: 0,
            last: None,
        }
    }

    fn look(&mut self, pos: &Position) -> Result<(), LawBroken> {
        self.seen += 1;
        match &mut self.last {
            // The position after the last one.
            Some(last) if last.played() + 1 == pos.played() => self.stack.push(pos.last_change()),
            _ => self.stack.reset(),
        }
        self.last = Some(pos.clone());
        let value = self.eval.evaluate(pos);
        if value.points().abs() >= Value::MATE_FLOOR.points() {
            return same("an evaluation claims no mate", pos, (Value::ZERO, value));
        }
        // Long stretches without a look alternate with a look at every position.
        if self.seen % 40 < 9 && !self.seen.is_multiple_of(9) {
            return Ok(());
        }
        same(
            "kept move by move is begun anew",
            pos,
            (value, self.stack.value(self.eval, pos)),
        )?;
        self.branches(pos)
    }

    /// A null move and a few moves, each followed and taken back.
    fn branches(&mut self, pos: &Position) -> Result<(), LawBroken> {
        let mut next = pos.clone();
        if !pos.in_check() {
            next.pass();
            self.stack.push(Change::default());
            let values = (
                self.eval.evaluate(&next),
                self.stack.value(self.eval, &next),
            );
            self.stack.pop();
            next.undo();
            same("a null move changes nothing", pos, values)?;
        }
        for mv in pos.legal_moves().iter().step_by(7) {
            self.stack.push(next.play(mv));
            let values = (
                self.eval.evaluate(&next),
                self.stack.value(self.eval, &next),
            );
            self.stack.pop();
            next.undo();
            same("a move that is taken back", pos, values)?;
        }
        let values = (self.eval.evaluate(pos), self.stack.value(self.eval, pos));
        same("taken back is as before", pos, values)
    }
}
