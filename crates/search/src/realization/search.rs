//! A search that ends a line when it has become too unlikely (Tsuruoka, Yokoyama and Chikayama,
//! 2002; the search of Gekisashi).

use super::category::{Anything, Category, MoveContext, StandardCategories};
use super::method::{AlphaBeta, WindowMethod};
use super::probability::{RealizationDepth, TransitionProbability};
use super::table::RealizationTable;
use super::worker::RealizationWorker;
use crate::control::{Phase, SearchControl};
use crate::info::{Bounded, SearchInfo, SearchListener};
use crate::request::{SearchLimits, SearchRequest};
use crate::result::{Answer, SearchResult};
use crate::search::Search;
use std::marker::PhantomData;
use tesuji_eval::Eval;
use tesuji_shogi::{Bound, Move, Value};

/// Searches by realization probability: with an evaluation, the categories of moves, and a way to
/// ask for the value. [`FullWidth`](super::FullWidth) as the category makes it a plain alpha-beta.
///
/// An iteration follows every line until its moves are together less likely than a threshold, which
/// is halved from one iteration to the next.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::realization::RealizationSearch;
/// use tesuji_search::{Answer, NoListener, Phase, Search, SearchControl, SearchRequest};
/// use tesuji_shogi::Position;
/// // A gold in hand, and a pawn that guards 5b.
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let mut request = SearchRequest::new(pos);
/// request.limits.mate = Some(1);
/// let control = SearchControl::new(Phase::Thinking, None);
/// let mut search = RealizationSearch::standard(Material, 1 << 20);
/// let result = search.think(&request, &control, &mut NoListener);
/// assert_eq!(result.answer, Answer::Move("G*5b".parse().unwrap()));
/// assert_eq!(result.value.mate_distance(), Some(1));
/// ```
pub struct RealizationSearch<E, C = StandardCategories, M = AlphaBeta> {
    eval: E,
    category: C,
    method: PhantomData<M>,
    table: RealizationTable,
}

/// More iterations than any search completes.
const MAX_ITERATION: u32 = 128;
/// The skill level of somebody who uses all he has.
const FULL_SKILL: u32 = 20;

impl<E: Eval> RealizationSearch<E> {
    /// With the standard categories of moves, under alpha-beta.
    pub fn standard(eval: E, bytes: usize) -> Self {
        Self::new(eval, StandardCategories::default(), AlphaBeta, bytes)
    }
}

impl<E: Eval, C: Category, M: WindowMethod> RealizationSearch<E, C, M> {
    /// With these categories and this method; remembers positions in about so many bytes.
    pub fn new(eval: E, category: C, _: M, bytes: usize) -> Self {
        Self {
            eval,
            category,
            method: PhantomData,
            table: RealizationTable::new(bytes),
        }
    }

    /// The root moves with their probabilities, likeliest first. All that are asked for are tried,
    /// whether or not they belong to a category.
    fn root_moves(&self, request: &SearchRequest) -> Vec<(Move, TransitionProbability)> {
        let context = MoveContext::of(&request.position);
        let with_probability = |mv: Move| {
            let probability = self.category.probability(&context, mv);
            (mv, probability.unwrap_or(Anything::PROBABILITY))
        };
        let mut moves: Vec<_> = request
            .root_moves()
            .into_iter()
            .map(with_probability)
            .collect();
        moves.sort_by_key(|(_, probability)| probability.halvings());
        moves
    }
}

impl<E: Eval + Send, C: Category, M: WindowMethod> Search for RealizationSearch<E, C, M> {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let (moves, limits) = (self.root_moves(request), &request.limits);
        let mut worker = RealizationWorker::new(
            &self.eval,
            &self.category,
            &mut self.table,
            request,
            control,
        );
        let mut best = first_of(&moves);
        for iteration in 1..=last_iteration(limits) {
            let found = iterate::<E, C, M>(&mut worker, &moves, iteration, limits, listener);
            let Some(found) = found else { break };
            best = found;
            if is_enough(&best, limits, control) {
                break;
            }
        }
        best.nodes = worker.nodes();
        best
    }

    fn new_game(&mut self) {
        self.table.clear();
    }
}

/// One iteration: every line that is asked for. `None` if it was stopped before the first was found.
fn iterate<E: Eval, C: Category, M: WindowMethod>(
    worker: &mut RealizationWorker<'_, E, C>,
    moves: &[(Move, TransitionProbability)],
    iteration: u32,
    limits: &SearchLimits,
    listener: &mut dyn SearchListener,
) -> Option<SearchResult> {
    let mut first: Option<SearchResult> = None;
    let mut left = moves.to_vec();
    for multipv in 1..=limits.multi_pv.max(1).min(moves.len()) {
        worker.set_root_moves(&left);
        let depth = RealizationDepth::halvings(iteration);
        let guess = worker.first_guess(multipv);
        let Some(value) = M::seek(guess, |alpha, beta| worker.root(alpha, beta, depth)) else {
            break;
        };
        let pv = worker.root_pv().to_vec();
        worker.set_first_guess(multipv, value);
        listener.info(&SearchInfo {
            depth: iteration,
            seldepth: worker.seldepth(),
            multipv,
            value: Bounded {
                value,
                bound: Bound::Exact,
            },
            nodes: worker.nodes(),
            time: worker.elapsed(),
            hashfull: worker.hashfull(),
            pv: pv.clone(),
        });
        left.retain(|(mv, _)| Some(mv) != pv.first());
        first.get_or_insert_with(|| found(value, iteration, pv));
    }
    first
}

fn found(value: Value, iteration: u32, pv: Vec<Move>) -> SearchResult {
    SearchResult {
        answer: pv.first().map_or(Answer::Resign, |&mv| Answer::Move(mv)),
        ponder: pv.get(1).copied(),
        value,
        depth: iteration,
        nodes: 0,
        pv,
    }
}

/// What to answer if there is no time for anything.
fn first_of(moves: &[(Move, TransitionProbability)]) -> SearchResult {
    let pv: Vec<Move> = moves.first().map(|&(mv, _)| mv).into_iter().collect();
    found(Value::ZERO, 0, pv)
}

fn last_iteration(limits: &SearchLimits) -> u32 {
    let depth = limits
        .depth
        .unwrap_or(MAX_ITERATION)
        .clamp(1, MAX_ITERATION);
    match limits.skill_level {
        // A weak player looks at the likeliest lines only.
        Some(level) if level < FULL_SKILL => depth.min(2 + level),
        _ => depth,
    }
}

fn is_enough(best: &SearchResult, limits: &SearchLimits, control: &SearchControl) -> bool {
    let mates = |within: u32| {
        let distance = best.value.mate_distance();
        distance.is_some_and(|plies| 0 < plies && plies as u32 <= within)
    };
    // The next iteration takes longer than all before it: begun late, it would not end.
    let is_late = control.budget().is_some_and(|budget| {
        control.phase() == Phase::Thinking && control.on_clock() * 2 > budget.optimum
    });
    limits.mate.is_some_and(mates) || is_late
}
