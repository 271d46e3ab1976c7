//! No text makes the readers of moves' names panic; what they read has a name that reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_record::names::{japanese, read_japanese, read_western, western};
use tesuji_shogi::Position;

const POSITIONS: [&str; 4] = [
    "startpos",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "k8/9/9/9/4+P4/3+P1+P3/3+P+P+P3/9/K8 b 2R2B4G4S4N4L12P 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
];

fuzz_target!(|input: (u8, &str)| {
    let (place, text) = input;
    let pos = Position::from_sfen(POSITIONS[usize::from(place) % 4]).expect("a sound position");
    let read = [
        read_japanese(&pos, text).map(|(mv, _)| mv),
        read_western(&pos, text),
    ];
    for mv in read.into_iter().flatten().filter(|&mv| pos.is_legal(mv)) {
        assert_eq!(read_japanese(&pos, &japanese(&pos, mv)), Ok((mv, "")));
        assert_eq!(read_western(&pos, &western(&pos, mv)), Ok(mv));
    }
});
