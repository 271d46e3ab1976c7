//! Positions by numbers of 128 bits that a move changes in few terms (Zobrist 1970), so that nothing
//! need be played to know where it leads.

use std::ops::BitXor;
use std::sync::LazyLock;
use tesuji_kernels::prefetch;
use tesuji_shogi::{Board, Color, Hand, Move, Piece, PieceKind, Position, Setup, Square};

/// The terms that numbers are made of.
pub(crate) static TERMS: LazyLock<NumberTerms<u128>> = LazyLock::new(NumberTerms::new);

/// Their lower halves: they take half the room of a cache, and tell most positions apart.
static LOW_TERMS: LazyLock<NumberTerms<u64>> = LazyLock::new(|| TERMS.low());

/// One term for every piece on every square, for every count of a kind in hand, and for the turn.
pub(crate) struct NumberTerms<T> {
    /// By piece, then by square; those of no piece are zero.
    board: Vec<[T; 128]>,
    /// By colour, kind and how many there are.
    hands: [[[T; 32]; 8]; 2],
    /// Added when White is to move.
    turn: T,
}

impl NumberTerms<u128> {
    fn new() -> Self {
        let mut dice = fastrand::Rng::with_seed(1);
        let mut hands = [[[0; 32]; 8]; 2];
        for number in hands.as_flattened_mut().as_flattened_mut() {
            *number = dice.u128(..);
        }
        let board = (0..32).map(|piece| match piece {
            0 => [0; 128],
            _ => [0; 128].map(|_: u128| dice.u128(..)),
        });
        Self {
            board: board.collect(),
            hands,
            turn: dice.u128(..),
        }
    }

    fn low(&self) -> NumberTerms<u64> {
        let low = |term: u128| term as u64;
        NumberTerms {
            board: self.board.iter().map(|row| row.map(low)).collect(),
            hands: self.hands.map(|kinds| kinds.map(|row| row.map(low))),
            turn: low(self.turn),
        }
    }

    /// The number of a position.
    pub(crate) fn number(&self, setup: &Setup) -> u128 {
        let board = Square::all().map(|square| self.on(setup.board[square], square));
        let board = board.fold(0, |sum, term| sum ^ term);
        board
            ^ self.off_board(
                setup.turn,
                setup.hands[Color::Black],
                setup.hands[Color::White],
            )
    }

    /// The number of a position turned round.
    pub(crate) fn flipped_number(&self, setup: &Setup) -> u128 {
        let board = Square::all().map(|square| {
            let piece = setup.board[square.rotated()];
            self.on(piece.map(Piece::inverse), square)
        });
        let board = board.fold(0, |sum, term| sum ^ term);
        let hands = &setup.hands;
        board ^ self.off_board(setup.turn.foe(), hands[Color::White], hands[Color::Black])
    }

    /// What the turn and the hands add to a number.
    pub(crate) fn off_board(&self, turn: Color, black: Hand, white: Hand) -> u128 {
        let hands = PieceKind::HAND.into_iter().fold(0, |sum, kind| {
            sum ^ self.held(Color::Black, kind, black.count(kind))
                ^ self.held(Color::White, kind, white.count(kind))
        });
        match turn {
            Color::Black => hands,
            Color::White => hands ^ self.turn,
        }
    }
}

impl<T: Copy + BitXor<Output = T>> NumberTerms<T> {
    /// What a piece on a square adds to a number.
    #[inline(always)]
    pub(crate) fn on(&self, piece: Option<Piece>, square: Square) -> T {
        let row = piece.map_or(0, Piece::index);
        self.board[row][square.index() & 127]
    }

    #[inline(always)]
    fn held(&self, color: Color, kind: PieceKind, count: u32) -> T {
        self.hands[color.index()][kind.index() & 7][count as usize & 31]
    }
}

/// The numbers after each move of one position.
pub(crate) struct NumbersAfter<'a, T> {
    terms: &'a NumberTerms<T>,
    pos: &'a Position,
    /// The number with the other side to move.
    number: T,
    /// What taking a piece changes, by its index; nothing for none.
    gains: [T; 16],
    /// What dropping a piece changes in hand, by its kind.
    losses: [T; 8],
}

impl<'a, T: Copy + Default + BitXor<Output = T>> NumbersAfter<'a, T> {
    fn of(terms: &'a NumberTerms<T>, pos: &'a Position, number: T) -> Self {
        let (turn, hand) = (pos.turn(), pos.hand(pos.turn()));
        let (mut gains, mut losses) = ([T::default(); 16], [T::default(); 8]);
        for kind in PieceKind::HAND {
            let count = hand.count(kind);
            let held = terms.held(turn, kind, count);
            let gain = held ^ terms.held(turn, kind, count + 1);
            gains[kind.index()] = gain;
            if let Some(promoted) = kind.promoted() {
                gains[promoted.index()] = gain;
            }
            losses[kind.index()] = held ^ terms.held(turn, kind, count.wrapping_sub(1));
        }
        Self {
            terms,
            pos,
            number: number ^ terms.turn,
            gains,
            losses,
        }
    }

    /// The number after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, mv: Move) -> T {
        let (terms, to) = (self.terms, mv.to());
        if let Some(kind) = mv.dropped() {
            let piece = Piece::new(self.pos.turn(), kind);
            return self.number ^ self.losses[kind.index() & 7] ^ terms.on(Some(piece), to);
        }
        let Some((from, piece)) = mv.from().and_then(|from| Some((from, self.pos.at(from)?)))
        else {
            return self.number;
        };
        let placed = match mv.is_promotion() {
            true => piece.promoted().unwrap_or(piece),
            false => piece,
        };
        let taken = self.pos.at(to);
        let gain = self.gains[taken.map_or(0, Piece::index) & 15];
        self.number
            ^ terms.on(Some(piece), from)
            ^ terms.on(Some(placed), to)
            ^ terms.on(taken, to)
            ^ gain
    }
}

/// Positions by their numbers, counted in the order in which they came. Most moves lead nowhere: two
/// bits for each position say so without a look at the table (Bloom 1970).
pub(crate) struct KnownPositions {
    bits: Vec<u64>,
    slots: Vec<NumberSlot>,
    count: u32,
}

/// A place in the table: a number in two halves, and when it came.
#[derive(Clone, Copy)]
struct NumberSlot {
    number: [u64; 2],
    id: u32,
}

const EMPTY: NumberSlot = NumberSlot {
    number: [0; 2],
    id: u32::MAX,
};

/// A legal move, and where it leads.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    number: u128,
}

impl KnownPositions {
    /// An empty table with room for so many positions and no more.
    pub(crate) fn with_room(positions: usize) -> Self {
        Self {
            bits: vec![0; (positions / 8).next_power_of_two().max(64)],
            slots: vec![EMPTY; positions + positions / 4 + 8],
            count: 0,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// The word that has the bits of a number, by its lower half, and the bits.
    #[inline(always)]
    fn bits(&self, low: u64) -> (usize, u64) {
        let bits = 1 << (low >> 58) | 1 << (low >> 52 & 63);
        (low as usize & (self.bits.len() - 1), bits)
    }

    /// Where the search for a number begins: its upper half, scaled to the number of slots.
    #[inline(always)]
    fn home(&self, number: u128) -> usize {
        (((number >> 64) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot of a number, or the empty one where it belongs.
    #[inline(always)]
    fn slot(&self, number: u128) -> usize {
        let halves = [(number >> 64) as u64, number as u64];
        let mut place = self.home(number);
        loop {
            let slot = &self.slots[place];
            if slot.id == EMPTY.id || slot.number == halves {
                return place;
            }
            place += 1;
            if place == self.slots.len() {
                place = 0;
            }
        }
    }

    /// The place of a number in the order in which they came; behind all others if it is new.
    pub(crate) fn add(&mut self, number: u128) -> u32 {
        let place = self.slot(number);
        if self.slots[place].id == EMPTY.id {
            self.slots[place] = NumberSlot {
                number: [(number >> 64) as u64, number as u64],
                id: self.count,
            };
            self.count += 1;
            let (word, bits) = self.bits(number as u64);
            self.bits[word] |= bits;
        }
        self.slots[place].id
    }

    /// Whether a position with this lower half may be there; `false` is certain.
    #[inline(always)]
    fn may_have(&self, low: u64) -> bool {
        let (word, bits) = self.bits(low);
        self.bits[word] & bits == bits
    }

    /// The place of a number, if it is there.
    pub(crate) fn find(&self, number: u128) -> Option<u32> {
        let id = self.slots[self.slot(number)].id;
        (id != EMPTY.id).then_some(id)
    }

    /// Calls `f` with every legal move that leads to a known position, and its place. `number` is that
    /// of the position.
    ///
    /// Memory is far away: what is needed of it is asked for before anything is waited for.
    pub(crate) fn moves_into(&self, pos: &Position, number: u128, mut f: impl FnMut(Move, u32)) {
        let legal = pos.legal_moves();
        let low = NumbersAfter::of(&LOW_TERMS, pos, number as u64);
        let mut numbers = [0; MOST_MOVES];
        for (number, mv) in numbers.iter_mut().zip(legal.iter()) {
            *number = low.after(mv);
            prefetch(&self.bits[self.bits(*number).0]);
        }
        let full = numbers_after(pos, number);
        let mut candidates = [None; MOST_CANDIDATES];
        let mut count = 0;
        for (&low, mv) in numbers.iter().zip(legal.iter()) {
            if !self.may_have(low) {
                continue;
            }
            let number = full.after(mv);
            prefetch(&self.slots[self.home(number)]);
            candidates[count] = Some(Candidate { mv, number });
            count += 1;
            if count == MOST_CANDIDATES {
                self.tell_known(&candidates, &mut f);
                count = 0;
            }
        }
        self.tell_known(&candidates[..count], &mut f);
    }

    fn tell_known(&self, candidates: &[Option<Candidate>], f: &mut impl FnMut(Move, u32)) {
        for candidate in candidates.iter().flatten() {
            if let Some(place) = self.find(candidate.number) {
                f(candidate.mv, place);
            }
        }
    }
}

/// No position has more moves.
const MOST_MOVES: usize = 593;

/// How many moves are looked up at a time.
const MOST_CANDIDATES: usize = 32;

/// The numbers after the moves of a position.
pub(crate) fn numbers_after(pos: &Position, number: u128) -> NumbersAfter<'_, u128> {
    NumbersAfter::of(&TERMS, pos, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_every_move() {
        let mut dice = fastrand::Rng::with_seed(4);
        for _ in 0..40 {
            let mut pos = Position::start();
            for _ in 0..80 {
                let legal = pos.legal_moves();
                let number = TERMS.number(&pos.setup());
                let turned = TERMS.flipped_number(&pos.setup());
                assert_eq!(turned, TERMS.number(&pos.flipped().setup()));
                for mv in legal.iter() {
                    let told = numbers_after(&pos, number).after(mv);
                    let low = NumbersAfter::of(&LOW_TERMS, &pos, number as u64).after(mv);
                    assert_eq!(told as u64, low);
                    pos.play(mv);
                    assert_eq!(told, TERMS.number(&pos.setup()), "{mv}");
                    pos.undo();
                }
                let Some(mv) = legal.get(dice.usize(..legal.len().max(1))) else {
                    break;
                };
                pos.play(mv);
            }
        }
    }

    #[test]
    fn numbers_are_found_and_others_are_not() {
        let mut dice = fastrand::Rng::with_seed(5);
        let numbers: Vec<u128> = (0..5000).map(|_| dice.u128(..)).collect();
        let mut known = KnownPositions::with_room(numbers.len());
        for (place, &number) in numbers.iter().enumerate() {
            assert_eq!(known.find(number), None);
            assert_eq!(known.add(number), place as u32);
            assert_eq!(known.add(number), place as u32);
        }
        for (place, &number) in numbers.iter().enumerate() {
            assert_eq!(known.find(number), Some(place as u32));
            assert_eq!(known.find(number ^ 1 << 127), None);
        }
        assert_eq!(known.len(), 5000);
    }
}
