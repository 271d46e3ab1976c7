use super::*;
use crate::samples::SampleFormat;
use tesuji_shogi::Board;

/// The positions of a random game, and some that are alone.
fn samples(seed: u64) -> Vec<Sample> {
    let mut number = seed;
    let mut roll = |sides: usize| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % sides
    };
    let mut list = Vec::new();
    for _ in 0..4 {
        let mut pos = Position::start();
        let result = [
            GameResult::Draw,
            GameResult::Win(Color::Black),
            GameResult::Win(Color::White),
        ][roll(3)];
        for _ in 0..roll(150) {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves.get(roll(moves.len())).unwrap();
            if roll(20) > 0 {
                list.push(Sample {
                    position: pos.setup().build().unwrap(),
                    value: Value::new(roll(65_536) as i32 - 32_768),
                    mv: (roll(30) > 0).then_some(mv),
                    result: Some(result),
                    flags: 0,
                });
            }
            pos.play(mv);
        }
    }
    list
}

#[test]
fn samples_read_back_and_take_little_room() {
    for seed in 0..20 {
        let list = samples(seed);
        let mut writer = ChainWriter::new(Vec::new());
        for sample in &list {
            writer.write(sample).unwrap();
        }
        let bytes = writer.finish().unwrap();
        let read: Result<Vec<_>, _> = Chains::new(&bytes[..]).collect();
        assert_eq!(read.unwrap(), list);
        assert!(bytes.len() < list.len() * SampleFormat::Psv.size() / 3 + 100);
    }
}

#[test]
fn every_legal_move_has_one_number() {
    let pos = Position::from_sfen(
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    );
    let pos = pos.unwrap();
    let order = order::sorted(&pos);
    assert_eq!(order.len(), pos.legal_moves().len());
    // Seen from the other side of the board the order is the same.
    let flipped: Vec<_> = order::sorted(&pos.flipped())
        .iter()
        .map(|mv| mv.rotated())
        .collect();
    assert_eq!(order, flipped);
    let start: Vec<_> = order::sorted(&Position::start())
        .iter()
        .map(|mv| mv.to_string())
        .collect();
    assert_eq!(start[..4], ["5g5f", "4g4f", "6g6f", "3g3f"]);
    assert_eq!(start.last().map(String::as_str), Some("5i6h"));
}

#[test]
fn broken_chains_are_refused() {
    let list = samples(3);
    let mut writer = ChainWriter::new(Vec::new());
    list.iter().for_each(|sample| writer.write(sample).unwrap());
    let bytes = writer.finish().unwrap();
    let last = |bytes: &[u8]| Chains::new(bytes).last().unwrap();
    assert!(matches!(
        last(&bytes[..bytes.len() - 1]),
        Err(ChainError::Short(_))
    ));
    assert!(matches!(last(b"SBN1\0\0\0\0"), Err(ChainError::Magic(_))));
    assert!(matches!(last(b"SBN2"), Err(ChainError::Short(_))));
    let mut other = bytes.clone();
    other[4..8].copy_from_slice(&20u32.to_le_bytes());
    assert!(matches!(last(&other), Err(ChainError::Short(_))));
    assert!(Chains::new(&b""[..]).next().is_none());
}
