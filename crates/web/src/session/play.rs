//! What the play tab asks for, and the engine as an opponent: its moves, its hints, its clock.

use super::{SessionState, UserSession, about};
use crate::engine::is_current;
use crate::play::{FULL_STRENGTH, MOVE_LIMIT, Viewer};
use crate::protocol::position::{for_black, line_view};
use crate::protocol::request::{PlayRequest, PlayerKind};
use crate::user_error::UserError;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_engine::pool::PoolJob;
use tesuji_record::Evaluation;
use tesuji_search::{
    Answer, NoListener, Phase, Rules, SearchControl, SearchLimits, SearchRequest, SearchResult,
    TimeBudget,
};
use tesuji_shogi::{Position, Value};

/// How long the engine thinks where no clock says it.
const USUAL_THINKING: Duration = Duration::from_millis(1500);

/// How long it thinks about a hint.
const HINT_THINKING: Duration = Duration::from_millis(1000);

fn request(pos: &Position, limits: SearchLimits) -> SearchRequest {
    SearchRequest {
        rules: Rules {
            move_limit: Some(MOVE_LIMIT),
            ..Rules::default()
        },
        ..SearchRequest::new(pos.clone()).with_limits(limits)
    }
}

impl UserSession {
    /// Does what the guest asks for.
    pub(crate) fn handle_guest(self: &Arc<Self>, request: PlayRequest) -> Result<(), UserError> {
        let guest = Viewer::Guest { shown: None };
        self.change(|state| {
            let play = &mut state.play;
            match request {
                PlayRequest::Move { mv } => {
                    play.check_turn(guest)?;
                    play.play(&mv)?;
                }
                PlayRequest::Resign => {
                    play.resign_seat(guest)?;
                }
                _ => return Err(UserError::only_the_host()),
            }
            self.go_on(state);
            Ok(())
        })
    }

    /// Does what the play tab asks for.
    pub(crate) fn handle_play(self: &Arc<Self>, request: PlayRequest) -> Result<(), UserError> {
        if let PlayRequest::GoTo { node } = request {
            return self.change_view(|state| state.play.go_to(node));
        }
        self.change(|state| {
            let play = &mut state.play;
            match request {
                PlayRequest::NewGame(new) => play.begin(new)?,
                PlayRequest::Move { mv } => {
                    play.check_turn(Viewer::Owner)?;
                    play.play(&mv)?;
                }
                PlayRequest::TakeBack => play.take_back()?,
                PlayRequest::Resign => match play.resign_seat(Viewer::Owner)? {
                    true => {}
                    false => play.resign()?,
                },
                PlayRequest::Declare => play.declare()?,
                PlayRequest::Pause { on } => play.set_pause(on),
                PlayRequest::GoTo { node } => return play.go_to(node),
                PlayRequest::Hint => return self.start_hint(state),
            }
            self.go_on(state);
            Ok(())
        })
    }

    /// Lets the clock run and the engine think if it is its turn. It is called after every change of
    /// the game.
    pub(super) fn go_on(self: &Arc<Self>, state: &mut SessionState) {
        let play = &mut state.play;
        if play.is_over() || play.is_paused {
            return;
        }
        let turn = play.turn();
        // A person loses no time before the first move of a game.
        let waits = play.game.record().size() == 1 && play.is_person(turn);
        if !waits {
            play.start_clock();
        }
        if let Some(left) = play.until_flag() {
            let session = self.clone();
            self.services.runtime.spawn(async move {
                tokio::time::sleep(left + Duration::from_millis(2)).await;
                let fallen = session.state().play.check_flag();
                if fallen {
                    session.changed();
                }
            });
        }
        if let PlayerKind::Engine { strength } = play.players[turn]
            && play.thinking.is_none()
        {
            self.start_engine_move(state, strength);
        }
    }

    fn start_engine_move(self: &Arc<Self>, state: &mut SessionState, strength: u32) {
        let play = &mut state.play;
        let pos = play.game.position().clone();
        let budget = play.budget();
        let budget = budget.unwrap_or(TimeBudget::exactly(USUAL_THINKING));
        let control = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
        let limits = SearchLimits {
            skill_level: (strength < FULL_STRENGTH).then_some(strength),
            ..SearchLimits::default()
        };
        play.thinking = Some(control.clone());
        let (session, asked, pace) = (self.clone(), Instant::now(), play.pace);
        let own = control.clone();
        let job = PoolJob {
            about: about(&pos),
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |search| match search {
                Err(why) => session.engine_failed(&own, &why.to_string()),
                Ok(search) => {
                    // The time of a search that waited in the queue begins now.
                    own.start_clock();
                    let best = session.book_move(&pos).unwrap_or_else(|| {
                        search.think(&request(&pos, limits), &own, &mut NoListener)
                    });
                    own.wait_for_stop(pace.saturating_sub(asked.elapsed()));
                    session.finish_engine_move(&own, &best);
                }
            }),
        };
        if self.services.engine.submit(job).is_err() {
            play.thinking = None;
            play.set_pause(true);
            state.notice(UserError::busy());
        }
    }

    /// The answer of the books, if they know the position.
    fn book_move(&self, pos: &Position) -> Option<SearchResult> {
        let proposal = self.services.explorer.propose(pos)?;
        Some(SearchResult {
            answer: Answer::Move(proposal.mv),
            ponder: proposal.ponder,
            value: Value::new(proposal.chosen.value),
            depth: u32::try_from(proposal.chosen.depth).unwrap_or(0),
            nodes: 0,
            pv: proposal.line,
        })
    }

    /// Plays the engine's answer, unless the game has changed meanwhile.
    fn finish_engine_move(self: &Arc<Self>, control: &Arc<SearchControl>, best: &SearchResult) {
        self.services.engine.mark_done(control);
        let mut state = self.state();
        let play = &mut state.play;
        if !is_current(play.thinking.as_ref(), control) {
            return;
        }
        play.thinking = None;
        let turn = play.turn();
        match best.answer {
            Answer::Move(mv) => {
                if let Ok(id) = play.make(mv) {
                    let evaluation = Evaluation {
                        value: for_black(best.value, turn),
                        depth: Some(best.depth),
                        nodes: Some(best.nodes),
                        line: best.pv.get(1..).unwrap_or_default().to_vec(),
                    };
                    play.game.set_evaluation(id, evaluation);
                }
            }
            Answer::Resign => play.end_by_resignation(),
            Answer::Declare => play.end_by_declaration(),
        }
        if std::mem::take(&mut play.resigns) && !play.is_over() {
            play.end_by_resignation();
        }
        self.go_on(&mut state);
        drop(state);
        self.changed();
    }

    /// Pauses the game and says why the engine cannot start.
    fn engine_failed(self: &Arc<Self>, control: &Arc<SearchControl>, why: &str) {
        let mut state = self.state();
        if is_current(state.play.thinking.as_ref(), control) {
            state.play.thinking = None;
            state.play.set_pause(true);
            state.notice(UserError::engine(why));
            drop(state);
            self.notify();
        }
    }

    /// Searches for a good move for the person to move.
    fn start_hint(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let play = &mut state.play;
        play.check_running()?;
        if !play.is_person(play.turn()) {
            return Err(UserError::not_your_turn());
        }
        if play.hinting.is_some() {
            return Ok(());
        }
        let pos = play.game.position().clone();
        let budget = TimeBudget::exactly(HINT_THINKING);
        let control = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
        let (session, own) = (self.clone(), control.clone());
        play.hinting = Some(control.clone());
        let job = PoolJob {
            about: about(&pos),
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |search| {
                let mut failure = None;
                let mut hint = None;
                match search {
                    Err(why) => failure = Some(UserError::engine(&why.to_string())),
                    Ok(search) => {
                        own.start_clock();
                        let limits = SearchLimits::default();
                        let best = search.think(&request(&pos, limits), &own, &mut NoListener);
                        hint = line_view(&pos, &best.pv, 1).into_iter().next();
                    }
                }
                session.services.engine.mark_done(&own);
                let mut state = session.state();
                if is_current(state.play.hinting.as_ref(), &own) {
                    state.play.hinting = None;
                    state.play.hint = hint;
                    failure.into_iter().for_each(|error| state.notice(error));
                    drop(state);
                    session.notify();
                }
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            play.hinting = None;
            UserError::busy()
        })
    }
}
