//! What earlier nodes taught about moves.
//!
//! A move that refuted a position is likely to refute similar ones: by itself (butterfly history),
//! after the moves that came before it (continuation), in the same pawn structure, by what it takes.
//! A lesson counts the less, the more is known already, so that no number leaves its range.

use std::io;
use tesuji_kernels::HugePageArray;
use tesuji_shogi::{ByColor, Color, Move, Piece, PieceKind, Position, Square};

/// How many pairs of a piece and the square it lands on there are.
pub(crate) const LANDINGS: usize = 32 * 81;
/// Stands for no move in place of a row.
pub(crate) const NOWHERE: usize = 4 * LANDINGS;
/// How many plies from the root have a table of their own.
pub(crate) const SHALLOW: usize = 5;
const PAWN_BITS: u32 = 11;

const QUIET_LIMIT: i32 = 7_200;
const FOLLOW_LIMIT: i32 = 30_000;
const PAWN_LIMIT: i32 = 8_200;
const CAPTURE_LIMIT: i32 = 10_700;
const TRUST_LIMIT: i32 = 8_192;

/// What is thought of a move before anything is known.
const CAPTURE_START: i16 = -600;
const FOLLOW_START: i16 = -500;
const PAWN_START: i16 = -1000;

/// One number for every landing.
pub(crate) type Row = [i16; LANDINGS];

/// A piece and the square it lands on, as one number.
#[inline(always)]
pub(crate) fn landing(piece: Piece, to: Square) -> usize {
    piece.index() * 81 + to.index()
}

/// The row that tells what followed a move. What answers a capture, or a move out of check, is not
/// what answers others, so each has rows of its own.
#[inline(always)]
pub(crate) fn row_after(landing: usize, in_check: bool, takes: bool) -> usize {
    (usize::from(in_check) * 2 + usize::from(takes)) * LANDINGS + landing
}

/// The rows of up to six plies before a node, nearest first; `NOWHERE` for a pass.
pub(crate) type Trail = [usize; 6];

/// The tables of one thread.
pub(crate) struct Histories {
    quiet: ByColor<Box<[i16; 1 << 16]>>,
    shallow: [Box<[i16; 1 << 16]>; SHALLOW],
    capture: Box<[[i16; 16]; LANDINGS]>,
    follow: Rows,
    pawns: Rows,
    trust: i16,
}

/// Rows in large memory.
struct Rows(HugePageArray);

impl Rows {
    fn new(rows: usize, value: i16) -> io::Result<Self> {
        Ok(Self(HugePageArray::new(rows * LANDINGS, value)?))
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &Row {
        let rest = &self.0.as_slice()[row * LANDINGS..];
        rest.first_chunk().expect("a row lies inside its table")
    }

    #[inline(always)]
    fn row_mut(&mut self, row: usize) -> &mut Row {
        let rest = &mut self.0.as_mut_slice()[row * LANDINGS..];
        rest.first_chunk_mut().expect("a row lies inside its table")
    }
}

impl Histories {
    /// # Errors
    /// If the system has no room for them.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            quiet: ByColor([filled(), filled()]),
            shallow: std::array::from_fn(|_| filled()),
            capture: boxed(vec![[CAPTURE_START; 16]; LANDINGS]),
            follow: Rows::new(NOWHERE + 1, FOLLOW_START)?,
            pawns: Rows::new(1 << PAWN_BITS, PAWN_START)?,
            trust: 0,
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.new_root();
        for table in &mut self.quiet.0 {
            table.fill(0);
        }
        self.capture.fill([CAPTURE_START; 16]);
        self.follow.0.as_mut_slice().fill(FOLLOW_START);
        self.pawns.0.as_mut_slice().fill(PAWN_START);
        self.trust = 0;
    }

    /// Forgets what was taught about single plies: the root is another one now.
    pub(crate) fn new_root(&mut self) {
        for table in &mut self.shallow {
            table.fill(90);
        }
    }

    #[inline(always)]
    pub(crate) fn quiet(&self, turn: Color, mv: Move) -> i32 {
        i32::from(self.quiet[turn][usize::from(mv.bits())])
    }

    #[inline(always)]
    pub(crate) fn shallow(&self, ply: usize, mv: Move) -> i32 {
        let table = self.shallow.get(ply);
        table.map_or(0, |table| i32::from(table[usize::from(mv.bits())]))
    }

    /// By what a move takes; `None` for a check that takes nothing.
    #[inline(always)]
    pub(crate) fn capture(&self, landing: usize, taken: Option<PieceKind>) -> i32 {
        i32::from(self.capture[landing][taken.map_or(0, PieceKind::index)])
    }

    /// What followed a move, by its row.
    #[inline(always)]
    pub(crate) fn follow(&self, before: usize) -> &Row {
        self.follow.row(before)
    }

    #[inline(always)]
    pub(crate) fn pawns(&self, structure: u64) -> &Row {
        self.pawns.row(pawn_row(structure))
    }

    /// How far the move of the table has been the best one of late.
    #[inline(always)]
    pub(crate) fn trust(&self) -> i32 {
        i32::from(self.trust)
    }

    #[inline]
    pub(crate) fn teach_trust(&mut self, bonus: i32) {
        teach(&mut self.trust, bonus, TRUST_LIMIT);
    }

    #[inline]
    pub(crate) fn teach_quiet(&mut self, turn: Color, mv: Move, bonus: i32) {
        teach(
            &mut self.quiet[turn][usize::from(mv.bits())],
            bonus,
            QUIET_LIMIT,
        );
    }

    #[inline]
    pub(crate) fn teach_shallow(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(table) = self.shallow.get_mut(ply) {
            teach(&mut table[usize::from(mv.bits())], bonus, QUIET_LIMIT);
        }
    }

    #[inline]
    pub(crate) fn teach_capture(&mut self, landing: usize, taken: Option<PieceKind>, bonus: i32) {
        let entry = &mut self.capture[landing][taken.map_or(0, PieceKind::index)];
        teach(entry, bonus, CAPTURE_LIMIT);
    }

    #[inline]
    pub(crate) fn teach_pawns(&mut self, structure: u64, landing: usize, bonus: i32) {
        let row = self.pawns.row_mut(pawn_row(structure));
        teach(&mut row[landing], bonus, PAWN_LIMIT);
    }

    /// Teaches what followed each of the moves before; in check only the nearest two matter.
    #[inline]
    pub(crate) fn teach_follow(
        &mut self,
        trail: &Trail,
        in_check: bool,
        landing: usize,
        bonus: i32,
    ) {
        const SHARES: [i32; 6] = [1150, 650, 290, 575, 140, 440];
        // To be tried at all speaks for a move: the nearest row gains a little whatever happens.
        const NEAREST: [i32; 6] = [88, 0, 0, 0, 0, 0];
        let plies = if in_check { 2 } else { 6 };
        let shares = SHARES.into_iter().zip(NEAREST);
        for (&before, (share, more)) in trail.iter().zip(shares).take(plies) {
            if before != NOWHERE {
                teach(
                    &mut self.follow.row_mut(before)[landing],
                    bonus * share / 1024 + more,
                    FOLLOW_LIMIT,
                );
            }
        }
    }
}

#[inline(always)]
fn pawn_row(structure: u64) -> usize {
    (structure >> (64 - PAWN_BITS)) as usize
}

/// The pawns of both sides, as a number.
#[inline]
pub(crate) fn pawn_structure(pos: &Position) -> u64 {
    let pawns = pos.of_kind(PieceKind::Pawn);
    let black = (pawns & pos.pieces(Color::Black)).words();
    let white = (pawns & pos.pieces(Color::White)).words();
    super::correction::folded(&[black[0], black[1] | white[1] << 32, white[0]])
}

/// Moves a number towards its limit by a lesson, or away from it.
#[inline(always)]
pub(crate) fn teach(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

fn filled() -> Box<[i16; 1 << 16]> {
    boxed(vec![0; 1 << 16])
}

fn boxed<T, const N: usize>(list: Vec<T>) -> Box<[T; N]> {
    let array = list.into_boxed_slice().try_into();
    array.unwrap_or_else(|_| unreachable!("the list was made with the length of the array"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_lesson_leaves_the_range() {
        let mut entry = 0;
        for round in 0..100_000 {
            teach(
                &mut entry,
                if round % 3 == 0 { -9000 } else { 5000 },
                FOLLOW_LIMIT,
            );
            assert!(i32::from(entry).abs() <= FOLLOW_LIMIT);
        }
        for _ in 0..1000 {
            teach(&mut entry, 1_000_000, QUIET_LIMIT);
        }
        assert_eq!(i32::from(entry), QUIET_LIMIT);
    }

    #[test]
    fn every_landing_has_its_number() {
        let mut seen = vec![false; LANDINGS];
        for piece in Piece::all() {
            for square in Square::all() {
                let place = landing(piece, square);
                assert!(!seen[place]);
                seen[place] = true;
            }
        }
    }
}
