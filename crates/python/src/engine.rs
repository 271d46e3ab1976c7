//! The engine in the same process: a search in a thread of its own, and what it reports.

use crate::board::Board;
use crate::errors;
use crate::moves::{self, of_number};
use crate::network::Network;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_engine::{Engine as UsiEngine, EngineParts, TournamentFactory};
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{
    Answer, Phase, Search as _, SearchControl, SearchInfo, SearchLimits, SearchListener,
    SearchRequest, SearchResult, TimeBudget,
};
use tesuji_shogi::{Bound as ValueBound, Move, Value};

/// Searches are deep, and a stack costs nothing until it is used.
const STACK: usize = 64 << 20;
/// How often somebody who waits looks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

type LockedSearch = Arc<Mutex<AnyTournament>>;

/// The engine.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct EngineCore {
    search: LockedSearch,
}

/// What a search says.
enum Event {
    Info(Box<SearchInfo>),
    Done(Box<SearchResult>),
    Failed(String),
}

/// Passes reports on; when nobody listens any more the search is stopped anyway.
struct EventSender(Sender<Event>);

impl SearchListener for EventSender {
    fn info(&mut self, info: &SearchInfo) {
        let _ = self.0.send(Event::Info(Box::new(info.clone())));
    }
}

#[pymethods]
impl EngineCore {
    #[new]
    #[pyo3(signature = (network, threads=1, hash=64))]
    fn new(py: Python<'_>, network: &Network, threads: usize, hash: usize) -> PyResult<Self> {
        if threads == 0 || threads > 1024 || hash == 0 || hash > 1 << 20 {
            return Err(PyValueError::new_err(
                "threads: 1 to 1024; hash: 1 to 1048576 megabytes",
            ));
        }
        let eval = network.eval.clone();
        let search = py.detach(|| AnyTournament::new(eval, threads, hash << 20));
        let search = search.map_err(|error| {
            errors::EngineError::new_err(format!("no room for a table of {hash} MB: {error}"))
        })?;
        Ok(Self {
            search: Arc::new(Mutex::new(search)),
        })
    }

    /// Begins a search; one at a time runs, others wait.
    #[pyo3(signature = (board, *, depth=None, nodes=None, time=None, multipv=1, infinite=false, moves=None, rule="CSARule27", move_limit=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn start(
        &self,
        py: Python<'_>,
        board: &Board,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        multipv: usize,
        infinite: bool,
        moves: Option<Vec<u16>>,
        rule: &str,
        move_limit: Option<u32>,
    ) -> PyResult<Search> {
        let mut request = SearchRequest::new(board.pos.clone());
        let chosen: PyResult<Vec<Move>> = moves
            .unwrap_or_default()
            .into_iter()
            .map(of_number)
            .collect();
        request.search_moves = chosen?;
        let rule = rule.parse();
        request.rules.declaration =
            rule.map_err(|error: tesuji_shogi::rules::DeclarationRuleError| {
                PyValueError::new_err(error.to_string())
            })?;
        request.rules.move_limit = move_limit;
        request.limits = SearchLimits {
            depth,
            nodes,
            infinite,
            multi_pv: multipv,
            ..SearchLimits::default()
        };
        let time = time.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| PyValueError::new_err(format!("time: {error}")))?;
        if depth.is_none() && nodes.is_none() && time.is_none() && !infinite {
            return Err(PyValueError::new_err(
                "a search needs a limit: depth, nodes, time or infinite",
            ));
        }
        let budget = time.map(TimeBudget::exactly);
        py.detach(|| Search::begin(Arc::clone(&self.search), request, budget))
    }

    /// Forgets what was learnt from the game before.
    fn new_game(&self, py: Python<'_>) {
        py.detach(|| lock(&self.search).new_game());
    }
}

fn lock(search: &LockedSearch) -> std::sync::MutexGuard<'_, AnyTournament> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A search that runs.
#[pyclass(frozen, module = "tesuji")]
pub(crate) struct Search {
    control: Arc<SearchControl>,
    events: Mutex<Receiver<Event>>,
}

impl Search {
    fn begin(
        search: LockedSearch,
        request: SearchRequest,
        budget: Option<TimeBudget>,
    ) -> PyResult<Self> {
        let control = Arc::new(SearchControl::new(Phase::Thinking, budget));
        let (sender, events) = mpsc::channel();
        let led = Arc::clone(&control);
        let work = move || {
            let mut reporter = EventSender(sender.clone());
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let mut search = lock(&search);
                led.start_clock();
                search.think(&request, &led, &mut reporter)
            }));
            let _ = sender.send(match found {
                Ok(result) => Event::Done(Box::new(result)),
                Err(_) => Event::Failed("the search broke down".into()),
            });
        };
        let builder = std::thread::Builder::new().name("search".into());
        let spawned = builder.stack_size(STACK).spawn(work);
        spawned.map_err(|error| errors::EngineError::new_err(error.to_string()))?;
        Ok(Self {
            control,
            events: Mutex::new(events),
        })
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.control.stop();
    }
}

#[pymethods]
impl Search {
    /// Ends the search; its answer still comes.
    fn stop(&self) {
        self.control.stop();
    }

    /// The next report as a dictionary, with `bestmove` in the last one; `None` if the time runs
    /// out before.
    #[pyo3(signature = (timeout=None))]
    fn wait<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let end = timeout.and_then(|seconds| {
            Instant::now().checked_add(Duration::try_from_secs_f64(seconds.max(0.0)).ok()?)
        });
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let patience = left.map_or(PATIENCE, |left| left.min(PATIENCE));
            let event = py.detach(|| {
                let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
                events.recv_timeout(patience)
            });
            py.check_signals()?;
            match event {
                Ok(Event::Info(info)) => return info_dict(py, &info).map(Some),
                Ok(Event::Done(result)) => return result_dict(py, &result).map(Some),
                Ok(Event::Failed(what)) => return Err(errors::EngineError::new_err(what)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(errors::EngineError::new_err("the search is over"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if left.is_some_and(|left| left.is_zero()) {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

fn line(py: Python<'_>, pv: &[Move]) -> PyResult<Vec<Py<PyAny>>> {
    pv.iter().map(|&mv| moves::object(py, Some(mv))).collect()
}

fn put_value(dict: &Bound<'_, PyDict>, value: Value) -> PyResult<()> {
    dict.set_item("score", value.points())?;
    dict.set_item("mate", value.mate_distance())
}

fn info_dict<'py>(py: Python<'py>, info: &SearchInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    put_value(&dict, info.value.value)?;
    let bound = match info.value.bound {
        ValueBound::Exact => "exact",
        ValueBound::Lower => "lower",
        ValueBound::Upper => "upper",
    };
    dict.set_item("bound", bound)?;
    dict.set_item("depth", info.depth)?;
    dict.set_item("seldepth", info.seldepth)?;
    dict.set_item("multipv", info.multipv)?;
    dict.set_item("nodes", info.nodes)?;
    dict.set_item("time", info.time.as_secs_f64())?;
    dict.set_item("hashfull", info.hashfull)?;
    dict.set_item("pv", line(py, &info.pv)?)?;
    Ok(dict)
}

fn result_dict<'py>(py: Python<'py>, result: &SearchResult) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    put_value(&dict, result.value)?;
    let answer = match result.answer {
        Answer::Move(mv) => moves::object(py, Some(mv))?,
        Answer::Resign => "resign".into_pyobject(py)?.into_any().unbind(),
        Answer::Declare => "win".into_pyobject(py)?.into_any().unbind(),
    };
    dict.set_item("bestmove", answer)?;
    let ponder = result.ponder.map(|mv| moves::object(py, Some(mv)));
    dict.set_item("ponder", ponder.transpose()?)?;
    dict.set_item("depth", result.depth)?;
    dict.set_item("nodes", result.nodes)?;
    dict.set_item("pv", line(py, &result.pv)?)?;
    Ok(dict)
}

/// Speaks USI on standard input and output until `quit`.
#[pyfunction]
fn run_usi(py: Python<'_>) -> PyResult<()> {
    let parts = EngineParts {
        out: Box::new(std::io::stdout()),
        factory: Box::new(TournamentFactory),
        folder: ".".into(),
    };
    let ran = py.detach(|| UsiEngine::new(parts)?.run(std::io::stdin().lock()));
    ran.map_err(|error| errors::EngineError::new_err(error.to_string()))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<EngineCore>()?;
    module.add_class::<Search>()?;
    module.add_function(wrap_pyfunction!(run_usi, module)?)
}
