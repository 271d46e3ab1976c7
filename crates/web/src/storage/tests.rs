//! What is stored reads back; what cannot be read is put aside; nobody else may read it.

use super::*;

fn state() -> SessionState {
    let text = "startpos moves 7g7f 3c3d 2g2f 4c4d";
    let mut game = tesuji_record::usi::read(text).unwrap();
    let first = game.node(1).unwrap();
    game[first].comment = "角道".into();
    game[first].time = Some(Duration::from_millis(1234));
    game[first].evaluation = Some(Evaluation {
        value: Value::mate_in(3),
        depth: Some(7),
        nodes: Some(99),
        line: vec!["3c3d".parse().unwrap()],
    });
    game.add(first, "8c8d".parse().unwrap()).unwrap();
    game.end(Ending::Foul {
        by: Color::White,
        made: None,
    });
    let mut view = GameView::new(game.clone());
    view.go(first);
    view.set_review(
        first,
        MoveReview {
            loss: 0.25,
            best: Value::new(30),
            played: Value::new(-400),
            line: vec!["2g2f".parse().unwrap()],
        },
    );
    let times = GameTimes {
        main: 60_000,
        byoyomi: 5000,
        increment: 0,
    };
    let players = ByColor([PlayerKind::Engine { strength: 7 }, PlayerKind::Person]);
    let clock = GameClock::new(ByColor([times.into(); 2]));
    let play = PlayTab::restored(game, players, clock, Duration::from_millis(300), true);
    SessionState::of(
        play,
        AnalyseTab::restored(view, 5, true),
        SolveTab::default(),
    )
}

#[test]
fn a_session_reads_back() {
    let text = to_json(&state()).unwrap();
    let read = read(&text).unwrap();
    assert_eq!(to_json(&read).unwrap(), text);
    assert_eq!(read.analyse.game.record(), state().analyse.game.record());
    assert_eq!(read.analyse.game.at().index(), 1);
    assert_eq!(read.analyse.game.reviews(), state().analyse.game.reviews());
    assert!(read.play.is_over());
}

fn is_whole(folder: &Path, id: &str) -> bool {
    matches!(load(folder, id), StoredSession::Whole(_))
}

#[test]
fn what_cannot_be_read_is_put_aside_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(matches!(load(folder, "bad"), StoredSession::None));
    let text = to_json(&state()).unwrap();
    save(folder, "good", &text).unwrap();
    assert!(is_whole(folder, "good"));
    let mut no_utf8 = text.clone().into_bytes();
    no_utf8[20] = 0xff;
    let bad = [
        b"".to_vec(),
        b"{}".to_vec(),
        text.replace("7g7f", "7g7e").into_bytes(),
        text.as_bytes()[..text.len() / 2].to_vec(),
        no_utf8,
    ];
    let path = folder.join("bad.json");
    for (number, bytes) in (1..).zip(&bad) {
        std::fs::write(&path, bytes).unwrap();
        let StoredSession::PutAside(error) = load(folder, "bad") else {
            panic!("{number} is not put aside");
        };
        let aside = folder.join(format!("bad.damaged-{number}"));
        assert!(error.en.contains(aside.to_str().unwrap()), "{}", error.en);
        assert_eq!(&std::fs::read(aside).unwrap(), bytes);
        assert!(!path.exists());
    }
    let large = std::fs::File::create(&path).unwrap();
    large.set_len(LARGEST + 1).unwrap();
    assert!(matches!(load(folder, "bad"), StoredSession::PutAside(_)));
    assert!(folder.join("bad.damaged-6").exists());
    remove_oldest(folder);
    assert!(is_whole(folder, "good"));
}

#[test]
#[cfg(unix)]
fn only_the_user_can_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tesuji").join("desks");
    save(&folder, "mine", &to_json(&state()).unwrap()).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("mine.json")), 0o600);
}
