//! The two lines that end a game: the reason, and the result for the client that reads them.

use tesuji_game::Termination;
use tesuji_shogi::Cause;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CsaEndReason {
    /// The loser resigned.
    Resign,
    /// A king entered and its owner declared.
    Declaration,
    /// A move, or a declaration, against the rules.
    IllegalMove,
    /// Something else against the rules.
    IllegalAction,
    /// A position came up for the fourth time.
    Repetition,
    /// A position came up for the fourth time, by checks alone.
    PerpetualCheck,
    /// A flag fell.
    TimeUp,
    /// The move limit was reached.
    MoveLimit,
    /// Stopped from outside; no other line follows.
    Abort,
}

impl From<Termination> for CsaEndReason {
    fn from(termination: Termination) -> Self {
        match termination {
            Termination::Rules(cause) => match cause {
                // Servers wait for the loser to say so.
                Cause::Mate | Cause::NoMove => Self::Resign,
                Cause::Repetition => Self::Repetition,
                Cause::PerpetualCheck => Self::PerpetualCheck,
                Cause::MoveLimit => Self::MoveLimit,
                Cause::Declaration | Cause::Try => Self::Declaration,
                Cause::WrongDeclaration => Self::IllegalMove,
            },
            Termination::Resignation => Self::Resign,
            Termination::Time => Self::TimeUp,
            Termination::IllegalMove(_) => Self::IllegalMove,
            Termination::IllegalAction => Self::IllegalAction,
            Termination::Agreement => Self::Declaration,
        }
    }
}

impl CsaEndReason {
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

/// The result for the client that is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientResult {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
    /// Nobody won, because of the move limit.
    Censored,
}

impl ClientResult {
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
