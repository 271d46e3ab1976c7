//! A mate problem: posed, solved, walked through with every defence.

use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::engine::Job;
use crate::opponent::is_same;
use crate::sheet::{Seen, Sheet};
use crate::view::{PositionView, for_black};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;
use tesuji_mate::{Limits, Progress, Report, Solver, Verdict, count};
use tesuji_record::{Evaluation, Game, NodeId};
use tesuji_search::{Control, Phase};
use tesuji_shogi::{Board, Color, Move, Position, Value};

/// What one search may use.
const MOST_BYTES: usize = 256 << 20;

/// How long a problem may take.
const LONGEST: Duration = Duration::from_secs(1800);

/// How long the search for the mate after one defence may take.
const LONGEST_DEFENCE: Duration = Duration::from_secs(10);

/// A mate problem.
pub(crate) struct Puzzle {
    pub(crate) sheet: Sheet,
    pub(crate) verdict: Option<Finding>,
    solving: Option<Arc<Control>>,
    progress: Option<Report>,
}

/// What is known about a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "found")]
pub(crate) enum Finding {
    /// Mate in so many plies; whether it is the shortest; the plies as composers count, and what
    /// is left in hand.
    Mate {
        plies: usize,
        shortest: bool,
        counted: usize,
        surplus: u32,
        nodes: u64,
    },
    NoMate {
        nodes: u64,
    },
    /// The search ended before it knew.
    Unknown {
        nodes: u64,
    },
}

impl Default for Puzzle {
    fn default() -> Self {
        // A problem that everybody can solve, so that the page is never empty.
        let first = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1");
        Self::restored(
            Sheet::new(Game::new(first.unwrap_or_else(|_| Position::start()))),
            None,
        )
    }
}

impl Puzzle {
    /// A problem that was kept on disk.
    pub(crate) fn restored(sheet: Sheet, verdict: Option<Finding>) -> Self {
        Self {
            sheet,
            verdict,
            solving: None,
            progress: None,
        }
    }

    /// Poses another problem.
    pub(crate) fn pose(&mut self, start: &Position) -> Result<(), Complaint> {
        if start.king(start.turn().foe()).is_none() {
            return Err(Complaint::new(
                "There is no king to mate: the side to move attacks the other one.",
                "詰ます玉がありません。手番の側が攻方です。",
            ));
        }
        self.stop();
        self.verdict = None;
        self.sheet.replace(Game::new(start.clone()));
        Ok(())
    }

    /// Ends the search.
    pub(crate) fn stop(&mut self) {
        if let Some(control) = self.solving.take() {
            control.stop();
        }
        self.progress = None;
    }

    fn attacker(&self) -> Color {
        self.sheet.game().start().turn()
    }

    /// Plays a move in the problem.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Complaint> {
        let mv: Move = text.parse().map_err(|_| Complaint::not_a_move(text))?;
        self.sheet.play(mv).map(|_| ())
    }

    /// What a page is told.
    pub(crate) fn news(&self, seen: Seen) -> (Json, Seen) {
        let (sheet, seen) = self.sheet.news(seen);
        let progress = self.progress.as_ref().map(|report| {
            json!({
                "nodes": report.nodes,
                "millis": report.time.as_millis() as u64,
                "depth": report.depth,
                "fill": report.fullness,
            })
        });
        let news = json!({
            "is": "problem",
            "position": PositionView::new(self.sheet.position(), true),
            "sheet": sheet,
            "attacker": self.attacker().letter(),
            "verdict": self.verdict,
            "solving": self.solving.is_some(),
            "progress": progress,
        });
        (news, seen)
    }

    /// Writes a mating line behind a node, the length of the mate at every move of it.
    fn write(&mut self, at: NodeId, line: &[Move]) {
        let (here, attacker) = (self.sheet.at(), self.attacker());
        self.sheet.go(at);
        for (ply, &mv) in line.iter().enumerate() {
            let Ok(id) = self.sheet.play(mv) else {
                break;
            };
            let left = line.len() - ply - 1;
            let value = Value::mate_in(left as i32);
            let value = for_black(value, attacker);
            self.sheet.set_evaluation(id, Evaluation::of(value));
        }
        self.sheet.go(here);
    }
}

/// Tells a desk how far a search is.
struct Teller {
    desk: Arc<Desk>,
    control: Arc<Control>,
}

impl Progress for Teller {
    fn report(&mut self, report: &Report) {
        let mut state = self.desk.state();
        if is_same(state.puzzle.solving.as_ref(), &self.control) {
            state.puzzle.progress = Some(*report);
            drop(state);
            self.desk.shown();
        }
    }
}

impl Desk {
    /// Looks for the mate.
    pub(crate) fn solve(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        state.puzzle.stop();
        let start = state.puzzle.sheet.game().start().clone();
        state.puzzle.pose(&start)?;
        self.in_the_background(state, move |desk, control, solver| {
            let limits = Limits {
                time: Some(LONGEST),
                stop: Some(control.stop_flag()),
                shortest: true,
                ..Limits::NONE
            };
            let mut teller = Teller {
                desk: desk.clone(),
                control: control.clone(),
            };
            let verdict = solver.solve(&start, start.turn(), &limits, &mut teller);
            let nodes = solver.nodes();
            let (finding, line) = match verdict {
                Ok(Verdict::Mate(line)) => (mate(&start, &line, false, nodes), line),
                Ok(Verdict::Shortest(line)) => (mate(&start, &line, true, nodes), line),
                Ok(Verdict::NoMate) => (Finding::NoMate { nodes }, Vec::new()),
                Ok(Verdict::Unknown(_)) | Err(_) => (Finding::Unknown { nodes }, Vec::new()),
            };
            let mut state = desk.state();
            if is_same(state.puzzle.solving.as_ref(), control) {
                state.puzzle.verdict = Some(finding);
                state.puzzle.write(Game::ROOT, &line);
            }
        })
    }

    /// Looks for the mate after every move that is possible here.
    pub(crate) fn defences(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        let puzzle = &state.puzzle;
        let (pos, node, attacker) = (
            puzzle.sheet.position().clone(),
            puzzle.sheet.at(),
            puzzle.attacker(),
        );
        let is_attacking = pos.turn() == attacker;
        self.in_the_background(state, move |desk, control, solver| {
            let limits = Limits {
                time: Some(LONGEST_DEFENCE),
                stop: Some(control.stop_flag()),
                shortest: true,
                ..Limits::NONE
            };
            let firsts: Vec<Option<Move>> = match is_attacking {
                true => vec![None],
                false => pos.legal_moves().iter().map(Some).collect(),
            };
            for first in firsts {
                let mut after = pos.clone();
                first.into_iter().for_each(|mv| {
                    after.play(mv);
                });
                let verdict = solver.solve(&after, attacker, &limits, &mut ());
                let mut state = desk.state();
                if !is_same(state.puzzle.solving.as_ref(), control) {
                    return;
                }
                match verdict {
                    Ok(Verdict::Mate(line) | Verdict::Shortest(line)) => {
                        let line: Vec<_> = first.into_iter().chain(line).collect();
                        state.puzzle.write(node, &line);
                    }
                    Ok(Verdict::NoMate) => escape(&mut state.puzzle, node, first),
                    Ok(Verdict::Unknown(_)) | Err(_) => {}
                }
                drop(state);
                desk.shown();
            }
        })
    }

    fn in_the_background(
        self: &Arc<Self>,
        state: &mut State,
        work: impl FnOnce(&Arc<Self>, &Arc<Control>, &mut Solver) + Send + 'static,
    ) -> Result<(), Complaint> {
        state.puzzle.stop();
        let control = Arc::new(Control::new(Phase::Thinking, None));
        state.puzzle.solving = Some(control.clone());
        let (desk, own, threads) = (self.clone(), control.clone(), self.tools.threads);
        let job = Job {
            control,
            is_endless: false,
            // The solver has no use for the search, whether there is one or not.
            work: Box::new(move |_| {
                let mut solver = Solver::new(MOST_BYTES).with_threads(threads);
                work(&desk, &own, &mut solver);
                desk.tools.engine.done(&own);
                let mut state = desk.state();
                if is_same(state.puzzle.solving.as_ref(), &own) {
                    state.puzzle.solving = None;
                    state.puzzle.progress = None;
                }
                drop(state);
                desk.changed();
            }),
        };
        self.tools.engine.ask(job).map_err(|_| {
            state.puzzle.solving = None;
            Complaint::busy()
        })
    }
}

/// A defence after which there is no mate, or a position without one.
fn escape(puzzle: &mut Puzzle, node: NodeId, first: Option<Move>) {
    let here = puzzle.sheet.at();
    puzzle.sheet.go(node);
    let id = match first {
        Some(mv) => puzzle.sheet.play(mv).ok(),
        None => Some(node),
    };
    if let Some(id) = id {
        puzzle.sheet.set_comment(id, "不詰 · no mate".into());
    }
    puzzle.sheet.go(here);
}

fn mate(start: &Position, line: &[Move], shortest: bool, nodes: u64) -> Finding {
    let counted = count(start, line);
    Finding::Mate {
        plies: line.len(),
        shortest,
        counted: counted.plies,
        surplus: counted.surplus,
        nodes,
    }
}
