//! What the analysis tab asks for: changes of the tree, and the searches that fill it.

use super::{SessionState, UserSession, about};
use crate::analyse::{GameAnalysis, LiveAnalysis, MOST_LINES};
use crate::engine::is_current;
use crate::protocol::message::AnalysisProgress;
use crate::protocol::position::for_black;
use crate::protocol::request::AnalyseRequest;
use crate::user_error::UserError;
use crate::{link, records};
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::pool::PoolJob;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{
    NoListener, Phase, Search, SearchControl, SearchInfo, SearchLimits, SearchListener,
    SearchRequest, TimeBudget,
};
use tesuji_shogi::Position;

/// How many characters a comment may have.
const LONGEST_COMMENT: usize = 4000;

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
    /// Does what the analysis tab asks for.
    pub(crate) fn handle_analyse(
        self: &Arc<Self>,
        request: AnalyseRequest,
    ) -> Result<(), UserError> {
        self.change(|state| {
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
                AnalyseRequest::Comment { node, text } => {
                    let id = analyse.game.node(node)?;
                    let text = text.chars().take(LONGEST_COMMENT).collect();
                    analyse.game.set_comment(id, text);
                    Ok(())
                }
                AnalyseRequest::SetEngine { on, lines } => self.set_engine(state, on, lines),
                AnalyseRequest::AnalyseGame { millis } => self.analyse_game(state, millis),
                AnalyseRequest::StopAnalysingGame => {
                    analyse.stop_analysing_game();
                    Ok(())
                }
                AnalyseRequest::Remove { node } => {
                    let id = analyse.game.node(node)?;
                    if id != Game::ROOT {
                        analyse.game.remove(id);
                    }
                    self.follow_rebuilt(state)
                }
                AnalyseRequest::Promote { node } => {
                    let id = analyse.game.node(node)?;
                    analyse.game.promote(id);
                    self.follow_rebuilt(state)
                }
                AnalyseRequest::Load { record } => {
                    analyse.replace(records::read(&record)?);
                    self.follow_rebuilt(state)
                }
                AnalyseRequest::SetPosition { sfen } => {
                    let start =
                        Position::from_sfen(&sfen).map_err(|error| UserError::position(&error))?;
                    analyse.replace(Game::new(start));
                    self.follow_rebuilt(state)
                }
                AnalyseRequest::LoadPlayedGame => {
                    analyse.replace(state.play.game.record().clone());
                    self.follow_rebuilt(state)
                }
            }
        })
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
        analyse.live.infos.clear();
        analyse.live.node = analyse.game.at();
        analyse.live.version += 1;
        if analyse.thinking.is_none() {
            return Ok(());
        }
        analyse.stop_thinking();
        self.start_thinking(state)
    }

    fn start_thinking(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        let pos = analyse.game.position().clone();
        analyse.live = LiveAnalysis {
            pos: pos.clone(),
            node: analyse.game.at(),
            infos: Vec::new(),
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

    /// Evaluates every position of the main line, `millis` each.
    fn analyse_game(
        self: &Arc<Self>,
        state: &mut SessionState,
        millis: u64,
    ) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        analyse.stop_analysing_game();
        let game = analyse.game.record();
        let moves = game.main_line().filter(|&id| game[id].mv().is_some());
        let nodes: Vec<NodeId> = std::iter::once(Game::ROOT).chain(moves).collect();
        let about = format!("the game {}", link::write(game));
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        analyse.game_analysis = Some(GameAnalysis {
            control: control.clone(),
            search: control.clone(),
            progress: AnalysisProgress {
                done: 0,
                total: nodes.len(),
            },
        });
        let budget = TimeBudget::exactly(Duration::from_millis(millis.clamp(10, 600_000)));
        let (session, own) = (self.clone(), control.clone());
        let job = PoolJob {
            about,
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |engine| {
                let failure = match engine {
                    Err(why) => Some(UserError::engine(&why.to_string())),
                    Ok(engine) => {
                        for node in nodes {
                            if !session.analyse_node(engine, &own, budget, node) {
                                break;
                            }
                        }
                        None
                    }
                };
                session.services.engine.mark_done(&own);
                let mut state = session.state();
                let running = state.analyse.game_analysis.as_ref();
                if is_current(running.map(|running| &running.control), &own) {
                    state.analyse.game_analysis = None;
                    failure.into_iter().for_each(|error| state.notice(error));
                }
                drop(state);
                session.changed();
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            analyse.game_analysis = None;
            UserError::busy()
        })
    }

    /// Evaluates one position; `false` if the analysis was stopped.
    fn analyse_node(
        self: &Arc<Self>,
        engine: &mut (impl Search + ?Sized),
        control: &Arc<SearchControl>,
        budget: TimeBudget,
        node: NodeId,
    ) -> bool {
        // A control whose time is over cannot be used again: every position has its own.
        let search = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
        let pos = {
            let mut state = self.state();
            let analyse = &mut state.analyse;
            match &mut analyse.game_analysis {
                Some(running) if Arc::ptr_eq(&running.control, control) => {
                    running.search = search.clone();
                }
                _ => return false,
            }
            analyse.game.record().position(node)
        };
        let request = SearchRequest::new(pos.clone());
        let best = engine.think(&request, &search, &mut NoListener);
        let mut state = self.state();
        let analyse = &mut state.analyse;
        match &mut analyse.game_analysis {
            Some(running) if Arc::ptr_eq(&running.control, control) => running.progress.done += 1,
            _ => return false,
        }
        let evaluation = Evaluation {
            value: for_black(best.value, pos.turn()),
            depth: Some(best.depth),
            nodes: Some(best.nodes),
            line: best.pv,
        };
        analyse.game.set_evaluation(node, evaluation);
        drop(state);
        self.notify();
        true
    }
}
