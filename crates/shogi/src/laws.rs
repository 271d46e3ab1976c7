//! The laws of boards and generators as a kit: somebody's own board is checked against ours, in
//! random games.
//!
//! The idea is that of OpenShogiLib (2003), whose tests came with the library so that a user's part
//! could be compared with the others.

mod compare;

use crate::board::Board;
use crate::generators::Generators;
use crate::mailbox::Mailbox;
use crate::position::Position;
use crate::rng::SplitMix64;
use crate::types::moves::Move;
use compare::{check_board, check_generators};
use std::fmt;

/// Random games in which laws are checked.
///
/// ```
/// use tesuji_shogi::laws::LawKit;
/// use tesuji_shogi::{Mailbox, Position, movegen::scan::ScanBoard};
/// // Any board that can be made from a position is checked with one line.
/// LawKit::default().generators(|pos: &Position| ScanBoard::from(pos)).unwrap();
/// let report = LawKit::new(2, 30).board(|pos: &Position| Mailbox::from(pos)).unwrap();
/// assert!(report.positions >= 30);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LawKit {
    games: usize,
    plies: usize,
    seed: u64,
}

impl Default for LawKit {
    /// Enough games for most mistakes to show, in a second or two.
    fn default() -> Self {
        Self::new(12, 80)
    }
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LawReport {
    /// How many games were played.
    pub games: usize,
    /// How many positions were looked at.
    pub positions: usize,
}

/// A law that does not hold: which, where, and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LawBroken {
    /// What should always hold.
    pub law: &'static str,
    /// Where it does not.
    pub sfen: String,
    /// What was expected and what was found.
    pub found: String,
}

impl fmt::Display for LawBroken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, sfen, found } = self;
        write!(f, "the law \"{law}\" does not hold in {sfen}: {found}")
    }
}

impl std::error::Error for LawBroken {}

/// Where games begin: the start, many pieces in hand, kings that have entered, few pieces, and a
/// problem whose attacker has no king.
const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4p4/9/9/9/4P4/9/4K4 b 2R2B4G4S4N4L16P 1",
    "+P1K4g1/1+S+R6/2+N6/9/9/9/6n2/6+r1+p/1g4k2 w 2B2G3S2N4L16P 1",
    "7nl/5kgs1/3+P1ppp1/8p/9/2R6/4P1PPP/5GSK1/7NL b BNr 1",
    "7nl/6gk1/6p1p/9/9/9/9/9/9 b RB2G2S 1",
];

/// In one position of so many the special generators are compared: a square takes the plain board a
/// while.
const GENERATED: usize = 16;

impl LawKit {
    /// So many games, each at most so many plies long.
    pub const fn new(games: usize, plies: usize) -> Self {
        let seed = 0x7465_7375_6a69;
        Self { games, plies, seed }
    }

    /// Other games.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Checks a board: the same legal moves as ours, each once; what a move does to the pieces; and
    /// that every move and every pass can be taken back.
    ///
    /// # Errors
    /// The first law that does not hold.
    pub fn board<B: Board>(&self, make: impl Fn(&Position) -> B) -> Result<LawReport, LawBroken> {
        self.play(|pos, mailbox, _| check_board(pos, mailbox, &mut make(pos), &make))
    }

    /// As [`LawKit::board`], and checks that each special generator gives exactly the legal moves of
    /// its kind.
    ///
    /// # Errors
    /// The first law that does not hold.
    pub fn generators<B: Generators>(
        &self,
        make: impl Fn(&Position) -> B,
    ) -> Result<LawReport, LawBroken> {
        self.play(|pos, mailbox, number| {
            let mut board = make(pos);
            check_board(pos, mailbox, &mut board, &make)?;
            match number % GENERATED {
                0 => check_generators(pos, mailbox, &mut board),
                _ => Ok(()),
            }
        })
    }

    /// Shows every position of random games to somebody.
    ///
    /// # Errors
    /// The first one that is returned.
    pub fn positions(
        &self,
        mut look: impl FnMut(&Position) -> Result<(), LawBroken>,
    ) -> Result<LawReport, LawBroken> {
        self.play(|pos, _, _| look(pos))
    }

    fn play(
        &self,
        mut check: impl FnMut(&Position, &Mailbox, usize) -> Result<(), LawBroken>,
    ) -> Result<LawReport, LawBroken> {
        let (mut rng, mut report) = (SplitMix64::new(self.seed), LawReport::default());
        for game in 0..self.games {
            let sfen = STARTS[game % STARTS.len()];
            let mut pos = Position::from_sfen(sfen).expect("the first positions are sound");
            for _ in 0..self.plies {
                check(&pos, &Mailbox::from(&pos), report.positions)?;
                report.positions += 1;
                let Some(mv) = choose(&pos, &mut rng) else {
                    break;
                };
                pos.play(mv);
            }
            report.games += 1;
        }
        Ok(report)
    }
}

/// A random move, with a liking for captures and checks: they are what uniform play seldom does.
fn choose(pos: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let lively = |pos: &Position, mv: Move| {
        pos.is_capture(mv) || mv.is_promotion() || pos.clone().after(mv, |pos, _| pos.in_check())
    };
    let first = rng.legal_move(pos)?;
    for _ in 0..rng.roll(8) {
        let mv = rng.legal_move(pos)?;
        if lively(pos, mv) {
            return Some(mv);
        }
    }
    Some(first)
}
