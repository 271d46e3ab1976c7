use super::*;
use crate::entry::BookMove;
use crate::repetition_rule::RepetitionRule;
use crate::solve::BookOutcome;
use std::io::{Cursor, Write};
use tesuji_shogi::Color;

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
                let found = book.find(&pos, None).unwrap();
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
                    .all(|pos| disk.find(&turned(pos), None).unwrap().is_some()),
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

/// A log in which 7g7f was answered by resigning, and 2g2f by a move that won.
fn won_book(folder: &Path, name: &str, rule: Option<RepetitionRule>) -> PathBuf {
    let fresh = |moves: &str| after(moves).setup().build().unwrap();
    let typed = |mv: &str| BookMove::new(mv.parse().unwrap());
    let mut entries = vec![
        BookEntry::new(fresh(""), vec![typed("2g2f"), typed("7g7f")]),
        BookEntry::new(fresh("7g7f"), vec![BookMove::resign()]),
        BookEntry::new(fresh("2g2f"), vec![typed("8c8d")]),
        BookEntry::new(fresh("2g2f 8c8d"), vec![BookMove::resign()]),
    ];
    entries[0].is_start = true;
    entries[0].repetition = rule;
    let path = folder.join(name);
    let format = BookFormat::of_path(&path).unwrap();
    format::write(&path, format, entries.into_iter().map(Ok)).unwrap();
    path
}

#[test]
fn a_book_of_games_is_followed_where_it_wins_and_not_where_it_is_refuted() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["win.tbk", "win.sqlite"] {
        if !BookFormat::of_path(Path::new(name)).unwrap().is_built_in() {
            continue;
        }
        let path = won_book(folder.path(), name, None);
        let mut library = Library::open(&path, true).unwrap();
        let usual = Selection::default();
        assert_eq!(proposed(&mut library, &Position::start(), usual), ["7g7f"]);
        let turned = Position::start().flipped();
        assert_eq!(proposed(&mut library, &turned, usual), ["3c3d"]);
        assert_eq!(proposed(&mut library, &after("2g2f"), usual), ["8c8d"]);
        let known = |mv: &str| library.won_move(&Position::start(), mv.parse().unwrap());
        assert_eq!(known("7g7f").unwrap().outcome, BookOutcome::Win(1));
        assert_eq!(known("2g2f").unwrap().outcome, BookOutcome::Loss(2));
    }
}

#[test]
fn the_rule_of_repetition_is_kept_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let there = "7g7f 3c3d 8h7g 2b3c 7g8h 3c2b";
    let moves: Vec<&str> = there.split(' ').collect();
    for (rule, winner) in [
        (None, "3c3d"),
        (Some(RepetitionRule::Loses(Color::Black)), "3c3d"),
        (Some(RepetitionRule::Loses(Color::White)), "7g7f"),
        (Some(RepetitionRule::Draw), ""),
    ] {
        // The last two moves lead back to the position after the second one.
        let entries = (0..moves.len()).map(|place| {
            let pos = after(&moves[..place].join(" ")).setup().build().unwrap();
            let mut entry = BookEntry::new(pos, vec![BookMove::new(moves[place].parse().unwrap())]);
            entry.is_start = place == 0;
            entry.repetition = rule.filter(|_| place == 0);
            Ok(entry)
        });
        let other = folder.path().join("other.tbk");
        format::write(&other, BookFormat::Store, entries).unwrap();
        for name in ["rule.tbk", "rule.sqlite"] {
            let path = folder.path().join(name);
            let format = BookFormat::of_path(&path).unwrap();
            if !format.is_built_in() {
                continue;
            }
            let entries = format::read(&other, BookFormat::Store, &[]).unwrap();
            format::write(&path, format, entries).unwrap();
            let mut graph = Graph::default();
            for entry in format::read(&path, format, &[]).unwrap() {
                graph.add_entry(&entry.unwrap()).unwrap();
            }
            assert_eq!(graph.repetition(), rule, "{name}");
            let library = Library::open(&path, true).unwrap();
            let known = |moves: &str, mv: &str| {
                let known = library.won_move(&after(moves), mv.parse().unwrap());
                known.map(|known| known.outcome)
            };
            let wins = Some(BookOutcome::WinByRepetition);
            // Without a rule nothing ends in the book, and nobody looks.
            let expected = |mv: &str| {
                if rule.is_some() && mv == winner {
                    wins
                } else {
                    None
                }
            };
            let is_win = |outcome: Option<BookOutcome>| outcome.filter(|outcome| outcome.is_win());
            assert_eq!(is_win(known("", "7g7f")), expected("7g7f"), "{rule:?}");
            assert_eq!(is_win(known("7g7f", "3c3d")), expected("3c3d"), "{rule:?}");
        }
    }
}

#[test]
fn what_is_typed_beside_shallow_or_better_moves_is_played() {
    let mut file = tempfile::Builder::new().suffix(".book").tempfile().unwrap();
    file.write_all(b"7g7f =50 @5\n2g2f\n").unwrap();
    let mut library = Library::open(file.path(), true).unwrap();
    let usual = Selection::default();
    assert_eq!(proposed(&mut library, &Position::start(), usual), ["2g2f"]);
    assert_eq!(library.take_notes(), []);
    let mut text = self::library(&format!("{START}\n7g7f none 50 20 90\n2g2f\n7g7e\n"));
    let narrow = Selection {
        narrow: true,
        ..usual
    };
    for selection in [usual, narrow] {
        let moves = proposed(&mut text, &Position::start(), selection);
        assert_eq!(moves, ["2g2f", "7g7f"]);
    }
    let illegal = BookNote::Illegal(vec!["7g7e".parse().unwrap()]);
    assert_eq!(text.take_notes().first(), Some(&illegal));
    // The first move is one that is left when the rare ones are out.
    let rare = format!("{START}\n7g7f none 90 20 1\n2g2f none 10 20 99\n");
    let mut rare = self::library(&rare);
    assert_eq!(proposed(&mut rare, &Position::start(), narrow), ["2g2f"]);
}

#[test]
fn a_position_that_is_too_shallow_is_told_once() {
    let mut library = library(&format!("{START}\n7g7f none 50 5 1\n"));
    let usual = Selection::default();
    assert_eq!(proposed(&mut library, &Position::start(), usual), [""; 0]);
    assert_eq!(library.take_notes(), [BookNote::TooShallow(5)]);
}

#[test]
fn a_broken_file_does_not_shut_the_others_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("own-000.ybb"), "nothing").unwrap();
    std::fs::write(path("own-001.ybb"), "nothing").unwrap();
    std::fs::write(path("own.db"), format!("{START}\n2g2f\n")).unwrap();
    let mut library = Library::open(&path("own.db"), true).unwrap();
    let usual = Selection::default();
    assert_eq!(proposed(&mut library, &Position::start(), usual), ["2g2f"]);
    assert_eq!(library.warnings().len(), 2);
    assert!(library.warnings()[0].is_left_out);
    std::fs::remove_file(path("own.db")).unwrap();
    assert!(Library::open(&path("own.db"), true).is_err());
}

#[test]
fn large_text_books_are_looked_at_when_they_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.db");
    let add = |text: &str, unsorted: u64| {
        std::fs::write(&path, text).unwrap();
        let mut library = Library::default();
        let added = library.add_within(&path, 0, unsorted);
        added.map(|()| library)
    };
    assert!(add("Once upon a time\nthere was a file.\n", 0).is_err());
    assert!(add("sfen nothing b - 1\n7g7f\n", 0).is_err());
    let mut blocks: Vec<String> = (0..200)
        .map(|number| {
            let (file, rank) = (number / 7 % 9 + 1, number % 7 + 3);
            let row = match (file - 1, 9 - file) {
                (0, right) => format!("G{right}"),
                (left, 0) => format!("{left}G"),
                (left, right) => format!("{left}G{right}"),
            };
            let mut rows = vec!["k8".to_owned(); 1];
            rows.extend((2..=8).map(|at| if at == rank { row.clone() } else { "9".into() }));
            rows.push("K8".into());
            format!("sfen {} b - 1\n9i8i none 1 20 1\n", rows.join("/"))
        })
        .collect();
    blocks.sort();
    blocks.dedup();
    let sorted = blocks.concat();
    let library = add(&sorted, 0).unwrap();
    assert!(library.warnings().is_empty());
    assert!(matches!(library.books[0].book, Opened::Db(_)));
    let (first, second) = blocks.split_at(blocks.len() / 2);
    let unsorted = [second.concat(), first.concat()].concat();
    let library = add(&unsorted, 0).unwrap();
    let line = BookPlace::Line(2 * second.len() as u64 + 1);
    assert_eq!(library.warnings()[0].first.place, line);
    let library = add(&unsorted, 1 << 20).unwrap();
    assert!(matches!(library.books[0].book, Opened::Memory(_)));
    // One position at two move numbers.
    let twice = format!(
        "{START}\n7g7f none 1 20\n{}\n2g2f none 1 20\n",
        START.replace("- 1", "- 3")
    );
    let mut library = add(&twice, 0).unwrap();
    let strict = Selection {
        ignore_ply: false,
        ..Selection::default()
    };
    for (ply, mv) in [(1, "7g7f"), (3, "2g2f")] {
        let pos = Position::from_sfen(&START.replace("- 1", &format!("- {ply}"))).unwrap();
        assert_eq!(proposed(&mut library, &pos, strict), [mv]);
    }
}
