//! How fast a graph is solved, and how fast a change is worked off, in processor time.
//!
//! ```text
//! cargo run --release -p tesuji-book --example 01_solve -- 10000000
//! ```
//! The graph is made up: as many positions as asked for, four moves for every three of them, most of
//! them leading further, some of them back, as in real books.

use rustix::time::{ClockId, clock_gettime};
use tesuji_book::{BookNodeId, Evaluations, Graph, GraphSolver, RepetitionRule, Wins};
use tesuji_shogi::{Move, PieceKind, Square};

fn main() {
    let nodes = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let nodes = nodes.unwrap_or(100_000).max(2);
    let mut dice = fastrand::Rng::with_seed(1);
    let (mut graph, built) = timed(|| build(nodes, &mut dice));
    println!(
        "{} positions, {} moves, made in {built:.2} s",
        graph.node_count(),
        graph.edge_count()
    );
    let mut minimax = GraphSolver::new(Evaluations);
    let ((), seconds) = timed(|| minimax.solve(&graph));
    println!("minimax    {seconds:6.2} s");
    let mut wins = Wins::new(RepetitionRule::Draw);
    let ((), seconds) = timed(|| wins.solve(&graph));
    println!("wins       {seconds:6.2} s where a repetition is a draw");
    let mut wins = Wins::new(RepetitionRule::USUAL);
    let ((), seconds) = timed(|| wins.solve(&graph));
    println!("wins       {seconds:6.2} s where it loses for Black");
    let bytes = graph.bytes() + minimax.bytes() + wins.bytes();
    println!(
        "memory     {:6.1} bytes per position",
        bytes as f64 / nodes as f64
    );
    let changes = 200_000;
    let (looked_at, seconds) = timed(|| {
        let all: Vec<BookNodeId> = graph.nodes().collect();
        (0..changes).fold(0, |sum, _| {
            let node = all[dice.usize(..all.len())];
            let Some(edge) = graph.edges(node).next() else {
                return sum;
            };
            graph.edge_mut(edge).value = dice.i16(-300..300);
            sum + minimax.update(&graph, node)
        })
    });
    println!(
        "changes    {:6.0} thousand per second, {:.1} positions looked at each",
        f64::from(changes) / seconds / 1000.0,
        looked_at as f64 / f64::from(changes)
    );
    let (leaves, seconds) = timed(|| add_leaves(&mut graph, &mut minimax, &mut dice));
    println!(
        "new leaves {:6.0} thousand per second",
        f64::from(leaves) / seconds / 1000.0
    );
}

/// Adds positions behind others, one after the other, each with its value carried to the start.
fn add_leaves(
    graph: &mut Graph,
    minimax: &mut GraphSolver<Evaluations>,
    dice: &mut fastrand::Rng,
) -> u32 {
    let nodes = graph.node_count();
    let leaves: u32 = 100_000;
    for leaf in 0..leaves {
        let parent = dice.usize(..nodes);
        let from = graph.nodes().nth(parent).expect("a position of the graph");
        let mut key = [1; 32];
        key[0] = (parent as u8 & 1) ^ 1;
        key[1..5].copy_from_slice(&leaf.to_le_bytes());
        let child = graph.add(key);
        join(graph, from, child, dice);
        minimax.update(graph, from);
    }
    leaves
}

/// A graph in which a move leads on to one of the next positions, or, one time in fifty, back.
fn build(nodes: usize, dice: &mut fastrand::Rng) -> Graph {
    let mut graph = Graph::with_capacity(nodes, nodes * 4 / 3 + 1);
    let ids: Vec<BookNodeId> = (0..nodes as u64)
        .map(|number| {
            let mut key = [0; 32];
            key[0] = (number & 1) as u8;
            key[1..9].copy_from_slice(&number.to_le_bytes());
            graph.add(key)
        })
        .collect();
    // Every position but the first is reached from one before it, so that the graph hangs together.
    for (place, &child) in ids.iter().enumerate().skip(1) {
        join(
            &mut graph,
            ids[dice.usize(place.saturating_sub(100_000)..place) & !1 | (place + 1) & 1],
            child,
            dice,
        );
    }
    for _ in 0..nodes / 3 {
        let place = dice.usize(..nodes);
        let back = dice.usize(..50) == 0;
        let reach = if back { 0..place + 1 } else { place..nodes };
        let target = dice.usize(reach);
        if (place ^ target) & 1 == 1 {
            join(&mut graph, ids[place], ids[target], dice);
        }
    }
    for &node in ids.iter().filter(|node| node.index() % 97 == 0) {
        if graph.edges(node).next().is_none() {
            graph.set_resigned(node, true);
        }
    }
    graph
}

/// Adds a move; a position has at most a few hundred, so any free one will do.
fn join(graph: &mut Graph, from: BookNodeId, to: BookNodeId, dice: &mut fastrand::Rng) {
    let count = graph.edges(from).count();
    let Some(&kind) = PieceKind::HAND.get(count / 81) else {
        return;
    };
    let square = Square::new(count % 81).expect("81 squares");
    let edge = graph.link(from, Move::drop(kind, square), to);
    graph.edge_mut(edge).value = dice.i16(-300..300);
}

/// The processor time that something takes, in seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = now();
    let result = work();
    (result, now() - start)
}
