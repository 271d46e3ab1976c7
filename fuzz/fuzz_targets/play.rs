//! A game of any moves keeps what it knows right, and comes back to where it began.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{Bytes, generators_agree, kept_equals_fresh};
use tesuji_shogi::{Board, Handicap, Position};

/// Where games begin besides the handicaps: full hands, entered kings, no king, many promotions.
const STARTS: [&str; 5] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "2+P1K4/1+P1+R5/2G1S4/9/9/9/4s1g2/5+r1+p1/4k1+p2 b BN2L3Pb3n2g2s2l5p 1",
    "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    "+L+PG+P+S+P2+P/P1+NG2+SP1/2+S1K+P3/1P3N+RlP/3+b4p/1k1+l1gP2/8+p/+p+sp3p2/+pg+l1+n+p2+n w rbp 614",
];

fn started(choice: usize) -> Position {
    let others = STARTS.map(|sfen| Position::from_sfen(sfen).expect("a sound position"));
    let even = Handicap::ALL.map(Position::handicap);
    let place = choice % (others.len() + even.len());
    others
        .iter()
        .chain(&even)
        .nth(place)
        .expect("within both")
        .clone()
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let start = started(usize::from(bytes.byte()));
    let mut pos = start.clone();
    let mut keys = Vec::new();
    while let Some(choice) = bytes.some() {
        let moves = pos.legal_moves();
        if moves.is_empty() || keys.len() == 400 {
            break;
        }
        keys.push(pos.key());
        if choice == u8::MAX && !pos.in_check() {
            pos.pass();
        } else {
            // More than 255 moves are rare: a second byte reaches them.
            let choice = match moves.len() {
                0..=255 => usize::from(choice),
                _ => usize::from(choice) << 8 | usize::from(bytes.byte()),
            };
            let mv = moves.get(choice % moves.len()).expect("within the list");
            let expected = pos.change(mv);
            assert_eq!(pos.try_play(mv), Ok(expected));
            assert_eq!(pos.last_change(), expected);
        }
        kept_equals_fresh(&pos);
    }
    generators_agree(&pos);
    for key in keys.into_iter().rev() {
        pos.undo();
        assert_eq!(pos.key(), key);
    }
    assert_eq!(pos, start);
});
