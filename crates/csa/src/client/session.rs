//! From the first connection to the last game: login, wait, agree, play, come back.

use super::engine::{ClientEngine, GameConditions};
use super::game::{ClientContext, ClientGame, CsaGameReport};
use super::settings::{AfterGame, ClientSettings};
use super::{ClientEvent, ClientObserver};
use crate::archive::Archive;
use crate::connection::{CsaConnection, Received};
use crate::game_summary::{GameSummary, GameSummaryReader};
use crate::line::{ClientLine, ServerLine};
use crate::times::FOREVER;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tesuji_kernels::{Backoff, StopSignal};
use tesuji_usi::process::ProcessError;

/// How long a connection may take to come about.
const CONNECT_PATIENCE: Duration = Duration::from_secs(15);
/// How long a server may take to show a game that goes on after a lost connection.
const RETURN_PATIENCE: Duration = Duration::from_secs(10);
/// How often a server may say that it does not know us before we believe it: one that has not
/// noticed the end of an earlier connection says so for a while.
const REFUSALS: u32 = 5;

/// Why a client gave up.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server does not know us.
    #[error("{host} refuses the login of {name}: check server.name and the password")]
    Refused {
        /// Which server.
        host: String,
        /// Who.
        name: String,
    },
    /// It was tried often enough.
    #[error("{host}:{port}: {why}")]
    Unreachable {
        /// Which server.
        host: String,
        /// Where.
        port: u16,
        /// What was wrong the last time.
        why: String,
    },
    /// The engine cannot play.
    #[error("the engine cannot play: {0}")]
    Engine(#[from] ProcessError),
    /// Records cannot be kept.
    #[error("{0}: the folder for records cannot be made: {1}")]
    Folder(String, io::Error),
}

/// Why a connection ended before its time.
enum SessionError {
    /// Another try may help.
    Lost(String),
    /// The server says no.
    Refused,
    /// Nothing helps.
    Fatal(ClientError),
}

impl From<io::Error> for SessionError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

/// A client with its engine.
pub struct Client<'a> {
    settings: &'a ClientSettings,
    engine: &'a mut dyn ClientEngine,
    archive: Archive,
    stop: &'a StopSignal,
    played: u32,
    /// A game that the connection was lost in, and that the server may let us go on with.
    interrupted: Option<CsaGameReport>,
}

impl<'a> Client<'a> {
    /// A client that has not connected yet. It ends between two games when `stop` says so.
    ///
    /// # Errors
    /// If there is no room for records.
    pub fn new(
        settings: &'a ClientSettings,
        engine: &'a mut dyn ClientEngine,
        stop: &'a StopSignal,
    ) -> Result<Self, ClientError> {
        let records = &settings.records;
        let folder = |error| ClientError::Folder(records.folder.display().to_string(), error);
        let archive = Archive::open(&records.folder, &records.format).map_err(folder)?;
        let unknown = || folder(io::Error::other("the format of records is unknown"));
        Ok(Self {
            settings,
            engine,
            archive: archive.ok_or_else(unknown)?,
            stop,
            played: 0,
            interrupted: None,
        })
    }

    /// Plays the games that were asked for and tells `observer` everything.
    ///
    /// # Errors
    /// If the server refuses, cannot be reached often enough, or the engine cannot play.
    pub fn run(&mut self, observer: ClientObserver<'_>) -> Result<(), ClientError> {
        let outcome = self.run_sessions(observer);
        if let Some(before) = self.interrupted.take() {
            self.count(&before, observer);
        }
        outcome
    }

    /// A game is over.
    fn count(&mut self, played: &CsaGameReport, observer: ClientObserver<'_>) {
        self.played += 1;
        observer(ClientEvent::GameOver(played));
    }

    fn run_sessions(&mut self, observer: ClientObserver<'_>) -> Result<(), ClientError> {
        let server = &self.settings.server;
        let [first, most] = [server.retry, server.retry_most].map(Duration::from_secs_f64);
        let mut backoff = Backoff::new(first, most);
        let mut refusals = 0;
        while !self.is_done() {
            let before = self.played;
            let outcome = self.run_session(observer);
            if self.played > before {
                backoff.reset();
                refusals = 0;
            }
            let why = match outcome {
                Ok(()) => continue,
                Err(SessionError::Fatal(error)) => return Err(error),
                Err(SessionError::Lost(why)) => why,
                Err(SessionError::Refused) => {
                    refusals += 1;
                    if refusals >= REFUSALS {
                        return Err(ClientError::Refused {
                            host: server.host.clone(),
                            name: server.name.clone(),
                        });
                    }
                    "the login was refused".into()
                }
            };
            let pause = backoff.pause();
            if server.tries > 0 && backoff.tries() >= server.tries {
                return Err(ClientError::Unreachable {
                    host: server.host.clone(),
                    port: server.port,
                    why,
                });
            }
            observer(ClientEvent::ConnectionLost(&why, pause));
            self.stop.sleep(pause);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        let games = self.settings.play.games;
        self.stop.is_stopped() || (games > 0 && self.played >= games)
    }

    /// One connection: everything that is played on it.
    fn run_session(&mut self, observer: ClientObserver<'_>) -> Result<(), SessionError> {
        let server = &self.settings.server;
        let stream = connect(&server.host, server.port)?;
        let mut connection = CsaConnection::new(stream, server.keep_alive(), self.stop)?;
        self.login(&mut connection, observer)?;
        while !self.is_done() {
            let offered = self.next_offer(&mut connection, observer)?;
            let Some((summary, path)) = offered.filter(|_| !self.is_done()) else {
                continue;
            };
            let conditions = self.conditions(&summary);
            if !self.agree(&mut connection, observer, &summary, &conditions)? {
                continue;
            }
            let context = ClientContext {
                connection: &mut connection,
                engine: &mut *self.engine,
                observer: &mut *observer,
                settings: self.settings,
                archive: &self.archive,
            };
            let played = ClientGame::new(context, summary, conditions, path).play();
            self.finish(&played, observer)?;
            if played.is_disconnected || self.settings.play.after == AfterGame::Logout {
                break;
            }
        }
        let _ = say(&mut connection, observer, &ClientLine::Logout);
        Ok(())
    }

    /// What the server offers next, if anything, with the record of the same game if the connection
    /// was lost in it. A lost game that the server does not offer again is over.
    fn next_offer(
        &mut self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
    ) -> Result<Option<(GameSummary, Option<PathBuf>)>, SessionError> {
        let patience = self.interrupted.as_ref().map(|_| RETURN_PATIENCE);
        let until = patience.map(|patience| Instant::now() + patience);
        let offered = self.offer(connection, observer, until)?;
        let before = self.interrupted.take();
        let is_same = |before: &CsaGameReport| {
            let summary = offered.as_ref();
            summary.is_some_and(|summary| summary.id == before.id)
        };
        let path = before.as_ref().filter(|before| is_same(before));
        let path = path.map(|before| before.record.clone());
        if let Some(before) = before.filter(|_| path.is_none()) {
            self.count(&before, observer);
        }
        Ok(offered.map(|summary| (summary, path)))
    }

    /// Agrees to a game once the engine is ready for it, and says whether it begins.
    fn agree(
        &mut self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
        summary: &GameSummary,
        conditions: &GameConditions,
    ) -> Result<bool, SessionError> {
        let id = Some(summary.id.clone());
        if let Err(error) = self.engine.new_game(conditions) {
            let _ = say(connection, observer, &ClientLine::Reject(id));
            return Err(SessionError::Fatal(error.into()));
        }
        say(connection, observer, &ClientLine::Agree(id))?;
        self.start(connection, observer)
    }

    /// Counts a game that is over, or remembers one that the connection was lost in.
    fn finish(
        &mut self,
        played: &CsaGameReport,
        observer: ClientObserver<'_>,
    ) -> Result<(), SessionError> {
        let is_lost = played.is_disconnected && played.result.is_none() && played.reason.is_none();
        let is_done = match is_lost && self.settings.server.reconnect {
            true => {
                self.interrupted = Some(played.clone());
                false
            }
            false => {
                self.count(played, observer);
                self.is_done()
            }
        };
        match is_lost && !is_done {
            true => Err(SessionError::Lost(
                "the connection was lost in a game".into(),
            )),
            false => Ok(()),
        }
    }

    fn login(
        &self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
    ) -> Result<(), SessionError> {
        let server = &self.settings.server;
        let login = ClientLine::Login {
            name: server.name.clone(),
            password: server.password.clone(),
        };
        say(connection, observer, &login)?;
        let until = Instant::now() + server.patience();
        loop {
            match self.hear(connection, observer, until)? {
                ServerLine::LoginOk(name) => {
                    observer(ClientEvent::LoggedIn(&name));
                    return Ok(());
                }
                ServerLine::LoginIncorrect => return Err(SessionError::Refused),
                _ => {}
            }
        }
    }

    /// Waits for a game; `None` if the client is to stop, or to wait no longer.
    fn offer(
        &self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
        until: Option<Instant>,
    ) -> Result<Option<GameSummary>, SessionError> {
        let mut reader: Option<GameSummaryReader> = None;
        let is_late = || until.is_some_and(|until| Instant::now() >= until);
        while !self.stop.is_stopped() && !is_late() {
            let line = match connection.hear(until.unwrap_or_else(someday)) {
                Received::Line(line) => line,
                Received::Silence => continue,
                Received::Closed(why) => return Err(SessionError::Lost(why)),
            };
            observer(ClientEvent::Received(&line));
            match &mut reader {
                None if ServerLine::read(&line) == ServerLine::Offer => {
                    reader = Some(GameSummaryReader::default());
                }
                None => {}
                Some(summary) => match summary.take(&line) {
                    Ok(None) => {}
                    Ok(Some(summary)) => return Ok(Some(summary)),
                    Err(error) => {
                        observer(ClientEvent::Warning(&error.to_string()));
                        say(connection, observer, &ClientLine::Reject(None))?;
                        reader = None;
                    }
                },
            }
        }
        Ok(None)
    }

    fn conditions(&self, summary: &GameSummary) -> GameConditions {
        let engine = &self.settings.engine;
        GameConditions {
            move_limit: summary.move_limit,
            declaration: summary.declaration,
            control: summary.times[summary.side],
            delay: engine.delay.map(Duration::from_millis),
            ponder: engine.ponder,
        }
    }

    /// Waits until the other has agreed too; `false` if somebody does not want to play.
    fn start(
        &self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
    ) -> Result<bool, SessionError> {
        let until = Instant::now() + self.settings.server.patience();
        loop {
            match self.hear(connection, observer, until)? {
                ServerLine::Start(_) => return Ok(true),
                ServerLine::Reject { .. } => return Ok(false),
                _ => {}
            }
        }
    }

    fn hear(
        &self,
        connection: &mut CsaConnection,
        observer: ClientObserver<'_>,
        until: Instant,
    ) -> Result<ServerLine, SessionError> {
        loop {
            match connection.hear(until) {
                Received::Line(line) => {
                    observer(ClientEvent::Received(&line));
                    return Ok(ServerLine::read(&line));
                }
                Received::Closed(why) => return Err(SessionError::Lost(why)),
                Received::Silence if Instant::now() >= until => {
                    return Err(SessionError::Lost("the server does not answer".into()));
                }
                Received::Silence => {}
            }
        }
    }
}

/// Sends a line, and tells it with the password hidden.
fn say(
    connection: &mut CsaConnection,
    observer: ClientObserver<'_>,
    line: &ClientLine,
) -> io::Result<()> {
    observer(ClientEvent::Sent(&line.to_string()));
    connection.say(&line.to_wire())
}

/// When nothing else ends a wait.
fn someday() -> Instant {
    Instant::now() + FOREVER
}

/// Tries every address that the name stands for.
fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut outcome = Err(io::Error::other("the name stands for no address"));
    for address in (host, port).to_socket_addrs()? {
        outcome = TcpStream::connect_timeout(&address, CONNECT_PATIENCE);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}
