//! Many threads, each playing game after game.

use super::dedup::SeenPositions;
use super::game::{GameRules, Played, SelfplayEnding, play};
use super::openings::{NoOpening, Openings};
use super::output::{DataFormat, GameEntry, OutputError, SelfplayOutput};
use super::plan::SelfplayPlan;
use super::settings::{self, SettingsError};
use fastrand::Rng;
use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_eval::AnyEval;
use tesuji_record::samples::{Sample, SampleFormat};
use tesuji_record::sbinpack::Chains;
use tesuji_search::Search;
use tesuji_search::tournament::AnyTournament;
use tesuji_shogi::Color;

/// What was played, by this run and those before it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SelfplayTally {
    /// How many games.
    pub games: u64,
    /// How many of them were drawn.
    pub draws: u64,
    /// How many Black won.
    pub black_wins: u64,
    /// How many openings were too lopsided.
    pub refused: u64,
    /// How many positions were searched.
    pub plies: u64,
    /// How many positions were written.
    pub positions: u64,
    /// How many nodes were searched.
    pub nodes: u64,
}

impl SelfplayTally {
    /// Counts a game.
    pub fn add(&mut self, entry: &GameEntry) {
        if entry.ending == SelfplayEnding::Refused {
            self.refused += 1;
            return;
        }
        self.games += 1;
        self.draws += u64::from(entry.winner == 'd');
        self.black_wins += u64::from(entry.winner == 'b');
        self.plies += u64::from(entry.plies);
        self.positions += u64::from(entry.positions);
        // A journal may say anything.
        self.nodes = self.nodes.saturating_add(entry.nodes);
    }
}

/// Why self-play stopped early.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// Games cannot be kept.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder belongs to another run.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The samples of an earlier run cannot be read.
    #[error("{}: {what}", path.display())]
    Earlier {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A search cannot be set up.
    #[error("no room for a search: {0}")]
    Search(std::io::Error),
    /// A game cannot begin.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// A position does not fit into the format.
    #[error(transparent)]
    Sample(tesuji_record::samples::SampleError),
}

/// What all threads of a run share.
struct Shared<'a> {
    plan: &'a SelfplayPlan,
    eval: &'a AnyEval,
    seen: SeenPositions,
    stop: &'a AtomicBool,
    state: Mutex<RunState<'a>>,
}

struct RunState<'a> {
    next: u64,
    done: HashSet<u64>,
    tally: SelfplayTally,
    tell: &'a mut (dyn FnMut(&SelfplayTally) + Send),
}

/// Plays until all games are there or somebody says stop; goes on where an earlier run ended.
/// `tell` is told after every game.
///
/// # Errors
/// If games cannot be kept, the folder belongs to another run, or a search cannot be set up.
/// Finished games stay.
pub fn run(
    plan: &SelfplayPlan,
    eval: &AnyEval,
    stop: &AtomicBool,
    tell: &mut (dyn FnMut(&SelfplayTally) + Send),
) -> Result<SelfplayTally, SelfplayError> {
    let _claim = settings::claim(plan)?;
    let (seen, mut outputs) = (SeenPositions::with_room(plan.remembered), Vec::new());
    let (mut done, mut tally) = (HashSet::new(), SelfplayTally::default());
    let threads = plan.threads.max(1);
    // An earlier run may have had more threads.
    for thread in (0..).take_while(|&n| n < threads || SelfplayOutput::exists(&plan.folder, n)) {
        let (output, entries) = SelfplayOutput::open(&plan.folder, thread, plan.format)?;
        remember(&seen, output.data_path(), plan.format)?;
        entries.iter().for_each(|entry| tally.add(entry));
        done.extend(entries.iter().map(|entry| entry.game));
        outputs.push(output);
    }
    outputs.truncate(threads);
    let state = RunState {
        next: 0,
        done,
        tally,
        tell,
    };
    let shared = Shared {
        plan,
        eval,
        seen,
        stop,
        state: Mutex::new(state),
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let shared = &shared;
        let spawn = |output| scope.spawn(move || shared.play_all(output));
        let handles: Vec<_> = outputs.into_iter().map(spawn).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle.join().expect("a thread that plays does not panic")
        };
        handles.into_iter().map(join).collect()
    });
    results.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(shared.lock().tally.clone())
}

impl<'a> Shared<'a> {
    fn lock(&self) -> std::sync::MutexGuard<'_, RunState<'a>> {
        // Numbers stay sound whatever a thread that panicked was doing.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// One thread: game after game, into its own files. If it fails, all stop.
    fn play_all(&self, mut output: SelfplayOutput) -> Result<(), SelfplayError> {
        let played = self.play_games(&mut output);
        if played.is_err() {
            self.stop.store(true, Relaxed);
        }
        played
    }

    fn play_games(&self, output: &mut SelfplayOutput) -> Result<(), SelfplayError> {
        let table_bytes = self.plan.table_bytes;
        let mut search =
            AnyTournament::new(self.eval.clone(), 1, table_bytes).map_err(SelfplayError::Search)?;
        while let Some(game) = self.claim() {
            let plan = self.plan;
            let played = play_numbered(&mut search, game, plan.seed, &plan.openings, &plan.rules)?;
            let samples: Vec<Sample> = played
                .samples
                .iter()
                .filter(|s| self.is_new(s))
                .cloned()
                .collect();
            let entry = output.write(entry(game, &played, samples.len()), &samples)?;
            let state = &mut *self.lock();
            state.tally.add(&entry);
            (state.tell)(&state.tally);
        }
        Ok(())
    }

    fn is_new(&self, sample: &Sample) -> bool {
        self.seen.is_new(&sample.position)
    }

    /// The number of a game that nobody has played.
    fn claim(&self) -> Option<u64> {
        if self.stop.load(Relaxed) {
            return None;
        }
        let state = &mut *self.lock();
        while state.done.contains(&state.next) {
            state.next += 1;
        }
        let game = state.next;
        state.next += 1;
        (game < self.plan.games).then_some(game)
    }
}

/// Plays the game of a number: it depends on the seed and the number, not on the games before it.
pub(super) fn play_numbered(
    search: &mut AnyTournament,
    game: u64,
    seed: u64,
    openings: &Openings,
    rules: &GameRules,
) -> Result<Played, NoOpening> {
    let mut rng = Rng::with_seed(seed ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    search.new_game();
    let opening = openings.draw(&mut rng)?;
    Ok(play(search, opening, rules, &mut rng))
}

/// What a journal says of a game, as long as nobody knows where its data ends.
pub(super) fn entry(game: u64, played: &Played, positions: usize) -> GameEntry {
    GameEntry {
        game,
        bytes: 0,
        plies: played.samples.len() as u32,
        positions: positions as u32,
        winner: match played.winner {
            Some(Color::Black) => 'b',
            Some(Color::White) => 'w',
            None => 'd',
        },
        ending: played.ending,
        nodes: played.nodes,
    }
}

/// Remembers what an earlier run wrote.
fn remember(seen: &SeenPositions, path: &Path, format: DataFormat) -> Result<(), SelfplayError> {
    let earlier = |what: String| SelfplayError::Earlier {
        path: path.into(),
        what,
    };
    let file = BufReader::new(File::open(path).map_err(|error| earlier(error.to_string()))?);
    match format {
        DataFormat::Psv => {
            for sample in SampleFormat::Psv.samples(file) {
                seen.is_new(&sample.map_err(|error| earlier(error.to_string()))?.position);
            }
        }
        DataFormat::Sbinpack => {
            for sample in Chains::new(file) {
                seen.is_new(&sample.map_err(|error| earlier(error.to_string()))?.position);
            }
        }
    }
    Ok(())
}
