//! From floating-point numbers to the integers of a file.
//!
//! An activation of one is 127 in the file. The first layer holds 127ths in 16 bits, the layers
//! above 64ths in 8 bits, and the last one what makes its output a value times sixteen.

use super::architecture::Architecture;
use super::layout::ParameterLayout;
use tesuji_eval::nnue::{NetworkFile, Skip};

/// What parameters are multiplied by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Scales {
    /// The value that an output of one stands for.
    value: f32,
}

impl Scales {
    /// The first layer, and every activation.
    pub(super) const FIRST: f32 = 127.0;
    /// The weights of the layers above.
    pub(super) const HIDDEN: f32 = 64.0;
    /// What the engine divides the output by.
    const FV_SCALE: f32 = 16.0;

    pub(super) const fn new(value: f32) -> Self {
        Self { value }
    }

    /// The output of the network.
    pub(super) fn output(&self) -> f32 {
        self.value * Self::FV_SCALE
    }

    /// The weights of the last layer.
    pub(super) fn last_weight(&self) -> f32 {
        self.output() / Self::FIRST
    }

    /// The largest weight of the first layer that training allows, or sum of two: forty of them
    /// stay far inside 16 bits.
    pub(super) const FIRST_LIMIT: f32 = 1.98;

    /// The largest weight of the layers above that 8 bits can hold.
    pub(super) const HIDDEN_LIMIT: f32 = 127.0 / Self::HIDDEN;

    /// The largest weight of the last layer that 8 bits can hold.
    pub(super) fn last_limit(&self) -> f32 {
        127.0 / self.last_weight()
    }
}

/// The network as it lies on disk.
pub(super) fn to_file(
    layout: &ParameterLayout,
    architecture: &Architecture,
    scales: &Scales,
    skip: Skip,
    numbers: &[f32],
) -> NetworkFile {
    let numbers = layout.merged(numbers);
    let mut file = NetworkFile::blank(architecture.shape());
    let round = |number: f32, scale: f32| (number * scale).round_ties_even();
    let word = |number: &f32| round(*number, Scales::FIRST) as i16;
    file.weights = numbers[layout.first_weights.clone()]
        .iter()
        .map(word)
        .collect();
    file.biases = numbers[layout.first_biases.clone()]
        .iter()
        .map(word)
        .collect();
    let shapes = architecture.shape().layers();
    for (stack, on_disk) in layout.stacks.iter().zip(&mut file.stacks) {
        let [second, third, last] = &mut on_disk.layers;
        let layers = [(&stack.second, second), (&stack.third, third)];
        for ((range, layer), (inputs, outputs)) in layers.into_iter().zip(shapes) {
            let padded = inputs.next_multiple_of(32);
            for output in 0..outputs {
                let bias = numbers[range.biases.start + output];
                layer.biases[output] = round(bias, Scales::HIDDEN * Scales::FIRST) as i32;
                for input in 0..inputs {
                    let weight = numbers[range.weight_at(input, output)];
                    layer.weights[output * padded + input] = round(weight, Scales::HIDDEN) as i8;
                }
            }
        }
        for input in 0..architecture.hidden[1] {
            let weight = numbers[stack.last_weights.start + input];
            last.weights[input] = round(weight, scales.last_weight()) as i8;
        }
        last.biases[0] = round(numbers[stack.last_bias], scales.output()) as i32;
    }
    file.extended(architecture.extension(skip))
}
