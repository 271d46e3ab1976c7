//! What an exchange on a square is worth, from lists of attackers made by looking outward.
//!
//! The idea is Kuma Shogi's (2013): each of the eight directions around the square gives a list of
//! the pieces that attack along it, one behind the other. Whoever stands behind joins in once those
//! before it have taken, so x-rays need no care: the exchange only ever looks at the heads of the
//! lists.

use crate::board::Board;
use crate::movegen::scan::look::{AHEAD, Around, BACK, after, attacks, knights_from};
use crate::side::Black;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use crate::types::value::Value;

/// What a move wins or loses on the square where it lands, for the side that plays it.
///
/// Both sides take in turn on that square, each with its least valuable attacker (of equals the one
/// on the square with the lower number), and each may stop instead. A king takes only what no foe
/// attacks. The first move counts with its promotion, later ones do not promote; pins are not seen.
/// Any move on any board may be asked about, drops and moves that take nothing as well.
///
/// ```
/// use tesuji_shogi::{Board, Position, Value, tactics::see_scan::exchange};
/// let pos = Position::from_sfen("4k4/9/4p4/5s3/4P4/4L4/9/9/4K4 b R 1").unwrap();
/// // The pawn takes nothing on 5四: the silver or the pawn takes it, and the lance takes back.
/// assert_eq!(exchange(&pos, "5e5d".parse().unwrap()), Value::new(0));
/// // A rook dropped there is lost for a pawn.
/// assert_eq!(exchange(&pos, "R*4e".parse().unwrap()), Value::new(-950));
/// ```
pub fn exchange(board: &impl Board, mv: Move) -> Value {
    let (to, side) = (mv.to(), board.turn());
    let piece = match mv.dropped() {
        Some(kind) => Some(Piece::new(side, kind)),
        None => board.at(mv.origin()),
    };
    let Some(piece) = piece else {
        return Value::ZERO;
    };
    let mut gain = board
        .at(to)
        .map_or(Value::ZERO, |taken| taken.kind().worth());
    let placed = piece.with_promotion(mv.is_promotion()).kind();
    gain += placed.worth() - piece.kind().worth();
    gain - Lists::around(board, to, mv.from()).best(side.foe(), placed.worth())
}

/// The attackers of both sides on one square: a list for each of the eight directions, then the
/// two knights of Black and the two of White, each alone on its list.
struct Lists<'a, B> {
    board: &'a B,
    /// Where the piece stood that began the exchange: an empty square now.
    left: Option<Square>,
    /// Where the head of each list stands; the rest is found when its turn comes.
    heads: [Option<Square>; 12],
}

impl<'a, B: Board> Lists<'a, B> {
    fn around(board: &'a B, to: Square, left: Option<Square>) -> Self {
        let mut lists = Self {
            board,
            left,
            heads: [None; 12],
        };
        for direction in 0..8 {
            lists.heads[direction] = lists.next(to, direction, true);
        }
        let sides = [(Color::Black, BACK), (Color::White, AHEAD)];
        for (i, (color, direction)) in sides.into_iter().enumerate() {
            let knight = Some(Piece::new(color, PieceKind::Knight));
            for (j, at) in knights_from::<Black>(to.index(), direction)
                .into_iter()
                .enumerate()
            {
                lists.heads[8 + 2 * i + j] =
                    Square::new(at).filter(|&at| board.at(at) == knight && Some(at) != left);
            }
        }
        lists
    }

    /// The next piece on a list behind `at`; nothing if the next piece does not attack this way.
    fn next(&self, at: Square, direction: usize, near: bool) -> Option<Square> {
        let mut square = at.index();
        for distance in 1..=Around::<Black>::ROOM[square][direction] {
            square = after::<Black>(square, direction);
            let at = Square::trusted(square as u8);
            let Some(piece) = self.board.at(at).filter(|_| Some(at) != self.left) else {
                continue;
            };
            let far = !near || distance > 1;
            return attacks::<Black>(piece, direction, far).then_some(at);
        }
        None
    }

    /// What a side wins at most by taking a piece of this worth on the square.
    fn best(&mut self, side: Color, prize: Value) -> Value {
        let Some((list, kind)) = self.cheapest(side) else {
            return Value::ZERO;
        };
        if let Some(at) = self.heads[list].take().filter(|_| list < 8) {
            self.heads[list] = self.next(at, list, false);
        }
        if kind == PieceKind::King && self.cheapest(side.foe()).is_some() {
            return Value::ZERO;
        }
        (prize - self.best(side.foe(), kind.worth())).max(Value::ZERO)
    }

    /// The least valuable piece of a side among the heads, and its list.
    fn cheapest(&self, side: Color) -> Option<(usize, PieceKind)> {
        let heads = self.heads.iter().enumerate();
        heads
            .filter_map(|(list, &head)| {
                let piece = self.board.at(head?).filter(|piece| piece.color() == side)?;
                Some((piece.kind().worth(), head, list, piece.kind()))
            })
            .min_by_key(|&(worth, at, ..)| (worth, at))
            .map(|(_, _, list, kind)| (list, kind))
    }
}
