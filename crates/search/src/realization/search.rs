//! A search that ends a line when it has become too unlikely (Tsuruoka, Yokoyama and Chikayama, 2002).

use super::category::{Category, Scene, Usual};
use super::chance::{Chance, Rest};
use super::memory::Memory;
use super::method::{AlphaBeta, Method};
use super::walk::Walk;
use crate::control::{Control, Phase};
use crate::question::{Answer, Best, Bounded, Info, Limits, Report, Root, Search};
use std::marker::PhantomData;
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::rules::declare;
use tesuji_shogi::{Bound, Declaration, Move, Value};

/// Searches by realization probability: with a judge of positions, the classes of moves, and a way to ask
/// for the value. [`FullWidth`](super::FullWidth) as the class makes it a plain alpha-beta.
///
/// An iteration follows every line until its moves are together less likely than a threshold, which
/// is halved from one iteration to the next.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::realization::Realization;
/// use tesuji_search::{Answer, Control, Limits, Phase, Quiet, Root, Search};
/// use tesuji_shogi::Position;
/// // A gold in hand, and a pawn that guards 5b.
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let limits = Limits { mate: Some(1), ..Limits::default() };
/// let control = Control::new(Phase::Thinking, None);
/// let best = Realization::usual(Material, 1 << 20)
///     .think(&Root::new(pos), &limits, &control, &mut Quiet);
/// assert_eq!(best.answer, Answer::Move("G*5b".parse().unwrap()));
/// assert_eq!(best.value.mate_distance(), Some(1));
/// ```
pub struct Realization<J, C = Usual, M = AlphaBeta> {
    judge: J,
    category: C,
    method: PhantomData<M>,
    memory: Memory,
}

/// More iterations than any search completes.
const LAST_ITERATION: u32 = 128;
/// The strength of somebody who uses all he has.
const FULL_STRENGTH: u32 = 20;

impl<J: Eval> Realization<J> {
    /// With the usual classes of moves, under alpha-beta.
    pub fn usual(judge: J, bytes: usize) -> Self {
        Self::new(judge, Usual::default(), AlphaBeta, bytes)
    }
}

impl<J: Eval, C: Category, M: Method> Realization<J, C, M> {
    /// With these classes and this method; remembers positions in about so many bytes.
    pub fn new(judge: J, category: C, _: M, bytes: usize) -> Self {
        Self {
            judge,
            category,
            method: PhantomData,
            memory: Memory::new(bytes),
        }
    }

    fn search(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn Report,
    ) -> Best {
        let moves = self.root_moves(root);
        if let Some(best) = without_search(root, &moves) {
            return best;
        }
        let mut walk = Walk::new(&self.judge, &self.category, &mut self.memory, root);
        walk.lead(control, limits.nodes);
        let mut best = first_of(&moves);
        for iteration in 1..=last_iteration(limits) {
            let Some(found) = iterate::<J, C, M>(&mut walk, &moves, iteration, limits, report)
            else {
                break;
            };
            best = found;
            if is_enough(&best, limits, control) {
                break;
            }
        }
        best.nodes = walk.nodes();
        best
    }

    /// The moves of the root with their chances, likeliest first. All that are asked for are tried,
    /// whether or not a class knows them.
    fn root_moves(&self, root: &Root) -> Vec<(Move, Chance)> {
        let scene = Scene::of(&root.position);
        let mut moves: Vec<_> = super::walk::legal(&root.position, &root.rules)
            .filter(|mv| root.moves.is_empty() || root.moves.contains(mv))
            .map(|mv| {
                let chance = self.category.chance(&scene, mv);
                (mv, chance.unwrap_or(super::Anything::CHANCE))
            })
            .collect();
        moves.sort_by_key(|(_, chance)| chance.halvings());
        moves
    }
}

impl<J: Eval + Send, C: Category, M: Method> Search for Realization<J, C, M> {
    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn Report,
    ) -> Best {
        let best = self.search(root, limits, control, report);
        // Who ponders or analyses without end is not answered before it asks.
        while (control.phase() == Phase::Pondering || limits.infinite) && !control.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        best
    }

    fn new_game(&mut self) {
        self.memory.clear();
    }
}

/// One iteration: every line that is asked for. `None` if it was stopped before the first was found.
fn iterate<J: Eval, C: Category, M: Method>(
    walk: &mut Walk<'_, J, C>,
    moves: &[(Move, Chance)],
    iteration: u32,
    limits: &Limits,
    report: &mut dyn Report,
) -> Option<Best> {
    let mut first: Option<Best> = None;
    let mut left = moves.to_vec();
    for rank in 1..=limits.lines.max(1).min(moves.len()) {
        walk.set_root_moves(&left);
        let rest = Rest::halvings(iteration);
        let guess = walk.guess(rank);
        let Some(value) = M::seek(guess, |alpha, beta| walk.root(alpha, beta, rest)) else {
            break;
        };
        let line = walk.root_line().to_vec();
        walk.remember_guess(rank, value);
        report.info(&Info {
            depth: iteration,
            reach: walk.reach(),
            rank,
            value: Bounded {
                value,
                bound: Bound::Exact,
            },
            nodes: walk.nodes(),
            time: walk.elapsed(),
            fill: walk.fill(),
            line: line.clone(),
        });
        left.retain(|(mv, _)| Some(mv) != line.first());
        first.get_or_insert_with(|| found(value, iteration, line));
    }
    first
}

fn found(value: Value, iteration: u32, line: Vec<Move>) -> Best {
    Best {
        answer: line.first().map_or(Answer::Resign, |&mv| Answer::Move(mv)),
        ponder: line.get(1).copied(),
        value,
        depth: iteration,
        nodes: 0,
        line,
    }
}

/// What to answer if there is no time for anything.
fn first_of(moves: &[(Move, Chance)]) -> Best {
    let line: Vec<Move> = moves.first().map(|&(mv, _)| mv).into_iter().collect();
    found(Value::ZERO, 0, line)
}

/// A position in which there is nothing to think about.
fn without_search(root: &Root, moves: &[(Move, Chance)]) -> Option<Best> {
    let answer = match declare(&root.position, root.rules.declaration) {
        Declaration::Win => Answer::Declare,
        Declaration::Try(mv) => Answer::Move(mv),
        _ if moves.is_empty() => Answer::Resign,
        _ => return None,
    };
    let line = match answer {
        Answer::Move(mv) => vec![mv],
        _ => Vec::new(),
    };
    Some(Best {
        answer,
        value: match answer {
            Answer::Resign => Value::mated_in(0),
            _ => Value::mate_in(1),
        },
        ..found(Value::ZERO, 0, line)
    })
}

fn last_iteration(limits: &Limits) -> u32 {
    let depth = limits
        .depth
        .unwrap_or(LAST_ITERATION)
        .clamp(1, LAST_ITERATION);
    match limits.strength {
        // A weak player looks at the likeliest lines only.
        Some(strength) if strength < FULL_STRENGTH => depth.min(2 + strength),
        _ => depth,
    }
}

fn is_enough(best: &Best, limits: &Limits, control: &Control) -> bool {
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
