//! Many threads, one transposition table (Lazy SMP).
//!
//! Every thread searches the same position on its own; they help each other through the table. The
//! main thread watches the clock. When it stops, all stop, and they vote for the move to be played.
//! Vincent David shared a table and nothing else in 1993; Julien Marcel named it (2012), Dan Homan
//! (ExChess, 2013) described it, Stockfish 7 (2016) made it the usual way.

use super::eval_scale::EvalScale;
use super::helpers::HelperThreads;
use super::iteration::iterative_deepening;
use super::results::{ThreadResult, ThreadResults, vote};
use super::root_move::{RootMove, SearchProgress};
use super::shared::{NodeCounter, SharedState};
use super::skill::Skill;
use super::thread_data::ThreadData;
use crate::control::SearchControl;
use crate::info::SearchListener;
use crate::params::Params;
use crate::request::SearchRequest;
use crate::result::{Answer, SearchResult};
use crate::search::Search;
use crate::tt::TranspositionTable;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_eval::Eval;
use tesuji_shogi::Move;

/// The search that plays tournaments: an evaluator, a transposition table, and as many threads as
/// are wanted.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::tournament::Tournament;
/// use tesuji_search::{Answer, NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest};
/// use tesuji_shogi::Position;
/// let mut search = Tournament::new(Material, 1, 1 << 20)?;
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
/// let request = SearchRequest::new(pos).with_limits(SearchLimits::depth(3));
/// let control = SearchControl::new(Phase::Thinking, None);
/// let result = search.think(&request, &control, &mut NoListener);
/// assert_eq!(result.answer, Answer::Move("G*5b".parse().unwrap()));
/// assert_eq!(result.value.mate_distance(), Some(1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Tournament<E> {
    eval: Arc<E>,
    tt: Arc<TranspositionTable>,
    /// What the main thread keeps; the helpers keep theirs.
    main_thread: ThreadData,
    helpers: HelperThreads<E>,
    params: Params,
    scale: EvalScale,
    /// Counts searches, so that limited skill chooses anew each time.
    searches: u64,
}

impl<E: Eval + Send + 'static> Tournament<E> {
    /// How many bytes a thread needs for its histories, beside the table.
    pub const THREAD_BYTES: usize = ThreadData::BYTES;

    /// An evaluator, so many threads or as many as the system has, and a transposition table of about
    /// so many bytes. Its pages come from the system when they are needed, or with
    /// [`Tournament::touch`].
    ///
    /// # Errors
    /// If the system has no room for the table or for a single thread.
    pub fn new(eval: E, threads: usize, tt_bytes: usize) -> io::Result<Self> {
        Ok(Self {
            scale: EvalScale::of(&eval),
            eval: Arc::new(eval),
            tt: Arc::new(TranspositionTable::new(tt_bytes)?),
            main_thread: ThreadData::new()?,
            helpers: HelperThreads::new(threads.max(1) - 1),
            params: Params::default(),
            searches: 0,
        })
    }

    /// Changes the number of threads, as far as the system has so many, and the size of the table;
    /// forgets what it knew if the table changes.
    ///
    /// # Errors
    /// If the system has no room for the table; then the old one stays, and the old threads.
    pub fn configure(&mut self, threads: usize, tt_bytes: usize) -> io::Result<()> {
        let (count, wanted) = (threads.max(1) - 1, tt_bytes / 64 * 64);
        if self.tt.bytes() != wanted.max(64) {
            self.tt = Arc::new(TranspositionTable::new(tt_bytes)?);
        }
        if self.helpers.len() != count {
            // The old ones give their memory back before the new ones ask for theirs.
            self.helpers = HelperThreads::new(0);
            self.helpers = HelperThreads::new(count);
        }
        Ok(())
    }

    /// How many threads search: fewer than were asked for if the system has no more.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Has the system provide the pages of the table now, as far as nobody is in a hurry.
    pub fn touch(&self, hurry: &(dyn Fn() -> bool + Sync)) {
        self.tt.touch(self.threads(), hurry);
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

/// Up to so many bytes a table is emptied in place: a few microseconds.
const SMALL_TABLE: usize = 1 << 20;

impl<E: Eval + Send + 'static> Search for Tournament<E> {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        self.searches += 1;
        self.tt.new_search();
        let skill = Skill::new(request.limits.skill_level);
        let shared = Arc::new(self.shared_state(request, skill));
        let results = self.run(&shared, control, listener);
        let nodes = shared.total_nodes();
        let chosen = &results[vote(&results, &self.params)];
        let best = &chosen.moves[0];
        if chosen.thread_id != 0 {
            // Whoever listens has heard the lines of the main thread only.
            let progress = SearchProgress {
                nodes,
                time: control.elapsed(),
                hashfull: self.tt.hashfull(),
            };
            listener.info(&best.info(chosen.depth, 1, best.bound, &progress, self.scale));
        }
        let seed = self.searches ^ request.position.key().0;
        let played = skill
            .and_then(|skill| skill.choose(&chosen.moves, seed))
            .unwrap_or(best);
        let pv = played.pv.clone();
        let ponder = pv.get(1).copied();
        SearchResult {
            answer: Answer::Move(pv[0]),
            ponder: ponder.or_else(|| self.expected_reply(request, pv[0])),
            value: self.scale.to_eval(best.last_value()),
            depth: chosen.depth as u32,
            nodes,
            pv,
        }
    }

    fn new_game(&mut self) {
        // A helper that still searched would write into the table: it ends before it forgets.
        let (params, main_thread) = (&self.params, &mut self.main_thread);
        self.helpers.clear(params, || main_thread.clear(params));
        // An empty table is had at once: its pages come when they are touched. To write over the old
        // one takes seconds if it is large; if it is small, less time than to ask the system.
        let is_small = self.tt.bytes() <= SMALL_TABLE;
        let empty = (!is_small).then(|| TranspositionTable::new(self.tt.bytes()));
        match empty {
            Some(Ok(empty)) => self.tt = Arc::new(empty),
            Some(Err(_)) | None => self.tt.clear(self.threads()),
        }
    }
}

impl<E: Eval + Send + 'static> Tournament<E> {
    fn shared_state(&self, request: &SearchRequest, skill: Option<Skill>) -> SharedState<E> {
        let mut request = request.clone();
        if let Some(skill) = skill {
            let limits = &mut request.limits;
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(skill.nodes()));
            limits.multi_pv = limits.multi_pv.max(Skill::LINES);
        }
        let threads = self.threads();
        SharedState {
            eval: Arc::clone(&self.eval),
            tt: Arc::clone(&self.tt),
            root_moves: request
                .root_moves()
                .into_iter()
                .map(RootMove::new)
                .collect(),
            request,
            params: self.params.clone(),
            scale: self.scale,
            node_counters: (0..threads).map(|_| NodeCounter::default()).collect(),
            is_over: AtomicBool::new(false),
            results: ThreadResults::new(threads - 1),
        }
    }

    /// Lets all threads search, the main thread being the calling one.
    fn run(
        &mut self,
        shared: &Arc<SharedState<E>>,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> Vec<ThreadResult> {
        self.helpers.search(shared);
        let over = SearchOver(shared);
        let main = iterative_deepening(shared, control, &mut self.main_thread, 0, listener);
        drop(over);
        let mut results = vec![main];
        results.extend(shared.results.take(control.budget().is_some()));
        results
    }

    /// The reply that the table expects, when the principal variation ended with the move itself.
    fn expected_reply(&self, request: &SearchRequest, mv: Move) -> Option<Move> {
        let mut pos = request.position.clone();
        pos.play(mv);
        let reply = self.tt.probe(pos.key())?.mv?;
        pos.is_legal(reply).then_some(reply)
    }
}

/// Ends the search of the helpers when that of the main thread ends, be it by a panic.
struct SearchOver<'a, E>(&'a SharedState<E>);

impl<E> Drop for SearchOver<'_, E> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Relaxed);
    }
}
