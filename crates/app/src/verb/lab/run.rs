//! One search with one evaluator on one board, timed.

use crate::answer::Failure;
use std::time::{Duration, Instant};
use tesuji_engine::{MakeSearchError, SearchFactory, TournamentFactory};
use tesuji_eval::{AnyEval, EvalSettings, EvalSpec};
use tesuji_search::ladder::{
    AnyTable, BestTable, BoardTree, BoundsTable, Climb, MoveOrder, Rung, Tree,
};
use tesuji_search::players::{BoardName, PlayerParts, TableName};
use tesuji_search::{
    BesideLeaves, EvaluatedLeaves, LeafSource, NoListener, Phase, SearchBoard, SearchControl,
    SearchLimits, SearchRequest, WithPast,
};
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{Move, Position, Value};

/// What is combined, beside an evaluator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combination {
    pub(super) parts: PlayerParts,
}

/// What holds for all combinations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) order: MoveOrder,
    pub(super) depth: u32,
    pub(super) halvings: u32,
    pub(super) hash_bytes: usize,
    pub(super) threads: usize,
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LabResult {
    pub(super) value: Value,
    pub(super) best: Option<Move>,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) leaf: &'static str,
}

/// What came out, or why the parts do not go together.
pub(super) type LabOutcome = Result<LabResult, &'static str>;

/// An evaluator and where it comes from.
pub(super) struct Subject<'a> {
    /// Behind a pointer, as the engine has it, so that one search serves every evaluator.
    pub(super) eval: AnyEval,
    pub(super) spec: &'a EvalSpec,
    pub(super) eval_settings: EvalSettings,
}

impl Subject<'_> {
    /// Piece values can be kept on any board.
    fn is_material(&self) -> bool {
        *self.spec == EvalSpec::Material
    }

    /// How leaves are evaluated on a board.
    fn leaf(&self, board: BoardName) -> &'static str {
        match (board, self.is_material()) {
            (BoardName::Position, _) => "followed",
            (_, true) => "counted",
            (_, false) => "beside",
        }
    }
}

/// Searches, or says why the parts do not go together.
pub(super) fn run(
    subject: &Subject<'_>,
    pos: &Position,
    Combination { parts }: Combination,
    settings: &Settings,
) -> Result<LabOutcome, Failure> {
    // A rung of which nothing else is asked looks at the tree once, and that is what is counted.
    let (climb, time) = match parts.search.rung() {
        Some(rung) if parts.quiescence.is_none() => {
            climb_rung(subject, pos, rung, &parts, settings)
        }
        _ => match think(subject, pos, &parts, settings) {
            Err(MakeSearchError::Parts(why)) => return Ok(Err(why)),
            other => other?,
        },
    };
    Ok(Ok(LabResult {
        value: climb.value,
        best: climb.best,
        nodes: climb.nodes,
        time,
        leaf: subject.leaf(parts.board),
    }))
}

/// What came out, and how long it took.
type Timed<T> = (T, Duration);

fn timed<T>(work: impl FnOnce() -> T) -> Timed<T> {
    let start = Instant::now();
    (work(), start.elapsed())
}

/// Chooses the board and its leaves.
fn climb_rung(
    subject: &Subject<'_>,
    pos: &Position,
    rung: Rung,
    parts: &PlayerParts,
    settings: &Settings,
) -> Timed<Climb<Move>> {
    let eval = subject.eval.clone();
    let beside = |eval| match subject.is_material() {
        true => BesideLeaves::Counted,
        false => BesideLeaves::Evaluated(eval),
    };
    let job = (rung, parts.used_table(), settings);
    match parts.board {
        BoardName::Position => climb_on::<Position, _>(&EvaluatedLeaves(eval), pos, job),
        BoardName::Mailbox => climb_on::<WithPast<Mailbox>, _>(&beside(eval), pos, job),
        BoardName::Scan => climb_on::<WithPast<ScanBoard>, _>(&beside(eval), pos, job),
    }
}

fn climb_on<B: SearchBoard, A: LeafSource<B>>(
    leaves: &A,
    pos: &Position,
    (rung, table, settings): (Rung, TableName, &Settings),
) -> Timed<Climb<Move>> {
    let Settings { order, depth, .. } = *settings;
    let tree = BoardTree::new(B::of(pos), leaves.leaf(pos), order, depth);
    climb(rung, tree, table)
}

/// Slots of the tables of the ladder.
const SLOTS: usize = 1 << 18;

/// Tables are made before the time begins to count.
fn climb<T: Tree<Branch = Move>>(rung: Rung, tree: T, table: TableName) -> Timed<Climb<Move>> {
    let mut table = match table {
        TableName::None => AnyTable::Nothing,
        TableName::BestMove => AnyTable::Best(BestTable::new(SLOTS)),
        TableName::Bounds => AnyTable::Bounds(BoundsTable::new(SLOTS)),
    };
    timed(|| rung.count(tree, Value::ZERO, &mut table))
}

/// A player thinks as deep as it is told.
fn think(
    subject: &Subject<'_>,
    pos: &Position,
    parts: &PlayerParts,
    settings: &Settings,
) -> Result<Timed<Climb<Move>>, MakeSearchError> {
    let mut search = TournamentFactory.make_player(
        parts,
        (subject.spec, &subject.eval_settings),
        settings.threads,
        settings.hash_bytes,
    )?;
    let depth = match parts.search.counts_halvings() {
        true => settings.halvings,
        false => settings.depth,
    };
    let mut request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(depth));
    // The ladder looks at every legal move, and what is compared should be comparable.
    request.rules.all_legal_moves = true;
    let control = SearchControl::new(Phase::Thinking, None);
    let (result, time) = timed(|| search.think(&request, &control, &mut NoListener));
    let climb = Climb {
        value: result.value,
        best: result.answer.played(),
        nodes: result.nodes,
        leaves: 0,
    };
    Ok((climb, time))
}
