//! One thread's share of a batch: forward, backward, and the gradient it adds up.
//!
//! Samples go through in small groups, so that their activations stay in the cache. On the way back
//! the first layer is visited by rows: what all samples of a group say about a row is added up in
//! registers and written once.
//!
//! On graphics cards nnue-pytorch (2020) and bullet (Whiting 2023) do the same work; the rows are
//! ours.

use super::architecture::Architecture;
use super::batches::DrawnSample;
use super::layout::{LayerRange, ParameterLayout};
use super::loss::Target;
use super::plan::ComparisonPlan;
use super::quantize::Scales;
use super::sample::TrainingSample;
use super::weights::{StackWeights, Weights};
use std::borrow::Cow;
use tesuji_kernels::{Strided, TILE, add_rows, multiply};

/// How many samples go through together.
const GROUP: usize = 128;
/// What the square of one is: integers divide by 128 where 127 stands for one.
const SQUARE: f32 = Scales::FIRST / 128.0;

/// The comparisons of a thread in a step.
pub(super) struct ComparisonShare<'a> {
    pub(super) plan: &'a ComparisonPlan,
    /// How many leaves make a comparison.
    pub(super) size: usize,
    pub(super) leaves: &'a [DrawnSample],
    /// What the loss of one counts beside the loss of one sample.
    pub(super) weight: f32,
}

/// A thread's memory.
pub(super) struct GradientWorker {
    architecture: Architecture,
    /// What the parameters should have less of.
    pub(super) gradient: Vec<f32>,
    /// The sum of the losses.
    pub(super) loss: f64,
    /// The sum of what the comparisons cost, weighed as their gradient is.
    pub(super) comparison_loss: f64,
    /// Rows of the first layer, for each sample those of both points of view.
    rows: Vec<u32>,
    /// The sums of the first layer, cut to 0 to 1.
    sums: Vec<f32>,
    /// The activations of the first layer, if they are not its sums.
    squares: Vec<f32>,
    input_gradient: Vec<f32>,
    second: Hidden,
    third: Hidden,
    outputs: Vec<f32>,
    by_row: ByRow,
}

/// A hidden layer of a group: sums, activations, and the gradient of the sums.
struct Hidden {
    outputs: usize,
    sums: Vec<f32>,
    activations: Vec<f32>,
    gradient: Vec<f32>,
}

/// Which samples of a group switch on which row.
struct ByRow {
    counts: Vec<u32>,
    touched: Vec<u32>,
    entries: Vec<u32>,
}

impl GradientWorker {
    pub(super) fn new(architecture: &Architecture, layout: &ParameterLayout) -> Self {
        let wide = GROUP * 2 * architecture.width;
        let hidden = |layer: &LayerRange| Hidden {
            outputs: layer.outputs,
            sums: vec![0.0; GROUP * layer.outputs],
            activations: vec![0.0; GROUP * layer.outputs],
            gradient: vec![0.0; GROUP * layer.outputs],
        };
        Self {
            architecture: *architecture,
            gradient: vec![0.0; layout.len],
            loss: 0.0,
            comparison_loss: 0.0,
            rows: vec![0; GROUP * 2 * architecture.active()],
            sums: vec![0.0; wide],
            squares: vec![0.0; if architecture.is_squared { wide } else { 0 }],
            input_gradient: vec![0.0; wide],
            second: hidden(&layout.stacks[0].second),
            third: hidden(&layout.stacks[0].third),
            outputs: vec![0.0; GROUP],
            by_row: ByRow {
                counts: vec![0; layout.features],
                touched: Vec::new(),
                entries: vec![0; GROUP * 2 * architecture.active()],
            },
        }
    }

    /// Has nothing to add to a step.
    pub(super) fn rest(&mut self) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
        self.comparison_loss = 0.0;
    }

    /// Adds up loss and gradient over samples, mirrored where it is said.
    pub(super) fn learn(
        &mut self,
        weights: &Weights,
        target: &Target,
        samples: &[DrawnSample],
        comparisons: Option<&ComparisonShare>,
    ) {
        self.rest();
        self.descend(weights, samples, as_drawn, |worker, output, (sample, _)| {
            let (loss, slope) = target.loss(output, sample);
            worker.loss += f64::from(loss);
            slope
        });
        if let Some(share) = comparisons {
            self.compare(weights, target, share);
        }
        weights.layout.gather_common(&mut self.gradient);
    }

    /// Adds the gradient of comparisons. Their leaves go through twice: the slope of one depends on the
    /// outputs of all of its comparison, which may be in other stacks.
    fn compare(&mut self, weights: &Weights, target: &Target, share: &ComparisonShare) {
        let numbered: Vec<(usize, DrawnSample)> =
            share.leaves.iter().copied().enumerate().collect();
        let mut slopes = vec![0.0; numbered.len()];
        self.ascend(
            weights,
            &numbered,
            |(_, drawn)| as_drawn(drawn),
            |output, &(number, _)| {
                slopes[number] = output;
            },
        );
        let groups = slopes.chunks_exact_mut(share.size);
        for (outputs, leaves) in groups.zip(share.leaves.chunks_exact(share.size)) {
            let loss = share.plan.loss(leaves, outputs, target.scale);
            self.comparison_loss += f64::from(share.weight * loss);
        }
        self.descend(
            weights,
            &numbered,
            |(_, drawn)| as_drawn(drawn),
            |_, _, &(number, _)| share.weight * slopes[number],
        );
    }

    /// Forward and backward; `slope` tells what the loss changes with the output of a sample.
    fn descend<S: Copy>(
        &mut self,
        weights: &Weights,
        samples: &[S],
        drawn: impl Fn(&S) -> (&TrainingSample, bool),
        mut slope: impl FnMut(&mut Self, f32, &S) -> f32,
    ) {
        for (number, samples) in self.by_stack(samples, |each| drawn(each).0) {
            let stack = weights.stack(number);
            for group in samples.chunks(GROUP) {
                self.look_up(group.iter().map(&drawn));
                self.forward(weights, &stack, group.len());
                for (place, each) in group.iter().enumerate() {
                    self.outputs[place] = slope(self, self.outputs[place], each);
                }
                self.backward(weights, &stack, group.len());
            }
        }
    }

    /// The outputs for samples, in any order, which are multiplied by the scale to be values.
    pub(super) fn evaluate(
        &mut self,
        weights: &Weights,
        samples: &[TrainingSample],
        mut hand_on: impl FnMut(&TrainingSample, f32),
    ) {
        self.ascend(
            weights,
            samples,
            |sample| (sample, false),
            |output, sample| {
                hand_on(sample, output);
            },
        );
    }

    /// The outputs for samples, each with its number among them.
    pub(super) fn evaluate_numbered(
        &mut self,
        weights: &Weights,
        samples: &[TrainingSample],
    ) -> Vec<f32> {
        let numbered: Vec<(usize, TrainingSample)> = samples.iter().copied().enumerate().collect();
        let mut outputs = vec![0.0; samples.len()];
        self.ascend(
            weights,
            &numbered,
            |(_, sample)| (sample, false),
            |output, &(number, _)| {
                outputs[number] = output;
            },
        );
        outputs
    }

    /// Forward alone.
    fn ascend<S: Copy>(
        &mut self,
        weights: &Weights,
        samples: &[S],
        drawn: impl Fn(&S) -> (&TrainingSample, bool),
        mut hand_on: impl FnMut(f32, &S),
    ) {
        for (number, samples) in self.by_stack(samples, |each| drawn(each).0) {
            let stack = weights.stack(number);
            for group in samples.chunks(GROUP) {
                self.look_up(group.iter().map(&drawn));
                self.forward(weights, &stack, group.len());
                for (each, &output) in group.iter().zip(&self.outputs) {
                    hand_on(output, each);
                }
            }
        }
    }

    /// Samples by the stack of layers that is for them.
    fn by_stack<'s, S: Copy>(
        &self,
        samples: &'s [S],
        sample: impl Fn(&S) -> &TrainingSample,
    ) -> Vec<(usize, Cow<'s, [S]>)> {
        let count = self.architecture.stacks();
        if count == 1 {
            return vec![(0, Cow::Borrowed(samples))];
        }
        let mut parts = vec![Vec::new(); count];
        for each in samples {
            parts[sample(each).stack(&self.architecture)].push(*each);
        }
        parts.into_iter().map(Cow::Owned).enumerate().collect()
    }

    fn look_up<'s>(&mut self, samples: impl Iterator<Item = (&'s TrainingSample, bool)>) {
        let places = self.rows.chunks_exact_mut(2 * self.architecture.active());
        for ((sample, is_mirrored), rows) in samples.zip(places) {
            sample.rows(&self.architecture.features, is_mirrored, rows);
        }
    }

    fn forward(&mut self, weights: &Weights, stack: &StackWeights, count: usize) {
        let layout = weights.layout;
        let (table, biases) = (
            weights.part(&layout.first_weights),
            weights.part(&layout.first_biases),
        );
        let rows = self.rows.chunks_exact(self.architecture.active());
        let sums = self.sums.chunks_exact_mut(layout.width);
        for (sum, rows) in sums.zip(rows).take(2 * count) {
            sum.copy_from_slice(biases);
            add_rows(table, rows, sum);
            for number in sum {
                *number = number.clamp(0.0, 1.0);
            }
        }
        // Groups are filled up to whole tiles.
        let filled = count.next_multiple_of(TILE[0]);
        self.sums[count * 2 * layout.width..filled * 2 * layout.width].fill(0.0);
        for (square, &sum) in self.squares.iter_mut().zip(&self.sums) {
            *square = match weights.is_rounded {
                true => rounded_square(sum),
                false => sum * sum * SQUARE,
            };
        }
        let inputs = match self.architecture.is_squared {
            true => &self.squares,
            false => &self.sums,
        };
        let range = stack.range;
        self.second.forward(weights, &range.second, inputs, filled);
        self.third
            .forward(weights, &range.third, &self.second.activations, filled);
        let last = weights.part(&range.last_weights);
        let bias = weights.number(range.last_bias);
        let rows = self.third.activations.chunks_exact(last.len());
        for (output, row) in self.outputs.iter_mut().zip(rows).take(count) {
            let products = row.iter().zip(last).map(|(x, w)| x * w);
            *output = bias + products.sum::<f32>();
        }
    }

    /// Goes back from the slopes that stand where the outputs were.
    fn backward(&mut self, weights: &Weights, stack: &StackWeights, count: usize) {
        let (width, range) = (weights.layout.width, stack.range);
        let filled = count.next_multiple_of(TILE[0]);
        self.outputs[count..filled].fill(0.0);
        self.backward_last(weights, stack, filled);
        let Self {
            gradient,
            second,
            third,
            sums,
            squares,
            input_gradient,
            ..
        } = self;
        third.descend(&range.third, &second.activations, gradient, filled);
        second.gradient[..filled * second.outputs].fill(0.0);
        multiply(
            [filled, third.outputs, second.outputs],
            plain(&third.gradient, third.outputs),
            stack.third_transposed,
            &mut second.gradient,
        );
        second.clip(filled);
        let is_squared = self.architecture.is_squared;
        let inputs = if is_squared { &*squares } else { &*sums };
        second.descend(&range.second, inputs, gradient, filled);
        let slopes = &mut input_gradient[..filled * 2 * width];
        slopes.fill(0.0);
        multiply(
            [filled, second.outputs, 2 * width],
            plain(&second.gradient, second.outputs),
            stack.second_transposed,
            slopes,
        );
        for (slope, &sum) in slopes.iter_mut().zip(&*sums) {
            let through = if is_squared { 2.0 * SQUARE * sum } else { 1.0 };
            let is_open = sum > 0.0 && sum < 1.0;
            *slope = if is_open { *slope * through } else { 0.0 };
        }
        self.backward_first(weights, count);
    }

    fn backward_last(&mut self, weights: &Weights, stack: &StackWeights, filled: usize) {
        let range = stack.range;
        let last = weights.part(&range.last_weights);
        let Self {
            gradient,
            third,
            outputs,
            ..
        } = self;
        let rows = third.activations.chunks_exact(last.len());
        let slopes = third.gradient.chunks_exact_mut(last.len());
        for ((&output, row), slopes) in outputs.iter().zip(rows).zip(slopes).take(filled) {
            gradient[range.last_bias] += output;
            let into = &mut gradient[range.last_weights.clone()];
            for (i, slope) in slopes.iter_mut().enumerate() {
                into[i] += output * row[i];
                *slope = output * last[i];
            }
        }
        third.clip(filled);
    }

    fn backward_first(&mut self, weights: &Weights, count: usize) {
        let layout = weights.layout;
        let (width, active) = (layout.width, self.architecture.active());
        self.by_row.sort(&self.rows[..2 * count * active], active);
        let mut start = 0;
        for &row in &self.by_row.touched {
            let end = start + self.by_row.counts[row as usize] as usize;
            let into = layout.first_weights.start + row as usize * width;
            add_rows(
                &self.input_gradient,
                &self.by_row.entries[start..end],
                &mut self.gradient[into..into + width],
            );
            start = end;
        }
        self.by_row.clear();
        let biases = &mut self.gradient[layout.first_biases.clone()];
        for slopes in self.input_gradient.chunks_exact(width).take(2 * count) {
            for (bias, slope) in biases.iter_mut().zip(slopes) {
                *bias += slope;
            }
        }
    }
}

/// A sample, and whether it is mirrored.
fn as_drawn((sample, is_mirrored): &DrawnSample) -> (&TrainingSample, bool) {
    (sample, *is_mirrored)
}

/// A matrix whose rows lie one behind the other.
fn plain(numbers: &[f32], columns: usize) -> Strided<'_> {
    Strided {
        numbers,
        row: columns,
        column: 1,
    }
}

impl Hidden {
    fn forward(&mut self, weights: &Weights, layer: &LayerRange, inputs: &[f32], filled: usize) {
        let biases = weights.part(&layer.biases);
        let sums = &mut self.sums[..filled * layer.outputs];
        for row in sums.chunks_exact_mut(layer.outputs) {
            row.copy_from_slice(biases);
        }
        multiply(
            [filled, layer.inputs, layer.outputs],
            plain(inputs, layer.inputs),
            weights.part(&layer.weights),
            sums,
        );
        for (activation, &sum) in self.activations.iter_mut().zip(&*sums) {
            *activation = sum.clamp(0.0, 1.0);
        }
        if weights.is_rounded {
            for (activation, &sum) in self.activations.iter_mut().zip(&*sums) {
                *activation = rounded(sum);
            }
        }
    }

    /// Takes away the slopes of sums that the activation cuts off.
    fn clip(&mut self, filled: usize) {
        let slopes = self.gradient[..filled * self.outputs].iter_mut();
        for (slope, &sum) in slopes.zip(&self.sums) {
            *slope = if sum > 0.0 && sum < 1.0 { *slope } else { 0.0 };
        }
    }

    /// Adds the gradient of this layer's weights and biases.
    fn descend(&self, layer: &LayerRange, inputs: &[f32], gradient: &mut [f32], filled: usize) {
        let left = Strided {
            numbers: inputs,
            row: 1,
            column: layer.inputs,
        };
        let sizes = [layer.inputs, filled, layer.outputs];
        multiply(
            sizes,
            left,
            &self.gradient,
            &mut gradient[layer.weights.clone()],
        );
        let biases = &mut gradient[layer.biases.clone()];
        for slopes in self.gradient.chunks_exact(layer.outputs).take(filled) {
            for (bias, slope) in biases.iter_mut().zip(slopes) {
                *bias += slope;
            }
        }
    }
}

/// An activation in 127ths, rounded down as the integers of the engine are.
fn rounded(sum: f32) -> f32 {
    let integer = (sum * (Scales::FIRST * Scales::HIDDEN)).round_ties_even();
    (integer / Scales::HIDDEN).floor().clamp(0.0, Scales::FIRST) / Scales::FIRST
}

/// A square in 127ths, rounded down likewise.
fn rounded_square(sum: f32) -> f32 {
    let integer = (sum * Scales::FIRST).round_ties_even();
    (integer * integer / 128.0).floor() / Scales::FIRST
}

impl ByRow {
    /// Lists for each row the entries of a group that switch it on; an entry is a sample seen from
    /// one side.
    fn sort(&mut self, rows: &[u32], active: usize) {
        for &row in rows {
            let count = &mut self.counts[row as usize];
            if *count == 0 {
                self.touched.push(row);
            }
            *count += 1;
        }
        let mut start = 0;
        for &row in &self.touched {
            let count = &mut self.counts[row as usize];
            (start, *count) = (start + *count, start);
        }
        for (entry, rows) in rows.chunks_exact(active).enumerate() {
            for &row in rows {
                let place = &mut self.counts[row as usize];
                self.entries[*place as usize] = entry as u32;
                *place += 1;
            }
        }
        // Places have become ends; counts are needed again.
        let mut start = 0;
        for &row in &self.touched {
            let end = &mut self.counts[row as usize];
            (start, *end) = (*end, *end - start);
        }
    }

    fn clear(&mut self) {
        for &row in &self.touched {
            self.counts[row as usize] = 0;
        }
        self.touched.clear();
    }
}
