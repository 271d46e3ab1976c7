//! What came of a set: one row of the table.

use super::solvers::{Cost, Found, SolverReply};
use crate::verb::mate::source::MateProblem;
use serde::Serialize;
use tesuji_shogi::Mailbox;
use tesuji_shogi::{Board, Move, Position};

/// One solver on one set, or on one problem of it.
#[derive(Clone, Serialize)]
pub(super) struct SolverTally {
    set: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    solver: String,
    problems: usize,
    mates: usize,
    escapes: usize,
    unknown: usize,
    /// Answers against what the file says, and lines that do not mate.
    pub(super) wrong: usize,
    /// Mating lines that hold on the plain board.
    lines: usize,
    /// Moves of all of them.
    moves: usize,
    /// Positions of all proofs that were walked through.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    wall_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl SolverTally {
    pub(super) const HEAD: &'static str = "\
set                solver                    problems  mates  none unknown wrong  lines      nodes      cpu     wall  M/s     MB  cpu ×";

    pub(super) fn new(set: &str, solver: String) -> Self {
        Self {
            set: set.into(),
            problem: None,
            solver,
            problems: 0,
            mates: 0,
            escapes: 0,
            unknown: 0,
            wrong: 0,
            lines: 0,
            moves: 0,
            proof: None,
            nodes: None,
            cpu_seconds: None,
            wall_seconds: 0.0,
            bytes: None,
        }
    }

    /// Counts a reply, and gives it back as a row of its own.
    pub(super) fn add(&mut self, problem: &MateProblem, reply: &SolverReply) -> Self {
        let mut one = Self::new(&self.set, self.solver.clone());
        one.problem = Some(
            problem
                .label
                .clone()
                .unwrap_or_else(|| problem.pos.to_sfen()),
        );
        one.problems = 1;
        match &reply.found {
            Found::Mate(line) => {
                one.mates = 1;
                one.wrong = usize::from(problem.expected == Some(false));
                match line {
                    Some(line) if mates(&problem.pos, line) => {
                        (one.lines, one.moves) = (1, line.len());
                    }
                    Some(_) => one.wrong = 1,
                    None => {}
                }
            }
            Found::NoMate => {
                one.escapes = 1;
                one.wrong = usize::from(problem.expected == Some(true));
            }
            Found::Unknown => one.unknown = 1,
        }
        one.proof = Some(reply.proof).filter(|&proof| proof > 0);
        one.nodes = reply.nodes;
        one.cpu_seconds = reply.cpu.map(|cpu| cpu.as_secs_f64());
        one.wall_seconds = reply.wall.as_secs_f64();
        self.include(&one);
        one
    }

    fn include(&mut self, one: &Self) {
        self.problems += one.problems;
        self.mates += one.mates;
        self.escapes += one.escapes;
        self.unknown += one.unknown;
        self.wrong += one.wrong;
        self.lines += one.lines;
        self.moves += one.moves;
        self.wall_seconds += one.wall_seconds;
        if let Some(proof) = one.proof {
            *self.proof.get_or_insert(0) += proof;
        }
        if let Some(nodes) = one.nodes {
            *self.nodes.get_or_insert(0) += nodes;
        }
        if let Some(cpu) = one.cpu_seconds {
            *self.cpu_seconds.get_or_insert(0.0) += cpu;
        }
    }

    /// The set is done.
    pub(super) fn close(&mut self, cost: Cost) {
        if let Some(cpu) = cost.cpu {
            self.cpu_seconds = Some(cpu.as_secs_f64());
        }
        self.bytes = cost.bytes;
    }

    fn seconds(&self) -> f64 {
        self.cpu_seconds.unwrap_or(self.wall_seconds)
    }

    /// The row for people; times are compared with those of the first solver.
    pub(super) fn row(&self, first: &Self) -> String {
        let nothing = || "-".to_owned();
        let name = self.problem.as_ref().unwrap_or(&self.set);
        let nodes = self.nodes.map_or_else(nothing, |nodes| nodes.to_string());
        let speed = |nodes: u64| format!("{:.2}", nodes as f64 / self.seconds().max(1e-9) / 1e6);
        let cpu = |seconds: f64| format!("{seconds:.3}");
        let megabytes = |bytes: u64| format!("{:.1}", bytes as f64 / 1_048_576.0);
        format!(
            "{:<18} {:<24} {:>9} {:>6} {:>5} {:>7} {:>5} {:>6} {:>10} {:>8} {:>8.3} {:>4} {:>6} {:>6.2}",
            shortened(name, 18),
            shortened(&self.solver, 24),
            self.problems,
            self.mates,
            self.escapes,
            self.unknown,
            self.wrong,
            self.lines,
            nodes,
            self.cpu_seconds.map_or_else(nothing, cpu),
            self.wall_seconds,
            self.nodes.map_or_else(nothing, speed),
            self.bytes.map_or_else(nothing, megabytes),
            self.seconds() / first.seconds().max(1e-9),
        )
    }
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Whether a line mates on the plain board: legal moves, checks only, no answer at the end.
fn mates(pos: &Position, line: &[Move]) -> bool {
    let mut board = Mailbox::from(pos);
    for (ply, &mv) in line.iter().enumerate() {
        if !board.legal_moves().contains(mv) {
            return false;
        }
        board.play(mv);
        if ply % 2 == 0 && !board.in_check() {
            return false;
        }
    }
    line.len() % 2 == 1 && board.legal_moves().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_that_mates_is_one() {
        let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        let line = |text: &str| -> Vec<Move> {
            text.split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect()
        };
        assert!(mates(&pos, &line("G*5b")));
        for wrong in ["", "G*4b", "G*6i", "G*5b 5a4a", "P*5b"] {
            assert!(!mates(&pos, &line(wrong)), "{wrong}");
        }
    }
}
