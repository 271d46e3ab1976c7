//! Cycles in which one side gives check with every move: whoever goes round there loses.
//!
//! Such a loop is a set of positions, each seen in one of two roles: the side to move is checked, or
//! it is the one that checks. Staying inside for ever is a win for the checked side, so inside the
//! values are a *greatest* fixed point: everything starts as won for the checked side and falls as
//! far as the ways out allow. A side that checks must not go round only to put off a loss that it cannot
//! avoid: of moves that lose the same it takes one that leaves, and if all of them stay, the one
//! that is nearest to the way out. A position that has both roles (cross-checks that go round) belongs to
//! no loop: then going round is a draw, as elsewhere.
//!
//! YaneuraOu marks such loops; to solve them as a co-Büchi game is ours.

use super::{GraphSolver, Marks, Payoff, Score};
use crate::graph::{BookNodeId, Graph};
use std::collections::HashMap;

/// A position in its role: whether the side to move is the one that is checked.
type CheckVisit = (BookNodeId, bool);

/// All loops of a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckLoops {
    loops: Vec<Vec<CheckVisit>>,
    /// Which loop a position belongs to, and in which role.
    of: HashMap<BookNodeId, (usize, bool)>,
    waiting: Vec<bool>,
}

impl CheckLoops {
    pub(super) fn find(graph: &Graph) -> Self {
        let checked = trimmed(graph);
        let mut members: Vec<CheckVisit> = Vec::new();
        let mut index: HashMap<CheckVisit, usize> = HashMap::new();
        let mut add = |seen: CheckVisit| {
            index.entry(seen).or_insert_with(|| {
                members.push(seen);
                members.len() - 1
            });
        };
        for &node in &checked {
            add((node, true));
            children(graph, node).for_each(|child| add((child, false)));
        }
        let arrows: Vec<Vec<usize>> = members
            .iter()
            .map(|&seen| {
                let next = successors(graph, seen);
                next.filter_map(|seen| index.get(&seen).copied()).collect()
            })
            .collect();
        let mut loops: Vec<Vec<CheckVisit>> = components(&arrows)
            .into_iter()
            .filter(|component| component.len() > 1)
            .map(|component| component.into_iter().map(|place| members[place]).collect())
            .collect();
        drop_contradictions(graph, &mut loops);
        let mut of = HashMap::new();
        for (number, members) in loops.iter().enumerate() {
            let roles = members.iter();
            of.extend(roles.map(|&(node, checked)| (node, (number, checked))));
        }
        let waiting = vec![true; loops.len()];
        Self { loops, of, waiting }
    }

    pub(super) fn contains(&self, node: BookNodeId) -> bool {
        !self.of.is_empty() && self.of.contains_key(&node)
    }

    /// Whether a position is left to its loop, which then waits.
    #[inline]
    pub(super) fn wait(&mut self, node: BookNodeId) -> bool {
        if self.of.is_empty() {
            return false;
        }
        let member = self.of.get(&node).copied();
        if let Some((number, _)) = member {
            self.waiting[number] = true;
        }
        member.is_some()
    }

    /// Whether a move from one position to the other is a check that stays in a loop.
    pub(super) fn goes_round(&self, node: BookNodeId, child: BookNodeId) -> bool {
        if self.of.is_empty() {
            return false;
        }
        match (self.of.get(&node), self.of.get(&child)) {
            (Some(&(from, false)), Some(&(to, true))) => from == to,
            _ => false,
        }
    }
}

/// Positions reached by a move, of which something is known.
fn children(graph: &Graph, node: BookNodeId) -> impl Iterator<Item = BookNodeId> + '_ {
    graph
        .edges(node)
        .map(|edge| graph.edge(edge).child())
        .filter(|&child| graph.is_expanded(child))
}

fn is_checked(graph: &Graph, node: BookNodeId) -> bool {
    graph.flags(node).is_in_check()
}

/// Where a walk along checks goes on.
fn successors(graph: &Graph, (node, checked): CheckVisit) -> impl Iterator<Item = CheckVisit> + '_ {
    children(graph, node)
        .filter(move |&child| checked || is_checked(graph, child))
        .map(move |child| (child, !checked))
}

/// The positions in check from which checks can go on for ever.
fn trimmed(graph: &Graph) -> Vec<BookNodeId> {
    let mut alive = Marks::default();
    alive.resize(graph.node_count());
    let mut list: Vec<BookNodeId> = graph
        .nodes()
        .rev()
        .filter(|&node| is_checked(graph, node) && graph.is_expanded(node))
        .collect();
    list.iter().for_each(|&node| alive.set(node));
    loop {
        let before = list.len();
        list.retain(|&node| {
            let goes_on = children(graph, node)
                .any(|child| children(graph, child).any(|next| alive.contains(next)));
            if !goes_on {
                alive.take(node);
            }
            goes_on
        });
        if list.len() == before {
            return list;
        }
    }
}

/// A position in two roles makes all its loops drawn; so does a move between two positions of one
/// role, as there may be where a board and the same board turned round are one position.
fn drop_contradictions(graph: &Graph, loops: &mut Vec<Vec<CheckVisit>>) {
    let mut times: HashMap<BookNodeId, u32> = HashMap::new();
    for &(node, _) in loops.iter().flatten() {
        *times.entry(node).or_default() += 1;
    }
    loops.retain(|members| {
        let roles: HashMap<BookNodeId, bool> = members.iter().copied().collect();
        members.iter().all(|&(node, checked)| {
            let is_same_role = |child: BookNodeId| roles.get(&child) == Some(&checked);
            times[&node] == 1 && !children(graph, node).any(is_same_role)
        })
    });
}

/// The strongly connected components (Kosaraju).
fn components(arrows: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); arrows.len()];
    for (from, targets) in arrows.iter().enumerate() {
        targets.iter().for_each(|&to| back[to].push(from));
    }
    let mut is_seen = vec![false; arrows.len()];
    let mut order = Vec::new();
    for root in 0..arrows.len() {
        order.extend(walk(root, arrows, &mut is_seen));
    }
    let mut is_taken = vec![false; arrows.len()];
    let components = order.iter().rev();
    let components = components.map(|&root| walk(root, &back, &mut is_taken));
    components
        .filter(|component| !component.is_empty())
        .collect()
}

/// Everything that can be reached and was not seen before, the last left first.
fn walk(root: usize, arrows: &[Vec<usize>], is_seen: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    let mut path = Vec::new();
    if !std::mem::replace(&mut is_seen[root], true) {
        path.push((root, 0));
    }
    while let Some((place, next)) = path.last_mut() {
        match arrows[*place].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut is_seen[target], true) {
                    path.push((target, 0));
                }
            }
            None => {
                left.push(*place);
                path.pop();
            }
        }
    }
    left
}

/// Whether a loop of checks may lead through a position.
pub(super) fn may_close(graph: &Graph, node: BookNodeId) -> bool {
    [true, false].into_iter().any(|checked| {
        let start = (node, checked);
        if checked && !is_checked(graph, node) {
            return false;
        }
        let mut stack = vec![start];
        let mut seen = std::collections::HashSet::new();
        while let Some(at) = stack.pop() {
            for next in successors(graph, at) {
                if next == start {
                    return true;
                }
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        false
    })
}

impl<P: Payoff> GraphSolver<P> {
    /// Solves the loops that wait, with everything outside as it stands, and marks whoever a change
    /// concerns.
    pub(super) fn settle_loops(&mut self, graph: &Graph) {
        for number in 0..self.loops.loops.len() {
            if !std::mem::replace(&mut self.loops.waiting[number], false) {
                continue;
            }
            let members = std::mem::take(&mut self.loops.loops[number]);
            let old: Vec<Score> = members.iter().map(|&(node, _)| self.score(node)).collect();
            self.settle(graph, &members);
            for (&(node, _), old) in members.iter().zip(old) {
                if self.score(node) != old {
                    self.mark_parents(graph, node);
                }
            }
            self.loops.loops[number] = members;
        }
    }

    fn settle(&mut self, graph: &Graph, members: &[CheckVisit]) {
        let won = Score::new(Score::WON, Score::FURTHEST);
        for &(node, checked) in members {
            self.scores[node.index()] = if checked { won } else { won.before() };
        }
        loop {
            let mut has_changed = false;
            for &(node, checked) in members {
                let best = match checked {
                    true => self.best(graph, node),
                    false => self.best_check(graph, node),
                };
                has_changed |= best != self.score(node);
                self.scores[node.index()] = best;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// The best that a side can do that checks in a loop.
    fn best_check(&self, graph: &Graph, node: BookNodeId) -> Score {
        let moves = graph.edges(node).map(|edge| {
            let edge = graph.edge(edge);
            let stays = self.loops.goes_round(node, edge.child());
            (self.edge_score(graph, edge), stays)
        });
        let own = self.payoff.own(graph, node).map(|score| (score, false));
        let best = moves.chain(own).max_by_key(|&(score, stays)| {
            // A gain is taken the shortest way: a move that leaves may come back, and leaving first
            // would put the gain off for ever.
            let is_gain = score.signum() > 0;
            let delays = score.signum() < 0 && !stays;
            let distance = if delays { 1 } else { -1 } * score.distance();
            (score.value(), !is_gain && !stays, distance, !stays)
        });
        best.map_or(Score::ZERO, |(score, _)| score)
    }
}
