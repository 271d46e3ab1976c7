//! The network around the hall: a thread that listens for each guest, one that speaks to it, one
//! that writes records.

use super::House;
use super::hall::{Action, GuestId, Hall};
use super::results::ResultLine;
use crate::archive::Archive;
use crate::wire::{prepare, read_lines};
use std::collections::HashMap;
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

/// How much later than a flag the clock is looked at: a line may be on its way through the threads.
/// It counts from the moment it came, so nobody gains by that.
const GRACE: Duration = Duration::from_millis(30);

/// How long the server sleeps at most.
const NAP: Duration = Duration::from_millis(200);

/// How long a guest that was told good-bye may take to leave.
const PARTING: Duration = Duration::from_secs(2);

/// How many may be connected at once.
const CROWD: usize = 2000;

enum Event {
    Came(GuestId, TcpStream),
    Line(GuestId, String, Instant),
    Gone(GuestId, Instant),
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    house: House,
    archive: Option<Archive>,
    list: Option<PathBuf>,
}

impl Server {
    /// Binds to an address; nothing is accepted before [`Server::run`].
    ///
    /// # Errors
    /// If the address is taken or not ours.
    pub fn bind(address: impl ToSocketAddrs, house: House) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address)?,
            house,
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
        let door = {
            let (listener, over) = (self.listener.try_clone()?, Arc::clone(&over));
            std::thread::Builder::new()
                .name("door".into())
                .spawn(move || open_door(&listener, &events, &over))?
        };
        let (records, to_keep) = mpsc::channel();
        let archive = self.archive.clone();
        let keeper = std::thread::Builder::new()
            .name("keeper".into())
            .spawn(move || keep(archive.as_ref(), &to_keep))?;
        let mut desk = Desk {
            hall: Hall::new(self.house.clone(), Instant::now(), SystemTime::now()),
            voices: HashMap::new(),
            records,
            archive: self.archive.clone(),
            files: HashMap::new(),
            list: self.list.clone(),
            speaking: Arc::new(()),
        };
        let mut outcome = Ok(());
        while !stop.load(Ordering::Relaxed) && outcome.is_ok() && !keeper.is_finished() {
            desk.wait(&heard);
            match desk.act(&mut hear) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(error) => outcome = Err(error),
            }
        }
        over.store(true, Ordering::Relaxed);
        let speaking = Arc::clone(&desk.speaking);
        drop(desk);
        // The last words are said before the program may end.
        let until = Instant::now() + PARTING;
        while Arc::strong_count(&speaking) > 1 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Whoever waits at the door wakes up.
        let _ = TcpStream::connect_timeout(&address, NAP);
        let _ = door.join();
        outcome.and(keeper.join().unwrap_or(Ok(())))
    }
}

fn open_door(listener: &TcpListener, events: &Sender<Event>, over: &AtomicBool) {
    let mut next = 0;
    for stream in listener.incoming() {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files pass; a short rest keeps the machine usable.
            std::thread::sleep(NAP);
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
            .name("guest".into())
            .spawn(listen);
    }
}

/// Writes records, the newest state of each.
fn keep(archive: Option<&Archive>, records: &Receiver<(PathBuf, Box<Game>)>) -> io::Result<()> {
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

struct Desk {
    hall: Hall,
    voices: HashMap<GuestId, Sender<String>>,
    records: Sender<(PathBuf, Box<Game>)>,
    archive: Option<Archive>,
    files: HashMap<String, PathBuf>,
    list: Option<PathBuf>,
    /// Held by whoever has still something to say.
    speaking: Arc<()>,
}

impl Desk {
    /// Waits for something to happen and tells the hall.
    fn wait(&mut self, heard: &Receiver<Event>) {
        let now = Instant::now();
        let due = self.hall.deadline().map_or(now + NAP, |due| due + GRACE);
        let wait = due.saturating_duration_since(now).min(NAP);
        let first = heard.recv_timeout(wait).ok();
        let now = Instant::now();
        // What has come counts before the clock is looked at.
        for event in first.into_iter().chain(heard.try_iter()) {
            self.take(event);
        }
        if let Some(now) = now.checked_sub(GRACE) {
            self.hall.tick(now);
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Came(id, stream) if self.voices.len() < CROWD => {
                let (voice, lines) = mpsc::channel::<String>();
                let speaking = Arc::clone(&self.speaking);
                let speak = move || speak(stream, &lines, speaking);
                let spoken = std::thread::Builder::new()
                    .name("voice".into())
                    .spawn(speak);
                if spoken.is_ok() {
                    self.voices.insert(id, voice);
                    self.hall.come(id, Instant::now());
                }
            }
            Event::Came(_, stream) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
            Event::Line(id, line, at) => self.hall.hear(id, &line, at),
            Event::Gone(id, at) => {
                self.hall.lose(id, at);
                self.voices.remove(&id);
            }
        }
    }

    /// Does what the hall wants.
    fn act(
        &mut self,
        hear: &mut impl FnMut(&ResultLine) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut enough = ControlFlow::Continue(());
        for action in self.hall.actions() {
            match action {
                Action::Say(id, text) => {
                    if let Some(voice) = self.voices.get(&id) {
                        // A guest that is gone is noticed by its listener.
                        let _ = voice.send(text);
                    }
                }
                Action::Close(id) => {
                    self.voices.remove(&id);
                }
                Action::Save(id, game) => {
                    if let Some(archive) = &self.archive {
                        let path = self.files.entry(id);
                        let path = path.or_insert_with_key(|id| archive.place(id));
                        let _ = self.records.send((path.clone(), game));
                    }
                }
                Action::Result(mut result) => {
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

/// Says what is to be said, then closes the connection.
fn speak(mut stream: TcpStream, lines: &Receiver<String>, speaking: Arc<()>) {
    while let Ok(line) = lines.recv() {
        if stream.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    // Closing while something unread comes in could destroy what was just said.
    let _ = stream.shutdown(Shutdown::Write);
    drop(speaking);
    std::thread::sleep(PARTING);
    let _ = stream.shutdown(Shutdown::Both);
}
