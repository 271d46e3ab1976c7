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
    for number in &mut numbers[layout.first_weights.clone()] {
        *number = spread * (2.0 * rng.f32() - 1.0);
    }
    numbers[layout.first_biases.clone()].fill(0.5);
    let [second, third] = architecture.hidden;
    let counts = [2 * architecture.width, second];
    for ((layer, outputs), inputs) in [(&layout.second, second), (&layout.third, third)]
        .into_iter()
        .zip(counts)
    {
        let sigma = 1.0 / (inputs as f32).sqrt();
        for input in 0..inputs {
            for output in 0..outputs {
                numbers[layer.weight_at(input, output)] = sigma * normal(&mut rng);
            }
        }
    }
    let sigma = 1.0 / (third as f32).sqrt();
    let start = layout.last_weights.start;
    for number in &mut numbers[start..start + third] {
        *number = 0.1 * sigma * normal(&mut rng);
    }
    numbers
}

/// The parameters of a network as it lies on disk.
pub(super) fn from_file(
    layout: &ParameterLayout,
    architecture: &Architecture,
    scales: &Scales,
    file: &NetworkFile,
) -> Vec<f32> {
    let mut numbers = vec![0.0; layout.len];
    let first = numbers[layout.first_weights.clone()].iter_mut();
    for (number, &weight) in first.zip(&file.weights) {
        *number = f32::from(weight) / Scales::FIRST;
    }
    let first = numbers[layout.first_biases.clone()].iter_mut();
    for (number, &bias) in first.zip(&file.biases) {
        *number = f32::from(bias) / Scales::FIRST;
    }
    let [second, third, last] = &file.stacks[0].layers;
    let shapes = architecture.shape().layers();
    for ((range, layer), (inputs, outputs)) in [(&layout.second, second), (&layout.third, third)]
        .into_iter()
        .zip(shapes)
    {
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
    for input in 0..architecture.hidden[1] {
        let weight = f32::from(last.weights[input]);
        numbers[layout.last_weights.start + input] = weight / scales.last_weight();
    }
    numbers[layout.last_bias] = last.biases[0] as f32 / scales.output();
    numbers
}

/// A number of the normal distribution (Box and Muller 1958).
fn normal(rng: &mut fastrand::Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.f32()).max(f32::MIN_POSITIVE).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.f32()).cos()
}
