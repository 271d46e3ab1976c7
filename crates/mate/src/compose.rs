//! What composers ask: is the solution unique, and how long is it as they count?

use crate::limits::MateLimits;
use crate::solver::{MateVerdict, ProblemError, Solver};
use std::ops::ControlFlow;
use tesuji_shogi::{Hand, Move, MoveList, Position, movegen};

/// A move that mates as well as the one in the line (余詰).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// At which ply of the line, from 0.
    pub ply: usize,
    /// The other move.
    pub mv: Move,
    /// The moves from there to the mate, the other one first.
    pub line: Vec<Move>,
}

/// How composers look at a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComposerCount {
    /// Plies without futile interpositions: those taken at once and never put to use (無駄合).
    pub plies: usize,
    /// What is left in the attacker's hand at the end, such pieces not counted (駒余り).
    pub surplus: u32,
}

impl Solver {
    /// Other moves of the attacker that mate, at every ply of a line. A move that cannot be decided
    /// within the limits is not reported.
    ///
    /// # Errors
    /// If there is no king to mate.
    pub fn alternatives(
        &mut self,
        pos: &Position,
        line: &[Move],
        limits: &MateLimits<'_>,
    ) -> Result<Vec<Alternative>, ProblemError> {
        let (mut at, attacker) = (pos.clone(), pos.turn());
        let mut found = Vec::new();
        for (ply, &played) in line.iter().enumerate() {
            if at.turn() == attacker {
                let failed = self.other_checks(&mut at, played, limits, |mv, verdict| {
                    match verdict {
                        Ok(MateVerdict::Mate(rest) | MateVerdict::Shortest(rest)) => {
                            let line = std::iter::once(mv).chain(rest).collect();
                            found.push(Alternative { ply, mv, line });
                        }
                        Ok(MateVerdict::NoMate | MateVerdict::Unknown(_)) => {}
                        Err(error) => return ControlFlow::Break(error),
                    }
                    ControlFlow::Continue(())
                });
                if let ControlFlow::Break(error) = failed {
                    return Err(error);
                }
            }
            at.play(played);
        }
        Ok(found)
    }

    /// Solves what follows each check of the side to move but the one that is played, until `hear`
    /// has heard enough.
    pub(crate) fn other_checks<T>(
        &mut self,
        pos: &mut Position,
        played: Move,
        limits: &MateLimits<'_>,
        mut hear: impl FnMut(Move, Result<MateVerdict, ProblemError>) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let attacker = pos.turn();
        let mut checks = MoveList::new();
        let _ = movegen::checks(pos, &mut checks);
        for mv in checks.iter().filter(|&mv| mv != played) {
            pos.play(mv);
            let verdict = self.solve(pos, attacker, limits, &mut ());
            pos.undo();
            hear(mv, verdict)?;
        }
        ControlFlow::Continue(())
    }
}

/// Counts a mating line as composers do. An interposition of this line is futile if it is taken at
/// once and what was taken stays in hand to the end.
pub fn count(pos: &Position, line: &[Move]) -> ComposerCount {
    let attacker = pos.turn();
    let mut at = pos.clone();
    let mut hands = vec![at.hand(attacker)];
    let mut taken = Vec::new();
    for (ply, &mv) in line.iter().enumerate() {
        let interposed = ply > 0 && line[ply - 1].is_drop() && line[ply - 1].to() == mv.to();
        if at.turn() == attacker && interposed {
            taken.extend(line[ply - 1].dropped().map(|kind| (ply, kind)));
        }
        at.play(mv);
        hands.push(at.hand(attacker));
    }
    // Of each kind, how many of those in hand are known to be of no use.
    let mut idle = Hand::EMPTY;
    for &(ply, kind) in &taken {
        let stays = |hand: &Hand| hand.count(kind) > idle.count(kind);
        if hands[ply + 1..].iter().all(stays) {
            idle = idle.with(kind, idle.count(kind) + 1);
        }
    }
    ComposerCount {
        plies: line.len() - 2 * idle.total() as usize,
        surplus: at.hand(attacker).total() - idle.total(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_only_delays_is_not_counted() {
        // The rook checks from afar; whatever is put between is taken and not needed.
        let pos = Position::from_sfen("k8/9/G8/9/9/9/9/9/7RR b 2g 1").unwrap();
        let line: Vec<Move> = ["2i2a", "G*3a", "2a3a", "G*4a", "3a4a"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        let counted = count(&pos, &line);
        assert_eq!(
            counted,
            ComposerCount {
                plies: 1,
                surplus: 0
            }
        );
        assert_eq!(count(&pos, &line[..3]).plies, 1);
    }
}
