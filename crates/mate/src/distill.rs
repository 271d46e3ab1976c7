//! Problems out of positions of games: the pieces that matter, and whether the solution is the only one.
//!
//! A mate in a game stands among forty pieces. What is far from the king and takes no part is taken
//! away, as a composer would: if the mate then has the same length, and is as unique, the rest was
//! only scenery.

use crate::compose::count;
use crate::limits::MateLimits;
use crate::solver::{MateVerdict, Solver};
use std::ops::ControlFlow;
use tesuji_shogi::{Board, Color, Hand, Move, Position, Square};

/// How many solutions a problem has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solutions {
    /// One: every other check at every ply of the line fails.
    One,
    /// The first move is the only one that mates, but a later one can be replaced.
    Later,
    /// Another first move mates too.
    Many,
    /// It could not be found out within the limits.
    Open,
}

/// A problem: Black attacks.
#[derive(Clone, Debug)]
pub struct Distilled {
    /// The position.
    pub pos: Position,
    /// The shortest mate against the longest defence; for a brinkmate the first move with one of
    /// the lines behind it.
    pub line: Vec<Move>,
    /// How many solutions there are.
    pub solutions: Solutions,
    /// How many positions the solver looked at to solve it: how hard it is.
    pub nodes: u64,
}

/// What the end of a game gives.
#[derive(Clone, Debug, Default)]
pub struct DistilledGame {
    /// Mates, the shortest first.
    pub mates: Vec<Distilled>,
    /// A brinkmate, for a problem of its own.
    pub brinkmate: Option<Distilled>,
}

/// How many moves of the winner are looked at, from the last one back.
const MOST_MOVES: usize = 14;

/// By how much fewer nodes each of the many questions about a brinkmate may take.
const BRINKMATE_SHARE: u64 = 5;

/// How far from the king a piece may stand that takes no part, from bare to crowded.
const DISTANCES: [u8; 3] = [2, 3, 4];

impl Solver {
    /// Problems made of the last moves of a game that whoever moved last has won: mates whose lengths
    /// are wanted and differ by four plies or more, since neighbours look alike, and the brinkmate
    /// before them.
    pub fn distill_game(
        &mut self,
        (start, moves): (&Position, &[Move]),
        limits: &MateLimits<'_>,
        is_wanted: &dyn Fn(usize) -> bool,
        wants_brinkmate: bool,
    ) -> DistilledGame {
        let mut found = DistilledGame::default();
        let mut pos = start.clone();
        moves.iter().for_each(|&mv| {
            pos.play(mv);
        });
        let mut next = 1;
        for back in 0..MOST_MOVES.min(moves.len() / 2) {
            // The move of the winner, then one of each side.
            for _ in 0..if back == 0 { 1 } else { 2 } {
                pos.undo();
            }
            let Some(length) = self.shortest_mate(&pos, limits).map(|line| line.len()) else {
                if wants_brinkmate {
                    found.brinkmate = self.distill_brinkmate(&pos, limits);
                }
                break;
            };
            if length >= next && is_wanted(length) {
                let made = self.distill(&pos, limits);
                next = if made.is_some() { length + 4 } else { next };
                found.mates.extend(made);
            }
        }
        found
    }

    /// A mate problem made of a position in which the side to move mates: with few pieces, one first
    /// move and no futile interposition. `None` if none comes of it.
    pub fn distill(&mut self, pos: &Position, limits: &MateLimits<'_>) -> Option<Distilled> {
        let pos = match pos.turn() {
            Color::Black => pos.clone(),
            Color::White => pos.flipped(),
        };
        let line = self.shortest_mate(&pos, limits)?;
        DISTANCES.iter().find_map(|&distance| {
            let bare = reduced(&pos, &line, distance)?;
            let found = self.shortest_mate(&bare, limits)?;
            let nodes = self.nodes();
            if found.len() != line.len() || count(&bare, &found).plies != found.len() {
                return None;
            }
            let solutions = self.solutions(&bare, &found, limits);
            let is_problem = matches!(solutions, Solutions::One | Solutions::Later);
            is_problem.then_some(Distilled {
                pos: bare,
                line: found,
                solutions,
                nodes,
            })
        })
    }

    fn shortest_mate(&mut self, pos: &Position, limits: &MateLimits<'_>) -> Option<Vec<Move>> {
        let limits = MateLimits {
            shortest: true,
            ..*limits
        };
        match self.solve(pos, pos.turn(), &limits, &mut ()) {
            Ok(MateVerdict::Shortest(line)) => Some(line),
            _ => None,
        }
    }

    /// Whether other checks along a mating line of the side to move mate as well.
    pub fn solutions(
        &mut self,
        pos: &Position,
        line: &[Move],
        limits: &MateLimits<'_>,
    ) -> Solutions {
        let (mut at, attacker) = (pos.clone(), pos.turn());
        let mut solutions = Solutions::One;
        for (ply, &played) in line.iter().enumerate() {
            if at.turn() == attacker {
                let found =
                    self.other_checks(&mut at, played, limits, |_, verdict| match verdict {
                        Ok(MateVerdict::NoMate) => ControlFlow::Continue(()),
                        Ok(MateVerdict::Mate(_) | MateVerdict::Shortest(_)) => {
                            ControlFlow::Break(match ply {
                                0 => Solutions::Many,
                                _ => Solutions::Later,
                            })
                        }
                        Ok(MateVerdict::Unknown(_)) | Err(_) => ControlFlow::Break(Solutions::Open),
                    });
                match found {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(Solutions::Later) => solutions = Solutions::Later,
                    ControlFlow::Break(found) => return found,
                }
            }
            at.play(played);
        }
        solutions
    }

    /// A brinkmate problem made of a position whose side to move has no mate but exactly one move
    /// after which mate cannot be avoided. `None` if none comes of it.
    pub fn distill_brinkmate(
        &mut self,
        pos: &Position,
        limits: &MateLimits<'_>,
    ) -> Option<Distilled> {
        let pos = match pos.turn() {
            Color::Black => pos.clone(),
            Color::White => pos.flipped(),
        };
        if self.solve(&pos, Color::Black, limits, &mut ()) != Ok(MateVerdict::NoMate) {
            return None;
        }
        let limits = &MateLimits {
            nodes: limits.nodes.map(|nodes| nodes / BRINKMATE_SHARE),
            ..*limits
        };
        let mut found = None;
        let mut nodes = self.nodes();
        for mv in pos.legal_moves().iter() {
            let mut after = pos.clone();
            after.play(mv);
            if !after.in_check() {
                after.pass();
                let threat = self.solve(&after, Color::Black, limits, &mut ());
                nodes += self.nodes();
                after.undo();
                match threat {
                    Ok(MateVerdict::NoMate) => continue,
                    Ok(MateVerdict::Unknown(_)) | Err(_) => return None,
                    Ok(_) => {}
                }
            }
            let verdict = self.solve(&after, Color::Black, limits, &mut ());
            nodes += self.nodes();
            match verdict {
                Ok(MateVerdict::NoMate) => {}
                Ok(MateVerdict::Mate(rest) | MateVerdict::Shortest(rest)) if found.is_none() => {
                    found = Some(std::iter::once(mv).chain(rest).collect::<Vec<_>>());
                }
                _ => return None,
            }
        }
        Some(Distilled {
            pos,
            line: found?,
            solutions: Solutions::One,
            nodes,
        })
    }
}

/// The position without what takes no part in a mating line and stands farther from the king than
/// `distance`; White holds everything that is gone. `None` if that is no position.
fn reduced(pos: &Position, line: &[Move], distance: u8) -> Option<Position> {
    let mut setup = pos.setup();
    let (near, mut at) = (squares_of(pos, line)?, pos.clone());
    let mut dropped = Hand::EMPTY;
    for &mv in line {
        if let Some(kind) = mv.dropped().filter(|_| at.turn() == Color::Black) {
            let kept = dropped.count(kind) + 1;
            dropped = dropped.with(kind, kept.min(setup.hands[Color::Black].count(kind)));
        }
        at.play(mv);
    }
    let king = pos.king(Color::White)?;
    for square in Square::all() {
        let Some(piece) = setup.board[square] else {
            continue;
        };
        let is_far = far(square, king) > distance && !near.contains(&square);
        if piece.is_king() {
            if piece.color() == Color::Black {
                setup.board[square] = None;
            }
        } else if is_far {
            setup.board[square] = None;
        }
    }
    setup.hands[Color::Black] = dropped;
    setup.hands[Color::White] = Hand::EMPTY;
    setup.hands[Color::White] = setup.unplaced();
    setup.ply = 1;
    setup.build().ok()
}

/// The squares that the line touches.
fn squares_of(pos: &Position, line: &[Move]) -> Option<Vec<Square>> {
    pos.king(Color::White)?;
    let touched = line.iter().flat_map(|mv| [Some(mv.to()), mv.from()]);
    Some(touched.flatten().collect())
}

/// How many steps of a king two squares are apart.
fn far(one: Square, other: Square) -> u8 {
    let files = one.file().abs_diff(other.file());
    files.max(one.rank().abs_diff(other.rank()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: MateLimits<'static> = MateLimits {
        nodes: Some(100_000),
        ..MateLimits::NONE
    };

    #[test]
    fn scenery_is_taken_away_and_the_solution_is_the_only_one() {
        // The gold before the king, held by the pawn; the other pieces only stand around.
        let pos = Position::from_sfen(
            "ln2k2nl/9/4P4/p1pp1pp1p/9/P1P2PP1P/1P1PG2P1/1B5R1/LNS1KGSNL b G 61",
        );
        let found = Solver::new(16 << 20)
            .distill(&pos.unwrap(), &LIMITS)
            .unwrap();
        assert_eq!(found.solutions, Solutions::One);
        assert_eq!(found.line.len(), 1);
        let sfen = found.pos.to_sfen();
        assert!(sfen.starts_with("4k4/9/4P4/9/9/9/9/9/9 b G"), "{sfen}");
        // From the other side it is the same problem.
        let turned = Solver::new(16 << 20).distill(&found.pos.flipped(), &LIMITS);
        assert_eq!(turned.unwrap().pos.to_sfen(), sfen);
    }

    #[test]
    fn two_mates_are_no_problem() {
        // Either gold mates.
        let pos = Position::from_sfen("4k4/9/3GP4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let mut solver = Solver::new(16 << 20);
        let line = solver.shortest_mate(&pos, &LIMITS).unwrap();
        let found = solver.solutions(&pos, &line, &LIMITS);
        assert_eq!(found, Solutions::Many);
    }
}
