//! The searches behind the review of a game, and behind moves that are tried instead of a slip.

use super::{SessionState, UserSession, about};
use crate::analyse::GameAnalysis;
use crate::engine::is_current;
use crate::game_view::MoveReview;
use crate::link;
use crate::protocol::message::{AnalysisProgress, TrialVerdict, TrialView};
use crate::protocol::position::{for_black, line_view};
use crate::review::{self, MoveComparison};
use crate::user_error::UserError;
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::pool::PoolJob;
use tesuji_record::analysis::Grade;
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{
    NoListener, Phase, Search, SearchControl, SearchLimits, SearchListener, SearchRequest,
    SearchResult, TimeBudget,
};
use tesuji_shogi::{Board, Move, Position, Value};

/// How long a move that was tried is compared with the best one.
const TRIAL_THINKING: Duration = Duration::from_millis(1200);

/// How much longer than the others a suspect is looked at, in each of its two searches.
const PATIENCE: u32 = 2;

/// The review of a game while it runs.
struct GameReview<'r, S: Search + ?Sized> {
    session: &'r Arc<UserSession>,
    control: &'r Arc<SearchControl>,
    engine: &'r mut S,
    each: Duration,
}

/// The analysis was stopped.
struct Stopped;

/// What the first look at a position found: its value for Black, and the best move.
#[derive(Clone, Copy)]
struct FirstLook {
    value: Value,
    best: Option<Move>,
}

impl UserSession {
    /// Reviews the main line: every position is evaluated, `millis` each, and suspects longer.
    pub(super) fn review_game(
        self: &Arc<Self>,
        state: &mut SessionState,
        millis: u64,
    ) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        analyse.stop_analysing_game();
        analyse.game.clear_reviews();
        analyse.review_changed();
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
        let each = Duration::from_millis(millis.clamp(10, 600_000));
        let (session, own) = (self.clone(), control.clone());
        let job = PoolJob {
            about,
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |engine| {
                let mut failure = None;
                match engine {
                    Err(why) => failure = Some(UserError::engine(&why.to_string())),
                    Ok(engine) => {
                        let mut review = GameReview {
                            session: &session,
                            control: &own,
                            engine,
                            each,
                        };
                        // One that was stopped leaves what it has found.
                        let _ = review.run(&nodes);
                    }
                }
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

    /// Compares a move with the best one before a slip.
    pub(super) fn try_move(
        self: &Arc<Self>,
        state: &mut SessionState,
        node: usize,
        text: &str,
    ) -> Result<(), UserError> {
        let analyse = &mut state.analyse;
        let mv: Move = text.parse().map_err(|_| UserError::not_a_move(text))?;
        let id = analyse.game.node(node)?;
        let (parent, review) =
            review::slip(&analyse.game, id).ok_or_else(UserError::no_such_move)?;
        let best = review.line[0];
        let pos = analyse.game.record().position(parent);
        let tried = line_view(&pos, &[mv], 1).pop();
        let tried = tried.ok_or_else(|| UserError::not_a_move(text))?;
        let mut trial = TrialView {
            node,
            tried,
            verdict: TrialVerdict::Best,
        };
        if mv == best {
            analyse.trial = Some(trial);
            return Ok(());
        }
        trial.verdict = TrialVerdict::Thinking;
        analyse.trial = Some(trial);
        let budget = TimeBudget::exactly(TRIAL_THINKING);
        let control = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
        let (session, own) = (self.clone(), control.clone());
        let job = PoolJob {
            about: about(&pos),
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |engine| {
                let mut comparison = MoveComparison::default();
                if let Ok(engine) = engine {
                    own.start_clock();
                    engine.think(&comparing(&pos, [best, mv]), &own, &mut comparison);
                }
                session.services.engine.mark_done(&own);
                session.finish_trial(&pos, node, [best, mv], &comparison);
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            analyse.trial = None;
            UserError::busy()
        })
    }

    /// Says whether a move that was tried is good, unless another one was tried meanwhile.
    fn finish_trial(
        self: &Arc<Self>,
        pos: &Position,
        node: usize,
        [best, tried]: [Move; 2],
        comparison: &MoveComparison,
    ) {
        let mut state = self.state();
        let Some(trial) = &mut state.analyse.trial else {
            return;
        };
        if trial.node != node || trial.tried.text() != tried.to_string() {
            return;
        }
        let values = comparison.result(best, tried);
        let loss = values.map(|lines| {
            let [best, tried] = lines.map(|line| for_black(line.value, pos.turn()));
            review::compared_move(pos.turn(), best, tried, Vec::new()).loss
        });
        match loss {
            Some(loss) if Grade::of_loss(loss).is_some() => trial.verdict = TrialVerdict::Bad,
            Some(_) => trial.verdict = TrialVerdict::Good,
            // No search, no verdict.
            None => state.analyse.trial = None,
        }
        drop(state);
        self.notify();
    }
}

/// A search of two moves side by side.
fn comparing(pos: &Position, moves: [Move; 2]) -> SearchRequest {
    let limits = SearchLimits {
        multi_pv: 2,
        ..SearchLimits::default()
    };
    SearchRequest {
        search_moves: moves.to_vec(),
        ..SearchRequest::new(pos.clone()).with_limits(limits)
    }
}

impl<S: Search + ?Sized> GameReview<'_, S> {
    fn run(&mut self, nodes: &[NodeId]) -> Result<(), Stopped> {
        // From the end to the start, so that the table knows what comes.
        let mut looks = Vec::with_capacity(nodes.len());
        for &node in nodes.iter().rev() {
            looks.push(self.look(node)?);
        }
        looks.reverse();
        let mut suspects = Vec::new();
        for (at, pair) in looks.windows(2).enumerate() {
            let node = nodes[at + 1];
            match self.is_suspect(node, pair[0], pair[1]) {
                true => suspects.push(at),
                false => self.set_review(node, review::good_move(pair[1].value))?,
            }
        }
        let suspect_count = suspects.len();
        self.change(|analysis| analysis.progress.total += suspect_count)?;
        for at in suspects {
            let (review, best) = self.examine(nodes[at + 1])?;
            looks[at].best = best;
            self.set_review(nodes[at + 1], review)?;
            self.count()?;
        }
        self.back_up(nodes, &looks)
    }

    /// Gives every position whose best move was played the value of the next one, which was seen a
    /// move deeper: so the values of a line without slips do not see-saw.
    fn back_up(&self, nodes: &[NodeId], looks: &[FirstLook]) -> Result<(), Stopped> {
        for (at, pair) in nodes.windows(2).enumerate().rev() {
            let later = {
                let state = self.session.state();
                let next = &state.analyse.game.record()[pair[1]];
                let played = next.mv().filter(|&mv| looks[at].best == Some(mv));
                played.zip(next.evaluation.clone())
            };
            if let Some((mv, later)) = later {
                let evaluation = Evaluation {
                    depth: later.depth.map(|depth| depth + 1),
                    line: std::iter::once(mv).chain(later.line.clone()).collect(),
                    ..later
                };
                self.set_evaluation(pair[0], evaluation)?;
            }
        }
        Ok(())
    }

    /// Evaluates a position.
    fn look(&mut self, node: NodeId) -> Result<FirstLook, Stopped> {
        let pos = self.position(node);
        let request = SearchRequest::new(pos.clone());
        let found = self.search(&request, self.each, &mut NoListener)?;
        let value = for_black(found.value, pos.turn());
        let best = found.pv.first().copied();
        let evaluation = Evaluation {
            value,
            depth: Some(found.depth),
            nodes: Some(found.nodes),
            line: found.pv,
        };
        self.set_evaluation(node, evaluation)?;
        self.count()?;
        Ok(FirstLook { value, best })
    }

    fn is_suspect(&self, node: NodeId, before: FirstLook, after: FirstLook) -> bool {
        let state = self.session.state();
        let game = state.analyse.game.record();
        let color = game.turn(node).foe();
        let Some(parent) = game[node].parent() else {
            return false;
        };
        // A move without a choice is nobody's fault.
        let has_choice = || game.position(parent).legal_moves().len() > 1;
        let mated_itself = before.best.is_none();
        !mated_itself && review::is_suspect(color, before.value, after.value) && has_choice()
    }

    /// Looks longer at the position before a move, and compares the move with the best one; gives
    /// what it found, and the best move.
    fn examine(&mut self, node: NodeId) -> Result<(MoveReview, Option<Move>), Stopped> {
        let (parent, played) = {
            let state = self.session.state();
            let node = &state.analyse.game.record()[node];
            match (node.parent(), node.mv()) {
                (Some(parent), Some(mv)) => (parent, mv),
                _ => return Ok((review::good_move(Value::ZERO), None)),
            }
        };
        let (pos, time) = (self.position(parent), self.each * PATIENCE);
        let found = self.search(&SearchRequest::new(pos.clone()), time, &mut NoListener)?;
        let color = pos.turn();
        let value = for_black(found.value, color);
        let best = match found.pv.first() {
            Some(&best) if best != played => best,
            _ => return Ok((review::good_move(value), Some(played))),
        };
        let mut comparison = MoveComparison::default();
        self.search(&comparing(&pos, [best, played]), time, &mut comparison)?;
        let Some([better, own]) = comparison.result(best, played) else {
            return Ok((review::good_move(value), None));
        };
        let [best_value, own_value] = [better, own].map(|line| for_black(line.value, color));
        let review = review::compared_move(color, best_value, own_value, better.line.clone());
        let is_better = review.loss > 0.0;
        // The graph shows what the longer search says.
        let upper = if is_better { better } else { own };
        for (at, line, moves) in [
            (parent, upper, &upper.line[..]),
            (node, own, &own.line[1..]),
        ] {
            let evaluation = Evaluation {
                value: for_black(line.value, color),
                depth: Some(line.depth),
                nodes: Some(line.nodes),
                line: moves.to_vec(),
            };
            self.set_evaluation(at, evaluation)?;
        }
        Ok((review, Some(if is_better { best } else { played })))
    }

    fn position(&self, node: NodeId) -> Position {
        self.session.state().analyse.game.record().position(node)
    }

    /// One search of the review. Each has its own control: one whose time is over cannot be used
    /// again.
    fn search(
        &mut self,
        request: &SearchRequest,
        time: Duration,
        listener: &mut dyn SearchListener,
    ) -> Result<SearchResult, Stopped> {
        let budget = TimeBudget::exactly(time);
        let search = Arc::new(SearchControl::new(Phase::Thinking, Some(budget)));
        self.change(|analysis| analysis.search = search.clone())?;
        let found = self.engine.think(request, &search, listener);
        self.change(|_| ())?;
        Ok(found)
    }

    /// Counts a position that is done.
    fn count(&self) -> Result<(), Stopped> {
        self.change(|analysis| analysis.progress.done += 1)?;
        self.session.notify();
        Ok(())
    }

    fn set_evaluation(&self, node: NodeId, evaluation: Evaluation) -> Result<(), Stopped> {
        self.change(|_| ())?;
        let mut state = self.session.state();
        state.analyse.game.set_evaluation(node, evaluation);
        state.analyse.is_edited = true;
        Ok(())
    }

    fn set_review(&self, node: NodeId, review: MoveReview) -> Result<(), Stopped> {
        self.change(|_| ())?;
        let mut state = self.session.state();
        state.analyse.game.set_review(node, review);
        state.analyse.review_changed();
        Ok(())
    }

    /// Changes the analysis, unless it was stopped.
    fn change(&self, work: impl FnOnce(&mut GameAnalysis)) -> Result<(), Stopped> {
        let mut state = self.session.state();
        match &mut state.analyse.game_analysis {
            Some(running) if Arc::ptr_eq(&running.control, self.control) => {
                work(running);
                Ok(())
            }
            _ => Err(Stopped),
        }
    }
}
