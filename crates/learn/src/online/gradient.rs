//! The gradient of a few leaves, cell by cell.
//!
//! Most pieces stand where they stood in all leaves that are compared, and what belongs to them
//! cancels. So the leaves are added up first, in a small matrix of all pieces that occur, and only
//! what is left reaches the tables: a few thousand cells instead of fifteen hundred for each leaf.

use super::layout::{Layout, WeightKind};
use super::leaf::{Leaf, LeafView};
use tesuji_shogi::Color;

/// What is to be added to a cell, before the learning rate: for the board and for the turn.
pub(super) type Slope = [f32; 2];

/// What is less than this has cancelled.
const CANCELLED: f32 = 1e-5;

/// Not among the numbers that occur.
const ABSENT: u16 = u16::MAX;

/// A leaf, and how much more Black should like it.
pub(super) type PulledLeaf = (Leaf, f32);

/// Slopes by part, and the room to find them in.
#[derive(Debug, Default)]
pub(super) struct Gradient {
    /// The cells of each part that do not cancel, in the order of [`WeightKind::ALL`].
    slopes: [Vec<(u32, Slope)>; 6],
    /// The place of each number among those that occur.
    places: Vec<u16>,
    /// The numbers that occur.
    numbers: Vec<u16>,
    /// The places of every leaf, one after the other, and where each leaf ends.
    leaf_places: Vec<u16>,
    leaf_ends: Vec<usize>,
    /// Sums for pairs of places, for one king square and for all.
    of_king: Vec<Slope>,
    of_all: Vec<Slope>,
}

fn is_left([board, turn]: Slope) -> bool {
    board.abs() > CANCELLED || turn.abs() > CANCELLED
}

fn add(sum: &mut Slope, slope: Slope) {
    sum[0] += slope[0];
    sum[1] += slope[1];
}

/// How a cell that a side looks at in a leaf should change.
fn slope((leaf, pull): &PulledLeaf, pov: Color) -> Slope {
    let board = if pov == Color::Black { *pull } else { -*pull };
    let turn = if leaf.turn == Color::Black {
        *pull
    } else {
        -*pull
    };
    [board, turn]
}

impl Gradient {
    /// The slopes of a part.
    pub(super) fn of(&self, part: WeightKind) -> &[(u32, Slope)] {
        &self.slopes[part as usize]
    }

    /// Adds up some leaves.
    pub(super) fn collect(&mut self, layout: &Layout, leaves: &[PulledLeaf], numbers: usize) {
        self.places.resize(numbers, ABSENT);
        self.slopes.iter_mut().for_each(Vec::clear);
        for pov in Color::ALL {
            self.list_numbers(leaves, pov);
            self.collect_pairs(layout, leaves, pov);
            self.collect_both_kings(layout, leaves, pov);
            for &number in &self.numbers {
                self.places[usize::from(number)] = ABSENT;
            }
        }
    }

    fn emit(&mut self, part: WeightKind, cell: u32, slope: Slope) {
        if is_left(slope) {
            self.slopes[part as usize].push((cell, slope));
        }
    }

    fn list_numbers(&mut self, leaves: &[PulledLeaf], pov: Color) {
        self.numbers.clear();
        self.leaf_places.clear();
        self.leaf_ends.clear();
        for (leaf, _) in leaves {
            for &number in &leaf.views[pov].numbers {
                let place = &mut self.places[usize::from(number)];
                if *place == ABSENT {
                    *place = self.numbers.len() as u16;
                    self.numbers.push(number);
                }
                self.leaf_places.push(*place);
            }
            self.leaf_ends.push(self.leaf_places.len());
        }
    }

    fn places_of(&self, leaf: usize) -> std::ops::Range<usize> {
        let start = leaf
            .checked_sub(1)
            .map_or(0, |before| self.leaf_ends[before]);
        start..self.leaf_ends[leaf]
    }

    /// The parts that need no king or the own king: PP, KPP, KP, and the values of pieces.
    fn collect_pairs(&mut self, layout: &Layout, leaves: &[PulledLeaf], pov: Color) {
        let size = self.numbers.len();
        self.of_all.clear();
        self.of_all.resize(size * size, [0.0; 2]);
        for group in groups(leaves, |leaf| leaf.views[pov].kings.own) {
            self.add_up(leaves, &group, pov);
            let view = &leaves[group[0]].0.views[pov];
            self.emit_own_king(layout, view);
            for (sum, &slope) in self.of_all.iter_mut().zip(&self.of_king) {
                add(sum, slope);
            }
        }
        self.emit_no_king(layout);
    }

    /// Fills the matrix with the sums of some leaves: pairs below the diagonal, pieces on it.
    fn add_up(&mut self, leaves: &[PulledLeaf], group: &[usize], pov: Color) {
        let size = self.numbers.len();
        self.of_king.clear();
        self.of_king.resize(size * size, [0.0; 2]);
        for &leaf in group {
            let slope = slope(&leaves[leaf], pov);
            let places = &self.leaf_places[self.places_of(leaf)];
            for (nth, &place) in places.iter().enumerate() {
                let row = usize::from(place) * size;
                for &other in &places[..=nth] {
                    let (high, low) = (place.max(other), place.min(other));
                    let at = if high == place {
                        row + usize::from(low)
                    } else {
                        usize::from(high) * size + usize::from(low)
                    };
                    add(&mut self.of_king[at], slope);
                }
            }
        }
    }

    fn emit_own_king(&mut self, layout: &Layout, view: &LeafView) {
        let Some(king) = layout.own_king(view.kings) else {
            return;
        };
        let (has_kpp, has_kp) = (layout.has(WeightKind::Kpp), layout.has(WeightKind::Kp));
        let size = self.numbers.len();
        for high in 0..size {
            let one = self.numbers[high];
            if has_kp {
                self.emit(
                    WeightKind::Kp,
                    king.kp(one),
                    self.of_king[high * size + high],
                );
            }
            if !has_kpp {
                continue;
            }
            for low in 0..high {
                let slope = self.of_king[high * size + low];
                if is_left(slope) {
                    let cell = king.kpp(one, self.numbers[low]);
                    self.slopes[WeightKind::Kpp as usize].push((cell, slope));
                }
            }
        }
    }

    fn emit_no_king(&mut self, layout: &Layout) {
        let size = self.numbers.len();
        let mut values = [0.0; 9];
        for high in 0..size {
            let one = self.numbers[high];
            let meaning = layout.numbers.of(one);
            let alone = self.of_all[high * size + high][0];
            values[usize::from(meaning.class)] += alone * f32::from(meaning.own_pieces);
            if !layout.has(WeightKind::Pp) {
                continue;
            }
            for low in 0..high {
                let slope = self.of_all[high * size + low];
                if is_left(slope) {
                    let cell = layout.pp(one, self.numbers[low]);
                    self.slopes[WeightKind::Pp as usize].push((cell, slope));
                }
            }
        }
        let first = layout.range(WeightKind::PieceValue).start as u32;
        for (cell, value) in (first..).zip(values) {
            self.emit(WeightKind::PieceValue, cell, [value, 0.0]);
        }
    }

    /// The parts that need both kings: KK and KKP.
    fn collect_both_kings(&mut self, layout: &Layout, leaves: &[PulledLeaf], pov: Color) {
        if !layout.has(WeightKind::Kkp) && !layout.has(WeightKind::Kk) {
            return;
        }
        let both = |leaf: &Leaf| (leaf.views[pov].kings.own, leaf.views[pov].kings.foe);
        for group in groups(leaves, both) {
            let view = &leaves[group[0]].0.views[pov];
            let Some(kings) = layout.both_kings(view.kings) else {
                continue;
            };
            let mut sums = vec![[0.0; 2]; self.numbers.len()];
            let mut whole = [0.0; 2];
            for &leaf in &group {
                let slope = slope(&leaves[leaf], pov);
                add(&mut whole, slope);
                for &place in &self.leaf_places[self.places_of(leaf)] {
                    add(&mut sums[usize::from(place)], slope);
                }
            }
            if layout.has(WeightKind::Kk) {
                self.emit(WeightKind::Kk, kings.kk(), whole);
            }
            for (place, sum) in sums.into_iter().enumerate() {
                let number = self.numbers[place];
                if layout.has(WeightKind::Kkp) && layout.numbers.of(number).is_own {
                    self.emit(WeightKind::Kkp, kings.kkp(number), sum);
                }
            }
        }
    }
}

/// The leaves that share a key, by their places.
fn groups<K: PartialEq>(leaves: &[PulledLeaf], key: impl Fn(&Leaf) -> K) -> Vec<Vec<usize>> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (place, (leaf, _)) in leaves.iter().enumerate() {
        let found = key(leaf);
        match groups.iter_mut().find(|(key, _)| *key == found) {
            Some((_, group)) => group.push(place),
            None => groups.push((found, vec![place])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

#[cfg(test)]
impl Gradient {
    /// Puts slopes in that no leaf gave.
    pub(super) fn set_for_test(&mut self, part: WeightKind, slopes: Vec<(u32, Slope)>) {
        self.slopes[part as usize] = slopes;
    }
}
