//! The parameters as the arithmetic wants them: rounded where the training already feels the
//! integers, and with the transposed matrices that going backward needs.

use super::layout::{LayerRange, ParameterLayout};
use super::quantize::Scales;
use std::borrow::Cow;

/// The weights of one step.
pub(super) struct Weights<'a> {
    pub(super) layout: &'a ParameterLayout,
    numbers: Cow<'a, [f32]>,
    /// The second and third layer with a row of inputs for each output.
    pub(super) second_transposed: Vec<f32>,
    pub(super) third_transposed: Vec<f32>,
    /// Whether activations are rounded as integers are.
    pub(super) is_rounded: bool,
}

impl<'a> Weights<'a> {
    /// The weights as they are.
    pub(super) fn exact(layout: &'a ParameterLayout, parameters: &'a [f32]) -> Self {
        Self::new(layout, Cow::Borrowed(parameters), false)
    }

    /// The weights as the integers of a file can hold them.
    pub(super) fn rounded(
        layout: &'a ParameterLayout,
        parameters: &[f32],
        scales: &Scales,
    ) -> Self {
        let mut numbers = parameters.to_vec();
        let mut round = |range: std::ops::Range<usize>, scale: f32| {
            for number in &mut numbers[range] {
                *number = (*number * scale).round_ties_even() / scale;
            }
        };
        round(layout.first_weights.clone(), Scales::FIRST);
        round(layout.first_biases.clone(), Scales::FIRST);
        for layer in [&layout.second, &layout.third] {
            round(layer.weights.clone(), Scales::HIDDEN);
            round(layer.biases.clone(), Scales::HIDDEN * Scales::FIRST);
        }
        round(layout.last_weights.clone(), scales.last_weight());
        round(layout.last_bias..layout.last_bias + 1, scales.output());
        Self::new(layout, Cow::Owned(numbers), true)
    }

    fn new(layout: &'a ParameterLayout, numbers: Cow<'a, [f32]>, is_rounded: bool) -> Self {
        let transposed = |layer: &LayerRange| {
            let weights = &numbers[layer.weights.clone()];
            let mut out = vec![0.0; weights.len()];
            for (input, row) in weights.chunks_exact(layer.outputs).enumerate() {
                for (output, &weight) in row.iter().enumerate() {
                    out[output * layer.inputs + input] = weight;
                }
            }
            out
        };
        let second_transposed = transposed(&layout.second);
        let third_transposed = transposed(&layout.third);
        Self {
            layout,
            second_transposed,
            third_transposed,
            numbers,
            is_rounded,
        }
    }

    pub(super) fn part(&self, range: &std::ops::Range<usize>) -> &[f32] {
        &self.numbers[range.clone()]
    }

    pub(super) fn last_bias(&self) -> f32 {
        self.numbers[self.layout.last_bias]
    }
}
