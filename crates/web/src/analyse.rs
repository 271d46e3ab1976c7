//! The analysis tab: a tree of moves, the engine's lines at the current node, and the analysis of the
//! whole game.

use crate::engine::is_current;
use crate::game_view::{GameVersion, GameView};
use crate::library::fresh_id;
use crate::live_lines::LiveLines;
use crate::protocol::message::{AnalyseMessage, AnalysisProgress, LiveMessage, TrialView};
use crate::protocol::position::{LineView, PositionView, for_black};
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{SearchControl, SearchInfo};
use tesuji_shogi::{Bound, Move, Position};

/// How many characters a comment may have.
const LONGEST_COMMENT: usize = 4000;

/// The most lines that are shown at once.
pub(crate) const MOST_LINES: usize = 10;

/// The analysis tab.
pub(crate) struct AnalyseTab {
    pub(crate) game: GameView,
    /// The number of the game in the library.
    pub(crate) library_id: u64,
    /// Games that were replaced and are still to be kept.
    pub(crate) replaced: Vec<(u64, Game)>,
    pub(crate) lines: usize,
    /// The search for the position shown; `None` if the engine is off.
    pub(crate) thinking: Option<Arc<SearchControl>>,
    /// Whether the engine is on, but waits until a page shows this tab.
    pub(crate) is_waiting: bool,
    pub(crate) live: LiveAnalysis,
    pub(crate) game_analysis: Option<GameAnalysis>,
    /// Grows with everything a review finds, so that each page is sent it once.
    review_version: u64,
    /// The move that was tried instead of a slip.
    pub(crate) trial: Option<TrialView>,
    /// Whether there is work in the game that is nowhere else.
    pub(crate) is_edited: bool,
}

/// What the engine says about a position at this moment.
pub(crate) struct LiveAnalysis {
    pub(crate) pos: Position,
    pub(crate) node: NodeId,
    pub(crate) lines: LiveLines,
    /// Grows with everything the engine says, so that each page is sent it once.
    pub(crate) version: u64,
}

/// The analysis of the whole game while it runs.
pub(crate) struct GameAnalysis {
    /// Identifies the analysis.
    pub(crate) control: Arc<SearchControl>,
    /// Stops the search for the position that is being evaluated.
    pub(crate) search: Arc<SearchControl>,
    pub(crate) progress: AnalysisProgress,
}

impl Default for AnalyseTab {
    fn default() -> Self {
        Self::restored(GameView::new(Game::default()), 3, false)
    }
}

impl AnalyseTab {
    /// A tab that was stored.
    pub(crate) fn restored(game: GameView, lines: usize, is_edited: bool) -> Self {
        Self {
            live: LiveAnalysis {
                pos: game.position().clone(),
                node: game.at(),
                lines: LiveLines::default(),
                version: 0,
            },
            game,
            library_id: fresh_id(),
            replaced: Vec::new(),
            lines: lines.clamp(1, MOST_LINES),
            thinking: None,
            is_waiting: false,
            game_analysis: None,
            review_version: 0,
            trial: None,
            is_edited,
        }
    }

    /// Replaces the game.
    pub(crate) fn replace(&mut self, game: Game) {
        self.stop_analysing_game();
        self.replaced
            .push((self.library_id, self.game.record().clone()));
        self.library_id = fresh_id();
        self.game.replace(game);
        self.is_edited = false;
        self.review_changed();
    }

    /// Notes that a review says something else now.
    pub(crate) fn review_changed(&mut self) {
        self.review_version += 1;
        self.trial = None;
    }

    /// Grows with everything a review finds.
    pub(crate) const fn review_version(&self) -> u64 {
        self.review_version
    }

    /// Adds a line behind a node and goes to its first move.
    pub(crate) fn add_line(&mut self, parent: NodeId, line: &[Move]) -> Result<(), UserError> {
        let mut first = None;
        self.game.go(parent);
        for &mv in line {
            let id = self.game.play(mv)?;
            first.get_or_insert(id);
        }
        self.game.go(first.unwrap_or(parent));
        self.is_edited = true;
        Ok(())
    }

    /// Stops the analysis of the whole game.
    pub(crate) fn stop_analysing_game(&mut self) {
        if let Some(analysis) = self.game_analysis.take() {
            analysis.control.stop();
            analysis.search.stop();
        }
    }

    /// Stops the search for the position shown.
    pub(crate) fn stop_thinking(&mut self) {
        if let Some(control) = self.thinking.take() {
            control.stop();
        }
    }

    /// Plays a move, or goes to its node if it was played before.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), UserError> {
        let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
        let size = self.game.record().size();
        self.game.play(mv)?;
        self.is_edited |= self.game.record().size() > size;
        Ok(())
    }

    /// Replaces the comment of a node.
    pub(crate) fn comment(&mut self, node: usize, text: &str) -> Result<(), UserError> {
        let id = self.game.node(node)?;
        let text = text.chars().take(LONGEST_COMMENT).collect();
        self.game.set_comment(id, text);
        self.is_edited = true;
        Ok(())
    }

    /// Removes a node and what comes after it; the root stays.
    pub(crate) fn remove(&mut self, node: usize) -> Result<(), UserError> {
        let id = self.game.node(node)?;
        if id != Game::ROOT {
            self.game.remove(id);
            self.is_edited = true;
        }
        Ok(())
    }

    /// Makes the line of a node the main line.
    pub(crate) fn promote(&mut self, node: usize) -> Result<(), UserError> {
        let id = self.game.node(node)?;
        self.game.promote(id);
        self.is_edited = true;
        Ok(())
    }

    /// Grows with everything the engine says.
    pub(crate) fn live_version(&self) -> u64 {
        self.live.version
    }

    /// What the engine says, and what that changed in the tree, for a page.
    pub(crate) fn live_message(&self, seen: GameVersion) -> (LiveMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let infos = self.live.lines.shown().iter();
        let message = LiveMessage {
            node: self.live.node.index(),
            turn: self.live.pos.turn().into(),
            lines: infos
                .map(|info| LineView::new(&self.live.pos, info))
                .collect(),
            game,
        };
        (message, seen)
    }

    /// What a page that was sent the version `seen` of the game is sent now.
    pub(crate) fn message(&self, seen: GameVersion) -> (AnalyseMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let is_end = self.game.record()[self.game.at()].ending().is_some();
        let message = AnalyseMessage {
            position: PositionView::new(self.game.position(), !is_end),
            game,
            thinking: self.thinking.is_some() || self.is_waiting,
            lines: self.lines,
            game_analysis: self.game_analysis.as_ref().map(|running| running.progress),
            is_edited: self.is_edited,
            trial: self.trial.as_ref(),
        };
        (message, seen)
    }

    /// Stores what the engine says, here and in the tree.
    pub(crate) fn add_info(&mut self, control: &Arc<SearchControl>, info: &SearchInfo) {
        if !is_current(self.thinking.as_ref(), control) {
            return;
        }
        let live = &mut self.live;
        if live.lines.add(info) {
            live.version += 1;
        }
        if info.multipv <= 1 && info.value.bound == Bound::Exact {
            let (node, turn) = (live.node, live.pos.turn());
            let known = self.game.record()[node].evaluation.as_ref();
            if known.and_then(|known| known.depth) <= Some(info.depth) {
                let evaluation = Evaluation {
                    value: for_black(info.value.value, turn),
                    depth: Some(info.depth),
                    nodes: Some(info.nodes),
                    line: info.pv.clone(),
                };
                self.game.set_evaluation(node, evaluation);
            }
        }
    }
}
