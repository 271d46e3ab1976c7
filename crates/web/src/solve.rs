//! The tab for mate problems (tsume shogi): a problem, its solution, and every defence.

use crate::game_view::{GameVersion, GameView};
use crate::protocol::message::{SolveMessage, SolveProgress, SolveResult};
use crate::protocol::position::{PositionView, for_black};
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::SearchControl;
use tesuji_shogi::{Color, Move, Position, Value};

/// A mate problem.
pub(crate) struct SolveTab {
    pub(crate) game: GameView,
    pub(crate) result: Option<SolveResult>,
    /// The search that runs.
    pub(crate) solving: Option<Arc<SearchControl>>,
    pub(crate) progress: Option<SolveProgress>,
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
        self.game.replace(Game::new(start.clone()));
        Ok(())
    }

    /// Stops the search.
    pub(crate) fn stop(&mut self) {
        if let Some(control) = self.solving.take() {
            control.stop();
        }
        self.progress = None;
    }

    /// The side that gives mate.
    pub(crate) fn attacker(&self) -> Color {
        self.game.record().start().turn()
    }

    /// Plays a move in the problem.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), UserError> {
        let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
        self.game.play(mv).map(|_| ())
    }

    /// What a page that was sent the version `seen` of the game is sent now.
    pub(crate) fn message(&self, seen: GameVersion) -> (SolveMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let message = SolveMessage {
            position: PositionView::new(self.game.position(), true),
            game,
            attacker: self.attacker().into(),
            result: self.result.as_ref(),
            solving: self.solving.is_some(),
            progress: self.progress,
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
