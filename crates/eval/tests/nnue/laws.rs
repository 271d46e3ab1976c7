//! What holds for every network: the plain formula, sums carried along, the board turned round.

use crate::{Dice, plain, random_network};
use tesuji_eval::nnue::{
    BucketKind, Buckets, Extension, FeatureSet, Network, NetworkFile, NetworkShape,
};
use tesuji_eval::{AccumulatorStack, Evaluator};
use tesuji_kernels::{InstructionSet, Kernels};
use tesuji_shogi::{Board, Change, Handicap, Position};

/// Plays random games with passes and moves taken back, and asks now and then.
fn games<const N: usize>(kernels: Kernels, file: &NetworkFile, seed: u64) {
    let network = Network::<N>::new(file, kernels)
        .expect("the width")
        .with_fv_scale(1);
    let mut dice = Dice(seed);
    let mut stack = AccumulatorStack::new();
    for handicap in [Handicap::Even, Handicap::TwoPiece, Handicap::TenPiece] {
        let mut pos = Position::handicap(handicap);
        stack.reset();
        for n in 0..80 {
            if !step(&mut pos, &mut stack, &mut dice) {
                break;
            }
            // At first so seldom that much is to be caught up, and carried back.
            if dice.roll(if n < 40 { 9 } else { 2 }) == 0 {
                ask(file, &network, &pos, &mut stack);
            }
        }
    }
}

/// Plays a move, passes or takes back; `false` at the end of a game.
fn step<E: Evaluator>(
    pos: &mut Position,
    stack: &mut AccumulatorStack<E>,
    dice: &mut Dice,
) -> bool {
    let moves = pos.legal_moves();
    match dice.roll(10) {
        0..3 if pos.played() > 0 => {
            pos.undo();
            stack.pop();
        }
        3 if !pos.in_check() => {
            pos.pass();
            stack.push(Change::default());
        }
        _ if moves.is_empty() => return false,
        _ => stack.push(pos.play(moves.get(dice.roll(moves.len())).expect("a move"))),
    }
    true
}

fn ask<const N: usize>(
    file: &NetworkFile,
    network: &Network<N>,
    pos: &Position,
    stack: &mut AccumulatorStack<Network<N>>,
) {
    let output = plain::output(file, pos);
    assert_eq!(
        i64::from(network.evaluate_raw(pos)),
        output,
        "{}",
        pos.to_sfen()
    );
    let carried = stack.value(network, pos);
    assert_eq!(
        carried,
        network.evaluate(pos),
        "carried along to {}",
        pos.to_sfen()
    );
    assert_eq!(i64::from(carried.points()), output.clamp(-30_999, 30_999));
    assert_eq!(
        network.evaluate_raw(&pos.flipped()),
        network.evaluate_raw(pos)
    );
}

#[test]
fn every_set_of_features_follows_its_formula() {
    for (i, features) in FeatureSet::ALL.into_iter().enumerate() {
        let file = random_network(
            NetworkShape::clipped_relu(features, [128, 32, 32]),
            i as u64,
        );
        games::<128>(Kernels::best(), &file, 7);
    }
}

#[test]
fn every_size_follows_its_formula() {
    fn check<const N: usize>(second: usize, third: usize) {
        let file = random_network(
            NetworkShape::clipped_relu(FeatureSet::KP, [N, second, third]),
            5,
        );
        games::<N>(Kernels::best(), &file, second as u64);
    }
    check::<256>(32, 32);
    check::<512>(16, 32);
    check::<768>(16, 64);
    check::<1024>(8, 32);
    check::<1024>(8, 64);
    check::<1536>(64, 64);
}

#[test]
fn extensions_follow_their_formulas() {
    for (i, (features, is_squared, kind)) in [
        (FeatureSet::ZONES_5, false, None),
        (FeatureSet::ZONES_9, true, Some(BucketKind::Material)),
        (FeatureSet::KP, true, Some(BucketKind::Progress)),
    ]
    .into_iter()
    .enumerate()
    {
        let extension = Extension {
            is_squared,
            buckets: kind.and_then(|kind| Buckets::new(kind, 7)),
            ..Extension::default()
        };
        let shape = extension.of(NetworkShape::clipped_relu(features, [256, 32, 32]));
        let file = random_network(shape, i as u64).extended(extension);
        games::<256>(Kernels::best(), &file, 5 + i as u64);
    }
}

#[test]
fn stacks_follow_their_formula() {
    let half_kp = NetworkShape::pairwise(FeatureSet::HALF_KP, [128, 8, 32], 1);
    let mirrored = NetworkShape::pairwise(FeatureSet::HALF_KA_HM_2, [128, 16, 32], 9);
    let no_shortcut = NetworkShape {
        has_shortcut: false,
        ..NetworkShape::pairwise(FeatureSet::KP, [128, 32, 64], 9)
    };
    for (i, shape) in [half_kp, mirrored, no_shortcut].into_iter().enumerate() {
        games::<128>(Kernels::best(), &random_network(shape, i as u64), 3);
    }
    let wide = NetworkShape::pairwise(FeatureSet::KP, [1536, 16, 32], 9);
    games::<1536>(Kernels::best(), &random_network(wide, 9), 3);
}

#[test]
fn every_instruction_set_follows_the_formulas() {
    let clipped = random_network(NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]), 1);
    let paired = random_network(NetworkShape::pairwise(FeatureSet::KP, [256, 16, 32], 9), 2);
    let present = |set: &InstructionSet| set.kernels();
    for kernels in InstructionSet::ALL.iter().filter_map(present) {
        for file in [&clipped, &paired] {
            games::<256>(kernels, file, 11);
        }
    }
}

#[test]
fn positions_without_kings_have_a_value() {
    for features in [FeatureSet::KP, FeatureSet::HALF_KA_HM_2] {
        let file = random_network(NetworkShape::pairwise(features, [128, 16, 32], 9), 1);
        let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        let network = Network::<128>::new(&file, Kernels::best()).unwrap();
        assert_eq!(
            network.evaluate_raw(&pos),
            network.evaluate_raw(&pos.flipped())
        );
    }
}
