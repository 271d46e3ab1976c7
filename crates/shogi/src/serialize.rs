//! Squares, pieces, moves, colours and positions for `serde`, as the texts people know.
//!
//! A square is `"7g"`, a piece `"+R"`, a move `"7g7f"`, a colour `"black"` or `"white"`, a position
//! its SFEN: the moves that led to it are not kept.

use crate::position::Position;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::Piece;
use crate::types::square::Square;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads a text and lets the type parse it.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($name:ident: $text:expr;)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let text: fn(&Self) -> String = $text;
                serializer.serialize_str(&text(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor(PhantomData))
            }
        }
    )*};
}

as_text! {
    Square: Self::to_string;
    Piece: Self::to_string;
    Move: Self::to_string;
    Color: Self::to_string;
    Position: Self::to_sfen;
}
