//! A client's connection: lines in, lines out, each in one write, and empty lines that keep it
//! alive.

use socket2::{SockRef, TcpKeepalive};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use tesuji_kernels::{StopSignal, StopWake};

/// No line of the protocol is as long as this.
pub const LINE_LIMIT: usize = 16 << 10;

/// How long a write may wait for the other end.
pub(crate) const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// How many lines of a server wait to be read.
const UNREAD: usize = 256;

/// A line of a server without bytes that a terminal obeys, or that turn the order of letters: it may
/// be shown, logged and written into records. No word of the protocol has any.
fn printable(line: String) -> String {
    let is_bad = |c: char| {
        (c.is_control() && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    match line.contains(is_bad) {
        true => line.replace(is_bad, "\u{fffd}"),
        false => line,
    }
}

/// Reads lines until the stream ends, fails or `take` has enough, and says why it ended. Lines may
/// come in any pieces; their ends, LF or CRLF, are cut off.
pub fn read_lines(stream: impl Read, mut take: impl FnMut(String, Instant) -> bool) -> String {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut reader).take(LINE_LIMIT as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) => return "the other side closed the connection".into(),
            Ok(_) if line.last() != Some(&b'\n') => {
                let why = match line.len() >= LINE_LIMIT {
                    true => "a line is too long",
                    false => "the connection ended inside a line",
                };
                return why.into();
            }
            Ok(_) => {
                let now = Instant::now();
                let text = String::from_utf8_lossy(&line);
                if !take(text.trim_end_matches(['\n', '\r']).into(), now) {
                    return "nobody listens".into();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error.to_string(),
        }
    }
}

/// What a connection brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// A line, without its end.
    Line(String),
    /// Nothing in time, or something else has happened.
    Silence,
    /// The connection is gone, and why.
    Closed(String),
}

/// What wakes whoever listens to a connection.
#[derive(Debug)]
enum Inbound {
    Line(String),
    Closed(String),
    /// Something else has happened.
    Wake,
}

/// Ends a wait for lines, because something else has happened. As long as nobody has woken, one ring
/// is enough.
#[derive(Clone, Debug)]
struct ConnectionWaker {
    inbox: SyncSender<Inbound>,
    is_rung: Arc<AtomicBool>,
}

impl ConnectionWaker {
    fn wake(&self) {
        if !self.is_rung.swap(true, Ordering::AcqRel) && self.inbox.try_send(Inbound::Wake).is_err()
        {
            // Where lines wait nobody sleeps.
            self.is_rung.store(false, Ordering::Release);
        }
    }
}

/// A client's end of a connection.
#[derive(Debug)]
pub struct CsaConnection {
    stream: TcpStream,
    inbox: Receiver<Inbound>,
    waker: ConnectionWaker,
    keep_alive: Option<Duration>,
    last_sent: Instant,
    _stop_wake: StopWake,
}

impl CsaConnection {
    /// Takes a connection over; `keep_alive` is how long it may be silent, and `stop` ends a wait.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new(
        stream: TcpStream,
        keep_alive: Option<Duration>,
        stop: &StopSignal,
    ) -> io::Result<Self> {
        prepare(&stream)?;
        let reader = stream.try_clone()?;
        // A server that says more than is read has to wait.
        let (sender, inbox) = mpsc::sync_channel(UNREAD);
        let waker = ConnectionWaker {
            inbox: sender.clone(),
            is_rung: Arc::default(),
        };
        let listen = move || {
            let why = read_lines(reader, |line, _| {
                sender.send(Inbound::Line(printable(line))).is_ok()
            });
            let _ = sender.send(Inbound::Closed(why));
        };
        std::thread::Builder::new()
            .name("wire".into())
            .spawn(listen)?;
        let stopped = waker.clone();
        Ok(Self {
            stream,
            inbox,
            waker,
            keep_alive,
            last_sent: Instant::now(),
            _stop_wake: stop.wake_with(move || stopped.wake()),
        })
    }

    /// Sends a line with its end, in one write: there are servers that lose moves otherwise.
    ///
    /// # Errors
    /// If the connection is gone.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        self.last_sent = Instant::now();
        self.stream.write_all(format!("{line}\n").as_bytes())
    }

    /// What ends a wait for lines from another thread: the wait hears silence then.
    pub fn waker(&self) -> impl Fn() + Send + 'static + use<> {
        let waker = self.waker.clone();
        move || waker.wake()
    }

    /// Waits for a line; while it waits it keeps the connection alive.
    pub fn hear(&mut self, until: Instant) -> Received {
        loop {
            let beat = self.keep_alive.map(|pause| self.last_sent + pause);
            let wake = beat.map_or(until, |beat| beat.min(until));
            let wait = wake.saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(wait) {
                Ok(Inbound::Line(line)) => return Received::Line(line),
                Ok(Inbound::Closed(why)) => return Received::Closed(why),
                Ok(Inbound::Wake) => {
                    self.waker.is_rung.store(false, Ordering::Release);
                    return Received::Silence;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Received::Closed("it is gone".into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if beat.is_some_and(|beat| beat <= now)
                && let Err(error) = self.say("")
            {
                return Received::Closed(error.to_string());
            }
            if until <= now {
                return Received::Silence;
            }
        }
    }
}

impl Drop for CsaConnection {
    fn drop(&mut self) {
        // Wakes the listener, which holds the other half.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Sends small lines at once, and notices if the other machine is gone.
fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    notice_loss(&SockRef::from(stream))
}

/// Lets the system ask now and then whether the other machine is still there.
pub(crate) fn notice_loss(socket: &SockRef<'_>) -> io::Result<()> {
    let probes = TcpKeepalive::new()
        .with_time(Duration::from_secs(60))
        .with_interval(Duration::from_secs(15));
    socket.set_tcp_keepalive(&probes)
}
