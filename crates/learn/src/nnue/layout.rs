//! Where each layer lies in the one long row of parameters.
//!
//! Parameters, their gradients and the moments of the optimizer all have this layout. Layers above
//! the first are filled up to whole tiles; what fills them is zero and stays zero, because nothing
//! behind it is ever active.
//!
//! Where the own king chooses a section of the first layer, a row that is common to all sections may
//! be trained beside them (the factorizer of tanuki- and nnue-pytorch): what a piece is worth
//! wherever the king stands need not be learnt for each of its places.

use super::architecture::Architecture;
use std::borrow::Cow;
use std::ops::Range;
use tesuji_kernels::TILE;

/// A layer above the first: `weights` has a row of outputs for each input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LayerRange {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: Range<usize>,
    pub(super) biases: Range<usize>,
}

impl LayerRange {
    /// Where the weight of an input for an output stands.
    pub(super) fn weight_at(&self, input: usize, output: usize) -> usize {
        self.weights.start + input * self.outputs + output
    }
}

/// The layers above the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StackRange {
    pub(super) second: LayerRange,
    pub(super) third: LayerRange,
    /// The weights of the last layer, which has one output.
    pub(super) last_weights: Range<usize>,
    pub(super) last_bias: usize,
}

/// Where each layer lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ParameterLayout {
    pub(super) width: usize,
    pub(super) features: usize,
    pub(super) first_weights: Range<usize>,
    /// What is added to each section of the first layer; empty without a factorizer.
    pub(super) common_weights: Range<usize>,
    pub(super) first_biases: Range<usize>,
    pub(super) stacks: Vec<StackRange>,
    pub(super) len: usize,
}

impl ParameterLayout {
    pub(super) fn new(architecture: &Architecture, has_factorizer: bool) -> Self {
        let mut end = 0;
        let mut next = |count: usize| {
            let start = end;
            end += count;
            start..end
        };
        let (width, features) = (architecture.width, architecture.features.count());
        let [second, third] = architecture.hidden.map(|n| n.next_multiple_of(TILE[1]));
        let first_weights = next(features * width);
        let common = if has_factorizer {
            architecture.features.bucket_size()
        } else {
            0
        };
        let common_weights = next(common * width);
        let first_biases = next(width);
        let mut layer = |inputs: usize, outputs: usize| LayerRange {
            inputs,
            outputs,
            weights: next(inputs * outputs),
            biases: next(outputs),
        };
        let mut stacks = Vec::new();
        for _ in 0..architecture.stacks() {
            let second = layer(2 * width, second);
            let third = layer(second.outputs, third);
            let last = layer(third.outputs, 1);
            stacks.push(StackRange {
                second,
                third,
                last_weights: last.weights,
                last_bias: last.biases.start,
            });
        }
        Self {
            width,
            features,
            first_weights,
            common_weights,
            first_biases,
            stacks,
            len: end,
        }
    }

    /// Parameters in which every section of the first layer holds what is common to all.
    pub(super) fn merged<'a>(&self, parameters: &'a [f32]) -> Cow<'a, [f32]> {
        if self.common_weights.is_empty() {
            return Cow::Borrowed(parameters);
        }
        let mut merged = parameters.to_vec();
        let common = &parameters[self.common_weights.clone()];
        for section in merged[self.first_weights.clone()].chunks_exact_mut(common.len()) {
            for (weight, common) in section.iter_mut().zip(common) {
                *weight += common;
            }
        }
        Cow::Owned(merged)
    }

    /// The gradient of what is common to all sections, from those of the sections.
    pub(super) fn gather_common(&self, gradient: &mut [f32]) {
        if self.common_weights.is_empty() {
            return;
        }
        let (sections, rest) = gradient.split_at_mut(self.first_weights.end);
        let common = &mut rest[..self.common_weights.len()];
        for section in sections.chunks_exact(common.len()) {
            for (common, slope) in common.iter_mut().zip(section) {
                *common += slope;
            }
        }
    }
}
