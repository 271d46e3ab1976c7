//! What a training begins with: noise of the right size, or a network that exists.

use super::architecture::Architecture;
use super::layout::ParameterLayout;
use super::quantize::Scales;
use tesuji_eval::nnue::NetworkFile;

/// Parameters drawn at random. The first layer begins in the middle of what its activation passes
/// on, the ones above as usual for their number of inputs, and the last with nothing: a network
/// that corrects another evaluation begins by agreeing with it.
pub(super) fn random(layout: &ParameterLayout, architecture: &Architecture, seed: u64) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut numbers = vec![0.0; layout.len];
    let spread = 0.6 / (architecture.active() as f32).sqrt();
    // With a factorizer all sections begin alike.
    let first = match layout.common_weights.is_empty() {
        true => layout.first_weights.clone(),
        false => layout.common_weights.clone(),
    };
    for number in &mut numbers[first] {
        *number = spread * (2.0 * rng.f32() - 1.0);
    }
    numbers[layout.first_biases.clone()].fill(0.5);
    let [second, third] = architecture.hidden;
    for stack in &layout.stacks {
        let layers = [
            (&stack.second, 2 * architecture.width, second),
            (&stack.third, second, third),
        ];
        for (layer, inputs, outputs) in layers {
            let sigma = 1.0 / (inputs as f32).sqrt();
            for input in 0..inputs {
                for output in 0..outputs {
                    numbers[layer.weight_at(input, output)] = sigma * normal(&mut rng);
                }
            }
        }
        let sigma = 1.0 / (third as f32).sqrt();
        let start = stack.last_weights.start;
        for number in &mut numbers[start..start + third] {
            *number = 0.1 * sigma * normal(&mut rng);
        }
    }
    numbers
}

/// The parameters of a network as it lies on disk.
pub(super) fn from_file(layout: &ParameterLayout, scales: &Scales, file: &NetworkFile) -> Vec<f32> {
    let mut numbers = vec![0.0; layout.len];
    let first = numbers[layout.first_weights.clone()].iter_mut();
    for (number, &weight) in first.zip(&file.weights) {
        *number = f32::from(weight) / Scales::FIRST;
    }
    let first = numbers[layout.first_biases.clone()].iter_mut();
    for (number, &bias) in first.zip(&file.biases) {
        *number = f32::from(bias) / Scales::FIRST;
    }
    for (stack, on_disk) in layout.stacks.iter().zip(&file.stacks) {
        let [second, third, last] = &on_disk.layers;
        let layers = [(&stack.second, second), (&stack.third, third)];
        for ((range, layer), (inputs, outputs)) in layers.into_iter().zip(file.shape.layers()) {
            let padded = inputs.next_multiple_of(32);
            for output in 0..outputs {
                let bias = layer.biases[output] as f32;
                numbers[range.biases.start + output] = bias / (Scales::HIDDEN * Scales::FIRST);
                for input in 0..inputs {
                    let weight = f32::from(layer.weights[output * padded + input]);
                    numbers[range.weight_at(input, output)] = weight / Scales::HIDDEN;
                }
            }
        }
        for input in 0..file.shape.third {
            let weight = f32::from(last.weights[input]);
            numbers[stack.last_weights.start + input] = weight / scales.last_weight();
        }
        numbers[stack.last_bias] = last.biases[0] as f32 / scales.output();
    }
    part_common(layout, &mut numbers);
    numbers
}

/// Makes the mean of all sections what is common to them.
fn part_common(layout: &ParameterLayout, numbers: &mut [f32]) {
    let size = layout.common_weights.len();
    if size == 0 {
        return;
    }
    layout.gather_common(numbers);
    let (sections, rest) = numbers.split_at_mut(layout.first_weights.end);
    let common = &mut rest[..size];
    let share = size as f32 / sections.len() as f32;
    for weight in common.iter_mut() {
        *weight *= share;
    }
    for section in sections.chunks_exact_mut(size) {
        for (weight, common) in section.iter_mut().zip(&*common) {
            *weight -= common;
        }
    }
}

/// A number of the normal distribution (Box and Muller 1958).
fn normal(rng: &mut fastrand::Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.f32()).max(f32::MIN_POSITIVE).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.f32()).cos()
}
