//! `go mate`: is there a mate by checks alone, and how does it go?

use super::worker::{Question, Worker};
use crate::usi::Checkmate;
use tesuji_mate::{Limits, Solver, Verdict};

impl Worker {
    /// Asks the mate solver, which uses as many threads and as much memory as the search may.
    pub(super) fn mate(&mut self, question: &Question) -> Checkmate {
        let control = &question.session.control;
        let (threads, bytes) = (question.equipment.threads, question.equipment.table_bytes);
        let pos = &question.root.position;
        let limits = Limits {
            nodes: question.limits.nodes,
            time: control.budget().map(|budget| budget.maximum),
            stop: Some(control.stop_flag()),
            shortest: question.shortest_mate,
        };
        let mut solver = Solver::new(bytes).with_threads(threads);
        match solver.solve(pos, pos.turn(), &limits, &mut ()) {
            Ok(Verdict::Mate(line) | Verdict::Shortest(line)) => Checkmate::Line(line),
            Ok(Verdict::NoMate) => Checkmate::NoMate,
            Ok(Verdict::Unknown(_)) => Checkmate::Timeout,
            // There is no king to mate.
            Err(_) => Checkmate::NotImplemented,
        }
    }
}
