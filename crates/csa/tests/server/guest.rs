//! A client that says what a test tells it to, and a server that runs beside it.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tesuji_csa::Archive;
use tesuji_csa::server::{ResultLine, Server, ServerConfig};
use tesuji_kernels::StopSignal;

pub(crate) struct Guest {
    pub(crate) stream: TcpStream,
    pub(crate) reader: BufReader<TcpStream>,
}

impl Guest {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("the system agrees");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("the system agrees");
        let reader = BufReader::new(stream.try_clone().expect("the system agrees"));
        Self { stream, reader }
    }

    /// Byte by byte.
    pub(crate) fn say(&mut self, text: &str) {
        for byte in text.bytes() {
            self.stream.write_all(&[byte]).expect("it is heard");
        }
    }

    /// Everything up to a line that begins so, that line included.
    pub(crate) fn wait(&mut self, start: &str) -> String {
        self.wait_for(&[start])
    }

    /// Everything up to a line that begins in one of these ways.
    pub(crate) fn wait_for(&mut self, starts: &[&str]) -> String {
        let mut heard = String::new();
        loop {
            let mut line = String::new();
            let length = self.reader.read_line(&mut line).expect("an answer");
            assert!(length > 0, "{starts:?} never came after {heard}");
            heard += &line;
            if starts.iter().any(|start| line.starts_with(start)) {
                return heard;
            }
        }
    }

    pub(crate) fn login(address: SocketAddr, name: &str, password: &str) -> Self {
        let mut guest = Self::connect(address);
        guest.say(&format!("LOGIN {name} {password}\r\n"));
        guest.wait("LOGIN:");
        guest
    }

    pub(crate) fn agree(&mut self) -> String {
        let summary = self.wait("END Game_Summary");
        self.say("AGREE\n");
        summary
    }

    /// Both sides of a game that has begun; the clock is named by the game.
    pub(crate) fn pair(address: SocketAddr, game: &str) -> [Self; 2] {
        let [mut black, mut white] = [("ann", 'B'), ("bob", 'W')]
            .map(|(name, side)| Self::login(address, name, &format!("{game}-{side},x")));
        black.agree();
        white.agree();
        black.wait("START:");
        white.wait("START:");
        [black, white]
    }

    /// Sends `bytes` over and over from a thread of its own, `count` of them, or less if the server
    /// has had enough; says how many went out.
    pub(crate) fn flood(&self, bytes: &'static [u8], count: usize) -> JoinHandle<usize> {
        let mut stream = self.stream.try_clone().expect("the system agrees");
        std::thread::spawn(move || {
            let block = bytes.repeat(1 + 4096 / bytes.len());
            let mut sent = 0;
            while sent < count && stream.write_all(&block).is_ok() {
                sent += block.len();
            }
            sent
        })
    }
}

/// A server in a thread.
pub(crate) struct RunningServer {
    pub(crate) address: SocketAddr,
    stop: Arc<StopSignal>,
    thread: Option<JoinHandle<Vec<ResultLine>>>,
}

impl RunningServer {
    pub(crate) fn start(config: ServerConfig, folder: &Path) -> Self {
        Self::run(
            Server::bind("127.0.0.1:0", config).expect("a free port"),
            folder,
        )
    }

    pub(crate) fn run(server: Server, folder: &Path) -> Self {
        let archive = Archive::open(folder, "csa").expect("a folder");
        let server = server.keeping(archive.expect("a format"), folder);
        let address = server.address().expect("the system agrees");
        let stop = Arc::new(StopSignal::default());
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut results = Vec::new();
            let outcome = server.run(&flag, |result| {
                results.push(result.clone());
                ControlFlow::Continue(())
            });
            outcome.expect("the server runs");
            results
        });
        Self {
            address,
            stop,
            thread: Some(thread),
        }
    }

    /// Ends it and returns every result.
    pub(crate) fn end(mut self) -> Vec<ResultLine> {
        self.stop.stop();
        let thread = self.thread.take().expect("it runs");
        thread.join().expect("the server did not panic")
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits until the only record in a folder says something.
pub(crate) fn wait_for_record(folder: &Path, text: &str) {
    let until = Instant::now() + Duration::from_secs(60);
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
