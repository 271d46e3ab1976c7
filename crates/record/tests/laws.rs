//! What is written reads back the same, in every format, for random games with variations.

mod random;

use proptest::prelude::*;
use random::{Dice, game, start};
use tesuji_record::names::{japanese, read_japanese, read_western, western};
use tesuji_record::{Encoding, Games, TextFormat, encoding};
use tesuji_shogi::Board;

proptest! {
    // A seed cannot be made simpler, and random games need no memory of past failures.
    #![proptest_config(ProptestConfig {
        cases: 300,
        max_shrink_iters: 0,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn games_read_back_the_same(seed: u64) {
        let game = game(seed);
        for format in TextFormat::ALL {
            let kept = format.keeps(&game);
            let text = format.write(&game).unwrap();
            let again = format.read(&text);
            prop_assert!(again.as_ref() == Ok(&kept), "{format:?}\n{text}\n{again:?}\n{kept:?}");
            prop_assert_eq!(format.write(&kept).unwrap(), text);
        }
        // KIF and JKF keep all but parts of seconds, sealed moves included.
        prop_assert_eq!(TextFormat::Kif.keeps(&game), TextFormat::Jkf.keeps(&game));
    }

    #[test]
    fn many_games_in_one_stream(seeds in prop::collection::vec(any::<u64>(), 1..5), which in 0..3usize) {
        let encoding = [Encoding::Utf8, Encoding::ShiftJis, Encoding::EucJp][which];
        for format in TextFormat::ALL {
            let mut bytes = Vec::new();
            for &seed in &seeds {
                bytes.extend(format.write_bytes(&game(seed), encoding).unwrap());
                if matches!(format, TextFormat::Csa | TextFormat::Csa3) {
                    bytes.extend(b"/\n");
                }
            }
            // With line ends as on Windows.
            let text = encoding::decode(&bytes).unwrap().replace('\n', "\r\n");
            let bytes = encoding::encode(&text, encoding).unwrap();
            let read: Result<Vec<_>, _> = Games::new(&bytes[..], format).collect();
            let kept: Vec<_> = seeds.iter().map(|&seed| format.keeps(&game(seed))).collect();
            prop_assert_eq!(read.unwrap(), kept);
        }
    }

    #[test]
    fn every_legal_move_has_a_name_of_its_own(seed: u64) {
        let dice = &mut Dice(seed);
        let mut pos = start(dice);
        for _ in 0..60 {
            let moves = pos.legal_moves();
            for mv in moves.iter() {
                let name = japanese(&pos, mv);
                prop_assert_eq!(read_japanese(&pos, &name), Ok((mv, "")), "{} {:?}", name, pos);
                let name = western(&pos, mv);
                prop_assert_eq!(read_western(&pos, &name), Ok(mv), "{} {:?}", name, pos);
            }
            match dice.legal_move(&pos) {
                Some(mv) => drop(pos.play(mv)),
                None => break,
            }
        }
    }
}
