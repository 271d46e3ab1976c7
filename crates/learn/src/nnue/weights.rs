//! The parameters as the arithmetic wants them: rounded where the training already feels the
//! integers, and with the transposed matrices that going backward needs.
//!
//! Rounding on the way forward only: Bengio, Léonard and Courville (2013), Jacob and others (2018).

use super::layout::{LayerRange, ParameterLayout, StackRange};
use super::quantize::Scales;
use std::borrow::Cow;
use std::ops::Range;

/// The weights of one step.
pub(super) struct Weights<'a> {
    pub(super) layout: &'a ParameterLayout,
    numbers: Cow<'a, [f32]>,
    /// For each stack the second and third layer with a row of inputs for each output.
    transposed: Vec<[Vec<f32>; 2]>,
    /// Whether activations are rounded as integers are.
    pub(super) is_rounded: bool,
}

/// The weights of one stack.
pub(super) struct StackWeights<'w> {
    pub(super) range: &'w StackRange,
    pub(super) second_transposed: &'w [f32],
    pub(super) third_transposed: &'w [f32],
}

impl<'a> Weights<'a> {
    /// The weights as they are.
    pub(super) fn exact(layout: &'a ParameterLayout, parameters: &'a [f32]) -> Self {
        Self::new(layout, layout.merged(parameters), false)
    }

    /// The weights as the integers of a file can hold them.
    pub(super) fn rounded(
        layout: &'a ParameterLayout,
        parameters: &[f32],
        scales: &Scales,
    ) -> Self {
        let mut numbers = layout.merged(parameters).into_owned();
        let mut round = |range: &Range<usize>, scale: f32| {
            for number in &mut numbers[range.clone()] {
                *number = (*number * scale).round_ties_even() / scale;
            }
        };
        round(&layout.first_weights, Scales::FIRST);
        round(&layout.first_biases, Scales::FIRST);
        for stack in &layout.stacks {
            for layer in [&stack.second, &stack.third] {
                round(&layer.weights, Scales::HIDDEN);
                round(&layer.biases, Scales::HIDDEN * Scales::FIRST);
            }
            round(&stack.last_weights, scales.last_weight());
            round(&(stack.last_bias..stack.last_bias + 1), scales.output());
        }
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
        let stacks = layout.stacks.iter();
        let transposed = stacks
            .map(|stack| [transposed(&stack.second), transposed(&stack.third)])
            .collect();
        Self {
            layout,
            transposed,
            numbers,
            is_rounded,
        }
    }

    pub(super) fn part(&self, range: &Range<usize>) -> &[f32] {
        &self.numbers[range.clone()]
    }

    pub(super) fn number(&self, at: usize) -> f32 {
        self.numbers[at]
    }

    pub(super) fn stack(&self, number: usize) -> StackWeights<'_> {
        let [second_transposed, third_transposed] = &self.transposed[number];
        StackWeights {
            range: &self.layout.stacks[number],
            second_transposed,
            third_transposed,
        }
    }
}
