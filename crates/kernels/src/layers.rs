//! The layers behind the first sums of a network, laid out for the kernels.

use crate::aligned::Aligned;

/// How many outputs a layer may have.
pub const MAX_OUTPUTS: usize = 64;
/// How many inputs one group has: those that are multiplied and added by one instruction.
pub(crate) const GROUP: usize = 4;
/// How many groups the kernels visit together.
pub(crate) const ROUND: usize = 4;
/// How many outputs one block has.
pub(crate) const BLOCK: usize = 16;

/// An affine layer from bytes of at most 127 to 32-bit sums: `bias + Σ weight · input`.
///
/// The weights of four inputs for sixteen outputs lie together. Missing inputs and outputs weigh
/// nothing.
#[derive(Clone, Debug)]
pub struct Affine {
    inputs: usize,
    blocks: usize,
    biases: Vec<Aligned<[i32; BLOCK]>>,
    weights: Vec<Aligned<[i8; GROUP * BLOCK]>>,
}

impl Affine {
    /// A layer with one output for each bias; `weight(output, input)` tells its weights.
    ///
    /// # Panics
    /// If there are no outputs or more than [`MAX_OUTPUTS`].
    pub fn new(inputs: usize, biases: &[i32], weight: impl Fn(usize, usize) -> i8) -> Self {
        let outputs = biases.len();
        assert!((1..=MAX_OUTPUTS).contains(&outputs), "1 to 64 outputs");
        // One, two or four blocks: the sums of a layer stay in registers, whose number is fixed.
        let blocks = outputs.div_ceil(BLOCK).next_power_of_two();
        // One more group than there are, and a whole number of rounds: the kernels may visit
        // groups of zeros behind the last.
        let groups = (inputs.div_ceil(GROUP) + 1).next_multiple_of(ROUND);
        let mut layer = Self {
            inputs,
            blocks,
            biases: vec![Aligned([0; BLOCK]); blocks],
            weights: vec![Aligned([0; GROUP * BLOCK]); groups * blocks],
        };
        for (output, &bias) in biases.iter().enumerate() {
            layer.biases[output / BLOCK].0[output % BLOCK] = bias;
            for input in 0..inputs {
                let (block, place) = layer.place(output, input);
                layer.weights[block].0[place] = weight(output, input);
            }
        }
        layer
    }

    fn place(&self, output: usize, input: usize) -> (usize, usize) {
        let block = input / GROUP * self.blocks + output / BLOCK;
        (block, output % BLOCK * GROUP + input % GROUP)
    }

    /// How many inputs count.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many outputs there are, those that were added to fill a block included.
    pub fn outputs(&self) -> usize {
        self.blocks * BLOCK
    }

    #[inline(always)]
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The biases, `blocks` times sixteen of them.
    #[inline(always)]
    pub(crate) fn bias_blocks(&self) -> &[Aligned<[i32; BLOCK]>] {
        &self.biases
    }

    /// The weights, `blocks` blocks for each group of inputs; behind them at least one group of
    /// zeros, and so many that they are whole rounds.
    #[inline(always)]
    pub(crate) fn weight_blocks(&self) -> &[Aligned<[i8; GROUP * BLOCK]>] {
        &self.weights
    }
}

/// Three layers on top of the first sums.
#[derive(Clone, Debug)]
pub struct Layers {
    pub(crate) first: Affine,
    pub(crate) second: Affine,
    /// The weights of the last layer, widened.
    pub(crate) last: Aligned<[i32; MAX_OUTPUTS]>,
    pub(crate) bias: i32,
    /// How many outputs of the first layer go on; the next one, if there is one, skips the layers
    /// above and is added to the output of the last.
    pub(crate) hidden: usize,
    pub(crate) has_skip: bool,
}

impl Layers {
    /// Puts three layers together. The last one has one output, `bias` and a weight for each output
    /// of the second. With `has_skip` the output of the first layer that follows the first
    /// `hidden` ones is added to the result.
    ///
    /// # Panics
    /// If the sizes do not fit together.
    pub fn new(
        first: Affine,
        second: Affine,
        (bias, weights): (i32, &[i8]),
        hidden: usize,
        has_skip: bool,
    ) -> Self {
        assert!(hidden + usize::from(has_skip) <= first.outputs());
        assert!(weights.len() <= second.outputs());
        assert!(second.inputs() <= MAX_OUTPUTS);
        let mut last = Aligned([0; MAX_OUTPUTS]);
        for (place, &weight) in last.0.iter_mut().zip(weights) {
            *place = i32::from(weight);
        }
        Self {
            first,
            second,
            last,
            bias,
            hidden,
            has_skip,
        }
    }
}
