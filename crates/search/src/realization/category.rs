//! Categories of moves, each with the probability that such a move is the one played.
//!
//! A category is a type, a tuple of categories is one too, and the compiler writes the code for it.
//! It classifies moves that exist, or it generates the moves of its class itself ([`Generated`]): both
//! give the same moves with the same probabilities.
//! The probabilities were counted in 3000 games of strong programs (floodgate 2016, both rated above 3000):
//! `cargo run --release -p tesuji-search --example 01_transition_probabilities` counts them anew.

use super::probability::TransitionProbability;
use crate::search_board::SearchBoard;
use tesuji_shogi::{Color, Move, MoveList, Position, Square, Value};

/// A board about to be continued, with what many moves are asked about looked up once.
pub struct MoveContext<'b, B = Position> {
    /// The board.
    pub board: &'b B,
    /// The moves that give check.
    pub checks: MoveList,
    /// Where the foe has just moved to.
    pub arrived: Option<Square>,
    /// Whether only moves count that may be better than their promotion.
    without_worse: bool,
}

impl<'b, B: SearchBoard> MoveContext<'b, B> {
    /// Looks at a board and all its legal moves.
    pub fn of(board: &'b B) -> Self {
        let mut checks = MoveList::new();
        let _ = board.checks(&mut checks);
        Self {
            board,
            checks,
            arrived: board.arrived(),
            without_worse: false,
        }
    }

    /// Leaves out moves that are never better than their promotion.
    #[must_use]
    pub fn without_worse(self) -> Self {
        Self {
            without_worse: true,
            ..self
        }
    }

    /// Every move that counts.
    pub fn legal(&self) -> MoveList {
        let mut moves = MoveList::new();
        let _ = match self.without_worse {
            true => self.board.legal_without_worse(&mut moves),
            false => self.board.legal(&mut moves),
        };
        moves
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.board.at(mv.to()).is_some()
    }
}

/// Moves with their probabilities.
pub type LikelyMoves = Vec<(Move, TransitionProbability)>;

/// Brings the likeliest moves to the front; those that are alike stay as they were. Compiled once for
/// all boards and categories: sorting is a lot of code.
pub(super) fn likeliest_first(moves: &mut LikelyMoves) {
    moves.sort_by_key(|(_, probability)| probability.halvings());
}

/// A category of moves with its probability of being played; a tuple of categories is a category, in
/// which a move is as likely as the likeliest category that it belongs to.
pub trait Category: Send + Sync {
    /// How likely a legal move is; `None` if it does not belong here.
    fn probability<B: SearchBoard>(
        &self,
        context: &MoveContext<'_, B>,
        mv: Move,
    ) -> Option<TransitionProbability>;

    /// Every move of the category with its probability, each once: those of the legal moves that
    /// belong to it.
    fn moves<B: SearchBoard>(&self, context: &MoveContext<'_, B>) -> LikelyMoves {
        let legal = context.legal();
        let likely = |mv| Some((mv, self.probability(context, mv)?));
        legal.iter().filter_map(likely).collect()
    }

    /// As [`Category::moves`], by a generator of its own where the category has one. A move may come
    /// more than once, and also one that the context leaves out.
    fn generate<B: SearchBoard>(&self, context: &MoveContext<'_, B>, out: &mut LikelyMoves) {
        out.extend(self.moves(context));
    }

    /// Whether every move belongs to it.
    fn has_all(&self) -> bool {
        false
    }

    /// Whether it asks where the foe has just moved to, so that the same position reached by another
    /// move may have other moves in it.
    fn asks_what_arrived(&self) -> bool {
        false
    }
}

/// Categories that generate their moves instead of looking through all of them: recaptures are moves
/// to one square, checks and captures have generators of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Generated<C>(pub C);

impl<C: Category> Category for Generated<C> {
    fn probability<B: SearchBoard>(
        &self,
        context: &MoveContext<'_, B>,
        mv: Move,
    ) -> Option<TransitionProbability> {
        self.0.probability(context, mv)
    }

    fn moves<B: SearchBoard>(&self, context: &MoveContext<'_, B>) -> LikelyMoves {
        let mut moves = Vec::with_capacity(128);
        self.0.generate(context, &mut moves);
        if context.without_worse {
            moves.retain(|&(mv, _)| !context.board.is_always_worse(mv));
        }
        // Of a move that several categories gave, the likeliest stays.
        moves.sort_unstable_by_key(|&(mv, probability)| (mv.bits(), probability.halvings()));
        moves.dedup_by_key(|(mv, _)| *mv);
        moves
    }

    fn has_all(&self) -> bool {
        self.0.has_all()
    }

    fn asks_what_arrived(&self) -> bool {
        self.0.asks_what_arrived()
    }
}

/// Every move, all alike: full width, and one halving is one move.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullWidth;

impl Category for FullWidth {
    fn probability<B: SearchBoard>(
        &self,
        _: &MoveContext<'_, B>,
        _: Move,
    ) -> Option<TransitionProbability> {
        Some(TransitionProbability::HALF)
    }
    fn has_all(&self) -> bool {
        true
    }
}

/// Where a category finds its moves if it generates them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Moves to where the foe has just moved to.
    Recaptures,
    Captures,
    Checks,
    Evasions,
    /// All legal moves: there is no generator for the category.
    Everything,
}

/// Moves among which those of a category are.
fn candidates<B: SearchBoard>(context: &MoveContext<'_, B>, source: Source) -> MoveList {
    let (board, mut moves) = (context.board, MoveList::new());
    let _ = match (source, context.arrived) {
        (Source::Recaptures, Some(square)) => board.to(square, &mut moves),
        (Source::Recaptures, None) => return moves,
        (Source::Captures, _) => board.captures(&mut moves),
        (Source::Checks, _) => return context.checks.clone(),
        (Source::Evasions, _) => board.evasions(&mut moves),
        (Source::Everything, _) => return context.legal(),
    };
    moves
}

macro_rules! category {
    ($(
        $(#[$doc:meta])*
        $name:ident $percent:literal $halvings:literal $source:ident |$context:ident, $mv:ident| $belongs:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $name {
            /// How likely such a move is.
            pub const PROBABILITY: TransitionProbability = TransitionProbability::from_halvings($halvings);
        }

        impl Category for $name {
            #[inline]
            fn probability<B: SearchBoard>(
                &self,
                $context: &MoveContext<'_, B>,
                $mv: Move,
            ) -> Option<TransitionProbability> {
                $belongs.then_some(Self::PROBABILITY)
            }

            fn generate<B: SearchBoard>(&self, context: &MoveContext<'_, B>, out: &mut LikelyMoves) {
                for mv in candidates(context, Source::$source).iter() {
                    out.extend(self.probability(context, mv).map(|probability| (mv, probability)));
                }
            }

            fn has_all(&self) -> bool {
                Self::PROBABILITY == Anything::PROBABILITY
            }

            fn asks_what_arrived(&self) -> bool {
                Source::$source == Source::Recaptures
            }
        }
    )*
        #[cfg(test)]
        /// Every category with its probability in percent.
        pub(super) const COUNTED: &[(&str, f64, TransitionProbability)] =
            &[$((stringify!($name), $percent, $name::PROBABILITY)),*];
    };
}

category! {
    /// Takes the piece that has just moved, and loses nothing by it.
    Recapture 48.05 271 Recaptures |context, mv| {
        context.arrived == Some(mv.to()) && takes_well(context, mv)
    };
    /// Takes something, and wins by it.
    WinningCapture 9.76 859 Captures |context, mv| {
        context.is_capture(mv) && context.board.exchange_is_at_least(mv, Value::new(1))
    };
    /// Takes something for something as good.
    EvenCapture 8.78 898 Captures |context, mv| takes_well(context, mv);
    /// Promotes, and loses nothing by it.
    Promotion 2.24 1403 Everything |context, mv| mv.is_promotion() && is_safe(context, mv);
    /// Gives check, and loses nothing by it.
    Check 11.75 791 Checks |context, mv| context.checks.contains(mv) && is_safe(context, mv);
    /// Answers a check.
    Evasion 14.63 710 Evasions |context, _mv| context.board.is_in_check();
    /// Takes a piece that is attacked out of danger.
    Escape 3.48 1241 Everything |context, mv| is_attacked(context, mv) && is_safe(context, mv);
    /// Loses nothing.
    Safe 0.8 1782 Everything |context, mv| is_safe(context, mv);
    /// Any move whatever.
    Anything 0.42 2024 Everything |_context, _mv| true;
}

/// The categories that a search uses if nobody says otherwise. Every move belongs to one of them.
pub type StandardCategories = (
    Recapture,
    WinningCapture,
    EvenCapture,
    Promotion,
    Check,
    Evasion,
    Escape,
    Safe,
    Anything,
);

/// Categories of moves that force something, all of which have generators: captures, checks and
/// answers to checks. Other moves are not followed; that there are some says that nobody has to take.
pub type ForcingCategories = Generated<(Recapture, WinningCapture, EvenCapture, Check, Evasion)>;

fn takes_well<B: SearchBoard>(context: &MoveContext<'_, B>, mv: Move) -> bool {
    context.is_capture(mv) && is_safe(context, mv)
}

fn is_safe<B: SearchBoard>(context: &MoveContext<'_, B>, mv: Move) -> bool {
    context.board.exchange_is_at_least(mv, Value::ZERO)
}

/// Whether the piece that moves stands under attack.
fn is_attacked<B: SearchBoard>(context: &MoveContext<'_, B>, mv: Move) -> bool {
    let foe: Color = context.board.turn().foe();
    mv.from()
        .is_some_and(|from| context.board.is_square_attacked(foe, from))
}

macro_rules! tuple {
    ($($name:ident)*) => {
        impl<$($name: Category),*> Category for ($($name,)*) {
            #[inline]
            fn probability<Bo: SearchBoard>(
                &self,
                context: &MoveContext<'_, Bo>,
                mv: Move,
            ) -> Option<TransitionProbability> {
                #[allow(non_snake_case, reason = "a category is called like its type")]
                let ($($name,)*) = self;
                let mut likeliest: Option<TransitionProbability> = None;
                $(if let Some(probability) = $name.probability(context, mv)
                    && likeliest.is_none_or(|other| probability.is_likelier_than(other))
                {
                    likeliest = Some(probability);
                })*
                likeliest
            }

            fn generate<Bo: SearchBoard>(&self, context: &MoveContext<'_, Bo>, out: &mut LikelyMoves) {
                #[allow(non_snake_case, reason = "a category is called like its type")]
                let ($($name,)*) = self;
                $($name.generate(context, out);)*
            }

            fn has_all(&self) -> bool {
                #[allow(non_snake_case, reason = "a category is called like its type")]
                let ($($name,)*) = self;
                false $(|| $name.has_all())*
            }

            fn asks_what_arrived(&self) -> bool {
                #[allow(non_snake_case, reason = "a category is called like its type")]
                let ($($name,)*) = self;
                false $(|| $name.asks_what_arrived())*
            }
        }
    };
}
tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);
tuple!(A B C D E F G H I);
tuple!(A B C D E F G H I J);
