//! What is no network is refused, and what is one is written as it was read.

use crate::{Dice, random_network};
use tesuji_eval::nnue::{FeatureSet, Network, NetworkFile, NetworkShape, NnueError};
use tesuji_kernels::Kernels;

/// A small network of each kind, with the place behind its description.
fn networks() -> [(Vec<u8>, usize); 2] {
    let shapes = [
        NetworkShape::clipped_relu(FeatureSet::KP, [32, 8, 32]),
        NetworkShape::pairwise(FeatureSet::KP, [32, 16, 32], 9),
    ];
    shapes.map(|shape| {
        let bytes = random_network(shape, 3).write();
        (bytes, 12 + shape.description().len())
    })
}

#[test]
fn every_shape_is_written_as_it_was_read() {
    let kp = FeatureSet::KP;
    let shapes = [
        NetworkShape::clipped_relu(kp, [256, 32, 32]),
        NetworkShape::clipped_relu(kp, [512, 16, 32]),
        NetworkShape::clipped_relu(kp, [1024, 8, 64]),
        NetworkShape::clipped_relu(kp, [768, 16, 64]),
        NetworkShape::pairwise(kp, [128, 16, 32], 9),
        NetworkShape::pairwise(kp, [128, 8, 64], 1),
    ];
    for shape in shapes {
        let file = random_network(shape, 1);
        let bytes = file.write();
        let read = NetworkFile::read(&bytes).unwrap();
        assert!(read == file && read.write() == bytes, "{shape:?}");
    }
}

#[test]
fn the_usual_hashes_and_descriptions() {
    let kp = NetworkShape::clipped_relu(FeatureSet::KP, [256, 32, 32]);
    assert_eq!(kp.transformer_hash(), 0x3f57_15ff);
    assert_eq!(kp.stack_hash(), 0x6333_7156);
    assert_eq!(kp.file_hash(), 0x5c64_64a9);
    assert_eq!(kp.description().len(), 165);
    let half_kp = NetworkShape::clipped_relu(FeatureSet::HALF_KP, [256, 32, 32]);
    assert_eq!(half_kp.file_hash(), 0x3e5a_a6ee);
    assert_eq!(half_kp.description().len(), 178);
    let stacked = NetworkShape::pairwise(FeatureSet::HALF_KA_HM_2, [1536, 16, 32], 9);
    assert_eq!(stacked.file_hash(), 0x3c20_3b32);
    assert_eq!(
        stacked.description(),
        "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],\
         Network=SFNN-1536{LayerStack=9}"
    );
}

#[test]
fn hashes_tell_the_shape_where_the_description_does_not() {
    for sizes in [[256, 32, 32], [512, 8, 64]] {
        let mut file = random_network(NetworkShape::clipped_relu(FeatureSet::KP, sizes), 1);
        file.description = b"a network".to_vec();
        assert_eq!(NetworkFile::read(&file.write()).unwrap(), file);
        file.transformer_hash ^= 1 << 31;
        let read = NetworkFile::read(&file.write());
        assert_eq!(read.unwrap_err(), NnueError::Unknown("a network".into()));
    }
    let mut file = random_network(NetworkShape::pairwise(FeatureSet::KP, [32, 8, 64], 9), 1);
    file.description = b"Network=SFNN_KP_32_7_64_k3k3".to_vec();
    assert_eq!(NetworkFile::read(&file.write()).unwrap(), file);
}

#[test]
fn cut_off_and_overlong_files_are_refused() {
    for (bytes, body) in networks() {
        let places = (0..body + 300).chain((body..bytes.len()).step_by(997));
        for length in places.chain([bytes.len() - 1]) {
            assert!(
                NetworkFile::read(&bytes[..length]).is_err(),
                "cut off at {length}"
            );
        }
        let trailing = [&bytes[..], &[0]].concat();
        let refused = NetworkFile::read(&trailing).unwrap_err();
        assert!(
            matches!(refused, NnueError::Size { .. } | NnueError::Stacks { .. }),
            "{refused}"
        );
    }
}

#[test]
fn absurd_headers_are_refused_without_reading_on() {
    let [(plain, _), (stacked, body)] = networks();
    let with = |bytes: &[u8], at: usize, new: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        NetworkFile::read(&bytes).unwrap_err()
    };
    assert_eq!(with(&plain, 0, b"nnue"), NnueError::Version(0x6575_6e6e));
    assert!(matches!(
        with(&plain, 8, &[0xff; 4]),
        NnueError::Short {
            needed: 0xffff_ffff,
            ..
        }
    ));
    assert!(matches!(
        with(&stacked, body + 4 + 17, &[0xff; 4]),
        NnueError::Short { .. }
    ));
    assert_eq!(
        with(&stacked, body + 4 + 21, &[0xff; 9]),
        NnueError::Number { at: 0 }
    );
    let huge = "Features=K+P[1710->4000000000x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
                AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-8000000000]";
    let mut file = random_network(NetworkShape::clipped_relu(FeatureSet::KP, [32, 32, 32]), 1);
    let other = NetworkShape::clipped_relu(FeatureSet::HALF_KP, [256, 32, 32]);
    file.description = other.description().into();
    assert_eq!(
        NetworkFile::read(&file.write()).unwrap_err().to_string(),
        "a network HalfKP(Friend)[125388->256x2]-32-32 has 64217066 bytes, this file 113066"
    );
    file.transformer_hash = 0;
    file.description = huge.into();
    assert!(NetworkFile::read(&file.write()).is_err());
    file.description = b"Features=K+P[1710->32x2],[1<-999999][999999<-8][8<-64]".to_vec();
    assert!(NetworkFile::read(&file.write()).is_err());
}

#[test]
fn a_width_without_an_evaluator_is_named() {
    let file = random_network(NetworkShape::clipped_relu(FeatureSet::KP, [32, 8, 32]), 1);
    let refused = Network::<256>::new(&file, Kernels::best()).unwrap_err();
    assert_eq!(refused, NnueError::Width(32));
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut dice = Dice(2);
    for (bytes, body) in networks() {
        for _ in 0..3_000 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + dice.roll(3) {
                let anywhere = dice.roll(4) == 0;
                let at = dice.roll(if anywhere { bytes.len() } else { body + 40 });
                bytes[at] = dice.roll(256) as u8;
            }
            if dice.roll(4) == 0 {
                bytes.truncate(dice.roll(bytes.len()));
            }
            if let Ok(file) = NetworkFile::read(&bytes) {
                assert!(
                    file.write() == bytes,
                    "what is taken is written as it was read"
                );
            }
        }
    }
}
