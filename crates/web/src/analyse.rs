//! The analysis tab: a tree of moves, the engine's lines at the current node, and the analysis of the
//! whole game.

use crate::engine::is_current;
use crate::game_view::{GameVersion, GameView};
use crate::library::fresh_id;
use crate::protocol::message::{AnalyseMessage, AnalysisProgress, LiveMessage};
use crate::protocol::position::{LineView, PositionView, for_black};
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{SearchControl, SearchInfo};
use tesuji_shogi::{Bound, Move, Position};

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
    pub(crate) live: LiveAnalysis,
    pub(crate) game_analysis: Option<GameAnalysis>,
}

/// What the engine says about a position at this moment.
pub(crate) struct LiveAnalysis {
    pub(crate) pos: Position,
    pub(crate) node: NodeId,
    pub(crate) infos: Vec<Option<SearchInfo>>,
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
        Self::restored(GameView::new(Game::default()), 3)
    }
}

impl AnalyseTab {
    /// A tab that was stored.
    pub(crate) fn restored(game: GameView, lines: usize) -> Self {
        Self {
            live: LiveAnalysis {
                pos: game.position().clone(),
                node: game.at(),
                infos: Vec::new(),
                version: 0,
            },
            game,
            library_id: fresh_id(),
            replaced: Vec::new(),
            lines: lines.clamp(1, MOST_LINES),
            thinking: None,
            game_analysis: None,
        }
    }

    /// Replaces the game.
    pub(crate) fn replace(&mut self, game: Game) {
        self.stop_analysing_game();
        self.replaced
            .push((self.library_id, self.game.record().clone()));
        self.library_id = fresh_id();
        self.game.replace(game);
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
        self.game.play(mv).map(|_| ())
    }

    /// Grows with everything the engine says.
    pub(crate) fn live_version(&self) -> u64 {
        self.live.version
    }

    /// What the engine says, and what that changed in the tree, for a page.
    pub(crate) fn live_message(&self, seen: GameVersion) -> (LiveMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let infos = self.live.infos.iter().flatten();
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
            thinking: self.thinking.is_some(),
            lines: self.lines,
            game_analysis: self.game_analysis.as_ref().map(|running| running.progress),
        };
        (message, seen)
    }

    /// Stores what the engine says, here and in the tree.
    pub(crate) fn add_info(&mut self, control: &Arc<SearchControl>, info: &SearchInfo) {
        if !is_current(self.thinking.as_ref(), control) {
            return;
        }
        let live = &mut self.live;
        let place = info.multipv.saturating_sub(1);
        if place >= MOST_LINES {
            return;
        }
        if live.infos.len() <= place {
            live.infos.resize(place + 1, None);
        }
        live.infos[place] = Some(info.clone());
        live.version += 1;
        if place == 0 && info.value.bound == Bound::Exact {
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
