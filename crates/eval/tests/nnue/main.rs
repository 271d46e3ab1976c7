//! Networks made from seeds: against a plain implementation, against the outputs of a reference
//! engine, and against themselves.

mod bad_files;
#[path = "../common/dice.rs"]
mod dice;
mod laws;
mod numpy;
mod plain;
mod reference;

use dice::Dice;
use tesuji_eval::nnue::{NetworkFile, NetworkShape};

/// A number from `-most` to `most`.
fn around_zero(dice: &mut Dice, most: i32) -> i32 {
    dice.roll(2 * most as usize + 1) as i32 - most
}

/// A network whose outputs use their range: some inputs zero, some cut off, most between.
fn random_network(shape: NetworkShape, seed: u64) -> NetworkFile {
    let mut dice = Dice(seed);
    let mut file = NetworkFile::blank(shape);
    file.biases.fill_with(|| around_zero(&mut dice, 60) as i16);
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
            layer.biases.fill_with(|| around_zero(&mut dice, 4000));
            layer.weights.fill_with(|| around_zero(&mut dice, 30) as i8);
        }
    }
    file
}
