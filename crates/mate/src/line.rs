//! The line found, as moves.
//!
//! Behind a proven position the table knows a bound for the length of the mate after every answer.
//! The attacker takes the move with the least bound, the defender the one with the greatest; the
//! bound falls with every move, so the line ends. What the table has forgotten is searched again.

use crate::dfpn::MateWorker;
use crate::expand;
use crate::limits::{LimitWatch, StopReason};
use crate::node::ProofState;
use crate::proof_search::ProofSearch;
use crate::table::{Length, PositionKey};
use tesuji_shogi::{Move, MoveList, tactics};

/// A mating line from the present position of the worker, which is proven.
pub(crate) fn find(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    bound: Length,
) -> Result<Vec<Move>, StopReason> {
    walk(
        worker,
        |worker, length| next(search, worker, watch, length),
        bound,
    )
}

/// The shortest mating line from the present position of the worker, of exactly `length` plies,
/// against the longest defence.
pub(crate) fn exact(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    length: Length,
) -> Result<Vec<Move>, StopReason> {
    walk(
        worker,
        |worker, length| next_exact(search, worker, watch, length),
        length.longer(),
    )
}

/// Plays the moves that `step` gives until it gives none, and takes them back.
fn walk(
    worker: &mut MateWorker,
    mut step: impl FnMut(&mut MateWorker, Length) -> Result<Option<(Move, Length)>, StopReason>,
    mut bound: Length,
) -> Result<Vec<Move>, StopReason> {
    let mut moves = Vec::new();
    let found = loop {
        match step(worker, bound) {
            Err(reason) => break Err(reason),
            Ok(None) => break Ok(()),
            Ok(Some((mv, left))) => {
                worker.pos.play(mv);
                moves.push(mv);
                bound = left.longer();
            }
        }
    };
    for _ in &moves {
        worker.pos.undo();
    }
    found.map(|()| moves)
}

/// The next move of the line and the length of what follows; `None` at the mate. The present
/// position is mated in fewer than `bound` plies.
pub(crate) fn next(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    bound: Length,
) -> Result<Option<(Move, Length)>, StopReason> {
    let attacking = worker.is_attacking();
    if attacking && let Some(mv) = tactics::mate_in_one(&mut worker.pos) {
        return Ok(Some((mv, Length(0))));
    }
    let mut list = MoveList::new();
    expand::moves(&worker.pos, attacking, &mut list);
    if list.is_empty() {
        return Ok(None);
    }
    if attacking {
        if let Some(best) = shortest(search, worker, &list).filter(|best| best.1.longer() < bound) {
            return Ok(Some(best));
        }
        search_again(search, worker, watch, bound.shorter())?;
        let best = shortest(search, worker, &list).filter(|best| best.1.longer() < bound);
        return best.map(Some).ok_or(StopReason::Depth);
    }
    longest(search, worker, watch, &list, bound).map(Some)
}

/// The move of the attacker with the shortest known mate.
pub(crate) fn shortest(
    search: &ProofSearch,
    worker: &MateWorker,
    list: &MoveList,
) -> Option<(Move, Length)> {
    let position = worker.position();
    list.iter()
        .filter_map(|mv| {
            let child_position = worker.child_position(position, mv);
            let (mate, _) = search.memory.table.range(child_position, false);
            mate.map(|length| (mv, length))
        })
        .min_by_key(|&(_, length)| length)
}

/// The answer of the defender with the longest known mate; answers the table does not know are
/// searched.
fn longest(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    list: &MoveList,
    bound: Length,
) -> Result<(Move, Length), StopReason> {
    let position = worker.position();
    let mut best = None;
    for mv in list.iter() {
        let child_position = worker.child_position(position, mv);
        let known = known_mate(search, worker, child_position, mv)
            .filter(|&length| length.longer() < bound);
        let length = match known {
            Some(length) => length,
            None => {
                worker.pos.play(mv);
                let found = search_again(search, worker, watch, bound.shorter().shorter());
                worker.pos.undo();
                found?;
                known_mate(search, worker, child_position, mv).ok_or(StopReason::Depth)?
            }
        };
        if best.is_none_or(|(_, longest)| length > longest) {
            best = Some((mv, length));
        }
    }
    best.ok_or(StopReason::Depth)
}

fn known_mate(
    search: &ProofSearch,
    worker: &mut MateWorker,
    child_position: PositionKey,
    mv: Move,
) -> Option<Length> {
    let (mate, _) = search.memory.table.range(child_position, true);
    mate.or_else(|| {
        worker.pos.play(mv);
        let mates = tactics::mate_in_one(&mut worker.pos).is_some();
        worker.pos.undo();
        mates.then_some(Length(1))
    })
}

/// Proves the present position once more.
fn search_again(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    bound: Length,
) -> Result<(), StopReason> {
    worker.begin(&search.memory, bound);
    match search.run(worker, watch)?.state {
        ProofState::Mate => Ok(()),
        _ => Err(StopReason::Depth),
    }
}

/// As [`next`], for a position whose shortest mate takes `bound` − 1 plies.
fn next_exact(
    search: &mut ProofSearch,
    worker: &mut MateWorker,
    watch: &mut LimitWatch<'_>,
    bound: Length,
) -> Result<Option<(Move, Length)>, StopReason> {
    let length = bound.shorter();
    if worker.is_attacking() {
        return next(search, worker, watch, bound);
    }
    if length == Length(0) {
        return Ok(None);
    }
    // Whichever answer escapes a mate two plies shorter is one that lasts the full length.
    worker.begin(&search.memory, Length(length.0.saturating_sub(2)));
    let outcome = search.run(worker, watch)?;
    let answer = worker
        .decisive()
        .filter(|_| outcome.state != ProofState::Mate);
    answer
        .map(|mv| Some((mv, length.shorter())))
        .ok_or(StopReason::Depth)
}
