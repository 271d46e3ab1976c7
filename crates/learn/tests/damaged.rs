//! Random bytes and damaged files: every reader says what is wrong, and none panics.

use fastrand::Rng;
use std::path::Path;
use tesuji_learn::data::{
    DataReader, DataRecord, DataStats, GameRow, MergePart, import_games, scales,
};
use tesuji_learn::nnue::{Comparisons, Plan, checkpoint_step};
use tesuji_learn::selfplay::{Openings, SelfplayTally, journal_entries};

const GAME: &str =
    "1\tx\ty\t2016\tA\tB\t3000\t3000\tb\t%TORYO\t3\tstartpos moves 7g7f 3c3d 2g2f\t150 -60 -";
const PLAYERS: &str = "#games\tplayer\tK\n10\tA\t300\n10\tB\t600\n9\tC\t-0\n";
const OPENINGS: &str = "startpos moves 7g7f 3c3d\n# a comment\nsfen 4k4/9/9/9/9/9/9/9/4K4 b P 1\n";
const JOURNAL: &str = "{\"game\":0,\"bytes\":40,\"plies\":1,\"positions\":1,\"winner\":\"b\",\
                       \"ending\":\"mate\",\"nodes\":18446744073709551615}\n{\"game\":1,\"bytes\":80,\
                       \"plies\":1,\"positions\":1,\"winner\":\"d\",\"ending\":\"move-limit\",\"nodes\":9}\n";

/// How many damaged texts each reader is given.
const TEXTS: usize = 20_000;
/// How many damaged files.
const FILES: usize = 1500;

/// Bytes with a few of them exchanged, left out or doubled.
fn damaged(whole: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..rng.usize(1..5) {
        let place = rng.usize(..bytes.len().max(1));
        match rng.u8(..5) {
            _ if bytes.is_empty() => {}
            0 => bytes.truncate(place),
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, bytes[rng.usize(..bytes.len())]),
            3 => bytes[place] = b"\t\n -+09:nNk/"[rng.usize(..12)],
            _ => bytes[place] = rng.u8(..),
        }
    }
    bytes
}

fn texts(whole: &str, mut look: impl FnMut(&str)) {
    let mut rng = Rng::with_seed(whole.len() as u64);
    for _ in 0..TEXTS {
        look(&String::from_utf8_lossy(&damaged(
            whole.as_bytes(),
            &mut rng,
        )));
    }
}

#[test]
fn tables_of_games_and_players_are_read_or_refused() {
    let known = scales(PLAYERS).unwrap();
    assert_eq!(import_games(GAME, &known, 600.0).unwrap().len(), 2);
    texts(GAME, |text| match import_games(text, &known, 600.0) {
        Ok(records) => {
            assert!(GameRow::parse(text).is_ok());
            assert!(records.iter().all(|record| record.unpack().is_ok()));
        }
        Err(what) => assert!(!what.is_empty()),
    });
    texts(PLAYERS, |text| {
        if let Ok(scales) = scales(text) {
            assert!(
                scales
                    .values()
                    .all(|scale| scale.is_finite() && *scale > 0.0)
            );
        }
    });
}

#[test]
fn openings_journals_and_shares_are_read_or_refused() {
    let mut rng = Rng::with_seed(1);
    texts(OPENINGS, |text| {
        if let Ok(openings) = Openings::parse(text, 0..=2) {
            let _ = openings.draw(&mut rng);
        }
    });
    assert_eq!(journal_entries(JOURNAL.as_bytes()).unwrap().0.len(), 2);
    texts(JOURNAL, |text| {
        if let Ok((entries, whole)) = journal_entries(text.as_bytes()) {
            assert!(whole as usize <= text.len());
            let mut tally = SelfplayTally::default();
            entries.iter().for_each(|entry| tally.add(entry));
        }
    });
    texts("games.psv:2.5", |text| {
        if let Ok(part) = text.parse::<MergePart>() {
            assert!(part.share.is_finite() && part.share >= 0.0);
        }
    });
}

/// Records of two games, a comparison of two leaves each.
fn records() -> Vec<u8> {
    let known = scales(PLAYERS).expect("a table of players");
    let mut records = import_games(GAME, &known, 600.0).expect("a table of games");
    for (ply, record) in records.iter_mut().enumerate() {
        record.0[36] = ply as u8;
    }
    records.iter().flat_map(|record| record.0).collect()
}

#[test]
fn files_of_records_are_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = records().repeat(3);
    let mut rng = Rng::with_seed(2);
    let look = |path: &Path| {
        let mut stats = DataStats::default();
        for record in DataReader::open(path).unwrap() {
            let Ok(record) = record else { break };
            assert!(record.unpack().is_ok());
            stats.add(&record);
        }
        assert_eq!(stats.results.iter().sum::<u64>(), stats.records);
    };
    for name in [
        "a.psv",
        "a.bin",
        "a.hcpe",
        "a.sbinpack",
        "a.hcpe3",
        "a.pack",
    ] {
        let path = folder.path().join(name);
        for number in 0..FILES {
            let bytes = match number % 2 {
                0 => damaged(&whole, &mut rng),
                _ => (0..rng.usize(..200)).map(|_| rng.u8(..)).collect(),
            };
            std::fs::write(&path, bytes).unwrap();
            look(&path);
        }
    }
}

#[test]
fn comparisons_and_checkpoints_are_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [comparisons, checkpoint] = ["c.psv", "c.bin"].map(|name| folder.path().join(name));
    let (whole, skip) = (records().repeat(4), Plan::default().skip);
    assert_eq!(whole.len(), 8 * DataRecord::SIZE);
    std::fs::write(&comparisons, &whole).unwrap();
    assert_eq!(Comparisons::load(&comparisons, skip, 0.5).unwrap().len(), 2);
    let mut rng = Rng::with_seed(3);
    for _ in 0..FILES {
        std::fs::write(&comparisons, damaged(&whole, &mut rng)).unwrap();
        let _ = Comparisons::load(&comparisons, skip, 0.5);
        let bytes = damaged(
            b"TESUJITR\x10\0\0\0\0\0\0\0{\"plan\":{}}     12345678",
            &mut rng,
        );
        std::fs::write(&checkpoint, bytes).unwrap();
        assert!(checkpoint_step(&checkpoint, &Plan::default(), 10).is_err());
    }
}
