//! The line found, as moves.
//!
//! Behind a proven position the table knows a bound for the length of the mate after every answer.
//! The attacker takes the move with the least bound, the defender the one with the greatest; the
//! bound falls with every move, so the line ends. What the table has forgotten is searched again.

use crate::dfpn::Worker;
use crate::expand;
use crate::node::State;
use crate::solver::{Progress, Reason, Solver, Watch};
use crate::table::{Length, Place};
use tesuji_shogi::{Move, MoveList, tactics};

/// A mating line from the present position of the worker, which is proven.
pub(crate) fn find(
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    bound: Length,
) -> Result<Vec<Move>, Reason> {
    walk(
        worker,
        |worker, length| next(solver, worker, watch, length),
        bound,
    )
}

/// The shortest mating line from the present position of the worker, of exactly `length` plies,
/// against the longest defence.
pub(crate) fn exact(
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    length: Length,
) -> Result<Vec<Move>, Reason> {
    walk(
        worker,
        |worker, length| next_exact(solver, worker, watch, length),
        length.longer(),
    )
}

/// Plays the moves that `step` gives until it gives none, and takes them back.
fn walk(
    worker: &mut Worker,
    mut step: impl FnMut(&mut Worker, Length) -> Result<Option<(Move, Length)>, Reason>,
    mut bound: Length,
) -> Result<Vec<Move>, Reason> {
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
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    bound: Length,
) -> Result<Option<(Move, Length)>, Reason> {
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
        if let Some(best) = shortest(solver, worker, &list).filter(|best| best.1.longer() < bound) {
            return Ok(Some(best));
        }
        search_again(solver, worker, watch, bound.shorter())?;
        let best = shortest(solver, worker, &list).filter(|best| best.1.longer() < bound);
        return best.map(Some).ok_or(Reason::Depth);
    }
    longest(solver, worker, watch, &list, bound).map(Some)
}

/// The move of the attacker with the shortest known mate.
pub(crate) fn shortest(
    solver: &Solver,
    worker: &Worker,
    list: &MoveList,
) -> Option<(Move, Length)> {
    let place = worker.place();
    list.iter()
        .filter_map(|mv| {
            let behind = worker.behind(place, mv);
            let (mate, _) = solver.memory().table.range(behind, false);
            mate.map(|length| (mv, length))
        })
        .min_by_key(|&(_, length)| length)
}

/// The answer of the defender with the longest known mate; answers the table does not know are
/// searched.
fn longest(
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    list: &MoveList,
    bound: Length,
) -> Result<(Move, Length), Reason> {
    let place = worker.place();
    let mut best = None;
    for mv in list.iter() {
        let behind = worker.behind(place, mv);
        let known =
            known_mate(solver, worker, behind, mv).filter(|&length| length.longer() < bound);
        let length = match known {
            Some(length) => length,
            None => {
                worker.pos.play(mv);
                let found = search_again(solver, worker, watch, bound.shorter().shorter());
                worker.pos.undo();
                found?;
                known_mate(solver, worker, behind, mv).ok_or(Reason::Depth)?
            }
        };
        if best.is_none_or(|(_, longest)| length > longest) {
            best = Some((mv, length));
        }
    }
    best.ok_or(Reason::Depth)
}

fn known_mate(solver: &Solver, worker: &mut Worker, behind: Place, mv: Move) -> Option<Length> {
    let (mate, _) = solver.memory().table.range(behind, true);
    mate.or_else(|| {
        worker.pos.play(mv);
        let mates = tactics::mate_in_one(&mut worker.pos).is_some();
        worker.pos.undo();
        mates.then_some(Length(1))
    })
}

/// Proves the present position once more.
fn search_again(
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    bound: Length,
) -> Result<(), Reason> {
    worker.begin(solver.memory(), bound);
    match solver.run(worker, watch)?.state {
        State::Mate => Ok(()),
        _ => Err(Reason::Depth),
    }
}

/// As [`next`], for a position whose shortest mate takes `bound` − 1 plies.
fn next_exact(
    solver: &mut Solver,
    worker: &mut Worker,
    watch: &mut Watch<'_, impl Progress>,
    bound: Length,
) -> Result<Option<(Move, Length)>, Reason> {
    let length = bound.shorter();
    if worker.is_attacking() {
        return next(solver, worker, watch, bound);
    }
    if length == Length(0) {
        return Ok(None);
    }
    // Whichever answer escapes a mate two plies shorter is one that lasts the full length.
    worker.begin(solver.memory(), Length(length.0.saturating_sub(2)));
    let outcome = solver.run(worker, watch)?;
    let answer = worker.decisive().filter(|_| outcome.state != State::Mate);
    answer
        .map(|mv| Some((mv, length.shorter())))
        .ok_or(Reason::Depth)
}
