//! One connection of the server: a bounded buffer each way over a socket that never blocks.
//!
//! Bytes are read only when every whole line that came before was taken: what a client sends too fast
//! stays in the kernel's buffers and, when they are full, with the client.

use super::limits::{ServerLimits, TokenBucket};
use crate::connection::{LINE_LIMIT, WRITE_PATIENCE};
use crate::line::ClientLine;
use mio::net::TcpStream;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown};
use std::time::{Duration, Instant};

/// How much is read at a time.
const CHUNK: usize = 4 << 10;

/// How long a client may take to close a connection that the server has shut down.
const LINGER: Duration = Duration::from_secs(2);

/// How much of what a client still says is thrown away before the connection is closed.
const LINGER_BYTES: usize = 64 << 10;

/// How many lines are remembered for a crash report, and how much of each.
const RECENT: (usize, usize) = (12, 200);

/// What a connection has to offer.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum PeerInput {
    /// A whole line, and when it arrived.
    Line(String, Instant),
    /// Something was read; there may be more.
    More,
    /// Nothing before the socket is ready again.
    Nothing,
    /// Not before so long has passed: it has said too much.
    Throttled(Duration),
    /// The connection is gone.
    Gone,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    pub(super) address: IpAddr,
    pub(super) is_stranger: bool,
    /// Whether it stands in the queue of those to be served.
    pub(super) is_queued: bool,
    pub(super) lines: TokenBucket,
    bytes: TokenBucket,
    /// Since when there may be something to read.
    readable: Option<Instant>,
    input: Vec<u8>,
    /// How much of `input` was taken.
    taken: usize,
    /// When the newest bytes of `input` arrived.
    arrived: Instant,
    heard: usize,
    output: VecDeque<u8>,
    /// Since when the client takes nothing of what it is sent.
    stuck: Option<Instant>,
    /// Since when it pushes against its limits with more to come.
    pushing: Option<Instant>,
    /// Until when the other side may close the connection.
    closing: Option<Instant>,
    recent: VecDeque<String>,
}

impl Peer {
    pub(super) fn new(
        stream: TcpStream,
        address: IpAddr,
        limits: &ServerLimits,
        at: Instant,
    ) -> Self {
        Self {
            stream,
            address,
            is_stranger: true,
            is_queued: false,
            lines: TokenBucket::new(limits.lines, at),
            bytes: TokenBucket::new(limits.bytes, at),
            readable: None,
            input: Vec::new(),
            taken: 0,
            arrived: at,
            heard: 0,
            output: VecDeque::new(),
            stuck: None,
            pushing: None,
            closing: None,
            recent: VecDeque::new(),
        }
    }

    /// The socket has something to read since `at`.
    pub(super) fn readable(&mut self, at: Instant) {
        self.readable.get_or_insert(at);
    }

    /// Whether a whole line waits.
    pub(super) fn has_line(&self) -> bool {
        self.input[self.taken..].contains(&b'\n')
    }

    /// Whether another turn could bring something at once.
    pub(super) fn has_work(&self) -> bool {
        self.readable.is_some() || (self.closing.is_none() && self.has_line())
    }

    /// Does one step: takes a line that is there, or reads a little. `may_speak` says whether a
    /// line is within the limits.
    pub(super) fn step(
        &mut self,
        limits: &ServerLimits,
        at: Instant,
        may_speak: impl FnOnce(IpAddr, &mut TokenBucket) -> Result<(), Duration>,
    ) -> PeerInput {
        if self.closing.is_some() {
            return self.discard();
        }
        if self.has_line() {
            return match may_speak(self.address, &mut self.lines) {
                Ok(()) => PeerInput::Line(self.line(), self.arrived),
                Err(wait) => self.throttle(wait, limits, at),
            };
        }
        let Some(since) = self.readable else {
            self.pushing = None;
            return PeerInput::Nothing;
        };
        if !self.bytes.take(0, at) {
            let wait = self.bytes.wait(at);
            // Time that it spends waiting for its own limits is its own.
            self.readable = Some(at + wait);
            return self.throttle(wait, limits, at);
        }
        self.read(limits, since, at)
    }

    /// The first whole line, without its end.
    fn line(&mut self) -> String {
        let rest = &self.input[self.taken..];
        let length = rest.iter().position(|&byte| byte == b'\n');
        let length = length.unwrap_or(rest.len());
        let text = String::from_utf8_lossy(&rest[..length]);
        let text: String = text.trim_end_matches('\r').into();
        self.taken = (self.taken + length + 1).min(self.input.len());
        if self.taken == self.input.len() {
            self.input.clear();
            self.taken = 0;
        }
        self.remember(&text);
        text
    }

    fn remember(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.recent.len() == RECENT.0 {
            self.recent.pop_front();
        }
        // Without the password.
        let shown = ClientLine::read(text).to_string();
        self.recent
            .push_back(shown.chars().take(RECENT.1).collect());
    }

    /// What it said last, passwords hidden.
    pub(super) fn recent(&self) -> Vec<String> {
        self.recent.iter().cloned().collect()
    }

    fn throttle(&mut self, wait: Duration, limits: &ServerLimits, at: Instant) -> PeerInput {
        let since = *self.pushing.get_or_insert(at);
        // A quick player has one line to say and waits for the answer; a flood has no end.
        let lines = self.input[self.taken..].iter();
        let is_flood = lines.filter(|&&byte| byte == b'\n').count() > 1 || !self.has_line();
        match is_flood && at.saturating_duration_since(since) > limits.patience {
            true => PeerInput::Gone,
            false => PeerInput::Throttled(wait),
        }
    }

    fn read(&mut self, limits: &ServerLimits, since: Instant, at: Instant) -> PeerInput {
        if self.taken > 0 {
            self.input.drain(..self.taken);
            self.taken = 0;
        }
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(0) => PeerInput::Gone,
            Ok(length) => {
                self.bytes.take(length, at);
                self.heard = self.heard.saturating_add(length);
                self.arrived = since;
                self.readable = Some(at);
                self.input.extend_from_slice(&chunk[..length]);
                let is_endless = self.input.len() > LINE_LIMIT && !self.has_line();
                let is_rude = self.is_stranger && self.heard > limits.login_bytes;
                match is_endless || is_rude {
                    true => PeerInput::Gone,
                    false => PeerInput::More,
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.readable = None;
                self.pushing = None;
                PeerInput::Nothing
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => PeerInput::More,
            Err(_) => PeerInput::Gone,
        }
    }

    /// Sends a text as far as the system takes it; the rest goes out when it can. `false` if the
    /// client takes nothing and too much waits for it.
    pub(super) fn send(&mut self, text: &str, limits: &ServerLimits, at: Instant) -> bool {
        if self.closing.is_none() && self.output.len() + text.len() <= limits.unsent {
            self.output.extend(text.as_bytes());
            return self.flush(at);
        }
        self.closing.is_some()
    }

    /// Sends what waits, as far as the system takes it; `false` if the connection is gone.
    pub(super) fn flush(&mut self, at: Instant) -> bool {
        while !self.output.is_empty() {
            match self.stream.write(self.output.as_slices().0) {
                Ok(0) => return false,
                Ok(length) => {
                    self.output.drain(..length);
                    self.stuck = None;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.stuck.get_or_insert(at);
                    return true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
        if self.closing.is_some() {
            let _ = self.stream.shutdown(Shutdown::Write);
        }
        true
    }

    /// Closes when everything was sent. Closing while something unread comes in could destroy what
    /// was just sent, so the client is waited for a moment.
    pub(super) fn close(&mut self, at: Instant) -> bool {
        self.closing.get_or_insert(at + LINGER);
        (self.heard, self.taken) = (0, 0);
        self.input.clear();
        self.flush(at)
    }

    /// Throws away what comes in while the connection is being closed.
    fn discard(&mut self) -> PeerInput {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(length) if length > 0 && self.heard < LINGER_BYTES => {
                self.heard += length;
                PeerInput::More
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.readable = None;
                PeerInput::Nothing
            }
            _ => PeerInput::Gone,
        }
    }

    /// Whether it has pushed against its limits with more to come.
    pub(super) fn is_flooding(&self) -> bool {
        self.pushing.is_some() || (self.is_stranger && self.has_line())
    }

    /// Whether everything that was to be sent is with the system.
    pub(super) fn is_sent(&self) -> bool {
        self.output.is_empty()
    }

    /// Whether it has had its time: to close the connection, or to take what it is sent.
    pub(super) fn is_overdue(&self, at: Instant) -> bool {
        self.closing.is_some_and(|until| until <= at)
            || self.stuck.is_some_and(|since| since + WRITE_PATIENCE <= at)
    }
}
