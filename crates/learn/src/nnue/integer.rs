//! The network in integers, written down plainly: what the engine's fast form must agree with.

use super::architecture::Architecture;
use super::sample::TrainingSample;
use tesuji_eval::nnue::NetworkFile;

/// The output of a network for a sample, before it is divided.
pub(super) fn output(
    file: &NetworkFile,
    architecture: &Architecture,
    sample: &TrainingSample,
) -> i32 {
    let (width, active) = (architecture.width, architecture.active());
    let mut rows = vec![0; 2 * active];
    sample.rows(&architecture.features, false, &mut rows);
    let mut inputs = Vec::with_capacity(2 * width);
    for rows in rows.chunks_exact(active) {
        let mut sums = file.biases.clone();
        for &row in rows {
            let row = &file.weights[row as usize * width..][..width];
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight);
            }
        }
        let clipped = sums.into_iter().map(|sum| i32::from(sum.clamp(0, 127)));
        match architecture.is_squared {
            true => inputs.extend(clipped.map(|sum| sum * sum / 128)),
            false => inputs.extend(clipped),
        }
    }
    let [second, third, last] = &file.stacks[sample.stack(architecture)].layers;
    for layer in [second, third] {
        let sums = affine(layer, &inputs);
        inputs = sums.map(|sum| (sum >> 6).clamp(0, 127)).collect();
    }
    affine(last, &inputs).next().unwrap_or(0)
}

fn affine<'a>(
    layer: &'a tesuji_eval::nnue::file::AffineLayer,
    inputs: &'a [i32],
) -> impl Iterator<Item = i32> + 'a {
    let padded = inputs.len().next_multiple_of(32);
    let rows = layer.weights.chunks_exact(padded);
    layer.biases.iter().zip(rows).map(move |(bias, row)| {
        let products = row.iter().zip(inputs);
        bias + products.map(|(&w, x)| i32::from(w) * x).sum::<i32>()
    })
}
