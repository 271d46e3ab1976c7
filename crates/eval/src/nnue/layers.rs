//! The layers above the first, from their place on disk to the one that kernels like.

use super::file::{AffineLayer, LayerStack};
use super::shape::{NetworkShape, padded};
use tesuji_kernels::{Affine, Layers};

/// Lays a stack out for the kernels. `order` says which input of each side comes first, second and
/// so on.
pub(super) fn laid_out(stack: &LayerStack, shape: &NetworkShape, order: &[usize]) -> Layers {
    let [first, second, last] = &stack.layers;
    let [(first_in, _), (second_in, _), _] = shape.layers();
    Layers::new(
        affine(first, first_in, |input| {
            input / order.len() * order.len() + order[input % order.len()]
        }),
        affine(second, second_in, |input| input),
        (last.biases[0], &last.weights[..shape.third]),
        shape.second - usize::from(shape.has_shortcut),
        shape.has_shortcut,
    )
}

fn affine(layer: &AffineLayer, inputs: usize, place: impl Fn(usize) -> usize) -> Affine {
    Affine::new(inputs, &layer.biases, |output, input| {
        layer.weights[output * padded(inputs) + place(input)]
    })
}
