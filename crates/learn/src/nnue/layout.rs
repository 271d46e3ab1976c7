//! Where each layer lies in the one long row of parameters.
//!
//! Parameters, their gradients and the moments of the optimizer all have this layout. Layers above
//! the first are filled up to whole tiles; what fills them is zero and stays zero, because nothing
//! behind it is ever active.

use super::architecture::Architecture;
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

/// Where each layer lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ParameterLayout {
    pub(super) width: usize,
    pub(super) features: usize,
    pub(super) first_weights: Range<usize>,
    pub(super) first_biases: Range<usize>,
    pub(super) second: LayerRange,
    pub(super) third: LayerRange,
    /// The weights of the last layer, which has one output.
    pub(super) last_weights: Range<usize>,
    pub(super) last_bias: usize,
    pub(super) len: usize,
}

impl ParameterLayout {
    pub(super) fn new(architecture: &Architecture) -> Self {
        let mut end = 0;
        let mut next = |count: usize| {
            let start = end;
            end += count;
            start..end
        };
        let (width, features) = (architecture.width, architecture.features.count());
        let [second, third] = architecture.hidden.map(|n| n.next_multiple_of(TILE[1]));
        let first_weights = next(features * width);
        let first_biases = next(width);
        let mut layer = |inputs: usize, outputs: usize| LayerRange {
            inputs,
            outputs,
            weights: next(inputs * outputs),
            biases: next(outputs),
        };
        let second = layer(2 * width, second);
        let third = layer(second.outputs, third);
        let last_weights = next(third.outputs);
        let last_bias = next(1).start;
        Self {
            width,
            features,
            first_weights,
            first_biases,
            second,
            third,
            last_weights,
            last_bias,
            len: end,
        }
    }
}
