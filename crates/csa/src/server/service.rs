//! Serves connections in turn: each that has something to say gets one step, then the next one.
//!
//! That each gets one step in turn is round robin (Nagle, RFC 970, 1985).
//!
//! Nothing here waits for a client, a disk or a clock. A panic in a step ends the connection or the
//! game that the step was about, and nothing else.

use super::limits::AddressBook;
use super::lobby::{Lobby, LobbyAction};
use super::peer::{Peer, PeerInput};
use super::ratings::Ratings;
use super::record_writer::{EventObserver, RecordWriter};
use super::results::ResultLine;
use super::{ConnectionId, CrashReport, ServerConfig, ServerEvent, ServerLimits};
use crate::archive::Archive;
use crate::connection::notice_loss;
use mio::event::Event;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Registry, Token};
use socket2::SockRef;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How much later than its time a flag falls: a line may still be on its way through the system.
/// Lines count from the moment they arrived, so nobody gains by that.
const GRACE: Duration = Duration::from_millis(30);

/// How many connections are accepted in a round.
const ACCEPTED: usize = 32;

/// How long nothing is accepted after the system has refused to.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// How often connections are looked at that do nothing, while there are any.
const SWEEP: Duration = Duration::from_millis(200);

/// Everything that the thread of the server owns.
pub(super) struct Service {
    lobby: Lobby,
    listener: TcpListener,
    registry: Registry,
    peers: HashMap<ConnectionId, Peer>,
    /// Whose turn it is, in order.
    queue: VecDeque<ConnectionId>,
    /// Who has to wait, and until when.
    throttled: Vec<(Instant, ConnectionId)>,
    addresses: AddressBook,
    limits: ServerLimits,
    next: ConnectionId,
    pub(super) is_accepting: bool,
    accept_after: Instant,
    next_sweep: Instant,
    writer: RecordWriter,
    observer: Arc<Mutex<EventObserver>>,
    pub(super) archive: Option<Archive>,
    files: HashMap<String, PathBuf>,
    pub(super) ratings: Option<Ratings>,
    /// Games that have ended since the last round.
    pub(super) results: Vec<ResultLine>,
}

impl Service {
    pub(super) fn new(
        config: ServerConfig,
        (listener, registry): (TcpListener, Registry),
        writer: RecordWriter,
        observer: Arc<Mutex<EventObserver>>,
    ) -> Self {
        let now = Instant::now();
        let limits = config.limits;
        Self {
            lobby: Lobby::new(config, now, SystemTime::now()),
            listener,
            registry,
            peers: HashMap::new(),
            queue: VecDeque::new(),
            throttled: Vec::new(),
            addresses: AddressBook::new(limits),
            limits,
            next: 0,
            is_accepting: false,
            accept_after: now,
            next_sweep: now,
            writer,
            observer,
            archive: None,
            files: HashMap::new(),
            ratings: None,
            results: Vec::new(),
        }
    }

    /// How long there is nothing to do unless somebody speaks; `None` if nothing else can happen.
    pub(super) fn idle_time(&self, now: Instant) -> Option<Duration> {
        if !self.queue.is_empty() || (self.is_accepting && self.accept_after <= now) {
            return Some(Duration::ZERO);
        }
        let throttled = self.throttled.iter().map(|&(until, _)| until).min();
        let tick = self.lobby.deadline().map(|due| due + GRACE);
        let accept = self.is_accepting.then_some(self.accept_after);
        let sweep = Some(self.next_sweep).filter(|_| !self.peers.is_empty());
        let wakes = [sweep, throttled, tick, accept];
        let first = wakes.into_iter().flatten().min();
        first.map(|first| first.saturating_duration_since(now))
    }

    /// A socket is ready, since `at` at the latest.
    pub(super) fn wake(&mut self, id: ConnectionId, event: &Event, at: Instant) {
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            peer.readable(at);
            if !peer.is_queued {
                peer.is_queued = true;
                self.queue.push_back(id);
            }
        }
        if event.is_writable() && !peer.flush(at) {
            self.drop_peer(id);
        }
    }

    /// Gives everybody who waits one turn, then lets the clocks run.
    pub(super) fn serve_round(&mut self) {
        let now = Instant::now();
        self.accept(now);
        let queue = &mut self.queue;
        self.throttled.retain(|&(until, id)| {
            if until <= now {
                queue.push_back(id);
            }
            until > now
        });
        for _ in 0..self.queue.len() {
            if let Some(id) = self.queue.pop_front() {
                self.guard(Some(id), |service| service.step(id));
                self.act();
            }
        }
        if let Some(due) = Instant::now().checked_sub(GRACE)
            && self
                .lobby
                .deadline()
                .is_some_and(|deadline| deadline <= due)
        {
            self.guard(None, |service| service.lobby.tick(due));
            self.act();
        }
        if self.next_sweep <= now {
            self.next_sweep = now + SWEEP;
            self.sweep(now);
        }
    }

    fn accept(&mut self, now: Instant) {
        if !self.is_accepting || now < self.accept_after {
            return;
        }
        for _ in 0..ACCEPTED {
            match self.listener.accept() {
                Ok((stream, address)) => self.welcome(stream, address.ip(), now),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.is_accepting = false;
                    return;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    // Too many open files is a state that passes; a pause keeps the machine usable.
                    self.accept_after = now + ACCEPT_PAUSE;
                    return;
                }
            }
        }
    }

    fn welcome(&mut self, mut stream: TcpStream, address: IpAddr, now: Instant) {
        let id = self.next;
        let Ok(token) = usize::try_from(id) else {
            return;
        };
        let interest = Interest::READABLE | Interest::WRITABLE;
        let is_ready = stream.set_nodelay(true).is_ok()
            && notice_loss(&SockRef::from(&stream)).is_ok()
            && self.addresses.enter(address, now);
        if !is_ready {
            return;
        }
        let registered = self.registry.register(&mut stream, Token(token), interest);
        if registered.is_err() {
            self.addresses.leave(address, true);
            return;
        }
        self.next += 1;
        let peer = Peer::new(stream, address, &self.limits, now);
        self.peers.insert(id, peer);
        self.lobby.connect(id, now);
    }

    /// One step of one connection.
    fn step(&mut self, id: ConnectionId) {
        let now = Instant::now();
        let Some(peer) = self.peers.get_mut(&id) else {
            return;
        };
        peer.is_queued = false;
        let addresses = &mut self.addresses;
        let may_speak = |address, lines: &mut _| addresses.take_line(address, lines, now);
        match peer.step(&self.limits, now, may_speak) {
            PeerInput::Line(line, at) => {
                self.lobby.hear(id, &line, at);
                self.note_login(id);
            }
            PeerInput::More | PeerInput::Nothing => {}
            PeerInput::Throttled(wait) => {
                peer.is_queued = true;
                self.throttled.push((now + wait, id));
                return;
            }
            PeerInput::Gone => {
                if peer.is_flooding() {
                    let address = peer.address.to_string();
                    self.tell(&ServerEvent::Flood(address));
                }
                self.drop_peer(id);
                return;
            }
        }
        if let Some(peer) = self.peers.get_mut(&id)
            && peer.has_work()
        {
            peer.is_queued = true;
            self.queue.push_back(id);
        }
    }

    fn note_login(&mut self, id: ConnectionId) {
        if let Some(peer) = self.peers.get_mut(&id)
            && peer.is_stranger
            && self.lobby.is_logged_in(id)
        {
            peer.is_stranger = false;
            self.addresses.log_in(peer.address);
        }
    }

    /// A connection is gone, or is to be.
    fn drop_peer(&mut self, id: ConnectionId) {
        if let Some(mut peer) = self.peers.remove(&id) {
            let _ = self.registry.deregister(&mut peer.stream);
            self.addresses.leave(peer.address, peer.is_stranger);
            self.guard(Some(id), |service| {
                service.lobby.disconnect(id, Instant::now());
            });
        }
    }

    /// Does what the lobby asks for, and what follows from that.
    fn act(&mut self) {
        loop {
            let actions = self.lobby.actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                self.do_action(action);
            }
        }
    }

    fn do_action(&mut self, action: LobbyAction) {
        let now = Instant::now();
        match action {
            LobbyAction::Send(id, text) => {
                let Some(peer) = self.peers.get_mut(&id) else {
                    return;
                };
                match peer.send(&text, &self.limits, now) {
                    // What the system has not taken yet waits for the client, not for us.
                    true => self.lobby.delivered(id, Instant::now()),
                    false => self.drop_peer(id),
                }
            }
            LobbyAction::Close(id) => {
                let is_open = self.peers.get_mut(&id).map(|peer| peer.close(now));
                if is_open == Some(false) {
                    self.drop_peer(id);
                }
            }
            LobbyAction::Save(id, game) => {
                if let Some(archive) = &self.archive {
                    let path = self.files.entry(id);
                    let path = path.or_insert_with_key(|id| archive.place(id));
                    self.writer.record(path, game);
                }
            }
            LobbyAction::Result(mut result) => {
                if let Some(path) = self.files.remove(&result.id) {
                    let name = path.file_name().unwrap_or_default();
                    result.record = name.to_string_lossy().into_owned();
                }
                self.writer.result(&result);
                if let Some(ratings) = &mut self.ratings {
                    ratings.add(&result);
                    self.writer.ratings(ratings.write());
                }
                self.results.push(result);
            }
        }
    }

    /// Sends away who has had its time.
    fn sweep(&mut self, now: Instant) {
        let overdue = self.peers.iter().filter(|(_, peer)| peer.is_overdue(now));
        let overdue: Vec<_> = overdue.map(|(&id, _)| id).collect();
        for id in overdue {
            self.drop_peer(id);
        }
        self.act();
        self.addresses.tidy(now);
    }

    /// Does something; if it panics, the game it was about and the connection that spoke end.
    fn guard(&mut self, speaker: Option<ConnectionId>, work: impl FnOnce(&mut Self)) {
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(self))) else {
            return;
        };
        let lobby = &mut self.lobby;
        let abandoned = catch_unwind(AssertUnwindSafe(|| lobby.abandon(speaker, Instant::now())));
        let peer = speaker.and_then(|id| self.peers.get(&id));
        let report = CrashReport {
            what: message(panic.as_ref()),
            game: abandoned.ok().flatten(),
            address: peer.map(|peer| peer.address.to_string()),
            lines: peer.map(Peer::recent).unwrap_or_default(),
        };
        self.tell(&ServerEvent::Crash(report));
    }

    fn tell(&self, event: &ServerEvent) {
        let observer = self.observer.lock();
        let mut observer = observer.unwrap_or_else(PoisonError::into_inner);
        observer(event);
    }

    /// Sends what is left to send and writes what is left to write.
    pub(super) fn end(
        mut self,
        (poll, events): (&mut Poll, &mut Events),
        until: Instant,
    ) -> io::Result<()> {
        loop {
            let now = Instant::now();
            self.peers
                .retain(|_, peer| peer.flush(now) && !peer.is_sent());
            if self.peers.is_empty() || now >= until {
                return self.writer.finish();
            }
            // Until somebody takes more; a wait that fails is no wait, and time ends all of them.
            let _ = poll.poll(events, Some(until.saturating_duration_since(now)));
        }
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without words".into())
}
