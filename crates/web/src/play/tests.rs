//! Games on the page: their ends, their clocks, taking back, and a guest.

use super::*;

#[test]
fn a_guest_plays_one_side_and_no_other() {
    let guest = Viewer::Guest { shown: None };
    let mut play = game(PEOPLE, "startpos");
    play.invite("abc".into(), Color::White).unwrap();
    assert!(play.check_turn(Viewer::Owner).is_ok() && play.check_turn(guest).is_err());
    play.play("7g7f").unwrap();
    assert!(play.check_turn(Viewer::Owner).is_err() && play.check_turn(guest).is_ok());
    let (message, _) = play.message(GameVersion::default(), guest);
    assert!(message.can_move && message.is_guest && message.has_guest == Some(false));
    let (message, _) = play.message(GameVersion::default(), Viewer::Owner);
    assert!(!message.can_move);
    assert!(play.resign_seat(Viewer::Owner).is_err(), "out of turn");
    assert!(play.resign_seat(guest).unwrap());
    let (message, _) = play.message(GameVersion::default(), guest);
    assert_eq!(message.over.unwrap().winner, Some(Color::Black.into()));
    let engine = PlayerKind::Engine { strength: 0 };
    let mut play = game([PlayerKind::Person, engine], "startpos");
    play.play("7g7f").unwrap();
    assert!(play.invite("abc".into(), Color::White).is_err());
}

fn game([black, white]: [PlayerKind; 2], sfen: &str) -> PlayTab {
    let mut play = PlayTab::default();
    play.begin(NewGame {
        black,
        white,
        start: StartPosition::Sfen(sfen.into()),
        clock: None,
        pace: 0,
    })
    .unwrap();
    play
}

const PEOPLE: [PlayerKind; 2] = [PlayerKind::Person; 2];

#[test]
fn mate_repetition_and_declaration_end_a_game() {
    let mut play = game(PEOPLE, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    play.play("G*5b").unwrap();
    assert_eq!(play.game.record().ending(), Some(Ending::Mate));
    assert!(play.play("5a4a").is_err());

    let mut play = game(PEOPLE, "startpos");
    for mv in "2h3h 8b7b 3h2h 7b8b".split(' ').cycle().take(12) {
        play.play(mv).unwrap();
    }
    assert_eq!(play.game.record().ending(), Some(Ending::Repetition));

    let mut play = game(PEOPLE, "startpos");
    assert!(play.declare().unwrap_err().en.contains("three ranks"));
    assert!(!play.is_over());
    let entered = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
    let mut play = game(PEOPLE, entered);
    play.declare().unwrap();
    assert_eq!(play.game.record().ending(), Some(Ending::Declaration));
}

#[test]
fn taking_back_gives_the_turn_to_a_person() {
    let engine = PlayerKind::Engine { strength: 0 };
    let mut play = game([PlayerKind::Person, engine], "startpos");
    assert!(play.take_back().is_err());
    play.play("7g7f").unwrap();
    assert!(play.play("3c3d").is_err());
    play.take_back().unwrap(); // while the engine thinks
    assert_eq!(play.game.record().moves().count(), 0);
    play.play("7g7f").unwrap();
    play.make("3c3d".parse().unwrap()).unwrap();
    play.play("2g2f").unwrap();
    play.make("8c8d".parse().unwrap()).unwrap();
    play.take_back().unwrap();
    assert_eq!(play.game.record().moves().count(), 2);
    play.resign().unwrap();
    play.take_back().unwrap(); // a game that was given up goes on
    assert!(!play.is_over());

    let mut play = game([engine, PlayerKind::Person], "startpos");
    play.make("7g7f".parse().unwrap()).unwrap();
    assert!(play.take_back().is_err(), "the person has not moved yet");
    let mut play = game([engine; 2], "startpos");
    assert!(play.take_back().is_err());
}

#[test]
fn a_game_needs_both_kings() {
    for sfen in ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/9/9/4K4 b - 1"] {
        let new = NewGame {
            black: PlayerKind::Person,
            white: PlayerKind::Person,
            start: StartPosition::Sfen(sfen.into()),
            clock: None,
            pace: 0,
        };
        assert!(
            PlayTab::default()
                .begin(new)
                .unwrap_err()
                .en
                .contains("both kings")
        );
    }
}

#[test]
fn clocks_run_stop_and_fall() {
    let clock = |main, byoyomi, increment| {
        let times = GameTimes {
            main,
            byoyomi,
            increment,
        };
        let mut play = PlayTab::default();
        let new = NewGame {
            black: PlayerKind::Person,
            white: PlayerKind::Person,
            start: StartPosition::Handicap(0),
            clock: Some(times),
            pace: 0,
        };
        play.begin(new).map(|()| play)
    };
    assert!(clock(0, 0, 0).is_err() && clock(u64::MAX, 0, 0).is_err());
    let fischer = clock(1000, 0, 500).unwrap();
    assert_eq!(fischer.time_left(Color::Black).main, 1500);
    assert_eq!(fischer.until_flag(), None);
    let mut play = clock(0, 60_000, 0).unwrap();
    play.start_clock();
    assert!(play.until_flag().unwrap() > Duration::from_secs(50) && !play.check_flag());
    play.play("7g7f").unwrap();
    let left = play.time_left(Color::Black);
    assert_eq!((left.main, left.byoyomi), (0, 60_000));
    assert!(play.until_flag().is_some());
    play.set_pause(true);
    assert_eq!(play.until_flag(), None);
    // The flag falls when the time is gone, by itself or with the move.
    play.referee
        .clock_mut()
        .interrupt(Color::White, Duration::MAX);
    assert!(play.time_left(Color::White).main == 0 && !play.is_over());
    let over = play.referee.wait(Duration::from_secs(60)).unwrap();
    play.finish(over);
    assert_eq!(play.game.record().ending(), Some(Ending::Time));
    assert!(play.take_back().is_err());
}
