//! Whoever thinks for a book: a search of this program, or an engine in a process of its own.

use crate::answer::Failure;
use std::time::Duration;
use tesuji_book::make::{BookAnswer, Challenger, Thought};
use tesuji_engine::{EngineSearch, SearchFactory, TournamentFactory};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_match::player_spec::PlayerSpec;
use tesuji_mate::{MateLimits, MateVerdict, Solver};
use tesuji_search::{Answer, NoListener, Phase, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::{Move, Position, Value};
use tesuji_usi::Go;
use tesuji_usi::process::{EngineProcess, MoveRequest};

/// How long an engine may say nothing.
const PATIENCE: Duration = Duration::from_secs(600);

/// How much memory a mate solver may use.
const MATE_BYTES: usize = 64 << 20;

/// Sets up whoever an entry names, an evaluation of this program or a command, with a mate solver
/// that looks first, over so many positions; 0 for none.
pub(super) fn challenger(
    entry: &PlayerSpec,
    hash: usize,
    mate_nodes: u64,
) -> Result<Box<dyn Challenger>, Failure> {
    let inner = thinker(entry, hash)?;
    Ok(match mate_nodes {
        0 => inner,
        nodes => Box::new(MateProver {
            inner,
            solver: Solver::new(MATE_BYTES),
            nodes,
        }),
    })
}

fn thinker(entry: &PlayerSpec, hash: usize) -> Result<Box<dyn Challenger>, Failure> {
    let Some(spec) = built_in(entry) else {
        let own = std::env::current_exe().map_err(Failure::Engine)?;
        let (name, launch) = entry.launch(&own, PATIENCE);
        let process = EngineProcess::new(launch);
        return Ok(Box::new(ExternalChallenger { name, process }));
    };
    let search = TournamentFactory.make(&spec, &EvalSettings::default(), 1, hash << 20)?;
    let name = entry.name.clone().unwrap_or_else(|| spec.to_string());
    Ok(Box::new(InternalChallenger { name, search }))
}

/// The evaluation that an entry names, if it is no command.
fn built_in(entry: &PlayerSpec) -> Option<EvalSpec> {
    let [word] = entry.command.as_slice() else {
        return None;
    };
    let is_name = matches!(word.as_str(), "builtin" | "material" | "relation");
    let has_kind = word
        .split_once(':')
        .is_some_and(|(kind, _)| ["nnue", "kppt", "bonanza", "kp", "pp", "kppp"].contains(&kind));
    word.parse().ok().filter(|_| is_name || has_kind)
}

/// Looks for a mate before anybody thinks: what it finds is proven.
struct MateProver {
    inner: Box<dyn Challenger>,
    solver: Solver,
    nodes: u64,
}

impl Challenger for MateProver {
    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn think(&mut self, pos: &Position, nodes: u64, only: &[Move]) -> Result<Thought, String> {
        let limits = MateLimits {
            nodes: Some(self.nodes),
            ..MateLimits::NONE
        };
        let verdict = self.solver.solve(pos, pos.turn(), &limits, &mut ());
        if let Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) = verdict
            && let Some(&mv) = line.first()
        {
            let plies = i32::try_from(line.len()).unwrap_or(i32::MAX);
            return Ok(Thought {
                answer: BookAnswer::Move(mv),
                value: points(Value::mate_in(plies.min(1000))),
                depth: line.len() as u32,
                nodes: self.solver.nodes(),
                is_proven_win: true,
            });
        }
        self.inner.think(pos, nodes, only)
    }

    fn name(&self) -> String {
        self.inner.name()
    }
}

/// A search of this program.
struct InternalChallenger {
    name: String,
    search: Box<dyn EngineSearch>,
}

impl Challenger for InternalChallenger {
    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn think(&mut self, pos: &Position, nodes: u64, only: &[Move]) -> Result<Thought, String> {
        let limits = SearchLimits {
            nodes: Some(nodes),
            ..SearchLimits::default()
        };
        let mut request = SearchRequest::new(pos.clone()).with_limits(limits);
        request.search_moves = only.to_vec();
        let control = SearchControl::new(Phase::Thinking, None);
        let best = self.search.think(&request, &control, &mut NoListener);
        Ok(Thought {
            answer: answer(best.answer),
            value: points(best.value),
            depth: best.depth.max(1),
            nodes: best.nodes,
            is_proven_win: false,
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

fn answer(answer: Answer) -> BookAnswer {
    match answer {
        Answer::Move(mv) => BookAnswer::Move(mv),
        Answer::Resign => BookAnswer::Resign,
        Answer::Declare => BookAnswer::Win,
    }
}

/// A value as a book has it: mates are the largest.
fn points(value: Value) -> i32 {
    match value.mate_distance() {
        Some(plies) if plies > 0 => 32_000 - plies.min(1000),
        Some(plies) => -32_000 - plies.max(-1000),
        None => value.points().clamp(-30_000, 30_000),
    }
}

/// An engine in a process of its own.
struct ExternalChallenger {
    name: String,
    process: EngineProcess,
}

impl Challenger for ExternalChallenger {
    fn think(&mut self, pos: &Position, nodes: u64, only: &[Move]) -> Result<Thought, String> {
        let go = Go {
            nodes: Some(nodes),
            searchmoves: only.to_vec(),
            ..Go::default()
        };
        let start = pos.setup().build().expect("a sound position");
        let request = MoveRequest {
            start: &start,
            moves: &[],
            go: &go,
            deadline: None,
        };
        // A new game for every position: what one budget found must not help another.
        self.process.new_game().map_err(|error| error.to_string())?;
        let thought = self.process.think(&request);
        let thought = thought.map_err(|error| error.to_string())?;
        Ok(Thought {
            answer: answer(thought.answer),
            value: thought.value.map_or(0, points),
            depth: thought.depth.unwrap_or(1),
            nodes: thought.nodes.unwrap_or(nodes),
            is_proven_win: false,
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
