//! Tenuki (2023): the course from minimax to principal variation search, and the question on PVS that
//! its author leaves open.

use super::report::{MIDDLE, Report, read};
use tesuji_eval::Relation;
use tesuji_search::ladder::{
    BestTable, BoardTree, BoundsTable, CountedTree, Drawn, Fault, FirstBranch, IncrementalLeafEval,
    MoveOrder, NoTable, PointOfView, Rung, Tree, pvs_first,
};
use tesuji_shogi::{Position, Value};

const SLOTS: usize = 1 << 16;

pub(super) fn run(report: &mut Report) {
    climb_drawn_tree(report);
    compare_first_branches(report);
    make_mistakes(report);
    report.differs("the tree: ours has the value of theirs, 75, and other leaves");
    report.differs("their listings are Ruby; ours are Rust that runs, and Ruby to read: tesuji teach --listing ruby");
}

fn climb_drawn_tree(report: &mut Report) {
    for rung in Rung::ALL {
        let climb = match rung {
            Rung::Mtdf => rung.count(
                Drawn::lesson(),
                Value::new(70),
                &mut BoundsTable::new(SLOTS),
            ),
            _ => rung.count(Drawn::lesson(), Value::ZERO, &mut BestTable::new(SLOTS)),
        };
        let then = match rung {
            Rung::Mtdf | Rung::Deepening => "-",
            _ => "75",
        };
        let now = format!("{} in {} nodes", climb.value.points(), climb.nodes);
        report.row(format!("the drawn tree: {rung}"), then, now);
    }
}

/// When to stop calling a branch the first one, on real positions.
fn compare_first_branches(report: &mut Report) {
    let depth = if report.is_quick() { 2 } else { 3 };
    for order in [MoveOrder::Captures, MoveOrder::Generated] {
        let name = match order {
            MoveOrder::Captures => "captures first",
            MoveOrder::Generated => "as generated",
        };
        for (first, text) in [
            (FirstBranch::Leftmost, "the leftmost branch is the first"),
            (FirstBranch::UntilRaised, "all are, until one raises alpha"),
        ] {
            let nodes: u64 = MIDDLE
                .iter()
                .map(|sfen| pvs_nodes(&read(sfen), depth, order, first))
                .sum();
            let what = format!("PVS, {depth} moves deep, {name}: {text}");
            report.row(what, "left open", format!("{nodes} nodes"));
        }
        let alpha_beta: u64 = MIDDLE
            .iter()
            .map(|sfen| alpha_beta_nodes(&read(sfen), depth, order))
            .sum();
        report.row(
            format!("fail-soft alpha-beta, {name}"),
            "-",
            format!("{alpha_beta} nodes"),
        );
    }
}

fn make_mistakes(report: &mut Report) {
    for fault in Fault::ALL {
        let trace = fault.trace(Drawn::lesson());
        let right = if trace.value == Value::new(75) {
            "right"
        } else {
            "wrong"
        };
        let now = format!(
            "{} ({right}) in {} nodes",
            trace.value.points(),
            trace.nodes.len()
        );
        report.row(format!("with a mistake: {fault}"), "-", now);
    }
}

fn alpha_beta_nodes(pos: &Position, depth: u32, order: MoveOrder) -> u64 {
    let eval = Relation::new();
    let tree = BoardTree::new(pos.clone(), IncrementalLeafEval::new(&eval), order, depth);
    Rung::FailSoft.count(tree, Value::ZERO, &mut NoTable).nodes
}

fn pvs_nodes(pos: &Position, depth: u32, order: MoveOrder, first: FirstBranch) -> u64 {
    let eval = Relation::new();
    let tree = BoardTree::new(pos.clone(), IncrementalLeafEval::new(&eval), order, depth);
    let mut counted = CountedTree::new(tree, PointOfView::Own);
    let (low, high) = (-Value::INFINITE, Value::INFINITE);
    counted.ask(|tree| pvs_first(tree, low, high, first));
    counted.nodes()
}
