//! No bytes make the readers of checkpoints, comparisons and training data panic. The first byte
//! chooses which; checksums are not looked at, so that the bytes behind them are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use tesuji_fuzz::{Folder, complains};
use tesuji_learn::data::{DataReader, DataStats};
use tesuji_learn::nnue::{Comparisons, Plan, checkpoint_step};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let names = [
        "checkpoint.bin",
        "a.psv",
        "b.psv",
        "a.hcpe",
        "a.sbinpack",
        "a.hcpe3",
        "a.pack",
    ];
    let choice = usize::from(choice) % names.len();
    let folder = Folder::new("learn");
    let path = folder.path().join(names[choice]);
    std::fs::write(&path, bytes).expect("room for a file");
    match choice {
        0 => {
            if let Err(error) = checkpoint_step(&path, &Plan::default(), 10) {
                complains(&error);
            }
        }
        1 => match Comparisons::load(&path, Plan::default().skip, 0.5) {
            Ok(comparisons) => assert!(comparisons.len() < bytes.len()),
            Err(error) => complains(&error),
        },
        _ => records(&path),
    }
});

fn records(path: &Path) {
    let mut stats = DataStats::default();
    for record in DataReader::open(path).expect("the file is there") {
        match record {
            Ok(record) => {
                record.unpack().expect("every record was checked");
                stats.add(&record);
            }
            Err(error) => {
                complains(&error);
                break;
            }
        }
    }
    let [won, drawn, lost] = stats.results;
    assert_eq!(won + drawn + lost, stats.records);
}
