//! Sinks, aims and the names of all generators.
//!
//! There is one generator. It walks the pieces once and hands sets of legal moves to a [`Sink`],
//! which may store, count, filter or stop. What makes one generator differ from another is its
//! [`Aim`]: where a piece of each kind may land.
//!
//! Moves to a square, onto a square and moves that save a piece are generators of OpenShogiLib
//! (2003).

mod aim;
mod attacking;
mod captures;
mod checks;
mod drops;
mod escapes;
mod legal;
mod legality;
pub mod perft;
mod pieces;
mod position;
pub mod scan;
mod to;

pub use crate::sink::{Any, Count, Each, Filtered, Generator, MoveBatch, Sink};
pub use aim::{Aim, Masks};
pub use attacking::attacking;
pub use captures::{
    captures, captures_without_worse, non_captures, non_captures_without_worse, promotions, quiet,
    quiet_without_worse,
};
pub use checks::checks;
pub use drops::drops_only as drops;
pub use escapes::escapes;
pub use legal::{evasions, has_legal_move, legal, legal_for, legal_without_worse};
pub use legality::is_legal;
pub use to::to;

/// Runs a generator that is written for a side as a type.
macro_rules! by_turn {
    ($pos:expr, $generator:ident($($argument:expr),*)) => {
        match $pos.turn() {
            $crate::types::color::Color::Black => $generator::<$crate::side::Black>($($argument),*),
            $crate::types::color::Color::White => $generator::<$crate::side::White>($($argument),*),
        }
    };
}
pub(crate) use by_turn;

/// Has a sink receive what a generator finds that is written for a side as a type.
macro_rules! generate {
    ($generator:ident($board:ident: $kind:ty $(, $square:ident: $at:ty)?), $sink:ident) => {{
        struct BoundGenerator<'a>(&'a $kind $(, $at)?);
        impl $crate::sink::Generator for BoundGenerator<'_> {
            #[inline(always)]
            fn run(self, sink: &mut impl $crate::sink::Sink) -> std::ops::ControlFlow<()> {
                let Self($board $(, $square)?) = self;
                $crate::movegen::by_turn!($board, $generator($board $(, $square)?, sink))
            }
            fn fill(self, list: &mut $crate::MoveList) -> std::ops::ControlFlow<()> {
                self.run(list)
            }
        }
        $sink.receive(BoundGenerator($board $(, $square)?))
    }};
}
pub(crate) use generate;
