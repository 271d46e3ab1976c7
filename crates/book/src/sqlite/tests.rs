use super::*;
use crate::entry::BookMove;
use crate::open_store;
use tesuji_shogi::Board;

/// A position after a move, with that many challenges.
fn entry(mv: &str, challenges: u32) -> BookEntry {
    let mut pos = Position::start();
    pos.play(mv.parse().unwrap());
    let pos = pos.setup().build().unwrap();
    let mut reply = BookMove::new("3c3d".parse().unwrap());
    (reply.value, reply.depth) = (challenges as i32, challenges as i32);
    reply.source = BookSource::search("engine", 1000 * u64::from(challenges));
    let mut entry = BookEntry::new(pos, vec![reply, BookMove::resign()]);
    entry.challenges = challenges;
    entry
}

fn all(path: &Path) -> Vec<BookEntry> {
    let entries = SqliteBook::open(path).unwrap().entries();
    entries.collect::<Result<_, _>>().unwrap()
}

#[test]
fn what_is_added_is_merged_and_only_what_was_synced_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sqlite");
    let mut seen = Vec::new();
    let (mut store, cut) = open_store(&path, &mut |entry| seen.push(entry)).unwrap();
    assert_eq!((seen.len(), cut), (0, 0));
    store.append(&entry("7g7f", 2)).unwrap();
    store.append(&entry("2g2f", 1)).unwrap();
    store.append(&entry("7g7f", 3)).unwrap();
    assert_eq!(all(&path).len(), 0, "not yet");
    store.sync().unwrap();
    let mut expected = vec![entry("7g7f", 2), entry("2g2f", 1)];
    expected[0].merge(&entry("7g7f", 3));
    assert_eq!(all(&path), expected);
    store.append(&entry("2g2f", 4)).unwrap();
    store.append(&entry("9g9f", 1)).unwrap();
    store.sync().unwrap();
    expected[1].merge(&entry("2g2f", 4));
    expected.push(entry("9g9f", 1));
    assert!(
        open_store(&path, &mut |_| ()).is_err(),
        "one writer at a time"
    );
    // What was never synced was the running game.
    store.append(&entry("1g1f", 1)).unwrap();
    drop(store);
    let (store, _) = open_store(&path, &mut |entry| seen.push(entry)).unwrap();
    assert_eq!(seen, expected);
    drop(store);
    let mut book = SqliteBook::open(&path).unwrap();
    assert!(!book.is_empty());
    assert_eq!(
        book.find(&expected[1].pos).unwrap().as_ref(),
        Some(&expected[1])
    );
    assert_eq!(book.find(&entry("1g1f", 1).pos).unwrap(), None);
}

#[test]
fn many_batches_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sqlite");
    let mut entries = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut dice = fastrand::Rng::with_seed(2);
    while entries.len() < 2 * BATCH + 7 {
        let mut pos = Position::start();
        for number in 0..100 {
            let legal = pos.legal_moves();
            if seen.insert(pos.identity()) {
                // Some positions have no moves, some have several.
                let moves = legal.iter().rev().take(number % 5).map(BookMove::new);
                let here = pos.setup().build().unwrap();
                entries.push(BookEntry::new(here, moves.collect()));
            }
            let Some(mv) = legal.get(dice.usize(..legal.len().max(1))) else {
                break;
            };
            pos.play(mv);
        }
    }
    write(&path, entries.iter().cloned().map(Ok)).unwrap();
    assert_eq!(all(&path), entries);
    let left = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 1, "no journal and no part of a file stays behind");
}

#[test]
fn files_of_others_and_damaged_ones_are_refused_and_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sqlite");
    write(&path, (1..60).map(|count| Ok(entry("7g7f", count))).take(1)).unwrap();
    let sound = std::fs::read(&path).unwrap();
    let changed = |place: usize, bytes: &[u8]| {
        let mut all = sound.clone();
        all[place..place + bytes.len()].copy_from_slice(bytes);
        all
    };
    let mut renamed = sound.clone();
    for place in 0..sound.len() - 13 {
        if sound[place..].starts_with(b"book_position") {
            renamed[place] = b'c';
        }
    }
    let files = [
        (
            b"7g7f 3c3d\n".to_vec(),
            "does not begin with SQLite format 3",
        ),
        (changed(68, b"Fire"), "database of another program"),
        (changed(60, &[0, 0, 0, 9]), "another version"),
        (sound[..2000].to_vec(), "malformed"),
        (changed(100, &[0xff; 8]), "malformed"),
        (renamed, "its tables are damaged"),
    ];
    for (bytes, why) in files {
        std::fs::write(&path, &bytes).unwrap();
        let book =
            SqliteBook::open(&path).and_then(|book| book.entries().collect::<Result<Vec<_>, _>>());
        let said = book.unwrap_err().to_string();
        assert!(said.contains(why), "{why}: {said}");
        let said = open_store(&path, &mut |_| ()).err().unwrap().to_string();
        assert!(said.contains(why), "{why}: {said}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::write(&path, b"").unwrap();
    assert!(SqliteBook::open(&path).unwrap().is_empty());
    open_store(&path, &mut |_| ()).unwrap();
    let missing = folder.path().join("none.sqlite");
    assert!(SqliteBook::open(&missing).unwrap_err().is_missing());
}

/// Sound files with a few bytes changed; TESUJI_FUZZ_FILES says how many, a hundred otherwise.
#[test]
fn a_damaged_file_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sqlite");
    let book = ["7g7f", "2g2f", "9g9f"].map(|mv| Ok(entry(mv, 2)));
    write(&path, book.into_iter()).unwrap();
    let sound = std::fs::read(&path).unwrap();
    let used: Vec<usize> = (0..sound.len())
        .filter(|&place| sound[place] != 0)
        .collect();
    let count = std::env::var("TESUJI_FUZZ_FILES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut dice = fastrand::Rng::with_seed(5);
    let mut read = 0;
    for _ in 0..count {
        let mut bytes = sound.clone();
        for _ in 0..dice.usize(1..4) {
            bytes[used[dice.usize(..used.len())]] = dice.u8(..);
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(book) = SqliteBook::open(&path) {
            read += book.entries().take(1000).flatten().count();
        }
    }
    assert!(read > 0);
}
