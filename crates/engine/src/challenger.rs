//! Whoever thinks for a book that grows: a search of this program, after a mate solver that looks first.

use crate::engine_search::EngineSearch;
use crate::factory::{MakeSearchError, SearchFactory, TournamentFactory};
use tesuji_book::make::{BookAnswer, Challenger, ChallengerReply};
use tesuji_eval::{EvalSettings, EvalSpec};
use tesuji_mate::{MateLimits, MateVerdict, Solver};
use tesuji_search::{Answer, NoListener, Phase, SearchControl, SearchLimits, SearchRequest};
use tesuji_shogi::{Move, Position, Value};

/// How much memory a mate solver may use.
const MATE_BYTES: usize = 64 << 20;

/// A search of this program with an evaluation and a table of its own.
///
/// # Errors
/// If the evaluation cannot be had or the search cannot be set up.
pub fn internal_challenger(
    name: String,
    spec: &EvalSpec,
    table_bytes: usize,
) -> Result<Box<dyn Challenger>, MakeSearchError> {
    let search = TournamentFactory.make(spec, &EvalSettings::default(), 1, table_bytes)?;
    Ok(Box::new(InternalChallenger { name, search }))
}

/// Lets a mate solver look first, over so many positions; 0 for none.
pub fn with_mate_solver(inner: Box<dyn Challenger>, nodes: u64) -> Box<dyn Challenger> {
    match nodes {
        0 => inner,
        nodes => Box::new(MateProver {
            inner,
            solver: Solver::new(MATE_BYTES),
            nodes,
        }),
    }
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

    fn think(
        &mut self,
        pos: &Position,
        nodes: u64,
        only: &[Move],
    ) -> Result<ChallengerReply, String> {
        let limits = MateLimits {
            nodes: Some(self.nodes),
            ..MateLimits::NONE
        };
        let verdict = self.solver.solve(pos, pos.turn(), &limits, &mut ());
        if let Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) = verdict
            && let Some(&mv) = line.first()
        {
            let plies = i32::try_from(line.len()).unwrap_or(i32::MAX);
            return Ok(ChallengerReply {
                answer: BookAnswer::Move(mv),
                value: book_points(Value::mate_in(plies.min(1000))),
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

    fn think(
        &mut self,
        pos: &Position,
        nodes: u64,
        only: &[Move],
    ) -> Result<ChallengerReply, String> {
        let limits = SearchLimits {
            nodes: Some(nodes),
            ..SearchLimits::default()
        };
        let mut request = SearchRequest::new(pos.clone()).with_limits(limits);
        request.search_moves = only.to_vec();
        let control = SearchControl::new(Phase::Thinking, None);
        let best = self.search.think(&request, &control, &mut NoListener);
        Ok(ChallengerReply {
            answer: book_answer(best.answer),
            value: book_points(best.value),
            depth: best.depth.max(1),
            nodes: best.nodes,
            is_proven_win: false,
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

/// What an answer of the search means to a book.
pub fn book_answer(answer: Answer) -> BookAnswer {
    match answer {
        Answer::Move(mv) => BookAnswer::Move(mv),
        Answer::Resign => BookAnswer::Resign,
        Answer::Declare => BookAnswer::Win,
    }
}

/// A value as a book has it: mates are the largest.
pub fn book_points(value: Value) -> i32 {
    match value.mate_distance() {
        Some(plies) if plies > 0 => 32_000 - plies.min(1000),
        Some(plies) => -32_000 - plies.max(-1000),
        None => value.points().clamp(-30_000, 30_000),
    }
}
