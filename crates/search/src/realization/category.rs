//! Classes of moves, each with the chance that such a move is the one played.
//!
//! A class is a type, a tuple of classes is a class, and the compiler writes the code for it. The
//! chances were counted in 3000 games of strong programs (floodgate 2016, both rated above 3000):
//! `cargo run --release -p tesuji-search --example 01_chances` counts them anew.

use super::chance::Chance;
use tesuji_shogi::tactics::{CheckSquares, see};
use tesuji_shogi::{Move, Position, Square, Value};

/// A position about to be continued, with what many moves are asked about looked up once.
pub struct Scene<'p> {
    /// The position.
    pub pos: &'p Position,
    /// Which moves give check.
    pub checks: CheckSquares,
    /// Where the foe has just moved to.
    pub arrived: Option<Square>,
}

impl<'p> Scene<'p> {
    /// Looks at a position.
    pub fn of(pos: &'p Position) -> Self {
        Self {
            pos,
            checks: CheckSquares::of(pos),
            arrived: pos.last_move().map(Move::to),
        }
    }
}

/// A class of moves with its chance of being played; a tuple of classes is a class, in which a move
/// is as likely as the likeliest class says that it belongs to.
pub trait Category: Send {
    /// How likely a legal move is; `None` if it does not belong here.
    fn chance(&self, scene: &Scene<'_>, mv: Move) -> Option<Chance>;
}

/// Every move, all alike: full width, and one halving is one move.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullWidth;

impl Category for FullWidth {
    fn chance(&self, _: &Scene<'_>, _: Move) -> Option<Chance> {
        Some(Chance::HALF)
    }
}

macro_rules! category {
    ($($(#[$doc:meta])* $name:ident $percent:literal $halvings:literal $belongs:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $name {
            /// How likely such a move is.
            pub const CHANCE: Chance = Chance::from_halvings($halvings);
        }

        impl Category for $name {
            #[inline]
            fn chance(&self, scene: &Scene<'_>, mv: Move) -> Option<Chance> {
                let belongs: fn(&Scene<'_>, Move) -> bool = $belongs;
                belongs(scene, mv).then_some(Self::CHANCE)
            }
        }
    )*
        #[cfg(test)]
        /// Every class with its chance in percent.
        pub(super) const COUNTED: &[(&str, f64, Chance)] =
            &[$((stringify!($name), $percent, $name::CHANCE)),*];
    };
}

category! {
    /// Takes the piece that has just moved, and loses nothing by it.
    Recapture 48.05 271 |scene, mv| scene.arrived == Some(mv.to()) && takes_well(scene, mv);
    /// Takes something, and wins by it.
    WinningCapture 9.76 859 |scene, mv| {
        scene.pos.is_capture(mv) && see::is_at_least(scene.pos, mv, Value::new(1))
    };
    /// Takes something for something as good.
    EvenCapture 8.78 898 takes_well;
    /// Promotes, and loses nothing by it.
    Promotion 2.24 1403 |scene, mv| mv.is_promotion() && is_safe(scene, mv);
    /// Gives check, and loses nothing by it.
    Check 11.75 791 |scene, mv| scene.checks.is_check(scene.pos, mv) && is_safe(scene, mv);
    /// Answers a check.
    Evasion 14.63 710 |scene, _| scene.pos.in_check();
    /// Takes a piece that is attacked out of danger.
    Escape 3.48 1241 |scene, mv| is_attacked(scene, mv) && is_safe(scene, mv);
    /// Loses nothing.
    Safe 0.8 1782 is_safe;
    /// Any move whatever.
    Anything 0.42 2024 |_, _| true;
}

/// The classes that a search uses if nobody says otherwise. Every move belongs to one of them.
pub type Usual = (
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

fn takes_well(scene: &Scene<'_>, mv: Move) -> bool {
    scene.pos.is_capture(mv) && is_safe(scene, mv)
}

fn is_safe(scene: &Scene<'_>, mv: Move) -> bool {
    see::is_at_least(scene.pos, mv, Value::ZERO)
}

/// Whether the piece that moves stands under attack.
fn is_attacked(scene: &Scene<'_>, mv: Move) -> bool {
    let foe = scene.pos.turn().foe();
    mv.from()
        .is_some_and(|from| scene.pos.is_attacked(foe, from))
}

macro_rules! tuple {
    ($($name:ident)*) => {
        impl<$($name: Category),*> Category for ($($name,)*) {
            #[inline]
            fn chance(&self, scene: &Scene<'_>, mv: Move) -> Option<Chance> {
                #[allow(non_snake_case, reason = "a class is called like its type")]
                let ($($name,)*) = self;
                let mut likeliest: Option<Chance> = None;
                $(if let Some(chance) = $name.chance(scene, mv)
                    && likeliest.is_none_or(|other| chance.is_likelier_than(other))
                {
                    likeliest = Some(chance);
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
