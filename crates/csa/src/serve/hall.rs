//! The hall: who is there, who waits for which game, which games are played.

use super::House;
use super::results::ResultLine;
use super::table::{Over, Seat, Table};
use crate::archive::stamp;
use crate::line::{ClientLine, ServerLine};
use crate::name::{GameName, Wish};
use crate::summary::Summary;
use crate::times::TimeRules;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant, SystemTime};
use tesuji_record::Game;
use tesuji_shogi::{ByColor, Color};

/// Somebody who is connected.
pub type GuestId = u64;

/// What the hall wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Say something; it ends with a line break.
    Say(GuestId, String),
    /// Say good-bye and close the connection.
    Close(GuestId),
    /// Keep the record of a game, as it is now.
    Save(String, Box<Game>),
    /// A game is over.
    Result(ResultLine),
}

/// How long somebody may stand at the door without saying who it is.
const DOOR_PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
struct Guest {
    state: State,
    /// Since when it is as it is; before that moment it is not offered a game.
    since: Instant,
}

#[derive(Clone, Debug)]
enum State {
    AtDoor,
    Waiting(Waiting),
    Playing {
        who: Waiting,
        table: u64,
        color: Color,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Waiting {
    name: String,
    game: GameName,
    wish: Wish,
}

/// Everybody and every game.
#[derive(Debug)]
pub struct Hall {
    house: House,
    guests: BTreeMap<GuestId, Guest>,
    tables: BTreeMap<u64, Table>,
    /// How often two players, in the order of their names, have met in a game, and how often the
    /// first one had Black.
    met: HashMap<(String, String, GameName), (u32, u32)>,
    trips: HashMap<String, String>,
    next: u64,
    /// When the clock was looked at last.
    seen: Instant,
    opened: (Instant, SystemTime),
    actions: Vec<Action>,
}

impl Hall {
    /// An empty hall, opened now.
    pub fn new(house: House, now: Instant, wall: SystemTime) -> Self {
        Self {
            house,
            guests: BTreeMap::new(),
            tables: BTreeMap::new(),
            met: HashMap::new(),
            trips: HashMap::new(),
            next: 0,
            seen: now,
            opened: (now, wall),
            actions: Vec::new(),
        }
    }

    /// What is to be done, in order.
    pub fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// How many games are played.
    pub fn games(&self) -> usize {
        self.tables.len()
    }

    /// When something happens by itself next.
    pub fn deadline(&self) -> Option<Instant> {
        let tables = self.tables.values();
        let tables = tables.map(|table| table.deadline(self.house.agreement));
        let guests = self.guests.values().filter_map(|guest| match guest.state {
            State::AtDoor => Some(guest.since + DOOR_PATIENCE),
            State::Waiting(_) => Some(guest.since).filter(|&since| since > self.seen),
            _ => None,
        });
        tables.chain(guests).min()
    }

    /// Somebody comes.
    pub fn come(&mut self, id: GuestId, at: Instant) {
        let state = State::AtDoor;
        self.guests.insert(id, Guest { state, since: at });
    }

    /// Somebody says something.
    pub fn hear(&mut self, id: GuestId, line: &str, at: Instant) {
        let Some(guest) = self.guests.get(&id).cloned() else {
            return;
        };
        let line = ClientLine::read(line);
        if line == ClientLine::Blank {
            self.say(id, "");
            return;
        }
        match (guest.state, line) {
            (State::AtDoor, ClientLine::Login { name, password }) => {
                self.login(id, name, password.reveal(), at);
            }
            (State::AtDoor, _) => self.refuse(id),
            (State::Waiting(_), ClientLine::Logout) => {
                self.say(id, &ServerLine::LogoutCompleted.to_string());
                self.part(id);
            }
            (State::Waiting(_), _) => {}
            (State::Playing { table, color, .. }, line) => self.at_table(table, color, &line, at),
        }
    }

    /// Somebody is gone.
    pub fn lose(&mut self, id: GuestId, at: Instant) {
        let Some(guest) = self.guests.remove(&id) else {
            return;
        };
        let State::Playing {
            who,
            table: number,
            color,
        } = guest.state
        else {
            return;
        };
        let Some(table) = self.tables.get_mut(&number) else {
            return;
        };
        if !table.started {
            self.cancel(number, &who.name, at);
            return;
        }
        let over = table.leave(color);
        self.after(number, over, at);
    }

    /// The time is now: flags fall, offers end, guests who rested are paired.
    pub fn tick(&mut self, at: Instant) {
        self.seen = at;
        let agreement = self.house.agreement;
        let due = |table: &Table| table.deadline(agreement) <= at;
        let numbers: Vec<u64> = self
            .tables
            .iter()
            .filter(|(_, table)| due(table))
            .map(|(&number, _)| number)
            .collect();
        for number in numbers {
            match self.tables.get_mut(&number) {
                Some(table) if table.started => {
                    let over = table.tick(at);
                    self.after(number, over, at);
                }
                _ => self.cancel(number, "the Server (timed out)", at),
            }
        }
        let late = |guest: &Guest| {
            matches!(guest.state, State::AtDoor) && guest.since + DOOR_PATIENCE <= at
        };
        let strangers: Vec<_> = self
            .guests
            .iter()
            .filter(|(_, guest)| late(guest))
            .map(|(&id, _)| id)
            .collect();
        for id in strangers {
            self.part(id);
        }
        self.pair(at);
    }

    fn say(&mut self, id: GuestId, line: &str) {
        self.actions.push(Action::Say(id, format!("{line}\n")));
    }

    fn part(&mut self, id: GuestId) {
        self.guests.remove(&id);
        self.actions.push(Action::Close(id));
    }

    fn refuse(&mut self, id: GuestId) {
        self.say(id, &ServerLine::LoginIncorrect.to_string());
        self.part(id);
    }

    fn login(&mut self, id: GuestId, name: String, password: &str, at: Instant) {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-@.".contains(&byte);
        let is_name = (1..=32).contains(&name.len()) && name.bytes().all(is_letter);
        let Ok((game, wish, trip)) = GameName::of_password(password) else {
            return self.refuse(id);
        };
        let known = self.trips.get(&name);
        if !is_name || known.is_some_and(|known| known != trip) {
            return self.refuse(id);
        }
        let same = self.guests.iter().find(|(_, guest)| match &guest.state {
            State::Waiting(who) | State::Playing { who, .. } => who.name == name,
            State::AtDoor => false,
        });
        match same.map(|(&other, guest)| (other, matches!(guest.state, State::Waiting(_)))) {
            // A connection that broke without a sound is replaced by the new one.
            Some((other, true)) => self.part(other),
            Some((_, false)) => return self.refuse(id),
            None => {}
        }
        self.trips.insert(name.clone(), trip.into());
        self.say(id, &ServerLine::LoginOk(name.clone()).to_string());
        let state = State::Waiting(Waiting { name, game, wish });
        self.guests.insert(id, Guest { state, since: at });
        self.pair(at);
    }

    /// Offers games to those who wait for the same one, least met first.
    fn pair(&mut self, at: Instant) {
        while let Some((one, other)) = self.best_pair(at) {
            self.offer(one, other, at);
        }
    }

    fn best_pair(&self, at: Instant) -> Option<(GuestId, GuestId)> {
        let waiting: Vec<(GuestId, Instant, &Waiting)> = self
            .guests
            .iter()
            .filter_map(|(&id, guest)| match &guest.state {
                State::Waiting(who) if guest.since <= at => Some((id, guest.since, who)),
                _ => None,
            })
            .collect();
        let mut best = None;
        for (place, &(one, since, who)) in waiting.iter().enumerate() {
            for &(other, other_since, whom) in &waiting[place + 1..] {
                let clash = who.wish.is_some() && who.wish == whom.wish;
                let met = self.met.get(&key(who, whom)).map_or(0, |met| met.0);
                let enough = self.house.rounds > 0 && met >= self.house.rounds;
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

    fn offer(&mut self, one: GuestId, other: GuestId, at: Instant) {
        let who = |id| match self.guests.get(&id).map(|guest| &guest.state) {
            Some(State::Waiting(who)) => Some(who.clone()),
            _ => None,
        };
        let (Some(who), Some(whom)) = (who(one), who(other)) else {
            return;
        };
        let met = self.met.entry(key(&who, &whom)).or_default();
        // Both had Black equally often: the one who comes first in the alphabet, else the other.
        let first_is_black = met.1 * 2 <= met.0;
        let one_is_black = match (who.wish, whom.wish) {
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
        let seats = ByColor([Seat::new(pair[0].0), Seat::new(pair[1].0)]);
        for (color, (id, who)) in Color::ALL.into_iter().zip(pair) {
            summary.side = color;
            self.actions.push(Action::Say(id, summary.write()));
            let state = State::Playing {
                who,
                table: number,
                color,
            };
            self.guests.insert(id, Guest { state, since: at });
        }
        let table = Table::new(&summary, seats, self.house.rules, at);
        self.tables.insert(number, table);
    }

    fn summary(
        &self,
        pair: &[(GuestId, Waiting); 2],
        number: u64,
        round: u32,
        at: Instant,
    ) -> Summary {
        let [black, white] = [&pair[0].1, &pair[1].1];
        let openings = &self.house.openings;
        let mut game = match openings.len() {
            0 => Game::default(),
            count => openings[round as usize / 2 % count].clone(),
        };
        let times = self.house.times.unwrap_or_else(|| {
            let times = TimeRules {
                least: self.house.least,
                ..black.game.times()
            };
            ByColor([times; 2])
        });
        let now = stamp(self.wall(at));
        let digits: String = now.chars().filter(char::is_ascii_digit).collect();
        let (event, name) = (&self.house.event, &black.game);
        let id = format!(
            "{event}+{name}+{}+{}+{digits}-{number}",
            black.name, white.name
        );
        let players = ByColor([black.name.clone(), white.name.clone()]);
        game.headers.players = players.clone();
        game.headers.event.clone_from(&id);
        game.headers.start_time = now;
        game.headers.clocks = ByColor(times.0.map(|times| Some(times.to_record())));
        game.headers.move_limit = self.house.rules.move_limit;
        Summary {
            id,
            players,
            side: Color::Black,
            times,
            move_limit: self.house.rules.move_limit,
            declaration: self.house.rules.declaration,
            game,
        }
    }

    fn wall(&self, at: Instant) -> SystemTime {
        self.opened.1 + at.saturating_duration_since(self.opened.0)
    }

    fn at_table(&mut self, number: u64, color: Color, line: &ClientLine, at: Instant) {
        let Some(table) = self.tables.get_mut(&number) else {
            return;
        };
        let guest = table.seats[color].guest;
        if table.started {
            if *line == ClientLine::Logout {
                self.say(guest, &ServerLine::LogoutCompleted.to_string());
                self.lose(guest, at);
                self.actions.push(Action::Close(guest));
                return;
            }
            let over = table.take(color, line, at);
            return self.after(number, over, at);
        }
        match line {
            ClientLine::Agree(id) => {
                let is_this = id.as_ref().is_none_or(|id| *id == table.id);
                if is_this && table.agree(color, at) {
                    self.after(number, None, at);
                }
            }
            ClientLine::Reject(_) | ClientLine::Logout => {
                let name = match self.guests.get(&guest).map(|guest| &guest.state) {
                    Some(State::Playing { who, .. }) => who.name.clone(),
                    _ => return,
                };
                table.seats[color].agreed = false;
                table.seats[color.foe()].agreed = true;
                self.cancel(number, &name, at);
            }
            _ => {}
        }
    }

    /// An offer was not taken. Whoever did not agree is sent away; the other waits again.
    fn cancel(&mut self, number: u64, by: &str, at: Instant) {
        let Some(mut table) = self.tables.remove(&number) else {
            return;
        };
        table.tell(&ServerLine::Reject {
            id: table.id.clone(),
            by: by.into(),
        });
        let seats = table.seats;
        self.pass_on(&mut table);
        for seat in seats.0 {
            match seat.agreed {
                true => self.wait_again(seat.guest, at),
                false => {
                    if self.guests.contains_key(&seat.guest) {
                        self.part(seat.guest);
                    }
                }
            }
        }
        self.pair(at);
    }

    fn wait_again(&mut self, id: GuestId, at: Instant) {
        if let Some(guest) = self.guests.get_mut(&id)
            && let State::Playing { who, .. } = guest.state.clone()
        {
            guest.state = State::Waiting(who);
            guest.since = at + self.house.pause;
        }
    }

    /// Hands out what a table said.
    fn pass_on(&mut self, table: &mut Table) {
        for (color, line) in std::mem::take(&mut table.said) {
            let guest = table.seats[color].guest;
            if self.guests.contains_key(&guest) {
                self.say(guest, &line);
            }
        }
    }

    /// What follows something that happened at a table.
    fn after(&mut self, number: u64, over: Option<Over>, at: Instant) {
        let Some(mut table) = self.tables.remove(&number) else {
            return;
        };
        if let Some(over) = over {
            table.close(over);
            table.game_mut().headers.end_time = stamp(self.wall(at));
        }
        self.pass_on(&mut table);
        let record = Box::new(table.game().clone());
        self.actions.push(Action::Save(table.id.clone(), record));
        let Some(over) = over else {
            self.tables.insert(number, table);
            return;
        };
        let players = &table.game().headers.players;
        self.actions.push(Action::Result(ResultLine {
            time: stamp(self.wall(at)),
            id: table.id.clone(),
            black: players[Color::Black].clone(),
            white: players[Color::White].clone(),
            winner: match over.winner {
                Some(Color::Black) => "black",
                Some(Color::White) => "white",
                None => "draw",
            },
            reason: over.reason.word().trim_start_matches('#'),
            plies: table.plies(),
            record: String::new(),
        }));
        for seat in table.seats.0 {
            if !self.guests.contains_key(&seat.guest) {
                continue;
            }
            match self.house.stay {
                true => self.wait_again(seat.guest, at),
                false => self.part(seat.guest),
            }
        }
        self.pair(at);
    }
}

/// Two players and a game, whoever comes first.
fn key(one: &Waiting, other: &Waiting) -> (String, String, GameName) {
    let (low, high) = match one.name < other.name {
        true => (&one.name, &other.name),
        false => (&other.name, &one.name),
    };
    (low.clone(), high.clone(), one.game.clone())
}
