//! Mate in one, from a scan of the squares around the king.
//!
//! The idea is Kuma Shogi's (2013): look at the eight squares around the king once. Those that the
//! attacker does not cover and the defender does not occupy are escapes; a check mates only if it
//! takes all of them, and if nobody can take the piece that gives it. That leaves hardly a move
//! that does not mate, and these are played on a copy of the array. Checks of knights, from afar
//! and discovered ones are looked at as well, so that no mate is missed.

use crate::board::Board;
use crate::movegen::scan::generate::has_reply;
use crate::movegen::scan::look::{
    AHEAD, Around, BACK, DIRECTIONS, ScanCheckInfo, Sight, after, attacks, each_bit, knights_from,
    mirrored, moves_by, next, opposite,
};
use crate::movegen::scan::pieces::{moves_in, moves_onto};
use crate::movegen::scan::placement::{Placement, is_own};
use crate::movegen::scan::{ScanBoard, ShortBuffer};
use crate::movegen::{Each, by_turn};
use crate::side::Side;
use crate::types::moves::Move;
use crate::types::piece::{Piece, PieceKind};
use crate::types::square::Square;
use std::marker::PhantomData;
use std::ops::ControlFlow::{Break, Continue};

/// A move that mates at once, if there is one. A dropped pawn never mates: that is illegal.
///
/// ```text
///  ９ ８ ７ ６ ５ ４ ３ ２ １
/// | ・ ・ ・ ・v玉 ・ ・ ・ ・|一
/// | ・ ・ ・ ・ 金 ・ ・ ・ ・|二  the gold is dropped here
/// | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
/// ```
///
/// ```
/// use tesuji_shogi::{Position, movegen::scan::ScanBoard, tactics::mate1_scan::mate_in_one};
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
/// let mate = mate_in_one(&ScanBoard::from(&pos));
/// assert_eq!(mate, "G*5b".parse().ok());
/// ```
pub fn mate_in_one(board: &ScanBoard) -> Option<Move> {
    by_turn!(board, find(board))
}

fn find<S: Side>(board: &ScanBoard) -> Option<Move> {
    let now = board.placement();
    let king = now.king(S::Foe::COLOR)?.index();
    let own = now.king(S::COLOR).map(Square::index);
    let safety = own.map_or(ScanCheckInfo::NONE, |own| {
        ScanCheckInfo::of::<S>(own, &now.squares)
    });
    if safety.checks() > 0 {
        return out_of_check::<S>(board, king);
    }
    let net = ScanMatingNet::<S>::new(now, king, safety);
    net.near_drops()
        .or_else(|| net.near_moves())
        .or_else(|| net.knight_checks())
        .or_else(|| net.discovered_checks())
        .or_else(|| net.far_checks())
}

/// A side in check has few moves: all are tried.
#[cold]
fn out_of_check<S: Side>(board: &ScanBoard, king: usize) -> Option<Move> {
    let mut found = None;
    let _ = board.legal(&mut Each(|mv| {
        let mut then = *board.placement();
        then.play(S::COLOR, mv);
        if Sight::from::<S>(king, &then.squares).is_covered() && !has_reply::<S::Foe>(&then) {
            found = Some(mv);
            return Break(());
        }
        Continue(())
    }));
    found
}

/// By kind and the direction from a king to a piece next to it: which squares next to the king the
/// piece attacks, also through others; a bit for each direction.
const COVERS: [[u32; 8]; 16] = {
    let mut covers = [[0; 8]; 16];
    let mut i = 0;
    while i < 14 * 64 {
        let (kind, from, to) = (PieceKind::ALL[i / 64], i / 8 % 8, i % 8);
        let files = DIRECTIONS[to].0 - DIRECTIONS[from].0;
        let ranks = DIRECTIONS[to].1 - DIRECTIONS[from].1;
        let covered = match (files, ranks) {
            (0, 0) => false,
            (-1..=1, -1..=1) => moves_by(kind, (files, ranks), false),
            _ => files % 2 == 0 && ranks % 2 == 0 && moves_by(kind, (files / 2, ranks / 2), true),
        };
        covers[kind.index()][from] |= (covered as u32) << to;
        i += 1;
    }
    covers
};

/// By two directions from a king: the direction, as a bit, in which one looks from the square next
/// to the king in the first direction to that in the second. Nothing if they are not in line.
const TOWARDS: [[u32; 8]; 8] = {
    let mut towards = [[0; 8]; 8];
    let mut i = 0;
    while i < 8 * 64 {
        let (from, to, way) = (i / 64, i / 8 % 8, i % 8);
        let files = DIRECTIONS[to].0 - DIRECTIONS[from].0;
        let ranks = DIRECTIONS[to].1 - DIRECTIONS[from].1;
        let (ahead, twice) = (
            DIRECTIONS[way],
            (2 * DIRECTIONS[way].0, 2 * DIRECTIONS[way].1),
        );
        let once = files == ahead.0 && ranks == ahead.1;
        towards[from][to] |= ((once || files == twice.0 && ranks == twice.1) as u32) << way;
        i += 1;
    }
    towards
};

/// The search for a move of `S` that mates.
struct ScanMatingNet<'a, S> {
    now: &'a Placement,
    /// Where the king of the foe stands.
    king: usize,
    /// What threatens the own king.
    safety: ScanCheckInfo,
    /// What threatens the king of the foe.
    danger: ScanCheckInfo,
    /// Who attacks the squares around it.
    ring: [Sight; 8],
    /// The directions in which the next square is on the board and not occupied by the foe, a bit
    /// for each; and those in which the king could flee, if it had to.
    open: u32,
    escapes: u32,
    side: PhantomData<S>,
}

impl<'a, S: Side> ScanMatingNet<'a, S> {
    fn new(now: &'a Placement, king: usize, safety: ScanCheckInfo) -> Self {
        let ring = Around::<S>::RING[king](&now.squares);
        let (mut open, mut escapes) = (0, 0);
        for (direction, sight) in ring.iter().enumerate() {
            if Around::<S>::ROOM[king][direction] > 0 {
                let is_open = !is_own::<S::Foe>(now.squares.0[after::<S>(king, direction)]);
                open |= u32::from(is_open) << direction;
                escapes |= u32::from(is_open && !sight.is_covered()) << direction;
            }
        }
        Self {
            now,
            king,
            safety,
            danger: ScanCheckInfo::of::<S::Foe>(king, &now.squares),
            ring,
            open,
            escapes,
            side: PhantomData,
        }
    }

    /// Whether a move that gives check is legal and mates.
    fn mates(&self, mv: Move) -> bool {
        let mut then = *self.now;
        then.play(S::COLOR, mv);
        let own = then
            .king(S::COLOR)
            .filter(|&own| self.safety.has_pins() || own == mv.to());
        let exposed =
            own.is_some_and(|own| Sight::from::<S>(own.index(), &then.squares).is_threatened());
        !exposed && !has_reply::<S::Foe>(&then)
    }

    fn mating(&self, mv: Move) -> Option<Move> {
        self.mates(mv).then_some(mv)
    }

    /// Whether another piece of `S` covers a square, so that a line may open when it is left.
    fn opens(&self, from: usize) -> bool {
        Sight::from::<S>(from, &self.now.squares).is_covered()
    }

    /// Whether a piece next to the king can be taken by another piece that is surely not pinned.
    fn is_guarded(&self, direction: usize) -> bool {
        self.ring[direction].is_threatened_but_from(opposite(direction)) && !self.danger.has_pins()
    }

    /// Drops next to the king: the square must be covered, or the king would take.
    fn near_drops(&self) -> Option<Move> {
        if !self.now.hands[S::COLOR].has_more_than_pawns() {
            return None;
        }
        each_bit(self.open & !self.escapes)
            .filter(|&direction| !self.is_guarded(direction))
            .find_map(|direction| self.near_drop(direction))
    }

    fn near_drop(&self, direction: usize) -> Option<Move> {
        use PieceKind::*;
        let to = after::<S>(self.king, direction);
        if self.now.squares.0[to].is_some() {
            return None;
        }
        // What only sliders behind the dropped piece attacked is free again.
        let blind = self.blind_corners(direction);
        let free = each_bit(self.open & !(1 << direction))
            .filter(|&other| {
                let towards = if blind >> other & 1 == 0 {
                    TOWARDS[other][direction]
                } else {
                    0
                };
                !self.ring[other].is_covered_but_from(towards)
            })
            .fold(0, |free, other| free | 1 << other);
        let hand = self.now.hands[S::COLOR];
        [Gold, Silver, Rook, Bishop, Lance]
            .into_iter()
            .filter(|&kind| {
                hand.has(kind)
                    && free & !(COVERS[kind.index()][direction] & !blind) == 0
                    && attacks::<S>(Piece::new(S::COLOR, kind), direction, false)
            })
            .map(|kind| Move::drop(kind, Square::trusted(to as u8)))
            .find(|&mv| !self.danger.has_pins() || self.mates(mv))
    }

    /// The corners around the king that a piece in another corner does not see along the edge.
    fn blind_corners(&self, corner: usize) -> u32 {
        if corner.is_multiple_of(2) {
            return 0;
        }
        [1, 7]
            .into_iter()
            .filter(|turn| {
                let between = (corner + turn) % 8;
                Around::<S>::ROOM[self.king][between] > 0
                    && self.now.squares.0[after::<S>(self.king, between)].is_some()
            })
            .fold(0, |blind, turn| blind | 1 << ((corner + 2 * turn) % 8))
    }

    /// Moves to the squares next to the king.
    fn near_moves(&self) -> Option<Move> {
        (0..8)
            .filter(|&direction| self.ring[direction].is_covered())
            .find_map(|direction| {
                let to = after::<S>(self.king, direction);
                if is_own::<S>(self.now.squares.0[to]) {
                    return None;
                }
                let mut moves = ShortBuffer::new();
                let count = moves_onto::<S, _, _>(
                    &self.now.squares,
                    to,
                    self.ring[direction],
                    &mut moves,
                    0,
                );
                let guarded = self.is_guarded(direction);
                let protected = self.ring[direction].covers() > 1;
                moves
                    .moves(count)
                    .filter(|&mv| {
                        let (piece, from) = (self.piece_after(mv), mv.origin().index());
                        attacks::<S>(piece, direction, false)
                            && (protected || self.is_backed(from, to))
                            && (!guarded || self.pins_by_leaving(from))
                            && (self.escapes & !COVERS[piece.index() & 15][direction] == 0
                                || self.opens(from))
                    })
                    .find(|&mv| self.mates(mv))
            })
    }

    /// Whether an own slider stands behind a piece in line with the square it moves to.
    fn is_backed(&self, from: usize, to: usize) -> bool {
        self.line(to, from)
            .is_some_and(|direction| self.is_aimed(from, direction))
    }

    /// Whether the next piece in a direction is an own slider that looks back.
    fn is_aimed(&self, from: usize, direction: usize) -> bool {
        next::<S>(&self.now.squares, from, direction).is_some_and(|(_, piece)| {
            piece.color() == S::COLOR && attacks::<S>(piece, direction, true)
        })
    }

    /// Whether a piece stands between an own slider and a piece of the foe before its king.
    fn pins_by_leaving(&self, from: usize) -> bool {
        let squares = &self.now.squares;
        self.line(self.king, from).is_some_and(|direction| {
            let shield = next::<S>(squares, self.king, direction);
            shield.is_some_and(|(shield, _)| {
                next::<S>(squares, shield, direction).is_some_and(|(at, _)| at == from)
            }) && self.is_aimed(from, direction)
        })
    }

    /// The direction from one square to another, if they are in line.
    fn line(&self, from: usize, to: usize) -> Option<usize> {
        let files = (to / 9) as isize - (from / 9) as isize;
        let ranks = match S::COLOR {
            crate::Color::Black => (from % 9) as isize - (to % 9) as isize,
            crate::Color::White => (to % 9) as isize - (from % 9) as isize,
        };
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return None;
        }
        DIRECTIONS
            .iter()
            .position(|&way| way == (files.signum(), ranks.signum()))
    }

    fn piece_after(&self, mv: Move) -> Piece {
        let piece = self.now.squares[mv.origin()].expect("a piece stands where its move starts");
        piece.with_promotion(mv.is_promotion())
    }

    /// Checks of knights, which take no escape.
    fn knight_checks(&self) -> Option<Move> {
        let squares = &self.now.squares;
        let knight = Piece::new(S::COLOR, PieceKind::Knight);
        let in_hand = self.now.hands[S::COLOR].has(PieceKind::Knight);
        knights_from::<S>(self.king, BACK)
            .into_iter()
            .find_map(|to| {
                let target = *squares.0.get(to)?;
                if is_own::<S>(target) {
                    return None;
                }
                let square = Square::trusted(to as u8);
                if in_hand
                    && target.is_none()
                    && self.escapes == 0
                    && let Some(mv) = self.mating(Move::drop(PieceKind::Knight, square))
                {
                    return Some(mv);
                }
                knights_from::<S>(to, BACK)
                    .into_iter()
                    .filter(|&from| squares.0.get(from) == Some(&Some(knight)))
                    .filter(|&from| self.escapes == 0 || self.opens(from))
                    .find_map(|from| self.mating(Move::board(Square::trusted(from as u8), square)))
            })
    }

    /// Moves of pieces that stand between the king and an own slider.
    #[inline]
    fn discovered_checks(&self) -> Option<Move> {
        each_bit(self.danger.batteries()).find_map(|direction| {
            let (from, _) = next::<S::Foe>(&self.now.squares, self.king, direction)?;
            self.moves_off(from, mirrored(direction))
        })
    }

    fn moves_off(&self, from: usize, line: usize) -> Option<Move> {
        let squares = &self.now.squares;
        let mut moves = ShortBuffer::new();
        for direction in (0..8).filter(|&other| other != line && other != opposite(line)) {
            let count = moves_in::<S, _, _>(squares, from, direction, &mut moves, 0);
            let mate = moves.moves(count).find(|&mv| self.mates(mv));
            if mate.is_some() {
                return mate;
            }
        }
        let knight = Piece::new(S::COLOR, PieceKind::Knight);
        knights_from::<S>(from, AHEAD)
            .into_iter()
            .filter(|_| squares.0[from] == Some(knight))
            .filter(|&to| {
                squares
                    .0
                    .get(to)
                    .is_some_and(|&target| !is_own::<S>(target))
            })
            .find_map(|to| {
                let count = moves.put_move::<S>(0, knight, from, to);
                moves.moves(count).find(|&mv| self.mates(mv))
            })
    }

    /// Checks of sliders from afar. Who can drop a piece between is not mated.
    #[inline]
    fn far_checks(&self) -> Option<Move> {
        use PieceKind::*;
        let hand = self.now.hands[S::Foe::COLOR];
        if [Gold, Silver, Bishop, Rook]
            .into_iter()
            .any(|kind| hand.has(kind))
        {
            return None;
        }
        let firm = self.firm_escapes();
        (0..8).find_map(|direction| {
            // A slider takes the two escapes on its line; a dragon may take two beside it.
            let bit = |turn: usize| 1 << ((direction + turn) % 8);
            let line = bit(0) | bit(4);
            let beside = if direction % 2 == 0 {
                bit(1) | bit(7)
            } else {
                0
            };
            if firm & !(line | beside) == 0 {
                self.far_checks_from(direction, self.escapes & !line == 0)
            } else {
                None
            }
        })
    }

    fn far_checks_from(&self, direction: usize, drops: bool) -> Option<Move> {
        let squares = &self.now.squares;
        let mut to = self.king;
        let mut moves = ShortBuffer::new();
        for distance in 1..=Around::<S>::ROOM[self.king][direction] {
            to = after::<S>(to, direction);
            if is_own::<S>(squares.0[to]) {
                return None;
            }
            if distance > 1 {
                if drops
                    && squares.0[to].is_none()
                    && let Some(mv) = self.far_drop(direction, to)
                {
                    return Some(mv);
                }
                let sight = Sight::from::<S>(to, squares);
                let count = moves_onto::<S, _, _>(squares, to, sight, &mut moves, 0);
                let mate = moves
                    .moves(count)
                    .filter(|&mv| attacks::<S>(self.piece_after(mv), direction, true))
                    .find(|&mv| self.mates(mv));
                if mate.is_some() {
                    return mate;
                }
            }
            if squares.0[to].is_some() {
                return None;
            }
        }
        None
    }

    fn far_drop(&self, direction: usize, to: usize) -> Option<Move> {
        let (hand, to) = (self.now.hands[S::COLOR], Square::trusted(to as u8));
        [PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance]
            .into_iter()
            .filter(|&kind| hand.has(kind))
            .filter(|&kind| attacks::<S>(Piece::new(S::COLOR, kind), direction, true))
            .find_map(|kind| self.mating(Move::drop(kind, to)))
    }

    /// The escapes that remain whichever own piece leaves the line of an own slider.
    fn firm_escapes(&self) -> u32 {
        let squares = &self.now.squares;
        each_bit(self.escapes)
            .filter(|&escape| {
                let danger = ScanCheckInfo::of::<S::Foe>(after::<S>(self.king, escape), squares);
                danger.batteries() == 0
            })
            .fold(0, |firm, escape| firm | 1 << escape)
    }
}
