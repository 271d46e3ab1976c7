//! What the analysis tab asks for: changes of the tree, and the search of the position shown.

use super::{SessionState, UserSession, about};
use crate::analyse::{LiveAnalysis, MOST_LINES};
use crate::engine::is_current;
use crate::live_lines::LiveLines;
use crate::protocol::message::{ServerMessage, SeveralMessage};
use crate::protocol::request::AnalyseRequest;
use crate::records::{self, LoadedRecord};
use crate::review;
use crate::user_error::UserError;
use std::sync::Arc;
use tesuji_engine::pool::PoolJob;
use tesuji_record::Game;
use tesuji_search::{
    Phase, SearchControl, SearchInfo, SearchLimits, SearchListener, SearchRequest,
};
use tesuji_shogi::{Board, Position};

/// Hands what a search reports to its session.
struct InfoListener {
    session: Arc<UserSession>,
    control: Arc<SearchControl>,
}

impl SearchListener for InfoListener {
    fn info(&mut self, info: &SearchInfo) {
        self.session.state().analyse.add_info(&self.control, info);
    }
}

impl UserSession {
    /// Does what the analysis tab asks for, and gives what the page that asked is told.
    pub(crate) fn handle_analyse(
        self: &Arc<Self>,
        request: AnalyseRequest,
    ) -> Result<Vec<ServerMessage<'static>>, UserError> {
        if let AnalyseRequest::GoTo { node } = request {
            return self
                .change_view(|state| {
                    let id = state.analyse.game.node(node)?;
                    state.analyse.game.go(id);
                    self.follow(state)
                })
                .map(|()| Vec::new());
        }
        let mut told = Vec::new();
        self.change(|state| self.change_analysis(state, request, &mut told))?;
        Ok(told)
    }

    fn change_analysis(
        self: &Arc<Self>,
        state: &mut SessionState,
        request: AnalyseRequest,
        told: &mut Vec<ServerMessage<'static>>,
    ) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        match request {
            AnalyseRequest::GoTo { node } => {
                let id = analyse.game.node(node)?;
                analyse.game.go(id);
                self.follow(state)
            }
            AnalyseRequest::Move { mv } => {
                analyse.play(&mv)?;
                self.follow(state)
            }
            AnalyseRequest::Comment { node, text } => analyse.comment(node, &text),
            AnalyseRequest::SetEngine { on, lines } => self.set_engine(state, on, lines),
            AnalyseRequest::AnalyseGame { millis } => self.review_game(state, millis),
            AnalyseRequest::StopAnalysingGame => {
                analyse.stop_analysing_game();
                Ok(())
            }
            AnalyseRequest::Try { node, mv } => self.try_move(state, node, &mv),
            AnalyseRequest::AddBetterLine { node } => {
                let id = analyse.game.node(node)?;
                let (parent, review) =
                    review::slip(&analyse.game, id).ok_or_else(UserError::no_such_move)?;
                let line = review.line.clone();
                analyse.add_line(parent, &line)?;
                self.follow(state)
            }
            AnalyseRequest::Remove { node } => {
                analyse.remove(node)?;
                self.follow_rebuilt(state)
            }
            AnalyseRequest::Promote { node } => {
                analyse.promote(node)?;
                self.follow_rebuilt(state)
            }
            AnalyseRequest::Load {
                record,
                number,
                replace,
            } => {
                let loaded = records::read(&record, number.unwrap_or(0))?;
                self.show_loaded(state, loaded, number.is_some(), replace, told)
            }
            AnalyseRequest::SetPosition { sfen, replace } => {
                let start =
                    Position::from_sfen(&sfen).map_err(|error| UserError::position(&error))?;
                self.replace_game(state, Game::new(start), replace, told)
                    .map(|_| ())
            }
            AnalyseRequest::LoadPlayedGame { replace, review } => {
                self.analyse_played_game(state, replace, review, told)
            }
        }
    }

    /// Analyses the game that was played last from now on, and all of it if a time per move is named.
    fn analyse_played_game(
        self: &Arc<Self>,
        state: &mut SessionState,
        is_asked: bool,
        millis: Option<u64>,
        told: &mut Vec<ServerMessage<'static>>,
    ) -> Result<(), UserError> {
        let game = state.play.game.record().clone();
        let is_replaced = self.replace_game(state, game, is_asked, told)?;
        match millis.filter(|_| is_replaced) {
            Some(millis) => self.review_game(state, millis),
            None => Ok(()),
        }
    }

    /// Analyses a game of a record from now on, and tells what was wrong with the record and, if the
    /// user has not chosen one, which games it holds.
    fn show_loaded(
        self: &Arc<Self>,
        state: &mut SessionState,
        loaded: LoadedRecord,
        is_chosen: bool,
        is_asked: bool,
        told: &mut Vec<ServerMessage<'static>>,
    ) -> Result<(), UserError> {
        if !self.replace_game(state, loaded.game, is_asked, told)? {
            return Ok(());
        }
        told.extend(loaded.fault.map(ServerMessage::Error));
        if !is_chosen && !loaded.titles.is_empty() {
            let titles = loaded.titles;
            told.push(ServerMessage::Several(SeveralMessage { titles }));
        }
        Ok(())
    }

    /// Replaces the game of the analysis, unless there is work in it that is nowhere else and the
    /// user was not asked; gives whether it was.
    fn replace_game(
        self: &Arc<Self>,
        state: &mut SessionState,
        game: Game,
        is_asked: bool,
        told: &mut Vec<ServerMessage<'static>>,
    ) -> Result<bool, UserError> {
        if state.analyse.is_edited && !is_asked {
            told.push(ServerMessage::Unsaved);
            return Ok(false);
        }
        state.analyse.replace(game);
        self.follow_rebuilt(state).map(|()| true)
    }

    /// Starts the engine on the position shown, or stops it.
    fn set_engine(
        self: &Arc<Self>,
        state: &mut SessionState,
        on: bool,
        lines: usize,
    ) -> Result<(), UserError> {
        state.analyse.lines = lines.clamp(1, MOST_LINES);
        state.analyse.stop_thinking();
        state.analyse.is_waiting = on && !self.is_analysis_shown();
        if state.analyse.is_waiting {
            return Ok(());
        }
        match on {
            true => self.start_thinking(state),
            false => Ok(()),
        }
    }

    /// Moves the engine, if it is on, to the position shown.
    fn follow(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        if analyse.thinking.is_none() || analyse.live.node == analyse.game.at() {
            return Ok(());
        }
        analyse.stop_thinking();
        self.start_thinking(state)
    }

    /// Moves the engine, if it is on, to the position shown after the tree was rebuilt: nodes have
    /// other numbers now.
    fn follow_rebuilt(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        analyse.stop_analysing_game();
        analyse.review_changed();
        analyse.live.lines = LiveLines::new(analyse.lines);
        analyse.live.node = analyse.game.at();
        analyse.live.version += 1;
        if analyse.thinking.is_none() {
            return Ok(());
        }
        analyse.stop_thinking();
        self.start_thinking(state)
    }

    /// Stops the engine while no page shows the analysis, and lets it go on when one does.
    pub(crate) fn analysis_shown(self: &Arc<Self>, is_shown: bool) {
        let mut state = self.state();
        let analyse = &mut state.analyse;
        match is_shown {
            true if std::mem::take(&mut analyse.is_waiting) => {
                if let Err(error) = self.start_thinking(&mut state) {
                    state.notice(error);
                }
            }
            false if analyse.thinking.is_some() => {
                analyse.stop_thinking();
                analyse.is_waiting = true;
            }
            _ => {}
        }
    }

    fn start_thinking(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        let pos = analyse.game.position().clone();
        analyse.live = LiveAnalysis {
            pos: pos.clone(),
            node: analyse.game.at(),
            lines: LiveLines::new(analyse.lines.min(pos.legal_moves().len())),
            version: analyse.live.version + 1,
        };
        analyse.thinking = Some(control.clone());
        let limits = SearchLimits {
            infinite: true,
            multi_pv: analyse.lines,
            ..SearchLimits::default()
        };
        let (session, own) = (self.clone(), control.clone());
        let job = PoolJob {
            about: about(&pos),
            failed: self.when_panicked(&control),
            control,
            is_endless: true,
            work: Box::new(move |engine| {
                let why = match engine {
                    Err(why) => UserError::engine(&why.to_string()),
                    Ok(engine) => {
                        let mut listener = InfoListener {
                            session: session.clone(),
                            control: own.clone(),
                        };
                        let request = SearchRequest::new(pos).with_limits(limits);
                        engine.think(&request, &own, &mut listener);
                        UserError::new(
                            "The analysis stopped: the engine was needed elsewhere.",
                            "解析を止めました。エンジンがほかで必要になりました。",
                        )
                    }
                };
                session.services.engine.mark_done(&own);
                let mut state = session.state();
                if is_current(state.analyse.thinking.as_ref(), &own) {
                    // No request of this session stopped it.
                    state.analyse.thinking = None;
                    state.notice(why);
                }
                drop(state);
                session.changed();
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            analyse.thinking = None;
            UserError::busy()
        })
    }
}
