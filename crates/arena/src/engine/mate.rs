//! `go mate`: is there a mate, and how does it go?

use super::thinker::Thinker;
use crate::usi::Checkmate;
use std::ops::ControlFlow;
use tesuji_search::{Answer, Control, Limits, Quiet, Root};
use tesuji_shogi::{Board, Each, Move, Position, movegen};

/// Whoever can be asked for a mate.
pub trait MateSolver: Send {
    /// Looks for a mate until it knows, or the control or the number of positions forbids more.
    fn solve(&mut self, pos: &Position, nodes: Option<u64>, control: &Control) -> Checkmate;
}

/// The ordinary search, asked for mates alone.
pub(super) struct BySearch<'a> {
    pub(super) thinker: &'a mut dyn Thinker,
    pub(super) root: &'a Root,
}

/// No mate that a search finds is longer.
const LONGEST: u32 = 1000;

impl BySearch<'_> {
    pub(super) fn solve(&mut self, nodes: Option<u64>, control: &Control) -> Checkmate {
        if !has_check(&self.root.position) {
            return Checkmate::NoMate;
        }
        let limits = Limits {
            mate: Some(LONGEST),
            nodes,
            ..Limits::default()
        };
        let mut root = self.root.clone();
        let mut line = Vec::new();
        // The line of a search may end before the mate does: then it is searched on from there.
        loop {
            let best = self.thinker.think(&root, &limits, control, &mut Quiet);
            let mates = best.value.mate_distance().is_some_and(|plies| plies > 0);
            let Answer::Move(first) = best.answer else {
                return Checkmate::Timeout;
            };
            if !mates || line.len() > LONGEST as usize {
                return Checkmate::Timeout;
            }
            let found = match best.line.as_slice() {
                [head, ..] if *head == first => best.line,
                _ => vec![first],
            };
            for mv in found {
                if root.position.try_play(mv).is_none() {
                    return Checkmate::Timeout;
                }
                line.push(mv);
            }
            root.moves.clear();
            if line.len() % 2 == 0 {
                continue;
            }
            match reply(&root.position) {
                None => return Checkmate::Line(line),
                Some(mv) => {
                    root.position.play(mv);
                    line.push(mv);
                }
            }
        }
    }
}

/// Whether the side to move can give check at all.
fn has_check(pos: &Position) -> bool {
    movegen::checks(pos, &mut Each(|_| ControlFlow::Break(()))).is_break()
}

/// Some answer of the defender, if it has one.
fn reply(pos: &Position) -> Option<Move> {
    pos.legal_moves().iter().next()
}
