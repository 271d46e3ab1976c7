//! Every solver against a plain one, on random graphs with cycles.

use super::*;
use crate::graph::EdgeId;
use crate::repetition_rule::RepetitionRule;
use proptest::prelude::*;
use tesuji_shogi::{Color, Move, PieceKind, Square};

/// A graph as a list of moves: from, to, value; and who resigned, who is in check.
#[derive(Clone, Debug)]
struct Plan {
    turns: Vec<bool>,
    edges: Vec<(usize, usize, i16)>,
    resigned: Vec<bool>,
    in_check: Vec<bool>,
}

fn plans(most: usize, widest: usize, checks: f64) -> impl Strategy<Value = Plan> {
    (2..=most).prop_flat_map(move |nodes| {
        let edge = (0..nodes, 0..nodes, -3_i16..=3);
        (
            proptest::collection::vec(any::<bool>(), nodes),
            proptest::collection::vec(edge, 0..=nodes * widest),
            proptest::collection::vec(proptest::bool::weighted(0.15), nodes),
            proptest::collection::vec(proptest::bool::weighted(checks), nodes),
        )
            .prop_map(|(turns, edges, resigned, in_check)| Plan {
                turns,
                edges,
                resigned,
                in_check,
            })
    })
}

impl Plan {
    /// Only moves that change the turn.
    fn with_turns(mut self) -> Self {
        let turns = self.turns.clone();
        self.edges.retain(|&(from, to, _)| turns[from] != turns[to]);
        self
    }

    fn add_node(&self, graph: &mut Graph, place: usize) -> BookNodeId {
        let mut key = [0; 32];
        key[0] = u8::from(self.turns[place]);
        key[1..9].copy_from_slice(&(place as u64).to_le_bytes());
        let node = graph.add(key);
        graph.set_in_check(node, self.in_check[place]);
        node
    }

    fn add_edge(&self, graph: &mut Graph, edge: usize) -> BookNodeId {
        let (from, to, value) = self.edges[edge];
        let (from, to) = (self.add_node(graph, from), self.add_node(graph, to));
        // Moves of one position must differ; which they are does not matter here.
        let kind = PieceKind::HAND[edge / 81 % 7];
        let mv = Move::drop(kind, Square::new(edge % 81).unwrap());
        let edge = graph.link(from, mv, to);
        graph.edge_mut(edge).value = value;
        from
    }

    fn build(&self) -> Graph {
        let mut graph = Graph::default();
        for place in 0..self.turns.len() {
            let node = self.add_node(&mut graph, place);
            graph.set_resigned(node, self.resigned[place]);
        }
        (0..self.edges.len()).for_each(|edge| {
            self.add_edge(&mut graph, edge);
        });
        graph
    }
}

/// The better of two values with distances.
fn better(a: (i32, i32), b: (i32, i32)) -> (i32, i32) {
    let key = |(value, distance): (i32, i32)| (value, -value.signum() * distance);
    if key(b) > key(a) { b } else { a }
}

/// Repeats the minimax step for all positions at once, from nothing, until nothing changes.
fn plain(graph: &Graph, leaf: impl Fn(&Edge) -> i32) -> Vec<(i32, i32)> {
    let mut scores = vec![(0, 0); graph.node_count()];
    loop {
        let step = |node: BookNodeId| {
            let moves = graph.edges(node).map(|edge| {
                let edge = graph.edge(edge);
                match graph.is_expanded(edge.child()) {
                    false => (leaf(edge), 0),
                    true => match scores[edge.child().index()] {
                        (0, _) => (0, 0),
                        (value, distance) => (-value, distance + 1),
                    },
                }
            });
            let resigned = graph.flags(node).is_resigned();
            let own = resigned.then_some((-Score::WON, 0));
            moves.chain(own).reduce(better).unwrap_or((0, 0))
        };
        let next: Vec<_> = graph.nodes().map(step).collect();
        if next == scores {
            return scores;
        }
        scores = next;
    }
}

fn scores<P: Payoff>(solver: &GraphSolver<P>, graph: &Graph) -> Vec<(i32, i32)> {
    let score = |node| solver.score(node);
    let pair = |score: Score| (score.value(), score.distance());
    graph.nodes().map(score).map(pair).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn minimax_equals_the_plain_one(plan in plans(24, 3, 0.0)) {
        let graph = plan.build();
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        prop_assert_eq!(scores(&solver, &graph), plain(&graph, |edge| edge.value.into()));
    }

    #[test]
    fn minimax_kept_move_by_move_equals_the_full_one(
        plan in plans(16, 3, 0.2),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), -3_i16..=3), 0..20),
    ) {
        let mut graph = Graph::default();
        let mut kept = GraphSolver::new(Evaluations);
        let mut full = GraphSolver::new(Evaluations);
        for edge in 0..plan.edges.len() {
            let node = plan.add_edge(&mut graph, edge);
            kept.update(&graph, node);
            full.solve(&graph);
            prop_assert_eq!(scores(&kept, &graph), scores(&full, &graph));
        }
        for (place, value) in changes {
            if graph.edge_count() == 0 {
                break;
            }
            let edge = crate::graph::EdgeId(place.index(graph.edge_count()) as u32);
            graph.edge_mut(edge).value = value;
            kept.update(&graph, graph.edge(edge).from());
            full.solve(&graph);
            prop_assert_eq!(scores(&kept, &graph), scores(&full, &graph));
        }
    }

    #[test]
    fn wins_kept_move_by_move_equal_the_plain_ones(plan in plans(16, 3, 0.2)) {
        let plan = plan.with_turns();
        let mut graph = Graph::default();
        let mut kept = GraphSolver::new(WinPayoff);
        for edge in 0..plan.edges.len() {
            let node = plan.add_edge(&mut graph, edge);
            kept.update(&graph, node);
            let resigned = plan.edges[edge].1;
            if plan.resigned[resigned] {
                let node = plan.add_node(&mut graph, resigned);
                graph.set_resigned(node, true);
                kept.update(&graph, node);
            }
            prop_assert_eq!(scores(&kept, &graph), plain(&graph, |_| 0));
        }
    }

    #[test]
    fn perpetual_checks_lose_as_in_the_game_itself(plan in plans(5, 2, 0.6)) {
        let plan = plan.with_turns();
        let graph = plan.build();
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        let values: Vec<_> = scores(&solver, &graph).iter().map(|score| score.0).collect();
        if let Some(expected) = Game::new(&graph).values() {
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn only_a_perpetual_check_is_out_of_reach(plan in plans(10, 3, 0.5)) {
        let plan = plan.with_turns();
        let graph = plan.build();
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        for (value, distance) in scores(&solver, &graph) {
            let is_near = distance <= graph.node_count() as i32;
            prop_assert!(is_near || value.abs() == Score::WON, "{value} in {distance}");
        }
    }

    #[test]
    fn who_goes_round_wins_where_the_other_may_not(plan in plans(5, 2, 0.4)) {
        let plan = plan.with_turns();
        let graph = plan.build();
        for loser in Color::ALL {
            let mut wins = Wins::new(RepetitionRule::Loses(loser));
            wins.solve(&graph);
            let game = Game { loser: Some(loser), ..Game::new(&graph) };
            let expected = game.wins_of(loser.foe());
            for node in graph.nodes() {
                let outcome = wins.outcome(&graph, node);
                let is_won = match graph.turn(node) == loser {
                    true => outcome.is_loss(),
                    false => outcome.is_win(),
                };
                prop_assert_eq!(is_won, expected[node.index()], "{:?} {:?}", node, outcome);
            }
            follow(&graph, &wins, loser.foe());
        }
    }

    #[test]
    fn drawn_positions_know_the_way_to_the_nearest_even_leaf(plan in plans(12, 2, 0.0)) {
        let graph = plan.build();
        let mut solver = GraphSolver::new(Evaluations);
        solver.solve(&graph);
        let distances = solver.draw_distances(&graph);
        for node in graph.nodes().filter(|&node| solver.score(node) == Score::ZERO) {
            let through = |edge| {
                let edge: &Edge = graph.edge(edge);
                let child = edge.child();
                match graph.is_expanded(child) {
                    false if edge.value == 0 => 0,
                    true if solver.score(child) == Score::ZERO => distances[child.index()] + 1,
                    _ => 9999,
                }
            };
            let nearest = graph.edges(node).map(through).min().unwrap_or(9999).min(9999);
            prop_assert_eq!(distances[node.index()], nearest);
        }
    }
}

/// Whoever follows the winning moves against any stored reply never gets stuck, and meets no position
/// that is not won.
fn follow(graph: &Graph, wins: &Wins, side: Color) {
    for node in graph.nodes() {
        let outcome = wins.outcome(graph, node);
        if graph.turn(node) == side && outcome.is_win() {
            let edge = wins.winning_move(graph, node);
            let child = graph.edge(edge.expect("a won position has a move")).child();
            assert!(wins.outcome(graph, child).is_loss());
        } else if graph.turn(node) != side && outcome.is_loss() {
            for edge in graph.edges(node) {
                let child = graph.edge(edge).child();
                assert!(wins.outcome(graph, child).is_win());
            }
        }
    }
}

/// All lines of play of a tiny graph, by trying all pairs of strategies: one fixed choice in every
/// position is enough for either side.
struct Game<'a> {
    graph: &'a Graph,
    /// Whom a repetition loses the game; `None` if it draws.
    loser: Option<Color>,
}

impl<'a> Game<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self { graph, loser: None }
    }

    /// The choices of a position: edges, and resigning as `None`.
    fn choices(&self, node: BookNodeId) -> Vec<Option<EdgeId>> {
        let resigned = self.graph.flags(node).is_resigned();
        let resign = resigned.then_some(None);
        self.graph.edges(node).map(Some).chain(resign).collect()
    }

    /// Every way to fix one choice in each position of a side.
    fn strategies(&self, side: Color) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0; self.graph.node_count()]];
        for node in self.graph.nodes().filter(|&n| self.graph.turn(n) == side) {
            let count = self.choices(node).len().max(1);
            all = all
                .into_iter()
                .flat_map(|plan| {
                    (0..count).map(move |choice| {
                        let mut plan = plan.clone();
                        plan[node.index()] = choice;
                        plan
                    })
                })
                .collect();
        }
        all
    }

    /// What a play is worth to Black; `None` if a leaf without value ends it.
    fn play(&self, start: BookNodeId, plans: [&[usize]; 2]) -> Option<i32> {
        let sign = |node| {
            if self.graph.turn(node) == Color::Black {
                1
            } else {
                -1
            }
        };
        let (mut node, mut path) = (start, Vec::new());
        loop {
            if let Some(first) = path.iter().position(|&seen| seen == node) {
                return Some(self.round(&path[first..]));
            }
            path.push(node);
            let choices = self.choices(node);
            if choices.is_empty() {
                return None;
            }
            let plan = plans[self.graph.turn(node).index()];
            let Some(edge) = choices[plan[node.index()]] else {
                return Some(-Score::WON * sign(node));
            };
            let edge = self.graph.edge(edge);
            if !self.graph.is_expanded(edge.child()) {
                return Some(i32::from(edge.value) * sign(node));
            }
            node = edge.child();
        }
    }

    /// A cycle, seen by Black.
    fn round(&self, cycle: &[BookNodeId]) -> i32 {
        let is_checked = |color: Color| {
            cycle
                .iter()
                .filter(|&&node| self.graph.turn(node) == color)
                .all(|&node| self.graph.flags(node).is_in_check())
        };
        let usual = match self.loser {
            None => 0,
            Some(Color::Black) => -Score::WON,
            Some(Color::White) => Score::WON,
        };
        match (is_checked(Color::Black), is_checked(Color::White)) {
            (true, false) => Score::WON,
            (false, true) => -Score::WON,
            (true, true) => 0,
            (false, false) => usual,
        }
    }

    /// The values for the side to move; `None` if some cycle has checks from both sides, of which the
    /// solver makes draws.
    fn values(&self) -> Option<Vec<i32>> {
        let cross = self.graph.nodes().any(|node| {
            let flags = self.graph.flags(node);
            let answers = |edge| {
                self.graph
                    .flags(self.graph.edge(edge).child())
                    .is_in_check()
            };
            flags.is_in_check() && self.graph.edges(node).any(answers)
        });
        let values = |node| {
            let value = self.value(node);
            if self.graph.turn(node) == Color::Black {
                value
            } else {
                -value
            }
        };
        (!cross).then(|| self.graph.nodes().map(values).collect())
    }

    fn value(&self, node: BookNodeId) -> i32 {
        let whites = self.strategies(Color::White);
        let worst = |black: &Vec<usize>| {
            let plays = whites.iter().map(|white| self.play(node, [black, white]));
            plays.map(|play| play.unwrap_or(0)).min()
        };
        let blacks = self.strategies(Color::Black);
        blacks.iter().filter_map(worst).max().unwrap_or(0)
    }

    /// Where a side wins, whatever the other does; what ends in a leaf is no win.
    fn wins_of(&self, side: Color) -> Vec<bool> {
        let foes = self.strategies(side.foe());
        let own = self.strategies(side);
        let won = |node: BookNodeId, own: &Vec<usize>, foe: &Vec<usize>| {
            let plans: [&[usize]; 2] = match side {
                Color::Black => [own, foe],
                Color::White => [foe, own],
            };
            let won = if side == Color::Black {
                Score::WON
            } else {
                -Score::WON
            };
            self.play_to_end(node, plans) == Some(won)
        };
        let is_won = |node| {
            own.iter()
                .any(|own| foes.iter().all(|foe| won(node, own, foe)))
        };
        self.graph.nodes().map(is_won).collect()
    }

    /// Like [`Game::play`], but leaves have no value.
    fn play_to_end(&self, start: BookNodeId, plans: [&[usize]; 2]) -> Option<i32> {
        self.play(start, plans)
            .filter(|value| value.abs() == Score::WON)
    }
}

#[test]
fn a_cycle_does_not_keep_alive_what_nothing_supports() {
    // 0 → 1 → 2 → 1, and 2 → 3 where White resigns; then White finds a move in 3.
    let plan = Plan {
        turns: vec![false, true, false, true, false],
        edges: vec![(0, 1, 0), (1, 2, 0), (2, 1, 0), (2, 3, 0), (3, 4, 0)],
        resigned: vec![false, false, false, true, false],
        in_check: vec![false; 5],
    };
    let mut graph = Plan {
        edges: plan.edges[..4].to_vec(),
        ..plan.clone()
    }
    .build();
    let mut wins = Wins::new(RepetitionRule::Loses(Color::Black));
    wins.solve(&graph);
    assert_eq!(wins.outcome(&graph, BookNodeId(0)), BookOutcome::Win(3));
    let edge = wins.winning_move(&graph, BookNodeId(2)).unwrap();
    assert_eq!(graph.edge(edge).child(), BookNodeId(3));
    let node = plan.add_edge(&mut graph, 4);
    wins.update(&graph, node);
    wins.refresh(&graph);
    assert_eq!(wins.outcome(&graph, BookNodeId(0)), BookOutcome::Unknown);
    assert_eq!(wins.outcome(&graph, BookNodeId(2)), BookOutcome::Unknown);
}

#[test]
fn a_side_that_checks_leaves_the_loop_rather_than_put_off_a_loss() {
    // Black checks from 0 to 1 and White goes back; Black can leave for 2, and so can White for 3.
    let plan = Plan {
        turns: vec![false, true, true, false],
        edges: vec![(0, 1, 0), (1, 0, 0), (0, 2, -2), (1, 3, 1)],
        resigned: vec![false; 4],
        in_check: vec![false, true, false, false],
    };
    let graph = plan.build();
    let mut solver = GraphSolver::new(Evaluations);
    solver.solve(&graph);
    assert_eq!(
        scores(&solver, &graph),
        [(-2, 0), (2, 1), (0, 0), (0, 0)],
        "whoever follows the distances leaves at once"
    );
    assert!(solver.goes_round(BookNodeId(0), BookNodeId(1)));
    assert!(!solver.goes_round(BookNodeId(1), BookNodeId(0)));
    assert!(!solver.goes_round(BookNodeId(0), BookNodeId(2)));
}
