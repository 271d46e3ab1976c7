//! Whether a game is over, who has won, and why.

#[cfg(test)]
mod tests;

use super::declaration::{Declaration, DeclarationRule, declare, try_square};
use super::repetition::{Counting, Ruling};
use crate::movegen;
use crate::position::Position;
use crate::types::color::Color;
use crate::types::piece::{Piece, PieceKind};

/// What the organiser of a game decides; the default is the rule of the federations, without a
/// move limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RuleSet {
    /// Which positions count for repetition.
    pub counting: Counting,
    /// By which rule a side may declare.
    pub declaration: DeclarationRule,
    /// After how many moves a game is drawn (最大手数).
    pub move_limit: Option<u32>,
    /// Whether mate by the last move that the limit allows still wins.
    pub mate_at_limit_wins: bool,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who has won; `None` if the game is drawn.
    pub winner: Option<Color>,
    /// Why.
    pub cause: Cause,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// 詰み: the side to move is in check and has no legal move.
    Mate,
    /// The side to move has no legal move, without being in check; it loses as well.
    NoMove,
    /// 千日手
    Repetition,
    /// 連続王手の千日手
    PerpetualCheck,
    /// 最大手数
    MoveLimit,
    /// 入玉宣言, drawn if the points suffice for no more.
    Declaration,
    /// A declaration without the right to it loses.
    WrongDeclaration,
    /// The king has reached the start square of the foe's king, under the try rule.
    Try,
}

/// Whether the game is over on the board, without anybody declaring, resigning or running out of
/// time.
///
/// ```
/// use tesuji_shogi::{Color, Position};
/// use tesuji_shogi::rules::{Cause, Outcome, RuleSet, outcome};
/// assert_eq!(outcome(&Position::start(), &RuleSet::default()), None);
/// let mated = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
/// let expected = Outcome { winner: Some(Color::Black), cause: Cause::Mate };
/// assert_eq!(outcome(&mated, &RuleSet::default()), Some(expected));
/// ```
pub fn outcome(pos: &Position, rules: &RuleSet) -> Option<Outcome> {
    let turn = pos.turn();
    if rules.declaration == DeclarationRule::TryRule && has_tried(pos) {
        return Some(Outcome::win(turn.foe(), Cause::Try));
    }
    match pos.repetition(rules.counting).ruling {
        Some(Ruling::Draw) => return Some(Outcome::draw(Cause::Repetition)),
        Some(Ruling::PerpetualCheck(color)) => {
            return Some(Outcome::win(color.foe(), Cause::PerpetualCheck));
        }
        None => {}
    }
    // The position before move N + 1 is the first one beyond a limit of N.
    let beyond_limit = rules.move_limit.is_some_and(|limit| pos.ply() > limit);
    if beyond_limit && !rules.mate_at_limit_wins {
        Some(Outcome::draw(Cause::MoveLimit))
    } else if !movegen::has_legal_move(pos) {
        let cause = if pos.in_check() {
            Cause::Mate
        } else {
            Cause::NoMove
        };
        Some(Outcome::win(turn.foe(), cause))
    } else if beyond_limit {
        Some(Outcome::draw(Cause::MoveLimit))
    } else {
        None
    }
}

/// How the game ends if the side to move declares in place of a move.
///
/// Under the try rule the claim of a possible try wins like the try itself.
pub fn declared(pos: &Position, rules: &RuleSet) -> Outcome {
    let turn = pos.turn();
    match declare(pos, rules.declaration) {
        Declaration::Win => Outcome::win(turn, Cause::Declaration),
        Declaration::Draw => Outcome::draw(Cause::Declaration),
        Declaration::Try(_) => Outcome::win(turn, Cause::Try),
        Declaration::NotAllowed(_) => Outcome::win(turn.foe(), Cause::WrongDeclaration),
    }
}

/// Whether the last move was a try.
fn has_tried(pos: &Position) -> bool {
    let mover = pos.turn().foe();
    let goal = try_square(mover);
    pos.last_move().is_some_and(|mv| mv.to() == goal)
        && pos.at(goal) == Some(Piece::new(mover, PieceKind::King))
}

impl Outcome {
    const fn win(winner: Color, cause: Cause) -> Self {
        Self {
            winner: Some(winner),
            cause,
        }
    }

    const fn draw(cause: Cause) -> Self {
        Self {
            winner: None,
            cause,
        }
    }
}
