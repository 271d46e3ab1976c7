//! Networks against committed outputs, on every instruction set of this machine.
//!
//! `fixtures/eval/networks.tsv` holds positions and the raw output of one network in each further
//! column. Two of the networks are those of a reference engine (HalfKP and SFNN at full size), made
//! again from their seeds; for them the outputs are those of that engine. The others (K-P, small
//! widths) were added with the plain implementation beside this file, which agrees with the
//! reference engine on the first two.

use crate::numpy::Rng;
use crate::plain;
use tesuji_eval::Evaluator;
use tesuji_eval::nnue::{FeatureSet, Network, NetworkFile, NetworkShape};
use tesuji_kernels::InstructionSet;
use tesuji_shogi::Position;

const TABLE: &str = include_str!("../../../../fixtures/eval/networks.tsv");

/// The positions with the outputs of the network that a column is named after.
fn expected(network: &str) -> Vec<(Position, i32)> {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let names = lines.next().expect("a line of names");
    let column = names.split('\t').position(|name| name == network);
    let column = column.unwrap_or_else(|| panic!("no column {network}"));
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let pos = Position::from_sfen(cells[0]).expect("a position");
        (pos, cells[column].parse().expect("a number"))
    });
    rows.collect()
}

/// How the numbers of an affine layer are distributed: mean, deviation and limit of the biases,
/// deviation of the weights.
type Spread = [f64; 4];

fn fill(
    file: &mut NetworkFile,
    rng: &mut Rng,
    biases: [f64; 3],
    weights: [f64; 2],
    layers: [Spread; 3],
) {
    let [mean, deviation, limit] = biases;
    let bias = || rng.integer(mean, deviation, limit) as i16;
    file.biases.fill_with(bias);
    let [deviation, limit] = weights;
    let weight = || rng.integer(0.0, deviation, limit) as i16;
    file.weights.fill_with(weight);
    for stack in &mut file.stacks {
        for (layer, [mean, deviation, limit, of_weights]) in stack.layers.iter_mut().zip(layers) {
            // A bias that does not vary takes no number from the generator.
            if deviation > 0.0 {
                let bias = || rng.integer(mean, deviation, limit);
                layer.biases.fill_with(bias);
            } else {
                layer.biases.fill(mean as i32);
            }
            let weight = || rng.integer(0.0, of_weights, 127.0) as i8;
            layer.weights.fill_with(weight);
        }
    }
}

/// A network with clipped sums; `output_bias` brings its outputs near zero.
fn clipped(features: FeatureSet, sizes: [usize; 3], seed: u32, output_bias: i32) -> NetworkFile {
    let mut file = NetworkFile::blank(NetworkShape::clipped_relu(features, sizes));
    let layers = [
        [1600.0, 1280.0, 20_000.0, 9.0],
        [1600.0, 1280.0, 20_000.0, 12.0],
        [f64::from(output_bias), 0.0, 0.0, 40.0],
    ];
    fill(
        &mut file,
        &mut Rng::new(seed),
        [-25.0, 30.0, 400.0],
        [7.0, 60.0],
        layers,
    );
    file
}

/// A network with paired sums and nine stacks of layers.
fn paired(features: FeatureSet, sizes: [usize; 3], seed: u32) -> NetworkFile {
    let mut file = NetworkFile::blank(NetworkShape::pairwise(features, sizes, 9));
    let layers = [
        [0.0, 1280.0, 30_000.0, 6.0],
        [1280.0, 1280.0, 30_000.0, 14.0],
        [0.0, 300.0, 3000.0, 40.0],
    ];
    fill(
        &mut file,
        &mut Rng::new(seed),
        [20.0, 40.0, 500.0],
        [9.0, 200.0],
        layers,
    );
    file
}

/// Compares a network, plain and on every instruction set, with a column of the table.
fn check<const N: usize>(network: &str, file: &NetworkFile) {
    let rows = expected(network);
    assert_eq!(rows.len(), 662);
    for (pos, output) in &rows {
        let plain = plain::output(file, pos);
        assert_eq!(plain, i64::from(*output), "{network}: {}", pos.to_sfen());
    }
    for level in InstructionSet::ALL {
        let Some(kernels) = level.kernels() else {
            continue; // the instruction set is not there to be tested
        };
        let fast = Network::<N>::new(file, kernels).expect("the width");
        for (pos, output) in &rows {
            let found = fast.evaluate_raw(pos);
            assert_eq!(found, *output, "{network} on {level:?}: {}", pos.to_sfen());
        }
    }
}

#[test]
fn half_kp_gives_the_outputs_of_the_reference_engine() {
    let file = clipped(FeatureSet::HALF_KP, [256, 32, 32], 20_240_607, -6414);
    check::<256>("halfkp_256x2-32-32", &file);
}

#[test]
fn sfnn_gives_the_outputs_of_the_reference_engine() {
    let file = paired(FeatureSet::HALF_KA_HM_2, [1536, 16, 32], 7);
    check::<1536>("sfnn_1536-15-32", &file);
}

#[test]
fn kp_gives_the_plain_outputs() {
    let file = clipped(FeatureSet::KP, [256, 32, 32], 1, -6414);
    check::<256>("kp_256x2-32-32", &file);
}

#[test]
fn small_widths_give_the_plain_outputs() {
    let file = clipped(FeatureSet::KP, [128, 8, 32], 2, -6414);
    check::<128>("kp_128x2-8-32", &file);
    let file = clipped(FeatureSet::HALF_KP, [128, 16, 32], 3, -6414);
    check::<128>("halfkp_128x2-16-32", &file);
    let file = paired(FeatureSet::HALF_KA_HM_2, [128, 8, 32], 4);
    check::<128>("sfnn_128-7-32", &file);
}
