//! The mate solver.

use crate::board::Board;
use crate::errors;
use crate::moves;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tesuji_mate::{
    BrinkmateVerdict, LeafSolver, MateLimits, MateVerdict, ProblemError, QuickVerdict, Solver,
};
use tesuji_shogi::{Move, Position};

/// Proof searches are deep, and a stack costs nothing until it is used.
const STACK: usize = 64 << 20;
/// How often somebody who waits looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// Finds mates; keeps its memory between calls.
#[pyclass(frozen, module = "tesuji.mate")]
pub(crate) struct MateSolver {
    solver: Mutex<Solver>,
}

/// What was found: `mate`, `shortest`, `brinkmate`, `none` or `unknown`, the line, and the reason.
type MateFinding = (&'static str, Vec<Py<PyAny>>, Option<String>);

fn finding(
    py: Python<'_>,
    name: &'static str,
    line: &[Move],
    reason: Option<String>,
) -> PyResult<MateFinding> {
    let line: PyResult<Vec<_>> = line.iter().map(|&mv| moves::object(py, Some(mv))).collect();
    Ok((name, line?, reason))
}

/// Lets a thread work and looks for Ctrl-C meanwhile; then the flag is set.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    // Only this thread receives; the lock lets it wait while other Python threads run.
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let flag = &stop;
        let builder = std::thread::Builder::new().stack_size(STACK);
        let spawned = builder.spawn_scoped(scope, move || {
            let _ = sender.send(work(flag));
        });
        spawned.map_err(|error| errors::EngineError::new_err(error.to_string()))?;
        loop {
            let got = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(PATIENCE)
            });
            if let Err(interrupt) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                return Err(interrupt);
            }
            match got {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(errors::EngineError::new_err("the solver broke down"));
                }
            }
        }
    })
}

fn lock<T>(solver: &Mutex<T>) -> MutexGuard<'_, T> {
    solver.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nodes, seconds, and whether only the shortest mate will do.
type Wanted = (Option<u64>, Option<f64>, bool);

impl MateSolver {
    /// Asks the solver a question about a position.
    fn ask<V: Send>(
        &self,
        py: Python<'_>,
        board: &Board,
        (nodes, time, shortest): Wanted,
        question: impl FnOnce(&mut Solver, &Position, &MateLimits<'_>) -> Result<V, ProblemError> + Send,
    ) -> PyResult<V> {
        let pos = board.pos.clone();
        let time = seconds(time)?;
        let verdict = interruptible(py, |stop| {
            let limits = MateLimits {
                nodes,
                time,
                stop: Some(stop),
                shortest,
            };
            question(&mut lock(&self.solver), &pos, &limits)
        })?;
        verdict.map_err(|error| errors::PositionError::new_err(error.to_string()))
    }
}

#[pymethods]
impl MateSolver {
    /// A solver that uses at most about so many megabytes.
    #[new]
    #[pyo3(signature = (memory=256, threads=1))]
    fn new(py: Python<'_>, memory: usize, threads: usize) -> PyResult<Self> {
        if memory == 0 || memory > 1 << 20 {
            return Err(PyValueError::new_err("memory: 1 to 1048576 megabytes"));
        }
        let made = || Solver::new(memory << 20).with_threads(threads.clamp(1, 1024));
        Ok(Self {
            solver: Mutex::new(py.detach(made)),
        })
    }

    /// Whether the side to move can mate by checks alone.
    #[pyo3(signature = (board, nodes=None, time=None, shortest=false))]
    fn solve(
        &self,
        py: Python<'_>,
        board: &Board,
        nodes: Option<u64>,
        time: Option<f64>,
        shortest: bool,
    ) -> PyResult<MateFinding> {
        let wanted = (nodes, time, shortest);
        let verdict = self.ask(py, board, wanted, |solver, pos, limits| {
            solver.solve(pos, pos.turn(), limits, &mut ())
        })?;
        match verdict {
            MateVerdict::Mate(line) => finding(py, "mate", &line, None),
            MateVerdict::Shortest(line) => finding(py, "shortest", &line, None),
            MateVerdict::NoMate => finding(py, "none", &[], None),
            MateVerdict::Unknown(reason) => finding(py, "unknown", &[], Some(reason.to_string())),
        }
    }

    /// Whether a quiet move of the side to move makes mate unavoidable.
    #[pyo3(signature = (board, nodes=None, time=None))]
    fn brinkmate(
        &self,
        py: Python<'_>,
        board: &Board,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<MateFinding> {
        let wanted = (nodes, time, false);
        let verdict = self.ask(py, board, wanted, |solver, pos, limits| {
            solver.brinkmate(pos, limits, &mut ())
        })?;
        match verdict {
            BrinkmateVerdict::Mate(line) => finding(py, "mate", &line, None),
            BrinkmateVerdict::Brinkmate(first, line) => {
                let whole: Vec<Move> = match line.first() == Some(&first) {
                    true => line,
                    false => [&[first], line.as_slice()].concat(),
                };
                finding(py, "brinkmate", &whole, None)
            }
            BrinkmateVerdict::None => finding(py, "none", &[], None),
            BrinkmateVerdict::Unknown(reason) => {
                finding(py, "unknown", &[], Some(reason.to_string()))
            }
        }
    }

    /// How many positions the last call looked at.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> u64 {
        // Whoever solves at the moment is waited for.
        py.detach(|| lock(&self.solver).nodes())
    }
}

fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let time = time.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| PyValueError::new_err(format!("time: {error}")))
}

/// A solver for many easy positions: a few hundred nodes each, no thread of its own.
#[pyclass(frozen, module = "tesuji.mate")]
pub(crate) struct QuickSolver {
    solver: Mutex<LeafSolver>,
}

#[pymethods]
impl QuickSolver {
    #[new]
    fn new() -> Self {
        Self {
            solver: Mutex::new(LeafSolver::new(&Position::start())),
        }
    }

    /// The first move of a mate; `None` if there is none, 0 if the nodes did not suffice.
    #[pyo3(signature = (board, nodes=1000))]
    fn solve(&self, py: Python<'_>, board: &Board, nodes: u64) -> PyResult<Option<Py<PyAny>>> {
        let mut pos = board.pos.clone();
        let verdict = py.detach(|| lock(&self.solver).quick_solve(&mut pos, nodes));
        match verdict {
            QuickVerdict::Mate(mv) => moves::object(py, Some(mv)).map(Some),
            QuickVerdict::NoMate => Ok(None),
            QuickVerdict::Unknown => moves::object(py, None).map(Some),
        }
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MateSolver>()?;
    module.add_class::<QuickSolver>()
}
