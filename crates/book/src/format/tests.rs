//! Every format against every hard case that users of other programs reported.

use super::*;
use crate::entry::BookMove;
use crate::graph::BookSource;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Cursor;
use tesuji_shogi::{Board, Move};

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

fn db(text: &str) -> (Vec<BookEntry>, Vec<BookPlace>) {
    let (mut entries, mut places) = (Vec::new(), Vec::new());
    for entry in db::DbReader::new(text.as_bytes()) {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => places.push(error.place),
        }
    }
    (entries, places)
}

fn lines(text: &str) -> (Vec<BookEntry>, Vec<BookPlace>) {
    let (mut entries, mut places) = (Vec::new(), Vec::new());
    for entry in lines::LinesReader::new(text.as_bytes()) {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => places.push(error.place),
        }
    }
    (entries, places)
}

#[test]
fn blank_lines_line_ends_and_missing_columns_change_nothing() {
    let text = format!(
        "#YANEURAOU-DB2016 1.00\n# NOE:2\n\n{START}\n\n7g7f 3c3d 50 20 3 a word\n2g2f none -5 7\n\
         // said\n9g9f\n5g5f 3c3d\nresign\n1g1f 12 3 4\n3g3f none none None 9\n4g4f none 1 2 v4.83\n\n"
    );
    let (plain, places) = db(&text);
    assert_eq!(places, []);
    assert_eq!(plain.len(), 1);
    let seen: Vec<_> = plain[0]
        .moves
        .iter()
        .map(|mv| (mv.mv.map(|mv| mv.to_string()), mv.value, mv.depth, mv.count))
        .collect();
    let expected = [
        (Some("7g7f"), 50, 20, 3),
        (Some("2g2f"), -5, 7, 1),
        (Some("9g9f"), 0, 0, 1),
        (Some("5g5f"), 0, 0, 1),
        (None, 0, 0, 1),
        (Some("1g1f"), 12, 3, 4),
        (Some("3g3f"), 0, 0, 9),
        (Some("4g4f"), 1, 2, 1),
    ];
    let expected = expected.map(|(mv, v, d, c)| (mv.map(String::from), v, d, c));
    assert_eq!(seen, expected);
    assert_eq!(plain[0].moves[0].comment, "a word");
    for other in [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.trim_end().into(),
        text.replace("#YANEURAOU-DB2016 1.00\n", ""),
    ] {
        assert_eq!(db(&other), (plain.clone(), vec![]));
    }
}

#[test]
fn wrong_lines_are_named_and_the_next_ones_read() {
    let text = format!(
        "7g7f\n{START}\ne2e4 none 0\n7g7f x 0\n2g2f none many\nsfen 9/9 b - 1\n2g2f\n{START}\n7g7f\n"
    );
    let (entries, places) = db(&text);
    let lines = [1, 3, 4, 5, 6].map(BookPlace::Line);
    assert_eq!(places, lines);
    assert_eq!(entries.len(), 2);
    assert_eq!((entries[0].moves.len(), entries[1].moves.len()), (0, 1));
    let long = format!("{START}\n7g7f none 0 0 1 {}\n2g2f\n", "x".repeat(70_000));
    let (entries, places) = db(&long);
    assert_eq!(
        (entries[0].moves.len(), places),
        (1, vec![BookPlace::Line(2)])
    );
}

#[test]
fn a_person_types_moves_in_either_notation() {
    let text = "# mine\n7g7f 3c3d 2g2f *3 =40 @9 ~8c8d # good\n\n▲７六歩 △３四歩 ▲６六歩\n\
                sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n２六歩 resign\n";
    let (entries, places) = lines(text);
    assert_eq!(places, []);
    let typed: Vec<_> = entries
        .iter()
        .map(|entry| {
            let mv = &entry.moves[0];
            (
                entry.pos.ply(),
                mv.mv.map_or("resign".into(), |mv| mv.to_string()),
            )
        })
        .collect();
    let expected = [
        (1, "7g7f"),
        (2, "3c3d"),
        (3, "2g2f"),
        (1, "7g7f"),
        (2, "3c3d"),
        (3, "6g6f"),
        (1, "2g2f"),
        (2, "resign"),
    ];
    assert_eq!(typed, expected.map(|(ply, mv)| (ply, mv.to_owned())));
    let third = &entries[2].moves[0];
    assert_eq!((third.count, third.value, third.depth), (3, 40, 9));
    assert_eq!(third.ponder, Some("8c8d".parse().unwrap()));
    assert_eq!(third.comment, "good");
    let (_, places) =
        lines("7g7f 3c3e\n*3\n7g7f *x\nresign 7g7f\n７六銀\nsfen 9 b - 1\n7g7f ~7g7f\n");
    assert_eq!(places, [1, 2, 3, 4, 5, 6, 7].map(BookPlace::Line));
}

#[test]
fn the_keys_of_apery_are_the_known_ones() {
    let keys = apery::Keys::default();
    let mut pos = Position::start();
    assert_eq!(keys.key(&pos), 0xeebe_8ee7_e1ad_7e15);
    pos.play("7g7f".parse().unwrap());
    assert_eq!(keys.key(&pos), 0x3e7b_1f82_5672_20d5);
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let short = ybb::YbbBook::open(Cursor::new(b"YANE".to_vec())).unwrap_err();
    assert_eq!(
        short.to_string(),
        "the file: not a .ybb book: it has only 4 bytes"
    );
    let mut bytes = b"YANE-BINBOOK-V1\0".to_vec();
    bytes.extend([9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert!(ybb::YbbBook::open(Cursor::new(bytes.clone())).is_err());
    bytes[24] = 2;
    bytes[16] = 0;
    assert!(ybb::YbbBook::open(Cursor::new(bytes)).is_err());
    assert!(apery::AperyBook::open(Cursor::new(vec![0; 17])).is_err());
    assert!(sbk::read(b"plain text").is_err());
}

/// A book of random games from the start position, every position once.
fn random_book(seed: u64, games: usize) -> Vec<BookEntry> {
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut book: BTreeMap<String, BookEntry> = BTreeMap::new();
    for _ in 0..games {
        let mut pos = Position::start();
        for _ in 0..dice.usize(1..12) {
            let moves = pos.legal_moves();
            let Some(mv) = moves.get(dice.usize(..moves.len().min(4))) else {
                break;
            };
            let entry = book
                .entry(pos.to_sfen_without_ply())
                .or_insert_with(|| BookEntry::new(pos.setup().build().unwrap(), Vec::new()));
            if entry.moves.iter().all(|known| known.mv != Some(mv)) {
                let mut book_move = random_move(mv, &mut dice);
                pos.play(mv);
                let replies = pos.legal_moves();
                book_move.ponder = replies
                    .get(dice.usize(..replies.len()))
                    .filter(|_| dice.bool());
                pos.undo();
                entry.moves.push(book_move);
            }
            pos.play(mv);
        }
    }
    let mut entries: Vec<_> = book.into_values().collect();
    entries[0].is_start = true;
    entries[0].challenges = 7;
    entries.last_mut().unwrap().moves.push(BookMove::resign());
    entries
}

fn random_move(mv: Move, dice: &mut fastrand::Rng) -> BookMove {
    BookMove {
        value: dice.i32(-3000..3000),
        depth: dice.i32(0..60),
        count: dice.u64(1..60_000),
        won: dice.u32(0..3),
        lost: dice.u32(0..3),
        comment: ["", "good", "七六歩 # no"][dice.usize(..2)].into(),
        source: BookSource::search("engine", dice.u64(1..1_000_000)),
        ..BookMove::new(mv)
    }
}

#[test]
fn every_format_gives_back_what_it_can_hold() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..8 {
        let book = random_book(seed, 30);
        let mut shuffled = book.clone();
        fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
        for format in BookFormat::ALL
            .into_iter()
            .filter(|format| format.is_built_in())
        {
            let path = folder.path().join(format!("book.{}", format.extension()));
            assert_eq!(BookFormat::of_path(&path), Some(format));
            let entries = shuffled.iter().cloned().map(Ok);
            let count = write(&path, format, entries).unwrap();
            assert_eq!(count, book.len() as u64, "{format:?}");
            let mut found: BTreeMap<String, BookEntry> = BTreeMap::new();
            for entry in read(&path, format, &[Position::start()]).unwrap() {
                let entry = entry.unwrap_or_else(|error| panic!("{format:?}: {error}"));
                match found.get_mut(&entry.pos.to_sfen_without_ply()) {
                    Some(known) => known.merge(&entry),
                    None => {
                        found.insert(entry.pos.to_sfen_without_ply(), entry);
                    }
                }
            }
            for entry in &book {
                let mut kept = format.keeps(entry);
                let mut other = found.remove(&entry.pos.to_sfen_without_ply()).unwrap();
                if format == BookFormat::Apery {
                    // The format knows no move numbers.
                    other.pos = kept.pos.clone();
                }
                for entry in [&mut kept, &mut other] {
                    entry.moves.sort_by_key(|mv| mv.mv.map(|mv| mv.bits()));
                }
                if format == BookFormat::Sbk {
                    // A move into a position of the book has the value of that position's best move.
                    kept.moves
                        .iter_mut()
                        .chain(&mut other.moves)
                        .for_each(|mv| {
                            (mv.value, mv.depth) = (0, 0);
                            (mv.won, mv.lost) = (0, 0);
                            mv.source = BookSource::Unknown;
                        });
                }
                assert_eq!(other, kept, "{format:?}");
            }
        }
    }
}

#[test]
fn positions_are_found_on_disk_without_loading() {
    let folder = tempfile::tempdir().unwrap();
    let book = random_book(99, 40);
    let path = folder.path().join("x.ybb");
    write(&path, BookFormat::Ybb, book.iter().cloned().map(Ok)).unwrap();
    let mut ybb = ybb::YbbBook::open(File::open(&path).unwrap()).unwrap();
    let path = folder.path().join("x.bin");
    write(&path, BookFormat::Apery, book.iter().cloned().map(Ok)).unwrap();
    let mut apery = apery::AperyBook::open(File::open(&path).unwrap()).unwrap();
    for entry in &book {
        let found = ybb.find(&entry.pos).unwrap().unwrap();
        assert_eq!(found, BookFormat::Ybb.keeps(entry));
        let found = apery.find(&entry.pos).unwrap().unwrap();
        assert_eq!(
            found.moves.len(),
            BookFormat::Apery.keeps(entry).moves.len()
        );
    }
    let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    assert_eq!(ybb.find(&other).unwrap(), None);
    assert_eq!(apery.find(&other).unwrap(), None);
    assert_eq!(ybb.len(), book.len() as u64);
}

#[test]
fn a_sort_in_little_memory_gives_the_same() {
    let book = random_book(5, 60);
    let sorted = |budget: usize| {
        let mut sorter = Sorter::new(EntryOrder::Sfen).with_budget(budget);
        for entry in book.iter().rev().chain(&book) {
            sorter.push(entry).unwrap();
        }
        sorter
            .finish()
            .unwrap()
            .collect::<Result<Vec<_>, _>>()
            .unwrap()
    };
    let whole = sorted(usize::MAX);
    assert_eq!(whole.len(), book.len());
    assert_eq!(whole[0].moves[0].count, 2 * book[0].moves[0].count);
    assert_eq!(sorted(2000), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        for format in BookFormat::ALL {
            read_all(format, &bytes);
        }
        // A sound file with one byte changed goes deeper.
        for (format, mut bytes) in sound_files() {
            let place = place.index(bytes.len());
            bytes[place] = byte;
            read_all(format, &bytes);
        }
    }

    #[test]
    fn texts_that_look_like_books_do_not_make_a_reader_panic(
        text in "((sfen |7g7f |none |[0-9]{1,3} |\\*|=|@|~|７六歩|# |resign |[a-z+*/]{1,6} |-){0,8}\r?\n){0,6}",
    ) {
        read_all(BookFormat::Db, text.as_bytes());
        read_all(BookFormat::Lines, text.as_bytes());
    }
}

/// Small files that are as they should be, one for each binary format.
fn sound_files() -> Vec<(BookFormat, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let book = random_book(1, 2);
    let formats = [
        BookFormat::Ybb,
        BookFormat::Apery,
        BookFormat::Sbk,
        BookFormat::Store,
    ];
    let file = |format: BookFormat| {
        let path = folder.path().join(format.extension());
        write(&path, format, book.iter().cloned().map(Ok)).unwrap();
        (format, std::fs::read(&path).unwrap())
    };
    formats.map(file).into()
}

fn read_all(format: BookFormat, bytes: &[u8]) {
    let starts = [Position::start()];
    match format {
        BookFormat::Db => drop(db::DbReader::new(bytes).count()),
        BookFormat::Lines => drop(lines::LinesReader::new(bytes).count()),
        BookFormat::Ybb => {
            drop(ybb::YbbBook::open(Cursor::new(bytes)).map(|b| b.entries().count()))
        }
        BookFormat::Apery => {
            drop(apery::AperyBook::open(Cursor::new(bytes)).map(|book| book.walk(&starts).count()));
        }
        BookFormat::Sbk => drop(sbk::read(bytes)),
        BookFormat::Store => drop(store::StoreReader::new(bytes).map(Iterator::count)),
        // Files alone, no bytes: it has its own tests.
        BookFormat::Sqlite => {}
    }
}

#[test]
fn sbk_keeps_games_engines_and_nodes_and_does_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let mut book_move = random_move("7g7f".parse().unwrap(), &mut fastrand::Rng::with_seed(1));
    (book_move.won, book_move.lost) = (5, 3);
    let mut other = BookMove::new("2g2f".parse().unwrap());
    (other.won, other.lost) = (0, 2);
    let book = [BookEntry::new(Position::start(), vec![book_move, other])];
    let (sbk, db) = (folder.path().join("a.sbk"), folder.path().join("a.db"));
    write(&sbk, BookFormat::Sbk, book.iter().cloned().map(Ok)).unwrap();
    let all = |path: &Path| -> Vec<BookEntry> {
        let format = BookFormat::of_path(path).unwrap();
        let entries = read(path, format, &[]).unwrap();
        entries.map(Result::unwrap).collect()
    };
    assert_eq!(all(&sbk), [BookFormat::Sbk.keeps(&book[0])]);
    write(&db, BookFormat::Db, all(&sbk).into_iter().map(Ok)).unwrap();
    assert_eq!(all(&db).len(), 1, "leaves are no positions");
}

#[test]
fn moves_of_apery_that_are_not_reached_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    let mut pos = Position::start();
    for mv in ["7g7f", "3c3d", "2g2f"] {
        pos.play(mv.parse().unwrap());
    }
    let far = pos.setup().build().unwrap();
    let entry = BookEntry::new(far.clone(), vec![BookMove::new("8c8d".parse().unwrap())]);
    write(&path, BookFormat::Apery, [Ok(entry)].into_iter()).unwrap();
    let read = |start: Position| -> Vec<bool> {
        let entries = read(&path, BookFormat::Apery, &[start]).unwrap();
        entries.map(|entry| entry.is_ok()).collect()
    };
    assert_eq!(read(Position::start()), [false]);
    assert_eq!(read(far), [true]);
}

/// Through two formats a book keeps what both can hold.
#[test]
fn every_pair_of_formats_keeps_what_both_can_hold() {
    let folder = tempfile::tempdir().unwrap();
    let book = random_book(11, 12);
    let formats = BookFormat::ALL
        .into_iter()
        .filter(|format| format.is_built_in());
    let formats: Vec<BookFormat> = formats.collect();
    let path = |place: usize, format: BookFormat| {
        folder
            .path()
            .join(format!("{place}.{}", format.extension()))
    };
    // The value, games and source of a move lie in its position there, which several moves share.
    let shares = |format: &BookFormat| *format == BookFormat::Sbk;
    for &one in &formats {
        write(&path(1, one), one, book.iter().cloned().map(Ok)).unwrap();
        for &two in &formats {
            let there = read(&path(1, one), one, &[Position::start()]).unwrap();
            write(&path(2, two), two, there).unwrap();
            let mut found = BTreeMap::new();
            for entry in read(&path(2, two), two, &[Position::start()]).unwrap() {
                let entry = entry.unwrap();
                let known = found.entry(entry.pos.to_sfen_without_ply());
                known
                    .and_modify(|known: &mut BookEntry| known.merge(&entry))
                    .or_insert(entry);
            }
            for entry in &book {
                let mut kept = two.keeps(&one.keeps(entry));
                let Some(mut other) = found.remove(&entry.pos.to_sfen_without_ply()) else {
                    assert!(kept.moves.is_empty(), "{one:?} {two:?}");
                    continue;
                };
                let is_shared = [one, two].iter().any(shares);
                for entry in [&mut kept, &mut other] {
                    entry.pos = Position::start();
                    entry.moves.sort_by_key(|mv| mv.mv.map(|mv| mv.bits()));
                    for mv in entry.moves.iter_mut() {
                        // Which move is the first decides whose comment SBK keeps.
                        mv.comment.clear();
                        if is_shared {
                            (mv.value, mv.depth, mv.won, mv.lost) = (0, 0, 0, 0);
                            mv.source = BookSource::Unknown;
                        }
                    }
                }
                assert_eq!(other, kept, "{one:?} {two:?}");
            }
        }
    }
}
