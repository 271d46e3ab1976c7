//! Many threads, one table (Lazy SMP): each searches the same root on its own.

use super::ordering::MoveMemory;
use super::switches::ClassicSwitches;
use super::table::SharedTable;
use super::worker::{ClassicWorker, MAX_PLY, SharedClassicSearch};
use crate::control::SearchControl;
use crate::deepen::{MAX_ITERATION, RootSearch, deepen};
use crate::info::SearchListener;
use crate::leaf_eval::LeafSource;
use crate::request::SearchRequest;
use crate::result::SearchResult;
use crate::search::Search;
use crate::search_board::SearchBoard;
use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use tesuji_shogi::{Move, Position};

/// Lines are deep, and a stack costs nothing until it is used.
const STACK: usize = 16 << 20;

/// How a classic search is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassicSettings {
    /// Which of its parts are used.
    pub switches: ClassicSwitches,
    /// Whether captures run out before a leaf is evaluated.
    pub quiescence: bool,
    /// How many threads search.
    pub threads: usize,
    /// How large the table is.
    pub bytes: usize,
}

/// Alpha-beta with everything that was usual, on a board `B`, with a table `T`.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::classic::{ClassicSearch, ClassicSettings, ClassicSwitches};
/// use tesuji_search::tt::TranspositionTable;
/// use tesuji_search::{Answer, EvaluatedLeaves, NoListener, Phase, Search, SearchControl};
/// use tesuji_search::{SearchLimits, SearchRequest};
/// use tesuji_shogi::Position;
/// let settings = ClassicSettings {
///     switches: ClassicSwitches::default(),
///     quiescence: true,
///     threads: 1,
///     bytes: 1 << 20,
/// };
/// let mut search =
///     ClassicSearch::<_, Position, TranspositionTable>::new(EvaluatedLeaves(Material), settings)?;
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let request = SearchRequest::new(pos).with_limits(SearchLimits::depth(3));
/// let control = SearchControl::new(Phase::Thinking, None);
/// let result = search.think(&request, &control, &mut NoListener);
/// assert_eq!(result.answer, Answer::Move("G*5b".parse().unwrap()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ClassicSearch<A, B = Position, T = crate::tt::TranspositionTable> {
    leaves: A,
    table: T,
    settings: ClassicSettings,
    /// One for each thread, the main thread first.
    memories: Vec<MoveMemory>,
    board: PhantomData<fn() -> B>,
}

impl<A: LeafSource<B>, B: SearchBoard, T: SharedTable> ClassicSearch<A, B, T> {
    /// With these leaves.
    ///
    /// # Errors
    /// If the system has no room for the table.
    pub fn new(leaves: A, settings: ClassicSettings) -> io::Result<Self> {
        Ok(Self {
            leaves,
            table: T::with_bytes(settings.bytes)?,
            memories: (0..settings.threads.max(1)).map(|_| new_memory()).collect(),
            settings,
            board: PhantomData,
        })
    }
}

fn new_memory() -> MoveMemory {
    MoveMemory::new(MAX_PLY + 2)
}

impl<A: LeafSource<B>, B: SearchBoard, T: SharedTable> Search for ClassicSearch<A, B, T> {
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        self.table.new_search();
        self.memories.iter_mut().for_each(MoveMemory::age);
        let Self {
            leaves,
            table,
            settings,
            memories,
            ..
        } = self;
        let (leaves, parts) = (&*leaves, (settings.switches, settings.quiescence));
        let shared = &SharedClassicSearch {
            table: &*table,
            control,
            is_done: AtomicBool::new(false),
            helper_nodes: AtomicU64::new(0),
        };
        let moves = &request.root_moves()[..];
        let (main, helpers) = memories.split_first_mut().expect("one thread at least");
        thread::scope(|scope| {
            for (number, memory) in helpers.iter_mut().enumerate() {
                let help = move || {
                    let leaf = leaves.leaf(&request.position);
                    let mut worker =
                        ClassicWorker::<B, _, T>::new(leaf, shared, memory, parts, request, true);
                    search_along(&mut worker, moves, number);
                };
                let builder = thread::Builder::new().stack_size(STACK);
                // If there is no thread to be had, the others search without it.
                if builder.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let leaf = leaves.leaf(&request.position);
            let mut worker =
                ClassicWorker::<B, _, T>::new(leaf, shared, main, parts, request, false);
            let result = deepen(&mut worker, moves, request, control, listener);
            shared.is_done.store(true, Relaxed);
            result
        })
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.memories
            .iter_mut()
            .for_each(|memory| *memory = new_memory());
    }
}

/// What a helper does: it deepens too, every other one a ply ahead, and is told when it is over.
fn search_along(worker: &mut impl RootSearch, moves: &[Move], number: usize) {
    let first = 1 + (number as u32 + 1) % 2;
    for depth in first..=MAX_ITERATION {
        if worker.search_root(moves, depth, 1).is_none() {
            break;
        }
    }
}
