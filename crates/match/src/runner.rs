//! A match: many games between two or more players, several at a time.

use crate::game::{GameSettings, play};
use crate::games::{GameLine, GamesFile};
use crate::journal::JournalError;
use crate::limit::ThinkingLimit;
use crate::live::{Spectator, WatchedPlayer};
use crate::player::Player;
use crate::schedule::MatchSchedule;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use tesuji_shogi::{ByColor, Position};
use tesuji_usi::process::{EngineLaunch, EngineProcess, ProcessError};

/// A player of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// What it is called in the results.
    pub name: String,
    /// How it is started.
    pub launch: EngineLaunch,
    /// How long it may think.
    pub limit: ThinkingLimit,
}

/// A match, with everything that is decided before its first game.
#[derive(Clone, Debug)]
pub struct MatchRunner {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// Where games begin.
    pub openings: Vec<Position>,
    /// Who meets whom.
    pub schedule: MatchSchedule,
    /// The settings of every game; the limits are those of the players.
    pub settings: GameSettings,
    /// How many games are played at a time.
    pub concurrency: usize,
}

/// The players of a match that are running, by their numbers.
#[derive(Default)]
pub struct PlayerProcesses(HashMap<usize, EngineProcess>);

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be started.
    #[error("{name}: {why}")]
    Player {
        /// Which player.
        name: String,
        /// What is wrong with it.
        why: ProcessError,
    },
    /// The games cannot be kept.
    #[error(transparent)]
    Games(#[from] JournalError),
}

impl MatchRunner {
    /// Plays the games that are not in the file yet. Every game is written before `hear` is told of
    /// it; if that breaks, no more games are begun.
    ///
    /// # Errors
    /// If a player cannot be started or a game cannot be kept.
    pub fn run(
        &self,
        file: &mut GamesFile,
        played: &[GameLine],
        hear: impl FnMut(&GameLine) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        self.run_watched(file, played, &|_| {}, hear)
    }

    /// As [`Self::run`]; besides, a spectator is told of every game before each of its moves.
    ///
    /// # Errors
    /// As there.
    pub fn run_watched(
        &self,
        file: &mut GamesFile,
        played: &[GameLine],
        spectator: Spectator<'_>,
        mut hear: impl FnMut(&GameLine) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
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
                    let mut processes = PlayerProcesses::default();
                    while !over.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&id) = open.get(at) else {
                            return;
                        };
                        if sender
                            .send(self.play(id, &mut processes, spectator))
                            .is_err()
                        {
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

    /// Plays the two games of a pair, one from each side of its opening. Where positions are counted
    /// and not time, they depend on nothing else.
    ///
    /// # Errors
    /// If a player cannot be started.
    pub fn play_pair(
        &self,
        pair: usize,
        processes: &mut PlayerProcesses,
    ) -> Result<[GameLine; 2], MatchError> {
        let first = self.play(2 * pair, processes, &|_| {})?;
        Ok([first, self.play(2 * pair + 1, processes, &|_| {})?])
    }

    fn play(
        &self,
        id: usize,
        processes: &mut PlayerProcesses,
        spectator: Spectator<'_>,
    ) -> Result<GameLine, MatchError> {
        let pairing = self.schedule.pairing(id);
        let start = &self.openings[pairing.opening];
        let take = |player: usize, processes: &mut PlayerProcesses| {
            let new = || EngineProcess::new(self.entrants[player].launch.clone());
            processes.0.remove(&player).unwrap_or_else(new)
        };
        let seats = [pairing.black, pairing.white];
        let [mut black, mut white] = seats.map(|player| take(player, processes));
        for (process, player) in [(&mut black, pairing.black), (&mut white, pairing.white)] {
            process.start().map_err(|why| MatchError::Player {
                name: self.entrants[player].name.clone(),
                why,
            })?;
        }
        let settings = GameSettings {
            limits: ByColor(seats.map(|player| self.entrants[player].limit)),
            ..self.settings
        };
        let names = seats.map(|player| self.entrants[player].name.as_str());
        let [mut first, mut second] = [&mut black, &mut white].map(|player| WatchedPlayer {
            player,
            names,
            spectator,
        });
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let game = play(ByColor(players), start, &settings).map_err(|why| MatchError::Player {
            name: names.join(" or "),
            why,
        })?;
        processes.0.insert(pairing.black, black);
        processes.0.insert(pairing.white, white);
        Ok(GameLine::new(&pairing, names, start, &game))
    }
}
