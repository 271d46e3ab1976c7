//! The two lines that end a game: why, and for whom that is good.

use super::line::Special;
use tesuji_record::Ending;
use tesuji_shogi::{Color, Position};

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Somebody gave up.
    Resign,
    /// A king entered and its owner declared.
    Declaration,
    /// A move, or a declaration, against the rules.
    IllegalMove,
    /// Something else against the rules.
    IllegalAction,
    /// A position came up for the fourth time.
    Repetition,
    /// And by checks alone.
    PerpetualCheck,
    /// Too much time.
    TimeUp,
    /// Too many moves.
    MoveLimit,
    /// Stopped from outside; no other line follows.
    Abort,
}

impl Reason {
    const ALL: [Self; 9] = [
        Self::Resign,
        Self::Declaration,
        Self::IllegalMove,
        Self::IllegalAction,
        Self::Repetition,
        Self::PerpetualCheck,
        Self::TimeUp,
        Self::MoveLimit,
        Self::Abort,
    ];

    /// The word, with its number sign.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resign => "#RESIGN",
            Self::Declaration => "#JISHOGI",
            Self::IllegalMove => "#ILLEGAL_MOVE",
            Self::IllegalAction => "#ILLEGAL_ACTION",
            Self::Repetition => "#SENNICHITE",
            Self::PerpetualCheck => "#OUTE_SENNICHITE",
            Self::TimeUp => "#TIME_UP",
            Self::MoveLimit => "#MAX_MOVES",
            Self::Abort => "#CHUDAN",
        }
    }

    pub(super) fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

/// What a player gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Share {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
    /// Nobody won, because of the move limit.
    Censored,
}

impl Share {
    const ALL: [Self; 4] = [Self::Win, Self::Lose, Self::Draw, Self::Censored];

    /// The word, with its number sign.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "#WIN",
            Self::Lose => "#LOSE",
            Self::Draw => "#DRAW",
            Self::Censored => "#CENSORED",
        }
    }

    pub(super) fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|share| share.word() == word)
    }

    /// Whether the player won; `None` for a draw.
    pub const fn won(self) -> Option<bool> {
        match self {
            Self::Win => Some(true),
            Self::Lose => Some(false),
            Self::Draw | Self::Censored => None,
        }
    }
}

/// How a record keeps the end of a game: `winner` if there is one, and what was done last if it was
/// no move.
pub fn ending(
    reason: Option<Reason>,
    winner: Option<Color>,
    last: Option<Special>,
    pos: &Position,
) -> Ending {
    let turn = pos.turn();
    let foul = |by| Ending::Foul { by, made: None };
    let lost = winner.map(Color::foe);
    match reason {
        Some(Reason::Resign) => Ending::Resignation,
        Some(Reason::Declaration) if winner.is_none() => Ending::Impasse,
        Some(Reason::Declaration) => Ending::Declaration,
        Some(Reason::IllegalMove) if last == Some(Special::Declare) => foul(turn),
        Some(Reason::IllegalMove | Reason::IllegalAction) => foul(lost.unwrap_or(turn)),
        Some(Reason::Repetition) => Ending::Repetition,
        // The one who checks moved last, or the other was driven to repeat.
        Some(Reason::PerpetualCheck) => foul(lost.unwrap_or(turn.foe())),
        Some(Reason::TimeUp) => Ending::Time,
        Some(Reason::MoveLimit) => Ending::MoveLimit,
        Some(Reason::Abort) | None => Ending::Interruption,
    }
}
