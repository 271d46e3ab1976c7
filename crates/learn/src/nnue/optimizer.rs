//! AdamW (Loshchilov and Hutter 2019): moments of the gradient, decay apart from them, and weights
//! held inside what the integers of a file can hold, as in nnue-pytorch.

use super::layout::ParameterLayout;
use super::quantize::Scales;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What AdamW is told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AdamW {
    /// How slowly the mean of the gradient changes.
    pub beta1: f32,
    /// How slowly the mean of its square changes.
    pub beta2: f32,
    /// By how much weights shrink, times the learning rate.
    pub decay: f32,
}

impl Default for AdamW {
    fn default() -> Self {
        Self {
            beta1: 0.9,
            beta2: 0.999,
            decay: 0.01,
        }
    }
}

const EPSILON: f32 = 1e-8;

/// One step of the optimizer.
pub(super) struct OptimizerStep<'a> {
    pub(super) adam: AdamW,
    /// Which step, counted from 0.
    pub(super) number: u64,
    pub(super) rate: f32,
    /// How many samples the gradients were summed over.
    pub(super) samples: usize,
    /// The gradient of each thread.
    pub(super) gradients: &'a [&'a [f32]],
}

/// Parameters and their moments, or the same part of each.
pub(super) struct Moving<'a> {
    pub(super) parameters: &'a mut [f32],
    pub(super) mean: &'a mut [f32],
    pub(super) square: &'a mut [f32],
}

impl<'a> Moving<'a> {
    fn split(self, at: usize) -> (Self, Self) {
        let (parameters, parameters2) = self.parameters.split_at_mut(at);
        let (mean, mean2) = self.mean.split_at_mut(at);
        let (square, square2) = self.square.split_at_mut(at);
        let left = Self {
            parameters,
            mean,
            square,
        };
        let right = Self {
            parameters: parameters2,
            mean: mean2,
            square: square2,
        };
        (left, right)
    }

    fn part(&mut self, range: Range<usize>) -> Moving<'_> {
        Moving {
            parameters: &mut self.parameters[range.clone()],
            mean: &mut self.mean[range.clone()],
            square: &mut self.square[range],
        }
    }
}

/// How far from zero the parameters of a range may be, and whether they decay: biases do not.
struct Rule {
    range: Range<usize>,
    limit: f32,
    decays: bool,
}

fn rules(layout: &ParameterLayout, scales: &Scales) -> Vec<Rule> {
    let rule = |range: &Range<usize>, limit, decays| Rule {
        range: range.clone(),
        limit,
        decays,
    };
    let first_limit = match layout.common_weights.is_empty() {
        true => Scales::FIRST_LIMIT,
        false => Scales::FIRST_LIMIT / 2.0,
    };
    let mut rules = vec![
        rule(&layout.first_weights, first_limit, true),
        rule(&layout.common_weights, first_limit, true),
        rule(&layout.first_biases, f32::INFINITY, false),
    ];
    for stack in &layout.stacks {
        for layer in [&stack.second, &stack.third] {
            rules.push(rule(&layer.weights, Scales::HIDDEN_LIMIT, true));
            rules.push(rule(&layer.biases, f32::INFINITY, false));
        }
        rules.push(rule(&stack.last_weights, scales.last_limit(), true));
        let bias = stack.last_bias..stack.last_bias + 1;
        rules.push(rule(&bias, f32::INFINITY, false));
    }
    rules
}

impl OptimizerStep<'_> {
    /// Moves all parameters, each thread its share of them.
    pub(super) fn apply(
        &self,
        layout: &ParameterLayout,
        scales: &Scales,
        moving: Moving,
        threads: usize,
    ) {
        let rules = rules(layout, scales);
        let share = layout.len.div_ceil(threads.max(1)).next_multiple_of(16);
        std::thread::scope(|scope| {
            let (mut rest, mut start) = (moving, 0);
            while start < layout.len {
                let size = share.min(layout.len - start);
                let (mut part, behind) = rest.split(size);
                let range = start..start + size;
                rest = behind;
                start += size;
                let rules = &rules;
                let work = move || self.apply_part(rules, range, &mut part);
                if start < layout.len {
                    scope.spawn(work);
                } else {
                    work();
                }
            }
        });
    }

    fn apply_part(&self, rules: &[Rule], range: Range<usize>, part: &mut Moving) {
        for rule in rules {
            let from = rule.range.start.max(range.start);
            let to = rule.range.end.min(range.end);
            if from < to {
                let moving = part.part(from - range.start..to - range.start);
                self.apply_rule(rule, from..to, moving);
            }
        }
    }

    fn apply_rule(&self, rule: &Rule, range: Range<usize>, moving: Moving) {
        let AdamW {
            beta1,
            beta2,
            decay,
        } = self.adam;
        let times = (self.number + 1).min(i32::MAX as u64) as i32;
        // Moments begin with zero, which the first steps must make up for.
        let mean_bias = 1.0 / (1.0 - beta1.powi(times));
        let square_bias = 1.0 / (1.0 - beta2.powi(times));
        let shrink = 1.0 - self.rate * if rule.decays { decay } else { 0.0 };
        let share = 1.0 / self.samples as f32;
        let (first, others) = self.gradients.split_first().expect("at least one thread");
        let first = &first[range.clone()];
        let Moving {
            parameters,
            mean,
            square,
        } = moving;
        for i in 0..parameters.len() {
            let mut slope = first[i];
            for other in others {
                slope += other[range.start + i];
            }
            let slope = slope * share;
            mean[i] = beta1 * mean[i] + (1.0 - beta1) * slope;
            square[i] = beta2 * square[i] + (1.0 - beta2) * slope * slope;
            let step = mean[i] * mean_bias / ((square[i] * square_bias).sqrt() + EPSILON);
            let moved = parameters[i] * shrink - self.rate * step;
            parameters[i] = moved.clamp(-rule.limit, rule.limit);
        }
    }
}
