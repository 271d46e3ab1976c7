//! Networks made from seeds: against a plain implementation, against the outputs of a reference
//! engine, and against themselves.

mod bad_files;
mod laws;
mod numpy;
mod plain;
mod reference;

use tesuji_eval::nnue::{NetworkFile, NetworkShape};

/// A stream of numbers, the same in every run (Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % sides as u64) as usize
    }

    /// A number from `-most` to `most`.
    fn around_zero(&mut self, most: i32) -> i32 {
        self.roll(2 * most as usize + 1) as i32 - most
    }
}

/// A network whose outputs use their range: some inputs zero, some cut off, most between.
fn random_network(shape: NetworkShape, seed: u64) -> NetworkFile {
    let mut dice = Dice(seed);
    let mut file = NetworkFile::blank(shape);
    file.biases.fill_with(|| dice.around_zero(60) as i16);
    // Cheap numbers: there are millions of them.
    let mut state = seed | 1;
    file.weights.fill_with(|| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(12345);
        ((state >> 57) as i16 - 64) / 4
    });
    for stack in &mut file.stacks {
        for layer in &mut stack.layers {
            layer.biases.fill_with(|| dice.around_zero(4000));
            layer.weights.fill_with(|| dice.around_zero(30) as i8);
        }
    }
    file
}
