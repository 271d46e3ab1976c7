//! The referee of a running game: what ends it, and for whom.
//!
//! One game from any position: moves, declarations and resignations go in with the time they took,
//! and a verdict comes out. The order is that of every protocol: first the clock, then whether the
//! move is legal, then what the board says. Engines in a match, players of a server, and people at
//! the board in the browser are refereed here; the client of a server follows the game with it.

#[cfg(test)]
mod tests;

use crate::clock::GameClock;
use std::time::Duration;
use tesuji_shogi::rules::{declared, outcome};
use tesuji_shogi::{Cause, Color, DeclarationRule, Foul, Move, Outcome, Position, RuleSet};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameOver {
    /// Who has won; `None` if nobody has.
    pub winner: Option<Color>,
    /// Why it ended.
    pub termination: Termination,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// What the board says, or a declaration.
    Rules(Cause),
    /// 投了: a side gave up.
    Resignation,
    /// 切れ負け: a side ran out of time.
    Time,
    /// 反則手: a side made an illegal move, and why it is one; `None` if it was no move at all.
    IllegalMove(Option<Foul>),
    /// A side did something else against the rules, as to move before its turn.
    IllegalAction,
    /// Both sides agreed, or somebody for them.
    Agreement,
}

impl GameOver {
    /// A side has lost.
    pub const fn lost(loser: Color, termination: Termination) -> Self {
        Self {
            winner: Some(loser.foe()),
            termination,
        }
    }

    /// Whether a move that ended the game stands on the board: one that is late or illegal does not.
    pub const fn move_stands(&self) -> bool {
        matches!(self.termination, Termination::Rules(_))
    }
}

impl From<Outcome> for GameOver {
    fn from(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner,
            termination: Termination::Rules(outcome.cause),
        }
    }
}

/// A game that is watched over.
#[derive(Clone, Debug)]
pub struct Referee {
    pos: Position,
    rules: RuleSet,
    clock: GameClock,
    calls_mate: bool,
    cost: Duration,
    over: Option<GameOver>,
}

impl Referee {
    /// A game that goes on from a position; moves that led there count for repetition.
    pub fn new(pos: Position, rules: RuleSet, clock: GameClock) -> Self {
        Self {
            pos,
            rules,
            clock,
            calls_mate: true,
            cost: Duration::ZERO,
            over: None,
        }
    }

    /// Leaves mates and tries to the players, as CSA servers do: the loser resigns, the winner
    /// declares.
    #[must_use]
    pub fn without_calling_mate(self) -> Self {
        Self {
            calls_mate: false,
            ..self
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.pos.turn()
    }

    /// The clocks.
    pub fn clock(&self) -> &GameClock {
        &self.clock
    }

    /// The clocks, to be stopped or set.
    pub fn clock_mut(&mut self) -> &mut GameClock {
        &mut self.clock
    }

    /// What the last move, declaration or resignation has cost.
    pub fn last_cost(&self) -> Duration {
        self.cost
    }

    /// How the game has ended, if it has.
    pub fn verdict(&self) -> Option<GameOver> {
        self.over.or_else(|| self.on_board().map(GameOver::from))
    }

    /// What the board says by itself.
    fn on_board(&self) -> Option<Outcome> {
        if self.calls_mate {
            return outcome(&self.pos, &self.rules);
        }
        let rules = RuleSet {
            declaration: DeclarationRule::None,
            mate_at_limit_wins: false,
            ..self.rules
        };
        outcome(&self.pos, &rules).filter(|it| !matches!(it.cause, Cause::Mate | Cause::NoMove))
    }

    /// The side to move has played after `elapsed`; how the game ended if it did. A move that is late
    /// or illegal is not on the board then.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tesuji_game::{Termination, GameClock, Referee};
    /// use tesuji_shogi::{ByColor, Color, Position, RuleSet};
    /// let clock = GameClock::new(ByColor(["10".parse()?; 2]));
    /// let mut game = Referee::new(Position::start(), RuleSet::default(), clock);
    /// let second = Duration::from_secs(1);
    /// assert_eq!(game.play("7g7f".parse().unwrap(), 9 * second), None);
    /// assert_eq!(game.play("3c3d".parse().unwrap(), 9 * second), None);
    /// let over = game.play("8h2b+".parse().unwrap(), second).unwrap();
    /// assert_eq!((over.winner, over.termination), (Some(Color::White), Termination::Time));
    /// # Ok::<(), tesuji_game::TimeControlError>(())
    /// ```
    pub fn play(&mut self, mv: Move, elapsed: Duration) -> Option<GameOver> {
        let turn = self.turn();
        if let Some(over) = self.press(elapsed) {
            return Some(over);
        }
        if let Err(foul) = self.pos.try_play(mv) {
            return Some(self.lose(turn, Termination::IllegalMove(Some(foul))));
        }
        self.over = self.verdict();
        self.over
    }

    /// The side to move has made something after `elapsed` that is no move at all.
    pub fn refuse(&mut self, elapsed: Duration) -> GameOver {
        let turn = self.turn();
        match self.press(elapsed) {
            Some(over) => over,
            None => self.lose(turn, Termination::IllegalMove(None)),
        }
    }

    /// The side to move gives up after `elapsed`.
    pub fn resign(&mut self, elapsed: Duration) -> GameOver {
        let turn = self.turn();
        match self.press(elapsed) {
            Some(over) => over,
            None => self.lose(turn, Termination::Resignation),
        }
    }

    /// The side to move declares (入玉宣言) after `elapsed`; without the right to it, it loses.
    pub fn declare(&mut self, elapsed: Duration) -> GameOver {
        if let Some(over) = self.press(elapsed) {
            return over;
        }
        let declared = self.declared();
        self.end(declared)
    }

    /// How the game would end if the side to move declared.
    pub fn declared(&self) -> GameOver {
        declared(&self.pos, &self.rules).into()
    }

    /// The side to move has thought for `elapsed` and thinks on; how the game ended if its flag fell.
    pub fn wait(&mut self, elapsed: Duration) -> Option<GameOver> {
        let falls = self.clock.flag(self.turn())?;
        let fell = elapsed >= falls && self.over.is_none();
        fell.then(|| self.lose(self.turn(), Termination::Time))
    }

    /// Something besides the board and the clock ended the game.
    pub fn end(&mut self, over: GameOver) -> GameOver {
        *self.over.get_or_insert(over)
    }

    fn lose(&mut self, loser: Color, termination: Termination) -> GameOver {
        self.end(GameOver::lost(loser, termination))
    }

    /// The side to move stops its clock.
    fn press(&mut self, elapsed: Duration) -> Option<GameOver> {
        let turn = self.turn();
        if self.over.is_some() {
            return self.over;
        }
        match self.clock.spend(turn, elapsed) {
            Some(cost) => {
                self.cost = cost;
                None
            }
            None => Some(self.lose(turn, Termination::Time)),
        }
    }

    /// A move that another referee has let pass, and what he counted for it. Nothing but the rules
    /// of moving is asked about.
    ///
    /// # Errors
    /// If the move is illegal; it is not on the board then.
    pub fn follow(&mut self, mv: Move, cost: Duration) -> Result<(), Foul> {
        let turn = self.turn();
        self.pos.try_play(mv)?;
        self.clock.charge(turn, cost);
        self.cost = cost;
        Ok(())
    }
}
