//! Coming back to a running game, schedules, fixed times, and mistakes of the server itself.

use super::*;
use crate::server::{ScheduledGame, round_robin};

fn patient() -> ServerConfig {
    ServerConfig {
        reconnect: Duration::from_secs(30),
        ..ServerConfig::default()
    }
}

#[test]
fn who_comes_back_goes_on_where_the_game_is() {
    let mut scene = Scene::game(patient(), "x-60-0");
    scene.play("+7776FU -3334FU");
    scene.heard(BLACK);
    scene.lobby.disconnect(BLACK, scene.now);
    scene.collect();
    assert_eq!(scene.heard(WHITE), "+7776FU,T0\n-3334FU,T0\n");
    scene.wait(5000);
    // Neither a stranger nor the wrong secret gets the game.
    scene.lobby.connect(7, scene.now);
    scene.says(7, "LOGIN ann x-60-0,guess");
    assert_eq!(scene.heard(7), "LOGIN:incorrect\n");
    scene.login(8, "ann", "x-60-0,x");
    let summary = scene.heard(8);
    assert!(summary.contains("\nYour_Turn:+\n"), "{summary}");
    assert!(summary.contains("\n+7776FU,T0\n-3334FU,T0\nEND Position\n"));
    // The clock did not stop: five seconds are gone.
    assert!(summary.contains("\nTotal_Time:55\n"), "{summary}");
    scene.says(8, "AGREE");
    assert!(scene.heard(8).starts_with("START:tesuji+"));
    scene.wait(1000);
    scene.says(8, "+2726FU");
    assert_eq!(scene.heard(WHITE), "+2726FU,T6\n");
    assert_eq!(scene.heard(8), "+2726FU,T6\n");
    scene.says(WHITE, "%TORYO");
    assert!(scene.heard(8).ends_with("#RESIGN\n#WIN\n"));
    assert_eq!(scene.results.len(), 1);
}

#[test]
fn what_happened_meanwhile_is_told() {
    let mut scene = Scene::game(patient(), "x-60-0");
    scene.says(BLACK, "+7776FU");
    // A new connection takes the place of one that nobody has seen break.
    scene.login(9, "ann", "x-60-0,x");
    assert!(scene.closed.contains(&BLACK));
    assert!(scene.heard(9).contains("\nTo_Move:-\n"));
    scene.says(WHITE, "-3334FU");
    assert_eq!(scene.heard(9), "", "it has not agreed yet");
    scene.says(9, "+2726FU");
    scene.says(9, "AGREE");
    let heard = scene.heard(9);
    assert!(heard.ends_with("\n-3334FU,T0\n"), "{heard}");
    scene.says(9, "+2726FU");
    assert_eq!(scene.heard(9), "+2726FU,T0\n");
    // Late news of the old connection change nothing.
    scene.lobby.disconnect(BLACK, scene.now);
    scene.says(9, "%TORYO");
    scene.says(WHITE, "-8384FU");
    assert_eq!(scene.results[0].winner, "white");
}

#[test]
fn who_does_not_come_back_in_time_has_resigned() {
    let mut scene = Scene::game(patient(), "x-60-0");
    scene.lobby.disconnect(BLACK, scene.now);
    scene.wait(29_999);
    scene.tick();
    assert!(scene.results.is_empty());
    scene.wait(1);
    assert_eq!(scene.lobby.deadline(), Some(scene.now));
    scene.tick();
    assert_eq!(scene.heard(WHITE), "%TORYO\n#RESIGN\n#WIN\n");
    // A game that is over while its player looks at it is withdrawn.
    let mut scene = Scene::game(patient(), "x-10-0");
    scene.says(BLACK, "+7776FU");
    scene.lobby.disconnect(BLACK, scene.now);
    scene.login(8, "ann", "x-10-0,x");
    scene.heard(8);
    scene.says(WHITE, "%TORYO");
    assert!(scene.heard(8).starts_with("REJECT:tesuji+"));
    assert_eq!(scene.results[0].winner, "black");
}

#[test]
fn a_schedule_is_played_and_nothing_else() {
    let names = ["ann", "bob", "eve"].map(String::from);
    let config = ServerConfig {
        schedule: Some(round_robin(&names)),
        stay: true,
        pause: Duration::ZERO,
        ..ServerConfig::default()
    };
    let mut scene = Scene::new(config);
    scene.login(4, "stranger", "x-10-0");
    for (id, name) in (1..).zip(&names) {
        scene.login(id, name, "x-10-0");
    }
    for _ in 0..20 {
        for id in 1..=3 {
            scene.says(id, "AGREE");
            scene.says(id, "%TORYO");
        }
        scene.wait(1);
        scene.tick();
    }
    assert_eq!(scene.results.len(), 6);
    // Whoever is there first begins; the rest follows the order of the list.
    let mut played: Vec<_> = scene
        .results
        .iter()
        .map(|result| ScheduledGame {
            black: result.black.clone(),
            white: result.white.clone(),
        })
        .collect();
    let mut listed = round_robin(&names);
    assert_eq!(played[3..], listed[3..]);
    for games in [&mut played, &mut listed] {
        games.sort_by(|one, other| (&one.black, &one.white).cmp(&(&other.black, &other.white)));
    }
    assert_eq!(played, listed);
    assert_eq!(scene.heard(4), "", "it is not on the list");
}

#[test]
fn players_are_paired_when_the_clock_says() {
    let config = ServerConfig {
        every: Some(Duration::from_secs(1800)),
        ..ServerConfig::default()
    };
    let mut scene = Scene::new(config);
    scene.login(1, "ann", "x-10-0");
    scene.login(2, "bob", "x-10-0");
    scene.wait(1_799_999);
    scene.tick();
    assert_eq!(scene.heard(1), "");
    scene.wait(1);
    assert_eq!(scene.lobby.deadline(), Some(scene.now));
    scene.tick();
    assert!(scene.heard(1).starts_with("BEGIN Game_Summary\n"));
}

#[test]
fn clocks_run_from_the_moment_a_line_was_delivered() {
    let mut scene = Scene::game(ServerConfig::default(), "x-0-3");
    scene.says(BLACK, "+7776FU");
    // The move needed two seconds to reach the other player's system.
    scene.wait(2000);
    scene.lobby.delivered(BLACK, scene.now);
    scene.lobby.delivered(WHITE, scene.now);
    scene.wait(2500);
    // What comes later starts no clock anew.
    scene.lobby.delivered(WHITE, scene.now);
    scene.tick();
    scene.says(WHITE, "-3334FU");
    assert!(scene.heard(WHITE).ends_with("-3334FU,T2\n"));
}

#[test]
fn nothing_is_saved_when_nothing_changed() {
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.says(BLACK, "+7776FU");
    scene.records.clear();
    for line in ["AGREE", "", "hello", "+7776FU", "%%WHO"] {
        scene.says(BLACK, line);
    }
    scene.tick();
    assert!(scene.records.is_empty());
}

#[test]
fn a_game_that_is_given_up_harms_no_other() {
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.login(3, "eve", "y-10-0-B");
    scene.login(4, "dan", "y-10-0-W");
    for id in [3, 4] {
        scene.says(id, "AGREE");
        scene.heard(id);
    }
    scene.says(BLACK, "+7776FU");
    scene.heard(WHITE);
    let lobby = &mut scene.lobby;
    let work = std::panic::AssertUnwindSafe(|| lobby.hear(BLACK, "PANIC", scene.now));
    assert!(std::panic::catch_unwind(work).is_err());
    let id = scene.lobby.abandon(Some(BLACK), scene.now).unwrap();
    scene.collect();
    assert_eq!(scene.heard(WHITE), "#CHUDAN\n");
    assert_eq!(
        (scene.results[0].winner, scene.results[0].plies),
        ("none", 1)
    );
    assert_eq!(scene.records[&id].ending(), Some(Ending::Interruption));
    assert!(standings(&scene.results).is_empty());
    scene.says(3, "+7776FU");
    assert_eq!(scene.heard(4), "+7776FU,T0\n");
}
