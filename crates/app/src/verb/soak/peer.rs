//! Clients of a server: honest ones that play a game, and hostile ones.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection to a server on this machine.
pub(super) struct CsaPlayer {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl CsaPlayer {
    pub(super) fn connect(port: u16) -> Result<Self, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.to_string())?;
        let setup = stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(Some(Duration::from_secs(60))))
            .and_then(|()| stream.set_write_timeout(Some(Duration::from_secs(10))));
        setup.map_err(|error| error.to_string())?;
        let reader = stream.try_clone().map_err(|error| error.to_string())?;
        Ok(Self {
            stream,
            reader: BufReader::new(reader),
        })
    }

    /// Logs in and agrees to the game that is offered.
    pub(super) fn begin(port: u16, name: &str, password: &str) -> Result<Self, String> {
        let mut peer = Self::connect(port)?;
        peer.say(&format!("LOGIN {name} {password}"))?;
        peer.wait(&["LOGIN:"])?;
        peer.wait(&["END Game_Summary"])?;
        peer.say("AGREE")?;
        Ok(peer)
    }

    pub(super) fn say(&mut self, line: &str) -> Result<(), String> {
        let sent = self.stream.write_all(format!("{line}\n").as_bytes());
        sent.map_err(|error| format!("{line}: {error}"))
    }

    /// The first line that begins in one of these ways.
    pub(super) fn wait(&mut self, starts: &[&str]) -> Result<String, String> {
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(length) if length > 0 => {}
                Ok(_) => return Err(format!("closed before {starts:?}")),
                Err(error) => return Err(format!("{error} before {starts:?}")),
            }
            if starts.iter().any(|start| line.starts_with(start)) {
                return Ok(line.trim_end().into());
            }
        }
    }

    /// Writes bytes until the server has enough; how many.
    pub(super) fn flood(&mut self, block: &[u8], most: usize) -> u64 {
        let patience = Some(Duration::from_millis(300));
        let _ = self.stream.set_write_timeout(patience);
        let mut sent = 0;
        while sent < most as u64 {
            match self.stream.write(block) {
                Ok(length) if length > 0 => sent += length as u64,
                _ => break,
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        sent
    }
}
