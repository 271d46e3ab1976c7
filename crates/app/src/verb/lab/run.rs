//! One search with one evaluator on one board, timed.

use super::method::{Method, TableName};
use crate::verb::perft::BoardName;
use std::time::{Duration, Instant};
use tesuji_engine::EngineSearch;
use tesuji_eval::{AnyEval, Eval};
use tesuji_search::ladder::{
    BestTable, BoardTree, BoundsTable, Climb, FreshLeafEval, IncrementalLeafEval, MaterialLeafEval,
    MoveOrder, NoTable, Rung, Tree,
};
use tesuji_search::realization::{
    AlphaBeta, FullWidth, MtdF, RealizationSearch, StandardCategories,
};
use tesuji_search::{
    NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest, SearchResult,
};
use tesuji_shogi::Mailbox;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{Move, Position, Value};

/// What is combined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combination {
    pub(super) board: BoardName,
    pub(super) method: Method,
    /// For rungs that use one.
    pub(super) table: Option<TableName>,
}

/// What holds for all combinations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) order: MoveOrder,
    pub(super) depth: u32,
    pub(super) halvings: u32,
    pub(super) hash_bytes: usize,
    /// Piece values can be kept on any board.
    pub(super) is_material: bool,
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LabResult {
    pub(super) value: Value,
    pub(super) best: Option<Move>,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) leaf: Leaf,
}

/// How leaves were evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    /// By an evaluator that follows the moves.
    Followed,
    /// By piece values that follow the moves, on any board.
    Counted,
    /// By setting up a position for the evaluator at every leaf.
    SetUp,
}

impl Leaf {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Followed => "followed",
            Self::Counted => "counted",
            Self::SetUp => "set-up",
        }
    }
}

/// An evaluator and what belongs to it.
pub(super) struct Subject {
    /// Behind a pointer, as the engine has it, so that one search serves every evaluator.
    pub(super) eval: AnyEval,
    /// The tournament search, if it is wanted.
    pub(super) tournament: Option<Box<dyn EngineSearch>>,
}

/// Searches; `None` if the search knows no such board.
pub(super) fn run(
    subject: &mut Subject,
    pos: &Position,
    combination: Combination,
    settings: &Settings,
) -> Option<LabResult> {
    let ((climb, time), leaf) = match (combination.method.rung(), combination.board) {
        (Some(rung), BoardName::Position) => {
            let Settings { order, depth, .. } = *settings;
            let tree = BoardTree::new(
                pos.clone(),
                IncrementalLeafEval::new(&subject.eval),
                order,
                depth,
            );
            (climb(rung, tree, combination.table), Leaf::Followed)
        }
        (Some(rung), _) => {
            let eval = &subject.eval;
            let fresh = &|pos: &Position| eval.value(&mut eval.stack(), pos);
            climb_other(fresh, pos, rung, combination, settings)
        }
        (None, BoardName::Position) => {
            let (best, time) = think(subject, pos, combination.method, settings);
            ((as_climb(&best), time), Leaf::Followed)
        }
        (None, _) => return None,
    };
    Some(LabResult {
        value: climb.value,
        best: climb.best,
        nodes: climb.visits,
        time,
        leaf,
    })
}

/// On a board that evaluators cannot be asked about.
fn climb_other(
    fresh: &dyn Fn(&Position) -> Value,
    pos: &Position,
    rung: Rung,
    Combination { board, table, .. }: Combination,
    settings: &Settings,
) -> (Timed<Climb<Move>>, Leaf) {
    let Settings {
        order,
        depth,
        is_material,
        ..
    } = *settings;
    let climb = match (board, is_material) {
        (BoardName::Mailbox, true) => climb(
            rung,
            BoardTree::new(Mailbox::from(pos), MaterialLeafEval::new(pos), order, depth),
            table,
        ),
        (BoardName::Mailbox, false) => climb(
            rung,
            BoardTree::new(Mailbox::from(pos), FreshLeafEval::new(fresh), order, depth),
            table,
        ),
        (_, true) => climb(
            rung,
            BoardTree::new(
                ScanBoard::from(pos),
                MaterialLeafEval::new(pos),
                order,
                depth,
            ),
            table,
        ),
        (_, false) => climb(
            rung,
            BoardTree::new(
                ScanBoard::from(pos),
                FreshLeafEval::new(fresh),
                order,
                depth,
            ),
            table,
        ),
    };
    (
        climb,
        if is_material {
            Leaf::Counted
        } else {
            Leaf::SetUp
        },
    )
}

/// What came out, and how long it took.
type Timed<T> = (T, Duration);

fn timed<T>(work: impl FnOnce() -> T) -> Timed<T> {
    let start = Instant::now();
    (work(), start.elapsed())
}

/// Slots of the tables of the ladder.
const SLOTS: usize = 1 << 18;

/// Tables are made before the time begins to count.
fn climb<T: Tree<Branch = Move>>(
    rung: Rung,
    tree: T,
    table: Option<TableName>,
) -> Timed<Climb<Move>> {
    let guess = Value::ZERO;
    match table.unwrap_or(TableName::None) {
        TableName::None => timed(|| rung.count(tree, guess, &mut NoTable)),
        TableName::BestMove => {
            let mut table = BestTable::new(SLOTS);
            timed(|| rung.count(tree, guess, &mut table))
        }
        TableName::Bounds => {
            let mut table = BoundsTable::new(SLOTS);
            timed(|| rung.count(tree, guess, &mut table))
        }
    }
}

fn think(
    subject: &mut Subject,
    pos: &Position,
    method: Method,
    settings: &Settings,
) -> Timed<SearchResult> {
    let depth = match method.counts_halvings() {
        true => settings.halvings,
        false => settings.depth,
    };
    let mut request = SearchRequest::new(pos.clone()).with_limits(SearchLimits::depth(depth));
    // The ladder looks at every legal move, and what is compared should be comparable.
    request.rules.all_legal_moves = true;
    let ask = |search: &mut dyn Search| {
        let control = SearchControl::new(Phase::Thinking, None);
        timed(|| search.think(&request, &control, &mut NoListener))
    };
    let (eval, categories, bytes) = (
        subject.eval.clone(),
        StandardCategories::default(),
        settings.hash_bytes,
    );
    match (method, &mut subject.tournament) {
        (Method::Tournament, Some(tournament)) => {
            tournament.new_game();
            ask(tournament.as_mut())
        }
        (Method::Realization, _) => ask(&mut RealizationSearch::new(
            eval, categories, AlphaBeta, bytes,
        )),
        (Method::RealizationMtdf, _) => {
            ask(&mut RealizationSearch::new(eval, categories, MtdF, bytes))
        }
        (Method::FullWidthMtdf, _) => {
            ask(&mut RealizationSearch::new(eval, FullWidth, MtdF, bytes))
        }
        _ => ask(&mut RealizationSearch::new(
            eval, FullWidth, AlphaBeta, bytes,
        )),
    }
}

fn as_climb(best: &SearchResult) -> Climb<Move> {
    Climb {
        value: best.value,
        best: best.answer.played(),
        visits: best.nodes,
        leaves: 0,
    }
}
