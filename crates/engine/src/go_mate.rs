//! `go mate`: is there a mate by checks alone, and how does it go?

use crate::answer::AnswerGate;
use crate::output::UsiOutput;
use crate::running_go::RunningGo;
use crate::worker::EngineWorker;
use std::time::{Duration, Instant};
use tesuji_mate::{MateLimits, MateProgress, MateReport, MateVerdict, Solver};
use tesuji_shogi::Bound;
use tesuji_usi::{Checkmate, Info, Reply, ScoreValue, UsiScore};

impl EngineWorker {
    /// Asks the mate solver, which uses as many threads and as much memory as the search may.
    pub(crate) fn mate(&mut self, go: &RunningGo) -> Checkmate {
        let control = &go.answer.control;
        // What the search holds and the solver needs must fit into the memory together.
        self.host.release_tables();
        go.answer.set_loading(false);
        let (threads, bytes) = (go.config.threads, go.config.solver_bytes());
        let pos = go.position();
        let limits = MateLimits {
            nodes: go.request.limits.nodes,
            time: control.budget().map(|budget| budget.maximum),
            stop: Some(control.stop_flag()),
            shortest: go.shortest_mate,
        };
        let (mut solver, asked) = (Solver::new(bytes).with_threads(threads), Instant::now());
        let mut printer = MateInfoPrinter {
            out: &self.out,
            answer: &go.answer,
            depth: 0,
        };
        let verdict = solver.solve(pos, pos.turn(), &limits, &mut printer);
        let mut last = info(&MateReport {
            nodes: solver.nodes(),
            time: asked.elapsed(),
            depth: printer.depth,
            fullness: solver.fullness(),
        });
        let checkmate = match verdict {
            Ok(MateVerdict::Mate(line) | MateVerdict::Shortest(line)) => {
                last.score = Some(UsiScore {
                    worth: ScoreValue::Mate(line.len() as i32),
                    bound: Bound::Exact,
                });
                last.depth = Some(line.len() as u32);
                last.pv = line.clone();
                Checkmate::Line(line)
            }
            Ok(MateVerdict::NoMate) => Checkmate::NoMate,
            Ok(MateVerdict::Unknown(_)) => Checkmate::Timeout,
            // There is no king to mate.
            Err(_) => return Checkmate::NotImplemented,
        };
        printer.send(last);
        checkmate
    }
}

/// Tells the GUI how the search is going, and keeps how deep it went.
struct MateInfoPrinter<'a> {
    out: &'a UsiOutput,
    answer: &'a AnswerGate,
    depth: u32,
}

impl MateInfoPrinter<'_> {
    fn send(&self, info: Info) {
        let info = Reply::Info(Box::new(info));
        self.answer.say_before(|| self.out.send(&info));
    }
}

impl MateProgress for MateInfoPrinter<'_> {
    fn report(&mut self, report: &MateReport) {
        self.depth = report.depth;
        self.send(info(report));
    }
}

fn info(report: &MateReport) -> Info {
    let millis = report.time.max(Duration::from_millis(1)).as_millis() as u64;
    Info {
        depth: Some(report.depth),
        time: Some(report.time.as_millis() as u64),
        nodes: Some(report.nodes),
        nps: Some(report.nodes.saturating_mul(1000) / millis),
        hashfull: Some(report.fullness.min(1000)),
        ..Info::default()
    }
}
