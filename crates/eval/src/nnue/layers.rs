//! The layers above the first, from their place on disk to the one that kernels like.

use super::file::{Layer, Stack};
use super::shape::{Shape, padded};
use tesuji_kernels::{Affine, Layers};

/// Lays a stack out for the kernels.
pub(super) fn laid_out(stack: &Stack, shape: &Shape) -> Layers {
    let [first, second, last] = &stack.layers;
    let [(first_in, _), (second_in, _), _] = shape.layers();
    Layers::new(
        affine(first, first_in),
        affine(second, second_in),
        (last.biases[0], &last.weights[..shape.third]),
        shape.second - usize::from(shape.has_shortcut),
        shape.has_shortcut,
    )
}

fn affine(layer: &Layer, inputs: usize) -> Affine {
    Affine::new(inputs, &layer.biases, |output, input| {
        layer.weights[output * padded(inputs) + input]
    })
}
