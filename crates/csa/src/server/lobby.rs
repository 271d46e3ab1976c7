//! The lobby: which clients are connected, which of them wait for which game, which games run.
//!
//! Pairing by game name follows shogi-server, which floodgate runs on.

use super::game::{ServerGame, ServerPlayer};
use super::results::ResultLine;
use super::{ConnectionId, ServerConfig};
use crate::archive::timestamp;
use crate::end::CsaEndReason;
use crate::game_name::GameName;
use crate::game_summary::GameSummary;
use crate::line::{ClientLine, ServerLine};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant, SystemTime};
use tesuji_game::{GameOver, TimeControl};
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
    next: u64,
    /// The last moment [`Lobby::tick`] was told.
    seen: Instant,
    opened: (Instant, SystemTime),
    actions: Vec<LobbyAction>,
}

impl Lobby {
    /// An empty lobby, opened now.
    pub fn new(config: ServerConfig, now: Instant, wall: SystemTime) -> Self {
        Self {
            config,
            connections: BTreeMap::new(),
            games: BTreeMap::new(),
            met: HashMap::new(),
            trips: HashMap::new(),
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
        games.chain(connections).min()
    }

    /// A client has connected.
    pub fn connect(&mut self, id: ConnectionId, at: Instant) {
        let state = LoginState::LoggedOut;
        self.connections.insert(id, Connected { state, since: at });
    }

    /// A client has sent a line.
    pub fn hear(&mut self, id: ConnectionId, line: &str, at: Instant) {
        let Some(connection) = self.connections.get(&id).cloned() else {
            return;
        };
        let line = ClientLine::read(line);
        if line == ClientLine::Blank {
            self.say(id, "");
            return;
        }
        match (connection.state, line) {
            (LoginState::LoggedOut, ClientLine::Login { name, password }) => {
                self.login(id, name, password.reveal(), at);
            }
            (LoginState::LoggedOut, _) => self.refuse(id),
            (LoginState::Waiting(_), ClientLine::Logout) => {
                self.say(id, &ServerLine::LogoutCompleted.to_string());
                self.close_connection(id);
            }
            (LoginState::Waiting(_), _) => {}
            (LoginState::Playing { game, color, .. }, line) => {
                self.hear_player(game, color, &line, at)
            }
        }
    }

    /// A connection is lost.
    pub fn disconnect(&mut self, id: ConnectionId, at: Instant) {
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
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        if !game.started {
            self.cancel(number, &who.name, at);
            return;
        }
        let over = game.leave(color);
        self.after(number, over, at);
    }

    /// Lets flags fall, offers expire and clients be paired that are due by `at`.
    pub fn tick(&mut self, at: Instant) {
        self.seen = at;
        let agreement = self.config.agreement;
        let due = |game: &ServerGame| game.deadline(agreement) <= at;
        let numbers: Vec<u64> = self
            .games
            .iter()
            .filter(|(_, game)| due(game))
            .map(|(&number, _)| number)
            .collect();
        for number in numbers {
            match self.games.get_mut(&number) {
                Some(game) if game.started => {
                    let over = game.tick(at);
                    self.after(number, over, at);
                }
                _ => self.cancel(number, "the Server (timed out)", at),
            }
        }
        let late = |connection: &Connected| {
            matches!(connection.state, LoginState::LoggedOut)
                && connection.since + LOGIN_TIMEOUT <= at
        };
        let strangers: Vec<_> = self
            .connections
            .iter()
            .filter(|(_, connection)| late(connection))
            .map(|(&id, _)| id)
            .collect();
        for id in strangers {
            self.close_connection(id);
        }
        self.pair(at);
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
        if !is_name || known.is_some_and(|known| known != trip) {
            return self.refuse(id);
        }
        let same = self
            .connections
            .iter()
            .find(|(_, connection)| match &connection.state {
                LoginState::Waiting(who) | LoginState::Playing { who, .. } => who.name == name,
                LoginState::LoggedOut => false,
            });
        match same
            .map(|(&other, connection)| (other, matches!(connection.state, LoginState::Waiting(_))))
        {
            // A connection that broke without a sound is replaced by the new one.
            Some((other, true)) => self.close_connection(other),
            Some((_, false)) => return self.refuse(id),
            None => {}
        }
        self.trips.insert(name.clone(), trip.into());
        self.say(id, &ServerLine::LoginOk(name.clone()).to_string());
        let state = LoginState::Waiting(WaitingPlayer { name, game, side });
        self.connections.insert(id, Connected { state, since: at });
        self.pair(at);
    }

    /// Offers games to players that wait for the same one; those who met least come first.
    fn pair(&mut self, at: Instant) {
        while let Some((one, other)) = self.best_pair(at) {
            self.offer(one, other, at);
        }
    }

    fn best_pair(&self, at: Instant) -> Option<(ConnectionId, ConnectionId)> {
        let waiting: Vec<(ConnectionId, Instant, &WaitingPlayer)> = self
            .connections
            .iter()
            .filter_map(|(&id, connection)| match &connection.state {
                LoginState::Waiting(who) if connection.since <= at => {
                    Some((id, connection.since, who))
                }
                _ => None,
            })
            .collect();
        let mut best = None;
        for (place, &(one, since, who)) in waiting.iter().enumerate() {
            for &(other, other_since, whom) in &waiting[place + 1..] {
                let clash = who.side.is_some() && who.side == whom.side;
                let met = self.met.get(&key(who, whom)).map_or(0, |met| met.0);
                let enough = self.config.rounds > 0 && met >= self.config.rounds;
                if who.game != whom.game || clash || enough {
                    continue;
                }
                let rank = (met, since.max(other_since), since.min(other_since));
                if best.is_none_or(|(least, _, _)| rank < least) {
                    best = Some((rank, one, other));
                }
            }
        }
        best.map(|(_, one, other)| (one, other))
    }

    fn offer(&mut self, one: ConnectionId, other: ConnectionId, at: Instant) {
        let who = |id| match self
            .connections
            .get(&id)
            .map(|connection| &connection.state)
        {
            Some(LoginState::Waiting(who)) => Some(who.clone()),
            _ => None,
        };
        let (Some(who), Some(whom)) = (who(one), who(other)) else {
            return;
        };
        let met = self.met.entry(key(&who, &whom)).or_default();
        // Both had Black equally often: the one who comes first in the alphabet, else the other.
        let first_is_black = met.1 * 2 <= met.0;
        let one_is_black = match (who.side, whom.side) {
            (Some(color), _) => color == Color::Black,
            (_, Some(color)) => color == Color::White,
            _ => first_is_black == (who.name < whom.name),
        };
        let round = met.0;
        met.0 += 1;
        met.1 += u32::from(one_is_black == (who.name < whom.name));
        let pair = match one_is_black {
            true => [(one, who), (other, whom)],
            false => [(other, whom), (one, who)],
        };
        let number = self.next;
        self.next += 1;
        let mut summary = self.summary(&pair, number, round, at);
        let players = ByColor([ServerPlayer::new(pair[0].0), ServerPlayer::new(pair[1].0)]);
        for (color, (id, who)) in Color::ALL.into_iter().zip(pair) {
            summary.side = color;
            self.actions.push(LobbyAction::Send(id, summary.write()));
            let state = LoginState::Playing {
                who,
                game: number,
                color,
            };
            self.connections.insert(id, Connected { state, since: at });
        }
        let game = ServerGame::new(&summary, players, self.config.rules, at);
        self.games.insert(number, game);
    }

    fn summary(
        &self,
        pair: &[(ConnectionId, WaitingPlayer); 2],
        number: u64,
        round: u32,
        at: Instant,
    ) -> GameSummary {
        let [black, white] = [&pair[0].1, &pair[1].1];
        let openings = &self.config.openings;
        let mut game = match openings.len() {
            0 => Game::default(),
            count => openings[round as usize / 2 % count].clone(),
        };
        let times = self.config.times.unwrap_or_else(|| {
            let times = TimeControl {
                least: self.config.least,
                ..black.game.control()
            };
            ByColor([times; 2])
        });
        let now = timestamp(self.wall(at));
        let digits: String = now.chars().filter(char::is_ascii_digit).collect();
        let (event, name) = (&self.config.event, &black.game);
        let id = format!(
            "{event}+{name}+{}+{}+{digits}-{number}",
            black.name, white.name
        );
        let players = ByColor([black.name.clone(), white.name.clone()]);
        game.headers.players = players.clone();
        game.headers.event.clone_from(&id);
        game.headers.start_time = now;
        game.headers.clocks = ByColor(times.0.map(Some));
        game.headers.move_limit = self.config.rules.move_limit;
        GameSummary {
            id,
            players,
            side: Color::Black,
            times,
            move_limit: self.config.rules.move_limit,
            declaration: self.config.rules.declaration,
            game,
        }
    }

    fn wall(&self, at: Instant) -> SystemTime {
        self.opened.1 + at.saturating_duration_since(self.opened.0)
    }

    fn hear_player(&mut self, number: u64, color: Color, line: &ClientLine, at: Instant) {
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        let connection = game.players[color].connection;
        if game.started {
            if *line == ClientLine::Logout {
                self.say(connection, &ServerLine::LogoutCompleted.to_string());
                self.disconnect(connection, at);
                self.actions.push(LobbyAction::Close(connection));
                return;
            }
            let over = game.take(color, line, at);
            return self.after(number, over, at);
        }
        match line {
            ClientLine::Agree(id) => {
                let is_this = id.as_ref().is_none_or(|id| *id == game.id);
                if is_this && game.agree(color, at) {
                    self.after(number, None, at);
                }
            }
            ClientLine::Reject(_) | ClientLine::Logout => {
                let name = match self
                    .connections
                    .get(&connection)
                    .map(|connection| &connection.state)
                {
                    Some(LoginState::Playing { who, .. }) => who.name.clone(),
                    _ => return,
                };
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
            id: game.id.clone(),
            by: by.into(),
        });
        let players = game.players;
        self.deliver(&mut game);
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
    fn deliver(&mut self, game: &mut ServerGame) {
        for (color, line) in std::mem::take(&mut game.said) {
            let connection = game.players[color].connection;
            if self.connections.contains_key(&connection) {
                self.say(connection, &line);
            }
        }
    }

    /// Sends, saves and, if it is over, closes a game in which something happened.
    fn after(&mut self, number: u64, over: Option<GameOver>, at: Instant) {
        let Some(mut game) = self.games.remove(&number) else {
            return;
        };
        if let Some(over) = over {
            game.close(over);
            game.record_mut().headers.end_time = timestamp(self.wall(at));
        }
        self.deliver(&mut game);
        let record = Box::new(game.record().clone());
        self.actions
            .push(LobbyAction::Save(game.id.clone(), record));
        let Some(over) = over else {
            self.games.insert(number, game);
            return;
        };
        let players = &game.record().headers.players;
        self.actions.push(LobbyAction::Result(ResultLine {
            time: timestamp(self.wall(at)),
            id: game.id.clone(),
            black: players[Color::Black].clone(),
            white: players[Color::White].clone(),
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
        }));
        for player in game.players.0 {
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

/// The key of two players and a game, in the order of their names.
fn key(one: &WaitingPlayer, other: &WaitingPlayer) -> (String, String, GameName) {
    let (low, high) = match one.name < other.name {
        true => (&one.name, &other.name),
        false => (&other.name, &one.name),
    };
    (low.clone(), high.clone(), one.game.clone())
}
