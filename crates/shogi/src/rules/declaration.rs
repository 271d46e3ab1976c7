//! The entering-king declaration.
//!
//! A king that has reached the far side of the board can hardly be mated, so its owner may claim
//! the game in place of a move, by counting pieces (入玉宣言), or by running for the start square
//! of the foe's king (トライルール). A wrong claim loses.
//!
//! The rules are those of the Japan Shogi Association and of the Computer Shogi Association; the
//! choices bear the names that YaneuraOu gives them.

#[cfg(test)]
mod tests;

use crate::bitboard::Bitboard;
use crate::position::{Group, Position};
use crate::types::color::Color;
use crate::types::hand::Hand;
use crate::types::moves::Move;
use crate::types::piece::PieceKind;
use crate::types::square::Square;
use std::fmt;
use std::str::FromStr;

/// By which rule a side may declare. The names are those of the USI option `EnteringKingRule`.
///
/// ```
/// use tesuji_shogi::rules::DeclarationRule;
/// assert_eq!("CSARule27".parse(), Ok(DeclarationRule::Points27));
/// assert_eq!(DeclarationRule::TryRule.to_string(), "TryRule");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeclarationRule {
    /// Nobody may declare.
    None,
    /// 24点法: 31 points win, 24 to 30 draw.
    Points24,
    /// 24点法 for handicap games: White, who gives the pieces, needs as many points less as it
    /// gave.
    Points24Handicap,
    /// 27点法: 28 points win for Black, 27 for White.
    #[default]
    Points27,
    /// 27点法 for handicap games: White, who gives the pieces, needs as many points less as it
    /// gave.
    Points27Handicap,
    /// トライルール: a king that can move to the start square of the foe's king wins.
    TryRule,
}

impl DeclarationRule {
    /// All rules, in the order of the USI option.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Points24,
        Self::Points24Handicap,
        Self::Points27,
        Self::Points27Handicap,
        Self::TryRule,
    ];

    /// The name as a value of the USI option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "NoEnteringKing",
            Self::Points24 => "CSARule24",
            Self::Points24Handicap => "CSARule24H",
            Self::Points27 => "CSARule27",
            Self::Points27Handicap => "CSARule27H",
            Self::TryRule => "TryRule",
        }
    }

    /// How many points a side needs; `None` if the rule does not count points.
    pub fn demand(self, pos: &Position, color: Color) -> Option<RequiredPoints> {
        let even = match self {
            Self::None | Self::TryRule => return None,
            Self::Points24 | Self::Points24Handicap => RequiredPoints { draw: 24, win: 31 },
            Self::Points27 | Self::Points27Handicap => match color {
                Color::Black => RequiredPoints { draw: 28, win: 28 },
                Color::White => RequiredPoints { draw: 27, win: 27 },
            },
        };
        let is_for_handicaps = matches!(self, Self::Points24Handicap | Self::Points27Handicap);
        let given = if is_for_handicaps && color == Color::White {
            FULL_SET.saturating_sub(points_of_all(pos))
        } else {
            0
        };
        Some(RequiredPoints {
            draw: even.draw.saturating_sub(given),
            win: even.win.saturating_sub(given),
        })
    }
}

impl fmt::Display for DeclarationRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text is not a rule of declaration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no rule of declaration: expected NoEnteringKing, CSARule24, CSARule24H, CSARule27, \
     CSARule27H or TryRule"
)]
pub struct DeclarationRuleError(String);

impl FromStr for DeclarationRule {
    type Err = DeclarationRuleError;
    fn from_str(text: &str) -> Result<Self, DeclarationRuleError> {
        // What comes from outside may be long: an error repeats only the beginning.
        Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| DeclarationRuleError(text.chars().take(16).collect()))
    }
}

/// How many points a side needs to draw and to win; the same number if a declaration only wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequiredPoints {
    /// From here on a declaration draws.
    pub draw: u32,
    /// From here on a declaration wins.
    pub win: u32,
}

/// What a side could declare with.
///
/// ```
/// use tesuji_shogi::{Color, Position};
/// use tesuji_shogi::rules::DeclarationCount;
/// let count = DeclarationCount::of(&Position::start(), Color::Black);
/// assert_eq!(count, DeclarationCount { king_entered: false, pieces: 0, points: 0 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclarationCount {
    /// Whether its king stands in its zone.
    pub king_entered: bool,
    /// How many of its pieces stand in its zone, the king not counted.
    pub pieces: u32,
    /// The points (点数) of those pieces and of its hand: five for each rook and bishop, promoted
    /// or not, one for everything else.
    pub points: u32,
}

impl DeclarationCount {
    /// Counts for one side, whoever is to move.
    pub fn of(pos: &Position, color: Color) -> Self {
        let own = pos.pieces(color) & color.zone();
        let king = pos.king(color).map_or(Bitboard::EMPTY, Bitboard::of);
        let pieces = own.without(king);
        Self {
            king_entered: own.meets(king),
            pieces: pieces.len() as u32,
            points: points_on(pos, pieces) + points_in(pos.hand(color)),
        }
    }
}

/// What comes of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The side to move wins.
    Win,
    /// The game is drawn (持将棋).
    Draw,
    /// The side to move wins by this move of its king.
    Try(Move),
    /// The side to move may not declare, and would lose if it did.
    NotAllowed(Obstacle),
}

/// Which condition of a declaration is not met; the first one, in the order of this list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Obstacle {
    /// The rules of the game know no declaration.
    #[error("there is no declaration under these rules")]
    NoRule,
    /// The side has no king.
    #[error("there is no king to enter with")]
    NoKing,
    /// The try is not a legal move of the king.
    #[error("the king cannot move to {0}")]
    NoTry(Square),
    /// The king does not stand in its zone.
    #[error("the king is not within the last three ranks")]
    NotInZone,
    /// The king is in check.
    #[error("the king is in check")]
    InCheck,
    /// Fewer than ten pieces besides the king stand in the zone.
    #[error("{0} pieces besides the king are within the last three ranks: 10 are needed")]
    TooFewPieces(u32),
    /// The points do not suffice.
    #[error("{points} points: {needed} are needed")]
    TooFewPoints {
        /// How many there are.
        points: u32,
        /// How many would do, if only for a draw.
        needed: u32,
    },
}

/// How many pieces besides the king must stand in the zone.
const PIECES_NEEDED: u32 = 10;

/// The points of a full set, kings not counted.
const FULL_SET: u32 = 54;

/// What comes of a declaration of the side to move.
///
/// ```text
///   ９ ８ ７ ６ ５ ４ ３ ２ １
/// | と と と と と と と と ・|一
/// | ・ ・ ・ 竜 玉 馬 ・ ・ ・|二   Black holds a rook and a bishop: 10 pieces, 28 points
/// ```
/// ```
/// use tesuji_shogi::Position;
/// use tesuji_shogi::rules::{Declaration, DeclarationRule, declare};
/// let sfen = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
/// let pos = Position::from_sfen(sfen).unwrap();
/// assert_eq!(declare(&pos, DeclarationRule::Points27), Declaration::Win);
/// assert_eq!(declare(&pos, DeclarationRule::Points24), Declaration::Draw);
/// ```
pub fn declare(pos: &Position, rule: DeclarationRule) -> Declaration {
    let color = pos.turn();
    match rule.demand(pos, color) {
        Some(demand) => count(pos, color, demand).unwrap_or_else(Declaration::NotAllowed),
        None if rule == DeclarationRule::TryRule => {
            try_move(pos, color).map_or_else(Declaration::NotAllowed, Declaration::Try)
        }
        None => Declaration::NotAllowed(Obstacle::NoRule),
    }
}

/// The start square of the foe's king: 5一 for Black, 5九 for White.
pub(super) const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::trusted(36),
        Color::White => Square::trusted(44),
    }
}

fn try_move(pos: &Position, color: Color) -> Result<Move, Obstacle> {
    let goal = try_square(color);
    let mv = Move::board(pos.king(color).ok_or(Obstacle::NoKing)?, goal);
    if pos.is_legal(mv) {
        Ok(mv)
    } else {
        Err(Obstacle::NoTry(goal))
    }
}

fn count(pos: &Position, color: Color, demand: RequiredPoints) -> Result<Declaration, Obstacle> {
    let count = DeclarationCount::of(pos, color);
    pos.king(color).ok_or(Obstacle::NoKing)?;
    if !count.king_entered {
        Err(Obstacle::NotInZone)
    } else if pos.in_check() {
        Err(Obstacle::InCheck)
    } else if count.pieces < PIECES_NEEDED {
        Err(Obstacle::TooFewPieces(count.pieces))
    } else if count.points < demand.draw {
        Err(Obstacle::TooFewPoints {
            points: count.points,
            needed: demand.draw,
        })
    } else if count.points < demand.win {
        Ok(Declaration::Draw)
    } else {
        Ok(Declaration::Win)
    }
}

/// The points of pieces on the board that are not kings.
fn points_on(pos: &Position, pieces: Bitboard) -> u32 {
    let majors = pieces & (pos.group(Group::Bishops) | pos.group(Group::Rooks));
    (pieces.len() + 4 * majors.len()) as u32
}

fn points_in(hand: Hand) -> u32 {
    hand.total() + 4 * (hand.count(PieceKind::Bishop) + hand.count(PieceKind::Rook))
}

fn points_of_all(pos: &Position) -> u32 {
    let on_board = pos.occupied().without(pos.of_kind(PieceKind::King));
    let in_hand: u32 = Color::ALL
        .map(|color| points_in(pos.hand(color)))
        .iter()
        .sum();
    points_on(pos, on_board) + in_hand
}
