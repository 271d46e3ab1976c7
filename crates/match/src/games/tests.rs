//! Torn lines, the files of others, and two matches on one file.

use super::*;

fn header(rules: &str) -> GamesHeader {
    GamesHeader {
        players: vec![],
        openings: "few".into(),
        schedule: "all".into(),
        rules: rules.into(),
    }
}

fn game(id: usize) -> GameLine {
    GameLine {
        id,
        round: id / 2,
        black: "a".into(),
        white: "b".into(),
        winner: Some(Winner::White),
        end: GameEnd::PerpetualCheck,
        remark: None,
        start: Position::start().to_sfen(),
        moves: "7g7f 3c3d".into(),
        values: vec![Some(-3), None],
        micros: vec![10, 20],
        depths: vec![Some(3), None],
        nodes: vec![None, Some(5)],
        wall_micros: 31,
    }
}

#[test]
fn a_torn_line_is_cut_off_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (mut file, games) = GamesFile::open(&path, &header("usual")).unwrap();
    assert!(games.is_empty());
    file.add(&game(1)).unwrap();
    file.add(&game(0)).unwrap();
    drop(file);
    let mut text = std::fs::read(&path).unwrap();
    text.extend(b"{\"id\":2,\"round\":1,\"bla");
    std::fs::write(&path, text).unwrap();
    let (mut file, games) = GamesFile::open(&path, &header("usual")).unwrap();
    assert_eq!(games, [game(0), game(1)]);
    file.add(&game(2)).unwrap();
    drop(file);
    let (_, games) = GamesFile::open(&path, &header("usual")).unwrap();
    assert_eq!(games.len(), 3);
}

#[test]
fn the_file_of_another_match_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    GamesFile::open(&path, &header("usual")).unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = GamesFile::open(&path, &header("other"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("belongs to another match (the rules differ)"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::write(&path, "7g7f 3c3d\n").unwrap();
    let error = GamesFile::open(&path, &header("usual"))
        .unwrap_err()
        .to_string();
    assert!(error.contains(":1: this is no file of a match"), "{error}");
}

#[test]
fn a_foreign_file_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    for foreign in [
        &b"first line\nthe tail without an end"[..],
        b"no line end at all",
        b"\x16\x2f\xf3\x7a\n\x00\xff\n\x01",
        b"{\"players\":[]}\n{\"id\":",
        b"\n",
    ] {
        std::fs::write(&path, foreign).unwrap();
        let error = GamesFile::open(&path, &header("usual")).unwrap_err();
        let expected = ":1: this is no file of a match";
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), foreign);
    }
    let own = folder.path().join("own");
    drop(GamesFile::open(&own, &header("usual")).unwrap());
    let own = std::fs::read(&own).unwrap();
    std::fs::write(&path, &own[..own.len() / 2]).unwrap();
    GamesFile::open(&path, &header("usual")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), own, "a torn header is ours");
    assert!(GamesFile::open(folder.path(), &header("usual")).is_err());
}

#[test]
fn a_second_match_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (mut first, _) = GamesFile::open(&path, &header("usual")).unwrap();
    first.add(&game(0)).unwrap();
    let error = GamesFile::open(&path, &header("usual")).unwrap_err();
    assert!(error.to_string().contains("another match is writing"));
    first.add(&game(1)).unwrap();
    drop(first);
    let (_, games) = GamesFile::open(&path, &header("usual")).unwrap();
    assert_eq!(games, [game(0), game(1)]);
}
