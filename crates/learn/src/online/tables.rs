//! The weights while they are learnt, as an evaluator of their own: what the learner computes with
//! is, but for the limits of 16 bits, what is written in the end.
//!
//! Every cell is two words that any thread may read and write: the weight itself, for the board and
//! for the turn, with twelve bits behind the point; and the squared gradients so far with the time
//! of the last change. Threads do not wait for each other (Hogwild, Niu and others 2011): two
//! changes of one cell at the same moment may lose one of them, which does no harm.

use super::layout::{Layout, Tables, WeightKind};
use super::numbering::{Numbering, VALUED_KINDS};
use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_eval::pairs::{EvalSum, KingView, KingsSeen, PairTables, PieceValues};
use tesuji_kernels::AtomicWords;
use tesuji_shogi::{Color, Piece, Square};

/// How many bits a weight has behind the point; before the point it counts 32nds of a point, as in
/// the files.
const FRACTION: u32 = 12;
const ONE: f32 = (1 << FRACTION) as f32;

/// A weight as a real number: for the board and for the turn.
pub(super) type Weight = [f32; 2];

/// What was learnt about a cell: the sum of the squared gradients, and when it was last changed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct History {
    pub(super) squares: f32,
    pub(super) touched: u32,
}

/// Tables that are being learnt.
#[derive(Debug)]
pub(super) struct LearntTables<N> {
    pub(super) layout: Layout,
    weights: AtomicWords,
    histories: AtomicWords,
    base: PieceValues,
    numbering: PhantomData<N>,
}

impl<N: Numbering> LearntTables<N> {
    /// Tables that say nothing yet.
    ///
    /// # Errors
    /// If the system has no room for them.
    pub(super) fn new(tables: Tables) -> io::Result<Self> {
        let layout = Layout::new::<N>(tables);
        Ok(Self {
            weights: AtomicWords::new(layout.cells())?,
            histories: AtomicWords::new(layout.cells())?,
            layout,
            base: N::BASE,
            numbering: PhantomData,
        })
    }

    #[inline(always)]
    pub(super) fn weight(&self, cell: usize) -> Weight {
        let word = self.weights.words()[cell].load(Relaxed);
        [word as i32, (word >> 32) as i32].map(|number| number as f32 / ONE)
    }

    #[inline(always)]
    pub(super) fn set_weight(&self, cell: usize, weight: Weight) {
        let [board, turn] = weight.map(|number| (number * ONE).round_ties_even() as i32 as u32);
        let word = u64::from(turn) << 32 | u64::from(board);
        self.weights.words()[cell].store(word, Relaxed);
    }

    #[inline(always)]
    pub(super) fn history(&self, cell: usize) -> History {
        let word = self.histories.words()[cell].load(Relaxed);
        History {
            squares: f32::from_bits(word as u32),
            touched: (word >> 32) as u32,
        }
    }

    #[inline(always)]
    pub(super) fn set_history(&self, cell: usize, history: History) {
        let word = u64::from(history.touched) << 32 | u64::from(history.squares.to_bits());
        self.histories.words()[cell].store(word, Relaxed);
    }

    /// The history of a cell as a bare word, for those who keep something else there.
    pub(super) fn history_word(&self, cell: usize) -> &AtomicU64 {
        &self.histories.words()[cell]
    }

    /// Both words of a cell.
    pub(super) fn words(&self, cell: usize) -> [u64; 2] {
        [&self.weights, &self.histories].map(|words| words.words()[cell].load(Relaxed))
    }

    pub(super) fn set_words(&self, cell: usize, words: [u64; 2]) {
        for (table, word) in [&self.weights, &self.histories].into_iter().zip(words) {
            table.words()[cell].store(word, Relaxed);
        }
    }

    /// The weight as it is written and computed with: whole 32nds of a point.
    #[inline(always)]
    pub(super) fn rounded(&self, cell: u32) -> EvalSum {
        let word = self.weights.words()[cell as usize].load(Relaxed);
        let whole = |number: i32| number.saturating_add(1 << (FRACTION - 1)) >> FRACTION;
        EvalSum {
            board: whole(word as i32),
            turn: whole((word >> 32) as i32),
        }
    }

    /// How many cells of a part are not zero when rounded.
    pub(super) fn non_zero(&self, part: WeightKind) -> u64 {
        let range = self.layout.range(part);
        let is_set = |&cell: &usize| self.rounded(cell as u32) != EvalSum::ZERO;
        range.filter(is_set).count() as u64
    }

    /// The learnt values of the pieces, in points.
    pub(super) fn learnt_values(&self) -> Vec<(&'static str, f32)> {
        let names = [
            "pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "horse", "dragon",
        ];
        let cells = self.layout.range(WeightKind::PieceValue);
        let kinds = names.into_iter().zip(VALUED_KINDS).zip(cells);
        kinds
            .map(|((name, kind), cell)| {
                (
                    name,
                    self.base.of(kind) as f32 + self.weight(cell)[0] / 32.0,
                )
            })
            .collect()
    }
}

impl<N: Numbering> PairTables for LearntTables<N> {
    const KINGS: KingsSeen = KingsSeen::Both;
    const COUNTED: bool = <N::Numbers as PairTables>::COUNTED;

    #[inline(always)]
    fn on_board(pov: Color, piece: Piece, square: Square) -> Option<u16> {
        N::Numbers::on_board(pov, piece, square)
    }

    #[inline(always)]
    fn in_hand(pov: Color, piece: Piece, nth: u32) -> u16 {
        N::Numbers::in_hand(pov, piece, nth)
    }

    #[inline(always)]
    fn piece_values(&self) -> &PieceValues {
        &self.base
    }

    #[inline(always)]
    fn pairs(&self, view: KingView, piece: u16, others: &[u16]) -> EvalSum {
        let mut sum = EvalSum::ZERO;
        if self.layout.has(WeightKind::Kpp)
            && let Some(king) = self.layout.own_king(view)
        {
            for &other in others {
                sum = sum.plus(self.rounded(king.kpp(piece, other)));
            }
        }
        if self.layout.has(WeightKind::Pp) {
            for &other in others {
                sum = sum.plus(self.rounded(self.layout.pp(piece, other)));
            }
        }
        sum
    }

    #[inline(always)]
    fn single(&self, view: KingView, piece: u16) -> EvalSum {
        let mut sum = EvalSum::ZERO;
        if self.layout.has(WeightKind::Kp)
            && let Some(king) = self.layout.own_king(view)
        {
            sum = sum.plus(self.rounded(king.kp(piece)));
        }
        let meaning = self.layout.numbers.of(piece);
        if !meaning.is_own {
            return sum;
        }
        if self.layout.has(WeightKind::Kkp)
            && let Some(kings) = self.layout.both_kings(view)
        {
            sum = sum.plus(self.rounded(kings.kkp(piece)));
        }
        let each = self.rounded(self.layout.piece_value(meaning)).board;
        let value = EvalSum {
            board: each.wrapping_mul(i32::from(meaning.own_pieces)),
            turn: 0,
        };
        sum.plus(value)
    }

    #[inline(always)]
    fn kings(&self, view: KingView) -> EvalSum {
        if !self.layout.has(WeightKind::Kk) {
            return EvalSum::ZERO;
        }
        let kings = self.layout.both_kings(view);
        kings.map_or(EvalSum::ZERO, |kings| self.rounded(kings.kk()))
    }
}
