//! The client against servers that do what they are told, and an engine that does.

use super::*;
use crate::end::{ClientResult, CsaEndReason};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use tesuji_kernels::StopSignal;
use tesuji_record::{Ending, Game, TextFormat};
use tesuji_shogi::{Bound, Color, Move, Position};
use tesuji_usi::process::{MoveRequest, ProcessError};
use tesuji_usi::{BestMove, Info, ScoreValue, UsiScore};

/// What the engine does when it is asked.
#[derive(Clone)]
enum Act {
    /// Plays, sees so much, and expects a reply.
    Play(&'static str, i32, Option<&'static str>),
    Do(BestMove),
    Fail(ProcessError),
    /// Never answers, but would play this.
    Hang(Option<&'static str>),
}

#[derive(Default)]
struct Script {
    acts: VecDeque<Act>,
    calls: Vec<String>,
    current: Option<Act>,
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

impl ClientEngine for Script {
    fn new_game(&mut self, conditions: &GameConditions) -> Result<(), ProcessError> {
        self.calls
            .push(format!("begin {:?}", conditions.move_limit));
        Ok(())
    }
    fn go(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        self.calls
            .push(format!("ask {}{}", request.moves.len(), request.go.times));
        self.current = self.acts.pop_front();
        Ok(())
    }
    fn ponder(&mut self, request: &MoveRequest<'_>) -> Result<(), ProcessError> {
        assert!(request.go.ponder);
        self.calls
            .push(format!("ponder {}", request.moves.last().unwrap()));
        Ok(())
    }
    fn ponderhit(&mut self) -> Result<(), ProcessError> {
        self.calls.push("hit".into());
        self.current = self.acts.pop_front();
        Ok(())
    }
    fn stop(&mut self) -> Result<(), ProcessError> {
        self.calls.push("hurry".into());
        Ok(())
    }
    fn wake_with(&mut self, _: Box<dyn Fn() + Send>) {}
    fn poll(&mut self) -> Result<Option<EngineAnswer>, ProcessError> {
        let mut info = Info::default();
        let best = match self.current.take() {
            Some(Act::Play(text, points, ponder)) => {
                let worth = ScoreValue::Points(points);
                let bound = Bound::Exact;
                info.score = Some(UsiScore { worth, bound });
                info.pv.push(mv(text));
                info.pv.extend(ponder.map(mv));
                let ponder = ponder.map(mv);
                BestMove::Move {
                    mv: mv(text),
                    ponder,
                }
            }
            Some(Act::Do(best)) => best,
            Some(Act::Fail(error)) => return Err(error),
            other => {
                self.current = other;
                return Ok(None);
            }
        };
        Ok(Some(EngineAnswer { best, info }))
    }
    fn best_so_far(&self) -> Option<Move> {
        match self.current {
            Some(Act::Hang(text)) => text.map(mv),
            _ => None,
        }
    }
    fn game_over(&mut self, won: Option<bool>) {
        self.calls.push(format!("end {won:?}"));
    }
    fn abandon(&mut self) {
        self.calls.push("abandon".into());
    }
}

/// A guest of a scripted server.
struct Peer {
    stream: TcpStream,
    lines: std::io::Lines<BufReader<TcpStream>>,
}

impl Peer {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_nodelay(true).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        Self { stream, lines }
    }

    /// Says something in pieces of three bytes.
    fn say(&mut self, text: &str) {
        for piece in text.as_bytes().chunks(3) {
            self.stream.write_all(piece).unwrap();
        }
    }

    /// The next line that is not blank.
    fn hear(&mut self) -> String {
        let mut lines = self.lines.by_ref().map(|line| line.unwrap_or_default());
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    }

    fn expect(&mut self, line: &str) {
        assert_eq!(self.hear(), line);
    }

    fn login(&mut self) {
        self.expect("LOGIN tesuji game-1-1F,secret");
        self.say("LOGIN:tesuji OK\r\n");
    }

    /// Offers a game and starts it.
    fn offer(&mut self, summary: &str) {
        self.say(summary);
        self.expect("AGREE g+1");
        self.say("\nSTART:g+1\n");
    }
}

fn summary(side: char, time: &str, position: &str) -> String {
    format!(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nGame_ID:g+1\nName+:ann\nName-:bob\n\
         Your_Turn:{side}\nMax_Moves:256\nBEGIN Time\n{time}\nEND Time\n\
         BEGIN Position\n{position}\nEND Position\nEND Game_Summary\n"
    )
}

const START: &str = "PI\n+";
const MINUTE: &str = "Total_Time:60\nByoyomi:0";

/// What came of it.
struct Outcome {
    played: Vec<CsaGameReport>,
    games: Vec<Game>,
    said: String,
    calls: Vec<String>,
    outcome: Result<(), ClientError>,
}

/// Lets a client play against a server that does what `serve` does.
fn run(acts: &[Act], extra: &str, serve: impl FnOnce(TcpListener) + Send + 'static) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = format!(
        "records.folder = {:?}\nserver.host = '127.0.0.1'\nserver.port = {port}\n\
         server.name = 'tesuji'\nserver.password = 'game-1-1F,secret'\nserver.retry = 0\n{extra}",
        folder.path()
    );
    let settings = ClientSettings::read(&text).unwrap();
    let server = std::thread::spawn(move || serve(listener));
    let mut engine = Script {
        acts: acts.iter().cloned().collect(),
        ..Script::default()
    };
    let (stop, mut said, mut played) = (StopSignal::default(), String::new(), Vec::new());
    let mut client = Client::new(&settings, &mut engine, &stop).unwrap();
    let outcome = client.run(&mut |event| {
        if let ClientEvent::GameOver(game) = event {
            played.push(game.clone());
        }
        said += &format!("{event:?}\n");
    });
    server.join().expect("the server heard what it expected");
    assert!(!said.contains("secret"), "{said}");
    let game = |played: &CsaGameReport| {
        let text = std::fs::read_to_string(&played.record).unwrap();
        TextFormat::Csa.read(&text).unwrap()
    };
    Outcome {
        games: played.iter().map(game).collect(),
        played,
        said,
        calls: engine.calls,
        outcome,
    }
}

#[test]
fn every_ending_is_understood_and_recorded() {
    use CsaEndReason::*;
    let foul = |by| Ending::Foul { by, made: None };
    let (black, white) = (foul(Color::Black), foul(Color::White));
    let win = Some(ClientResult::Win);
    let endings = [
        ("%TORYO\n#RESIGN\n#WIN\n", Resign, win, Ending::Resignation),
        (
            "%TORYO,T0\n#RESIGN\n#WIN\n",
            Resign,
            win,
            Ending::Resignation,
        ),
        (
            "%KACHI,T0\n%KACHI\n#JISHOGI\n#LOSE\n",
            Declaration,
            Some(ClientResult::Lose),
            Ending::Declaration,
        ),
        ("%KACHI,T0\n#ILLEGAL_MOVE\n#WIN\n", IllegalMove, win, white),
        ("#ILLEGAL_MOVE\n#WIN\n", IllegalMove, win, white),
        (
            "#SENNICHITE\n#DRAW\n",
            Repetition,
            Some(ClientResult::Draw),
            Ending::Repetition,
        ),
        (
            "#OUTE_SENNICHITE\n#LOSE\n",
            PerpetualCheck,
            Some(ClientResult::Lose),
            black,
        ),
        ("#OUTE_SENNICHITE\n#WIN\n", PerpetualCheck, win, white),
        ("#TIME_UP\n#WIN\n", TimeUp, win, Ending::Time),
        (
            "#MAX_MOVES\n#CENSORED\n",
            MoveLimit,
            Some(ClientResult::Censored),
            Ending::MoveLimit,
        ),
        ("#ILLEGAL_ACTION\n#WIN\n", IllegalAction, win, white),
        ("#CHUDAN\n", Abort, None, Ending::Interruption),
    ];
    let acts = vec![Act::Play("7g7f", 30, Some("3c3d")); endings.len()];
    let extra = format!("play.games = {}\nplay.after = 'stay'\n", endings.len());
    let texts = endings.map(|ending| ending.0);
    let outcome = run(&acts, &extra, move |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        for text in texts {
            peer.offer(&summary('+', MINUTE, START));
            peer.expect("+7776FU,'* 30 -3334FU");
            peer.say(&format!("+7776FU,T2\n{text}"));
        }
        peer.expect("LOGOUT");
    });
    outcome.outcome.unwrap();
    for ((played, game), (_, reason, share, ending)) in
        outcome.played.iter().zip(&outcome.games).zip(endings)
    {
        assert_eq!((played.reason, played.result), (Some(reason), share));
        assert_eq!((played.plies, played.side), (1, Color::Black));
        // The older format has no word for the move limit that others know, but ours reads it.
        assert_eq!(game.ending(), Some(ending));
        assert_eq!(game.headers.players[Color::White], "bob");
        let first = game.main_line().next().unwrap();
        assert_eq!(game[first].time, Some(Duration::from_secs(2)));
        assert_eq!(game[first].evaluation.as_ref().unwrap().line, [mv("3c3d")]);
    }
    assert_eq!(outcome.played.len(), 12);
    assert_eq!(outcome.calls[0], "begin Some(256)");
    assert_eq!(outcome.calls[2], "end Some(true)");
}

#[test]
fn setup_moves_are_played_and_their_times_are_charged() {
    let times = "Time_Unit:1sec\nTotal_Time:600\nIncrement:2";
    let setup = "PI\n+\n+5958OU,T302\n-5152OU,T2\n+5859OU,T2\n-5251OU,T2";
    let acts = [Act::Play("7g7f", -5, None), Act::Do(BestMove::Resign)];
    let outcome = run(&acts, "", move |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', times, setup));
        peer.expect("+7776FU,'* -5");
        peer.say("+7776FU,T10\n-3334FU,T0\n");
        peer.expect("%TORYO");
        peer.say("%TORYO\n#RESIGN\n#LOSE\n");
    });
    let asked: Vec<_> = outcome
        .calls
        .iter()
        .filter(|call| call.starts_with("ask"))
        .collect();
    assert_eq!(
        asked[0],
        "ask 4 btime 300000 wtime 600000 binc 2000 winc 2000"
    );
    assert_eq!(
        asked[1],
        "ask 6 btime 292000 wtime 602000 binc 2000 winc 2000"
    );
    assert_eq!(outcome.games[0].moves().count(), 6);
    assert_eq!(outcome.played[0].result, Some(ClientResult::Lose));
}

#[test]
fn white_tells_values_for_black_and_ponders() {
    let acts = [
        Act::Play("3c3d", 70, Some("2g2f")),
        Act::Play("8c8d", 70, Some("2f2e")),
        Act::Play("8d8e", 70, None),
        Act::Do(BestMove::Resign),
    ];
    let outcome = run(
        &acts,
        "engine.ponder = true\nengine.margin = 500\n",
        |listener| {
            let mut peer = Peer::accept(&listener);
            peer.login();
            peer.offer(&summary('-', "Total_Time:0\nByoyomi:10", START));
            peer.say("+7776FU,T1\n");
            peer.expect("-3334FU,'* -70 +2726FU");
            peer.say("-3334FU,T1\n+2726FU,T1\n");
            peer.expect("-8384FU,'* -70 +2625FU");
            peer.say("-8384FU,T1\n+6978KI,T1\n");
            peer.expect("-8485FU,'* -70");
            peer.say("-8485FU,T1\n+7877KI,T1\n");
            peer.expect("%TORYO");
            peer.say("#RESIGN\n#LOSE\n");
        },
    );
    assert_eq!(
        outcome.calls,
        [
            "begin Some(256)",
            "ask 1 btime 0 wtime 0 byoyomi 9500",
            "ponder 2g2f",
            "hit",
            "ponder 2f2e",
            "ask 5 btime 0 wtime 0 byoyomi 9500",
            "ask 7 btime 0 wtime 0 byoyomi 9500",
            "end Some(false)"
        ]
    );
}

#[test]
fn it_comes_back_from_silence_and_lost_connections() {
    let acts = [Act::Play("7g7f", 0, None), Act::Do(BestMove::Resign)];
    let extra = "play.games = 2\nserver.patience = 0.3\n";
    let outcome = run(&acts, extra, |listener| {
        // One says nothing, one leaves at once, one in the middle of a line, one refuses.
        let silent = Peer::accept(&listener);
        drop(Peer::accept(&listener));
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.say("BEGIN Game_Summary\nGame_I");
        drop(peer);
        let mut peer = Peer::accept(&listener);
        peer.hear();
        peer.say("LOGIN:incorrect\n");
        drop((peer, silent));
        // One offers nonsense, then a game nobody wants, then leaves in the game.
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.say(&summary('+', MINUTE, "PI\n+\n+7775FU"));
        peer.expect("REJECT");
        peer.say(&summary('+', MINUTE, START));
        peer.expect("AGREE g+1");
        peer.say("REJECT:g+1 by bob\n");
        peer.offer(&summary('+', MINUTE, START));
        peer.expect("+7776FU,'* 0");
        peer.say("+7776FU,T0\n");
        drop(peer);
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, START));
        peer.expect("%TORYO");
        peer.say("#RESIGN\n#LOSE\n");
        // The winner of a game may wait long for the server: the client leaves by itself.
        peer.expect("LOGOUT");
    });
    outcome.outcome.unwrap();
    assert_eq!(outcome.played.len(), 2);
    assert_eq!(
        (outcome.played[0].reason, outcome.played[0].result),
        (None, None)
    );
    assert_eq!(outcome.games[0].ending(), Some(Ending::Interruption));
    assert_eq!(outcome.games[0].moves().count(), 1);
    assert!(outcome.said.contains("the server does not answer"));
    assert!(outcome.said.contains("inside a line"));
}

#[test]
fn a_server_that_forgets_the_game_is_left() {
    let acts = [Act::Play("7g7f", 0, None)];
    let outcome = run(&acts, "server.patience = 0.2\n", |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, START));
        peer.expect("+7776FU,'* 0");
        // The echo never comes.
        assert_eq!(peer.hear(), "LOGOUT");
    });
    assert_eq!(outcome.played[0].reason, None);
    assert!(outcome.played[0].is_disconnected);
}

#[test]
fn an_engine_that_fails_is_restarted_once_and_then_resigns() {
    let broken = [
        [
            Act::Fail(ProcessError::Crash),
            Act::Fail(ProcessError::Crash),
        ],
        [Act::Play("7g7e", 0, None), Act::Do(BestMove::Win)],
        [Act::Play("7g7f", 0, None), Act::Do(BestMove::Resign)],
    ];
    for (number, acts) in broken.iter().enumerate() {
        let is_sound = number == 2;
        let outcome = run(acts, "", move |listener| {
            let mut peer = Peer::accept(&listener);
            peer.login();
            peer.offer(&summary('+', MINUTE, START));
            if is_sound {
                peer.expect("+7776FU,'* 0");
                // What the server plays next is no move: on our turn we resign.
                peer.say("+7776FU,T0\n-9999OU,T0\n");
            }
            peer.expect("%TORYO");
            peer.say("#RESIGN\n#LOSE\n");
        });
        let revivals = outcome
            .calls
            .iter()
            .filter(|call| *call == "abandon")
            .count();
        assert_eq!(revivals, usize::from(!is_sound));
        assert_eq!(outcome.played[0].result, Some(ClientResult::Lose));
    }
}

#[test]
fn an_engine_that_hangs_is_stopped_before_the_flag_falls() {
    for (favourite, expected) in [
        (Some("7g7f"), "+7776FU"),
        (None, "%TORYO"),
        (Some("7g7e"), "%TORYO"),
    ] {
        let outcome = run(&[Act::Hang(favourite)], "", move |listener| {
            let mut peer = Peer::accept(&listener);
            peer.login();
            peer.offer(&summary('+', "Total_Time:1\nByoyomi:0", START));
            peer.expect(expected);
            peer.say("#TIME_UP\n#LOSE\n");
        });
        assert!(outcome.calls.contains(&"hurry".into()));
    }
}

#[test]
fn it_declares_by_itself_and_resigns_as_it_was_told() {
    let pos = Position::from_sfen("+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1").unwrap();
    let board = tesuji_record::csa::write_position(&pos);
    let entered = board.clone();
    let outcome = run(&[], "", move |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, entered.trim_end()));
        peer.expect("%KACHI");
        peer.say("%KACHI,T0\n#JISHOGI\n#WIN\n");
    });
    assert_eq!(outcome.games[0].ending(), Some(Ending::Declaration));
    // The engine may want to declare as well.
    let outcome = run(
        &[Act::Do(BestMove::Win)],
        "play.declare = false\n",
        move |listener| {
            let mut peer = Peer::accept(&listener);
            peer.login();
            peer.offer(&summary('+', MINUTE, board.trim_end()));
            peer.expect("%KACHI");
            peer.say("%KACHI,T0\n#JISHOGI\n#WIN\n");
        },
    );
    assert_eq!(outcome.played[0].result, Some(ClientResult::Win));
    let acts = [
        Act::Play("7g7f", -2000, None),
        Act::Play("2g2f", -100, None),
        Act::Play("2f2e", -2000, None),
        Act::Play("2e2d", -2500, None),
    ];
    let extra = "play.resign_value = 2000\nplay.resign_moves = 2\nplay.comments = false\n";
    let outcome = run(&acts, extra, |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, START));
        for (own, other) in [
            ("+7776FU", "-8384FU"),
            ("+2726FU", "-8485FU"),
            ("+2625FU", "-8586FU"),
        ] {
            peer.expect(own);
            peer.say(&format!("{own},T0\n{other},T0\n"));
        }
        peer.expect("%TORYO");
        peer.say("%TORYO\n#RESIGN\n#LOSE\n");
    });
    assert_eq!(outcome.games[0].moves().count(), 6);
}

#[test]
fn it_gives_up_when_it_was_told_to() {
    let outcome = run(&[], "server.tries = 2\n", |listener| {
        drop(Peer::accept(&listener));
        drop(Peer::accept(&listener));
    });
    let error = outcome.outcome.unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error}");
    let outcome = run(&[], "", |listener| {
        for _ in 0..5 {
            let mut peer = Peer::accept(&listener);
            peer.hear();
            peer.say("LOGIN:incorrect\n");
        }
    });
    let error = outcome.outcome.unwrap_err();
    assert!(matches!(error, ClientError::Refused { .. }), "{error}");
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn settings_are_checked() {
    let good = "server = { host = 'h', name = 'n', password = 'p-1-1F' }\n";
    let settings = ClientSettings::read(good).unwrap();
    assert_eq!((settings.server.port, settings.play.games), (4081, 1));
    assert_eq!(settings.engine.player, "builtin");
    for (bad, why) in [
        ("[play]\nresign = 3\n", "line 3: unknown field `resign`"),
        ("[records]\nformat = 'doc'\n", "records.format: "),
        (
            "[play]\nafter = 'sleep'\n",
            "line 3: unknown variant `sleep`",
        ),
    ] {
        let error = ClientSettings::read(&format!("{good}{bad}"))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(why), "{error}");
    }
    for (from, to, why) in [
        ("'n'", "'n n'", "server.name: "),
        ("'p-1-1F'", "'secret word'", "server.password: "),
        ("'p-1-1F'", "5", "line 1: "),
        ("'p-1-1F'", "'secret", "line 1: "),
        (
            "name",
            "password_file = '/nowhere', name",
            "server.password_file: /nowhere: ",
        ),
        (
            "name",
            "password_file = '/dev/zero', name",
            "server.password_file: /dev/zero: a device, not a regular file",
        ),
        ("name", "keep_alive = 5, name", "server.keep_alive: "),
    ] {
        let error = ClientSettings::read(&good.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(why), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn it_goes_on_with_a_game_where_the_server_lets_it() {
    let acts = [
        Act::Play("7g7f", 0, None),
        Act::Do(BestMove::Resign),
        Act::Do(BestMove::Resign),
    ];
    let extra = "play.games = 2\nplay.comments = false\nserver.reconnect = true\n";
    let outcome = run(&acts, extra, |listener| {
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, START));
        peer.expect("+7776FU");
        drop(peer);
        // The same game, two moves later.
        let mut peer = Peer::accept(&listener);
        peer.login();
        let played = format!("{START}\n+7776FU,T1\n-3334FU,T2");
        peer.offer(&summary('+', MINUTE, &played));
        peer.expect("%TORYO");
        peer.say("%TORYO,T1\n#RESIGN\n#LOSE\n");
        peer.expect("LOGOUT");
        // A game that the server does not know any more is lost, and another one is played.
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.offer(&summary('+', MINUTE, START));
        peer.expect("%TORYO");
        drop(peer);
        let mut peer = Peer::accept(&listener);
        peer.login();
        peer.say(&summary('+', MINUTE, START).replace("g+1", "g+2"));
        peer.expect("LOGOUT");
    });
    outcome.outcome.unwrap();
    assert_eq!(outcome.played.len(), 2, "{}", outcome.said);
    assert_eq!(outcome.played[0].result, Some(ClientResult::Lose));
    assert_eq!(outcome.games[0].moves().count(), 2);
    assert_eq!(outcome.played[1].result, None);
}
