//! The server over real sockets: strangers, pieces of lines, players who vanish, files.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_csa::Archive;
use tesuji_csa::server::{Server, ServerConfig};

struct Guest {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Guest {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("the system agrees");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("the system agrees");
        let reader = BufReader::new(stream.try_clone().expect("the system agrees"));
        Self { stream, reader }
    }

    /// Byte by byte.
    fn say(&mut self, text: &str) {
        for byte in text.bytes() {
            self.stream.write_all(&[byte]).expect("it is heard");
        }
    }

    /// Everything up to a line that begins so, that line included.
    fn wait(&mut self, start: &str) -> String {
        let mut heard = String::new();
        loop {
            let mut line = String::new();
            let length = self.reader.read_line(&mut line).expect("an answer");
            assert!(length > 0, "{start} never came after {heard}");
            heard += &line;
            if line.starts_with(start) {
                return heard;
            }
        }
    }

    fn sit(address: SocketAddr, name: &str, side: char) -> Self {
        let mut guest = Self::connect(address);
        guest.say(&format!("LOGIN {name} game-60-1F-{side},x\r\n"));
        guest.wait("LOGIN:");
        guest
    }

    fn agree(&mut self) {
        self.wait("END Game_Summary");
        self.say("AGREE\n");
    }
}

/// Waits until the only record in a folder says something.
fn wait_for(folder: &Path, text: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let records = std::fs::read_dir(folder)
            .expect("the system agrees")
            .map(|entry| entry.expect("the system agrees").path());
        let mut records = records.filter(|path| path.extension().is_some_and(|end| end == "csa"));
        let record = records
            .next()
            .map(|path| std::fs::read_to_string(path).expect("the system agrees"));
        if record.is_some_and(|record| record.contains(text)) {
            return;
        }
        assert!(Instant::now() < until, "{text} was not written");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_server_survives_its_guests_and_keeps_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path(), "csa").unwrap().unwrap();
    let server = Server::bind("127.0.0.1:0", ServerConfig::default()).unwrap();
    let server = server.keeping(archive, folder.path());
    let address = server.address().unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let serving = std::thread::spawn(move || {
        let mut results = Vec::new();
        let outcome = server.run(&flag, |result| {
            results.push(result.clone());
            ControlFlow::Continue(())
        });
        (outcome, results)
    });
    // Nonsense, an endless line, somebody who leaves at once: nobody else notices.
    let mut stranger = Guest::connect(address);
    stranger
        .stream
        .write_all(b"\xff\x00GET / HTTP/1.1\r\n")
        .unwrap();
    assert_eq!(stranger.wait("LOGIN:"), "LOGIN:incorrect\n");
    let mut endless = Guest::connect(address);
    let _ = endless.stream.write_all(&[b'x'; 40_000]);
    let mut rest = Vec::new();
    let _ = endless.reader.read_to_end(&mut rest);
    assert!(rest.is_empty());
    drop(Guest::connect(address));

    let (mut black, mut white) = (
        Guest::sit(address, "ann", 'B'),
        Guest::sit(address, "bob", 'W'),
    );
    black.agree();
    white.agree();
    black.wait("START:");
    for (number, mv) in ["+7776FU", "-3334FU", "+2726FU"].iter().enumerate() {
        let guest = if number % 2 == 0 {
            &mut black
        } else {
            &mut white
        };
        guest.say(&format!("{mv}\n"));
        guest.wait(mv);
        wait_for(folder.path(), mv);
    }
    // A player who vanishes on its turn has resigned.
    drop(white);
    assert!(black.wait("#WIN").ends_with("%TORYO\n#RESIGN\n#WIN\n"));
    wait_for(folder.path(), "%TORYO");
    let mut rest = String::new();
    assert_eq!(
        black.reader.read_to_string(&mut rest).unwrap(),
        0,
        "it is sent away"
    );

    stop.store(true, Ordering::Relaxed);
    let (outcome, results) = serving.join().unwrap();
    outcome.unwrap();
    assert_eq!(
        (results.len(), results[0].winner, results[0].plies),
        (1, "black", 3)
    );
    let list = std::fs::read_to_string(folder.path().join("results.tsv")).unwrap();
    assert_eq!(list.lines().count(), 2);
    assert!(list.contains("\tann\tbob\tblack\tRESIGN\t3\t"), "{list}");
}
