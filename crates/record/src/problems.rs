//! Problems in a line of text each: mates (詰将棋) and brinkmates (必至), as many as fit into a program.
//!
//! ```text
//! m3 7nl/5k3/6ppp/5S3/9/9/9/9/9 GS
//! m1* 4k4/9/4P4/9/9/9/9/9/9 G
//! b5 l7k/6g2/... R2GS2p
//! ```
//!
//! The first word is the kind, the number of plies and `*` if a move after the first one can be replaced; the
//! board and what is in hand follow as SFEN writes them. Black attacks. In a mate (`m`) White holds
//! every piece that is nowhere else, as composers have it, so only Black's pieces are written; in a
//! brinkmate (`b`) both hands are.

use std::fmt;
use tesuji_shogi::{Color, Hand, Position, SfenError};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProblemKind {
    /// Mate by checks alone.
    Mate,
    /// A move after which mate cannot be avoided.
    Brinkmate,
}

/// A problem: Black is to move and wins.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What is asked for.
    pub kind: ProblemKind,
    /// How long the solution is.
    pub plies: u16,
    /// Whether there is only one solution; if not, at least its first move is the only one.
    pub is_unique: bool,
    /// The position.
    pub pos: Position,
}

/// Why a line is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemLineError {
    /// There are not three words.
    #[error("expected the kind with its length, a board and a hand, as in `m3 7nl/5k3/… GS`")]
    Words,
    /// The first word is not a kind with a number.
    #[error("`{0}` is not m or b with a number of plies")]
    Kind(String),
    /// The position is none.
    #[error(transparent)]
    Position(#[from] SfenError),
    /// There is no king to mate.
    #[error("White has no king")]
    NoKing,
}

impl Problem {
    /// The problem of a line.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(line: &str) -> Result<Self, ProblemLineError> {
        let mut words = line.split_ascii_whitespace();
        let (Some(head), Some(board), Some(hand), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(ProblemLineError::Words);
        };
        let unknown = || ProblemLineError::Kind(head.to_owned());
        let (kind, rest) = match head.split_at_checked(1) {
            Some(("m", rest)) => (ProblemKind::Mate, rest),
            Some(("b", rest)) => (ProblemKind::Brinkmate, rest),
            _ => return Err(unknown()),
        };
        let plies = rest.trim_end_matches('*');
        let mut pos = Position::from_sfen(&format!("{board} b {hand} 1"))?;
        if kind == ProblemKind::Mate {
            let mut setup = pos.setup();
            setup.hands[Color::White] = Hand::EMPTY;
            setup.hands[Color::White] = setup.unplaced();
            pos = setup.build().map_err(SfenError::from)?;
        }
        if pos.king(Color::White).is_none() {
            return Err(ProblemLineError::NoKing);
        }
        Ok(Self {
            kind,
            plies: plies.parse().map_err(|_| unknown())?,
            is_unique: plies.len() == rest.len(),
            pos,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ProblemKind::Mate => 'm',
            ProblemKind::Brinkmate => 'b',
        };
        let mark = if self.is_unique { "" } else { "*" };
        let sfen = match self.kind {
            ProblemKind::Brinkmate => self.pos.to_sfen(),
            ProblemKind::Mate => {
                let mut setup = self.pos.setup();
                setup.hands[Color::White] = Hand::EMPTY;
                // Fewer pieces in hand make no sound position unsound.
                let pos = setup.build();
                pos.map_or_else(|_| self.pos.to_sfen(), |pos| pos.to_sfen())
            }
        };
        let mut words = sfen.split(' ');
        let board = words.next().unwrap_or_default();
        let hand = words.nth(1).unwrap_or_default();
        write!(f, "{kind}{}{mark} {board} {hand}", self.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        for line in [
            "m3 7nl/5k3/6ppp/5S3/9/9/9/9/9 GS",
            "m1* 4k4/9/4P4/9/9/9/9/9/9 G",
            "b5 4k4/9/4P4/9/9/9/9/9/4K4 RGSg2p",
        ] {
            let problem = Problem::read(line).unwrap();
            assert_eq!(problem.to_string(), line);
        }
        let mate = Problem::read("m1* 4k4/9/4P4/9/9/9/9/9/9 G").unwrap();
        assert_eq!((mate.plies, mate.is_unique), (1, false));
        assert_eq!(
            mate.pos.to_sfen(),
            "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
        );
    }

    #[test]
    fn what_is_no_problem_is_refused() {
        use ProblemLineError::*;
        let wrong = |line| Problem::read(line).unwrap_err();
        assert_eq!(wrong(""), Words);
        assert_eq!(wrong("m3 4k4/9/9/9/9/9/9/9/9 G 1"), Words);
        assert_eq!(wrong("x3 4k4/9/9/9/9/9/9/9/9 G"), Kind("x3".into()));
        assert_eq!(wrong("ｍ3 4k4/9/9/9/9/9/9/9/9 G"), Kind("ｍ3".into()));
        assert_eq!(wrong("m 4k4/9/9/9/9/9/9/9/9 G"), Kind("m".into()));
        assert_eq!(wrong("m3 9/9/9/9/9/9/9/9/9 G"), NoKing);
        assert!(matches!(wrong("m3 9/9 G"), Position(_)));
    }
}
