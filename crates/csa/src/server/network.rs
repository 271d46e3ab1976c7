//! The server on the network: one thread serves all connections in turn, another one writes files.

use super::ratings::Ratings;
use super::record_writer::{EventObserver, RecordWriter, ServerFiles};
use super::results::ResultLine;
use super::service::Service;
use super::{ServerConfig, ServerEvent};
use crate::archive::Archive;
use mio::{Events, Interest, Poll, Token, Waker};
use socket2::SockRef;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tesuji_kernels::StopSignal;

/// A wait so short is none: what is there was there before.
const NO_WAIT: Duration = Duration::from_millis(1);

/// How long what is still to be sent may take when the server ends.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How much of one client waits in the system.
const RECEIVE_BUFFER: usize = 64 << 10;

/// The socket that connections come from; connections have smaller numbers.
const LISTENER: Token = Token(usize::MAX);

/// What wakes the server when it is to stop.
const STOP: Token = Token(usize::MAX - 1);

/// A server that is bound to its address.
pub struct Server {
    listener: TcpListener,
    config: ServerConfig,
    files: ServerFiles,
    ratings: Option<Ratings>,
    observer: EventObserver,
}

impl Server {
    /// Binds to an address; nothing is accepted before [`Server::run`].
    ///
    /// # Errors
    /// If the address is taken or not ours.
    pub fn bind(address: impl ToSocketAddrs, config: ServerConfig) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address)?,
            config,
            files: ServerFiles::default(),
            ratings: None,
            observer: Box::new(|_| {}),
        })
    }

    /// Keeps records, and the list of results in `results.tsv` beside them.
    #[must_use]
    pub fn keeping(mut self, archive: Archive, folder: &Path) -> Self {
        self.files.archive = Some(archive);
        self.files.results = Some(folder.join("results.tsv"));
        self
    }

    /// Goes on with these ratings and keeps them in a file.
    #[must_use]
    pub fn rating(mut self, ratings: Ratings, path: PathBuf) -> Self {
        self.ratings = Some(ratings);
        self.files.ratings = Some(path);
        self
    }

    /// Tells somebody of what goes wrong while the games go on.
    #[must_use]
    pub fn with_observer(mut self, observer: impl FnMut(&ServerEvent) + Send + 'static) -> Self {
        self.observer = Box::new(observer);
        self
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` says so or `hear`, which is told every result, has enough. Games that are
    /// being played then are left as they are, their records kept.
    ///
    /// # Errors
    /// If the system refuses to serve, or if something could not be written until the end.
    pub fn run(
        self,
        stop: &StopSignal,
        mut hear: impl FnMut(&ResultLine) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        // What the system keeps for a client that is not listened to is bounded as well.
        SockRef::from(&self.listener).set_recv_buffer_size(RECEIVE_BUFFER)?;
        let mut listener = mio::net::TcpListener::from_std(self.listener);
        let mut poll = Poll::new()?;
        let registry = poll.registry().try_clone()?;
        registry.register(&mut listener, LISTENER, Interest::READABLE)?;
        let waker = Waker::new(&registry, STOP)?;
        let _stop_wake = stop.wake_with(move || drop(waker.wake()));
        let observer = Arc::new(Mutex::new(self.observer));
        let archive = self.files.archive.clone();
        let writer = RecordWriter::start(self.files, Arc::clone(&observer))?;
        let mut service = Service::new(self.config, (listener, registry), writer, observer);
        (service.archive, service.ratings) = (archive, self.ratings);
        let mut events = Events::with_capacity(1024);
        let mut round = Instant::now();
        while !stop.is_stopped() {
            let before = Instant::now();
            match poll.poll(&mut events, service.idle_time(before)) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            let now = Instant::now();
            // What is there at once came while others were served: nobody pays for that.
            let arrived = match now.saturating_duration_since(before) < NO_WAIT {
                true => round,
                false => now,
            };
            round = now;
            for event in &events {
                match event.token() {
                    LISTENER => service.is_accepting = true,
                    STOP => {}
                    Token(id) => service.wake(id as u64, event, arrived),
                }
            }
            service.serve_round();
            let mut results = service.results.drain(..);
            if results.any(|result| hear(&result).is_break()) {
                break;
            }
        }
        service.end((&mut poll, &mut events), Instant::now() + LAST_WORDS)
    }
}
