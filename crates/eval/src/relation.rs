//! Pieces in relation: to their own king, to the king of the opponent, to their neighbours.
//!
//! After the relations between pieces of OpenShogiLib (Hida and others 2003), with the danger to
//! kings that was left open there. Each side looks at the board from its own king:
//! - an own piece is worth something by itself, more where it is active, and more or less by where
//!   it stands from the king: golds and silvers guard, a rook in the way of its king does not;
//! - a piece of the opponent costs something by where it stands from the king: attackers in front,
//!   two squares away, cost most;
//! - danger grows with the product: attackers with each other, attackers with what the opponent
//!   holds; and guards take some of it away.
//!
//! Neighbours count once for both sides: a piece that is protected by the one beside it, a piece
//! that is attacked by it. All of it is a sum over pieces and pairs, kept move by move.

mod tables;
mod weights;

pub use weights::{KingDanger, RelationWeights};

use crate::evaluator::Evaluator;
use tables::{Contribution, PaddedBoard, RelationSums, RelationTables};
use tesuji_shogi::{ByColor, Change, Color, Piece, Placed, Position, Shift, Square, Value};

/// Evaluates by piece values, relations and king danger; needs no file.
///
/// ```
/// use tesuji_eval::{Evaluator, Relation};
/// use tesuji_shogi::Position;
/// let eval = Relation::new();
/// let start = eval.evaluate(&Position::start());
/// assert!(start.points() > 0); // to be on the move is worth something
/// ```
#[derive(Clone, Debug)]
pub struct Relation {
    tables: Box<RelationTables>,
    danger: KingDanger,
    turn: i32,
}

impl Relation {
    /// With the weights that ship in the binary.
    pub fn new() -> Self {
        Self::with(&RelationWeights::BUILT_IN)
    }

    /// With other weights.
    pub fn with(weights: &RelationWeights) -> Self {
        Self {
            tables: Box::new(RelationTables::new(weights)),
            danger: weights.danger,
            turn: i32::from(weights.turn),
        }
    }

    /// What a side sees in all: its sums less the danger.
    #[inline]
    fn side_value(&self, accumulator: &RelationAccumulator) -> i32 {
        let RelationSums {
            value,
            attack,
            guard,
            held,
        } = accumulator.sums;
        value - self.danger.of(attack, guard, held)
    }

    /// What a piece, wherever it is, adds for the side that looks.
    #[inline]
    fn contribution(&self, pov: Color, king: Option<Square>, placed: Placed) -> Contribution {
        match placed.spot.square() {
            Some(square) => self.tables.standing(pov, king, placed.piece, square),
            None => {
                let nth = placed.spot.nth().unwrap_or(0);
                self.tables.held(pov, placed.piece, nth)
            }
        }
    }
}

impl Default for Relation {
    fn default() -> Self {
        Self::new()
    }
}

/// What one side sees from its king. Black also keeps the board, for the neighbours of both.
#[derive(Clone, Debug, Default)]
pub struct RelationAccumulator {
    king: Option<Square>,
    sums: RelationSums,
    board: PaddedBoard,
    neighbours: i32,
}

impl RelationAccumulator {
    #[inline]
    fn remove(&mut self, tables: &RelationTables, piece: Piece, square: Square) {
        self.board.put(square, None);
        self.neighbours -= tables.around(&self.board, piece, square);
    }

    #[inline]
    fn add(&mut self, tables: &RelationTables, piece: Piece, square: Square) {
        self.neighbours += tables.around(&self.board, piece, square);
        self.board.put(square, Some(piece));
    }
}

impl Evaluator for Relation {
    type Accumulator = RelationAccumulator;
    type RefreshCache = ();
    // Five updates cost about as much as a refresh.
    const MAX_UPDATES: usize = 5;

    fn refresh(
        &self,
        pos: &Position,
        pov: Color,
        accumulator: &mut RelationAccumulator,
        (): &mut (),
    ) {
        let king = pos.king(pov);
        *accumulator = RelationAccumulator {
            king,
            ..RelationAccumulator::default()
        };
        pos.occupied().each(|square| {
            if let Some(piece) = pos.at(square) {
                accumulator
                    .sums
                    .add(self.tables.standing(pov, king, piece, square));
                if pov == Color::Black {
                    accumulator.add(&self.tables, piece, square);
                }
            }
        });
        for color in Color::ALL {
            for (kind, count) in pos.hand(color).iter() {
                let piece = Piece::new(color, kind);
                (1..=count).for_each(|nth| accumulator.sums.add(self.tables.held(pov, piece, nth)));
            }
        }
    }

    fn needs_refresh(&self, pov: Color, change: &Change) -> bool {
        let walks = |shift: Shift| shift.from.piece.is_king() && shift.from.piece.color() == pov;
        change.moved.is_some_and(walks)
    }

    fn update(
        &self,
        _: &Position,
        pov: Color,
        change: &Change,
        old: &RelationAccumulator,
        new: &mut RelationAccumulator,
    ) {
        new.clone_from(old);
        let shifts = [change.taken, change.moved];
        for Shift { from, to } in shifts.into_iter().flatten() {
            new.sums.take(self.contribution(pov, old.king, from));
            new.sums.add(self.contribution(pov, old.king, to));
        }
        if pov == Color::Black {
            let on_board = |placed: Placed| placed.spot.square().map(|at| (placed.piece, at));
            for shift in shifts.into_iter().flatten() {
                if let Some((piece, square)) = on_board(shift.from) {
                    new.remove(&self.tables, piece, square);
                }
            }
            for shift in shifts.into_iter().flatten() {
                if let Some((piece, square)) = on_board(shift.to) {
                    new.add(&self.tables, piece, square);
                }
            }
        }
    }

    fn output(&self, pos: &Position, accumulators: ByColor<&RelationAccumulator>) -> Value {
        let [black, white] = Color::ALL.map(|color| self.side_value(accumulators[color]));
        let board = black - white + accumulators[Color::Black].neighbours;
        let mine = match pos.turn() {
            Color::Black => board,
            Color::White => -board,
        };
        // A sum of weights never claims a mate.
        let most = Value::MATE_FLOOR.points() - 1;
        Value::new((mine + self.turn).clamp(-most, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_shogi::Handicap;

    fn value(sfen: &str) -> i32 {
        let pos = Position::from_sfen(sfen).unwrap();
        Relation::new().evaluate(&pos).points()
    }

    #[test]
    fn even_positions_are_worth_the_turn() {
        let turn = i32::from(RelationWeights::BUILT_IN.turn);
        let start = Relation::new().evaluate(&Position::start());
        assert_eq!(start.points(), turn);
        assert_eq!(value("4k4/9/9/9/9/9/9/9/4K4 w - 1"), turn);
    }

    #[test]
    fn pieces_count() {
        let given = |handicap| {
            Relation::new()
                .evaluate(&Position::handicap(handicap))
                .points()
        };
        let [lance, bishop, rook, two, six] = [
            Handicap::Lance,
            Handicap::Bishop,
            Handicap::Rook,
            Handicap::TwoPiece,
            Handicap::SixPiece,
        ]
        .map(given);
        assert!(lance > bishop && bishop > rook && rook > two && two > six);
    }

    #[test]
    fn attackers_with_pieces_in_hand_are_more_than_their_sum() {
        // A gold before the king, a rook in hand, both, neither: for the side that is attacked.
        let board =
            |gold: &str, hand: &str| value(&format!("4k4/9/9/9/9/9/{gold}/4G4/4K4 b {hand} 1"));
        let both = board("3pg4", "rp") - board("3p5", "rp");
        let alone = board("3pg4", "p") - board("3p5", "p");
        assert!(both < alone && alone < 0, "{both} {alone}");
    }

    #[test]
    fn guards_belong_to_their_king() {
        let near = value("4k4/9/9/9/9/9/9/1SG6/1K7 b - 1");
        let away = value("4k4/9/9/9/9/9/9/5GS2/1K7 b - 1");
        assert!(near > away);
    }
}
