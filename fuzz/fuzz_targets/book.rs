//! No bytes make the readers of books panic; what they read, the formats that hold it all write so
//! that it reads the same again. The first byte chooses the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use tesuji_book::format::{apery, db, lines, sbk, ybb};
use tesuji_book::{BookEntry, store};
use tesuji_shogi::Position;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    match choice % 6 {
        0 => text(db::DbReader::new(bytes).flatten().collect()),
        1 => text(lines::LinesReader::new(bytes).flatten().collect()),
        2 => {
            if let Ok(book) = ybb::YbbBook::open(Cursor::new(bytes)) {
                text(book.entries().flatten().collect());
            }
        }
        3 => {
            if let Ok(book) = apery::AperyBook::open(Cursor::new(bytes)) {
                text(book.walk(&[Position::start()]).flatten().collect());
            }
        }
        4 => {
            if let Ok((entries, _)) = sbk::read(bytes) {
                text(entries);
            }
        }
        _ => {
            if let Ok(entries) = store::StoreReader::new(bytes) {
                text(entries.flatten().collect());
            }
        }
    }
});

/// Whatever was read can be written as text, and reads the same again.
fn text(entries: Vec<BookEntry>) {
    let mut writer = db::DbWriter::new(Vec::new()).expect("memory can be written to");
    for entry in &entries {
        writer.write(entry).expect("memory can be written to");
    }
    let written = writer.into_inner();
    let again: Vec<BookEntry> = db::DbReader::new(&written[..])
        .map(|entry| entry.expect("what was written can be read"))
        .collect();
    assert_eq!(again.len(), entries.len());
    for (again, entry) in again.iter().zip(&entries) {
        assert_eq!(again.pos.to_sfen(), entry.pos.to_sfen());
        assert_eq!(again.moves.len(), entry.moves.len());
        for (again, mv) in again.moves.iter().zip(&entry.moves) {
            assert_eq!((again.mv, again.value, again.depth), (mv.mv, mv.value, mv.depth));
            assert_eq!((again.count, again.ponder), (mv.count, mv.ponder));
        }
    }
}
