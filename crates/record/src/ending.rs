//! How games end, and who has won then.

use tesuji_game::{GameOver, Termination};
use tesuji_shogi::{Cause, Color, Move, Piece, Position};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// This side.
    Win(Color),
    /// Neither.
    Draw,
}

impl GameResult {
    /// 1 if `color` won, -1 if it lost, 0 for a draw.
    pub fn for_side(self, color: Color) -> i8 {
        match self {
            Self::Draw => 0,
            Self::Win(winner) if winner == color => 1,
            Self::Win(_) => -1,
        }
    }
}

/// How a line ended. "The side to move" is the one that would have had to move next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 投了: the side to move resigned.
    Resignation,
    /// 中断: stopped without a result.
    Interruption,
    /// 封じ手: the next move was sealed in an envelope.
    Sealed,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 引き分け, for whatever reason.
    Draw,
    /// 最大手数: drawn by the move limit.
    MoveLimit,
    /// 切れ負け: the side to move ran out of time.
    Time,
    /// 反則: a side broke a rule.
    Foul {
        /// Who.
        by: Color,
        /// The illegal move that was made, if it is recorded. It was made by the side to move.
        made: Option<Move>,
    },
    /// 入玉勝ち: the side to move declared, rightly.
    Declaration,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: the problem has no mate.
    NoMate,
    /// 不戦勝: the side to move wins without a game.
    WonByDefault,
    /// 不戦敗: the side to move loses without a game.
    LostByDefault,
    /// Something went wrong.
    Error,
}

impl From<GameOver> for Ending {
    /// How a record keeps what a referee says.
    fn from(over: GameOver) -> Self {
        let foul = || Self::Foul {
            by: over.winner.map_or(Color::Black, Color::foe),
            made: None,
        };
        match over.termination {
            Termination::Rules(cause) => match cause {
                Cause::Mate | Cause::NoMove => Self::Mate,
                Cause::Repetition => Self::Repetition,
                Cause::PerpetualCheck | Cause::WrongDeclaration => foul(),
                Cause::MoveLimit => Self::MoveLimit,
                Cause::Declaration if over.winner.is_none() => Self::Impasse,
                Cause::Declaration | Cause::Try => Self::Declaration,
            },
            Termination::Resignation => Self::Resignation,
            Termination::Time => Self::Time,
            Termination::IllegalMove(_) | Termination::IllegalAction => foul(),
            Termination::Agreement => Self::Draw,
        }
    }
}

impl Ending {
    /// Who has won, given who was to move; `None` if nobody knows.
    pub const fn result(self, turn: Color) -> Option<GameResult> {
        Some(match self {
            Self::Resignation | Self::Time | Self::Mate | Self::LostByDefault => {
                GameResult::Win(turn.foe())
            }
            Self::Declaration | Self::WonByDefault => GameResult::Win(turn),
            Self::Foul { by, .. } => GameResult::Win(by.foe()),
            Self::Repetition | Self::Impasse | Self::Draw | Self::MoveLimit => GameResult::Draw,
            Self::Interruption | Self::Sealed | Self::NoMate | Self::Error => return None,
        })
    }

    /// The illegal move that was made, if the side to move has the piece for it, so that it can be
    /// named.
    pub(crate) fn made(self, pos: &Position) -> Option<Move> {
        let Self::Foul { by, made: Some(mv) } = self else {
            return None;
        };
        let own = |from| {
            pos.at(from)
                .filter(|piece: &Piece| piece.color() == pos.turn())
        };
        let named = match mv.from() {
            None => true,
            Some(from) => own(from).is_some_and(|piece| !mv.is_promotion() || piece.can_promote()),
        };
        (named && by == pos.turn() && !pos.is_legal(mv)).then_some(mv)
    }

    /// The word of CSA records and JKF, without the per cent sign.
    pub(crate) fn csa(self, turn: Color) -> &'static str {
        match self {
            Self::Resignation => "TORYO",
            // CSA has no word for these.
            Self::Interruption | Self::Sealed | Self::WonByDefault | Self::LostByDefault => {
                "CHUDAN"
            }
            Self::Repetition => "SENNICHITE",
            Self::Impasse => "JISHOGI",
            Self::Draw => "HIKIWAKE",
            Self::MoveLimit => "MAX_MOVES",
            Self::Time => "TIME_UP",
            Self::Foul { by, made: None } if by == turn => "ILLEGAL_MOVE",
            Self::Foul {
                by: Color::Black, ..
            } => "+ILLEGAL_ACTION",
            Self::Foul {
                by: Color::White, ..
            } => "-ILLEGAL_ACTION",
            Self::Declaration => "KACHI",
            Self::Mate => "TSUMI",
            Self::NoMate => "FUZUMI",
            Self::Error => "ERROR",
        }
    }

    /// The ending for a word of CSA.
    pub(crate) fn from_csa(word: &str, turn: Color) -> Option<Self> {
        let foul = |by| Self::Foul { by, made: None };
        Some(match word {
            "TORYO" => Self::Resignation,
            "CHUDAN" | "MATTA" => Self::Interruption,
            "SENNICHITE" => Self::Repetition,
            "JISHOGI" => Self::Impasse,
            "HIKIWAKE" => Self::Draw,
            "MAX_MOVES" => Self::MoveLimit,
            "TIME_UP" => Self::Time,
            "ILLEGAL_MOVE" => foul(turn),
            "+ILLEGAL_ACTION" => foul(Color::Black),
            "-ILLEGAL_ACTION" => foul(Color::White),
            "KACHI" => Self::Declaration,
            "TSUMI" => Self::Mate,
            "FUZUMI" => Self::NoMate,
            "ERROR" => Self::Error,
            _ => return None,
        })
    }

    /// The word of KIF records.
    pub fn japanese(self, turn: Color) -> &'static str {
        match self {
            Self::Resignation => "投了",
            Self::Interruption => "中断",
            Self::Sealed => "封じ手",
            Self::Repetition => "千日手",
            Self::Impasse => "持将棋",
            Self::Draw => "引き分け",
            Self::MoveLimit => "最大手数",
            Self::Time => "切れ負け",
            Self::Foul { by, made: None } if by == turn => "反則負け",
            Self::Foul { .. } => "反則勝ち",
            Self::Declaration => "入玉勝ち",
            Self::Mate => "詰み",
            Self::NoMate => "不詰",
            Self::WonByDefault => "不戦勝",
            Self::LostByDefault => "不戦敗",
            Self::Error => "エラー",
        }
    }

    /// The ending for a word of KIF, given who is to move.
    pub fn from_japanese(word: &str, turn: Color) -> Option<Self> {
        let foul = |by| Self::Foul { by, made: None };
        Some(match word {
            "投了" => Self::Resignation,
            "中断" => Self::Interruption,
            "封じ手" => Self::Sealed,
            "千日手" => Self::Repetition,
            "持将棋" => Self::Impasse,
            "引き分け" | "引分け" | "引分" => Self::Draw,
            "最大手数" => Self::MoveLimit,
            "切れ負け" | "時間切れ" => Self::Time,
            "反則負け" => foul(turn),
            "反則勝ち" => foul(turn.foe()),
            "入玉勝ち" | "入玉宣言" | "勝ち宣言" => Self::Declaration,
            "詰み" | "詰" => Self::Mate,
            "不詰" | "不詰み" => Self::NoMate,
            "不戦勝" => Self::WonByDefault,
            "不戦敗" => Self::LostByDefault,
            "エラー" => Self::Error,
            _ => return None,
        })
    }
}
