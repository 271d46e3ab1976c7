//! Who meets whom: whoever waits for the same game, or as a schedule says; at once, or at fixed times.
//!
//! Pairing by game name follows shogi-server, fixed times follow floodgate, which runs on it.

use super::{Connected, ConnectionId, Lobby, LobbyAction, LoginState, ServerGame, ServerPlayer};
use super::{MOST_NAMES, Touched, WaitingPlayer};
use crate::archive::timestamp;
use crate::game_name::GameName;
use crate::game_summary::GameSummary;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tesuji_game::TimeControl;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, Color};

impl Lobby {
    /// Offers games to players that wait for the same one; those who met least come first.
    pub(super) fn pair(&mut self, at: Instant) {
        if let (Some(every), Some(next)) = (self.config.every, self.next_pairing) {
            if at < next {
                return;
            }
            self.next_pairing = Some(at + until_next(every, self.wall(at)));
        }
        while let Some((black, white)) = self.best_pair(at) {
            self.touched = Touched::Connections([black, white]);
            self.offer(black, white, at);
            self.touched = Touched::Nothing;
        }
    }

    /// Two who may play now, Black first.
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
        if let Some(schedule) = &self.schedule {
            let find = |name: &str| waiting.iter().find(|(_, _, who)| who.name == name);
            let open = schedule.iter().filter(|(_, number)| number.is_none());
            return open
                .filter_map(|(game, _)| Some((find(&game.black)?, find(&game.white)?)))
                .find(|(black, white)| {
                    let sides = [black.2.side, white.2.side];
                    black.2.game == white.2.game
                        && sides[0] != Some(Color::White)
                        && sides[1] != Some(Color::Black)
                })
                .map(|(black, white)| (black.0, white.0));
        }
        let mut best = None;
        for (place, &(one, since, who)) in waiting.iter().enumerate() {
            for &(other, other_since, whom) in &waiting[place + 1..] {
                let clash = who.side.is_some() && who.side == whom.side;
                if clash || who.game != whom.game {
                    continue;
                }
                let met = self.met.get(&key(who, whom)).copied().unwrap_or_default();
                if self.config.rounds > 0 && met.0 >= self.config.rounds {
                    continue;
                }
                let rank = (met.0, since.max(other_since), since.min(other_since));
                if best.is_none_or(|(least, _)| rank < least) {
                    let pair = match one_is_black(who, whom, met) {
                        true => (one, other),
                        false => (other, one),
                    };
                    best = Some((rank, pair));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    fn offer(&mut self, black: ConnectionId, white: ConnectionId, at: Instant) {
        let who = |id| match self.connections.get(&id).map(|found| &found.state) {
            Some(LoginState::Waiting(who)) => Some(who.clone()),
            _ => None,
        };
        let (Some(who), Some(whom)) = (who(black), who(white)) else {
            return;
        };
        if self.met.len() >= MOST_NAMES {
            // Names cost nothing: whoever invents them must not fill the memory.
            self.met.clear();
        }
        let met = self.met.entry(key(&who, &whom)).or_default();
        let round = met.0;
        met.0 += 1;
        met.1 += u32::from(who.name < whom.name);
        let number = self.next;
        self.next += 1;
        if let Some(schedule) = &mut self.schedule {
            let is_it = |(game, taken): &&mut (super::ScheduledGame, Option<u64>)| {
                taken.is_none() && (&game.black, &game.white) == (&who.name, &whom.name)
            };
            if let Some((_, taken)) = schedule.iter_mut().find(is_it) {
                *taken = Some(number);
            }
        }
        let mut summary = self.summary([&who, &whom], number, round, at);
        let players = ByColor([ServerPlayer::new(black), ServerPlayer::new(white)]);
        for (color, (id, who)) in Color::ALL.into_iter().zip([(black, who), (white, whom)]) {
            summary.side = color;
            self.actions.push(LobbyAction::Send(id, summary.write()));
            let state = LoginState::Playing {
                who,
                game: number,
                color,
            };
            self.connections.insert(id, Connected { state, since: at });
        }
        let game = ServerGame::new(summary, players, self.config.rules, at);
        self.games.insert(number, game);
    }

    fn summary(
        &self,
        [black, white]: [&WaitingPlayer; 2],
        number: u64,
        round: u32,
        at: Instant,
    ) -> GameSummary {
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

    /// A game was not played, or was: its place in the schedule is free again, or gone.
    pub(super) fn unschedule(&mut self, number: u64, was_played: bool) {
        if let Some(schedule) = &mut self.schedule
            && let Some(place) = schedule.iter().position(|game| game.1 == Some(number))
        {
            match was_played {
                true => drop(schedule.remove(place)),
                false => schedule[place].1 = None,
            }
        }
    }
}

/// How long until the wall clock shows a multiple of `every` again.
pub(super) fn until_next(every: Duration, wall: SystemTime) -> Duration {
    let passed = wall.duration_since(UNIX_EPOCH).unwrap_or_default();
    let every = every.as_nanos().max(1);
    let rest = every - passed.as_nanos() % every;
    Duration::from_nanos(u64::try_from(rest).unwrap_or(u64::MAX))
}

/// Both had Black equally often: the one who comes first in the alphabet has it, else the other.
fn one_is_black(one: &WaitingPlayer, other: &WaitingPlayer, met: (u32, u32)) -> bool {
    match (one.side, other.side) {
        (Some(color), _) => color == Color::Black,
        (_, Some(color)) => color == Color::White,
        _ => (met.1 * 2 <= met.0) == (one.name < other.name),
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
