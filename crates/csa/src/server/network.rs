//! The network around the lobby: each connection has a thread that reads and one that writes; one
//! more thread writes records.

use super::lobby::{Lobby, LobbyAction};
use super::results::ResultLine;
use super::{ConnectionId, ServerConfig};
use crate::archive::Archive;
use crate::connection::{prepare, read_lines};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant, SystemTime};
use tesuji_record::Game;

/// How much later than its time a flag falls: a line may still be on its way through the threads.
/// Lines count from the moment they were read, so nobody gains by that.
const GRACE: Duration = Duration::from_millis(30);

/// How often the server looks whether it is to stop.
const POLL_STOP: Duration = Duration::from_millis(200);

/// How long a client may take to close a connection that the server has shut down.
const LINGER: Duration = Duration::from_secs(2);

/// How many may be connected at once.
const MAX_CONNECTIONS: usize = 2000;

enum Event {
    Came(ConnectionId, TcpStream),
    Line(ConnectionId, String, Instant),
    Gone(ConnectionId, Instant),
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    config: ServerConfig,
    archive: Option<Archive>,
    list: Option<PathBuf>,
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
            archive: None,
            list: None,
        })
    }

    /// Keeps records, and the list of results in `results.tsv` beside them.
    #[must_use]
    pub fn keeping(mut self, archive: Archive, folder: &Path) -> Self {
        self.archive = Some(archive);
        self.list = Some(folder.join("results.tsv"));
        self
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is set or `hear`, which is told every result, has enough. Games that are
    /// being played then are left as they are, their records kept.
    ///
    /// # Errors
    /// If threads cannot be started, or a record cannot be kept.
    pub fn run(
        self,
        stop: &AtomicBool,
        mut hear: impl FnMut(&ResultLine) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let address = self.address()?;
        let (events, heard) = mpsc::channel();
        let over = Arc::new(AtomicBool::new(false));
        let acceptor = {
            let (listener, over) = (self.listener.try_clone()?, Arc::clone(&over));
            std::thread::Builder::new()
                .name("accept".into())
                .spawn(move || accept(&listener, &events, &over))?
        };
        let (records, to_write) = mpsc::channel();
        let archive = self.archive.clone();
        let record_writer = std::thread::Builder::new()
            .name("records".into())
            .spawn(move || write_records(archive.as_ref(), &to_write))?;
        let (sending, all_sent) = mpsc::channel();
        let mut server_loop = ServerLoop {
            lobby: Lobby::new(self.config.clone(), Instant::now(), SystemTime::now()),
            writers: HashMap::new(),
            records,
            archive: self.archive.clone(),
            files: HashMap::new(),
            list: self.list.clone(),
            sending,
        };
        let mut outcome = Ok(());
        while !stop.load(Ordering::Relaxed) && outcome.is_ok() && !record_writer.is_finished() {
            server_loop.wait(&heard);
            match server_loop.act(&mut hear) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(error) => outcome = Err(error),
            }
        }
        over.store(true, Ordering::Relaxed);
        drop(server_loop);
        // What is still to be sent goes out before the program may end.
        let _ = all_sent.recv_timeout(LINGER);
        // The thread that accepts connections wakes up.
        let _ = TcpStream::connect_timeout(&address, POLL_STOP);
        let _ = acceptor.join();
        outcome.and(record_writer.join().unwrap_or(Ok(())))
    }
}

fn accept(listener: &TcpListener, events: &Sender<Event>, over: &AtomicBool) {
    let mut next = 0;
    for stream in listener.incoming() {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files is a state that passes; a pause keeps the machine usable.
            std::thread::sleep(POLL_STOP);
            continue;
        };
        let id = next;
        next += 1;
        let Ok(reader) = stream.try_clone() else {
            continue;
        };
        if prepare(&stream).is_err() || events.send(Event::Came(id, stream)).is_err() {
            continue;
        }
        let events = events.clone();
        let listen = move || {
            read_lines(reader, |line, at| {
                events.send(Event::Line(id, line, at)).is_ok()
            });
            let _ = events.send(Event::Gone(id, Instant::now()));
        };
        let _ = std::thread::Builder::new()
            .name("connection".into())
            .spawn(listen);
    }
}

/// Writes records, the newest state of each.
fn write_records(
    archive: Option<&Archive>,
    records: &Receiver<(PathBuf, Box<Game>)>,
) -> io::Result<()> {
    while let Ok((path, game)) = records.recv() {
        let mut newest = HashMap::from([(path, game)]);
        while let Ok((path, game)) = records.try_recv() {
            newest.insert(path, game);
        }
        for (path, game) in newest {
            if let Some(archive) = archive {
                archive.save(&path, &game)?;
            }
        }
    }
    Ok(())
}

struct ServerLoop {
    lobby: Lobby,
    writers: HashMap<ConnectionId, Sender<String>>,
    records: Sender<(PathBuf, Box<Game>)>,
    archive: Option<Archive>,
    files: HashMap<String, PathBuf>,
    list: Option<PathBuf>,
    /// Cloned for every thread that writes, and dropped when it has nothing more to send.
    sending: Sender<Infallible>,
}

impl ServerLoop {
    /// Waits for an event or a deadline and tells the lobby.
    fn wait(&mut self, heard: &Receiver<Event>) {
        let now = Instant::now();
        let due = self
            .lobby
            .deadline()
            .map_or(now + POLL_STOP, |due| due + GRACE);
        let wait = due.saturating_duration_since(now).min(POLL_STOP);
        let first = heard.recv_timeout(wait).ok();
        let now = Instant::now();
        // Lines that were read count before flags fall.
        for event in first.into_iter().chain(heard.try_iter()) {
            self.take(event);
        }
        if let Some(now) = now.checked_sub(GRACE) {
            self.lobby.tick(now);
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Came(id, stream) if self.writers.len() < MAX_CONNECTIONS => {
                let (writer, lines) = mpsc::channel::<String>();
                let sending = self.sending.clone();
                let write = move || write_lines(stream, &lines, sending);
                let spawned = std::thread::Builder::new()
                    .name("write".into())
                    .spawn(write);
                if spawned.is_ok() {
                    self.writers.insert(id, writer);
                    self.lobby.connect(id, Instant::now());
                }
            }
            Event::Came(_, stream) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
            Event::Line(id, line, at) => self.lobby.hear(id, &line, at),
            Event::Gone(id, at) => {
                self.lobby.disconnect(id, at);
                self.writers.remove(&id);
            }
        }
    }

    /// Does what the lobby asks for.
    fn act(
        &mut self,
        hear: &mut impl FnMut(&ResultLine) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut enough = ControlFlow::Continue(());
        for action in self.lobby.actions() {
            match action {
                LobbyAction::Send(id, text) => {
                    if let Some(writer) = self.writers.get(&id) {
                        // The reading thread notices a lost connection.
                        let _ = writer.send(text);
                    }
                }
                LobbyAction::Close(id) => {
                    self.writers.remove(&id);
                }
                LobbyAction::Save(id, game) => {
                    if let Some(archive) = &self.archive {
                        let path = self.files.entry(id);
                        let path = path.or_insert_with_key(|id| archive.place(id));
                        let _ = self.records.send((path.clone(), game));
                    }
                }
                LobbyAction::Result(mut result) => {
                    if let Some(path) = self.files.remove(&result.id) {
                        let name = path.file_name().unwrap_or_default();
                        result.record = name.to_string_lossy().into_owned();
                    }
                    self.append(&result)?;
                    if enough.is_continue() {
                        enough = hear(&result);
                    }
                }
            }
        }
        Ok(enough)
    }

    fn append(&self, result: &ResultLine) -> io::Result<()> {
        let Some(path) = &self.list else {
            return Ok(());
        };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let heading = match file.metadata()?.len() {
            0 => format!("{}\n", ResultLine::COLUMNS),
            _ => String::new(),
        };
        // One write, so that a line is there or is not.
        file.write_all(format!("{heading}{result}\n").as_bytes())
    }
}

/// Sends lines until there are no more, then closes the connection.
fn write_lines(mut stream: TcpStream, lines: &Receiver<String>, sending: Sender<Infallible>) {
    while let Ok(line) = lines.recv() {
        if stream.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    // Closing while something unread comes in could destroy what was just sent.
    let _ = stream.shutdown(Shutdown::Write);
    drop(sending);
    std::thread::sleep(LINGER);
    let _ = stream.shutdown(Shutdown::Both);
}
