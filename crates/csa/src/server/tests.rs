//! Every way a game can end, with the time told by the test.

mod crash;
mod returning;

use super::*;
use crate::game_name::GameName;
use std::collections::HashMap;
use std::time::{Instant, SystemTime};
use tesuji_record::{Ending, TextFormat};
use tesuji_shogi::rules::Counting;
use tesuji_shogi::{Color, DeclarationRule, Position};

struct Scene {
    lobby: Lobby,
    now: Instant,
    said: HashMap<ConnectionId, Vec<String>>,
    closed: Vec<ConnectionId>,
    results: Vec<ResultLine>,
    records: HashMap<String, Game>,
}

const BLACK: ConnectionId = 1;
const WHITE: ConnectionId = 2;

impl Scene {
    fn new(config: ServerConfig) -> Self {
        let now = Instant::now();
        Self {
            lobby: Lobby::new(config, now, SystemTime::UNIX_EPOCH),
            now,
            said: HashMap::new(),
            closed: Vec::new(),
            results: Vec::new(),
            records: HashMap::new(),
        }
    }

    /// Two players at the board; Black is to move and the clock runs.
    fn game(config: ServerConfig, name: &str) -> Self {
        let mut scene = Self::new(config);
        scene.login(BLACK, "ann", &format!("{name}-B,x"));
        scene.login(WHITE, "bob", &format!("{name}-W,y"));
        for id in [BLACK, WHITE] {
            assert!(scene.heard(id).starts_with("BEGIN Game_Summary\n"));
            scene.says(id, "AGREE");
        }
        for id in [BLACK, WHITE] {
            assert!(scene.heard(id).starts_with("START:tesuji+"));
        }
        scene
    }

    fn login(&mut self, id: ConnectionId, name: &str, password: &str) {
        self.lobby.connect(id, self.now);
        self.says(id, &format!("LOGIN {name} {password}"));
        assert_eq!(
            self.said.get_mut(&id).unwrap().remove(0),
            format!("LOGIN:{name} OK\n")
        );
    }

    fn says(&mut self, id: ConnectionId, line: &str) {
        self.lobby.hear(id, line, self.now);
        self.collect();
    }

    fn wait(&mut self, millis: u64) {
        self.now += Duration::from_millis(millis);
    }

    fn tick(&mut self) {
        self.lobby.tick(self.now);
        self.collect();
    }

    fn collect(&mut self) {
        for action in self.lobby.actions() {
            match action {
                LobbyAction::Send(id, text) => self.said.entry(id).or_default().push(text),
                LobbyAction::Close(id) => self.closed.push(id),
                LobbyAction::Save(id, game) => drop(self.records.insert(id, *game)),
                LobbyAction::Result(result) => self.results.push(result),
            }
        }
    }

    /// Everything that was said to somebody since the last time.
    fn heard(&mut self, id: ConnectionId) -> String {
        self.said.remove(&id).unwrap_or_default().concat()
    }

    fn play(&mut self, moves: &str) {
        for mv in moves.split_whitespace() {
            let id = if mv.starts_with('+') { BLACK } else { WHITE };
            self.says(id, mv);
        }
    }

    /// What both heard last, and how the record ends.
    fn end(&mut self) -> (String, String, Option<Ending>) {
        let record = self.records.values().next().and_then(Game::ending);
        for game in self.records.values() {
            let text = TextFormat::Csa.write(game).unwrap();
            assert_eq!(
                TextFormat::Csa.read(&text).unwrap().moves().count(),
                game.moves().count()
            );
        }
        assert_eq!(self.results.len(), usize::from(record.is_some()));
        (self.heard(BLACK), self.heard(WHITE), record)
    }
}

fn foul(by: Color) -> Option<Ending> {
    Some(Ending::Foul { by, made: None })
}

#[test]
fn moves_are_echoed_with_their_times_and_comments_are_kept() {
    let mut scene = Scene::game(ServerConfig::default(), "x-10-2F");
    scene.wait(1999);
    scene.says(BLACK, "+7776FU,'* 34 -3334FU +2726FU");
    assert_eq!(scene.heard(WHITE), "+7776FU,T1\n");
    assert_eq!(scene.heard(BLACK), "+7776FU,T1\n");
    scene.wait(3000);
    scene.play("-3334FU");
    assert_eq!(scene.heard(WHITE), "-3334FU,T3\n");
    scene.says(BLACK, "");
    scene.says(BLACK, "%TORYO");
    let (black, white, record) = scene.end();
    assert_eq!(black, "-3334FU,T3\n\n%TORYO,T0\n#RESIGN\n#LOSE\n");
    assert_eq!(white, "%TORYO,T0\n#RESIGN\n#WIN\n");
    assert_eq!(record, Some(Ending::Resignation));
    assert_eq!(scene.closed, [BLACK, WHITE]);
    let game = scene.records.values().next().unwrap();
    let first = game.main_line().next().unwrap();
    assert_eq!(game[first].evaluation.as_ref().unwrap().line.len(), 2);
    assert_eq!(scene.results[0].winner, "white");
    assert_eq!(scene.results[0].plies, 2);
    assert_eq!(standings(&scene.results)[0].name, "bob");
}

#[test]
fn exactly_the_whole_allowance_is_too_much() {
    // Byoyomi of two seconds, nothing else.
    for (millis, end) in [(1999, "+7776FU,T1\n"), (2000, "#TIME_UP\n#LOSE\n")] {
        let mut scene = Scene::game(ServerConfig::default(), "x-0-2");
        scene.wait(millis);
        scene.says(BLACK, "+7776FU");
        assert_eq!(scene.heard(BLACK), end);
    }
    // The first move may use the increment as well; what is left carries over.
    let mut scene = Scene::game(ServerConfig::default(), "x-3-2F");
    scene.wait(4999);
    scene.says(BLACK, "+7776FU");
    assert_eq!(scene.heard(BLACK), "+7776FU,T4\n");
    scene.says(WHITE, "-3334FU");
    scene.wait(2999);
    scene.says(BLACK, "+2726FU");
    assert!(scene.heard(BLACK).ends_with("+2726FU,T2\n"));
}

#[test]
fn a_silent_player_loses_when_its_flag_falls() {
    let mut scene = Scene::game(ServerConfig::default(), "x-1-1F");
    scene.wait(1999);
    scene.tick();
    assert_eq!(scene.heard(BLACK), "");
    assert_eq!(
        scene.lobby.deadline(),
        Some(scene.now + Duration::from_millis(1))
    );
    scene.wait(1);
    scene.tick();
    let (black, white, record) = scene.end();
    assert_eq!(
        (black.as_str(), white.as_str()),
        ("#TIME_UP\n#LOSE\n", "#TIME_UP\n#WIN\n")
    );
    assert_eq!(record, Some(Ending::Time));
}

#[test]
fn every_illegal_move_loses_and_is_not_echoed() {
    for mv in [
        "+7775FU",
        "+7776TO",
        "+0055FU",
        "-3334FU",
        "+1111FU",
        "+77",
        "+7776FU '* 30",
    ] {
        let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
        scene.says(BLACK, mv);
        let (black, white, record) = scene.end();
        assert_eq!(black, "#ILLEGAL_MOVE\n#LOSE\n", "{mv}");
        assert_eq!(white, "#ILLEGAL_MOVE\n#WIN\n", "{mv}");
        assert_eq!(record, foul(Color::Black));
    }
    // A move out of turn is no move at all.
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.says(WHITE, "-3334FU");
    assert_eq!(scene.end().0, "#ILLEGAL_ACTION\n#WIN\n");
    // The same line twice is one move.
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.play("+7776FU +7776FU");
    assert_eq!(scene.heard(BLACK), "+7776FU,T0\n");
}

#[test]
fn a_repetition_draws_by_either_count() {
    const ROUND: &str = "+2838HI -8272HI +3828HI -7282HI ";
    for (counting, moves) in [(Counting::WithStart, 12), (Counting::MovesOnly, 13)] {
        let mut config = ServerConfig::default();
        config.rules.counting = counting;
        let mut scene = Scene::game(config, "x-10-0");
        scene.play(&ROUND.repeat(3));
        if moves == 13 {
            assert!(scene.results.is_empty());
            scene.says(BLACK, "+2838HI");
        }
        let (black, _, record) = scene.end();
        assert!(black.ends_with(",T0\n#SENNICHITE\n#DRAW\n"), "{black}");
        assert_eq!(record, Some(Ending::Repetition));
        assert_eq!(scene.results[0].plies, moves);
    }
}

/// A config in which games begin with a position.
fn config(sfen: &str) -> ServerConfig {
    ServerConfig {
        openings: vec![Game::new(Position::from_sfen(sfen).unwrap())],
        ..ServerConfig::default()
    }
}

#[test]
fn perpetual_check_loses() {
    let mut scene = Scene::game(config("k8/9/9/9/9/9/9/9/1R2K4 b - 1"), "x-10-0");
    // The king goes to and fro, the rook follows with checks.
    scene.says(BLACK, "+8999HI");
    scene.play(&"-9181OU +9989HI -8191OU +8999HI ".repeat(3));
    let (black, white, record) = scene.end();
    assert!(black.ends_with("#OUTE_SENNICHITE\n#LOSE\n"), "{black}");
    assert!(white.ends_with("#OUTE_SENNICHITE\n#WIN\n"), "{white}");
    assert_eq!(record, foul(Color::Black));
}

#[test]
fn declarations_win_or_lose() {
    let enough = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
    let mut scene = Scene::game(config(enough), "x-10-0");
    scene.says(BLACK, "%KACHI");
    let (black, white, record) = scene.end();
    assert_eq!(black, "%KACHI,T0\n#JISHOGI\n#WIN\n");
    assert_eq!(white, "%KACHI,T0\n#JISHOGI\n#LOSE\n");
    assert_eq!(record, Some(Ending::Declaration));
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.says(BLACK, "%KACHI");
    let (black, _, record) = scene.end();
    assert_eq!(black, "%KACHI,T0\n#ILLEGAL_MOVE\n#LOSE\n");
    assert_eq!(record, foul(Color::Black));
    let mut drawn = config(enough);
    drawn.rules.declaration = DeclarationRule::Points24;
    let mut scene = Scene::game(drawn, "x-10-0");
    scene.says(BLACK, "%KACHI");
    let (black, _, record) = scene.end();
    assert_eq!(
        (black.as_str(), record),
        ("%KACHI,T0\n#JISHOGI\n#DRAW\n", Some(Ending::Impasse))
    );
}

#[test]
fn the_move_limit_draws_even_a_mate() {
    let mut config = config("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    config.rules.move_limit = Some(1);
    let mut scene = Scene::game(config.clone(), "x-10-0");
    scene.says(BLACK, "+0052KI");
    let (black, white, record) = scene.end();
    assert_eq!(black, "+0052KI,T0\n#MAX_MOVES\n#CENSORED\n");
    assert_eq!(white, black);
    assert_eq!(record, Some(Ending::MoveLimit));
    // Without the limit the mated side is waited for.
    config.rules.move_limit = None;
    let mut scene = Scene::game(config, "x-10-0");
    scene.says(BLACK, "+0052KI");
    assert_eq!(scene.end().2, None);
    scene.says(WHITE, "%TORYO");
    assert!(scene.end().0.ends_with("#RESIGN\n#WIN\n"));
}

#[test]
fn who_leaves_resigns_on_its_turn() {
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.lobby.disconnect(BLACK, scene.now);
    scene.collect();
    assert_eq!(scene.end().1, "%TORYO\n#RESIGN\n#WIN\n");
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.lobby.disconnect(WHITE, scene.now);
    scene.collect();
    assert_eq!(scene.heard(BLACK), "");
    scene.says(BLACK, "+7776FU");
    let (black, _, record) = scene.end();
    assert_eq!(black, "+7776FU,T0\n%TORYO\n#RESIGN\n#WIN\n");
    assert_eq!(record, Some(Ending::Resignation));
    let mut scene = Scene::game(ServerConfig::default(), "x-10-0");
    scene.says(WHITE, "%TORYO");
    scene.says(BLACK, "LOGOUT");
    assert!(scene.heard(BLACK).starts_with("LOGOUT:completed\n"));
    assert_eq!(scene.results[0].winner, "white");
    assert!(scene.closed.contains(&BLACK));
}

#[test]
fn offers_can_be_refused_and_end() {
    let mut scene = Scene::new(ServerConfig::default());
    scene.login(BLACK, "ann", "x-1-1F");
    scene.login(WHITE, "bob", "x-1-1F");
    scene.says(BLACK, "AGREE some other game");
    scene.says(WHITE, "REJECT");
    assert!(
        scene
            .heard(BLACK)
            .contains("\nREJECT:tesuji+x-1-1F+ann+bob+19700101000000-0 by bob\n")
    );
    assert_eq!(scene.closed, [WHITE]);
    // The other one waits again and is offered the next game.
    scene.login(3, "eve", "x-1-1F");
    scene.wait(1000);
    scene.tick();
    assert!(scene.heard(BLACK).starts_with("BEGIN Game_Summary\n"));
    scene.says(BLACK, "AGREE");
    scene.wait(120_000);
    scene.tick();
    assert!(scene.heard(3).ends_with(" by the Server (timed out)\n"));
    assert_eq!(scene.closed, [WHITE, 3]);
    assert_eq!(scene.lobby.games(), 0);
}

#[test]
fn strangers_and_impostors_stay_outside() {
    let mut scene = Scene::new(ServerConfig::default());
    let bad = [
        "hello",
        "LOGIN ann",
        "LOGIN a/b x-1-1F",
        "LOGIN ann nothing",
        "LOGIN ann x-1-1F x1",
    ];
    for (id, line) in (10..).zip(bad) {
        scene.lobby.connect(id, scene.now);
        scene.says(id, line);
        assert_eq!(scene.heard(id), "LOGIN:incorrect\n", "{line}");
    }
    scene.login(1, "ann", "x-1-1F,secret");
    scene.lobby.connect(2, scene.now);
    scene.says(2, "LOGIN ann x-1-1F,guess");
    assert_eq!(scene.heard(2), "LOGIN:incorrect\n");
    // The same player comes again: the old connection is dead.
    scene.login(3, "ann", "y-1-1F,secret");
    assert!(scene.closed.ends_with(&[2, 1]));
    scene.lobby.connect(4, scene.now);
    scene.wait(60_000);
    scene.tick();
    assert!(scene.closed.ends_with(&[4]));
}

#[test]
fn players_meet_from_both_sides_as_often_as_the_host_says() {
    let mut openings = Vec::new();
    for mv in ["7g7f", "2g2f"] {
        let mut game = Game::default();
        let id = game.push(mv.parse().unwrap()).unwrap();
        game[id].time = Some(Duration::from_secs(1));
        openings.push(game);
    }
    let config = ServerConfig {
        rounds: 4,
        stay: true,
        openings,
        ..ServerConfig::default()
    };
    let mut scene = Scene::new(config);
    scene.login(1, "ann", "x-10-1F");
    scene.login(2, "bob", "x-10-1F");
    for round in 0..4 {
        let (one, other) = (scene.heard(1), scene.heard(2));
        let setup = ["\n+7776FU,T1\n", "\n+2726FU,T1\n"][round / 2];
        assert!(
            one.contains(setup) && one.contains("\nTo_Move:-\n"),
            "{one}"
        );
        assert_ne!(one.contains("Your_Turn:+"), other.contains("Your_Turn:+"));
        scene.says(1, "AGREE");
        scene.says(2, "AGREE");
        // White is to move.
        let white = if one.contains("Your_Turn:-") { 1 } else { 2 };
        scene.says(white, "%TORYO");
        assert!(scene.heard(1).contains("#RESIGN") && scene.heard(2).contains("#RESIGN"));
        assert_eq!(scene.lobby.games(), 0);
        assert_eq!(
            scene.lobby.deadline(),
            Some(scene.now + Duration::from_secs(1))
        );
        scene.wait(1000);
        scene.tick();
    }
    // Nobody is to be offered anything any more: the server may sleep.
    assert_eq!(scene.lobby.deadline(), None);
    assert_eq!(scene.lobby.games(), 0);
    assert!(scene.closed.is_empty());
    let blacks: Vec<_> = scene
        .results
        .iter()
        .map(|result| result.black.as_str())
        .collect();
    assert_eq!(blacks, ["ann", "bob", "ann", "bob"]);
    assert_eq!(
        GameName::read("x-10-1F").unwrap().control().increment,
        Duration::from_secs(1)
    );
}
