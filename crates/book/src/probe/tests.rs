use super::*;
use std::io::{Cursor, Write};

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

fn library(text: &str) -> Library {
    let mut file = tempfile::Builder::new().suffix(".db").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    Library::open(file.path(), true).unwrap()
}

fn after(moves: &str) -> Position {
    let mut pos = Position::start();
    moves.split_whitespace().for_each(|mv| {
        pos.play(mv.parse().unwrap());
    });
    pos
}

fn proposed(library: &mut Library, pos: &Position, selection: Selection) -> Vec<String> {
    let mut dice = fastrand::Rng::with_seed(1);
    let mut seen: Vec<String> = (0..200)
        .filter_map(|_| library.propose(pos, &selection, &mut dice).unwrap())
        .map(|proposal| proposal.mv.to_string())
        .collect();
    seen.sort();
    seen.dedup();
    seen
}

#[test]
fn values_depths_and_plies_decide() {
    let text = format!("{START}\n7g7f none 50 20 90\n2g2f none 30 20 9\n5g5f none 10 20 1\n");
    let mut library = library(&text);
    let pos = Position::start();
    let usual = Selection::default();
    assert_eq!(proposed(&mut library, &pos, usual), ["2g2f", "7g7f"]);
    let wide = Selection {
        eval_diff: 99,
        ..usual
    };
    assert_eq!(proposed(&mut library, &pos, wide), ["2g2f", "5g5f", "7g7f"]);
    for (selection, expected) in [
        (
            Selection {
                narrow: true,
                ..wide
            },
            &["7g7f"][..],
        ),
        (
            Selection {
                depth_limit: 21,
                ..usual
            },
            &[],
        ),
        (Selection { moves: 0, ..usual }, &[]),
        (
            Selection {
                ignore_rate: 100,
                ..usual
            },
            &[],
        ),
        (
            Selection {
                eval_limit: ByColor([60, 0]),
                ..usual
            },
            &[],
        ),
    ] {
        assert_eq!(proposed(&mut library, &pos, selection), expected);
    }
    let later = Position::from_sfen(&START.replace("b - 1", "b - 5")).unwrap();
    let strict = Selection {
        ignore_ply: false,
        ..usual
    };
    assert_eq!(proposed(&mut library, &later, strict), [""; 0]);
    assert_eq!(proposed(&mut library, &later, usual), ["2g2f", "7g7f"]);
}

#[test]
fn typed_moves_are_never_too_shallow_and_illegal_ones_are_left_out() {
    let mut library = library(&format!("{START}\n7g7e\n7g7f\nresign\n"));
    let pos = Position::start();
    assert_eq!(proposed(&mut library, &pos, Selection::default()), ["7g7f"]);
}

#[test]
fn what_a_person_typed_is_not_left_out_for_its_value() {
    let mut file = tempfile::Builder::new().suffix(".book").tempfile().unwrap();
    file.write_all(b"7g7f =200 @20 *99\n2g2f\n5g5f =-50 @20\n")
        .unwrap();
    let mut library = Library::open(file.path(), true).unwrap();
    let narrow = Selection {
        narrow: true,
        ..Selection::default()
    };
    for selection in [Selection::default(), narrow] {
        let moves = proposed(&mut library, &Position::start(), selection);
        assert_eq!(moves, ["2g2f", "7g7f"]);
    }
}

#[test]
fn the_board_turned_round_is_known_and_lines_are_followed() {
    let reply = after("7g7f").to_sfen();
    let text = format!("{START}\n7g7f none 0\nsfen {reply}\n3c3d none 0\n");
    let mut library = library(&text);
    let usual = Selection::default();
    let mut dice = fastrand::Rng::with_seed(1);
    let proposal = library
        .propose(&Position::start(), &usual, &mut dice)
        .unwrap()
        .unwrap();
    assert_eq!(proposal.line.len(), 2);
    assert_eq!(proposal.ponder, Some("3c3d".parse().unwrap()));
    let turned = after("7g7f").flipped();
    assert_eq!(proposed(&mut library, &turned, usual), ["7g7f"]);
    let straight = Selection {
        flipped: false,
        ..usual
    };
    assert_eq!(proposed(&mut library, &turned, straight), [""; 0]);
}

#[test]
fn books_come_by_priority_and_ybb_stands_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("own.db"), format!("{START}\n2g2f\n")).unwrap();
    std::fs::write(path("own-000.db"), format!("{START}\n7g7f\nbad line\n")).unwrap();
    std::fs::write(path("own-002.db"), format!("{START}\n9g9f\n")).unwrap();
    assert_eq!(
        priorities(&path("own.db")),
        [path("own-000.db"), path("own.db")]
    );
    let mut library = Library::open(&path("own.db"), false).unwrap();
    assert_eq!(
        proposed(&mut library, &Position::start(), Selection::default()),
        ["7g7f"]
    );
    assert_eq!(
        library.warnings()[0].first.to_string().split(':').next(),
        Some("line 3")
    );
    let entry = BookEntry::new(
        Position::start(),
        vec![BookMove::new("5g5f".parse().unwrap())],
    );
    format::write(
        &path("other.ybb"),
        BookFormat::Ybb,
        std::iter::once(Ok(entry)),
    )
    .unwrap();
    let mut library = Library::open(&path("other.db"), false).unwrap();
    assert_eq!(
        proposed(&mut library, &Position::start(), Selection::default()),
        ["5g5f"]
    );
    let (missing, _) = Library::open(&path("none.db"), false).unwrap_err();
    assert_eq!(missing, path("none.db"));
}

#[test]
fn text_is_searched_on_disk_whatever_its_size_and_line_ends() {
    let mut sfens: Vec<String> = Vec::new();
    let mut pos = Position::start();
    for mv in "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d".split(' ') {
        sfens.push(pos.to_sfen());
        pos.play(mv.parse().unwrap());
    }
    sfens.sort();
    for count in 0..=sfens.len() {
        let mut text = String::from("#YANEURAOU-DB2016 1.00\n\n");
        for (number, sfen) in sfens[..count].iter().enumerate() {
            text += &format!("sfen {sfen}\n1a1b none {number} 5 1\n\n// word\n");
        }
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            text.trim_end().into(),
        ] {
            let mut book = DiskBook::open(Cursor::new(text.into_bytes())).unwrap();
            for (number, sfen) in sfens.iter().enumerate() {
                let pos = Position::from_sfen(sfen).unwrap();
                let found = book.find(&pos).unwrap();
                assert_eq!(found.is_some(), number < count);
                if let Some(entry) = found {
                    assert_eq!(entry.moves[0].value, number as i32);
                }
            }
        }
    }
}

/// Files that other programs stumbled over, each with the same three positions.
#[test]
fn hard_files_are_read_searched_on_disk_and_converted() {
    let books = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/books");
    let folder = tempfile::tempdir().unwrap();
    let mut positions = vec![Position::start()];
    for mv in ["7g7f", "3c3d"] {
        let mut next = positions[positions.len() - 1].clone();
        next.play(mv.parse().unwrap());
        positions.push(next.setup().build().unwrap());
    }
    let asked = |library: &mut Library, what: &str| {
        for (pos, best) in positions.iter().zip(["7g7f", "3c3d", "2g2f"]) {
            let found = library.find(pos, &Selection::default()).unwrap();
            let (entry, _) = found.unwrap_or_else(|| panic!("{what}: {best} is missing"));
            assert_eq!(entry.moves[0].mv, best.parse().ok(), "{what}");
        }
    };
    let mut count = 0;
    for file in std::fs::read_dir(books).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut library = Library::open(&path, false).unwrap();
        assert!(library.warnings().is_empty(), "{name}");
        asked(&mut library, &name);
        if name != "unsorted.db" {
            let mut disk = DiskBook::open(File::open(&path).unwrap()).unwrap();
            let turned = |pos: &Position| {
                if name == "one_side.db" {
                    pos.flipped()
                } else {
                    pos.clone()
                }
            };
            assert!(
                positions
                    .iter()
                    .all(|pos| disk.find(&turned(pos)).unwrap().is_some()),
                "{name}"
            );
        }
        for format in BookFormat::ALL
            .into_iter()
            .filter(|format| format.is_built_in())
        {
            // That format knows no positions but those that the start position leads to.
            if format == BookFormat::Apery && name == "one_side.db" {
                continue;
            }
            let other = folder.path().join(format!("{name}.{}", format.extension()));
            let entries = format::read(&path, BookFormat::Db, &[]).unwrap();
            format::write(&other, format, entries).unwrap();
            asked(
                &mut Library::open(&other, false).unwrap(),
                &other.to_string_lossy(),
            );
        }
        count += 1;
    }
    assert_eq!(count, 9);
}
