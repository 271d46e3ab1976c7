//! A panic in one game, over real sockets: the other games go on, and the host is told.

use crate::server::{Server, ServerConfig, ServerEvent};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tesuji_kernels::StopSignal;

struct Player(BufReader<TcpStream>);

impl Player {
    fn sit(address: SocketAddr, name: &str, game: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).unwrap();
        let mut player = Self(BufReader::new(stream));
        player.say(&format!("LOGIN {name} {game},secret-{name}\n"));
        player.wait("LOGIN:");
        player
    }

    fn say(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    fn wait(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "no {start}");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    fn begin(players: &mut [Self]) {
        for player in &mut *players {
            player.wait("END Game_Summary");
            player.say("AGREE\n");
        }
        for player in players {
            player.wait("START:");
        }
    }
}

#[test]
fn a_panic_ends_one_game_and_is_reported() {
    let (tell, told) = mpsc::channel();
    let server = Server::bind("127.0.0.1:0", ServerConfig::default()).unwrap();
    let server = server.with_observer(move |event| {
        let _ = tell.send(event.clone());
    });
    let address = server.address().unwrap();
    let stop = Arc::new(StopSignal::default());
    let flag = Arc::clone(&stop);
    let serving = std::thread::spawn(move || {
        let mut winners = Vec::new();
        let outcome = server.run(&flag, |result| {
            winners.push(result.winner);
            ControlFlow::Continue(())
        });
        (outcome, winners)
    });
    let mut unlucky = [("ann", "x-60-0-B"), ("bob", "x-60-0-W")]
        .map(|(name, game)| Player::sit(address, name, game));
    Player::begin(&mut unlucky);
    let mut others = [("eve", "y-60-0-B"), ("dan", "y-60-0-W")]
        .map(|(name, game)| Player::sit(address, name, game));
    Player::begin(&mut others);
    unlucky[0].say("PANIC\n");
    unlucky[1].wait("#CHUDAN");
    let ServerEvent::Crash(report) = told.recv_timeout(Duration::from_secs(60)).unwrap() else {
        panic!("the crash is told");
    };
    assert!(report.what.contains("asked for"), "{report:?}");
    assert!(report.game.unwrap().contains("+ann+bob+"));
    assert_eq!(report.lines, ["LOGIN ann ***", "AGREE", "PANIC"]);
    others[0].say("+7776FU\n");
    others[1].wait("+7776FU,");
    others[1].say("%TORYO\n");
    others[0].wait("#WIN");
    stop.stop();
    let (outcome, winners) = serving.join().unwrap();
    outcome.unwrap();
    assert_eq!(winners, ["none", "black"]);
}
