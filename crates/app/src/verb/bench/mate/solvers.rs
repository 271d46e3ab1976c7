//! Whoever can be asked for a mate: our solvers, and other programs.

use super::clock;
use crate::answer::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_mate::{LeafSolver, MateLimits, MateVerdict, QuickVerdict, Solver};
use tesuji_shogi::{Move, Position};
use tesuji_usi::Checkmate;
use tesuji_usi::process::{EngineLaunch, EngineProcess, ProcessError};

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// A mate with its line; a light solver has none.
    Mate(Option<Vec<Move>>),
    NoMate,
    Unknown,
}

/// An answer and what it cost.
pub(super) struct SolverReply {
    pub(super) found: Found,
    pub(super) nodes: Option<u64>,
    pub(super) wall: Duration,
    /// What the processor worked, where it can be told for a single problem.
    pub(super) cpu: Option<Duration>,
    /// How many positions of the proof were walked through.
    pub(super) proof: u64,
}

/// What a whole set took.
#[derive(Default)]
pub(super) struct Cost {
    /// What the processor worked, where that is known better for all problems together.
    pub(super) cpu: Option<Duration>,
    pub(super) bytes: Option<u64>,
}

/// Somebody to be asked.
pub(super) trait Ask {
    fn name(&self) -> String;
    fn ask(&mut self, pos: &Position) -> Result<SolverReply, Failure>;
    /// The set is done: what it took.
    fn finish(&mut self) -> Cost;
}

/// Our solver.
pub(super) struct Ours {
    solver: Solver,
    alarm: CpuAlarm,
    threads: usize,
    time: Duration,
    nodes: Option<u64>,
    pub(super) shortest: bool,
    pub(super) verify: bool,
    bytes: usize,
}

impl Ours {
    pub(super) fn new(bytes: usize, threads: usize, time: Duration, nodes: Option<u64>) -> Self {
        Self {
            solver: Solver::new(bytes).with_threads(threads),
            alarm: CpuAlarm::new(),
            threads,
            time,
            nodes,
            shortest: false,
            verify: false,
            bytes: 0,
        }
    }
}

impl Ask for Ours {
    fn name(&self) -> String {
        let kind = if self.shortest { "shortest" } else { "first" };
        match self.threads {
            1 => kind.into(),
            threads => format!("{kind}, {threads} threads"),
        }
    }

    fn ask(&mut self, pos: &Position) -> Result<SolverReply, Failure> {
        let (began, worked) = (Instant::now(), clock::own());
        self.alarm.set(self.time * self.threads as u32);
        let limits = MateLimits {
            nodes: self.nodes,
            // Without a count of the work done there is only the clock on the wall.
            time: worked.is_none().then_some(self.time),
            stop: Some(&self.alarm.state.rings),
            shortest: self.shortest,
        };
        let verdict = self.solver.solve(pos, pos.turn(), &limits, &mut ())?;
        let cpu = clock::own().zip(worked).map(|(now, before)| now - before);
        let (wall, nodes) = (began.elapsed(), self.solver.nodes());
        self.alarm.silence();
        self.bytes = self.bytes.max(self.solver.bytes());
        let is_mate = matches!(verdict, MateVerdict::Mate(_) | MateVerdict::Shortest(_));
        let proof = if self.verify && is_mate {
            self.solver.verify(pos, pos.turn())?
        } else {
            0
        };
        Ok(SolverReply {
            found: match verdict {
                // Asked for the shortest, any mate is only half an answer.
                MateVerdict::Mate(_) if self.shortest => Found::Unknown,
                MateVerdict::Mate(line) | MateVerdict::Shortest(line) => Found::Mate(Some(line)),
                MateVerdict::NoMate => Found::NoMate,
                MateVerdict::Unknown(_) => Found::Unknown,
            },
            nodes: Some(nodes),
            wall,
            cpu,
            proof,
        })
    }

    fn finish(&mut self) -> Cost {
        let bytes = std::mem::take(&mut self.bytes);
        Cost {
            cpu: None,
            bytes: Some(bytes as u64),
        }
    }
}

/// The light form.
pub(super) struct LeafBench {
    solver: LeafSolver,
    nodes: u64,
}

impl LeafBench {
    pub(super) fn new(nodes: u64) -> Self {
        Self {
            solver: LeafSolver::new(&Position::start()),
            nodes,
        }
    }
}

impl Ask for LeafBench {
    fn name(&self) -> String {
        format!("leaf, {} nodes", self.nodes)
    }

    fn ask(&mut self, pos: &Position) -> Result<SolverReply, Failure> {
        let mut board = pos.clone();
        let (began, worked) = (Instant::now(), clock::own());
        let verdict = self.solver.quick_solve(&mut board, self.nodes);
        let cpu = clock::own().zip(worked).map(|(now, before)| now - before);
        Ok(SolverReply {
            found: match verdict {
                QuickVerdict::Mate(_) => Found::Mate(None),
                QuickVerdict::NoMate => Found::NoMate,
                QuickVerdict::Unknown => Found::Unknown,
            },
            nodes: Some(self.solver.nodes()),
            wall: began.elapsed(),
            cpu,
            proof: 0,
        })
    }

    fn finish(&mut self) -> Cost {
        Cost {
            cpu: None,
            bytes: Some(self.solver.bytes() as u64),
        }
    }
}

/// Another program.
pub(super) struct PeerEngine {
    process: EngineProcess,
    name: String,
    time: Duration,
    worked: Option<Duration>,
}

/// How long another program may be silent before it counts as dead.
const PATIENCE: Duration = Duration::from_secs(30);

impl PeerEngine {
    pub(super) fn start(spec: &PlayerSpec, time: Duration) -> Result<Self, Failure> {
        let mut process = EngineProcess::new(EngineLaunch {
            command: spec.command.clone(),
            folder: spec.folder.clone(),
            options: spec.options.clone(),
            suggestions: Vec::new(),
            patience: PATIENCE,
        });
        let failed = |error: ProcessError| Failure::Peer(spec.command.join(" "), error);
        process.start().map_err(failed)?;
        let name = spec.name.clone().or_else(|| process.name().map(Into::into));
        let worked = process.id().and_then(clock::of);
        Ok(Self {
            process,
            name: name.unwrap_or_else(|| spec.command[0].clone()),
            time,
            worked,
        })
    }
}

impl Ask for PeerEngine {
    fn name(&self) -> String {
        self.name.chars().take(24).collect()
    }

    fn ask(&mut self, pos: &Position) -> Result<SolverReply, Failure> {
        let (id, began, time) = (self.process.id(), Instant::now(), self.time);
        let worked = || id.and_then(clock::of);
        let before = worked();
        let enough = || match worked().zip(before) {
            Some((now, before)) => now - before >= time,
            None => began.elapsed() >= time,
        };
        let answer = self.process.mate(pos, enough);
        let answer = answer.map_err(|error| Failure::Peer(self.name.clone(), error))?;
        let cpu = worked().zip(before).map(|(now, before)| now - before);
        Ok(SolverReply {
            found: match answer.found {
                Checkmate::Line(line) => Found::Mate(Some(line)),
                Checkmate::NoMate => Found::NoMate,
                Checkmate::Timeout | Checkmate::NotImplemented => Found::Unknown,
            },
            nodes: answer.nodes,
            wall: answer.time,
            cpu,
            proof: 0,
        })
    }

    fn finish(&mut self) -> Cost {
        let id = self.process.id();
        let now = id.and_then(clock::of);
        let before = std::mem::replace(&mut self.worked, now);
        Cost {
            cpu: now.zip(before).map(|(now, before)| now - before),
            bytes: id.and_then(clock::memory_of),
        }
    }
}

/// Rings when this process has worked long enough.
struct CpuAlarm {
    state: Arc<CpuAlarmState>,
}

struct CpuAlarmState {
    rings: AtomicBool,
    /// When it rings, in nanoseconds of work.
    due: AtomicU64,
    gone: AtomicBool,
}

const NEVER: u64 = u64::MAX;

impl CpuAlarm {
    fn new() -> Self {
        let state = Arc::new(CpuAlarmState {
            rings: AtomicBool::new(false),
            due: AtomicU64::new(NEVER),
            gone: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            while !shared.gone.load(Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
                let worked = clock::own().unwrap_or_default().as_nanos() as u64;
                if worked >= shared.due.load(Relaxed) {
                    shared.rings.store(true, Relaxed);
                }
            }
        });
        Self { state }
    }

    fn set(&self, time: Duration) {
        self.silence();
        if let Some(worked) = clock::own() {
            let due = (worked + time).as_nanos() as u64;
            self.state.due.store(due, Relaxed);
        }
    }

    fn silence(&self) {
        self.state.due.store(NEVER, Relaxed);
        self.state.rings.store(false, Relaxed);
    }
}

impl Drop for CpuAlarm {
    fn drop(&mut self) {
        self.state.gone.store(true, Relaxed);
    }
}
