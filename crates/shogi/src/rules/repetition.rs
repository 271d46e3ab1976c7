//! Fourfold repetition, perpetual check, better and worse hands.
//!
//! A position carries its past: for every earlier position the key of board and turn, both hands,
//! and how many checks in a row each side had given. The referee asks for all occurrences
//! ([`Position::repetition`]), the search for the nearest one ([`Position::find_repetition`]).
//! Superior and inferior positions (優等局面, 劣等局面) are those of YaneuraOu.

#[cfg(test)]
mod tests;

use crate::position::Position;
use crate::types::color::Color;
use std::ops::ControlFlow::{self, Break, Continue};

/// Which positions of a game are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Counting {
    /// The start position is an occurrence like any other: the rule of the federations.
    #[default]
    WithStart,
    /// Only positions that a move led to are counted, as shogi-server does: a shuffle of four
    /// moves from the start position draws with the 13th move instead of the 12th.
    MovesOnly,
}

/// How often the position on the board has occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The number of occurrences, this one included.
    pub times: u32,
    /// What the rules say about it, from the fourth occurrence on.
    pub ruling: Option<Ruling>,
}

/// What a fourfold repetition means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ruling {
    /// 千日手: the game is drawn.
    Draw,
    /// 連続王手の千日手: every move of this side since the first of the four occurrences gave
    /// check, and it loses.
    PerpetualCheck(Color),
}

/// An earlier position with the same board and turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepetitionHit {
    /// How many plies ago.
    pub plies: usize,
    /// What it means for the side to move.
    pub state: RepetitionState,
}

/// What an earlier position with the same board means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RepetitionState {
    /// The hands are the same too, and going round draws.
    Draw,
    /// The hands are the same too, and the foe goes round with checks alone: it will lose.
    Win,
    /// The hands are the same too, and the side to move goes round with checks alone.
    Loss,
    /// 優越局面: the side to move holds more than it did then, and so the foe holds less.
    Superior,
    /// 劣等局面: the side to move holds less than it did then, and so the foe holds more.
    Inferior,
}

impl Position {
    /// How often the position (board, hands and turn) has occurred, and what that means.
    ///
    /// Positions before a pass do not count; the one right after it counts as a start position.
    /// Beyond the fourth occurrence the last four decide. Looks at the whole past.
    ///
    /// ```
    /// use tesuji_shogi::Position;
    /// use tesuji_shogi::rules::{Counting, Ruling};
    /// let mut pos = Position::start();
    /// for mv in "2h3h 8b7b 3h2h 7b8b".split(' ').cycle().take(12) {
    ///     pos.play(mv.parse().unwrap());
    /// }
    /// assert_eq!(pos.repetition(Counting::WithStart).times, 4);
    /// assert_eq!(pos.repetition(Counting::WithStart).ruling, Some(Ruling::Draw));
    /// assert_eq!(pos.repetition(Counting::MovesOnly).times, 3);
    /// ```
    pub fn repetition(&self, counting: Counting) -> Repetition {
        let (states, now) = (self.states(), self.played());
        // No move led to the first position, nor to one right after a pass.
        let start = states.iter().rposition(|state| state.mv().is_none());
        let oldest = start.unwrap_or(0) + usize::from(counting == Counting::MovesOnly);
        let (key, hands) = (self.board_key(), self.now().hands);
        let mut times = u32::from(now >= oldest);
        let mut ruling = None;
        for plies in (4..=now.saturating_sub(oldest)).step_by(2) {
            let then = &states[now - plies];
            if then.board_key == key && then.hands == hands {
                times += 1;
                if times == 4 {
                    let checker = self.perpetual_checker(plies);
                    ruling = Some(checker.map_or(Ruling::Draw, Ruling::PerpetualCheck));
                }
            }
        }
        Repetition { times, ruling }
    }

    /// The nearest earlier position, at most `reach` plies ago, that had the same board and turn
    /// and hands that can be compared: the same, or one side richer. Stops at a pass.
    ///
    /// Made for every node of a search. It compares one 128-bit key for every two plies of
    /// `reach`, newest first, and looks at hands only if the keys agree; nothing is allocated.
    /// One repetition is enough here: if a line can go round once, it can go round again.
    ///
    /// ```
    /// use tesuji_shogi::Position;
    /// use tesuji_shogi::rules::{RepetitionHit, RepetitionState};
    /// let mut pos = Position::start();
    /// for mv in ["2h3h", "8b7b", "3h2h", "7b8b"] {
    ///     assert_eq!(pos.find_repetition(16), None);
    ///     pos.play(mv.parse().unwrap());
    /// }
    /// assert_eq!(pos.find_repetition(16), Some(RepetitionHit { plies: 4, state: RepetitionState::Draw }));
    /// assert_eq!(pos.find_repetition(3), None);
    /// ```
    #[inline]
    pub fn find_repetition(&self, reach: usize) -> Option<RepetitionHit> {
        let (past, key) = (&self.states()[..self.played()], self.board_key());
        // Two plies ago the board was always another one, so it begins with four.
        let pairs = past[..past.len().saturating_sub(2)].rchunks_exact(2);
        for (at, pair) in pairs.take((reach / 2).saturating_sub(1)).enumerate() {
            if pair[0].board_key == key {
                match self.compared(4 + 2 * at) {
                    Continue(()) => {}
                    Break(hit) => return hit,
                }
            }
        }
        None
    }

    /// Compares with the position so many plies ago, which had the same board and turn; goes on if
    /// neither hand covers the other.
    #[cold]
    fn compared(&self, plies: usize) -> ControlFlow<Option<RepetitionHit>> {
        let line = &self.states()[self.played() - plies..];
        // Equal boards are rare, so passes are looked for only now; what lies further back lies
        // behind the pass as well.
        if line[1..].iter().any(|state| state.mv().is_none()) {
            return Break(None);
        }
        // The board being the same, what one side gained in hand the other lost: one hand tells
        // both.
        let (now, then) = (self.hand(self.turn()), line[0].hands.of(self.turn()));
        let state = if now == then {
            self.state_of_cycle(plies)
        } else if now.covers(then) {
            RepetitionState::Superior
        } else if then.covers(now) {
            RepetitionState::Inferior
        } else {
            return Continue(());
        };
        Break(Some(RepetitionHit { plies, state }))
    }

    /// What a return to the same position after so many plies means for the side to move.
    fn state_of_cycle(&self, plies: usize) -> RepetitionState {
        match self.perpetual_checker(plies) {
            None => RepetitionState::Draw,
            Some(color) if color == self.turn() => RepetitionState::Loss,
            Some(_) => RepetitionState::Win,
        }
    }

    /// The side whose moves of the last `plies` plies, an even number, all gave check. If both
    /// sides did nothing but check, neither is to blame.
    fn perpetual_checker(&self, plies: usize) -> Option<Color> {
        let only_checks = |color| self.checks_in_a_row(color) as usize >= plies / 2;
        match Color::ALL.map(only_checks) {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }
}
