//! Trials as games: pairs from both sides of an opening, inside this process, on all cores.

use super::parameter::TunedParameter;
use super::trial::{PairOutcome, Trial, TrialPlayer, TuningIteration};
use crate::adjudicate::Adjudication;
use crate::game::{GameEnd, GameSettings, play};
use crate::limit::ThinkingLimit;
use crate::player::Player;
use crate::score::HalfPoints;
use crate::search_player::SearchPlayer;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tesuji_eval::AnyEval;
use tesuji_search::Params;
use tesuji_shogi::{ByColor, Color, Position, RuleSet};
use tesuji_usi::process::ProcessError;

/// What the games of a tuning have in common.
///
/// The two players of a trial may have different evaluations. From each opening the first
/// evaluation plays Black in both games, in every other trial White, and the values that are
/// compared change places: neither colour nor evaluation speaks for one of them.
pub struct TuningGames {
    /// The names of the parameters, in the order of the values of a trial.
    pub names: Vec<String>,
    /// The evaluations.
    pub evals: [AnyEval; 2],
    /// How long a player may think.
    pub limit: ThinkingLimit,
    /// How much of its clock a player may overrun.
    pub margin: Duration,
    /// The transposition table of each player, in bytes.
    pub table_bytes: usize,
    /// Where games begin.
    pub openings: Vec<Position>,
    /// The rules of the game.
    pub rules: RuleSet,
    /// When games end early.
    pub adjudication: Adjudication,
    /// How many pairs are played at a time.
    pub concurrency: usize,
    /// Ends a run between two games.
    pub interrupt: Arc<AtomicBool>,
    /// Players that wait for their next game.
    idle: Mutex<Vec<[SearchPlayer; 2]>>,
}

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum TuningGamesError {
    /// The system has no room for the players.
    #[error("no room for the tables of a player: {0}")]
    Memory(#[from] io::Error),
    /// A player failed.
    #[error(transparent)]
    Player(#[from] ProcessError),
    /// A value is not allowed.
    #[error("there is no parameter {name} that can be {value}")]
    Value {
        /// Which parameter.
        name: String,
        /// The value it should have had.
        value: i32,
    },
    /// Somebody has asked to end.
    #[error("interrupted")]
    Interrupted,
}

impl TuningGames {
    /// Games at a limit between players with these evaluations, from these openings, with the usual
    /// rules and a small table, one pair at a time.
    pub fn new(
        parameters: &[TunedParameter],
        evals: [AnyEval; 2],
        limit: ThinkingLimit,
        openings: Vec<Position>,
    ) -> Self {
        Self {
            names: parameters.iter().map(|p| p.name.clone()).collect(),
            evals,
            limit,
            margin: Duration::from_millis(100),
            table_bytes: 8 << 20,
            openings,
            rules: RuleSet {
                move_limit: Some(320),
                ..RuleSet::default()
            },
            adjudication: Adjudication::default(),
            concurrency: 1,
            interrupt: Arc::default(),
            idle: Mutex::default(),
        }
    }

    fn players(&self) -> Result<[SearchPlayer; 2], TuningGamesError> {
        let waiting = self.idle().pop();
        if let Some(players) = waiting {
            return Ok(players);
        }
        let player = |n: usize| {
            let eval = self.evals[n].clone();
            SearchPlayer::new(eval, self.table_bytes, self.rules)
        };
        Ok([player(0)?, player(1)?])
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<[SearchPlayer; 2]>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn params(&self, values: &[i32]) -> Result<Params, TuningGamesError> {
        let mut params = Params::default();
        for (name, &value) in self.names.iter().zip(values) {
            if !params.set(name, value) {
                let name = name.clone();
                return Err(TuningGamesError::Value { name, value });
            }
        }
        Ok(params)
    }

    /// Plays one trial by itself.
    ///
    /// # Errors
    /// If it cannot be played, or somebody has asked to end.
    pub fn play_trial(&self, trial: &Trial) -> Result<PairOutcome, TuningGamesError> {
        let mut players = self.players()?;
        let outcome = self.play_pair(trial, &mut players)?;
        self.idle().push(players);
        Ok(outcome)
    }

    fn play_pair(
        &self,
        trial: &Trial,
        players: &mut [SearchPlayer; 2],
    ) -> Result<PairOutcome, TuningGamesError> {
        let values = [self.params(&trial.plus)?, self.params(&trial.minus)?];
        let opening = (trial.opening % self.openings.len().max(1) as u64) as usize;
        let start = &self.openings[opening];
        let first_is_black = trial.opening.is_multiple_of(2);
        let mut outcome = PairOutcome::default();
        for game in 0..2 {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(TuningGamesError::Interrupted);
            }
            // In the second game the values change places.
            for (n, player) in players.iter_mut().enumerate() {
                player.params().clone_from(&values[(n + game) % 2]);
            }
            let plus = game;
            let (points, plies, is_fault) = self.play_game(start, players, first_is_black, plus)?;
            outcome.points[game] = points;
            outcome.plies += plies;
            outcome.faults += u32::from(is_fault);
        }
        Ok(outcome)
    }

    /// Plays a game; returns the points of the player `plus`.
    fn play_game(
        &self,
        start: &Position,
        players: &mut [SearchPlayer; 2],
        first_is_black: bool,
        plus: usize,
    ) -> Result<(HalfPoints, u32, bool), TuningGamesError> {
        let settings = GameSettings {
            rules: self.rules,
            limits: ByColor([self.limit; 2]),
            margin: self.margin,
            adjudication: self.adjudication,
            ponder: false,
        };
        let [first, second] = players;
        let seats: [&mut dyn Player; 2] = if first_is_black {
            [first, second]
        } else {
            [second, first]
        };
        let game = play(ByColor(seats), start, &settings)?;
        let first_color = if first_is_black {
            Color::Black
        } else {
            Color::White
        };
        let color = if plus == 0 {
            first_color
        } else {
            first_color.foe()
        };
        let points = match game.winner {
            Some(winner) if winner == color => 2,
            Some(_) => 0,
            None => 1,
        };
        let is_fault = matches!(
            game.end,
            GameEnd::Time
                | GameEnd::IllegalMove
                | GameEnd::Nonsense
                | GameEnd::Crash
                | GameEnd::Silence
                | GameEnd::WrongDeclaration
        );
        Ok((points, game.moves.len() as u32, is_fault))
    }
}

impl TrialPlayer for TuningGames {
    type Error = TuningGamesError;

    fn play(&mut self, iteration: &TuningIteration) -> Result<Vec<PairOutcome>, TuningGamesError> {
        let (games, count) = (&*self, iteration.trials.len());
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(vec![None; count]);
        let keep = |trial: usize, outcome| {
            let mut all = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
            all[trial] = Some(outcome);
        };
        let work = || -> Result<(), TuningGamesError> {
            let mut players = games.players()?;
            loop {
                let trial = next.fetch_add(1, Ordering::Relaxed);
                if trial >= count {
                    games.idle().push(players);
                    return Ok(());
                }
                let outcome = games.play_pair(&iteration.trials[trial], &mut players)?;
                keep(trial, outcome);
            }
        };
        std::thread::scope(|scope| {
            let workers = games.concurrency.clamp(1, count.max(1));
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let mut ends = threads.into_iter().map(|thread| thread.join());
            ends.try_for_each(|end| end.expect("a player that panics has a mistake to report"))
        })?;
        let outcomes = outcomes
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(outcomes.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests;
