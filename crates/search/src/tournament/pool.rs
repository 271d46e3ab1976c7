//! Many workers, one table (Lazy SMP).
//!
//! Every thread searches the same position on its own; they help each other through the table. The
//! first one watches the clock. When it stops, all stop, and the best of what they found is played.

use super::crew::{Common, Crew, Findings, Task};
use super::pace::Pace;
use super::params::Params;
use super::root::{MOST_DEPTH, RootMove};
use super::strength::Handicap;
use super::worker::{Counter, Mind, Shared, Worker};
use crate::control::{Control, Phase};
use crate::question::{Answer, Best, Limits, Report, Root, Search};
use crate::table::Table;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tesuji_eval::Eval;
use tesuji_shogi::rules::declare;
use tesuji_shogi::{Board, Declaration, Move, MoveList, Position, Value, movegen};

/// The search that plays tournaments: an evaluator, a table, and as many threads as are wanted.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::tournament::Tournament;
/// use tesuji_search::{Answer, Control, Limits, Phase, Quiet, Root, Search};
/// use tesuji_shogi::Position;
/// let mut search = Tournament::new(Material, 1, 1 << 20)?;
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let control = Control::new(Phase::Thinking, None);
/// let best = search.think(&Root::new(pos), &limits, &control, &mut Quiet);
/// assert_eq!(best.answer, Answer::Move("G*5b".parse().unwrap()));
/// assert_eq!(best.value.mate_distance(), Some(1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Tournament<E> {
    eval: Arc<E>,
    table: Arc<Table>,
    /// What the first thread keeps; the others keep theirs.
    mind: Mind,
    crew: Crew<E>,
    params: Params,
    /// Counts searches, so that limited strength chooses anew each time.
    searches: u64,
}

impl<E: Eval + Send + 'static> Tournament<E> {
    /// An evaluator, so many threads, and a table of about so many bytes.
    ///
    /// # Errors
    /// If the system has no room for the table, or not so many threads.
    pub fn new(eval: E, threads: usize, table_bytes: usize) -> io::Result<Self> {
        Ok(Self {
            eval: Arc::new(eval),
            table: Arc::new(touched(table_bytes, threads)?),
            mind: Mind::new()?,
            crew: Crew::new(threads.max(1) - 1)?,
            params: Params::default(),
            searches: 0,
        })
    }

    /// Changes the number of threads and the size of the table; forgets what it knew if the table
    /// changes.
    ///
    /// # Errors
    /// If the system has no room for the table, or not so many threads; then the old ones stay.
    pub fn configure(&mut self, threads: usize, table_bytes: usize) -> io::Result<()> {
        let (helpers, wanted) = (threads.max(1) - 1, table_bytes / 64 * 64);
        // Both are had before either is given up.
        let crew = (self.crew.len() != helpers).then(|| Crew::new(helpers));
        let crew = crew.transpose()?;
        if self.table.bytes() != wanted.max(64) {
            self.table = Arc::new(touched(table_bytes, threads)?);
        }
        if let Some(crew) = crew {
            self.crew = crew;
        }
        Ok(())
    }

    /// The evaluator.
    pub fn eval(&self) -> &E {
        &self.eval
    }

    /// The numbers it searches with.
    pub fn params(&mut self) -> &mut Params {
        &mut self.params
    }
}

impl<E: Eval + Send + 'static> Search for Tournament<E> {
    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn Report,
    ) -> Best {
        self.searches += 1;
        let best = match self.at_once(root) {
            Some(best) => best,
            None => self.search(root, limits, control, report),
        };
        // Who ponders or analyses without end is not answered before it asks.
        while (control.phase() == Phase::Pondering || limits.infinite) && !control.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        best
    }

    fn new_game(&mut self) {
        // A helper that still searched would write into the table: it ends before it forgets.
        self.crew.forget(|| self.mind.clear());
        self.table.clear(self.crew.len() + 1);
    }
}

impl<E: Eval + Send + 'static> Tournament<E> {
    /// The answer where nothing is to be searched: a declaration, or no legal move.
    fn at_once(&self, root: &Root) -> Option<Best> {
        let answer = |answer, value, line| {
            Some(Best {
                answer,
                ponder: None,
                value,
                depth: 0,
                nodes: 0,
                line,
            })
        };
        let pos = &root.position;
        match declare(pos, root.rules.declaration) {
            Declaration::Win => return answer(Answer::Declare, Value::mate_in(1), Vec::new()),
            Declaration::Try(mv) => return answer(Answer::Move(mv), Value::mate_in(1), vec![mv]),
            Declaration::Draw | Declaration::NotAllowed(_) => {}
        }
        if candidates(root).is_empty() {
            return answer(Answer::Resign, Value::mated_in(0), Vec::new());
        }
        None
    }

    fn search(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn Report,
    ) -> Best {
        self.table.grow_older();
        let handicap = Handicap::new(limits.strength);
        let mut limits = limits.clone();
        if let Some(handicap) = handicap {
            let most = limits.nodes.unwrap_or(u64::MAX).min(handicap.nodes());
            limits.nodes = Some(most);
            limits.lines = limits.lines.max(handicap.lines());
        }
        let threads = self.crew.len() + 1;
        let task = Task {
            eval: Arc::clone(&self.eval),
            table: Arc::clone(&self.table),
            common: Arc::new(Common {
                limits,
                rules: root.rules,
                params: self.params.clone(),
                visited: (0..threads).map(|_| Counter::default()).collect(),
                over: AtomicBool::new(false),
                findings: Findings::default(),
                busy: AtomicUsize::new(threads - 1),
            }),
            pos: root.position.clone(),
            moves: candidates(root).into_iter().map(RootMove::new).collect(),
        };
        let results = self.run(&task, control, report);
        let visited = task.common.visited.iter();
        let nodes = visited.map(|counter| counter.0.load(Relaxed)).sum();
        let chosen = &results[elect(&results)];
        if chosen.id != 0 {
            // Whoever watches saw the lines of the first thread only.
            report.info(&chosen.info(control.elapsed(), nodes, self.table.fill()));
        }
        let mut line = chosen.moves[0].line.clone();
        if let Some(handicap) = handicap
            && let Some(mv) = handicap.choose(&chosen.moves, self.searches ^ root.position.key().0)
            && let Some(found) = chosen.moves.iter().find(|m| m.mv() == mv)
        {
            line.clone_from(&found.line);
        }
        let ponder = line
            .get(1)
            .copied()
            .or_else(|| self.expected_reply(root, line[0]));
        Best {
            answer: Answer::Move(line[0]),
            ponder,
            value: chosen.moves[0].known(),
            depth: chosen.depth as u32,
            nodes,
            line,
        }
    }

    /// Lets all threads search; the first one on the calling thread.
    fn run(&mut self, task: &Task<E>, control: &Control, report: &mut dyn Report) -> Vec<Found> {
        self.crew.think(task);
        let (shared, moves) = (task.shared(control), task.moves.clone());
        let main = deepen(&shared, &mut self.mind, 0, &task.pos, moves, report);
        let mut all = vec![main];
        all.extend(task.common.end(control.budget().is_some()));
        all
    }

    /// The reply that the table expects, when the line ended with the move itself.
    fn expected_reply(&self, root: &Root, mv: Move) -> Option<Move> {
        let mut pos = root.position.clone();
        pos.play(mv);
        let reply = self.table.find(pos.key())?.mv?;
        pos.is_legal(reply).then_some(reply)
    }
}

/// A table whose pages the system has already provided: the first search should not wait for them.
fn touched(bytes: usize, threads: usize) -> io::Result<Table> {
    let table = Table::new(bytes)?;
    table.clear(threads);
    Ok(table)
}

/// What a thread found.
pub(super) struct Found {
    pub(super) id: usize,
    pub(super) depth: i32,
    pub(super) moves: Vec<RootMove>,
}

impl Found {
    fn info(&self, time: Duration, nodes: u64, fill: u32) -> crate::question::Info {
        let best = &self.moves[0];
        crate::question::Info {
            depth: self.depth.max(1) as u32,
            reach: best.reach as u32,
            rank: 1,
            value: crate::question::Bounded {
                value: best.known(),
                bound: best.bound,
            },
            nodes,
            time,
            fill,
            line: best.line.clone(),
        }
    }
}

/// Iterative deepening of one thread.
pub(super) fn deepen<E: Eval>(
    shared: &Shared<'_, E>,
    mind: &mut Mind,
    id: usize,
    pos: &Position,
    moves: Vec<RootMove>,
    report: &mut dyn Report,
) -> Found {
    let lines = shared.limits.lines.clamp(1, moves.len());
    let most = shared
        .limits
        .depth
        .map_or(MOST_DEPTH, |depth| depth.min(MOST_DEPTH as u32) as i32);
    let mut worker = Worker::new(shared, mind, id, pos, moves, report);
    let (mut pace, mut completed) = (Pace::default(), 0);
    for depth in 1..=most.max(1) {
        worker.iterate(depth, lines);
        if worker.stopped {
            break;
        }
        completed = depth;
        let is_main = id == 0;
        if !is_main {
            let moves = worker.root_moves[..lines].to_vec();
            shared.findings.keep(Found { id, depth, moves });
        }
        if is_main && (worker.is_settled() || worker.is_forced()) {
            break;
        }
        if is_main && pace.is_enough(&mut worker) && shared.control.phase() == Phase::Thinking {
            break;
        }
    }
    if id == 0 && worker.stopped {
        worker.tell(lines);
    }
    shared.visited[id].0.store(worker.nodes, Relaxed);
    Found {
        id,
        depth: completed,
        moves: worker.root_moves,
    }
}

/// The thread whose move is played: mates first, then the move that most and deepest threads vote
/// for.
fn elect(results: &[Found]) -> usize {
    let worst = results
        .iter()
        .map(|r| r.moves[0].known())
        .min()
        .unwrap_or(Value::ZERO);
    let weight = |r: &Found| {
        i64::from((r.moves[0].known() - worst).points() + 14) * i64::from(r.depth.max(1))
    };
    let votes = |mv: Move| -> i64 {
        results
            .iter()
            .filter(|r| r.moves[0].mv() == mv)
            .map(weight)
            .sum()
    };
    let mut chosen = 0;
    for (n, result) in results.iter().enumerate().skip(1) {
        let (best, new) = (&results[chosen].moves[0], &result.moves[0]);
        let is_better = match (best.known().mate_distance(), new.known().mate_distance()) {
            (Some(_), _) | (_, Some(_)) => new.known() > best.known() && result.depth > 0,
            (None, None) => {
                let (old_votes, new_votes) = (votes(best.mv()), votes(new.mv()));
                result.depth > 0
                    && (new_votes > old_votes
                        || (new_votes == old_votes && weight(result) > weight(&results[chosen])))
            }
        };
        if is_better {
            chosen = n;
        }
    }
    chosen
}

/// The moves to choose from: legal, and among the wanted ones if any are.
fn candidates(root: &Root) -> Vec<Move> {
    let mut list = MoveList::new();
    let pos = &root.position;
    let _ = if root.rules.all_moves || !root.moves.is_empty() {
        movegen::legal(pos, &mut list)
    } else {
        movegen::legal_without_worse(pos, &mut list)
    };
    if list.is_empty() {
        // A position whose only moves are the ones left out.
        list = pos.legal_moves();
    }
    let wanted = |mv: &Move| root.moves.is_empty() || root.moves.contains(mv);
    let chosen: Vec<_> = list.iter().filter(wanted).collect();
    if chosen.is_empty() {
        pos.legal_moves().iter().collect()
    } else {
        chosen
    }
}
