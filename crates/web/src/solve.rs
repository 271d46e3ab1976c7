//! The tab for mate problems (tsume shogi): a problem, its solution, and every defence.

use crate::game_view::{GameVersion, GameView};
use crate::protocol::message::{SolveAttempt, SolveMessage, SolveProgress, SolveResult};
use crate::protocol::position::{PositionView, for_black};
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::SearchControl;
use tesuji_shogi::{Board, Color, Move, Position, Value};

/// A mate problem.
pub(crate) struct SolveTab {
    pub(crate) game: GameView,
    pub(crate) result: Option<SolveResult>,
    /// The search that runs.
    pub(crate) solving: Option<Arc<SearchControl>>,
    pub(crate) progress: Option<SolveProgress>,
    /// The search that looks at a move of the user.
    pub(crate) checking: Option<Arc<SearchControl>>,
    /// What the last move of the user was worth.
    pub(crate) attempt: Option<SolveAttempt>,
}

impl Default for SolveTab {
    fn default() -> Self {
        // A problem that everybody can solve, so that the page is never empty.
        let first = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1");
        Self::restored(
            GameView::new(Game::new(first.unwrap_or_else(|_| Position::start()))),
            None,
        )
    }
}

impl SolveTab {
    /// A problem that was stored.
    pub(crate) fn restored(game: GameView, result: Option<SolveResult>) -> Self {
        Self {
            game,
            result,
            solving: None,
            progress: None,
            checking: None,
            attempt: None,
        }
    }

    /// Replaces the problem.
    pub(crate) fn set_problem(&mut self, start: &Position) -> Result<(), UserError> {
        if start.king(start.turn().foe()).is_none() {
            return Err(UserError::new(
                "There is no king to mate: the side to move attacks the other one.",
                "詰ます玉がありません。手番の側が攻方です。",
            ));
        }
        self.stop();
        self.result = None;
        self.attempt = None;
        self.game.replace(Game::new(start.clone()));
        Ok(())
    }

    /// Stops the searches.
    pub(crate) fn stop(&mut self) {
        for control in [self.solving.take(), self.checking.take()] {
            control.into_iter().for_each(|control| control.stop());
        }
        if self.attempt == Some(SolveAttempt::Checking) {
            self.attempt = None;
        }
        self.progress = None;
    }

    /// Shows another position.
    pub(crate) fn go_to(&mut self, node: NodeId) {
        self.game.go(node);
        if self.checking.is_none() {
            self.attempt = None;
        }
    }

    /// The side that gives mate.
    pub(crate) fn attacker(&self) -> Color {
        self.game.record().start().turn()
    }

    /// Plays a move in the problem; the attacker's must be checks. Gives whether it was one of the
    /// attacker's that the solver has to look at.
    pub(crate) fn play(&mut self, text: &str) -> Result<bool, UserError> {
        let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
        let pos = self.game.position();
        let is_attack = pos.turn() == self.attacker();
        if is_attack && pos.is_legal(mv) {
            let mut after = pos.clone();
            after.play(mv);
            if !after.in_check() {
                return Err(UserError::not_a_check());
            }
        }
        self.game.play(mv)?;
        self.attempt = None;
        if !is_attack {
            return Ok(false);
        }
        if self.game.position().legal_moves().is_empty() {
            self.attempt = Some(SolveAttempt::Solved);
            return Ok(false);
        }
        Ok(true)
    }

    /// What a page that was sent the version `seen` of the game is sent now.
    pub(crate) fn message(&self, seen: GameVersion) -> (SolveMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let message = SolveMessage {
            // While the defender thinks about an answer nobody moves.
            position: PositionView::new(self.game.position(), self.checking.is_none()),
            game,
            attacker: self.attacker().into(),
            result: self.result.as_ref(),
            solving: self.solving.is_some(),
            progress: self.progress,
            attempt: self.attempt,
        };
        (message, seen)
    }

    /// Adds a mating line behind a node, with the length of the mate at every move.
    pub(crate) fn add_mate(&mut self, at: NodeId, line: &[Move]) {
        let (here, attacker) = (self.game.at(), self.attacker());
        self.game.go(at);
        for (ply, &mv) in line.iter().enumerate() {
            let Ok(id) = self.game.play(mv) else {
                break;
            };
            let left = line.len() - ply - 1;
            let value = Value::mate_in(left as i32);
            let value = for_black(value, attacker);
            self.game.set_evaluation(id, Evaluation::of(value));
        }
        self.game.go(here);
    }

    /// Marks a defence after which there is no mate, or a position without one.
    pub(crate) fn add_escape(&mut self, node: NodeId, defence: Option<Move>) {
        let here = self.game.at();
        self.game.go(node);
        let id = match defence {
            Some(mv) => self.game.play(mv).ok(),
            None => Some(node),
        };
        if let Some(id) = id {
            self.game.set_comment(id, "不詰 · no mate".into());
        }
        self.game.go(here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_checks_are_moves_of_the_attacker() {
        let mut solve = SolveTab::default();
        let refused = solve.play("S*5e").unwrap_err();
        assert!(refused.en.contains("check"), "{}", refused.en);
        assert_eq!(solve.game.record().size(), 1, "nothing has changed");
        assert!(solve.play("9i9h").is_err(), "an illegal move stays one");
        assert!(!solve.play("G*5b").unwrap());
        assert_eq!(solve.attempt, Some(SolveAttempt::Solved));
        let longer = Position::from_sfen("7nl/5k3/6ppp/5S3/9/9/9/9/9 b GS2r2b3g2s3n3l15p 1");
        solve.set_problem(&longer.unwrap()).unwrap();
        let checks = ["G*4c", "S*4c", "G*5b", "G*3b", "S*5c", "S*3c"];
        let check = checks.iter().find_map(|mv| solve.play(mv).ok());
        assert_eq!(check, Some(true), "the solver looks at it");
    }
}
