//! From names to a search, once: the visitor is called with the concrete type, and below that call
//! nothing is dynamic but the evaluator, where it is [`AnyEval`].

use super::ladder_search::LadderSearch;
use super::parts::{BoardName, PlayerParts, SearchName, TableName};
use crate::classic::{BestMoves, ClassicSearch, ClassicSettings, Nothing, SharedTable};
use crate::ladder::Rung;
use crate::leaf_eval::{BesideLeaves, EvaluatedLeaves, LeafSource};
use crate::realization::{
    AlphaBeta, Category, ForcingCategories, FullWidth, MtdF, RealizationSearch, StandardCategories,
    TableUse, WindowMethod,
};
use crate::search::Search;
use crate::search_board::{SearchBoard, WithPast};
use crate::tournament::AnyTournament;
use crate::tt::TranspositionTable;
use std::{fmt, io};
use tesuji_eval::AnyEval;
use tesuji_shogi::movegen::scan::ScanBoard;
use tesuji_shogi::{Mailbox, Position};

/// Who wants a search, whichever it is.
pub trait PlayerVisitor {
    /// What comes out.
    type Out;
    /// Takes the search.
    fn visit<S: Search + 'static>(self, search: S) -> Self::Out;
}

/// Why there is no such player.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// The parts do not go together.
    #[error("{0}")]
    Refused(PartsRefusal),
    /// The system has no room for the table.
    #[error(transparent)]
    Table(#[from] io::Error),
}

/// Why parts do not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartsRefusal {
    /// A search without transpositions has no use for a table.
    NoTable,
    /// The tournament search has one board.
    OneBoard,
    /// The tournament search has one table.
    OneTable,
    /// The tournament search has its own quiescence.
    OwnQuiescence,
    /// A switch of the classic search.
    ClassicOnly,
}

impl PartsRefusal {
    /// The reason in one sentence.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoTable => {
                "this search comes to no node twice and has no use for a table: \
                 leave table= out, or take mtdf, deepening, full-width, realization or classic"
            }
            Self::OneBoard => {
                "the tournament search is one with its board: its check information, \
                 exchange values, move picker and mate solver are sets of squares that `position` \
                 keeps; search=classic takes every board"
            }
            Self::OneTable => {
                "the tournament search lives on the bounds in its table, by which it extends, \
                 reduces and cuts; search=classic takes every table"
            }
            Self::OwnQuiescence => {
                "quiescence is a part of the tournament search; search=classic can do without it"
            }
            Self::ClassicOnly => {
                "null-move, futility, reductions and mate are switches of search=classic"
            }
        }
    }
}

impl fmt::Display for PartsRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl PlayerParts {
    /// Whether the parts go together.
    ///
    /// # Errors
    /// Why not, in one sentence.
    pub fn check(&self) -> Result<(), PartsError> {
        let refuse = |why| Err(PartsError::Refused(why));
        if self.search == SearchName::Tournament {
            if self.board != BoardName::Position {
                return refuse(PartsRefusal::OneBoard);
            }
            if self.used_table() != TableName::Bounds {
                return refuse(PartsRefusal::OneTable);
            }
            if !self.is_quiet() {
                return refuse(PartsRefusal::OwnQuiescence);
            }
        }
        if !self.search.uses_table() && self.used_table() != TableName::None {
            return refuse(PartsRefusal::NoTable);
        }
        if self.search != SearchName::Classic && self.switches != PlayerParts::default().switches {
            return refuse(PartsRefusal::ClassicOnly);
        }
        Ok(())
    }
}

/// Makes the search that the parts mean and hands it to the visitor. `is_material` says that the
/// evaluator is nothing but piece values, which array boards count for themselves.
///
/// # Errors
/// If the parts do not go together, or there is no room for the table.
pub fn choose<V: PlayerVisitor>(
    parts: &PlayerParts,
    (eval, is_material): (AnyEval, bool),
    (threads, bytes): (usize, usize),
    visitor: V,
) -> Result<V::Out, PartsError> {
    parts.check()?;
    let order = PlayerChoice {
        parts: *parts,
        threads,
        bytes,
        visitor,
    };
    if parts.search == SearchName::Tournament {
        let search = AnyTournament::new(eval, threads, bytes)?;
        return Ok(order.visitor.visit(search));
    }
    let beside = |eval| match is_material {
        true => BesideLeaves::Counted,
        false => BesideLeaves::Evaluated(eval),
    };
    match parts.board {
        BoardName::Position => order.on::<Position, _>(EvaluatedLeaves(eval)),
        BoardName::Mailbox => order.on::<WithPast<Mailbox>, _>(beside(eval)),
        BoardName::Scan => order.on::<WithPast<ScanBoard>, _>(beside(eval)),
    }
}

/// As [`choose`], behind a pointer through which the player is asked once for every move. What is
/// generic is compiled anew in every crate that uses it: this is compiled here, once for all.
///
/// # Errors
/// As there.
pub fn choose_boxed(
    parts: &PlayerParts,
    eval: (AnyEval, bool),
    size: (usize, usize),
) -> Result<Box<dyn Search>, PartsError> {
    choose(parts, eval, size, Boxed)
}

struct Boxed;

impl PlayerVisitor for Boxed {
    type Out = Box<dyn Search>;
    fn visit<S: Search + 'static>(self, search: S) -> Box<dyn Search> {
        Box::new(search)
    }
}

/// A choice under way.
struct PlayerChoice<V> {
    parts: PlayerParts,
    threads: usize,
    bytes: usize,
    visitor: V,
}

impl<V: PlayerVisitor> PlayerChoice<V> {
    /// The board and the leaves are chosen.
    fn on<B, A>(self, leaves: A) -> Result<V::Out, PartsError>
    where
        B: SearchBoard + 'static,
        A: LeafSource<B> + 'static,
    {
        use SearchName as Name;
        if let Some(rung) = self.parts.search.rung() {
            return Ok(self.ladder::<B, A>(rung, leaves));
        }
        Ok(match self.parts.search {
            Name::FullWidth => self.realization::<B, A, _, _>(leaves, FullWidth, AlphaBeta),
            Name::FullWidthMtdf => self.realization::<B, A, _, _>(leaves, FullWidth, MtdF),
            Name::Realization => {
                self.realization::<B, A, _, _>(leaves, StandardCategories::default(), AlphaBeta)
            }
            Name::RealizationMtdf => {
                self.realization::<B, A, _, _>(leaves, StandardCategories::default(), MtdF)
            }
            Name::RealizationForcing => {
                self.realization::<B, A, _, _>(leaves, ForcingCategories::default(), AlphaBeta)
            }
            _ => match self.parts.used_table() {
                TableName::None => self.classic::<B, A, Nothing>(leaves)?,
                TableName::BestMove => self.classic::<B, A, BestMoves>(leaves)?,
                TableName::Bounds => self.classic::<B, A, TranspositionTable>(leaves)?,
            },
        })
    }

    fn ladder<B, A>(self, rung: Rung, leaves: A) -> V::Out
    where
        B: SearchBoard + 'static,
        A: LeafSource<B> + 'static,
    {
        let quiescence = self.parts.is_quiet();
        let memory = (self.parts.used_table(), self.bytes);
        let search = LadderSearch::<A, B>::new(rung, leaves, quiescence, memory);
        self.visitor.visit(search)
    }

    fn realization<B, A, C, M>(self, leaves: A, category: C, method: M) -> V::Out
    where
        B: SearchBoard + 'static,
        A: LeafSource<B> + 'static,
        C: Category + 'static,
        M: WindowMethod + 'static,
    {
        let usage = match self.parts.used_table() {
            TableName::None => TableUse::Nothing,
            TableName::BestMove => TableUse::BestMove,
            TableName::Bounds => TableUse::Bounds,
        };
        let search =
            RealizationSearch::<A, C, M, B>::on_board(leaves, category, method, self.bytes)
                .with_quiescence(self.parts.is_quiet())
                .with_table_use(usage);
        self.visitor.visit(search)
    }

    fn classic<B, A, T>(self, leaves: A) -> Result<V::Out, PartsError>
    where
        B: SearchBoard + 'static,
        A: LeafSource<B> + 'static,
        T: SharedTable + 'static,
    {
        let settings = ClassicSettings {
            switches: self.parts.switches,
            quiescence: self.parts.is_quiet(),
            threads: self.threads,
            bytes: self.bytes,
        };
        let search = ClassicSearch::<A, B, T>::new(leaves, settings)?;
        Ok(self.visitor.visit(search))
    }
}
