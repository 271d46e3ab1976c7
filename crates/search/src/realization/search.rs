//! A search that ends a line when it has become too unlikely (Tsuruoka, Yokoyama and Chikayama,
//! 2002; the search of Gekisashi).

use super::category::{
    Anything, Category, LikelyMoves, MoveContext, StandardCategories, likeliest_first,
};
use super::method::{AlphaBeta, WindowMethod};
use super::probability::RealizationDepth;
use super::table::{RealizationTable, TableUse};
use super::worker::RealizationWorker;
use crate::control::SearchControl;
use crate::deepen::{RootSearch, deepen};
use crate::info::SearchListener;
use crate::leaf_eval::{EvaluatedLeaves, LeafEval, LeafSource};
use crate::request::SearchRequest;
use crate::result::SearchResult;
use crate::search::Search;
use crate::search_board::SearchBoard;
use std::marker::PhantomData;
use tesuji_eval::Eval;
use tesuji_shogi::{Move, Position, Value};

/// Searches by realization probability: with an evaluation, the categories of moves, and a way to
/// ask for the value. [`FullWidth`](super::FullWidth) as the category makes it a plain alpha-beta.
///
/// An iteration follows every line until its moves are together less likely than a threshold, which
/// is halved from one iteration to the next.
///
/// ```
/// use tesuji_eval::Material;
/// use tesuji_search::realization::RealizationSearch;
/// use tesuji_search::{Answer, NoListener, Phase, Search, SearchControl, SearchRequest};
/// use tesuji_shogi::Position;
/// // A gold in hand, and a pawn that guards 5b.
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let mut request = SearchRequest::new(pos);
/// request.limits.mate = Some(1);
/// let control = SearchControl::new(Phase::Thinking, None);
/// let mut search = RealizationSearch::standard(Material, 1 << 20);
/// let result = search.think(&request, &control, &mut NoListener);
/// assert_eq!(result.answer, Answer::Move("G*5b".parse().unwrap()));
/// assert_eq!(result.value.mate_distance(), Some(1));
/// ```
pub struct RealizationSearch<A, C = StandardCategories, M = AlphaBeta, B = Position> {
    leaves: A,
    category: C,
    method: PhantomData<(M, fn() -> B)>,
    table: RealizationTable,
    quiescence: bool,
}

impl<E: Eval + Send> RealizationSearch<EvaluatedLeaves<E>> {
    /// With the standard categories of moves, under alpha-beta.
    pub fn standard(eval: E, bytes: usize) -> Self {
        Self::new(eval, StandardCategories::default(), AlphaBeta, bytes)
    }
}

impl<E: Eval + Send, C: Category, M: WindowMethod> RealizationSearch<EvaluatedLeaves<E>, C, M> {
    /// With these categories and this method; remembers positions in about so many bytes.
    pub fn new(eval: E, category: C, method: M, bytes: usize) -> Self {
        Self::on_board(EvaluatedLeaves(eval), category, method, bytes)
    }
}

impl<A, C: Category, M: WindowMethod, B: SearchBoard> RealizationSearch<A, C, M, B> {
    /// On any board, with leaves that are evaluated there.
    pub fn on_board(leaves: A, category: C, _: M, bytes: usize) -> Self {
        Self {
            leaves,
            category,
            method: PhantomData,
            table: RealizationTable::new(bytes),
            quiescence: false,
        }
    }

    /// Lets captures run out before a leaf is evaluated, or not.
    #[must_use]
    pub fn with_quiescence(mut self, quiescence: bool) -> Self {
        self.quiescence = quiescence;
        self
    }

    /// Uses the table for this and no more.
    #[must_use]
    pub fn with_table_use(mut self, usage: TableUse) -> Self {
        self.table.set_use(usage);
        self
    }

    /// The root moves with their probabilities, likeliest first. All that are asked for are tried,
    /// whether or not they belong to a category.
    fn root_moves(&self, request: &SearchRequest) -> LikelyMoves {
        let board = B::of(&request.position);
        let context = MoveContext::of(&board);
        let with_probability = |mv: Move| {
            let probability = self.category.probability(&context, mv);
            (mv, probability.unwrap_or(Anything::PROBABILITY))
        };
        let moves = request.root_moves().into_iter().map(with_probability);
        let mut moves: LikelyMoves = moves.collect();
        likeliest_first(&mut moves);
        moves
    }
}

impl<A, C, M, B> Search for RealizationSearch<A, C, M, B>
where
    A: LeafSource<B>,
    C: Category,
    M: WindowMethod,
    B: SearchBoard,
{
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let likely = self.root_moves(request);
        let moves: Vec<Move> = likely.iter().map(|&(mv, _)| mv).collect();
        let worker = RealizationWorker::<B, _, C>::new(
            self.leaves.leaf(&request.position),
            &self.category,
            &mut self.table,
            self.quiescence,
            request,
            control,
        );
        let method = PhantomData::<M>;
        let mut root = RealizationRoot {
            worker,
            likely,
            method,
        };
        deepen(&mut root, &moves, request, control, listener)
    }

    fn new_game(&mut self) {
        self.table.clear();
    }
}

/// A worker with the probabilities of the root moves and a way to ask for the value.
struct RealizationRoot<'a, B, L, C, M> {
    worker: RealizationWorker<'a, B, L, C>,
    likely: LikelyMoves,
    method: PhantomData<M>,
}

impl<B: SearchBoard, L: LeafEval<B>, C: Category, M: WindowMethod> RootSearch
    for RealizationRoot<'_, B, L, C, M>
{
    fn search_root(
        &mut self,
        moves: &[Move],
        depth: u32,
        multipv: usize,
    ) -> Option<(Value, Vec<Move>)> {
        let worker = &mut self.worker;
        let wanted = self.likely.iter().filter(|(mv, _)| moves.contains(mv));
        worker.set_root_moves(wanted.copied().collect());
        let (guess, depth) = (
            worker.first_guess(multipv),
            RealizationDepth::halvings(depth),
        );
        let value = M::seek(guess, |alpha, beta| worker.root(alpha, beta, depth))?;
        worker.set_first_guess(multipv, value);
        Some((value, worker.root_pv().to_vec()))
    }
    fn nodes(&self) -> u64 {
        self.worker.nodes()
    }
    fn seldepth(&self) -> u32 {
        self.worker.seldepth()
    }
    fn hashfull(&self) -> u32 {
        self.worker.hashfull()
    }
}
