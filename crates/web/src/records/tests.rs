//! Records of every format, with faults, in numbers, and texts that are none.

use super::*;

fn text(text: &str) -> RecordSource {
    RecordSource::Text(text.into())
}

fn file(name: &str, bytes: &str) -> RecordSource {
    RecordSource::File {
        name: name.into(),
        bytes: bytes.into(),
    }
}

#[test]
fn every_format_is_recognised_by_its_looks() {
    let mut original = Game::default();
    for mv in ["7g7f", "3c3d", "8h2b+"] {
        original.push(mv.parse().unwrap()).unwrap();
    }
    for format in TextFormat::ALL {
        let game = read_game(&text(&format.write(&original).unwrap())).unwrap();
        assert!(game.moves().eq(original.moves()), "{format:?}");
        let saved = write(&original, format.name(), "UTF-8").unwrap();
        let game = read_game(&file(&saved.name, &saved.bytes)).unwrap();
        assert!(game.moves().eq(original.moves()), "{format:?}");
    }
    let saved = write(&original, "kif", "Shift_JIS").unwrap();
    let game = read_game(&file("", &saved.bytes)).unwrap();
    assert!(game.moves().eq(original.moves()));
    let bare = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    assert!(read_game(&text(bare)).is_ok());
    let listed = format!("# problems\n{bare}\tid=7\texpect=mate\n");
    assert!(read_game(&text(&listed)).is_ok());
    assert!(read_game(&file("a.sfen", &STANDARD.encode(&listed))).is_ok());
}

fn read_game(source: &RecordSource) -> Result<Game, UserError> {
    read(source, 0).map(|loaded| loaded.game)
}

#[test]
fn a_record_with_a_fault_is_read_up_to_it_and_its_text_told() {
    let kif = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 同　謎(88)\n   4 投了\n";
    let loaded = read(&text(kif), 0).unwrap();
    assert_eq!(loaded.game.moves().count(), 2);
    let fault = loaded.fault.unwrap();
    assert!(
        fault.en.contains("Line 3") && fault.en.contains("同　謎"),
        "{}",
        fault.en
    );
    assert!(fault.ja.contains("3 行目") && fault.ja.contains("2 手"));
    let ki2 = "▲７六歩 △３四歩 ▲２六歩 △４四歩 ▲９九玉\n";
    assert_eq!(read(&text(ki2), 0).unwrap().game.moves().count(), 4);
    let usi = "startpos moves 7g7f 3c3d 9i1a 2g2f";
    assert_eq!(read(&text(usi), 0).unwrap().game.moves().count(), 2);
    assert!(read(&text("   1 ９九玉(11)\n"), 0).is_err());
}

#[test]
fn what_is_no_record_is_called_what_it_is() {
    let prose = read_game(&text("I played a nice game yesterday.")).unwrap_err();
    assert!(
        prose.en.contains("neither a record nor a position"),
        "{}",
        prose.en
    );
    let prose = read_game(&text("昨日の将棋は楽しかった。")).unwrap_err();
    assert!(
        prose.ja.contains("棋譜でも局面でもありません"),
        "{}",
        prose.ja
    );
    let address = read_game(&text("https://example.org/game/1")).unwrap_err();
    assert!(address.en.contains("address"), "{}", address.en);
}

#[test]
fn every_game_of_a_text_can_be_read() {
    let csa = "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n/\nN+C\nN-D\nPI\n+\n+2726FU\n-8384FU\n";
    let kif = "手合割：平手\n先手：A\n後手：B\n   1 ７六歩(77)\n   2 投了\n\n\
               手合割：平手\n先手：C\n後手：D\n   1 ２六歩(27)\n   2 ８四歩(83)\n";
    let usi = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
    for several in [csa, kif, usi] {
        let first = read(&text(several), 0).unwrap();
        assert_eq!((first.titles.len(), first.game.moves().count()), (2, 1));
        let second = read(&text(several), 1).unwrap();
        assert_eq!(second.game.moves().count(), 2, "{several}");
        assert!(read(&text(several), 2).is_err());
    }
    assert_eq!(read(&text(kif), 0).unwrap().titles[1], "C – D");
}

#[test]
fn nonsense_is_told_in_both_languages() {
    for nonsense in [
        "",
        "hello",
        "9/9 b - 1",
        "{\"x\":1}",
        "V2.2\n+7777XX",
        "手合割：謎\n   1 ９九歩(11)",
    ] {
        let error = read_game(&text(nonsense)).unwrap_err();
        assert!(!error.en.is_empty() && !error.ja.is_empty(), "{nonsense}");
    }
    assert!(read_game(&file("", "!")).is_err());
    assert!(read_game(&file("", &STANDARD.encode([0xff, 0xff, 0xff]))).is_err());
    assert!(write(&Game::default(), "doc", "UTF-8").is_err());
    assert!(write(&Game::default(), "kif", "latin").is_err());
}
