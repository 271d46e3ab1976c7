//! What the tab for mate problems asks for, and the mate solver behind it.

use super::{SessionState, UserSession, about};
use crate::engine::is_current;
use crate::protocol::message::{ServerMessage, SolveAttempt, SolveProgress, SolveResult};
use crate::protocol::request::SolveRequest;
use crate::records;
use crate::user_error::UserError;
use std::sync::Arc;
use std::time::Duration;
use tesuji_engine::pool::PoolJob;
use tesuji_mate::{MateLimits, MateProgress, MateReport, MateVerdict, Solver, count};
use tesuji_record::Game;
use tesuji_search::{Phase, SearchControl};
use tesuji_shogi::{Board, Color, Move, Position};

/// How long a problem may take.
const LONGEST: Duration = Duration::from_secs(1800);

/// How long the search for the mate after one defence may take.
const LONGEST_DEFENCE: Duration = Duration::from_secs(10);

/// Hands the progress of a search to its session.
struct ProgressListener {
    session: Arc<UserSession>,
    control: Arc<SearchControl>,
}

impl MateProgress for ProgressListener {
    fn report(&mut self, report: &MateReport) {
        let mut state = self.session.state();
        if is_current(state.solve.solving.as_ref(), &self.control) {
            state.solve.progress = Some(SolveProgress {
                nodes: report.nodes,
                millis: report.time.as_millis() as u64,
                depth: report.depth,
            });
            drop(state);
            self.session.notify();
        }
    }
}

impl UserSession {
    /// Does what the tab for mate problems asks for, and gives what the page that asked is told.
    pub(crate) fn handle_solve(
        self: &Arc<Self>,
        request: SolveRequest,
    ) -> Result<Vec<ServerMessage<'static>>, UserError> {
        if let SolveRequest::GoTo { node } = request {
            let result = self.change_view(|state| {
                let id = state.solve.game.node(node)?;
                state.solve.go_to(id);
                Ok(())
            });
            return result.map(|()| Vec::new());
        }
        let mut told = Vec::new();
        self.change(|state| {
            let solve = &mut state.solve;
            match request {
                SolveRequest::GoTo { node } => {
                    let id = solve.game.node(node)?;
                    solve.go_to(id);
                    Ok(())
                }
                SolveRequest::Move { mv } => match solve.play(&mv)? {
                    true => self.start_checking(state),
                    false => Ok(()),
                },
                SolveRequest::Load { record } => {
                    let loaded = records::read(&record, 0)?;
                    told.extend(loaded.fault.map(ServerMessage::Error));
                    solve.set_problem(loaded.game.start())
                }
                SolveRequest::Solve => self.start_solving(state),
                SolveRequest::SolveDefences => self.start_solving_defences(state),
                SolveRequest::Stop => {
                    solve.stop();
                    Ok(())
                }
            }
        })?;
        Ok(told)
    }

    /// Looks at the check that the user gave, and lets the defender answer.
    fn start_checking(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        state.solve.stop();
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        let (pos, attacker) = (state.solve.game.position().clone(), state.solve.attacker());
        let node = state.solve.game.at();
        state.solve.checking = Some(control.clone());
        state.solve.attempt = Some(SolveAttempt::Checking);
        let (session, own) = (self.clone(), control.clone());
        let (threads, bytes) = (self.services.threads, self.services.solver_bytes);
        let job = PoolJob {
            about: about(&pos),
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            work: Box::new(move |_| {
                let mut solver = Solver::new(bytes).with_threads(threads);
                let (attempt, answer) = check_attempt(&mut solver, &pos, attacker, &own);
                session.services.engine.mark_done(&own);
                let mut state = session.state();
                let solve = &mut state.solve;
                if !is_current(solve.checking.as_ref(), &own) {
                    return;
                }
                solve.checking = None;
                solve.attempt = Some(attempt);
                if let Some(answer) = answer {
                    solve.game.go(node);
                    // An answer of the solver is legal.
                    let _ = solve.game.play(answer);
                }
                drop(state);
                session.changed();
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            state.solve.stop();
            UserError::busy()
        })
    }

    /// Searches for the shortest mate.
    fn start_solving(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        state.solve.stop();
        let start = state.solve.game.record().start().clone();
        state.solve.set_problem(&start)?;
        self.run_solver(state, move |session, control, solver| {
            let limits = MateLimits {
                time: Some(LONGEST),
                stop: Some(control.stop_flag()),
                shortest: true,
                ..MateLimits::NONE
            };
            let mut listener = ProgressListener {
                session: session.clone(),
                control: control.clone(),
            };
            let verdict = solver.solve(&start, start.turn(), &limits, &mut listener);
            let nodes = solver.nodes();
            let (result, line) = match verdict {
                Ok(MateVerdict::Mate(line)) => (mate(&start, &line, false, nodes), line),
                Ok(MateVerdict::Shortest(line)) => (mate(&start, &line, true, nodes), line),
                Ok(MateVerdict::NoMate) => (SolveResult::NoMate { nodes }, Vec::new()),
                Ok(MateVerdict::Unknown(_)) | Err(_) => {
                    (SolveResult::Unknown { nodes }, Vec::new())
                }
            };
            let mut state = session.state();
            if is_current(state.solve.solving.as_ref(), control) {
                state.solve.result = Some(result);
                state.solve.add_mate(Game::ROOT, &line);
            }
        })
    }

    /// Searches for the mate after every legal move of the current position.
    fn start_solving_defences(self: &Arc<Self>, state: &mut SessionState) -> Result<(), UserError> {
        let solve = &state.solve;
        let (pos, node, attacker) = (
            solve.game.position().clone(),
            solve.game.at(),
            solve.attacker(),
        );
        let is_attacking = pos.turn() == attacker;
        self.run_solver(state, move |session, control, solver| {
            let limits = MateLimits {
                time: Some(LONGEST_DEFENCE),
                stop: Some(control.stop_flag()),
                shortest: true,
                ..MateLimits::NONE
            };
            let firsts: Vec<Option<Move>> = match is_attacking {
                true => vec![None],
                false => pos.legal_moves().iter().map(Some).collect(),
            };
            for first in firsts {
                let mut after = pos.clone();
                first.into_iter().for_each(|mv| {
                    after.play(mv);
                });
                let verdict = solver.solve(&after, attacker, &limits, &mut ());
                let mut state = session.state();
                if !is_current(state.solve.solving.as_ref(), control) {
                    return;
                }
                match verdict {
                    Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) => {
                        let line: Vec<_> = first.into_iter().chain(line).collect();
                        state.solve.add_mate(node, &line);
                    }
                    Ok(MateVerdict::NoMate) => state.solve.add_escape(node, first),
                    Ok(MateVerdict::Unknown(_)) | Err(_) => {}
                }
                drop(state);
                session.notify();
            }
        })
    }

    /// Runs the mate solver on a thread of the engine.
    fn run_solver(
        self: &Arc<Self>,
        state: &mut SessionState,
        work: impl FnOnce(&Arc<Self>, &Arc<SearchControl>, &mut Solver) + Send + 'static,
    ) -> Result<(), UserError> {
        state.solve.stop();
        let control = Arc::new(SearchControl::new(Phase::Thinking, None));
        state.solve.solving = Some(control.clone());
        let (session, own) = (self.clone(), control.clone());
        let (threads, bytes) = (self.services.threads, self.services.solver_bytes);
        let job = PoolJob {
            about: about(state.solve.game.position()),
            failed: self.when_panicked(&control),
            control,
            is_endless: false,
            // The solver needs a thread only, not the search that lives there.
            work: Box::new(move |_| {
                let mut solver = Solver::new(bytes).with_threads(threads);
                work(&session, &own, &mut solver);
                session.services.engine.mark_done(&own);
                let mut state = session.state();
                if is_current(state.solve.solving.as_ref(), &own) {
                    state.solve.solving = None;
                    state.solve.progress = None;
                }
                drop(state);
                session.changed();
            }),
        };
        self.services.engine.submit(job).map_err(|_| {
            state.solve.solving = None;
            UserError::busy()
        })
    }
}

/// What a check is worth, and what the defender answers: the longest defence, or an escape.
fn check_attempt(
    solver: &mut Solver,
    pos: &Position,
    attacker: Color,
    control: &Arc<SearchControl>,
) -> (SolveAttempt, Option<Move>) {
    let limits = MateLimits {
        time: Some(LONGEST_DEFENCE),
        stop: Some(control.stop_flag()),
        shortest: true,
        ..MateLimits::NONE
    };
    let mut solve = |pos: &Position| solver.solve(pos, attacker, &limits, &mut ());
    match solve(pos) {
        Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) => {
            let left = line.len();
            (SolveAttempt::Right { left }, line.first().copied())
        }
        Ok(MateVerdict::NoMate) => {
            let escapes = |mv: &Move| {
                let mut after = pos.clone();
                after.play(*mv);
                matches!(solve(&after), Ok(MateVerdict::NoMate))
            };
            let answer = pos.legal_moves().iter().find(escapes);
            (SolveAttempt::Wrong, answer)
        }
        Ok(MateVerdict::Unknown(_)) | Err(_) => (SolveAttempt::Unknown, None),
    }
}

fn mate(start: &Position, line: &[Move], shortest: bool, nodes: u64) -> SolveResult {
    let counted = count(start, line);
    SolveResult::Mate {
        plies: line.len(),
        shortest,
        counted: counted.plies,
        surplus: counted.surplus,
        nodes,
    }
}
