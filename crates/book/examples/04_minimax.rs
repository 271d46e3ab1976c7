//! How long it takes to carry values through a book, in processor time: as `tesuji book minimax` does it.
//!
//! ```text
//! cargo run --release -p tesuji-book --example 04_minimax -- in.db out.db [fold] [plain]
//! ```
//!
//! `plain` goes the way of files that are not plain text books, one entry after the other.

use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::sync::Mutex;
use tesuji_book::minimax::{MinimaxPlan, MinimaxStep, text_books};
use tesuji_book::{BookFormat, Evaluations, Graph, GraphSolver, format};
use tesuji_shogi::{Color, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, rest @ ..] = &arguments[..] else {
        println!("expected: in.db out.db [fold] [plain]");
        return Ok(());
    };
    let is_folded = rest.iter().any(|word| word == "fold");
    let (input, output) = (Path::new(input), Path::new(output));
    if !rest.iter().any(|word| word == "plain") {
        return quickly(input, output, is_folded);
    }
    let of = |path| BookFormat::of_path(path).ok_or("the extension tells no format");
    let fold = |pos: &Position| match (is_folded, pos.turn()) {
        (true, Color::White) => pos.flipped(),
        _ => pos.clone(),
    };
    let mut clock = Clock::new();
    let mut graph = Graph::default();
    let mut order = Vec::new();
    for entry in format::read(input, of(input)?, &[Position::start()])? {
        let entry = entry?;
        let is_turned = is_folded && entry.pos.turn() == Color::White;
        let entry = if is_turned { entry.rotated() } else { entry };
        order.push(graph.add_folded(&entry, fold)?);
    }
    clock.tell("read");
    let found = graph.connect(is_folded, || ());
    clock.tell("connected");
    let mut solver = GraphSolver::new(Evaluations);
    solver.solve(&graph);
    let draws = solver.draw_distances(&graph);
    clock.tell("solved");
    let entries = || {
        let entries = order.iter();
        entries.filter_map(|&node| solver.entry(&graph, node, &draws).map(Ok))
    };
    let count = match format::write_if_in_order(output, of(output)?, entries())? {
        Some(count) => count,
        None => format::write(output, of(output)?, entries())?,
    };
    clock.tell("written");
    println!("{count} positions, {found} moves found");
    Ok(())
}

fn quickly(input: &Path, output: &Path, folds: bool) -> Result<(), Box<dyn std::error::Error>> {
    let clock = Mutex::new((None, Clock::new()));
    let plan = MinimaxPlan {
        connects: true,
        folds,
        shrinks: false,
    };
    let name = |step| match step {
        MinimaxStep::Numbered(_) => "numbered",
        MinimaxStep::Connected(_) => "connected",
        MinimaxStep::Solved => "solved",
        MinimaxStep::Written(_) => "written",
    };
    // Blocks come in any number; the first word about a step ends the one before.
    let tell = |step: MinimaxStep| {
        let Ok(mut told) = clock.lock() else {
            return;
        };
        let (last, clock) = &mut *told;
        if let Some(last) = last.replace(name(step)).filter(|&last| last != name(step)) {
            // Solving is told when it is done.
            let is_solved = step == MinimaxStep::Solved;
            clock.tell(if is_solved { "connected, solved" } else { last });
        }
    };
    let count = text_books(&[input], output, plan, &tell)?;
    if let Ok(mut told) = clock.lock() {
        told.1.tell("written");
    }
    match count {
        Some(count) => println!("{count} positions"),
        None => println!("not a plain text book: add the word plain"),
    }
    Ok(())
}

struct Clock(f64);

impl Clock {
    fn now() -> f64 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    fn new() -> Self {
        Self(Self::now())
    }

    fn tell(&mut self, what: &str) {
        let now = Self::now();
        println!("{what:<18} {:7.2} s", now - self.0);
        self.0 = now;
    }
}
