//! Adjudication: the rules by which a game ends early, as cutechess and fishtest have them.

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Value};

/// Adjudicates a win that both players see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// How clear: both players must say so.
    pub value: i32,
    /// In how many moves of each in a row.
    pub moves: usize,
}

/// Adjudicates a draw that both players see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// How close to even both players must see it.
    pub value: i32,
    /// In how many moves of each in a row.
    pub moves: usize,
    /// Not before this move.
    pub after: u32,
}

/// The rules in use; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// Ends games that are won.
    pub resign: Option<ResignRule>,
    /// Ends games that are drawn.
    pub draw: Option<DrawRule>,
}

/// How a game was adjudicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudicated {
    /// This side wins.
    Win(Color),
    /// Nobody wins.
    Draw,
}

impl Adjudication {
    /// Judges a game by what the players said, each for itself, move by move. `last` made the last
    /// move, which has the number `ply`.
    pub fn adjudicate(
        &self,
        values: &[Option<Value>],
        last: Color,
        ply: u32,
    ) -> Option<Adjudicated> {
        let won = self.resign.and_then(|rule| rule.adjudicate(values, last));
        won.or_else(|| self.draw.and_then(|rule| rule.adjudicate(values, ply)))
    }
}

impl ResignRule {
    fn adjudicate(&self, values: &[Option<Value>], last: Color) -> Option<Adjudicated> {
        // Newest first: the one who moved last, the other, and so on.
        let mut sides = [last, last.foe()].into_iter().cycle();
        let recent = recent(values, 2 * self.moves)?;
        let mut winners = recent.map(|value| {
            let side = sides.next().unwrap_or(last);
            match value?.points() {
                points if points >= self.value => Some(side),
                points if points <= -self.value => Some(side.foe()),
                _ => None,
            }
        });
        let winner = winners.next()??;
        let agreed = winners.all(|side| side == Some(winner));
        agreed.then_some(Adjudicated::Win(winner))
    }
}

impl DrawRule {
    fn adjudicate(&self, values: &[Option<Value>], ply: u32) -> Option<Adjudicated> {
        let is_even =
            |value: Option<Value>| value.is_some_and(|value| value.points().abs() <= self.value);
        let agreed = ply >= self.after && recent(values, 2 * self.moves)?.all(is_even);
        agreed.then_some(Adjudicated::Draw)
    }
}

/// The last values, newest first, if there are so many.
fn recent(
    values: &[Option<Value>],
    count: usize,
) -> Option<impl Iterator<Item = Option<Value>> + '_> {
    let start = values.len().checked_sub(count.max(1))?;
    Some(values[start..].iter().rev().copied())
}

#[cfg(test)]
mod tests;
