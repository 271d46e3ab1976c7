//! Categories of moves, each with the probability that such a move is the one played.
//!
//! A category is a type, a tuple of categories is one too, and the compiler writes the code for it.
//! The probabilities were counted in 3000 games of strong programs (floodgate 2016, both rated above 3000):
//! `cargo run --release -p tesuji-search --example 01_transition_probabilities` counts them anew.

use super::probability::TransitionProbability;
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, Position, Square, Value};

/// A position about to be continued, with what many moves are asked about looked up once.
pub struct MoveContext<'p> {
    /// The position.
    pub pos: &'p Position,
    /// Which moves give check.
    pub checks: CheckSquares,
    /// Where the foe has just moved to.
    pub arrived: Option<Square>,
}

impl<'p> MoveContext<'p> {
    /// Looks at a position.
    pub fn of(pos: &'p Position) -> Self {
        Self {
            pos,
            checks: CheckSquares::of(pos),
            arrived: pos.last_move().map(Move::to),
        }
    }
}

/// A category of moves with its probability of being played; a tuple of categories is a category, in
/// which a move is as likely as the likeliest category that it belongs to.
pub trait Category: Send {
    /// How likely a legal move is; `None` if it does not belong here.
    fn probability(&self, context: &MoveContext<'_>, mv: Move) -> Option<TransitionProbability>;
}

/// Every move, all alike: full width, and one halving is one move.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullWidth;

impl Category for FullWidth {
    fn probability(&self, _: &MoveContext<'_>, _: Move) -> Option<TransitionProbability> {
        Some(TransitionProbability::HALF)
    }
}

macro_rules! category {
    ($($(#[$doc:meta])* $name:ident $percent:literal $halvings:literal $belongs:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $name {
            /// How likely such a move is.
            pub const PROBABILITY: TransitionProbability = TransitionProbability::from_halvings($halvings);
        }

        impl Category for $name {
            #[inline]
            fn probability(&self, context: &MoveContext<'_>, mv: Move) -> Option<TransitionProbability> {
                let belongs: fn(&MoveContext<'_>, Move) -> bool = $belongs;
                belongs(context, mv).then_some(Self::PROBABILITY)
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
    Recapture 48.05 271 |context, mv| context.arrived == Some(mv.to()) && takes_well(context, mv);
    /// Takes something, and wins by it.
    WinningCapture 9.76 859 |context, mv| {
        context.pos.is_capture(mv) && see::is_at_least(context.pos, mv, Value::new(1))
    };
    /// Takes something for something as good.
    EvenCapture 8.78 898 takes_well;
    /// Promotes, and loses nothing by it.
    Promotion 2.24 1403 |context, mv| mv.is_promotion() && is_safe(context, mv);
    /// Gives check, and loses nothing by it.
    Check 11.75 791 |context, mv| context.checks.is_check(context.pos, mv) && is_safe(context, mv);
    /// Answers a check.
    Evasion 14.63 710 |context, _| context.pos.in_check();
    /// Takes a piece that is attacked out of danger.
    Escape 3.48 1241 |context, mv| is_attacked(context, mv) && is_safe(context, mv);
    /// Loses nothing.
    Safe 0.8 1782 is_safe;
    /// Any move whatever.
    Anything 0.42 2024 |_, _| true;
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

fn takes_well(context: &MoveContext<'_>, mv: Move) -> bool {
    context.pos.is_capture(mv) && is_safe(context, mv)
}

fn is_safe(context: &MoveContext<'_>, mv: Move) -> bool {
    see::is_at_least(context.pos, mv, Value::ZERO)
}

/// Whether the piece that moves stands under attack.
fn is_attacked(context: &MoveContext<'_>, mv: Move) -> bool {
    let foe = context.pos.turn().foe();
    mv.from()
        .is_some_and(|from| context.pos.is_attacked(foe, from))
}

macro_rules! tuple {
    ($($name:ident)*) => {
        impl<$($name: Category),*> Category for ($($name,)*) {
            #[inline]
            fn probability(&self, context: &MoveContext<'_>, mv: Move) -> Option<TransitionProbability> {
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
