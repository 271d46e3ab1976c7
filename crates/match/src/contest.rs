//! A match: many games between two or more players, several at a time.

use crate::games::{GameLine, GamesError, GamesFile};
use crate::referee::{Regulations, play};
use crate::schedule::Schedule;
use crate::score::Tally;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use tesuji_game::TimeControl;
use tesuji_shogi::{ByColor, Position};
use tesuji_usi::player::{Player, PlayerError};
use tesuji_usi::process::{Process, Recipe};

/// Somebody who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// What it is called in the results.
    pub name: String,
    /// How it is started.
    pub recipe: Recipe,
    /// How long it may think.
    pub control: TimeControl,
}

/// Everything that is agreed before the first game.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// Where games begin.
    pub openings: Vec<Position>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// What the referee goes by; the clocks are those of the players.
    pub regulations: Regulations,
    /// How many games are played at a time.
    pub concurrency: usize,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A player cannot be started.
    #[error("{name}: {why}")]
    Player {
        /// Who.
        name: String,
        /// What is wrong with it.
        why: PlayerError,
    },
    /// The games cannot be kept.
    #[error(transparent)]
    Games(#[from] GamesError),
}

impl Contest {
    /// Plays what is not played yet. Every game is kept before anybody hears of it; whoever hears
    /// may end the match, and then no more games are begun.
    ///
    /// # Errors
    /// If a player cannot be started or a game cannot be kept.
    pub fn run(
        &self,
        file: &mut GamesFile,
        played: &[GameLine],
        mut hear: impl FnMut(&GameLine) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let done: HashSet<usize> = played.iter().map(|game| game.id).collect();
        let open: Vec<usize> = (0..self.schedule.len())
            .filter(|id| !done.contains(id))
            .collect();
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, open.len().max(1)) {
                let (sender, open, next, over) = (sender.clone(), &open, &next, &over);
                scope.spawn(move || {
                    let mut table = HashMap::new();
                    while !over.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&id) = open.get(at) else {
                            return;
                        };
                        if sender.send(self.play(id, &mut table)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut outcome = Ok(());
            for game in results {
                let kept = game.and_then(|game| {
                    file.add(&game)?;
                    Ok(game)
                });
                match kept.map(|game| hear(&game)) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => over.store(true, Ordering::Relaxed),
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        outcome = Err(error);
                    }
                }
            }
            outcome
        })
    }

    fn play(
        &self,
        id: usize,
        table: &mut HashMap<usize, Process>,
    ) -> Result<GameLine, ContestError> {
        let fixture = self.schedule.fixture(id);
        let start = &self.openings[fixture.opening];
        let seat = |player: usize, table: &mut HashMap<usize, Process>| {
            let new = || Process::new(self.entrants[player].recipe.clone());
            table.remove(&player).unwrap_or_else(new)
        };
        let seats = [fixture.black, fixture.white];
        let [mut black, mut white] = seats.map(|player| seat(player, table));
        for (process, player) in [(&mut black, fixture.black), (&mut white, fixture.white)] {
            process.start().map_err(|why| ContestError::Player {
                name: self.entrants[player].name.clone(),
                why,
            })?;
        }
        let regulations = Regulations {
            controls: ByColor(seats.map(|player| self.entrants[player].control)),
            ..self.regulations
        };
        let players: [&mut dyn Player; 2] = [&mut black, &mut white];
        let game =
            play(ByColor(players), start, &regulations).map_err(|why| ContestError::Player {
                name: seats
                    .map(|player| self.entrants[player].name.as_str())
                    .join(" or "),
                why,
            })?;
        table.insert(fixture.black, black);
        table.insert(fixture.white, white);
        let names = seats.map(|player| self.entrants[player].name.as_str());
        Ok(GameLine::new(&fixture, names, start, &game))
    }
}

/// The results so far.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// Points of the first game of pairs that wait for the second, by number.
    waiting: HashMap<usize, u8>,
    tallies: HashMap<(usize, usize), Tally>,
    games: usize,
}

impl Standings {
    /// Adds a game.
    pub fn add(&mut self, schedule: &Schedule, game: &GameLine) {
        let fixture = schedule.fixture(game.id);
        let (low, is_reversed) = if fixture.black < fixture.white {
            ((fixture.black, fixture.white), false)
        } else {
            ((fixture.white, fixture.black), true)
        };
        let black = game.half_points_of_black();
        let points = if is_reversed { 2 - black } else { black };
        let tally = self.tallies.entry(low).or_default();
        tally.add(points);
        match self.waiting.remove(&(game.id / 2)) {
            Some(first) => tally.add_pair(first, points),
            None => {
                self.waiting.insert(game.id / 2, points);
            }
        }
        self.games += 1;
    }

    /// How many games were played.
    pub fn games(&self) -> usize {
        self.games
    }

    /// One player's results against another.
    pub fn between(&self, one: usize, other: usize) -> Tally {
        let tally = |key| self.tallies.get(&key).copied().unwrap_or_default();
        if one < other {
            tally((one, other))
        } else {
            tally((other, one)).reversed()
        }
    }

    /// One player's results against everybody.
    pub fn of(&self, player: usize, players: usize) -> Tally {
        let mut sum = Tally::default();
        for other in (0..players).filter(|&other| other != player) {
            sum.join(&self.between(player, other));
        }
        sum
    }

    /// All pairs of players that met.
    pub fn all(&self) -> Vec<(usize, usize, Tally)> {
        let mut all: Vec<_> = self
            .tallies
            .iter()
            .map(|(&(one, other), &tally)| (one, other, tally))
            .collect();
        all.sort_by_key(|&(one, other, _)| (one, other));
        all
    }
}
