//! Small tournaments on the page: the match runner in a thread, its games in the library.

use super::{Engines, locked, players};
use crate::library::{GameLibrary, fresh_id};
use crate::protocol::engines::{
    LiveGameView, StandingsView, TournamentGame, TournamentSettings, TournamentStanding,
};
use crate::protocol::library::GameSource;
use crate::protocol::position::PositionView;
use crate::user_error::UserError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tesuji_match::adjudicate::Adjudication;
use tesuji_match::crosstable::Crosstable;
use tesuji_match::game::GameSettings;
use tesuji_match::games::{GameLine, GamesFile, GamesHeader, PlayerLine};
use tesuji_match::limit::ThinkingLimit;
use tesuji_match::live::LiveGame;
use tesuji_match::runner::{Entrant, MatchRunner};
use tesuji_match::schedule::{MatchFormat, MatchSchedule};
use tesuji_record::{Ending, Game};
use tesuji_shogi::{ByColor, Color, Move, Position, RuleSet};

/// How many players and rounds a tournament on a page may have.
const MOST_PLAYERS: usize = 8;
const MOST_ROUNDS: usize = 20;

/// How much later than its time an answer may come.
const MARGIN: Duration = Duration::from_millis(1000);

/// After so many moves a game is drawn.
const MOVE_LIMIT: u32 = 320;

/// A tournament that runs or ran.
pub(super) struct EngineTournament {
    state: Arc<Mutex<StandingsView>>,
    running: Arc<Mutex<Option<TournamentBoard>>>,
    stop: Arc<AtomicBool>,
}

/// The game that is being played.
struct TournamentBoard {
    names: [String; 2],
    pos: Position,
    plies: usize,
}

impl TournamentBoard {
    fn of(game: &LiveGame<'_>) -> Self {
        let mut pos = game.start.clone();
        for &mv in game.moves {
            pos.play(mv);
        }
        Self {
            names: game.names.map(str::to_owned),
            pos,
            plies: game.moves.len(),
        }
    }
}

impl EngineTournament {
    /// The game that is being played.
    pub(super) fn live(&self) -> Option<LiveGameView> {
        let running = locked(&self.running);
        running.as_ref().map(|game| LiveGameView {
            black: game.names[0].clone(),
            white: game.names[1].clone(),
            plies: game.plies,
            position: PositionView::new(&game.pos, false),
        })
    }

    /// Begins no more games; those that are being played go on.
    pub(super) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub(super) fn view(&self) -> StandingsView {
        locked(&self.state).clone()
    }
}

impl Engines {
    /// Begins a tournament.
    pub(super) fn start_tournament(
        self: &Arc<Self>,
        settings: &TournamentSettings,
    ) -> Result<(), UserError> {
        self.check_tournament(settings)?;
        let limit =
            ThinkingLimit::MoveTime(Duration::from_millis(settings.millis.clamp(20, 60_000)));
        let entrants = self.entrants(&settings.engines, limit)?;
        let runner = round_robin(entrants, limit, settings.rounds);
        let state = Arc::new(Mutex::new(StandingsView {
            running: true,
            total: runner.schedule.len(),
            players: standings(&runner.entrants, &Crosstable::default()),
            ..StandingsView::default()
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let running = Arc::new(Mutex::new(None));
        let work = TournamentRun {
            runner,
            state: state.clone(),
            running: running.clone(),
            stop: stop.clone(),
            library: self.library.clone(),
            folder: self.folder.clone(),
        };
        let builder = std::thread::Builder::new().name("tournament".into());
        let started = builder.spawn(move || work.run());
        started.map_err(|error| UserError::engine(&error.to_string()))?;
        *locked(&self.tournament) = Some(EngineTournament {
            state,
            running,
            stop,
        });
        Ok(())
    }

    /// Whether a tournament can begin now, and has enough players and not too many.
    fn check_tournament(&self, settings: &TournamentSettings) -> Result<(), UserError> {
        if locked(&self.tournament)
            .as_ref()
            .is_some_and(|known| known.view().running)
        {
            return Err(UserError::new(
                "A tournament is being played: stop it first.",
                "大会が進行中です。先に止めてください。",
            ));
        }
        if !(2..=MOST_PLAYERS).contains(&settings.engines.len()) {
            return Err(UserError::new(
                "A tournament has two to eight players.",
                "大会は二者から八者までです。",
            ));
        }
        Ok(())
    }

    /// The players of a tournament; the same engine twice gets a number.
    fn entrants(&self, engines: &[u64], limit: ThinkingLimit) -> Result<Vec<Entrant>, UserError> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for &id in engines {
            let (name, launch) = match (id, players::past_player(id)) {
                (0, _) => self.own_launch(None)?,
                (_, Some(player)) => self.own_launch(Some(player))?,
                _ => {
                    let engine = self.registry.engine(id)?;
                    let launch = engine.launch();
                    (engine.name, launch)
                }
            };
            let is_taken = |name: &String| entrants.iter().any(|other| other.name == *name);
            let names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name} ({n})")));
            let name = names
                .into_iter()
                .find(|name| !is_taken(name))
                .unwrap_or(name);
            entrants.push(Entrant {
                name,
                launch,
                limit,
            });
        }
        Ok(entrants)
    }
}

/// Everything that the thread of a tournament needs.
struct TournamentRun {
    runner: MatchRunner,
    state: Arc<Mutex<StandingsView>>,
    running: Arc<Mutex<Option<TournamentBoard>>>,
    stop: Arc<AtomicBool>,
    library: GameLibrary,
    folder: Option<PathBuf>,
}

impl TournamentRun {
    fn run(&self) {
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let path = folder.join(format!("tournament-{:x}.jsonl", fresh_id()));
        let played = self.play(&path);
        *locked(&self.running) = None;
        let mut state = locked(&self.state);
        state.running = false;
        state.error = played.err().map(|error| error.to_string());
        drop(state);
        // Every game is in the library.
        let _ = std::fs::remove_file(&path);
    }

    fn play(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let player = |entrant: &Entrant| PlayerLine {
            name: entrant.name.clone(),
            command: entrant.launch.command.clone(),
            options: entrant.launch.options.clone(),
            control: entrant.limit.to_string(),
        };
        let header = GamesHeader {
            players: self.runner.entrants.iter().map(player).collect(),
            openings: "tournament".into(),
            schedule: "round robin".into(),
            rules: String::new(),
        };
        let (mut file, played) = GamesFile::open(path, &header)?;
        let mut table = Crosstable::default();
        let spectator = |game: &LiveGame<'_>| {
            *locked(&self.running) = Some(TournamentBoard::of(game));
        };
        let hear = |line: &GameLine| {
            table.add(&self.runner.schedule, line);
            self.tell(line, &table);
            match self.stop.load(Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        self.runner
            .run_watched(&mut file, &played, &spectator, hear)?;
        Ok(())
    }

    /// Keeps a game and shows how it stands.
    fn tell(&self, line: &GameLine, table: &Crosstable) {
        let id = fresh_id();
        if let Some(game) = record(line) {
            // A library that cannot be written to tells so where it is looked at.
            let _ = self.library.put(id, GameSource::Played, &game);
        }
        let result = match line.half_points_of_black() {
            2 => "b",
            0 => "w",
            _ => "d",
        };
        let mut state = locked(&self.state);
        state.done += 1;
        state.players = standings(&self.runner.entrants, table);
        let end = serde_json::to_value(line.end).ok();
        state.games.push(TournamentGame {
            black: line.black.clone(),
            white: line.white.clone(),
            result: result.into(),
            end: end
                .and_then(|end| Some(end.as_str()?.to_owned()))
                .unwrap_or_default(),
            plies: line.moves.split_whitespace().count(),
            id,
        });
    }
}

/// Everyone plays everyone, one game at a time.
fn round_robin(entrants: Vec<Entrant>, limit: ThinkingLimit, rounds: usize) -> MatchRunner {
    let openings = openings();
    let schedule = MatchSchedule::new(
        MatchFormat::RoundRobin,
        entrants.len(),
        openings.len(),
        rounds.clamp(1, MOST_ROUNDS),
        None,
    );
    MatchRunner {
        entrants,
        openings,
        schedule,
        settings: GameSettings {
            rules: RuleSet {
                move_limit: Some(MOVE_LIMIT),
                ..RuleSet::default()
            },
            limits: ByColor([limit; 2]),
            margin: MARGIN,
            adjudication: Adjudication::default(),
            ponder: false,
        },
        concurrency: 1,
    }
}

fn standings(entrants: &[Entrant], table: &Crosstable) -> Vec<TournamentStanding> {
    let count = entrants.len();
    let standing = |(player, entrant): (usize, &Entrant)| {
        let stats = table.of(player, count);
        let points = |other: usize| {
            let stats = table.between(player, other);
            stats.wins as f64 + stats.draws as f64 / 2.0
        };
        TournamentStanding {
            name: entrant.name.clone(),
            wins: stats.wins,
            draws: stats.draws,
            losses: stats.losses,
            against: (0..count)
                .map(|other| if other == player { 0.0 } else { points(other) })
                .collect(),
        }
    };
    entrants.iter().enumerate().map(standing).collect()
}

/// A few ways to begin, so that games differ.
fn openings() -> Vec<Position> {
    let lines = [
        "7g7f 3c3d 2g2f 8c8d",
        "2g2f 8c8d 2f2e 8d8e",
        "7g7f 8c8d 7i6h 3c3d",
        "7g7f 3c3d 6g6f 8c8d",
        "2g2f 3c3d 7g7f 4c4d",
        "7g7f 3c3d 2g2f 5c5d",
    ];
    let position = |line: &str| {
        let mut pos = Position::start();
        for mv in line.split(' ') {
            pos.play(mv.parse().expect("the openings are legal"));
        }
        // Without its history, as the runner wants it.
        pos.setup().build().expect("a sound position")
    };
    lines.into_iter().map(position).collect()
}

/// A game of a match as a record.
fn record(line: &GameLine) -> Option<Game> {
    let mut game = Game::new(Position::from_sfen(&line.start).ok()?);
    game.headers.players.0 = [line.black.clone(), line.white.clone()];
    game.headers.event = "Tesuji tournament".into();
    for mv in line.moves.split_whitespace() {
        game.push(mv.parse::<Move>().ok()?).ok()?;
    }
    let turn = game.turn(game.last());
    let loser_resigns = match turn {
        Color::Black => line.half_points_of_black() == 0,
        Color::White => line.half_points_of_black() == 2,
    };
    game.end(match line.half_points_of_black() {
        1 => Ending::Draw,
        _ if loser_resigns => Ending::Resignation,
        _ => Ending::Interruption,
    });
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_can_be_played() {
        let all = openings();
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|pos| pos.ply() == 5 && !pos.in_check()));
    }
}
