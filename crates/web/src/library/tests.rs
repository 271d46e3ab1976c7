//! The library as a whole: kept, found, taken back.

use super::*;
use crate::protocol::library::{GameNames, GameSearch, LibraryMessage, RecordFile};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Instant;
use tesuji_shogi::{Board, Color, Position};

fn game(black: &str, moves: &str) -> Game {
    let mut game = tesuji_record::usi::read(&format!("startpos moves {moves}")).unwrap();
    game.headers.players[Color::Black] = black.into();
    game
}

fn found(library: &GameLibrary, search: &GameSearch) -> (u64, Vec<u64>) {
    let search = GameSearch {
        limit: 100,
        ..search.clone()
    };
    match library.find(&search).unwrap() {
        LibraryMessage::Games { total, games, .. } => {
            (total, games.iter().map(|game| game.id).collect())
        }
        _ => panic!("no games"),
    }
}

fn any() -> GameSearch {
    GameSearch::default()
}

fn binned() -> GameSearch {
    GameSearch {
        deleted: true,
        ..any()
    }
}

#[test]
fn games_are_kept_found_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let library = GameLibrary::open(Some(folder.path())).unwrap();
    let first = game("羽生 善治", "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b");
    let second = game("100%", "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b");
    assert!(library.put(1, GameSource::Played, &first).unwrap());
    assert!(library.put(2, GameSource::Imported, &second).unwrap());
    assert!(!library.put(2, GameSource::Imported, &second).unwrap());
    assert!(
        !library.put(3, GameSource::Analysed, &first).unwrap(),
        "the same game"
    );
    let with = |text: &str| GameSearch {
        text: text.into(),
        ..any()
    };
    assert_eq!(found(&library, &any()).0, 2);
    assert_eq!(found(&library, &with("羽生")).1, [1]);
    assert_eq!(found(&library, &with("Fourth file")).1, [1]);
    assert_eq!(found(&library, &with("0%")).1, [2]);
    assert_eq!(found(&library, &with("%")).1, [2]);
    assert_eq!(found(&library, &with("nobody")).0, 0);
    let sfen = |moves: &str| {
        let mut pos = Position::start();
        moves.split(' ').for_each(|mv| {
            pos.play(mv.parse().unwrap());
        });
        GameSearch {
            sfen: Some(pos.to_sfen()),
            ..any()
        }
    };
    assert_eq!(found(&library, &sfen("2g2f 8c8d")).1, [2]);
    assert_eq!(found(&library, &sfen("7g7f 3c3d 6g6f")).1, [1]);
    assert_eq!(found(&library, &sfen("1g1f")).0, 0);
    let opening = GameSearch {
        opening: "Fourth File Rook".into(),
        ..any()
    };
    assert_eq!(found(&library, &opening).1, [1]);
    // A played game without a date has the day on which it was kept.
    let day = facts::day(now());
    let dated = GameSearch {
        from: day.clone(),
        to: day,
        ..any()
    };
    assert_eq!(found(&library, &dated).1, [1]);
    let library = GameLibrary::open(Some(folder.path())).unwrap();
    let game = library.game(1).unwrap();
    assert_eq!(game.moves().count(), 8);
    assert_eq!(game.headers.players[Color::Black], "羽生 善治");
    assert!(matches!(library.game(9), Err(LibraryError::NoSuchGame)));
}

#[test]
fn every_act_can_be_taken_back() {
    let library = GameLibrary::open(None).unwrap();
    library
        .put(1, GameSource::Played, &game("A", "7g7f"))
        .unwrap();
    library
        .put(2, GameSource::Played, &game("B", "2g2f"))
        .unwrap();
    let act = library.set_deleted(&[1, 2], true).unwrap();
    assert_eq!(
        (found(&library, &any()).0, found(&library, &binned()).0),
        (0, 2)
    );
    library.undo(act.act).unwrap();
    assert_eq!(found(&library, &any()).0, 2);
    assert!(library.undo(act.act).is_err(), "once");
    let names = GameNames {
        black: "C\nD".into(),
        white: "E".into(),
        event: "名人戦".into(),
    };
    let act = library.rename(1, &names).unwrap();
    let headers = library.game(1).unwrap().headers;
    assert_eq!(headers.players.0, ["C D", "E"]);
    assert_eq!(headers.event, "名人戦");
    library.undo(act.act).unwrap();
    assert_eq!(library.game(1).unwrap().headers.players.0, ["A", ""]);
}

#[test]
fn what_another_version_wrote_is_shown_as_unknown_and_left_alone() {
    let library = GameLibrary::open(None).unwrap();
    let played = game("A", "7g7f");
    library.put(1, GameSource::Analysed, &played).unwrap();
    let act = library.set_deleted(&[1], true).unwrap().act;
    let search = GameSearch {
        limit: 1,
        ..binned()
    };
    let looked = || match library.find(&search).unwrap() {
        LibraryMessage::Games { games, last, .. } => (games[0].source, last.map(|last| last.act)),
        _ => panic!("no games"),
    };
    assert_eq!(looked(), (Some(GameSource::Analysed), Some(act)));
    let sql = "UPDATE games SET source = 'dreamt'; UPDATE acts SET kind = 'merge'";
    library.with(|db| db.execute_batch(sql)).unwrap();
    assert_eq!(looked(), (None, None));
    assert!(matches!(library.undo(act), Err(LibraryError::UnknownAct)));
    assert_eq!(found(&library, &binned()).1, [1], "nothing came back");
}

#[test]
fn moves_that_are_gone_stay_as_an_earlier_state() {
    let library = GameLibrary::open(None).unwrap();
    library
        .put(1, GameSource::Analysed, &game("A", "7g7f 3c3d 2g2f"))
        .unwrap();
    library
        .put(1, GameSource::Analysed, &game("A", "7g7f 3c3d 2g2f 8c8d"))
        .unwrap();
    library
        .put(1, GameSource::Analysed, &game("A", "7g7f"))
        .unwrap();
    let LibraryMessage::Versions { versions, .. } = library.versions(1).unwrap() else {
        panic!("no versions");
    };
    assert_eq!(
        versions
            .iter()
            .map(|version| version.plies)
            .collect::<Vec<_>>(),
        [4]
    );
    let earlier = library.version(versions[0].version).unwrap();
    assert_eq!(earlier.moves().count(), 4);
}

fn file(name: &str, text: &str) -> RecordFile {
    RecordFile {
        name: name.into(),
        bytes: STANDARD.encode(text),
    }
}

#[test]
fn folders_come_in_and_go_out() {
    let library = GameLibrary::open(None).unwrap();
    let files = vec![
        file("one.usi", "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n"),
        file("two.csa", "V2.2\nN+Habu\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"),
        file("bad.kif", "手合割：平手\n   1 ９九歩(77)\n"),
        file("none.usi", "startpos\n"),
    ];
    let LibraryMessage::Imported {
        act,
        added,
        known,
        failed,
    } = library.import(None, &files).unwrap()
    else {
        panic!("not imported");
    };
    assert_eq!((added, known, failed.len()), (3, 0, 2));
    assert_eq!(failed[0].name, "bad.kif");
    let again = vec![file(
        "one.usi",
        "startpos moves 7g7f\nstartpos moves 1g1f\n",
    )];
    let LibraryMessage::Imported {
        act: same,
        added,
        known,
        ..
    } = library.import(Some(act), &again).unwrap()
    else {
        panic!("not imported");
    };
    assert_eq!((same, added, known), (act, 1, 1));
    let (_, ids) = found(&library, &any());
    let LibraryMessage::Records { files } = library.export(&ids, "kif").unwrap() else {
        panic!("no records");
    };
    assert_eq!(files.len(), 4);
    assert!(
        files
            .iter()
            .any(|file| file.text.contains("Habu") && file.name.contains("Habu"))
    );
    library.undo(act).unwrap();
    assert_eq!(
        (found(&library, &any()).0, found(&library, &binned()).0),
        (0, 4)
    );
}

/// Ten thousand games: how long listing and searching take.
#[test]
#[ignore = "measures: cargo test --release -p tesuji-web --lib ten_thousand -- --ignored --nocapture"]
fn ten_thousand_games_are_listed_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let library = GameLibrary::open(Some(folder.path())).unwrap();
    let began = Instant::now();
    let mut dice = fastrand::Rng::with_seed(1);
    for part in 0..100 {
        let texts: Vec<String> = (0..100)
            .map(|number| random_game(&mut dice, part * 100 + number))
            .collect();
        library
            .import(None, &[file("games.csa", &texts.join("/\n"))])
            .unwrap();
    }
    println!("10 000 games imported in {:?}", began.elapsed());
    let after_two = {
        let mut pos = Position::start();
        pos.play("7g7f".parse().unwrap());
        pos.to_sfen()
    };
    let searches = [
        ("the first page", any()),
        (
            "a player",
            GameSearch {
                text: "player77".into(),
                ..any()
            },
        ),
        (
            "days",
            GameSearch {
                from: "2020-03-01".into(),
                to: "2020-04-01".into(),
                ..any()
            },
        ),
        (
            "an opening",
            GameSearch {
                opening: "Double Static Rook".into(),
                ..any()
            },
        ),
        (
            "a position",
            GameSearch {
                sfen: Some(after_two),
                ..any()
            },
        ),
        (
            "the last page, by Black",
            GameSearch {
                offset: 9900,
                order: crate::protocol::library::GameOrder::Black,
                ..any()
            },
        ),
    ];
    for (what, search) in searches {
        let mut times: Vec<_> = Vec::new();
        let mut total = 0;
        for _ in 0..5 {
            let began = Instant::now();
            total = found(&library, &search).0;
            times.push(began.elapsed());
        }
        times.sort();
        println!(
            "{what}: {total} games in {:?} (worst {:?})",
            times[2], times[4]
        );
    }
}

/// A game of random legal moves, as CSA.
fn random_game(dice: &mut fastrand::Rng, number: usize) -> String {
    let mut game = Game::default();
    game.headers.players.0 = [
        format!("player{}", number % 100),
        format!("player{}", number % 97),
    ];
    game.headers.start_time = format!(
        "20{:02}/{:02}/{:02}",
        number % 25,
        number % 12 + 1,
        number % 28 + 1
    );
    let mut pos = Position::start();
    for _ in 0..100 {
        let moves = pos.legal_moves();
        let Some(mv) = moves.get(dice.usize(0..moves.len().max(1))) else {
            break;
        };
        pos.play(mv);
        game.push(mv).unwrap();
    }
    tesuji_record::TextFormat::Csa.write(&game).unwrap()
}
