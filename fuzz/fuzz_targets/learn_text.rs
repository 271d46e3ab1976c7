//! No bytes make the readers of games, scales, openings, journals and shares panic. The first byte
//! chooses which.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::complains;
use tesuji_learn::data::{GameRow, MergePart, import_games, scales};
use tesuji_learn::selfplay::{Openings, journal_entries};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    if choice % 5 == 0 {
        journal(bytes);
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match choice % 5 {
        1 => games(text),
        2 => match scales(text) {
            Ok(scales) => assert!(
                scales
                    .values()
                    .all(|scale| scale.is_finite() && *scale > 0.0)
            ),
            Err(error) => complains(&error),
        },
        3 => openings(text),
        _ => match text.parse::<MergePart>() {
            Ok(part) => assert!(part.share.is_finite() && part.share >= 0.0),
            Err(error) => assert!(!error.to_string().is_empty()),
        },
    }
});

fn games(text: &str) {
    let scales = scales("1\tA\t300\n1\tB\t600\n").expect("a table");
    for row in text.lines() {
        match import_games(row, &scales, 600.0) {
            Ok(records) => {
                assert!(GameRow::parse(row).is_ok());
                for record in records {
                    let sample = record.unpack().expect("a record is a position");
                    assert!(sample.mv.is_some());
                }
            }
            Err(what) => assert!(!what.is_empty()),
        }
    }
}

fn openings(text: &str) {
    match Openings::parse(text, 0..=2) {
        Ok(openings) => {
            let mut rng = fastrand::Rng::with_seed(text.len() as u64);
            match openings.draw(&mut rng) {
                Ok(pos) => assert!(tesuji_shogi::movegen::has_legal_move(&pos)),
                Err(error) => complains(&error),
            }
        }
        Err(error) => assert!(error.line >= 1),
    }
}

fn journal(bytes: &[u8]) {
    match journal_entries(bytes) {
        Ok((entries, whole)) => {
            assert!(whole as usize <= bytes.len());
            let mut tally = tesuji_learn::selfplay::SelfplayTally::default();
            entries.iter().for_each(|entry| tally.add(entry));
        }
        Err(error) => complains(&error),
    }
}
