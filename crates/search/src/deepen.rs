//! Iterative deepening (Slate and Atkin, 1977) as the small searches do it: depth after depth until
//! the time, the nodes or the question is exhausted.

use crate::control::{Phase, SearchControl};
use crate::info::{Bounded, SearchInfo, SearchListener};
use crate::request::{SearchLimits, SearchRequest};
use crate::result::{Answer, SearchResult};
use tesuji_shogi::{Bound, Move, Value};

/// More iterations than any search completes.
pub(crate) const MAX_ITERATION: u32 = 128;
/// The skill level of somebody who uses all he has.
const FULL_SKILL: u32 = 20;

/// Searches a root to one depth after the other.
pub(crate) trait RootSearch {
    /// The value and the line of the best of these root moves; `None` if the search was stopped.
    /// `multipv` says which of several best lines is looked for, from 1.
    fn search_root(
        &mut self,
        moves: &[Move],
        depth: u32,
        multipv: usize,
    ) -> Option<(Value, Vec<Move>)>;
    /// How many nodes were searched.
    fn nodes(&self) -> u64;
    /// The longest line looked at.
    fn seldepth(&self) -> u32;
    /// How many thousandths of the table are in use.
    fn hashfull(&self) -> u32;
}

/// Searches deeper and deeper; the root moves come in the order in which they are tried at first. The
/// worker is asked once for every depth, behind a pointer: so this is compiled once.
pub(crate) fn deepen(
    worker: &mut dyn RootSearch,
    moves: &[Move],
    request: &SearchRequest,
    control: &SearchControl,
    listener: &mut dyn SearchListener,
) -> SearchResult {
    let limits = &request.limits;
    // What to answer if there is no time for anything.
    let mut best = found(Value::ZERO, 0, moves.iter().take(1).copied().collect());
    for depth in 1..=last_iteration(limits) {
        let Some(found) = iterate(worker, moves, depth, limits, control, listener) else {
            break;
        };
        best = found;
        if is_enough(&best, moves.len(), limits, control) {
            break;
        }
    }
    best.nodes = worker.nodes();
    best
}

/// One iteration: every line that is asked for. `None` if it was stopped before the first was found.
fn iterate(
    worker: &mut dyn RootSearch,
    moves: &[Move],
    depth: u32,
    limits: &SearchLimits,
    control: &SearchControl,
    listener: &mut dyn SearchListener,
) -> Option<SearchResult> {
    let mut first: Option<SearchResult> = None;
    let mut left = moves.to_vec();
    for multipv in 1..=limits.multi_pv.max(1).min(moves.len()) {
        let Some((value, pv)) = worker.search_root(&left, depth, multipv) else {
            break;
        };
        listener.info(&SearchInfo {
            depth,
            seldepth: worker.seldepth(),
            multipv,
            value: Bounded {
                value,
                bound: Bound::Exact,
            },
            nodes: worker.nodes(),
            time: control.elapsed(),
            hashfull: worker.hashfull(),
            pv: pv.clone(),
        });
        left.retain(|mv| Some(mv) != pv.first());
        first.get_or_insert_with(|| found(value, depth, pv));
    }
    first
}

fn found(value: Value, depth: u32, pv: Vec<Move>) -> SearchResult {
    SearchResult {
        answer: pv.first().map_or(Answer::Resign, |&mv| Answer::Move(mv)),
        ponder: pv.get(1).copied(),
        value,
        depth,
        nodes: 0,
        pv,
    }
}

fn last_iteration(limits: &SearchLimits) -> u32 {
    let depth = limits
        .depth
        .unwrap_or(MAX_ITERATION)
        .clamp(1, MAX_ITERATION);
    match limits.skill_level {
        // A weak player looks at the nearest lines only.
        Some(level) if level < FULL_SKILL => depth.min(2 + level),
        _ => depth,
    }
}

fn is_enough(
    best: &SearchResult,
    moves: usize,
    limits: &SearchLimits,
    control: &SearchControl,
) -> bool {
    let mates = |within: u32| {
        let distance = best.value.mate_distance();
        distance.is_some_and(|plies| 0 < plies && plies as u32 <= within)
    };
    // The next iteration takes longer than all before it: begun late, it would not end. And who has
    // no choice need not think.
    let is_late = control.budget().is_some_and(|budget| {
        control.phase() == Phase::Thinking
            && (moves == 1 || control.on_clock() * 2 > budget.optimum)
    });
    limits.mate.is_some_and(mates) || is_late
}
