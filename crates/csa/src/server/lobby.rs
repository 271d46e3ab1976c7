//! The lobby: which clients are connected, which of them wait for which game, which games run.

mod abandon;
mod pairing;
mod returning;

use super::game::{ServerGame, ServerPlayer};
use super::results::ResultLine;
use super::schedule::ScheduledGame;
use super::{ConnectionId, ServerConfig};
use crate::archive::timestamp;
use crate::end::CsaEndReason;
use crate::game_name::GameName;
use crate::line::{ClientLine, ServerLine};
use abandon::Touched;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant, SystemTime};
use tesuji_game::GameOver;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, Color};

/// What the network has to do for the lobby.
#[derive(Clone, PartialEq, Debug)]
pub enum LobbyAction {
    /// Send a text that ends with a line break.
    Send(ConnectionId, String),
    /// Send what is left to send, then close the connection.
    Close(ConnectionId),
    /// Save the record of a game as it is now.
    Save(String, Box<Game>),
    /// A game is over.
    Result(ResultLine),
}

/// How long a client may be connected without logging in.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(60);

/// How many names are remembered with their secrets.
const MOST_NAMES: usize = 100_000;

#[derive(Clone, Debug)]
struct Connected {
    state: LoginState,
    /// When its state began; a waiting client is not offered a game before that moment.
    since: Instant,
}

#[derive(Clone, Debug)]
enum LoginState {
    LoggedOut,
    Waiting(WaitingPlayer),
    Playing {
        who: WaitingPlayer,
        game: u64,
        color: Color,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct WaitingPlayer {
    name: String,
    game: GameName,
    side: Option<Color>,
}

/// All connections and all games.
#[derive(Debug)]
pub struct Lobby {
    config: ServerConfig,
    connections: BTreeMap<ConnectionId, Connected>,
    games: BTreeMap<u64, ServerGame>,
    /// How often two players, in the order of their names, have met in a game, and how often the
    /// first one had Black.
    met: HashMap<(String, String, GameName), (u32, u32)>,
    trips: HashMap<String, String>,
    /// Who has played.
    players: HashSet<String>,
    /// The games of the schedule that are still to be played, with the number of those that run.
    schedule: Option<Vec<(ScheduledGame, Option<u64>)>>,
    /// When players are paired next, if that happens at fixed times.
    next_pairing: Option<Instant>,
    /// What is being worked on.
    touched: Touched,
    next: u64,
    /// The last moment [`Lobby::tick`] was told.
    seen: Instant,
    opened: (Instant, SystemTime),
    actions: Vec<LobbyAction>,
}

impl Lobby {
    /// An empty lobby, opened now.
    pub fn new(config: ServerConfig, now: Instant, wall: SystemTime) -> Self {
        let next_pairing = config
            .every
            .map(|every| now + pairing::until_next(every, wall));
        let schedule = config.schedule.as_ref();
        let schedule = schedule.map(|games| games.iter().cloned().map(|game| (game, None)));
        Self {
            schedule: schedule.map(Iterator::collect),
            config,
            connections: BTreeMap::new(),
            games: BTreeMap::new(),
            met: HashMap::new(),
            trips: HashMap::new(),
            players: HashSet::new(),
            next_pairing,
            touched: Touched::Nothing,
            next: 0,
            seen: now,
            opened: (now, wall),
            actions: Vec::new(),
        }
    }

    /// Takes what the network has to do, in order.
    pub fn actions(&mut self) -> Vec<LobbyAction> {
        std::mem::take(&mut self.actions)
    }

    /// How many games are offered or running.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// When [`Lobby::tick`] has something to do next.
    pub fn deadline(&self) -> Option<Instant> {
        let games = self.games.values();
        let games = games.map(|game| game.deadline(self.config.agreement));
        let connections =
            self.connections
                .values()
                .filter_map(|connection| match connection.state {
                    LoginState::LoggedOut => Some(connection.since + LOGIN_TIMEOUT),
                    LoginState::Waiting(_) => {
                        Some(connection.since).filter(|&since| since > self.seen)
                    }
                    _ => None,
                });
        games.chain(connections).chain(self.next_pairing).min()
    }

    /// Whether a client has logged in.
    pub fn is_logged_in(&self, id: ConnectionId) -> bool {
        let state = self.connections.get(&id).map(|found| &found.state);
        !matches!(state, None | Some(LoginState::LoggedOut))
    }

    /// What was sent to a client is with its system by now: if it is to move, its clock runs.
    pub fn delivered(&mut self, id: ConnectionId, at: Instant) {
        if let Some(&LoginState::Playing { game, color, .. }) =
            self.connections.get(&id).map(|found| &found.state)
            && let Some(game) = self.games.get_mut(&game)
        {
            game.delivered(color, at);
        }
    }

    /// A client has connected.
    pub fn connect(&mut self, id: ConnectionId, at: Instant) {
        let state = LoginState::LoggedOut;
        self.connections.insert(id, Connected { state, since: at });
    }

    /// A client has sent a line.
    pub fn hear(&mut self, id: ConnectionId, line: &str, at: Instant) {
        let Some(connection) = self.connections.get(&id) else {
            return;
        };
        let (is_waiting, playing) = match connection.state {
            LoginState::LoggedOut => (false, None),
            LoginState::Waiting(_) => (true, None),
            LoginState::Playing { game, color, .. } => (false, Some((game, color))),
        };
        match (ClientLine::read(line), playing) {
            (ClientLine::Blank, _) => self.say(id, ""),
            (line, Some((game, color))) => self.hear_player(game, color, &line, at),
            (ClientLine::Logout, None) if is_waiting => {
                self.say(id, &ServerLine::LogoutCompleted.to_string());
                self.forget_name_of(id);
                self.close_connection(id);
            }
            (_, None) if is_waiting => {}
            (ClientLine::Login { name, password }, None) => {
                self.login(id, name, password.reveal(), at);
            }
            (_, None) => self.refuse(id),
        }
    }

    /// A connection is lost.
    pub fn disconnect(&mut self, id: ConnectionId, at: Instant) {
        self.forget_name_of(id);
        let Some(connection) = self.connections.remove(&id) else {
            return;
        };
        let LoginState::Playing {
            who,
            game: number,
            color,
        } = connection.state
        else {
            return;
        };
        let until = at + self.config.reconnect;
        match self.games.get_mut(&number) {
            Some(game) if game.started && until > at => game.lose(color, until),
            Some(game) if game.started => self.leave(number, color, at),
            Some(_) => self.cancel(number, &who.name, at),
            None => {}
        }
    }

    /// A player has left for good.
    fn leave(&mut self, number: u64, color: Color, at: Instant) {
        if let Some(game) = self.games.get_mut(&number) {
            game.players[color].away = None;
            let over = game.leave(color);
            self.after(number, over, at);
        }
    }

    /// Lets flags fall, offers expire and clients be paired that are due by `at`.
    pub fn tick(&mut self, at: Instant) {
        let before = std::mem::replace(&mut self.seen, at);
        let agreement = self.config.agreement;
        let is_due = |game: &ServerGame| game.deadline(agreement) <= at;
        let due = self.games.iter().filter(|(_, game)| is_due(game));
        let numbers: Vec<u64> = due.map(|(&number, _)| number).collect();
        for number in numbers {
            self.touch(number);
            match self.games.get_mut(&number) {
                Some(game) if game.started => {
                    let over = game.tick(at);
                    self.after(number, over, at);
                }
                _ => self.cancel(number, "the Server (timed out)", at),
            }
            self.touched = Touched::Nothing;
        }
        let mut strangers = Vec::new();
        let mut has_news = self.next_pairing.is_some_and(|next| next <= at);
        for (&id, connection) in &self.connections {
            match connection.state {
                LoginState::LoggedOut if connection.since + LOGIN_TIMEOUT <= at => {
                    strangers.push(id);
                }
                LoginState::Waiting(_) => {
                    has_news |= connection.since > before && connection.since <= at;
                }
                _ => {}
            }
        }
        for id in strangers {
            self.close_connection(id);
        }
        if has_news {
            self.pair(at);
        }
    }

    fn say(&mut self, id: ConnectionId, line: &str) {
        self.actions
            .push(LobbyAction::Send(id, format!("{line}\n")));
    }

    fn close_connection(&mut self, id: ConnectionId) {
        self.connections.remove(&id);
        self.actions.push(LobbyAction::Close(id));
    }

    fn refuse(&mut self, id: ConnectionId) {
        self.say(id, &ServerLine::LoginIncorrect.to_string());
        self.close_connection(id);
    }

    fn login(&mut self, id: ConnectionId, name: String, password: &str, at: Instant) {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-@.".contains(&byte);
        let is_name = (1..=32).contains(&name.len()) && name.bytes().all(is_letter);
        let Ok((game, side, trip)) = GameName::of_password(password) else {
            return self.refuse(id);
        };
        let known = self.trips.get(&name);
        let is_full = known.is_none() && self.trips.len() >= MOST_NAMES;
        if !is_name || is_full || known.is_some_and(|known| known != trip) {
            return self.refuse(id);
        }
        let who = WaitingPlayer { name, game, side };
        let Some(id) = self.replace(id, &who, trip, at) else {
            return;
        };
        self.trips.insert(who.name.clone(), trip.into());
        self.say(id, &ServerLine::LoginOk(who.name.clone()).to_string());
        let state = LoginState::Waiting(who);
        self.connections.insert(id, Connected { state, since: at });
        self.pair(at);
    }

    /// Makes room for a player whose earlier connection broke without a sound, and takes one whose
    /// game runs back to it; `None` if there is nothing else to do.
    fn replace(
        &mut self,
        id: ConnectionId,
        who: &WaitingPlayer,
        trip: &str,
        at: Instant,
    ) -> Option<ConnectionId> {
        let same = self
            .connections
            .iter()
            .find_map(|(&other, found)| match &found.state {
                LoginState::Waiting(whom) if whom.name == who.name => Some((other, true)),
                LoginState::Playing { who: whom, .. } if whom.name == who.name => {
                    Some((other, false))
                }
                _ => None,
            });
        if let Some((other, true)) = same {
            self.close_connection(other);
            return Some(id);
        }
        match self.running_game(&who.name) {
            // Somebody else could take a name without a secret away from its player.
            Some(_) if same.is_some() && trip.is_empty() => self.refuse(id),
            Some((number, color)) if !self.config.reconnect.is_zero() => {
                if let Some((old, _)) = same {
                    self.close_connection(old);
                }
                self.return_to_game(id, who.clone(), (number, color), at);
            }
            None if same.is_none() => return Some(id),
            _ => self.refuse(id),
        }
        None
    }

    /// Who has never played need not be known when it comes again.
    fn forget_name_of(&mut self, id: ConnectionId) {
        let state = self.connections.get(&id).map(|found| &found.state);
        if let Some(LoginState::Waiting(who)) = state
            && !self.players.contains(&who.name)
        {
            self.trips.remove(&who.name);
        }
    }

    fn wall(&self, at: Instant) -> SystemTime {
        self.opened.1 + at.saturating_duration_since(self.opened.0)
    }

    fn hear_player(&mut self, number: u64, color: Color, line: &ClientLine, at: Instant) {
        self.touch(number);
        match self.games.get_mut(&number) {
            Some(game) if game.players[color].shown.is_some() => {
                self.hear_returning(number, color, line, at);
            }
            Some(game) if game.started => {
                let connection = game.players[color].connection;
                if *line == ClientLine::Logout {
                    self.log_out(number, color, connection, at);
                } else {
                    let over = game.take(color, line, at);
                    self.after(number, over, at);
                }
            }
            Some(_) => self.hear_offered(number, color, line, at),
            None => {}
        }
        self.touched = Touched::Nothing;
    }

    /// A player leaves a running game of its own will.
    fn log_out(&mut self, number: u64, color: Color, connection: ConnectionId, at: Instant) {
        self.say(connection, &ServerLine::LogoutCompleted.to_string());
        self.connections.remove(&connection);
        self.leave(number, color, at);
        self.actions.push(LobbyAction::Close(connection));
    }

    /// A line of somebody who was offered a game.
    fn hear_offered(&mut self, number: u64, color: Color, line: &ClientLine, at: Instant) {
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        match line {
            ClientLine::Agree(id) => {
                let is_this = id.as_ref().is_none_or(|id| id == game.id());
                if is_this && game.agree(color, at) {
                    self.players.extend(game.summary.players.0.iter().cloned());
                    self.after(number, None, at);
                }
            }
            ClientLine::Reject(_) | ClientLine::Logout => {
                let name = game.summary.players[color].clone();
                game.players[color].agreed = false;
                game.players[color.foe()].agreed = true;
                self.cancel(number, &name, at);
            }
            _ => {}
        }
    }

    /// Withdraws an offer. A player that did not agree is disconnected; the other waits again.
    fn cancel(&mut self, number: u64, by: &str, at: Instant) {
        let Some(mut game) = self.games.remove(&number) else {
            return;
        };
        game.tell(&ServerLine::Reject {
            id: game.id().into(),
            by: by.into(),
        });
        let players = game.players;
        self.deliver(players, std::mem::take(&mut game.said));
        self.unschedule(number, false);
        for player in players.0 {
            match player.agreed {
                true => self.return_to_lobby(player.connection, at),
                false => {
                    if self.connections.contains_key(&player.connection) {
                        self.close_connection(player.connection);
                    }
                }
            }
        }
        self.pair(at);
    }

    fn return_to_lobby(&mut self, id: ConnectionId, at: Instant) {
        if let Some(connection) = self.connections.get_mut(&id)
            && let LoginState::Playing { who, .. } = connection.state.clone()
        {
            connection.state = LoginState::Waiting(who);
            connection.since = at + self.config.pause;
        }
    }

    /// Sends what a game has to tell its players.
    fn deliver(&mut self, players: ByColor<ServerPlayer>, said: Vec<(Color, String)>) {
        for (color, line) in said {
            let player = players[color];
            let is_there = self.connections.contains_key(&player.connection);
            if is_there && player.away.is_none() {
                self.say(player.connection, &line);
            }
        }
    }

    /// Sends, saves and, if it is over, closes a game in which something may have happened.
    fn after(&mut self, number: u64, over: Option<GameOver>, at: Instant) {
        let end_time = timestamp(self.wall(at));
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        if let Some(over) = over {
            game.close(over);
            game.record_mut().headers.end_time.clone_from(&end_time);
        }
        let (players, said) = (game.players, std::mem::take(&mut game.said));
        let id = game.id().to_owned();
        let changed = game.changed_record();
        let result = over.map(|over| ResultLine {
            time: end_time,
            id: id.clone(),
            black: game.summary.players[Color::Black].clone(),
            white: game.summary.players[Color::White].clone(),
            winner: match over.winner {
                Some(Color::Black) => "black",
                Some(Color::White) => "white",
                None => "draw",
            },
            reason: CsaEndReason::from(over.termination)
                .word()
                .trim_start_matches('#'),
            plies: game.plies(),
            record: String::new(),
        });
        self.deliver(players, said);
        let save = changed.map(|record| LobbyAction::Save(id, record));
        self.actions.extend(save);
        if let Some(result) = result {
            self.games.remove(&number);
            self.unschedule(number, true);
            self.withdraw(players, &result.id);
            self.actions.push(LobbyAction::Result(result));
            self.send_home(players, at);
        }
    }

    /// A game that ended before somebody who came back has agreed to go on is offered no more.
    fn withdraw(&mut self, players: ByColor<ServerPlayer>, id: &str) {
        let (id, by) = (id.to_owned(), "the Server (it is over)".to_owned());
        let reject = ServerLine::Reject { id, by }.to_string();
        for player in players.0.iter().filter(|player| player.shown.is_some()) {
            if self.connections.contains_key(&player.connection) {
                self.say(player.connection, &reject);
            }
        }
    }

    /// Lets the players of a finished game wait for the next one, or sends them away.
    fn send_home(&mut self, players: ByColor<ServerPlayer>, at: Instant) {
        for player in players.0 {
            if !self.connections.contains_key(&player.connection) {
                continue;
            }
            match self.config.stay {
                true => self.return_to_lobby(player.connection, at),
                false => self.close_connection(player.connection),
            }
        }
        self.pair(at);
    }
}
